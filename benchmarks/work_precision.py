"""How much time does an accuracy cost? Errors from 1e-3 to 1e-13, hybridsim beside other engines.

    python benchmarks/work_precision.py [--quick] [--problems runner gait]

The runner, and the compass gait on 3 degrees. Each contender runs the same 48 strides, and gets for each error the
largest tolerance, out of four per decade, with which no state is off by more after 16, 32 and 48 strides. Then all are
timed in turn, round after round, on one core; the smallest CPU time of each counts. The exact states are those of
exact.py. The table is explained in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import engine
import exact
import gait
from slip import Contender, State

import hybridsim
from hybridsim_models.walkers import compass_gait

ERRORS = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)
COMPARED = (16, 32, 48)
"""After so many strides, to the touchdown; of the compass gait, and a third of the next one."""

STRIDES = COMPARED[-1]
TOLERANCES = [10.0 ** (-n / 4) for n in range(4, 63)]
PATIENCE = 40.0
"""A contender whose tolerances have taken longer [s] is not asked for more accuracy."""

RIVALS = ("heyoka_cpp", "heyoka_solver", "cvode_cpp", "lsoda_cpp", "diffrax_solver", "scipy_solvers", "drake_solver")
RUNS, LONG_ENOUGH = 10, 0.1
"""Runs of a contender in a round, unless they take longer together [s]."""

SLOW, SLOW_ROUNDS = 0.01, 2
"""Who takes longer for a stride [s] is timed in so many rounds only: noise of a per cent does not matter there."""


METHODS = "series", "dop853", "tsit5", "dp5"


@dataclass(frozen=True)
class Problem:
    """What is run: its contenders here, the name of the list that a rival's module has for it, and the exact states."""

    name: str
    ours: list[Contender]
    rivals: str
    exact: Callable[[int], State]


@dataclass(frozen=True)
class Cell:
    """What an error costs a contender: the tolerance, the error that it has with it, and the time of a stride [s]."""

    tolerance: float
    error: float
    per_stride: float


def prepare_runner(method: str, tolerance: float, strides: int) -> Callable[[], State]:
    return engine.prepare_hybridsim(False, False, tolerance, strides, method)


def prepare_walker(method: str, tolerance: float, strides: int) -> Callable[[], State]:
    initial = dict(zip(compass_gait.STATES.names, gait.START, strict=False))
    settings: dict[str, Any] = {"method": method, "rtol": tolerance, "atol": 0.01 * tolerance, "record": False}
    simulation = hybridsim.Simulation("compass_gait", initial=initial, max_transitions=10 * strides, **settings)
    engine.let_specialise(simulation)

    def go() -> State:
        simulation.advance(gait.end(strides))
        x = simulation.x
        return float(x[0]), float(x[1]), float(x[2]), float(x[3])

    return go


PROBLEMS = {
    "runner": Problem(
        "the runner",
        [
            *(Contender(f"hybridsim {m}", partial(prepare_runner, m), STRIDES) for m in METHODS),
            Contender("dp5 by hand in C", partial(engine.prepare_c, True), STRIDES),
        ],
        "CONTENDERS",
        exact.touchdown,
    ),
    "gait": Problem(
        "the compass gait",
        [Contender(f"hybridsim {m}", partial(prepare_walker, m), STRIDES) for m in METHODS],
        "WALKERS",
        exact.walked,
    ),
}


def error_of(contender: Contender, exact_state: Callable[[int], State], tolerance: float) -> float:
    """Return the largest error of a state; infinity if the contender does not get to the end."""
    largest = 0.0
    for strides in COMPARED:
        try:
            found = contender.prepare(tolerance, strides)()
        except (ArithmeticError, RuntimeError, ValueError):  # a runner that falls, or a tolerance that cannot be kept
            return float("inf")
        largest = max(largest, *(abs(a - b) for a, b in zip(found, exact_state(strides), strict=True)))
    return largest


def tolerances(contender: Contender, exact_state: Callable[[int], State]) -> dict[float, tuple[float, float]]:
    """Find the largest tolerance, and the error with it, for each of the errors that a contender reaches."""
    found: dict[float, tuple[float, float]] = {}
    contender.prepare(1e-4, 1)()  # compiles
    began = time.process_time()
    for tolerance in TOLERANCES:
        error = error_of(contender, exact_state, tolerance)
        found |= {wanted: (tolerance, error) for wanted in ERRORS if error <= wanted and wanted not in found}
        if len(found) == len(ERRORS) or time.process_time() - began > PATIENCE:
            break
    return found


def seconds_per_stride(contender: Contender, tolerance: float) -> float:
    """Return the smallest CPU time of some runs, over its strides."""
    smallest, total = float("inf"), 0.0
    for _ in range(RUNS):
        go = contender.prepare(tolerance, STRIDES)
        began = time.process_time()
        go()
        seconds = time.process_time() - began
        smallest, total = min(smallest, seconds), total + seconds
        if total > LONG_ENOUGH:
            break
    return smallest / STRIDES


def measured(
    contenders: Sequence[Contender], exact_state: Callable[[int], State], rounds: int
) -> dict[str, dict[float, Cell]]:
    for strides in COMPARED:
        exact_state(strides)  # on nobody's clock
    chosen = {}
    for contender in contenders:
        found = chosen[contender.name] = tolerances(contender, exact_state)
        print(f"{contender.name} {contender.version}: {len(found)} of {len(ERRORS)} errors", flush=True)
    times: dict[tuple[str, float], float] = {}
    for turn in range(rounds):
        for contender in contenders:
            for tolerance in {tolerance for tolerance, _ in chosen[contender.name].values()}:
                key = contender.name, tolerance
                if turn < SLOW_ROUNDS or times[key] < SLOW:
                    times[key] = min(times.get(key, float("inf")), seconds_per_stride(contender, tolerance))
    return {
        name: {wanted: Cell(tolerance, error, times[name, tolerance]) for wanted, (tolerance, error) in cells.items()}
        for name, cells in chosen.items()
    }


def table(name: str, cells: dict[str, dict[float, Cell]]) -> Iterator[str]:
    yield f"\n{name + ', us per stride at an error of':48}" + "".join(f"{wanted:>10.0e}" for wanted in ERRORS)
    for contender, row in cells.items():
        times = (f"{1e6 * row[wanted].per_stride:10.3g}" if wanted in row else f"{'-':>10}" for wanted in ERRORS)
        yield f"{contender:48}" + "".join(times)


def write(tables: dict[str, dict[str, dict[float, Cell]]], versions: dict[str, str], target: Path) -> None:
    machine = {"processor": engine.processor(), "system": platform.platform(), "python": platform.python_version()}
    results = {
        problem: {name: {f"{e:.0e}": asdict(cell) for e, cell in row.items()} for name, row in cells.items()}
        for problem, cells in tables.items()
    }
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"machine": machine, "versions": versions, "results": results}, indent=2) + "\n")
    print(f"\nwritten to {target}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only hybridsim and C, few rounds")
    parser.add_argument("--problems", nargs="+", choices=PROBLEMS, default=[*PROBLEMS])
    arguments = parser.parse_args()
    quick = arguments.quick
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # some engines would use more cores
    warnings.simplefilter("ignore")  # of tolerances near rounding
    tables, versions = {}, {}
    for problem in (PROBLEMS[name] for name in arguments.problems):
        contenders = [*problem.ours, *engine.rivals(() if quick else RIVALS, problem.rivals)]
        versions |= {contender.name: contender.version for contender in contenders}
        tables[problem.name] = measured(contenders, problem.exact, rounds=3 if quick else 8)
        print(*table(problem.name, tables[problem.name]), sep="\n")
    write(tables, versions, engine.FOLDER / "results" / "work_precision.json")


if __name__ == "__main__":
    main()

"""How much time does an accuracy cost? The runner at errors from 1e-3 to 1e-13, hybridsim beside other engines.

    python benchmarks/work_precision.py [--quick]

Each contender runs the same 48 strides, and gets for each error the largest tolerance, out of four per decade, with
which no state [m, m/s] is off by more, at three touchdowns. Then all are timed in turn, round after round, on one core;
the smallest CPU time of each counts. The exact states are those of exact.py. The table is explained in
docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import engine
import exact
from slip import Contender, State

ERRORS = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13)
TOUCHDOWNS = (16, 32, 48)
STRIDES = TOUCHDOWNS[-1]
TOLERANCES = [10.0 ** (-n / 4) for n in range(4, 63)]
PATIENCE = 4.0
"""A contender that takes longer [s] for its strides is not asked for more accuracy."""

RIVALS = ("heyoka_cpp", "heyoka_solver", "cvode_cpp", "lsoda_cpp", "diffrax_solver", "scipy_solvers", "drake_solver")
RUNS, LONG_ENOUGH = 10, 0.1
"""Runs of a contender in a round, unless they take longer together [s]."""

SLOW, SLOW_ROUNDS = 0.01, 2
"""Who takes longer for a stride [s] is timed in so many rounds only: noise of a per cent does not matter there."""


@dataclass(frozen=True)
class Cell:
    """What an error costs a contender: the tolerance, the error that it has with it, and the time of a stride [s]."""

    tolerance: float
    error: float
    per_stride: float


def with_method(method: str, tolerance: float, strides: int) -> engine.Callable[[], State]:
    return engine.prepare_hybridsim(False, False, tolerance, strides, method=method)


OURS = [
    *(Contender(f"hybridsim {name}", partial(with_method, name), STRIDES) for name in ("dop853", "tsit5", "dp5")),
    Contender("dp5 by hand in C", partial(engine.prepare_c, True), STRIDES),
]


def error_of(contender: Contender, tolerance: float) -> float:
    """Return the largest error of a state at the touchdowns; infinity if the contender does not get there."""
    largest = 0.0
    for strides in TOUCHDOWNS:
        try:
            found = contender.prepare(tolerance, strides)()
        except (ArithmeticError, RuntimeError, ValueError):  # a runner that falls, or a tolerance that cannot be kept
            return float("inf")
        largest = max(largest, *(abs(a - b) for a, b in zip(found, exact.touchdown(strides), strict=True)))
    return largest


def tolerances(contender: Contender) -> dict[float, tuple[float, float]]:
    """Find the largest tolerance, and the error with it, for each of the errors that a contender reaches."""
    found: dict[float, tuple[float, float]] = {}
    contender.prepare(1e-4, 1)()  # compiles
    for tolerance in TOLERANCES:
        began = time.perf_counter()
        error = error_of(contender, tolerance)
        found |= {wanted: (tolerance, error) for wanted in ERRORS if error <= wanted and wanted not in found}
        if len(found) == len(ERRORS) or time.perf_counter() - began > PATIENCE:
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


def measured(contenders: Sequence[Contender], rounds: int) -> dict[str, dict[float, Cell]]:
    chosen = {}
    for contender in contenders:
        found = chosen[contender.name] = tolerances(contender)
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


def table(cells: dict[str, dict[float, Cell]]) -> Iterator[str]:
    yield f"{'us per stride at an error of':36}" + "".join(f"{wanted:>10.0e}" for wanted in ERRORS)
    for name, row in cells.items():
        times = (f"{1e6 * row[wanted].per_stride:10.3g}" if wanted in row else f"{'-':>10}" for wanted in ERRORS)
        yield f"{name:36}" + "".join(times)


def write(cells: dict[str, dict[float, Cell]], contenders: Sequence[Contender], target: Path) -> None:
    machine = {"processor": engine.processor(), "system": platform.platform(), "python": platform.python_version()}
    versions = {contender.name: contender.version for contender in contenders}
    rows = {name: {f"{wanted:.0e}": asdict(cell) for wanted, cell in row.items()} for name, row in cells.items()}
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"machine": machine, "versions": versions, "results": rows}, indent=2) + "\n")
    print(f"\nwritten to {target}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only hybridsim and C, few rounds")
    quick = parser.parse_args().quick
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # some engines would use more cores
    warnings.simplefilter("ignore")  # of tolerances near rounding
    contenders = [*OURS, *engine.rivals(() if quick else RIVALS)]
    cells = measured(contenders, rounds=3 if quick else 10)
    print(*table(cells), sep="\n")
    write(cells, contenders, engine.FOLDER / "results" / "work_precision.json")


if __name__ == "__main__":
    main()

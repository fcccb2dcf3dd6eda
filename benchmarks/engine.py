"""How fast is the engine? Against the same loop by hand in C, and against other engines, at equal accuracy.

    python benchmarks/engine.py [--quick]

All in one run and interleaved, because machines are noisy: contender after contender, round after round. The smallest
time of each counts; beside it stands the median of the ratios within a round. The table is explained in
docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import ctypes
import importlib
import json
import platform
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import slip
from rivals import scipy_solvers
from slip import Contender, State

import hybridsim
from hybridsim.engine.entry import count_time
from hybridsim.engine.nodes import sampling

FOLDER = Path(__file__).parent
RIVALS = ("scipy_solvers", "heyoka_solver", "diffrax_solver", "sundae_solver", "drake_solver")
ACCURACY, ACCURACY_STRIDES = 1e-6, 24
PATIENCE = 1.0
"""A contender that takes longer [s] for the strides of the accuracy test is not asked for more accuracy."""

STRIDES = 2000
TARGETS = {"C, certified": 1.25, "C, step ends": 1.75}


@dataclass(frozen=True)
class Result:
    """One line of the table: time per stride [s], and over that of hybridsim in the same round (median)."""

    name: str
    version: str
    tolerance: float
    error: float
    strides: int
    per_stride: float
    ratio: float
    paired_ratio: float


# hybridsim, and C.


def prepare_hybridsim(
    record: bool, whole_run: bool, tolerance: float, strides: int, method: str = "dp5"
) -> Callable[[], State]:
    """The stepping loop alone, or all that `run` does, down to the finished Trajectory."""
    simulation = hybridsim.Simulation(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        stop=[("touchdown", strides)],
        max_transitions=10 * strides,
        record=record,
        method=method,
        rtol=tolerance,
        atol=0.01 * tolerance,
    )
    let_specialise(simulation)

    def go() -> State:
        if whole_run:
            simulation.run()
        else:
            simulation.advance(10.0 * strides)
        x, y, xdot, ydot = simulation.x[:4]
        return float(x), float(y), float(xdot), float(ydot)

    return go


def let_specialise(simulation: hybridsim.Simulation) -> None:
    """Wait until the engine is compiled for this run's sizes, as it is in the background of longer runs."""
    machine = simulation._drive.machine
    for code in machine.awaited:
        code.wait(timeout=300.0)
    count_time(machine, 0.0)


@cache
def c_library(certified: bool) -> Any:
    """slip.c, compiled for this machine."""
    target = Path(tempfile.mkdtemp()) / "slip.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC", *(["-DCERTIFIED"] if certified else [])]
    subprocess.run(["cc", *flags, "-o", str(target), str(FOLDER / "slip.c"), "-lm"], check=True)
    library = ctypes.CDLL(str(target))
    doubles, longs = ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_long)
    library.run.argtypes = [doubles, ctypes.c_long, ctypes.c_double, ctypes.c_double, doubles, longs]
    if certified:
        nodes, _, bernstein, _ = sampling(4)
        tables = [np.ascontiguousarray(nodes[2, :9]), np.ascontiguousarray(bernstein[2, :9, :9].T)]
        library.prepare(*(table.ctypes.data_as(doubles) for table in tables))
    return library


def run_c(certified: bool, tolerance: float, strides: int) -> tuple[State, list[int]]:
    """The state at the last touchdown; steps, rejected attempts and calls of the vector field."""
    p = (ctypes.c_double * 5)(slip.MASS, slip.LENGTH, slip.GRAVITY, slip.STIFFNESS, slip.ANGLE)
    x, counts = (ctypes.c_double * 4)(*slip.START), (ctypes.c_long * 3)()
    if c_library(certified).run(p, strides, tolerance, 0.01 * tolerance, x, counts):
        raise RuntimeError("slip.c: the runner fell; its parameters in slip.py must be those of a runner that does not")
    return (x[0], x[1], x[2], x[3]), list(counts)


def prepare_c(certified: bool, tolerance: float, strides: int) -> Callable[[], State]:
    c_library(certified)
    return lambda: run_c(certified, tolerance, strides)[0]


HYBRIDSIM = Contender("hybridsim", partial(prepare_hybridsim, False, False), STRIDES, hybridsim.__version__)
COMPILED = [
    HYBRIDSIM,
    Contender("C, step ends", partial(prepare_c, False), STRIDES),
    Contender("C, certified", partial(prepare_c, True), STRIDES),
    Contender("hybridsim, with its Trajectory", partial(prepare_hybridsim, False, True), STRIDES),
    Contender("hybridsim, every step recorded", partial(prepare_hybridsim, True, True), STRIDES),
]


def same_steps_as_c(tolerance: float) -> None:
    """The comparison is one of equals: hybridsim and C make the same steps."""
    run = hybridsim.simulate(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        stop=[("touchdown", ACCURACY_STRIDES)],
        final_time=1e3,
        rtol=tolerance,
        atol=0.01 * tolerance,
        record=False,
    )
    ours = [run.statistics[name] for name in ("steps", "rejected")]
    for certified in (False, True):
        theirs = run_c(certified, tolerance, ACCURACY_STRIDES)[1][:2]
        assert ours == theirs, f"steps and rejected attempts: hybridsim {ours}, C {theirs}"


# Equal accuracy.


@cache
def reference() -> State:
    """The state at the last touchdown of the accuracy test, by scipy's DOP853 at its tightest."""
    return scipy_solvers.prepare("DOP853", 2.3e-14, ACCURACY_STRIDES)()


def equal_accuracy(contender: Contender) -> tuple[float, float]:
    """The largest of the tolerances 10^(-n/4) that is accurate enough, and the error there; or the last one tried.

    The error is the largest difference of a state [m, m/s] from the reference.
    """
    for n in range(20, 53):
        tolerance = 10.0 ** (-n / 4)
        go = contender.prepare(tolerance, ACCURACY_STRIDES)
        began = time.perf_counter()
        error = max(abs(a - b) for a, b in zip(go(), reference(), strict=True))
        if error <= ACCURACY or time.perf_counter() - began > PATIENCE:
            break
    return tolerance, error


# The race.


def seconds_per_stride(contender: Contender, tolerance: float) -> float:
    go = contender.prepare(tolerance, contender.strides)
    began = time.perf_counter()
    go()
    return (time.perf_counter() - began) / contender.strides


def race(contenders: Sequence[Contender], rounds: int) -> list[Result]:
    """Time all of them in turn, `rounds` times; the first is what the others are compared with."""
    reference()  # not on anybody's clock
    accuracy = [equal_accuracy(contender) for contender in contenders]
    times = np.array(
        [
            [
                seconds_per_stride(contender, tolerance)
                for contender, (tolerance, _) in zip(contenders, accuracy, strict=True)
            ]
            for _ in range(rounds)
        ]
    )
    best = times.min(axis=0)
    return [
        Result(
            name=contender.name,
            version=contender.version,
            tolerance=tolerance,
            error=achieved,
            strides=contender.strides,
            per_stride=float(best[i]),
            ratio=float(best[i] / best[0]),
            paired_ratio=float(statistics.median(times[:, i] / times[:, 0])),
        )
        for i, (contender, (tolerance, achieved)) in enumerate(zip(contenders, accuracy, strict=True))
    ]


def rivals(names: Sequence[str], kind: str = "CONTENDERS") -> list[Contender]:
    """Those that can be imported here; `WALKERS` are those of the compass gait."""
    found: list[Contender] = []
    for name in names:
        try:
            found += getattr(importlib.import_module(f"rivals.{name}"), kind, [])
        except ImportError as problem:
            print(f"not compared: {name} ({problem}); `make benchmark` installs what it needs")
    return found


def print_table(results: Sequence[Result]) -> None:
    print(f"\nThe runner at an error of {ACCURACY:g} after {ACCURACY_STRIDES} strides\n")
    print(f"{'':42}{'rtol':>9}{'error':>11}{'strides':>9}{'us/stride':>11}{'/ hybridsim':>13}{'in a round':>12}")
    for r in results:
        mark = " " if r.error <= ACCURACY else "!"
        print(
            f"{r.name + ' ' + r.version:42}{r.tolerance:9.1e}{r.error:10.1e}{mark}{r.strides:9}"
            f"{1e6 * r.per_stride:11.2f}{r.ratio:13.3g}{r.paired_ratio:12.3g}"
        )
    if any(r.error > ACCURACY for r in results):
        print(f"! does not get there within {PATIENCE:g} s for {ACCURACY_STRIDES} strides")


def print_targets(results: Sequence[Result]) -> None:
    ratio = {r.name: r.ratio for r in results}
    print()
    for name, target in TARGETS.items():
        print(f"hybridsim / {name}: {1.0 / ratio[name]:.2f} (meant to be at most {target})")
    scipy = min(r.ratio for r in results if r.name.startswith("scipy"))
    print(f"solve_ivp / hybridsim: {scipy:.0f} or more (meant to be at least 150)")


def processor() -> str:
    """The name of the processor, where the system tells."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def write(results: Sequence[Result], target: Path) -> None:
    machine = {"processor": processor(), "system": platform.platform(), "python": platform.python_version()}
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"machine": machine, "results": [asdict(r) for r in results]}, indent=2) + "\n")
    print(f"\nwritten to {target}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only C and scipy, few rounds")
    quick = parser.parse_args().quick
    compiled = race(COMPILED, rounds=10 if quick else 100)
    same_steps_as_c(compiled[0].tolerance)
    others = race([HYBRIDSIM, *rivals(RIVALS[:1] if quick else RIVALS)], rounds=2 if quick else 5)
    results = [*compiled, *others[1:]]
    print_table(results)
    print_targets(results)
    write(results, FOLDER / "results" / "engine.json")


if __name__ == "__main__":
    main()

"""How much work does an error cost on stiff models? Rodas5P against CVODE's and scipy's implicit methods.

    python benchmarks/stiff.py [--quick]

Every contender gets the same equations, compiled by numba, and the same tolerances, three per decade, in turn. The
error is the largest relative error of a state at the end, against published values. The time and the evaluations of
the field that a wanted error costs are interpolated between the runs whose errors are next to it.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from scipy.integrate import solve_ivp

from hybridsim import Model, Records, Simulation, State

ERRORS = (1e-3, 1e-5, 1e-7)
TOLERANCES = 10.0 ** -np.arange(2.0, 11.01, 1.0 / 3.0)
SLOWEST_ERROR_OF_SCIPY = 1e-8
"""Tolerances below are left out with scipy, whose steps take a thousand times as long."""


def robertson(xdot, t, x, p, chart):
    xdot[0] = -0.04 * x[0] + 1e4 * x[1] * x[2]
    xdot[2] = 3e7 * x[1] * x[1]
    xdot[1] = -xdot[0] - xdot[2]


def van_der_pol(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = ((1.0 - x[0] * x[0]) * x[1] - x[0]) / 1e-6


def hires(xdot, t, x, p, chart):
    xdot[0] = -1.71 * x[0] + 0.43 * x[1] + 8.32 * x[2] + 0.0007
    xdot[1] = 1.71 * x[0] - 8.75 * x[1]
    xdot[2] = -10.03 * x[2] + 0.43 * x[3] + 0.035 * x[4]
    xdot[3] = 8.32 * x[1] + 1.71 * x[2] - 1.12 * x[3]
    xdot[4] = -1.745 * x[4] + 0.43 * x[5] + 0.43 * x[6]
    xdot[5] = -280.0 * x[5] * x[7] + 0.69 * x[3] + 1.71 * x[4] - 0.43 * x[5] + 0.69 * x[6]
    xdot[6] = 280.0 * x[5] * x[7] - 1.81 * x[6]
    xdot[7] = -280.0 * x[5] * x[7] + 1.81 * x[6]


@dataclass(frozen=True)
class Case:
    """A model with published values at its end (Mazzia, Magherini: Test set for IVP solvers, 2008)."""

    name: str
    field: Callable[..., None]
    start: list[float]
    final_time: float
    atol_share: float  # atol over rtol
    end: list[float]


CASES = (
    Case(
        *("Robertson, to 1e11 s", robertson, [1.0, 0.0, 0.0], 1e11, 1e-8),
        [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050],
    ),
    Case(
        *("Van der Pol, mu = 1e6", van_der_pol, [2.0, 0.0], 2.0, 1e-2),
        [0.1706167732170483e1, -0.8928097010247975e0],
    ),
    Case(
        *("HIRES", hires, [1.0, *[0.0] * 6, 0.0057], 321.8122, 1e-4),
        [
            *(0.7371312573325668e-3, 0.1442485726318185e-3, 0.5888729740967575e-4, 0.1175651343283149e-2),
            *(0.2386356198831331e-2, 0.6238968252742796e-2, 0.2849998395185769e-2, 0.2850001604814231e-2),
        ],
    ),
)


@dataclass(frozen=True)
class Work:
    """A run: its error, its computing time [s] and its evaluations of the field."""

    error: float
    seconds: float
    calls: int


Solve = Callable[[float, float], tuple[Any, float, int]]
"""Solve with rtol and atol; returns the end, the time it took [s], and the evaluations of the field."""


def with_hybridsim(case: Case) -> Solve:
    states = Records(*(State(f"x{k}", value) for k, value in enumerate(case.start)))
    model = Model("stiff", states, vector_field=case.field)

    def solve(rtol: float, atol: float) -> tuple[Any, float, int]:
        settings = {"method": "rodas5p", "rtol": rtol, "atol": atol, "record": False}
        run = Simulation(model, final_time=case.final_time, **settings).run()  # type: ignore[arg-type]
        return run.x[-1], run.statistics["wall_time"], int(run.statistics["vector_field_calls"])

    return solve


def with_cvode(case: Case) -> Solve:
    solver = importlib.import_module("rivals.cvode").Solver(case.field, case.start)

    def solve(rtol: float, atol: float) -> tuple[Any, float, int]:
        solver.prepare(rtol, atol)
        began = time.perf_counter()
        solver.solve(case.final_time)
        seconds = time.perf_counter() - began
        return solver.x.copy(), seconds, solver.calls()

    return solve


def with_scipy(method: str) -> Callable[[Case], Solve]:
    def prepare(case: Case) -> Solve:
        compiled = numba.njit(case.field, error_model="numpy")

        def field(t: float, x: Any) -> Any:
            xdot = np.zeros(len(x))
            compiled(xdot, t, x, 0, 0)
            return xdot

        def solve(rtol: float, atol: float) -> tuple[Any, float, int]:
            began = time.perf_counter()
            with np.errstate(all="ignore"):
                found = solve_ivp(field, (0.0, case.final_time), case.start, method, rtol=rtol, atol=atol)
            return found.y[:, -1], time.perf_counter() - began, int(found.nfev)

        return solve

    return prepare


def contenders() -> Iterator[tuple[str, Callable[[Case], Solve]]]:
    yield "hybridsim Rodas5P", with_hybridsim
    try:
        importlib.import_module("rivals.cvode")
        yield "CVODE BDF", with_cvode
    except (ImportError, StopIteration, OSError) as missing:
        print(f"without CVODE ({missing}); pip install scikit-sundae")
    yield "scipy Radau", with_scipy("Radau")
    yield "scipy BDF", with_scipy("BDF")


def measured(case: Case, rounds: int) -> dict[str, list[Work]]:
    """Let all contenders solve a case at all tolerances, in turn; the smallest of their times counts."""
    solvers = {name: prepare(case) for name, prepare in contenders()}
    for solve in solvers.values():
        solve(1e-3, 1e-3 * case.atol_share)  # compiles
    runs: dict[str, list[Work]] = {name: [] for name in solvers}
    for rtol in TOLERANCES:
        best: dict[str, float] = {}
        for turn in range(rounds):
            for name, solve in solvers.items():
                if "scipy" in name and (turn > 0 or rtol < SLOWEST_ERROR_OF_SCIPY):
                    continue
                end, seconds, calls = solve(rtol, rtol * case.atol_share)
                error = float(np.max(abs(end / np.array(case.end) - 1.0)))
                best[name] = min(best.get(name, np.inf), seconds)
                if turn == 0:
                    runs[name].append(Work(error, seconds, calls))
        for name, seconds in best.items():
            runs[name][-1] = Work(runs[name][-1].error, seconds, runs[name][-1].calls)
    return runs


def at_error(runs: list[Work], wanted: float) -> tuple[float, float] | None:
    """Return time [s] and calls at an error, interpolated on logarithms where the errors first come below it."""
    for before, after in itertools.pairwise(runs):
        if before.error >= wanted > after.error:
            share = np.log(before.error / wanted) / np.log(before.error / after.error)
            seconds = before.seconds * (after.seconds / before.seconds) ** share
            return float(seconds), float(before.calls * (after.calls / before.calls) ** share)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one round instead of twenty")
    rounds = 1 if parser.parse_args().quick else 20
    for case in CASES:
        print(f"\n{case.name}\n{'':20s}" + "".join(f"{f'error {error:.0e}':>32s}" for error in ERRORS))
        runs = measured(case, rounds)
        first = {error: at_error(runs["hybridsim Rodas5P"], error) for error in ERRORS}
        for name, works in runs.items():
            cells = []
            for error in ERRORS:
                here, ours = at_error(works, error), first[error]
                ratio = f"{here[0] / ours[0]:8.2f}" if here and ours else "       -"
                cells.append(f"{here[0] * 1e6:10.0f} us{ratio} x {here[1]:6.0f}" if here else "-")
            print(f"{name:20s}" + "".join(f"{cell:>32s}" for cell in cells))


if __name__ == "__main__":
    main()

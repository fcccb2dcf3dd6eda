"""scikit-sundae: SUNDIALS' CVODE with its root finding, restarted chart by chart."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sksundae
from sksundae.cvode import CVODE
from slip import STRIDE, Contender, State, run_strides

FOOTX = [0.0]


def functions(chart: int) -> tuple[Callable[..., None], Callable[..., None]]:
    field, boundary = STRIDE[chart]

    def slope(t: float, x: Any, xdot: Any) -> None:
        xdot[:] = field(t, x, FOOTX[0])

    def events(t: float, x: Any, values: Any) -> None:
        values[0] = boundary(t, x, FOOTX[0])

    events.terminal, events.direction = [True], [-1]  # type: ignore[attr-defined]
    return slope, events


def prepare(tolerance: float, strides: int) -> Callable[[], State]:
    settings = {"method": "Adams", "rtol": tolerance, "atol": 0.01 * tolerance, "max_num_steps": 100_000}
    solvers = []
    for chart in range(len(STRIDE)):
        slope, events = functions(chart)
        solvers.append(CVODE(slope, eventsfn=events, num_events=1, **settings))

    def solve(chart: int, x: Any, footx: float) -> Any:
        FOOTX[0] = footx
        return solvers[chart].solve([0.0, 10.0], x).y[-1]

    return partial(run_strides, solve, strides)


CONTENDERS = [Contender("scikit-sundae CVODE Adams", prepare, strides=24, version=sksundae.__version__)]

"""scipy's solve_ivp with terminal events, restarted chart by chart, as its documentation recommends; all in Python."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any

import gait
import numpy as np
import scipy
from scipy.integrate import solve_ivp
from slip import STRIDE, Contender, State, run_strides

from hybridsim_models.walkers import compass_gait


def terminal(boundary: Callable[..., Any]) -> Callable[..., Any]:
    def event(t: float, x: Any, footx: float) -> Any:
        return boundary(t, x, footx)

    event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]
    return event


CHARTS = [(field, terminal(boundary)) for field, boundary in STRIDE]


def prepare(method: str, tolerance: float, strides: int) -> Callable[[], State]:
    settings = {"method": method, "rtol": tolerance, "atol": 0.01 * tolerance}

    def solve(chart: int, x: Any, footx: float) -> Any:
        field, event = CHARTS[chart]
        return solve_ivp(field, (0.0, 10.0), x, events=event, args=(footx,), **settings).y[:, -1]

    return partial(run_strides, solve, strides)


def prepare_walker(method: str, tolerance: float, strides: int) -> Callable[[], State]:
    """The compass gait, with the functions of the plug-in."""
    settings = {"method": method, "rtol": tolerance, "atol": 0.01 * tolerance}

    def flow(t: float, x: Any) -> Any:
        xdot = np.zeros(4)
        compass_gait.vector_field(xdot, t, x, gait.PARAMETERS, 0)
        return xdot

    def passing(t: float, x: Any) -> Any:
        return x[1] - x[0]

    def heelstrike(t: float, x: Any) -> Any:
        return -(x[0] + x[1])

    charts = passing, heelstrike
    for event in charts:
        event.terminal, event.direction = True, -1.0  # type: ignore[attr-defined]

    def go() -> State:
        t, x, end = 0.0, np.array(gait.START), gait.end(strides)
        for chart in itertools.cycle((0, 1)):
            solution = solve_ivp(flow, (t, end), x, events=charts[chart], **settings)
            t, x = solution.t[-1], solution.y[:, -1]
            if solution.status != 1:
                return float(x[0]), float(x[1]), float(x[2]), float(x[3])
            if chart == 1:
                after = x.copy()
                compass_gait.strike(after, x, gait.PARAMETERS)
                x = after
        raise AssertionError

    return go


METHODS = "RK45", "DOP853", "LSODA"
CONTENDERS, WALKERS = (
    [Contender(f"scipy solve_ivp {m}", partial(prepared, m), strides=24, version=scipy.__version__) for m in METHODS]
    for prepared in (prepare, prepare_walker)
)

"""scipy's solve_ivp with terminal events, restarted chart by chart, as its documentation recommends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import scipy
from scipy.integrate import solve_ivp
from slip import STRIDE, Contender, State, run_strides


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


CONTENDERS = [
    Contender(f"scipy solve_ivp {method}", partial(prepare, method), strides=24, version=scipy.__version__)
    for method in ("RK45", "DOP853", "LSODA")
]

"""scipy: solve_ivp with event functions that are terminal and have a direction, restarted after each jump.

As in the notes of `solve_ivp`; a zero that only is to be seen is an event that is not terminal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from scipy.integrate import solve_ivp

from scorecard.case import SHORT, Case, Outcome, function, guard_function
from scorecard.restarts import Piece, Start, run_with_restarts

NAME, VERSION = "scipy", scipy.__version__
METHODS = ("RK45", "DOP853", "LSODA", "BDF", "RK45" + SHORT)
COMPILES = False


def event(case: Case, guard: Any) -> Callable[[float, Any], float]:
    value = guard_function(case, guard)

    def watched(t: float, x: Any) -> float:
        return float(value(t, x))

    watched.terminal = not guard.observed  # type: ignore[attr-defined]
    watched.direction = 0.0 if guard.observed else -1.0  # type: ignore[attr-defined]
    return watched


def prepare(case: Case, method: str, rtol: float) -> Callable[[], Outcome]:
    charts = {
        name: (function(case, chart.slopes), chart.guards, [event(case, guard) for guard in chart.guards])
        for name, chart in case.charts.items()
    }
    settings = {
        "method": method.removesuffix(SHORT),
        "rtol": rtol,
        "atol": 0.01 * rtol,
        "max_step": case.longest_step(method),
    }

    def solve(start: Start) -> Piece:
        slopes, guards, events = charts[start.chart]
        first_step = case.step if start.first else None
        solution = solve_ivp(
            slopes, (start.t, start.target), start.x, events=events or None, first_step=first_step, **settings
        )
        t, x = float(solution.t[-1]), solution.y[:, -1]
        times = solution.t_events or []
        fired = [g for g, when in zip(guards, times, strict=False) if not g.observed and np.any(when == t)]
        seen = [(when, g) for g, all_of in zip(guards, times, strict=False) if g.observed for when in all_of]
        failure = "" if solution.success else solution.message
        return Piece(t, x, fired, sorted(seen, key=lambda s: s[0]), solution.nfev, len(solution.t) - 1, failure)

    return lambda: run_with_restarts(case, solve)

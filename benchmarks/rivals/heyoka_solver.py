"""heyoka: Taylor series, whose events are found on the series themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import heyoka as hy
import numpy as np
from slip import (
    GRAVITY,
    LENGTH,
    MASS,
    START,
    STIFFNESS,
    Contender,
    State,
    apex,
    bottom,
    liftoff,
    run_strides,
    touchdown,
)

FOOTX = hy.par[0]


@cache
def integrators(tolerance: float) -> list[Any]:
    """One for each chart of a stride, with its boundary as a terminal event."""
    names = hy.make_vars("x", "y", "xdot", "ydot")
    x, y, xdot, ydot = names
    legx = x - FOOTX
    rho = hy.sqrt(legx * legx + y * y)
    push = STIFFNESS * (LENGTH - rho) / (MASS * rho)
    flight = [(x, xdot), (y, ydot), (xdot, hy.expression(0.0)), (ydot, hy.expression(-GRAVITY))]
    stance = [(x, xdot), (y, ydot), (xdot, push * legx), (ydot, push * y - GRAVITY)]
    charts = ((flight, touchdown), (stance, bottom), (stance, liftoff), (flight, apex))
    return [
        hy.taylor_adaptive(
            field,
            list(START),
            tol=tolerance,
            t_events=[hy.t_event(boundary(0.0, names, FOOTX), direction=hy.event_direction.negative)],
        )
        for field, boundary in charts
    ]


def prepare(tolerance: float, strides: int) -> Callable[[], State]:
    charts = integrators(tolerance)

    def solve(chart: int, x: Any, footx: float) -> Any:
        integrator = charts[chart]
        integrator.reset_cooldowns()
        integrator.time = 0.0
        integrator.state[:] = x
        integrator.pars[:] = footx
        integrator.propagate_until(10.0)
        return np.array(integrator.state)

    return partial(run_strides, solve, strides)


CONTENDERS = [Contender("heyoka Taylor, loop in Python", prepare, strides=500, version=hy.__version__)]

"""The runner of models/slip as its equations: what every contender is given, chart by chart.

A state is (x, y, xdot, ydot); the foot stands at (footx, 0). One stride is descent, compression, decompression, ascent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

MASS, LENGTH, GRAVITY, STIFFNESS = 80.0, 1.0, 9.81, 20_000.0
ANGLE = math.radians(-22.0)  # of the leg in flight, from the vertical: 68 degrees from the ground, foot ahead
TOUCHDOWN_HEIGHT, AHEAD = LENGTH * math.cos(ANGLE), -LENGTH * math.sin(ANGLE)
START = (0.0, 1.0, 5.0, 0.0)  # an apex

State = tuple[float, float, float, float]


@dataclass(frozen=True)
class Contender:
    """An engine that runs the runner.

    `prepare(tolerance, strides)` does what is no simulating (compiling, setting up) and returns what is timed: a
    function that runs to touchdown number `strides` and returns the state there. rtol = tolerance = 100 atol.
    """

    name: str
    prepare: Callable[[float, int], Callable[[], State]]
    strides: int  # enough for a timing
    version: str = ""


def flight(t: float, x: Any, footx: float) -> list[Any]:
    return [x[2], x[3], 0.0, -GRAVITY]


def stance(t: float, x: Any, footx: float) -> list[Any]:
    legx = x[0] - footx
    rho = math.sqrt(legx * legx + x[1] * x[1])
    push = STIFFNESS * (LENGTH - rho) / (MASS * rho)
    return [x[2], x[3], push * legx, push * x[1] - GRAVITY]


def apex(t: float, x: Any, footx: float) -> Any:
    return x[3]


def touchdown(t: float, x: Any, footx: float) -> Any:
    return x[1] - TOUCHDOWN_HEIGHT


def bottom(t: float, x: Any, footx: float) -> Any:
    return -((x[0] - footx) * x[2] + x[1] * x[3])


def liftoff(t: float, x: Any, footx: float) -> Any:
    return LENGTH * LENGTH - ((x[0] - footx) ** 2 + x[1] * x[1])


STRIDE = ((flight, touchdown), (stance, bottom), (stance, liftoff), (flight, apex))
"""A stride from an apex on: each chart's vector field, and the boundary that falls to zero at its end."""


def run_strides(solve: Callable[[int, Any, float], Any], strides: int) -> State:
    """Chart after chart to touchdown number `strides`; solve(chart, x, footx) returns where a chart ends."""
    x: Any = START
    for _ in range(strides - 1):
        x = solve(0, x, 0.0)
        footx = x[0] + AHEAD
        for chart in (1, 2, 3):
            x = solve(chart, x, footx)
    x = solve(0, x, 0.0)
    return float(x[0]), float(x[1]), float(x[2]), float(x[3])

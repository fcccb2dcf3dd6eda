"""How much the angles of a population are in step."""

from __future__ import annotations

import math
from typing import Any

from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.sines import sines

AT_ONCE = 512
"""Sines that are computed at once: their numbers lie in the first cache."""


def put_order(y: Any, place: int, x: Any, angle: int, n: int) -> None:
    """Write length and angle of the mean of exp(i angle), Kuramoto's order parameter, to y[place] and behind it."""
    a, b = scratch(AT_ONCE), scratch(AT_ONCE)
    total, total_of_cosines = 0.0, 0.0
    for first in range(0, n, AT_ONCE):
        many = min(AT_ONCE, n - first)
        for k in range(many):
            a[k] = x[angle + first + k]
            b[k] = a[k]
        sines(a, many, 0.0)
        sines(b, many, 0.5)
        for k in range(many):
            total += a[k]
            total_of_cosines += b[k]
    y[place] = math.hypot(total, total_of_cosines) / n
    y[place + 1] = math.atan2(total, total_of_cosines)

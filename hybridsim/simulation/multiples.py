"""Multiples of a period: the times at which the progress of a run is reported."""

from __future__ import annotations

import math


def multiples_before(t: float, period: float) -> int:
    """Return the largest k with k period <= t, as floating-point numbers [s]."""
    k = math.floor(t / period)
    if k * period > t:
        return k - 1
    return k + 1 if (k + 1) * period <= t else k


def next_multiple(t: float, period: float) -> float:
    """Return the first multiple of a period after t [s]; inf if the period is 0."""
    return (multiples_before(t, period) + 1) * period if period > 0.0 else math.inf

"""Multiples of a period: the times at which the progress of a run is reported."""

from __future__ import annotations

import math
from fractions import Fraction


def multiple(k: int, period: float) -> float:
    """Return k times a period, rounded once; a k above 1e308 is no floating-point number, but its multiple is [s]."""
    return float(k * Fraction(period))


def multiples_before(t: float, period: float) -> int:
    """Return the largest k with k period <= t [s], as floating-point numbers if the period is above their spacing."""
    k = math.floor(Fraction(t) / Fraction(period))
    return k + 1 if multiple(k + 1, period) <= t else k  # 10 x 0.1 is 1.0, although 0.1 is a little above 1/10


def next_multiple(t: float, period: float) -> float:
    """Return the first multiple of a period after t [s], at least the next floating-point number; inf if it is 0."""
    if period == 0.0:
        return math.inf
    return max(multiple(multiples_before(t, period) + 1, period), math.nextafter(t, math.inf))

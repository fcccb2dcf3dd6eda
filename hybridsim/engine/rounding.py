"""Sizes of rounding errors."""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel

EPSILON = 2.0**-52
INSTANT_SPACINGS = 4.0
"""Spacings of t that count as one instant: rounding can move a crossing by so much."""


@kernel
def spacing(t):
    """The distance from |t| to the next float: 3/4 to 3/2 of it are added and rounded. (np.spacing calls a library.)"""
    return (abs(t) + 0.75 * EPSILON * abs(t)) - abs(t)

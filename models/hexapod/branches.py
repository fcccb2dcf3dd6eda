"""The branches of a slip velocity: where a toe can slip at two velocities, and where one of them ends.

From rest to free sliding, drag - resistance usually falls, and is zero at one velocity. Where it rises on the way, from
a minimum `low` to a maximum `high`, there are a slow velocity, nearer to rest than `low`, while that is below zero, and
a fast one beyond `high`, while that is above zero. A chart says on which of the two branches a slipping toe is; it
changes to the other where its own ends. See docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .search import LARGE_MARGIN, find_root, find_slide, slide_freely
from .slide import Trial, max_resistance_per_push, torque_line_at, try_at

N_SAMPLES = 48
"""Number of samples between free sliding and rest; a rise that is narrower than their distance is not seen."""
GOLDEN, MAX_SHRINKS = 0.5 * (math.sqrt(5.0) - 1.0), 44
"""Factor by which the interval around an extremum shrinks, and how often it does."""


class Rise(NamedTuple):
    """The steepest rise of drag - resistance on the way from rest to free sliding.

    Attributes
    ----------
    size : float
        From its minimum to its maximum [N]; where it only falls, the least fall between two samples, negative.
    low, high : Trial
        The minimum and the maximum, if it rises.
    """

    size: float
    low: Trial
    high: Trial


class FastMargins(NamedTuple):
    """Margins of a toe on the fast branch [N]: it leaves the ground where `push` is zero, and jumps where `jump` is."""

    push: float
    jump: float


def find_rise(slide):
    """Return the rise of drag - resistance."""
    rest = try_at(slide, torque_line_at(slide, slide.rest_rate), 1.0)
    slower, step, k_run, k_low, k_high = rest, -math.inf, -1, 0, 0
    for k in range(1, N_SAMPLES + 1):
        faster = try_at(slide, slower.line, 1.0 - k / N_SAMPLES)
        increase = faster.surplus - slower.surplus
        if increase <= 0.0:
            k_run = -1
        elif k_run < 0:
            k_run = k - 1
        if increase > step:
            step, k_low, k_high = increase, k_run, k
        elif k_run == k_low and k == k_high + 1:
            k_high = k
        slower = faster
    if step <= 0.0:
        return Rise(step, rest, slower)
    low, high = extremum_near(slide, rest.line, k_low, 1.0), extremum_near(slide, rest.line, k_high, -1.0)
    return Rise(high.surplus - low.surplus, low, high)


def extremum_near(slide, line, k, sign):
    """Return the trial near sample k at which drag - resistance is least (sign = 1) or largest (-1)."""
    low, high = max(1.0 - (k + 1) / N_SAMPLES, 0.0), min(1.0 - (k - 1) / N_SAMPLES, 1.0)
    left = try_at(slide, line, high - GOLDEN * (high - low))
    right = try_at(slide, line, low + GOLDEN * (high - low))
    for _ in range(MAX_SHRINKS):
        if sign * left.surplus < sign * right.surplus:
            high, right = right.z, left
            left = try_at(slide, left.line, high - GOLDEN * (high - low))
        else:
            low, left = left.z, right
            right = try_at(slide, right.line, low + GOLDEN * (high - low))
    nearest = left if sign * left.surplus < sign * right.surplus else right
    rate = slide.rest_rate + slide.h1 * nearest.u1 + slide.h2 * nearest.u2
    return try_at(slide, torque_line_at(slide, rate), nearest.z)


def slow_jump_margin(slide):
    """Return how far friction exceeds drag between the slow branch and a fast one [N]; where it is 0, the toe jumps.

    Where the freely sliding toe is pressed down by more than LARGE_MARGIN, or not at all, no fast branch is searched.
    """
    push = -slide_freely(slide).surplus
    if push <= 0.0 or push >= LARGE_MARGIN:
        return LARGE_MARGIN
    rise = find_rise(slide)
    return min(-rise.low.surplus, LARGE_MARGIN) if rise.size > 0.0 else LARGE_MARGIN


def fast_margins(slide):
    """Return the margins of a toe on the fast branch [N]."""
    rise, free = find_rise(slide), slide_freely(slide)
    return FastMargins(-free.surplus / max_resistance_per_push(slide.hip.p), min(rise.size, rise.high.surplus))


def fast_slide(slide):
    """Return the trial at the fast slip velocity; beyond an end of its branch, the one at that end."""
    rise, free = find_rise(slide), slide_freely(slide)
    if rise.size <= 0.0:
        return find_slide(slide)
    if rise.high.surplus <= 0.0:
        return rise.high
    return find_root(slide, free, rise.high) if free.surplus < 0.0 else free


def slow_slide(slide):
    """Return the trial at the slip velocity nearest to rest; just beyond the end of its branch, the one at that end."""
    push = -slide_freely(slide).surplus
    if 0.0 < push < LARGE_MARGIN:
        rise = find_rise(slide)
        if rise.size > 0.0 and rise.low.surplus > 0.0:
            return rise.low
    return find_slide(slide)

"""The branches of a slip velocity: where a toe can slip at two velocities, and where one of them ends.

From rest to free sliding, drag - resistance usually falls, and is zero at one velocity. Where it rises on the way, from
a minimum `low` to a maximum `high`, there are a slow velocity, nearer to rest than `low`, while that is below zero, and
a fast one beyond `high`, while that is above zero. A chart says on which of the two branches a slipping toe is; it
changes to the other where its own ends. See docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .search import LARGE_MARGIN, Margins, find_margins, find_root, find_slide, slide_freely
from .slide import TorqueLine, max_resistance_per_push, torque_line_at, try_at

N_SAMPLES = 32
"""Number of steps between free sliding and rest; a rise that is narrower than one of them is not seen."""
JUMP_MARGIN = 1e-2
"""Margin of a jump from the slow branch [N] beyond which no larger one is searched for."""
LEAST_SHARE = 0.5
"""Least share of the speed of free sliding that a velocity on the fast branch has."""
GOLDEN, MAX_SHRINKS = 0.5 * (math.sqrt(5.0) - 1.0), 44
"""Factor by which the interval around an extremum shrinks, and how often it does."""


class Samples(NamedTuple):
    """The steepest rise of drag - resistance among samples from rest to free sliding.

    Attributes
    ----------
    step : float
        Its largest increase between two samples [N]; negative where it only falls.
    low, high : float
        The samples with the minimum and the maximum around that increase, counted from rest.
    least : float
        Drag - resistance at that minimum [N].
    line : TorqueLine
        A line of tau to begin with.
    """

    step: float
    low: float
    high: float
    least: float
    line: TorqueLine


def sample_rise(slide):
    """Return the samples of the rise."""
    rest = try_at(slide, torque_line_at(slide, slide.rest_rate), 1.0)
    slower, step, begin, least = rest, -math.inf, 0.0, rest.surplus
    rises, low, high, low_surplus = False, 0.0, 0.0, 0.0
    for k in range(1, N_SAMPLES + 1):
        faster = try_at(slide, slower.line, 1.0 - k / N_SAMPLES)
        increase = faster.surplus - slower.surplus
        if increase > 0.0 and not rises:
            begin, least = k - 1.0, slower.surplus
        rises = increase > 0.0
        if increase > step:
            step, low, high, low_surplus = increase, begin, 1.0 * k, least
        elif rises and begin == low:
            high = 1.0 * k
        slower = faster
    return Samples(step, low, high, low_surplus, rest.line)


def extremum_near(slide, line, k, sign):
    """Return the trial near sample k at which drag - resistance is least (sign = 1) or largest (-1)."""
    low, high = max(1.0 - (k + 1.0) / N_SAMPLES, 0.0), min(1.0 - (k - 1.0) / N_SAMPLES, 1.0)
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


def find_end_of_slow_branch(slide, free):
    """Return the trial at which the slow branch ends and a fast one is left, and whether that end is near.

    `free` is the trial without friction. Where it is pressed down by more than LARGE_MARGIN, or not at all, no fast
    branch is searched.
    """
    if 0.0 < -free.surplus < LARGE_MARGIN:
        samples = sample_rise(slide)
        if samples.step > 0.0 and samples.least > -JUMP_MARGIN:
            return extremum_near(slide, samples.line, samples.low, 1.0), True
    return free, False


def slow_margins(slide, drag):
    """Return the margins of a toe on the slow branch [N], from the drag margin at rest.

    It jumps where friction exceeds drag no more between its velocity and a fast one.
    """
    free = slide_freely(slide)
    end, is_near = find_end_of_slow_branch(slide, free)
    return find_margins(slide, free, drag, min(-end.surplus, JUMP_MARGIN) if is_near else JUMP_MARGIN)


def slow_slide(slide):
    """Return the trial at the slip velocity nearest to rest; just beyond the end of its branch, the one at that end."""
    nearest, free = find_slide(slide), slide_freely(slide)
    if nearest.u1**2 + nearest.u2**2 > LEAST_SHARE**2 * (free.u1**2 + free.u2**2):
        end, is_near = find_end_of_slow_branch(slide, free)
        if is_near and end.surplus > 0.0:
            return end
    return nearest


def fast_margins(slide):
    """Return the margins of a toe on the fast branch [N]; it cannot stick.

    It jumps where drag exceeds friction no more at the maximum, or where there is no rise any more.
    """
    samples, free = sample_rise(slide), slide_freely(slide)
    jump = samples.step
    if samples.step > 0.0:
        low = extremum_near(slide, samples.line, samples.low, 1.0)
        high = extremum_near(slide, samples.line, samples.high, -1.0)
        jump = min(high.surplus, high.surplus - low.surplus)
    return Margins(-free.surplus / max_resistance_per_push(slide.hip.p), math.inf, jump)


def fast_slide(slide):
    """Return the trial at the fast slip velocity; beyond an end of its branch, the one at that end."""
    samples, free = sample_rise(slide), slide_freely(slide)
    if samples.step <= 0.0:
        return find_slide(slide)
    high = extremum_near(slide, samples.line, samples.high, -1.0)
    if high.surplus <= 0.0:
        return high
    return find_root(slide, free, high) if free.surplus < 0.0 else free

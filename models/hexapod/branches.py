"""The branches of a slip velocity: where a toe can slip at two velocities, and where one of them ends.

On the way from rest to free sliding, drag - resistance usually falls, and is zero at one velocity. Where it rises on a
part of that way, from a minimum to a maximum, there are two branches: the slow one, up to the minimum, and the fast
one, beyond the maximum. A chart says on which branch a slipping toe is. See docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .nearest_root import find_nearest_root
from .search import LARGE_MARGIN, Margins, continue_slide, find_margins, find_root, find_slide, slide_freely
from .slide import Trial, max_resistance_per_push, slope_at, torque_line_at, try_at

N_SAMPLES = 16
"""Number of steps of z at whose ends the slope is looked at, to find the steepest rise."""
FAR_FROM_RISING = 4.0
"""Slope [N], per unit of z: where drag - resistance falls faster than this at all samples, it rises nowhere."""
LEAST_RATE = 1e-3
"""Least slope of a rise that counts [N], per unit of z. In a smaller one, the two branches are one within rounding."""
END_FORCE = 1e-5
"""How far drag and friction are out of balance where a toe leaves a branch [N]. The velocity of a root that meets
another one changes infinitely fast; so a toe goes on at the velocity where they meet, and its margin crosses zero at a
finite rate.
"""
GOLDEN, PLACE_TOLERANCE = 0.5 * (math.sqrt(5.0) - 1.0), 1e-8
"""Factor by which the interval around the steepest place shrinks at each trial; width [z] at which a search ends."""


class Rise(NamedTuple):
    """The rise of drag - resistance on the way from rest to free sliding, where it rises at all.

    Attributes
    ----------
    rate : float
        The largest slope [N], per unit of 1 - z; negative if drag - resistance falls everywhere.
    low, high : Trial
        The minimum before the steepest place and the maximum beyond it; that place itself, if it falls everywhere.
    """

    rate: float
    low: Trial
    high: Trial


def find_rise(slide):
    """Return the steepest rise of drag - resistance."""
    trial, steepest, rate = try_at(slide, torque_line_at(slide, slide.rest_rate), 1.0), 0, -math.inf
    for k in range(N_SAMPLES + 1):
        trial = try_at(slide, trial.line, 1.0 - k / N_SAMPLES)
        here = -slope_at(slide, trial)
        if here > rate:
            steepest, rate = k, here
    place = try_at(slide, trial.line, 1.0 - steepest / N_SAMPLES)
    if rate < -FAR_FROM_RISING:
        return Rise(rate, place, place)
    place = steepest_near(slide, place)
    rate = -slope_at(slide, place)
    if rate <= 0.0:
        return Rise(rate, place, place)
    return Rise(rate, extremum_beside(slide, place, 1.0), extremum_beside(slide, place, -1.0))


def steepest_near(slide, place):
    """Return the trial within one sample of `place` where drag - resistance rises most, or falls least."""
    low, high = max(place.z - 1.0 / N_SAMPLES, 0.0), min(place.z + 1.0 / N_SAMPLES, 1.0)
    left = try_at(slide, place.line, high - GOLDEN * (high - low))
    right = try_at(slide, left.line, low + GOLDEN * (high - low))
    at_left, at_right = slope_at(slide, left), slope_at(slide, right)
    while high - low > PLACE_TOLERANCE:
        if at_left < at_right:
            high, right, at_right = right.z, left, at_left
            left = try_at(slide, left.line, high - GOLDEN * (high - low))
            at_left = slope_at(slide, left)
        else:
            low, left, at_left = left.z, right, at_right
            right = try_at(slide, right.line, low + GOLDEN * (high - low))
            at_right = slope_at(slide, right)
    return left if at_left < at_right else right


def extremum_beside(slide, rising, side):
    """Return the trial at the end of a rise, from a place in it towards rest (side = 1) or free sliding (-1)."""
    inside, outside = rising, rising
    while slope_at(slide, outside) < 0.0:
        if outside.z == 0.5 * (1.0 + side):
            return outside
        inside, z = outside, min(max(outside.z + side / N_SAMPLES, 0.0), 1.0)
        outside = try_at(slide, inside.line, z)
    while abs(outside.z - inside.z) > PLACE_TOLERANCE:
        middle = try_at(slide, inside.line, 0.5 * (inside.z + outside.z))
        if slope_at(slide, middle) < 0.0:
            inside = middle
        else:
            outside = middle
    return inside


def either(a, b):
    """Return a smooth function [N] that is positive where one of two margins is; near zero it is their maximum."""
    return a + b + math.sqrt(a * a + b * b)


def both(a, b):
    """Return a smooth function [N] that is positive where both of two margins are; near zero it is their minimum."""
    return a + b - math.sqrt(a * a + b * b)


def far_from_folds(free):
    """Return a margin from the trial `free`, without friction [N]; folds are searched for where it is negative.

    That is where a freely sliding toe is pressed down, and its resistance is at most LARGE_MARGIN.
    """
    return free.surplus * (1.0 + free.surplus / LARGE_MARGIN)


def slow_margins(slide, drag):
    """Return the margins of a toe on the slow branch [N], from the drag margin at rest.

    It changes to the fast branch where there is a rise that counts, and its minimum is positive.
    """
    free, jump = slide_freely(slide), LARGE_MARGIN
    far = far_from_folds(free)
    if far < LARGE_MARGIN:
        rise = find_rise(slide)
        jump = min(either(either(END_FORCE - rise.low.surplus, LEAST_RATE - rise.rate), far), LARGE_MARGIN)
    return find_margins(slide, free, drag, jump)


def slow_slide(slide):
    """Return the trial at the slip velocity nearest to rest; just beyond a fold, the one at the minimum.

    The slow branch ends where both the minimum and the slope of the rise are large enough. The one that has become so
    last exceeds its limit by less, and tells whether this is a fold or a rise that has just appeared, where the
    velocity goes on.
    """
    nearest, found, rises = find_nearest_root(slide)
    if not found:
        return continue_slide(slide)
    if rises and far_from_folds(slide_freely(slide)) < 0.0:
        rise = find_rise(slide)
        if 0.0 < rise.low.surplus < rise.rate - LEAST_RATE:
            return rise.low
    return nearest


def fast_margins(slide):
    """Return the margins of a toe on the fast branch [N]; it cannot stick.

    It changes to the slow branch where the maximum becomes negative, where the rise no longer counts, or where the
    resistance of the freely sliding toe exceeds 2 LARGE_MARGIN: twice that of the other way, so that it stays there.
    """
    free, rise = slide_freely(slide), find_rise(slide)
    jump = both(rise.high.surplus + END_FORCE, rise.rate - LEAST_RATE)
    jump = both(jump, 2.0 * LARGE_MARGIN + free.surplus)
    return Margins(-free.surplus / max_resistance_per_push(slide.hip.p), math.inf, jump)


def fast_slide(slide):
    """Return the trial at the fast slip velocity; just beyond a fold, the one at the maximum."""
    rise = find_rise(slide)
    if rise.rate <= 0.0:
        return find_slide(slide)
    if rise.high.surplus <= 0.0:
        return rise.high
    free = slide_freely(slide)
    return find_root(slide, free, rise.high) if free.surplus < 0.0 else free

"""The branches of a slip velocity: where a toe can slip at two velocities, and where one of them ends.

On the way from rest to free sliding, drag - resistance usually falls, and is zero at one velocity. Where it rises on a
part of that way, from a minimum to a maximum, there are two branches: the slow one, up to the minimum, and the fast
one, beyond the maximum. A chart says on which branch a slipping toe is. See docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .nearest_root import Course, course_on, find_nearest_root, slope_at, turn_at
from .search import (
    LARGE_MARGIN,
    MAX_TRIALS,
    Margins,
    continue_slide,
    find_margins,
    find_root,
    find_slide,
    kept_fraction,
    slide_freely,
)
from .slide import TorqueLine, Trial, agrees, max_resistance_per_push, torque_line_at, try_at

N_SAMPLES = 16
"""Number of steps of z at whose ends the slope is looked at, to find the steepest rise."""
FAR_FROM_RISING = 4.0
"""Slope [N], per unit of z: where drag - resistance falls faster than this at all samples, it rises nowhere."""
LEAST_RATE = 1e-3
"""Least slope of a rise that counts [N], per unit of z. In a smaller one, the two branches are one within rounding."""
LARGEST_JUMP_MARGIN = 0.1
"""Margin of `far_from_folds` [N] beyond which no rise is searched for: it is the jump margin of the slow branch itself.
Were that constant there, a short visit below it could pass unseen between two places at which a step is looked at."""
END_FORCE = 1e-5
"""How far drag and friction are out of balance where a toe leaves a branch [N]. The velocity of a root that meets
another one changes infinitely fast; so a toe goes on at the velocity where they meet, and its margin crosses zero at a
finite rate.
"""
GOLDEN, PLACE_TOLERANCE, SLOPE_TOLERANCE = 0.5 * (math.sqrt(5.0) - 1.0), 1e-7, 1e-12
"""Golden section; width [z], and slope [N] per unit of z, at which a search ends."""


class Rise(NamedTuple):
    """The rise of drag - resistance on the way from rest to free sliding, where it rises at all.

    Attributes
    ----------
    rate : float
        The largest slope [N], per unit of 1 - z; negative if drag - resistance falls everywhere.
    end : Trial
        The minimum before the steepest place, or the maximum beyond it; that place itself, if it falls everywhere.
    """

    rate: float
    end: Trial


class Piece(NamedTuple):
    """The symbols of drag and resistance while tau is on one line, between two hip speeds from that at rest [rad/s]."""

    course: Course
    low: float
    high: float


class Way(NamedTuple):
    """The way from rest to free sliding: its first and last line of tau, which usually are all."""

    rest_line: TorqueLine
    rest: Piece
    free: Piece


def way_of(slide, free):
    """Return the way to free sliding, from the trial there.

    Unless tau is on one line just before they meet and on the other just after, it is on a third one between them,
    looked for at each place. A controller's torque is taken to be linear in the speed of its hip, as in `nearest_root`.
    """
    last, turn = free.line, slide.h1 * free.u1 + slide.h2 * free.u2
    if last.rate == slide.rest_rate:
        whole = piece_between(course_on(slide, last), 0.0, turn)
        return Way(last, whole, whole)
    line, first_end, last_begin = torque_line_at(slide, slide.rest_rate), 0.0, turn
    if last.slope != line.slope:
        meeting = (last.tau0 - line.tau0) / (line.slope - last.slope)
        before, after = 0.999 * meeting, meeting + 0.001 * (turn - meeting)
        if (
            min(turn, 0.0) < meeting < max(turn, 0.0)
            and agrees(slide, line, slide.rest_rate + before)
            and agrees(slide, last, slide.rest_rate + after)
        ):
            first_end = last_begin = meeting
    first = piece_between(course_on(slide, line), 0.0, first_end)
    return Way(line, first, piece_between(course_on(slide, last), last_begin, turn))


def piece_between(course, a, b):
    """Return the piece between two speeds of the hip [rad/s]."""
    return Piece(course, min(a, b), max(a, b))


def slope_on(slide, way, z):
    """Return d(drag - resistance)/dz at z [N]."""
    course = way.rest.course
    if not contains(way.rest, slide.scale, z):
        course = way.free.course
        if not contains(way.free, slide.scale, z):
            course = course_on(slide, try_at(slide, way.rest_line, z).line)
    return slope_at(slide, course, z)


def contains(piece, scale, z):
    """Return whether the speed of the hip at z, with tau on the line of the piece, lies in the piece."""
    turn, size = turn_at(piece.course, scale, z)
    return piece.low * size <= turn <= piece.high * size


def find_rise(slide, free, side):
    """Return the steepest rise of drag - resistance and its end towards rest (side = 1) or free sliding (-1).

    `free` is the trial without friction.
    """
    way, z, least = way_of(slide, free), 1.0, math.inf
    for k in range(N_SAMPLES + 1):
        slope = slope_on(slide, way, 1.0 - k / N_SAMPLES)
        if slope < least:
            z, least = 1.0 - k / N_SAMPLES, slope
    if least <= FAR_FROM_RISING:
        z, least = steepest_near(slide, way, z, least)
    if least < 0.0:
        z = extremum_beside(slide, way, z, least, side)
    return Rise(-least, try_at(slide, way.rest_line, z))


def steepest_near(slide, way, z, slope):
    """Return the z within one sample of the given one where drag - resistance rises most, or falls least; its slope."""
    low, high = max(z - 1.0 / N_SAMPLES, 0.0), min(z + 1.0 / N_SAMPLES, 1.0)
    if low < z < high:
        return least_slope(slide, way, low, z, high, slope)
    inside = z + math.copysign(PLACE_TOLERANCE, 0.5 - z)
    slope_inside = slope_on(slide, way, inside)
    return (z, slope) if slope_inside >= slope else least_slope(slide, way, low, inside, high, slope_inside)


def least_slope(slide, way, low, z, high, slope):
    """Return the z between `low` and `high` where the slope is least, and that slope, from a z between them.

    Brent's method (1973): parabolas through the three least slopes, and golden sections where these do not converge.
    """
    second, third, at_second, at_third = low, high, slope_on(slide, way, low), slope_on(slide, way, high)
    if at_third < at_second:
        second, third, at_second, at_third = third, second, at_third, at_second
    step = before = high - low
    for _ in range(MAX_TRIALS):
        if max(z - low, high - z) <= 2.0 * PLACE_TOLERANCE:
            break
        r, q = (z - second) * (slope - at_third), (z - third) * (slope - at_second)
        top, divisor = (z - second) * r - (z - third) * q, 2.0 * (q - r)
        before, step, limit = step, top / divisor if divisor != 0.0 else math.inf, 0.5 * abs(before)
        if not (abs(step) < limit and low < z + step < high):
            before = high - z if z - low < high - z else low - z
            step = (1.0 - GOLDEN) * before
        step = math.copysign(max(abs(step), PLACE_TOLERANCE), step)
        here = min(max(z + step, low), high)
        at_here = slope_on(slide, way, here)
        if at_here <= slope:
            low, high = (z, high) if here > z else (low, z)
            second, third, at_second, at_third = z, second, slope, at_second
            z, slope = here, at_here
            continue
        low, high = (here, high) if here < z else (low, here)
        if at_here <= at_second or second == z:
            second, third, at_second, at_third = here, second, at_here, at_second
        elif at_here <= at_third or third in (z, second):
            third, at_third = here, at_here
    return z, slope


def extremum_beside(slide, way, z, slope, side):
    """Return the z at the end of a rise, from a place in it towards rest (side = 1) or free sliding (-1)."""
    inside, outside, at_inside, at_outside = z, z, slope, slope
    while at_outside < 0.0:
        if outside == 0.5 * (1.0 + side):
            return outside
        inside, at_inside, outside = outside, at_outside, min(max(outside + side / N_SAMPLES, 0.0), 1.0)
        at_outside = slope_on(slide, way, outside)
    last = 0
    for _ in range(MAX_TRIALS):
        here = (inside * at_outside - outside * at_inside) / (at_outside - at_inside)
        slope = slope_on(slide, way, here)
        if abs(slope) <= SLOPE_TOLERANCE or abs(outside - inside) <= PLACE_TOLERANCE:
            break
        if slope < 0.0:
            at_outside *= kept_fraction(slope / at_inside) if last < 0 else 1.0
            inside, at_inside, last = here, slope, -1
        else:
            at_inside *= kept_fraction(slope / at_outside) if last > 0 else 1.0
            outside, at_outside, last = here, slope, 1
    return here


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
    free = slide_freely(slide)
    jump = far = far_from_folds(free)
    if far < LARGEST_JUMP_MARGIN:
        rise = find_rise(slide, free, 1.0)
        jump = min(either(either(END_FORCE - rise.end.surplus, LEAST_RATE - rise.rate), far), LARGEST_JUMP_MARGIN)
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
    if not rises:
        return nearest
    free = slide_freely(slide)
    if far_from_folds(free) < 0.0:
        rise = find_rise(slide, free, 1.0)
        if 0.0 < rise.end.surplus < rise.rate - LEAST_RATE:
            return rise.end
    return nearest


def fast_margins(slide):
    """Return the margins of a toe on the fast branch [N]; it cannot stick.

    It changes to the slow branch where the maximum becomes negative, where the rise no longer counts, or where the
    resistance of the freely sliding toe exceeds 2 LARGE_MARGIN: twice that of the other way, so that it stays there.
    """
    free = slide_freely(slide)
    rise = find_rise(slide, free, -1.0)
    jump = both(rise.end.surplus + END_FORCE, rise.rate - LEAST_RATE)
    jump = both(jump, 2.0 * LARGE_MARGIN + free.surplus)
    return Margins(-free.surplus / max_resistance_per_push(slide.hip.p), math.inf, jump)


def fast_slide(slide):
    """Return the trial at the fast slip velocity; just beyond a fold, the one at the maximum."""
    free = slide_freely(slide)
    rise = find_rise(slide, free, -1.0)
    if rise.rate <= 0.0:
        return find_slide(slide)
    if rise.end.surplus <= 0.0:
        return rise.end
    return find_root(slide, free, rise.end) if free.surplus < 0.0 else free

"""The search for the velocity of a toe that slips, and for the margins by which it keeps slipping.

A toe slips with the k nearest to rest at which |drag| is the resistance of the ground. `nearest_root` finds it where
the drag of the resting toe exceeds the resistance; elsewhere, and for the margins, there are trials between rest and
free sliding. See docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .nearest_root import find_nearest_root
from .slide import FORCE_TOLERANCE, Trial, max_resistance_per_push, torque_line_at, try_at

MAX_TRIALS = 60
N_STEPS = 8
"""Number of steps of z from free sliding to rest."""
LARGE_MARGIN = 1.0
"""Margin of push or drag [N] beyond which no larger one is searched for."""


class Scan(NamedTuple):
    """Trials at velocities from rest to free sliding, and the margins found with them.

    Attributes
    ----------
    push, drag : float
        Push margin: the largest resistance - drag [N]. Drag margin: the largest drag - resistance [N] nearer to rest
        than a trial where resistance exceeds drag.
    rest, slower, faster : Trial
        The first trial, and the last two.
    highest : Trial
        The trial with the largest drag - resistance, the last one excepted.
    lowest : Trial
        The trial with the least drag - resistance >= 0, the first one excepted.
    lowest_step : float
        Number of steps from free sliding to `lowest`.
    """

    push: float
    drag: float
    rest: Trial
    slower: Trial
    faster: Trial
    highest: Trial
    lowest: Trial
    lowest_step: float


class Margins(NamedTuple):
    """Margins of a slipping toe [N].

    The toe leaves the ground where the push margin is 0, sticks where the drag margin is, and changes to the other
    branch of its velocity where the jump margin is (see `branches`).
    """

    push: float
    drag: float
    jump: float


def find_slide(slide):
    """Return the trial at the velocity nearest to rest at which the toe slips, or one that continues it."""
    trial, found, _ = find_nearest_root(slide)
    return trial if found else continue_slide(slide)


def continue_slide(slide):
    """Return the trial that continues the velocity where no root was found.

    There is none beyond the boundaries at which a toe sticks or leaves. With a torque that is no line there may be one.
    """
    scan = scan_from_rest(slide, 0.0)
    if scan.push > 0.0 and scan.drag > 0.0:
        return find_root(slide, scan.faster, scan.slower)
    if scan.highest.surplus < 0.0 and scan.highest.z < 1.0:
        return scan.highest
    if scan.highest.surplus < 0.0 or 0.0 < -scan.rest.surplus < scan.lowest.surplus:
        return root_beyond_rest(slide, scan)
    return root_near_lowest(slide, scan)


def slide_freely(slide):
    """Return the trial without friction."""
    return try_at(slide, torque_line_at(slide, slide.rest_rate), 0.0)


def find_margins(slide, free, drag, jump):
    """Return the margins of a slipping toe [N], from the trial without friction, the drag margin at rest and `jump`.

    If the push margin is negative, friction balances the drag at no velocity, and the toe leaves the ground; if the
    drag margin is, the drag exceeds friction at no velocity, and it sticks. A margin of free sliding or of rest beyond
    LARGE_MARGIN is returned unchanged.
    """
    push = -free.surplus
    if push >= LARGE_MARGIN and drag >= LARGE_MARGIN:
        return Margins(push / max_resistance_per_push(slide.hip.p), drag, jump)
    scan = scan_from_rest(slide, LARGE_MARGIN)
    if push < LARGE_MARGIN:
        push = min(max(push, scan.push), LARGE_MARGIN)
    if drag < LARGE_MARGIN:
        drag = min(max(drag, scan.drag), LARGE_MARGIN)
    return Margins(push / max_resistance_per_push(slide.hip.p), drag, jump)


def scan_from_rest(slide, margin):
    """Try velocities from rest to free sliding, until the margins of push and drag both exceed `margin` [N]."""
    rest = try_at(slide, torque_line_at(slide, slide.rest_rate), 1.0)
    push, drag, least, lowest_step, k = -math.inf, rest.surplus, math.inf, 0.0, N_STEPS
    slower = faster = highest = lowest = rest
    while k > 0 and (push <= margin or drag <= margin):
        k -= 1
        if faster.surplus > highest.surplus:
            highest = faster
        slower, faster = faster, try_at(slide, faster.line, z_after(k))
        push, drag = max(push, -faster.surplus), max(drag, min(highest.surplus, -faster.surplus))
        if slower.surplus >= 0.0 and 0.0 <= faster.surplus < least:
            least, lowest, lowest_step = faster.surplus, faster, 1.0 * k
    return Scan(push, drag, rest, slower, faster, highest, lowest, lowest_step)


def z_after(steps):
    """Return z after a number of steps from free sliding; they are shorter near rest."""
    return 1.0 - (1.0 - steps / N_STEPS) ** 2


def find_root(slide, low, high):
    """Return the root, a trial without surplus, between two trials.

    Anderson and Bjorck's variant of the false position (1973).
    """
    here, side, at_low, at_high = high, 0, low.surplus, high.surplus
    tolerance = FORCE_TOLERANCE * (1.0 + abs(slide.n0))
    for _ in range(MAX_TRIALS):
        z = (low.z * at_high - high.z * at_low) / (at_high - at_low)
        here = try_at(slide, here.line, z)
        if abs(here.surplus) <= tolerance or high.z - low.z < 1e-15:
            break
        if here.surplus < 0.0:
            if side == -1:
                at_high *= kept_fraction(here.surplus / at_low)
            low, at_low, side = here, here.surplus, -1
        else:
            if side == 1:
                at_low *= kept_fraction(here.surplus / at_high)
            high, at_high, side = here, here.surplus, 1
    return here


def kept_fraction(ratio):
    """Return the factor for the value at one end, if the other end's has fallen to the fraction `ratio` twice."""
    return 1.0 - ratio if ratio < 1.0 else 0.5


def root_beyond_rest(slide, scan):
    """Return the root beyond the boundary at which a toe sticks, where the velocity has passed zero, z > 1."""
    line = scan.slower.line
    damping = -line.slope * (slide.h1**2 + slide.h2**2)
    beyond = try_at(slide, line, 1.0 + 0.5 * slide.scale / (slide.scale + damping))
    return find_root(slide, scan.rest, beyond) if beyond.surplus > 0.0 else beyond


def root_near_lowest(slide, scan):
    """Return a root near the lowest trial of the scan; if there is none, as beyond liftoff, the lowest trial."""
    for k in range(1, 4):
        for side in (1.0, -1.0):
            step = scan.lowest_step + side * 0.5**k
            if step < 0.0 or step > N_STEPS:
                continue
            low = try_at(slide, scan.lowest.line, z_after(step))
            if low.surplus < 0.0:
                slower = z_after(scan.lowest_step if side < 0.0 else scan.lowest_step + 1.0)
                return find_root(slide, low, try_at(slide, low.line, slower))
    return scan.lowest

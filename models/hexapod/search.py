"""The search for the velocity of a toe that slips, and for the margins by which it keeps slipping.

A toe slips with the k nearest to rest at which |drag| is the resistance of the ground: for Coulomb's law a root of a
quartic; for creep, and where the quartic does not decide, one that is bracketed by trials between rest and free
sliding. See docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .records import CREEP, P
from .slide import FORCE_TOLERANCE, Trial, agrees, friction_coeff, max_resistance_per_push, torque_line_at, try_at

MAX_TORQUE_PIECES, MAX_NEWTON_STEPS, MAX_TRIALS = 4, 20, 60
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

    The toe leaves the ground where the push margin is 0, and sticks where the drag margin is.
    """

    push: float
    drag: float


def find_slide(slide):
    """Return the trial at the velocity at which the toe slips.

    Where the equations have no such velocity, as beyond the boundary at which a toe sticks or leaves, it is one that
    continues the velocity on the other side.
    """
    if slide.hip.p[P.friction] != CREEP:
        trial, found = slide_on_cone(slide)
        if found:
            return trial
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


def find_margins(slide, drag):
    """Return the margins of a slipping toe [N], from the drag margin at rest.

    If the push margin is negative, friction balances the drag at no velocity, and the toe leaves the ground; if the
    drag margin is, the drag exceeds friction at no velocity, and it sticks. A margin of free sliding or of rest beyond
    LARGE_MARGIN is returned unchanged.
    """
    push = -slide_freely(slide).surplus
    if push >= LARGE_MARGIN and drag >= LARGE_MARGIN:
        return Margins(push / max_resistance_per_push(slide.hip.p), drag)
    scan = scan_from_rest(slide, LARGE_MARGIN)
    if push < LARGE_MARGIN:
        push = min(max(push, scan.push), LARGE_MARGIN)
    if drag < LARGE_MARGIN:
        drag = min(max(drag, scan.drag), LARGE_MARGIN)
    return Margins(push / max_resistance_per_push(slide.hip.p), drag)


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


def slide_on_cone(slide):
    """Return the trial with Coulomb's law, from the quartic of each linear piece of tau, and whether it is found."""
    line = torque_line_at(slide, slide.rest_rate)
    for _ in range(MAX_TORQUE_PIECES):
        u1, u2, found = solve_quartic(slide, line)
        if not found:
            break
        rate = slide.rest_rate + slide.h1 * u1 + slide.h2 * u2
        if agrees(slide, line, rate):
            return Trial(0.0, u1, u2, 0.0, line), True
        line = torque_line_at(slide, rate)
    return Trial(0.0, 0.0, 0.0, 0.0, line), False


def solve_quartic(slide, line):
    """Return u at the least root s = 1 / k > 0 of |b + s w| = q0 + q1 s + q2 s^2, and whether it is found.

    Squared, this is a quartic in s. Newton's method from s = 0, where the toe rests, passes over no root: the
    difference of both sides is first convex, then concave.
    """
    s_t, tau0 = line.slope, line.tau0
    a11, a22 = slide.a11 - s_t * slide.h1 * slide.h1, slide.a22 - s_t * slide.h2 * slide.h2
    a12 = slide.a12 - s_t * slide.h1 * slide.h2
    b1, b2 = slide.b1 + slide.h1 * tau0, slide.b2 + slide.h2 * tau0
    c1, c2 = slide.c1 - slide.lift * s_t * slide.h1, slide.c2 - slide.lift * s_t * slide.h2
    w1, w2 = a22 * b1 - a12 * b2, a11 * b2 - a12 * b1
    trace, det, mu = a11 + a22, a11 * a22 - a12 * a12, friction_coeff(slide.hip.p)
    n0 = slide.n0 - slide.lift * tau0
    q0, q1, q2 = mu * n0, mu * (n0 * trace + c1 * b1 + c2 * b2), mu * (n0 * det + c1 * w1 + c2 * w2)
    s, tolerance = 0.0, FORCE_TOLERANCE * (1.0 + abs(n0))
    for _ in range(MAX_NEWTON_STEPS):
        d1, d2, size = b1 + s * w1, b2 + s * w2, 1.0 + s * (trace + s * det)
        drag = math.sqrt(d1 * d1 + d2 * d2)
        value = drag - (q0 + s * (q1 + s * q2))
        if abs(value) <= tolerance * size:
            return s * d1 / size, s * d2 / size, s > 0.0
        derivative = (d1 * w1 + d2 * w2) / drag - (q1 + 2.0 * s * q2)
        s -= value / derivative
        if derivative >= 0.0 or s <= 0.0:
            break
    return 0.0, 0.0, False


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

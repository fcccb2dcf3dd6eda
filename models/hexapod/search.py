"""The search for the velocity of a toe that slips, and for the margins by which it keeps slipping.

Sought is the k nearest to rest at which |drag| is the resistance of the ground: for Coulomb's law a root of a quartic;
for creep, and where the quartic does not decide, one that is bracketed on the way from rest to free sliding. See
docs/hexapod.md, "The slip velocity".
"""

import math
from typing import NamedTuple

from .records import CREEP, P
from .slide import FORCE_TOLERANCE, Trial, agrees, friction_coeff, most_resistance, tangent_at, try_at

MAX_PIECES, MAX_NEWTON_STEPS, MAX_TRIALS = 4, 20, 60
N_PARTS = 8
"""Number of parts of the way from free sliding to rest; the search tries their ends."""
ENOUGH = 1.0
"""Push or drag to spare [N] beyond which the search for more ends."""


class Search(NamedTuple):
    """What a walk from rest to free sliding has found.

    Attributes
    ----------
    push, drag : float
        Resistance - drag at its best [N]; drag - resistance before it, or at rest, at its best [N].
    rest, slower, faster : Trial
        The first trial, and the last two.
    highest : Trial
        The trial with the most drag - resistance, but for the last.
    lowest : Trial
        The trial with the least, but for the first.
    place : float
        Number of parts from free sliding to `lowest`.
    """

    push: float
    drag: float
    rest: Trial
    slower: Trial
    faster: Trial
    highest: Trial
    lowest: Trial
    place: float


class Spare(NamedTuple):
    """Push to spare [N] with which a slipping toe stays on the ground, and drag with which it goes on."""

    push: float
    drag: float


def find_slide(slide):
    """Return the trial at the velocity at which the toe slips.

    Where the equations have no such velocity, as beyond the boundary at which a toe sticks or leaves, it is one that
    goes on continuously.
    """
    if slide.hip.p[P.friction] != CREEP:
        trial, found = slide_on_cone(slide)
        if found:
            return trial
    walk = search(slide, 0.0)
    if walk.push > 0.0 and walk.drag > 0.0:
        return find_root(slide, walk.faster, walk.slower)
    if walk.highest.surplus < 0.0 and walk.highest.z < 1.0:
        return walk.highest
    if walk.highest.surplus < 0.0 or 0.0 < -walk.rest.surplus < walk.lowest.surplus:
        return pass_rest(slide, walk)
    return look_closer(slide, walk)


def slide_freely(slide):
    """Return the trial without friction."""
    return try_at(slide, tangent_at(slide, slide.rest_rate), 0.0)


def find_spare(slide, drag):
    """Return what a slipping toe has to spare [N], from the drag to spare at rest.

    Without push to spare there is no velocity at which friction could take the drag, and the toe leaves; without drag
    to spare, none at which the drag exceeds friction, and it sticks. Beyond ENOUGH, what there is at free sliding or
    at rest counts.
    """
    push = -slide_freely(slide).surplus
    if push >= ENOUGH and drag >= ENOUGH:
        return Spare(push / most_resistance(slide.hip.p), drag)
    walk = search(slide, ENOUGH)
    if push < ENOUGH:
        push = min(max(push, walk.push), ENOUGH)
    if drag < ENOUGH:
        drag = min(max(drag, walk.drag), ENOUGH)
    return Spare(push / most_resistance(slide.hip.p), drag)


def search(slide, enough):
    """Walk from rest to free sliding, until there is more than enough push and drag to spare [N]."""
    rest = try_at(slide, tangent_at(slide, slide.rest_rate), 1.0)
    push, drag, least, place, k = -math.inf, rest.surplus, math.inf, 0.0, N_PARTS
    slower = faster = highest = lowest = rest
    while k > 0 and (push <= enough or drag <= enough):
        k -= 1
        if faster.surplus > highest.surplus:
            highest = faster
        slower, faster = faster, try_at(slide, faster.tangent, part(k))
        push, drag = max(push, -faster.surplus), max(drag, min(highest.surplus, -faster.surplus))
        if slower.surplus >= 0.0 and 0.0 <= faster.surplus < least:
            least, lowest, place = faster.surplus, faster, 1.0 * k
    return Search(push, drag, rest, slower, faster, highest, lowest, place)


def part(k):
    """Return z after k of the parts; they are shorter near rest."""
    return 1.0 - (1.0 - k / N_PARTS) ** 2


def slide_on_cone(slide):
    """Return the trial with Coulomb's law, from the quartic of each linear piece of tau, and whether it is found."""
    tangent = tangent_at(slide, slide.rest_rate)
    for _ in range(MAX_PIECES):
        u1, u2, found = solve_quartic(slide, tangent)
        if not found:
            break
        rate = slide.rest_rate + slide.h1 * u1 + slide.h2 * u2
        if agrees(slide, tangent, rate):
            return Trial(0.0, u1, u2, 0.0, tangent), True
        tangent = tangent_at(slide, rate)
    return Trial(0.0, 0.0, 0.0, 0.0, tangent), False


def solve_quartic(slide, tangent):
    """Return u at the least root s = 1 / k > 0 of |b + s w| = q0 + q1 s + q2 s^2, and whether it is found.

    Squared, this is a quartic in s. Newton's method from s = 0, where the toe rests, passes over no root: the
    difference of both sides is first convex, then concave.
    """
    slope, tau0 = tangent.slope, tangent.tau0
    a11, a22 = slide.a11 - slope * slide.h1 * slide.h1, slide.a22 - slope * slide.h2 * slide.h2
    a12 = slide.a12 - slope * slide.h1 * slide.h2
    b1, b2 = slide.b1 + slide.h1 * tau0, slide.b2 + slide.h2 * tau0
    c1, c2 = slide.c1 - slide.lift * slope * slide.h1, slide.c2 - slide.lift * slope * slide.h2
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
        slope = (d1 * w1 + d2 * w2) / drag - (q1 + 2.0 * s * q2)
        s -= value / slope
        if slope >= 0.0 or s <= 0.0:
            break
    return 0.0, 0.0, False


def find_root(slide, low, high):
    """Return the trial without surplus between two, by Anderson and Bjorck's variant of the false position (1973)."""
    here, side, at_low, at_high = high, 0, low.surplus, high.surplus
    tolerance = FORCE_TOLERANCE * (1.0 + abs(slide.n0))
    for _ in range(MAX_TRIALS):
        z = (low.z * at_high - high.z * at_low) / (at_high - at_low)
        here = try_at(slide, here.tangent, z)
        if abs(here.surplus) <= tolerance or high.z - low.z < 1e-15:
            break
        if here.surplus < 0.0:
            if side == -1:
                at_high *= kept(here.surplus / at_low)
            low, at_low, side = here, here.surplus, -1
        else:
            if side == 1:
                at_low *= kept(here.surplus / at_high)
            high, at_high, side = here, here.surplus, 1
    return here


def kept(share):
    """Return the share of the value at one end to keep, if the other end's has fallen to `share` twice in a row."""
    return 1.0 - share if share < 1.0 else 0.5


def pass_rest(slide, walk):
    """Return the trial beyond the boundary at which a toe sticks: its velocity goes on through zero, z > 1."""
    tangent = walk.slower.tangent
    damping = -tangent.slope * (slide.h1**2 + slide.h2**2)
    beyond = try_at(slide, tangent, 1.0 + 0.5 * slide.scale / (slide.scale + damping))
    return find_root(slide, walk.rest, beyond) if beyond.surplus > 0.0 else beyond


def look_closer(slide, walk):
    """Return the trial without surplus close to the lowest of a search; without any, as beyond liftoff, the lowest."""
    for k in range(1, 4):
        for side in (1.0, -1.0):
            place = walk.place + side * 0.5**k
            if place < 0.0 or place > N_PARTS:
                continue
            low = try_at(slide, walk.lowest.tangent, part(place))
            if low.surplus < 0.0:
                slower = part(walk.place if side < 0.0 else walk.place + 1.0)
                return find_root(slide, low, try_at(slide, low.tangent, slower))
    return walk.lowest

"""One-sided conditions: what ground, friction and soles can give, and what would be a fall.

The constraints of the ground hold in both directions; a real ground cannot pull. So each limit is a boundary, and
what happens beyond it is a policy (parameters on_lift ... on_twist).
"""

import math
from typing import NamedTuple

from hybridsim import scratch
from hybridsim.multibody import point_of

from .anthropometry import FOOT, HEEL_TO_TOE, SOLE_WIDTH
from .body import F, N, Q, heel1, heel2, toe1, toe2
from .contacts import FX, FY, FZ, N_WRENCH, ahead_of, own_moments
from .dynamics import accelerate, hidden_yaw_moment, trunk_centre
from .jamming import jam_margin
from .records import (
    BEGINS,
    FLAT,
    GROUND_LIMITS,
    HEEL,
    HOLDS,
    LEAVING_FOOT,
    POLICY_OF_LIMIT,
    TOE,
    B,
    Feet,
    Foot,
    P,
    S,
    foot1_of,
    foot2_of,
    is_clear,
    on_ground,
    slips,
)

STOP, WARN, GIVE_WAY = range(3)
"""Policies; the last one is that the foot leaves, or slips."""
HINGED = 1
"""Value of the parameter `feet`."""
LIFT, SLIP, ROLL, TIP, BACK = (B.lift1, B.slip1, B.roll1, B.tip1, B.back1)
"""Limits of foot 1; those of foot 2 come next."""
NO_LIMIT = -1
WARNED = 1.0
"""Value of the boundary of a limit that has been crossed with a warning, until the next event that is no limit."""
HEIGHT_OF_OTHERS = 1e3
"""Height [m] of a point that is on the ground, where the lowest of the others is wanted."""
CLEAR_HEIGHT = 1e-3
"""Height [m] above which a point that has left the ground can land again, and depth to which it may be pressed."""
N_ALONG_AXES, FASTEST = 3, 100.0
"""How many speeds are along axes; and the most of the others [rad/s]."""
MIN_PIVOT = 1e-5
"""Where the smallest pivot of the constraints is below this, their speeds are not determined well enough."""


def policy_of(p, limit, chart):
    """Return STOP, WARN or GIVE_WAY: what to do beyond a limit. A foot that is pulled cannot slip any more."""
    if limit >= GROUND_LIMITS:
        return STOP
    policy = int(p[P.on_lift + POLICY_OF_LIMIT[limit]])
    pulled = limit in (B.lift1, B.lift2) and slips(chart, limit - B.lift1)
    return STOP if pulled and policy == WARN else policy


def is_warned(x, limit):
    """Return whether the state has been beyond a limit that only warns since the last event of another kind."""
    return limit < GROUND_LIMITS and int(x[S.warned]) >> limit & 1


def give_way(feet, limit):
    """Return the feet where the one has left the ground, or slips, that is beyond a limit."""
    if limit == B.lift1:
        return Feet(feet.mode, LEAVING_FOOT, feet.foot2, feet.turned)
    if limit == B.lift2:
        return Feet(feet.mode, feet.foot1, LEAVING_FOOT, feet.turned)
    if limit == B.slip1:
        foot1 = Foot(feet.foot1.contact, feet.foot1.clear, BEGINS)
        return Feet(feet.mode, foot1, feet.foot2, feet.turned)
    if limit == B.slip2:
        foot2 = Foot(feet.foot2.contact, feet.foot2.clear, BEGINS)
        return Feet(feet.mode, feet.foot1, foot2, feet.turned)
    if limit == B.jam:
        return Feet(feet.mode, held(feet.foot1), held(feet.foot2), feet.turned)
    return feet


def held(foot):
    """Return a foot that does not slip."""
    return Foot(foot.contact, foot.clear, HOLDS)


def concerns(limit, chart):
    """Return whether a limit is active: those of a foot are while it is on the ground."""
    if limit in (B.sink1, B.sink2):
        return not is_clear(chart, limit - B.sink1)
    if limit in (B.slip1, B.slip2) and slips(chart, limit - B.slip1):
        return False
    if limit == B.jam:
        return slips(chart, 0) or slips(chart, 1)
    if limit >= B.twist1:
        return limit > B.twist1 or on_ground(foot1_of(chart))
    return on_ground(foot1_of(chart) if (limit - LIFT) % 2 == 0 else foot2_of(chart))


def find_limits(limits, forces, motion, instant):
    """Write the active limits, with reactions and motion as of `accelerate`; return its smallest pivot."""
    udot = scratch(N)
    pivot = accelerate(udot, forces, motion, instant)
    write_limits(limits, udot, forces, motion, instant)
    return pivot


def write_limits(limits, udot, forces, motion, instant):
    """Write the active limits, after `accelerate`."""
    x, p, chart = instant.x, instant.p, instant.chart
    if on_ground(foot1_of(chart)):
        limits_of_foot(limits, forces, 0, sole1(p, chart), p, ahead_of(motion, chart, 0))
        yaw = hidden_yaw_moment(udot, forces, motion, instant)
        # Two feet share it: the yaw moment of foot 2, whose yaw a joint holds, is in that of foot 1.
        most = p[P.friction] * p[P.twist_radius] * (forces[FZ] + forces[N_WRENCH + FZ])
        limits[B.twist1] = (most - yaw) * (most + yaw) / (p[P.mass] * p[P.g] * p[P.stature])
    if on_ground(foot2_of(chart)):
        limits_of_foot(limits, forces, 1, sole2(p, chart), p, ahead_of(motion, chart, 1))
    limits[B.trunk] = point_of(motion, F.hat, trunk_centre(p)).z - x[S.ground1] - p[P.fall_height] * p[P.stature]
    gaps = gaps_of(motion, x, p, chart)
    limits[B.sink1] = CLEAR_HEIGHT + min(gaps.toe1, gaps.heel1)
    limits[B.sink2] = CLEAR_HEIGHT + min(gaps.toe2, gaps.heel2)
    limits[B.knee1] = -x[Q.knee1]
    limits[B.knee2] = x[Q.knee2]
    limits[B.fling] = FASTEST
    for i in range(N_ALONG_AXES, N):
        limits[B.fling] = min(limits[B.fling], FASTEST - abs(x[N + i]))
    if concerns(B.jam, chart):
        limits[B.jam] = jam_margin(motion, instant)


def limits_of_foot(limits, forces, foot, sole, p, ahead):
    """Write what the ground can give to foot 1 (foot = 0) or 2 (1), with the ends of its support, `sole` [m].

    The foot points along `ahead`: it rolls and tips about axes of its own.
    """
    first = N_WRENCH * foot
    roll, pitch = own_moments(forces, first, ahead)
    fx, fy, fz = forces[first + FX], forces[first + FY], forces[first + FZ]
    side = 0.5 * SOLE_WIDTH * p[P.stature] * fz
    back, ahead = sole
    limits[LIFT + foot] = fz
    limits[SLIP + foot] = p[P.friction] * fz - math.sqrt(fx * fx + fy * fy)
    limits[ROLL + foot] = (side - roll) * (side + roll) / (p[P.mass] * p[P.g] * p[P.stature])
    limits[TIP + foot] = (ahead + p[P.edge]) * fz + pitch
    limits[BACK + foot] = (p[P.edge] - back) * fz - pitch


def sole1(p, chart):
    """Return how far ahead of toe 1 the support of foot 1 begins and ends [m]."""
    contact, h = foot1_of(chart), p[P.stature]
    tip = (FOOT.length - HEEL_TO_TOE) * h
    if contact == FLAT or p[P.feet] == HINGED:
        return -HEEL_TO_TOE * h, tip
    return (0.0, tip) if contact == TOE else (-HEEL_TO_TOE * h, -HEEL_TO_TOE * h)


def sole2(p, chart):
    """Return how far ahead of heel 2 the support of foot 2 begins and ends [m]."""
    contact, h = foot2_of(chart), p[P.stature]
    if contact == FLAT or p[P.feet] == HINGED:
        return 0.0, FOOT.length * h
    return (0.0, 0.0) if contact == HEEL else (HEEL_TO_TOE * h, FOOT.length * h)


class Gaps(NamedTuple):
    """Heights of the points of the feet that are not on the ground [m]; HEIGHT_OF_OTHERS for the others.

    A hinged foot that is on the ground has no other point: its sole is held by moments.
    """

    toe1: float
    heel1: float
    toe2: float
    heel2: float


def gaps_of(motion, x, p, chart):
    """Return how high the points are that can land."""
    h, foot1, foot2 = p[P.stature], foot1_of(chart), foot2_of(chart)
    hinged = p[P.feet] == HINGED
    held1, held2 = hinged and on_ground(foot1), hinged and on_ground(foot2)
    return Gaps(
        toe1=HEIGHT_OF_OTHERS if foot1 & TOE or held1 else point_of(motion, F.foot1, toe1(h)).z - x[S.ground1],
        heel1=HEIGHT_OF_OTHERS if foot1 & HEEL or held1 else point_of(motion, F.foot1, heel1(h)).z - x[S.ground1],
        toe2=HEIGHT_OF_OTHERS if foot2 & TOE or held2 else point_of(motion, F.foot2, toe2(h)).z - x[S.ground2],
        heel2=HEIGHT_OF_OTHERS if foot2 & HEEL or held2 else point_of(motion, F.foot2, heel2(h)).z - x[S.ground2],
    )

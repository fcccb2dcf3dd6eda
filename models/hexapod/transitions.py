"""Transitions of a toe at an event: it lands, sticks, slips, or leaves the ground."""

import math

from .body import find_pose
from .contact import cone_margin, fast_slip_margins, find_foot, free_toe, rest_toe, rising_speed, slip_margins
from .motor import Instant
from .records import (
    EMPTY_BIT,
    FAST,
    FLIGHT,
    N_LEGS,
    SLIPPING,
    STUCK,
    B,
    P,
    S,
    contact_of,
    in_stance,
    is_slipping,
    with_leg,
)
from .search import LARGE_MARGIN
from .terrain import along_ground, gradient, height
from .vectors import ZERO, Vector, dot, minus, put, times, to_world, vector_at


def transition(x_new, t, x, p, chart, crossed, torque):
    """Follow the controller's transition: as torques may have jumped, all other legs in stance are decided anew."""
    if crossed[B.battery_empty]:
        chart |= 1 << EMPTY_BIT
        x_new[S.charge] = 0.0
    instant, pose = Instant(t, x_new, p, chart, torque), find_pose(x_new)
    for i in range(N_LEGS):
        if crossed[B.touchdown0 + 2 * i]:
            chart = land(instant, pose, chart, i)
        elif crossed[B.stick0 + i]:
            chart = with_leg(chart, i, STUCK)
        elif crossed[B.slip0 + i] or (crossed[B.liftoff0 + 2 * i] and not is_slipping(chart, i)):
            chart = break_away(instant, pose, chart, i)
        elif crossed[B.liftoff0 + 2 * i]:
            chart = let_go(instant, pose, chart, i, 0.0)
        elif crossed[B.jump0 + i] and contact_of(chart, i) == SLIPPING:
            chart = with_leg(chart, i, FAST)
        elif crossed[B.jump0 + i]:
            chart = leave_fast_branch(instant, pose, chart, i)
        elif in_stance(chart, i):
            chart = settle(instant, pose, chart, i, 0.0)
    return chart


def land(instant, pose, chart, i):
    """Let a toe meet the ground, in a plastic impact; if its leg would pull at once, it stays in flight."""
    x, toe = instant.x, S.f0_x + 3 * i
    energy = toe_energy(x, instant.p, i)
    velocity = vector_at(x, S.fdot0_x + 3 * i)
    put(x, S.fdot0_x + 3 * i, ZERO)
    x[toe + 2] = height(x[toe], x[toe + 1], instant.p)
    normal = find_foot(instant, pose, i).normal
    chart = settle(instant, pose, with_leg(chart, i, STUCK), i, -dot(velocity, to_world(pose.rotation, normal)))
    x[S.impact_loss] += energy
    return chart


def settle(instant, pose, chart, i, speed):
    """Decide whether a toe on the ground sticks, slips or leaves; `speed` [m/s] is that with which it came down.

    A toe that comes down while its leg pulls rises again, as fast as the pull and the dampers demand, no faster than it
    came. Without that speed it would land at once where its sideways motion presses it down: again and again, at
    shorter and shorter intervals, until the leg does not pull any more.
    """
    foot, slips = find_foot(instant, pose, i), is_slipping(chart, i)
    if contact_of(chart, i) == FAST and stays_fast(foot):
        return chart
    toe = rest_toe(foot)
    drag = -cone_margin(toe, instant.p)
    if toe.push > 0.0 and drag <= 0.0 and not slips:
        return with_leg(chart, i, STUCK)
    margins = slip_margins(foot, drag)
    if toe.push > 0.0 and margins.drag < 0.0 and slips:
        return with_leg(chart, i, STUCK)
    return with_leg(chart, i, branch_of(margins)) if margins.push > 0.0 else let_go(instant, pose, chart, i, speed)


def leave_fast_branch(instant, pose, chart, i):
    """Let a toe whose fast branch ends slip on the slow one, or stick or leave."""
    chart = settle(instant, pose, with_leg(chart, i, SLIPPING), i, 0.0)
    return with_leg(chart, i, SLIPPING) if contact_of(chart, i) == FAST else chart


def stays_fast(foot):
    """Return whether the fast branch of a slip velocity goes on."""
    margins = fast_slip_margins(foot)
    return margins.push > 0.0 and margins.jump > 0.0


def branch_of(margins):
    """Return the branch on which a toe that begins to slip has its velocity: the slow one, if there are two."""
    return SLIPPING if margins.jump > 0.0 else FAST


def break_away(instant, pose, chart, i):
    """Let a stuck toe slip, or leave the ground if nothing would press it down."""
    foot = find_foot(instant, pose, i)
    margins = slip_margins(foot, LARGE_MARGIN)
    if margins.push > 0.0:
        return with_leg(chart, i, branch_of(margins))
    return let_go(instant, pose, chart, i, 0.0)


def let_go(instant, pose, chart, i, speed):
    """Let a toe leave the ground at the velocity of free sliding and rise at min(takeoff_speed, `speed`) [m/s]."""
    foot = find_foot(instant, pose, i)
    toe = free_toe(foot)
    rise = instant.p[P.takeoff_speed]
    if speed > rise:
        rise = max(min(rising_speed(foot, toe), speed), rise)
    take_off(instant.x, instant.p, i, to_world(pose.rotation, toe.velocity), rise)
    return with_leg(chart, i, FLIGHT)


def take_off(x_new, p, i, velocity, rise):
    """Write the state of a toe that leaves the ground: velocity along the ground, and `rise` along its normal [m/s]."""
    toe = S.f0_x + 3 * i
    slopes = gradient(x_new[toe], x_new[toe + 1], p)
    x_new[toe + 2] = height(x_new[toe], x_new[toe + 1], p)
    velocity = along_ground(x_new[toe], x_new[toe + 1], p, velocity)
    if rise > 0.0:
        along = rise / math.sqrt(1.0 + slopes.x * slopes.x + slopes.y * slopes.y)
        velocity = minus(velocity, times(along, Vector(slopes.x, slopes.y, -1.0)))
    put(x_new, S.fdot0_x + 3 * i, velocity)
    x_new[S.impact_loss] -= toe_energy(x_new, p, i)


def toe_energy(x, p, i):
    """Return the kinetic energy of a toe in flight [J]."""
    velocity = vector_at(x, S.fdot0_x + 3 * i)
    return 0.5 * p[P.leg_mass] * dot(velocity, velocity)

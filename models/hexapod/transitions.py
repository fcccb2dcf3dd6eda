"""Transitions at an event: a toe lands, sticks, slips, or leaves the ground; a corner of the body touches or leaves."""

import math

from .body import find_pose
from .contact import cone_margin, find_foot, free_toe, rest_toe, rising_speed, stand
from .corners import corners_that_land
from .legs import find_leg, flying_velocity, has_mass, load_flying_leg
from .motor import Instant, find_hip
from .records import (
    CORNER_BITS,
    EMPTY_BIT,
    FLIGHT,
    N_CORNERS,
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
from .slide import LEAST_RELEASE
from .terrain import along_ground, gradient, height
from .vectors import ZERO, Vector, dot, minus, put, times, to_body, to_world, vector_at

LEAST_PULL = 5e-7
"""Pull [N] at which a massless toe leaves the ground, so that it rises for sure; less than validate's tolerance."""
LEAST_SQUARE = 1e-30
"""Least square of a speed that divides [m^2/s^2]."""


def transition(x_new, t, x, p, chart, crossed, torque):
    """Follow the controller's transition: as torques may have jumped, all other legs in stance are decided anew."""
    if crossed[B.battery_empty]:
        chart |= 1 << EMPTY_BIT
        x_new[S.charge] = 0.0
    instant, pose = Instant(t, x_new, p, chart, torque), find_pose(x_new)
    chart = touch_down(instant, pose, crossed)
    for i in range(N_LEGS):
        if crossed[B.touchdown0 + 2 * i]:
            chart = land(instant, pose, chart, i)
        elif crossed[B.stick0 + i]:
            x_new[S.release0 + i] = 0.0
            chart = settle(instant, pose, with_leg(chart, i, STUCK), i)
        elif crossed[B.liftoff0 + 2 * i]:
            toe = stand(find_foot(instant, pose, i), contact_of(chart, i), x_new[S.release0 + i])
            chart = let_go(instant, pose, chart, i, toe, 0.0)
        elif crossed[B.slip0 + i]:
            chart = slip_from(LEAST_RELEASE, x_new, chart, i)
        elif in_stance(chart, i):
            chart = settle(instant, pose, chart, i)
    return chart


def touch_down(instant, pose, crossed):
    """Return the chart with the corners of the body that reach the ground, and without those that leave it.

    The first corners that reach it are the lowest one, and those that are there at the same instant.
    """
    x, p, chart = instant.x, instant.p, instant.chart
    if crossed[B.body_down]:
        return chart | corners_that_land(x, p, pose) << CORNER_BITS
    for j in range(N_CORNERS):
        if crossed[B.corner0 + j]:
            chart ^= 1 << (CORNER_BITS + j)
    return chart


def land(instant, pose, chart, i):
    """Let a toe meet the ground, in an impact that takes its normal speed; it sticks, slips, or leaves at once.

    It sticks if it would, at rest. Otherwise it keeps its speed along the ground, as a share of that of free sliding.
    """
    x, toe = instant.x, S.f0_x + 3 * i
    x[S.impact_loss] += toe_energy(x, instant.p, i)
    velocity = to_body(pose.rotation, landing_velocity(instant, pose, i))
    put(x, S.fdot0_x + 3 * i, ZERO)
    x[toe + 2] = height(x[toe], x[toe + 1], instant.p)
    foot = find_foot(instant, pose, i)
    if holds(rest_toe(foot), instant.p):
        return with_leg(chart, i, STUCK)
    free = free_toe(foot).velocity
    share = dot(velocity, free) / max(dot(free, free), LEAST_SQUARE)
    release = min(max(share, LEAST_RELEASE), 1.0)
    slipping = stand(foot, SLIPPING, release)
    if slipping.push > 0.0:
        return slip_from(release, x, chart, i)
    return let_go(instant, pose, chart, i, slipping, -dot(velocity, foot.normal))


def landing_velocity(instant, pose, i):
    """Return the velocity of a toe that comes down [m/s], in W."""
    leg = find_leg(instant.x, instant.p, pose, i)
    motion = load_flying_leg(leg, find_hip(instant, leg), instant.x, pose)
    return flying_velocity(leg, motion, instant.x, instant.p, pose)


def settle(instant, pose, chart, i):
    """Decide whether a toe on the ground goes on as it is, slips or leaves, where torques may have jumped."""
    x = instant.x
    toe = stand(find_foot(instant, pose, i), contact_of(chart, i), x[S.release0 + i])
    if toe.push <= 0.0:
        return let_go(instant, pose, chart, i, toe, 0.0)
    if not is_slipping(chart, i) and holds(toe, instant.p):
        return chart
    return slip_from(max(x[S.release0 + i], LEAST_RELEASE), x, chart, i)


def holds(toe, p):
    """Return whether friction holds a resting toe."""
    return toe.push > 0.0 and cone_margin(toe, p) >= 0.0


def slip_from(release, x_new, chart, i):
    """Let a toe slip, beginning with a release."""
    x_new[S.release0 + i] = release
    return with_leg(chart, i, SLIPPING)


def let_go(instant, pose, chart, i, toe, speed):
    """Let a toe leave the ground with its velocity along it; `speed` [m/s] is that with which it came down.

    It rises with takeoff_speed; if it came down faster than that while its leg pulls, as fast as the pull and the
    dampers demand, no faster than it came. Without that it would land at once where its sideways motion presses it
    down: again and again, at shorter and shorter intervals, until the leg does not pull any more. A massless toe
    leaves where it would rise without friction; else it slides freely, and the ground pushes it.
    """
    if not has_mass(instant.p) and free_toe(find_foot(instant, pose, i)).push > -0.5 * LEAST_PULL:
        return slip_from(1.0, instant.x, chart, i)
    rise = instant.p[P.takeoff_speed]
    if speed > rise:
        rise = max(min(rising_speed(find_foot(instant, pose, i), toe), speed), rise)
    instant.x[S.release0 + i] = 0.0
    take_off(instant.x, instant.p, i, to_world(pose.rotation, toe.velocity), rise)
    return with_leg(chart, i, FLIGHT)


def take_off(x_new, p, i, velocity, rise):
    """Write the state of a toe that leaves the ground: velocity along the ground, and `rise` along its normal [m/s]."""
    toe = S.f0_x + 3 * i
    slopes = gradient(x_new[toe], x_new[toe + 1], p)
    x_new[toe + 2] = height(x_new[toe], x_new[toe + 1], p)
    if not has_mass(p):
        return
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

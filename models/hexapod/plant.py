"""The hexapod without its controller: flow, boundaries, start and checks. See `model` for the whole.

`torque(t, leg, phi, phidot)` [N m], the demand on the motor of a leg, and `hip_angle(t, leg)` [rad], the posture in
which a run begins, come from the controller.
"""

from .body import Wrench, find_pose, move_body, push_of, squared_length, turn_initial_attitude
from .contact import cone_margin, find_foot, rest_toe, slide_toe, stand, stick_margin
from .legs import add_load, damper_power, find_leg, load_flying_leg, put_toe
from .motor import Instant, current, discharge_rate, find_hip
from .records import (
    EMPTY_BIT,
    N_LEGS,
    NO_ATTITUDE,
    PULLING,
    SLIPPING,
    STUCK,
    TOO_LONG,
    TOPPLED,
    UNDERGROUND,
    B,
    P,
    S,
    contact_of,
    in_stance,
    is_empty,
    is_slipping,
    with_leg,
)
from .terrain import along_ground, height
from .transitions import settle
from .vectors import ZERO, dot, put, to_world, vector_at

PULL_TOLERANCE, DEPTH_TOLERANCE = 1e-6, 1e-9
"""Largest pull [N] of a leg in stance, and depth of a toe in flight [m], that rounding may leave at an event."""


def vector_field(xdot, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    load, amperes = Wrench(ZERO, ZERO), 0.0
    work, damper_loss, friction_loss = 0.0, 0.0, 0.0
    for i in range(N_LEGS):
        if in_stance(chart, i):
            foot = find_foot(instant, pose, i)
            leg, toe = foot.leg, rest_toe(foot)
            if is_slipping(chart, i):
                toe, xdot[S.release0 + i] = slide_toe(foot, x[S.release0 + i])
                slip(xdot, x, p, i, to_world(pose.rotation, toe.velocity))
                friction_loss += dot(toe.motion.force, toe.velocity)
            motion, loads_body = toe.motion, True
        else:
            leg = find_leg(x, p, pose, i)
            motion, loads_body = load_flying_leg(leg, find_hip(instant, leg), x, pose), p[P.flight_reaction] != 0.0
            fly(xdot, x, p, i, to_world(pose.rotation, motion.force))
        gear_loss = p[P.hip_damping] * motion.phidot * motion.phidot
        if loads_body:
            load = add_load(load, leg, motion.force)
            damper_loss += damper_power(leg, motion) + gear_loss
            work += motion.torque * motion.phidot + gear_loss
        amperes += abs(current(motion.torque + p[P.hip_damping] * motion.phidot, p))
    move_body(xdot, x, p, pose, load)
    work += dot(push_of(p), vector_at(x, S.v_x))
    xdot[S.motor_work], xdot[S.damper_loss], xdot[S.friction_loss] = work, damper_loss, friction_loss
    if not is_empty(chart):
        xdot[S.charge] = -discharge_rate(amperes, p)


def slip(xdot, x, p, i, velocity):
    """Write the velocity of a toe that slips [m/s], in W, along the ground to the last bit."""
    toe = S.f0_x + 3 * i
    put(xdot, toe, along_ground(x[toe], x[toe + 1], p, velocity))


def fly(xdot, x, p, i, force):
    """Write the slopes of a toe in flight, under the force of its leg [N], in W."""
    mass = p[P.leg_mass]
    for axis in range(3):
        xdot[S.f0_x + 3 * i + axis] = x[S.fdot0_x + 3 * i + axis]
    rate = S.fdot0_x + 3 * i
    xdot[rate], xdot[rate + 1], xdot[rate + 2] = force.x / mass, force.y / mass, force.z / mass


def boundaries(g, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    for i in range(N_LEGS):
        if not in_stance(chart, i):
            g[B.touchdown0 + 2 * i] = gap(x, p, i)
            continue
        foot = find_foot(instant, pose, i)
        toe, rest = stand(foot, contact_of(chart, i), x[S.release0 + i]), rest_toe(foot)
        g[B.liftoff0 + 2 * i] = toe.push
        if is_slipping(chart, i):
            g[B.stick0 + i] = stick_margin(x[S.release0 + i], cone_margin(rest, p))
        else:
            g[B.slip0 + i] = cone_margin(rest, p)
    if not is_empty(chart):
        g[B.battery_empty] = x[S.charge]


def gap(x, p, i):
    """Return the height of the toe above the ground [m]."""
    toe = S.f0_x + 3 * i
    return x[toe + 2] - height(x[toe], x[toe + 1], p)


def initial_chart(x_new, t, x, p, torque, hip_angle):
    """Put the toes in posture, unless that has been done (`posed`); those that reach the ground start in stance."""
    if has_no_attitude(x):
        return 0
    turn_initial_attitude(x_new)
    pose, chart = find_pose(x_new), 0
    if x_new[S.charge] <= 0.0:
        chart |= 1 << EMPTY_BIT
    instant = Instant(t, x_new, p, chart, torque)
    for i in range(N_LEGS):
        if x[S.posed] == 0.0:
            put_toe(x_new, p, pose, i, hip_angle(t, i))
        depth = -gap(x_new, p, i)
        if depth > 0.0 or (depth == 0.0 and rests(x_new, i)):
            x_new[S.f0_z + 3 * i] = height(x_new[S.f0_x + 3 * i], x_new[S.f0_y + 3 * i], p)
            put(x_new, S.fdot0_x + 3 * i, ZERO)
            contact = SLIPPING if x_new[S.release0 + i] > 0.0 else STUCK
            chart = settle(instant, pose, with_leg(chart, i, contact), i)
    x_new[S.posed] = 1.0
    return chart


def rests(x, i):
    """Return whether the velocity of the toe is zero."""
    velocity = vector_at(x, S.fdot0_x + 3 * i)
    return velocity.x == 0.0 and velocity.y == 0.0 and velocity.z == 0.0


def has_no_attitude(x):
    """Return whether the quaternion is so short that it has no direction."""
    return squared_length(x) < 1e-12


def validate(t, x, p, chart, torque):
    if has_no_attitude(x):
        return NO_ATTITUDE
    if x[S.r_z] < height(x[S.r_x], x[S.r_y], p):
        return TOPPLED
    instant, pose, warning = Instant(t, x, p, chart, torque), find_pose(x), 0
    for i in range(N_LEGS):
        if in_stance(chart, i):
            foot = find_foot(instant, pose, i)
            if stand(foot, contact_of(chart, i), x[S.release0 + i]).push < -PULL_TOLERANCE:
                return PULLING
            if foot.leg.rho > p[P.q_rl]:
                warning = TOO_LONG
        elif gap(x, p, i) < -DEPTH_TOLERANCE:
            return UNDERGROUND
    return warning

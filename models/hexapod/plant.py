"""The hexapod without its controller: flow, boundaries, start and checks. See `model` for the whole.

`torque(t, leg, phi, phidot)` [N m], the demand on the motor of a leg, and `hip_angle(t, leg)` [rad], the posture in
which a run begins, come from the controller.
"""

from .body import Wrench, find_pose, move_body, push_of, squared_length, turn_initial_attitude
from .contact import cone_margin, find_foot, rest_toe, slide_toe, stand, stick_margin
from .corners import body_gap, corner_gap, corners_below, press_body
from .legs import add_load, damper_power, find_leg, flying_velocity, has_mass, load_flying_leg, put_toe
from .motor import Instant, current, discharge_rate, find_hip
from .records import (
    CORNER_BITS,
    EMPTY_BIT,
    HUNT_CROSSLEY,
    MAPPED,
    N_CORNERS,
    N_LEGS,
    NO_ATTITUDE,
    NO_FLIGHT,
    NO_MAP,
    NO_TREAD,
    PULLING,
    SLIPPING,
    STAIRS,
    STUCK,
    SUNK,
    TOO_LIGHT,
    TOO_LONG,
    TOPPLED,
    UNDERGROUND,
    UNUSED_MAP,
    B,
    P,
    S,
    contact_of,
    corners_of,
    has_corner,
    in_stance,
    is_empty,
    is_slipping,
    with_leg,
)
from .terrain import along_ground, height
from .transitions import LEAST_PULL, settle
from .vectors import ZERO, dot, put, to_world, vector_at

PULL_TOLERANCE, DEPTH_TOLERANCE = 1e-6, 1e-9
"""Largest pull [N] of a leg in stance, and depth of a toe in flight [m], that rounding may leave at an event."""
LEAST_MASS = 1e-5
"""Least mass of a toe that has one [kg]; its rates go with 1 / mass, and are 2e6/s here."""


def vector_field(xdot, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    write_slopes(xdot, xdot, instant, pose, False)


def boundaries(g, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    for i in range(N_LEGS):
        if in_stance(chart, i):
            foot = find_foot(instant, pose, i)
            rest = rest_toe(foot)
            write_margins(g, instant, i, stand(foot, contact_of(chart, i), x[S.release0 + i]), rest)
        else:
            g[B.touchdown0 + 2 * i] = gap(x, p, i)
    write_other_boundaries(g, instant, pose)


def slopes_and_boundaries(xdot, g, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    write_slopes(xdot, g, instant, pose, True)
    write_other_boundaries(g, instant, pose)


def write_slopes(xdot, g, instant, pose, watches):
    """Write all slopes; and into g the boundaries of the legs, which follow from the same forces, if it `watches`."""
    x, p, chart = instant.x, instant.p, instant.chart
    load, effort = Wrench(ZERO, ZERO), 0.0
    work, damper_loss, friction_loss = 0.0, 0.0, 0.0
    for i in range(N_LEGS):
        if in_stance(chart, i):
            foot = find_foot(instant, pose, i)
            leg, rest = foot.leg, rest_toe(foot)
            toe = rest
            if is_slipping(chart, i):
                toe, xdot[S.release0 + i] = slide_toe(foot, x[S.release0 + i])
                slip(xdot, x, p, i, to_world(pose.rotation, toe.velocity))
                friction_loss += dot(toe.motion.force, toe.velocity)
            if watches:
                write_margins(g, instant, i, toe, rest)
            motion, loads_body = toe.motion, True
        else:
            leg = find_leg(x, p, pose, i)
            motion, loads_body = load_flying_leg(leg, find_hip(instant, leg), x, pose), p[P.flight_reaction] != 0.0
            fly(xdot, x, p, pose, leg, motion)
            if watches:
                g[B.touchdown0 + 2 * i] = gap(x, p, i)
        gear_loss = p[P.hip_damping] * motion.phidot * motion.phidot
        if loads_body:
            load = add_load(load, leg, motion.force)
            damper_loss += damper_power(leg, motion) + gear_loss
            work += motion.torque * motion.phidot + gear_loss
        effort += abs(motion.torque + p[P.hip_damping] * motion.phidot)
    if corners_of(chart):
        contact = press_body(x, p, chart, pose, load)
        load = contact.load
        damper_loss, friction_loss = damper_loss + contact.damper_loss, friction_loss + contact.friction_loss
    move_body(xdot, x, p, pose, load)
    work += dot(push_of(p), vector_at(x, S.v_x))
    xdot[S.motor_work], xdot[S.damper_loss], xdot[S.friction_loss] = work, damper_loss, friction_loss
    if not is_empty(chart):
        xdot[S.charge] = -discharge_rate(current(effort, p), p)


def slip(xdot, x, p, i, velocity):
    """Write the velocity of a toe that slips [m/s], in W, along the ground to the last bit."""
    toe = S.f0_x + 3 * i
    put(xdot, toe, along_ground(x[toe], x[toe + 1], p, velocity))


def fly(xdot, x, p, pose, leg, motion):
    """Write the slopes of a toe in flight, under the force of its leg; the velocity of one without mass is no state."""
    put(xdot, S.f0_x + 3 * leg.i, flying_velocity(leg, motion, x, p, pose))
    if has_mass(p):
        mass, rate, force = p[P.leg_mass], S.fdot0_x + 3 * leg.i, to_world(pose.rotation, motion.force)
        xdot[rate], xdot[rate + 1], xdot[rate + 2] = force.x / mass, force.y / mass, force.z / mass


def write_margins(g, instant, i, toe, rest):
    """Write the boundaries of a toe on the ground; `rest` is what it would be at rest."""
    x, p = instant.x, instant.p
    g[B.liftoff0 + 2 * i] = toe.push + (0.0 if has_mass(p) else LEAST_PULL)
    if is_slipping(instant.chart, i):
        g[B.stick0 + i] = stick_margin(x[S.release0 + i], cone_margin(rest, p))
    else:
        g[B.slip0 + i] = cone_margin(rest, p)


def write_other_boundaries(g, instant, pose):
    """Write the boundaries of the body and the battery."""
    x, p, chart = instant.x, instant.p, instant.chart
    if corners_of(chart):
        for j in range(N_CORNERS):
            above = corner_gap(x, p, pose, j)
            g[B.corner0 + j] = -above if has_corner(chart, j) else above
    else:
        g[B.body_down] = body_gap(x, p, pose)
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
    pose = find_pose(x_new)
    chart = corners_below(x_new, p, pose, 0.0) << CORNER_BITS
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
    fault = find_fault(x, p)
    if fault:
        return fault
    warning = find_warning(x, p)
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
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


def find_fault(x, p):
    """Return the message about a state or parameters that no leg is needed to refuse; 0 if there is none."""
    if has_no_attitude(x):
        return NO_ATTITUDE
    if not has_mass(p) and p[P.damping] == HUNT_CROSSLEY:
        return NO_FLIGHT
    if has_mass(p) and p[P.leg_mass] < LEAST_MASS:
        return TOO_LIGHT
    if p[P.terrain] == MAPPED and not has_map(p):
        return NO_MAP
    if p[P.terrain] == STAIRS and p[P.terrain_arg2] <= 0.0:
        return NO_TREAD
    return TOPPLED if p[P.body_stiffness] == 0.0 and is_sunk(x, p) else 0


def find_warning(x, p):
    """Return what the user should know about a run that goes on; 0 if there is nothing."""
    if is_sunk(x, p):
        return SUNK
    return UNUSED_MAP if p[P.terrain] != MAPPED and has_map(p) else 0


def is_sunk(x, p):
    """Return whether the body's centre is below the ground."""
    return x[S.r_z] < height(x[S.r_x], x[S.r_y], p)


def has_map(p):
    """Return whether the height map is more than its default, one zero."""
    first = int(p[P.height_map])
    return p[first] > 1.0 or p[first + 1] > 1.0 or p[first + 2] != 0.0

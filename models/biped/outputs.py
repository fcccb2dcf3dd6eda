"""What is recorded: mass centre, centre of pressure, wrenches, torques, angles by side, powers and energies."""

import math

from hybridsim import scratch
from hybridsim.multibody import (
    Vector,
    centre_of_mass,
    kinetic_energy,
    momentum,
    point_of,
    potential_energy,
    rotation_of,
    velocity_of,
)
from hybridsim.multibody.vectors import length_of, put, times

from .anthropometry import HAT_MASS, SOLE_WIDTH
from .body import DATA, FIRST_JOINT, MOTION, N_JOINTS, ORIGIN, TREE, F, N, Q, U, describe, heel1, heel2, toe1, toe2
from .contacts import FX, FY, FZ, N_WRENCH, TX, TY, ahead_of, contact_of, contact_point, own_moments
from .dynamics import (
    N_REACTIONS,
    Instant,
    accelerate,
    build_of,
    gravity_of,
    joint_torque,
    motor_power,
    yaw_moment_about_toe,
)
from .frame import frame_of, in_world, place_in_world
from .limits import HINGED, sole1, sole2
from .records import FLAT, P, S, Y, foot1_of, foot2_of, mirror_of, mode_of, on_ground, slips


def outputs(y, t, x, p, chart, torque, sole_moment):
    instant = Instant(t, x, p, chart, torque, sole_moment)
    udot, forces, motion, data = scratch(N), scratch(N_REACTIONS), scratch(MOTION), scratch(DATA)
    accelerate(udot, forces, motion, instant)
    describe(data, build_of(p))
    write_centre(y, motion, data, instant)
    write_pressure(y, forces, motion, instant)
    write_wrenches(y, forces, frame_of(x, chart))
    yaw_moment = mirror_of(chart) * yaw_moment_about_toe(udot, forces, motion, instant)
    y[Y.tz1] = yaw_moment if on_ground(foot1_of(chart)) else math.nan
    y[Y.fz_right + mode_of(chart)], y[Y.fz_left - mode_of(chart)] = forces[FZ], forces[N_WRENCH + FZ]
    for i in range(N_JOINTS):
        y[Y.torque_ankle1_x + i] = joint_torque(forces, instant, i)
    write_legs(y, forces, instant)
    write_feet(y, motion, instant)
    write_trunk(y, motion, frame_of(x, chart))
    write_margins(y, forces, motion, instant)
    y[Y.motor_power] = motor_power(forces, motion, instant)
    y[Y.kinetic] = kinetic_energy(motion, TREE, data)
    y[Y.potential] = potential_energy(motion, TREE, data, gravity_of(p))
    energy = y[Y.kinetic] + y[Y.potential]
    y[Y.energy_balance] = energy + x[S.impact_loss] + x[S.slip_loss] - x[S.motor_work] - x[S.push_work]
    write_slips(y, motion, instant)


def write_centre(y, motion, data, instant):
    """Write position and velocity of the mass centre."""
    frame, mass = frame_of(instant.x, instant.chart), instant.p[P.mass]
    centre, moving = centre_of_mass(motion, TREE, data), momentum(motion, TREE, data)
    total = mass * (1.0 + HAT_MASS * (instant.p[P.hat_factor] - 1.0))
    put(y, Y.com_x, place_in_world(frame, centre))
    put(y, Y.com_vx, in_world(frame, times(1.0 / total, moving)))


def write_pressure(y, forces, motion, instant):
    """Write the centre of pressure of both feet together (Menga and Ghirardi 2016)."""
    toe, heel = point_of(motion, F.foot1, ORIGIN), point_of(motion, F.foot2, heel2(instant.p[P.stature]))
    total = forces[FZ] + forces[N_WRENCH + FZ]
    x = toe.x * forces[FZ] - forces[TY] + heel.x * forces[N_WRENCH + FZ] - forces[N_WRENCH + TY]
    y_moment = toe.y * forces[FZ] + forces[TX] + heel.y * forces[N_WRENCH + FZ] + forces[N_WRENCH + TX]
    known = on_ground(foot1_of(instant.chart)) or on_ground(foot2_of(instant.chart))
    y[Y.cop_x] = y[Y.cop_y] = math.nan
    if known:
        place = place_in_world(frame_of(instant.x, instant.chart), Vector(x / total, y_moment / total, 0.0))
        y[Y.cop_x], y[Y.cop_y] = place.x, place.y


def write_wrenches(y, forces, frame):
    """Write forces and moments of the ground on both feet; the mirror image of a moment has the other sign."""
    for foot in range(2):
        first, at = N_WRENCH * foot, Y.fx1 + N_WRENCH * foot
        put(y, at + FX, in_world(frame, Vector(forces[first + FX], forces[first + FY], forces[first + FZ])))
        moment = in_world(frame, Vector(frame.mirror * forces[first + TX], frame.mirror * forces[first + TY], 0.0))
        y[at + TX], y[at + TY] = moment.x, moment.y


def write_legs(y, forces, instant):
    """Write the angles and torques of hip, knee and ankle about y, by side."""
    x, mode = instant.x, mode_of(instant.chart)
    per_side = Y.hip_left - Y.hip_right
    of_leg1, of_leg2 = per_side * mode, per_side * (1 - mode)
    y[Y.hip_right + of_leg1], y[Y.hip_right + of_leg2] = x[Q.hip1_y], -x[Q.hip2_y]
    y[Y.knee_right + of_leg1], y[Y.knee_right + of_leg2] = -x[Q.knee1], x[Q.knee2]
    y[Y.ankle_right + of_leg1], y[Y.ankle_right + of_leg2] = x[Q.ankle1_y], -x[Q.ankle2_y]
    first = Y.torque_ankle1_x - FIRST_JOINT
    y[Y.hip_torque_right + of_leg1] = -y[first + U.hip1_ydot]
    y[Y.hip_torque_right + of_leg2] = y[first + U.hip2_ydot]
    y[Y.knee_torque_right + of_leg1], y[Y.knee_torque_right + of_leg2] = y[first + U.knee1dot], -y[first + U.knee2dot]
    y[Y.ankle_torque_right + of_leg1] = -y[first + U.ankle1_ydot]
    y[Y.ankle_torque_right + of_leg2] = y[first + U.ankle2_ydot]


def write_feet(y, motion, instant):
    """Write where heels and toes are."""
    h, mode, frame = instant.p[P.stature], mode_of(instant.chart), frame_of(instant.x, instant.chart)
    per_side = Y.heel_left_x - Y.heel_right_x
    foot1, foot2 = Y.heel_right_x + per_side * mode, Y.heel_right_x + per_side * (1 - mode)
    write_point(y, foot1, point_of(motion, F.foot1, heel1(h)), frame)
    write_point(y, foot1 + 3, point_of(motion, F.foot1, toe1(h)), frame)
    write_point(y, foot2, point_of(motion, F.foot2, heel2(h)), frame)
    write_point(y, foot2 + 3, point_of(motion, F.foot2, toe2(h)), frame)


def write_point(y, first, point, frame):
    put(y, first, place_in_world(frame, point))


def write_trunk(y, motion, frame):
    """Write the attitude of the trunk: it yaws, then pitches, then rolls."""
    axes = rotation_of(motion, F.hat)
    y[Y.trunk_yaw] = frame.heading + frame.mirror * math.atan2(axes.x.y, axes.x.x)
    y[Y.trunk_pitch] = -math.asin(axes.x.z)
    y[Y.trunk_roll] = frame.mirror * math.atan2(axes.y.z, axes.z.z)


def write_margins(y, forces, motion, instant):
    """Write how much friction the feet use, and how far the centres of pressure are from the edges of the soles."""
    p, chart = instant.p, instant.chart
    y[Y.friction_used], y[Y.sole_margin] = 0.0, 0.5 * SOLE_WIDTH * p[P.stature]
    for foot in range(2):
        contact = contact_of(chart, foot)
        if on_ground(contact):
            whole = contact == FLAT or p[P.feet] == HINGED
            sole = sole1(p, chart) if foot == 0 else sole2(p, chart)
            write_margins_of_foot(y, forces, foot, sole, whole, p, ahead_of(motion, chart, foot))


def write_margins_of_foot(y, forces, foot, sole, whole, p, ahead):
    """Take in one foot that points ahead, with the ends of its support, `sole` [m]; a point has no margin along it."""
    first = N_WRENCH * foot
    fz = forces[first + FZ]
    used = math.sqrt(forces[first + FX] ** 2 + forces[first + FY] ** 2) / fz if fz > 0.0 else math.inf
    y[Y.friction_used] = max(y[Y.friction_used], used)
    if fz == 0.0:
        return
    back, front = sole
    roll, pitch = own_moments(forces, first, ahead)
    along = -pitch / fz
    margin = 0.5 * SOLE_WIDTH * p[P.stature] - abs(roll / fz)
    if whole:
        margin = min(margin, along - back, front - along)
    y[Y.sole_margin] = min(y[Y.sole_margin], margin)


def write_slips(y, motion, instant):
    """Write how fast the points move that the ground holds, and how fast a foot slips."""
    p, chart = instant.p, instant.chart
    y[Y.drift_speed], y[Y.slip_speed] = 0.0, 0.0
    for foot in range(2):
        if not on_ground(contact_of(chart, foot)):
            continue
        point = contact_point(chart, foot, p[P.stature])
        velocity = velocity_of(motion, point.frame, point.place)
        if slips(chart, foot):
            y[Y.slip_speed] = max(y[Y.slip_speed], length_of(Vector(velocity.x, velocity.y, 0.0)))
            velocity = Vector(0.0, 0.0, velocity.z)
        y[Y.drift_speed] = max(y[Y.drift_speed], length_of(velocity))

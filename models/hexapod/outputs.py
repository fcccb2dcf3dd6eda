"""The outputs: kinematics, forces, power and energy."""

import math

from .body import angular_momentum, attitude_angle, find_pose, push_of
from .contact import find_foot, stand, toe_inertia
from .corners import press_corner
from .legs import find_leg, load_flying_leg, spring_energy
from .motor import Instant, back_emf, current, discharge_rate, find_hip, voltage
from .records import N_CORNERS, N_LEGS, SLIPPING, P, S, Y, contact_of, has_corner, in_stance
from .terrain import height
from .transitions import toe_energy
from .vectors import ZERO, dot, minus, plus, put, times, to_body, to_world, vector_at

SUMS = (
    *(Y.ground_force, Y.hip_power, Y.positive_power, Y.electrical_power, Y.battery_current),
    *(Y.toe_energy, Y.spring_energy, Y.corner_energy, Y.body_ground_x, Y.body_ground_y, Y.body_ground_z),
    *(Y.accelerometer_x, Y.accelerometer_y, Y.accelerometer_z),
)
"""Indices of the outputs that are sums over the legs, or over the corners of the body."""
LEAST_SPEED = 1e-3
"""Speed below which the specific resistances are those of this speed [m/s]; at rest they would be infinite."""
LEAST_CURRENT = 0.1
"""Current below which the range is that of this current [A]; without any it would be infinite."""


def outputs(y, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    for total in SUMS:
        y[total] = 0.0
    write_body(y, t, x, p, pose)
    write_load(y, p, to_body(pose.rotation, times(-1.0, push_of(p))))
    for i in range(N_LEGS):
        if in_stance(chart, i):
            write_standing_leg(y, instant, pose, i)
        else:
            write_flying_leg(y, instant, pose, i)
    write_corners(y, instant, pose)
    write_economy(y, p)
    y[Y.energy] = y[Y.kinetic_energy] + p[P.body_mass] * p[P.g] * x[S.r_z] + y[Y.spring_energy] + y[Y.corner_energy]
    if p[P.flight_reaction] != 0.0:
        y[Y.energy] += y[Y.toe_energy]


def write_economy(y, p):
    """Write what the body's way costs: the specific resistances (Gabrielli and von Karman 1950), and the range."""
    effort = max(p[P.body_mass] * abs(p[P.g]), 1e-9) * max(abs(y[Y.speed]), LEAST_SPEED)
    y[Y.specific_resistance] = y[Y.positive_power] / effort
    y[Y.electrical_resistance] = y[Y.electrical_power] / effort
    rate = discharge_rate(max(y[Y.battery_current], LEAST_CURRENT), p)
    y[Y.range] = 1e-3 * y[Y.charge] * y[Y.ground_speed] / rate


def write_body(y, t, x, p, pose):
    """Write the outputs of the body and its battery that do not depend on the legs."""
    y[Y.time], y[Y.charge] = t, x[S.charge]
    velocity, omega = vector_at(x, S.v_x), vector_at(x, S.omega_x)
    put(y, Y.r_x, vector_at(x, S.r_x))
    put(y, Y.v_x, velocity)
    put(y, Y.omega_x, omega)
    put(y, Y.gyro_x, pose.spin)
    put(y, Y.momentum_x, times(p[P.body_mass], velocity))
    for axis in range(3):
        y[Y.body_roll + axis] = attitude_angle(pose.rotation, axis)
    ahead_x, ahead_y = pose.rotation.x.y, pose.rotation.y.y
    ahead = math.sqrt(ahead_x * ahead_x + ahead_y * ahead_y)
    y[Y.speed] = (ahead_x * velocity.x + ahead_y * velocity.y) / max(ahead, 1e-9)
    y[Y.ground_speed] = math.sqrt(velocity.x * velocity.x + velocity.y * velocity.y)
    y[Y.clearance] = x[S.r_z] - height(x[S.r_x], x[S.r_y], p)
    turning = dot(pose.spin, angular_momentum(p, pose.spin))
    y[Y.kinetic_energy] = 0.5 * p[P.body_mass] * dot(velocity, velocity) + 0.5 * turning


def write_corners(y, instant, pose):
    """Write the outputs of the body's corners."""
    for j in range(N_CORNERS):
        y[Y.corner_push0 + j], y[Y.corner_drag0 + j] = 0.0, 0.0
        if has_corner(instant.chart, j):
            corner = press_corner(instant.x, instant.p, pose, j)
            y[Y.corner_push0 + j], y[Y.corner_drag0 + j] = corner.push, corner.drag
            y[Y.corner_energy] += corner.energy
            force = to_world(pose.rotation, corner.force)
            put(y, Y.body_ground_x, plus(vector_at(y, Y.body_ground_x), force))
            write_load(y, instant.p, times(-1.0, corner.force))


def write_standing_leg(y, instant, pose, i):
    """Write the outputs of a leg in stance."""
    foot, contact = find_foot(instant, pose, i), contact_of(instant.chart, i)
    toe = stand(foot, contact, instant.x[S.release0 + i])
    on_body = times(-1.0, toe.motion.force)
    y[Y.stance0 + i], y[Y.slipping0 + i] = 1.0, 1.0 if contact == SLIPPING else 0.0
    y[Y.push0 + i], y[Y.drag0 + i] = toe.push, toe.drag
    y[Y.excess0 + i] = max(toe.drag - instant.p[P.friction_coeff] * toe.push, 0.0)
    write_ground(y, i, to_world(pose.rotation, on_body), on_body)
    write_inertia(y, i, to_world(pose.rotation, toe_inertia(foot, toe)))
    write_load(y, instant.p, toe.motion.force)
    y[Y.ground_force] += toe.push
    y[Y.spring_energy] += spring_energy(foot.leg, instant.p)
    write_hip(y, instant.p, foot.leg, toe.motion)


def write_flying_leg(y, instant, pose, i):
    """Write the outputs of a leg in flight."""
    leg = find_leg(instant.x, instant.p, pose, i)
    y[Y.stance0 + i], y[Y.slipping0 + i] = 0.0, 0.0
    y[Y.push0 + i], y[Y.drag0 + i], y[Y.excess0 + i] = 0.0, 0.0, 0.0
    write_ground(y, i, ZERO, ZERO)
    write_inertia(y, i, ZERO)
    y[Y.toe_energy] += toe_energy(instant.x, instant.p, i)
    motion = load_flying_leg(leg, find_hip(instant, leg), instant.x, pose)
    if instant.p[P.flight_reaction] != 0.0:
        y[Y.spring_energy] += spring_energy(leg, instant.p)
        momentum = times(instant.p[P.leg_mass], vector_at(instant.x, S.fdot0_x + 3 * i))
        put(y, Y.momentum_x, plus(vector_at(y, Y.momentum_x), momentum))
        write_load(y, instant.p, motion.force)
    write_hip(y, instant.p, leg, motion)


def write_ground(y, i, in_world, in_body):
    """Write the force of the ground on the body [N]. The components of six toes lie together: six x, six y, six z."""
    y[Y.ground0_x + i], y[Y.ground0_y + i], y[Y.ground0_z + i] = in_world.x, in_world.y, in_world.z
    y[Y.contact0_x + i], y[Y.contact0_y + i], y[Y.contact0_z + i] = in_body.x, in_body.y, in_body.z


def write_inertia(y, i, force):
    """Write what the inertia of a toe that slips takes [N], in W."""
    y[Y.inertia0_x + i], y[Y.inertia0_y + i], y[Y.inertia0_z + i] = force.x, force.y, force.z


def write_load(y, p, force):
    """Add what the reaction to a force [N], such as that of a leg on its toe, does to the accelerometer."""
    sensed = minus(vector_at(y, Y.accelerometer_x), times(1.0 / p[P.body_mass], force))
    put(y, Y.accelerometer_x, sensed)


def write_hip(y, p, leg, motion):
    """Write the outputs of a leg's coordinates and motor."""
    torque = motion.torque + p[P.hip_damping] * motion.phidot
    power = torque * motion.phidot
    y[Y.rho0 + leg.i], y[Y.theta0 + leg.i], y[Y.phi0 + leg.i] = leg.rho, leg.theta, leg.phi
    y[Y.rhodot0 + leg.i], y[Y.thetadot0 + leg.i], y[Y.phidot0 + leg.i] = motion.rhodot, motion.thetadot, motion.phidot
    y[Y.torque0 + leg.i], y[Y.power0 + leg.i] = torque, power
    amperes, volts = current(torque, p), voltage(torque, motion.phidot, p)
    y[Y.current0 + leg.i], y[Y.terminal_voltage0 + leg.i] = amperes, volts
    y[Y.back_emf0 + leg.i], y[Y.electrical_power0 + leg.i] = back_emf(motion.phidot, p), volts * amperes
    y[Y.hip_power] += power
    y[Y.positive_power] += max(power, 0.0)
    y[Y.electrical_power] += max(volts * amperes, 0.0)
    y[Y.battery_current] += abs(amperes)

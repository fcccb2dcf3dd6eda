"""The outputs: kinematics, forces, power and energy."""

import math

from .body import angular_momentum, attitude_angle, find_pose
from .contact import find_foot, ground_force, stand
from .legs import find_leg, load_flying_leg, spring_energy
from .motor import Instant, current, find_hip, voltage
from .records import N_LEGS, SLIPPING, P, S, Y, contact_of, in_stance
from .terrain import height
from .transitions import toe_energy
from .vectors import dot, plus, put, times, to_world, vector_at

SUMS = (Y.ground_force, Y.hip_power, Y.positive_power, Y.battery_current, Y.toe_energy, Y.spring_energy)
"""Indices of the outputs that are sums over the legs."""


def outputs(y, t, x, p, chart, torque):
    instant, pose = Instant(t, x, p, chart, torque), find_pose(x)
    for total in SUMS:
        y[total] = 0.0
    write_body(y, t, x, p, pose)
    for i in range(N_LEGS):
        if in_stance(chart, i):
            write_standing_leg(y, instant, pose, i)
        else:
            write_flying_leg(y, instant, pose, i)
    weight = p[P.body_mass] * abs(p[P.g])
    y[Y.specific_resistance] = y[Y.positive_power] / max(weight * abs(y[Y.speed]), 1e-9)
    y[Y.energy] = y[Y.kinetic_energy] + p[P.body_mass] * p[P.g] * x[S.r_z] + y[Y.spring_energy]
    if p[P.flight_reaction] != 0.0:
        y[Y.energy] += y[Y.toe_energy]


def write_body(y, t, x, p, pose):
    """Write the outputs of the body and the battery."""
    y[Y.time], y[Y.charge] = t, x[S.charge]
    velocity, omega = vector_at(x, S.v_x), vector_at(x, S.omega_x)
    put(y, Y.r_x, vector_at(x, S.r_x))
    put(y, Y.v_x, velocity)
    put(y, Y.omega_x, omega)
    put(y, Y.momentum_x, times(p[P.body_mass], velocity))
    for axis in range(3):
        y[Y.body_roll + axis] = attitude_angle(pose.rotation, axis)
    ahead_x, ahead_y = pose.rotation.x.y, pose.rotation.y.y
    ahead = math.sqrt(ahead_x * ahead_x + ahead_y * ahead_y)
    y[Y.speed] = (ahead_x * velocity.x + ahead_y * velocity.y) / max(ahead, 1e-9)
    y[Y.clearance] = x[S.r_z] - height(x[S.r_x], x[S.r_y], p)
    turning = dot(pose.spin, angular_momentum(p, pose.spin))
    y[Y.kinetic_energy] = 0.5 * p[P.body_mass] * dot(velocity, velocity) + 0.5 * turning


def write_standing_leg(y, instant, pose, i):
    """Write the outputs of a leg in stance."""
    foot, contact = find_foot(instant, pose, i), contact_of(instant.chart, i)
    toe = stand(foot, contact, instant.x[S.release0 + i])
    ground = to_world(pose.rotation, ground_force(foot, toe))
    y[Y.stance0 + i], y[Y.slipping0 + i] = 1.0, 1.0 if contact == SLIPPING else 0.0
    y[Y.push0 + i], y[Y.drag0 + i] = toe.push, toe.drag
    y[Y.excess0 + i] = max(toe.drag - instant.p[P.friction_coeff] * toe.push, 0.0)
    y[Y.ground0_x + i], y[Y.ground0_y + i], y[Y.ground0_z + i] = ground.x, ground.y, ground.z
    y[Y.ground_force] += toe.push
    y[Y.spring_energy] += spring_energy(foot.leg, instant.p)
    write_hip(y, instant.p, foot.leg, toe.motion)


def write_flying_leg(y, instant, pose, i):
    """Write the outputs of a leg in flight."""
    leg = find_leg(instant.x, instant.p, pose, i)
    y[Y.stance0 + i], y[Y.slipping0 + i] = 0.0, 0.0
    y[Y.push0 + i], y[Y.drag0 + i], y[Y.excess0 + i] = 0.0, 0.0, 0.0
    y[Y.ground0_x + i], y[Y.ground0_y + i], y[Y.ground0_z + i] = 0.0, 0.0, 0.0
    y[Y.toe_energy] += toe_energy(instant.x, instant.p, i)
    if instant.p[P.flight_reaction] != 0.0:
        y[Y.spring_energy] += spring_energy(leg, instant.p)
        momentum = times(instant.p[P.leg_mass], vector_at(instant.x, S.fdot0_x + 3 * i))
        put(y, Y.momentum_x, plus(vector_at(y, Y.momentum_x), momentum))
    write_hip(y, instant.p, leg, load_flying_leg(leg, find_hip(instant, leg), instant.x, pose))


def write_hip(y, p, leg, motion):
    """Write the outputs of a leg's coordinates and motor."""
    torque = motion.torque + p[P.hip_damping] * motion.phidot
    power = torque * motion.phidot
    y[Y.rho0 + leg.i], y[Y.theta0 + leg.i], y[Y.phi0 + leg.i] = leg.rho, leg.theta, leg.phi
    y[Y.torque0 + leg.i], y[Y.power0 + leg.i] = torque, power
    y[Y.current0 + leg.i] = current(torque, p)
    y[Y.terminal_voltage0 + leg.i] = voltage(torque, motion.phidot, p)
    y[Y.hip_power] += power
    y[Y.positive_power] += max(power, 0.0)
    y[Y.battery_current] += abs(current(torque, p))

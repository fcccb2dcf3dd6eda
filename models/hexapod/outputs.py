"""What people look at: kinematics, forces, power, energy."""

import math

from hybridsim import scratch

from .body import POSE, SPIN, find_pose
from .legs import DRAG, FORCE, LEG, PHI, PUSH, RATE_PHI, RHO, THETA, TORQUE, find_leg, load_flying_leg, spring_energy
from .motor import current, voltage
from .plant import stand, toe_energy
from .records import (
    BODY_MASS,
    CHARGE,
    FDOT,
    FLIGHT_REACTION,
    FRICTION_COEFF,
    HIP_DAMPING,
    J_11,
    LEG_MASS,
    N_LEGS,
    OMEGA_X,
    OUTPUTS,
    R_X,
    V_X,
    G,
    in_stance,
    is_slipping,
)
from .sensors import attitude_angle
from .terrain import height

TIME, OUT_R, OUT_V, OUT_ROLL, OUT_OMEGA, SPEED, CLEARANCE = (
    OUTPUTS.index(name) for name in ("time", "r_x", "v_x", "body_roll", "omega_x", "speed", "clearance")
)
OUT_RHO, OUT_THETA, OUT_PHI, OUT_STANCE, OUT_SLIPPING, OUT_PUSH, OUT_DRAG, OUT_EXCESS = (
    OUTPUTS.index(f"{name}0") for name in ("rho", "theta", "phi", "stance", "slipping", "push", "drag", "excess")
)
GROUND_X, OUT_TORQUE, OUT_POWER, OUT_CURRENT, OUT_VOLTAGE = (
    OUTPUTS.index(name) for name in ("ground0_x", "torque0", "power0", "current0", "terminal_voltage0")
)
GROUND_FORCE, HIP_POWER, POSITIVE_POWER, SPECIFIC_RESISTANCE, BATTERY_CURRENT, OUT_CHARGE = (
    OUTPUTS.index(name)
    for name in (
        "ground_force",
        "hip_power",
        "positive_power",
        "specific_resistance",
        "battery_current",
        "charge",
    )
)
KINETIC_ENERGY, TOE_ENERGY, SPRING_ENERGY, ENERGY, MOMENTUM_X = (
    OUTPUTS.index(name) for name in ("kinetic_energy", "toe_energy", "spring_energy", "energy", "momentum_x")
)
SUMS = (GROUND_FORCE, HIP_POWER, POSITIVE_POWER, BATTERY_CURRENT, TOE_ENERGY, SPRING_ENERGY)


def outputs(y, t, x, p, chart, torque):
    pose = scratch(POSE)
    find_pose(pose, x)
    for total in SUMS:
        y[total] = 0.0
    show_body(y, t, x, p, pose)
    for leg in range(N_LEGS):
        show_leg(y, t, x, p, chart, pose, leg, torque)
    speed = abs(y[SPEED])
    y[SPECIFIC_RESISTANCE] = y[POSITIVE_POWER] / max(p[BODY_MASS] * abs(p[G]) * speed, 1e-9)
    y[ENERGY] = y[KINETIC_ENERGY] + p[BODY_MASS] * p[G] * x[R_X + 2] + y[SPRING_ENERGY]
    if p[FLIGHT_REACTION] != 0.0:
        y[ENERGY] += y[TOE_ENERGY]


def show_body(y, t, x, p, pose):
    y[TIME], y[OUT_CHARGE] = t, x[CHARGE]
    for i in range(3):
        y[OUT_R + i], y[OUT_V + i], y[OUT_OMEGA + i] = x[R_X + i], x[V_X + i], x[OMEGA_X + i]
        y[MOMENTUM_X + i] = p[BODY_MASS] * x[V_X + i]
    for axis in range(3):
        y[OUT_ROLL + axis] = attitude_angle(pose, axis)
    ahead = math.sqrt(pose[1] * pose[1] + pose[4] * pose[4])
    y[SPEED] = (pose[1] * x[V_X] + pose[4] * x[V_X + 1]) / max(ahead, 1e-9)
    y[CLEARANCE] = x[R_X + 2] - height(x[R_X], x[R_X + 1], p)
    y[KINETIC_ENERGY] = 0.0
    for i in range(3):
        y[KINETIC_ENERGY] += 0.5 * p[BODY_MASS] * x[V_X + i] * x[V_X + i]
        for j in range(3):
            y[KINETIC_ENERGY] += 0.5 * pose[SPIN + i] * p[J_11 + 3 * i + j] * pose[SPIN + j]


def show_leg(y, t, x, p, chart, pose, leg, torque):
    c = scratch(LEG)
    find_leg(c, x, p, chart, pose, leg)
    stands = in_stance(chart, leg)
    y[OUT_STANCE + leg], y[OUT_SLIPPING + leg] = stands, is_slipping(chart, leg)
    for i in range(3):
        y[GROUND_X + N_LEGS * i + leg] = 0.0
    y[OUT_PUSH + leg], y[OUT_DRAG + leg], y[OUT_EXCESS + leg] = 0.0, 0.0, 0.0
    if stands:
        stand(c, t, x, p, chart, pose, leg, torque)
        show_ground(y, p, pose, c, leg)
    else:
        load_flying_leg(c, t, x, p, chart, pose, leg, torque)
        y[TOE_ENERGY] += toe_energy(x, p, leg)
    if stands or p[FLIGHT_REACTION] != 0.0:
        y[SPRING_ENERGY] += spring_energy(c, p, leg)
        for i in range(3):
            y[MOMENTUM_X + i] += 0.0 if stands else p[LEG_MASS] * x[FDOT + 3 * leg + i]
    y[OUT_RHO + leg], y[OUT_THETA + leg], y[OUT_PHI + leg] = c[RHO], c[THETA], c[PHI]
    show_motor(y, p, leg, c[TORQUE] + p[HIP_DAMPING] * c[RATE_PHI], c[RATE_PHI])


def show_ground(y, p, pose, c, leg):
    y[OUT_PUSH + leg], y[OUT_DRAG + leg] = c[PUSH], c[DRAG]
    y[OUT_EXCESS + leg] = max(c[DRAG] - p[FRICTION_COEFF] * c[PUSH], 0.0)
    y[GROUND_FORCE] += c[PUSH]
    for i in range(3):
        y[GROUND_X + N_LEGS * i + leg] = -(
            pose[3 * i] * c[FORCE] + pose[3 * i + 1] * c[FORCE + 1] + pose[3 * i + 2] * c[FORCE + 2]
        )


def show_motor(y, p, leg, torque, rate):
    power = torque * rate
    y[OUT_TORQUE + leg], y[OUT_POWER + leg] = torque, power
    y[OUT_CURRENT + leg], y[OUT_VOLTAGE + leg] = current(torque, p), voltage(torque, rate, p)
    y[HIP_POWER] += power
    y[POSITIVE_POWER] += max(power, 0.0)
    y[BATTERY_CURRENT] += abs(current(torque, p))

"""What the gait asks of the actuators: torques and rates that follow from the moments and rates of hip and knee."""

import math
from typing import NamedTuple

from hybridsim import scratch

from .linkage import HIP, KNEE, N, actuator_of, body_of
from .records import P
from .topologies import N_BODIES
from .winter import HARMONICS


class Gait(NamedTuple):
    """Angles [rad], rates [rad/s] and moments [N m] of hip and knee, towards flexion."""

    hip: float
    knee: float
    hip_rate: float
    knee_rate: float
    hip_moment: float
    knee_moment: float


class Demand(NamedTuple):
    """Torques [N m] and rates [rad/s] of both actuators, the singular values of their rates, and power [W]."""

    torque_1: float
    torque_2: float
    rate_1: float
    rate_2: float
    least: float
    largest: float
    power: float
    excess: float


def curve_at(values, p, first, turns):
    """Write value and slope per turn of a curve, whose numbers begin at `first`, after a number of turns."""
    value, slope = p[first], 0.0
    for k in range(1, HARMONICS + 1):
        angle, rate = 2.0 * math.pi * k * turns, 2.0 * math.pi * k
        cosine, sine = math.cos(angle), math.sin(angle)
        value += p[first + 2 * k - 1] * cosine + p[first + 2 * k] * sine
        slope += rate * (p[first + 2 * k] * cosine - p[first + 2 * k - 1] * sine)
    values[0], values[1] = value, slope


def corner_at(values, turns):
    """Write the offsets of hip and knee in units of `sway`, and their slopes: (0, 0), then a corner for each stride."""
    stride = math.floor(turns)
    part = (turns - stride) / 0.1
    blend = part * part * (3.0 - 2.0 * part) if part < 1.0 else 1.0
    slope = 6.0 * part * (1.0 - part) / 0.1 if part < 1.0 else 0.0
    for joint in range(2):
        before, now = sign_of(stride - 1, joint), sign_of(stride, joint)
        values[joint], values[2 + joint] = before + blend * (now - before), slope * (now - before)


def sign_of(stride, joint):
    """Return the offset, -1, 0 or 1, of hip (0) or knee (1) in a stride."""
    if stride < 1:
        return 0.0
    corner = (stride - 1) % 4  # ++, +-, --, -+
    if joint == 0:
        return 1.0 if corner < 2 else -1.0
    return 1.0 if corner % 3 == 0 else -1.0


def gait_at(t, p):
    """Return the gait at an instant [s]."""
    turns, hip, knee, moment, corner = t / p[P.cycle], scratch(2), scratch(2), scratch(2), scratch(4)
    curve_at(hip, p, int(p[P.hip_angle]), turns)
    curve_at(knee, p, int(p[P.knee_angle]), turns)
    corner_at(corner, turns)
    curve_at(moment, p, int(p[P.hip_moment]), turns)
    hip_moment = p[P.body_mass] * moment[0]
    curve_at(moment, p, int(p[P.knee_moment]), turns)
    return Gait(
        hip[0] + p[P.sway] * corner[0],
        knee[0] + p[P.sway] * corner[1],
        (hip[1] + p[P.sway] * corner[2]) / p[P.cycle],
        (knee[1] + p[P.sway] * corner[3]) / p[P.cycle],
        hip_moment,
        p[P.body_mass] * moment[0],
    )


def turning_of(rates, body, right):
    """Return the turning rate of a body per rate of the hip or the knee."""
    if body >= N_BODIES:
        return rates[N * right + 3 * (body - N_BODIES) + 2]
    if right == HIP:
        return -1.0 if body > 0 else 0.0
    return 1.0 if body > 1 else 0.0


def transmission_of(rates, p, number, right):
    """Return the rate of an actuator, 0 or 1, per rate of the hip or the knee."""
    joint = actuator_of(p, number)
    return turning_of(rates, body_of(p, joint, 1), right) - turning_of(rates, body_of(p, joint, 0), right)


class Values(NamedTuple):
    """Of the rates of both actuators per rates of hip and knee."""

    determinant: float
    least: float
    largest: float


def values_of(a, b, c, d):
    """Return determinant and singular values of the matrix ((a, b), (c, d)), to rounding also where both are equal."""
    determinant = a * d - b * c
    largest = 0.5 * (math.hypot(a + d, b - c) + math.hypot(a - d, b + c))
    return Values(determinant, abs(determinant) / largest, largest)


def demand_of(rates, gait, p):
    """Return what the gait asks of the actuators: T^T times their torques are the leg's moments."""
    a, b = transmission_of(rates, p, 0, HIP), transmission_of(rates, p, 0, KNEE)
    c, d = transmission_of(rates, p, 1, HIP), transmission_of(rates, p, 1, KNEE)
    determinant, least, largest = values_of(a, b, c, d)
    # postures that are not singular have a larger one; without a bound, a search would wait for the others
    smallest = 0.5 * p[P.least] * p[P.least]
    if abs(determinant) < smallest:
        determinant = smallest if determinant >= 0.0 else -smallest
    torque_1 = (d * gait.hip_moment - c * gait.knee_moment) / determinant
    torque_2 = (a * gait.knee_moment - b * gait.hip_moment) / determinant
    rate_1 = a * gait.hip_rate + b * gait.knee_rate
    rate_2 = c * gait.hip_rate + d * gait.knee_rate
    power = abs(torque_1 * rate_1) + abs(torque_2 * rate_2)
    excess = max(p[P.least] - least, 0.0) / p[P.least] + max(largest - p[P.largest], 0.0) / p[P.largest]
    return Demand(torque_1, torque_2, rate_1, rate_2, least, largest, power, excess)

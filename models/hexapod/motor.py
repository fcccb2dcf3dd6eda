"""The hip motor: what the controller asks for, within the line of torque over speed; its current and voltage.

Motoring, the torque is at most max_torque (1 - |phidot| / phidot_0), with phidot_0 the no-load speed at the leg;
braking, at most max_torque. Gear and bearing take hip_damping phidot from it.
"""

import math

from .records import (
    ARMATURE_RESISTANCE,
    GEAR,
    HIP_DAMPING,
    MAX_SPEED,
    MAX_TORQUE,
    SPEED_CONSTANT,
    TORQUE_CONSTANT,
    is_empty,
)


def hip_torque(t, p, chart, leg, phi, phidot, torque):
    """On the leg [N m], friction included."""
    return motor_torque(t, p, chart, leg, phi, phidot, torque) - p[HIP_DAMPING] * phidot


def motor_torque(t, p, chart, leg, phi, phidot, torque):
    """Of the motor, at the leg [N m]; none with an empty battery."""
    if is_empty(chart):
        return 0.0
    return limited(torque(t, leg, phi, phidot), phidot, p)


def limited(wanted, phidot, p):
    share = phidot / no_load_speed(p)
    most = p[MAX_TORQUE] * min(max(1.0 - share, 0.0), 1.0)
    least = -p[MAX_TORQUE] * min(max(1.0 + share, 0.0), 1.0)
    return min(max(wanted, least), most)


def no_load_speed(p):
    """At the leg [rad/s]."""
    return p[MAX_SPEED] * 2.0 * math.pi / (60.0 * p[GEAR])


def current(torque, p):
    """Of the armature [A] at a torque at the leg [N m]."""
    return torque / (p[TORQUE_CONSTANT] * p[GEAR])


def voltage(torque, phidot, p):
    """At the terminals [V]."""
    return current(torque, p) * p[ARMATURE_RESISTANCE] + p[GEAR] * phidot / p[SPEED_CONSTANT]

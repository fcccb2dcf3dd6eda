"""The hip motors and their battery: torque, current and voltage, and the charge that they take.

A motor that drives has at most the torque max_torque (1 - |phidot| / phidot_0), with phidot_0 the no-load speed at the
leg; one that brakes, at most max_torque. Gear and bearing take hip_damping phidot from it. The battery follows
Peukert's law (1897): discharge time = hours (capacity / (hours i))^exponent at a constant current i.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from .records import P, is_empty

TORQUE_STEP = 2.0**-7
"""Step of the hip's speed [rad/s] for the slope of tau; exact to 1e-13 where tau is piecewise linear."""
TORQUE_TOLERANCE, LEAST_SLOPE = 1e-11, 1e-9
"""Error of the torque that is accepted [N m]; least fall of the torque with the speed of the hip [N m s/rad]."""
MAX_LINES = 30
"""Most tangents of the torque that are tried."""


class Instant(NamedTuple):
    """The arguments of a contract function, and the controller's function `torque(t, leg, phi, phidot)`."""

    t: float
    x: Any
    p: Any
    chart: int
    torque: Callable[..., float]


class Hip(NamedTuple):
    """One hip at one instant: its angle phi [rad], and what the torque of its motor depends on besides its speed."""

    t: float
    p: Any
    i: int
    phi: float
    empty: int
    torque: Callable[..., float]


def find_hip(instant, leg):
    """Return the hip of a leg."""
    return Hip(instant.t, instant.p, leg.i, leg.phi, is_empty(instant.chart), instant.torque)


def hip_torque(hip, phidot):
    """Return tau_phi(phidot) [N m]: the torque on the leg, friction of the gear included."""
    return motor_torque(hip, phidot) - hip.p[P.hip_damping] * phidot


def motor_torque(hip, phidot):
    """Return the torque of the motor at the leg [N m]; zero with an empty battery."""
    if hip.empty:
        return 0.0
    p, torque = hip.p, hip.torque
    share = phidot * (1.0 / no_load_speed(p))  # divided once for all speeds
    most = p[P.max_torque] * min(max(1.0 - share, 0.0), 1.0)
    least = -p[P.max_torque] * min(max(1.0 + share, 0.0), 1.0)
    return min(max(torque(hip.t, hip.i, hip.phi, phidot), least), most)


def idle_speed(hip):
    """Return the speed of the hip [rad/s] at which the motor just drives the gear, so that no torque is left.

    Newton's method, as in `slide.try_at`: the torque falls with the speed, in straight pieces. A motor does not drive
    beyond its no-load speed, so the search begins within, where a motor without limits idles.
    """
    limit, low, high = no_load_speed(hip.p), -math.inf, math.inf
    rate = min(max(unlimited_idle_speed(hip), -limit), limit)
    for _ in range(MAX_LINES):
        torque = hip_torque(hip, rate)
        if abs(torque) <= TORQUE_TOLERANCE:
            break
        if torque > 0.0:
            low = rate
        else:
            high = rate
        zero = rate - torque / torque_slope(hip, rate)
        rate = zero if low < zero < high else middle(low, high)
    return rate


def unlimited_idle_speed(hip):
    """Return the idle speed of a motor without limits under a torque that is linear in the speed [rad/s]."""
    if hip.empty:
        return 0.0
    here = hip.torque(hip.t, hip.i, hip.phi, 0.0)
    fall = (here - hip.torque(hip.t, hip.i, hip.phi, TORQUE_STEP)) / TORQUE_STEP + hip.p[P.hip_damping]
    return here / max(fall, LEAST_SLOPE)


def torque_slope(hip, rate):
    """Return the slope of tau_phi at a speed of the hip [N m s/rad], a little less than zero at least."""
    return min((hip_torque(hip, rate + TORQUE_STEP) - hip_torque(hip, rate)) / TORQUE_STEP, -LEAST_SLOPE)


def middle(low, high):
    """Return a speed of the hip in a bracket [rad/s]; 1 rad/s beyond its end, if it has one only."""
    if low == -math.inf:
        return high - 1.0
    return low + 1.0 if high == math.inf else 0.5 * (low + high)


def no_load_speed(p):
    """Return phidot_0 [rad/s], at the leg."""
    return p[P.max_speed] * 2.0 * math.pi / (60.0 * p[P.gear])


def current(torque, p):
    """Return the armature's current [A] at a torque at the leg [N m]."""
    return torque / (p[P.torque_constant] * p[P.gear])


def voltage(torque, phidot, p):
    """Return the voltage at the terminals [V]."""
    return current(torque, p) * p[P.armature_resistance] + back_emf(phidot, p)


def back_emf(phidot, p):
    """Return the voltage [V] that a motor induces at a speed of its leg [rad/s]."""
    return p[P.gear] * phidot / p[P.speed_constant]


def discharge_rate(amperes, p):
    """Return -dC/dt [1/s] of the charge C, 1 = full, at a current [A]."""
    hours = p[P.battery_hours]
    return (amperes * hours / p[P.battery_capacity]) ** p[P.battery_exponent] / (3600.0 * hours)

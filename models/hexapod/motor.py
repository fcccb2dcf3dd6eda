"""The hip motors and their battery: torque, current and voltage, and the charge that they take.

A motor that drives has at most the torque max_torque (1 - |phidot| / phidot_0), with phidot_0 the no-load speed at the
leg; one that brakes, at most max_torque. Gear and bearing take hip_damping phidot from it. The battery follows
Peukert's law (1897): discharge time = hours (capacity / (hours i))^exponent at a constant current i.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from .records import P, is_empty

DEMAND_STEP = 0.1
"""Step of the hip's speed [rad/s] for the tangent of a controller's torque, which usually is a line."""


class Instant(NamedTuple):
    """The arguments of a contract function, and the controller's function `torque(t, leg, phi, phidot)`."""

    t: float
    x: Any
    p: Any
    chart: int
    torque: Callable[..., float]


class Line(NamedTuple):
    """A torque that is at_zero [N m] + slope [N m s/rad] phidot."""

    at_zero: float
    slope: float


class TorquePiece(NamedTuple):
    """A line of tau, and the speeds of the hip between which tau is on it [rad/s]."""

    line: Line
    low: float
    high: float


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
    share = phidot / no_load_speed(p)
    most = p[P.max_torque] * min(max(1.0 - share, 0.0), 1.0)
    least = -p[P.max_torque] * min(max(1.0 + share, 0.0), 1.0)
    return min(max(torque(hip.t, hip.i, hip.phi, phidot), least), most)


def demand_at(hip, phidot):
    """Return the tangent of the controller's torque at a speed of the hip [rad/s]."""
    here = hip.torque(hip.t, hip.i, hip.phi, phidot)
    slope = (hip.torque(hip.t, hip.i, hip.phi, phidot + DEMAND_STEP) - here) / DEMAND_STEP
    return Line(here - slope * phidot, slope)


def torque_piece_at(hip, demand, phidot):
    """Return the piece of tau around a speed of the hip [rad/s], for a controller's torque on the line `demand`.

    A piece ends wherever that line meets the line of a limit, so it may be a part of a longer one.
    """
    damping = hip.p[P.hip_damping]
    if hip.empty:
        return TorquePiece(Line(0.0, -damping), -math.inf, math.inf)
    fastest, most = no_load_speed(hip.p), hip.p[P.max_torque]
    low, high = cut(*cut(*cut(-math.inf, math.inf, -fastest, phidot), 0.0, phidot), fastest, phidot)
    for at_zero, slope in ((0.0, 0.0), (most, 0.0), (-most, 0.0), (most, -most / fastest), (-most, -most / fastest)):
        if slope != demand.slope:
            low, high = cut(low, high, (at_zero - demand.at_zero) / (demand.slope - slope), phidot)
    inside = 0.5 * (max(low, phidot - 1.0) + min(high, phidot + 1.0))
    line = limited(limited(demand, most, fastest, inside, 1.0), most, fastest, inside, -1.0)
    return TorquePiece(Line(line.at_zero, line.slope - damping), low, high)


def cut(low, high, edge, phidot):
    """Return the part of an interval that contains phidot, if it is cut at an edge."""
    return (max(low, edge), high) if edge < phidot else (low, min(high, edge))


def limited(line, most, fastest, phidot, side):
    """Return the line, or that of the upper (side = 1) or lower (-1) limit where the torque would be beyond it."""
    share, limit = side * phidot / fastest, Line(0.0, 0.0)
    if share < 1.0:
        limit = Line(side * most, 0.0 if share < 0.0 else -most / fastest)
    beyond = line.at_zero - limit.at_zero + (line.slope - limit.slope) * phidot
    return limit if side * beyond > 0.0 else line


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

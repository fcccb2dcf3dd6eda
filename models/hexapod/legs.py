"""A leg: a spherical joint at the hip, with springs and dampers on its length rho and its sideways bend theta.

The leg vector from hip to toe, in B, is v = (rho sin(theta), rho cos(theta) sin(phi), -rho cos(theta) cos(phi)). The
motor drives phi, the hip angle: 0 = straight down, positive = toe forward. All vectors are in B. See docs/hexapod.md,
"Equations".
"""

import math
from typing import NamedTuple

from .body import Wrench
from .motor import hip_torque, idle_speed
from .records import HUNT_CROSSLEY, P, S
from .vectors import ZERO, Vector, cross, dot, minus, plus, put, times, to_body, to_world, vector_at

MAX_STOP_EXPONENT = 30.0
"""Largest exponent of the end stop's force; beyond this many stop lengths the force is constant and cannot overflow."""


class Leg(NamedTuple):
    """Leg number i: where it is, and its springs and dampers.

    Attributes
    ----------
    i : int
        Number of the leg, 0 to 5.
    arm : Vector
        Toe, from the body's centre [m].
    w_rest : Vector
        Rate of v while the toe rests in W [m/s].
    e_rho, e_theta, e_phi : Vector
        Unit vectors; e_phi has no x.
    rho, theta, phi : float
        Polar coordinates [m, rad, rad].
    reach : float
        Distance of the toe from the hip's axis, rho cos(theta) [m].
    spring_rho, spring_theta : float
        Force [N] and torque [N m] of the springs.
    damper_rho, damper_theta : float
        Coefficients of the dampers [N s/m, N m s/rad].
    """

    i: int
    arm: Vector
    w_rest: Vector
    e_rho: Vector
    e_theta: Vector
    e_phi: Vector
    rho: float
    theta: float
    phi: float
    reach: float
    spring_rho: float
    spring_theta: float
    damper_rho: float
    damper_theta: float


class LegForce(NamedTuple):
    """The force P of a leg on its toe [N]; the rates of its coordinates [m/s, rad/s]; the torque at its hip [N m]."""

    force: Vector
    rhodot: float
    thetadot: float
    phidot: float
    torque: float


def find_leg(x, p, pose, i):
    """Return leg number i."""
    arm = to_body(pose.rotation, minus(vector_at(x, S.f0_x + 3 * i), vector_at(x, S.r_x)))
    w_rest = minus(cross(arm, pose.spin), pose.velocity)
    v = minus(arm, Vector(p[P.attach0_x + i], p[P.attach0_y + i], p[P.attach0_z + i]))
    reach = math.sqrt(v.y * v.y + v.z * v.z)
    rho = math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
    theta, phi = math.atan(v.x / reach), math.atan2(v.y, -v.z)
    sin_theta, cos_theta = v.x / rho, reach / rho
    sin_phi, cos_phi = v.y / reach, -v.z / reach
    e_rho = Vector(sin_theta, v.y / rho, v.z / rho)
    e_theta = Vector(cos_theta, -sin_theta * sin_phi, sin_theta * cos_phi)
    spring_rho, damper_rho = radial_spring(rho, p, i)
    spring_theta = -p[P.theta0_k + i] * (theta - p[P.theta0_r0 + i])
    return Leg(
        i,
        arm,
        w_rest,
        e_rho,
        e_theta,
        e_phi=Vector(0.0, cos_phi, sin_phi),
        rho=rho,
        theta=theta,
        phi=phi,
        reach=reach,
        spring_rho=spring_rho,
        spring_theta=spring_theta,
        damper_rho=damper_rho,
        damper_theta=p[P.theta0_d + i],
    )


def radial_spring(rho, p, i):
    """Return the force of the radial spring and end stop [N], and the coefficient of its damper [N s/m]."""
    stretch, over = rho - p[P.rho0_r0 + i], rho - p[P.q_rl]
    spring, damper = -p[P.rho0_k + i] * stretch, p[P.rho0_d + i]
    if over > 0.0:
        spring -= p[P.stop_force] * (math.exp(min(over / p[P.stop_length], MAX_STOP_EXPONENT)) - 1.0)
    if p[P.damping] == HUNT_CROSSLEY:
        damper *= abs(stretch) / p[P.damping_depth]
    return spring, damper


def hip_rate(leg, w):
    """Return phidot [rad/s] while v changes at the rate w: e_phi . w / (rho cos(theta))."""
    return (leg.e_phi.y * w.y + leg.e_phi.z * w.z) / leg.reach


def load_leg(leg, hip, w):
    """Return the leg's force on the toe while v changes at the rate w [m/s]."""
    rhodot, thetadot = dot(leg.e_rho, w), dot(leg.e_theta, w) / leg.rho
    phidot = hip_rate(leg, w)
    torque = hip_torque(hip, phidot)
    force_rho = leg.spring_rho - leg.damper_rho * rhodot
    force_theta = (leg.spring_theta - leg.damper_theta * thetadot) / leg.rho
    force_phi = torque / leg.reach
    force = plus(plus(times(force_rho, leg.e_rho), times(force_theta, leg.e_theta)), times(force_phi, leg.e_phi))
    return LegForce(force, rhodot, thetadot, phidot, torque)


def load_flying_leg(leg, hip, x, pose):
    """Return the force of a leg in flight on its toe; a toe without mass moves so that there is none."""
    if has_mass(hip.p):
        velocity = vector_at(x, S.fdot0_x + 3 * leg.i)
        return load_leg(leg, hip, plus(leg.w_rest, to_body(pose.rotation, velocity)))
    rhodot, thetadot = leg.spring_rho / leg.damper_rho, leg.spring_theta / leg.damper_theta
    return LegForce(ZERO, rhodot, thetadot, idle_speed(hip), 0.0)


def has_mass(p):
    """Return whether the toes have mass."""
    return p[P.leg_mass] > 0.0


def flying_velocity(leg, motion, x, p, pose):
    """Return the velocity of a toe in flight [m/s], in W."""
    if has_mass(p):
        return vector_at(x, S.fdot0_x + 3 * leg.i)
    along, across = times(motion.rhodot, leg.e_rho), times(leg.rho * motion.thetadot, leg.e_theta)
    rate = plus(plus(along, across), times(leg.reach * motion.phidot, leg.e_phi))
    return to_world(pose.rotation, minus(rate, leg.w_rest))


def add_load(load, leg, force):
    """Return the load on the body with the leg's reaction -P, at the toe: it contains that of the hip torque."""
    return Wrench(minus(load.force, force), minus(load.torque, cross(leg.arm, force)))


def put_toe(x_new, p, pose, i, phi):
    """Put the toe where a leg at rest length and rest bend has it, at the hip angle phi [rad]."""
    rho, theta = p[P.rho0_r0 + i], p[P.theta0_r0 + i]
    arm = Vector(
        p[P.attach0_x + i] + rho * math.sin(theta),
        p[P.attach0_y + i] + rho * math.cos(theta) * math.sin(phi),
        p[P.attach0_z + i] - rho * math.cos(theta) * math.cos(phi),
    )
    put(x_new, S.f0_x + 3 * i, plus(vector_at(x_new, S.r_x), to_world(pose.rotation, arm)))
    put(x_new, S.fdot0_x + 3 * i, ZERO)


def spring_energy(leg, p):
    """Return the energy in the springs of the leg and in its end stop [J]."""
    stretch, bend = leg.rho - p[P.rho0_r0 + leg.i], leg.theta - p[P.theta0_r0 + leg.i]
    energy = 0.5 * p[P.rho0_k + leg.i] * stretch * stretch + 0.5 * p[P.theta0_k + leg.i] * bend * bend
    over = leg.rho - p[P.q_rl]
    if over > 0.0:
        energy += p[P.stop_force] * (p[P.stop_length] * (math.exp(over / p[P.stop_length]) - 1.0) - over)
    return energy


def damper_power(leg, motion):
    """Return the power lost in the dampers of the leg [W], without the hip's."""
    return leg.damper_rho * motion.rhodot**2 + leg.damper_theta * motion.thetadot**2

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
    j_rho, j_theta, j_phi : Vector
        Rows of the Jacobian [1, 1/m, 1/m]: while v changes at the rate w, each coordinate does at the rate j . w.
        They are orthogonal, and have the lengths 1, 1 / rho and 1 / (rho cos(theta)); j_phi has no x.
    rho, theta, phi : float
        Polar coordinates [m, rad, rad].
    spring_rho, spring_theta : float
        Force [N] and torque [N m] of the springs.
    damper_rho, damper_theta : float
        Coefficients of the dampers [N s/m, N m s/rad].
    """

    i: int
    arm: Vector
    w_rest: Vector
    j_rho: Vector
    j_theta: Vector
    j_phi: Vector
    rho: float
    theta: float
    phi: float
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
    per_reach, per_rho = 1.0 / reach, 1.0 / rho  # each number is divided by once: this is what evaluations wait for
    tan_theta = v.x * per_reach
    theta, phi = math.atan(tan_theta), math.atan2(v.y, -v.z)
    e_rho = times(per_rho, v)
    spring_rho, damper_rho = radial_spring(rho, p, i)
    spring_theta = -p[P.theta0_k + i] * (theta - p[P.theta0_r0 + i])
    return Leg(
        i,
        arm,
        w_rest,
        j_rho=e_rho,
        j_theta=times(per_rho, Vector(reach * per_rho, -tan_theta * e_rho.y, -tan_theta * e_rho.z)),
        j_phi=Vector(0.0, -v.z * per_reach * per_reach, v.y * per_reach * per_reach),
        rho=rho,
        theta=theta,
        phi=phi,
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
    """Return phidot [rad/s] while v changes at the rate w [m/s]."""
    return leg.j_phi.y * w.y + leg.j_phi.z * w.z


def load_leg(leg, hip, w):
    """Return the leg's force on the toe while v changes at the rate w [m/s]: of the same power as its three torques."""
    rhodot, thetadot, phidot = dot(leg.j_rho, w), dot(leg.j_theta, w), hip_rate(leg, w)
    torque = hip_torque(hip, phidot)
    along = times(leg.spring_rho - leg.damper_rho * rhodot, leg.j_rho)
    across = times(leg.spring_theta - leg.damper_theta * thetadot, leg.j_theta)
    return LegForce(plus(plus(along, across), times(torque, leg.j_phi)), rhodot, thetadot, phidot, torque)


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
    along, across = times(motion.rhodot, leg.j_rho), times(motion.thetadot, per_square(leg.j_theta))
    rate = plus(plus(along, across), times(motion.phidot, per_square(leg.j_phi)))
    return to_world(pose.rotation, minus(rate, leg.w_rest))


def per_square(a):
    """Return a / |a|^2, whose product with a is 1."""
    return times(1.0 / dot(a, a), a)


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

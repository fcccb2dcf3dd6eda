"""A leg: a spherical joint at the hip, with springs and dampers on its length rho and its sideways bend theta.

Leg vector in B, from hip to toe: v = (rho sin(theta), rho cos(theta) sin(phi), -rho cos(theta) cos(phi)); phi is the
hip angle, 0 = straight down and positive = toe forward, which the motor drives. What is known of one leg lies in a
work space of LEG numbers, at the places below; all vectors are in B.
"""

import math

from hybridsim import scratch

from .body import SPIN, VELOCITY
from .motor import hip_torque
from .records import (
    ATTACH_X,
    ATTACH_Y,
    ATTACH_Z,
    DAMPING,
    DAMPING_DEPTH,
    FDOT,
    HUNT_CROSSLEY,
    Q_RL,
    R_X,
    RHO_D,
    RHO_K,
    RHO_R0,
    STOP_FORCE,
    STOP_LENGTH,
    THETA_D,
    THETA_K,
    THETA_R0,
    F,
)

ARM, RESTING, E_RHO, E_THETA, E_PHI = 0, 3, 6, 9, 12
"""Vectors: the toe from the body's centre [m]; the rate of v while the toe rests [m/s]; the unit vectors of the leg."""
FORCE, NORMAL, SLIDE = 15, 18, 21
"""Vectors: the force of the leg on the toe [N]; the ground's normal; the velocity of a toe that slips [m/s]."""
RHO, THETA, PHI, REACH = 24, 25, 26, 27
"""Polar coordinates [m, rad, rad], and the toe's distance from the hip's axis, rho cos(theta) [m]."""
SPRING_RHO, SPRING_THETA, DAMPER_RHO, DAMPER_THETA = 28, 29, 30, 31
"""Force [N] and torque [N m] of the springs, and the coefficients of the dampers [N s/m, N m s/rad]."""
RATE_RHO, RATE_THETA, RATE_PHI, TORQUE = 32, 33, 34, 35
"""Rates of the coordinates as the toe moves [m/s, rad/s], and the torque of the motor [N m]."""
PUSH, DRAG = 36, 37
"""What the toe does to the ground: normal push and tangential drag [N]."""
LEG = 38


STOP_LIMIT = 30.0
"""The end stop grows no further from here on [stop_length], so that it does not overflow."""


def find_leg(leg_space, x, p, chart, pose, leg):
    """Where the leg is, and what its springs do."""
    c = leg_space
    toe = F + 3 * leg
    dx, dy, dz = x[toe] - x[R_X], x[toe + 1] - x[R_X + 1], x[toe + 2] - x[R_X + 2]
    ax = pose[0] * dx + pose[3] * dy + pose[6] * dz
    ay = pose[1] * dx + pose[4] * dy + pose[7] * dz
    az = pose[2] * dx + pose[5] * dy + pose[8] * dz
    c[ARM], c[ARM + 1], c[ARM + 2] = ax, ay, az
    c[RESTING] = pose[SPIN + 2] * ay - pose[SPIN + 1] * az - pose[VELOCITY]
    c[RESTING + 1] = pose[SPIN] * az - pose[SPIN + 2] * ax - pose[VELOCITY + 1]
    c[RESTING + 2] = pose[SPIN + 1] * ax - pose[SPIN] * ay - pose[VELOCITY + 2]
    vx, vy, vz = ax - p[ATTACH_X + leg], ay - p[ATTACH_Y + leg], az - p[ATTACH_Z + leg]
    reach = math.sqrt(vy * vy + vz * vz)
    rho = math.sqrt(vx * vx + vy * vy + vz * vz)
    sin_theta, cos_theta = vx / rho, reach / rho
    sin_phi, cos_phi = vy / reach, -vz / reach
    c[E_RHO], c[E_RHO + 1], c[E_RHO + 2] = sin_theta, vy / rho, vz / rho
    c[E_THETA], c[E_THETA + 1], c[E_THETA + 2] = cos_theta, -sin_theta * sin_phi, sin_theta * cos_phi
    c[E_PHI], c[E_PHI + 1], c[E_PHI + 2] = 0.0, cos_phi, sin_phi
    c[RHO], c[REACH] = rho, reach
    c[THETA], c[PHI] = math.atan(vx / reach), math.atan2(vy, -vz)
    find_springs(c, p, leg)


def find_springs(leg_space, p, leg):
    """The end stop starts at zero at the liftoff length. Hunt and Crossley's damper (1975) vanishes with deflection."""
    c = leg_space
    stretch = c[RHO] - p[RHO_R0 + leg]
    c[SPRING_RHO] = -p[RHO_K + leg] * stretch
    c[DAMPER_RHO] = p[RHO_D + leg]
    if c[RHO] > p[Q_RL]:
        c[SPRING_RHO] -= p[STOP_FORCE] * (math.exp(min((c[RHO] - p[Q_RL]) / p[STOP_LENGTH], STOP_LIMIT)) - 1.0)
    if p[DAMPING] == HUNT_CROSSLEY:
        c[DAMPER_RHO] *= abs(stretch) / p[DAMPING_DEPTH]
    c[SPRING_THETA] = -p[THETA_K + leg] * (c[THETA] - p[THETA_R0 + leg])
    c[DAMPER_THETA] = p[THETA_D + leg]


def load_leg(leg_space, t, x, p, chart, leg, torque, wx, wy, wz):
    """The force of the leg on the toe while v changes at the rate w (in B)."""
    c = leg_space
    c[RATE_RHO] = c[E_RHO] * wx + c[E_RHO + 1] * wy + c[E_RHO + 2] * wz
    c[RATE_THETA] = (c[E_THETA] * wx + c[E_THETA + 1] * wy + c[E_THETA + 2] * wz) / c[RHO]
    c[RATE_PHI] = (c[E_PHI + 1] * wy + c[E_PHI + 2] * wz) / c[REACH]
    c[TORQUE] = hip_torque(t, p, chart, leg, c[PHI], c[RATE_PHI], torque)
    along = c[SPRING_RHO] - c[DAMPER_RHO] * c[RATE_RHO]
    aside = (c[SPRING_THETA] - c[DAMPER_THETA] * c[RATE_THETA]) / c[RHO]
    around = c[TORQUE] / c[REACH]
    for i in range(3):
        c[FORCE + i] = along * c[E_RHO + i] + aside * c[E_THETA + i] + around * c[E_PHI + i]


def load_flying_leg(leg_space, t, x, p, chart, pose, leg, torque):
    c = leg_space
    toe = FDOT + 3 * leg
    w = scratch(3)
    for i in range(3):
        w[i] = c[RESTING + i] + pose[i] * x[toe] + pose[3 + i] * x[toe + 1] + pose[6 + i] * x[toe + 2]
    load_leg(c, t, x, p, chart, leg, torque, w[0], w[1], w[2])


def add_load(load, leg_space):
    """What the leg does to the body: -FORCE, at the toe, which contains the hip torque's reaction."""
    c = leg_space
    for i in range(3):
        load[i] -= c[FORCE + i]
    load[3] -= c[ARM + 1] * c[FORCE + 2] - c[ARM + 2] * c[FORCE + 1]
    load[4] -= c[ARM + 2] * c[FORCE] - c[ARM] * c[FORCE + 2]
    load[5] -= c[ARM] * c[FORCE + 1] - c[ARM + 1] * c[FORCE]


def put_toe(x_new, p, pose, leg, phi):
    """Put the toe where a leg at rest length and rest bend has it, at hip angle phi."""
    rho, theta = p[RHO_R0 + leg], p[THETA_R0 + leg]
    ax = p[ATTACH_X + leg] + rho * math.sin(theta)
    ay = p[ATTACH_Y + leg] + rho * math.cos(theta) * math.sin(phi)
    az = p[ATTACH_Z + leg] - rho * math.cos(theta) * math.cos(phi)
    for i in range(3):
        x_new[F + 3 * leg + i] = x_new[R_X + i] + pose[3 * i] * ax + pose[3 * i + 1] * ay + pose[3 * i + 2] * az
        x_new[FDOT + 3 * leg + i] = 0.0


def spring_energy(leg_space, p, leg):
    """In the springs of the leg, and in its end stop [J]."""
    c = leg_space
    stretch, bend = c[RHO] - p[RHO_R0 + leg], c[THETA] - p[THETA_R0 + leg]
    energy = 0.5 * p[RHO_K + leg] * stretch * stretch + 0.5 * p[THETA_K + leg] * bend * bend
    over = c[RHO] - p[Q_RL]
    if over > 0.0:
        energy += p[STOP_FORCE] * (p[STOP_LENGTH] * (math.exp(over / p[STOP_LENGTH]) - 1.0) - over)
    return energy


def damper_power(leg_space, p):
    """Lost in the dampers of the leg [W]; not in the hip."""
    c = leg_space
    return c[DAMPER_RHO] * c[RATE_RHO] ** 2 + c[DAMPER_THETA] * c[RATE_THETA] ** 2

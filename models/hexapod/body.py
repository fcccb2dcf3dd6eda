"""The rigid body: attitude, and the accelerations that forces and torques give it."""

import math

from hybridsim import scratch

from .records import BODY_MASS, J_11, OMEGA_X, Q_W, R_X, V_X, G

POSE = 15
"""A body's pose: its rotation R from B to W, row by row; then velocity and angular velocity of the body, in B."""
VELOCITY, SPIN = 9, 12

ATTITUDE_PULL = 10.0
"""How fast the quaternion comes back to length 1 [1/s]. Nothing depends on its length but rounding."""


def find_pose(pose, x):
    """Pose = R, and the body's velocity [m/s] and angular velocity [rad/s] in B."""
    w, a, b, c = x[Q_W], x[Q_W + 1], x[Q_W + 2], x[Q_W + 3]
    s = 2.0 / (w * w + a * a + b * b + c * c)
    pose[0] = 1.0 - s * (b * b + c * c)
    pose[1] = s * (a * b - w * c)
    pose[2] = s * (a * c + w * b)
    pose[3] = s * (a * b + w * c)
    pose[4] = 1.0 - s * (a * a + c * c)
    pose[5] = s * (b * c - w * a)
    pose[6] = s * (a * c - w * b)
    pose[7] = s * (b * c + w * a)
    pose[8] = 1.0 - s * (a * a + b * b)
    for i in range(3):
        pose[VELOCITY + i] = pose[i] * x[V_X] + pose[3 + i] * x[V_X + 1] + pose[6 + i] * x[V_X + 2]
        pose[SPIN + i] = pose[i] * x[OMEGA_X] + pose[3 + i] * x[OMEGA_X + 1] + pose[6 + i] * x[OMEGA_X + 2]


def move_body(xdot, x, p, pose, load):
    """The body's part of xdot; load = force [N] and torque about the centre [N m] of the legs, both in B.

    Euler's equations in B, M0 wdot + w x M0 w = tau; as w x w = 0, the rate of omega in W is R wdot.
    """
    for i in range(3):
        xdot[R_X + i] = x[V_X + i]
        force = pose[3 * i] * load[0] + pose[3 * i + 1] * load[1] + pose[3 * i + 2] * load[2]
        xdot[V_X + i] = force / p[BODY_MASS]
    xdot[V_X + 2] -= p[G]
    turn(xdot, x)
    h, w = scratch(3), scratch(3)
    for i in range(3):
        w[i] = pose[SPIN + i]
    for i in range(3):
        row = J_11 + 3 * i
        h[i] = p[row] * w[0] + p[row + 1] * w[1] + p[row + 2] * w[2]
    t0 = load[3] - (w[1] * h[2] - w[2] * h[1])
    t1 = load[4] - (w[2] * h[0] - w[0] * h[2])
    t2 = load[5] - (w[0] * h[1] - w[1] * h[0])
    solve(h, p, t0, t1, t2)
    for i in range(3):
        xdot[OMEGA_X + i] = pose[3 * i] * h[0] + pose[3 * i + 1] * h[1] + pose[3 * i + 2] * h[2]


def turn(xdot, x):
    """Qdot = omega q / 2, and a pull to length 1."""
    w, a, b, c = x[Q_W], x[Q_W + 1], x[Q_W + 2], x[Q_W + 3]
    ox, oy, oz = x[OMEGA_X], x[OMEGA_X + 1], x[OMEGA_X + 2]
    pull = ATTITUDE_PULL * (1.0 - (w * w + a * a + b * b + c * c))
    xdot[Q_W] = -0.5 * (ox * a + oy * b + oz * c) + pull * w
    xdot[Q_W + 1] = 0.5 * (ox * w + oy * c - oz * b) + pull * a
    xdot[Q_W + 2] = 0.5 * (oy * w + oz * a - ox * c) + pull * b
    xdot[Q_W + 3] = 0.5 * (oz * w + ox * b - oy * a) + pull * c


def solve(result, p, t0, t1, t2):
    """Result = M0^-1 t, by cofactors."""
    a, b, c = p[J_11], p[J_11 + 1], p[J_11 + 2]
    d, e, f = p[J_11 + 3], p[J_11 + 4], p[J_11 + 5]
    g, h, i = p[J_11 + 6], p[J_11 + 7], p[J_11 + 8]
    c0, c1, c2 = e * i - f * h, f * g - d * i, d * h - e * g
    scale = 1.0 / (a * c0 + b * c1 + c * c2)
    result[0] = scale * (c0 * t0 + (c * h - b * i) * t1 + (b * f - c * e) * t2)
    result[1] = scale * (c1 * t0 + (a * i - c * g) * t1 + (c * d - a * f) * t2)
    result[2] = scale * (c2 * t0 + (b * g - a * h) * t1 + (a * e - b * d) * t2)


def turn_initial_attitude(x_new, roll, pitch, yaw):
    """The quaternion, normalised, turned by Rz(yaw) Rx(pitch) Ry(roll) in front of it."""
    normalise(x_new)
    if roll == 0.0 and pitch == 0.0 and yaw == 0.0:
        return
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    w0, a0, b0, c0 = cp * cr, sp * cr, cp * sr, sp * sr
    w, a, b, c = cy * w0 - sy * c0, cy * a0 - sy * b0, cy * b0 + sy * a0, cy * c0 + sy * w0
    qw, qa, qb, qc = x_new[Q_W], x_new[Q_W + 1], x_new[Q_W + 2], x_new[Q_W + 3]
    x_new[Q_W] = w * qw - a * qa - b * qb - c * qc
    x_new[Q_W + 1] = w * qa + a * qw + b * qc - c * qb
    x_new[Q_W + 2] = w * qb - a * qc + b * qw + c * qa
    x_new[Q_W + 3] = w * qc + a * qb - b * qa + c * qw
    normalise(x_new)


def normalise(x_new):
    """Length 1 to rounding; what has it already stays as it is, to the bit."""
    size = x_new[Q_W] ** 2 + x_new[Q_W + 1] ** 2 + x_new[Q_W + 2] ** 2 + x_new[Q_W + 3] ** 2
    if abs(size - 1.0) > 1e-15 and size > 0.0:
        for i in range(4):
            x_new[Q_W + i] /= math.sqrt(size)

"""The rigid body: its attitude, and the accelerations that forces and torques give it."""

import math
from typing import NamedTuple

from .records import P, S
from .vectors import Rotation, Vector, cross, minus, plus, put, times, to_body, to_world, vector_at

ATTITUDE_RATE = 10.0
"""Rate at which the length of the quaternion returns to 1 [1/s]. Only rounding depends on that length."""


class Pose(NamedTuple):
    """The rotation R from B to W; velocity [m/s] and angular velocity [rad/s] of the body, in B."""

    rotation: Rotation
    velocity: Vector
    spin: Vector


class Wrench(NamedTuple):
    """A force [N] on the body and its torque about the body's centre [N m], in B."""

    force: Vector
    torque: Vector


def find_pose(x):
    """Return the pose of the body."""
    rotation = rotation_of(x[S.q_w], x[S.q_x], x[S.q_y], x[S.q_z])
    velocity, spin = vector_at(x, S.v_x), vector_at(x, S.omega_x)
    return Pose(rotation, to_body(rotation, velocity), to_body(rotation, spin))


def rotation_of(w, a, b, c):
    """Return the rotation of a quaternion w + a i + b j + c k, of any length."""
    s = 2.0 / (w * w + a * a + b * b + c * c)
    return Rotation(
        Vector(1.0 - s * (b * b + c * c), s * (a * b - w * c), s * (a * c + w * b)),
        Vector(s * (a * b + w * c), 1.0 - s * (a * a + c * c), s * (b * c - w * a)),
        Vector(s * (a * c - w * b), s * (b * c + w * a), 1.0 - s * (a * a + b * b)),
    )


def attitude_angle(rotation, axis):
    """Return an angle of the attitude [rad]: axis 0 roll, 1 pitch, 2 yaw; R = Rz(yaw) Rx(pitch) Ry(roll)."""
    if axis == 0:
        return math.atan2(-rotation.z.x, rotation.z.z)
    if axis == 1:
        return math.asin(min(max(rotation.z.y, -1.0), 1.0))
    return math.atan2(-rotation.x.y, rotation.y.y)


def push_of(p):
    """Return the force from outside on the body's centre [N], in W."""
    return vector_at(p, P.force_x)


def move_body(xdot, x, p, pose, load):
    """Write the body's slopes under the load of the legs and a push: Newton's law in W, Euler's equations in B.

    M0 wdot + w x M0 w = tau with w in B; as w x w = 0, the rate of omega in W is R wdot.
    """
    put(xdot, S.r_x, vector_at(x, S.v_x))
    force = plus(to_world(pose.rotation, load.force), push_of(p))
    put(xdot, S.v_x, minus(times(1.0 / p[P.body_mass], force), Vector(0.0, 0.0, p[P.g])))
    turn(xdot, x)
    torque = minus(load.torque, cross(pose.spin, angular_momentum(p, pose.spin)))
    put(xdot, S.omega_x, to_world(pose.rotation, solve_inertia(p, torque)))


def turn(xdot, x):
    """Write the slopes of the quaternion: qdot = omega q / 2, and the return to length 1."""
    w, a, b, c = x[S.q_w], x[S.q_x], x[S.q_y], x[S.q_z]
    ox, oy, oz = x[S.omega_x], x[S.omega_y], x[S.omega_z]
    back = ATTITUDE_RATE * (1.0 - (w * w + a * a + b * b + c * c))
    xdot[S.q_w] = -0.5 * (ox * a + oy * b + oz * c) + back * w
    xdot[S.q_x] = 0.5 * (ox * w + oy * c - oz * b) + back * a
    xdot[S.q_y] = 0.5 * (oy * w + oz * a - ox * c) + back * b
    xdot[S.q_z] = 0.5 * (oz * w + ox * b - oy * a) + back * c


def inertia_row(p, row):
    """Return a row of the inertia M0 [kg m^2]."""
    return vector_at(p, P.J_11 + 3 * row)


def angular_momentum(p, w):
    """Return M0 w [kg m^2/s], in B."""
    m1, m2, m3 = inertia_row(p, 0), inertia_row(p, 1), inertia_row(p, 2)
    return to_world(Rotation(m1, m2, m3), w)


def solve_inertia(p, torque):
    """Return M0^-1 torque [rad/s^2], by cofactors."""
    m1, m2, m3 = inertia_row(p, 0), inertia_row(p, 1), inertia_row(p, 2)
    c1, c2, c3 = cross(m2, m3), cross(m3, m1), cross(m1, m2)
    scale = 1.0 / (m1.x * c1.x + m1.y * c1.y + m1.z * c1.z)
    return Vector(
        scale * (c1.x * torque.x + c2.x * torque.y + c3.x * torque.z),
        scale * (c1.y * torque.x + c2.y * torque.y + c3.y * torque.z),
        scale * (c1.z * torque.x + c2.z * torque.y + c3.z * torque.z),
    )


def turn_initial_attitude(x_new):
    """Multiply the quaternion by the rotation Rz(yaw) Rx(pitch) Ry(roll) of the initial state; normalise it."""
    normalise(x_new)
    roll, pitch, yaw = x_new[S.roll], x_new[S.pitch], x_new[S.yaw]
    x_new[S.roll], x_new[S.pitch], x_new[S.yaw] = 0.0, 0.0, 0.0
    if roll == 0.0 and pitch == 0.0 and yaw == 0.0:
        return
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    w0, a0, b0, c0 = cp * cr, sp * cr, cp * sr, sp * sr
    w, a, b, c = cy * w0 - sy * c0, cy * a0 - sy * b0, cy * b0 + sy * a0, cy * c0 + sy * w0
    qw, qa, qb, qc = x_new[S.q_w], x_new[S.q_x], x_new[S.q_y], x_new[S.q_z]
    x_new[S.q_w] = w * qw - a * qa - b * qb - c * qc
    x_new[S.q_x] = w * qa + a * qw + b * qc - c * qb
    x_new[S.q_y] = w * qb - a * qc + b * qw + c * qa
    x_new[S.q_z] = w * qc + a * qb - b * qa + c * qw
    normalise(x_new)


def normalise(x_new):
    """Give the quaternion length 1; one whose length is 1 within rounding keeps its bits."""
    size = squared_length(x_new)
    if abs(size - 1.0) > 1e-15 and size > 0.0:
        for i in range(4):
            x_new[S.q_w + i] /= math.sqrt(size)


def squared_length(x):
    """Return the squared length of the quaternion."""
    return x[S.q_w] ** 2 + x[S.q_x] ** 2 + x[S.q_y] ** 2 + x[S.q_z] ** 2

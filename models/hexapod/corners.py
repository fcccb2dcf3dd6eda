"""The corners of the body's box, on which a robot lies that has fallen. See docs/hexapod.md, "The body on the ground".

With d the depth of a corner below the ground and a the gradient of its height above it, the ground's force is

    F = k d f(b ddot) a - G w,   f(s) = s + sqrt(1 + s^2),   G = c mu N / sqrt((mu N)^2 + (c |w|)^2)

where ddot = -a . u for the corner's velocity u, w is the part of u along the ground, and N the part of F along its
normal. The spring has the potential k d^2 / 2 on any ground. The factor f is Hunt's and Crossley's 1 + b ddot (1975)
where b ddot is small, and never negative, so that the ground never pulls. Friction is viscous for a corner that
creeps, and never leaves the cone. Everything starts from zero where a corner touches. A step that ends where it leaves
reaches beyond, and F goes on smoothly there, as if the ground pulled.
"""

import math
from typing import NamedTuple

from .body import Wrench
from .records import N_CORNERS, P, S, has_corner
from .terrain import gradient, height, plane_above
from .vectors import Vector, cross, dot, length_of, minus, plus, times, to_body, to_world, vector_at

CLEAR_CORNER_HEIGHT = 0.01
"""Height of the lowest corner above the ground beyond which it does not matter [m]."""
LEAST_FORCE = 1e-100
"""Least force that divides [N]: a corner that just touches has none."""


class Corner(NamedTuple):
    """A corner on the ground: where it is, the force of the ground on it, and what its contact takes.

    Attributes
    ----------
    arm, force : Vector
        From the body's centre [m], and the force of the ground [N], in B.
    push, drag : float
        The force along the normal of the ground, and along the ground [N].
    energy : float
        Elastic, in the contact [J].
    damper_loss, friction_loss : float
        Power lost [W].
    """

    arm: Vector
    force: Vector
    push: float
    drag: float
    energy: float
    damper_loss: float
    friction_loss: float


class CornerContact(NamedTuple):
    """What the ground does to the body: the load [N, N m], in B, and the power lost [W]."""

    load: Wrench
    damper_loss: float
    friction_loss: float


def corner_arm(p, j):
    """Return where corner number j is, from the body's centre, in B [m]; its bits say right, front and top."""
    return Vector(
        (0.5 if j & 1 else -0.5) * p[P.body_width],
        (0.5 if j & 2 else -0.5) * p[P.body_length],
        (0.5 if j & 4 else -0.5) * p[P.body_height],
    )


def corner_place(x, pose, arm):
    """Return where a corner is in W [m]."""
    return plus(vector_at(x, S.r_x), to_world(pose.rotation, arm))


def corner_gap(x, p, pose, j):
    """Return the height of corner number j above the ground [m]."""
    place = corner_place(x, pose, corner_arm(p, j))
    return place.z - height(place.x, place.y, p)


def body_gap(x, p, pose):
    """Return the height of the lowest corner above the ground [m], at most CLEAR_CORNER_HEIGHT.

    A body that is above a plane above the ground by that much needs no search for its lowest corner.
    """
    axes, width, length, tall = pose.rotation, p[P.body_width], p[P.body_length], p[P.body_height]
    top, slopes = plane_above(0.5 * (width + length + tall), x[S.r_x], x[S.r_y], p)
    up = minus(axes.z, plus(times(slopes.x, axes.x), times(slopes.y, axes.y)))
    if x[S.r_z] - top - 0.5 * (width * abs(up.x) + length * abs(up.y) + tall * abs(up.z)) >= CLEAR_CORNER_HEIGHT:
        return CLEAR_CORNER_HEIGHT
    gap = CLEAR_CORNER_HEIGHT
    for j in range(N_CORNERS):
        gap = min(gap, corner_gap(x, p, pose, j))
    return gap


def press_corner(x, p, pose, j):
    """Return corner number j, on the ground."""
    arm = corner_arm(p, j)
    place = corner_place(x, pose, arm)
    velocity = plus(vector_at(x, S.v_x), to_world(pose.rotation, cross(pose.spin, arm)))
    slopes = gradient(place.x, place.y, p)
    up = Vector(-slopes.x, -slopes.y, 1.0)
    steepness = length_of(up)
    depth, sinking = height(place.x, place.y, p) - place.z, -dot(up, velocity)
    spring = p[P.body_stiffness] * depth
    lift = spring * damping_factor(p[P.body_damping] * sinking)
    push = lift * steepness
    along = plus(velocity, times(sinking / (steepness * steepness), up))
    grip = drag_per_speed(p[P.body_friction] * push, p[P.body_creep_damping], dot(along, along))
    return Corner(
        arm,
        force=to_body(pose.rotation, minus(times(lift, up), times(grip, along))),
        push=push,
        drag=grip * length_of(along),
        energy=0.5 * spring * depth,
        damper_loss=(lift - spring) * sinking,
        friction_loss=grip * dot(along, along),
    )


def damping_factor(s):
    """Return s + sqrt(1 + s^2): 1 + s for small s, and positive for all."""
    size = abs(s) + math.sqrt(1.0 + s * s)
    return size if s >= 0.0 else 1.0 / size


def drag_per_speed(limit, damping, square):
    """Return the drag per speed [N s/m] of a corner whose friction is at most `limit` [N], at a squared speed."""
    return damping * limit / max(math.sqrt(limit * limit + damping * damping * square), LEAST_FORCE)


def press_body(x, p, chart, pose, load):
    """Return the load on the body with that of its corners on the ground, and the power lost there."""
    damper_loss, friction_loss = 0.0, 0.0
    for j in range(N_CORNERS):
        if has_corner(chart, j):
            corner = press_corner(x, p, pose, j)
            load = Wrench(plus(load.force, corner.force), plus(load.torque, cross(corner.arm, corner.force)))
            damper_loss += corner.damper_loss
            friction_loss += corner.friction_loss
    return CornerContact(load, damper_loss, friction_loss)


def corners_below(x, p, pose, limit):
    """Return the chart bits of the corners whose height above the ground is at most `limit` [m]."""
    corners = 0
    for j in range(N_CORNERS):
        if corner_gap(x, p, pose, j) <= limit:
            corners |= 1 << j
    return corners


def corners_that_land(x, p, pose):
    """Return the chart bits of the lowest corner, of those as low as it, and of those below the ground.

    Each height is computed once: a second computation may round otherwise, and leave no corner that is the lowest.
    """
    lowest, corners, below = math.inf, 0, 0
    for j in range(N_CORNERS):
        above = corner_gap(x, p, pose, j)
        if above < lowest:
            lowest, corners = above, 1 << j
        elif above == lowest:
            corners |= 1 << j
        if above <= 0.0:
            below |= 1 << j
    return corners | below

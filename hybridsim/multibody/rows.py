"""Constraints as rows: each is a wrench on a body, whose power must vanish.

An array of rows has n_speeds + 1 columns. The entries of a row are its wrench times the partial velocities of the body,
so that their sum with the speeds is the velocity that the wrench works on. The last entry is the rate of that velocity
where the speeds are constant, its drift. So a row says  A udot + drift = 0,  and `solve_constrained` multiplies the
wrench by the reaction.
"""

from typing import NamedTuple

from .motion import acceleration_at, arm_of, velocity_at
from .tree import AXES, FRAME_SIZE, LINK, ORIGIN, PRISMATIC, SPIN, SPIN_RATE, axes_of, speeds_of
from .vectors import (
    ZERO,
    Vector,
    cross,
    dot,
    length_of,
    minus,
    plus,
    rotate,
    rotation_at,
    times,
    vector_at,
)


class Point(NamedTuple):
    """A point of a body: the body's frame, and the place in that frame [m]."""

    frame: int
    place: Vector


class Wrench(NamedTuple):
    """A force and a torque on a body, in the axes of the world.

    Attributes
    ----------
    arm : Vector
        From the body's origin to the point where the force acts [m].
    force, torque : Vector
        For a row usually unit vectors.
    """

    arm: Vector
    force: Vector
    torque: Vector


class Wheel(NamedTuple):
    """A wheel: a circle in a body, covered by a tube. A thin disk has tube 0, a sphere radius 0; others are tori.

    Attributes
    ----------
    frame : int
        The body.
    centre, axis : Vector
        Centre [m] and axis, of length 1, in the frame of the body.
    radius, tube : float
        Of the circle, and of the tube around it [m].
    """

    frame: int
    centre: Vector
    axis: Vector
    radius: float
    tube: float


def clear_row(rows, tree, row):
    """Set a row and its drift to zero: the wrenches of a row are added one by one."""
    for j in range((tree.n_speeds + 1) * row, (tree.n_speeds + 1) * (row + 1)):
        rows[j] = 0.0


def add_wrench(rows, motion, tree, row, frame, wrench):
    """Add a wrench on a body to a row.

    Parameters
    ----------
    rows : (n_rows * (n_speeds + 1),) array
        The rows.
    motion : (size,) array
        As `kinematics` leaves it.
    tree : Tree
        The mechanism.
    row, frame : int
        The row; the body that the wrench acts on, 0 for the world, to which nothing happens.
    wrench : Wrench
        The wrench. If it turns, the drift lacks what this makes of the velocity; the caller adds it.
    """
    first, axes, own = (tree.n_speeds + 1) * row, axes_of(tree), frame * FRAME_SIZE
    moving = dot(wrench.force, acceleration_at(motion, own, wrench.arm))
    rows[first + tree.n_speeds] += moving + dot(wrench.torque, vector_at(motion, own + SPIN_RATE))
    push, moved = plus(wrench.force, ZERO), plus(wrench.torque, cross(wrench.arm, wrench.force))
    while frame > 0:
        along = push if tree.kind[frame] == PRISMATIC else moved
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            rows[first + j] += dot(vector_at(motion, axes + 3 * j), along)
        moved = plus(moved, cross(vector_at(motion, frame * FRAME_SIZE + LINK), push))
        frame = tree.parent[frame]


def velocity_rows(rows, motion, tree, row, frame, arm):
    """Write three rows: the velocity of the point of a body at `arm` from its origin, along the axes of the world."""
    for i in range(3):
        clear_row(rows, tree, row + i)
        add_wrench(rows, motion, tree, row + i, frame, Wrench(arm, _unit(i), ZERO))


def _unit(i):
    return Vector(1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)


def point_rows(rows, motion, tree, row, point):
    """Write three rows: the velocity of a `Point` along the axes of the world."""
    velocity_rows(rows, motion, tree, row, point.frame, arm_of(motion, point.frame, point.place))


def direction_row(rows, motion, tree, row, point, direction):
    """Write a row: the velocity of a `Point` along a direction that does not turn."""
    clear_row(rows, tree, row)
    arm = arm_of(motion, point.frame, point.place)
    add_wrench(rows, motion, tree, row, point.frame, Wrench(arm, direction, ZERO))


def spin_row(rows, motion, tree, row, frame, direction):
    """Write a row: the angular velocity of a body along a direction that does not turn."""
    clear_row(rows, tree, row)
    add_wrench(rows, motion, tree, row, frame, Wrench(ZERO, ZERO, direction))


def lock_row(rows, tree, row, speed):
    """Write a row: a speed by itself. It locks a joint."""
    clear_row(rows, tree, row)
    rows[(tree.n_speeds + 1) * row + speed] = 1.0


def joining_rows(rows, motion, tree, row, first, second):
    """Write three rows that join two points of different bodies: the velocity of the first less that of the second."""
    velocity_rows(rows, motion, tree, row, first.frame, arm_of(motion, first.frame, first.place))
    arm = arm_of(motion, second.frame, second.place)
    for i in range(3):
        add_wrench(rows, motion, tree, row + i, second.frame, Wrench(arm, times(-1.0, _unit(i)), ZERO))


def distance_row(rows, motion, tree, row, first, second):
    """Write a row: the rate of the distance of two points of different bodies, by a massless rod between them.

    Returns
    -------
    float
        The distance [m].
    """
    arm = arm_of(motion, first.frame, first.place)
    second_arm = arm_of(motion, second.frame, second.place)
    apart = minus(
        plus(vector_at(motion, first.frame * FRAME_SIZE + ORIGIN), arm),
        plus(vector_at(motion, second.frame * FRAME_SIZE + ORIGIN), second_arm),
    )
    distance = length_of(apart)
    along = times(1.0 / distance, apart)
    clear_row(rows, tree, row)
    add_wrench(rows, motion, tree, row, first.frame, Wrench(arm, along, ZERO))
    add_wrench(rows, motion, tree, row, second.frame, Wrench(second_arm, times(-1.0, along), ZERO))
    velocity = velocity_at(motion, first.frame * FRAME_SIZE, arm)
    relative = minus(velocity, velocity_at(motion, second.frame * FRAME_SIZE, second_arm))
    across = minus(relative, times(dot(along, relative), along))
    rows[(tree.n_speeds + 1) * row + tree.n_speeds] += dot(across, across) / distance  # the rod itself turns
    return distance


def bounce_row(rows, tree, row, restitution, u):
    """Set the last entry of a row so that an impact turns its velocity round: A u+ = -restitution A u-.

    Parameters
    ----------
    rows : (n_rows * (n_speeds + 1),) array
        The rows.
    tree : Tree
        The mechanism.
    row : int
        The row.
    restitution : float
        0 for a plastic impact, 1 for an elastic one.
    u : (n_speeds,) array
        Speeds before the impact.
    """
    first, approach = (tree.n_speeds + 1) * row, 0.0
    for j in range(tree.n_speeds):
        approach += rows[first + j] * u[j]
    rows[first + tree.n_speeds] = restitution * approach


def rolling_arm(motion, wheel, normal):
    """Return the vector from the centre of a wheel to its point nearest to a plane with this normal.

    P = C - radius e - tube normal, where e is the part of the normal across the axis, of length 1.
    """
    axis = rotate(rotation_at(motion, wheel.frame * FRAME_SIZE + AXES), wheel.axis)
    across = minus(normal, times(dot(normal, axis), axis))
    length = length_of(across)
    # A sphere, whose radius is 0, rolls whatever its axis is; a disk that lies flat touches everywhere: nan.
    to_rim = 0.0 if length == 0.0 and wheel.radius == 0.0 else -wheel.radius / length
    return plus(times(to_rim, across), times(-wheel.tube, normal))


class Contact(NamedTuple):
    """Where a wheel touches a plane.

    Attributes
    ----------
    frame : int
        The body of the wheel.
    arm : Vector
        From the body's origin to the point of contact, in the axes of the world [m].
    sweep : Vector
        What the drift of a rolling wheel has beyond that of a point of the body [m/s^2].
    """

    frame: int
    arm: Vector
    sweep: Vector


def contact_of(motion, wheel, normal):
    """Return the `Contact` of a wheel with a plane that has this normal, of length 1, in the axes of the world."""
    to_contact = rolling_arm(motion, wheel, normal)
    # The point of contact moves over the body: its arm changes by -radius edot, and not by spin x arm.
    spin = vector_at(motion, wheel.frame * FRAME_SIZE + SPIN)
    sweep = cross(spin, minus(_rim_rate(motion, wheel, normal), cross(spin, to_contact)))
    return Contact(wheel.frame, plus(arm_of(motion, wheel.frame, wheel.centre), to_contact), sweep)


def rolling_row(rows, motion, tree, row, contact, direction):
    """Write a row: the velocity of a wheel's material point at a `Contact` along a direction; it rolls if it is 0.

    For the other arguments see `add_wrench`. A planar mechanism has a row along the plane and one along its normal.
    """
    clear_row(rows, tree, row)
    add_wrench(rows, motion, tree, row, contact.frame, Wrench(contact.arm, direction, ZERO))
    rows[(tree.n_speeds + 1) * row + tree.n_speeds] += dot(direction, contact.sweep)


def rolling_rows(rows, motion, tree, row, contact):
    """Write three rows: the velocity of a wheel's material point at a `Contact` along the axes of the world."""
    for i in range(3):
        rolling_row(rows, motion, tree, row + i, contact, _unit(i))


def _rim_rate(motion, wheel, normal):
    """Return -radius edot: how fast the vector from the wheel's centre to the contact changes."""
    axis = rotate(rotation_at(motion, wheel.frame * FRAME_SIZE + AXES), wheel.axis)
    axis_rate = cross(vector_at(motion, wheel.frame * FRAME_SIZE + SPIN), axis)
    across = minus(normal, times(dot(normal, axis), axis))
    across_rate = minus(times(-dot(normal, axis_rate), axis), times(dot(normal, axis), axis_rate))
    length = length_of(across)
    if length == 0.0 and wheel.radius == 0.0:
        return Vector(0.0, 0.0, 0.0)
    e = times(1.0 / length, across)
    return times(-wheel.radius / length, minus(across_rate, times(dot(e, across_rate), e)))

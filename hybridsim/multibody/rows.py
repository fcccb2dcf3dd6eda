"""Constraints as rows: each is a wrench on a body, whose power must vanish (or be what is wanted).

A row's entries are its wrench times the partial velocities of the body, so that A u is the velocity that the wrench
works on, and A udot + drift its rate. The solution of the constrained equations multiplies the wrench by the reaction.
"""

from .dynamics import speeds_of
from .motion import acceleration_at, arm_of, velocity_at
from .tree import AXES, FRAME, LINK, ORIGIN, PRISMATIC, SPIN, SPIN_RATE, axes_of
from .vectors import (
    UNIT_X,
    UNIT_Y,
    UNIT_Z,
    ZERO,
    Vector,
    cross,
    dot,
    length_of,
    minus,
    plus,
    rotated,
    rotation_at,
    times,
    vector_at,
)


def clear_row(rows, drifts, tree, row):
    """Set a row and its drift to zero: the wrenches of a row are added one by one."""
    for j in range(tree.n_speeds):
        rows[tree.n_speeds * row + j] = 0.0
    drifts[row] = 0.0


def add_wrench(rows, drifts, motion, tree, row, frame, arm, force, torque):
    """Add a wrench on a body to a row.

    Parameters
    ----------
    rows : (n_rows * n_speeds,) array
        A, row by row.
    drifts : (n_rows,) array
        Rate of A u where the speeds are constant; the wrench's own turning is not part of it.
    motion : (size,) array
        As `kinematics` leaves it.
    tree : Tree
        The mechanism.
    row, frame : int
        The row; the body that the wrench acts on.
    arm : Vector
        From the body's origin to the point where the force acts, in the world's axes [m].
    force, torque : Vector
        In the world's axes; usually unit vectors.
    """
    first, axes, own = tree.n_speeds * row, axes_of(tree), frame * FRAME
    drifts[row] += dot(force, acceleration_at(motion, own, arm)) + dot(torque, vector_at(motion, own + SPIN_RATE))
    push, moved = plus(force, ZERO), plus(torque, cross(arm, force))
    while frame > 0:
        along = push if tree.kind[frame] == PRISMATIC else moved
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            rows[first + j] += dot(vector_at(motion, axes + 3 * j), along)
        moved = plus(moved, cross(vector_at(motion, frame * FRAME + LINK), force))
        frame = tree.parent[frame]


def point_rows(rows, drifts, motion, tree, row, frame, point):
    """Write three rows: the velocity of a point of a body along the axes x, y and z of the world.

    `point` is given in the frame of the body. For the other arguments see `add_wrench`.
    """
    arm = arm_of(motion, frame, point)
    velocity_rows(rows, drifts, motion, tree, row, frame, arm)


def velocity_rows(rows, drifts, motion, tree, row, frame, arm):
    """Write three rows: the velocity of the point of a body at `arm` from its origin, along the axes of the world."""
    for i in range(3):
        clear_row(rows, drifts, tree, row + i)
    add_wrench(rows, drifts, motion, tree, row, frame, arm, UNIT_X, ZERO)
    add_wrench(rows, drifts, motion, tree, row + 1, frame, arm, UNIT_Y, ZERO)
    add_wrench(rows, drifts, motion, tree, row + 2, frame, arm, UNIT_Z, ZERO)


def direction_row(rows, drifts, motion, tree, row, frame, point, direction):
    """Write a row: the velocity of a point of a body along a direction that the world holds fixed."""
    clear_row(rows, drifts, tree, row)
    add_wrench(rows, drifts, motion, tree, row, frame, arm_of(motion, frame, point), direction, ZERO)


def spin_row(rows, drifts, motion, tree, row, frame, direction):
    """Write a row: the angular velocity of a body along a direction that the world holds fixed."""
    clear_row(rows, drifts, tree, row)
    add_wrench(rows, drifts, motion, tree, row, frame, ZERO, ZERO, direction)


def lock_row(rows, drifts, tree, row, speed):
    """Write a row: a speed by itself. It locks a joint."""
    clear_row(rows, drifts, tree, row)
    rows[tree.n_speeds * row + speed] = 1.0


def joining_rows(rows, drifts, motion, tree, row, first, first_point, second, second_point):
    """Write three rows that join points of two bodies: the velocity of the first one less that of the second."""
    velocity_rows(rows, drifts, motion, tree, row, first, arm_of(motion, first, first_point))
    arm = arm_of(motion, second, second_point)
    add_wrench(rows, drifts, motion, tree, row, second, arm, times(-1.0, UNIT_X), ZERO)
    add_wrench(rows, drifts, motion, tree, row + 1, second, arm, times(-1.0, UNIT_Y), ZERO)
    add_wrench(rows, drifts, motion, tree, row + 2, second, arm, times(-1.0, UNIT_Z), ZERO)


def distance_row(rows, drifts, motion, tree, row, first, first_point, second, second_point):
    """Write a row: the rate of the distance of two points of two bodies, by a massless rod between them.

    Returns
    -------
    float
        The distance [m].
    """
    arm, second_arm = arm_of(motion, first, first_point), arm_of(motion, second, second_point)
    apart = minus(
        plus(vector_at(motion, first * FRAME + ORIGIN), arm),
        plus(vector_at(motion, second * FRAME + ORIGIN), second_arm),
    )
    distance = length_of(apart)
    along = times(1.0 / distance, apart)
    clear_row(rows, drifts, tree, row)
    add_wrench(rows, drifts, motion, tree, row, first, arm, along, ZERO)
    add_wrench(rows, drifts, motion, tree, row, second, second_arm, times(-1.0, along), ZERO)
    relative = minus(velocity_at(motion, first * FRAME, arm), velocity_at(motion, second * FRAME, second_arm))
    across = minus(relative, times(dot(along, relative), along))
    drifts[row] += dot(across, across) / distance  # the rod turns with the speed across / distance
    return distance


def rolling_arm(motion, frame, wheel, radius, tube, normal):
    """Return the vector from the centre of a wheel to its point nearest to a plane.

    The wheel is a circle of this radius about an axis of the body, covered by a tube: a thin disk (tube 0), a sphere
    (radius 0), a torus. P = C - radius e - tube n, with e the part of the normal n across the axis, of length 1.
    """
    axis = rotated(rotation_at(motion, frame * FRAME + AXES), wheel)
    across = minus(normal, times(dot(normal, axis), axis))
    # A sphere, whose radius is 0, rolls whatever its axis is.
    to_rim = -radius / length_of(across) if radius > 0.0 else 0.0
    return plus(times(to_rim, across), times(-tube, normal))


def rolling_rows(rows, drifts, motion, tree, row, frame, centre, wheel, radius, tube, normal):
    """Write three rows: the velocity of a wheel's material point at the plane that it touches; it rolls if they are 0.

    Parameters
    ----------
    rows, drifts, motion, tree, row, frame
        As of `add_wrench`; three rows from `row` on.
    centre : Vector
        Centre of the wheel in the frame of the body [m].
    wheel : Vector
        Axis of the wheel in the frame of the body, of length 1.
    radius, tube : float
        Of the circle and of the tube around it [m].
    normal : Vector
        Normal of the plane, of length 1, in the world's axes.

    Returns
    -------
    Vector
        From the body's origin to the point of contact, in the world's axes [m].
    """
    own = frame * FRAME
    to_contact = rolling_arm(motion, frame, wheel, radius, tube, normal)
    arm = plus(arm_of(motion, frame, centre), to_contact)
    velocity_rows(rows, drifts, motion, tree, row, frame, arm)
    # The point of contact moves over the body: its arm changes by -radius edot, and not by spin x arm.
    spin = vector_at(motion, own + SPIN)
    sweep = cross(spin, minus(_rim_rate(motion, frame, wheel, radius, normal), cross(spin, to_contact)))
    drifts[row] += sweep.x
    drifts[row + 1] += sweep.y
    drifts[row + 2] += sweep.z
    return arm


def _rim_rate(motion, frame, wheel, radius, normal):
    """Return -radius edot: how fast the vector from the wheel's centre to the contact changes."""
    if radius == 0.0:
        return Vector(0.0, 0.0, 0.0)
    axis = rotated(rotation_at(motion, frame * FRAME + AXES), wheel)
    axis_rate = cross(vector_at(motion, frame * FRAME + SPIN), axis)
    across = minus(normal, times(dot(normal, axis), axis))
    across_rate = minus(times(-dot(normal, axis_rate), axis), times(dot(normal, axis), axis_rate))
    length = length_of(across)
    e = times(1.0 / length, across)
    return times(-radius / length, minus(across_rate, times(dot(e, across_rate), e)))

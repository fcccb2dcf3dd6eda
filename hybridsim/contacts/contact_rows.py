"""Rows and gaps of contacts: along a normal and one or two tangents, and about the normal.

A wheel is a circle, its rim, covered by a tube. A ball is a tube around its centre alone, and a point has neither.
With the centre C, and with e the part of the normal n across the axis, of length 1, it is lowest, along n, at
P = C - rim e - tube n. This place moves over its body, and over the other one, and the axes turn: rows have the drift
that this makes.
"""

import math
from typing import NamedTuple

from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.motion import acceleration_at, arm_of, point_of, rotation_of, spin_of, velocity_at
from hybridsim.multibody.rows import Wrench, add_wrench, clear_row
from hybridsim.multibody.tree import FRAME_SIZE, LINK, ORIGIN, PRISMATIC, SPIN_RATE, axes_of, speeds_of
from hybridsim.multibody.vectors import ZERO, Vector, cross, dot, length_of, minus, plus, rotate, times, vector_at

from .layout import PLANE_HEADING, PLANE_SLOPE, PLANE_X, PLANE_Z, first_of, normal_of, patch_of, read_layout
from .layout import spin_of as spin_row_of
from .terms import is_needed, put_gap

CIRCLE_RADIUS = PLANE_SLOPE
"""A parameter of circles, which have it in the place of a slope."""


class Round(NamedTuple):
    """What touches: a wheel, a ball or a point.

    Attributes
    ----------
    axis, axis_rate : Vector
        The axis of a wheel, of length 1, and how fast it turns; 0 of what has none.
    rim, tube : float
        Radius of the rim, and of the tube around it [m].
    """

    axis: Vector
    axis_rate: Vector
    rim: float
    tube: float


class Place(NamedTuple):
    """A place of a body.

    Attributes
    ----------
    frame : int
        The body.
    arm, drift : Vector
        From the body's origin to the place [m]; its acceleration where speeds are constant [m/s^2].
    """

    frame: int
    arm: Vector
    drift: Vector


class Touch(NamedTuple):
    """Where a contact touches.

    Attributes
    ----------
    arm, rim : Vector
        From the body's origin to the centre of what touches, and from there to its rim above this place [m].
    tube : float
        From the rim to this place [m].
    low_rate : Vector
        How fast the way from the centre to this place changes [m/s].
    axes, rates : tuples of three Vectors
        The normal and both tangents, and how fast they turn.
    """

    arm: Vector
    rim: Vector
    tube: float
    low_rate: Vector
    axes: tuple[Vector, Vector, Vector]
    rates: tuple[Vector, Vector, Vector]


def round_of(work, motion, bodies, i, p):
    """Return what touches at point i."""
    layout, frame, axis = read_layout(work), bodies.frames[i], vector_at(bodies.axes, 3 * i)
    rolls = bodies.radii[i] >= 0 and spin_row_of(work, layout, patch_of(work, layout, i)) < 0
    radius = p[bodies.radii[i]] if rolls else 0.0
    tube = p[bodies.radii[i] + 1] if dot(axis, axis) > 0.0 else radius
    axis = rotate(rotation_of(motion, frame), axis)
    return Round(axis, cross(spin_of(motion, frame), axis), radius - tube, tube)


def lowest_rim(shape, normal):
    """Return the way from the centre to the rim where it is lowest along a normal; 0 if the wheel lies flat."""
    across = minus(normal, times(dot(normal, shape.axis), shape.axis))
    length = length_of(across)
    return times(-shape.rim * (1.0 / length if length > 0.0 else 0.0), across)


def lowest(shape, normal):
    """Return the way from the centre to what is lowest along a normal."""
    return minus(lowest_rim(shape, normal), times(shape.tube, normal))


def lowest_rate(shape, normal, rate):
    """Return how fast `lowest` changes where the normal turns with this rate."""
    tilt = dot(normal, shape.axis)
    across = minus(normal, times(tilt, shape.axis))
    tilting = dot(rate, shape.axis) + dot(normal, shape.axis_rate)
    change = minus(rate, plus(times(tilting, shape.axis), times(tilt, shape.axis_rate)))
    length = length_of(across)
    inverse = 1.0 / length if length > 0.0 else 0.0
    e = times(inverse, across)
    turned = minus(change, times(dot(e, change), e))
    return minus(times(-shape.rim * inverse, turned), times(shape.tube, rate))


def point_terms(work, motion, bodies, i, p):
    """Write the rows and the gap of point i, which meets a plane or a circle, of the world or of a body."""
    layout, frame, other = read_layout(work), bodies.frames[i], bodies.others[i]
    j, place, shape = patch_of(work, layout, i), vector_at(bodies.places, 3 * i), round_of(work, motion, bodies, i, p)
    plane, arm, position = int(work[layout.plane + j]), arm_of(motion, frame, place), point_of(motion, frame, place)
    origin = point_of(motion, other, Vector(p[plane + PLANE_X], 0.0, p[plane + PLANE_Z]))
    velocity, away, side = velocity_at(motion, frame * FRAME_SIZE, arm), minus(position, origin), bodies.circles[i]
    if side != 0:
        foot = minus(origin, vector_at(motion, other * FRAME_SIZE + ORIGIN))
        relative = minus(velocity, velocity_at(motion, other * FRAME_SIZE, foot))
        axes, rates = circle_axes(float(side), away, relative)
        beyond = side * p[plane + CIRCLE_RADIUS]
    else:
        axes, rates = plane_axes(motion, other, p, plane, layout.tangents)
        beyond = 0.0
    low, reach = lowest(shape, axes[0]), length_of(position) + length_of(origin) + bodies.length
    put_gap(work, layout, i, dot(axes[0], plus(away, low)) - beyond, reach, bodies.length)
    touch = Touch(arm, lowest_rim(shape, axes[0]), shape.tube, lowest_rate(shape, axes[0], rates[0]), axes, rates)
    touch_rows(work, motion, bodies, i, touch)
    if layout.tangents == 2:
        put_along(work, layout, i, shape, axes, away)
        put_turning(work, motion, bodies, i, p, axes[0])


def is_point(bodies, i):
    """Return whether a point has no axis: it is no wheel in space."""
    axis = vector_at(bodies.axes, 3 * i)
    return dot(axis, axis) == 0.0


def world_point_terms(work, motion, bodies, i, p, axes, mode):
    """Write the rows and the gap of a point or a ball that meets a plane of the world, as `point_terms` does."""
    layout, frame = read_layout(work), bodies.frames[i]
    j = patch_of(work, layout, i)
    rolls, plane = bodies.radii[i] >= 0 and spin_row_of(work, layout, j) < 0, int(work[layout.plane + j])
    radius, own = p[bodies.radii[i]] if rolls else 0.0, frame * FRAME_SIZE
    arm = arm_of(motion, frame, vector_at(bodies.places, 3 * i))
    position, origin = plus(vector_at(motion, own + ORIGIN), arm), Vector(p[plane + PLANE_X], 0.0, p[plane + PLANE_Z])
    away, low = minus(position, origin), times(-radius, axes[0])
    reach = length_of(position) + length_of(origin) + bodies.length
    put_gap(work, layout, i, dot(axes[0], away) - radius, reach, bodies.length)
    if is_needed(work, layout, mode, normal_of(work, layout, i)):
        drift = plus(acceleration_at(motion, own, arm), cross(vector_at(motion, own + SPIN_RATE), low))
        put_rows(work, motion, bodies.tree, normal_of(work, layout, i), Place(frame, plus(arm, low), drift), axes)
    if layout.tangents == 2:
        work[layout.along + 2 * i], work[layout.along + 2 * i + 1] = dot(axes[1], away), dot(axes[2], away)
        put_turning(work, motion, bodies, i, p, axes[0])


def put_turning(work, motion, bodies, i, p, normal):
    """Put how fast a contact of several points turns, and the lever of its friction, with its first point."""
    layout = read_layout(work)
    j = patch_of(work, layout, i)
    if i == first_of(work, layout, j) and spin_row_of(work, layout, j) >= 0:
        turning_row(work, motion, bodies, i, normal)
        work[layout.lever + j] = p[bodies.radii[i]]


def put_rows(work, motion, tree, row, place, axes):
    """Write rows of a point: its velocity along the axes."""
    layout, width, directions = read_layout(work), tree.n_speeds + 1, axes_of(tree)
    first, frame, arm = layout.rows + width * row, place.frame, place.arm
    for k in range(1 + layout.tangents):
        for j in range(tree.n_speeds):
            work[first + width * k + j] = 0.0
        work[first + width * k + tree.n_speeds] = dot(axes[k], place.drift)
    while frame > 0:
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            axis = vector_at(motion, directions + 3 * j)
            moved = axis if tree.kind[frame] == PRISMATIC else cross(axis, arm)
            for k in range(1 + layout.tangents):
                work[first + width * k + j] = dot(axes[k], moved)
        arm = plus(arm, vector_at(motion, frame * FRAME_SIZE + LINK))
        frame = tree.parent[frame]


def put_along(work, layout, i, shape, axes, away):
    """Put the place of a point along both tangents; of a wheel how upright it is: the sine between axis and normal."""
    is_wheel = dot(shape.axis, shape.axis) > 0.0
    work[layout.along + 2 * i] = length_of(cross(axes[0], shape.axis)) if is_wheel else dot(axes[1], away)
    work[layout.along + 2 * i + 1] = 0.0 if is_wheel else dot(axes[2], away)


def world_axes(slope, heading):
    """Return the axes of a plane: its normal, its tangent that rises with the slope, and the level one to the left."""
    sine, cosine, x, y = math.sin(slope), math.cos(slope), math.cos(heading), math.sin(heading)
    normal, tangent = Vector(-sine * x, -sine * y, cosine), Vector(cosine * x, cosine * y, sine)
    return normal, tangent, Vector(-y, x, 0.0 * sine)


def plane_axes(motion, other, p, plane, tangents):
    """Return the axes of a plane of a body, and how fast they turn."""
    axes = world_axes(p[plane + PLANE_SLOPE], p[plane + PLANE_HEADING] if tangents == 2 else 0.0)
    turn, spin = rotation_of(motion, other), spin_of(motion, other)
    normal, tangent, lateral = rotate(turn, axes[0]), rotate(turn, axes[1]), rotate(turn, axes[2])
    return (normal, tangent, lateral), (cross(spin, normal), cross(spin, tangent), cross(spin, lateral))


def circle_axes(side, away, velocity):
    """Return the axes of a circle below a place away from its centre, and how fast they turn; `side` is -1 inside.

    The tangent is the normal, turned right by a right angle. In the centre, any normal will do.
    """
    distance = length_of(away)
    inverse = side / distance if distance > 0.0 else 0.0
    middle = 0.0 if distance > 0.0 else 1.0
    normal = plus(times(inverse, away), Vector(0.0, 0.0, middle))
    rate = times(inverse, minus(velocity, times(dot(normal, velocity), normal)))
    across = plus(times(0.0, normal), Vector(0.0, 1.0, 0.0))
    return (normal, cross(across, normal), across), (rate, cross(across, rate), times(0.0, rate))


def touch_rows(work, motion, bodies, i, touch):
    """Write the rows of point i: velocities, relative to what it touches, along the axes."""
    layout, tree, frame, other = read_layout(work), bodies.tree, bodies.frames[i], bodies.others[i]
    rows, spin = subarray(work, layout.rows, layout.n_rows * (layout.n_speeds + 1)), spin_of(motion, frame)
    apart = minus(vector_at(motion, frame * FRAME_SIZE + ORIGIN), vector_at(motion, other * FRAME_SIZE + ORIGIN))
    low = minus(touch.rim, times(touch.tube, touch.axes[0]))
    centre, arm = velocity_at(motion, frame * FRAME_SIZE, touch.arm), plus(plus(touch.arm, low), apart)
    carried = velocity_at(motion, other * FRAME_SIZE, arm)
    slip = minus(plus(centre, cross(spin, low)), carried)
    passing = minus(plus(centre, touch.low_rate), carried)  # how fast the place moves over the other body
    sweep = minus(cross(spin, touch.low_rate), cross(spin_of(motion, other), passing))
    for k in range(1 + layout.tangents):
        row, axis = normal_of(work, layout, i) + k, touch.axes[k]
        torque = minus(cross(touch.rim, axis), times(touch.tube, cross(touch.axes[0], axis)))  # of a ball's normal: 0
        clear_row(rows, tree, row)
        add_wrench(rows, motion, tree, row, frame, Wrench(touch.arm, axis, torque))
        if other > 0:
            add_wrench(rows, motion, tree, row, other, Wrench(arm, times(-1.0, axis), ZERO))
        rows[(tree.n_speeds + 1) * row + tree.n_speeds] += dot(axis, sweep) + dot(touch.rates[k], slip)


def turning_row(work, motion, bodies, i, normal):
    """Write the row that says how fast a contact turns about the normal of its plane."""
    layout, tree, frame, other = read_layout(work), bodies.tree, bodies.frames[i], bodies.others[i]
    rows = subarray(work, layout.rows, layout.n_rows * (layout.n_speeds + 1))
    row = spin_row_of(work, layout, patch_of(work, layout, i))
    clear_row(rows, tree, row)
    add_wrench(rows, motion, tree, row, frame, Wrench(ZERO, ZERO, normal))
    if other > 0:
        add_wrench(rows, motion, tree, row, other, Wrench(ZERO, ZERO, times(-1.0, normal)))
        turning = minus(spin_of(motion, frame), spin_of(motion, other))
        rows[(tree.n_speeds + 1) * row + tree.n_speeds] += dot(turning, cross(spin_of(motion, other), normal))

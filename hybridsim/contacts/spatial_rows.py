"""Rows and gaps of contacts in space: along a normal and two tangents, and about the normal."""

import math

from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.motion import arm_of, point_of, rotation_of, spin_of, velocity_at
from hybridsim.multibody.rows import Wrench, add_wrench, clear_row
from hybridsim.multibody.tree import FRAME_SIZE, ORIGIN
from hybridsim.multibody.vectors import ZERO, Vector, cross, dot, length_of, minus, rotate, times, vector_at

from .layout import (
    PLANE_HEADING,
    PLANE_SLOPE,
    PLANE_X,
    PLANE_Z,
    first_of,
    normal_of,
    patch_of,
    read_layout,
)
from .layout import spin_of as spin_row_of
from .terms import put_gap


def spatial_terms(work, motion, bodies, x, p):
    """Write the rows and gaps of all points, and the directions in which slips began."""
    layout = read_layout(work)
    for i in range(bodies.n_points):
        plane = int(work[layout.plane + patch_of(work, layout, i)])
        origin, other = Vector(p[plane + PLANE_X], 0.0, p[plane + PLANE_Z]), bodies.others[i]
        normal, tangent, lateral = plane_axes(p, plane)
        if other > 0:
            turn, origin = rotation_of(motion, other), point_of(motion, other, origin)
            normal, tangent, lateral = rotate(turn, normal), rotate(turn, tangent), rotate(turn, lateral)
        point_terms(work, motion, bodies, i, p, (normal, tangent, lateral), origin)
        j = patch_of(work, layout, i)
        if i == first_of(work, layout, j) and spin_row_of(work, layout, j) >= 0:
            turning_row(work, motion, bodies, i, normal)
            work[layout.lever + j] = p[bodies.radii[i]]
    first = layout.n_coordinates + layout.n_speeds + 2
    for k in range(3 * layout.n_contacts):
        work[layout.lean + k] = x[first + k]


def plane_axes(p, plane):
    """Return the normal of a plane, its tangent that rises with the slope, and the level one to the left of it."""
    sine, cosine = math.sin(p[plane + PLANE_SLOPE]), math.cos(p[plane + PLANE_SLOPE])
    x, y = math.cos(p[plane + PLANE_HEADING]), math.sin(p[plane + PLANE_HEADING])
    return Vector(-sine * x, -sine * y, cosine), Vector(cosine * x, cosine * y, sine), Vector(-y, x, 0.0)


def point_terms(work, motion, bodies, i, p, axes, origin):
    """Write the rows and the gap of a point, or of a sphere around it, whose plane has these axes: normal, tangents."""
    layout, tree, frame, other = read_layout(work), bodies.tree, bodies.frames[i], bodies.others[i]
    rows = subarray(work, layout.rows, layout.n_rows * (layout.n_speeds + 1))
    place = vector_at(bodies.places, 3 * i)
    rolls = bodies.radii[i] >= 0 and spin_row_of(work, layout, patch_of(work, layout, i)) < 0
    radius = p[bodies.radii[i]] if rolls else 0.0
    position, arm = point_of(motion, frame, place), arm_of(motion, frame, place)
    from_other = minus(position, vector_at(motion, other * FRAME_SIZE + ORIGIN))
    spin = spin_of(motion, other)
    own, carried = velocity_at(motion, frame * FRAME_SIZE, arm), velocity_at(motion, other * FRAME_SIZE, from_other)
    sweep, turning = cross(spin, minus(own, carried)), minus(spin_of(motion, frame), spin)
    for k in range(3):
        row, torque = normal_of(work, layout, i) + k, times(-radius, cross(axes[0], axes[k]))
        clear_row(rows, tree, row)
        add_wrench(rows, motion, tree, row, frame, Wrench(arm, axes[k], torque))
        if other > 0:  # its plane turns with it: velocities relative to it have the acceleration of Coriolis
            add_wrench(rows, motion, tree, row, other, Wrench(from_other, times(-1.0, axes[k]), times(-1.0, torque)))
            drift = dot(turning, cross(spin, torque)) - 2.0 * dot(axes[k], sweep)
            rows[(tree.n_speeds + 1) * row + tree.n_speeds] += drift
    away = minus(position, origin)
    work[layout.along + 2 * i], work[layout.along + 2 * i + 1] = dot(axes[1], away), dot(axes[2], away)
    reach = length_of(position) + length_of(origin) + bodies.length
    put_gap(work, layout, i, dot(axes[0], away) - radius, reach, bodies.length)


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

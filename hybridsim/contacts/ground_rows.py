"""Rows and gaps of points, wheels and balls on ground whose height is a function.

A height h(x, y) is added to that of a plane of the world. A ball of radius R touches where the normal n of the ground
leads to its centre: below a centre c is the foot f with f + R n(f) = c along x and y; of a wheel, with its `lowest` in
the place of -R n. There is one such f whatever the centre's height, as long as no hollow is curved more tightly than
what touches. A point is a ball of radius 0, and a disk a ball in a plane. As the foot moves, the normal turns.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.multibody.motion import arm_of, point_of, velocity_at
from hybridsim.multibody.tree import FRAME_SIZE
from hybridsim.multibody.vectors import Vector, cross, minus, plus, put, times, vector_at
from hybridsim.typing import FloatArray

from .constants import read_bodies
from .contact_rows import Round, Touch, lowest, lowest_rate, lowest_rim, put_along, round_of, touch_rows
from .layout import PLANE_HEADING, PLANE_SLOPE, PLANE_X, PLANE_Z, patch_of, read_layout
from .terms import put_gap
from .terrain import SHAPES, Terrain

CENTRE, TUBE, DONE, RIM, SHAPE, AXIS, OWN, SIZE, SINKS, FOOT_SIZE = 2, 5, 6, 7, 8, 14, 17, 18, 19, 20
"""Numbers of a foot: its x and y, from the plane's point on; the centre and the tube of what touches; whether the foot
is found; the rim; the ground's height and its derivatives by x, y, xx, xy, yy; the axis; the tube as it is given; a
size; and whether it sinks in, as soft contacts do. The tube is then as thin as lets it touch: the depth is what it
lacks, and rows are those of the point of the ground that is nearest."""

FOOT_STEPS, FOUND = 60, 1e-8
"""Most steps of Newton's method that find a foot; the last one, as a fraction of the size: its square is rounding."""


@separate(void)
def begin_foot(foot, motion, work, whole, real, i, p):
    """Begin to look for the foot of point i."""
    layout, bodies = read_layout(work), read_bodies(whole, real)
    plane = int(work[layout.plane + patch_of(work, layout, i)])
    centre = point_of(motion, bodies.frames[i], vector_at(bodies.places, 3 * i))
    y = centre.y if layout.tangents == 2 else 0.0
    place = Vector(centre.x - p[plane + PLANE_X], y, centre.z - p[plane + PLANE_Z])
    sinks = layout.n_contacts == 0  # soft points do not hold or slip as a whole
    place_round(foot, place, round_of(work, motion, bodies, i, p), bodies.length, 1.0 if sinks else 0.0)


def place_round(foot, centre, shape, length, sinks):
    """Begin to look for the foot of a wheel, ball or point below its centre."""
    foot[0], foot[1], foot[RIM] = centre.x, centre.y, shape.rim
    put(foot, CENTRE, centre)
    put(foot, AXIS, shape.axis)
    foot[TUBE] = foot[OWN] = shape.tube
    foot[SIZE], foot[SINKS] = shape.rim + shape.tube if shape.rim + shape.tube > 0.0 else length, sinks
    foot[DONE] = 1.0 if shape.rim == 0.0 and shape.tube == 0.0 else 0.0
    clear_shape(foot)


def clear_shape(foot):
    """Forget the ground's shape: functions add to zeros."""
    for k in range(SHAPE, SHAPE + 6):
        foot[k] = 0.0


def round_at(foot):
    """Return what touches, as it is at this instant."""
    return Round(vector_at(foot, AXIS), times(0.0, vector_at(foot, AXIS)), foot[RIM], foot[TUBE])


def height_left(foot):
    """Return how far what touches is above the ground, along the normal, where its foot is found."""
    normal = normal_at(foot)
    return (foot[CENTRE + 2] - foot[SHAPE] + lowest(round_at(foot), normal).z) * normal.z


@separate(integer)
def next_foot(foot, work, plane, p):
    """Return whether a foot is found, after the ground's shape there; otherwise take a step of Newton's method."""
    in_space = read_layout(work).tangents == 2
    return improve_foot(foot, p[plane + PLANE_SLOPE], p[plane + PLANE_HEADING] if in_space else 0.0, in_space)


def improve_foot(foot, slope, heading, in_space):
    """Add the plane's own slope to the ground's shape, and do what `next_foot` says."""
    along_x, along_y = math.tan(slope) * math.cos(heading), math.tan(slope) * math.sin(heading)
    foot[SHAPE] += along_x * foot[0] + along_y * foot[1]
    foot[SHAPE + 1] += along_x
    foot[SHAPE + 2] += along_y
    if not in_space:
        foot[SHAPE + 2] = foot[SHAPE + 4] = foot[SHAPE + 5] = 0.0
    if foot[DONE] == 1.0:
        left = height_left(foot)
        is_above = foot[SINKS] == 0.0 or (foot[TUBE] == foot[OWN] and left >= 0.0)
        if is_above or abs(left) <= FOUND * foot[SIZE]:
            return 1
        foot[TUBE] += left
    low, size = lowest(round_at(foot), normal_at(foot)), foot[SIZE]
    miss_x, miss_y = foot[0] - low.x - foot[CENTRE], foot[1] - low.y - foot[CENTRE + 1]
    xx, xy, yx, yy = spreading(foot)
    determinant = xx * yy - xy * yx
    step_x, step_y = (yy * miss_x - xy * miss_y) / determinant, (xx * miss_y - yx * miss_x) / determinant
    length = math.sqrt(step_x * step_x + step_y * step_y)
    share = min(1.0, 0.5 * size / length) if length > 0.0 else 1.0
    foot[0] -= share * step_x
    foot[1] -= share * step_y
    foot[DONE] = 1.0 if length <= FOUND * size else 0.0
    clear_shape(foot)
    return 0


def normal_at(foot):
    """Return the normal of the ground at a foot."""
    x, y = foot[SHAPE + 1], foot[SHAPE + 2]
    return times(1.0 / math.sqrt(1.0 + x * x + y * y), Vector(-x, -y, 1.0))


def normal_rate(foot, foot_x, foot_y):
    """Return how fast the normal turns where the foot moves with this velocity."""
    normal, x, y = normal_at(foot), foot[SHAPE + 1], foot[SHAPE + 2]
    rate_x = foot[SHAPE + 3] * foot_x + foot[SHAPE + 4] * foot_y
    rate_y = foot[SHAPE + 4] * foot_x + foot[SHAPE + 5] * foot_y
    growth = (x * rate_x + y * rate_y) * normal.z * normal.z
    return minus(times(normal.z, Vector(-rate_x, -rate_y, 0.0)), times(growth, normal))


def spreading(foot):
    """Return how the centre moves as the foot does: the derivatives of f - lowest(n(f)), xx, xy, yx, yy."""
    normal, shape = normal_at(foot), round_at(foot)
    along = lowest_rate(shape, normal, normal_rate(foot, 1.0, 0.0))
    across = lowest_rate(shape, normal, normal_rate(foot, 0.0, 1.0))
    return 1.0 - along.x, -across.x, -along.y, 1.0 - across.y


@separate(integer)
def put_foot(foot, motion, work, whole, real, i, p):
    """Write rows and gap of point i, whose foot is found; return whether the ground is too tightly curved for it."""
    layout, bodies = read_layout(work), read_bodies(whole, real)
    frame, plane = bodies.frames[i], int(work[layout.plane + patch_of(work, layout, i)])
    arm, shape = arm_of(motion, frame, vector_at(bodies.places, 3 * i)), round_of(work, motion, bodies, i, p)
    velocity = velocity_at(motion, frame * FRAME_SIZE, arm)
    heading = p[plane + PLANE_HEADING] if layout.tangents == 2 else 0.0
    xx, xy, yx, yy = spreading(foot)
    determinant, axes = xx * yy - xy * yx, axes_at(foot, heading)
    leaning = lowest_rate(shape, axes[0], times(0.0, axes[0]))
    x, y = velocity.x + leaning.x, velocity.y + leaning.y if layout.tangents == 2 else 0.0
    foot_x, foot_y = (yy * x - xy * y) / determinant, (xx * y - yx * x) / determinant
    rates = axis_rates(foot, heading, foot_x, foot_y)
    touch = Touch(arm, lowest_rim(shape, axes[0]), shape.tube, lowest_rate(shape, axes[0], rates[0]), axes, rates)
    touch_rows(work, motion, bodies, i, touch)
    if layout.tangents == 2:
        put_along(work, layout, i, shape, axes, vector_at(foot, CENTRE))
    reach = abs(foot[CENTRE]) + abs(foot[CENTRE + 2]) + abs(foot[SHAPE]) + abs(p[plane + PLANE_Z]) + bodies.length
    put_gap(work, layout, i, height_left(foot) + foot[TUBE] - foot[OWN], reach, bodies.length)
    return 0 if determinant > 0.0 and xx + yy > 0.0 and foot[DONE] == 1.0 else 1


def axes_at(foot, heading):
    """Return the ground's normal at a foot, its tangent above the plane's direction, and the one to the left of it."""
    normal, x, y = normal_at(foot), math.cos(heading), math.sin(heading)
    rise = foot[SHAPE + 1] * x + foot[SHAPE + 2] * y
    tangent = times(1.0 / math.sqrt(1.0 + rise * rise), Vector(x, y, rise))
    return normal, tangent, cross(normal, tangent)


def axis_rates(foot, heading, foot_x, foot_y):
    """Return how fast the axes turn where the foot moves with this velocity."""
    normal, tangent, _ = axes_at(foot, heading)
    rate = normal_rate(foot, foot_x, foot_y)
    rate_x = foot[SHAPE + 3] * foot_x + foot[SHAPE + 4] * foot_y
    rate_y = foot[SHAPE + 4] * foot_x + foot[SHAPE + 5] * foot_y
    rise = foot[SHAPE + 1] * math.cos(heading) + foot[SHAPE + 2] * math.sin(heading)
    rise_rate = rate_x * math.cos(heading) + rate_y * math.sin(heading)
    length = math.sqrt(1.0 + rise * rise)
    growth = rise * rise_rate / (length * length)
    tangent_rate = minus(Vector(0.0, 0.0, rise_rate / length), times(growth, tangent))
    return rate, tangent_rate, plus(cross(rate, tangent), cross(normal, tangent_rate))


def find_foot(terrain: Terrain, place: int, centre: Any, shape: Round, p: FloatArray, tangents: int) -> Any:
    """Return the foot of a wheel, a ball or a point, with the ground's shape there, as (FOOT_SIZE,) numbers.

    Parameters
    ----------
    terrain : Terrain
        The ground.
    place : int
        The index of its parameters in p.
    centre : three floats
        The centre [m].
    shape : Round
        What touches, its axis in the world.
    p : array
        Parameters.
    tangents : int
        1 in the plane, 2 in space.
    """
    foot, heights = np.zeros(FOOT_SIZE), SHAPES.get(type(terrain), terrain.shape)
    further = (place + 2 + tangents,) if type(terrain) in SHAPES else ()
    y = centre[1] if tangents == 2 else 0.0
    place_round(foot, Vector(centre[0] - p[place + PLANE_X], y, centre[2] - p[place + PLANE_Z]), shape, 1.0, 0.0)
    heading = p[place + PLANE_HEADING] if tangents == 2 else 0.0
    for _ in range(FOOT_STEPS):
        heights(foot[SHAPE : SHAPE + 6], foot[0], foot[1], p, *further)  # type: ignore[misc]
        if improve_foot(foot, p[place + PLANE_SLOPE], heading, tangents == 2):
            break
    return foot


def gap_above(terrain: Terrain, centre: Any, shape: Round, tangents: int) -> float:
    """Return the gap of a wheel, a ball or a point above a terrain as it is described, along z [m]."""
    own = [each.default for each in terrain.parameters()]
    plane, matrix = (
        [terrain.x, terrain.z, terrain.slope, terrain.heading][: 2 + tangents],
        getattr(terrain, "heights", ()),
    )
    numbers = [len(plane) + len(own) if isinstance(each, tuple) else each for each in own]
    foot = find_foot(terrain, 0, centre, shape, np.array([*plane, *numbers, *matrix], float), tangents)
    return float(height_left(foot) / normal_at(foot).z)

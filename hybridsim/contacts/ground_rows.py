"""Rows and gaps of points, disks and balls on ground whose height is a function.

A height h(x, y) is added to that of a plane of the world. A ball of radius R touches where the normal n of the ground
leads to its centre: below a centre c is the foot f with f + R n(f) = c along x and y. There is one such f whatever the
centre's height, as long as no hollow is curved more tightly than the ball. A point is a ball of radius 0, and a disk a
ball in a plane. As the foot moves, the normal turns: rows have the drift that this makes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.motion import arm_of, point_of, spin_of, velocity_at
from hybridsim.multibody.rows import Wrench, add_wrench, clear_row
from hybridsim.multibody.tree import FRAME_SIZE
from hybridsim.multibody.vectors import Vector, cross, dot, minus, plus, times, vector_at
from hybridsim.typing import FloatArray

from .constants import read_bodies
from .layout import PLANE_HEADING, PLANE_SLOPE, PLANE_X, PLANE_Z, normal_of, patch_of, read_layout
from .terms import put_gap
from .terrain import SHAPES, Terrain

CENTRE, RADIUS, DONE, SHAPE, FOOT_SIZE = 2, 5, 6, 8, 16
"""Numbers of a foot: its x and y, from the plane's point on; the ball's centre and radius; whether the foot is found;
the ground's height and its derivatives by x, y, xx, xy, yy."""

FOOT_STEPS, FOUND = 60, 1e-8
"""Most steps of Newton's method that find a foot; the last one, as a fraction of the radius: its square is rounding."""


@separate(void)
def begin_foot(foot, work, motion, whole, real, i, p):
    """Begin to look for the foot of point i."""
    layout, bodies = read_layout(work), read_bodies(whole, real)
    plane = int(work[layout.plane + patch_of(work, layout, i)])
    centre = point_of(motion, bodies.frames[i], vector_at(bodies.places, 3 * i))
    radius = p[bodies.radii[i]] if bodies.radii[i] >= 0 else 0.0
    place_ball(foot, centre.x - p[plane + PLANE_X], centre.y if layout.tangents == 2 else 0.0, radius)
    foot[CENTRE + 2] = centre.z - p[plane + PLANE_Z]


def place_ball(foot, x, y, radius):
    """Begin to look for the foot of a ball below its centre."""
    foot[0], foot[CENTRE], foot[1], foot[CENTRE + 1] = x, x, y, y
    foot[RADIUS], foot[DONE] = radius, 1.0 if radius == 0.0 else 0.0
    for k in range(SHAPE, FOOT_SIZE):
        foot[k] = 0.0


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
        return 1
    normal, radius = normal_at(foot), foot[RADIUS]
    miss_x = foot[0] + radius * normal.x - foot[CENTRE]
    miss_y = foot[1] + radius * normal.y - foot[CENTRE + 1]
    xx, xy, yx, yy = spreading(foot)
    determinant = xx * yy - xy * yx
    step_x, step_y = (yy * miss_x - xy * miss_y) / determinant, (xx * miss_y - yx * miss_x) / determinant
    length = math.sqrt(step_x * step_x + step_y * step_y)
    share = min(1.0, 0.5 * radius / length) if length > 0.0 else 1.0
    foot[0] -= share * step_x
    foot[1] -= share * step_y
    foot[DONE] = 1.0 if length <= FOUND * radius else 0.0
    for k in range(SHAPE, FOOT_SIZE):
        foot[k] = 0.0
    return 0


def normal_at(foot):
    """Return the normal of the ground at a foot."""
    x, y = foot[SHAPE + 1], foot[SHAPE + 2]
    return times(1.0 / math.sqrt(1.0 + x * x + y * y), Vector(-x, -y, 1.0))


def spreading(foot):
    """Return how the ball's centre moves as its foot does: the derivatives of f + R n(f), xx, xy, yx, yy."""
    radius, x, y = foot[RADIUS], foot[SHAPE + 1], foot[SHAPE + 2]
    xx, xy, yy = foot[SHAPE + 3], foot[SHAPE + 4], foot[SHAPE + 5]
    w = math.sqrt(1.0 + x * x + y * y)
    by_x, by_y = (x * xx + y * xy) / (w * w), (x * xy + y * yy) / (w * w)
    return (
        1.0 - radius * (xx - x * by_x) / w,
        -radius * (xy - x * by_y) / w,
        -radius * (xy - y * by_x) / w,
        1.0 - radius * (yy - y * by_y) / w,
    )


@separate(integer)
def put_foot(foot, work, motion, whole, real, i, p):
    """Write rows and gap of point i, whose foot is found; return whether the ground is too tightly curved for it."""
    layout, bodies = read_layout(work), read_bodies(whole, real)
    frame, place, radius = bodies.frames[i], vector_at(bodies.places, 3 * i), foot[RADIUS]
    arm = arm_of(motion, frame, place)
    velocity, spin = velocity_at(motion, frame * FRAME_SIZE, arm), spin_of(motion, frame)
    xx, xy, yx, yy = spreading(foot)
    determinant = xx * yy - xy * yx
    plane = int(work[layout.plane + patch_of(work, layout, i)])
    side = velocity.y if layout.tangents == 2 else 0.0
    foot_x, foot_y = (yy * velocity.x - xy * side) / determinant, (xx * side - yx * velocity.x) / determinant
    heading = p[plane + PLANE_HEADING] if layout.tangents == 2 else 0.0
    axes, rates = axes_at(foot, heading), axis_rates(foot, heading, foot_x, foot_y)
    rows, n = subarray(work, layout.rows, layout.n_rows * (layout.n_speeds + 1)), layout.n_speeds
    for k in range(1 + layout.tangents):
        row, torque = normal_of(work, layout, i) + k, times(-radius, cross(axes[0], axes[k]))
        clear_row(rows, bodies.tree, row)
        add_wrench(rows, motion, bodies.tree, row, frame, Wrench(arm, axes[k], torque))
        turning = times(-radius, plus(cross(rates[0], axes[k]), cross(axes[0], rates[k])))
        rows[(n + 1) * row + n] += dot(velocity, rates[k]) + dot(spin, turning)
    gap = (foot[CENTRE + 2] - foot[SHAPE] - radius * axes[0].z) * axes[0].z
    reach = abs(foot[CENTRE]) + abs(foot[CENTRE + 2]) + abs(foot[SHAPE]) + abs(p[plane + PLANE_Z]) + bodies.length
    put_gap(work, layout, i, gap, reach, bodies.length)
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
    x, y = foot[SHAPE + 1], foot[SHAPE + 2]
    rate_x = foot[SHAPE + 3] * foot_x + foot[SHAPE + 4] * foot_y
    rate_y = foot[SHAPE + 4] * foot_x + foot[SHAPE + 5] * foot_y
    growth = (x * rate_x + y * rate_y) * normal.z * normal.z
    normal_rate = minus(times(normal.z, Vector(-rate_x, -rate_y, 0.0)), times(growth, normal))
    rise = x * math.cos(heading) + y * math.sin(heading)
    rise_rate = rate_x * math.cos(heading) + rate_y * math.sin(heading)
    length = math.sqrt(1.0 + rise * rise)
    growth = rise * rise_rate / (length * length)
    tangent_rate = minus(Vector(0.0, 0.0, rise_rate / length), times(growth, tangent))
    return normal_rate, tangent_rate, plus(cross(normal_rate, tangent), cross(normal, tangent_rate))


def find_foot(terrain: Terrain, place: int, centre: Any, radius: float, p: FloatArray, tangents: int) -> Any:
    """Return the foot below the centre of a ball, with the ground's shape there, as (FOOT_SIZE,) numbers.

    Parameters
    ----------
    terrain : Terrain
        The ground.
    place : int
        The index of its parameters in p.
    centre : three floats
        The ball's centre [m].
    radius : float
        Its radius [m].
    p : array
        Parameters.
    tangents : int
        1 in the plane, 2 in space.
    """
    foot, shape = np.zeros(FOOT_SIZE), SHAPES.get(type(terrain), terrain.shape)
    further = (place + 2 + tangents,) if type(terrain) in SHAPES else ()
    place_ball(foot, centre[0] - p[place + PLANE_X], centre[1] if tangents == 2 else 0.0, radius)
    foot[CENTRE + 2] = centre[2] - p[place + PLANE_Z]
    heading = p[place + PLANE_HEADING] if tangents == 2 else 0.0
    for _ in range(FOOT_STEPS):
        shape(foot[SHAPE : SHAPE + 6], foot[0], foot[1], p, *further)  # type: ignore[misc]
        if improve_foot(foot, p[place + PLANE_SLOPE], heading, tangents == 2):
            break
    return foot


def gap_above(terrain: Terrain, centre: Any, radius: float, tangents: int) -> float:
    """Return the gap of a ball, or of a point, above a terrain as it is described, along z [m]."""
    own = [each.default for each in terrain.parameters()]
    plane, matrix = (
        [terrain.x, terrain.z, terrain.slope, terrain.heading][: 2 + tangents],
        getattr(terrain, "heights", ()),
    )
    numbers = [len(plane) + len(own) if isinstance(each, tuple) else each for each in own]
    foot = find_foot(terrain, 0, centre, radius, np.array([*plane, *numbers, *matrix], float), tangents)
    return float(foot[CENTRE + 2] - foot[SHAPE] - radius * normal_at(foot).z)

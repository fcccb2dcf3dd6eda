"""The ground: height h(x, y) [m] and its slopes, both continuous: so are the gap of a toe and the normal under it.

SimSect's ditch has vertical walls, and its slope jumps at y = 0 unless its first argument is 0. Here the walls of a
ditch have a finite slope, outside its given width; the slope along x goes on for y < 0; and edges are rounded. Stairs
have such walls and edges, too. A height map and rough ground are heights at the nodes of a grid, and cubics between
them.
"""

import math
from typing import NamedTuple

from hybridsim.contacts.terrain import map_node, noise

from .records import DITCHED, FLAT, ROUGH, SINUSOID, SLOPED, STAIRS, P
from .vectors import Vector

LEAST_BUMP = 0.01
"""Least distance between the nodes of rough ground [m]."""
MAX_OVERSHOOT = 1.5625
"""Largest height between nodes of heights from -1 to 1: (9/16 + 9/16 + 1/16 + 1/16)^2, the weights half way."""


class Slopes(NamedTuple):
    """The slopes dh/dx and dh/dy."""

    x: float
    y: float


class Plane(NamedTuple):
    """A plane above the ground: its height at a place [m], and its slopes."""

    height: float
    slopes: Slopes


def height(x, y, p):
    """Return the height of the ground [m] at (x, y) [m]."""
    terrain = p[P.terrain]
    if terrain == FLAT:
        return 0.0
    a1, a2, a3 = p[P.terrain_arg1], p[P.terrain_arg2], p[P.terrain_arg3]
    if terrain == SINUSOID:
        return a1 * math.sin(a2 * x) * math.cos(a3 * y)
    if terrain == SLOPED:
        return a1 * x + a2 * ramp(y, p) + a3
    if terrain == DITCHED:
        wall = abs(a3) / p[P.wall_slope]
        down = ramp(y - a1 + wall, p) - ramp(y - a1, p)
        up = ramp(y - a1 - a2, p) - ramp(y - a1 - a2 - wall, p)
        return math.copysign(p[P.wall_slope], a3) * (up - down)
    if terrain == STAIRS:
        return stairs_height(y, p)
    return field_height(x, y, p)


def gradient(x, y, p):
    """Return the slopes of the ground at (x, y) [m]."""
    terrain = p[P.terrain]
    if terrain == FLAT:
        return Slopes(0.0, 0.0)
    a1, a2, a3 = p[P.terrain_arg1], p[P.terrain_arg2], p[P.terrain_arg3]
    if terrain == SINUSOID:
        along_x = a1 * a2 * math.cos(a2 * x) * math.cos(a3 * y)
        return Slopes(along_x, -a1 * a3 * math.sin(a2 * x) * math.sin(a3 * y))
    if terrain == SLOPED:
        return Slopes(a1, a2 * ramp_slope(y, p))
    if terrain == DITCHED:
        wall = abs(a3) / p[P.wall_slope]
        down = ramp_slope(y - a1 + wall, p) - ramp_slope(y - a1, p)
        up = ramp_slope(y - a1 - a2, p) - ramp_slope(y - a1 - a2 - wall, p)
        return Slopes(0.0, math.copysign(p[P.wall_slope], a3) * (up - down))
    if terrain == STAIRS:
        return Slopes(0.0, stairs_slope(y, p))
    return field_gradient(x, y, p)


def plane_above(reach, x, y, p):
    """Return a plane that the ground does not exceed within a distance [m] of (x, y); of a map, one at infinity."""
    terrain = p[P.terrain]
    a1, a2, a3 = p[P.terrain_arg1], p[P.terrain_arg2], p[P.terrain_arg3]
    if terrain == SLOPED:
        if abs(y) > reach + p[P.edge]:
            return Plane(height(x, y, p), gradient(x, y, p))
        return Plane(height(x, y, p) + reach * abs(a2), Slopes(a1, 0.0))
    top = math.inf
    if terrain == FLAT:
        top = 0.0
    elif terrain == SINUSOID:
        top = abs(a1)
    elif terrain == DITCHED:
        top = max(-a3, 0.0) if a2 >= 0.0 else abs(a3)  # of negative width it is a wall
    elif terrain == STAIRS:
        top = stairs_height(y + math.copysign(reach, a3), p)
    elif terrain == ROUGH:
        top = MAX_OVERSHOOT * abs(a1)
    return Plane(top, Slopes(0.0, 0.0))


def along_ground(x, y, p, velocity):
    """Return the velocity along the ground at (x, y) [m], in W, that has the same x and y."""
    slopes = gradient(x, y, p)
    return Vector(velocity.x, velocity.y, slopes.x * velocity.x + slopes.y * velocity.y)


def ramp(y, p):
    """Return max(y, 0), with a parabola in place of the edge."""
    edge = p[P.edge]
    if abs(y) >= edge:
        return max(y, 0.0)
    return (y + edge) ** 2 / (4.0 * edge)


def ramp_slope(y, p):
    """Return the slope of `ramp`."""
    return min(max((y + p[P.edge]) / (2.0 * p[P.edge]), 0.0), 1.0)


def stair(y, p):
    """Return the last step of the stairs that begins before y, how far y is behind its edge, and its length [m].

    The length is at least that of a wall with its rounded edges.
    """
    wall, edge = abs(p[P.terrain_arg3]) / p[P.wall_slope], p[P.edge]
    tread = max(p[P.terrain_arg2], wall + 2.0 * edge)
    number = max(math.floor((y - p[P.terrain_arg1] + edge) / tread), 0)
    return number, y - p[P.terrain_arg1] - number * tread, wall


def stairs_height(y, p):
    """Return the height of stairs that lead up, or down where the height of a step is negative."""
    number, behind, wall = stair(y, p)
    rise = p[P.terrain_arg3]
    return rise * number + math.copysign(p[P.wall_slope], rise) * (ramp(behind, p) - ramp(behind - wall, p))


def stairs_slope(y, p):
    """Return the slope of stairs along y."""
    _, behind, wall = stair(y, p)
    return math.copysign(p[P.wall_slope], p[P.terrain_arg3]) * (ramp_slope(behind, p) - ramp_slope(behind - wall, p))


class Grid(NamedTuple):
    """The first node of a grid in x and y, and the distance between nodes [m]."""

    x: float
    y: float
    step: float


def grid_of(p):
    """Return the grid of the height map, or that of rough ground."""
    if p[P.terrain] == ROUGH:
        return Grid(0.0, 0.0, max(p[P.terrain_arg2], LEAST_BUMP))
    return Grid(p[P.map_x], p[P.map_y], p[P.map_step])


def field_height(x, y, p):
    """Interpolate the heights of a grid's nodes: through all of them, with continuous slopes (Catmull and Rom 1974)."""
    grid = grid_of(p)
    along, across = (y - grid.y) / grid.step, (x - grid.x) / grid.step
    row, column = math.floor(along), math.floor(across)
    u, v = across - column, along - row
    return cubic(
        cubic_row(column, row - 1, u, p),
        cubic_row(column, row, u, p),
        cubic_row(column, row + 1, u, p),
        cubic_row(column, row + 2, u, p),
        v,
    )


def field_gradient(x, y, p):
    """Return the slopes of `field_height`."""
    grid = grid_of(p)
    along, across = (y - grid.y) / grid.step, (x - grid.x) / grid.step
    row, column = math.floor(along), math.floor(across)
    u, v = across - column, along - row
    slope_x = cubic(
        slope_row(column, row - 1, u, p),
        slope_row(column, row, u, p),
        slope_row(column, row + 1, u, p),
        slope_row(column, row + 2, u, p),
        v,
    )
    slope_y = cubic_slope(
        cubic_row(column, row - 1, u, p),
        cubic_row(column, row, u, p),
        cubic_row(column, row + 1, u, p),
        cubic_row(column, row + 2, u, p),
        v,
    )
    return Slopes(slope_x / grid.step, slope_y / grid.step)


def cubic_row(column, row, u, p):
    """Interpolate along x, between a node and the next."""
    before, here = node(column - 1, row, p), node(column, row, p)
    return cubic(before, here, node(column + 1, row, p), node(column + 2, row, p), u)


def slope_row(column, row, u, p):
    """Return the slope of `cubic_row`, for a step of 1."""
    before, here = node(column - 1, row, p), node(column, row, p)
    return cubic_slope(before, here, node(column + 1, row, p), node(column + 2, row, p), u)


def cubic(a, b, c, d, u):
    """Interpolate between b and c, after a share u of the way; a and d are the values before and after them."""
    return b + 0.5 * u * (c - a + u * (2.0 * a - 5.0 * b + 4.0 * c - d + u * (3.0 * (b - c) + d - a)))


def cubic_slope(a, b, c, d, u):
    """Return the slope of `cubic`."""
    return 0.5 * (c - a) + u * (2.0 * a - 5.0 * b + 4.0 * c - d) + 1.5 * u * u * (3.0 * (b - c) + d - a)


def node(column, row, p):
    """Return the height of a node [m]; beyond the edges of a map that of its nearest node."""
    if p[P.terrain] == ROUGH:
        return p[P.terrain_arg1] * noise(column, row, int(p[P.terrain_arg3]))
    return p[P.map_height] * map_node(p, int(p[P.height_map]), column, row)

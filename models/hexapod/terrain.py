"""The ground: height h(x, y) [m] and its slopes, both continuous: so are the gap of a toe and the normal under it.

SimSect's ditch has vertical walls, and its slope jumps at y = 0 unless its first argument is 0. Here the walls of a
ditch have a finite slope, outside its given width; the slope along x goes on for y < 0; and edges are rounded.
"""

import math
from typing import NamedTuple

from .records import DITCHED, FLAT, MAP_SIZE, SINUSOID, SLOPED, P
from .vectors import Vector


class Slopes(NamedTuple):
    """The slopes dh/dx and dh/dy."""

    x: float
    y: float


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
    return map_height(x, y, p)


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
    return map_gradient(x, y, p)


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


def map_height(x, y, p):
    """Interpolate the map with smoothed weights, so that the slope is zero at its nodes and jumps nowhere."""
    column, row = cell(x, p[P.map_x], p), cell(y, p[P.map_y], p)
    u, v = weight(place(x, p[P.map_x], p) - column), weight(place(y, p[P.map_y], p) - row)
    near = (1.0 - u) * corner(column, row, p) + u * corner(column + 1, row, p)
    far = (1.0 - u) * corner(column, row + 1, p) + u * corner(column + 1, row + 1, p)
    return (1.0 - v) * near + v * far


def map_gradient(x, y, p):
    """Return the slopes of the height map."""
    column, row = cell(x, p[P.map_x], p), cell(y, p[P.map_y], p)
    u, v = place(x, p[P.map_x], p) - column, place(y, p[P.map_y], p) - row
    h00, h10 = corner(column, row, p), corner(column + 1, row, p)
    h01, h11 = corner(column, row + 1, p), corner(column + 1, row + 1, p)
    across, along = weight(u), weight(v)
    return Slopes(
        weight_slope(u) / p[P.map_step] * ((1.0 - along) * (h10 - h00) + along * (h11 - h01)),
        weight_slope(v) / p[P.map_step] * ((1.0 - across) * (h01 - h00) + across * (h11 - h10)),
    )


def place(x, first, p):
    """Return a coordinate in steps of the map, 0 to MAP_SIZE - 1; beyond its edges the ground goes on level."""
    return min(max((x - first) / p[P.map_step], 0.0), MAP_SIZE - 1.0)


def cell(x, first, p):
    """Return the column or row of the map in which a coordinate lies."""
    return int(min(place(x, first, p), MAP_SIZE - 2.0))


def weight(u):
    """Return the weight of the next column or row, after a share u of a step."""
    return u * u * (3.0 - 2.0 * u)


def weight_slope(u):
    """Return the slope of `weight`."""
    return 6.0 * u * (1.0 - u)


def corner(column, row, p):
    """Return a height of the map [m]."""
    return p[int(p[P.height_map]) + row * MAP_SIZE + column]

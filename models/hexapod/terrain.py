"""The ground: height h(x, y) [m], and its slopes, both continuous: so are the gap of a toe and the normal under it.

SimSect's ditch has vertical walls, and its slope jumps at y = 0 unless its first argument is 0. Here a ditch's walls
have a finite slope, outside of its given width; the slope along x goes on for y < 0; and edges are rounded.
"""

import math

from .records import (
    DITCHED,
    EDGE,
    FLAT,
    HEIGHT_MAP,
    MAP_SIZE,
    MAP_STEP,
    MAP_X,
    MAP_Y,
    SINUSOID,
    SLOPED,
    TERRAIN,
    TERRAIN_ARG1,
    TERRAIN_ARG2,
    TERRAIN_ARG3,
    WALL_SLOPE,
)


def height(x, y, p):
    """Height of the ground [m] at (x, y) [m]."""
    kind = p[TERRAIN]
    if kind == FLAT:
        return 0.0
    a1, a2, a3 = p[TERRAIN_ARG1], p[TERRAIN_ARG2], p[TERRAIN_ARG3]
    if kind == SINUSOID:
        return a1 * math.sin(a2 * x) * math.cos(a3 * y)
    if kind == SLOPED:
        return a1 * x + a2 * ramp(y, p) + a3
    if kind == DITCHED:
        wall = abs(a3) / p[WALL_SLOPE]
        down = ramp(y - a1 + wall, p) - ramp(y - a1, p)
        up = ramp(y - a1 - a2, p) - ramp(y - a1 - a2 - wall, p)
        return math.copysign(p[WALL_SLOPE], a3) * (up - down)
    return map_height(x, y, p)


def gradient(slopes, x, y, p):
    """Slopes[0:2] = (dh/dx, dh/dy)."""
    kind = p[TERRAIN]
    slopes[0], slopes[1] = 0.0, 0.0
    if kind == FLAT:
        return
    a1, a2, a3 = p[TERRAIN_ARG1], p[TERRAIN_ARG2], p[TERRAIN_ARG3]
    if kind == SINUSOID:
        slopes[0] = a1 * a2 * math.cos(a2 * x) * math.cos(a3 * y)
        slopes[1] = -a1 * a3 * math.sin(a2 * x) * math.sin(a3 * y)
    elif kind == SLOPED:
        slopes[0] = a1
        slopes[1] = a2 * ramp_slope(y, p)
    elif kind == DITCHED:
        wall = abs(a3) / p[WALL_SLOPE]
        down = ramp_slope(y - a1 + wall, p) - ramp_slope(y - a1, p)
        up = ramp_slope(y - a1 - a2, p) - ramp_slope(y - a1 - a2 - wall, p)
        slopes[1] = math.copysign(p[WALL_SLOPE], a3) * (up - down)
    else:
        map_gradient(slopes, x, y, p)


def ramp(y, p):
    """max(y, 0), with a parabola in place of the edge."""
    edge = p[EDGE]
    if abs(y) >= edge:
        return max(y, 0.0)
    return (y + edge) ** 2 / (4.0 * edge)


def ramp_slope(y, p):
    return min(max((y + p[EDGE]) / (2.0 * p[EDGE]), 0.0), 1.0)


def map_height(x, y, p):
    """Between the heights of the map by smoothed weights, so that the slope is zero at its nodes and jumps nowhere."""
    column, row = cell(x, p[MAP_X], p), cell(y, p[MAP_Y], p)
    u, v = weight(place(x, p[MAP_X], p) - column), weight(place(y, p[MAP_Y], p) - row)
    near = (1.0 - u) * corner(column, row, p) + u * corner(column + 1, row, p)
    far = (1.0 - u) * corner(column, row + 1, p) + u * corner(column + 1, row + 1, p)
    return (1.0 - v) * near + v * far


def map_gradient(slopes, x, y, p):
    column, row = cell(x, p[MAP_X], p), cell(y, p[MAP_Y], p)
    u, v = place(x, p[MAP_X], p) - column, place(y, p[MAP_Y], p) - row
    h00, h10 = corner(column, row, p), corner(column + 1, row, p)
    h01, h11 = corner(column, row + 1, p), corner(column + 1, row + 1, p)
    across, along = weight(u), weight(v)
    slopes[0] = weight_slope(u) / p[MAP_STEP] * ((1.0 - along) * (h10 - h00) + along * (h11 - h01))
    slopes[1] = weight_slope(v) / p[MAP_STEP] * ((1.0 - across) * (h01 - h00) + across * (h11 - h10))


def place(x, first, p):
    """In steps of the map, from 0 to MAP_SIZE - 1; beyond its edges it goes on level."""
    return min(max((x - first) / p[MAP_STEP], 0.0), MAP_SIZE - 1.0)


def cell(x, first, p):
    return int(min(place(x, first, p), MAP_SIZE - 2.0))


def weight(u):
    return u * u * (3.0 - 2.0 * u)


def weight_slope(u):
    return 6.0 * u * (1.0 - u)


def corner(column, row, p):
    return p[int(p[HEIGHT_MAP]) + row * MAP_SIZE + column]

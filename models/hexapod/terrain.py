"""The ground: height h(x, y) [m], and its slopes. Continuous everywhere, so that the gap of a toe is.

SimSect's ditch has vertical walls, and its slope jumps at y = 0 unless its first argument is 0. Here a ditch's walls
have a finite slope, outside of its given width; and the slope along x goes on for y < 0.
"""

import math

from .records import (
    DITCHED,
    FLAT,
    HEIGHT_MAP,
    MAP_COLUMNS,
    MAP_ROWS,
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
        return a1 * x + a2 * max(y, 0.0) + a3
    if kind == DITCHED:
        return -min(max(min(y - a1, a1 + a2 - y) * p[WALL_SLOPE] + abs(a3), 0.0), abs(a3)) * math.copysign(1.0, a3)
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
        slopes[1] = a2 if y > 0.0 else 0.0
    elif kind == DITCHED:
        inward = min(y - a1, a1 + a2 - y) * p[WALL_SLOPE]
        if -abs(a3) < inward < 0.0:
            slopes[1] = -math.copysign(p[WALL_SLOPE], a3) * (1.0 if y - a1 < a1 + a2 - y else -1.0)
    else:
        map_gradient(slopes, x, y, p)


def map_height(x, y, p):
    """Bilinear between the heights of the map."""
    u, v = place(x, p[MAP_X], p), place(y, p[MAP_Y], p)
    u, v = min(max(u, 0.0), p[MAP_COLUMNS] - 1.0), min(max(v, 0.0), p[MAP_ROWS] - 1.0)
    column, row = int(min(u, p[MAP_COLUMNS] - 2.0)), int(min(v, p[MAP_ROWS] - 2.0))
    u, v = u - column, v - row
    near = (1.0 - u) * corner(column, row, p) + u * corner(column + 1, row, p)
    far = (1.0 - u) * corner(column, row + 1, p) + u * corner(column + 1, row + 1, p)
    return (1.0 - v) * near + v * far


def map_gradient(slopes, x, y, p):
    u, v = place(x, p[MAP_X], p), place(y, p[MAP_Y], p)
    level_x, level_y = not 0.0 < u < p[MAP_COLUMNS] - 1.0, not 0.0 < v < p[MAP_ROWS] - 1.0
    u, v = min(max(u, 0.0), p[MAP_COLUMNS] - 1.0), min(max(v, 0.0), p[MAP_ROWS] - 1.0)
    column, row = int(min(u, p[MAP_COLUMNS] - 2.0)), int(min(v, p[MAP_ROWS] - 2.0))
    u, v = u - column, v - row
    h00, h10 = corner(column, row, p), corner(column + 1, row, p)
    h01, h11 = corner(column, row + 1, p), corner(column + 1, row + 1, p)
    if not level_x:
        slopes[0] = ((1.0 - v) * (h10 - h00) + v * (h11 - h01)) / p[MAP_STEP]
    if not level_y:
        slopes[1] = ((1.0 - u) * (h01 - h00) + u * (h11 - h10)) / p[MAP_STEP]


def place(x, first, p):
    return (x - first) / p[MAP_STEP]


def corner(column, row, p):
    return p[int(p[HEIGHT_MAP]) + row * int(p[MAP_COLUMNS]) + column]

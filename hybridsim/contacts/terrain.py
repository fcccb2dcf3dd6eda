"""Ground whose height is a function: what a person says of it, and its heights with their derivatives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from hybridsim.contacts.description import Plane
from hybridsim.engine.compiler.separate import separate
from hybridsim.engine.compiler.signatures import void
from hybridsim.errors import ModelError
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.records import Parameter
from hybridsim.model.table import is_matrix
from hybridsim.multibody.joints import number
from hybridsim.typing import FloatArray, Function

MAX_UINT32 = 0xFFFFFFFF


def _number(default: float, unit: str, doc: str, **more: Any) -> Any:
    """Return a field that becomes a parameter."""
    return field(default=default, metadata={"unit": unit, "doc": doc, **more})


@explain_arguments
@dataclass(frozen=True, slots=True)
class Terrain(Plane):
    """Ground of the world whose height above a plane is a function, with slopes and curvatures that do not jump.

    Parameters
    ----------
    name, x, z, slope, heading
        As of `Plane`.
    shape : callable
        `shape(h, x, y, p)` writes the height at x, y, from the plane's point on [m], into h[0], its slopes along x and
        y into h[1] and h[2], and the derivatives of these by xx, xy and yy into h[3] to h[5]; what it does not write
        is 0. Contacts that move in the x-z plane need h[0], h[1] and h[3]. `parameters` of the model come first in p.
    """

    shape: Function | None = None

    def __post_init__(self) -> None:
        Plane.__post_init__(self)
        for parameter in self.parameters():
            if not parameter.is_matrix:
                number(f"terrain {self.name!r}: {parameter.name}", parameter.default)
        if type(self) is Terrain and not callable(self.shape):
            raise ModelError(f"terrain {self.name!r}: shape is a function shape(h, x, y, p), not {self.shape!r}")

    def parameters(self) -> list[Parameter]:
        """Return the parameters behind those of the plane."""
        own = [each for each in fields(self) if each.metadata]
        return [Parameter(f"{self.name}_{each.name}", getattr(self, each.name), **each.metadata) for each in own]


@explain_arguments
@dataclass(frozen=True, slots=True)
class Waves(Terrain):
    """Ground of the height h sin(kx x) cos(ky y).

    Parameters
    ----------
    name, x, z, slope, heading
        As of `Plane`.
    shape
        Leave it out.
    height : float
        The height h [m].
    wave_x, wave_y : float
        The wave numbers kx and ky [rad/m].
    """

    height: float = _number(0.0, "m", "of the waves")
    wave_x: float = _number(0.0, "rad/m", "wave number along x")
    wave_y: float = _number(0.0, "rad/m", "wave number along y")


@explain_arguments
@dataclass(frozen=True, slots=True)
class HeightMap(Terrain):
    """A field of heights, or random bumps, and polynomials between its nodes; the last heights go on beyond its edges.

    Parameters
    ----------
    name, x, z, slope, heading
        As of `Plane`.
    shape
        Leave it out.
    height : float
        What heights are multiplied by [m].
    step : float
        From node to node [m].
    map_x, map_y : float
        Place of the first node, from the plane's point on [m].
    seed : int
        If it is not 0, there are random bumps everywhere instead, of heights from -1 to 1; which ones, it says.
    heights : sequence of rows
        Heights along x, a row for each y; one row is a profile. Or flat, behind the numbers of rows and columns.
    """

    height: float = _number(1.0, "m", "of a height of 1")
    step: float = _number(1.0, "m", "from node to node", lower=1e-6)
    map_x: float = _number(0.0, "m", "place of the first node")
    map_y: float = _number(0.0, "m", "place of the first node")
    seed: int = _number(0, "", "which random bumps, 0 for heights", integer=True)
    heights: Sequence[Any] = _number((1, 1, 0.0), "", "a row for each y", is_matrix=True)  # type: ignore[arg-type]

    def __post_init__(self) -> None:
        rows: Any = self.heights
        if len(rows) and all(isinstance(row, Sequence | np.ndarray) for row in rows):
            rows = (len(rows), len(rows[0]), *(float(each) for row in rows for each in row))
        if not is_matrix(tuple(rows)):
            raise ModelError(f"terrain {self.name!r}: heights are rows with equally many numbers each")
        object.__setattr__(self, "heights", tuple(rows))
        Terrain.__post_init__(self)


@separate(void)
def waves(h, x, y, p, first):
    """Write height and derivatives of waves, whose parameters begin at `first`."""
    height, a, b = p[first], p[first + 1], p[first + 2]
    h[0] = height * math.sin(a * x) * math.cos(b * y)
    h[1], h[2] = a * height * math.cos(a * x) * math.cos(b * y), -b * height * math.sin(a * x) * math.sin(b * y)
    h[3], h[4], h[5] = -a * a * h[0], -a * b * height * math.cos(a * x) * math.sin(b * y), -b * b * h[0]


@separate(void)
def map_heights(h, x, y, p, first):
    """Write height and derivatives of a map, whose parameters begin at `first`."""
    step, seed, matrix = p[first + 1], int(p[first + 4]), int(p[first + 5])
    across, along = (x - p[first + 2]) / step, (y - p[first + 3]) / step
    column, row = math.floor(across), math.floor(along)
    u, v = across - column, along - row
    for i in range(4):
        for k in range(4):
            at = column + k - 1, row + i - 1
            node = p[first] * (map_node(p, matrix, at[0], at[1]) if seed == 0 else noise(at[0], at[1], seed))
            h[0] += node * weight(k, 0, u) * weight(i, 0, v)
            h[1] += node * weight(k, 1, u) * weight(i, 0, v) / step
            h[2] += node * weight(k, 0, u) * weight(i, 1, v) / step
            h[3] += node * weight(k, 2, u) * weight(i, 0, v) / (step * step)
            h[4] += node * weight(k, 1, u) * weight(i, 1, v) / (step * step)
            h[5] += node * weight(k, 0, u) * weight(i, 2, v) / (step * step)


def weight(k, order, u):
    """Return the weight of the k-th of four nodes a, b, c, d after a share u of the way from b to c, or a derivative.

    With slopes (c - a)/2 and second derivatives a - 2 b + c at the nodes, the polynomial of degree 5 is
    b + (c - a) u/2 + (a - 2 b + c) u^2/2 + (d - 3 c + 3 b - a) u^3 (-3/2 + 5/2 u - u^2), which has curvatures that do
    not jump, and is exact for parabolas.
    """
    one, line, square, twist = 1.0, u, u * u, u * u * u * (-1.5 + u * (2.5 - u))
    if order == 1:
        one, line, square, twist = 0.0, 1.0, 2.0 * u, u * u * (-4.5 + u * (10.0 - 5.0 * u))
    if order == 2:
        one, line, square, twist = 0.0, 0.0, 2.0, u * (-9.0 + u * (30.0 - 20.0 * u))
    if k == 0:
        return 0.5 * (square - line) - twist
    if k == 1:
        return one - square + 3.0 * twist
    return 0.5 * (square + line) - 3.0 * twist if k == 2 else twist


def map_node(p, first, column, row):
    """Return a number of a matrix parameter, which begins at `first`; beyond its edges that of the nearest node."""
    rows, columns = int(p[first]), int(p[first + 1])
    inside = min(max(row, 0), rows - 1) * columns + min(max(column, 0), columns - 1)
    return p[first + 2 + inside]


def noise(column, row, seed):
    """Return a number from -1 to 1 that looks random, but is the same each time: the bits of the arguments, mixed."""
    bits = (column * 2654435761 + row * 2246822519 + seed * 3266489917) & MAX_UINT32
    bits = ((bits ^ (bits >> 15)) * 739982445) & MAX_UINT32
    bits = ((bits ^ (bits >> 12)) * 695872825) & MAX_UINT32
    return 2.0 * (bits ^ (bits >> 15)) / MAX_UINT32 - 1.0


SHAPES: dict[type, Function] = {Waves: waves, HeightMap: map_heights}
"""The functions of ground that needs none from the user."""


def heights_at(terrain: Terrain, x: FloatArray, y: FloatArray, p: FloatArray, first: int) -> FloatArray:
    """Return the heights of a terrain at many places, arrays of one shape, for pictures [m].

    Parameters
    ----------
    terrain : Terrain
        The ground.
    x, y : arrays
        The places, from the plane's point on [m].
    p : array
        Parameters.
    first : int
        The index of the terrain's own ones.
    """
    if not isinstance(terrain, HeightMap):
        shape, h = SHAPES.get(type(terrain), terrain.shape), np.zeros((x.size, 6))
        further = (first,) if type(terrain) in SHAPES else ()
        for values, *place in zip(h, np.ravel(x), np.ravel(y), strict=True):
            shape(values, *place, p, *further)  # type: ignore[misc]
        return h[:, 0].reshape(x.shape)
    across, along = (x - p[first + 2]) / p[first + 1], (y - p[first + 3]) / p[first + 1]
    column, row = np.floor(across).astype(np.int64), np.floor(along).astype(np.int64)
    seed, matrix = int(p[first + 4]), int(p[first + 5])
    rows, columns = int(p[matrix]), int(p[matrix + 1])
    z = np.zeros(x.shape)
    for i, k in np.ndindex(4, 4):
        at_row, at_column = row + i - 1, column + k - 1
        inside = np.clip(at_row, 0, rows - 1) * columns + np.clip(at_column, 0, columns - 1)
        nodes = noise(at_column, at_row, seed) if seed else p[matrix + 2 :][inside]
        z += p[first] * nodes * weight(k, 0, across - column) * weight(i, 0, along - row)
    return z

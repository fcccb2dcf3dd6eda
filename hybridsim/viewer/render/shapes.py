"""The shapes of a scene as surfaces, and how a pose is shared out among the pieces of one shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyvista as pv
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter

from hybridsim.errors import ModelError
from hybridsim.model.scene import Scene
from hybridsim.model.shapes import Arrow, Box, Capsule, Cylinder, Mesh, Shape, Sphere, Spring
from hybridsim.typing import FloatArray

AROUND = 40
"""Corners of what is round."""
WIRE_AROUND, PER_COIL = 10, 28
"""Corners around the wire of a spring, and along each of its coils."""
END = 0.06
"""The straight ends of a spring, each, as a part of its length."""
HEAD_LENGTH, HEAD_RADIUS, LONGEST_HEAD = 7.0, 2.4, 0.6
"""An arrow's head in radii of its shaft, and how much of the arrow it may be."""
SHARP = 40.0
"""Edges sharper than this stay edges [degrees]."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a body that moves as one.

    surface : in the piece's own frame.
    share : from the body's pose (4, 4) to the piece's; None where they are the same.
    remade : the surface for another stretch of the body along z, where it must not be stretched itself; else None.
    name : what it is called within the body; "" for the whole.
    """

    surface: pv.PolyData
    share: Callable[[FloatArray], FloatArray] | None = None
    remade: Callable[[float], pv.PolyData] | None = None
    name: str = ""


def pieces(shape: Shape) -> list[Piece]:  # noqa: PLR0911
    """What a shape is made of.

    Raises
    ------
    ModelError : a mesh file that is not there or holds no surface.
    """
    match shape:
        case Sphere(radius):
            return [Piece(pv.Sphere(radius=radius, theta_resolution=AROUND, phi_resolution=AROUND))]
        case Box((x, y, z)):
            return [Piece(_edged(pv.Cube(x_length=x, y_length=y, z_length=z)))]
        case Capsule(radius, length):
            return [Piece(revolved(*_capsule(radius, length)))]
        case Cylinder(radius):
            return [Piece(_edged(_standing(radius, 0.0, 1.0)))]
        case Spring(radius, coils, wire):
            remade = partial(coil, radius, coils, wire)
            return [Piece(remade(1.0), remade=remade)]
        case Arrow(radius):
            head = HEAD_LENGTH * radius
            cone = pv.Cone(
                center=(0, 0, 0.5), direction=(0, 0, 1), height=1, radius=HEAD_RADIUS * radius, resolution=AROUND
            )
            return [
                Piece(_edged(_standing(radius, 0.0, 1.0)), partial(_shaft, head), name="shaft"),
                Piece(_edged(cone), partial(_head, head), name="head"),
            ]
        case Mesh():
            return [Piece(_file(shape))]


def _edged(surface: pv.PolyData) -> pv.PolyData:
    return surface.compute_normals(
        cell_normals=False, split_vertices=True, feature_angle=SHARP, consistent_normals=False
    )


def _standing(radius: float, low: float, high: float) -> pv.PolyData:
    middle, height = 0.5 * (low + high), high - low
    return pv.Cylinder(center=(0, 0, middle), direction=(0, 0, 1), radius=radius, height=height, resolution=AROUND)


def refuse_unreadable(scene: Scene) -> None:
    """A ModelError for a mesh file that is not there or holds no surface, before anything depends on it."""
    for body in scene.bodies:
        if isinstance(body.shape, Mesh):
            _file(body.shape)


def _capsule(radius: float, length: float) -> tuple[FloatArray, FloatArray]:
    """The outline, from the lower pole to the upper one: distance from the axis and height [m]."""
    angle = np.linspace(0.0, np.pi / 2, AROUND // 4 + 1)
    r, h = radius * np.sin(angle), 0.5 * length + radius * np.cos(angle)
    return np.concatenate([r, r[::-1]]), np.concatenate([-h, h[::-1]])


def revolved(r: FloatArray, z: FloatArray) -> pv.PolyData:
    """The surface that an outline (n,), (n,) [m] sweeps around z."""
    angle = np.linspace(0.0, 2 * np.pi, AROUND + 1)
    grid = np.stack([np.outer(np.cos(angle), r), np.outer(np.sin(angle), r), np.tile(z, (AROUND + 1, 1))], axis=-1)
    return _tube(grid)


def coil(radius: float, coils: int, wire: float, length: float) -> pv.PolyData:
    """A spring from 0 to 1 along z whose wire is round when it is drawn `length` [m] long."""
    n = coils * PER_COIL + 1
    turn = np.linspace(0.0, 2 * np.pi * coils, n)
    z = END + (1.0 - 2 * END) * turn / turn[-1]
    # The wire leaves the axis and comes back to it, so that the spring hangs on to what is at its ends.
    rise = np.minimum(np.minimum(turn, turn[-1] - turn) / np.pi, 1.0)
    r = radius * np.sin(0.5 * np.pi * rise)
    path = np.stack([r * np.cos(turn), r * np.sin(turn), z * length], axis=-1)
    path = np.concatenate([[[0.0, 0.0, 0.0]], path, [[0.0, 0.0, length]]])
    grid = _around(path, wire)
    grid[..., 2] /= length
    return _tube(grid)


def _around(path: FloatArray, wire: float) -> FloatArray:
    """Circles (n, WIRE_AROUND + 1, 3) about the points of a path (n, 3), square to it."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    first = np.empty_like(along)
    first[0] = np.cross(along[0], [0.0, 1.0, 0.0])
    for i in range(1, len(path)):  # carried along without twist
        first[i] = first[i - 1] - (first[i - 1] @ along[i]) * along[i]
        first[i] /= np.linalg.norm(first[i])
    second = np.cross(along, first)
    angle = np.linspace(0.0, 2 * np.pi, WIRE_AROUND + 1)[None, :, None]
    circle: FloatArray = path[:, None] + wire * (np.cos(angle) * first[:, None] + np.sin(angle) * second[:, None])
    return circle


def _tube(grid: FloatArray) -> pv.PolyData:
    """A surface through a grid of points (n, m, 3), smooth."""
    n, m = grid.shape[:2]
    corner = (np.arange(n - 1)[:, None] * m + np.arange(m - 1)).ravel()
    faces = np.stack([np.full_like(corner, 4), corner, corner + m, corner + m + 1, corner + 1], axis=1)
    surface = pv.PolyData(grid.reshape(-1, 3), faces.ravel()).clean()
    return surface.compute_normals(cell_normals=False, split_vertices=False, auto_orient_normals=True)


def _shaft(head: float, pose: FloatArray) -> FloatArray:
    length = float(np.linalg.norm(pose[:3, 2]))
    share = pose.copy()
    share[:3, 2] *= 1.0 - min(head / length, LONGEST_HEAD) if length else 0.0
    return share


def _head(head: float, pose: FloatArray) -> FloatArray:
    """At the tip. A short arrow has a small head, in all directions."""
    length = float(np.linalg.norm(pose[:3, 2]))
    share = pose.copy()
    if length:
        part = min(head / length, LONGEST_HEAD)
        share[:3, 3] += (1.0 - part) * pose[:3, 2]
        share[:3, 2] *= part
        share[:3, :2] *= part * length / head
    return share


def _skin(volume: pv.DataSet) -> pv.PolyData:
    filtered = vtkGeometryFilter()
    filtered.SetInputData(volume)
    filtered.Update()
    skin: pv.PolyData = pv.wrap(filtered.GetOutput())
    return skin


def _file(shape: Mesh) -> pv.PolyData:
    try:
        read = pv.read(shape.file)
    except (OSError, ValueError) as problem:
        raise ModelError(f"Mesh: {shape.file} cannot be read ({problem}); expected .stl, .ply, .obj or .vtp") from None
    whole = read.combine() if isinstance(read, pv.MultiBlock) else read
    surface = whole if isinstance(whole, pv.PolyData) else _skin(whole)
    if not surface.n_cells:
        raise ModelError(f"Mesh: {shape.file} holds no surface; expected triangles or other faces")
    return _edged(surface.scale(shape.scale, inplace=False))

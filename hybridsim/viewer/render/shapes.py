"""The shapes of a scene as surfaces, and how the pose of a body moves and stretches the pieces of its shape."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter

from hybridsim.errors import ModelError
from hybridsim.model.scene import Scene
from hybridsim.model.shapes import Arrow, Box, Capsule, Cone, Cylinder, Mesh, Shape, Sphere, Spring
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.quick_import import pv

N_CORNERS = 40
"""Number of corners of a circle."""
N_WIRE_CORNERS, N_COIL_POINTS = 10, 28
"""Numbers of corners around the wire of a spring, and of points along each of its coils."""
SPRING_END = 0.06
"""Length of each straight end of a spring, as a fraction of the spring's length."""
HEAD_LENGTH, HEAD_RADIUS = 7.0, 2.4
"""Length and radius of an arrow's head, in radii of its shaft."""
MAX_HEAD_SHARE = 0.6
"""Largest length of an arrow's head, as a fraction of the arrow's length."""
EDGE_ANGLE = 40.0
"""Edges with a larger angle are drawn sharp, others smooth [degrees]."""


@dataclass(frozen=True, slots=True)
class ShapePiece:
    """A piece of a shape that moves as one.

    Attributes
    ----------
    surface : PolyData
        The surface, in the piece's own coordinates.
    transform : callable, optional
        Returns the piece's pose (4, 4) for the body's pose; None if they are equal.
    remake : callable, optional
        Returns the surface for a length of the body along z [m], for surfaces that must not be stretched themselves.
    name : str
        Name of the piece within the body; "" for the whole body.
    """

    surface: pv.PolyData
    transform: Callable[[FloatArray], FloatArray] | None = None
    remake: Callable[[float], pv.PolyData] | None = None
    name: str = ""

    @property
    def is_rigid(self) -> bool:
        """Whether the piece moves exactly as its body does."""
        return self.transform is None and self.remake is None


def pieces(shape: Shape) -> list[ShapePiece]:  # noqa: PLR0911
    """Return the pieces of a shape.

    Raises
    ------
    ModelError
        If a mesh file does not exist or contains no surface.
    """
    match shape:
        case Sphere(radius):
            return [ShapePiece(pv.Sphere(radius=radius, theta_resolution=N_CORNERS, phi_resolution=N_CORNERS))]
        case Box((x, y, z)):
            return [ShapePiece(_with_sharp_edges(pv.Cube(x_length=x, y_length=y, z_length=z)))]
        case Capsule(radius, length):
            return [ShapePiece(revolve(*_capsule(radius, length)))]
        case Cylinder(radius):
            return [ShapePiece(_with_sharp_edges(_upright_cylinder(radius)))]
        case Spring(radius, coils, wire):
            remake = partial(coil, radius, coils, wire)
            return [ShapePiece(remake(1.0), remake=remake)]
        case Arrow(radius):
            head = HEAD_LENGTH * radius
            cone = pv.Cone(
                center=(0, 0, 0.5), direction=(0, 0, 1), height=1, radius=HEAD_RADIUS * radius, resolution=N_CORNERS
            )
            return [
                ShapePiece(_with_sharp_edges(_upright_cylinder(radius)), partial(_shaft_pose, head), name="shaft"),
                ShapePiece(_with_sharp_edges(cone), partial(_head_pose, head), name="head"),
            ]
        case Cone(radius):
            return [ShapePiece(revolve(np.array([0.0, radius]), np.array([0.0, 1.0])))]
        case Mesh():
            return [ShapePiece(_read_mesh(shape))]


def _with_sharp_edges(surface: pv.PolyData) -> pv.PolyData:
    """Return a surface with normals that make sharp edges visible and others smooth."""
    return surface.compute_normals(
        cell_normals=False, split_vertices=True, feature_angle=EDGE_ANGLE, consistent_normals=False
    )


def _upright_cylinder(radius: float) -> pv.PolyData:
    """Return a cylinder from z = 0 to z = 1."""
    return pv.Cylinder(center=(0, 0, 0.5), direction=(0, 0, 1), radius=radius, height=1.0, resolution=N_CORNERS)


def refuse_unreadable(scene: Scene) -> None:
    """Raise a ModelError if a mesh file of a scene does not exist or contains no surface."""
    for body in scene.bodies:
        if isinstance(body.shape, Mesh):
            _read_mesh(body.shape)


def _capsule(radius: float, length: float) -> tuple[FloatArray, FloatArray]:
    """Return an outline from the lower pole to the upper one: distances from the axis and heights [m]."""
    angle = np.linspace(0.0, np.pi / 2, N_CORNERS // 4 + 1)
    r, h = radius * np.sin(angle), 0.5 * length + radius * np.cos(angle)
    return np.concatenate([r, r[::-1]]), np.concatenate([-h, h[::-1]])


def revolve(r: FloatArray, z: FloatArray) -> pv.PolyData:
    """Return the surface that an outline, radii (n,) and heights (n,) [m], sweeps around the z axis."""
    angle = np.linspace(0.0, 2 * np.pi, N_CORNERS + 1)
    grid = np.stack([np.outer(np.cos(angle), r), np.outer(np.sin(angle), r), np.tile(z, (N_CORNERS + 1, 1))], axis=-1)
    return _tube(grid)


def coil(radius: float, coils: int, wire: float, length: float) -> pv.PolyData:
    """Return a spring from z = 0 to z = 1 whose wire is round when a pose stretches it to `length` [m]."""
    n = coils * N_COIL_POINTS + 1
    turn = np.linspace(0.0, 2 * np.pi * coils, n)
    z = SPRING_END + (1.0 - 2 * SPRING_END) * turn / turn[-1]
    # The wire begins and ends on the axis, so that the spring is connected to the bodies at its ends.
    rise = np.minimum(np.minimum(turn, turn[-1] - turn) / np.pi, 1.0)
    r = radius * np.sin(0.5 * np.pi * rise)
    path = np.stack([r * np.cos(turn), r * np.sin(turn), z * length], axis=-1)
    path = np.concatenate([[[0.0, 0.0, 0.0]], path, [[0.0, 0.0, length]]])
    grid = _circles_around(path, wire)
    grid[..., 2] /= length
    return _tube(grid)


def _circles_around(path: FloatArray, radius: float) -> FloatArray:
    """Return circles (n, N_WIRE_CORNERS + 1, 3) around the points of a path (n, 3) and perpendicular to it [m]."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    first = np.empty_like(along)
    first[0] = np.cross(along[0], [0.0, 1.0, 0.0])
    for i in range(1, len(path)):  # parallel transport: no twist
        first[i] = first[i - 1] - (first[i - 1] @ along[i]) * along[i]
        first[i] /= np.linalg.norm(first[i])
    second = np.cross(along, first)
    angle = np.linspace(0.0, 2 * np.pi, N_WIRE_CORNERS + 1)[None, :, None]
    circle: FloatArray = path[:, None] + radius * (np.cos(angle) * first[:, None] + np.sin(angle) * second[:, None])
    return circle


def _tube(grid: FloatArray) -> pv.PolyData:
    """Return a smooth surface through a grid of points (n, m, 3)."""
    n, m = grid.shape[:2]
    corner = (np.arange(n - 1)[:, None] * m + np.arange(m - 1)).ravel()
    faces = np.stack([np.full_like(corner, 4), corner, corner + m, corner + m + 1, corner + 1], axis=1)
    surface = pv.PolyData(grid.reshape(-1, 3), faces.ravel()).clean()
    return surface.compute_normals(cell_normals=False, split_vertices=False, auto_orient_normals=True)


def _shaft_pose(head: float, pose: FloatArray) -> FloatArray:
    """Return the pose of an arrow's shaft, given the length of its head [m] and the arrow's pose."""
    length = float(np.linalg.norm(pose[:3, 2]))
    result = pose.copy()
    result[:3, 2] *= 1.0 - min(head / length, MAX_HEAD_SHARE) if length else 0.0
    return result


def _head_pose(head: float, pose: FloatArray) -> FloatArray:
    """Return the pose of an arrow's head, at its tip; the heads of short arrows are smaller in all directions."""
    length = float(np.linalg.norm(pose[:3, 2]))
    result = pose.copy()
    if length:
        share = min(head / length, MAX_HEAD_SHARE)
        result[:3, 3] += (1.0 - share) * pose[:3, 2]
        result[:3, 2] *= share
        result[:3, :2] *= share * length / head
    return result


def _surface_of(volume: pv.DataSet) -> pv.PolyData:
    """Return the outer surface of a volume mesh."""
    filtered = vtkGeometryFilter()
    filtered.SetInputData(volume)
    filtered.Update()
    surface: pv.PolyData = pv.wrap(filtered.GetOutput())
    return surface


def _read_mesh(shape: Mesh) -> pv.PolyData:
    try:
        read = pv.read(shape.file)
    except (OSError, ValueError, ImportError) as error:
        raise ModelError(f"Mesh: {shape.file} cannot be read ({error}); expected .stl, .ply, .obj or .vtp") from None
    whole = read.combine() if isinstance(read, pv.MultiBlock) else read
    surface = whole if isinstance(whole, pv.PolyData) else _surface_of(whole)
    if not surface.n_cells:
        raise ModelError(f"Mesh: {shape.file} contains no surface; expected triangles or other faces")
    return _with_sharp_edges(surface.scale(shape.scale, inplace=False))

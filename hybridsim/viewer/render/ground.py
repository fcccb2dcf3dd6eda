"""The ground: a pattern of squares fixed in the world, drawn on a patch that follows the camera's target."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.model.scene import GROUND_REACH, Ground
from hybridsim.typing import FloatArray, IntArray
from hybridsim.viewer.render.actors import POINT_COLOURS, add_actor, mark_changed
from hybridsim.viewer.render.colours import rgb
from hybridsim.viewer.render.quick_import import pv
from hybridsim.viewer.render.shadow_shader import ShadowShader

FINE_REACH, N_FINE_STEPS = 2.2, 44
"""Terrain has this number of equal steps from the target to this number of camera distances; then the steps grow."""
STEP_GROWTH = 1.15
"""Ratio of a step of terrain to the step before, where the steps grow."""
FADE_START = 0.35
"""Share of the ground's reach at which it begins to fade into the background."""
TEXTURE_SIDE = 256
"""Side of the texture [pixels]."""
SHARP_FILTERING = 8.0
"""Anisotropic filtering of the texture in pictures that may take longer."""
AMBIENT, DIFFUSE = 0.52, 0.55


class GroundPatch:
    """The ground of one run.

    Parameters
    ----------
    plotter : Plotter
        The plotter; the active subplot gets the ground.
    ground : Ground
        Height, colours and size of squares.
    p : array
        Packed parameters, on which the height may depend.
    distance : float
        Distance of the camera from its target [m]; the reach and the fineness of the patch are proportional to it.

    Attributes
    ----------
    refreshes : int
        How often the heights of terrain have been computed.
    shadows : ShadowShader
        The shadows on it.
    """

    def __init__(self, plotter: pv.Plotter, ground: Ground, p: FloatArray, distance: float) -> None:
        self.ground, self.p = ground, p
        self.refreshes = 0
        self._step, self._snap = _steps(ground.checker, FINE_REACH * distance / N_FINE_STEPS)
        self._line = _graded_coordinates(self._step, GROUND_REACH * distance)
        self._corner: tuple[float, float] | None = None
        self.surface = self._flat()
        self.actor: Any = add_actor(plotter, self.surface, ambient=AMBIENT, diffuse=DIFFUSE)
        self.texture = _texture(ground.colours)
        self.actor.SetTexture(self.texture)
        # Drawn with the opaque bodies, so that it hides what lies below it although it is translucent where it fades.
        self.actor.ForceOpaqueOn()
        self.shadows = ShadowShader(self.actor)
        self.follow(np.zeros(3))

    def follow(self, focus: FloatArray) -> None:
        """Move the patch around the target (3,) [m], by whole squares; only then are heights of terrain computed."""
        x, y = np.floor(focus[:2] / self._snap).tolist()
        corner = (x * self._snap, y * self._snap)
        if corner == self._corner:
            return
        self._corner = corner
        if callable(self.ground.height):
            self._compute_heights(corner)
        # Points are relative to the patch: VTK's single precision would make squares far from the origin tremble.
        self.actor.SetPosition(*corner, 0.0 if callable(self.ground.height) else self.ground.height)

    def sharpen(self) -> None:
        """Draw distant squares sharply; without a graphics processor, this takes three times as long as the picture."""
        self.texture.SetMaximumAnisotropicFiltering(SHARP_FILTERING)

    def height(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the heights [m] at positions x, y [m]."""
        return self.ground.at(x, y, self.p)

    def squares_around(self, focus: FloatArray, squares: int = 24) -> list[tuple[str, FloatArray, IntArray]]:
        """Return colour, points (n, 3) [m] and triangles (m, 3) of the squares of each colour near a target (3,)."""
        fine, side = 4, self.ground.checker
        first = np.floor(focus[:2] / side).astype(int) - squares // 2
        n = squares * fine
        x, y = np.meshgrid(*((first[i] + np.arange(n + 1) / fine) * side for i in (0, 1)), indexing="ij")
        points: FloatArray = np.stack([x, y, self.height(x, y)], axis=-1).reshape(-1, 3)
        a, b = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        corner = a * (n + 1) + b
        odd = (first[0] + a // fine + first[1] + b // fine) % 2 == 1
        return [
            (colour, points, _triangles(corner[odd == which], n + 1))
            for which, colour in enumerate(self.ground.colours)
        ]

    def _flat(self) -> pv.PolyData:
        """Return the patch without heights, with texture coordinates and the fading at its edge."""
        line = self._line if callable(self.ground.height) else np.concatenate([self._line[::8], self._line[-1:]])
        x, y = np.meshgrid(line, line, indexing="ij")
        points = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3).astype(np.float32)
        n = len(line)
        a, b = np.meshgrid(np.arange(n - 1), np.arange(n - 1), indexing="ij")
        triangles = _triangles((a * n + b).ravel(), n)
        surface = pv.PolyData(points, np.insert(triangles, 0, 3, axis=1).ravel())
        surface.active_texture_coordinates = (points[:, :2] / (2 * self.ground.checker)).astype(np.float32)
        surface.point_data.active_normals = np.tile(np.array([0, 0, 1], np.float32), (len(points), 1))
        far = np.linalg.norm(points[:, :2], axis=1) / line[-1]
        fade = np.clip((1.0 - far) / (1.0 - FADE_START), 0.0, 1.0)
        shade = np.full((len(points), 4), 255, np.uint8)
        shade[:, 3] = 255 * fade * fade * (3 - 2 * fade)
        surface.point_data[POINT_COLOURS] = shade
        return surface

    def _compute_heights(self, corner: tuple[float, float]) -> None:
        """Compute heights and normals of terrain around a corner (x, y) [m] of squares."""
        self.refreshes += 1
        n, line_x, line_y = len(self._line), self._line, self._line
        if self.ground.edges is not None:
            edges = self.ground.edges(corner[1] + line_y[0], corner[1] + line_y[-1], self.p)
            line_y = move_to_edges(np.asarray(edges, float) - corner[1], line_y)
        x, y = np.meshgrid(line_x, line_y, indexing="ij")
        z = self.height(corner[0] + x, corner[1] + y)
        slope_x, slope_y = np.gradient(z, line_x, line_y)
        normals = np.stack([-slope_x, -slope_y, np.ones((n, n))], axis=-1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        self.surface.points[:, 1:] = np.stack([y, z], axis=-1).reshape(-1, 2)
        mark_changed(self.surface)
        self.surface.point_data.active_normals = normals.reshape(-1, 3).astype(np.float32)
        self.surface.active_texture_coordinates = (
            (np.stack([x, y], axis=-1).reshape(-1, 2) + np.array(corner) % (2 * self.ground.checker))
            / (2 * self.ground.checker)
        ).astype(np.float32)


def _steps(checker: float, wanted: float) -> tuple[float, float]:
    """Return the step of the mesh and the step by which it follows [m]; corners of squares stay corners of the mesh."""
    if wanted < checker:
        return checker / np.ceil(checker / wanted), 2 * checker
    step = checker * round(wanted / checker)
    return step, 2 * step


def _graded_coordinates(step: float, reach: float) -> FloatArray:
    """Return coordinates from -reach to reach [m], in equal steps near 0 and growing steps further out."""
    near = step * np.arange(1, N_FINE_STEPS + 1)
    longer = step * np.cumsum(STEP_GROWTH ** np.arange(1, 200)) + near[-1]
    half = np.concatenate([near, longer[longer < reach], [max(reach, 1.5 * near[-1])]])
    return np.concatenate([-half[::-1], [0.0], half])


def move_to_edges(edges: FloatArray, line: FloatArray) -> FloatArray:
    """Move coordinates to edges: each edge takes the nearest one that no edge before it has taken.

    An edge that is two steps away from it or more, as are most edges where steps are long, is omitted.

    Parameters
    ----------
    edges : (m,) array
        Where there must be a coordinate [m].
    line : (n,) array
        Coordinates in rising order [m]; the first and the last stay.

    Returns
    -------
    (n,) array
        As many coordinates, which rise.
    """
    moved, steps, first = line.copy(), np.diff(line), 1
    for edge in np.unique(edges[(line[0] < edges) & (edges < line[-1])]):
        free = line[first:-1]
        if not free.size:
            break
        nearest = first + int(np.argmin(np.abs(free - edge)))
        if abs(line[nearest] - edge) < 2.0 * steps[nearest]:
            moved[nearest], first = edge, nearest + 1
    return moved


def _triangles(corner: IntArray, row: int) -> IntArray:
    """Return two triangles for each cell of a grid with `row` points per row, given the cells' first corners (m,)."""
    a, b, c, d = corner, corner + row, corner + row + 1, corner + 1
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _texture(colours: tuple[str, str]) -> pv.Texture:
    """Return a texture of two by two squares, which repeats."""
    first, second = (np.round(255 * np.array(rgb(colour))).astype(np.uint8) for colour in colours)
    half = TEXTURE_SIDE // 2
    picture = np.empty((TEXTURE_SIDE, TEXTURE_SIDE, 3), np.uint8)
    picture[:half, :half], picture[half:, half:] = second, second
    picture[:half, half:], picture[half:, :half] = first, first  # row 0 is at the top
    texture = pv.Texture(picture)
    texture.repeat, texture.mipmap, texture.interpolate = True, True, True
    texture.SetMaximumAnisotropicFiltering(1.0)
    return texture

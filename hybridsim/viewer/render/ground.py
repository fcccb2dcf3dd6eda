"""The ground: squares that stay where they are in the world; the patch of them goes with the picture's focus."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyvista as pv

from hybridsim.model.scene import GROUND_REACH, Ground
from hybridsim.typing import FloatArray, IntArray
from hybridsim.viewer.colours import rgb
from hybridsim.viewer.render.actors import SHADE, add_actor, changed, remove_actor

NEAR, STEPS = 2.2, 44
"""Around the focus, up to so many distances of the camera, terrain is drawn in so many equal steps; then they grow."""
GROWTH = 1.15
FADES_FROM = 0.35
"""Where the ground begins to fade into the background, as a part of its reach."""
TEXELS = 256
SHARPEST = 8.0
AMBIENT, DIFFUSE = 0.52, 0.55


class GroundPatch:
    """The ground of one run.

    Parameters
    ----------
    plotter : with the wanted subplot active.
    ground, p : what it is, and the parameters its height depends on.
    distance : of the camera [m]; says how far the patch reaches and how fine it is.
    """

    def __init__(self, plotter: pv.Plotter, ground: Ground, p: FloatArray, distance: float) -> None:
        self.ground, self.p = ground, p
        self.refreshes = 0
        self._step, self._snap = _steps(ground.checker, NEAR * distance / STEPS)
        self._line = _graded(self._step, GROUND_REACH * distance)
        self._corner: tuple[float, float] | None = None
        self.surface = self._flat()
        self.actor: Any = add_actor(plotter, self.surface, ambient=AMBIENT, diffuse=DIFFUSE)
        self.texture = _squares(ground.colours)
        self.actor.SetTexture(self.texture)
        # Faded with what lies behind it, and yet in the way of what lies below: drawn with the opaque bodies.
        self.actor.ForceOpaqueOn()
        self.follow(np.zeros(3))

    def follow(self, focus: FloatArray) -> None:
        """Lie around the focus (3,) [m]; new heights only when it has gone on by whole squares."""
        x, y = np.floor(focus[:2] / self._snap).tolist()
        corner = (x * self._snap, y * self._snap)
        if corner == self._corner:
            return
        self._corner = corner
        if callable(self.ground.height):
            self._raise(corner)
        # The surface is kept around its own origin: in single precision, far away, squares would tremble.
        self.actor.SetPosition(*corner, 0.0 if callable(self.ground.height) else self.ground.height)

    def sharpen(self) -> None:
        """Draw squares far away sharper, which takes a processor three times as long as the whole picture."""
        self.texture.SetMaximumAnisotropicFiltering(SHARPEST)

    def height(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """The heights z [m] at places x, y [m]."""
        return self.ground.at(x, y, self.p)

    def checkered(self, focus: FloatArray, squares: int = 24) -> list[tuple[str, FloatArray, IntArray]]:
        """Colour, points (n, 3) [m] and triangles (m, 3) of the squares of each colour around the focus."""
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

    def remove(self, plotter: pv.Plotter) -> None:
        remove_actor(plotter, self.actor)

    def _flat(self) -> pv.PolyData:
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
        fade = np.clip((1.0 - far) / (1.0 - FADES_FROM), 0.0, 1.0)
        shade = np.full((len(points), 4), 255, np.uint8)
        shade[:, 3] = 255 * fade * fade * (3 - 2 * fade)
        surface.point_data[SHADE] = shade
        return surface

    def _raise(self, corner: tuple[float, float]) -> None:
        """The heights and slopes of terrain around a corner (x, y) [m]."""
        self.refreshes += 1
        n, line = len(self._line), self._line
        x, y = np.meshgrid(line, line, indexing="ij")
        z = self.height(corner[0] + x, corner[1] + y)
        slope_x, slope_y = np.gradient(z, line, line)
        normals = np.stack([-slope_x, -slope_y, np.ones((n, n))], axis=-1)
        normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
        self.surface.points[:, 2] = z.ravel()
        changed(self.surface)
        self.surface.point_data.active_normals = normals.reshape(-1, 3).astype(np.float32)
        self.surface.active_texture_coordinates = (
            (np.stack([x, y], axis=-1).reshape(-1, 2) + np.array(corner) % (2 * self.ground.checker))
            / (2 * self.ground.checker)
        ).astype(np.float32)


def _steps(checker: float, wanted: float) -> tuple[float, float]:
    """The step of the mesh and the one by which it follows, [m]: corners of squares and of the mesh stay together."""
    if wanted < checker:
        return checker / np.ceil(checker / wanted), 2 * checker
    step = checker * round(wanted / checker)
    return step, 2 * step


def _graded(step: float, reach: float) -> FloatArray:
    """Coordinates from -reach to reach [m], in equal steps near 0 and in ever longer ones further out."""
    near = step * np.arange(1, STEPS + 1)
    longer = step * np.cumsum(GROWTH ** np.arange(1, 200)) + near[-1]
    half = np.concatenate([near, longer[longer < reach], [max(reach, 1.5 * near[-1])]])
    return np.concatenate([-half[::-1], [0.0], half])


def _triangles(corner: IntArray, row: int) -> IntArray:
    """Two for each quadrilateral of a grid whose rows are `row` points long, from its first corner (m,)."""
    a, b, c, d = corner, corner + row, corner + row + 1, corner + 1
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def _squares(colours: tuple[str, str]) -> pv.Texture:
    """Two by two squares, to be repeated."""
    first, second = (np.round(255 * np.array(rgb(colour))).astype(np.uint8) for colour in colours)
    half = TEXELS // 2
    picture = np.empty((TEXELS, TEXELS, 3), np.uint8)
    picture[:half, :half], picture[half:, half:] = second, second
    picture[:half, half:], picture[half:, :half] = first, first  # row 0 is at the top
    texture = pv.Texture(picture)
    texture.repeat, texture.mipmap, texture.interpolate = True, True, True
    texture.SetMaximumAnisotropicFiltering(1.0)
    return texture

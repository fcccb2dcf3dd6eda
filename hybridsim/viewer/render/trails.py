"""The paths that bodies have taken, fading into the past."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from hybridsim.model.scene import Scene
from hybridsim.model.shapes import Box, Capsule, Mesh, Sphere
from hybridsim.typing import FloatArray
from hybridsim.viewer.colours import mixed, rgb
from hybridsim.viewer.render.actors import SHADE, add_actor, changed, remove_actor

WIDTH = 3.0
STRONGEST = 0.9


def trailed(scene: Scene) -> list[int]:
    """The bodies that have a trail."""
    return [
        number
        for number, body in enumerate(scene.bodies)
        if body.kind == "body" and isinstance(body.shape, Sphere | Box | Capsule | Mesh)
    ]


class Trails:
    """Of the bodies of one run that have a middle: not of what is stretched between two of them.

    Parameters
    ----------
    plotter : with the wanted subplot active.
    length : how many points each has.
    """

    def __init__(self, plotter: pv.Plotter, scene: Scene, length: int, tint: str = "") -> None:
        self.bodies = trailed(scene)
        self._points = np.zeros((len(self.bodies), length, 3), np.float32)
        colours = [mixed(scene.bodies[number].colour, tint) for number in self.bodies]
        self.surface = self._lines(colours)
        self.actor = add_actor(plotter, self.surface, lit=False, line_width=WIDTH)
        self.actor.ForceTranslucentOn()
        self.show(False)

    def show(self, shown: bool) -> None:
        self.actor.SetVisibility(shown)

    def set_paths(self, paths: FloatArray) -> None:
        """Where the bodies have been, (length, n_bodies, 3) [m], the latest last; nan where they were hidden."""
        wanted = paths[:, self.bodies].swapaxes(0, 1)
        latest = wanted[0, -1]
        origin = np.where(np.isfinite(latest), np.round(latest), 0.0)
        np.subtract(wanted, origin, out=self._points, casting="same_kind")
        # A gap is drawn as no way at all: at the place where it ends.
        gaps = np.asarray(~np.isfinite(self._points).all(axis=2))
        if gaps.any():
            self._close(gaps)
        self.actor.SetPosition(*origin)
        changed(self.surface)

    def remove(self, plotter: pv.Plotter) -> None:
        remove_actor(plotter, self.actor)

    def _close(self, gaps: NDArray[np.bool_]) -> None:
        n = self._points.shape[1]
        for line, gap in zip(self._points, gaps, strict=True):
            known = np.flatnonzero(~gap)
            if known.size:
                line[:] = line[known[np.minimum(np.searchsorted(known, np.arange(n)), known.size - 1)]]
            else:
                line[:] = 0.0

    def _lines(self, colours: list[str]) -> pv.PolyData:
        count, length = self._points.shape[:2]
        surface = pv.PolyData()
        surface.points = self._points.reshape(-1, 3)
        rows = np.arange(count * length).reshape(count, length)
        surface.lines = np.insert(rows, 0, length, axis=1).ravel()
        shade = np.zeros((count, length, 4), np.uint8)
        shade[..., :3] = np.round(255 * np.array([rgb(colour) for colour in colours]).reshape(-1, 1, 3))
        shade[..., 3] = 255 * STRONGEST * np.linspace(0.0, 1.0, length) ** 1.5
        surface.point_data[SHADE] = shade.reshape(-1, 4)
        self._points = surface.points.view(np.ndarray).reshape(self._points.shape)
        return surface

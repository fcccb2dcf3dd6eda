"""Trails: the paths that bodies have taken, which fade with age."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.model.scene import Scene
from hybridsim.model.shapes import Box, Capsule, Mesh, Sphere
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.actors import POINT_COLOURS, add_actor, mark_changed
from hybridsim.viewer.render.colours import mix, rgb
from hybridsim.viewer.render.quick_import import pv

LINE_WIDTH = 3.0
MAX_TRAIL_OPACITY = 0.9
"""Opacity of a trail at the body."""


def bodies_with_trails(scene: Scene) -> list[int]:
    """Return the indices of the bodies that have a trail: not of shapes that are stretched between two points."""
    return [
        number
        for number, body in enumerate(scene.bodies)
        if body.kind == "body" and isinstance(body.shape, Sphere | Box | Capsule | Mesh)
    ]


class Trails:
    """The trails of one run.

    Parameters
    ----------
    plotter : Plotter
        The plotter; the active subplot gets the trails.
    scene : Scene
        The scene.
    length : int
        Number of points of each trail.
    tint : str
        Colour "#rrggbb" of a ghost, which is mixed into those of the bodies; "" for none.
    """

    def __init__(self, plotter: pv.Plotter, scene: Scene, length: int, tint: str = "") -> None:
        self.bodies = bodies_with_trails(scene)
        self._points = np.zeros((len(self.bodies), length, 3), np.float32)
        colours = [mix(scene.bodies[number].colour, tint) for number in self.bodies]
        self.surface = self._lines(colours)
        self.actor = add_actor(plotter, self.surface, lighting=False, line_width=LINE_WIDTH)
        self.actor.ForceTranslucentOn()
        self.show(False)

    def show(self, shown: bool) -> None:
        """Show or hide the trails."""
        self.actor.SetVisibility(shown)

    def set_paths(self, paths: FloatArray) -> None:
        """Draw the trails through positions (length, n_bodies, 3) [m], the latest last; nan where a body was hidden."""
        positions = paths[:, self.bodies].swapaxes(0, 1)
        latest = positions[0, -1]
        origin = np.where(np.isfinite(latest), np.round(latest), 0.0)
        np.subtract(positions, origin, out=self._points, casting="same_kind")
        # Points in a gap lie on the point at which the gap ends, so that the gap has no length.
        gaps = np.asarray(~np.isfinite(self._points).all(axis=2))
        if gaps.any():
            self._close_gaps(gaps)
        self.actor.SetPosition(*origin)
        mark_changed(self.surface)

    def _close_gaps(self, gaps: NDArray[np.bool_]) -> None:
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
        shade[..., 3] = 255 * MAX_TRAIL_OPACITY * np.linspace(0.0, 1.0, length) ** 1.5
        surface.point_data[POINT_COLOURS] = shade.reshape(-1, 4)
        self._points = surface.points.view(np.ndarray).reshape(self._points.shape)
        return surface

"""Soft shadows of bodies on the ground, which show how high the bodies are."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from hybridsim.typing import FloatArray
from hybridsim.viewer.render.actors import POINT_COLOURS, add_actor, mark_changed, remove_actor
from hybridsim.viewer.render.bodies import Bodies
from hybridsim.viewer.render.ground import GroundPatch

N_POINTS_PER_RING = 24
RINGS = ((0.0, 1.0), (0.45, 0.82), (0.75, 0.4), (0.95, 0.1), (1.12, 0.0))
"""Radii of the rings of a shadow in half widths of its body, and its relative darkness there."""
MAX_OPACITY = 0.34
"""Opacity of the middle of a shadow, when its body is on the ground."""
MIN_FADING_WIDTH = 0.3
"""Shadows fade as bodies rise by their own width, or at least by this fraction of the width of the widest body."""
LIFT = 2e-3
"""Height of shadows above the ground, in widths of the widest body."""
DEPTH_OFFSET = 4.0
"""Distance by which shadows are drawn nearer than the ground, in steps of the depth buffer."""


class Shadows:
    """All shadows of one run: one surface whose points are moved.

    Parameters
    ----------
    plotter : Plotter
        The plotter; the active subplot gets the shadows.
    bodies : Bodies
        The bodies.
    ground : GroundPatch
        The ground.
    opacity : float
        Factor of the opacity of all shadows.
    """

    def __init__(self, plotter: pv.Plotter, bodies: Bodies, ground: GroundPatch, opacity: float = 1.0) -> None:
        self._ground, self._opacity = ground, opacity
        self._rows, self._centres, self._halves = bodies.boxes()
        self._widest = float(self._halves.max(initial=1e-6))
        angle = 2 * np.pi * np.arange(N_POINTS_PER_RING) / N_POINTS_PER_RING
        radii, self._dark = (np.array(column) for column in zip(*RINGS, strict=True))
        self._disc = np.stack([np.outer(radii, np.cos(angle)), np.outer(radii, np.sin(angle))], axis=-1).reshape(-1, 2)
        self._points = np.zeros((len(self._rows), len(self._disc), 3), np.float32)
        self._shades = np.zeros((len(self._rows), len(RINGS), N_POINTS_PER_RING, 4), np.uint8)
        self.surface = self._surface()
        self.actor = add_actor(plotter, self.surface, lighting=False)
        self.actor.ForceTranslucentOn()
        self.actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
        self.actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(-DEPTH_OFFSET, -DEPTH_OFFSET)

    def set_poses(self, poses: FloatArray) -> None:
        """Move the shadows below bodies with poses (n_bodies, 4, 4) [m]."""
        pose = poses[self._rows]
        centre = np.einsum("nij,nj->ni", pose[:, :3, :3], self._centres) + pose[:, :3, 3]
        half = np.einsum("nij,nj->ni", np.abs(pose[:, :3, :3]), self._halves)
        x = centre[:, None, 0] + half[:, None, 0] * self._disc[:, 0]
        y = centre[:, None, 1] + half[:, None, 1] * self._disc[:, 1]
        z = self._ground.height(x, y)
        origin = np.array([*np.round(centre[0, :2]), 0.0])
        self._points[..., 0], self._points[..., 1] = x - origin[0], y - origin[1]
        self._points[..., 2] = z + LIFT * self._widest
        clearance = np.maximum(centre[:, 2] - half[:, 2] - z[:, 0], 0.0)
        width = np.maximum(half[:, :2].max(axis=1), MIN_FADING_WIDTH * self._widest)
        below = centre[:, 2] + half[:, 2] > z[:, 0]
        strength = np.where(
            (pose[:, 3, 3] != 0.0) & below, MAX_OPACITY * self._opacity / (1.0 + clearance / (4 * width)), 0
        )
        self._shades[..., 3] = (255 * strength[:, None] * self._dark)[:, :, None]
        self.actor.SetPosition(*origin)
        mark_changed(self.surface, POINT_COLOURS)

    def remove(self, plotter: pv.Plotter) -> None:
        """Remove the actor."""
        remove_actor(plotter, self.actor)

    def _surface(self) -> pv.PolyData:
        """Return the surface of all shadows; its points and colours are those of `_points` and `_shades`."""
        ring, place = np.meshgrid(np.arange(len(RINGS) - 1), np.arange(N_POINTS_PER_RING), indexing="ij")
        following = (place + 1) % N_POINTS_PER_RING
        a, b = ring * N_POINTS_PER_RING + place, ring * N_POINTS_PER_RING + following
        one = np.stack([np.full_like(a, 4), a, a + N_POINTS_PER_RING, b + N_POINTS_PER_RING, b], axis=-1).reshape(-1, 5)
        first = len(self._disc) * np.arange(len(self._rows))
        faces = one + first[:, None, None] * np.array([0, 1, 1, 1, 1])
        surface = pv.PolyData()
        surface.points = self._points.reshape(-1, 3)
        surface.faces = faces.ravel()
        surface.point_data[POINT_COLOURS] = self._shades.reshape(-1, 4)
        # From now on these arrays share the memory of the surface that VTK draws.
        self._points = surface.points.view(np.ndarray).reshape(self._points.shape)
        self._shades = surface.point_data[POINT_COLOURS].view(np.ndarray).reshape(self._shades.shape)
        return surface

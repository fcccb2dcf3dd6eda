"""Soft shadows of bodies on the ground below them: how high something is can be seen."""

from __future__ import annotations

import numpy as np
import pyvista as pv

from hybridsim.typing import FloatArray
from hybridsim.viewer.render.actors import SHADE, add_actor, changed, remove_actor
from hybridsim.viewer.render.bodies import Bodies
from hybridsim.viewer.render.ground import GroundPatch

AROUND = 24
RINGS = ((0.0, 1.0), (0.45, 0.82), (0.75, 0.4), (0.95, 0.1), (1.12, 0.0))
"""Radii of the rings of a shadow, as parts of its body's width, and how dark it is there."""
DARKEST = 0.34
SMALLEST = 0.3
"""A shadow fades while the body rises by its width, or by so much of the scene's widest body."""
LIFT, NEARER = 2e-3, 4.0
"""Of the shadows above the ground, as a part of the widest body, and towards the eye in steps of the depth buffer."""


class Shadows:
    """All shadows of one run: one surface, whose points are moved.

    Parameters
    ----------
    plotter : with the wanted subplot active.
    """

    def __init__(self, plotter: pv.Plotter, bodies: Bodies, ground: GroundPatch, opacity: float = 1.0) -> None:
        self._ground, self._opacity = ground, opacity
        self._rows, self._centres, self._halves = bodies.boxes()
        self._widest = float(self._halves.max(initial=1e-6))
        angle = 2 * np.pi * np.arange(AROUND) / AROUND
        radii, self._dark = (np.array(column) for column in zip(*RINGS, strict=True))
        self._disc = np.stack([np.outer(radii, np.cos(angle)), np.outer(radii, np.sin(angle))], axis=-1).reshape(-1, 2)
        self._points = np.zeros((len(self._rows), len(self._disc), 3), np.float32)
        self._shades = np.zeros((len(self._rows), len(RINGS), AROUND, 4), np.uint8)
        self.surface = self._surface()
        self.actor = add_actor(plotter, self.surface, lit=False)
        self.actor.ForceTranslucentOn()
        self.actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
        self.actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(-NEARER, -NEARER)

    def set_poses(self, poses: FloatArray) -> None:
        """Lie below bodies with poses (n_bodies, 4, 4) [m]."""
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
        width = np.maximum(half[:, :2].max(axis=1), SMALLEST * self._widest)
        below = centre[:, 2] + half[:, 2] > z[:, 0]
        strength = np.where(
            (pose[:, 3, 3] != 0.0) & below, DARKEST * self._opacity / (1.0 + clearance / (4 * width)), 0
        )
        self._shades[..., 3] = (255 * strength[:, None] * self._dark)[:, :, None]
        self.actor.SetPosition(*origin)
        changed(self.surface, SHADE)

    def remove(self, plotter: pv.Plotter) -> None:
        remove_actor(plotter, self.actor)

    def _surface(self) -> pv.PolyData:
        ring, place = np.meshgrid(np.arange(len(RINGS) - 1), np.arange(AROUND), indexing="ij")
        following = (place + 1) % AROUND
        a, b = ring * AROUND + place, ring * AROUND + following
        one = np.stack([np.full_like(a, 4), a, a + AROUND, b + AROUND, b], axis=-1).reshape(-1, 5)
        first = len(self._disc) * np.arange(len(self._rows))
        faces = one + first[:, None, None] * np.array([0, 1, 1, 1, 1])
        surface = pv.PolyData()
        surface.points = self._points.reshape(-1, 3)
        surface.faces = faces.ravel()
        surface.point_data[SHADE] = self._shades.reshape(-1, 4)
        # What VTK draws is what numpy writes.
        self._points = surface.points.view(np.ndarray).reshape(self._points.shape)
        self._shades = surface.point_data[SHADE].view(np.ndarray).reshape(self._shades.shape)
        return surface

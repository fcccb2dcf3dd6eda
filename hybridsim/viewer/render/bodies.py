"""The bodies of one run in a picture: made once, then moved by writing into their matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from hybridsim.model.scene import Scene
from hybridsim.typing import FloatArray
from hybridsim.viewer.colours import mixed
from hybridsim.viewer.render.actors import add_actor, remove_actor
from hybridsim.viewer.render.shapes import Piece, pieces

MATTER: dict[str, Any] = {"ambient": 0.28, "diffuse": 0.78, "specular": 0.22}
BACK = 12.0
"""How far ghosts stand back, in steps of the depth buffer."""
REMAKE = 1.3
"""A spring whose length has changed by this factor since its wire was drawn round is drawn anew."""


@dataclass(slots=True)
class Part:
    """A piece of a body with its actor; `stretch` is the one its surface is made for."""

    body: int
    piece: Piece
    surface: pv.PolyData
    actor: Any
    matrix: Any = field(default_factory=vtkMatrix4x4)
    stretch: float = 1.0
    shown: bool = True

    def __post_init__(self) -> None:
        self.actor.SetUserMatrix(self.matrix)

    def place(self, pose: FloatArray) -> None:
        """Where something other than the body's own pose is needed: a share of it, or another surface."""
        if self.piece.remade is not None:
            self._remake(float(np.linalg.norm(pose[:3, 2])))
        if self.piece.share is not None:
            pose = self.piece.share(pose)
        self.matrix.DeepCopy(pose.ravel().tolist())

    def _remake(self, stretch: float) -> None:
        if self.piece.remade is not None and not self.stretch / REMAKE < stretch < self.stretch * REMAKE:
            self.surface.copy_from(self.piece.remade(stretch))
            self.stretch = stretch

    def show(self, shown: bool) -> None:
        if shown != self.shown:
            self.shown = shown
            self.actor.SetVisibility(shown)


class Bodies:
    """All bodies of a scene.

    Parameters
    ----------
    plotter : with the wanted subplot active.
    tint : a colour "#rrggbb" to mix into all others, as ghosts have; "" for none. opacity : of everything, on top of
        the bodies' own.
    """

    def __init__(self, plotter: pv.Plotter, scene: Scene, tint: str = "", opacity: float = 1.0) -> None:
        self.scene = scene
        self.forces = True
        self._is_force = [body.kind == "force" for body in scene.bodies]
        self.parts = [
            Part(
                number,
                piece,
                surface := piece.surface.copy(),
                add_actor(plotter, surface, mixed(body.colour, tint), opacity * body.opacity, **MATTER),
            )
            for number, body in enumerate(scene.bodies)
            for piece in pieces(body.shape)
        ]
        if opacity < 1.0:
            self._recede()
        self._plain = [part for part in self.parts if part.piece.share is None and part.piece.remade is None]
        self._others = [part for part in self.parts if part.piece.share is not None or part.piece.remade is not None]
        self.poses = np.zeros((len(scene.bodies), 4, 4))
        self.set_poses(self.poses)

    def set_poses(self, poses: FloatArray) -> None:
        """Move all bodies to poses (n_bodies, 4, 4) [m]; a pose of zeros hides its body."""
        self.poses = poses
        rows = poses.reshape(-1, 16).tolist()
        shown = [row[15] != 0.0 and (self.forces or not force) for row, force in zip(rows, self._is_force, strict=True)]
        for part in self._plain:
            part.show(shown[part.body])
            if part.shown:
                part.matrix.DeepCopy(rows[part.body])
        for part in self._others:
            part.show(shown[part.body])
            if part.shown:
                part.place(poses[part.body])

    def show_forces(self, forces: bool) -> None:
        self.forces = forces
        self.set_poses(self.poses)

    def _recede(self) -> None:
        """Ghosts stand back: where they are in the place of the run that leads, it is to be seen."""
        for part in self.parts:
            part.actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
            part.actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, BACK)

    @property
    def solid(self) -> list[int]:
        """The bodies that are no forces."""
        return [number for number, force in enumerate(self._is_force) if not force]

    def boxes(self) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
        """The solid bodies, and the boxes around them in their own frames: centres, half sizes (n, 3)."""
        corners = np.array([self._bounds(number) for number in self.solid]).reshape(-1, 3, 2)
        return np.array(self.solid, np.int64), corners.mean(axis=2), 0.5 * (corners[:, :, 1] - corners[:, :, 0])

    def _bounds(self, number: int) -> FloatArray:
        each = np.array([part.piece.surface.bounds for part in self.parts if part.body == number]).reshape(-1, 3, 2)
        return np.stack([each[:, :, 0].min(axis=0), each[:, :, 1].max(axis=0)], axis=1)

    def visible(self) -> Iterator[tuple[str, pv.PolyData, FloatArray, str, float]]:
        """What is to be seen now: name, surface, transform (4, 4) to the world, colour and opacity."""
        for part in self.parts:
            if part.shown:
                body, actor = self.scene.bodies[part.body], part.actor
                transform = np.array(part.matrix.GetData()).reshape(4, 4)
                name = f"{body.name}/{part.piece.name}" if part.piece.name else body.name
                yield name, part.surface, transform, actor.prop.color.hex_rgb, actor.prop.opacity

    def remove(self, plotter: pv.Plotter) -> None:
        for part in self.parts:
            remove_actor(plotter, part.actor)

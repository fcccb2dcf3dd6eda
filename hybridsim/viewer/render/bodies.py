"""The bodies of one run: their actors are made once, and then moved by writing into their matrices."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from hybridsim.model.scene import SHOWN_ON_REQUEST, Scene
from hybridsim.typing import BodyKind, FloatArray
from hybridsim.viewer.render.actors import add_actor
from hybridsim.viewer.render.colours import mix
from hybridsim.viewer.render.quick_import import pv
from hybridsim.viewer.render.shapes import ShapePiece, pieces

MATERIAL: dict[str, Any] = {"ambient": 0.28, "diffuse": 0.78, "specular": 0.22}
GHOST_DEPTH_OFFSET = 12.0
"""Distance by which ghosts are drawn further away, in steps of the depth buffer."""
MAX_OPACITY_AROUND = 0.4
"""Opacity of bodies while their ellipsoids of inertia are shown."""
REMAKE_FACTOR = 1.3
"""Factor by which a spring's length may change before its surface is made again, so that its wire stays round."""


@dataclass(slots=True)
class BodyPiece:
    """A piece of a body and its actor.

    Attributes
    ----------
    body : int
        Index of the body.
    shape : ShapePiece
        The piece of the body's shape.
    surface : PolyData
        The surface that is drawn.
    actor : Actor
        Its actor.
    matrix : vtkMatrix4x4
        The actor's transform to the world.
    stretch : float
        Length along z for which the surface was made [m]; 1 at first.
    shown : bool
        Whether the actor is visible.
    """

    body: int
    shape: ShapePiece
    surface: pv.PolyData
    actor: Any
    matrix: Any = field(default_factory=vtkMatrix4x4)
    stretch: float = 1.0
    shown: bool = True

    def __post_init__(self) -> None:
        self.actor.SetUserMatrix(self.matrix)

    def place(self, pose: FloatArray) -> None:
        """Move the piece of a body with this pose (4, 4), if its transform or surface depends on the pose."""
        if self.shape.remake is not None:
            self._remake(float(np.linalg.norm(pose[:3, 2])))
        if self.shape.transform is not None:
            pose = self.shape.transform(pose)
        self.matrix.DeepCopy(pose.ravel().tolist())

    def _remake(self, stretch: float) -> None:
        if self.shape.remake is not None and not self.stretch / REMAKE_FACTOR < stretch < self.stretch * REMAKE_FACTOR:
            self.surface.copy_from(self.shape.remake(stretch))
            self.stretch = stretch

    def show(self, shown: bool) -> None:
        """Show or hide the piece."""
        if shown != self.shown:
            self.shown = shown
            self.actor.SetVisibility(shown)


class Bodies:
    """All bodies of a scene.

    Parameters
    ----------
    plotter : Plotter
        The plotter; the active subplot gets the bodies.
    scene : Scene
        The scene.
    tint : str
        Colour "#rrggbb" of a ghost, which is mixed into those of the bodies; "" for none.
    opacity : float
        Factor of the bodies' opacities.

    Attributes
    ----------
    poses : (n_bodies, 4, 4) array
        Present poses [m].
    """

    def __init__(self, plotter: pv.Plotter, scene: Scene, tint: str = "", opacity: float = 1.0) -> None:
        self.scene, self._opacity = scene, opacity
        self._kinds = [body.kind for body in scene.bodies]
        self._hidden_kinds = set(SHOWN_ON_REQUEST)
        self.pieces = [
            BodyPiece(
                number,
                shape_piece,
                surface := shape_piece.surface.copy(),
                add_actor(plotter, surface, mix(body.colour, tint), opacity * body.opacity, **MATERIAL),
            )
            for number, body in enumerate(scene.bodies)
            for shape_piece in pieces(body.shape)
        ]
        if opacity < 1.0:
            self._push_back()
        self._rigid = [piece for piece in self.pieces if piece.shape.is_rigid]
        self._deformed = [piece for piece in self.pieces if not piece.shape.is_rigid]
        self.poses = np.zeros((len(scene.bodies), 4, 4))
        self.set_poses(self.poses)

    def set_poses(self, poses: FloatArray) -> None:
        """Move all bodies to poses (n_bodies, 4, 4) [m]; a pose of zeros hides its body."""
        self.poses = poses
        rows = poses.reshape(-1, 16).tolist()
        hidden = self._hidden_kinds
        shown = [row[15] != 0.0 and kind not in hidden for row, kind in zip(rows, self._kinds, strict=True)]
        for piece in self._rigid:
            piece.show(shown[piece.body])
            if piece.shown:
                piece.matrix.DeepCopy(rows[piece.body])
        for piece in self._deformed:
            piece.show(shown[piece.body])
            if piece.shown:
                piece.place(poses[piece.body])

    def show_kind(self, kind: BodyKind, shown: bool) -> None:
        """Show or hide all bodies of a kind; bodies let ellipsoids of inertia through."""
        (self._hidden_kinds.discard if shown else self._hidden_kinds.add)(kind)
        if kind == "inertia" and kind in self._kinds:
            for piece in self.pieces:
                if self._kinds[piece.body] == "body":
                    opacity = self._opacity * self.scene.bodies[piece.body].opacity
                    piece.actor.prop.opacity = min(opacity, MAX_OPACITY_AROUND) if shown else opacity
        self.set_poses(self.poses)

    def _push_back(self) -> None:
        """Draw a ghost behind the first run where both are in the same place."""
        for piece in self.pieces:
            piece.actor.GetMapper().SetResolveCoincidentTopologyToPolygonOffset()
            piece.actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, GHOST_DEPTH_OFFSET)

    @property
    def solid(self) -> list[int]:
        """Indices of the bodies that stand for no force."""
        return [number for number, kind in enumerate(self._kinds) if kind == "body"]

    def boxes(self) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
        """Return indices of solid bodies, and centres and half sizes (n, 3) of boxes around them in their own axes."""
        corners = np.array([self._bounds(number) for number in self.solid]).reshape(-1, 3, 2)
        return np.array(self.solid, np.int64), corners.mean(axis=2), 0.5 * (corners[:, :, 1] - corners[:, :, 0])

    def _bounds(self, number: int) -> FloatArray:
        bounds = [piece.shape.surface.bounds for piece in self.pieces if piece.body == number]
        each = np.array(bounds).reshape(-1, 3, 2)
        return np.stack([each[:, :, 0].min(axis=0), each[:, :, 1].max(axis=0)], axis=1)

    def visible(self) -> Iterator[tuple[str, pv.PolyData, FloatArray, str, float]]:
        """Yield name, surface, transform (4, 4) to the world, colour and opacity of everything that is visible."""
        for piece in self.pieces:
            if piece.shown:
                body, actor = self.scene.bodies[piece.body], piece.actor
                transform = np.array(piece.matrix.GetData()).reshape(4, 4)
                name = f"{body.name}/{piece.shape.name}" if piece.shape.name else body.name
                yield name, piece.surface, transform, actor.prop.color.hex_rgb, actor.prop.opacity

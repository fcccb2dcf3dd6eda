"""The arrow from a body that the mouse pushes."""

from __future__ import annotations

from hybridsim.model.poses import between
from hybridsim.model.shapes import Arrow
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.actors import make_actor
from hybridsim.viewer.render.bodies import MATERIAL, BodyPiece
from hybridsim.viewer.render.cameras import SubplotCamera
from hybridsim.viewer.render.shapes import pieces

COLOUR = "#d01c8b"
RADIUS = 0.006
"""Radius of the shaft, in distances of the camera from its target."""


class PushArrow:
    """An arrow in one subplot.

    Parameters
    ----------
    camera : SubplotCamera
        The camera of the subplot.
    """

    def __init__(self, camera: SubplotCamera) -> None:
        self._renderer = camera.renderer
        self._pieces = []
        for shape in pieces(Arrow(RADIUS * camera.scene.camera.distance)):
            surface = shape.surface.copy()
            self._pieces.append(BodyPiece(0, shape, surface, make_actor(surface, COLOUR, **MATERIAL)))
            self._renderer.AddActor(self._pieces[-1].actor)

    def place(self, start: FloatArray, end: FloatArray) -> None:
        """Let it be between two points (3,) [m]; of no length, it is not seen."""
        pose = between(start, end)
        for piece in self._pieces:
            piece.show(bool(pose[3, 3]))
            if piece.shown:
                piece.place(pose)

    def remove(self) -> None:
        """Remove it."""
        for piece in self._pieces:
            self._renderer.RemoveActor(piece.actor)

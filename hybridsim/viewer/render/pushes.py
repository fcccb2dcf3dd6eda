"""A push with the mouse in a picture: the ray through a pixel, the body that it hits, and the arrow from this body."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.model.poses import between
from hybridsim.model.shapes import Arrow
from hybridsim.typing import FloatArray
from hybridsim.viewer.render.actors import make_actor
from hybridsim.viewer.render.bodies import MATERIAL, Bodies, BodyPiece
from hybridsim.viewer.render.cameras import SubplotCamera
from hybridsim.viewer.render.shapes import pieces


@dataclass(frozen=True, slots=True, eq=False)
class Ray:
    """What is seen at a pixel: the points start + s way with s from 0, nearest to the eye, to 1.

    Attributes
    ----------
    start, way : (3,) array
        Point and direction in the world [m].
    """

    start: FloatArray
    way: FloatArray

    def at_distance_of(self, place: FloatArray, sight: FloatArray) -> FloatArray:
        """Return the point (3,) [m] on the plane through a place (3,) [m] across the line of sight (3,)."""
        return np.asarray(self.start + ((place - self.start) @ sight) / (self.way @ sight) * self.way)


def ray_through(renderer: Any, x: float, y: float) -> Ray:
    """Return the ray through a pixel, counted from the lower left corner of the window."""
    ends = []
    for depth in (0.0, 1.0):
        renderer.SetDisplayPoint(x, y, depth)
        renderer.DisplayToWorld()
        point = np.array(renderer.GetWorldPoint())
        ends.append(point[:3] / point[3])
    return Ray(ends[0], ends[1] - ends[0])


def body_at(ray: Ray, bodies: Bodies, among: Iterable[int]) -> int | None:
    """Return the index of the first body, among some, whose box a ray hits; None if it hits none."""
    hits = []
    for number, centre, half in zip(*bodies.boxes(), strict=True):
        if number in among and bodies.poses[number, 3, 3] != 0.0:
            to_body = np.linalg.inv(bodies.poses[number])
            start, way = to_body[:3, :3] @ ray.start + to_body[:3, 3] - centre, to_body[:3, :3] @ ray.way
            entry = _entry(start, way, half)
            if entry is not None:
                hits.append((entry, int(number)))
    return min(hits)[1] if hits else None


def _entry(start: FloatArray, way: FloatArray, half: FloatArray) -> float | None:
    """Return the s at which start + s way enters the box from -half to half; None if it passes it by."""
    way = np.where(way == 0.0, np.finfo(float).tiny, way)
    with np.errstate(over="ignore"):  # infinity is right there
        ends = np.sort(np.stack([(-half - start) / way, (half - start) / way]), axis=0)
    first, last = float(ends[0].max()), float(ends[1].min())
    return first if first <= last and last >= 0.0 else None


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

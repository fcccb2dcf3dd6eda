"""Cameras: by the scene's own rule, from the side, from above, or wherever the mouse has left it."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.model.scene import Scene
from hybridsim.typing import FloatArray

CAMERAS = ("follow", "side", "top", "free")
NEAREST, FURTHEST = 0.02, 60.0
"""Between how many distances from the eye something is drawn."""
STEEPEST = 0.49 * np.pi


def refuse_unknown_camera(name: str) -> None:
    """A ConfigError, if there is no camera of this name."""
    if name not in CAMERAS:
        raise ConfigError(f"--camera: there is no {name!r}{nearest(name, CAMERAS)}; choose among {', '.join(CAMERAS)}")


class View:
    """The camera of one subplot. The mouse may turn and move it; `follow`, `side` and `top` go on with the body then.

    Parameters
    ----------
    renderer : of the subplot.
    """

    def __init__(self, renderer: Any, scene: Scene) -> None:
        self.renderer, self.scene, self.name = renderer, scene, "follow"
        self.camera: Any = renderer.GetActiveCamera()
        followed = scene.camera.follow
        self._followed = scene.bodies.index(followed) if followed else None
        self._position = np.zeros(3)
        self.camera.SetViewAngle(30.0)
        self.set("follow")

    @property
    def focus(self) -> FloatArray:
        """What the camera looks at, (3,) [m], if the mouse has not moved it."""
        return self.scene.camera.focus(self._position)

    def set(self, name: str) -> None:
        """Look as the camera of this name does; `free` begins where the last one was."""
        refuse_unknown_camera(name)
        self.name = name
        if name != "free":
            distance, focus = self.scene.camera.distance, self.focus
            sight, up = _sight(name, np.asarray(self.scene.camera.view, float))
            self._look(focus - distance * sight, focus, up)

    def go_on(self, poses: FloatArray) -> None:
        """The bodies have these poses (n_bodies, 4, 4) now: go with the one that is followed."""
        before = self.focus
        if self._followed is not None and poses[self._followed, 3, 3] != 0.0:
            self._position = poses[self._followed, :3, 3].copy()
        if self.name != "free":
            way = self.focus - before
            if way.any():
                self.move(way)

    def move(self, way: FloatArray) -> None:
        """Move eye and target (3,) [m]."""
        camera = self.camera
        camera.SetPosition(*(np.array(camera.GetPosition()) + way))
        camera.SetFocalPoint(*(np.array(camera.GetFocalPoint()) + way))

    def orbit(self, azimuth: float, elevation: float) -> None:
        """Turn around the target [rad], upright."""
        target = np.array(self.camera.GetFocalPoint())
        arm = np.array(self.camera.GetPosition()) - target
        distance = float(np.linalg.norm(arm))
        up = np.array(self.camera.GetViewUp())
        # Straight above, the direction of sight says nothing about where ahead is; what is up in the picture does.
        flat = arm[:2] if np.hypot(*arm[:2]) > 1e-3 * distance else -up[:2]
        heading = np.arctan2(flat[1], flat[0]) + azimuth
        height = np.clip(np.arcsin(np.clip(arm[2] / distance, -1, 1)) + elevation, -STEEPEST, STEEPEST)
        level = np.cos(height)
        arm = distance * np.array([level * np.cos(heading), level * np.sin(heading), np.sin(height)])
        self._look(target + arm, target, np.array([0.0, 0.0, 1.0]))

    def pan(self, right: float, up: float) -> None:
        """Move sideways by parts of the picture's height."""
        target, eye = np.array(self.camera.GetFocalPoint()), np.array(self.camera.GetPosition())
        sight = target - eye
        height = 2.0 * np.linalg.norm(sight) * np.tan(0.5 * np.radians(self.camera.GetViewAngle()))
        across = np.cross(sight, np.array(self.camera.GetViewUp()))
        across /= np.linalg.norm(across)
        upward = np.cross(across, sight)
        upward /= np.linalg.norm(upward)
        self.move(-height * (right * across + up * upward))

    def zoom(self, factor: float) -> None:
        """Come nearer by a factor."""
        target, eye = np.array(self.camera.GetFocalPoint()), np.array(self.camera.GetPosition())
        self._look(target + (eye - target) / factor, target, np.array(self.camera.GetViewUp()))

    def _look(self, eye: FloatArray, target: FloatArray, up: FloatArray) -> None:
        camera, distance = self.camera, float(np.linalg.norm(eye - target))
        camera.SetPosition(*eye)
        camera.SetFocalPoint(*target)
        camera.SetViewUp(*up)
        camera.SetClippingRange(NEAREST * distance, FURTHEST * max(distance, self.scene.camera.distance))


def _sight(name: str, view: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Direction of sight and what is up, of length 1."""
    if name == "side":
        return np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0])
    if name == "top":
        return np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0])
    view = view / np.linalg.norm(view)
    steep = abs(view[2]) > np.sin(STEEPEST)
    return view, np.array([0.0, 1.0, 0.0] if steep else [0.0, 0.0, 1.0])

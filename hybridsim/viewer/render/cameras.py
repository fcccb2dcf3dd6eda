"""Cameras: as set in the scene, from the side, from above, or where the mouse has moved them."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.errors import refuse_other_word
from hybridsim.model.scene import Scene
from hybridsim.typing import Camera, FloatArray

NEAR_CLIPPING, FAR_CLIPPING = 0.02, 60.0
"""Limits between which something is drawn, in distances of the camera from its target."""
VIEW_ANGLE = 30.0
"""Angle of the whole height of a picture [degrees]."""
MAX_ELEVATION = 0.49 * np.pi
"""Largest angle of the camera above or below its target [rad]."""


class SubplotCamera:
    """The camera of one subplot. The mouse may turn and move it; unless it is `free`, it then still follows its body.

    Parameters
    ----------
    renderer : vtkRenderer
        The renderer of the subplot.
    scene : Scene
        The scene, with the camera's distance, direction and followed body.

    Attributes
    ----------
    name : str
        `follow`, `side`, `top` or `free`.
    camera : vtkCamera
        VTK's camera.
    """

    def __init__(self, renderer: Any, scene: Scene) -> None:
        self.renderer, self.scene, self.name = renderer, scene, "follow"
        self.camera: Any = renderer.GetActiveCamera()
        followed = scene.camera.follow
        self._followed = scene.bodies.index(followed) if followed else None
        self._position = np.zeros(3)
        self.camera.SetViewAngle(VIEW_ANGLE)
        self.set("follow")

    @property
    def focus(self) -> FloatArray:
        """Target of the camera, (3,) [m], if the mouse has not moved it."""
        return self.scene.camera.focus(self._position)

    def set(self, name: str) -> None:
        """Look as the camera of this name does; `free` begins where the camera is.

        Raises
        ------
        ConfigError
            If there is no camera of this name.
        """
        refuse_other_word("--camera", name, Camera)
        self.name = name
        if name != "free":
            distance, focus = self.scene.camera.distance, self.focus
            direction, up = _direction(name, np.asarray(self.scene.camera.view, float))
            self._look(focus - distance * direction, focus, up)

    def follow(self, poses: FloatArray) -> None:
        """Move as the followed body does to its pose in (n_bodies, 4, 4) [m]; stay if that body is hidden."""
        before = self.focus
        if self._followed is not None and poses[self._followed, 3, 3] != 0.0:
            self._position = poses[self._followed, :3, 3].copy()
        if self.name != "free":
            displacement = self.focus - before
            if displacement.any():
                self.move(displacement)

    def move(self, displacement: FloatArray) -> None:
        """Move eye and target by a displacement (3,) [m]."""
        camera = self.camera
        camera.SetPosition(*(np.array(camera.GetPosition()) + displacement))
        camera.SetFocalPoint(*(np.array(camera.GetFocalPoint()) + displacement))

    def centre(self, share: float, covered: float = 0.0) -> None:
        """Put the target in the middle of the left part of the picture, which has this share of the width.

        What would be seen above and below it is drawn below the part of the height that is `covered`.
        """
        self.camera.SetWindowCenter(1.0 - share, covered)
        half = np.tan(0.5 * np.radians(VIEW_ANGLE)) / (1.0 - covered)
        self.camera.SetViewAngle(2.0 * np.degrees(np.arctan(half)))

    def orbit(self, azimuth: float, elevation: float) -> None:
        """Turn around the target by angles [rad], without tilting."""
        target = np.array(self.camera.GetFocalPoint())
        arm = np.array(self.camera.GetPosition()) - target
        distance = float(np.linalg.norm(arm))
        up = np.array(self.camera.GetViewUp())
        # Straight above the target, the heading follows from the upward direction of the picture.
        flat = arm[:2] if np.hypot(*arm[:2]) > 1e-3 * distance else -up[:2]
        heading = np.arctan2(flat[1], flat[0]) + azimuth
        height = np.clip(np.arcsin(np.clip(arm[2] / distance, -1, 1)) + elevation, -MAX_ELEVATION, MAX_ELEVATION)
        level = np.cos(height)
        arm = distance * np.array([level * np.cos(heading), level * np.sin(heading), np.sin(height)])
        self._look(target + arm, target, np.array([0.0, 0.0, 1.0]))

    def pan(self, right: float, up: float) -> None:
        """Move sideways by shares of the picture's height."""
        target, eye = np.array(self.camera.GetFocalPoint()), np.array(self.camera.GetPosition())
        sight = target - eye
        height = 2.0 * np.linalg.norm(sight) * np.tan(0.5 * np.radians(self.camera.GetViewAngle()))
        across = np.cross(sight, np.array(self.camera.GetViewUp()))
        across /= np.linalg.norm(across)
        upward = np.cross(across, sight)
        upward /= np.linalg.norm(upward)
        self.move(-height * (right * across + up * upward))

    def zoom(self, factor: float) -> None:
        """Divide the distance from the target by a factor."""
        target, eye = np.array(self.camera.GetFocalPoint()), np.array(self.camera.GetPosition())
        self._look(target + (eye - target) / factor, target, np.array(self.camera.GetViewUp()))

    def _look(self, eye: FloatArray, target: FloatArray, up: FloatArray) -> None:
        camera, distance = self.camera, float(np.linalg.norm(eye - target))
        camera.SetPosition(*eye)
        camera.SetFocalPoint(*target)
        camera.SetViewUp(*up)
        camera.SetClippingRange(NEAR_CLIPPING * distance, FAR_CLIPPING * max(distance, self.scene.camera.distance))


def _direction(name: str, view: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return unit vectors along the line of sight and upwards in the picture.

    `side` looks along the horizontal axis that is nearer to the scene's own view, which is across the motion; the other
    one points to the right.
    """
    if name == "side":
        across = [-1.0, 0.0, 0.0] if abs(view[0]) > abs(view[1]) else [0.0, 1.0, 0.0]
        return np.array(across), np.array([0.0, 0.0, 1.0])
    if name == "top":
        return np.array([0.0, 0.0, -1.0]), np.array([0.0, 1.0, 0.0])
    view = view / np.linalg.norm(view)
    steep = abs(view[2]) > np.sin(MAX_ELEVATION)
    return view, np.array([0.0, 1.0, 0.0] if steep else [0.0, 0.0, 1.0])

"""Everything that is drawn of one run."""

from __future__ import annotations

from dataclasses import dataclass

from hybridsim.typing import FloatArray
from hybridsim.viewer.render.bodies import Bodies
from hybridsim.viewer.render.cameras import SubplotCamera
from hybridsim.viewer.render.ground import GroundPatch
from hybridsim.viewer.render.shadows import Shadows
from hybridsim.viewer.render.trails import Trails


@dataclass(slots=True)
class RunActors:
    """The actors of one run, and the camera that shows it.

    A ghost has neither camera nor ground: the first run's camera shows it, and its shadows fall on that run's ground.
    """

    bodies: Bodies
    trails: Trails | None
    camera: SubplotCamera | None
    ground: GroundPatch | None
    shadows: Shadows | None

    def set_poses(self, poses: FloatArray) -> None:
        """Move the bodies to poses (n_bodies, 4, 4) [m]; camera, ground and shadows follow."""
        self.bodies.set_poses(poses)
        if self.camera is not None:
            self.camera.follow(poses)
        if self.camera is not None and self.ground is not None:
            self.ground.follow(self.camera.focus)
        if self.shadows is not None:
            self.shadows.set_poses(poses)

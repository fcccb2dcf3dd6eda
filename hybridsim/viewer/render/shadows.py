"""Soft shadows of bodies on the ground, which show how high the bodies are.

The shadow of a body is an ellipse: the outline, seen from above, of the ellipsoid in the body's box.
"""

from __future__ import annotations

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.viewer.render.bodies import Bodies
from hybridsim.viewer.render.ground import GroundPatch

SHADOW_REACH = 1.2
"""Half width of a shadow, in half widths of its body: its edge is soft."""
MAX_SHADOW_OPACITY = 0.34
"""Opacity of the middle of a shadow, when its body is on the ground."""
FADING_RISE = 4.0
"""Height of a body above the ground at which its shadow is half as dark, in half widths of the body."""
MIN_FADING_WIDTH = 0.3
"""Least half width of a body in that, in half widths of the widest body."""
MIN_HALF_WIDTH = 1e-6
"""Least half width of a body or of its outline [m], so that nothing is divided by zero."""


class Shadows:
    """All shadows of one run.

    Parameters
    ----------
    bodies : Bodies
        The bodies.
    ground : GroundPatch
        The ground, on which the shadows of other runs may fall, too.
    opacity : float
        Factor of the opacity of all shadows.
    """

    def __init__(self, bodies: Bodies, ground: GroundPatch, opacity: float = 1.0) -> None:
        self._rows, self._centres, halves = bodies.boxes()
        self._halves = np.maximum(halves, MIN_HALF_WIDTH)
        self._min_fading_width = MIN_FADING_WIDTH * float(self._halves.max())
        self._opacity = MAX_SHADOW_OPACITY * opacity
        self._ground = ground
        self._indices = ground.shadows.add(len(self._rows))

    def set_poses(self, poses: FloatArray) -> None:
        """Move the shadows below bodies with poses (n_bodies, 4, 4) [m]."""
        pose = poses[self._rows]
        shown, rotation = pose[:, 3, 3] != 0.0, pose[:, :3, :3]
        centre = np.einsum("nij,nj->ni", rotation, self._centres) + pose[:, :3, 3]
        axes = rotation * self._halves[:, None, :]  # half axes of the ellipsoids, in columns
        half = np.maximum(np.sqrt((axes**2).sum(axis=2)), MIN_HALF_WIDTH)
        reach = np.where(
            shown[:, None], SHADOW_REACH * half[:, :2], -np.inf
        )  # no rectangle for a body that is not there
        corners = np.stack([centre[:, :2] - reach, centre[:, :2] + reach], axis=1)
        shadows = np.empty((len(pose), 2, 4))
        shadows[:, 0, :3], shadows[:, 0, 3] = centre, np.where(shown, self._darkness(centre, half), 0.0)
        shadows[:, 1, :3], shadows[:, 1, 3] = ellipses(SHADOW_REACH * axes[:, :2]), 0.5 / half[:, 2]
        self._ground.shadows.put(self._indices, shadows, corners)

    def _darkness(self, centre: FloatArray, half: FloatArray) -> FloatArray:
        """Return how dark the middle of each shadow is: less, the higher its body is above the ground."""
        rise = centre[:, 2] - half[:, 2] - self._ground.height(centre[:, 0], centre[:, 1])
        width = np.maximum(half[:, :2].max(axis=1), self._min_fading_width)
        return np.asarray(self._opacity / (1.0 + np.maximum(rise, 0.0) / (FADING_RISE * width)))


def ellipses(axes: FloatArray) -> FloatArray:
    """Return the outlines of ellipsoids, seen from above.

    Parameters
    ----------
    axes : (n, 2, 3) array
        The x and y of their half axes [m].

    Returns
    -------
    (n, 3) array
        Factors of x^2, x y and y^2, whose sum is 1 on the outline [1/m^2].
    """
    spread = np.einsum("nik,njk->nij", axes, axes) + MIN_HALF_WIDTH**2 * np.eye(2)
    inverse: FloatArray = np.linalg.inv(spread)
    return np.stack([inverse[:, 0, 0], 2.0 * inverse[:, 0, 1], inverse[:, 1, 1]], axis=1)

"""What a body looks like in a scene, where the box of its mass and inertia is not enough."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from hybridsim.errors import explains_keywords
from hybridsim.model.shapes import Shape
from hybridsim.typing import FloatArray

BODY_COLOUR = "#7d95b0"


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Look:
    """A shape that is drawn of a body.

    Parameters
    ----------
    shape : Sphere, Box, Capsule, Cylinder, Spring, Arrow, Cone or Mesh
        One of `hybridsim.scene`.
    pose : (4, 4) array
        Its pose in the frame of the body, by `placed` or `between` of `hybridsim.scene`; the body's own if not given.
    colour : str
        Its colour, "#rrggbb".
    opacity : float
        From 0, invisible, to 1, opaque.
    """

    shape: Shape
    pose: FloatArray = field(default_factory=lambda: np.eye(4), compare=False)
    colour: str = BODY_COLOUR
    opacity: float = 1.0

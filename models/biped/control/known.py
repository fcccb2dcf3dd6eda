"""What the controller knows of the body, and of what it stands on."""

import math
from typing import NamedTuple


class BodyProperties(NamedTuple):
    """What the biped is, and on what it stands.

    Attributes
    ----------
    stance : int
        As the sensor `stance` returns it.
    mass, gravity, stature : float
        Its mass [kg], gravity along the normal of the ground [m/s^2], its stature [m].
    slope, ground1, ground2 : float
        Slope of the ground [rad]; its heights for foot 1, and for foot 2, where this stands or shall land [m].
    """

    stance: int
    mass: float
    gravity: float
    stature: float
    slope: float
    ground1: float
    ground2: float


def with_stance(body, stance):
    """Return the same body in another stance."""
    return BodyProperties(stance, body.mass, body.gravity, body.stature, body.slope, body.ground1, body.ground2)


def properties_of(t, stance, body_mass, gravity, stature, slope, ground):
    """Return the properties of a body in a stance, from its sensors."""
    uphill = slope(t)
    pull = gravity(t) * math.cos(uphill)
    return BodyProperties(stance, body_mass(t), pull, stature(t), uphill, ground(t, 0), ground(t, 1))

"""Where the biped's own frame is in the world: foot 1 has no yaw in it, so that it turns where feet exchange names."""

import math
from typing import NamedTuple

from hybridsim.multibody import Vector

from .records import S, mirror_of


class Frame(NamedTuple):
    """The biped's own frame.

    Attributes
    ----------
    x, y : float
        Its origin in the world [m].
    heading : float
        Of its x axis, to the left [rad].
    mirror : float
        -1 where its y axis points to the right, as in a mirror.
    """

    x: float
    y: float
    heading: float
    mirror: float


def frame_of(x, chart):
    """Return the biped's own frame."""
    return Frame(x[S.origin_x], x[S.origin_y], x[S.heading], mirror_of(chart))


def in_world(frame, a):
    """Return a vector of the own frame in the world."""
    cosine, sine, across = math.cos(frame.heading), math.sin(frame.heading), frame.mirror * a.y
    return Vector(cosine * a.x - sine * across, sine * a.x + cosine * across, a.z)


def place_in_world(frame, place):
    """Return a place in the own frame in the world [m]."""
    turned = in_world(frame, place)
    return Vector(frame.x + turned.x, frame.y + turned.y, turned.z)

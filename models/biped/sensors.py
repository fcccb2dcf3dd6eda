"""What a controller may know of the biped.

A function of a part that names one of these after its arguments receives it as a function of t: `coordinate(t, i)`.
Coordinates and speeds are those of the biped's own frame, in the order of COORDINATES.
"""

from .body import N
from .records import STANCE_BITS, P, S


def coordinate(t, x, p, chart, i):
    """Return a coordinate [m, rad]."""
    return x[i]


def speed(t, x, p, chart, i):
    """Return a speed [m/s, rad/s]."""
    return x[N + i]


def stance(t, x, p, chart):
    """Return mode, foot 1 and foot 2 as the bits of the plant's chart: `mode_of`, `foot1_of` and `foot2_of` read it."""
    return chart & STANCE_BITS


def hinged(t, x, p, chart):
    """Return whether feet stand on toe 1 and heel 2 alone."""
    return p[P.feet] != 0.0


def body_mass(t, x, p, chart):
    """Return the mass of the body [kg], as the table divides it among the limbs."""
    return p[P.mass]


def stature(t, x, p, chart):
    """Return the height of the body [m]."""
    return p[P.stature]


def gravity(t, x, p, chart):
    """Return the acceleration of gravity [m/s^2]."""
    return p[P.g]


def slope(t, x, p, chart):
    """Return the slope of the ground, uphill [rad]: z is normal to it, and gravity is not along z."""
    return p[P.slope]


def ground(t, x, p, chart, foot):
    """Return the height of the ground for foot 1 (foot = 0) or 2 (1) [m]: where it stands, or the next foothold."""
    return x[S.ground1 if foot == 0 else S.ground_ahead]


def heading(t, x, p, chart):
    """Return where the x axis of the biped's own frame, and foot 1, point in the world, to the left [rad]."""
    return x[S.heading]


def origin(t, x, p, chart, axis):
    """Return where the origin of the biped's own frame is in the world [m], along x (axis = 0) or y (1)."""
    return x[S.origin_x + axis]


SENSORS = (coordinate, speed, stance, hinged, body_mass, stature, gravity, slope, ground, heading, origin)

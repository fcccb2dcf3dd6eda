"""Sensors: what a controller may know of the plant.

A function of a part that names one of these after its arguments receives it as a function of t:
`transition(x_new, t, x, p, chart, crossed, attitude)` of a part, at the ticks of its sampling for instance, calls
`attitude(t, 0)`, and so does `torque(t, x, p, chart, leg, phi, phidot, attitude)`. The rates of hips are not among the
sensors, as that of a leg that slips depends on the torque; `torque` receives that of its leg.
"""

from .body import attitude_angle, find_pose
from .legs import find_leg
from .plant import gap
from .records import in_stance


def hip(t, x, p, chart, leg):
    """Return the hip angle of a leg [rad], 0 = straight down, positive: toe forward; in (-pi, pi]."""
    return find_leg(x, p, find_pose(x), leg).phi


def leg_length(t, x, p, chart, leg):
    """Return the distance from hip to toe [m]."""
    return find_leg(x, p, find_pose(x), leg).rho


def on_ground(t, x, p, chart, leg):
    """Return 1 while the toe of a leg is on the ground, else 0."""
    return in_stance(chart, leg)


def toe_height(t, x, p, chart, leg):
    """Return the height of the toe of a leg above the ground [m]."""
    return gap(x, p, leg)


def attitude(t, x, p, chart, axis):
    """Return an angle of the body [rad], as outputs and the initial state have it: axis 0 roll, 1 pitch, 2 yaw."""
    return attitude_angle(find_pose(x).rotation, axis)


def gyro(t, x, p, chart, axis):
    """Return the angular velocity of the body in B [rad/s]: axis 0 x, right; 1 y, forward; 2 z, up."""
    spin = find_pose(x).spin
    return spin.x if axis == 0 else spin.y if axis == 1 else spin.z


SENSORS = (hip, leg_length, on_ground, toe_height, attitude, gyro)

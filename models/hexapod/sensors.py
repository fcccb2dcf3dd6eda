"""What a controller may know of the plant: a function of a part that names one of these gets it as a function of t.

`transition(x_new, t, x, p, chart, crossed, attitude)` of a part, say at the ticks of its sampling, calls
`attitude(t, 0)`, and so does `torque(t, x, p, chart, leg, phi, phidot, attitude)`. The rates of hips are not among the
sensors, as that of a leg that slips depends on the torque that is being asked for; `torque` is told that of its leg.
"""

import math

from hybridsim import scratch

from .body import POSE, SPIN, find_pose
from .legs import LEG, PHI, RHO, find_leg
from .records import in_stance


def hip(t, x, p, chart, leg):
    """Hip angle of a leg [rad], 0 = straight down, positive: toe forward; in (-pi, pi]."""
    pose, c = scratch(POSE), scratch(LEG)
    find_pose(pose, x)
    find_leg(c, x, p, chart, pose, leg)
    return c[PHI]


def leg_length(t, x, p, chart, leg):
    """From hip to toe [m]."""
    pose, c = scratch(POSE), scratch(LEG)
    find_pose(pose, x)
    find_leg(c, x, p, chart, pose, leg)
    return c[RHO]


def on_ground(t, x, p, chart, leg):
    """1 while the toe of a leg is on the ground, else 0."""
    return in_stance(chart, leg)


def attitude(t, x, p, chart, axis):
    """Of the body [rad], as outputs and the initial state have it: axis 0 roll, 1 pitch, 2 yaw."""
    pose = scratch(POSE)
    find_pose(pose, x)
    return attitude_angle(pose, axis)


def attitude_angle(pose, axis):
    if axis == 0:
        return math.atan2(-pose[6], pose[8])
    if axis == 1:
        return math.asin(min(max(pose[7], -1.0), 1.0))
    return math.atan2(-pose[1], pose[4])


def gyro(t, x, p, chart, axis):
    """Angular velocity of the body in B [rad/s]: axis 0 about x, right; 1 about y, forward; 2 about z, up."""
    pose = scratch(POSE)
    find_pose(pose, x)
    return pose[SPIN + axis]


SENSORS = (hip, leg_length, on_ground, attitude, gyro)

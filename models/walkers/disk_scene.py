"""How the walker with disk feet is drawn: on a slope that stays while it walks."""

import numpy as np

from hybridsim.scene import Body, Camera, Cylinder, Sphere, between, placed

from .scene import HIP_COLOUR, LEG_RADIUS, STANCE_COLOUR, SWING_COLOUR, world

DISK_THICKNESS, AXLE_RADIUS, HIP_RADIUS = 0.012, 0.015, 0.045  # [m]
COLOUR_OF_SIDE = {"left": SWING_COLOUR, "right": STANCE_COLOUR}
BODIES = (
    *(Body(f"{side}_leg", Cylinder(LEG_RADIUS), colour) for side, colour in COLOUR_OF_SIDE.items()),
    *(Body(f"{side}_disk", Cylinder(1.0), colour) for side, colour in COLOUR_OF_SIDE.items()),
    Body("axle", Cylinder(AXLE_RADIUS), HIP_COLOUR),
    Body("hip", Sphere(HIP_RADIUS), HIP_COLOUR),
)


CAMERA = Camera("hip", along="xyz", at=(0.0, 0.0, -0.45), distance=3.8, view=(0.35, 1.0, -0.2))


def pose_walker(T, body, slope, sizes, state, left):
    """Pose the walker; the left foot rolls if `left`.

    `sizes` are l, R and W [m], `state` x and y of the axle's middle [m], heading, lean and the angles of the left and
    the right leg [rad].
    """
    length, radius, width = (float(size) for size in sizes)
    x, y, heading, lean, *legs = (float(value) for value in state)
    forward = np.array([np.cos(heading), np.sin(heading), 0.0])
    sideways = np.array([-np.sin(heading), np.cos(heading), 0.0])
    axle = np.cos(lean) * sideways + np.sin(lean) * np.array([0.0, 0.0, 1.0])
    up = np.cross(forward, axle)
    stance, to_middle = (legs[0], -0.5 * width) if left else (legs[1], 0.5 * width)
    height = (radius + length * np.cos(stance)) * np.cos(lean) + to_middle * np.sin(lean)
    middle = np.array([x, y, height])
    drawn = max(width, 0.1 * length)  # legs that are at one place would hide each other
    T[body.hip] = placed(tilt(middle, slope))
    T[body.axle] = between(tilt(middle - 0.5 * drawn * axle, slope), tilt(middle + 0.5 * drawn * axle, slope))
    for leg, disk, side, angle in (
        (body.left_leg, body.left_disk, 0.5, legs[0]),
        (body.right_leg, body.right_disk, -0.5, legs[1]),
    ):
        hip = middle + side * drawn * axle
        foot = hip - length * (np.cos(angle) * up + np.sin(angle) * forward)
        T[leg] = between(tilt(foot, slope), tilt(hip, slope))
        half = 0.5 * DISK_THICKNESS * axle
        T[disk] = between(tilt(foot - half, slope), tilt(foot + half, slope))
        T[disk][:3, :2] *= max(radius, 1e-3)


def tilt(point, slope):
    """Return a point in the axes of the slope as a point of the world, (3,) [m]."""
    return world(point[0], point[2], slope) + np.array([0.0, point[1], 0.0])

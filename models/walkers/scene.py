"""How the walkers are drawn: on a slope that stays while they walk.

All points are given along the slope and above it, and turned into the world here.
"""

import math

import numpy as np

from hybridsim import Records
from hybridsim.scene import Body, Camera, Cylinder, Ground, Scene, Sphere, between, placed

LEG_RADIUS, FOOT_RADIUS = 0.02, 0.035  # [m]
STANCE_COLOUR, SWING_COLOUR, HIP_COLOUR, MASS_COLOUR = "#3f5f7f", "#c8553d", "#2f3a45", "#59636e"
LEGS = (
    Body("stance_leg", Cylinder(LEG_RADIUS), STANCE_COLOUR),
    Body("swing_leg", Cylinder(LEG_RADIUS), SWING_COLOUR),
    Body("stance_foot", Sphere(FOOT_RADIUS), STANCE_COLOUR),
    Body("swing_foot", Sphere(FOOT_RADIUS), SWING_COLOUR),
    Body("hip", Sphere(1.0), HIP_COLOUR),
)


def scene_on_slope(*bodies, slope, outputs, camera, gap=0.0):
    """Return the scene of a walker of these bodies above a slope whose angle is p[slope], at a gap [m]."""

    def height(x, y, p):
        return 0.0 * y - np.tan(p[slope]) * x - gap / np.cos(p[slope])

    return Scene(Records(*bodies), ground=Ground(height, checker=0.5), camera=camera, outputs=outputs)


def scene_on_points(*bodies, slope, outputs, follow="hip", below=0.5, distance=3.8):
    """Return the scene of a walker whose feet are points, drawn as balls; seen from its right, at a distance [m]."""
    camera = Camera(follow, along="xyz", at=(0.0, 0.0, -below), distance=distance, view=(0.2, 1.0, -0.14))
    return scene_on_slope(*bodies, slope=slope, outputs=outputs, camera=camera, gap=FOOT_RADIUS)


def world(along, above, slope):
    """Return a point along the slope, downhill, and above it as a point of the world, (3,) [m]."""
    cos, sin = math.cos(slope), math.sin(slope)
    return np.array([along * cos + above * sin, 0.0, above * cos - along * sin])


def leg_direction(theta):
    """Return the unit vector from foot to hip, (along, above), of a leg at an angle to the slope's normal [rad]."""
    return np.array([math.sin(theta), math.cos(theta)])


def pose_two_legs(T, body, slope, length, angles, hip_radius, walked):
    """Pose legs, feet and hip; `angles` are those of stance and swing leg from the slope's normal [rad].

    The stance foot is at `walked` [m] along the slope. Returns the positions of hip, stance foot and swing foot in the
    world, each (3,) [m].
    """
    stance, swing = (length * leg_direction(angle) for angle in angles)
    foot = np.array([walked, 0.0])
    hip, stance_foot, swing_foot = (world(*point, slope) for point in (foot + stance, foot, foot + stance - swing))
    T[body.stance_leg] = between(stance_foot, hip)
    T[body.swing_leg] = between(swing_foot, hip)
    T[body.stance_foot], T[body.swing_foot] = placed(stance_foot), placed(swing_foot)
    T[body.hip] = placed(hip, scale=hip_radius)
    return hip, stance_foot, swing_foot

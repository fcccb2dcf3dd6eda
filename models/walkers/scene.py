"""How the walkers are drawn: on a slope that stays while they walk, or on a plank in it, as if on a treadmill.

The states of a walker with point feet do not contain how far it has come. The hip stays at the same place along the
slope, and the stance foot moves back under it. All points are given along the slope and above it, and turned into the
world here.
"""

import math

import numpy as np

from hybridsim import Records
from hybridsim.scene import Body, Box, Camera, Cylinder, Ground, Scene, Sphere, between, placed, turn

PLANK_THICKNESS, PLANK_WIDTH, PLANK_LENGTH = 0.05, 0.7, 3.2  # the length in leg lengths, the others [m]
LEG_RADIUS, FOOT_RADIUS = 0.02, 0.035  # [m]
STANCE_COLOUR, SWING_COLOUR, HIP_COLOUR, MASS_COLOUR, PLANK_COLOUR = (
    *("#3f5f7f", "#c8553d"),
    *("#2f3a45", "#59636e", "#a9825a"),
)
PLANK = Body("plank", Box((1.0, PLANK_WIDTH, PLANK_THICKNESS)), PLANK_COLOUR)
LEGS = (
    Body("stance_leg", Cylinder(LEG_RADIUS), STANCE_COLOUR),
    Body("swing_leg", Cylinder(LEG_RADIUS), SWING_COLOUR),
    Body("stance_foot", Sphere(FOOT_RADIUS), STANCE_COLOUR),
    Body("swing_foot", Sphere(FOOT_RADIUS), SWING_COLOUR),
    Body("hip", Sphere(1.0), HIP_COLOUR),
)


def scene_of(*bodies, outputs, height=1.0):
    """Return the scene of a walker of these bodies, of a height [m], on a plank; seen from its right."""
    return Scene(
        bodies=Records(PLANK, *bodies),
        ground=None,
        camera=Camera(at=(0.0, 0.0, 0.47 * height), distance=1.6 + 2.2 * height, view=(0.0, 1.0, -0.12)),
        outputs=outputs,
    )


def scene_on_slope(*bodies, slope, outputs, camera):
    """Return the scene of a walker of these bodies on a slope whose angle is p[slope]."""

    def height(x, y, p):
        return 0.0 * y - np.tan(p[slope]) * x

    return Scene(Records(*bodies), ground=Ground(height, checker=0.5), camera=camera, outputs=outputs)


def world(along, above, slope):
    """Return a point along the slope, downhill, and above it as a point of the world, (3,) [m]."""
    cos, sin = math.cos(slope), math.sin(slope)
    return np.array([along * cos + above * sin, 0.0, above * cos - along * sin])


def leg_direction(theta):
    """Return the unit vector from foot to hip, (along, above), of a leg at an angle to the slope's normal [rad]."""
    return np.array([math.sin(theta), math.cos(theta)])


def pose_plank(T, plank, slope, length, gap=FOOT_RADIUS):
    """Put the plank's upper side where the lowest points of the feet are, at `gap` below the slope [m]."""
    below = gap + 0.5 * PLANK_THICKNESS
    centre = world(0.0, -below, slope)
    T[plank] = placed(centre, turn((0.0, 1.0, 0.0), slope), scale=(PLANK_LENGTH * length, 1.0, 1.0))


def pose_two_legs(T, body, slope, length, angles, hip_radius):
    """Pose plank, legs, feet and hip; `angles` are those of stance and swing leg from the slope's normal [rad].

    Returns the positions of hip, stance foot and swing foot in the world, each (3,) [m].
    """
    stance, swing = (length * leg_direction(angle) for angle in angles)
    top = np.array([0.0, stance[1]])  # of the stance leg: the hip, as high above the slope as that leg reaches
    hip, stance_foot, swing_foot = (world(*point, slope) for point in (top, top - stance, top - swing))
    pose_plank(T, body.plank, slope, length)
    T[body.stance_leg] = between(stance_foot, hip)
    T[body.swing_leg] = between(swing_foot, hip)
    T[body.stance_foot], T[body.swing_foot] = placed(stance_foot), placed(swing_foot)
    T[body.hip] = placed(hip, scale=hip_radius)
    return hip, stance_foot, swing_foot

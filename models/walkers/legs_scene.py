"""How walkers with round feet and knees are drawn."""

from pathlib import Path

import numpy as np

from hybridsim.multibody import Vector
from hybridsim.scene import HIDDEN, Body, Camera, Cylinder, Mesh, Sphere, between, placed, turn

from .scene import HIP_COLOUR, LEG_RADIUS, STANCE_COLOUR, SWING_COLOUR, world

FOOT_WIDTH, KNEE_RADIUS, HIP_RADIUS = 0.16, 0.026, 0.05  # [m]
COLOUR_OF_LEG = {"stance": STANCE_COLOUR, "swing": SWING_COLOUR}
FOOT_MESH = Mesh(Path(__file__).with_name("foot.obj"))
BODIES = (
    *(Body(f"{side}_thigh", Cylinder(LEG_RADIUS), colour) for side, colour in COLOUR_OF_LEG.items()),
    *(Body(f"{side}_shank", Cylinder(0.8 * LEG_RADIUS), colour) for side, colour in COLOUR_OF_LEG.items()),
    *(Body(f"{side}_knee", Sphere(KNEE_RADIUS), colour) for side, colour in COLOUR_OF_LEG.items()),
    *(Body(f"{side}_foot", FOOT_MESH, colour) for side, colour in COLOUR_OF_LEG.items()),
    Body("hip", Sphere(HIP_RADIUS), HIP_COLOUR),
)


CAMERA = Camera("hip", along="xyz", at=(0.0, 0.0, -0.4), distance=3.4, view=(0.2, 1.0, -0.14))


def pose_legs(T, body, legs, angles, slope, walked):
    """Pose thighs, shanks, knees, feet and hip; `angles` are `planar_legs.Angles`.

    At the angle 0, the stance foot touches the slope at `walked` [m] along it.
    """
    along = walked + legs.radius * angles.stance + legs.length * np.sin(angles.stance)
    hip = np.array([float(along), float(legs.radius + legs.length * np.cos(angles.stance))])
    T[body.hip] = placed(world(*hip, slope))
    for side, thigh, shank in (
        ("stance", angles.stance, angles.stance),
        ("swing", angles.thigh, angles.shank),
    ):
        knee = hip + turn_in_plane(legs.knee, thigh)
        foot = knee + turn_in_plane(legs.foot, shank)
        sole = foot + turn_in_plane(Vector(0.0, 0.0, -legs.radius), shank)
        points = {"hip": hip, "knee": knee, "foot": foot, "sole": sole}
        places = {name: world(*point, slope) for name, point in points.items()}
        pose_leg(T, body, side, places, legs.radius, slope + shank)


def turn_in_plane(vector, angle):
    """Return a vector of the leg's plane after a rotation: (along, above) the slope."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([cosine * vector.x + sine * vector.z, cosine * vector.z - sine * vector.x])


def pose_leg(T, body, side, places, radius, angle):
    """Pose one leg between its places in the world; `angle` is that of its shank from the vertical [rad].

    A leg without a knee, which lies in the hip, has only a shank.
    """
    bodies = body._asdict()
    straight = np.allclose(places["hip"], places["knee"])
    T[bodies[f"{side}_thigh"]] = HIDDEN if straight else between(places["knee"], places["hip"])
    T[bodies[f"{side}_shank"]] = between(places["sole"], places["hip"] if straight else places["knee"])
    T[bodies[f"{side}_knee"]] = HIDDEN if straight else placed(places["knee"])
    size = max(radius, 1e-3)
    T[bodies[f"{side}_foot"]] = placed(
        places["foot"], turn((0.0, 1.0, 0.0), angle), scale=(size, FOOT_WIDTH, size)
    )  # fmt: skip

"""What the person is made of: seven bodies, six joints a leg, and two soles.

Frames: x forward, y to the left, z up; where all angles are zero the person stands straight and all axes are those of
the world. The trunk, one body with head and arms, moves freely; its origin is the middle between the hips. Joints of
both legs turn about mirrored axes, so that both have the same law. Positive: flexion, abduction and outward rotation
of the hip, flexion of the knee, dorsiflexion and inversion of the foot.
"""

from typing import NamedTuple

from hybridsim.contacts import FlatFoot
from hybridsim.errors import ModelError
from hybridsim.multibody import Body, Compound, Free, Mechanism, Revolute
from hybridsim_models.biped.anthropometry import (
    ANKLE_HEIGHT,
    FOOT,
    FOOT_CENTRE_HEIGHT,
    HAT_CENTRE,
    HAT_INERTIA,
    HAT_MASS,
    HEEL_TO_ANKLE,
    HEEL_TO_TOE,
    HIP_DISTANCE,
    SHANK,
    SHOULDER_HEIGHT,
    SHOULDER_SIDE,
    SOLE_WIDTH,
    THIGH,
)

SIDES, JOINTS = ("left", "right"), ("hip_flexion", "hip_abduction", "hip_rotation", "knee", "ankle", "inversion")
PER_LEG = len(JOINTS)


class Build(NamedTuple):
    """Mass [kg] and stature [m] of a person, and lengths that follow from these [m].

    Attributes
    ----------
    half_hips : float
        From the middle of the hips to one of them.
    thigh, shank : float
        Lengths.
    ankle : float
        Height of the ankle above the sole.
    heel, toe : float
        How far the sole reaches behind the ankle, and before it.
    shoulder_side, shoulder_height, head_height : float
        Shoulders and top of the head, from the middle of the hips.
    """

    mass: float
    stature: float
    half_hips: float
    thigh: float
    shank: float
    ankle: float
    heel: float
    toe: float
    shoulder_side: float
    shoulder_height: float
    head_height: float


def build_of(mass: float, stature: float) -> Build:
    """Return the build of a person of average proportions (de Leva 1996); see the `biped`."""
    for name, value in (("mass", mass), ("stature", stature)):
        if not 0.0 < value < float("inf"):
            raise ModelError(f"human3d: {name} must be greater than 0, not {value!r}")
    hips = ANKLE_HEIGHT + SHANK.length + THIGH.length
    lengths = (
        0.5 * HIP_DISTANCE,
        THIGH.length,
        SHANK.length,
        ANKLE_HEIGHT,
        HEEL_TO_ANKLE,
        HEEL_TO_TOE - HEEL_TO_ANKLE,
        SHOULDER_SIDE,
        SHOULDER_HEIGHT,
        1.0 - hips,
    )
    return Build(mass, stature, *(stature * length for length in lengths))


def mechanism_of(build: Build) -> Mechanism:
    """Return the bodies: trunk, left leg, right leg."""
    trunk = _matter(build, HAT_MASS, (0.0, 0.0, HAT_CENTRE), HAT_INERTIA)
    legs = [body for side, sign in (("left", 1.0), ("right", -1.0)) for body in _leg(build, side, sign)]
    return Mechanism(Body("trunk", Free("trunk"), **trunk), *legs)


def soles_of(build: Build, friction: float) -> list[FlatFoot]:
    """Return the soles of both feet, with the friction of a shoe on a floor."""
    size = {"heel": build.heel, "toe": build.toe, "width": SOLE_WIDTH * build.stature}
    end = (0.0, 0.0, -build.ankle)
    return [FlatFoot(f"{side}_sole", f"{side}_foot", end, **size, friction=friction) for side in SIDES]


def _leg(build: Build, side: str, sign: float) -> tuple[Body, Body, Body]:
    across, upright = ("x", "z") if sign > 0.0 else ("-x", "-z")
    inward = "-x" if sign > 0.0 else "x"
    hip = Compound(
        (
            Revolute(f"{side}_hip_flexion", "-y", place=(0.0, sign * build.half_hips, 0.0)),
            Revolute(f"{side}_hip_abduction", across),
            Revolute(f"{side}_hip_rotation", upright),
        )
    )
    knee = Revolute(f"{side}_knee", "y", place=(0.0, 0.0, -build.thigh))
    foot = Compound(
        (
            Revolute(f"{side}_ankle", "-y", place=(0.0, 0.0, -build.shank)),
            Revolute(f"{side}_inversion", inward),
        )
    )
    sole = (FOOT.centre - HEEL_TO_ANKLE, 0.0, FOOT_CENTRE_HEIGHT - ANKLE_HEIGHT)
    return (
        Body(f"{side}_thigh", hip, "trunk", **_matter(build, THIGH.mass, (0.0, 0.0, -THIGH.centre), THIGH.inertia)),
        Body(
            f"{side}_shank",
            knee,
            f"{side}_thigh",
            **_matter(build, SHANK.mass, (0.0, 0.0, -SHANK.centre), SHANK.inertia),
        ),
        Body(f"{side}_foot", foot, f"{side}_shank", **_matter(build, FOOT.mass, sole, FOOT.inertia)),
    )


def _matter(build, mass, centre, inertia):
    """Return mass, mass centre and moments of inertia of a body from its parts of M, H and M H^2."""
    m, h = build.mass, build.stature
    return {
        "mass": m * mass,
        "centre": tuple(h * each for each in centre),
        "inertia": tuple(m * h * h * each for each in inertia),
    }


BUILD = build_of(mass=73.0, stature=1.75)
MECHANISM = mechanism_of(BUILD)
TREE = MECHANISM.tree
N, N_COORDINATES = TREE.n_speeds, TREE.n_coordinates
FIRST_JOINT = 6
"""The speeds from this one on have motors."""

"""The seven bodies and their 17 coordinates: from foot 1 on the ground up to the trunk, and down to foot 2.

Frames: x forward, y to the side, z up. The trunk is one body with head and arms. Where all angles are zero, the axes
of all bodies are those of the world. Foot 1 has no angle about z: the biped walks straight on.

In the right mode foot 1 is the right foot, and y points to the left. In the left mode foot 1 is the left one, and the
biped is seen in a mirror: y points to the right. So both modes have the same equations. The joints of leg 2 have the
reverse order of those of leg 1, which makes the exchange of the feet an exact linear map of the coordinates.
"""

from typing import NamedTuple

from hybridsim.multibody import (
    Body,
    Compound,
    Mechanism,
    Prismatic,
    Revolute,
    Vector,
    set_body,
    set_constants,
    set_place,
)

from .anthropometry import (
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
    THIGH,
)

MECHANISM = Mechanism(
    Body(
        "foot1",
        Compound(
            (
                Prismatic("toe_x", "x"),
                Prismatic("toe_y", "y"),
                Prismatic("toe_z", "z"),
                Revolute("foot1_x", "x"),
                Revolute("foot1_y", "y"),
            )
        ),
    ),
    Body(
        "shank1",
        Compound((Revolute("ankle1_x", "x"), Revolute("ankle1_y", "y"), Revolute("ankle1_z", "z"))),
        parent="foot1",
    ),
    Body("thigh1", Revolute("knee1", "y"), parent="shank1"),
    Body("hat", Compound((Revolute("hip1_x", "x"), Revolute("hip1_y", "y"))), parent="thigh1"),
    Body("thigh2", Compound((Revolute("hip2_y", "y"), Revolute("hip2_x", "x"))), parent="hat"),
    Body("shank2", Revolute("knee2", "y"), parent="thigh2"),
    Body(
        "foot2",
        Compound((Revolute("ankle2_z", "z"), Revolute("ankle2_y", "y"), Revolute("ankle2_x", "x"))),
        parent="shank2",
    ),
)
TREE, CONSTANTS = MECHANISM.tree, MECHANISM.data
F, Q, U = MECHANISM.frames, MECHANISM.q, MECHANISM.u
COORDINATE_NAMES = MECHANISM.coordinates.names
N = TREE.n_speeds
FIRST_JOINT, N_JOINTS = 5, 12
"""The speeds from this one on have motors."""
MOTION, WORK, DATA, MASSES = MECHANISM.motion_size, MECHANISM.work_size, len(CONSTANTS), MECHANISM.mass_size

ANKLE1, HIP1, HIP2, ANKLE2 = F.shank1 - 2, F.hat - 1, F.thigh2 - 1, F.foot2 - 2
"""Frames of the first axes of joints with several: these are placed on the body before them."""
ORIGIN = Vector(0.0, 0.0, 0.0)


class Build(NamedTuple):
    """What distinguishes one body from another; the last three are 1, 0 and 1 for a body of the table.

    Attributes
    ----------
    mass, stature : float
        Of the whole body [kg, m].
    hat_factor, hat_shift : float
        The trunk is heavier by this factor, and its mass centre higher by this shift [m].
    inertia_factor : float
        All moments of inertia are larger by this factor.
    """

    mass: float
    stature: float
    hat_factor: float
    hat_shift: float
    inertia_factor: float


def describe(data, build):
    """Write the constants of the bodies."""
    m, h = build.mass, build.stature
    set_constants(data, CONSTANTS, DATA)
    turning = m * h * h * build.inertia_factor
    foot, shank, thigh = scale(turning, FOOT.inertia), scale(turning, SHANK.inertia), scale(turning, THIGH.inertia)
    set_body(data, F.foot1, m * FOOT.mass, foot_point(h, FOOT.centre - HEEL_TO_TOE, FOOT_CENTRE_HEIGHT), foot)
    set_body(data, F.shank1, m * SHANK.mass, above(h * (SHANK.length - SHANK.centre)), shank)
    set_body(data, F.thigh1, m * THIGH.mass, above(h * (THIGH.length - THIGH.centre)), thigh)
    trunk = Vector(0.0, 0.5 * HIP_DISTANCE * h, HAT_CENTRE * h + build.hat_shift)
    set_body(data, F.hat, m * HAT_MASS * build.hat_factor, trunk, scale(turning, HAT_INERTIA))
    set_body(data, F.thigh2, m * THIGH.mass, above(-h * THIGH.centre), thigh)
    set_body(data, F.shank2, m * SHANK.mass, above(-h * SHANK.centre), shank)
    centre = foot_point(h, FOOT.centre - HEEL_TO_ANKLE, FOOT_CENTRE_HEIGHT - ANKLE_HEIGHT)
    set_body(data, F.foot2, m * FOOT.mass, centre, foot)
    set_place(data, ANKLE1, foot_point(h, HEEL_TO_ANKLE - HEEL_TO_TOE, ANKLE_HEIGHT))
    set_place(data, F.thigh1, above(h * SHANK.length))
    set_place(data, HIP1, above(h * THIGH.length))
    set_place(data, HIP2, Vector(0.0, HIP_DISTANCE * h, 0.0))
    set_place(data, F.shank2, above(-h * THIGH.length))
    set_place(data, ANKLE2, above(-h * SHANK.length))


def foot_point(stature, ahead, height):
    """Return a point of a foot [m], from lengths as parts of the stature."""
    return Vector(stature * ahead, 0.0, stature * height)


def above(height):
    return Vector(0.0, 0.0, height)


def scale(factor, a):
    return Vector(factor * a.x, factor * a.y, factor * a.z)


def toe1(stature):
    """Return the hinge of the toes of foot 1, in the frame of that foot: its origin."""
    return foot_point(stature, 0.0, 0.0)


def heel1(stature):
    """Return the heel of foot 1, in the frame of that foot [m]."""
    return foot_point(stature, -HEEL_TO_TOE, 0.0)


def heel2(stature):
    """Return the heel of foot 2, in the frame of that foot, whose origin is the ankle [m]."""
    return foot_point(stature, -HEEL_TO_ANKLE, -ANKLE_HEIGHT)


def toe2(stature):
    """Return the hinge of the toes of foot 2, in the frame of that foot, whose origin is the ankle [m]."""
    return foot_point(stature, HEEL_TO_TOE - HEEL_TO_ANKLE, -ANKLE_HEIGHT)

"""A mechanism as numbers: what its compiled functions read, and where they keep intermediate results.

Frames are numbered as bodies are, from 1; frame 0 is the world. A body comes after its parent.
"""

from __future__ import annotations

from typing import NamedTuple

from hybridsim.typing import IntArray

FIXED, REVOLUTE, PRISMATIC, SPHERICAL = range(4)
"""Kinds of joints. Planar and free joints are prismatic joints and one that turns, with massless bodies between. The
coordinates and speeds of a spherical joint are a quaternion, real part first, and the angular velocity relative to the
parent, along the body's axes."""


class Tree(NamedTuple):
    """The tree of bodies: arrays with an entry for each frame, the world's first.

    Attributes
    ----------
    n_frames, n_coordinates, n_speeds : int
        Bodies and the world; generalised coordinates q; generalised speeds u.
    parent : (n_frames,) int array
        The frame that the joint of this body is fixed to.
    kind : (n_frames,) int array
        FIXED, REVOLUTE, PRISMATIC or SPHERICAL.
    coordinate, speed : (n_frames,) int arrays
        Indices of the joint's first coordinate and first speed.
    turned : (n_frames,) int array
        1 if the joint's frame has other axes than the parent at q = 0.
    heavy : (n_frames,) int array
        0 for a massless frame between the joints of one body.
    """

    n_frames: int
    n_coordinates: int
    n_speeds: int
    parent: IntArray
    kind: IntArray
    coordinate: IntArray
    speed: IntArray
    turned: IntArray
    heavy: IntArray


# Constants of a body, in the array `data`; that of frame f begins at f * BODY_SIZE.
PLACE = 0  # the joint in the parent's frame [m]
TURN = 3  # axes of the joint's frame in the parent's frame, column by column
AXIS = 12  # direction of the joint in its frame
MASS = 15  # [kg]
CENTRE = 16  # centre of mass in the body's frame [m]
INERTIA = 19  # xx, yy, zz, xy, xz, yz about the centre of mass, along the body's axes [kg m^2]
BODY_SIZE = 25
"""Numbers of one body in `data`."""

# Constants of a joint, in `data` after those of all bodies; those of speed j begin at n_frames * BODY_SIZE
# + j * SPRING_SIZE.
STIFFNESS = 0  # [N m/rad or N/m]
REST = 1  # coordinate at which the spring is at rest
DAMPING = 2  # [N m s/rad or N s/m]
LOWER = 3  # limits of the coordinate
UPPER = 4
ARMATURE = 5  # inertia of the motor's rotor, as the joint feels it [kg m^2 or kg]
SPRING_SIZE = 6
"""Numbers of one speed in `data`."""

# What `kinematics` finds for a frame, in the array `motion`, from f * FRAME_SIZE on; all in the world's axes.
ORIGIN = 0  # position of the frame's origin [m]
LINK = 3  # from the parent's origin to this origin [m]
AXES = 6  # axes of the body, column by column
SPIN = 15  # angular velocity [rad/s]
VELOCITY = 18  # of the origin [m/s]
SPIN_RATE = 21  # angular acceleration where all rates of the speeds are 0, or those given [rad/s^2]
ACCELERATION = 24  # of the origin, alike [m/s^2]
REACH = 27  # from the origin to the centre of mass [m]
FRAME_SIZE = 30
"""Numbers of one frame in `motion`."""

# Sums over a body and all that it carries: `motion` holds them after the frames.
TOTAL_MASS = 0  # [kg]
MOMENT = 1  # mass times position from the origin [kg m]
TENSOR = 4  # inertia about the origin: xx, yy, zz, xy, xz, yz [kg m^2]
SUM_SIZE = 10
FORCE = 0  # [N]
TORQUE = 3  # about the origin [N m]
WRENCH_SIZE = 6


def speeds_of(tree, frame):
    """Return how many speeds the joint of a frame has."""
    if tree.kind[frame] == SPHERICAL:
        return 3
    return 1 if tree.kind[frame] == REVOLUTE or tree.kind[frame] == PRISMATIC else 0


def springs_of(tree):
    """Return where `data` holds the constants of the joints."""
    return tree.n_frames * BODY_SIZE


def axes_of(tree):
    """Return where `motion` holds the direction of each speed, three numbers each."""
    return tree.n_frames * FRAME_SIZE


def sums_of(tree):
    """Return where `motion` holds the masses that each frame carries."""
    return tree.n_frames * FRAME_SIZE + 3 * tree.n_speeds


def wrenches_of(tree):
    """Return where `motion` holds the force and torque on all that each frame carries."""
    return tree.n_frames * (FRAME_SIZE + SUM_SIZE) + 3 * tree.n_speeds


def end_of(tree):
    """Return how many numbers `motion` holds."""
    return tree.n_frames * (FRAME_SIZE + SUM_SIZE + WRENCH_SIZE) + 3 * tree.n_speeds

"""Two legs with knees and round feet in a plane: the mechanism of the walkers with bodies, and its equations.

The tree has its root at the hip, which slides along the slope (x) and above it (z). Each leg is a thigh and a shank;
angles are measured from the slope's normal and are positive when the hip is ahead of the foot, as a rotation about y
makes them. At the angle 0 of a leg whose knee is locked, the centre of its foot's circle is below the hip; there the
frames of thigh and shank have the axes of the world. The stance foot rolls, and its knee is locked: three rows, or four
when the swing leg's knee is locked, too. The independent speeds are those of the angles.

Leg 1 is the stance leg, leg 2 the swing leg. At a heelstrike they exchange their names.
"""

import math
from typing import NamedTuple

from hybridsim import scratch
from hybridsim.multibody import (
    Body,
    Compound,
    Mechanism,
    Prismatic,
    Revolute,
    Vector,
    Wheel,
    bounce_row,
    contact_of,
    impact,
    inertia_forces,
    kinematics,
    lock_row,
    mass_matrix,
    point_of,
    rolling_row,
    set_body,
    set_constants,
    set_place,
    solve_constrained,
)

from .two_legs import ORIGIN

MECHANISM = Mechanism(
    Body("hip", Compound((Prismatic("hip_x", "x"), Prismatic("hip_z", "z")))),
    Body("thigh1", Revolute("thigh1", "y"), parent="hip"),
    Body("shank1", Revolute("knee1", "y"), parent="thigh1"),
    Body("thigh2", Revolute("thigh2", "y"), parent="hip"),
    Body("shank2", Revolute("knee2", "y"), parent="thigh2"),
)
TREE, CONSTANTS = MECHANISM.tree, MECHANISM.data
F, Q, U = MECHANISM.frames, MECHANISM.q, MECHANISM.u
N = TREE.n_speeds
MOTION, WORK, DATA = MECHANISM.motion_size, MECHANISM.work_size, len(CONSTANTS)
ROWS, MASSES = MECHANISM.rows_size(4), MECHANISM.mass_size
X, Y, Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
FREE_PARTITION = MECHANISM.dependent("hip_xdot", "hip_zdot", "knee1dot")
LOCKED_PARTITION = MECHANISM.dependent("hip_xdot", "hip_zdot", "knee1dot", "knee2dot")
"""Which speeds depend on the others, while the swing leg's knee is free and while it is locked."""

ALONG, ABOVE, STANCE_KNEE, SWING_KNEE = range(4)
"""The rows: contact along the slope and above it [N], torque in the locked knees [N m]; at a collision, impulses."""


class Legs(NamedTuple):
    """What a walker is made of. Both legs are the same; all vectors are those at the angle 0.

    Attributes
    ----------
    length, radius : float
        From the hip to the centre of the foot's circle; radius of that circle [m].
    knee, foot : Vector
        From hip to knee; from knee to the centre of the foot's circle [m].
    hip_mass, thigh_mass, shank_mass : float
        Masses [kg].
    thigh_centre, shank_centre : Vector
        Centres of mass, from the hip and from the knee [m].
    thigh_inertia, shank_inertia : float
        Moments of inertia about the centres of mass [kg m^2].
    gravity : Vector
        Along x, y and z [m/s^2].
    """

    length: float
    radius: float
    knee: Vector
    foot: Vector
    hip_mass: float
    thigh_mass: float
    shank_mass: float
    thigh_centre: Vector
    shank_centre: Vector
    thigh_inertia: float
    shank_inertia: float
    gravity: Vector


class Angles(NamedTuple):
    """Angles of stance leg, swing thigh and swing shank from the slope's normal [rad], or their rates [rad/s]."""

    stance: float
    thigh: float
    shank: float


class Step(NamedTuple):
    """The legs in a step: angles, rates, and whether the swing leg's knee is locked."""

    angles: Angles
    rates: Angles
    locked: bool


def accelerate(udot, reactions, motion, data, legs, step):
    """Find how the legs move in a step, the rates of the speeds, and what contact and locked knees are held with."""
    q, u, mass, force, rows, work = scratch(N), scratch(N), scratch(MASSES), scratch(N), scratch(ROWS), scratch(WORK)
    describe(data, legs)
    place(q, u, legs, step.angles, step.rates)
    kinematics(motion, TREE, data, q, u)
    mass_matrix(mass, motion, TREE, data)
    inertia_forces(force, motion, TREE, data, legs.gravity)
    for i in range(N):
        force[i] = -force[i]
    write_rows(rows, motion, legs, step.locked)
    solve_constrained(udot, reactions, mass, force, rows, LOCKED_PARTITION if step.locked else FREE_PARTITION, work)


def describe(data, legs):
    """Write the constants of the bodies."""
    set_constants(data, CONSTANTS, DATA)
    set_body(data, F.hip, legs.hip_mass, ORIGIN, ORIGIN)
    for thigh, shank in ((F.thigh1, F.shank1), (F.thigh2, F.shank2)):
        set_body(data, thigh, legs.thigh_mass, legs.thigh_centre, Vector(0.0, legs.thigh_inertia, 0.0))
        set_body(data, shank, legs.shank_mass, legs.shank_centre, Vector(0.0, legs.shank_inertia, 0.0))
        set_place(data, shank, legs.knee)


def place(q, u, legs, angles, rates):
    """Find coordinates and speeds. The stance foot rolls: the origin is its point of contact at the angle 0."""
    sine, cosine = legs.length * math.sin(angles.stance), legs.length * math.cos(angles.stance)
    q[Q.hip_x], u[U.hip_xdot] = legs.radius * angles.stance + sine, (legs.radius + cosine) * rates.stance
    q[Q.hip_z], u[U.hip_zdot] = legs.radius + cosine, -sine * rates.stance
    q[Q.thigh1], u[U.thigh1dot] = angles.stance, rates.stance
    q[Q.knee1], u[U.knee1dot] = 0.0, 0.0
    q[Q.thigh2], u[U.thigh2dot] = angles.thigh, rates.thigh
    q[Q.knee2], u[U.knee2dot] = angles.shank - angles.thigh, rates.shank - rates.thigh


def write_rows(rows, motion, legs, locked):
    """Write the rows: the stance foot rolls, its knee is locked, and the swing leg's knee may be."""
    contact = contact_of(motion, Wheel(F.shank1, legs.foot, Y, legs.radius, 0.0), Z)
    rolling_row(rows, motion, TREE, ALONG, contact, X)
    rolling_row(rows, motion, TREE, ABOVE, contact, Z)
    lock_row(rows, TREE, STANCE_KNEE, U.knee1dot)
    if locked:
        lock_row(rows, TREE, SWING_KNEE, U.knee2dot)


def strike_knee(after, impulses, legs, step):
    """Find the speeds after the swing leg's knee has locked, and the impulses."""
    q, before = scratch(N), scratch(N)
    place(q, before, legs, step.angles, step.rates)
    collide(after, impulses, legs, q, before, True)


def strike_heel(after, impulses, legs, step, locked):
    """Find the speeds after the swing foot has come down, and the impulses; the legs have exchanged their names.

    The new stance foot rolls and its knee is locked. Nothing holds the foot of the other leg, nor its knee, unless it
    is `locked` for good.
    """
    q, before, u = scratch(N), scratch(N), scratch(N)
    angles, rates = step.angles, step.rates
    place(q, u, legs, angles, rates)
    place(q, before, legs, Angles(angles.shank, angles.stance, angles.stance), Angles(rates.shank, 0.0, 0.0))
    before[U.hip_xdot], before[U.hip_zdot] = u[U.hip_xdot], u[U.hip_zdot]
    before[U.thigh2dot], before[U.knee2dot] = rates.stance, 0.0
    collide(after, impulses, legs, q, before, locked)


def collide(after, impulses, legs, q, before, locked):
    """Find the speeds after an impact that makes the rows hold."""
    motion, data, mass = scratch(MOTION), scratch(DATA), scratch(MASSES)
    rows, work = scratch(ROWS), scratch(WORK)
    describe(data, legs)
    kinematics(motion, TREE, data, q, before)
    mass_matrix(mass, motion, TREE, data)
    write_rows(rows, motion, legs, locked)
    for i in range(4 if locked else 3):
        bounce_row(rows, TREE, i, 0.0, before)
    impact(after, impulses, mass, before, rows, LOCKED_PARTITION if locked else FREE_PARTITION, work)


def swing_foot(motion, legs):
    """Return the centre of the swing foot's circle."""
    return point_of(motion, F.shank2, legs.foot)


def clearance(legs, angles):
    """Return how high the lowest point of the swing foot's circle is above the slope [m]."""
    thigh = legs.knee.z * math.cos(angles.thigh) - legs.knee.x * math.sin(angles.thigh)
    shank = legs.foot.z * math.cos(angles.shank) - legs.foot.x * math.sin(angles.shank)
    return legs.length * math.cos(angles.stance) + thigh + shank


def rise(legs, angles, rates):
    """Return the rate of `clearance` [m/s]."""
    thigh = (legs.knee.z * math.sin(angles.thigh) + legs.knee.x * math.cos(angles.thigh)) * rates.thigh
    shank = (legs.foot.z * math.sin(angles.shank) + legs.foot.x * math.cos(angles.shank)) * rates.shank
    return -legs.length * math.sin(angles.stance) * rates.stance - thigh - shank


def advance(legs, stance, swing):
    """Return how far ahead the next stance foot touches the slope at the angle 0, at a heelstrike with these angles."""
    return legs.length * (math.sin(stance) - math.sin(swing)) + legs.radius * (stance - swing)

"""Kane's equations of a mechanism that moves in the x-z plane: the same results in a third of the operations.

Such a mechanism slides along the plane and turns about y, so that a rotation is a cosine and a sine, an angular
velocity one number, and no partial velocity turns. `motion` holds the same numbers in the same places as
`kinematics` leaves them; of the sums of masses and forces only those that count in the plane are found.
"""

import math
from typing import NamedTuple

import numpy as np

from .tree import (
    ACCELERATION,
    ARMATURE,
    AXES,
    AXIS,
    BODY_SIZE,
    CENTRE,
    FIXED,
    FORCE,
    FRAME_SIZE,
    INERTIA,
    LINK,
    MASS,
    MOMENT,
    ORIGIN,
    PLACE,
    PRISMATIC,
    REACH,
    REVOLUTE,
    SPIN,
    SPIN_RATE,
    SPRING_SIZE,
    SUM_SIZE,
    TENSOR,
    TORQUE,
    TOTAL_MASS,
    TURN,
    VELOCITY,
    WRENCH_SIZE,
    Tree,
    axes_of,
    springs_of,
    sums_of,
    wrenches_of,
)
from .vectors import IDENTITY, UNIT_Y, ZERO, Rotation, Vector, put, put_rotation


class Flat(NamedTuple):
    """A vector in the x-z plane."""

    x: float
    z: float


class Rim(NamedTuple):
    """The rim of a disk in the plane, or a point, whose radius is 0.

    Attributes
    ----------
    frame : int
        The body.
    arm : Flat
        From the body's origin to the centre [m].
    radius : float
        [m].
    """

    frame: int
    arm: Flat
    radius: float


def is_planar(tree: Tree, data: np.ndarray) -> bool:
    """Return whether all joints of a mechanism slide along the x-z plane or turn about y."""
    for frame in range(1, tree.n_frames):
        constants = data[frame * BODY_SIZE : (frame + 1) * BODY_SIZE]
        x, y, z = constants[AXIS : AXIS + 3]
        moves = {FIXED: True, REVOLUTE: x == z == 0.0, PRISMATIC: y == 0.0}.get(int(tree.kind[frame]), False)
        if not moves or tuple(constants[TURN + 3 : TURN + 6]) != UNIT_Y:
            return False
    return True


def flat_at(values, first):
    """Read the part in the plane of a vector in space that begins at an index of an array."""
    return Flat(values[first], values[first + 2])


def put_flat(values, first, a):
    """Write a vector of the plane as one in space, with y = 0."""
    values[first], values[first + 1], values[first + 2] = a.x, 0.0, a.z


def turned(cosine, sine, a):
    """Return a, turned about y by the angle with this cosine and sine."""
    return Flat(cosine * a.x + sine * a.z, cosine * a.z - sine * a.x)


def planar_kinematics(motion, tree, data, q, u):
    """Find positions, velocities and accelerations as `kinematics` does, whose arguments these are."""
    put_rotation(motion, AXES, IDENTITY)
    for i in (ORIGIN, LINK, SPIN, VELOCITY, SPIN_RATE, ACCELERATION, REACH):
        put(motion, i, ZERO)
    for frame in range(1, tree.n_frames):
        own, parent, constants = frame * FRAME_SIZE, tree.parent[frame] * FRAME_SIZE, frame * BODY_SIZE
        cosine, sine, spin = motion[parent + AXES], motion[parent + AXES + 6], motion[parent + SPIN + 1]
        link, across = turned(cosine, sine, flat_at(data, constants + PLACE)), data[constants + PLACE + 1]
        sliding, pushed, own_spin = Flat(0.0, 0.0), Flat(0.0, 0.0), spin
        if tree.turned[frame]:
            x = turned(cosine, sine, flat_at(data, constants + TURN))
            cosine, sine = x.x, -x.z
        if tree.kind[frame] == REVOLUTE:
            direction = data[constants + AXIS + 1]
            angle, own_spin = direction * q[tree.coordinate[frame]], spin + direction * u[tree.speed[frame]]
            x = turned(cosine, sine, Flat(math.cos(angle), -math.sin(angle)))
            cosine, sine = x.x, -x.z
            put(motion, axes_of(tree) + 3 * tree.speed[frame], Vector(0.0, direction, 0.0))
        elif tree.kind[frame] == PRISMATIC:
            axis = turned(cosine, sine, flat_at(data, constants + AXIS))
            way, rate = q[tree.coordinate[frame]], u[tree.speed[frame]]
            link, sliding = Flat(link.x + way * axis.x, link.z + way * axis.z), Flat(rate * axis.x, rate * axis.z)
            pushed = Flat(2.0 * spin * sliding.z, -2.0 * spin * sliding.x)
            put_flat(motion, axes_of(tree) + 3 * tree.speed[frame], axis)
        _put_frame(motion, own, parent, Vector(link.x, across, link.z), sliding, pushed)
        put_rotation(motion, own + AXES, _rotation(cosine, sine))
        put(motion, own + SPIN, Vector(0.0, own_spin, 0.0))
        reach = turned(cosine, sine, flat_at(data, constants + CENTRE))
        put(motion, own + REACH, Vector(reach.x, data[constants + CENTRE + 1], reach.z))


def _rotation(cosine, sine):
    """Return the rotation about y with this cosine and sine."""
    return Rotation(Vector(cosine, 0.0, -sine), UNIT_Y, Vector(sine, 0.0, cosine))


def _put_frame(motion, own, parent, link, sliding, pushed):
    """Put where the origin of a frame is and how it moves, at the end of a link that turns with the parent."""
    spin, at = motion[parent + SPIN + 1], parent + ORIGIN
    put(motion, own + LINK, link)
    put(motion, own + ORIGIN, Vector(motion[at] + link.x, motion[at + 1] + link.y, motion[at + 2] + link.z))
    before, pull = flat_at(motion, parent + VELOCITY), spin * spin
    put_flat(motion, own + VELOCITY, Flat(before.x + spin * link.z + sliding.x, before.z - spin * link.x + sliding.z))
    before = flat_at(motion, parent + ACCELERATION)
    put_flat(motion, own + ACCELERATION, Flat(before.x - pull * link.x + pushed.x, before.z - pull * link.z + pushed.z))
    put(motion, own + SPIN_RATE, ZERO)


def planar_equations(mass, forces, motion, tree, data, gravity):
    """Find the mass matrix M and h as `mass_matrix` and `inertia_forces` do, whose arguments these are."""
    n, sums, wrenches = tree.n_speeds, sums_of(tree), wrenches_of(tree)
    for i in range(n * n):
        mass[i] = 0.0
    for frame in range(tree.n_frames):
        total, wrench = sums + frame * SUM_SIZE, wrenches + frame * WRENCH_SIZE
        motion[total + TOTAL_MASS] = motion[total + TENSOR + 1] = motion[wrench + TORQUE + 1] = 0.0
        put(motion, total + MOMENT, ZERO)
        put(motion, wrench + FORCE, ZERO)
    for step in range(1, tree.n_frames):
        frame = tree.n_frames - step
        if tree.heavy[frame]:
            _add_body(motion, tree, data, gravity, frame)
        if tree.kind[frame] != FIXED:
            j, wrench = tree.speed[frame], wrenches + frame * WRENCH_SIZE
            axis, force = flat_at(motion, axes_of(tree) + 3 * j), flat_at(motion, wrench + FORCE)
            turning = motion[axes_of(tree) + 3 * j + 1] * motion[wrench + TORQUE + 1]
            forces[j] = axis.x * force.x + axis.z * force.z + turning
            _put_column(mass, motion, tree, frame)
            mass[(n + 1) * j] += data[springs_of(tree) + j * SPRING_SIZE + ARMATURE]
        _hand_on(motion, tree, frame)


def _add_body(motion, tree, data, gravity, frame):
    """Add a body to the masses that its joint carries, and what its acceleration takes, less its weight."""
    own, total, constants = frame * FRAME_SIZE, sums_of(tree) + frame * SUM_SIZE, frame * BODY_SIZE
    wrench, mass, reach = wrenches_of(tree) + frame * WRENCH_SIZE, data[constants + MASS], flat_at(motion, own + REACH)
    spin, acceleration = motion[own + SPIN + 1], flat_at(motion, own + ACCELERATION)
    force_x = mass * (acceleration.x - spin * spin * reach.x - gravity.x)
    force_z = mass * (acceleration.z - spin * spin * reach.z - gravity.z)
    motion[total + TOTAL_MASS] += mass
    motion[total + MOMENT] += mass * reach.x
    motion[total + MOMENT + 2] += mass * reach.z
    motion[total + TENSOR + 1] += data[constants + INERTIA + 1] + mass * (reach.x * reach.x + reach.z * reach.z)
    motion[wrench + FORCE] += force_x
    motion[wrench + FORCE + 2] += force_z
    motion[wrench + TORQUE + 1] += reach.z * force_x - reach.x * force_z


def _put_column(mass, motion, tree, frame):
    """Put the column of a joint's speed into M, and the row: momentum of what it carries, as its ancestors feel it."""
    n, axes, total, j = tree.n_speeds, axes_of(tree), sums_of(tree) + frame * SUM_SIZE, tree.speed[frame]
    carried, moment, turns = motion[total + TOTAL_MASS], flat_at(motion, total + MOMENT), motion[axes + 3 * j + 1]
    axis = flat_at(motion, axes + 3 * j)
    if tree.kind[frame] == PRISMATIC:
        momentum, angular = Flat(carried * axis.x, carried * axis.z), moment.z * axis.x - moment.x * axis.z
    else:
        momentum, angular = Flat(turns * moment.z, -turns * moment.x), turns * motion[total + TENSOR + 1]
    ancestor = frame
    while ancestor > 0:
        if tree.kind[ancestor] != FIXED:
            i = tree.speed[ancestor]
            axis, turns = flat_at(motion, axes + 3 * i), motion[axes + 3 * i + 1]
            mass[n * i + j] = mass[n * j + i] = axis.x * momentum.x + axis.z * momentum.z + turns * angular
        link = flat_at(motion, ancestor * FRAME_SIZE + LINK)
        angular += link.z * momentum.x - link.x * momentum.z
        ancestor = tree.parent[ancestor]


def _hand_on(motion, tree, frame):
    """Add masses and forces of what a joint carries to those of its parent, about the parent's origin."""
    link, parent = flat_at(motion, frame * FRAME_SIZE + LINK), tree.parent[frame]
    total, inner = sums_of(tree) + frame * SUM_SIZE, sums_of(tree) + parent * SUM_SIZE
    mass, moment = motion[total + TOTAL_MASS], flat_at(motion, total + MOMENT)
    motion[inner + TOTAL_MASS] += mass
    motion[inner + MOMENT] += moment.x + mass * link.x
    motion[inner + MOMENT + 2] += moment.z + mass * link.z
    further = (2.0 * moment.x + mass * link.x) * link.x + (2.0 * moment.z + mass * link.z) * link.z
    motion[inner + TENSOR + 1] += motion[total + TENSOR + 1] + further
    total, inner = wrenches_of(tree) + frame * WRENCH_SIZE, wrenches_of(tree) + parent * WRENCH_SIZE
    force = flat_at(motion, total + FORCE)
    motion[inner + FORCE] += force.x
    motion[inner + FORCE + 2] += force.z
    motion[inner + TORQUE + 1] += motion[total + TORQUE + 1] + link.z * force.x - link.x * force.z


def put_planar_rows(rows, motion, tree, row, rim, axes):
    """Write two rows: the velocity of a `Rim` where it is lowest, along a normal and a tangent that do not turn.

    Parameters
    ----------
    rows : (n_rows * (n_speeds + 1),) array
        The rows; see `add_wrench`.
    motion, tree : array, Tree
        As `planar_kinematics` leaves it; the mechanism.
    row : int
        The first row.
    rim : Rim
        What moves.
    axes : tuple of two Flats
        Normal and tangent, of length 1.
    """
    first, second = (tree.n_speeds + 1) * row, (tree.n_speeds + 1) * (row + 1)
    for j in range(2 * (tree.n_speeds + 1)):
        rows[first + j] = 0.0
    one, other, frame, own, arm = axes[0], axes[1], rim.frame, rim.frame * FRAME_SIZE, rim.arm
    spin, moving = motion[own + SPIN + 1], flat_at(motion, own + ACCELERATION)
    moving = Flat(moving.x - spin * spin * arm.x, moving.z - spin * spin * arm.z)
    rows[first + tree.n_speeds] = one.x * moving.x + one.z * moving.z
    rows[second + tree.n_speeds] = other.x * moving.x + other.z * moving.z
    x, z = arm.x, arm.z
    while frame > 0:
        if tree.kind[frame] != FIXED:
            j = tree.speed[frame]
            axis, turns = flat_at(motion, axes_of(tree) + 3 * j), motion[axes_of(tree) + 3 * j + 1]
            along, up = axis.x + turns * z, axis.z - turns * x
            rows[first + j] = one.x * along + one.z * up
            rows[second + j] = other.x * along + other.z * up - turns * rim.radius
        x, z = x + motion[frame * FRAME_SIZE + LINK], z + motion[frame * FRAME_SIZE + LINK + 2]
        frame = tree.parent[frame]

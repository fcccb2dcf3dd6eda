"""Mass matrix, forces, rows and gaps of a mechanism: of its contacts, its joints and its loops."""

import math
from typing import NamedTuple

from hybridsim.engine.compiler.slices import subarray
from hybridsim.multibody.dynamics import inertia_forces, mass_matrix
from hybridsim.multibody.joint_forces import add_joint_forces
from hybridsim.multibody.motion import arm_of, kinematics, point_of
from hybridsim.multibody.planar import Flat, Rim, flat_at, planar_equations, planar_kinematics, put_planar_rows, turned
from hybridsim.multibody.rows import Point, Wrench, add_wrench, clear_row, distance_row
from hybridsim.multibody.tree import AXES, FRAME_SIZE, ORIGIN, Tree
from hybridsim.multibody.vectors import ZERO, Vector, dot, length_of, minus, times, vector_at
from hybridsim.typing import FloatArray, IntArray

from .contact_rows import is_point, point_terms, world_axes, world_point_terms
from .layout import PLANE_HEADING, PLANE_SLOPE, PLANE_X, PLANE_Z, first_of, patch_of, read_layout
from .terms import is_needed, put_gap


class Bodies(NamedTuple):
    """A mechanism and its points.

    Attributes
    ----------
    tree, data, gravity : Tree, array, Vector
        The mechanism.
    n_points : int
        Points of contacts.
    frames, places : arrays
        The frame of each point, and its place there, or that of the centre of a disk.
    others : int array
        The frame that the plane of each point is fixed to.
    circles : int array
        1 for a point that is outside of a circle, -1 for one inside, 0 for one that meets a plane.
    radii : int array
        The index in p of the radius of each disk or sphere, of a wheel before that of its tyre; or of the lever of a
        contact of several points in space; -1 for a point.
    axes : array
        The axis of each wheel in space, in its frame, of length 1; 0 of what has none.
    length : float
        The mechanism's size [m].
    planar : int
        1 if the mechanism moves in the x-z plane.
    """

    tree: Tree
    data: FloatArray
    gravity: Vector
    n_points: int
    frames: IntArray
    places: FloatArray
    others: IntArray
    circles: IntArray
    radii: IntArray
    axes: FloatArray
    length: float
    planar: int


class Joints(NamedTuple):
    """What acts in joints.

    Attributes
    ----------
    n_stops, n_dry, n_motors : int
        How many there are.
    stops : int array
        Of each stop the coordinate, the speed, the index of its place in p, and 1 for a lower, -1 for an upper one.
    sizes : array
        The size of each stop's coordinate: 1 rad, or the mechanism's size [m].
    dry : int array
        The speeds with dry friction.
    motors : int array
        Of each motor the coordinate, the speed, and the index of its parameters in p.
    """

    n_stops: int
    n_dry: int
    n_motors: int
    stops: IntArray
    sizes: FloatArray
    dry: IntArray
    motors: IntArray


class Soft(NamedTuple):
    """Points of soft contacts, then soft stops, each with a spring of its own.

    Attributes
    ----------
    bodies : Bodies
        The mechanism, with these points.
    joints : Joints
        The stops.
    springs : int array
        The index in x of each point's tangential spring, -1 for a point without friction.
    bit : int
        The first bit of the soft points in the chart.
    size : int
        The size of the work space of soft contacts.
    table : array
        The layout that it begins with.
    """

    bodies: Bodies
    joints: Joints
    springs: IntArray
    bit: int
    size: int
    table: FloatArray


class Loops(NamedTuple):
    """What closes loops.

    Attributes
    ----------
    loops : int array
        Of each loop the frames of both points, the index of its parameters in p, the number of its rows, 0 for a rod,
        and their axes.
    places : array
        Of each loop both points in their frames.
    length : float
        The mechanism's size [m].
    """

    loops: IntArray
    places: FloatArray
    length: float


PAST = 1e-6
"""A contact has passed another one where it is ahead by this part of the mechanism's size: they may be in one place."""

LOOP_SIZE, STOP_SIZE, MOTOR_SIZE = 7, 4, 3
"""Numbers of a loop, a stop, a motor."""


def mechanism_terms(work, motion, bodies, x, p, mode):
    """Find M, f, rows and gaps of a mechanism whose points meet planes.

    Parameters
    ----------
    work : (size,) array
        Work space of the contacts.
    motion : array
        Work space of the mechanism.
    bodies : Bodies
        The mechanism.
    x, p : arrays
        State and parameters.
    mode : int
        The points whose rows are found, as far as they count in this mode; all if -1.
    """
    layout, tree = read_layout(work), bodies.tree
    n = layout.n_speeds
    force, u = subarray(work, layout.force, n), subarray(x, layout.n_coordinates, n)
    mass = subarray(work, layout.mass, n * n)
    if bodies.planar:
        planar_kinematics(motion, tree, bodies.data, x, u)
        planar_equations(mass, force, motion, tree, bodies.data, bodies.gravity)
    else:
        kinematics(motion, tree, bodies.data, x, u)
        mass_matrix(mass, motion, tree, bodies.data)
        inertia_forces(force, motion, tree, bodies.data, bodies.gravity)
    for k in range(n):
        force[k] = -force[k]
    add_joint_forces(force, tree, bodies.data, x, u)
    contact_terms(work, layout, motion, bodies, x, p, mode)


def contact_terms(work, layout, motion, bodies, x, p, mode):
    """Find rows and gaps of points that meet planes, like `mechanism_terms`, once the motion is known."""
    known, nothing = -1, 0.0 * p[layout.general]
    flat, axes = flat_axes(nothing), world_axes(nothing, nothing)
    for i in range(bodies.n_points):
        if bodies.others[i] == 0 and bodies.circles[i] == 0 and is_point(bodies, i):
            plane = int(work[layout.plane + patch_of(work, layout, i)])
            if plane != known:  # points usually share one, and its cosine takes as long as a row
                known, flat = plane, flat_axes(p[plane + PLANE_SLOPE])
                axes = world_axes(p[plane + PLANE_SLOPE], p[plane + PLANE_HEADING] if layout.tangents == 2 else nothing)
            if bodies.planar:
                plane_terms(work, motion, bodies, i, p, flat, mode)
            else:
                world_point_terms(work, motion, bodies, i, p, axes, mode)
        else:
            point_terms(work, motion, bodies, i, p)
    for k in range(3 * layout.n_contacts if layout.tangents == 2 else 0):  # the directions in which slips began
        work[layout.lean + k] = x[layout.n_coordinates + layout.n_speeds + 2 + k]
    for j in range(layout.n_contacts):
        if work[layout.passed + j] >= 0.0:
            put_wait(work, motion, bodies, j, p)


def put_wait(work, motion, bodies, j, p):
    """Put how far contact j is from being past another one, along the tangent of its plane."""
    layout = read_layout(work)
    own, other = first_of(work, layout, j), first_of(work, layout, int(work[layout.passed + j]))
    here = point_of(motion, bodies.frames[own], vector_at(bodies.places, 3 * own))
    there = point_of(motion, bodies.frames[other], vector_at(bodies.places, 3 * other))
    plane, ahead = int(work[layout.plane + j]), minus(there, here)
    heading = p[plane + PLANE_HEADING] if layout.tangents == 2 else 0.0
    level = math.cos(heading) * ahead.x + math.sin(heading) * ahead.y
    along = math.cos(p[plane + PLANE_SLOPE]) * level + math.sin(p[plane + PLANE_SLOPE]) * ahead.z
    work[layout.waits + j] = along + PAST * bodies.length


def flat_axes(slope):
    """Return the normal and the tangent of a plane of the world in the x-z plane."""
    sine, cosine = math.sin(slope), math.cos(slope)
    return Flat(-sine, cosine), Flat(cosine, sine)


def plane_terms(work, motion, bodies, i, p, axes, mode):
    """Write rows and gap of a point, or of a disk around it, that meets a plane of the world, of a planar mechanism."""
    layout, own, normal = read_layout(work), bodies.frames[i] * FRAME_SIZE, axes[0]
    rows = subarray(work, layout.rows, layout.n_rows * (layout.n_speeds + 1))
    plane = int(work[layout.plane + patch_of(work, layout, i)])
    radius = p[bodies.radii[i]] if bodies.radii[i] >= 0 else 0.0
    arm = turned(motion[own + AXES], motion[own + AXES + 6], flat_at(bodies.places, 3 * i))
    if is_needed(work, layout, mode, 2 * i):
        put_planar_rows(rows, motion, bodies.tree, 2 * i, Rim(bodies.frames[i], arm, radius), axes)
    x, z = motion[own + ORIGIN] + arm.x, motion[own + ORIGIN + 2] + arm.z
    right, up = x - p[plane + PLANE_X], z - p[plane + PLANE_Z]
    reach = abs(normal.x) * (abs(x) + abs(right)) + abs(normal.z) * (abs(z) + abs(up)) + bodies.length
    put_gap(work, layout, i, normal.x * right + normal.z * up - radius, reach, bodies.length)


def joint_terms(work, joints, x, p):
    """Write rows and gaps of stops and of joints with dry friction, and add the forces of motors.

    Parameters
    ----------
    work : (size,) array
        Work space of the contacts.
    joints : Joints
        What acts in joints.
    x, p : arrays
        State and parameters.
    """
    layout = read_layout(work)
    n, n_stops, n_dry = layout.n_speeds, joints.n_stops, joints.n_dry
    row = layout.n_rows - layout.n_loop_rows - n_dry - n_stops
    for r in range(row * (n + 1), (row + n_stops + n_dry) * (n + 1)):
        work[layout.rows + r] = 0.0
    for k in range(n_stops):
        first = STOP_SIZE * k
        q, limit, sign = x[joints.stops[first]], p[joints.stops[first + 2]], joints.stops[first + 3]
        work[layout.rows + (n + 1) * (row + k) + joints.stops[first + 1]] = sign
        reach = abs(q) + abs(limit) + joints.sizes[k]
        put_gap(work, layout, layout.n_points - n_stops + k, sign * (q - limit), reach, joints.sizes[k])
    for k in range(n_dry):
        work[layout.rows + (n + 1) * (row + n_stops + k) + joints.dry[k]] = 1.0
    for k in range(joints.n_motors):
        work[layout.force + joints.motors[MOTOR_SIZE * k + 1]] += motor_force(joints, k, x, p, layout.n_coordinates)


def motor_force(joints, k, x, p, n_coordinates):
    """Return the force or torque of a motor: stiffness (target - q) - damping u."""
    first = MOTOR_SIZE * k
    q, u, given = x[joints.motors[first]], x[n_coordinates + joints.motors[first + 1]], joints.motors[first + 2]
    return p[given] * (p[given + 2] - q) - p[given + 1] * u


def put_motors(y, joints, x, p, n_coordinates):
    """Write the forces of all motors."""
    for k in range(joints.n_motors):
        y[k] = motor_force(joints, k, x, p, n_coordinates)


def loop_terms(work, motion, tree, loops, p):
    """Write rows and gaps of pins and rods.

    Parameters
    ----------
    work : (size,) array
        Work space of the contacts.
    motion : array
        Work space of the mechanism, as `kinematics` leaves it.
    tree : Tree
        The mechanism.
    loops : Loops
        What closes loops.
    p : array
        Parameters.
    """
    layout = read_layout(work)
    rows = subarray(work, layout.rows, layout.n_rows * (layout.n_speeds + 1))
    row = layout.n_rows - layout.n_loop_rows
    for k in range(layout.n_loops):
        at, n_rows, given = LOOP_SIZE * k, loops.loops[LOOP_SIZE * k + 3], loops.loops[LOOP_SIZE * k + 2]
        first = Point(loops.loops[at], vector_at(loops.places, 6 * k))
        place = Vector(placed(loops, k, p, 0), placed(loops, k, p, 1), placed(loops, k, p, 2))
        second = Point(loops.loops[at + 1], place)
        here, there = point_of(motion, first.frame, first.place), point_of(motion, second.frame, second.place)
        reach = length_of(here) + length_of(there) + loops.length
        gap = layout.n_points + row - (layout.n_rows - layout.n_loop_rows)
        if n_rows == 0:
            distance = distance_row(rows, motion, tree, row, first, second)
            put_gap(work, layout, gap, distance - p[given], reach, loops.length)
        for i in range(n_rows):
            axis = along(loops.loops[at + 4 + i])
            clear_row(rows, tree, row + i)
            arm = arm_of(motion, first.frame, first.place)
            add_wrench(rows, motion, tree, row + i, first.frame, Wrench(arm, axis, ZERO))
            arm = arm_of(motion, second.frame, second.place)
            add_wrench(rows, motion, tree, row + i, second.frame, Wrench(arm, times(-1.0, axis), ZERO))
            put_gap(work, layout, gap + i, dot(axis, minus(here, there)), reach, loops.length)
        row += max(n_rows, 1)


def placed(loops, k, p, axis):
    """Return a component of the second point of a loop: a parameter where a row of a pin is along this axis."""
    at, found = LOOP_SIZE * k, loops.places[6 * k + 3 + axis]
    for i in range(loops.loops[at + 3]):
        found = p[loops.loops[at + 2] + i] if loops.loops[at + 4 + i] == axis else found
    return found


def along(axis):
    """Return the unit vector along x, y or z: axis 0, 1, 2."""
    return Vector(1.0 if axis == 0 else 0.0, 1.0 if axis == 1 else 0.0, 1.0 if axis == 2 else 0.0)

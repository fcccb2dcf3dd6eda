"""The two sides of Kane's equations of a tree of bodies: M udot + h = Q.

Kane's equations say that for each speed the generalised active and inertia forces add to zero: forces and torques on
the bodies, each times the partial velocity of its point or body (Kane and Levinson 1985, sections 4.4 and 4.11). The
partial velocities of a speed are the same for all bodies that its joint carries, so forces, torques and masses are
added up from the outermost bodies inwards, before they are multiplied by `axis` (Featherstone 2008, sections 5.3 and
6.2). After these functions, frame 0 holds the sums over all bodies, about the origin of the world.
"""

from .motion import acceleration_at, velocity_at
from .tree import (
    ARMATURE,
    AXES,
    BODY_SIZE,
    FORCE,
    FRAME_SIZE,
    INERTIA,
    LINK,
    MASS,
    MOMENT,
    ORIGIN,
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
    VELOCITY,
    WRENCH_SIZE,
    axes_of,
    speeds_of,
    springs_of,
    sums_of,
    wrenches_of,
)
from .vectors import (
    ZERO,
    Vector,
    components,
    cross,
    dot,
    minus,
    plus,
    put,
    rotate,
    rotation_at,
    times,
    vector_at,
)


def mass_matrix(mass, motion, tree, data):
    """Find the mass matrix M of the speeds, with the inertia of rotors on its diagonal.

    Parameters
    ----------
    mass : (n_speeds * n_speeds,) array
        Receives M, row by row.
    motion : (size,) array
        As `kinematics` leaves it; receives the sums of masses.
    tree : Tree
        The mechanism.
    data : array
        Constants of its bodies.
    """
    n, axes, sums = tree.n_speeds, axes_of(tree), sums_of(tree)
    add_masses(motion, tree, data)
    for i in range(n * n):
        mass[i] = 0.0
    for frame in range(1, tree.n_frames):
        total = sums + frame * SUM_SIZE
        slides = tree.kind[frame] == PRISMATIC
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            axis = vector_at(motion, axes + 3 * j)
            # Momentum and angular momentum about the origin of all that the joint carries, where this speed is 1.
            if slides:
                momentum = times(motion[total + TOTAL_MASS], axis)
                angular = cross(vector_at(motion, total + MOMENT), axis)
            else:
                momentum = cross(axis, vector_at(motion, total + MOMENT))
                angular = tensor_times(motion, total + TENSOR, axis)
            ancestor = frame
            while ancestor > 0:
                direction = momentum if tree.kind[ancestor] == PRISMATIC else angular
                for i in range(tree.speed[ancestor], tree.speed[ancestor] + speeds_of(tree, ancestor)):
                    mass[n * i + j] = mass[n * j + i] = dot(vector_at(motion, axes + 3 * i), direction)
                angular = plus(angular, cross(vector_at(motion, ancestor * FRAME_SIZE + LINK), momentum))
                ancestor = tree.parent[ancestor]
            mass[(n + 1) * j] += data[springs_of(tree) + j * SPRING_SIZE + ARMATURE]


def add_masses(motion, tree, data):
    """Add up mass, first moment and inertia of what each joint carries, about its body's origin."""
    sums = sums_of(tree)
    for i in range(sums, sums + tree.n_frames * SUM_SIZE):
        motion[i] = 0.0
    for step in range(1, tree.n_frames):
        frame = tree.n_frames - step
        own, total, inner = frame * FRAME_SIZE, sums + frame * SUM_SIZE, sums + tree.parent[frame] * SUM_SIZE
        if tree.heavy[frame]:
            _add_body(motion, data, own, total, frame * BODY_SIZE)
        link = vector_at(motion, own + LINK)
        mass, moment = motion[total + TOTAL_MASS], vector_at(motion, total + MOMENT)
        motion[inner + TOTAL_MASS] += mass
        put(motion, inner + MOMENT, plus(vector_at(motion, inner + MOMENT), plus(moment, times(mass, link))))
        for i in range(6):
            motion[inner + TENSOR + i] += motion[total + TENSOR + i]
        # Of the body about the parent's origin: r goes to r + link in the integral of (r.r) 1 - r r.
        _add_parallel_axis(motion, inner + TENSOR, plus(times(2.0, moment), times(mass, link)), link)


def _add_body(motion, data, own, total, constants):
    """Add a body itself to what it carries."""
    mass, reach = data[constants + MASS], vector_at(motion, own + REACH)
    motion[total + TOTAL_MASS] += mass
    moment = times(mass, reach)
    put(motion, total + MOMENT, plus(vector_at(motion, total + MOMENT), moment))
    axes = rotation_at(motion, own + AXES)
    # R J R^T, column by column of J's rows
    xx, yy, zz = data[constants + INERTIA], data[constants + INERTIA + 1], data[constants + INERTIA + 2]
    xy, xz, yz = data[constants + INERTIA + 3], data[constants + INERTIA + 4], data[constants + INERTIA + 5]
    x = rotate(axes, Vector(xx, xy, xz))
    y = rotate(axes, Vector(xy, yy, yz))
    z = rotate(axes, Vector(xz, yz, zz))
    at = total + TENSOR
    motion[at] += x.x * axes.x.x + y.x * axes.y.x + z.x * axes.z.x
    motion[at + 1] += x.y * axes.x.y + y.y * axes.y.y + z.y * axes.z.y
    motion[at + 2] += x.z * axes.x.z + y.z * axes.y.z + z.z * axes.z.z
    motion[at + 3] += x.x * axes.x.y + y.x * axes.y.y + z.x * axes.z.y
    motion[at + 4] += x.x * axes.x.z + y.x * axes.y.z + z.x * axes.z.z
    motion[at + 5] += x.y * axes.x.z + y.y * axes.y.z + z.y * axes.z.z
    _add_parallel_axis(motion, at, moment, reach)


def _add_parallel_axis(motion, at, a, b):
    """Add (a.b) 1 - (a b + b a) / 2 to a symmetric tensor."""
    xx, yy, zz = a.x * b.x, a.y * b.y, a.z * b.z
    motion[at] += yy + zz
    motion[at + 1] += xx + zz
    motion[at + 2] += xx + yy
    motion[at + 3] -= 0.5 * (a.x * b.y + a.y * b.x)
    motion[at + 4] -= 0.5 * (a.x * b.z + a.z * b.x)
    motion[at + 5] -= 0.5 * (a.y * b.z + a.z * b.y)


def tensor_times(values, at, a):
    """Return the symmetric tensor that begins at an index of an array, times a vector."""
    xx, yy, zz = values[at], values[at + 1], values[at + 2]
    xy, xz, yz = values[at + 3], values[at + 4], values[at + 5]
    return Vector(xx * a.x + xy * a.y + xz * a.z, xy * a.x + yy * a.y + yz * a.z, xz * a.x + yz * a.y + zz * a.z)


def inertia_forces(forces, motion, tree, data, gravity):
    """Find h: what the speeds must be driven with so that their rates are zero; gravity is part of it.

    Parameters
    ----------
    forces : (n_speeds,) array
        Receives h [N or N m], such that M udot + h = Q, the generalised force of everything but gravity.
    motion : (size,) array
        As `kinematics` leaves it; receives the sums of forces.
    tree : Tree
        The mechanism.
    data : array
        Constants of its bodies.
    gravity : Vector
        Acceleration of gravity in the world's axes [m/s^2].
    """
    axes, wrenches = axes_of(tree), wrenches_of(tree)
    for i in range(wrenches, wrenches + tree.n_frames * WRENCH_SIZE):
        motion[i] = 0.0
    for step in range(1, tree.n_frames):
        frame = tree.n_frames - step
        own, total, inner = (
            frame * FRAME_SIZE,
            wrenches + frame * WRENCH_SIZE,
            wrenches + tree.parent[frame] * WRENCH_SIZE,
        )
        if tree.heavy[frame]:
            _add_inertia_force(motion, data, gravity, own, total, frame * BODY_SIZE)
        force, torque = vector_at(motion, total + FORCE), vector_at(motion, total + TORQUE)
        along = force if tree.kind[frame] == PRISMATIC else torque
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            forces[j] = dot(vector_at(motion, axes + 3 * j), along)
        put(motion, inner + FORCE, plus(vector_at(motion, inner + FORCE), force))
        moved = plus(torque, cross(vector_at(motion, own + LINK), force))
        put(motion, inner + TORQUE, plus(vector_at(motion, inner + TORQUE), moved))


def _add_inertia_force(motion, data, gravity, own, total, constants):
    """Add the force and torque that the acceleration of a body takes, less its weight."""
    mass, reach = data[constants + MASS], vector_at(motion, own + REACH)
    force = times(mass, minus(acceleration_at(motion, own, reach), gravity))
    axes = rotation_at(motion, own + AXES)
    spin = components(axes, vector_at(motion, own + SPIN))
    spin_rate = components(axes, vector_at(motion, own + SPIN_RATE))
    inertia = constants + INERTIA
    change = plus(tensor_times(data, inertia, spin_rate), cross(spin, tensor_times(data, inertia, spin)))
    put(motion, total + FORCE, plus(vector_at(motion, total + FORCE), force))
    torque = plus(rotate(axes, change), cross(reach, force))
    put(motion, total + TORQUE, plus(vector_at(motion, total + TORQUE), torque))


def add_force(forces, motion, tree, frame, arm, force, torque):
    """Add a force and a torque on a body to the generalised forces.

    Parameters
    ----------
    forces : (n_speeds,) array
        What it is added to [N or N m].
    motion : (size,) array
        As `kinematics` leaves it.
    tree : Tree
        The mechanism.
    frame : int
        The body; 0 is the world, to which nothing happens.
    arm : Vector
        From the body's origin to the point where the force acts, in the world's axes [m].
    force, torque : Vector
        In the world's axes [N, N m].
    """
    axes = axes_of(tree)
    push, moved = plus(force, ZERO), plus(torque, cross(arm, force))
    while frame > 0:
        along = push if tree.kind[frame] == PRISMATIC else moved
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            forces[j] += dot(vector_at(motion, axes + 3 * j), along)
        moved = plus(moved, cross(vector_at(motion, frame * FRAME_SIZE + LINK), force))
        frame = tree.parent[frame]


def kinetic_energy(motion, tree, data):
    """Return the kinetic energy of all bodies and of the motors' rotors [J]."""
    energy = 0.0
    for frame in range(1, tree.n_frames):
        if tree.kind[frame] == REVOLUTE or tree.kind[frame] == PRISMATIC:
            rate = joint_rate(motion, tree, frame)
            energy += 0.5 * data[springs_of(tree) + tree.speed[frame] * SPRING_SIZE + ARMATURE] * rate * rate
        own, constants = frame * FRAME_SIZE, frame * BODY_SIZE
        velocity = velocity_at(motion, own, vector_at(motion, own + REACH))
        spin = components(rotation_at(motion, own + AXES), vector_at(motion, own + SPIN))
        turning = dot(spin, tensor_times(data, constants + INERTIA, spin))
        energy += 0.5 * (data[constants + MASS] * dot(velocity, velocity) + turning)
    return energy


def joint_rate(motion, tree, frame):
    """Return the speed of a revolute or prismatic joint."""
    own, parent = frame * FRAME_SIZE, tree.parent[frame] * FRAME_SIZE
    relative = minus(vector_at(motion, own + SPIN), vector_at(motion, parent + SPIN))
    if tree.kind[frame] == PRISMATIC:
        carried = velocity_at(motion, parent, vector_at(motion, own + LINK))
        relative = minus(vector_at(motion, own + VELOCITY), carried)
    return dot(vector_at(motion, axes_of(tree) + 3 * tree.speed[frame]), relative)


def potential_energy(motion, tree, data, gravity):
    """Return the potential energy of all weights, zero at the origin of the world [J]."""
    energy = 0.0
    for frame in range(1, tree.n_frames):
        centre = plus(vector_at(motion, frame * FRAME_SIZE + ORIGIN), vector_at(motion, frame * FRAME_SIZE + REACH))
        energy -= data[frame * BODY_SIZE + MASS] * dot(centre, gravity)
    return energy


def momentum(motion, tree, data):
    """Return the momentum of all bodies [kg m/s]."""
    total = Vector(0.0, 0.0, 0.0)
    for frame in range(1, tree.n_frames):
        own = frame * FRAME_SIZE
        velocity = velocity_at(motion, own, vector_at(motion, own + REACH))
        total = plus(total, times(data[frame * BODY_SIZE + MASS], velocity))
    return total


def angular_momentum(motion, tree, data, point):
    """Return the angular momentum of all bodies about a point of the world [kg m^2/s]."""
    total = Vector(0.0, 0.0, 0.0)
    for frame in range(1, tree.n_frames):
        own = frame * FRAME_SIZE
        total = plus(total, body_angular_momentum(motion, data, frame, minus(vector_at(motion, own + ORIGIN), point)))
    return total


def body_angular_momentum(motion, data, frame, arm):
    """Return the angular momentum of one body about the point `arm` before its origin [kg m^2/s]."""
    own, constants = frame * FRAME_SIZE, frame * BODY_SIZE
    reach, axes = vector_at(motion, own + REACH), rotation_at(motion, own + AXES)
    spin = components(axes, vector_at(motion, own + SPIN))
    turning = rotate(axes, tensor_times(data, constants + INERTIA, spin))
    carried = times(data[constants + MASS], velocity_at(motion, own, reach))
    return plus(turning, cross(plus(arm, reach), carried))


def centre_of_mass(motion, tree, data):
    """Return the position of the centre of mass of all bodies [m]."""
    total, moment = 0.0, Vector(0.0, 0.0, 0.0)
    for frame in range(1, tree.n_frames):
        centre = plus(vector_at(motion, frame * FRAME_SIZE + ORIGIN), vector_at(motion, frame * FRAME_SIZE + REACH))
        total += data[frame * BODY_SIZE + MASS]
        moment = plus(moment, times(data[frame * BODY_SIZE + MASS], centre))
    return times(1.0 / total, moment)


def centre_of_mass_jacobian(jacobian, motion, tree):
    """Find the partial velocities of the centre of mass.

    Parameters
    ----------
    jacobian : (3 * n_speeds,) array
        Receives rows x, y, z: the velocity is jacobian u.
    motion : (size,) array
        As `mass_matrix` or `add_masses` leaves it.
    tree : Tree
        The mechanism.
    """
    n, axes, sums = tree.n_speeds, axes_of(tree), sums_of(tree)
    per_mass = 1.0 / motion[sums + TOTAL_MASS]
    for frame in range(1, tree.n_frames):
        total = sums + frame * SUM_SIZE
        for j in range(tree.speed[frame], tree.speed[frame] + speeds_of(tree, frame)):
            axis = vector_at(motion, axes + 3 * j)
            if tree.kind[frame] == PRISMATIC:
                moved = times(motion[total + TOTAL_MASS], axis)
            else:
                moved = cross(axis, vector_at(motion, total + MOMENT))
            jacobian[j], jacobian[n + j] = per_mass * moved.x, per_mass * moved.y
            jacobian[2 * n + j] = per_mass * moved.z

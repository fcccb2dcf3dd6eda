"""Where the bodies of a mechanism are and how they move, from its coordinates and speeds.

The frames are visited from the world outwards. Positions are kept as the links from one origin to the next, so that
no digit of a mass matrix is lost far from the origin of the world (Kane and Levinson 1985, sections 2.1 to 2.8, whose
partial velocities are the directions `axis` and their products with these links).
"""

from .tree import (
    ACCELERATION,
    AXES,
    AXIS,
    BODY_SIZE,
    CENTRE,
    FRAME_SIZE,
    LINK,
    ORIGIN,
    PLACE,
    PRISMATIC,
    REACH,
    REVOLUTE,
    SPHERICAL,
    SPIN,
    SPIN_RATE,
    TURN,
    VELOCITY,
    axes_of,
)
from .vectors import (
    IDENTITY,
    ZERO,
    Vector,
    after,
    cross,
    plus,
    put,
    put_rotation,
    rotate,
    rotation_at,
    rotation_of_quaternion,
    times,
    turn_about,
    vector_at,
)


def kinematics(motion, tree, data, q, u):
    """Find positions, velocities and the accelerations without rates of the speeds.

    Parameters
    ----------
    motion : (size,) array
        Receives what `tree.py` lists for each frame.
    tree : Tree
        The mechanism.
    data : array
        Constants of its bodies.
    q, u : arrays
        Coordinates and speeds.
    """
    put_rotation(motion, AXES, IDENTITY)
    for i in (ORIGIN, LINK, SPIN, VELOCITY, SPIN_RATE, ACCELERATION, REACH):
        put(motion, i, ZERO)
    for frame in range(1, tree.n_frames):
        _move_with_parent(motion, tree, data, frame)
        if tree.kind[frame] == REVOLUTE:
            _turn(motion, tree, data, q, u, frame)
        elif tree.kind[frame] == PRISMATIC:
            _slide(motion, tree, data, q, u, frame)
        elif tree.kind[frame] == SPHERICAL:
            _turn_in_all_directions(motion, tree, q, u, frame)
        _move_origin(motion, tree, data, frame)


def positions(motion, tree, data, q):
    """Find origins and axes alone, as pictures need them; other entries of `motion` are left as they are.

    Parameters
    ----------
    motion, tree, data, q
        As those of `kinematics`.
    """
    put_rotation(motion, AXES, IDENTITY)
    put(motion, ORIGIN, ZERO)
    for frame in range(1, tree.n_frames):
        parent, constants, i = tree.parent[frame] * FRAME_SIZE, frame * BODY_SIZE, tree.coordinate[frame]
        axes = rotation_at(motion, parent + AXES)
        origin = plus(vector_at(motion, parent + ORIGIN), rotate(axes, vector_at(data, constants + PLACE)))
        if tree.turned[frame]:
            axes = after(axes, rotation_at(data, constants + TURN))
        if tree.kind[frame] == REVOLUTE:
            axes = turn_about(axes, vector_at(data, constants + AXIS), q[i])
        elif tree.kind[frame] == PRISMATIC:
            origin = plus(origin, times(q[i], rotate(axes, vector_at(data, constants + AXIS))))
        elif tree.kind[frame] == SPHERICAL:
            axes = after(axes, rotation_of_quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]))
        put(motion, frame * FRAME_SIZE + ORIGIN, origin)
        put_rotation(motion, frame * FRAME_SIZE + AXES, axes)


def _move_with_parent(motion, tree, data, frame):
    """The joint's frame as if it were fixed to the parent."""
    own, parent, constants = frame * FRAME_SIZE, tree.parent[frame] * FRAME_SIZE, frame * BODY_SIZE
    axes = rotation_at(motion, parent + AXES)
    put(motion, own + LINK, rotate(axes, vector_at(data, constants + PLACE)))
    if tree.turned[frame]:
        axes = after(axes, rotation_at(data, constants + TURN))
    put_rotation(motion, own + AXES, axes)
    put(motion, own + SPIN, vector_at(motion, parent + SPIN))
    put(motion, own + SPIN_RATE, vector_at(motion, parent + SPIN_RATE))
    put(motion, own + VELOCITY, ZERO)
    put(motion, own + ACCELERATION, ZERO)


def _turn(motion, tree, data, q, u, frame):
    """A revolute joint: the body turns about the axis."""
    own, speed = frame * FRAME_SIZE, tree.speed[frame]
    axes = rotation_at(motion, own + AXES)
    direction = vector_at(data, frame * BODY_SIZE + AXIS)
    axis = rotate(axes, direction)
    put(motion, axes_of(tree) + 3 * speed, axis)
    put_rotation(motion, own + AXES, turn_about(axes, direction, q[tree.coordinate[frame]]))
    _add_spin(motion, own, times(u[speed], axis))


def _turn_in_all_directions(motion, tree, q, u, frame):
    """A spherical joint: its three directions are the axes of the body."""
    own, speed, i = frame * FRAME_SIZE, tree.speed[frame], tree.coordinate[frame]
    axes = after(rotation_at(motion, own + AXES), rotation_of_quaternion(q[i], q[i + 1], q[i + 2], q[i + 3]))
    put_rotation(motion, axes_of(tree) + 3 * speed, axes)
    put_rotation(motion, own + AXES, axes)
    _add_spin(motion, own, rotate(axes, Vector(u[speed], u[speed + 1], u[speed + 2])))


def _add_spin(motion, own, relative):
    """Add a relative angular velocity that the body carries along, and the acceleration that this makes."""
    spin = vector_at(motion, own + SPIN)
    put(motion, own + SPIN_RATE, plus(vector_at(motion, own + SPIN_RATE), cross(spin, relative)))
    put(motion, own + SPIN, plus(spin, relative))


def _slide(motion, tree, data, q, u, frame):
    """A prismatic joint: the link grows along the axis."""
    own, speed = frame * FRAME_SIZE, tree.speed[frame]
    axis = rotate(rotation_at(motion, own + AXES), vector_at(data, frame * BODY_SIZE + AXIS))
    put(motion, axes_of(tree) + 3 * speed, axis)
    relative = times(u[speed], axis)
    put(motion, own + LINK, plus(vector_at(motion, own + LINK), times(q[tree.coordinate[frame]], axis)))
    put(motion, own + VELOCITY, relative)
    put(motion, own + ACCELERATION, times(2.0, cross(vector_at(motion, own + SPIN), relative)))


def _move_origin(motion, tree, data, frame):
    """Position, velocity and acceleration of the origin, beyond what the joint has added to them."""
    own, parent = frame * FRAME_SIZE, tree.parent[frame] * FRAME_SIZE
    link = vector_at(motion, own + LINK)
    put(motion, own + ORIGIN, plus(vector_at(motion, parent + ORIGIN), link))
    carried = plus(vector_at(motion, parent + VELOCITY), cross(vector_at(motion, parent + SPIN), link))
    put(motion, own + VELOCITY, plus(carried, vector_at(motion, own + VELOCITY)))
    pushed = plus(vector_at(motion, own + ACCELERATION), acceleration_at(motion, parent, link))
    put(motion, own + ACCELERATION, pushed)
    put(motion, own + REACH, rotate(rotation_at(motion, own + AXES), vector_at(data, frame * BODY_SIZE + CENTRE)))


def acceleration_at(motion, own, arm):
    """Return the acceleration of a point of a body, at `arm` from its origin; `own` is where its numbers begin."""
    spin = vector_at(motion, own + SPIN)
    swing = plus(cross(vector_at(motion, own + SPIN_RATE), arm), cross(spin, cross(spin, arm)))
    return plus(vector_at(motion, own + ACCELERATION), swing)


def velocity_at(motion, own, arm):
    """Return the velocity of a point of a body, at `arm` from its origin; `own` is where its numbers begin."""
    return plus(vector_at(motion, own + VELOCITY), cross(vector_at(motion, own + SPIN), arm))


def point_of(motion, frame, point):
    """Return the position in the world of a point that is given in the frame of a body."""
    own = frame * FRAME_SIZE
    return plus(vector_at(motion, own + ORIGIN), rotate(rotation_at(motion, own + AXES), point))


def velocity_of(motion, frame, point):
    """Return the velocity in the world of a point that is given in the frame of a body [m/s]."""
    return velocity_at(motion, frame * FRAME_SIZE, arm_of(motion, frame, point))


def spin_of(motion, frame):
    """Return the angular velocity of a body in the axes of the world [rad/s]."""
    return vector_at(motion, frame * FRAME_SIZE + SPIN)


def rotation_of(motion, frame):
    """Return the `Rotation` of a body: its axes, in those of the world."""
    return rotation_at(motion, frame * FRAME_SIZE + AXES)


def arm_of(motion, frame, point):
    """Return the vector from the origin of a body to a point given in its frame, in the axes of the world."""
    return rotate(rotation_at(motion, frame * FRAME_SIZE + AXES), point)


def coordinate_rates(qdot, tree, q, u):
    """Find the rates of the coordinates: the speeds, or what they make of a quaternion.

    Parameters
    ----------
    qdot : array
        Receives the rates.
    tree : Tree
        The mechanism.
    q, u : arrays
        Coordinates and speeds.
    """
    for frame in range(1, tree.n_frames):
        i, j = tree.coordinate[frame], tree.speed[frame]
        if tree.kind[frame] == SPHERICAL:
            wx, wy, wz = 0.5 * u[j], 0.5 * u[j + 1], 0.5 * u[j + 2]
            qdot[i] = -wx * q[i + 1] - wy * q[i + 2] - wz * q[i + 3]
            qdot[i + 1] = wx * q[i] + wz * q[i + 2] - wy * q[i + 3]
            qdot[i + 2] = wy * q[i] + wx * q[i + 3] - wz * q[i + 1]
            qdot[i + 3] = wz * q[i] + wy * q[i + 1] - wx * q[i + 2]
        elif tree.kind[frame] == REVOLUTE or tree.kind[frame] == PRISMATIC:
            qdot[i] = u[j]

"""Vectors of three numbers and rotation matrices, as compiled functions use them."""

import math
from typing import NamedTuple


class Vector(NamedTuple):
    """Three components."""

    x: float
    y: float
    z: float


class Rotation(NamedTuple):
    """A rotation matrix by its columns: the axes of a body, in the frame that it is seen from."""

    x: Vector
    y: Vector
    z: Vector


ZERO = Vector(0.0, 0.0, 0.0)
UNIT_X, UNIT_Y, UNIT_Z = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0)
IDENTITY = Rotation(UNIT_X, UNIT_Y, UNIT_Z)


def vector_at(values, first):
    """Read the vector whose components begin at an index of an array."""
    return Vector(values[first], values[first + 1], values[first + 2])


def put(values, first, a):
    """Write the vector a into an array, from an index on."""
    values[first], values[first + 1], values[first + 2] = a.x, a.y, a.z


def rotation_at(values, first):
    """Read the rotation whose nine numbers, column by column, begin at an index of an array."""
    return Rotation(vector_at(values, first), vector_at(values, first + 3), vector_at(values, first + 6))


def put_rotation(values, first, turn):
    """Write a rotation into an array, column by column, from an index on."""
    put(values, first, turn.x)
    put(values, first + 3, turn.y)
    put(values, first + 6, turn.z)


def plus(a, b):
    """Return a + b."""
    return Vector(a.x + b.x, a.y + b.y, a.z + b.z)


def minus(a, b):
    """Return a - b."""
    return Vector(a.x - b.x, a.y - b.y, a.z - b.z)


def times(factor, a):
    """Return the vector a multiplied by a number."""
    return Vector(factor * a.x, factor * a.y, factor * a.z)


def dot(a, b):
    """Return the scalar product of a and b."""
    return a.x * b.x + a.y * b.y + a.z * b.z


def cross(a, b):
    """Return the vector product of a and b."""
    return Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


def length_of(a):
    """Return the length of a."""
    return math.sqrt(dot(a, a))


def rotate(turn, a):
    """Return the vector with components a along a body's axes, in the frame that the body is seen from."""
    return Vector(
        turn.x.x * a.x + turn.y.x * a.y + turn.z.x * a.z,
        turn.x.y * a.x + turn.y.y * a.y + turn.z.y * a.z,
        turn.x.z * a.x + turn.y.z * a.y + turn.z.z * a.z,
    )


def components(turn, a):
    """Return the components of a along a body's axes: the inverse of `rotate`."""
    return Vector(dot(turn.x, a), dot(turn.y, a), dot(turn.z, a))


def after(turn, second):
    """Return the product of two rotations: the second one is seen from the body that the first one turns."""
    return Rotation(rotate(turn, second.x), rotate(turn, second.y), rotate(turn, second.z))


def turn_about(turn, axis, angle):
    """Return the rotation `turn`, followed by a rotation about the unit vector `axis` of the turned body."""
    sine, cosine = math.sin(angle), math.cos(angle)
    if abs(axis.y) == 1.0:
        sine = axis.y * sine
        return Rotation(
            minus(times(cosine, turn.x), times(sine, turn.z)),
            turn.y,
            plus(times(sine, turn.x), times(cosine, turn.z)),
        )
    if abs(axis.x) == 1.0:
        sine = axis.x * sine
        return Rotation(
            turn.x,
            plus(times(cosine, turn.y), times(sine, turn.z)),
            minus(times(cosine, turn.z), times(sine, turn.y)),
        )
    if abs(axis.z) == 1.0:
        sine = axis.z * sine
        return Rotation(
            plus(times(cosine, turn.x), times(sine, turn.y)),
            minus(times(cosine, turn.y), times(sine, turn.x)),
            turn.z,
        )
    return after(turn, rotation_about(axis, sine, cosine))


def rotation_about(axis, sine, cosine):
    """Return the rotation about a unit vector by an angle, given by its sine and cosine (Rodrigues)."""
    along = times(1.0 - cosine, axis)
    return Rotation(
        Vector(along.x * axis.x + cosine, along.x * axis.y + sine * axis.z, along.x * axis.z - sine * axis.y),
        Vector(along.y * axis.x - sine * axis.z, along.y * axis.y + cosine, along.y * axis.z + sine * axis.x),
        Vector(along.z * axis.x + sine * axis.y, along.z * axis.y - sine * axis.x, along.z * axis.z + cosine),
    )


def rotation_of_quaternion(w, x, y, z):
    """Return the rotation of a quaternion of any length but 0, where it is nan, the real part first."""
    scale = 2.0 / (w * w + x * x + y * y + z * z)
    return Rotation(
        Vector(1.0 - scale * (y * y + z * z), scale * (x * y + w * z), scale * (x * z - w * y)),
        Vector(scale * (x * y - w * z), 1.0 - scale * (x * x + z * z), scale * (y * z + w * x)),
        Vector(scale * (x * z + w * y), scale * (y * z - w * x), 1.0 - scale * (x * x + y * y)),
    )

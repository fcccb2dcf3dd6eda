"""Vectors of three numbers, and rotations between the body's frame B and the world W."""

import math
from typing import NamedTuple


class Vector(NamedTuple):
    """Three components, in B or W, as documented for each function."""

    x: float
    y: float
    z: float


class Rotation(NamedTuple):
    """The rotation matrix R from B to W, by its rows: the axes of W, seen in B."""

    x: Vector
    y: Vector
    z: Vector


ZERO = Vector(0.0, 0.0, 0.0)


def vector_at(values, first):
    """Read the vector whose components begin at an index of an array."""
    return Vector(values[first], values[first + 1], values[first + 2])


def put(values, first, a):
    """Write the vector a into an array, from an index on."""
    values[first], values[first + 1], values[first + 2] = a.x, a.y, a.z


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


def norm(a):
    """Return the length of a."""
    return math.sqrt(dot(a, a))


def to_world(rotation, a):
    """Return R a, the components in W of a vector a in B."""
    return Vector(dot(rotation.x, a), dot(rotation.y, a), dot(rotation.z, a))


def to_body(rotation, a):
    """Return R^T a, the components in B of a vector a in W."""
    return plus(plus(times(a.x, rotation.x), times(a.y, rotation.y)), times(a.z, rotation.z))

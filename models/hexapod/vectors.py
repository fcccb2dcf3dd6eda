"""Rotations between the body's frame B and the world W; vectors are those of `hybridsim.multibody`."""

from typing import NamedTuple

from hybridsim.multibody.vectors import ZERO, Vector, cross, dot, length_of, minus, plus, put, times, vector_at

__all__ = [
    "ZERO",
    "Rotation",
    "Vector",
    "cross",
    "dot",
    "length_of",
    "minus",
    "plus",
    "put",
    "times",
    "to_body",
    "to_world",
    "vector_at",
]


class Rotation(NamedTuple):
    """The rotation matrix R from B to W, by its rows: the axes of W, seen in B."""

    x: Vector
    y: Vector
    z: Vector


def to_world(rotation, a):
    """Return R a, the components in W of a vector a in B."""
    return Vector(dot(rotation.x, a), dot(rotation.y, a), dot(rotation.z, a))


def to_body(rotation, a):
    """Return R^T a, the components in B of a vector a in W."""
    return plus(plus(times(a.x, rotation.x), times(a.y, rotation.y)), times(a.z, rotation.z))

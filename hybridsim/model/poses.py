"""Poses of bodies: homogeneous transforms (4, 4) from a body's frame to the world, lengths in metres."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from hybridsim.typing import FloatArray

Vector = Sequence[float] | FloatArray
"""Three numbers."""

HIDDEN: FloatArray = np.zeros((4, 4))
"""The pose of a body that is not shown."""
HIDDEN.flags.writeable = False

ORTHOGONALITY_TOLERANCE = 1e-9
"""Largest accepted cosine between two axes of a pose."""


def identity_poses(n: int) -> FloatArray:
    """Return the n identities (n, 4, 4) that `poses` receives as T."""
    poses = np.zeros((n, 4, 4))
    poses[:, (0, 1, 2, 3), (0, 1, 2, 3)] = 1.0
    return poses


def placed(position: Vector, rotation: FloatArray | None = None, scale: float | Vector = 1.0) -> FloatArray:
    """Place a body in the world.

    Parameters
    ----------
    position : (3,) array_like
        Where the origin of its frame is, in the world [m].
    rotation : (3, 3) array, optional
        The rotation from its frame to the world, `turn(axis, angle)` for instance; none if omitted.
    scale : float or (3,) array_like
        The factor by which it is stretched, in all directions or along its own x, y and z.

    Returns
    -------
    (4, 4) array
        Its pose.
    """
    pose = np.zeros((4, 4))
    pose[0, 0] = pose[1, 1] = pose[2, 2] = pose[3, 3] = 1.0
    if rotation is not None:
        pose[:3, :3] = rotation
    if not (isinstance(scale, float) and scale == 1.0):
        pose[:3, :3] *= scale
    pose[0, 3], pose[1, 3], pose[2, 3] = position
    return pose


def turn(axis: Vector, angle: float) -> FloatArray:
    """Rotate about an axis, by Rodrigues' formula.

    Parameters
    ----------
    axis : (3,) array_like
        The direction of the axis, of any length but 0.
    angle : float
        The angle, right-handed about the axis [rad].

    Returns
    -------
    (3, 3) array
        The rotation matrix.

    Raises
    ------
    ValueError
        If the axis is not made of three numbers.
    """
    if len(axis) != 3:
        raise ValueError(f"turn: expected an axis of three numbers, found {axis!r}; write turn((0.0, 1.0, 0.0), angle)")
    x, y, z = (float(part) for part in axis)
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    c, s = math.cos(angle), math.sin(angle)
    d = 1.0 - c
    return np.array(
        [
            [c + d * x * x, d * x * y - s * z, d * x * z + s * y],
            [d * x * y + s * z, c + d * y * y, d * y * z - s * x],
            [d * x * z - s * y, d * y * z + s * x, c + d * z * z],
        ]
    )


def between(a: Vector, b: Vector) -> FloatArray:
    """Stretch a body along its z axis from one point to another.

    Its widths along x and y are kept, and its y axis is as near to the world's y axis as possible, so that the bodies
    of a planar model do not spin.

    Parameters
    ----------
    a, b : (3,) array_like
        Where the points 0 and 1 of its z axis are, in the world [m].

    Returns
    -------
    (4, 4) array
        Its pose; HIDDEN where the two points are the same.
    """
    ax, ay, az = (float(part) for part in a)
    dx, dy, dz = float(b[0]) - ax, float(b[1]) - ay, float(b[2]) - az
    length = math.sqrt(dx * dx + dy * dy + dz * dz)
    if length == 0.0:
        return HIDDEN
    ex, ey, ez = dx / length, dy / length, dz / length
    across = math.sqrt(ex * ex + ez * ez)
    # The body's x axis is y_world x e, normalised; along y_world, any perpendicular direction serves.
    xx, xz = (ez / across, -ex / across) if across > ORTHOGONALITY_TOLERANCE else (1.0, 0.0)
    return np.array(
        [
            [xx, ey * xz, dx, ax],
            [0.0, ez * xx - ex * xz, dy, ay],
            [xz, -ey * xx, dz, az],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def is_transform_of_a_body(pose: FloatArray) -> bool:
    """Return whether a pose turns, moves and stretches along the body's axes, and does not shear, mirror or flatten."""
    axes, below = pose[:3, :3], pose[3]
    lengths = np.sqrt((axes * axes).sum(axis=0))
    if not lengths.all() or (below != (0.0, 0.0, 0.0, 1.0)).any():
        return False
    rotation = axes / lengths
    cosines = np.abs(rotation.T @ rotation - np.eye(3))
    return bool(cosines.max() < ORTHOGONALITY_TOLERANCE and np.linalg.det(rotation) > 0.0)

"""The equations that close a planar linkage: rows of its joints, and the motion of the limb that it is worn on.

A pose is where the origin of the drawing is on a body, x and z [m], and how far the body is turned, from z to x [rad].
"""

from __future__ import annotations

import numpy as np

from hybridsim.multibody.linkage_graphs import Edges
from hybridsim.typing import FloatArray


def closure_rows(edges: Edges, places: FloatArray, bodies: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the rows of joints (n, 2 n_joints, 3 n_bodies) and the gaps in them (n, 2 n_joints)."""
    rows = np.zeros((len(bodies), len(edges), 2, bodies.shape[1], 3))
    gaps = np.zeros((len(bodies), len(edges), 2))
    for number, (edge, place) in enumerate(zip(edges, places, strict=True)):
        for body, sign in zip(edge, (1.0, -1.0), strict=True):
            point = _points(bodies[:, body], place)
            arm = point - bodies[:, body, :2]
            gaps[:, number] += sign * point
            rows[:, number, (0, 1), body, (0, 1)] = sign
            rows[:, number, 0, body, 2], rows[:, number, 1, body, 2] = sign * arm[:, 1], -sign * arm[:, 0]
    return rows.reshape(len(bodies), 2 * len(edges), -1), gaps.reshape(len(bodies), -1)


def limb_bodies(angles: FloatArray, places: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the poses of the limb's bodies, (n, n_limb, 3): each turns about its joint in the one before."""
    bodies = np.zeros((len(angles), len(places) + 1, 3))
    for k, place in enumerate(places):
        pin = _points(bodies[:, k], place)
        bodies[:, k + 1, 2] = bodies[:, k, 2] + signs[k] * angles[:, k]
        bodies[:, k + 1, :2] = pin - _points(bodies[:, k + 1], place)
    return bodies


def limb_rates(bodies: FloatArray, places: FloatArray, signs: FloatArray) -> FloatArray:
    """Return the rates of the limb's bodies per rates of its joints, (n, 3 n_limb, n_limb_joints)."""
    rates = np.zeros((*bodies.shape, len(places)))
    for k, place in enumerate(places):
        x, z = np.moveaxis(_points(bodies[:, k], place), -1, 0)
        for body in range(k + 1, bodies.shape[1]):
            dx, dz = np.moveaxis(bodies[:, body, :2], -1, 0) - (x, z)
            rates[:, body, :, k] = signs[k] * np.stack([dz, -dx, np.ones_like(x)], axis=-1)
    return rates.reshape(len(bodies), -1, len(places))


def _points(poses: FloatArray, place: FloatArray) -> FloatArray:
    """Return where a place of the drawing is on bodies with these poses (n, 3)."""
    cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    turned = np.stack([cos * place[0] + sin * place[1], -sin * place[0] + cos * place[1]], axis=-1)
    found: FloatArray = poses[:, :2] + turned
    return found


def determinants(matrices: FloatArray) -> FloatArray:
    """Return the determinants (n,), 0 where a matrix is not finite."""
    finite = np.isfinite(matrices).all(axis=(1, 2), keepdims=True)
    return np.asarray(np.linalg.det(np.where(finite, matrices, 0.0)), float)


def solved(matrices: FloatArray, right: FloatArray) -> FloatArray:
    """Return the solutions; nan where a matrix is singular."""
    singular = determinants(matrices) == 0.0
    regular = np.where(singular[:, None, None], np.eye(matrices.shape[-1]), matrices)
    found = np.asarray(np.linalg.solve(regular, right), float)
    found[singular] = np.nan
    return found

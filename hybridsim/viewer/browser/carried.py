"""Bodies that move with another one, such as motors with a hull: their poses follow from those of the other body."""

from __future__ import annotations

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.viewer.browser.sampling import POSITION, QUATERNION, SCALE

FURTHEST = 1.5
"""How far from its carrier a body may be, in the carrier's own reach: the carrier's rotation is right only that far."""


def find_carriers(poses: FloatArray, tolerances: FloatArray, reaches: FloatArray) -> dict[int, tuple[int, FloatArray]]:
    """Return for each body that is carried the body that carries it, and its pose (10,) in the axes of that body.

    Parameters
    ----------
    poses : (n, n_bodies, 10) array
        Key poses.
    tolerances : (n_bodies, 10) array
        By how much each number may be wrong.
    reaches : (n_bodies,) array
        How far each body reaches from its origin [m].
    """
    carried: dict[int, tuple[int, FloatArray]] = {}
    shown = (poses[:, :, 9] != 0.0).all(axis=0)
    varying = np.ptp(poses[:, :, :7], axis=0).max(axis=1, initial=0.0) > 0.0
    carriers: list[int] = []
    for body in np.flatnonzero(shown & varying).tolist():
        relative = _seen_from(poses[:, carriers], poses[:, body, None])
        misplaced = (np.abs(relative - relative[0]) / (0.5 * tolerances[body])).max(axis=(0, 2))
        far = np.linalg.norm(relative[0, :, POSITION], axis=1) / (FURTHEST * reaches[carriers])
        found = np.flatnonzero((misplaced < 1.0) & (far < 1.0))
        if len(found):
            carried[body] = carriers[found[0]], relative[0, found[0]]
        else:
            carriers.append(body)
    return carried


def _seen_from(carriers: FloatArray, poses: FloatArray) -> FloatArray:
    """Return poses (n, 1, 10) in the axes of carriers (n, n_carriers, 10)."""
    back = carriers[..., QUATERNION] * (1.0, -1.0, -1.0, -1.0)
    away = np.insert(poses[..., POSITION] - carriers[..., POSITION], 0, 0.0, axis=2)
    place = _product(_product(back, away), carriers[..., QUATERNION])[..., 1:]
    turned = _product(back, poses[..., QUATERNION])
    turned *= np.where((turned * turned[0]).sum(axis=2) < 0.0, -1.0, 1.0)[..., None]
    return np.concatenate([place, turned, np.broadcast_to(poses[..., SCALE], place.shape)], axis=2)


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the products of quaternions (..., 4)."""
    (w, x, y, z), (p, q, r, s) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    parts = (
        w * p - x * q - y * r - z * s,
        w * q + p * x + y * s - z * r,
        w * r + p * y + z * q - x * s,
        w * s + p * z + x * r - y * q,
    )
    return np.stack(parts, axis=-1)

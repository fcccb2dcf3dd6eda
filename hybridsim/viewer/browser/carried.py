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
        for carrier in carriers:
            relative = _seen_from(poses[:, carrier], poses[:, body])
            misplaced = np.abs(relative - relative[0]) / (0.5 * tolerances[body])
            if misplaced.max() < 1.0 and np.linalg.norm(relative[0, POSITION]) < FURTHEST * reaches[carrier]:
                carried[body] = carrier, relative[0]
                break
        else:
            carriers.append(body)
    return carried


def _seen_from(carrier: FloatArray, poses: FloatArray) -> FloatArray:
    """Return poses (n, 10) in the axes of a carrier's (n, 10)."""
    back = carrier[:, QUATERNION] * (1.0, -1.0, -1.0, -1.0)
    away = np.concatenate([np.zeros((len(poses), 1)), poses[:, POSITION] - carrier[:, POSITION]], axis=1)
    place = _product(_product(back, away), carrier[:, QUATERNION])[:, 1:]
    turned = _product(back, poses[:, QUATERNION])
    turned *= np.where((turned * turned[0]).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
    return np.concatenate([place, turned, poses[:, SCALE]], axis=1)


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the products of quaternions (n, 4)."""
    w = a[:, 0] * b[:, 0] - (a[:, 1:] * b[:, 1:]).sum(axis=1)
    rest = a[:, :1] * b[:, 1:] + b[:, :1] * a[:, 1:] + np.cross(a[:, 1:], b[:, 1:])
    return np.concatenate([w[:, None], rest], axis=1)

"""Bodies that move with another one, such as motors with a hull: their poses follow from those of the other body."""

from __future__ import annotations

import numpy as np

from hybridsim.typing import FloatArray, IntArray
from hybridsim.viewer.browser.keys import POSITION, QUATERNION, SCALE

FURTHEST = 1.5
"""How far from its carrier a body may be, in the carrier's own reach: the carrier's rotation is right only that far."""
SEARCH_EVERY = 32
"""Number of pieces from one search among all pairs of bodies to the next."""


class Carriers:
    """Finds the bodies that are carried, piece after piece of a run.

    Between two searches, those found before are only confirmed.

    Parameters
    ----------
    reaches : (n_bodies,) array
        How far each body reaches from its origin [m].
    """

    def __init__(self, reaches: FloatArray) -> None:
        self._reaches, self._known, self._n_pieces = reaches, dict[int, int](), 0

    def find(self, poses: FloatArray, tolerances: FloatArray) -> dict[int, tuple[int, FloatArray]]:
        """Return for each body that is carried the body that carries it, and its pose (10,) in the axes of that body.

        Parameters
        ----------
        poses : (n, n_bodies, 10) array
            Key poses.
        tolerances : (n_bodies, 10) array
            By how much each number may be wrong.
        """
        shown = (poses[:, :, 9] != 0.0).all(axis=0)
        moving = shown & (np.ptp(poses[:, :, :7], axis=0).max(axis=1, initial=0.0) > 0.0)
        searches, self._n_pieces = self._n_pieces % SEARCH_EVERY == 0, self._n_pieces + 1
        if not searches:
            pairs = [(body, carrier) for body, carrier in self._known.items() if moving[body] and moving[carrier]]
            return self._confirmed(poses, tolerances, *np.array(pairs, int).reshape(-1, 2).T)
        carried: dict[int, tuple[int, FloatArray]] = {}
        carriers = np.zeros(0, int)
        for body in np.flatnonzero(moving):
            found = self._confirmed(poses, tolerances, np.full(len(carriers), body), carriers)
            if not found:
                carriers = np.append(carriers, body)
            carried |= found
        self._known = {body: carrier for body, (carrier, _) in carried.items()}
        return carried

    def _confirmed(
        self, poses: FloatArray, tolerances: FloatArray, bodies: IntArray, carriers: IntArray
    ) -> dict[int, tuple[int, FloatArray]]:
        """Return those of these pairs that keep their distance, the first one for each body."""
        relative = _seen_from(poses[:, carriers], poses[:, bodies])
        misplaced = (np.abs(relative - relative[0]) / (0.5 * tolerances[bodies])).max(axis=(0, 2))
        far = np.linalg.norm(relative[0, :, POSITION], axis=1) / (FURTHEST * self._reaches[carriers])
        found = np.flatnonzero((misplaced < 1.0) & (far < 1.0))[::-1]
        return {int(bodies[i]): (int(carriers[i]), relative[0, i]) for i in found}


def _seen_from(carriers: FloatArray, poses: FloatArray) -> FloatArray:
    """Return poses (n, n_pairs, 10) in the axes of their carriers (n, n_pairs, 10)."""
    back = carriers[..., QUATERNION] * (1.0, -1.0, -1.0, -1.0)
    away = np.zeros(back.shape)
    away[..., 1:] = poses[..., POSITION] - carriers[..., POSITION]
    place = _product(_product(back, away), carriers[..., QUATERNION])[..., 1:]
    turned = _product(back, poses[..., QUATERNION])
    turned *= np.where((turned * turned[0]).sum(axis=2) < 0.0, -1.0, 1.0)[..., None]
    return np.concatenate([place, turned, np.broadcast_to(poses[..., SCALE], place.shape)], axis=2)


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the products of quaternions (..., 4)."""
    w, x, y, z, p, q, r, s = (some[..., i] for some in (a, b) for i in range(4))
    parts = (
        w * p - x * q - y * r - z * s,
        w * q + p * x + y * s - z * r,
        w * r + p * y + z * q - x * s,
        w * s + p * z + x * r - y * q,
    )
    return np.stack(parts, axis=-1)

"""The keys that each body needs: between these, the others are where interpolation puts it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray

MOST_AT_ONCE = 2**14
"""Most keys of all bodies together that are thinned at once."""


def needed(t: FloatArray, poses: FloatArray, tolerances: FloatArray) -> NDArray[np.bool_]:
    """Return which keys each body needs, (n_bodies, n): its others lie between these, within the tolerances.

    Of each body, every second key that is left is dropped where all that have been dropped around it stay within the
    tolerances, until none can be dropped. All bodies are looked at together: of a short piece, calls are what it costs.

    Parameters
    ----------
    t : (n,) array
        Times [s].
    poses : (n, n_bodies, 10) array
        Poses.
    tolerances : (n_bodies, 10) array
        By how much each number may be wrong.
    """
    varying = np.ptp(poses, axis=0) > 0.0
    kept = np.ones((len(varying), len(t)), bool)
    kept[:, 1:] = varying.any(axis=1)[:, None]
    moving = np.flatnonzero(kept[:, 1:].any(axis=1))
    for bodies in np.array_split(moving, math.ceil(len(moving) * len(t) / MOST_AT_ONCE) or 1):
        columns = varying[bodies].any(axis=0)
        scaled = np.ascontiguousarray((poses[:, bodies] / tolerances[bodies])[..., columns].swapaxes(0, 1))
        shown = poses[:, bodies, 9].T != 0.0
        kept[bodies] = _thinned(t, scaled, shown)
    return kept


def _thinned(t: FloatArray, scaled: FloatArray, shown: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which keys (n_bodies, n) are needed; poses (n_bodies, n, ...) are in tolerances."""
    turns, edge = shown[:, 1:] != shown[:, :-1], np.ones((len(shown), 1), bool)
    fixed = np.hstack([turns, edge]) | np.hstack([edge, turns])  # where it appears or vanishes, it does so at once
    kept, idle, parity = np.ones(shown.shape, bool), np.zeros(len(shown), int), 0
    while len(left := np.flatnonzero((idle < 2) & (kept.sum(axis=1) > 2))):
        here = kept[left]
        good = _droppable(t, scaled[left], fixed[left], here, parity)
        kept[left] = here & ~good
        few = good.sum(axis=1) <= 0.02 * kept[left].sum(axis=1)
        idle[left], parity = np.where(few, idle[left] + 1, 0), 1 - parity
    return kept


def _droppable(
    t: FloatArray, scaled: FloatArray, fixed: NDArray[np.bool_], kept: NDArray[np.bool_], parity: int
) -> NDArray[np.bool_]:
    """Return which of every second key that is kept can be dropped: all keys up to its neighbours lie between these."""
    n, rank = len(t), np.cumsum(kept, axis=1)
    candidates = kept & (rank % 2 == parity) & (rank > 1) & (rank < rank[:, -1:])
    nodes, numbers = kept & ~candidates, np.arange(n)
    low = np.maximum.accumulate(np.where(nodes, numbers, 0), axis=1)
    high = np.minimum.accumulate(np.where(nodes, numbers, n - 1)[:, ::-1], axis=1)[:, ::-1]
    width = t[high] - t[low]
    share = np.where(width > 0.0, (t - t[low]) / np.where(width > 0.0, width, 1.0), 0.0)[..., None]
    body = np.arange(len(kept))[:, None]
    begin = scaled[body, low]
    error = np.abs(scaled - begin - share * (scaled[body, high] - begin)).max(axis=2)
    error[fixed & (low != numbers)] = np.inf
    worst = np.maximum.reduceat(error.ravel(), np.flatnonzero(nodes))[np.cumsum(nodes) - 1]
    return np.asarray(candidates & (worst.reshape(kept.shape) <= 1.0))

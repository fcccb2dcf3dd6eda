"""The keys that each body needs: between these, the others are where interpolation puts it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray

SHORTEST = 1e-200
"""Length of an interval between two keys at one time [s], by which one may divide any jump."""


def needed(t: FloatArray, poses: FloatArray, tolerances: FloatArray) -> NDArray[np.bool_]:
    """Return which keys each body needs, (n_bodies, n): its others lie between these, within the tolerances.

    Straight lines lead from each of them to the next, which is as far as those in between allow: each bounds the slope
    of the line. A body that does not move has its first key alone. All bodies are looked at together: of a short
    piece, calls are what it costs.

    Parameters
    ----------
    t : (n,) array
        Times [s]; of two keys at one time, the first is before a jump.
    poses : (n, n_bodies, 10) array
        Poses.
    tolerances : (n_bodies, 10) array
        By how much each number may be wrong.
    """
    varying = np.ptp(poses, axis=0) > 0.0
    moving = np.flatnonzero(varying.any(axis=1))
    kept = np.zeros((len(varying), len(t)), bool)
    kept[:, 0] = kept[moving, -1] = True
    scaled = (poses[:, moving] / tolerances[moving])[..., varying.any(axis=0)]
    kept[moving] |= _ends(t, scaled, _jumps(t, scaled, poses[:, moving, 9] != 0.0))
    return kept


def _jumps(t: FloatArray, scaled: FloatArray, shown: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return between which keys, (n - 1, n_bodies), a body appears, vanishes or jumps, for which both are needed."""
    leaps = np.abs(np.diff(scaled, axis=0)).max(axis=2, initial=0.0) > 1.0
    return np.asarray((shown[1:] != shown[:-1]) | (leaps & (np.diff(t) == 0.0)[:, None]))


def _ends(t: FloatArray, scaled: FloatArray, jumps: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return at which keys, (n_bodies, n), the straight lines begin and end; poses (n, n_bodies, ...) in tolerances."""
    ends = np.zeros(scaled.shape[1::-1], bool)
    starts, origins = np.full(len(ends), t[0]), scaled[0].copy()
    low, high = np.full(origins.shape, -np.inf), np.full(origins.shape, np.inf)

    def start(bodies: NDArray[np.intp], i: int) -> None:
        ends[bodies, i], starts[bodies], origins[bodies] = True, t[i], scaled[i, bodies]
        low[bodies], high[bodies] = -np.inf, np.inf

    def slopes(i: int) -> tuple[FloatArray, FloatArray]:
        width = np.maximum(t[i] - starts, SHORTEST)[:, None]
        return (scaled[i] - origins) / width, 1.0 / width

    for i, jump in enumerate(jumps, 1):
        slope, margin = slopes(i)
        bent = jump | ((slope < low) | (slope > high)).any(axis=1)
        if bent.any():
            start(np.flatnonzero(bent), i - 1)
            slope, margin = slopes(i)
        np.maximum(low, slope - margin, out=low)
        np.minimum(high, slope + margin, out=high)
        if jump.any():
            start(np.flatnonzero(jump), i)
    return ends

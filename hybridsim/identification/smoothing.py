"""Samples without their noise, from which a search begins: slopes of noisy states would be far from any motion."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded

from hybridsim.typing import FloatArray

DIFFERENCE = np.array([-1.0, 3.0, -3.0, 1.0])
"""The third difference of four samples, which is to be small."""

ONE = np.array([[0.0], [0.0], [0.0], [1.0]])
"""The bands of the unit matrix."""

FEWEST = 8
"""Samples below which nothing is smoothed."""

NOISY = 1e-4
"""Noise over the range of the samples from which on they are smoothed."""

STRENGTHS = 10.0 ** np.arange(-2.0, 10.0, 0.5)
"""How much differences may count against misfits."""


def smooth(samples: FloatArray) -> FloatArray:
    """Return a smooth curve at samples, which are taken for evenly spaced.

    It minimises its squared misfits and, times a strength, its squared third differences (Whittaker 1923). The strength
    is that of generalised cross-validation (Craven and Wahba 1979), increased until the score rises.

    Parameters
    ----------
    samples : (n,) array
        What was measured.
    """
    n, best, least = len(samples), samples, np.inf
    if n < FEWEST or _noise(samples) <= NOISY * np.ptp(samples):
        return samples
    bands = np.zeros((4, n))  # those of the squared differences' matrix, the diagonal last
    for off in range(4):
        bands[3 - off, off:] = np.convolve(np.ones(n - 3), DIFFERENCE[: 4 - off] * DIFFERENCE[off:])
    damping = (2.0 - 2.0 * np.cos(np.pi * (np.arange(n) + 0.5) / n)) ** 3
    for strength in STRENGTHS:
        curve = solveh_banded(strength * bands + ONE, samples)
        score = ((curve - samples) ** 2).mean() / (1.0 - (1.0 / (1.0 + strength * damping)).mean()) ** 2
        if score >= least:
            break
        best, least = curve, score
    return np.asarray(best)


def _noise(samples: FloatArray) -> float:
    """Return the standard deviation of the noise, as if third differences had nothing else in them."""
    return float(np.median(np.abs(np.diff(samples, 3))) / (0.6745 * np.linalg.norm(DIFFERENCE)))

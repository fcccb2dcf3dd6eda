"""The classic Runge-Kutta method with an error estimate by step doubling."""

from __future__ import annotations

from functools import cache

import numpy as np

from hybridsim.engine.methods.rk4 import CLASSIC_ROWS, CLASSIC_WEIGHTS
from hybridsim.engine.methods.tableau import Tableau, filled
from hybridsim.typing import FloatArray


@cache
def rk4_adaptive() -> Tableau:
    """Two half steps of the classic method, compared with one whole step (step doubling), as one tableau.

    Stages 0 to 3 make the whole step x_1, 0 and 4 to 6 the first half step, 7 to 10 the second, x_2. The solution is
    x_2, without extrapolation; its error is estimated as (x_2 - x_1) / 15 (Hairer, Norsett, Wanner: Solving ODEs I,
    1993, section II.4, after Richardson, 1911).

    Returns
    -------
    Tableau
        Eleven stages.
    """
    half = np.array([1.0, 2.0, 2.0, 1.0]) / 12.0
    a = np.zeros((12, 11))
    for i, row in enumerate(CLASSIC_ROWS):
        a[i, : len(row)] = row
    first, second = [0, 4, 5, 6], [7, 8, 9, 10]
    a[4, 0], a[5, 4], a[6, 5] = 0.25, 0.25, 0.5
    a[7:, first] = half
    a[8, 7], a[9, 8], a[10, 9] = 0.25, 0.25, 0.5
    a[11, second] = half
    e = (a[11] - filled(CLASSIC_WEIGHTS, 11)) / 15.0
    return Tableau(
        "rk4_adaptive", a=a[:11], b=a[11], e=e, extension=_quartic(np.append(a[11], 0.0), first, half), order=4
    )


def _quartic(end: FloatArray, stages: list[int], weights: FloatArray) -> FloatArray:
    """Return the extension through both ends, with their slopes, and through the state after the first half step.

    It is the cubic one and 16 theta^2 (1 - theta)^2 times the distance of that state from the cubic.
    """
    slope, slope_at_end = np.eye(12)[[0, 11]]
    off = -0.5 * end - 0.125 * (slope - slope_at_end)
    off[stages] += weights
    second, third = 3.0 * end - 2.0 * slope - slope_at_end, slope + slope_at_end - 2.0 * end
    return np.stack([slope, second + 16.0 * off, third - 32.0 * off, 16.0 * off], axis=1)

"""The classic Runge-Kutta method with step doubling (Richardson 1911)."""

from __future__ import annotations

from functools import cache

import numpy as np

from hybridsim.engine.methods.rk4 import classic_rows
from hybridsim.engine.methods.tableau import Tableau, hermite_extension


@cache
def rk4_adaptive() -> Tableau:
    """Two half steps of the classic method, judged by one whole step (step doubling), as one 11-stage tableau.

    Stages 0-3 make the whole step, 0 and 4-6 the first half, 7-10 the second. The error is (x_2 - x_1) / 15
    (Richardson); the solution is x_2, not extrapolated.
    """
    half = np.array([1.0, 2.0, 2.0, 1.0]) / 12.0
    a = np.zeros((12, 12))
    for i, row in enumerate(classic_rows()[:4]):
        a[i, : len(row)] = row
    first, second = [0, 4, 5, 6], [7, 8, 9, 10]
    a[4, 0], a[5, 4], a[6, 5] = 0.25, 0.25, 0.5
    a[7:, first] = half
    a[8, 7], a[9, 8], a[10, 9] = 0.25, 0.25, 0.5
    a[11, second] = half
    whole = np.zeros(12)
    whole[:4] = [1 / 6, 1 / 3, 1 / 3, 1 / 6]
    return Tableau(
        name="rk4_adaptive",
        a=a,
        c=a.sum(axis=1),
        e=(a[11] - whole) / 15.0,
        e_third=np.zeros(12),
        extension=hermite_extension(a[11, :11]),
        stages=11,
        order=4,
        error_order=3,
    )

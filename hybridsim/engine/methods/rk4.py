"""The classic Runge-Kutta method with a fixed step size."""

from __future__ import annotations

from functools import cache

from hybridsim.engine.methods.tableau import Tableau

CLASSIC_ROWS = [[], [1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0]]
"""Rows of the tableau: four stages."""

CLASSIC_WEIGHTS = [1 / 6, 1 / 3, 1 / 3, 1 / 6]
"""Weights of the new point."""


@cache
def rk4() -> Tableau:
    """The classic method with a fixed step size and a cubic Hermite extension.

    Kutta: Beitrag zur näherungsweisen Integration totaler Differentialgleichungen, Z. Math. Phys. 46 (1901).

    Returns
    -------
    Tableau
        Four stages, without an error estimate.
    """
    return Tableau("rk4", a=CLASSIC_ROWS, b=CLASSIC_WEIGHTS, order=4)

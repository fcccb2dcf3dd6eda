"""The classic Runge-Kutta method with a fixed step size."""

from __future__ import annotations

from functools import cache

import numpy as np

from hybridsim.engine.methods.tableau import Tableau, hermite_extension, matrix_of


def classic_rows() -> list[list[float]]:
    """Rows of the tableau: four stages and the new point."""
    return [[], [1 / 2], [0.0, 1 / 2], [0.0, 0.0, 1.0], [1 / 6, 1 / 3, 1 / 3, 1 / 6]]


@cache
def rk4() -> Tableau:
    """The classic method with a fixed step size and a cubic Hermite extension.

    Kutta: Beitrag zur näherungsweisen Integration totaler Differentialgleichungen, Z. Math. Phys. 46 (1901).

    Returns
    -------
    Tableau
        Four stages, without an error estimate.
    """
    a = matrix_of(5, classic_rows())
    return Tableau(
        name="rk4",
        a=a,
        c=a.sum(axis=1),
        e=np.zeros(5),
        e_third=np.zeros(5),
        extension=hermite_extension(a[4, :4]),
        stages=4,
        order=4,
        error_order=3,
        adaptive=False,
    )

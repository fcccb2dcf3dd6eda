"""The classic Runge-Kutta method (Kutta 1901)."""

from __future__ import annotations

from functools import cache

import numpy as np

from hybridsim.engine.methods.tableau import Tableau, hermite_extension, matrix_of


def classic_rows(last: float = 1.0) -> list[list[float]]:
    return [[], [last / 2], [0.0, last / 2], [0.0, 0.0, last], [last / 6, last / 3, last / 3, last / 6]]


@cache
def rk4() -> Tableau:
    """The classic method (Kutta, 1901) with a fixed step and a Hermite extension."""
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

"""Taylor's method of order 16, for small tolerances."""

from __future__ import annotations

from functools import cache

from hybridsim.engine.methods.dop853 import dop853
from hybridsim.engine.methods.tableau import Tableau, filled

ORDER = 16
"""At rtol 1e-12 the runner and the compass gait take less time with it than with 12 or 14. Higher ones have not been
tried: the tables of the exact search end at `memory.MAX_EXACT_DEGREE`."""


@cache
def taylor() -> Tableau:
    """Taylor's method, whose coefficients are those of the power series of the solution (Jorba and Zou 2005).

    The numbers are those of DOP853, which makes the steps that no series can make: on slides, and from states at which
    the vector field has none.

    Returns
    -------
    Tableau
        DOP853 with an extension of degree 16.
    """
    keywords = dop853().keywords() | {"name": "taylor", "series_order": ORDER}
    return Tableau(**keywords | {"extension": filled(dop853().extension.T, ORDER).T})

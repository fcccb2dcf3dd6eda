"""Power series of order 16 from the graph of a model."""

from __future__ import annotations

from functools import cache

from hybridsim.engine.methods.dop853 import dop853
from hybridsim.engine.methods.tableau import Tableau, filled

ORDER = 16


@cache
def series() -> Tableau:
    """Taylor's method (Jorba and Zou 2005), with series that programs compute: see `engine.series_programs`.

    The numbers are those of DOP853, which makes the steps where there is no series.

    Returns
    -------
    Tableau
        DOP853 with an extension of degree 16.
    """
    keywords = dop853().keywords() | {"name": "series", "series_order": ORDER}
    return Tableau(**keywords | {"extension": filled(dop853().extension.T, ORDER).T})

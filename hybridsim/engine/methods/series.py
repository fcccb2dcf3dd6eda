"""Power series from the graph of a model, of order 12 or 16."""

from __future__ import annotations

from functools import cache

from hybridsim.engine.methods.dop853 import dop853
from hybridsim.engine.methods.tableau import Tableau, filled

LOW_ORDER, ORDER = 12, 16
"""With orders from 8 to 16 on the runner and the compass gait, the lower one takes less time, at the same error, down
to a tolerance of 1e-7: a sixth less. Of others, none takes a tenth less than the better one of these two anywhere."""

LEAST_FOR_LOW_ORDER = 1e-7
"""The smallest rtol with which the lower order is used."""


def order_for(rtol: float) -> int:
    """Return the order of the series that takes least time with this tolerance."""
    return LOW_ORDER if rtol >= LEAST_FOR_LOW_ORDER else ORDER


@cache
def series(order: int = ORDER) -> Tableau:
    """Taylor's method (Jorba and Zou 2005), with series that programs compute: see `engine.series_programs`.

    Parameters
    ----------
    order : int, optional
        The order of the series.

    Returns
    -------
    Tableau
        The numbers of DOP853, which makes the steps that no series can make, with an extension of the degree of the
        series.
    """
    extension = filled(dop853().extension.T, order).T
    return Tableau(**dop853().keywords() | {"name": "series", "series_order": order, "extension": extension})

"""Power series of order 16 from the graph of a model."""

from __future__ import annotations

from functools import cache

from hybridsim.engine.methods.tableau import Tableau
from hybridsim.engine.methods.taylor import taylor


@cache
def series() -> Tableau:
    """Taylor's method (Jorba and Zou 2005), with series that programs compute: see `engine.series_programs`.

    Returns
    -------
    Tableau
        The numbers of `taylor`.
    """
    return Tableau(**taylor().keywords() | {"name": "series"})

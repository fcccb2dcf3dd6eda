"""Why a proof was refused."""

from __future__ import annotations

from typing import Any

from hybridsim.errors import HybridsimError


class NotProvenError(HybridsimError):
    """A theorem could not be proven: why, where in the motion, and what to try."""


class TooWideError(HybridsimError):
    """A set is too large for a step of a proof; a smaller one may do.

    Parameters
    ----------
    text : str
        Which step, and where.
    """


def refuse_tables(model: Any) -> None:
    """Refuse a model with arrays: a theorem has its hypotheses in numbers, and does not list tables."""
    arrays = [each.name for each in model.parameters if not isinstance(each.default, int | float | str)]
    if named := [*arrays, *(name for name in model.constants.names if name not in arrays)]:
        raise NotProvenError(f"{named[0]} is an array; give its entries as parameters, one by one")

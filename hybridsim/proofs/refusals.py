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


def refuse_section(orbit: Any) -> None:
    """Refuse an orbit whose section is no boundary, unless it is a time, of a model that reads t."""
    if orbit.section.boundary is None:
        raise NotProvenError(f"the orbit's section is {orbit.section}; find it again with a boundary as its section")


def refuse_family(orbit: Any) -> None:
    """Refuse an orbit that is not isolated."""
    if orbit.family:
        raise NotProvenError(
            f"the orbit belongs to a family of dimension {orbit.family}, as one of each energy, and a theorem is about "
            "an isolated orbit; choose a model that loses energy, or gains it"
        )

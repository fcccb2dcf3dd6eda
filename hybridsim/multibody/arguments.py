"""What a person hands to the methods of a mechanism, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hybridsim.errors import ModelError, nearest
from hybridsim.model.table import Records
from hybridsim.multibody.expansion import Coordinate
from hybridsim.multibody.joints import number
from hybridsim.multibody.reduced import Partition
from hybridsim.typing import FloatArray

Values = Sequence[float] | FloatArray | Mapping[str, float]
"""Coordinates, speeds or forces: an array in the mechanism's order, or values by name, the others as at rest."""


def array_of(what: str, given: Values, records: Records[Coordinate], rest: FloatArray) -> FloatArray:
    """Return values in the mechanism's order.

    Parameters
    ----------
    what : str
        "coordinate" or "speed", for messages.
    given : array or mapping of str to float
        All values, or some by name.
    records : Records of Coordinate
        Their names.
    rest : (n,) array
        The values of those that a mapping does not name.

    Returns
    -------
    (n,) array
        The values.

    Raises
    ------
    ModelError
        If a name is unknown, or something is not a finite number, or the length is wrong.
    """
    if isinstance(given, Mapping):
        values = rest.copy()
        for name, value in given.items():
            values[index_of(what, records, name)] = number(f"{what} {name!r}", value)
        return values
    array = _finite_array(given)
    if array is None or array.shape != rest.shape:
        names = ", ".join(records.names)
        raise ModelError(f"expected a finite number for each of the {len(rest)} {what}s ({names}), found {given!r}")
    return array


def index_of(what: str, records: Records[Coordinate], name: str) -> int:
    """Return the index of a coordinate or speed."""
    if name not in records.names:
        raise ModelError(f"there is no {what} {name!r}{nearest(str(name), records.names)}")
    return records.index(name)


def rows_of(constraints: FloatArray, n_speeds: int, partition: Partition | None = None) -> FloatArray:
    """Return constraint rows as an array of doubles, row by row in memory.

    Raises
    ------
    ModelError
        If there are not n_speeds + 1 columns of finite numbers, or other rows than the partition is of.
    """
    rows = _finite_array(constraints)
    if rows is None or rows.ndim != 2 or rows.shape[1] != n_speeds + 1:
        raise ModelError(
            f"constraint rows are an array of finite numbers with {n_speeds + 1} columns, one for each speed and one "
            f"for the drift; found {constraints!r}"
        )
    if partition is not None and (partition.n_rows, partition.n_rows + partition.n_free) != (len(rows), n_speeds):
        raise ModelError(
            f"the partition is of {partition.n_rows} rows for {partition.n_rows + partition.n_free} speeds, and not of "
            f"{len(rows)} rows for {n_speeds} speeds"
        )
    return np.ascontiguousarray(rows)


def _finite_array(given: object) -> FloatArray | None:
    """Return an array of finite doubles; None if this is something else."""
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        return None
    return values if np.isfinite(values).all() else None

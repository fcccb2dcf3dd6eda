"""Rows of a sweep: those that are computed together, and their values at the last events in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray


def in_order(recent: FloatArray, seen: FloatArray) -> FloatArray:
    """Return values at the last k events in the order of the events, nan in front where there were fewer.

    Parameters
    ----------
    recent : (n, k) array
        The value at the n-th event of a run in the place (n - 1) modulo k.
    seen : (n,) array
        Number of events of each run.
    """
    k = recent.shape[1]
    events = seen.astype(np.int64)[:, None] + np.arange(-k, 0)  # counted from 0
    values: FloatArray = np.where(events >= 0, np.take_along_axis(recent, events % k, axis=1), np.nan)
    return values


def groups(columns: Sequence[NDArray[Any]]) -> list[tuple[tuple[Any, ...], Any]]:
    """Return the distinct combinations of values in columns, each with its rows; all rows if there are no columns."""
    if not columns:
        return [((), slice(None))]
    found: dict[tuple[Any, ...], list[int]] = {}
    for row, combination in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        found.setdefault(combination, []).append(row)
    return [(combination, np.array(rows)) for combination, rows in found.items()]

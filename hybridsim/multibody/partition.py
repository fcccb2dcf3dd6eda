"""Which speeds are independent, chosen from the constraint rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import linalg

from hybridsim.errors import ModelError
from hybridsim.multibody.reduced import Partition
from hybridsim.typing import FloatArray

MIN_PIVOT_OF_PARTITION = 1e-10
"""Relative size of a pivot below which a row is a combination of others, and of a row below which it is rounding."""


def choose_partition(
    rows: FloatArray, names: Sequence[str], dependent: Sequence[int] | None, speeds: Sequence[str]
) -> Partition:
    """Choose the dependent speeds by pivoting, so that they follow from the independent ones with small errors.

    Parameters
    ----------
    rows : (n_rows, n) array
        Constraint rows A.
    names : sequence of str
        Names of the rows, or nothing.
    dependent : sequence of int or None
        The dependent speeds, if they are given.
    speeds : sequence of str
        Names of the speeds.

    Returns
    -------
    Partition
        The partition.

    Raises
    ------
    ModelError
        If rows depend on each other, or do not determine the given speeds.
    """
    count, n = rows.shape
    if len(names) not in (0, count):
        raise ModelError(f"{count} constraint rows have as many names, not {len(names)}: {', '.join(names)}")
    _refuse_dependent_rows(rows, names or [str(i) for i in range(count)])
    if dependent is None:
        chosen = linalg.qr(rows, mode="r", pivoting=True)[1][:count] if count else []
    else:
        chosen = list(dependent)
        _refuse_undetermined(rows, chosen, speeds)
    chosen = np.sort(np.asarray(chosen, np.int64))
    return Partition(count, n - count, chosen, np.setdiff1d(np.arange(n), chosen))


def _refuse_dependent_rows(rows: FloatArray, names: Sequence[str]) -> None:
    """Raise a ModelError that names the rows that are combinations of others."""
    if not len(rows):
        return
    scales = np.linalg.norm(rows, axis=1, keepdims=True)
    is_zero = scales <= MIN_PIVOT_OF_PARTITION * max(
        1.0, scales.max()
    )  # 1: the length of a row for one speed of a slide
    scaled = np.where(is_zero, 0.0, rows) / np.where(is_zero, 1.0, scales)
    (factors, order) = linalg.qr(scaled.T, mode="r", pivoting=True)
    pivots = np.zeros(len(rows))
    diagonal = np.abs(np.diag(factors))
    pivots[: len(diagonal)] = diagonal
    lost = [names[order[i]] for i in range(len(rows)) if pivots[i] <= MIN_PIVOT_OF_PARTITION * pivots[0]]
    if lost:
        raise ModelError(
            f"constraint rows {', '.join(lost)} are zero or follow from the others in this position: the rows have "
            "lost rank. Leave these out, or choose another position"
        )


def _refuse_undetermined(rows: FloatArray, dependent: Sequence[int], speeds: Sequence[str]) -> None:
    if len(dependent) != len(rows):
        raise ModelError(f"{len(rows)} constraint rows make as many speeds dependent, not {len(dependent)}")
    if len(set(dependent)) != len(rows):
        names = ", ".join(speeds[i] for i in dependent)
        raise ModelError(f"the dependent speeds {names} must differ from each other")
    if len(rows) and np.linalg.cond(rows[:, list(dependent)]) > 1.0 / MIN_PIVOT_OF_PARTITION:
        names = ", ".join(speeds[i] for i in dependent)
        raise ModelError(f"the constraint rows do not determine the speeds {names} in this position; choose others")

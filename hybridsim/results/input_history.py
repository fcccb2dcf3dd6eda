"""The values of the inputs over a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from hybridsim.model import Input, Records
from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class InputHistory:
    """The values of n inputs over a run, with m changes in order of time.

    Parameters
    ----------
    records : Records
        Names, units and documentation of the inputs.
    initial : (n,) array
        Values at the beginning of the run [their units].
    t : (m,) array
        Times of the changes [s].
    j : (m,) array of int
        Jump counts before the changes; changes at one t and j are one event.
    index : (m,) array of int
        Indices of the inputs that changed.
    value : (m,) array
        Their new values [their units].
    """

    records: Records[Input]
    initial: FloatArray
    t: FloatArray
    j: IntArray
    index: IntArray
    value: FloatArray

    def __repr__(self) -> str:
        return f"<InputHistory of {', '.join(self.records.names) or 'no inputs'}: {len(self.t)} changes>"

    def __len__(self) -> int:
        return len(self.t)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InputHistory):
            return NotImplemented
        columns = ("initial", "t", "j", "index", "value")
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in columns)
        return same and self.records == other.records

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def begins(self) -> IntArray:
        """The jump count j of the first epoch with each row of `held`, (k,)."""
        return np.array([np.iinfo(np.int64).min, *(j + 1 for j in sorted({*self.j.tolist()}))], np.int64)

    @cached_property
    def held(self) -> FloatArray:
        """Values at the beginning and after each event, (k, n)."""
        held = np.tile(self.initial, (len(self.begins), 1))
        after = np.searchsorted(self.begins, self.j + 1)
        for index in range(len(self.initial)):
            some = self.index == index
            since = np.zeros(len(held), np.int64)
            since[after[some]] = 1 + np.arange(some.sum())  # the last of several changes at one event counts
            values = np.append(self.initial[index], self.value[some])
            held[:, index] = values[np.maximum.accumulate(since)]
        return held

    def which(self, j: Any) -> IntArray:
        """Return the indices of the rows of `held` that are valid in the epochs with the jump counts j.

        Parameters
        ----------
        j : int or (k,) array of int
            Jump counts.

        Returns
        -------
        int or (k,) array of int
            The indices.
        """
        return np.asarray(np.searchsorted(self.begins, j, side="right") - 1)

    def column(self, name: str, j: Any) -> FloatArray:
        """Return the values of one input in the epochs with the jump counts j.

        Parameters
        ----------
        name : str
            Name of the input.
        j : int or (k,) array of int
            Jump counts.

        Returns
        -------
        float or (k,) array
            The values [unit of the input].
        """
        return np.asarray(self.held[self.which(j), self.records.index(name)])


def no_changes(records: Records[Input], initial: Sequence[float]) -> InputHistory:
    """Return the history of inputs that have not changed."""
    none = np.zeros(0, np.int64)
    return InputHistory(records, np.array(initial, float), np.zeros(0), none, none, np.zeros(0))

"""What the inputs of a run have been."""

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
    """What the inputs of a run were: n of them, and m changes in order of time.

    Attributes
    ----------
    records : what they are called and measured in.
    initial : (n,) the values that the run begins with.
    t, j : (m,) when each change was [s], and the jump count before it; changes at one t and j are one event.
    place, value : (m,) which input, and what it was set to.
    """

    records: Records[Input]
    initial: FloatArray
    t: FloatArray
    j: IntArray
    place: IntArray
    value: FloatArray

    def __repr__(self) -> str:
        return f"<InputHistory of {', '.join(self.records.names) or 'no inputs'}: {len(self.t)} changes>"

    def __len__(self) -> int:
        return len(self.t)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, InputHistory):
            return NotImplemented
        columns = ("initial", "t", "j", "place", "value")
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in columns)
        return same and self.records == other.records

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def begins(self) -> IntArray:
        """(k,) the j of the first epoch with each row of `held`."""
        return np.append(np.iinfo(np.int64).min, np.unique(self.j) + 1)

    @cached_property
    def held(self) -> FloatArray:
        """(k, n) the values at the start and after each event."""
        held = np.tile(self.initial, (len(self.begins), 1))
        after = np.searchsorted(self.begins, self.j + 1)
        for place in range(len(self.initial)):
            some = self.place == place
            since = np.zeros(len(held), np.int64)
            since[after[some]] = 1 + np.arange(some.sum())  # of several at one event the last one counts
            values = np.append(self.initial[place], self.value[some])
            held[:, place] = values[np.maximum.accumulate(since)]
        return held

    def which(self, j: Any) -> IntArray:
        """The rows of `held` that are in force in the epochs with these j."""
        return np.asarray(np.searchsorted(self.begins, j, side="right") - 1)

    def column(self, name: str, j: Any) -> FloatArray:
        """The values of one input in the epochs with these j."""
        return np.asarray(self.held[self.which(j), self.records.index(name)])


def no_changes(records: Records[Input], initial: Sequence[float]) -> InputHistory:
    """The history of inputs that nobody has changed."""
    none = np.zeros(0, np.int64)
    return InputHistory(records, np.array(initial, float), np.zeros(0), none, none, np.zeros(0))

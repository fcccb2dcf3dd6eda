"""The rows and events of a run that statements are about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Locations:
    """n rows or events of a run, with their times, as a report names them.

    Attributes
    ----------
    noun : str
        `row` or `event`.
    index : (n,) array
        Their indices in the run.
    t : (n,) array
        Their times [s].
    is_event : (n,) array of bool, optional
        Which are events and which are rows, if both occur; `noun` is not used then.
    """

    noun: str
    index: IntArray
    t: FloatArray
    is_event: NDArray[np.bool_] | None = None

    def name(self, k: int) -> str:
        noun = self.noun if self.is_event is None else "event" if self.is_event[k] else "row"
        return f"{noun} {self.index[k]}"

    def time(self, k: int) -> float:
        return float(self.t[k])

    def __getitem__(self, which: Any) -> Locations:
        is_event = None if self.is_event is None else self.is_event[which]
        return Locations(self.noun, self.index[which], self.t[which], is_event)


def locate_all(noun: str, t: FloatArray) -> Locations:
    """Return all rows, or all events, with their times, (n,) [s]."""
    return Locations(noun, np.arange(len(t)), t)

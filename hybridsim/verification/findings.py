"""What a report consists of: places of a run, violations, gaps, and the worst step."""

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

    def __getitem__(self, which: Any) -> Locations:
        is_event = None if self.is_event is None else self.is_event[which]
        return Locations(self.noun, self.index[which], self.t[which], is_event)


def locate_all(noun: str, t: FloatArray) -> Locations:
    """Return all rows, or all events, with their times, (n,) [s]."""
    return Locations(noun, np.arange(len(t)), t)


@dataclass(frozen=True, slots=True)
class Violation:
    """One place at which a run is not a solution of its model.

    Attributes
    ----------
    place : str
        Where it is: `row 17`, `event 3`, or the name of an array or a statistic.
    t : float
        Time [s]; nan if the place has no time.
    what : str
        What was found and what was expected.
    size : float
        Deviation in units of the allowed one; infinite if no deviation is allowed.
    """

    place: str
    t: float
    what: str
    size: float

    def __str__(self) -> str:
        at = f"{self.place}, t = {self.t:.9g} s" if np.isfinite(self.t) else self.place
        size = f" ({self.size:.3g} times the allowed deviation)" if np.isfinite(self.size) else ""
        return f"{at}: {self.what}{size}"


@dataclass(frozen=True, slots=True)
class Gap:
    """One place from which the flow could not be followed, so that nothing is known about the run up to the next one.

    Attributes
    ----------
    place : str
        The row or event from which the flow was followed.
    t : float
        Time up to which it was followed [s].
    what : str
        Why it could not be followed any further.
    """

    place: str
    t: float
    what: str

    def __str__(self) -> str:
        return f"from {self.place}, the flow could not be followed beyond t = {self.t!s} s: {self.what}"


@dataclass(frozen=True, slots=True)
class WorstStep:
    """The step with the largest error.

    Where a run has its steps, their error estimates are repeated: those of an honest run are at most 1. In a sampled
    run, the deviation from the reference solution is divided by the number of steps that fit between two rows. It may
    be some 30 tolerances where the run was made to its own.

    Attributes
    ----------
    place : str
        The row or event that it begins at.
    t : float
        Time there [s].
    size : float
        Its error in units of the run's own tolerance, as a root mean square over the continuous states.
    how : str
        How the error was found.
    """

    place: str
    t: float
    size: float
    how: str

    def __str__(self) -> str:
        at = f"from {self.place}, t = {self.t:.9g} s"
        return f"worst step: {self.size:.2g} times the run's own tolerance {self.how}, {at}"

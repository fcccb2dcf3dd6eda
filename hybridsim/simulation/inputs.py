"""Inputs: values that are constant between changes from outside the model."""

from __future__ import annotations

import math
import sys
import weakref
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any

import numpy as np

from hybridsim.errors import SimulationError, explains_keywords
from hybridsim.model import Input, Records, list_names, nearest
from hybridsim.results.input_history import InputHistory
from hybridsim.typing import FloatArray

LARGEST_NUMBER = sys.float_info.max
"""Bound of inputs without bounds, which excludes only infinities."""


class UnknownInputError(SimulationError, KeyError):
    """Raised for a name that no input has; also a KeyError, as in other mappings."""

    __str__ = Exception.__str__  # a KeyError would put its sentence in quotes


@explains_keywords()
class Inputs(MutableMapping[str, float]):
    """The inputs of a simulation by name; setting one changes it at the simulation's present time.

    Parameters
    ----------
    records : Records
        Names, bounds and units of the inputs.
    initial : sequence of float
        Values at the beginning of the run.
    p : array
        Packed parameters of the run, which hold the values of the inputs.
    p_indices : sequence of int
        Indices of the inputs in p.
    begin : method
        Called before the first change at a time; it stops the run there, and returns t [s] and the jump count before.
        It is the simulation's, which is not kept alive by its inputs: its memory is free as soon as nobody has it.
    """

    def __init__(
        self,
        records: Records[Input],
        initial: Sequence[float],
        p: FloatArray,
        p_indices: Sequence[int],
        begin: Callable[[], tuple[float, int]],
    ) -> None:
        self._indices = {name: index for index, name in enumerate(records.names)}
        self._bounds = [(max(record.lower, -LARGEST_NUMBER), min(record.upper, LARGEST_NUMBER)) for record in records]
        self._records, self._initial = records, [float(value) for value in initial]
        self._begin = weakref.WeakMethod(begin)
        self._held, self._p, self._p_indices = self._initial.copy(), p, [*p_indices]
        self._changes: list[tuple[tuple[float, int], int, float]] = []
        self._now: tuple[float, int] | None = None

    def __getitem__(self, name: str) -> float:
        return self._held[self._index(name)]

    def __setitem__(self, name: str, value: float) -> None:
        """Set an input from the simulation's present time on; setting the value that it has is no change.

        Raises
        ------
        SimulationError
            If there is no such input, the value is not a number within its bounds, or the run has ended.
        """
        index = self._indices[name] if name in self._indices else self._index(name)
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        lower, upper = self._bounds[index]
        if not lower <= number <= upper:
            raise SimulationError(self._refusal(index, value))
        if number != self._held[index]:
            if self._now is None:
                self._now = self._cut()
            self._changes.append((self._now, index, number))
            self._held[index] = self._p[self._p_indices[index]] = number

    def _cut(self) -> tuple[float, int]:
        begin = self._begin()
        if begin is None:
            raise SimulationError("the simulation of these inputs is gone; keep it where its inputs change")
        return begin()

    @property
    def n_changes(self) -> int:
        """Number of changes so far."""
        return len(self._changes)

    @property
    def changing(self) -> bool:
        """Whether an input has changed at the simulation's present time."""
        return self._now is not None

    def settle(self) -> None:
        """Record that the simulation continues, so that the next change is a new event."""
        self._now = None

    def history(self) -> InputHistory:
        """Return the values of the inputs so far.

        Returns
        -------
        InputHistory
            The values at the beginning and their changes.
        """
        instants, index, value = zip(*self._changes, strict=True) if self._changes else ((), (), ())
        t, j = zip(*instants, strict=True) if instants else ((), ())
        changes = np.array(t, float), np.array(j, np.int64), np.array(index, np.int64), np.array(value, float)
        return InputHistory(self._records, np.array(self._initial), *changes)

    def _index(self, name: str) -> int:
        try:
            return self._indices[name]
        except KeyError:
            known = list_names(self._indices, name) if self._indices else "none"
            hint = nearest(str(name), self._indices) or f"; it has {known}"
            raise UnknownInputError(f"the model has no input {name!r}{hint}") from None

    def _refusal(self, index: int, value: Any) -> str:
        record = self._records[index]
        unit = f" [{record.unit}]" if record.unit else ""
        bounded = math.isfinite(record.lower) or math.isfinite(record.upper)
        within = f" from {record.lower:g} to {record.upper:g}" if bounded else ""
        return f"inputs[{record.name!r}] = {value!r}: expected a finite number{within}{unit}; give one"

    def __contains__(self, name: object) -> bool:
        return name in self._indices

    def __delitem__(self, name: str) -> None:
        raise SimulationError(f"inputs[{name!r}] cannot be removed; set it to another value")

    def __iter__(self) -> Iterator[str]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)

    def __repr__(self) -> str:
        return f"Inputs({', '.join(f'{name}={self[name]!r}' for name in self)})"

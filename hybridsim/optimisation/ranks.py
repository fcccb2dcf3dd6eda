"""Ranks: of two settings, the one that satisfies more stages is better, then the one with the lower value.

Ranks are a pair of arrays: how many stages are satisfied in a row, and the value of the next one, which is minimised
and infinite where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray, IntArray

UNKNOWN = -1
"""In place of a number of stages: nothing was evaluated here."""


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Ranks of settings, in arrays of any shape.

    Attributes
    ----------
    stages : array of int
        How many stages are satisfied in a row, `UNKNOWN` where nothing was evaluated.
    values : array
        The value of the first stage that is not satisfied, or of the last stage; minimised, inf is the worst.
    """

    stages: IntArray
    values: FloatArray

    @classmethod
    def unknown(cls, shape: tuple[int, ...]) -> Ranks:
        """Return the ranks of settings that have not been evaluated: worse than all others."""
        return cls(np.full(shape, UNKNOWN), np.full(shape, np.inf))

    def better_than(self, others: Ranks) -> NDArray[np.bool_]:
        """Return where a rank is better than another one; equal ones are not."""
        ties = self.stages == others.stages
        better: NDArray[np.bool_] = (self.stages > others.stages) | (ties & (self.values < others.values))
        return better

    def order(self, axis: int = -1) -> IntArray:
        """Return the indices along an axis from the best to the worst; equal ones keep their order."""
        found: IntArray = np.lexsort((self.values, -self.stages), axis=axis)
        return found

    def best(self, axis: int = -1) -> IntArray:
        """Return the index of the best along an axis, the first one of equals."""
        found: IntArray = np.take(self.order(axis), 0, axis=axis)
        return found

    def __getitem__(self, index: Any) -> Ranks:
        """Return the ranks at an index, as of an array."""
        return Ranks(np.asarray(self.stages[index]), np.asarray(self.values[index]))

    def reshape(self, *shape: int) -> Ranks:
        """Return the same ranks in another shape."""
        return Ranks(self.stages.reshape(shape), self.values.reshape(shape))

    def replaced(self, where: NDArray[np.bool_], others: Ranks) -> Ranks:
        """Return these ranks, with others in some places."""
        return Ranks(np.where(where, others.stages, self.stages), np.where(where, others.values, self.values))

    def put(self, index: Any, others: Ranks) -> None:
        """Write others in place at an index."""
        self.stages[index], self.values[index] = others.stages, others.values

    @classmethod
    def joined(cls, parts: Sequence[Ranks]) -> Ranks:
        """Return ranks of one dimension, one after the other."""
        return cls(np.concatenate([part.stages for part in parts]), np.concatenate([part.values for part in parts]))

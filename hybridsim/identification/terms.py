"""Terms of a nonlinear program: batches of functions of a few unknowns each, with exact first derivatives.

Everything that a problem asks for is such a batch: defects of the intervals, samples that are measured, transitions
between phases, costs. Its second derivatives are differences of the first ones, one direction at a time for the whole
batch, as the functions of a batch depend on unknowns of their own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import Self

import numpy as np

from hybridsim.typing import FloatArray, IntArray

Values = tuple[FloatArray, FloatArray]
"""What functions are, (n, n_rows), and their derivatives, (n, n_rows, n_read)."""


class Terms(ABC):
    """n functions of unknowns, alike in form.

    Attributes
    ----------
    index : (n, n_read) array
        The unknowns that each function reads.
    n_rows : int
        How many numbers each function has.
    """

    index: IntArray
    n_rows: int
    of_functions: tuple[str, ...] = ()
    """Names of the arrays that have an entry for each function."""

    def repeated(self, count: int) -> Self:
        """Return the same functions several times, all of them and then all of them again."""
        found = copy(self)
        for name in ("index", *self.of_functions):
            array = getattr(self, name)
            setattr(found, name, np.tile(array, (count, *[1] * (array.ndim - 1))))
        return found

    @abstractmethod
    def evaluate(self, values: FloatArray) -> Values:
        """Return the functions and their derivatives by what they read, for values (n, n_read) of it."""


class Sums(Terms):
    """Sums of unknowns with constant factors, one row of coefficients for each.

    Parameters
    ----------
    index, coefficients : (n, n_read) array
        The unknowns, and their factors.
    """

    n_rows = 1
    of_functions = ("coefficients",)

    def __init__(self, index: IntArray, coefficients: FloatArray) -> None:
        self.index, self.coefficients = index, coefficients

    def evaluate(self, values: FloatArray) -> Values:
        """See `Terms`."""
        return (values * self.coefficients).sum(axis=1)[:, None], self.coefficients[:, None, :]

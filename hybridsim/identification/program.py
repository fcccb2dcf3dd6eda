"""A nonlinear program: unknowns within bounds, terms that cost, and terms that have to stay within limits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
from scipy.sparse import csc_array

from hybridsim.identification.terms import Terms, Values
from hybridsim.typing import FloatArray, IntArray

MOST_AT_ONCE = 20_000
"""Functions that are evaluated at once for differences, at most, unless a batch has more."""

DIFFERENCE = 6e-6
"""Step of the central differences that second derivatives are, relative to the size of an unknown: the cube root of
rounding.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """Terms that have to stay within limits.

    Attributes
    ----------
    terms : Terms
        The functions.
    lower, upper : (n_rows,) array
        The limits, 0 and 0 for equations.
    """

    terms: Terms
    lower: FloatArray
    upper: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """Terms that are to be small.

    Attributes
    ----------
    terms : Terms
        The functions.
    squares : bool
        Whether their squares are summed up, or they themselves.
    """

    terms: Terms
    squares: bool


@dataclass(eq=False)
class Program:
    """A nonlinear program: minimise the objectives within bounds and constraints.

    Attributes
    ----------
    lower, upper : (n,) array
        Bounds of the unknowns; equal where one is fixed.
    objectives : sequence of Objective
        What is minimised, as a sum.
    constraints : sequence of Constraint
        What has to hold.
    sizes : (n,) array
        How large the unknowns are, about.
    least : (n,) array
        How large they are at least, for differences.
    """

    lower: FloatArray
    upper: FloatArray
    objectives: Sequence[Objective]
    constraints: Sequence[Constraint]
    sizes: FloatArray
    least: FloatArray
    _kept: dict[int, tuple[bytes, Values]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """The number of unknowns."""
        return len(self.lower)

    @cached_property
    def limits(self) -> tuple[FloatArray, FloatArray]:
        """The lower and the upper limits of all rows of the constraints."""
        lower, upper = (
            [np.tile(getattr(each, side), len(each.terms.index)) for each in self.constraints]
            for side in ("lower", "upper")
        )
        return np.concatenate([[], *lower]), np.concatenate([[], *upper])

    def values(self, terms: Terms, z: FloatArray) -> Values:
        """Return functions and derivatives at z; those of the last z are kept, as solvers ask for both apart."""
        asked = z.tobytes()
        if id(terms) not in self._kept or self._kept[id(terms)][0] != asked:
            self._kept[id(terms)] = asked, terms.evaluate(z[terms.index])
        return self._kept[id(terms)][1]

    def objective(self, z: FloatArray) -> float:
        """Return what is minimised."""
        total = 0.0
        for each in self.objectives:
            value = self.values(each.terms, z)[0]
            total += float((value**2).sum() if each.squares else value.sum())
        return total

    def gradient(self, z: FloatArray) -> FloatArray:
        """Return the derivatives of what is minimised, (n,)."""
        found = np.zeros(self.n)
        for each in self.objectives:
            value, by = self.values(each.terms, z)
            factors = 2.0 * value if each.squares else np.ones_like(value)
            np.add.at(found, each.terms.index, (factors[:, None] @ by)[:, 0])
        return found

    def rows(self, z: FloatArray) -> FloatArray:
        """Return all rows of the constraints."""
        return np.concatenate([[], *(self.values(each.terms, z)[0].ravel() for each in self.constraints)])

    @cached_property
    def jacobian_places(self) -> tuple[IntArray, IntArray]:
        """Rows and columns of the entries of the constraints' Jacobian."""
        rows, columns, first = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], 0
        for each in self.constraints:
            n, n_rows, n_read = len(each.terms.index), each.terms.n_rows, each.terms.index.shape[1]
            own = first + np.arange(n * n_rows).reshape(n, n_rows, 1)
            rows.append(np.broadcast_to(own, (n, n_rows, n_read)).ravel())
            columns.append(np.broadcast_to(each.terms.index[:, None], (n, n_rows, n_read)).ravel())
            first += n * n_rows
        return np.concatenate(rows), np.concatenate(columns)

    def jacobian(self, z: FloatArray) -> FloatArray:
        """Return the entries of the constraints' Jacobian."""
        return np.concatenate([[], *(self.values(each.terms, z)[1].ravel() for each in self.constraints)])

    def jacobian_matrix(self, z: FloatArray) -> csc_array:
        """Return the constraints' Jacobian as a matrix."""
        return csc_array((self.jacobian(z), self.jacobian_places), (len(self.limits[0]), self.n))

    def curvature(self, *, exact: bool) -> Curvature:
        """Return what computes second derivatives: those of the costs alone (Gauss and Newton), or all."""
        return Curvature(self, exact=exact)


def _constant(weights: FloatArray, values: FloatArray) -> FloatArray:
    """Return the weights of functions for values of theirs, once or several times."""
    return np.tile(weights, (len(values) // len(weights), 1))


class Curvature:
    """Second derivatives of a program's Lagrangian: entries at fixed places of the lower triangle.

    Parameters
    ----------
    program : Program
        The program.
    exact : bool
        Whether all are computed; else squares count with their first derivatives alone, and constraints not at all.
    """

    def __init__(self, program: Program, *, exact: bool) -> None:
        self.program, self.exact = program, exact
        batches = [each.terms for each in program.objectives]
        if exact:
            batches += [each.terms for each in program.constraints]
        keys = []
        for terms in batches:
            row, column = np.tril_indices(terms.index.shape[1])
            first, second = terms.index[:, row], terms.index[:, column]
            keys.append((np.maximum(first, second) * program.n + np.minimum(first, second)).ravel())
        unique, inverse = np.unique(np.concatenate([np.zeros(0, np.int64), *keys]), return_inverse=True)
        self.places = unique // program.n, unique % program.n
        self._slots = np.split(inverse, np.cumsum([len(key) for key in keys])[:-1]) if keys else []

    def entries(self, z: FloatArray, factor: float, multipliers: FloatArray) -> FloatArray:
        """Return the entries, for a factor of the objective and multipliers of the constraints."""
        found, program = np.zeros(len(self.places[0])), self.program
        slots = iter(self._slots)
        for each in program.objectives:
            blocks = self._of_objective(each, z, factor)
            self._add(found, next(slots), each.terms, blocks)
        first = 0
        for each_one in program.constraints if self.exact else ():
            terms = each_one.terms
            n = len(terms.index) * terms.n_rows
            weights = multipliers[first : first + n].reshape(len(terms.index), terms.n_rows)
            self._add(found, next(slots), terms, self._second(terms, z, partial(_constant, weights)))
            first += n
        return found

    def _of_objective(self, each: Objective, z: FloatArray, factor: float) -> FloatArray:
        if not each.squares:
            return self._second(each.terms, z, lambda values: np.full_like(values, factor))
        if self.exact:
            return self._second(each.terms, z, lambda values: 2.0 * factor * values)
        by = self.program.values(each.terms, z)[1]
        return np.asarray(2.0 * factor * by.transpose(0, 2, 1) @ by)

    def _second(self, terms: Terms, z: FloatArray, weights_of: WeightsOf) -> FloatArray:
        return second_derivatives(terms, z, self.program.least, weights_of)

    def _add(self, found: FloatArray, slots: IntArray, terms: Terms, blocks: FloatArray) -> None:
        """Add blocks to the entries; where two unknowns of a batch are one and the same, both halves count."""
        row, column = np.tril_indices(terms.index.shape[1])
        entries = 0.5 * (blocks[:, row, column] + blocks[:, column, row])
        doubled = (row != column) & (terms.index[:, row] == terms.index[:, column])
        found += np.bincount(slots, np.where(doubled, 2.0 * entries, entries).ravel(), len(found))

    def matrix(self, z: FloatArray, factor: float, multipliers: FloatArray) -> csc_array:
        """Return the second derivatives as a symmetric matrix."""
        entries, (row, column) = self.entries(z, factor, multipliers), self.places
        n = self.program.n
        lower = csc_array((entries, (row, column)), (n, n))
        off = row != column
        return csc_array(lower + csc_array((entries[off], (column[off], row[off])), (n, n)))


WeightsOf = Callable[[FloatArray], FloatArray]


def second_derivatives(terms: Terms, z: FloatArray, least: FloatArray, weights_of: WeightsOf) -> FloatArray:
    """Return the derivatives of weights times first derivatives by what is read, (n, n_read, n_read), by differences.

    Parameters
    ----------
    terms : Terms
        The functions.
    z, least : (n,) array
        The unknowns, and how large they are at least.
    weights_of : callable
        Weights (n, n_rows) for values of the functions: constant, or twice the values for squares.
    """
    here = z[terms.index]
    n, n_read = here.shape
    found = np.empty((n, n_read, n_read))
    sizes = np.maximum(np.abs(here).max(axis=0), least[terms.index])
    at_once = max(MOST_AT_ONCE // (2 * max(n, 1)), 1)
    for first in range(0, n_read, at_once):
        columns = np.arange(first, min(first + at_once, n_read))
        count, both = len(columns), terms.repeated(2 * len(columns))
        there = np.tile(here, (2 * count, 1, 1))
        step = DIFFERENCE * sizes[:, columns].T
        there[np.arange(count), :, columns] += step
        there[count + np.arange(count), :, columns] -= step
        values, by = both.evaluate(there.reshape(-1, n_read))
        slopes = (weights_of(values)[:, None] @ by).reshape(2, count, n, n_read)
        found[:, :, columns] = ((slopes[0] - slopes[1]) / (2.0 * step[..., None])).transpose(1, 2, 0)
    return found

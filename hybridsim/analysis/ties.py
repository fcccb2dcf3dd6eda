"""Orbits on which events coincide: the order of events beside them decides, and the return map is piecewise linear.

Legs that land together on the orbit land one after the other beside it, and the derivative of the return map is another
one for each order. Let A_k be these derivatives. Deviations die out if one norm contracts under all of them: here that
of an ellipsoid, x' P x, with P the sum of W' W over the words W of up to six of the A_k. They grow if one of the words
has a real eigenvector that grows, and its deviations meet the events in the order of its letters. Otherwise the orders
that grow never follow one another, as far as it is seen, and nothing is decided.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import product

import numpy as np

from hybridsim.analysis.problem import LEAST_SIZE, Problem
from hybridsim.analysis.return_map import Return
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import FloatArray

SAME_TIME = 1e-7
"""Part of the duration of a stride between two events that coincide: deviations hardly larger exchange them."""

OFFSETS = (1e-5, 1e-7, 1e-9)
"""Distances from the orbit, in sizes of the states, at which the order of events is looked at, and twice as far: the
first at which the events are those of the orbit. The size of a state that stays zero is not known."""

SAME_DERIVATIVE = 1e-4
"""Difference of the derivatives of two orders, relative to the largest entry, that is the error of the differences."""

MOST_LETTERS, MOST_WORDS = 6, 5000
"""Longest words, and most of them."""

LEAST_GROWTH = 1e-3
"""Growth of a word in excess of 1 that is not the error of the differences."""

Order = tuple[tuple[tuple[int, ...], ...], ...]
"""The boundaries of each event of each stride, one after the other."""


@dataclass(frozen=True, slots=True, eq=False)
class Ties:
    """What the orders of coincident events do to deviations from an orbit.

    Attributes
    ----------
    orders : tuple of (n_free, n_free) array
        The derivatives of the return map for each order of events, by the free states.
    names : tuple of str
        The boundaries that coincide: "left+right".
    stable : bool or None
        Whether deviations die out; None if that is not decided.
    """

    orders: tuple[FloatArray, ...]
    names: tuple[str, ...]
    stable: bool | None

    @property
    def warning(self) -> str:
        """A sentence for the summary of an orbit."""
        names = ", ".join(self.names)
        if not self.orders:
            return f"{names} coincide, and runs nearby meet other events: whether the orbit is stable is not decided"
        verdict = {
            True: "all orders together let deviations die out",
            False: "deviations that follow these orders grow",
            None: "one order at least lets deviations grow, and stability is not decided",
        }[self.stable]
        return f"{names} coincide, and the order in which they come nearby matters: {verdict}"


def ties_of(problem: Problem, found: Return) -> Ties | None:
    """Return the orders of coincident events of an orbit; None if there are none, or their order does not matter."""
    names = tuple(dict.fromkeys(_coincident(problem, found)))
    if not names:
        return None
    engine = problem.return_map.stride_map.config.engine
    size = engine.atol / engine.rtol  # of a state that stays zero but for rounding
    known = problem.sizes > LEAST_SIZE * size
    problem = dataclasses.replace(problem, sizes=np.where(known, problem.sizes, size))
    for offset in OFFSETS:
        derivatives = _derivatives(problem, found, offset)
        if derivatives is not None:
            break
    else:  # the section itself, or a grazing, is among them
        return Ties((), names, None)
    matrices: list[FloatArray] = []
    for matrix in derivatives.values():
        scale = SAME_DERIVATIVE * np.abs(matrix).max()
        if all(np.abs(matrix - other).max() > scale for other in matrices):
            matrices.append(matrix)
    if len(matrices) < 2:
        return None
    units = problem.sizes[:, None] / problem.sizes
    stable = _verdict(problem, found, matrices, offset)
    return Ties(tuple(matrix * units for matrix in matrices), names, stable)


def _coincident(problem: Problem, found: Return) -> Iterator[str]:
    """Yield the names of boundaries that cross together, or at the same time but for rounding."""
    names = problem.return_map.stride_map.model.boundary_records.names
    for stride in found.strides:
        if stride.events is None:
            continue
        jumps, first = np.asarray(stride.events.declined) == 0, 0
        times, flags = stride.events.t[jumps], stride.events.crossed[jumps]
        for i, t in enumerate(times):
            if t - times[first] > SAME_TIME * stride.duration:
                first = i
            crossed = np.flatnonzero(flags[first : i + 1].any(axis=0))
            if len(crossed) > 1:
                yield "+".join(names[k] for k in crossed)


def order_of(found: Return) -> Order:
    """Return the order of the events of strides."""
    order: list[tuple[tuple[int, ...], ...]] = []
    for stride in found.strides:
        if stride.events is None:
            order.append(())
            continue
        events = stride.events[np.asarray(stride.events.declined) == 0]
        order.append(tuple(tuple(np.flatnonzero(flags).tolist()) for flags in events.crossed))
    return tuple(order)


def _derivatives(problem: Problem, found: Return, offset: float) -> dict[Order, FloatArray] | None:
    """Return the orders of events beside an orbit, with the derivative of the return map for each, at the orbit.

    None if the events beside it are others than those of the orbit.
    """
    n = len(problem.free.free)
    v, itself = found.x0[problem.free.free] / problem.sizes, order_of(found)
    directions = np.vstack([np.eye(n), -np.eye(n), np.random.default_rng(0).normal(size=(4 * n, n))])
    derivatives: dict[Order, FloatArray] = {}
    for direction in directions:
        unit = offset * direction / np.linalg.norm(direction)
        try:
            near, far = (problem.make_strides(v + factor * unit) for factor in (1.0, 2.0))
        except StrideError:
            return None
        order = order_of(near)
        if _events_in(order) != _events_in(itself) or order != order_of(far):
            return None
        if order not in derivatives and (order != itself or _are_apart(near)):
            derivatives[order] = 2.0 * _matrix(problem, near) - _matrix(problem, far)
    return derivatives


def _are_apart(found: Return) -> bool:
    """Return whether one event happens after the other, each of one boundary."""
    tables = [stride.events[np.asarray(stride.events.declined) == 0] for stride in found.strides if stride.events]
    return all((np.diff(each.t) > 0.0).all() and (each.crossed.sum(axis=1) == 1).all() for each in tables)


def _events_in(order: Order) -> list[list[int]]:
    """Return the boundaries that cross in each stride, in whatever order."""
    return [sorted(k for event in stride for k in event) for stride in order]


def _matrix(problem: Problem, found: Return) -> FloatArray:
    free = problem.free.free
    return np.asarray(found.by_state[np.ix_(free, free)] * problem.sizes / problem.sizes[:, None])


def _verdict(problem: Problem, found: Return, matrices: list[FloatArray], offset: float) -> bool | None:
    """Return whether deviations die out, in the quotient by the directions of a family; None if it is not decided."""
    n = len(matrices[0])
    stacked = np.vstack([matrix - np.eye(n) for matrix in matrices])
    _, values, right = np.linalg.svd(stacked)
    across = right[: int(np.sum(values > SAME_DERIVATIVE * values[0]))]
    reduced = [across @ matrix @ across.T for matrix in matrices]
    words = _words(len(matrices))
    if _contracts(reduced, words):
        return True
    v = found.x0[problem.free.free] / problem.sizes
    for word in words:
        values, vectors = np.linalg.eig(reduce(lambda product, k: reduced[k] @ product, word, np.eye(len(across))))
        for value, vector in zip(values, vectors.T, strict=True):
            if not value.imag and abs(value) > 1.0 + LEAST_GROWTH:
                deviation = offset * (across.T @ vector.real) / np.linalg.norm(vector.real)
                periods = len(word) * (2 if value.real < 0.0 else 1)
                if any(_grows(problem, v, sign * deviation, periods) for sign in (1.0, -1.0)):
                    return False
    return None


def _words(letters: int) -> list[tuple[int, ...]]:
    """Return the words of so many letters, short ones first."""
    words: list[tuple[int, ...]] = []
    for length in range(1, MOST_LETTERS + 1):
        if len(words) + letters**length > MOST_WORDS:
            break
        words += product(range(letters), repeat=length)
    return words


def _contracts(matrices: list[FloatArray], words: list[tuple[int, ...]]) -> bool:
    """Return whether all matrices contract in one norm, x' P x, with P the sum of W' W over the words."""
    n = len(matrices[0])
    total = np.eye(n)
    for word in words:
        matrix = reduce(lambda product, k: matrices[k] @ product, word, np.eye(n))
        total += matrix.T @ matrix
    root = np.linalg.cholesky(total).T  # P = root' root
    inverse = np.linalg.inv(root)
    return all(np.linalg.norm(root @ matrix @ inverse, 2) < 1.0 - LEAST_GROWTH for matrix in matrices)


def _grows(problem: Problem, v: FloatArray, deviation: FloatArray, periods: int) -> bool:
    """Return whether a deviation, after some periods, is a multiple of itself: it has met the orders of its word."""
    offset = float(np.linalg.norm(deviation))
    along, there, total = deviation / offset, deviation, 1.0
    try:
        for _ in range(periods):  # near the orbit a multiple of a deviation has the same multiple of its image
            found = problem.make_strides(v + there)
            there = found.x[problem.free.free] / problem.sizes - v
            size = float(np.linalg.norm(there))
            total, there = total * size / offset, there * offset / max(size, 1e-300)
    except StrideError:
        return False
    return bool(there @ along > LEAST_COSINE * offset and total > 1.0 + LEAST_GROWTH)


LEAST_COSINE = 1.0 - 1e-4
"""Cosine of the angle between a deviation and the direction in which it began that is the error of the differences."""

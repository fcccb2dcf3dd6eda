"""There is one state that returns, and no other, in a box: by Krawczyk's operator.

With P the map that a period makes, x_c the centre of a box X and C a matrix near the inverse of DP - 1,

    K(X) = x_c - C (P(x_c) - x_c) + (1 - C (DP(X) - 1)) (X - x_c)

lies in the interior of X only if exactly one state of X returns, and that state is in K(X) (Krawczyk 1969; Rump 2010).
The section needs no equation: its multiplier is 0. A varied parameter q is carried as a variable. Boxes then lie along
x_c + x' (q - q_c), and what is proven holds for each q: K has one more term, -C (dP/dq + DP x' - x') (q - q_c).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.proofs.balls import Ball, Matrix, ball, identity, inside, matrix, middle, radius, rows_of, times, upper
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.legs import Chain
from hybridsim.proofs.refusals import NotProvenError, TooWideError
from hybridsim.proofs.shooting import Box, Period, period
from hybridsim.typing import FloatArray

MAX_BOXES = 24
"""Most boxes that are tried."""

INFLATIONS, INFLATION, FLOATS = 12, 1.5, 1e-13
"""Boxes tried for an interval, by how much the next one is larger than K, and what floats can tell of a side."""

ENOUGH, LEAST = 0.4, 0.02
"""A box is tried larger once if K is smaller than the first of it; no side shrinks or grows by more than the second."""

FINE_ENOUGH = 1e-8
"""How finely the image of the centre has to be known, in the sizes of the states."""

CURVATURE = 1e6
"""How much a correction may miss by its square."""

ENLARGEMENTS, CORRECTIONS = 5, 6
"""Most boxes that are tried about the state itself, and most corrections of it by Newton's method."""


def floats(a: Matrix) -> FloatArray:
    """Return the midpoints of a matrix as floats."""
    return np.array([[float(middle(x)) for x in row] for row in rows_of(a)])


def return_slopes(box: Box, found: Period) -> Matrix:
    """Return DP, the derivatives of the free states at the end by those at the beginning."""
    rows = rows_of(found.end.v)
    return matrix([[rows[i][j] for j in range(len(box.free))] for i in box.free])


def equations(chain: Chain, box: Box, found: Period) -> tuple[list[Ball], Matrix]:
    """Return by how much the centre misses itself, and DP - 1; on a level the quantity replaces a state."""
    values = [found.end.near[i] - box.x[i] for i in box.free]
    rows = rows_of(return_slopes(box, found) - identity(len(box.free)))
    if found.level is not None and chain.level is not None:
        values[chain.level.replaced], rows[chain.level.replaced] = found.level
    return values, matrix(rows)


def inverse_of(slopes: Matrix) -> Matrix:
    """Return a matrix near the inverse of DP - 1.

    Raises
    ------
    NotProvenError
        If DP - 1 is singular, as for a family of orbits.
    """
    a = floats(slopes)
    if not np.isfinite(a).all() or np.linalg.cond(a) > 1e14:
        raise NotProvenError(
            "DP - 1 is singular: the orbit belongs to a family, as one of each energy, or is at a fold; a theorem is "
            "about an isolated orbit"
        )
    return matrix(np.linalg.inv(a).tolist())


class TooCoarseError(NotProvenError):
    """A calculation is not fine enough for a box of any size."""


def tilted(chain: Chain, box: Box, sizes: Sequence[float], accuracy: Accuracy) -> tuple[Box, Matrix]:
    """Return a box that lies along the orbits of a varied parameter, if there is one, and a matrix near (DP - 1)^-1.

    Raises
    ------
    NotProvenError
        If there is none; a `TooCoarseError` if a finer calculation may do.
    """
    point = dataclasses.replace(box, reach=[ball(0) for _ in box.reach])
    try:
        found = period(chain, point, accuracy)
    except TooWideError as problem:
        raise NotProvenError(str(problem)) from None
    misses, slopes = equations(chain, point, found)
    inverse = inverse_of(slopes)
    x, tilt = list(box.x), list(box.tilt)
    for i, by, size in zip(box.free, times(inverse, misses), sizes, strict=True):
        x[i] = middle(x[i] - by)
        if not float(radius(by)) < FINE_ENOUGH * size:
            raise TooCoarseError(f"after a period the state is known to {float(radius(by)):.1e} only")
    if tilt:
        rows = rows_of(found.end.v)
        tilt = [middle(-d) for d in times(inverse, [rows[i][-1] for i in box.free])]
    return dataclasses.replace(box, x=x, tilt=tilt), inverse


def krawczyk(chain: Chain, box: Box, found: Period, inverse: Matrix) -> list[Ball]:
    """Return K as deviations of the free states from the centre."""
    m, (misses, slopes) = len(box.free), equations(chain, box, found)
    left = identity(m) - inverse * slopes
    image = [a - b for a, b in zip(times(left, box.deviations[:m]), times(inverse, misses), strict=True)]
    if box.tilt:
        rows = rows_of(found.end.v)
        by_parameter = [rows[i][-1] - tilt for i, tilt in zip(box.free, box.tilt, strict=True)]
        moved = times(inverse, by_parameter)
        image = [a - b * box.deviations[-1] for a, b in zip(image, moved, strict=True)]
    return image


def contains_one(box: Box, image: Sequence[Ball]) -> bool:
    """Return whether K lies in the interior of the box."""
    return all(inside(k, d) for k, d in zip(image, box.deviations, strict=False))


@dataclass(frozen=True, slots=True)
class Range:
    """Where a box is looked for: from which reach to which, in the sizes of the states, and by which steps.

    Attributes
    ----------
    largest, smallest : float
        The reach of the first box, and below which none is tried.
    factor : float
        By how much the next one is smaller where a step of the proof failed.
    """

    largest: float
    smallest: float
    factor: float


def unique_box(
    chain: Chain, box: Box, sizes: Sequence[float], inverse: Matrix, accuracy: Accuracy, within: Range
) -> tuple[Box, Period]:
    """Return a box in which exactly one state is proven to return, as large as is found, and the period of its states.

    Where K is finite but too large, the next box is smaller by as much as that of a quadratic map has to be, and nearer
    to the shape of K.

    Raises
    ------
    NotProvenError
        If there is none, with what failed in the last one.
    """
    reach, why = [within.largest * size for size in sizes], ""
    best: tuple[Box, Period] | None = None
    for _ in range(MAX_BOXES):
        tried = dataclasses.replace(box, reach=[*map(ball, reach), *box.reach[len(reach) :]])
        try:
            found = period(chain, tried, accuracy)
        except TooWideError as problem:
            why, reach = str(problem), [within.factor * r for r in reach]
        else:
            ratios = [
                float(upper(k) / r) for k, r in zip(krawczyk(chain, tried, found, inverse), tried.reach, strict=False)
            ]
            largest, why = max(ratios), f"K is {max(ratios):.3g} times as large as the box"
            if all(ratio < 1.0 for ratio in ratios):  # also of what is not a number
                if best is not None or largest > ENOUGH:
                    return tried, found
                best = tried, found
                reach = _next(reach, ratios)
                continue
            reach = _next(reach, ratios)
        if best is not None:
            return best
        if not all(r > within.smallest * size for r, size in zip(reach, sizes, strict=True)):
            break
    raise NotProvenError(
        f"no box of states is proven to contain one orbit: in a box of {max(reach):.1e}, {why}. Find the orbit again "
        "with smaller tolerances; if it is at a bifurcation, or grazes a boundary, choose parameters away from there"
    )


def _next(reach: Sequence[float], ratios: Sequence[float]) -> list[float]:
    """Return a box that is about as large as K allows, as that of a quadratic map, and nearer to the shape of K."""
    largest = max(*ratios, LEAST)
    shape = [max(ratio / largest, LEAST) ** 0.5 for ratio in ratios]
    return [r * by * 0.7 / max(largest, LEAST) for r, by in zip(reach, shape, strict=True)]


def inflated_box(
    chain: Chain, box: Box, sizes: Sequence[float], inverse: Matrix, accuracy: Accuracy
) -> tuple[Box, Period]:
    """Return a box that contains exactly one state for each value of the varied parameter, and its period.

    The box has to be as large as the parameter's interval bends the states; it grows until it contains K.

    Raises
    ------
    NotProvenError
        If it grows without end.
    """
    m = len(box.free)
    reach, why = [ball(0)] * m, ""
    for _ in range(INFLATIONS):
        tried = dataclasses.replace(box, reach=[*reach, *box.reach[m:]])
        try:
            found = period(chain, tried, accuracy)
        except TooWideError as problem:
            why = str(problem)
            break
        image = krawczyk(chain, tried, found, inverse)
        if contains_one(tried, image):
            return tried, found
        why = "the box grows without end"
        reach = [middle(upper(k) * INFLATION + ball(size * FLOATS)) for k, size in zip(image, sizes, strict=True)]
    raise NotProvenError(f"the interval is too wide for one proof: {why}. Give a part of it, and prove the parts")


def sharp_box(chain: Chain, box: Box, inverse: Matrix, accuracy: Accuracy) -> tuple[Box, Period]:
    """Return a small box about the state that returns, within a box that contains one, and the period from there.

    Raises
    ------
    NotProvenError
        If none is found.
    """
    m = len(box.free)
    moved = dataclasses.replace(box, x=list(box.x))
    for _ in range(CORRECTIONS):
        point = dataclasses.replace(moved, reach=[ball(0)] * m + [*box.reach[m:]])
        away = krawczyk(chain, point, period(chain, point, accuracy), inverse)
        for i, by in zip(box.free, away, strict=True):
            moved.x[i] = middle(moved.x[i] + by)
        if all(float(upper(middle(by))) ** 2 * CURVATURE <= float(radius(by)) for by in away):
            break
    reach = [radius(a) for a in away]
    least = max(map(float, reach)) * 1e-3
    for _ in range(ENLARGEMENTS):
        tried = dataclasses.replace(moved, reach=[middle(4 * r + least) for r in reach] + [*box.reach[m:]])
        try:
            found = period(chain, tried, accuracy)
            image = krawczyk(chain, tried, found, inverse)
        except TooWideError as problem:
            raise NotProvenError(str(problem)) from None
        if contains_one(tried, image) and _within(tried, box):
            return tried, found
        reach = [max(upper(k), r) for k, r in zip(image, reach, strict=True)]
    raise NotProvenError("the orbit's state is not known to the digits asked for; give fewer --digits")


def _within(small: Box, large: Box) -> bool:
    """Return whether the states of a box lie in another one."""
    return all(
        upper(small.x[i] - large.x[i]) + reach < outer
        for i, reach, outer in zip(small.free, small.reach, large.reach, strict=False)
    )

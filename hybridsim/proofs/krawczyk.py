"""There is one state that returns, and no other, in a box: by Krawczyk's operator.

With P the map that a period makes, x_c the centre of a box X and C a matrix near the inverse of DP - 1,

    K(X) = x_c - C (P(x_c) - x_c) + (1 - C (DP(X) - 1)) (X - x_c)

lies in the interior of X only if exactly one state of X returns, and that state is in K(X) (Krawczyk 1969; Rump 2010).
The section needs no equation: its multiplier is 0. A varied parameter q is carried as a variable. Boxes then lie along
x_c + x' (q - q_c), and what is proven holds for each q: K has one more term, -C (dP/dq + DP x' - x') (q - q_c).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.proofs.balls import Ball, Matrix, ball, inside, matrix, middle, radius, rows_of, times, upper
from hybridsim.proofs.enclosure import Accuracy
from hybridsim.proofs.legs import Chain
from hybridsim.proofs.refusals import NotProvenError, TooWideError
from hybridsim.proofs.second_order import combined, sharper
from hybridsim.proofs.shooting import Box, Period, period
from hybridsim.typing import FloatArray

MAX_BOXES = 24
"""Most boxes that are tried."""

INFLATIONS, INFLATION, FLOATS = 12, 1.5, 1e-13
"""Boxes tried for an interval, by how much the next one is larger than K, and what floats can tell of a side."""

ENOUGH, LEAST, MORE, POWER, SHAPING = 0.5, 0.1, 4, 0.6, 0.1
"""Larger boxes are tried, so many more at most, if K is smaller than the first of a box; then the least ratio that
counts, and the powers of it by which the next box is smaller or larger, as second derivatives vary, too, and by which
its sides differ."""

FAR = 1e-3
"""How far a correction of the computed state may lead, in the sizes of the states."""

CLEAR, GIVEN = 0.8, 0.9
"""How large K may be in the sizes of a box, and which part of it the theorem is about: the checker, which rounds
otherwise and has other sets, then finds all inequalities with room to spare."""

NOISE = 0.3
"""How finely the image of the centre has to be known, in the size of a box."""

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


def equations(chain: Chain, box: Box, found: Period, v: Matrix) -> tuple[list[Ball], Matrix]:
    """Return by how much the centre misses itself, and DP - 1, given derivatives; on a level it replaces a state.

    A varied parameter has a column, too: of what the box moves along with it.
    """
    values, rows = [found.end.near[i] - box.x[i] for i in box.free], rows_of(v)
    by = [[*(int(a == b) for a in range(len(box.free))), *box.tilt[b : b + 1]] for b in range(len(box.free))]
    slopes = [[a - b for a, b in zip(rows[i], line, strict=True)] for i, line in zip(box.free, by, strict=True)]
    if found.level is not None and chain.level is not None:
        values[chain.level.replaced], slopes[chain.level.replaced] = found.level
    return values, matrix(slopes)


def inverse_of(slopes: Matrix) -> Matrix:
    """Return a matrix near the inverse of DP - 1.

    Raises
    ------
    NotProvenError
        If DP - 1 is singular, as for a family of orbits.
    """
    a = floats(slopes)[:, : slopes.nrows()]
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
        If there is none.
    """
    point = dataclasses.replace(box, reach=[ball(0) for _ in box.reach])
    found = sketched(chain, point, accuracy)
    misses, slopes = equations(chain, point, found, found.end.v)
    inverse = inverse_of(slopes)
    x, tilt = list(box.x), list(box.tilt)
    for i, by, size in zip(box.free, times(inverse, misses), sizes, strict=True):
        if not abs(float(by)) < FAR * size:
            raise NotProvenError("no box of states near the computed one contains an orbit; find it again")
        x[i] = middle(x[i] - by)
    if tilt:
        rows = rows_of(found.end.v)
        tilt = [middle(-d) for d in times(inverse, [rows[i][-1] for i in box.free])]
    return dataclasses.replace(box, x=x, tilt=tilt), inverse


def sketched(chain: Chain, point: Box, accuracy: Accuracy) -> Period:
    """Return about what a period makes of one state.

    Raises
    ------
    NotProvenError
        If it has no such period.
    """
    try:
        return period(chain, point, dataclasses.replace(accuracy, second=0), is_proven=False)
    except TooWideError as problem:
        raise NotProvenError(str(problem)) from None


def krawczyk(chain: Chain, box: Box, found: Period, inverse: Matrix) -> list[Ball]:
    """Return K as deviations of the free states from the centre."""
    misses, slopes = equations(chain, box, found, found.end.v)
    m, end = len(misses), found.end
    one = matrix([[int(i == j) for j in range(len(box.reach))] for i in range(m)])
    left = one - inverse * slopes
    if end.second is not None:  # C times the second derivatives is far less than their sizes allow
        bent = [end.second[i] for i in box.free]
        at_centre = equations(chain, box, found, end.v_near)[1]
        if chain.level is not None:
            bent[chain.level.replaced] *= 0
        left = sharper(left, one - inverse * at_centre, combined(-inverse, bent), box.deviations)
    return [a - b for a, b in zip(times(left, box.deviations), times(inverse, misses), strict=True)]


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
        If there is none, with what failed in the last one; a `TooCoarseError` if a finer calculation may do.
    """
    reach, why = [within.largest * size for size in sizes], ""
    best: tuple[Box, Period] | None = None
    good, bad, left = 0.0, math.inf, MAX_BOXES  # sizes of boxes for which a proof has succeeded, and has failed
    while left and all(r > within.smallest * size for r, size in zip(reach, sizes, strict=True)):
        left, largest = left - 1, math.inf
        tried = dataclasses.replace(box, reach=[*map(ball, reach), *box.reach[len(reach) :]])
        try:
            found = period(chain, tried, accuracy)
        except TooWideError as problem:
            why = str(problem)
        else:
            ratios = _ratios(chain, tried, found, inverse)
            largest, why = max(ratios, key=lambda ratio: (not ratio < math.inf, ratio)), "K is not in the box"
        size = max(r / size for r, size in zip(reach, sizes, strict=True))
        if largest < CLEAR:
            best, good, left = (tried, found), size, MORE if best is None else left
            if largest > ENOUGH:
                break
        else:
            bad = size
        by = min((0.7 / max(largest, LEAST)) ** POWER, math.sqrt(bad / size)) if largest < math.inf else within.factor
        by = math.sqrt(good / size) if 0.0 < good < size else by
        shape = [ratio / largest for ratio in ratios] if best is None and largest < math.inf else [1.0] * len(reach)
        reach = [r * by * max(share, LEAST) ** SHAPING for r, share in zip(reach, shape, strict=True)]
    if best is not None:
        box, found = best
        return dataclasses.replace(
            box, reach=[middle(r * GIVEN) for r in box.reach[: len(reach)]] + box.reach[len(reach) :]
        ), found
    raise NotProvenError(
        f"no box of states is proven to contain one orbit: in a box of {max(reach):.1e}, {why}. Find the orbit again "
        "with smaller tolerances; if it is at a bifurcation, or grazes a boundary, choose parameters away from there"
    )


def _ratios(chain: Chain, box: Box, found: Period, inverse: Matrix) -> list[float]:
    """Return how large K is in each state, in the sizes of a box; refuse a box that is smaller than what is known."""
    noise = [float(radius(by)) for by in times(inverse, equations(chain, box, found, found.end.v)[0])]
    if any(by > NOISE * float(r) for by, r in zip(noise, box.reach, strict=False)):
        raise TooCoarseError(f"after a period the state is known to {max(noise):.1e} only")
    return [float(upper(k) / r) for k, r in zip(krawczyk(chain, box, found, inverse), box.reach, strict=False)]


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


def sharp_box(chain: Chain, box: Box, inverse: Matrix, accuracy: Accuracy, reach: list[Ball]) -> tuple[Box, Period]:
    """Return a small box about the state that returns, within a box that contains one, and the period from there.

    Its reach is the one given, if that is enough.

    Raises
    ------
    NotProvenError
        If none is found.
    """
    m = len(box.free)
    moved = dataclasses.replace(box, x=list(box.x))
    for _ in range(CORRECTIONS):
        point = dataclasses.replace(moved, reach=[ball(0)] * m + [*box.reach[m:]])
        misses = equations(chain, point, found := sketched(chain, point, accuracy), found.end.v)[0]
        away = [middle(-by) for by in times(inverse, misses)]
        for i, by in zip(box.free, away, strict=True):
            moved.x[i] = middle(moved.x[i] + by)
        if all(CURVATURE * float(upper(by)) ** 2 <= float(r) for by, r in zip(away, reach, strict=True)):
            break
    for _ in range(ENLARGEMENTS):
        tried = dataclasses.replace(moved, reach=[*reach, *box.reach[m:]])
        try:
            found = period(chain, tried, accuracy)
            image = krawczyk(chain, tried, found, inverse)
        except TooWideError as problem:
            raise NotProvenError(str(problem)) from None
        if contains_one(tried, image) and _within(tried, box):
            return tried, found
        reach = [max(middle(4 * upper(k)), r) for k, r in zip(image, reach, strict=True)]
    raise NotProvenError("the orbit's state is not known to the digits asked for; give fewer --digits")


def _within(small: Box, large: Box) -> bool:
    """Return whether the states of a box lie in another one."""
    return all(
        upper(small.x[i] - large.x[i]) + reach < outer
        for i, reach, outer in zip(small.free, small.reach, large.reach, strict=False)
    )

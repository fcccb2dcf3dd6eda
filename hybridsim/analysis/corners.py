"""What a return map does where the events of a stride change: a corner, a square root, or nothing.

From a point z* at the border, seen a distance s to the other side, the map differs from its linear continuation by

| d(s) grows like | the map has | as where |
|---|---|---|
| s^(1/2) | a square root | an impact is grazed (A. B. Nordmark 1991) |
| s | a corner | two events change their order: a border collision |
| s^(3/2) | a kink in its derivative's slope | a switch is touched, a slide begins |
| s^2 | no corner | a crossing is declined, or changes nothing |

(M. di Bernardo, C. J. Budd, A. R. Champneys, P. Kowalczyk: Piecewise-smooth Dynamical Systems, 2008, chapter 2.)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.return_map import signature
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import BifurcationType

MAX_GRAZING_BISECTIONS = 60
"""Bisections to locate a grazing."""

DISTANCES = tuple(10.0 ** (-0.5 * power) for power in range(4, 17))
"""Distances from the border at which the other side is looked at, in units of the curve."""

LEAST_DIFFERENCE = 1e-11
"""Difference of two maps that may be rounding, or the error of the steps."""

CORNERS: Mapping[float, BifurcationType] = {0.0: "jump", 0.5: "square root", 1.0: "corner", 1.5: "kink", 2.0: ""}
"""The power of d(s) -> what the map has there."""


def corner_at(curve: Curve, before: CurvePoint, after: CurvePoint) -> BifurcationType:
    """Return what the map has between two points on both sides of a border: a word of `CORNERS`, "" for no corner.

    The derivative on the side of an impact is itself infinite at a grazing; the side from which the map looks worse
    decides.
    """
    powers = [
        power for here, sign in ((before, 1.0), (after, -1.0)) if (power := _power(curve, here, sign)) is not None
    ]
    return _word(min(powers)) if powers else ""


def corner_ahead(curve: Curve, point: CurvePoint) -> BifurcationType:
    """Return what the map has just ahead of the last point of a curve."""
    power = _power(curve, point, 1.0)
    return "" if power is None else _word(power)


def last_and_first(curve: Curve, first: CurvePoint, second: CurvePoint) -> tuple[CurvePoint, CurvePoint]:
    """Return the last point before the sequence of events changes, and the first one after it that is found."""
    low, high = 0.0, float(first.tangent @ (second.z - first.z))
    here, there, alike = first, second, signature(first.found)
    for _ in range(MAX_GRAZING_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        try:
            between = curve.step(first, middle)
        except CorrectionError:
            high = middle
            continue
        if signature(between.found) == alike:
            low, here = middle, between
        else:
            high, there = middle, between
    return here, there


def _word(power: float) -> BifurcationType:
    return CORNERS[min(CORNERS, key=lambda known: abs(known - power))]


def _power(curve: Curve, here: CurvePoint, sign: float) -> float | None:
    """Return the power of the distance by which the map departs from its derivative; None if it does not depart."""
    direction = sign * here.tangent
    _, at_border = curve.evaluate(here.z)
    distances, differences = [], []
    for distance in DISTANCES:
        try:
            _, there = curve.evaluate(here.z + distance * direction)
        except StrideError:
            continue
        linear = at_border.residual + distance * at_border.jacobian @ direction
        difference = float(np.linalg.norm(there.residual - linear))
        if difference > LEAST_DIFFERENCE:
            distances.append(distance)
            differences.append(difference)
    if len(distances) < 2:
        return None
    return float(np.median(np.diff(np.log(differences)) / np.diff(np.log(distances))))

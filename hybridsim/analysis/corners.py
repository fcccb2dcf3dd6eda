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
from hybridsim.analysis.newton import Equations
from hybridsim.analysis.return_map import Return, signature
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import BifurcationType, FloatArray

MAX_GRAZING_BISECTIONS = 60
"""Bisections to locate a grazing."""

DISTANCES = tuple(10.0 ** (-0.5 * power) for power in range(4, 17))
"""Distances from the border at which the other side is looked at, in units of the curve."""

DISTANCES_AHEAD = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
"""Distances from the end of a curve at which the other side of a border is looked for."""

STEEP = 1e3
"""Slope of a map, in the units of the curve, from which it may be that of a root near a grazing."""

LEAST_DIFFERENCE = 1e-11
"""Difference of two maps that may be rounding, or the error of the steps."""

LEAST_SLOPE = 1e-4
"""Difference of two maps for a distance of 1 that may be the error of the derivative, where an event just happens."""

CORNERS: Mapping[float, BifurcationType] = {0.0: "jump", 0.5: "square root", 1.0: "corner", 1.5: "kink", 2.0: ""}
"""The power of d(s) -> what the map has there."""


def corner_at(curve: Curve, before: CurvePoint, after: CurvePoint) -> BifurcationType:
    """Return what the map has between two points on both sides of a border: a word of `CORNERS`, "" for no corner.

    The derivative on the side of an impact is itself infinite at a grazing; the side from which the map looks worse
    decides.
    """
    back = [(after.z, sign * after.tangent) for sign in (-1.0, 1.0)]  # where two orbits meet, the curve turns round
    return _worst(curve, [(before.z, before.tangent), *back])


def corner_ahead(curve: Curve, point: CurvePoint) -> BifurcationType:
    """Return what the map has just ahead of the last point of a curve."""
    across = across_border(curve, point)
    if across is None:
        return _worst(curve, [(point.z, point.tangent)])
    direction = across[0] / np.linalg.norm(across[0])
    return _worst(curve, [(point.z, direction), (point.z + across[0], -direction)])


def across_border(curve: Curve, point: CurvePoint) -> tuple[FloatArray, Return, Equations] | None:
    """Return a step from the last point of a curve to where the events are others, and the strides there.

    A curve of orbits with a grazing impact ends along the border; across it, the slope of the map is steep.
    """
    _, slopes, directions = np.linalg.svd(point.jacobian)
    steep = [directions[0], -directions[0]] if len(slopes) and slopes[0] > STEEP else []
    for direction in (point.tangent, *steep):
        for length in DISTANCES_AHEAD:
            try:
                found, there = curve.evaluate(point.z + length * direction)
            except StrideError:
                break
            if signature(found) != signature(point.found):
                return length * direction, found, there
    return None


def _worst(curve: Curve, sides: list[tuple[FloatArray, FloatArray]]) -> BifurcationType:
    powers = [power for z, direction in sides if (power := _power(curve, z, direction)) is not None]
    return _word(min(powers)) if powers else ""


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


def _power(curve: Curve, z: FloatArray, direction: FloatArray) -> float | None:
    """Return the power of the distance by which the map departs from its derivative; None if it does not depart."""
    _, at_border = curve.evaluate(z)
    distances, differences = [], []
    for distance in DISTANCES:
        try:
            _, there = curve.evaluate(z + distance * direction)
        except StrideError:
            continue
        linear = at_border.residual + distance * at_border.jacobian @ direction
        difference = float(np.linalg.norm(there.residual - linear))
        if difference > max(LEAST_DIFFERENCE, LEAST_SLOPE * distance):
            distances.append(distance)
            differences.append(difference)
    if len(distances) < 2:
        return None
    return float(np.median(np.diff(np.log(differences)) / np.diff(np.log(distances))))

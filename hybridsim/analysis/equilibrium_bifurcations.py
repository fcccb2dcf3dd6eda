"""Bifurcations on a curve of equilibria: found by changes of sign between two points, and located by root finding.

| kind | what happens | function that changes sign |
|---|---|---|
| fold | two equilibria meet and vanish; an eigenvalue is 0 | the parameter's entry in the tangent t, not det [J; t] |
| branch | another curve of equilibria crosses; an eigenvalue is 0 | det [J; t], J the derivatives of the equations |
| hopf | an orbit is born; a pair of eigenvalues is imaginary | product of the sums of two eigenvalues |
| boundary | the equilibrium reaches a boundary of its chart | the boundary |

(Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, chapter 10.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np

from hybridsim.analysis.bifurcations import SAME_PLACE, Located, crossing_between, fold_test, locate
from hybridsim.analysis.chart_field import boundaries_at
from hybridsim.analysis.crossings import type_of
from hybridsim.analysis.curve import CorrectionError, CurvePoint
from hybridsim.analysis.equilibrium_curve import EquilibriumCurve
from hybridsim.analysis.hopf import EquilibriumBifurcation
from hybridsim.analysis.hopf_form import critical_pair, hopf_form
from hybridsim.analysis.newton import norm
from hybridsim.analysis.normal_forms import fold_form
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import FloatArray

CERTAIN = 1e-10
"""Least product of the sums of eigenvalues, relative to their sizes, that is no rounding: where all pairs are imaginary
along a whole curve, as without friction, none is a Hopf point."""

MAX_SPLITS = 10
"""How often a step is split, where an eigenvalue may have crossed the imaginary axis and come back."""

SMALL_MOVE, HOPF = 1e-5, ""
"""Move along a curve that shows a slope, in the units of the curve; and the name of the function of a Hopf point among
those of the boundaries."""

AXIS_TOLERANCE = 1e-4
"""How near the imaginary axis a pair must be at a Hopf point, relative to its size."""


def growing(point: CurvePoint) -> int:
    """Return how many eigenvalues have positive real parts."""
    return int(np.sum(point.multipliers.real > CERTAIN * np.abs(point.multipliers).max(initial=0.0)))


def hopf_test(point: CurvePoint) -> float:
    """Return the product of the sums of two eigenvalues, each relative to their sizes."""
    values = point.multipliers[np.argsort(np.abs(point.multipliers))[point.family :]]
    return float(np.prod([(a + b) / (abs(a) + abs(b) or 1.0) for a, b in combinations(values, 2)]).real)


def find_between(curve: EquilibriumCurve, first: CurvePoint, second: CurvePoint) -> list[Located]:
    """Find and locate the bifurcations between two neighbouring points of a curve, in their order."""
    points = [first, *_turning_points(curve, first, second, MAX_SPLITS), second]
    certain = max(abs(hopf_test(point)) for point in points) > CERTAIN
    return [each for ends in pairwise(points) for each in _find_in_part(curve, *ends, certain)]


def _find_in_part(curve: EquilibriumCurve, first: CurvePoint, second: CurvePoint, certain: bool) -> list[Located]:
    """Find the bifurcations between two points of a curve; those of a pair of eigenvalues if that is no rounding."""
    found = []
    crossing = crossing_between(curve, first, second)
    if crossing is not None:
        word = type_of(crossing.point.tangent, crossing.across)
        found.append(Located("branch", crossing.point, crossing.across, type=word))
    if (fold_test(first) < 0.0) != (fold_test(second) < 0.0):
        point = locate(curve, first, second, fold_test)
        if point is not None and (crossing is None or norm(point.z - crossing.point.z) > SAME_PLACE):
            found.append(Located("fold", point))
    ends = hopf_test(first), hopf_test(second)
    if (ends[0] < 0.0) != (ends[1] < 0.0) and certain:
        point = locate(curve, first, second, hopf_test)
        pair = None if point is None else critical_pair(point.multipliers)
        if point is not None and pair is not None and abs(pair.real) < AXIS_TOLERANCE * abs(pair):
            found.append(Located("hopf", point))
    found += _boundaries_between(curve, first, second)
    return sorted(found, key=lambda each: float(np.linalg.norm(each.point.z - first.z)))


def _turning_points(
    curve: EquilibriumCurve, first: CurvePoint, second: CurvePoint, splits: int
) -> Iterator[CurvePoint]:
    """Yield points between two others, in their order, where a function may have another sign than at both ends.

    It comes nearer to zero from both ends, so fast that its tangents meet beyond zero, below which no convex function
    is. Such a point is where its slope would be zero if it were linear.
    """
    way = second.z - first.z
    (values, slopes), (next_values, next_slopes) = (_tests_and_slopes(curve, point, way) for point in (first, second))
    for name in [name for name in values if name in next_values] if splits else ():
        a, b, c, d = values[name], next_values[name], slopes[name], next_slopes[name]
        if a * b > 0.0 and c * a < 0.0 < d * a and (a + c * (b - a - d) / (c - d)) * a < 0.0:
            try:
                middle = curve.correct(first.z + c / (c - d) * way, way / np.linalg.norm(way))
            except CorrectionError:
                return
            yield from _turning_points(curve, first, middle, splits - 1)
            yield middle
            yield from _turning_points(curve, middle, second, splits - 1)
            return


def _tests_and_slopes(
    curve: EquilibriumCurve, point: CurvePoint, way: FloatArray
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the functions that change sign, of a Hopf point and of the boundaries, and their slopes by the way."""
    move = SMALL_MOVE * point.tangent
    before, here, after = (
        {HOPF: hopf_test(each), **_boundaries(curve, each)}
        for each in (
            curve.point_at(point.z - move, point.tangent),
            point,
            curve.point_at(point.z + move, point.tangent),
        )
    )
    if abs(here[HOPF]) <= CERTAIN:
        del here[HOPF]
    per_move = float(point.tangent @ way) / (2.0 * SMALL_MOVE)
    return here, {name: (after.get(name, np.nan) - before.get(name, np.nan)) * per_move for name in here}


def _boundaries_between(curve: EquilibriumCurve, first: CurvePoint, second: CurvePoint) -> list[Located]:
    """Find where boundaries are reached between two points."""
    here, there = _boundaries(curve, first), _boundaries(curve, second)
    found = []
    for name in [name for name in here if here[name] * there.get(name, 0.0) < 0.0]:

        def test(point: CurvePoint, name: str = name) -> float:
            return _boundaries(curve, point).get(name, np.nan)

        point = locate(curve, first, second, test)
        if point is not None:
            found.append(Located("boundary", point, boundary=name))
    return found


def _boundaries(curve: EquilibriumCurve, point: CurvePoint) -> dict[str, float]:
    return boundaries_at(curve.field_at(point.z), point.found.x0)


def equilibrium_bifurcation_at(curve: EquilibriumCurve, number: int, located: Located) -> EquilibriumBifurcation:
    """Make a bifurcation, with its normal form."""
    point, value = located.point, curve.value(located.point.z)
    common = located.kind, value, number, curve.equilibrium(point), located.boundary
    try:
        if located.kind == "fold":
            return EquilibriumBifurcation(*common, side=fold_form(curve, point).side)
        if located.kind == "hopf":
            form = hopf_form(curve, point)
            return EquilibriumBifurcation(*common, form.type, form.side, form.coefficient, form.omega, form.slope)
    except (StrideError, np.linalg.LinAlgError):
        pass
    return EquilibriumBifurcation(*common, located.type)

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

from itertools import combinations

import numpy as np

from hybridsim.analysis.bifurcations import SAME_PLACE, Located, crossing_between, fold_test, locate
from hybridsim.analysis.crossings import type_of
from hybridsim.analysis.curve import CurvePoint
from hybridsim.analysis.equilibria import boundaries_at
from hybridsim.analysis.equilibrium_curve import EquilibriumCurve
from hybridsim.analysis.hopf import EquilibriumBifurcation, critical_pair, hopf_form
from hybridsim.analysis.newton import norm
from hybridsim.analysis.normal_forms import fold_form
from hybridsim.analysis.stride import StrideError

CERTAIN = 1e-10
"""Least product of the sums of eigenvalues, relative to their sizes, that is no rounding: where all pairs are imaginary
along a whole curve, as without friction, none is a Hopf point."""

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
    if (ends[0] < 0.0) != (ends[1] < 0.0) and max(map(abs, ends)) > CERTAIN:
        point = locate(curve, first, second, hopf_test)
        pair = None if point is None else critical_pair(point.multipliers)
        if point is not None and pair is not None and abs(pair.real) < AXIS_TOLERANCE * abs(pair):
            found.append(Located("hopf", point))
    found += _boundaries_between(curve, first, second)
    return sorted(found, key=lambda each: float(np.linalg.norm(each.point.z - first.z)))


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

"""Special points on curves of bifurcations: where a second condition holds, so that two parameters are needed.

x and p are the right and left null vectors of the matrix that has lost a rank, of length 1:

| on a curve of | function that changes sign | point |
|---|---|---|
| folds | p.B(x,x) | cusp |
| folds | p.x | 1:1 resonance: a second multiplier is 1 |
| flips | p.x | 1:2 resonance: a second multiplier is -1 |
| flips | coefficient c of the normal form | generalised flip: the doubled motion meets another one |
| tori | sum of the pair - 2, + 2, + 1, and the sum | 1:1, 1:2, 1:3, 1:4 resonance |
| tori | real part of the coefficient d | Chenciner point: the torus meets another one |
| folds | product of (multiplier + 1) | fold-flip |
| flips | product of (multiplier - 1) | fold-flip |
| all | product of (product of a pair - 1), without the critical ones | fold-torus, flip-torus, torus-torus |

(Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, section 9; W. Govaerts: Numerical Methods for
Bifurcations of Dynamical Equilibria, 2000.)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import cast

import numpy as np

from hybridsim.analysis.bifurcation_curve import BifurcationCurve
from hybridsim.analysis.bifurcations import CIRCLE_TOLERANCE, locate
from hybridsim.analysis.curve import Curve, CurvePoint
from hybridsim.analysis.normal_forms import Derivatives, along, normal_form
from hybridsim.analysis.orbit import Orbit
from hybridsim.errors import explains_keywords
from hybridsim.typing import BifurcationKind, FloatArray, SpecialKind

ZERO = 1e-5
"""A function that changes sign is zero, and not infinite, where it is this part of its values beside the place."""

WHERE_TORI_CROSS = 1e-8
"""Part of a step to which a torus-torus point is located: two curves cross there, and the borders become singular."""

NEAR_RESONANCE = 0.02
"""Distance of the sum of a pair from that of a resonance, below which no Chenciner point is looked for."""

ROUGH_STEP = 1e-3
"""Step of the second differences by which a coefficient is known to 1e-5: enough for its sign."""

RESONANCES: dict[str, float] = {"1:1": 2.0, "1:2": -2.0, "1:3": -1.0, "1:4": 0.0}
"""The sum of a pair of multipliers at a resonance."""


@explains_keywords()
@dataclass(frozen=True, eq=False, repr=False)
class SpecialPoint:
    """A point of a curve of bifurcations where something else happens, too.

    Parameters
    ----------
    kind : str
        "cusp", "1:1", "1:2", "1:3", "1:4", "generalised flip", "Chenciner", "fold-flip", "fold-torus", "flip-torus" or
        "torus-torus".
    parameters : mapping of str to float
        Values of both parameters.
    orbit : Orbit
        The orbit there.
    """

    kind: SpecialKind
    parameters: dict[str, float]
    orbit: Orbit

    def __repr__(self) -> str:
        return f"<{self.kind} at {' and '.join(f'{name} = {value:.9g}' for name, value in self.parameters.items())}>"


def special_points(
    curve: BifurcationCurve, first: CurvePoint, second: CurvePoint
) -> list[tuple[SpecialKind, CurvePoint]]:
    """Find and locate the special points between two neighbouring points of a curve, in their order."""
    found = []
    for kind, test in _tests(curve).items():
        ends = test(first), test(second)
        if ends[0] * ends[1] < 0.0:
            fine = _coefficient(curve, along) if kind in ("generalised flip", "Chenciner") else test
            point = locate(curve, first, second, fine, WHERE_TORI_CROSS if kind == "torus-torus" else 1e-14)
            if point is not None and abs(fine(point)) < ZERO * max(map(abs, ends)) and _holds(curve, kind, point):
                found.append((cast("SpecialKind", kind), point))
    return sorted(found, key=lambda each: float(np.linalg.norm(each[1].z - first.z)))


Test = Callable[[CurvePoint], float]
"""A function on a curve that changes sign at a special point."""


def _tests(curve: BifurcationCurve) -> dict[str, Test]:
    """Return the functions that change sign, by what happens there."""
    if curve.kind == "branch":
        return {}

    def pairs(point: CurvePoint) -> float:
        return float(np.prod([a * b - 1.0 for a, b in combinations(_others(curve, point), 2)]).real)

    def product(point: CurvePoint) -> float:
        return _product(curve, point)

    def fold_flip(point: CurvePoint) -> float:
        return _fold_flip(curve.kind, point)

    def curvature(point: CurvePoint) -> float:
        right, _ = curve.null_vectors(point)
        return float(-point.jacobian[-1, : len(right)] @ right)

    def resonance(kind: str) -> Test:
        return lambda point: sum_of_pair(curve, point) - RESONANCES[kind]

    tests: dict[str, dict[str, Test]] = {
        "fold": {"cusp": curvature, "1:1": product, "fold-flip": fold_flip},
        "flip": {"1:2": product, "generalised flip": _coefficient(curve, _roughly_along), "fold-flip": fold_flip},
        "torus": {**{kind: resonance(kind) for kind in RESONANCES}, "Chenciner": _coefficient(curve, _roughly_along)},
    }
    return {**tests[curve.kind], f"{curve.kind}-torus": pairs}


def _product(curve: BifurcationCurve, point: CurvePoint) -> float:
    """Return p.x."""
    right, left = curve.null_vectors(point)
    return float(left[: len(right)] @ right)


def _fold_flip(kind: str, point: CurvePoint) -> float:
    """Return the product of (multiplier + 1) at a fold, of (multiplier - 1) at a flip, without those of a family."""
    if kind == "fold":
        return float(np.prod(point.multipliers + 1.0).real)
    ordered = point.multipliers[np.argsort(np.abs(point.multipliers - 1.0))]
    return float(np.prod(ordered[point.family :] - 1.0).real)


def sum_of_pair(curve: BifurcationCurve, point: CurvePoint) -> float:
    """Return the sum of the two multipliers whose product is 1, on a curve of tori."""
    return float(np.trace(_map_of_pair(curve, point)))


def _map_of_pair(curve: BifurcationCurve, point: CurvePoint) -> FloatArray:
    """Return the derivative of the return map in the plane of the pair, (2, 2)."""
    right, _ = curve.null_vectors(point)
    n = len(right)
    plane = np.linalg.svd(right)[0][:, :2]
    return np.asarray(plane.T @ (point.jacobian[:n, :n] + np.eye(n)) @ plane)


def _others(curve: BifurcationCurve, point: CurvePoint) -> list[complex]:
    """Return the multipliers that are not those of the bifurcation, or of a family."""
    critical: list[complex] = [1.0] * point.family
    critical += [*np.linalg.eigvals(_map_of_pair(curve, point))] if curve.kind == "torus" else []
    critical += {"fold": [1.0], "flip": [-1.0]}.get(curve.kind, [])
    others = [*point.multipliers]
    for value in critical:
        if others:
            others.pop(int(np.argmin(np.abs(np.array(others) - value))))
    return others


def _holds(curve: BifurcationCurve, kind: str, point: CurvePoint) -> bool:
    """Return whether the function is zero for the right reason: that of a pair, as it is on the unit circle."""
    if not kind.endswith("-torus"):
        return True
    pairs = (value for value in _others(curve, point) if abs(value.imag) > CIRCLE_TOLERANCE)
    return any(abs(abs(value) - 1.0) < CIRCLE_TOLERANCE for value in pairs)


def _coefficient(curve: BifurcationCurve, derivatives: Derivatives) -> Test:
    """Return the real part of the coefficient of the normal form, nan where there is none.

    That of a flip is multiplied by what is zero where it would be infinite, at a 1:2 resonance and a fold-flip.
    """

    def value(point: CurvePoint) -> float:
        factor = 1.0
        if curve.kind == "torus":
            near = min(abs(sum_of_pair(curve, point) - resonance) for resonance in RESONANCES.values())
            if near < NEAR_RESONANCE or abs(sum_of_pair(curve, point)) > 2.0:
                return np.nan
        else:
            factor = _product(curve, point) * _fold_flip(curve.kind, point)
        curve.set_values(point.z)
        here = dataclasses.replace(point, z=point.z[:-1], jacobian=point.jacobian[: -curve.n_tests, :-1])
        form = normal_form(curve.first, cast("BifurcationKind", curve.kind), here, derivatives)
        return np.nan if form is None else form.coefficient.real * factor

    return value


def _roughly_along(curve: Curve, point: CurvePoint, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the first and second derivatives of the Jacobian along a direction of the states, by differences."""
    line = ROUGH_STEP * np.append(direction, 0.0)
    ahead, behind = (curve.evaluate(point.z + sign * line)[1].jacobian for sign in (1.0, -1.0))
    return (ahead - behind) / (2.0 * ROUGH_STEP), (ahead + behind - 2.0 * point.jacobian) / ROUGH_STEP**2

"""Bifurcations on a curve of orbits: found by changes of sign between two points, and located by root finding.

| kind | what happens | function that changes sign |
|---|---|---|
| fold | two orbits meet and vanish; a multiplier is 1 | the parameter's entry in the tangent t, and not det [J; t] |
| branch | another curve of orbits crosses; a multiplier is 1 | det [J; t], J the derivatives of the residuals |
| flip | the period doubles; a multiplier is -1 | product of (multiplier + 1) |
| torus | a pair of multipliers leaves the unit circle (Neimark-Sacker) | product of (product of a pair - 1) |
| grazing | an event appears or vanishes: the orbit touches a boundary | the number of events |
| hopf | the orbit shrinks to an equilibrium | its size |

(Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, sections 4 and 10; for a crossing, H. B. Keller 1977.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations, zip_longest
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from hybridsim.analysis.border_collisions import BornCycle, born_at, describe
from hybridsim.analysis.corners import across_border, corner_at, last_and_first
from hybridsim.analysis.crossings import LARGEST_GAP, Crossing, find_crossing, type_of
from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint, Reduction
from hybridsim.analysis.newton import norm
from hybridsim.analysis.return_map import Return, signature, without_family
from hybridsim.analysis.square_roots import GrazingCycle, born_at_root, describe_root
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

SAME_PLACE = 1e-5
"""Distance, in the units of a curve, below which two places on it are the same."""

CIRCLE_TOLERANCE = 1e-4
"""How near the unit circle a pair of multipliers must be at a torus bifurcation, and a multiplier at 1 or -1."""


def fold_test(point: CurvePoint) -> float:
    """Return the parameter's entry in the tangent."""
    return float(point.tangent[-1])


def crossing_test(reduction: Reduction, point: CurvePoint) -> float:
    """Return det [J; t] of the reduced equations: its sign changes wherever another curve crosses."""
    return float(np.linalg.det(np.vstack([reduction.jacobian(point.jacobian), point.tangent])))


def flip_test(point: CurvePoint) -> float:
    """Return the product of (multiplier + 1)."""
    return float(np.prod(point.multipliers + 1.0).real)


def torus_test(point: CurvePoint) -> float:
    """Return the product of (product of two multipliers - 1) over all pairs."""
    return float(np.prod(_pairs(point)).real)


def _pairs(point: CurvePoint) -> npt.NDArray[np.complex128]:
    """Return the product of two multipliers, less 1, of all pairs."""
    return np.array([a * b - 1.0 for a, b in combinations(point.multipliers, 2)], complex)


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A bifurcation between two neighbouring points of a curve.

    Attributes
    ----------
    kind : str
        What happens there.
    point : CurvePoint
        The orbit there; for a grazing, the last one before it.
    across : (n + 1,) array or None
        At a branch point, the tangent of the other curve.
    boundary : str
        At a grazing, the boundary that is touched.
    type : str
        What the bifurcation itself tells of its type; the normal form tells that of the others.
    born : list of BornCycle or GrazingCycle
        At a corner or a square root, the cycles that begin there.
    ends : bool
        Whether the curve ends there.
    """

    kind: BifurcationKind
    point: CurvePoint
    across: FloatArray | None = None
    boundary: str = ""
    type: BifurcationType = ""
    born: Sequence[BornCycle | GrazingCycle] = ()
    ends: bool = False

    def begun(self, longest: int) -> list[BornCycle | GrazingCycle]:
        """Return the cycles of up to so many periods that do not go on with the curve itself."""
        known = next((cycle.side for cycle in self.born if cycle.word == "L"), 0)
        meets = self.type == "corner"  # a curve that goes on after a square root has met the other orbit itself
        return [
            cycle
            for cycle in self.born
            if 1 < len(cycle.word) <= longest or (cycle.word == "R" and (self.ends or (meets and cycle.side == known)))
        ]

    def says(self, parameter: str, strides: int) -> str:
        """Return a sentence about what begins at a grazing; "" if there is nothing to say."""
        if self.type == "corner":
            corners = [cycle for cycle in self.born if isinstance(cycle, BornCycle)]
            return describe(corners, parameter, strides) or "it is not decided what begins"
        if self.type == "jump" and self.ends:
            return f"the curve ends: beyond it {self.boundary} happens at quite another time"
        return describe_root([cycle for cycle in self.born if isinstance(cycle, GrazingCycle)], parameter, strides)


def find_bifurcations(curve: Curve, first: CurvePoint, second: CurvePoint) -> list[Located]:
    """Find and locate the bifurcations between two neighbouring points of a curve, in their order."""
    if signature(first.found) == signature(second.found):
        return _smooth_bifurcations(curve, first, second)
    before, after = last_and_first(curve, first, second)
    corner = corner_at(curve, before, after)
    if not corner:
        return _smooth_bifurcations(curve, first, second)
    boundary = changed_boundaries(curve, before.found, after.found)
    goes_on = corner != "square root" or norm(second.z - before.z) > SAME_PLACE  # or it is rounding that leads across
    return [
        *(_smooth_bifurcations(curve, first, before) if before is not first else []),
        grazing_at(curve, before, after if goes_on else None, boundary, corner),
        *(_smooth_bifurcations(curve, after, second) if after is not second else []),
    ]


def grazing_at(
    curve: Curve, point: CurvePoint, after: CurvePoint | None, boundary: str, corner: BifurcationType
) -> Located:
    """Return a grazing just ahead of a point, with what begins there; the curve ends there if none is after it."""
    born: Sequence[BornCycle | GrazingCycle] = ()
    if corner == "corner":
        born = born_at(curve, point)
    elif corner == "square root":
        born = born_at_root(curve, point, after)
    return Located("grazing", point, boundary=boundary, type=corner, born=born, ends=after is None)


def _smooth_bifurcations(curve: Curve, first: CurvePoint, second: CurvePoint) -> list[Located]:
    """Find the bifurcations between two points with the same events."""
    if is_vertical(first, second):
        return []
    crossing = crossing_between(curve, first, second)
    found = []
    if crossing is not None:
        word = type_of(crossing.point.tangent, crossing.across)
        found.append(Located("branch", crossing.point, crossing.across, type=word))
    stays = max(np.abs(_pairs(each)).min(initial=1.0) for each in (first, second)) < AT_BIFURCATION
    for kind, test, is_true in (
        ("fold", fold_test, lambda point: crossing is None or norm(point.z - crossing.point.z) > SAME_PLACE),
        ("flip", flip_test, lambda point: _is_near(point, -1.0)),
        ("torus", torus_test, _has_pair_on_circle),
    ):
        changes = (test(first) < 0.0) != (test(second) < 0.0)  # a step may end just where one is zero
        if changes and not (kind == "torus" and stays):
            point = locate(curve, first, second, test)
            if point is not None and is_true(point):
                found.append(Located(cast("BifurcationKind", kind), point))
    return sorted(found, key=lambda each: float(np.linalg.norm(each.point.z - first.z)))


def crossing_between(curve: Curve, first: CurvePoint, second: CurvePoint) -> Crossing | None:
    """Return the place between two points where another curve crosses."""
    reduction = curve.reduction(first)
    here, there = crossing_test(reduction, first), crossing_test(reduction, second)
    if (here < 0.0) == (there < 0.0):
        return None
    guess = first.z + here / (here - there) * (second.z - first.z)
    crossing = find_crossing(curve, first, second, guess)
    return crossing if crossing is not None and abs(crossing.gap) <= LARGEST_GAP else None


def grazing_ahead(curve: Curve, point: CurvePoint) -> str:
    """Return the names of the boundaries that cross just ahead of the last point of a curve, but not there.

    A curve ends at a grazing if there is no orbit near it on the other side: there the return map changes like a square
    root.
    """
    across = across_border(curve, point)
    return "" if across is None else changed_boundaries(curve, point.found, across[1])


def changed_boundaries(curve: Curve, first: Return, second: Return) -> str:
    """Return the names of the boundaries at the first event of one orbit that is not an event of another one.

    Two are named where each orbit has such an event at about the same time. What follows from the first event is not.
    """
    if signature(first) == signature(second):
        return ""
    names = curve.problem.return_map.stride_map.model.boundary_records.names
    apart = SAME_TIME * max(first.duration, second.duration)
    each = {name: _first_change(_crossings(first, i), _crossings(second, i), apart) for i, name in enumerate(names)}
    changes = {name: change for name, change in each.items() if change is not None}
    if not changes:
        return ""
    time, event, which = min(changes.values())
    return "+".join(
        name
        for name, change in changes.items()
        if change[1:] == (event, which) or (change[2] != which and change[0] <= time + apart)
    )


SAME_TIME = 1e-2
"""Part of a period by which an event is shifted at most where another one begins to happen."""


def _crossings(found: Return, boundary: int) -> list[tuple[float, int]]:
    """Return when a boundary crosses, from the beginning of the strides, and at which of the events."""
    crossings, begin, before = list[tuple[float, int]](), 0.0, 0
    for stride in found.strides:
        if stride.events is not None:
            times = begin + stride.events.t - stride.rows.t[0]
            crossings += [
                (float(times[k]), before + int(k)) for k in np.flatnonzero(stride.events.crossed[:, boundary])
            ]
            before += len(times)
        begin += stride.duration
    return crossings


def met_at_section(curve: Curve, found: Return) -> str:
    """Return the names of the boundaries that cross just after the beginning of a period."""
    names = curve.problem.return_map.stride_map.model.boundary_records.names
    soon = AT_ONCE * found.duration
    return "+".join(name for i, name in enumerate(names) if any(time < soon for time, _ in _crossings(found, i)))


AT_ONCE = 1e-6
"""Part of a period after which an event is no longer one at its beginning."""


def _first_change(
    first: Sequence[tuple[float, int]], second: Sequence[tuple[float, int]], apart: float
) -> tuple[float, int, int] | None:
    """Return the first crossing in one of two lists only: its time, its event, and which of the lists; or None."""
    never = (np.inf, 0)
    for one, other in zip_longest(first, second, fillvalue=never):
        if not abs(one[0] - other[0]) <= apart:
            return (*one, 0) if one < other else (*other, 1)
    return None


def _is_near(point: CurvePoint, value: float) -> bool:
    return bool((np.abs(point.multipliers - value) < CIRCLE_TOLERANCE).any())


def _has_pair_on_circle(point: CurvePoint) -> bool:
    complex_ones = point.multipliers[np.abs(point.multipliers.imag) > CIRCLE_TOLERANCE]
    return bool((np.abs(np.abs(complex_ones) - 1.0) < CIRCLE_TOLERANCE).any())


def is_vertical(first: CurvePoint, second: CurvePoint) -> bool:
    """Return whether the parameter stays the same between two points, but for rounding: a family of orbits."""
    steepest = max(abs(fold_test(first)), abs(fold_test(second)))
    return bool(steepest < VERTICAL and abs(second.z[-1] - first.z[-1]) < 1e-3 * VERTICAL)


VERTICAL = 1e-8
"""The parameter's entry in a tangent below which it is rounding, if the parameter itself stays the same, too."""

MAX_CURVE_POINTS = 2000
"""Most points of one curve."""


def why_given_up(before: CurvePoint, point: CurvePoint, count: int, value: str) -> str:
    """Return why a curve is not followed beyond its last two points, the n-th of them; "" if it is."""
    if count >= MAX_CURVE_POINTS:
        return f"is given up after {count:,} orbits, at {value}"
    return f"ends in a family: from here on, all its orbits have {value}" if is_vertical(before, point) else ""


def locate(
    curve: Curve, first: CurvePoint, second: CurvePoint, test: Callable[[CurvePoint], float], share: float = 1e-14
) -> CurvePoint | None:
    """Return the point where a test function is zero, to a share of the way; None if the curve does not go there."""
    length = float(first.tangent @ (second.z - first.z))
    known = {0.0: first, length: second}

    def value(along: float) -> float:
        if along not in known:
            guess = first.z + along / length * (second.z - first.z)
            known[along] = curve.correct(
                guess + first.tangent * (along - first.tangent @ (guess - first.z)), first.tangent
            )
        return test(known[along])

    try:
        root = brentq(value, 0.0, length, xtol=share * max(length, 1e-3), rtol=1e-14)
    except (CorrectionError, ValueError):
        return None
    value(root)
    return known[root]


def unexplained(first: CurvePoint, second: CurvePoint, found: list[Located]) -> str:
    """Return what changes between two points that no bifurcation between them explains; "" if nothing does."""
    if any(each.kind in ("grazing", "hopf") for each in found):
        return ""
    fewest, most = zip(_growing(first), _growing(second), strict=True)
    least = max(0, max(fewest) - min(most))  # those too near the circle may be on either side
    possible = sum({"torus": 2}.get(each.kind, 1) for each in found)
    if least <= possible:
        return ""
    before, after = ("stable" if not point_most else "unstable" for point_most in fewest)
    return f"{least} multiplier{'s' * (least > 1)} cross the unit circle (the orbits are {before}, then {after})"


def _growing(point: CurvePoint) -> tuple[int, int]:
    """Return how many multipliers are larger than 1 for sure, and at most, but for those of a family."""
    sizes = np.abs(without_family(point.multipliers, point.family))
    return int(np.sum(sizes > 1.0 + UNSURE)), int(np.sum(sizes > 1.0 - UNSURE))


UNSURE = 1e-6
"""Distance from the unit circle within which a multiplier may be inside or outside."""

AT_BIFURCATION = 1e-7
"""Distance of a multiplier from the unit circle at which it crosses it, but for rounding."""


def least_distance(point: CurvePoint) -> float:
    """Return how near to the unit circle the multipliers are, but for those of a family; infinite if there is none."""
    return float(np.abs(np.abs(without_family(point.multipliers, point.family)) - 1.0).min(initial=np.inf))


def stays_critical(first: CurvePoint, second: CurvePoint) -> bool:
    """Return whether multipliers stay on the unit circle between two points, as those of a conservative system."""
    return max(least_distance(first), least_distance(second)) < AT_BIFURCATION

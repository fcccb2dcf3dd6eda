"""Bifurcations on a curve of orbits: found by changes of sign between two points, and located by root finding.

| kind | what happens | function that changes sign |
|---|---|---|
| fold | two orbits meet and vanish; a multiplier is 1 | the parameter's entry in the tangent |
| branch | another curve of orbits crosses; a multiplier is 1 | product of (multiplier - 1), without a fold |
| flip | the period doubles; a multiplier is -1 | product of (multiplier + 1) |
| torus | a pair of multipliers leaves the unit circle (Neimark-Sacker) | product of (product of a pair - 1) |
| grazing | an event appears or vanishes: the orbit touches a boundary | the number of events |

(Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, sections 4 and 10.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import cast

import numpy as np
from scipy.optimize import brentq

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.return_map import Return
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import BifurcationKind

MAX_GRAZING_BISECTIONS = 60
"""Bisections to locate a grazing."""

DISTANCES_AHEAD = (1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
"""Distances ahead of the end of a curve at which strides are looked at."""

CIRCLE_TOLERANCE = 1e-4
"""How near the unit circle a pair of multipliers must be at a torus bifurcation, and a multiplier at 1 or -1."""


def fold_test(point: CurvePoint) -> float:
    """Return the parameter's entry in the tangent."""
    return float(point.tangent[-1])


def one_test(point: CurvePoint) -> float:
    """Return the product of (multiplier - 1), without those of a family."""
    distances = point.multipliers - 1.0
    kept = distances[np.argsort(np.abs(distances))][point.family :]
    return float(np.prod(kept).real)


def flip_test(point: CurvePoint) -> float:
    """Return the product of (multiplier + 1)."""
    return float(np.prod(point.multipliers + 1.0).real)


def torus_test(point: CurvePoint) -> float:
    """Return the product of (product of two multipliers - 1) over all pairs."""
    return float(np.prod([a * b - 1.0 for a, b in combinations(point.multipliers, 2)]).real)


def signature(found: Return) -> tuple[tuple[int, ...], ...]:
    """Return how often each boundary crosses in each stride."""
    counts = []
    for stride in found.strides:
        crossed = [] if stride.events is None else stride.events.crossed.sum(axis=0).tolist()
        counts.append(tuple(crossed))
    return tuple(counts)


def find_bifurcations(
    curve: Curve, first: CurvePoint, second: CurvePoint
) -> Iterator[tuple[BifurcationKind, CurvePoint]]:
    """Find and locate the bifurcations between two neighbouring points of a curve.

    Yields
    ------
    kind : {"fold", "flip", "torus", "branch", "grazing"}
        What happens there.
    point : CurvePoint
        The orbit there; for a grazing, the last one before it.
    """
    if signature(first.found) != signature(second.found):
        yield "grazing", _last_alike(curve, first, second)
        return
    folds = _changes(fold_test, first, second)
    for kind, test, is_true in (
        ("fold", fold_test, lambda _: True),
        ("branch", one_test, lambda point: not folds and _is_near(point, 1.0)),
        ("flip", flip_test, lambda point: _is_near(point, -1.0)),
        ("torus", torus_test, _has_pair_on_circle),
    ):
        if _changes(test, first, second):
            point = _locate(curve, first, second, test)
            if point is not None and is_true(point):
                yield cast("BifurcationKind", kind), point


def grazing_ahead(curve: Curve, point: CurvePoint) -> str:
    """Return the names of the boundaries that cross just ahead of the last point of a curve, but not there.

    A curve ends at a grazing if there is no orbit near it on the other side: there the return map changes like a square
    root.
    """
    for length in DISTANCES_AHEAD:
        try:
            found, _ = curve.evaluate(point.z + length * point.tangent)
        except StrideError:
            return ""
        names = changed_boundaries(curve, point.found, found)
        if names:
            return names
    return ""


def changed_boundaries(curve: Curve, first: Return, second: Return) -> str:
    """Return the names of the boundaries that cross more or less often in one orbit than in another."""
    names = curve.problem.return_map.stride_map.model.boundary_records.names
    here, there = (np.sum(signature(found), axis=0) for found in (first, second))
    changes = here != there if len(here) == len(there) else np.ones(len(names), bool)
    return "+".join(name for name, change in zip(names, changes, strict=False) if change)


def _changes(test: Callable[[CurvePoint], float], first: CurvePoint, second: CurvePoint) -> bool:
    return test(first) * test(second) < 0.0


def _is_near(point: CurvePoint, value: float) -> bool:
    return bool((np.abs(point.multipliers - value) < CIRCLE_TOLERANCE).any())


def _has_pair_on_circle(point: CurvePoint) -> bool:
    complex_ones = point.multipliers[np.abs(point.multipliers.imag) > CIRCLE_TOLERANCE]
    return bool((np.abs(np.abs(complex_ones) - 1.0) < CIRCLE_TOLERANCE).any())


def _locate(
    curve: Curve, first: CurvePoint, second: CurvePoint, test: Callable[[CurvePoint], float]
) -> CurvePoint | None:
    """Return the point where a test function is zero, or None if the curve cannot be followed to it."""
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
        root = brentq(value, 0.0, length, xtol=1e-14 * max(length, 1e-3), rtol=1e-14)
    except (CorrectionError, ValueError):
        return None
    value(root)
    return known[root]


def _last_alike(curve: Curve, first: CurvePoint, second: CurvePoint) -> CurvePoint:
    """Return the last point before the sequence of events changes."""
    low, high = 0.0, float(first.tangent @ (second.z - first.z))
    here, alike = first, signature(first.found)
    for _ in range(MAX_GRAZING_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        try:
            there = curve.step(first, middle)
        except CorrectionError:
            high = middle
            continue
        if signature(there.found) == alike:
            low, here = middle, there
        else:
            high = middle
    return here

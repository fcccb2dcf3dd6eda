"""What is known of a bifurcation, the beginnings of the curves there, and the flip in which a doubled one ends."""

from __future__ import annotations

import numpy as np

from hybridsim.analysis.bifurcations import Located, flip_test
from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.analysis.diagram import Bifurcation
from hybridsim.analysis.hopf import hopf_near
from hybridsim.analysis.normal_forms import normal_form
from hybridsim.analysis.orbit import orbit_of
from hybridsim.typing import FloatArray

FIRST_OFFSETS = (4e-3, 1e-3, 2.5e-4, 6e-5)
"""How far from a bifurcation the first point of a new branch is looked for, one after the other; divided by the
number of strides."""

FLIP_STEP = 1e-4
"""Step of the secants to a flip, in the units of a curve."""

LARGEST_RATE = 4.0
"""Most by which the deviation after half of the strides changes along a curve, for a step of 1: else it jumps."""

SAME_ORBIT = 1e-6
"""Distance, in the units of a curve, below which two orbits are the same."""

Begun = list[tuple[Curve, CurvePoint]]
"""Curves, each with its first point."""


def begin_doubled(curve: Curve, point: CurvePoint) -> Begun:
    """Return the beginning of the curve of doubled period at a flip: along the eigenvector of the multiplier -1."""
    direction = np.append(flip_direction(curve, point), 0.0)
    direction -= (direction @ point.tangent) * point.tangent  # or the plane across it meets this curve again
    direction /= np.linalg.norm(direction)
    doubled = curve.with_strides(2 * curve.problem.return_map.strides)
    return _first_points(doubled, point, direction)


def flip_direction(curve: Curve, point: CurvePoint) -> FloatArray:
    """Return the eigenvector of the multiplier nearest to -1, in the units of the curve."""
    free = curve.problem.free.free
    values, vectors = np.linalg.eig(point.found.by_state[np.ix_(free, free)])
    return np.asarray(vectors[:, np.argmin(np.abs(values + 1.0))].real / curve.problem.sizes)


def begin_crossing(curve: Curve, crossing: Located) -> Begun:
    """Return the beginnings of the two halves of a curve that crosses this one."""
    if crossing.across is None:
        return []
    return [pair for sign in (1.0, -1.0) for pair in _first_points(curve, crossing.point, sign * crossing.across)]


def _first_points(curve: Curve, point: CurvePoint, direction: FloatArray) -> Begun:
    """Return the first point of a curve in a direction from a bifurcation; nothing if none is found."""
    strides = curve.strides
    twice = strides == 2 * len(point.found.strides)
    for offset in FIRST_OFFSETS:
        try:
            first = curve.correct(point.z + offset / strides * direction, direction)
        except CorrectionError:
            continue
        if not twice or np.abs(half_way(curve, first)).max() > 0.1 * offset / strides:
            return [(curve, first)]
    return []


def half_way(curve: Curve, point: CurvePoint) -> FloatArray:
    """Return how far an orbit is from its beginning after half of its strides, in the sizes of the states."""
    strides, free = point.found.strides, curve.problem.free.free
    moved = strides[len(strides) // 2].rows.x[0] - strides[0].rows.x[0]
    return np.asarray(moved[free] / curve.problem.sizes)


def single_between(curve: Curve, first: CurvePoint, second: CurvePoint) -> FloatArray | None:
    """Return about where, between two points, an orbit of an even number of strides is one of half of them.

    There the deviation after half of the strides passes zero, and the curve runs back along itself.
    """
    if len(first.found.strides) % 2:
        return None
    here, there = half_way(curve, first), half_way(curve, second)
    if here @ there >= 0.0 or np.linalg.norm(here - there) > LARGEST_RATE * np.linalg.norm(second.z - first.z):
        return None
    share = here @ (here - there) / ((here - there) @ (here - there))
    nearest = here + share * (there - here)
    if np.linalg.norm(nearest) > 0.1 * max(np.linalg.norm(here), np.linalg.norm(there)):
        return None
    return np.asarray(first.z + share * (second.z - first.z))


def flip_behind(curve: Curve, where: FloatArray) -> tuple[Curve, CurvePoint] | None:
    """Return the flip in which a curve of doubled period ends, on the curve of half as many strides."""
    single = curve.with_strides(curve.problem.return_map.strides // 2)
    try:
        point = single.correct(where, np.eye(len(where))[-1])
        for length in (FLIP_STEP, -FLIP_STEP):
            ahead = single.step(point, length)
            values = flip_test(point), flip_test(ahead)
            there = single.step(point, length * values[0] / (values[0] - values[1]))
            point = there
    except CorrectionError:
        return None
    return single, point


def returns_to(curve: Curve, places: FloatArray, first: CurvePoint, second: CurvePoint) -> bool:
    """Return whether a curve comes back to one of the places of its first orbit, between two points."""
    step = second.z - first.z
    shares = (places - first.z) @ step / (step @ step)
    return any(
        1e-6 < share <= 1.0 and lies_on(curve, place, first.z, second.z)
        for share, place in zip(shares, places, strict=True)
    )


def lies_on(curve: Curve, place: FloatArray, first: FloatArray, second: FloatArray) -> bool:
    """Return whether an orbit lies on a curve between two neighbouring points."""
    step = second - first
    share = (place - first) @ step / (step @ step) if step.any() else 0.0
    if not -0.1 <= share <= 1.1:
        return False
    chord = first + share * step
    if np.linalg.norm(chord - place) > 0.3 * np.linalg.norm(step):
        return False
    try:
        there = curve.correct(chord, step / np.linalg.norm(step))
    except CorrectionError:
        return False
    return bool(np.linalg.norm(there.z - place) < SAME_ORBIT)


def bifurcation_at(curve: Curve, number: int, located: Located) -> Bifurcation:
    """Make a bifurcation on a curve, with its normal form; of a Hopf point, it is that of the equilibrium."""
    value = curve.value(located.point.z)
    form = normal_form(curve, located.kind, located.point)
    curve.set_value(value)
    orbit = orbit_of(curve.problem, located.point.found, located.point.family)
    about = (located.type, 0, complex(np.nan)) if form is None else (form.type, form.side, form.coefficient)
    near = hopf_near(orbit, curve.parameter) if located.kind == "hopf" else None
    if near is not None:
        equilibria, point, of_hopf = near
        value, about = equilibria.value(point.z), (of_hopf.type, of_hopf.side, complex(of_hopf.coefficient))
    numbers = number, orbit.strides, orbit.family
    return Bifurcation(located.kind, value, *numbers, orbit.found.x0, located.boundary, *about, lambda: orbit)

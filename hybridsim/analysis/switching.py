"""The first points of curves of orbits that leave another curve at a bifurcation."""

from __future__ import annotations

import numpy as np

from hybridsim.analysis.curve import CorrectionError, Curve, CurvePoint
from hybridsim.typing import FloatArray

OFFSETS = (4e-3, 1e-3, 2.5e-4, 6e-5)
"""How far from a bifurcation the first point of a new branch is looked for, one after the other; divided by the
number of strides."""


def doubled(curve: Curve, point: CurvePoint) -> list[tuple[Curve, CurvePoint]]:
    """Return the beginning of the curve of doubled period at a flip: along the eigenvector of the multiplier -1."""
    free = curve.problem.free.free
    values, vectors = np.linalg.eig(point.found.by_state[np.ix_(free, free)])
    vector = vectors[:, np.argmin(np.abs(values + 1.0))].real
    direction = np.append(vector / curve.problem.sizes, 0.0)
    direction -= (direction @ point.tangent) * point.tangent  # or the plane across it meets this curve again
    direction /= np.linalg.norm(direction)
    return _begun(curve.of_period(2 * curve.problem.return_map.period), point, direction)


def crossing(curve: Curve, point: CurvePoint) -> list[tuple[Curve, CurvePoint]]:
    """Return the beginnings of the two halves of a curve that crosses this one."""
    direction = curve.crossing(point)
    return _begun(curve, point, direction) + _begun(curve, point, -direction)


def _begun(curve: Curve, point: CurvePoint, direction: FloatArray) -> list[tuple[Curve, CurvePoint]]:
    """Return the first point of a curve in a direction from a bifurcation; nothing if none is found."""
    period = curve.problem.return_map.period
    twice = period == 2 * len(point.found.strides)
    for offset in OFFSETS:
        try:
            first = curve.correct(point.z + offset / period * direction, direction)
        except CorrectionError:
            continue
        if not twice or _half_way(curve, first) > 0.1 * offset / period:
            return [(curve, first)]
    return []


def _half_way(curve: Curve, point: CurvePoint) -> float:
    """Return how far an orbit is from its beginning after half of its strides, in the sizes of the states."""
    strides, free = point.found.strides, curve.problem.free.free
    moved = strides[len(strides) // 2].rows.x[0] - strides[0].rows.x[0]
    return float(np.abs(moved[free] / curve.problem.sizes).max())

"""Where two curves of orbits cross: the point, and the directions in which they leave it.

At the point the derivative J of the (reduced) residuals R has lost one rank, with w' J = 0. The point is a regular
solution of

    R(z) + b w = 0,   J(z)' w = 0,   w' w = 1

in z, b and w (Allgower and Georg 2003, chapter 8), where b is zero if the curves meet and small if they only come near.
The tangents are the directions N t, N the null space of J, with t' C t = 0, C = N' (w' R_zz) N: the algebraic
bifurcation equation (H. B. Keller 1977).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.curve import Curve, CurvePoint, Reduction
from hybridsim.analysis.newton import norm
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import BifurcationType, FloatArray

DIFFERENCE = 1e-4
"""Distance of the central differences of J: its error is 1e-8, and only the directions depend on it."""

MAX_ITERATIONS = 12
"""Iterations of Newton's method to the point."""

LARGEST_GAP = 1e-7
"""Largest b of curves that meet."""

LEAST_SINGULAR_VALUE = 1e-6
"""Singular value, in units of the largest, below which a second rank is lost: more than two curves meet."""


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """A point where another curve crosses.

    Attributes
    ----------
    point : CurvePoint
        The orbit there; its tangent is that of the known curve.
    across : (n + 1,) array or None
        Unit tangent of the other curve; None if there is no other direction.
    gap : float
        Zero but for rounding if the curves meet.
    """

    point: CurvePoint
    across: FloatArray | None
    gap: float


def find_crossing(curve: Curve, first: CurvePoint, second: CurvePoint, guess: FloatArray) -> Crossing | None:
    """Find the point where another curve crosses, between two neighbouring points of a curve.

    Returns
    -------
    Crossing or None
        The crossing; None if Newton's method finds none between the two points.
    """
    reduction, secant = curve.reduction(first), second.z - first.z
    try:
        solved = _solve(curve, reduction, guess)
        if solved is None:
            return None
        z, gap, w = solved
        along = (z - first.z) @ secant / (secant @ secant)
        if not -0.01 <= along <= 1.01 or np.linalg.norm(z - first.z - along * secant) > np.linalg.norm(secant):
            return None
        known, across = _tangents(curve, reduction, z, w, secant)
        point = curve.point_at(z, known)
    except (StrideError, np.linalg.LinAlgError):
        return None
    return Crossing(point, across, gap)


def _solve(curve: Curve, reduction: Reduction, z: FloatArray) -> tuple[FloatArray, float, FloatArray] | None:
    """Solve the equations of the point; returns z, b and w, None if Newton's method does not converge."""
    _, here = curve.evaluate(z)
    w, b, n = np.linalg.svd(reduction.jacobian(here.jacobian))[0][:, -1], 0.0, len(z)
    shortest = np.inf
    for _ in range(MAX_ITERATIONS):
        _, here = curve.evaluate(z)
        jacobian = reduction.jacobian(here.jacobian)
        residual = np.concatenate([reduction.residual(z, here.residual) + b * w, jacobian.T @ w, [w @ w - 1.0]])
        matrix = np.zeros((2 * n, 2 * n))
        matrix[: n - 1, :n], matrix[: n - 1, n], matrix[: n - 1, n + 1 :] = jacobian, w, b * np.eye(n - 1)
        matrix[n - 1 : -1, :n] = curvature(curve, reduction, z, w, np.eye(n))
        matrix[n - 1 : -1, n + 1 :], matrix[-1, n + 1 :] = jacobian.T, 2.0 * w
        move = np.linalg.solve(matrix, residual)
        if norm(move) > 1.0:
            return None
        z, b, w = z - move[:n], b - move[n], w - move[n + 1 :]
        if norm(move) <= 1e-9 and norm(move) >= 0.5 * shortest:
            return z, float(b), w
        shortest = min(shortest, norm(move))
    return (z, float(b), w) if shortest <= 1e-7 else None


def curvature(curve: Curve, reduction: Reduction, z: FloatArray, w: FloatArray, directions: FloatArray) -> FloatArray:
    """Return the derivatives of J' w in some directions, (n + 1, k), by central differences of the exact J."""
    columns = []
    for direction in directions.T:
        ends = [
            reduction.jacobian(curve.evaluate(z + sign * DIFFERENCE * direction)[1].jacobian).T @ w
            for sign in (1.0, -1.0)
        ]
        columns.append((ends[0] - ends[1]) / (2.0 * DIFFERENCE))
    return np.array(columns).T


def _tangents(
    curve: Curve, reduction: Reduction, z: FloatArray, w: FloatArray, secant: FloatArray
) -> tuple[FloatArray, FloatArray | None]:
    """Return the unit tangents of the known curve, which is nearest to the secant, and of the other one."""
    _, here = curve.evaluate(z)
    _, values, right = np.linalg.svd(reduction.jacobian(here.jacobian))
    null = right[-2:].T
    nearest = null @ (null.T @ secant)
    nearest /= np.linalg.norm(nearest)
    if len(values) > 1 and values[-2] < LEAST_SINGULAR_VALUE * values[0]:
        return nearest, None
    form = null.T @ curvature(curve, reduction, z, w, null)
    (low, high), vectors = np.linalg.eigh(0.5 * (form + form.T))
    if not low < 0.0 < high:
        return nearest, None
    roots = [null @ (np.sqrt(high) * vectors[:, 0] + sign * np.sqrt(-low) * vectors[:, 1]) for sign in (1.0, -1.0)]
    known, other = sorted((root / np.linalg.norm(root) for root in roots), key=lambda root: -abs(root @ secant))
    return known * np.sign(known @ secant), other


def type_of(known: FloatArray, across: FloatArray | None) -> BifurcationType:
    """Return whether both curves go through a crossing, or one of them turns there."""
    if across is None:
        return ""
    return "pitchfork" if min(abs(known[-1]), abs(across[-1])) < UPRIGHT else "transcritical"


UPRIGHT = 1e-5
"""The parameter's entry in the tangent of a curve that turns round."""

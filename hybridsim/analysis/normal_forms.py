"""Normal forms: whether what is born at a bifurcation is stable, and for which values of the parameter it exists.

With the derivatives A, B, C of the return map F (first, second, third), the critical eigenvectors e of A and a of its
transpose, |e| = 1 and a.e = 1 (Y. A. Kuznetsov: Elements of Applied Bifurcation Theory, 2004, section 5.4; Y. A.
Kuznetsov and H. G. E. Meijer, SIAM J. Sci. Comput. 26, 2005):

    fold   b = a.B(e,e) / 2
    flip   c = a.(C(e,e,e) + 3 B(e,h)) / 6,  (1 - A) h = B(e,e);  supercritical for c > 0
    torus  d = conj(m) a.(C(e,e,e*) + 2 B(e,h) + B(e*,k)) / 2,  m the multiplier,
           (1 - A) h = B(e,e*),  (m^2 - A) k = B(e,e);  supercritical for Re d < 0

No tensor is needed: along the line v + s e the exact Jacobian is a function of s, and B(e,.) and C(e,e,.) are its first
and second derivatives at 0, those of a polynomial through seven Chebyshev points. The residuals of fixed quantities are
among the equations, so that h stays on their level set.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import chebyshev

from hybridsim.analysis.curve import Curve, CurvePoint
from hybridsim.analysis.return_map import signature
from hybridsim.analysis.stride import StrideError
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

NODES = chebyshev.chebpts1(7)
"""The places on a line, between -1 and 1."""

LONGEST_LINE, SHORTEST_LINE = 0.02, 1e-6
"""Half the length of a line at first, and at least, in sizes of the states."""

SMALL_COEFFICIENT = 1e-9
"""Last two coefficients of the polynomial, relative to the largest, with which a line is short enough."""

DEGENERATE = 1e-6
"""Coefficient, relative to its largest term, that is zero but for rounding."""

SECOND_CRITICAL = 1e-4
"""Distance from the unit circle of a second multiplier with which there is no normal form of the first."""


@dataclass(frozen=True, slots=True, eq=False)
class NormalForm:
    """What is born at a bifurcation.

    Attributes
    ----------
    coefficient : complex
        The coefficient b, c or d; the unit is that of the eigenvector of size 1, in sizes of the states.
    type : str
        "supercritical", "subcritical", or "degenerate" if the coefficient is zero but for rounding; "" of a fold.
    side : int
        1 if what is born exists for larger values of the parameter, -1 for smaller ones, 0 if that is not decided.
    slope : float
        Square of the amplitude of what is born, along e, by the parameter, in the units of the curve.
    """

    coefficient: complex
    type: BifurcationType
    side: int
    slope: float = np.nan


def along(curve: Curve, point: CurvePoint, direction: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the first and second derivatives of the Jacobian along a direction of the states, (m, n + 1) each.

    Raises
    ------
    StrideError
        If the events change too near to the point.
    """
    length, best, result = LONGEST_LINE, np.inf, None
    alike = signature(point.found)
    line = np.append(direction, 0.0)
    while length >= SHORTEST_LINE:
        try:
            nodes = [curve.evaluate(point.z + length * place * line) for place in NODES]
        except StrideError:
            nodes = []
        if nodes and all(signature(found) == alike for found, _ in nodes):
            series = chebyshev.chebfit(NODES, np.array([here.jacobian.ravel() for _, here in nodes]), 6)
            tail = float(np.abs(series[-2:]).max() / np.abs(series).max())
            if tail >= best:  # rounding grows again
                break
            best, result = tail, (series, length)
            if tail < SMALL_COEFFICIENT:
                break
        length *= 0.5
    if result is None:
        raise StrideError("the events of a stride change too near to it")
    series, length = result
    shape = point.jacobian.shape

    def derivative(order: int) -> FloatArray:
        at_point = chebyshev.chebval(0.0, chebyshev.chebder(series, order))
        return np.asarray(at_point / length**order).reshape(shape)

    return derivative(1), derivative(2)


Derivatives = Callable[[Curve, CurvePoint, FloatArray], tuple[FloatArray, FloatArray]]
"""Returns the first and second derivatives of the Jacobian along a direction of the states."""


def normal_form(
    curve: Curve, kind: BifurcationKind, point: CurvePoint, derivatives: Derivatives = along
) -> NormalForm | None:
    """Compute the normal form of a fold, flip or torus; None if it has none, or the map is not smooth near it.

    The derivatives of the Jacobian along a direction may be those of another function than `along`.
    """
    if kind not in ("fold", "flip", "torus") or _has_second_critical(kind, point):
        return None
    try:
        return {"fold": fold_form, "flip": _flip, "torus": _torus}[kind](curve, point, derivatives)
    except (StrideError, np.linalg.LinAlgError):
        return None


def why_undecided(kind: BifurcationKind, coefficient: complex, point: CurvePoint) -> str:
    """Return why a bifurcation has no normal form; "" if it has one, or is of a kind that has none."""
    if kind not in ("fold", "flip", "torus") or not np.isnan(coefficient):
        return ""
    if _has_second_critical(kind, point):
        return "another multiplier is on the unit circle, too"
    return "the events of a stride change, or multipliers resonate, too near to it"


def _has_second_critical(kind: BifurcationKind, point: CurvePoint) -> bool:
    own = point.family + {"fold": 1, "flip": 1, "torus": 2}.get(kind, 0)
    return bool(np.sum(np.abs(np.abs(point.multipliers) - 1.0) < SECOND_CRITICAL) > own)


def fold_form(curve: Curve, point: CurvePoint, derivatives: Derivatives = along) -> NormalForm:
    reduction = curve.reduction(point)
    jacobian = reduction.jacobian(point.jacobian)
    left, _, right = np.linalg.svd(jacobian[:, :-1])
    e, a = right[-1], left[:, -1]
    first, _ = derivatives(curve, point, e)
    terms = a * (np.vstack([reduction.left @ first, 0.0 * reduction.family])[:, :-1] @ e) / 2.0
    b = float(terms.sum())
    if abs(b) <= DEGENERATE * np.abs(terms).max():
        return NormalForm(b, "degenerate", 0)
    return NormalForm(b / float(a @ e) if a @ e else b, "", -int(np.sign(b * (a @ jacobian[:, -1]))))


def _flip(curve: Curve, point: CurvePoint, derivatives: Derivatives) -> NormalForm:
    n = len(point.z) - 1
    jacobian, by_q = point.jacobian[:, :n], point.jacobian[:, n]
    e, a = eigenvectors(jacobian[:n] + np.eye(n), -1.0)
    first, second = derivatives(curve, point, e.real)
    h, shift = solve_shortest(jacobian, -first[:, :n] @ e), solve_shortest(jacobian, -by_q)
    terms = np.array([a @ second[:n, :n] @ e, 3.0 * a @ first[:n, :n] @ h]).real / 6.0
    c = float(terms.sum())
    if abs(c) <= DEGENERATE * np.abs(terms).max():
        return NormalForm(c, "degenerate", 0)
    by_parameter = float((a @ (first[:n, n] + first[:n, :n] @ shift)).real)  # of the multiplier
    slope = -by_parameter / c
    return NormalForm(c, "supercritical" if c > 0.0 else "subcritical", int(np.sign(slope)), slope)


def _torus(curve: Curve, point: CurvePoint, derivatives: Derivatives) -> NormalForm:
    n = len(point.z) - 1
    jacobian, by_q = point.jacobian[:, :n], point.jacobian[:, n]
    matrix = jacobian[:n] + np.eye(n)
    complex_ones = point.multipliers[point.multipliers.imag > SECOND_CRITICAL]
    value = complex_ones[np.argmin(np.abs(np.abs(complex_ones) - 1.0))]
    e, a = eigenvectors(matrix, value)
    lines = [derivatives(curve, point, part) for part in (e.real, e.imag)]
    first = lines[0][0] + 1j * lines[1][0]
    along_both = lines[0][1] + lines[1][1]  # C(e, e*, .) = C(re, re, .) + C(im, im, .)
    h = solve_shortest(jacobian, -first[:, :n] @ e.conj())
    k = np.linalg.solve(value**2 * np.eye(n) - matrix, first[:n, :n] @ e)
    parts = along_both[:n, :n] @ e, 2.0 * first[:n, :n] @ h, first[:n, :n].conj() @ k
    terms = np.array([np.conj(value) * (a @ part) / 2.0 for part in parts])
    d = complex(terms.sum())
    if abs(d.real) <= DEGENERATE * np.abs(terms).max():
        return NormalForm(d, "degenerate", 0)
    shift = solve_shortest(jacobian, -by_q)
    by_parameter = float((np.conj(value) * (a @ (first[:n, n] + first[:n, :n] @ shift))).real)  # of the pair's size
    slope = -by_parameter / d.real
    return NormalForm(d, "supercritical" if d.real < 0.0 else "subcritical", int(np.sign(slope)), slope)


def eigenvectors(matrix: FloatArray, value: complex) -> tuple[FloatArray, FloatArray]:
    """Return the right eigenvector e of the eigenvalue nearest to one, |e| = 1, and the left one a, a.e = 1."""
    values, right = np.linalg.eig(matrix)
    left_values, left = np.linalg.eig(matrix.T)
    e = right[:, np.argmin(np.abs(values - value))]
    a = left[:, np.argmin(np.abs(left_values - value))]
    return e, a / (a @ e)


def solve_shortest(jacobian: FloatArray, right: FloatArray) -> FloatArray:
    """Return the shortest solution of equations of which some may follow from the others."""
    return np.asarray(np.linalg.lstsq(jacobian.astype(right.dtype), right, rcond=1e-8)[0])

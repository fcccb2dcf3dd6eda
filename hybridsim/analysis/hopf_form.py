"""Hopf points: where a pair of eigenvalues of an equilibrium crosses the imaginary axis, an orbit is born.

With the derivatives A, B, C of the vector field (first, second, third), the critical eigenvectors e of A and a of its
transpose, A e = i w e, |e| = 1 in the units of the model and a.e = 1, e* the conjugate (Y. A. Kuznetsov: Elements of
Applied Bifurcation Theory, 2004, equation 5.62):

    l1 = Re (a.C(e,e,e*) + 2 a.B(e,h) + a.B(e*,k)) / (2 w),   A h = -B(e,e*),   (2 i w - A) k = B(e,e)

The orbit x = x0 + 2 s Re (e exp(i w t)) exists for q - q0 = -s^2 l1 w / m + ..., where m is the derivative of the real
part of the pair by the parameter q; it is stable (supercritical) for l1 < 0, as far as this pair decides.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from scipy.linalg import matrix_balance

from hybridsim.analysis.curve import CurvePoint
from hybridsim.analysis.equilibrium_curve import EquilibriumCurve
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.normal_forms import DEGENERATE, along, eigenvectors, solve_shortest
from hybridsim.typing import BifurcationType, FloatArray

SLOW = 1e-7
"""Imaginary part of an eigenvalue, relative to the largest one, that is none; and a state, relative to its size."""

ROUNDING = 1e-10
"""Coefficient in natural units that is rounding: of third derivatives it is about 1e-12."""

A_LITTLE = 1e-3
"""Part of the range of the parameter after which terms that vanish with it do not."""

LARGE_FACTOR, MAX_SCALINGS = 30.0, 8
"""Factor to better units that is worth another try, and most of them."""


@dataclass(frozen=True, slots=True, eq=False)
class HopfForm:
    """What is born at a Hopf point.

    Attributes
    ----------
    eigenvalue : complex
        The one with positive imaginary part, the frequency [rad/s].
    coefficient : float
        The first Lyapunov coefficient l1, for an eigenvector of length 1 in the units of the model.
    slope : float
        Derivative of the real part by the parameter.
    type : str
        "supercritical", "subcritical" or "degenerate".
    e : (n_states,) complex array
        The eigenvector, of length 1.
    shift : (n_states,) array
        Derivatives of the equilibrium by the parameter.
    """

    eigenvalue: complex
    coefficient: float
    slope: float
    type: BifurcationType
    e: FloatArray
    shift: FloatArray

    @property
    def omega(self) -> float:
        """The frequency [rad/s]."""
        return float(self.eigenvalue.imag)

    @property
    def side(self) -> int:
        """1 if the orbit exists for larger values of the parameter, -1 for smaller ones, 0 if that is not decided."""
        return 0 if self.type == "degenerate" else int(np.sign(self.rise))

    @property
    def rise(self) -> float:
        """The change of the parameter by the square of the amplitude."""
        return -self.coefficient * self.omega / self.slope if self.slope else 0.0


def critical_pair(eigenvalues: FloatArray) -> complex | None:
    """Return the complex eigenvalue nearest to the imaginary axis, with positive imaginary part; None without any."""
    pairs = eigenvalues[eigenvalues.imag > SLOW * np.abs(eigenvalues).max(initial=0.0)]
    return complex(pairs[np.argmin(np.abs(pairs.real))]) if len(pairs) else None


def hopf_form(curve: EquilibriumCurve, point: CurvePoint) -> HopfForm:
    """Compute the normal form at a point of a curve with a pair of eigenvalues on the imaginary axis."""
    value, n = critical_pair(point.multipliers), len(point.z) - 1
    if value is None:
        raise NoOrbitError("no solution", "the equilibrium has no pair of complex eigenvalues")
    curve, point, terms, largest, first = _in_natural_units(curve, point, value)
    field, jacobian = curve.field, curve.field.matrix(point.jacobian)
    e, a = eigenvectors(jacobian[:, :n], value)
    shift = solve_shortest(jacobian[:, :n], -jacobian[:, n])
    slope = float((a @ (first[:, n] + first[:, :n] @ shift)).real) / curve.size
    whole, moved = np.zeros(len(field.x), complex), np.zeros(len(field.x))
    whole[field.free], moved[field.free] = field.sizes * e, field.sizes * shift / curve.size
    if curve.parameter in field.config.model.states.names:
        moved[field.config.model.states.names.index(curve.parameter)] = 1.0
    length, l1 = float(np.linalg.norm(whole)), float(terms.sum())
    kind: BifurcationType = "supercritical" if l1 < 0.0 else "subcritical"
    kind = "degenerate" if abs(l1) <= max(DEGENERATE * largest, ROUNDING) else kind
    return HopfForm(value, l1 / length**2, slope, kind, whole / length, moved)


def _in_natural_units(
    curve: EquilibriumCurve, point: CurvePoint, value: complex
) -> tuple[EquilibriumCurve, CurvePoint, FloatArray, float, FloatArray]:
    """Return a point in units of the states in which the coefficient of its normal form can be judged.

    In them the derivatives of the vector field are balanced, and the terms of the coefficient about 1: a state
    that is zero at the equilibrium has no size of its own.

    Returns
    -------
    curve, point
        The curve and the point in these units.
    terms : (3,) array
        The terms of the coefficient.
    largest : float
        The largest of them there, and a little further along the parameter.
    first : (n, n + 1) complex array
        The derivatives along the eigenvector, of the slopes' derivatives.
    """
    n = len(point.z) - 1
    _, balance = matrix_balance(curve.field.matrix(point.jacobian)[:, :n], permute=False)
    factor, aside = np.diag(balance), np.append(np.zeros(n), A_LITTLE)
    for _ in range(MAX_SCALINGS):
        curve, point = _in_units(curve, point, factor)
        terms, first = _coefficient_terms(curve, point, value)
        beside = curve.point_at(point.z + aside, point.tangent)
        largest = max(float(np.abs(each).max()) for each in (terms, _coefficient_terms(curve, beside, value)[0]))
        size = max(largest, ROUNDING) ** -0.5
        if 1.0 / LARGE_FACTOR < size < LARGE_FACTOR:
            break
        factor = np.full(n, size)
    return curve, point, terms, largest, first


def _in_units(curve: EquilibriumCurve, point: CurvePoint, factor: FloatArray) -> tuple[EquilibriumCurve, CurvePoint]:
    """Return a curve and its point with larger units of the states."""
    field = dataclasses.replace(curve.field, sizes=curve.field.sizes * factor)
    other = EquilibriumCurve(field, curve.parameter, curve.size, curve.family, curve.limits)
    factors = np.append(factor, 1.0)
    return other, other.point_at(point.z / factors, point.tangent / factors)


def _coefficient_terms(curve: EquilibriumCurve, point: CurvePoint, value: complex) -> tuple[FloatArray, FloatArray]:
    """Return the terms of the coefficient, (3,), and the derivatives of the matrix along the eigenvector."""
    field, n = curve.field, len(point.z) - 1
    matrix = field.matrix(point.jacobian)[:, :n]
    e, a = eigenvectors(matrix, value)
    lines = [[field.matrix(each) for each in along(curve, point, part)] for part in (e.real, e.imag)]
    first = lines[0][0] + 1j * lines[1][0]
    third = lines[0][1] + lines[1][1]  # C(e, e*, .) = C(re, re, .) + C(im, im, .)
    h = solve_shortest(matrix, -first[:, :n] @ e.conj())
    k = np.linalg.solve(2j * value.imag * np.eye(n) - matrix, first[:, :n] @ e)
    parts = third[:, :n] @ e, 2.0 * first[:, :n] @ h, first[:, :n].conj() @ k
    return np.array([(a @ part).real for part in parts]) / (2.0 * value.imag), first

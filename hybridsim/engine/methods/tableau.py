"""The form of a method: Butcher tableau, error weights, continuous extension; the matrices of a Rosenbrock method.

A method is data and never code: one loop in `runge_kutta.py` evaluates the explicit ones, one in `rosenbrock.py` the
others.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.polynomial import Polynomial

from hybridsim.typing import FloatArray

THETA = Polynomial([0.0, 1.0])
"""The polynomial theta; extensions are written with it as in their sources."""


@dataclass(frozen=True, slots=True, eq=False)
class Tableau:
    """A method with S stages and a continuous extension of degree m.

    Of an explicit Runge-Kutta method, k_i is the slope at stage i,

        k_i = f(t + c_i h, x + h sum_j a_ij k_j)

    Of a Rosenbrock method, k_0 is the slope at the start, k_S that at the new point, and the k_i between them are the
    increments u_i / h of Hairer, Wanner: Solving ODEs II (1996), IV.7, equation 7.25, with the Jacobian J = df/dx:

        (1 / gamma - h J) k_i = f(t + c_i h, x + h sum_j a_ij k_j) + sum_j coupling_ij k_j + time_weights_i h df/dt

    Attributes
    ----------
    name : str
        Name of the method in a configuration.
    a : (R, R) array
        Coefficients of the stages, strictly lower triangular. Rows 0 to S - 1 make the stages k_j. Row S makes the new
        point, whose slope is the first stage of the next step. The rows after it are stages that only the extension
        uses.
    c : (R,) array
        Nodes: times of the stages as fractions of the step.
    e : (S + 1,) array
        Weights of the error estimate, x_error = h sum_j e_j k_j.
    e_third : (S + 1,) array
        Weights of the second, third-order error estimate of DOP853; zeros for the other methods.
    extension : (R, m) array
        Continuous extension, x(t + theta h) = x + h sum_j sum_d extension[j, d] theta^(d+1) k_j for theta in [0, 1].
    stages : int
        Number of stages S.
    order : int
        Order of the method.
    error_order : int
        Order of the error estimate; the step size is proportional to error^(-1 / (error_order + 1)).
    adaptive : bool
        False for a fixed step size.
    gamma : float
        Diagonal coefficient of a Rosenbrock method; 0 for an explicit method.
    coupling : (R, R) array
        Weights of the increments before it in the equation of each, strictly lower triangular.
    time_weights : (R,) array
        Weights of df/dt there.
    series_order : int
        Order of Taylor's method; 0 for a method with stages.
    """

    name: str
    a: FloatArray
    c: FloatArray
    e: FloatArray
    e_third: FloatArray
    extension: FloatArray
    stages: int
    order: int
    error_order: int
    adaptive: bool = True
    gamma: float = 0.0
    coupling: FloatArray = field(default_factory=lambda: np.zeros((1, 1)))
    time_weights: FloatArray = field(default_factory=lambda: np.zeros(1))
    series_order: int = 0


def matrix_of(size: int, rows: dict[int, dict[int, float]] | list[list[float]]) -> FloatArray:
    """Make a square matrix.

    Parameters
    ----------
    size : int
        Number of rows.
    rows : dict or list
        The entries that are not zero as {row: {column: value}}, or rows up to their last entry that is not zero.

    Returns
    -------
    (size, size) array
        The matrix.
    """
    a = np.zeros((size, size))
    items = rows.items() if isinstance(rows, dict) else enumerate(rows)
    for i, row in items:
        for j, value in row.items() if isinstance(row, dict) else enumerate(row):
            a[i, j] = value
    return a


def hermite_extension(b: FloatArray) -> FloatArray:
    """Cubic Hermite interpolation between both ends of a step with their slopes.

    x + theta^2 (3 - 2 theta) (x_new - x) + h theta (1 - theta)^2 k_0 - h theta^2 (1 - theta) k_S
    (Hairer, Norsett, Wanner: Solving ODEs I, 1993, section II.6).

    Parameters
    ----------
    b : (S,) array
        Weights of the new point.

    Returns
    -------
    (S + 1, 3) array
        The extension, as in `Tableau`.
    """
    weights = np.zeros((len(b) + 1, 3))
    weights[:-1, 1], weights[:-1, 2] = 3.0 * b, -2.0 * b
    weights[0] += [1.0, -2.0, 1.0]
    weights[-1] += [0.0, -1.0, 1.0]
    return weights


def power_coefficients(polynomials: list[Polynomial], degree: int) -> FloatArray:
    """Coefficients of theta^1 to theta^degree.

    Parameters
    ----------
    polynomials : list of Polynomial
        R polynomials without constant terms, one for each stage.
    degree : int
        The highest degree m.

    Returns
    -------
    (R, m) array
        The extension, as in `Tableau`.
    """
    weights = np.zeros((len(polynomials), degree))
    for j, polynomial in enumerate(polynomials):
        coefficients = polynomial.coef[1:]
        weights[j, : len(coefficients)] = coefficients
    return weights

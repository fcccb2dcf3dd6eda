"""A Runge-Kutta method as data: Butcher tableau, error weights, continuous extension.

A method is never code: `runge_kutta.py` has one loop for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import Polynomial

from hybridsim.typing import FloatArray

THETA = Polynomial([0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Tableau:
    """An explicit Runge-Kutta method with S stages and a continuous extension of degree m.

    Attributes
    ----------
    a : (R, R), c : (R,). Rows 1 .. S-1 make the stages; row S makes the new point, and its slope is the first
        stage of the next step; the rows after it are further stages that only the extension uses.
    e : (S + 1,) error weights; e_third : (S + 1,) DOP853's second estimate, zeros elsewhere.
    extension : (R, m), x(t + theta h) = x + h sum_j sum_d extension[j, d] theta^(d+1) k_j.
    error_order : order of the error estimate's solution; the step follows err^(-1 / (error_order + 1)).
    order : order of the method.
    adaptive : False for a fixed step.
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


def matrix_of(size: int, rows: dict[int, dict[int, float]] | list[list[float]]) -> FloatArray:
    """A square matrix from its nonzero entries, or from rows that stop at the last nonzero entry."""
    a = np.zeros((size, size))
    items = rows.items() if isinstance(rows, dict) else enumerate(rows)
    for i, row in items:
        for j, value in row.items() if isinstance(row, dict) else enumerate(row):
            a[i, j] = value
    return a


def hermite_extension(b: FloatArray) -> FloatArray:
    """The cubic Hermite extension through both ends and their slopes, as weights of the stages: (S + 1, 3).

    x + theta^2 (3 - 2 theta) (x_new - x) + h theta (1 - theta)^2 k_0 - h theta^2 (1 - theta) k_S.
    """
    weights = np.zeros((len(b) + 1, 3))
    weights[:-1, 1], weights[:-1, 2] = 3.0 * b, -2.0 * b
    weights[0] += [1.0, -2.0, 1.0]
    weights[-1] += [0.0, -1.0, 1.0]
    return weights


def power_coefficients(polynomials: list[Polynomial], degree: int) -> FloatArray:
    """Coefficients of theta^1 .. theta^degree of each polynomial (none has a constant term)."""
    weights = np.zeros((len(polynomials), degree))
    for j, polynomial in enumerate(polynomials):
        coefficients = polynomial.coef[1:]
        weights[j, : len(coefficients)] = coefficients
    return weights

"""The method of the reference solution: Fehlberg's pair of orders 7 and 8, which no run uses, and its interpolation.

E. Fehlberg, Classical fifth-, sixth-, seventh-, and eighth-order Runge-Kutta formulas with stepsize control, NASA TR
R-287, 1968, table X. A piece of the flow is STEPS_PER_PIECE such steps of equal length. Its polynomial is the one of
degree 7 that has the states and the slopes at their ends (Hermite interpolation), so that it costs no slopes of its
own.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from hybridsim.typing import FloatArray

N_STAGES = 13
"""Stages of a step."""

STEPS_PER_PIECE = 3
"""Steps in a piece."""

DEGREE = 2 * STEPS_PER_PIECE + 1
"""Degree of the polynomial of a piece."""

ORDER_OF_ESTIMATE = 7
"""Order of the error estimate: the estimate grows with the length of a step to the power of one more."""

ERROR_WEIGHT = 41.0 / 840.0
"""Weight of k_0 + k_10 - k_11 - k_12 in the error estimate."""

STAGE_WEIGHTS = (
    (),
    (2 / 27,),
    (1 / 36, 1 / 12),
    (1 / 24, 0, 1 / 8),
    (5 / 12, 0, -25 / 16, 25 / 16),
    (1 / 20, 0, 0, 1 / 4, 1 / 5),
    (-25 / 108, 0, 0, 125 / 108, -65 / 27, 125 / 54),
    (31 / 300, 0, 0, 0, 61 / 225, -2 / 9, 13 / 900),
    (2, 0, 0, -53 / 6, 704 / 45, -107 / 9, 67 / 90, 3),
    (-91 / 108, 0, 0, 23 / 108, -976 / 135, 311 / 54, -19 / 60, 17 / 6, -1 / 12),
    (2383 / 4100, 0, 0, -341 / 164, 4496 / 1025, -301 / 82, 2133 / 4100, 45 / 82, 45 / 164, 18 / 41),
    (3 / 205, 0, 0, 0, 0, -6 / 41, -3 / 205, -3 / 41, 3 / 41, 6 / 41, 0),
    (-1777 / 4100, 0, 0, -341 / 164, 4496 / 1025, -289 / 82, 2193 / 4100, 51 / 82, 33 / 164, 12 / 41, 0, 1),
    (0, 0, 0, 0, 0, 34 / 105, 9 / 35, 9 / 35, 9 / 280, 9 / 280, 0, 41 / 840, 41 / 840),
)
"""The coefficients of the stages; the last row, of order 8, makes the new point."""

STAGE_TIMES = np.array([0, 2 / 27, 1 / 9, 1 / 6, 5 / 12, 1 / 2, 5 / 6, 1 / 6, 2 / 3, 1 / 3, 1, 0, 1, 1])
"""Times of the stages and of the new point, as fractions of the step."""


@cache
def coefficients() -> FloatArray:
    """Return the matrix of the stages; its last row makes the new point: (N_STAGES + 1, N_STAGES + 1)."""
    matrix = np.zeros((N_STAGES + 1, N_STAGES + 1))
    for i, row in enumerate(STAGE_WEIGHTS):
        matrix[i, : len(row)] = row
    return matrix


@cache
def interpolation() -> FloatArray:
    """Return the matrix that makes the polynomial of a piece, (DEGREE, DEGREE).

    Its columns belong to the rises of the state up to the ends of the steps, and to the slopes at the start and at
    these ends, times the length of the piece. Its rows give the coefficients of theta^1 .. theta^DEGREE.
    """
    theta, degrees = np.arange(STEPS_PER_PIECE + 1) / STEPS_PER_PIECE, np.arange(1, DEGREE + 1)
    values = theta[1:, None] ** degrees
    slopes = degrees * theta[:, None] ** (degrees - 1)
    return np.linalg.inv(np.vstack([values, slopes]))


@cache
def last_term() -> float:
    """Return how large the last term of Newton's form of the polynomial gets, for a leading coefficient of 1."""
    theta = np.linspace(0.0, 1.0, 1001)
    roots = np.arange(STEPS_PER_PIECE) / STEPS_PER_PIECE
    return float(abs(((theta[:, None] - roots) ** 2).prod(axis=1) * (theta - 1.0)).max())

"""Where a polynomial boundary is sampled within a step, and how its Bernstein coefficients follow from the values."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from hybridsim.engine.memory import MAX_EXACT_DEGREE, N_DEGREES, NODES_SIZE
from hybridsim.typing import FloatArray


@cache
def sampling(extension_degree: int, of_series: bool = False) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Tables for sampling boundaries on a continuous extension, by the degree D of the boundary.

    An affine boundary (D = 1) is sampled at the control points of the extension, where its values are the Bernstein
    coefficients; boundaries of higher degree are sampled at Chebyshev points on the extension.

    Parameters
    ----------
    extension_degree : int
        Degree m of the continuous extension; the boundary has the degree n = D m in theta.
    of_series : bool, optional
        Whether boundaries are series of degree m themselves. Then the tables for D = 1 have Chebyshev points, and those
        for D = 2 the Bernstein coefficients from powers of theta (rows).

    Returns
    -------
    nodes : (N_DEGREES, NODES_SIZE) array
        The n + 1 places theta in [0, 1], ends included.
    weights : (N_DEGREES, NODES_SIZE, m) array
        Weights of the extension's coefficients in the state at each place.
    bernstein : (N_DEGREES, NODES_SIZE, NODES_SIZE) array
        From values at the places (rows) to Bernstein coefficients of degree n (columns); zero for D = 1.
    binomials : (N_DEGREES, NODES_SIZE) array
        The binomial coefficients of n.
    """
    m = extension_degree
    if of_series:
        return _sampling_of_series(m)
    nodes, weights = np.zeros((N_DEGREES, NODES_SIZE)), np.zeros((N_DEGREES, NODES_SIZE, m))
    bernstein, binomials = np.zeros((N_DEGREES, NODES_SIZE, NODES_SIZE)), np.zeros((N_DEGREES, NODES_SIZE))
    nodes[1, : m + 1] = np.arange(m + 1) / m
    weights[1, : m + 1] = bernstein_of_powers(m)[:, 1:]
    binomials[1, : m + 1] = [comb(m, i) for i in range(m + 1)]
    for degree in range(2, min(N_DEGREES - 1, MAX_EXACT_DEGREE // m) + 1):
        n = degree * m
        theta = chebyshev_points(n)
        binomials[degree, : n + 1] = [comb(n, i) for i in range(n + 1)]
        nodes[degree, : n + 1] = theta
        weights[degree, : n + 1] = theta[:, None] ** np.arange(1, m + 1)
        bernstein[degree, : n + 1, : n + 1] = np.linalg.inv(bernstein_basis(n, theta))
    return nodes, weights, bernstein, binomials


def chebyshev_points(n: int) -> FloatArray:
    """Return the n + 1 Chebyshev points on [0, 1], ends included."""
    points: FloatArray = 0.5 * (1.0 - np.cos(np.pi * np.arange(n + 1) / n))
    return points


def bernstein_basis(n: int, theta: FloatArray) -> FloatArray:
    """Return the n + 1 Bernstein polynomials of degree n (rows) at these places."""
    return np.array([comb(n, i) * theta**i * (1.0 - theta) ** (n - i) for i in range(n + 1)])


def bernstein_of_powers(n: int) -> FloatArray:
    """Return the weights of the powers of theta (columns) in the n + 1 Bernstein coefficients (rows)."""
    return np.array([[comb(i, d) / comb(n, d) for d in range(n + 1)] for i in range(n + 1)])


def _sampling_of_series(m: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Tables for boundaries of degree m in theta, of which the values or the power series are known."""
    nodes, weights = np.zeros((N_DEGREES, NODES_SIZE)), np.zeros((N_DEGREES, NODES_SIZE, m))
    bernstein, binomials = np.zeros((N_DEGREES, NODES_SIZE, NODES_SIZE)), np.zeros((N_DEGREES, NODES_SIZE))
    nodes[1, : m + 1] = chebyshev_points(m)
    weights[1, : m + 1] = nodes[1, : m + 1, None] ** np.arange(1, m + 1)
    bernstein[1, : m + 1, : m + 1] = np.linalg.inv(bernstein_basis(m, nodes[1, : m + 1]))
    bernstein[2, : m + 1, : m + 1] = bernstein_of_powers(m).T
    binomials[1, : m + 1] = [comb(m, i) for i in range(m + 1)]
    return nodes, weights, bernstein, binomials

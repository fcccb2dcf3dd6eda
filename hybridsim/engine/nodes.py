"""Where a polynomial boundary is sampled within a step, and how its Bernstein coefficients follow from the values."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np

from hybridsim.engine.memory import MAX_EXACT_DEGREE, N_DEGREES, NODES
from hybridsim.typing import FloatArray


@cache
def sampling(extension_degree: int) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Tables for sampling boundaries on a continuous extension, by the degree D of the boundary.

    An affine boundary (D = 1) is sampled at the control points of the extension, where its values are the Bernstein
    coefficients; boundaries of higher degree are sampled at Chebyshev points on the extension.

    Parameters
    ----------
    extension_degree : int
        Degree m of the continuous extension; the boundary has the degree n = D m in theta.

    Returns
    -------
    nodes : (N_DEGREES, NODES) array
        The n + 1 places theta in [0, 1], ends included.
    weights : (N_DEGREES, NODES, m) array
        Weights of the extension's coefficients in the state at each place.
    bernstein : (N_DEGREES, NODES, NODES) array
        From values at the places (rows) to Bernstein coefficients of degree n (columns); zero for D = 1.
    binomials : (N_DEGREES, NODES) array
        The binomial coefficients of n.
    """
    m = extension_degree
    nodes, weights = np.zeros((N_DEGREES, NODES)), np.zeros((N_DEGREES, NODES, m))
    bernstein, binomials = np.zeros((N_DEGREES, NODES, NODES)), np.zeros((N_DEGREES, NODES))
    nodes[1, : m + 1] = np.arange(m + 1) / m
    weights[1, : m + 1] = [[comb(i, d) / comb(m, d) for d in range(1, m + 1)] for i in range(m + 1)]
    binomials[1, : m + 1] = [comb(m, i) for i in range(m + 1)]
    for degree in range(2, min(N_DEGREES - 1, MAX_EXACT_DEGREE // m) + 1):
        n = degree * m
        theta = 0.5 * (1.0 - np.cos(np.pi * np.arange(n + 1) / n))
        binomials[degree, : n + 1] = [comb(n, i) for i in range(n + 1)]
        basis = np.array([comb(n, i) * theta**i * (1.0 - theta) ** (n - i) for i in range(n + 1)])
        nodes[degree, : n + 1] = theta
        weights[degree, : n + 1] = theta[:, None] ** np.arange(1, m + 1)
        bernstein[degree, : n + 1, : n + 1] = np.linalg.inv(basis)
    return nodes, weights, bernstein, binomials

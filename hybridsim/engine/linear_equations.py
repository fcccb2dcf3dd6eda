"""Linear equations by Gaussian elimination with partial pivoting, on bare pointers.

A matrix has n columns of length `height`, a multiple of LANES, one after the other; their entries from n on are zero.
(Golub, Van Loan: Matrix Computations, 2013, algorithm 3.4.1.)
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store


@kernel
def factorise(matrix, n, height, pivots):
    """Overwrite a matrix by its factors, the diagonal by its reciprocals; return False at a pivot that cannot be one.

    From column i on, row i has changed places with row pivots[i].
    """
    for i in range(n):
        column, pivot = i * height, i
        for m in range(i + 1, n):
            if abs(matrix[column + m]) > abs(matrix[column + pivot]):
                pivot = m
        pivots[i] = pivot
        value = matrix[column + pivot]
        if not 0.0 < abs(value) < np.inf:  # or it is nan
            return False
        if pivot != i:
            for j in range(i, n):
                at = j * height
                matrix[at + i], matrix[at + pivot] = matrix[at + pivot], matrix[at + i]
        matrix[column + i] = 1.0 / value
        for m in range(i + 1, n):
            matrix[column + m] *= matrix[column + i]
        for j in range(i + 1, n):
            add_below(matrix, column, i + 1, -matrix[j * height + i], matrix, j * height, height)
    return True


@kernel
def solve(matrix, n, height, pivots, b, at):
    """Overwrite b[at:] by the solution of the equations with that right-hand side and a factorised matrix."""
    for i in range(n):
        pivot = pivots[i]
        if pivot != i:
            b[at + i], b[at + pivot] = b[at + pivot], b[at + i]
        add_below(matrix, i * height, i + 1, -b[at + i], b, at, height)
    for i in range(n - 1, -1, -1):
        column = i * height
        b[at + i] *= matrix[column + i]
        for m in range(i):
            b[at + m] -= b[at + i] * matrix[column + m]


@kernel
def add_below(matrix, column, first, factor, target, at, height):
    """Add factor times a column, from its row `first` on, to the same rows of target[at:]."""
    m = first
    while m % LANES != 0:
        target[at + m] += factor * matrix[column + m]
        m += 1
    while m < height:
        store(target, at + m, plus(load(target, at + m), factor, load(matrix, column + m)))
        m += LANES

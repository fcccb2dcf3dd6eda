"""Motion under constraints that are not ideal: given generalised forces hold them (servo constraints).

An ideal constraint is held by its own wrench, whose power vanishes in all motions that the rows allow. A motor that
holds a direction of a body is none: its torque acts at a joint, and accelerates the other bodies as well. With one
effort, the generalised force per unit of the reaction, for each row,

    M x = force + E reactions,      A x + c = 0.

The motions that the rows allow are x_dependent = x0 - K x_independent (`reduced`). No reaction is left in the
projection on the null space of E^T, the columns of S = [1; -K_E] with K_E = (E^T)_D^-1 (E^T)_I:

    S^T M T x_independent = S^T (force - M x0),      T = [1; -K].

The matrix is symmetric only where all efforts are the rows themselves (Blajer, J. Franklin Inst. 334B (1997) 45-62).
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.slices import part

from .dependent import begin_dependent, block_size, complete, find_reactions, solve_rows, take_rows
from .linear import solve_linear
from .reduced import ROUNDING, find_dependent_mass, find_rest


def solve_held(x, reactions, mass, force, rows, partition, work):
    """Solve M x = force + E reactions and A x + c = 0: given generalised forces hold the constraints.

    Parameters
    ----------
    x : (n,) array
        Receives the rates of the speeds.
    reactions : (n_rows,) array
        Receives how many units of its effort each row takes.
    mass : (n * n,) array
        Mass matrix, row by row.
    force : (n,) array
        Generalised forces less h.
    rows : (2 * n_rows * (n + 1),) array
        A and, in the last column, c; then as many rows of efforts, E^T, whose last column is not read. The effort of
        an ideal constraint is its row of A; that of a joint's motor is the `lock_row` of the joint's speed.
    partition : Partition
        Which speeds are independent.
    work : (work_size(n),) array
        Work space.

    Returns
    -------
    float
        The smallest pivot of the dependent columns of both A and E^T, of rows whose largest entry is made 1. It falls
        to 0 where rows or efforts follow from each other. Where the efforts cannot hold the rows, although both are
        independent, the solution is not finite.
    """
    r, f = partition.n_rows, partition.n_free
    n, block = r + f, block_size(r, r + f)
    rest = 2 * block + r * f
    matrix, right = part(work, rest + n, f * f), part(work, rest + n + f * f, f)
    smallest = 1.0
    for i in range(2):
        take_rows(work, block * i, rows, r * i, partition)
        pivot = solve_rows(work, block * i, partition)
        smallest = pivot if pivot < smallest else smallest
    begin_dependent(x, work, partition)
    find_rest(work, rest, x, mass, force, partition)
    find_dependent_mass(work, 2 * block, mass, partition)
    _project(matrix, right, mass, work, partition)
    moves = solve_linear(matrix, right, f) > f * ROUNDING
    for i in range(f):
        x[partition.independent[i]] = right[i] if moves else math.nan
    complete(x, work, partition)
    find_reactions(reactions, x, mass, force, work, block, partition)
    return smallest


def _project(matrix, right, mass, work, partition):
    """Find S^T M T = M_II - M_ID K - K_E^T w, with w = M_DI - M_DD K, and S^T (force - M x0)."""
    r, f = partition.n_rows, partition.n_free
    n, block = r + f, block_size(r, r + f)
    w, rest = 2 * block, 2 * block + r * f
    for i in range(f):
        row = n * partition.independent[i]
        for j in range(f):
            left = mass[row + partition.independent[j]]
            for d in range(r):
                k = (n + 1) * d + r
                left -= mass[row + partition.dependent[d]] * work[k + j] + work[block + k + i] * work[w + f * d + j]
            matrix[f * i + j] = left
        left = work[rest + partition.independent[i]]
        for d in range(r):
            left -= work[block + (n + 1) * d + r + i] * work[rest + partition.dependent[d]]
        right[i] = left

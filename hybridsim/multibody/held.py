"""Motion under constraints that are not ideal: given generalised forces hold them (servo constraints).

An ideal constraint is held by its own wrench, whose power vanishes in all motions that the rows allow. A motor that
keeps a body from turning has another effect: its torque acts at a joint, on both bodies there. With an effort for each
row, which is the generalised force per unit of its reaction,

    M x = force + E reactions,      A x + c = 0.

The motions that the rows allow are x_dependent = x0 - K x_independent (`reduced`). No reaction is left in the
projection on the null space of E^T, the columns of S = [1; -K_E] with K_E = (E^T)_D^-1 (E^T)_I:

    S^T M T x_independent = S^T (force - M x0),      T = [1; -K].

The matrix is symmetric only where all efforts are the rows themselves (Blajer, J. Franklin Inst. 334B (1997) 45-62).
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.slices import subarray

from .dependent import begin_dependent, block_size, complete, find_reactions, solve_rows, take_rows
from .linear import solve_linear
from .projection import project
from .reduced import RELATIVE_ROUNDING


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
    block, smallest = block_size(r, r + f), 1.0
    for i in range(2):
        take_rows(work, block * i, rows, r * i, partition)
        pivot = solve_rows(work, block * i, partition)
        smallest = pivot if pivot < smallest else smallest
    begin_dependent(x, work, partition)
    reduced = project(work, 1, x, mass, force, partition)
    right = subarray(work, reduced + f * f, f)
    moves = solve_linear(subarray(work, reduced, f * f), right, f) > f * RELATIVE_ROUNDING
    for i in range(f):
        x[partition.independent[i]] = right[i] if moves else math.nan
    complete(x, work, partition)
    find_reactions(reactions, x, mass, force, work, block, partition)
    return smallest

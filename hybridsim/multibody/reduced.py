"""Constrained motion and impacts: Kane's equations in independent speeds, and the reactions.

Constraints are rows [A c]: A x + c = 0. As many speeds are dependent as there are rows, and

    x_dependent = x0 - K x_independent,      K = A_D^-1 A_I,      x0 = -A_D^-1 c.

The reactions have no power in the motions that the rows allow, which are the columns of T = [1; -K], so they vanish
from T^T (M x - f) = 0 (Kane and Levinson 1985, section 4.11; nonholonomic partial velocities, 2.14). They follow
afterwards from the rows of M x = f + A^T reactions that belong to the dependent speeds. With rates of the speeds for x
and forces for f these are the equations of motion; with speeds for x and momenta for f, those of an impact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from hybridsim.engine.compiler.slices import subarray
from hybridsim.typing import IntArray

from .dependent import begin_dependent, complete, find_reactions, solve_rows, take_rows
from .projection import project

RELATIVE_ROUNDING = 2.3e-16
"""Relative error of one operation."""


class Partition(NamedTuple):
    """Which speeds are independent.

    Attributes
    ----------
    n_rows, n_free : int
        Dependent and independent speeds: constraint rows, and degrees of freedom.
    dependent, independent : int arrays
        Their indices.
    """

    n_rows: int
    n_free: int
    dependent: IntArray
    independent: IntArray


def work_size(n: int) -> int:
    """Return how many numbers solutions and impacts need as work space for n speeds.

    `solve_held` needs most: two blocks of n_rows (n + 4) numbers for A and for the efforts, and what `project` puts
    behind them.
    """
    return 2 * n * n + 10 * n


def solve_constrained(x, reactions, mass, force, rows, partition, work):
    """Solve M x = force + A^T reactions and A x + c = 0.

    Parameters
    ----------
    x : (n,) array
        Receives the rates of the speeds, or the speeds after an impact.
    reactions : (n_rows,) array
        Receives the force, torque or impulse of each row.
    mass : (n * n,) array
        Mass matrix, row by row.
    force : (n,) array
        Generalised forces less h, or the generalised momenta before an impact.
    rows : (n_rows * (n + 1),) array
        A and, in the last column, c.
    partition : Partition
        Which speeds are independent.
    work : (work_size(n),) array
        Work space.

    Returns
    -------
    float
        The smallest pivot of the dependent columns, of rows whose largest entry is made 1; at most 1. It falls to 0
        where the rows cease to determine the dependent speeds, or follow from each other.
    """
    f = partition.n_free
    take_rows(work, 0, rows, 0, partition)
    smallest = solve_rows(work, 0, partition)
    begin_dependent(x, work, partition)
    reduced = project(work, 0, x, mass, force, partition)
    _cholesky_solve(work, reduced, f)
    for i in range(f):
        x[partition.independent[i]] = work[reduced + f * f + i]
    complete(x, work, partition)
    find_reactions(reactions, x, mass, force, work, 0, partition)
    return smallest


def impact(after, impulses, mass, before, rows, partition, work):
    """Find the speeds after an impact: M (after - before) = A^T impulses and A after + c = 0.

    Parameters
    ----------
    after : (n,) array
        Receives the speeds after the impact.
    impulses : (n_rows,) array
        Receives the impulse of each row.
    mass : (n * n,) array
        Mass matrix, row by row.
    before : (n,) array
        Speeds before the impact.
    rows : (n_rows * (n + 1),) array
        A and c, which `bounce_row` writes. With more than one row, restitutions that differ can add energy.
    partition : Partition
        Which speeds are independent.
    work : (work_size(n),) array
        Work space.

    Returns
    -------
    float
        As of `solve_constrained`.
    """
    n = partition.n_rows + partition.n_free
    momentum = work_size(n) - n
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += mass[n * i + j] * before[j]
        work[momentum + i] = total
    return solve_constrained(after, impulses, mass, subarray(work, momentum, n), rows, partition, work)


def complete_speeds(u, rows, values, partition, work):
    """Find the dependent speeds, so that A u = values, from the independent ones.

    Parameters
    ----------
    u : (n,) array
        The speeds; the dependent ones are written.
    rows : (n_rows * (n + 1),) array
        A; the last column is not read.
    values : (n_rows,) array
        What A u must be: zeros, or the velocity of what the rows are fixed to.
    partition : Partition
        Which speeds are independent.
    work : (work_size(n),) array
        Work space.

    Returns
    -------
    float
        As of `solve_constrained`.
    """
    r = partition.n_rows
    n = r + partition.n_free
    take_rows(work, 0, rows, 0, partition)
    for i in range(r):
        work[(n + 1) * i + n] = -work[(n + 1) * r + i] * values[i]
    smallest = solve_rows(work, 0, partition)
    begin_dependent(u, work, partition)
    complete(u, work, partition)
    return smallest


def _cholesky_solve(work, matrix, n):
    """Solve n equations in place: the lower triangle of the matrix is overwritten, the right side follows it."""
    x = matrix + n * n
    for i in range(n):
        whole = work[matrix + n * i + i]
        for j in range(i + 1):
            left = work[matrix + n * i + j]
            for m in range(j):
                left -= work[matrix + n * i + m] * work[matrix + n * j + m]
            if i == j:
                # What rounding leaves of a speed that moves no mass is no mass.
                work[matrix + n * i + i] = 1.0 / math.sqrt(left) if left > n * RELATIVE_ROUNDING * whole else math.nan
            else:
                work[matrix + n * i + j] = left * work[matrix + n * j + j]
        left = work[x + i]
        for m in range(i):
            left -= work[matrix + n * i + m] * work[x + m]
        work[x + i] = left * work[matrix + n * i + i]
    for step in range(n):
        i = n - 1 - step
        left = work[x + i]
        for m in range(i + 1, n):
            left -= work[matrix + n * m + i] * work[x + m]
        work[x + i] = left * work[matrix + n * i + i]

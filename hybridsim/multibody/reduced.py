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

from hybridsim.engine.compiler.slices import part
from hybridsim.typing import IntArray

from .dependent import begin_dependent, block_size, complete, find_reactions, solve_rows, take_rows

ROUNDING = 2.3e-16
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

    With r rows and f independent speeds, `solve_held` needs most: two blocks of r (n + 3) for A and for the efforts,
    M_DI - M_DD K (r f), the reduced mass matrix (f f), n forces and f of the independent speeds.
    """
    return 2 * n * n + 7 * n


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
    r, f = partition.n_rows, partition.n_free
    n = r + f
    w = block_size(r, n)
    rest, reduced = w + r * f, w + r * f + n
    take_rows(work, 0, rows, 0, partition)
    smallest = solve_rows(work, 0, partition)
    begin_dependent(x, work, partition)
    find_rest(work, rest, x, mass, force, partition)
    find_dependent_mass(work, w, mass, partition)
    # T^T M T = M_II - M_ID K - K^T w, its lower triangle, and T^T (f - M x0)
    for i in range(f):
        row = n * partition.independent[i]
        for j in range(i + 1):
            left = mass[row + partition.independent[j]]
            for d in range(r):
                k = (n + 1) * d + r
                left -= mass[row + partition.dependent[d]] * work[k + j] + work[k + i] * work[w + f * d + j]
            work[reduced + f * i + j] = left
        left = work[rest + partition.independent[i]]
        for d in range(r):
            left -= work[(n + 1) * d + r + i] * work[rest + partition.dependent[d]]
        x[partition.independent[i]] = left
    _cholesky_solve(work, reduced, x, partition)
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
    return solve_constrained(after, impulses, mass, part(work, momentum, n), rows, partition, work)


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


def find_rest(work, rest, x, mass, force, partition):
    """Put force - M x0 into the work space, from `rest` on."""
    r = partition.n_rows
    n = r + partition.n_free
    for i in range(n):
        left = force[i]
        for d in range(r):
            left -= mass[n * i + partition.dependent[d]] * x[partition.dependent[d]]
        work[rest + i] = left


def find_dependent_mass(work, w, mass, partition):
    """Put M_DI - M_DD K into the work space, from `w` on."""
    r, f = partition.n_rows, partition.n_free
    n = r + f
    for d in range(r):
        row = n * partition.dependent[d]
        for j in range(f):
            left = mass[row + partition.independent[j]]
            for e in range(r):
                left -= mass[row + partition.dependent[e]] * work[(n + 1) * e + r + j]
            work[w + f * d + j] = left


def _cholesky_solve(work, matrix, x, partition):
    """Solve for the independent entries of x in their place; the lower triangle of the matrix is overwritten."""
    f = partition.n_free
    for i in range(f):
        whole = work[matrix + f * i + i]
        for j in range(i + 1):
            left = work[matrix + f * i + j]
            for m in range(j):
                left -= work[matrix + f * i + m] * work[matrix + f * j + m]
            if i == j:
                # What rounding leaves of a speed that moves no mass is no mass.
                work[matrix + f * i + i] = 1.0 / math.sqrt(left) if left > f * ROUNDING * whole else math.nan
            else:
                work[matrix + f * i + j] = left * work[matrix + f * j + j]
        left = x[partition.independent[i]]
        for m in range(i):
            left -= work[matrix + f * i + m] * x[partition.independent[m]]
        x[partition.independent[i]] = left * work[matrix + f * i + i]
    for step in range(f):
        i = f - 1 - step
        left = x[partition.independent[i]]
        for m in range(i + 1, f):
            left -= work[matrix + f * m + i] * x[partition.independent[m]]
        x[partition.independent[i]] = left * work[matrix + f * i + i]

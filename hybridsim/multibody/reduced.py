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

from .linear import scale_of

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

    With r rows and f independent speeds A_D^-1 and K (r r + r f) come first. For `solve_constrained`, M_DI - M_DD K
    (r f), the reduced mass matrix (f f) and n forces follow, or A_D (r r) before them; `solve_held` has (E^T)_D^-1 and
    K_E (r r + r f) in between, and f forces more. The last n are momenta before an impact.
    """
    return 3 * n * n + 2 * n


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
    k, w, reduced, rest = r * r, r * r + r * f, r * r + 2 * r * f, r * r + 2 * r * f + f * f
    smallest = dependence(work, rows, partition)
    start_dependent(x, work, rest, mass, force, rows, partition)
    # w = M_DI - M_DD K
    for d in range(r):
        row = n * partition.dependent[d]
        for j in range(f):
            left = mass[row + partition.independent[j]]
            for e in range(r):
                left -= mass[row + partition.dependent[e]] * work[k + e * f + j]
            work[w + d * f + j] = left
    # T^T M T = M_II - M_ID K - K^T w, its lower triangle, and T^T (f - M x0)
    for i in range(f):
        row = n * partition.independent[i]
        for j in range(i + 1):
            left = mass[row + partition.independent[j]]
            for d in range(r):
                left -= mass[row + partition.dependent[d]] * work[k + d * f + j]
                left -= work[k + d * f + i] * work[w + d * f + j]
            work[reduced + f * i + j] = left
        left = work[rest + partition.independent[i]]
        for d in range(r):
            left -= work[k + d * f + i] * work[rest + partition.dependent[d]]
        x[partition.independent[i]] = left
    _cholesky_solve(work, reduced, x, partition)
    complete(x, work, partition)
    find_reactions(reactions, x, mass, force, work, partition)
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
    smallest = dependence(work, rows, partition)
    for d in range(r):
        total = 0.0
        for i in range(r):
            total += work[r * d + i] * values[i]
        u[partition.dependent[d]] = total
    complete(u, work, partition)
    return smallest


def dependence(work, rows, partition):
    """Put A_D^-1 and K into the work space; return the smallest pivot."""
    r, f = partition.n_rows, partition.n_free
    n = r + f
    # Gauss and Jordan: the rows of [A_D | 1] become [1 | A_D^-1]. A_D stands where w comes later.
    wide = r * r + r * f
    for i in range(r):
        scale = scale_of(rows, (n + 1) * i, n)
        for j in range(r):
            work[wide + r * i + j] = scale * rows[(n + 1) * i + partition.dependent[j]]
            work[r * i + j] = scale if i == j else 0.0
    smallest = 1.0
    for column in range(r):
        best, pivot = column, abs(work[wide + r * column + column])
        for i in range(column + 1, r):
            if abs(work[wide + r * i + column]) > pivot:
                best, pivot = i, abs(work[wide + r * i + column])
        smallest = pivot if pivot < smallest else smallest
        _swap(work, wide + r * best, wide + r * column, r)
        _swap(work, r * best, r * column, r)
        _eliminate(work, wide, column, r)
    for d in range(r):
        for j in range(f):
            total = 0.0
            for i in range(r):
                total += work[r * d + i] * rows[(n + 1) * i + partition.independent[j]]
            work[r * r + d * f + j] = total
    return smallest


def _swap(work, first, second, r):
    if first != second:
        for j in range(r):
            work[first + j], work[second + j] = work[second + j], work[first + j]


def _eliminate(work, wide, column, r):
    """Divide the row by its pivot, and take the column out of the other rows."""
    scale = 1.0 / work[wide + r * column + column]
    for j in range(r):
        work[wide + r * column + j] *= scale
        work[r * column + j] *= scale
    for i in range(r):
        factor = work[wide + r * i + column]
        if i != column:
            for j in range(r):
                work[wide + r * i + j] -= factor * work[wide + r * column + j]
                work[r * i + j] -= factor * work[r * column + j]


def start_dependent(x, work, rest, mass, force, rows, partition):
    """Set the dependent entries of x to x0; put force - M x0 into the work space, from `rest` on."""
    r = partition.n_rows
    n = r + partition.n_free
    for d in range(r):
        total = 0.0
        for i in range(r):
            total -= work[r * d + i] * rows[(n + 1) * i + n]
        x[partition.dependent[d]] = total
    for i in range(n):
        left = force[i]
        for d in range(r):
            left -= mass[n * i + partition.dependent[d]] * x[partition.dependent[d]]
        work[rest + i] = left


def complete(x, work, partition):
    """Add the part of the dependent entries that the independent ones make."""
    r, f = partition.n_rows, partition.n_free
    for d in range(r):
        total = x[partition.dependent[d]]
        for j in range(f):
            total -= work[r * r + d * f + j] * x[partition.independent[j]]
        x[partition.dependent[d]] = total


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


def find_reactions(reactions, x, mass, force, work, partition):
    """Solve A_D^T reactions = (M x - force)_D."""
    r = partition.n_rows
    n = r + partition.n_free
    for i in range(r):
        reactions[i] = 0.0
    for d in range(r):
        row = partition.dependent[d]
        left = -force[row]
        for j in range(n):
            left += mass[n * row + j] * x[j]
        for i in range(r):
            reactions[i] += work[r * d + i] * left

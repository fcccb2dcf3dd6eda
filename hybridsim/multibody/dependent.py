"""Dependent speeds from the independent ones, and reactions: rows [A c] solved for their dependent columns.

A block of the work space, of `block_size` numbers, holds for each row L and U of its dependent columns, K, and
A_D^-1 c; then the factors that make the largest entry of each row 1, the row that each elimination step swapped, and 1
for each row of K that is not zero. Those of speeds that are locked are zero, as are half of them where a foot stands.
"""

from hybridsim.engine.compiler.slices import is_nothing

from .linear import eliminate, scale_of, smaller


def block_size(n_rows: int, n: int) -> int:
    """Return how many numbers a block has."""
    return n_rows * (n + 4)


def take_rows(work, first, rows, first_row, partition):
    """Copy rows into the block that begins at `first`: each scaled, its dependent columns before the others."""
    r, f = partition.n_rows, partition.n_free
    n = r + f
    for i in range(r):
        ours, theirs = first + (n + 1) * i, (n + 1) * (first_row + i)
        scale = scale_of(rows, theirs, n)
        for j in range(r):
            work[ours + j] = scale * rows[theirs + partition.dependent[j]]
        for j in range(f):
            work[ours + r + j] = scale * rows[theirs + partition.independent[j]]
        work[ours + n] = scale * rows[theirs + n]
        work[first + r * (n + 1) + i] = scale


def solve_rows(work, first, partition):
    """Find K and A_D^-1 c of the rows in a block; return the smallest pivot."""
    r = partition.n_rows
    n = r + partition.n_free
    width, smallest = n + 1, 1.0
    for column in range(r):
        work[first + r * (n + 2) + column] = eliminate(work, first, column, r, width)
        smallest = smaller(smallest, work[first + width * column + column])
    moves = first + r * (n + 3)
    for step in range(r):
        i = r - 1 - step
        row = first + width * i
        for m in range(i + 1, r):
            factor = work[row + m]
            if not is_nothing(factor):
                for j in range(r if work[moves + m] > 0.0 else n, width):
                    work[row + j] -= factor * work[first + width * m + j]
        inverse = 1.0 / work[row + i]
        work[moves + i] = 0.0
        for j in range(r, width):
            work[row + j] *= inverse
            if j < n and not is_nothing(work[row + j]):
                work[moves + i] = 1.0
    return smallest


def begin_dependent(x, work, partition):
    """Set the dependent entries of x to x0 = -A_D^-1 c."""
    r = partition.n_rows
    n = r + partition.n_free
    for d in range(r):
        x[partition.dependent[d]] = -work[(n + 1) * d + n]


def complete(x, work, partition):
    """Add the part of the dependent entries that the independent ones make, -K x_I."""
    r, f = partition.n_rows, partition.n_free
    for d in range(r):
        k, total = (r + f + 1) * d + r, x[partition.dependent[d]]
        for j in range(f):
            total -= work[k + j] * x[partition.independent[j]]
        x[partition.dependent[d]] = total


def find_reactions(reactions, x, mass, force, work, first, partition):
    """Solve A_D^T reactions = (M x - force)_D with the L and U of a block."""
    r = partition.n_rows
    n = r + partition.n_free
    scales, swapped = first + r * (n + 1), first + r * (n + 2)
    for d in range(r):
        row = partition.dependent[d]
        left = -force[row]
        for j in range(n):
            left += mass[n * row + j] * x[j]
        reactions[d] = left
    for i in range(r):
        row = first + (n + 1) * i
        reactions[i] /= work[row + i]
        for j in range(i + 1, r):
            reactions[j] -= work[row + j] * reactions[i]
    for step in range(r):
        i = r - 1 - step
        for j in range(i):
            reactions[j] -= work[first + (n + 1) * i + j] * reactions[i]
    for step in range(r):
        i = r - 1 - step
        other = int(work[swapped + i])
        reactions[i], reactions[other] = reactions[other], reactions[i]
    for i in range(r):
        reactions[i] *= work[scales + i]

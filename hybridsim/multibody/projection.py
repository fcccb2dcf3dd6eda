"""Equations of motion projected on the motions that constraint rows allow."""

from hybridsim.engine.compiler.slices import is_nothing

from .dependent import block_size


def project(work, held, x, mass, force, partition):
    """Find S^T M T and S^T (force - M x0), with T = [1; -K] and S = [1; -K_E].

    Parameters
    ----------
    work : array
        Work space. It begins with the block of A and, if there are efforts, theirs. Behind come M_DI - M_DD K,
        force - M x0, the results (the matrix, row by row, and the right side), and 1 for each dependent speed that
        moves with independent ones.
    held : int
        1 if efforts hold the constraints; 0 if these are ideal. The matrix is then symmetric, and only its lower
        triangle is found.
    x : (n,) array
        The dependent entries are x0.
    mass, force, partition : array, array, Partition
        As of `solve_constrained`.

    Returns
    -------
    int
        Where the matrix begins.
    """
    r, f = partition.n_rows, partition.n_free
    n = r + f
    block = held * block_size(r, n)
    w = block + block_size(r, n)
    rest, reduced = w + r * f, w + r * f + n
    _find_rest(work, rest, x, mass, force, partition)
    moves = reduced + f * f + f
    for d in range(r):
        flag = r * (n + 3) + d
        work[moves + d] = 1.0 if work[flag] > 0.0 or work[block + flag] > 0.0 else 0.0
    _find_dependent_mass(work, w, moves, mass, partition)
    # S^T M T = M_II - M_ID K - K_E^T w
    for i in range(f):
        row, ours, columns = n * partition.independent[i], reduced + f * i, f if held else i + 1
        for j in range(columns):
            work[ours + j] = mass[row + partition.independent[j]]
        left = work[rest + partition.independent[i]]
        for d in range(r):
            if work[moves + d] > 0.0:
                k, across = (n + 1) * d + r, mass[row + partition.dependent[d]]
                along = work[block + k + i]
                for j in range(columns):
                    work[ours + j] -= across * work[k + j] + along * work[w + f * d + j]
                left -= along * work[rest + partition.dependent[d]]
        work[reduced + f * f + i] = left
    return reduced


def _find_rest(work, rest, x, mass, force, partition):
    """Put force - M x0 into the work space, from `rest` on."""
    r = partition.n_rows
    n = r + partition.n_free
    for i in range(n):
        work[rest + i] = force[i]
    for d in range(r):
        row, rate = n * partition.dependent[d], x[partition.dependent[d]]
        if not is_nothing(rate):
            for i in range(n):
                work[rest + i] -= mass[row + i] * rate


def _find_dependent_mass(work, w, moves, mass, partition):
    """Put M_DI - M_DD K into the work space, from `w` on: of the dependent speeds that move with independent ones."""
    r, f = partition.n_rows, partition.n_free
    n = r + f
    for d in range(r):
        if work[moves + d] > 0.0:
            row, ours = n * partition.dependent[d], w + f * d
            for j in range(f):
                work[ours + j] = mass[row + partition.independent[j]]
            for e in range(r):
                if work[moves + e] > 0.0:
                    k, across = (n + 1) * e + r, mass[row + partition.dependent[e]]
                    for j in range(f):
                        work[ours + j] -= across * work[k + j]

"""Equations of motion projected on the motions that constraint rows allow."""

from .dependent import block_size


def project(work, held, x, mass, force, partition):
    """Find S^T M T and S^T (force - M x0), with T = [1; -K] and S = [1; -K_E].

    Parameters
    ----------
    work : array
        Work space. It begins with the block of A and, if there are efforts, theirs. Behind come M_DI - M_DD K,
        force - M x0, and the results: the matrix, row by row, and the right side.
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
    _find_dependent_mass(work, w, mass, partition)
    # S^T M T = M_II - M_ID K - K_E^T w
    for i in range(f):
        row = n * partition.independent[i]
        for j in range(f if held else i + 1):
            left = mass[row + partition.independent[j]]
            for d in range(r):
                k = (n + 1) * d + r
                left -= mass[row + partition.dependent[d]] * work[k + j] + work[block + k + i] * work[w + f * d + j]
            work[reduced + f * i + j] = left
        left = work[rest + partition.independent[i]]
        for d in range(r):
            left -= work[block + (n + 1) * d + r + i] * work[rest + partition.dependent[d]]
        work[reduced + f * f + i] = left
    return reduced


def _find_rest(work, rest, x, mass, force, partition):
    """Put force - M x0 into the work space, from `rest` on."""
    r = partition.n_rows
    n = r + partition.n_free
    for i in range(n):
        left = force[i]
        for d in range(r):
            left -= mass[n * i + partition.dependent[d]] * x[partition.dependent[d]]
        work[rest + i] = left


def _find_dependent_mass(work, w, mass, partition):
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

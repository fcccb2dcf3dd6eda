"""The linear system of one mode, whose rows may repeat each other, by the proximal point method."""

PROXIMAL, N_SOLVES = 1e-9, 4
"""eps as a fraction of the mean of G's diagonal; how often a system is solved."""

SPARED, LOADED = 1e2, 1e-2
"""Factors of eps for friction, which has a limit, and for loops, where several share what they hold."""


def find_unknowns(work, layout, m):
    """Solve the system by the proximal point method."""
    size = 0.0
    for a in range(m):
        size += abs(work[layout.matrix + (m + 1) * a])
        work[layout.unknowns + a] = work[layout.multipliers + int(work[layout.active + a])]
    invert(work, layout, m, PROXIMAL * size / m if m > 0 else 0.0)
    for _ in range(N_SOLVES):
        for a in range(m):  # what is missed so far, in the place of the first half of the augmented matrix
            missed = work[layout.right + a]
            for b in range(m):
                missed -= work[layout.matrix + m * a + b] * work[layout.unknowns + b]
            work[layout.inverse + 2 * m * a] = missed
        for a in range(m):
            unknown = work[layout.unknowns + a]
            for b in range(m):
                unknown += work[layout.inverse + 2 * m * a + m + b] * work[layout.inverse + 2 * m * b]
            work[layout.unknowns + a] = unknown


def invert(work, layout, m, shift):
    """Put the inverse of A + shift 1 into the right half of an m x 2 m array (Gauss and Jordan, with pivoting)."""
    wide, first = 2 * m, layout.inverse
    for a in range(m):
        for b in range(m):
            work[first + wide * a + b] = work[layout.matrix + m * a + b]
            work[first + wide * a + m + b] = 1.0 if a == b else 0.0
        work[first + wide * a + a] += shift
        if a >= work[layout.n_active + 1]:
            work[first + wide * a + a] += shift * ((LOADED if a >= m - layout.n_loop_rows else SPARED) - 1.0)
    for column in range(m):
        best = column
        for a in range(column + 1, m):
            if abs(work[first + wide * a + column]) > abs(work[first + wide * best + column]):
                best = a
        scale = 1.0 / work[first + wide * best + column]
        for b in range(column, wide):
            pivot = work[first + wide * best + b] * scale
            work[first + wide * best + b] = work[first + wide * column + b]
            work[first + wide * column + b] = pivot
        for a in range(m):
            factor = work[first + wide * a + column]
            if a != column and factor != 0.0:
                for b in range(column, wide):
                    work[first + wide * a + b] -= factor * work[first + wide * column + b]

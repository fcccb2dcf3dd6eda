"""The linear system of one mode, whose rows may repeat each other, by the proximal point method."""

PROXIMAL, N_SOLVES = 1e-9, 4
"""eps as a fraction of the mean of G's diagonal; how often a system is solved."""

SPARED, LOADED = 1e2, 1e-2
"""Factors of eps for friction, which has a limit, and for loops, where several share what they hold."""


def find_unknowns(work, layout, m):
    """Solve the system by the proximal point method."""
    size, vector = 0.0, vector_of(layout, m)
    for a in range(m):
        size += abs(work[layout.matrix + (m + 1) * a])
        work[layout.unknowns + a] = work[layout.multipliers + int(work[layout.active + a])]
    decompose(work, layout, m, PROXIMAL * size / m if m > 0 else 0.0)
    for _ in range(N_SOLVES):
        for a in range(m):
            missed = work[layout.right + a]
            for b in range(m):
                missed -= work[layout.matrix + m * a + b] * work[layout.unknowns + b]
            work[vector + a] = missed
        solve_decomposed(work, layout, m)
        for a in range(m):
            work[layout.unknowns + a] += work[vector + a]


def vector_of(layout, m):
    """Return where the vector lies that `solve_decomposed` solves for; its rows' order is behind it."""
    return layout.factors + m * m


def decompose(work, layout, m, shift):
    """Put the factors of A + shift 1 into an m x m array, rows exchanged, with 1 / U_aa in U (Doolittle)."""
    first, order = layout.factors, vector_of(layout, m) + m
    for a in range(m):
        for b in range(m):
            work[first + m * a + b] = work[layout.matrix + m * a + b]
        work[first + (m + 1) * a] += shift
        if a >= work[layout.n_active + 1]:
            work[first + (m + 1) * a] += shift * ((LOADED if a >= m - layout.n_loop_rows else SPARED) - 1.0)
    for column in range(m):
        best = column
        for a in range(column + 1, m):
            if abs(work[first + m * a + column]) > abs(work[first + m * best + column]):
                best = a
        work[order + column] = best
        if best != column:
            for b in range(m):
                kept = work[first + m * best + b]
                work[first + m * best + b] = work[first + m * column + b]
                work[first + m * column + b] = kept
        scale = 1.0 / work[first + (m + 1) * column]
        work[first + (m + 1) * column] = scale
        for a in range(column + 1, m):
            factor = work[first + m * a + column] * scale
            work[first + m * a + column] = factor
            for b in range(column + 1, m):
                work[first + m * a + b] -= factor * work[first + m * column + b]


def solve_decomposed(work, layout, m):
    """Solve (A + shift 1) v = b in the place of b, which is at `vector_of`."""
    first, v = layout.factors, vector_of(layout, m)
    for a in range(m):
        best = v + int(work[v + m + a])
        left = work[best]
        work[best] = work[v + a]
        for b in range(a):
            left -= work[first + m * a + b] * work[v + b]
        work[v + a] = left
    for step in range(m):
        a = m - 1 - step
        left = work[v + a]
        for b in range(a + 1, m):
            left -= work[first + m * a + b] * work[v + b]
        work[v + a] = left * work[first + (m + 1) * a]

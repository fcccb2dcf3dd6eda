"""The linear system of one mode, whose rows may repeat each other: its solution, of least norm where there are many."""

WEAK = 1e-4
"""A pivot that is smaller, as a fraction of the mean of A's diagonal, may be of a row that repeats others. Where none
is, the proximal point method would be exact, too, so that forces do not jump there."""

PROXIMAL, N_SOLVES = 1e-9, 4
"""eps as a fraction of the mean of A's diagonal; how often such a system is solved."""

UNDECIDED, N_ITERATIONS = 1e-12, 3
"""Fraction of A's diagonal that A makes of a vector of unknowns that nothing decides; how often it is improved."""


def find_unknowns(work, layout, m):
    """Solve the system: at once, or by the proximal point method where rows may repeat each other."""
    size, vector = 0.0, vector_of(layout, m)
    for a in range(m):
        size += abs(work[layout.matrix + (m + 1) * a]) / m
        work[layout.unknowns + a] = work[layout.multipliers + int(work[layout.active + a])]
    n_solves = 1
    if decompose(work, layout, m, 0.0, WEAK * size) > 0:
        decompose(work, layout, m, PROXIMAL * size, 0.0)
        n_solves = N_SOLVES
    for _ in range(n_solves):
        for a in range(m):
            work[vector + a] = work[layout.right + a] - row_times(work, layout, m, a, layout.unknowns)
        solve_decomposed(work, layout, m)
        for a in range(m):
            work[layout.unknowns + a] += work[vector + a]
    if n_solves > 1:
        keep_undecided(work, layout, m, size)


def keep_undecided(work, layout, m, size):
    """Let the unknowns keep what they begin with in each direction that A maps to 0.

    There, each solve adds rounding over eps, a noise of 1e-9 that would decide how friction is shared. Where A is only
    nearly singular, less is kept, so that forces are smooth in the state.
    """
    n_found, vector = 0, vector_of(layout, m)
    for column in range(m):
        if not abs(work[layout.factors + (m + 1) * column]) * WEAK * size > 1.0:  # 1 / U_aa
            continue
        v = layout.undecided + m * n_found
        find_undecided(work, layout, m, column, PROXIMAL * size, v)
        for found in range(n_found):
            take_away(work, layout, m, layout.undecided + m * found, v, 1.0)
        n_found += 1
        image = length = 0.0
        for a in range(m):
            image += row_times(work, layout, m, a, v) ** 2
            length += (UNDECIDED * size * work[v + a]) ** 2
            begin = work[layout.multipliers + int(work[layout.active + a])]
            work[vector + a] = work[layout.unknowns + a] - begin
            work[layout.unknowns + a] = begin
        if image + length > 0.0:
            take_away(work, layout, m, v, vector, 1.0 - (image / (image + length)) ** 2)
        for a in range(m):
            work[layout.unknowns + a] += work[vector + a]


def find_undecided(work, layout, m, column, shift, v):
    """Put a vector at v that A maps to 0, or nearly so, by inverse iteration; in U, this column has a weak pivot."""
    vector = vector_of(layout, m)
    for a in range(m):
        work[vector + a] = 1.0 if a == column else 0.0
    substitute_back(work, layout, m)
    scale = work[vector + column]
    for _ in range(N_ITERATIONS):
        for a in range(m):
            work[vector + a] *= shift * work[layout.weight + a]
        solve_decomposed(work, layout, m)
    for a in range(m):
        work[v + a] = work[vector + a] / scale


def take_away(work, layout, m, v, other, part):
    """Take a part of what another vector has along v away from it."""
    product = length = 0.0
    for a in range(m):
        weighted = work[layout.weight + a] * work[v + a]
        product += weighted * work[other + a]
        length += weighted * work[v + a]
    for a in range(m):
        work[other + a] -= part * product / length * work[v + a]


def row_times(work, layout, m, a, v):
    """Return row a of A v."""
    total = work[layout.matrix + m * a] * work[v]
    for b in range(1, m):
        total += work[layout.matrix + m * a + b] * work[v + b]
    return total


def vector_of(layout, m):
    """Return where the vector lies that `solve_decomposed` solves for; its rows' order is behind it."""
    return layout.factors + m * m


def decompose(work, layout, m, shift, least):
    """Put the factors of A + shift D into an m x m array, rows exchanged, with 1 / U_aa in U (Doolittle).

    D holds the weights. Return 0; or 1 at the first pivot that is no larger than `least`, if this is not 0.
    """
    first, order = layout.factors, vector_of(layout, m) + m
    for a in range(m):
        for b in range(m):
            work[first + m * a + b] = work[layout.matrix + m * a + b]
        if shift != 0.0:
            work[first + (m + 1) * a] += shift * work[layout.weight + a]
    for column in range(m):
        best = column
        for a in range(column + 1, m):
            if abs(work[first + m * a + column]) > abs(work[first + m * best + column]):
                best = a
        work[order + column] = best
        if least > 0.0 and not abs(work[first + m * best + column]) > least:
            return 1
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
    return 0


def solve_decomposed(work, layout, m):
    """Solve (A + shift D) v = b in the place of b, which is at `vector_of`."""
    first, v = layout.factors, vector_of(layout, m)
    for a in range(m):
        best = v + int(work[v + m + a])
        left = work[best]
        work[best] = work[v + a]
        for b in range(a):
            left -= work[first + m * a + b] * work[v + b]
        work[v + a] = left
    substitute_back(work, layout, m)


def substitute_back(work, layout, m):
    """Solve U v = b in the place of b."""
    first, v = layout.factors, vector_of(layout, m)
    for step in range(m):
        a = m - 1 - step
        left = work[v + a]
        for b in range(a + 1, m):
            left -= work[first + m * a + b] * work[v + b]
        work[v + a] = left * work[first + (m + 1) * a]

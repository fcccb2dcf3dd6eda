"""Fixed points found in fewer turns: each step of an iteration is corrected by what the turns before have shown.

Of the unknowns y, the iteration makes y + f(y). From one turn to the next f changes by u, and y + f by v: this tells
how f depends on y in one direction. The u are made orthogonal to each other, and the v with them, so that the step is

    f - sum of (f u / u u) v                                                                     (Anderson 1965).
"""

MOST_PAIRS = 6
"""How many pairs of u and v are kept; then they begin anew."""

NEW = 1e-6
"""A change of f says nothing if no more of it than this part is in a direction that is not known yet."""


def size_of_history(n):
    """Return the size of the array at `f` below: f, the number of pairs, y and f of the turn before, pairs."""
    return (3 + 2 * MOST_PAIRS) * n + 1


def accelerate(work, f, y, n, turn):
    """Replace the change f of n unknowns y, which begin at these places, by a longer step; `turn`: 1 at first."""
    last = f + n + 1
    n_pairs = 0 if turn == 1 or work[f + n] == MOST_PAIRS else int(work[f + n])
    u = last + 2 * n * (1 + n_pairs)
    for k in range(n):
        work[u + k] = work[f + k] - work[last + n + k]
        work[u + n + k] = work[y + k] - work[last + k] + work[u + k]
        work[last + k], work[last + n + k] = work[y + k], work[f + k]
    if turn > 1:
        whole = dot_of(work, u, u, n)
        for pair in range(n_pairs):
            take_off(work, last + 2 * n * (1 + pair), u, u + n, n)
        n_pairs += 1 if dot_of(work, u, u, n) > NEW * NEW * whole else 0
    work[f + n] = n_pairs
    for pair in range(n_pairs):
        u = last + 2 * n * (1 + pair)
        part = dot_of(work, last + n, u, n) / dot_of(work, u, u, n)
        for k in range(n):
            work[f + k] -= part * work[u + n + k]


def take_off(work, u, change, image, n):
    """Take that part off a change of f that is along another one, and as much of its v off that of the change."""
    part = dot_of(work, change, u, n) / dot_of(work, u, u, n)
    for k in range(n):
        work[change + k] -= part * work[u + k]
        work[image + k] -= part * work[u + n + k]


def dot_of(work, a, b, n):
    """Return the product of two vectors."""
    product = work[a] * work[b]
    for k in range(1, n):
        product += work[a + k] * work[b + k]
    return product

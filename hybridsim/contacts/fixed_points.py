"""Fixed points found in few turns, by Broyden's method.

Of n unknowns y, an iteration makes y + f(y). How f depends on y is first taken for that of an iteration that has an end
after one turn, f' = -1, and then corrected by each turn: over the step s, f has changed by u, so that of H, the inverse
of f',

    H + (s - H u) s^T H / (s^T H u)                                              (Broyden 1965, equation 4.5)

maps u to s. The next step is -H f. If this leads nowhere, H begins anew, and again wherever f has grown.
"""

LEAST = 0.1
"""Where s^T H u is a smaller part of s^T s, H is corrected by less, lest it come to be singular (Powell 1970)."""

PATIENCE = 100
"""Turns after which this is so: Broyden's method leads further in most cases, but astray in some."""


def size_of_steps(n):
    """Return the size of the array at `f` below: f, the step, the f before it, two products and H."""
    return (5 + n) * n


def lengthen(work, f, y, n, turn):
    """Replace the change f of n unknowns y, which begin at these places, by the step; `turn`: 1 at first."""
    last, inverse = f + n, f + 5 * n
    if turn == 1 or turn == PATIENCE or (turn > PATIENCE and grows(work, f, n)):
        for k in range(n * n):
            work[inverse + k] = -1.0 if k % (n + 1) == 0 else 0.0
    else:
        correct(work, f, y, n)
    for k in range(n):
        work[last + k], work[last + n + k] = work[y + k], work[f + k]
    for k in range(n):
        work[f + k] = 0.0
        for i in range(n):
            work[f + k] -= work[inverse + k * n + i] * work[last + n + i]


def grows(work, f, n):
    """Return whether f is larger than before."""
    now = before = 0.0
    for k in range(n):
        now += work[f + k] * work[f + k]
        before += work[f + 2 * n + k] * work[f + 2 * n + k]
    return now > before


def correct(work, f, y, n):
    """Correct H by what the last step has changed."""
    s, u, image, row, inverse = f + n, f + 2 * n, f + 3 * n, f + 4 * n, f + 5 * n
    for k in range(n):
        work[s + k], work[u + k] = work[y + k] - work[s + k], work[f + k] - work[u + k]
    square = found = 0.0
    for k in range(n):
        work[image + k] = work[row + k] = 0.0
        for i in range(n):
            work[image + k] += work[inverse + k * n + i] * work[u + i]
            work[row + k] += work[s + i] * work[inverse + i * n + k]
        square += work[s + k] * work[s + k]
        found += work[s + k] * work[image + k]
    if square == 0.0:
        return
    part = 1.0
    if abs(found) < LEAST * square:
        part = (square - (LEAST * square if found >= 0.0 else -LEAST * square)) / (square - found)
    scale = part / ((1.0 - part) * square + part * found)
    for k in range(n):
        for i in range(n):
            work[inverse + k * n + i] += scale * (work[s + k] - work[image + k]) * work[row + i]

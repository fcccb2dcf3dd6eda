"""Second derivatives, checked: symmetric matrices, one for each state, with the formulas of their paths over a period.

Flow: W' = Phi W + Psi(V, V), Psi' = A Psi + f_xx(Phi, Phi). Crossing: with S = V + f tau, tau = -g_x V / (g_x f) and
Q_ij = W_ij + A S_i tau_j + A S_j tau_i - A f tau_i tau_j, it is Q_ij - f (g_xx(S_i, S_j) + g_x Q_ij) / (g_x f).
Transition: h_xx(S, S) + h_x T. What they are for: V = V_c + W r.
"""

from __future__ import annotations

from collections.abc import Sequence

from hybridsim.proofs.check_numbers import Ball, dot

Matrix = list[list[Ball]]
Second = list[Matrix]


def product(a: Matrix, b: Matrix) -> Matrix:
    """Return the product of two matrices."""
    columns = list(zip(*b, strict=True))
    return [[dot(row, column) for column in columns] for row in a]


def applied(a: Matrix, v: Sequence[Ball]) -> list[Ball]:
    """Return a matrix times a vector."""
    return [dot(row, v) for row in a]


def transposed(a: Matrix) -> Matrix:
    """Return a matrix with rows for columns."""
    return [list(column) for column in zip(*a, strict=True)]


def plus(a: Matrix, b: Matrix) -> Matrix:
    """Return the sum of two matrices."""
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


def symmetric(entries: Sequence[Ball], n: int) -> Second:
    """Return the matrices of second derivatives by variables a <= b, function after function."""
    size, found = n * (n + 1) // 2, []
    pairs = [(a, b) for a in range(n) for b in range(a, n)]
    for first in range(0, len(entries), size):
        place = dict(zip(pairs, entries[first : first + size], strict=True))
        found.append([[place[min(a, b), max(a, b)] for b in range(n)] for a in range(n)])
    return found


def bilinear(w: Second, v: Matrix) -> Second:
    """Return w(v, v)."""
    across = transposed(v)
    return [product(across, product(each, v)) for each in w]


def combined(a: Matrix, w: Second) -> Second:
    """Return a w."""
    m = len(w[0])
    columns = [[[each[j][k] for each in w] for k in range(m)] for j in range(m)]
    return [[[dot(row, column) for column in line] for line in columns] for row in a]


def sharper(v: Matrix, at_centre: Matrix, w: Second, deviations: Sequence[Ball]) -> Matrix:
    """Return what derivatives have in common with V_c + W r."""
    rows = zip(v, at_centre, w, strict=True)
    return [
        [a.common(c + d) for a, c, d in zip(row, near, applied(by, deviations), strict=True)] for row, near, by in rows
    ]


def series_of_second(a: Sequence[Matrix], bends: Sequence[Second], v: Sequence[Matrix]) -> list[Second]:
    """Return the series of Psi, given those of A, f_xx and Phi; it has one coefficient more."""
    states, columns = range(len(v[0])), [transposed(each) for each in v]
    found: list[Second] = [[[[Ball(0) for _ in states] for _ in states] for _ in states]]
    inner: list[Second] = []  # f_xx Phi, column by column; across[p][q] are the columns of Psi so far, the last first
    across = [[[Ball(0) for _ in states] for _ in states] for _ in states]
    for k in range(len(bends)):
        of_a = [[entry for each in a[: k + 1] for entry in each[i]] for i in states]
        of_v = [[entry for each in columns[: k + 1] for entry in each[p]] for p in states]
        reverse = [[entry for each in reversed(columns[: k + 1]) for entry in each[q]] for q in states]
        rows = [[[entry for each in bends[: k + 1] for entry in each[i][p]] for p in states] for i in states]
        inner.insert(0, [[[dot(row, column) for row in rows[i]] for column in reverse] for i in states])
        new: Second = []
        for i in states:
            bent = [[entry for each in inner for entry in each[i][q]] for q in states]
            half = [
                [dot([*of_v[p], *of_a[i]], [*bent[q], *across[p][q]]).over(k + 1) for q in states[p:]] for p in states
            ]
            new.append([[half[min(p, q)][abs(q - p)] for q in states] for p in states])
        found.append(new)
        across = [[[each[p][q] for each in new] + across[p][q] for q in states] for p in states]
    return found


def crossing(
    a: Matrix,
    slopes: Sequence[Ball],
    gradient: Sequence[Ball],
    bends: Matrix,
    w: Second,
    s: Matrix,
    tau: Sequence[Ball],
) -> Second:
    """Return the second derivatives at a crossing, given A, f, g_x, g_xx, W, S and tau."""
    rate, q = dot(gradient, slopes), []
    for each, row, by in zip(w, product(a, s), applied(a, slopes), strict=True):
        part = [[x * t for t in tau] for x in row]
        whole = plus(each, plus(part, transposed(part)))
        q.append([[x - by * t * u for x, u in zip(line, tau, strict=True)] for line, t in zip(whole, tau, strict=True)])
    across = plus(bilinear([bends], s)[0], combined([list(gradient)], q)[0])
    late = [[x / rate for x in row] for row in across]
    return [
        [[x - y * slope for x, y in zip(p, r, strict=True)] for p, r in zip(each, late, strict=True)]
        for each, slope in zip(q, slopes, strict=True)
    ]

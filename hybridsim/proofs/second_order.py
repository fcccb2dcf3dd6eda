"""Second derivatives of motions by where they begin: sets of first derivatives are smaller with them.

With W over all states of a box, and V_c the derivatives at its centre, V is in V_c + W r (the mean value theorem). How
far V varies over the box is then known to first order, with all that cancels; sets of V alone lose that. A second
derivative is a list of symmetric matrices, one for each state.

    flow        W' = Phi W + Psi(V, V),  Psi' = A Psi + f_xx(Phi, Phi),  Psi(0) = 0, from step to step
    crossing    Q_ij = W_ij + A S_i tau_j + A S_j tau_i - A f tau_i tau_j,  tau = -g_x V / (g_x f),  S = V + f tau,
                T_ij = Q_ij - f (g_xx(S_i, S_j) + g_x Q_ij) / (g_x f), for the slopes of S
    transition  h_xx(S, S) + h_x T
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hybridsim.proofs.balls import Ball, Matrix, ball, common, matrix, rows_of, times

Second = list[Matrix]
"""One symmetric matrix for each state."""


def symmetric(entries: Sequence[Ball], n: int) -> Second:
    """Return the matrices of the values of a program: of each function the derivatives by variables a and b, a <= b."""
    of_each = n * (n + 1) // 2
    found = []
    for begin in range(0, len(entries), of_each):
        rest, rows = iter(entries[begin : begin + of_each]), [[ball(0)] * n for _ in range(n)]
        for a in range(n):
            for b in range(a, n):
                rows[a][b] = rows[b][a] = next(rest)
        found.append(matrix(rows))
    return found


def bilinear(w: Second, v: Matrix) -> Second:
    """Return w(v, v)."""
    across = v.transpose()
    return [across * each * v for each in w]


def combined(a: Matrix, w: Second) -> Second:
    """Return a w."""
    return _apart(a * _in_rows(w), w[0].nrows())


def _in_rows(w: Second) -> Matrix:
    """Return matrices as the rows of one, so that one product takes the place of many sums."""
    return matrix([each.entries() for each in w])


def _apart(rows: Matrix, n: int) -> Second:
    """Return what `_in_rows` has put into rows; each matrix has n rows."""
    m = rows.ncols() // n
    return [matrix([row[m * i : m * i + m] for i in range(n)]) for row in rows_of(rows)]


def total(parts: Any) -> Matrix:
    """Return the sum of matrices, one at least."""
    first, *others = parts
    for each in others:
        first = first + each
    return first


def sharper(v: Matrix, at_centre: Matrix, w: Second, deviations: Sequence[Ball]) -> Matrix:
    """Return what derivatives have in common with V_c + W r."""
    rows = zip(rows_of(v), rows_of(at_centre), [times(each, deviations) for each in w], strict=True)
    return matrix([[common(a, c + d) for a, c, d in zip(*row, strict=True)] for row in rows])


def series_of_second(a: Sequence[Matrix], bends: Sequence[Second], v: Sequence[Matrix]) -> list[Second]:
    """Return the series of Psi, given those of A, f_xx and Phi; it has one coefficient more."""
    n, across = len(bends[0]), [each.transpose() for each in v]
    found, inner = [matrix([[0] * n**2] * n)], []
    for k, _ in enumerate(bends):
        inner.append([total(bends[j][i] * v[k - j] for j in range(k + 1)) for i in range(n)])
        moved = total(a[j] * found[k - j] for j in range(k + 1))
        bent = [total(across[j] * inner[k - j][i] for j in range(k + 1)) for i in range(n)]
        found.append((_in_rows(bent) + moved) / ball(k + 1))
    return [_apart(each, n) for each in found]


def crossing(
    a: Matrix,
    slopes: Sequence[Ball],
    gradient: Sequence[Ball],
    bends: Matrix,
    w: Second,
    s: Matrix,
    tau: Sequence[Ball],
) -> Second:
    """Return T, given A, f, g_x, g_xx, W, S and tau."""
    rate = sum((x * y for x, y in zip(gradient, slopes, strict=True)), ball(0))
    late, moved = matrix([list(tau)]), rows_of(a * s)
    q = []
    for each, row, by_time in zip(w, moved, times(a, slopes), strict=True):
        part = matrix([[x - by_time * t / 2] for x, t in zip(row, tau, strict=True)]) * late
        q.append(each + part + part.transpose())
    (across,) = bilinear([bends], s)
    again = (across + combined(matrix([list(gradient)]), q)[0]) / rate
    return [each - again * slope for each, slope in zip(q, slopes, strict=True)]

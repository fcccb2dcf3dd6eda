"""The flow once more, by a method no run is made with: Gauss-Legendre collocation, solved by Picard iteration.

On each piece of a flow the slope is a polynomial of degree S - 1 through S Gauss points, found by iterating
x(t) = x_0 + integral of f(x): of order 2 S at the end of a piece and S + 1 within it (Hairer, Norsett, Wanner 1993,
II.7). A piece is taken when its last Legendre coefficients are below the tolerance, else it is halved. All rows are
integrated side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial import legendre

from hybridsim.typing import FloatArray, IntArray

TOGETHER = 8192
"""Rows that are integrated side by side: as many as fit into the cache."""

STAGES = 8
QUARTERS = np.array([0.25, 0.5, 0.75, 1.0])
SWEEPS = 40
SHORTEST = 2.0**-40
"""Pieces shorter than this share of the whole way are given up."""

FAST = 2.0 ** (STAGES + 1)
"""How far below the tolerance a piece must be for the next one to be twice as long."""


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """n pieces of flow: x(t + theta span) = x + sum_d extension[:, d] theta^(d+1), 0 <= theta <= 1.

    row : (n,) the row of the run that each belongs to; t, span : (n,) [s]; chart : (n,); x : (n, width);
    extension : (n, degree, width).
    """

    row: IntArray
    t: FloatArray
    span: FloatArray
    chart: IntArray
    x: FloatArray
    extension: FloatArray

    def __getitem__(self, which: Any) -> Pieces:
        return Pieces(*(getattr(self, name)[which] for name in self.__slots__))

    def __len__(self) -> int:
        return len(self.row)

    def at(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Times (n, k) and states (n, k, width) at places theta, (k,) for all pieces or (n, k)."""
        theta = np.broadcast_to(theta, (len(self), np.shape(theta)[-1]))
        rise = np.zeros((len(self), theta.shape[1], self.x.shape[1]))
        for d in range(self.extension.shape[1] - 1, -1, -1):
            rise = theta[:, :, None] * (rise + self.extension[:, None, d])
        return self.t[:, None] + theta * self.span[:, None], self.x[:, None] + rise


@cache
def gauss() -> tuple[FloatArray, FloatArray]:
    """The Gauss points in (0, 1), and the Legendre coefficients of what passes through values there: (S, S)."""
    y, w = legendre.leggauss(STAGES)
    degrees = np.arange(STAGES)
    return 0.5 * (y + 1.0), 0.5 * w * (2 * degrees + 1)[:, None] * legendre.legvander(y, STAGES - 1).T


@cache
def powers() -> FloatArray:
    """Slopes at the Gauss points -> the coefficients of theta^1 .. theta^S of their integral: (S, S)."""
    _, to_legendre = gauss()
    result = np.zeros((STAGES, STAGES))
    for d in range(STAGES):
        series = legendre.Legendre.basis(d, domain=[0.0, 1.0])
        polynomial = series.integ(lbnd=0.0).convert(kind=np.polynomial.Polynomial, domain=[-1.0, 1.0]).coef
        result[: len(polynomial) - 1] += np.outer(polynomial[1:], to_legendre[d])
    return result


def integrals(theta: FloatArray) -> FloatArray:
    """Slopes at the Gauss points -> their integrals from 0 to each theta: (k, S)."""
    _, to_legendre = gauss()
    y = 2.0 * np.asarray(theta) - 1.0
    basis = legendre.legvander(y, STAGES)
    primitive = np.empty((len(y), STAGES))
    primitive[:, 0] = 0.5 * (y + 1.0)
    for d in range(1, STAGES):
        primitive[:, d] = (basis[:, d + 1] - basis[:, d - 1]) / (2.0 * (2 * d + 1))
    return primitive @ to_legendre


def collocate(
    slopes: Any, t: FloatArray, x: FloatArray, chart: IntArray, span: FloatArray, scale: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """One piece from each of n rows.

    The vector field is `slopes(t, x, chart)` at n rows; span, (n,) [s], the lengths; scale, (n, width), what may be
    neglected.

    Returns
    -------
    The slopes at the Gauss points, (S, n, width), and the error of each piece in units of `scale`, (n,); infinite
    where the iteration has not converged.
    """
    points, to_legendre = gauss()
    matrix = integrals(points)
    n, width = x.shape
    times = (t + points[:, None] * span).ravel()
    charts = np.tile(chart, STAGES)
    h = span[None, :, None]
    f = np.broadcast_to(slopes(t, x, chart), (STAGES, n, width))
    where = x + h * points[:, None, None] * f
    change = np.full(n, np.inf)
    for _ in range(SWEEPS):
        f = slopes(times, where.reshape(-1, width), charts).reshape(STAGES, n, width)
        moved = x + h * (matrix @ f.reshape(STAGES, -1)).reshape(STAGES, n, width)
        before, change = change, (abs(moved - where) / scale).max(axis=(0, 2))
        where = moved
        if not (change > 0.1).any() or not (change < before).any():
            break
    last = abs((to_legendre[-2:] @ f.reshape(STAGES, -1)).reshape(2, n, width))
    neglected = span * (np.maximum(last[1], 0.1 * last[0]) / scale).max(axis=1) / (2 * STAGES - 1)
    return f, np.where(change <= 1.0, neglected, np.inf)


def march(
    slopes: Any, t: FloatArray, x: FloatArray, chart: IntArray, span: FloatArray, scale: FloatArray, rows: IntArray
) -> tuple[FloatArray, list[Pieces]]:
    """Follow the flow from n rows for `span` each.

    Returns
    -------
    The states at the ends (n, width), nan where the flow could not be followed, and the pieces in between.
    """
    end, done, h = x.copy(), np.zeros(len(t)), span.copy()
    lost = ~np.isfinite(span)
    pieces: list[Pieces] = []
    going = np.flatnonzero(~lost & (span > 0.0))
    ones = integrals(np.ones(1))
    while len(going):
        length = np.minimum(h[going], span[going] - done[going])
        start = t[going] + done[going]
        with np.errstate(all="ignore"):
            f, error = collocate(slopes, start, end[going], chart[going], length, scale[going])
        taken = error <= 1.0
        i, f, length = going[taken], f[:, taken], length[taken]
        extension = length[:, None, None] * np.einsum("dk,knw->ndw", powers(), f)
        pieces.append(Pieces(rows[i], start[taken], length, chart[i], end[i], extension))
        end[i] += length[:, None] * np.einsum("k,knw->nw", ones[0], f)
        reached = length >= (span[i] - done[i]) * (1.0 - 1e-14)
        done[i] = np.where(reached, span[i], done[i] + length)
        h[i] *= np.where(error[taken] * FAST < 1.0, 2.0, 1.0)
        h[going[~taken]] = 0.5 * np.minimum(h[going[~taken]], span[going[~taken]] - done[going[~taken]])
        lost |= h < SHORTEST * span
        going = going[(done[going] < span[going]) & ~lost[going]]
    end[lost] = np.nan
    return end, pieces


def groups(rows: IntArray) -> list[IntArray]:
    """Rows in groups that are worth integrating side by side."""
    return [rows[first : first + TOGETHER] for first in range(0, len(rows), TOGETHER)]


def at_quarters(pieces: list[Pieces], t: FloatArray, span: FloatArray, end: FloatArray) -> FloatArray:
    """The flow at quarters of n ways, (n, 4, width), from its pieces (whose rows are 0 .. n - 1); nan where lost."""
    result = np.full((len(t), len(QUARTERS), end.shape[1]), np.nan)
    for piece in pieces:
        i = piece.row
        theta = (t[i, None] + QUARTERS * span[i, None] - piece.t[:, None]) / piece.span[:, None]
        instant = 8.0 * np.spacing(abs(t[i, None]) + span[i, None]) / piece.span[:, None]  # no gaps between pieces
        inside = (theta > -instant) & (theta <= 1.0 + instant)
        _, x = piece.at(theta)
        result[i] = np.where(inside[:, :, None], x, result[i])
    result[:, -1] = end
    return result

"""The reference solution on slides, by a method that no run uses: Gauss-Legendre collocation by Picard iteration.

On each piece of a flow the slope is a polynomial of degree S - 1 through S Gauss points, found by iterating
x(t) = x_0 + integral of f(x). The result has order 2 S at the end of a piece and S + 1 inside it (Hairer, Norsett,
Wanner 1993, II.7). A piece is accepted if its last Legendre coefficients are below the tolerance, else it is halved.
All rows are integrated side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from hybridsim.engine.extension import rise_at
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.points import Points, concatenate_points

N_GAUSS_POINTS = 7
"""Number S of Gauss points in a piece; its polynomial has the degree of those of `fehlberg`."""

MAX_PICARD_ITERATIONS = 40
"""Picard iterations on one piece; after these it counts as not converged."""

CONVERGED = 0.1
"""Change by the last iteration, in units of the tolerance, after which there is no further one."""

SHORTEST_PIECE = 2.0**-40
"""Pieces shorter than this fraction of the whole distance are not tried."""

MAX_PIECES = 20_000
"""A flow that would need more pieces than this is given up: see `PACE_SHARE`."""

PACE_SHARE = 40
"""The pace of a flow is looked at each time that 1 / PACE_SHARE of the most pieces has been tried. The flow is given up
if at the pace since the last look the whole distance would take more than the most pieces."""

DOUBLING_MARGIN = 2.0 ** (N_GAUSS_POINTS + 1)
"""Factor by which the error of a piece must be below the tolerance for the next piece to be twice as long."""

SlopeFunction = Callable[[Points], FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """n pieces of a flow: x(t + theta span) = x + sum_d extension[:, d] theta^(d+1), 0 <= theta <= 1.

    Attributes
    ----------
    row : (n,) array
        Index of the row of the run that each piece belongs to.
    start : Points
        Where the pieces begin.
    span : (n,) array
        Their durations [s].
    extension : (n, degree, width) array
        Coefficients of their polynomials.
    offset : (n,) array
        Time from their rows to where they begin [s]; `start.t` is the sum of both, rounded.
    """

    row: IntArray
    start: Points
    span: FloatArray
    extension: FloatArray
    offset: FloatArray

    def __len__(self) -> int:
        return len(self.row)

    def __getitem__(self, which: Any) -> Pieces:
        return Pieces(*(getattr(self, name)[which] for name in ("row", "start", "span", "extension", "offset")))

    def of_rows(self, row: IntArray) -> Pieces:
        """Return the same pieces as those of other rows, (n,)."""
        return Pieces(row, self.start, self.span, self.extension, self.offset)

    def at(self, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Times (n, k) [s] and states (n, k, width) at theta, which is (k,) for all pieces or (n, k)."""
        t = self.start.t[:, None] + theta * self.span[:, None]
        return t, self.start.x[:, None] + rise_at(self.extension[:, None], theta)

    def points_at(self, theta: FloatArray) -> Points:
        """Evaluate n pieces at k values of theta each: n * k points, those of one piece in succession."""
        t, x = self.at(theta)
        return Points(t.ravel(), x.reshape(-1, x.shape[2]), np.repeat(self.start.chart, t.shape[1]))


@cache
def gauss() -> tuple[FloatArray, FloatArray]:
    """Return the Gauss points in (0, 1), (S,), and the matrix from values there to Legendre coefficients, (S, S)."""
    y, w = legendre.leggauss(N_GAUSS_POINTS)
    degrees = np.arange(N_GAUSS_POINTS)
    return 0.5 * (y + 1.0), 0.5 * w * (2 * degrees + 1)[:, None] * legendre.legvander(y, N_GAUSS_POINTS - 1).T


@cache
def powers() -> FloatArray:
    """Return the matrix from slopes at Gauss points to the coefficients theta^1 .. theta^S of the integral: (S, S)."""
    _, to_legendre = gauss()
    result = np.zeros((N_GAUSS_POINTS, N_GAUSS_POINTS))
    for d in range(N_GAUSS_POINTS):
        series = legendre.Legendre.basis(d, domain=[0.0, 1.0])
        polynomial = series.integ(lbnd=0.0).convert(kind=np.polynomial.Polynomial, domain=[-1.0, 1.0]).coef
        result[: len(polynomial) - 1] += np.outer(polynomial[1:], to_legendre[d])
    return result


def integrals(theta: FloatArray) -> FloatArray:
    """Return the matrix from slopes at Gauss points to their integrals from 0 to each of k values of theta: (k, S)."""
    _, to_legendre = gauss()
    y = 2.0 * np.asarray(theta) - 1.0
    basis = legendre.legvander(y, N_GAUSS_POINTS)
    primitive = np.empty((len(y), N_GAUSS_POINTS))
    primitive[:, 0] = 0.5 * (y + 1.0)
    for d in range(1, N_GAUSS_POINTS):
        primitive[:, d] = (basis[:, d + 1] - basis[:, d - 1]) / (2.0 * (2 * d + 1))
    return primitive @ to_legendre


def collocate(
    slopes: SlopeFunction, start: Points, span: FloatArray, tolerance: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Integrate one piece from each of n points.

    Parameters
    ----------
    slopes : function
        The vector field at any number of points, (n, width).
    start : Points
        Where the pieces begin.
    span : (n,) array
        Their durations [s].
    tolerance : (n, width) array
        Errors that may be neglected.

    Returns
    -------
    f : (S, n, width) array
        The slopes at the Gauss points.
    error : (n,) array
        The error of each piece in units of its tolerance; infinite if the iteration has not converged.
    """
    points, _ = gauss()
    matrix, width = integrals(points), start.x.shape[1]
    times, f = start.t + points[:, None] * span, np.repeat(slopes(start)[None], N_GAUSS_POINTS, axis=0)
    states = start.x + (points[:, None] * span)[:, :, None] * f
    last_change = np.full(len(start), np.inf)
    some, change = np.arange(len(start)), last_change.copy()
    for left in reversed(range(MAX_PICARD_ITERATIONS)):
        charts = np.tile(start.chart[some], N_GAUSS_POINTS)
        f[:, some] = slopes(Points(times[:, some].ravel(), states.reshape(-1, width), charts)).reshape(states.shape)
        rise = (matrix @ f[:, some].reshape(N_GAUSS_POINTS, -1)).reshape(states.shape)
        moved = start.x[some] + span[some, None] * rise
        before, change = change, (abs(moved - states) / tolerance[some]).max(axis=(0, 2))
        last_change[some] = change
        # Pieces that have converged, or will not in the iterations left, are finished.
        going = (change > CONVERGED) & (change * (change / before) ** left <= CONVERGED)
        some, states, change = some[going], moved[:, going], change[going]
        if not len(some):
            break
    return f, np.where(last_change <= 1.0, _neglected_terms(f, span, tolerance), np.inf)


def _neglected_terms(f: FloatArray, span: FloatArray, tolerance: FloatArray) -> FloatArray:
    """Return the size of the last Legendre terms of the slopes f, (S, n, width), in units of the tolerance: (n,)."""
    _, to_legendre = gauss()
    last = abs((to_legendre[-2:] @ f.reshape(N_GAUSS_POINTS, -1)).reshape(2, *f.shape[1:]))
    return np.asarray(span * (np.maximum(last[1], 0.1 * last[0]) / tolerance).max(axis=1) / (2 * N_GAUSS_POINTS - 1))


@dataclass(frozen=True, slots=True, eq=False)
class SlideFlow:
    """The flow from n points.

    Attributes
    ----------
    end : (n, width) array
        The states at the ends; nan where the flow could not be followed.
    pieces : list of Pieces
        The flow in between.
    reached : Points
        How far the flow was followed: n points.
    length : (n,) array
        Durations of the pieces that were tried last [s].
    """

    end: FloatArray
    pieces: list[Pieces]
    reached: Points
    length: FloatArray


def march(
    slopes: SlopeFunction,
    start: Points,
    span: FloatArray,
    tolerance: FloatArray,
    rows: IntArray,
    max_pieces: int = MAX_PIECES,
) -> SlideFlow:
    """Follow the flow from n points for `span`, (n,) [s], as far as `max_pieces` and SHORTEST_PIECE allow.

    `slopes`, `start` and `tolerance` are those of `collocate`; `rows`, (n,), are the indices of the rows of the run
    that the points belong to.
    """
    x, done, h = start.x.copy(), np.zeros(len(start)), span.copy()
    lost = ~np.isfinite(span)
    pieces: list[Pieces] = []
    going = np.flatnonzero(~lost & (span > 0.0))
    tried, done_before = 0, done.copy()
    while len(going):
        length = np.minimum(h[going], span[going] - done[going])
        here = Points(start.t[going] + done[going], x[going], start.chart[going])
        accepted, error, piece, rise = _try_pieces(slopes, here, length, tolerance[going], rows[going], done[going])
        pieces.append(piece)
        i, again = going[accepted], going[~accepted]
        x[i] += rise
        reached = piece.span >= (span[i] - done[i]) * (1.0 - 1e-14)
        done[i] = np.where(reached, span[i], done[i] + piece.span)
        h[i] *= np.where(error[accepted] * DOUBLING_MARGIN < 1.0, 2.0, 1.0)
        h[again] = 0.5 * np.minimum(h[again], span[again] - done[again])
        tried += 1
        lost[going] = h[going] < SHORTEST_PIECE * span[going]
        if tried % (max_pieces // PACE_SHARE) == 0:
            lost[going] |= (done - done_before)[going] * PACE_SHARE < span[going]
            done_before = done.copy()
        going = going[(done[going] < span[going]) & ~lost[going]]
    lost &= ~(done >= span)
    return SlideFlow(np.where(lost[:, None], np.nan, x), pieces, Points(start.t + done, x, start.chart), h)


def _try_pieces(
    slopes: SlopeFunction, start: Points, span: FloatArray, tolerance: FloatArray, rows: IntArray, offset: FloatArray
) -> tuple[NDArray[np.bool_], FloatArray, Pieces, FloatArray]:
    """Compute one piece from each point; return which are accepted, all errors, the accepted pieces and their rises."""
    with np.errstate(all="ignore"):
        f, error = collocate(slopes, start, span, tolerance)
    accepted = error <= 1.0
    f, span = f[:, accepted], span[accepted]
    extension = span[:, None, None] * np.einsum("dk,knw->ndw", powers(), f)
    rise = span[:, None] * np.einsum("k,knw->nw", integrals(np.ones(1))[0], f)
    return accepted, error, Pieces(rows[accepted], start[accepted], span, extension, offset[accepted]), rise


def join_pieces(pieces: list[Pieces], width: int) -> Pieces:
    """Return the pieces of a list, of states of this width, as one object."""
    numbers, empty = np.zeros(0, np.int64), np.zeros(0)
    extension = np.zeros((0, N_GAUSS_POINTS, width))
    every = [Pieces(numbers, Points(empty, np.zeros((0, width)), numbers), empty, extension, empty), *pieces]

    def column(name: str) -> Any:
        return np.concatenate([getattr(each, name) for each in every])

    start = concatenate_points([each.start for each in every])
    return Pieces(column("row"), start, column("span"), column("extension"), column("offset"))

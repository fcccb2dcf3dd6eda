"""Pieces of the reference solution, and its march along slides, whose slopes are no function of the model alone.

It is the march of `march_kernels`, by arrays: all points are followed side by side, and what is not known there, as
Filippov's combination of two vector fields, is evaluated here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.extension import rise_at
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.fehlberg import (
    DEGREE,
    ERROR_WEIGHT,
    N_STAGES,
    ORDER_OF_ESTIMATE,
    STAGE_TIMES,
    STEPS_PER_PIECE,
    coefficients,
    interpolation,
    last_term,
)
from hybridsim.verification.points import Points, concatenate_points

INTERPOLATION_SHARE = 0.1
"""Error of the polynomial of a piece, as a fraction of its last term."""

PIECE_SAFETY, LEAST_PIECE_FACTOR, LARGEST_PIECE_FACTOR = 0.9, 0.2, 4.0
"""The next piece is PIECE_SAFETY times as long as the error allows, within these factors of the last."""

SHORTEST_PIECE = 2.0**-40
"""Pieces shorter than this fraction of the whole distance are not tried."""

MAX_PIECES = 20_000
"""A flow that would need more pieces than this is given up: see `PACE_SHARE`."""

PACE_SHARE = 40
"""The pace of a flow is looked at each time that 1 / PACE_SHARE of the most pieces has been tried. The flow is given up
if at the pace since the last look the whole distance would take more than the most pieces."""

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


def march(
    slopes: SlopeFunction,
    start: Points,
    span: FloatArray,
    tolerance: FloatArray,
    rows: IntArray,
    max_pieces: int = MAX_PIECES,
) -> tuple[FloatArray, list[Pieces], Points, FloatArray]:
    """Follow the flow from n points for `span`, (n,) [s], as far as `max_pieces` and SHORTEST_PIECE allow.

    `slopes` is the vector field at any number of points, (n, width), `tolerance`, (n, width), the error of a piece that
    may be neglected, and `rows`, (n,), are the indices of the rows of the run that the points belong to. The results
    are the ends, (n, width), nan where the flow could not be followed; the flow in between; how far it was followed,
    n points; and the durations of the pieces that would be tried next, (n,) [s].
    """
    x, done, h = start.x.copy(), np.zeros(len(start)), span.copy()
    lost = ~np.isfinite(span)
    pieces: list[Pieces] = []
    going = np.flatnonzero(~lost & (span > 0.0))
    tried, done_before = 0, done.copy()
    while len(going):
        length = np.minimum(h[going], span[going] - done[going])
        here = Points(start.t[going] + done[going], x[going], start.chart[going])
        accepted, error, piece, end = _try_pieces(slopes, here, length, tolerance[going], rows[going], done[going])
        pieces.append(piece)
        i = going[accepted]
        x[i] = end
        reached = piece.span >= (span[i] - done[i]) * (1.0 - 1e-14)
        done[i] = np.where(reached, span[i], done[i] + piece.span)
        with np.errstate(divide="ignore"):
            factor = PIECE_SAFETY * error ** (-1.0 / (ORDER_OF_ESTIMATE + 1))
        h[going] = length * np.clip(factor, LEAST_PIECE_FACTOR, LARGEST_PIECE_FACTOR)
        tried += 1
        lost[going] = h[going] < SHORTEST_PIECE * span[going]
        if tried % (max_pieces // PACE_SHARE) == 0:
            lost[going] |= (done - done_before)[going] * PACE_SHARE < span[going]
            done_before = done.copy()
        going = going[(done[going] < span[going]) & ~lost[going]]
    lost &= ~(done >= span)
    return np.where(lost[:, None], np.nan, x), pieces, Points(start.t + done, x, start.chart), h


def _try_pieces(
    slopes: SlopeFunction, start: Points, span: FloatArray, tolerance: FloatArray, rows: IntArray, offset: FloatArray
) -> tuple[NDArray[np.bool_], FloatArray, Pieces, FloatArray]:
    """Compute one piece from each point; return which are accepted, all errors, the accepted pieces and their ends.

    The errors are in units of the tolerance, and infinite where they are not known.
    """
    a, h, x = coefficients(), span / STEPS_PER_PIECE, start.x
    rises, k, off = [], [slopes(start)], []
    ends = [span[:, None] * k[0]]
    with np.errstate(all="ignore"):
        for s in range(STEPS_PER_PIECE):
            for i in range(1, N_STAGES + 1):
                moved = x + h[:, None] * np.tensordot(a[i, :i], k, 1)
                k.append(slopes(Points(start.t + (s + STAGE_TIMES[i]) * h, moved, start.chart)))
            off.append(ERROR_WEIGHT * h[:, None] * (k[0] + k[10] - k[11] - k[12]))
            x, k = moved, k[N_STAGES:]
            rises.append(x - start.x)
            ends.append(span[:, None] * k[0])
        extension = np.einsum("dj,jnw->ndw", interpolation(), np.array(rises + ends))
        off.append(INTERPOLATION_SHARE * last_term() * extension[:, -1])
        error = np.nan_to_num((abs(np.array(off)) / tolerance).max(axis=(0, 2)), nan=np.inf)
    ok = error <= 1.0
    return ok, error, Pieces(rows[ok], start[ok], span[ok], extension[ok], offset[ok]), x[ok]


def join_pieces(pieces: list[Pieces], width: int) -> Pieces:
    """Return the pieces of a list, of states of this width, as one object."""
    numbers, empty = np.zeros(0, np.int64), np.zeros(0)
    extension = np.zeros((0, DEGREE, width))
    every = [Pieces(numbers, Points(empty, np.zeros((0, width)), numbers), empty, extension, empty), *pieces]

    def column(name: str) -> Any:
        return np.concatenate([getattr(each, name) for each in every])

    start = concatenate_points([each.start for each in every])
    return Pieces(column("row"), start, column("span"), column("extension"), column("offset"))

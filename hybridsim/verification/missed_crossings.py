"""Boundaries between events: no armed boundary falls below zero inside an epoch.

The engine searches its steps for crossings; here they are searched again, in another way: each boundary is sampled on
each piece of the flow, and its lowest value is followed to the minimum. A boundary is armed once it has been positive.
At the beginning of a chart it is armed in any case, unless it is declared `armed="when_positive"`; after a declined
crossing it has to become positive first, too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.collocation import Pieces
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.locations import Locations
from hybridsim.verification.points import Points
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import rounding_error
from hybridsim.verification.watched import WatchedFunctions, change_by_errors, watched_functions, zero_tolerance

NAME = "boundaries between events"

CHEBYSHEV_POINTS = 0.5 * (1.0 - np.cos(np.pi * np.arange(17) / 16.0))
"""Places at which each piece is sampled: Chebyshev points, dense at its ends."""

N_ZOOM_SAMPLES, N_ZOOMS = 33, 3
"""Number of samples around the lowest one, and how often the interval around it is sampled again."""

SUSPICIOUS_SHARE = 0.5
"""If the lowest sample is below this fraction of the spread of all, there may be a lower value next to it."""

BATCH_PIECES = 2048
"""Pieces that are sampled side by side."""


@dataclass(frozen=True, slots=True, eq=False)
class Dips:
    """How low each watched function gets on each piece.

    Attributes
    ----------
    first : (n, n_watched) array
        Value at the start.
    positive : (n, n_watched) array of bool
        Whether it is positive anywhere.
    lowest, theta : (n, n_watched) array
        Least value, and where on the piece it is.
    lowest_after, theta_after : (n, n_watched) array
        The same of the values that follow a positive one.
    """

    first: FloatArray
    positive: NDArray[np.bool_]
    lowest: FloatArray
    theta: FloatArray
    lowest_after: FloatArray
    theta_after: FloatArray


def check_between_events(evaluator: Evaluator, report: Report, pieces: list[Pieces], flow_error: FloatArray) -> None:
    """Check that no armed boundary falls below zero inside an epoch by more than rounding and the error of the flow.

    `flow_error`, (n_points, width), is the error allowed in the flow from each row or known state; zero where the run
    has its extensions.
    """
    watched = watched_functions(evaluator)
    if not pieces or not watched.names:
        return
    flow = joined(pieces)
    dips = find_dips(watched, flow)
    armed = armed_at_start(watched, flow, dips)
    lowest = np.where(armed, dips.lowest, dips.lowest_after)
    theta = np.where(armed, dips.theta, dips.theta_after)
    report.check(NAME).count += lowest.size
    suspects = np.argwhere(~(lowest >= -evaluator.config.engine.stop_precision))
    if not len(suspects):
        return
    k, i = suspects.T
    pieces_there = flow[k]
    points = pieces_there.points_at(theta[k, i][:, None])
    allowed, _ = zero_tolerance(watched, points, pieces_there.span)
    allowed = 2.0 * allowed + change_by_errors(watched, points, flow_error[pieces_there.row])
    below_at_start = np.minimum(np.nan_to_num(dips.first[k, i], posinf=0.0), 0.0)
    where = Locations("row", row_of(evaluator, pieces_there.start.t), points.t)
    for column in dict.fromkeys(i.tolist()):
        some = np.flatnonzero(i == column)
        report.compare(
            NAME,
            np.minimum(lowest[k[some], column], 0.0)[:, None],
            np.zeros((len(some), 1)),
            (allowed[some, column] - below_at_start[some])[:, None],
            where[some],
            [f"boundary {watched.names[column]} falls below zero without an event; it"],
        )


def joined(pieces: list[Pieces]) -> Pieces:
    """Return all pieces in the order of the run."""
    starts = [piece.start for piece in pieces]
    start = Points(*(np.concatenate([getattr(one, name) for one in starts]) for name in ("t", "x", "chart")))
    row, span, extension, offset = (
        np.concatenate([getattr(piece, name) for piece in pieces]) for name in ("row", "span", "extension", "offset")
    )
    return Pieces(row, start, span, extension, offset)[np.lexsort((offset, row))]


def row_of(evaluator: Evaluator, t: FloatArray) -> IntArray:
    """Return the indices of the rows at or before these times."""
    return np.maximum(np.searchsorted(evaluator.run.t, t, side="right") - 1, 0)


def find_dips(watched: WatchedFunctions, flow: Pieces) -> Dips:
    """Find the lowest values on all pieces."""
    groups = [slice(first, first + BATCH_PIECES) for first in range(0, len(flow), BATCH_PIECES)]
    found = [_dips(watched, flow[group]) for group in groups]
    return Dips(*(np.concatenate([getattr(part, name) for part in found]) for name in Dips.__slots__))


def _values(watched: WatchedFunctions, flow: Pieces, theta: FloatArray) -> FloatArray:
    """Return all watched functions at k samples on each of n pieces: (n, k, n_watched)."""
    g = watched(flow.points_at(theta))
    return np.asarray(np.where(np.isnan(g), -np.inf, g).reshape(len(flow), -1, len(watched.names)))


def _dips(watched: WatchedFunctions, flow: Pieces) -> Dips:
    g = _values(watched, flow, CHEBYSHEV_POINTS)
    above = np.maximum.accumulate(g > watched.evaluator.config.engine.stop_precision, axis=1)
    after = np.where(above, g, np.inf)
    lowest, theta = g.min(axis=1), CHEBYSHEV_POINTS[g.argmin(axis=1)]
    highest = np.where(np.isinf(g), -np.inf, g).max(axis=1)
    with np.errstate(invalid="ignore"):
        suspicious = np.isfinite(lowest) & (lowest < SUSPICIOUS_SHARE * (highest - lowest))
    for column in np.flatnonzero(suspicious.any(axis=0)).tolist():
        some = np.flatnonzero(suspicious[:, column])
        lowest[some, column], theta[some, column] = _minimum(watched, flow[some], column, theta[some, column])
    return Dips(g[:, 0], above[:, -1], lowest, theta, after.min(axis=1), CHEBYSHEV_POINTS[after.argmin(axis=1)])


def _minimum(watched: WatchedFunctions, flow: Pieces, column: int, theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the minimum of one function near theta on each of n pieces, (n,), and its theta, (n,).

    The function is sampled, and then again on the interval around the lowest sample, N_ZOOMS times.
    """
    nearest = np.searchsorted(CHEBYSHEV_POINTS, theta)
    low, high = (
        CHEBYSHEV_POINTS[np.maximum(nearest - 1, 0)],
        CHEBYSHEV_POINTS[np.minimum(nearest + 1, len(CHEBYSHEV_POINTS) - 1)],
    )
    share = np.linspace(0.0, 1.0, N_ZOOM_SAMPLES)
    piece = np.arange(len(flow))
    for _ in range(N_ZOOMS):
        samples = low[:, None] + share * (high - low)[:, None]
        g = _values(watched, flow, samples)[:, :, column]
        best = g.argmin(axis=1)
        low, high = samples[piece, np.maximum(best - 1, 0)], samples[piece, np.minimum(best + 1, N_ZOOM_SAMPLES - 1)]
    return g[piece, best], samples[piece, best]


def armed_at_start(watched: WatchedFunctions, flow: Pieces, dips: Dips) -> NDArray[np.bool_]:
    """Return which functions are armed at the start of each piece: (n, n_watched).

    They are if their chart has begun there without a wait, or if they have been positive since the wait began.
    """
    evaluator, n = watched.evaluator, len(flow)
    t = flow.start.t
    j = evaluator.run.j[row_of(evaluator, t)]
    begins = np.append(True, np.diff(j) != 0)
    # A change of inputs begins an epoch, but no chart.
    begins &= ~np.isin(j, evaluator.run.events.j[has_kind(evaluator.run.events, "input")] + 1)
    index = np.arange(n)[:, None]
    decided = np.where(begins[:, None], index, -1) * np.ones(len(watched.names), np.int64)
    # One that begins at zero, but for rounding, may have crossed earlier and not have been positive since.
    not_positive = dips.first <= rounding_error(watched.evaluator, watched, flow.start)
    waits = begins[:, None] & watched.armed_when_positive & (not_positive | _crosses_at(watched, t))
    for event, first in zip(*_declined_events(evaluator, t, j), strict=True):
        crossed = np.flatnonzero(evaluator.run.events.crossed[event])
        decided[first, crossed], waits[first, crossed] = first, True
    decided = np.maximum.accumulate(decided, axis=0)
    rose = np.maximum.accumulate(np.where(dips.positive, index, -1), axis=0)
    rose = np.vstack([np.full((1, rose.shape[1]), -1), rose[:-1]])
    return ~np.take_along_axis(waits, decided, axis=0) | (rose >= decided)


def _crosses_at(watched: WatchedFunctions, t: FloatArray) -> NDArray[np.bool_]:
    """Return which boundaries cross in an event at exactly these times: (n, n_watched)."""
    events = watched.evaluator.run.events
    result = np.zeros((len(t), len(watched.names)), bool)
    for i in range(watched.evaluator.n_boundaries):
        result[:, i] = np.isin(t, events.t[events.crossed[:, i]])
    return result


def _declined_events(evaluator: Evaluator, t: FloatArray, j: IntArray) -> tuple[IntArray, IntArray]:
    """Return the indices of the declined crossings, and of the next piece in the epoch of each."""
    events = evaluator.run.events
    declined = np.flatnonzero(events.declined & has_kind(events, "crossing"))
    low, high = np.searchsorted(j, events.j[declined]), np.searchsorted(j, events.j[declined], side="right")
    first = np.clip(np.searchsorted(t, events.t[declined]), low, high)
    return declined[first < high], first[first < high]

"""Boundaries between events: no armed boundary falls below zero inside an epoch.

The engine searches its steps for crossings; here they are searched again, in another way: each boundary is sampled on
each piece of the flow, and its lowest value is followed to the minimum. A boundary is armed once it has been positive.
At the beginning of a chart it is armed in any case, unless it is declared `armed="when_positive"`; after a declined
crossing it has to become positive first, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.findings import Locations
from hybridsim.verification.pieces import Pieces
from hybridsim.verification.points import Points
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import rounding_error, time_rounding
from hybridsim.verification.watched import (
    WatchedFunctions,
    change_by_errors,
    fastest_at_instants,
    watched_functions,
    zero_tolerance,
)

BOUNDARIES_CHECK = "boundaries between events"

CHEBYSHEV_POINTS = 0.5 * (1.0 - np.cos(np.pi * np.arange(17) / 16.0))
"""Places at which each piece is sampled: Chebyshev points, dense at its ends."""

N_ZOOM_SAMPLES, N_ZOOMS = 33, 3
"""Number of samples around the lowest one, and how often the interval around it is sampled again."""

DIP_FACTOR = 4.0
"""How far a function may be below its lowest sample, in units of how far the parabola through the samples there is."""

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
        Whether it is anywhere above what counts as zero, see `positive_above`.
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


@dataclass(frozen=True, slots=True, eq=False)
class Armed:
    """Which functions are armed after some pieces.

    Attributes
    ----------
    j : int
        Jump count of the last piece; -1 if there is none.
    t : float
        Time at which it begins [s].
    armed : (n_watched,) array of bool
        Which functions are armed at its end.
    """

    j: int
    t: float
    armed: NDArray[np.bool_]


def check_between_events(evaluator: Evaluator, report: Report, groups: Iterable[tuple[Pieces, FloatArray]]) -> None:
    """Check that no armed boundary falls below zero inside an epoch by more than rounding and the error of the flow.

    `groups` are the pieces of the flow, in the order of the run, and the error allowed in the flow from the n points
    that the pieces of each group belong to, (n, width); zero where the run has its extensions.
    """
    watched = watched_functions(evaluator)
    armed = Armed(-1, -np.inf, np.zeros(len(watched.names), bool))
    for pieces, flow_error in groups:
        if len(pieces) and watched.names:
            armed = _check_group(watched, report, pieces, flow_error, armed)


def _check_group(
    watched: WatchedFunctions, report: Report, flow: Pieces, flow_error: FloatArray, before: Armed
) -> Armed:
    """Check a group of pieces, before which the functions were armed like this; return what is armed after it."""
    evaluator, dips = watched.evaluator, find_dips(watched, flow)
    armed = armed_at_start(watched, flow, dips, before)
    lowest = np.where(armed, dips.lowest, dips.lowest_after)
    theta = np.where(armed, dips.theta, dips.theta_after)
    report.check(BOUNDARIES_CHECK).count += lowest.size
    k, i = np.argwhere(~(lowest >= -evaluator.config.engine.stop_precision)).T
    pieces_there = flow[k]
    points = pieces_there.points_at(theta[k, i][:, None])
    allowed, _ = zero_tolerance(watched, points, pieces_there.span)
    allowed = 2.0 * allowed + change_by_errors(watched, points, flow_error[pieces_there.row])
    below_at_start = np.minimum(np.nan_to_num(dips.first[k, i], posinf=0.0), 0.0)
    where = Locations("row", row_of(evaluator, pieces_there.start.t), points.t)
    for column in dict.fromkeys(i.tolist()):
        some = np.flatnonzero(i == column)
        report.compare(
            BOUNDARIES_CHECK,
            np.minimum(lowest[k[some], column], 0.0)[:, None],
            np.zeros((len(some), 1)),
            (allowed[some, column] - below_at_start[some])[:, None],
            where[some],
            [f"boundary {watched.names[column]} falls below zero without an event; it"],
        )
    last = flow.start.t[-1:]
    return Armed(int(_j_at(evaluator, last)[0]), float(last[0]), armed[-1] | dips.positive[-1])


def row_of(evaluator: Evaluator, t: FloatArray) -> IntArray:
    """Return the indices of the rows at or before these times."""
    return np.maximum(np.searchsorted(evaluator.run.t, t, side="right") - 1, 0)


def find_dips(watched: WatchedFunctions, flow: Pieces) -> Dips:
    """Find the lowest values on all pieces."""
    groups = [slice(first, first + BATCH_PIECES) for first in range(0, len(flow), BATCH_PIECES)]
    level = positive_above(watched, flow.start)
    found = [_dips(watched, flow[group], level[group]) for group in groups]
    return Dips(*(np.concatenate([getattr(part, name) for part in found]) for name in Dips.__slots__))


def _values(watched: WatchedFunctions, flow: Pieces, theta: FloatArray) -> FloatArray:
    """Return all watched functions at k samples on each of n pieces: (n, k, n_watched)."""
    g = watched(flow.points_at(theta))
    return np.asarray(np.where(np.isnan(g), -np.inf, g).reshape(len(flow), -1, len(watched.names)))


def positive_above(watched: WatchedFunctions, start: Points) -> FloatArray:
    """Return what each function must exceed to have been positive on pieces from n points: (n, n_watched).

    It is more than `stop_precision` where an event leaves a boundary that crosses just above zero.
    """
    level = np.full((len(start), len(watched.names)), watched.evaluator.config.engine.stop_precision)
    some = np.flatnonzero(np.isin(start.t, watched.evaluator.run.events.t))
    points = start[some]
    fastest = fastest_at_instants(watched, points.t)
    rounding = rounding_error(watched.evaluator, watched, points) + time_rounding(watched, points)
    level[some] += 0.5 * np.spacing(abs(points.t))[:, None] * fastest + rounding
    return level


def _dips(watched: WatchedFunctions, flow: Pieces, level: FloatArray) -> Dips:
    g = _values(watched, flow, CHEBYSHEV_POINTS)
    above = np.maximum.accumulate(g > level[:, None], axis=1)
    after = np.where(above, g, np.inf)
    lowest, theta = g.min(axis=1), CHEBYSHEV_POINTS[g.argmin(axis=1)]
    with np.errstate(invalid="ignore"):
        lowest_possible = lowest - DIP_FACTOR * (lowest - _lowest_of_parabola(g))
    suspicious = np.isfinite(lowest) & ~(lowest_possible >= -watched.evaluator.config.engine.stop_precision)
    for column in np.flatnonzero(suspicious.any(axis=0)).tolist():
        some = np.flatnonzero(suspicious[:, column])
        lowest[some, column], theta[some, column] = _minimum(watched, flow[some], column, theta[some, column])
    return Dips(g[:, 0], above[:, -1], lowest, theta, after.min(axis=1), CHEBYSHEV_POINTS[after.argmin(axis=1)])


def _lowest_of_parabola(g: FloatArray) -> FloatArray:
    """Return the least value of parabolas through the lowest of samples (n, k, n_watched) and those next to it.

    The result, (n, n_watched), is nan where one of these is infinite.
    """
    middle = np.clip(g.argmin(axis=1), 1, len(CHEBYSHEV_POINTS) - 2)[:, None]
    s0, s1, s2 = (CHEBYSHEV_POINTS[middle[:, 0] + side] for side in (-1, 0, 1))
    g0, g1, g2 = (np.take_along_axis(g, middle + side, axis=1)[:, 0] for side in (-1, 0, 1))
    with np.errstate(all="ignore"):
        slope = (g1 - g0) / (s1 - s0)
        bend = ((g2 - g1) / (s2 - s1) - slope) / (s2 - s0)
        s = 0.5 * (s0 + s1 - slope / bend)
        vertex = g0 + (s - s0) * (slope + (s - s1) * bend)
    lowest = np.minimum(np.minimum(g0, g1), g2)
    finite = np.isfinite(g0 + g1 + g2)
    return np.asarray(np.where(finite, np.where((bend > 0.0) & (s0 < s) & (s < s2), vertex, lowest), np.nan))


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


def armed_at_start(watched: WatchedFunctions, flow: Pieces, dips: Dips, before: Armed) -> NDArray[np.bool_]:
    """Return which functions are armed at the start of each piece: (n, n_watched).

    They are if their chart has begun there without a wait, or if they have been positive since the wait began.
    """
    evaluator, n = watched.evaluator, len(flow)
    t = flow.start.t
    j = _j_at(evaluator, t)
    begins = np.diff(j, prepend=before.j) != 0
    # A change of inputs begins an epoch, but no chart.
    begins &= ~np.isin(j, evaluator.run.events.j[has_kind(evaluator.run.events, "input")] + 1)
    index = np.arange(n)[:, None]
    decided = np.where(begins[:, None], index, -1) * np.ones(len(watched.names), np.int64)
    # One that begins at zero, but for rounding, may have crossed earlier and not have been positive since.
    not_positive = dips.first <= rounding_error(watched.evaluator, watched, flow.start)
    waits = begins[:, None] & watched.armed_when_positive & (not_positive | _crosses_at(watched, t))
    for event, first in zip(*_declined_events(evaluator, t, j, before), strict=True):
        crossed = np.flatnonzero(evaluator.run.events.crossed[event])
        decided[first, crossed], waits[first, crossed] = first, True
    decided = np.maximum.accumulate(decided, axis=0)
    rose = np.maximum.accumulate(np.where(dips.positive, index, -1), axis=0)
    rose = np.vstack([np.full((1, rose.shape[1]), -1), rose[:-1]])
    armed_when_decided = np.where(decided < 0, before.armed, ~np.take_along_axis(waits, decided, axis=0))
    return np.asarray(armed_when_decided | (rose >= np.maximum(decided, 0)))


def _j_at(evaluator: Evaluator, t: FloatArray) -> IntArray:
    """Return the jump counts of the rows at or before these times."""
    return np.asarray(evaluator.run.j[row_of(evaluator, t)])


def _crosses_at(watched: WatchedFunctions, t: FloatArray) -> NDArray[np.bool_]:
    """Return which boundaries cross in an event at exactly these times: (n, n_watched)."""
    events = watched.evaluator.run.events
    result = np.zeros((len(t), len(watched.names)), bool)
    for i in range(watched.evaluator.n_boundaries):
        result[:, i] = np.isin(t, events.t[events.crossed[:, i]])
    return result


def _declined_events(evaluator: Evaluator, t: FloatArray, j: IntArray, before: Armed) -> tuple[IntArray, IntArray]:
    """Return the indices of the declined crossings, and of the next piece in the epoch of each, if it is one of these.

    The pieces begin at the times t, (n,) [s], in the epochs j, (n,).
    """
    events = evaluator.run.events
    declined = np.flatnonzero(events.declined & has_kind(events, "crossing"))
    declined = declined[(events.j[declined] != before.j) | (events.t[declined] > before.t)]
    low, high = np.searchsorted(j, events.j[declined]), np.searchsorted(j, events.j[declined], side="right")
    first = np.clip(np.searchsorted(t, events.t[declined]), low, high)
    return declined[first < high], first[first < high]

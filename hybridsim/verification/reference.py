"""The reference solution: the flow from points of a run, by a method that no run uses.

It is integrated by Fehlberg's pair of orders 7 and 8 (`fehlberg`): in the charts by compiled loops (`march_kernels`),
and on slides, whose slopes are not a function of the model alone, by arrays (`pieces`). A piece is accepted if its
error is below the tolerance. The points are followed in groups, one after the other, so that the pieces of a long run,
which take a thousand times its memory, need not be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hybridsim.engine.extension import rise_at
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import SLIDE, Evaluator
from hybridsim.verification.fehlberg import DEGREE, N_STAGES, STAGE_TIMES, coefficients, interpolation, last_term
from hybridsim.verification.march_kernels import Marching, march_points, repeat_pieces
from hybridsim.verification.pieces import INTERPOLATION_SHARE, MAX_PIECES, Pieces, join_pieces, march
from hybridsim.verification.points import Points, concatenate_points

GROUP_BYTES = 2**24
"""Memory of pieces after which a group of points ends."""


BATCH_ROWS = 8192
"""Most points in a group."""

QUARTERS = np.array([0.25, 0.5, 0.75, 1.0])
"""Fractions of a step at which it is compared with the reference solution."""


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The flow from a group of n points.

    Attributes
    ----------
    which : slice
        The group: which of the points that the flow was asked for.
    start : Points
        The points.
    span : (n,) array
        For how long the flow was to be followed [s].
    tolerance : (n, width) array
        Errors of a piece that may be neglected.
    end : (n, width) array
        The states at the ends; nan where the flow could not be followed.
    pieces : Pieces
        The flow in between, in the order of points and time; the first point has the `row` 0.
    reached : Points
        How far the flow was followed: n points.
    length : (n,) array
        Durations of the pieces that were tried last [s].
    """

    which: slice
    start: Points
    span: FloatArray
    tolerance: FloatArray
    end: FloatArray
    pieces: Pieces
    reached: Points
    length: FloatArray


def follow(
    evaluator: Evaluator, start: Points, span: FloatArray, tolerance: FloatArray, max_pieces: int = MAX_PIECES
) -> Iterator[Flow]:
    """Follow the flow from n points, group by group.

    Parameters
    ----------
    evaluator : Evaluator
        The run and its model.
    start : Points
        Where the flow begins.
    span : (n,) array
        How long it is followed [s].
    tolerance : (n, width) array
        Errors of a piece that may be neglected.
    max_pieces : int
        A flow that needs more pieces is given up.

    Yields
    ------
    Flow
        The flow from the next points.
    """
    first, width = 0, start.x.shape[1]
    wanted = GROUP_BYTES // (8 * width * (DEGREE + 1)) + 1
    while first < len(start):
        some = slice(first, first + BATCH_ROWS)
        arrays = _arrays(evaluator, start[some], span[some], tolerance[some], wanted + max_pieces, max_pieces)
        filled = march_points(arrays, len(arrays.t), wanted, width)
        n = int(arrays.counts[0])
        which = slice(first, first + n)
        flow = _flow(which, start[which], span[which], tolerance[which], arrays, filled)
        yield _with_slides(evaluator, flow, max_pieces)
        first += n


def follow_all(
    evaluator: Evaluator, start: Points, span: FloatArray, tolerance: FloatArray, max_pieces: int = MAX_PIECES
) -> Flow:
    """Follow the flow from n points, few enough that all pieces are kept; for the arguments see `follow`."""
    flows = list(follow(evaluator, start, span, tolerance, max_pieces))
    if len(flows) == 1:
        return flows[0]
    width = start.x.shape[1]
    pieces = join_pieces([flow.pieces.of_rows(flow.pieces.row + flow.which.start) for flow in flows], width)
    end = np.concatenate([np.zeros((0, width)), *(flow.end for flow in flows)])
    reached = concatenate_points([start[:0], *(flow.reached for flow in flows)])
    length = np.concatenate([np.zeros(0), *(flow.length for flow in flows)])
    return Flow(slice(0, len(start)), start, span, tolerance, end, pieces, reached, length)


def separation(evaluator: Evaluator, flow: Flow, changes: FloatArray, which: IntArray) -> FloatArray:
    """Return how far apart a flow ends from n points and from states moved by each of k changes: (k, n, width).

    `changes` is (k, n, width), and `which`, (n,), are the points of the flow. All are followed in one step for each
    piece, so that their errors are nearly the same, and small beside the changes. The result is nan where the flow is
    lost.
    """
    start, span, tolerance = flow.start[which], flow.span[which], flow.tolerance[which]
    number = np.full(len(flow.start), -1)
    number[which] = np.arange(len(which))
    row = number[flow.pieces.row]
    pieces = flow.pieces.of_rows(row)[row >= 0]
    arrays = _arrays(evaluator, start, span, tolerance, 0, 0)
    arrays = arrays._replace(row=pieces.row, offset=pieces.offset, piece_span=pieces.span)
    ends = np.concatenate([start.x[None], start.x + changes]).copy()  # contiguous, as compiled loops expect
    for end in ends:
        repeat_pieces(arrays._replace(end=end), len(pieces), end.shape[1])
    slides = np.flatnonzero(start.chart <= SLIDE)
    ends[0, slides] = flow.end[which[slides]]
    for end in ends[1:] if len(slides) else []:
        moved = start[slides].with_states(end[slides])
        end[slides] = march(evaluator.slopes, moved, span[slides], tolerance[slides], slides)[0]
    return np.where(np.isfinite(flow.end[which]), ends[1:] - ends[0], np.nan)


def at_quarters(flow: Flow) -> FloatArray:
    """Return a flow at the QUARTERS of its spans, (n, 4, width); nan where it was lost."""
    pieces = flow.pieces
    result = np.full((len(flow.start), len(QUARTERS), flow.end.shape[1]), np.nan)
    theta = (QUARTERS * flow.span[pieces.row, None] - pieces.offset[:, None]) / pieces.span[:, None]
    instant = 8.0 * np.spacing(flow.span[pieces.row, None]) / pieces.span[:, None]  # no gaps between pieces
    k, quarter = np.nonzero((theta > -instant) & (theta <= 1.0 + instant))
    result[pieces.row[k], quarter] = pieces.start.x[k] + rise_at(pieces.extension[k], theta[k, quarter])
    result[:, -1] = flow.end
    return result


def _arrays(
    evaluator: Evaluator, start: Points, span: FloatArray, tolerance: FloatArray, capacity: int, max_pieces: int
) -> Marching:
    """Return the arguments of `march_points` and `repeat_pieces`, with room for `capacity` pieces."""
    n, width = start.x.shape
    arguments = evaluator.functions.loop_arguments(start)
    arguments["chart"] = np.where(start.chart < 0, -1, arguments["chart"])
    longest = float(span.max(initial=0.0, where=np.isfinite(span)))
    return Marching(
        **arguments,
        span=np.ascontiguousarray(span),
        tolerance=np.ascontiguousarray(tolerance),
        end=arguments["x"].copy(),
        done=np.zeros(n),
        length=np.ascontiguousarray(span).copy(),
        row=np.empty(capacity, np.int64),
        offset=np.empty(capacity),
        piece_x=np.empty((capacity, width)),
        piece_span=np.empty(capacity),
        extension=np.empty((capacity, DEGREE, width)),
        a=coefficients(),
        nodes=STAGE_TIMES,
        interpolation=interpolation(),
        k=np.empty((N_STAGES, width)),
        data=np.empty((DEGREE, width)),
        here=np.empty(width),
        stage=np.empty(width),
        limits=np.array([max_pieces, longest, INTERPOLATION_SHARE * last_term()]),
        counts=np.zeros(1, np.int64),
    )


def _flow(which: slice, start: Points, span: FloatArray, tolerance: FloatArray, arrays: Marching, filled: int) -> Flow:
    """Return the flow that `march_points` has written."""
    n = len(start)
    row, offset = arrays.row[:filled], arrays.offset[:filled]
    begin = Points(start.t[row] + offset, arrays.piece_x[:filled], start.chart[row])
    pieces = Pieces(row, begin, arrays.piece_span[:filled], arrays.extension[:filled], offset)
    x, done = arrays.end[:n], arrays.done[:n]
    end = np.where((done >= span)[:, None], x, np.nan)
    return Flow(which, start, span, tolerance, end, pieces, Points(start.t + done, x, start.chart), arrays.length[:n])


def _with_slides(evaluator: Evaluator, flow: Flow, max_pieces: int) -> Flow:
    """Return the flow of a group, also from its points on slides."""
    slides = np.flatnonzero(flow.start.chart <= SLIDE)
    if not len(slides):
        return flow
    start, span = flow.start[slides], flow.span[slides]
    ends, found, came, tried = march(evaluator.slopes, start, span, flow.tolerance[slides], slides, max_pieces)
    pieces = join_pieces([flow.pieces, *found], start.x.shape[1])
    pieces = pieces[np.lexsort((pieces.offset, pieces.row))]
    end, length, reached = flow.end.copy(), flow.length.copy(), flow.reached
    end[slides], length[slides] = ends, tried
    reached.t[slides], reached.x[slides] = came.t, came.x
    return Flow(flow.which, flow.start, flow.span, flow.tolerance, end, pieces, reached, length)

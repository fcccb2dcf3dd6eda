"""Runs without their steps: check that the flow leads from each row to the next one of its epoch.

The reference solution is integrated from row to row. Each row carries an error itself; where the flow takes that error
is found by moving the row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.status import Status
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import SLIDE, WEIGHT_ERROR, Evaluator
from hybridsim.verification.findings import Locations, locate_all
from hybridsim.verification.gaps import report_gaps
from hybridsim.verification.method_steps import in_tolerances, longest_steps, method_of, step_tolerance
from hybridsim.verification.pieces import Pieces
from hybridsim.verification.points import Points
from hybridsim.verification.reference import Flow, follow, separation
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import (
    EPSILON,
    extension_error,
    reference_tolerance,
    rounding_error,
    slide_error,
    slope_rounding,
    step_error,
)
from hybridsim.verification.trials import TRIAL_POINTS, slope_error_at_kinks, state_error_at_kinks

MAX_INTERVALS_PER_STEP = 1e6
"""For rounding errors, a step counts as no longer than this many intervals between rows."""


SPREAD_SHARE = 2.0**-6
"""Share of the allowed error by which states are moved to find how the flow separates them."""

TRIED_SHARE = 0.5
"""Where a slope is off by more than this share of what is allowed, steps across a kink are tried as well."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownStates:
    """The states that a run contains, in order of (t, j): its rows, and declined crossings, which have no row.

    Attributes
    ----------
    points : Points
        The states.
    j : (n,) array
        The jump counts.
    where : Locations
        The rows and events.
    """

    points: Points
    j: IntArray
    where: Locations


def known_states(evaluator: Evaluator) -> KnownStates:
    """Return all rows and declined crossings in order."""
    run, events = evaluator.run, evaluator.run.events
    declined = np.flatnonzero(events.declined)
    rows, crossings = evaluator.rows(), evaluator.before_events(declined)
    t, j = np.append(rows.t, crossings.t), np.append(run.j, events.j[declined])
    is_event = np.arange(len(t)) >= len(run.t)
    index = np.append(np.arange(len(run.t)), declined)
    points = Points(t, np.concatenate([rows.x, crossings.x]), np.append(rows.chart, crossings.chart))
    order = np.lexsort((is_event, t, j))
    return KnownStates(points[order], j[order], Locations("row", index, t, is_event)[order])


def check_samples(evaluator: Evaluator, report: Report) -> Iterator[tuple[Pieces, FloatArray]]:
    """Check the flow and the slopes, group by group of the known states.

    Parameters
    ----------
    evaluator : Evaluator
        The run and its model.
    report : Report
        Receives the checks.

    Yields
    ------
    pieces : Pieces
        The reference solution from a group of n states, whose rows are 0 .. n - 1.
    allowed : (n, width) array
        Error allowed in it, from each of these states.
    """
    _check_slopes(evaluator, report)
    known = known_states(evaluator)
    # The state of an accumulation is extrapolated, not reached by the flow.
    leads_to_accumulation = np.isin(known.j[:-1], evaluator.run.j[evaluator.extrapolated])
    starts = np.flatnonzero((np.diff(known.j) == 0) & ~leads_to_accumulation)
    moves = _moves(evaluator.slopes(known.points), known.points.chart)
    points, span = known.points[starts], known.points.t[starts + 1] - known.points.t[starts]
    for flow in follow(evaluator, points, span, reference_tolerance(evaluator, points, span)):
        some = starts[flow.which]
        yield flow.pieces, _check_flow(evaluator, report, known, some, flow, moves[some])


def _check_flow(
    evaluator: Evaluator, report: Report, known: KnownStates, start: IntArray, flow: Flow, moves: NDArray[np.bool_]
) -> FloatArray:
    """Compare the flow from these states with the next ones; return the allowed error.

    A state that does not move, of `moves` (n, width), must be equal to the bit.
    """
    points, expected, span = flow.start, known.points.x[start + 1], flow.span
    end, followed = flow.reached.x, report_gaps(evaluator, report, flow, known.where[start])
    length, f = longest_steps(evaluator, points), evaluator.slopes(points)
    error = step_error(evaluator, points.x, end) + slide_error(evaluator, points)
    error += extension_error(evaluator, points, length)
    time = np.maximum(span, np.minimum(length, MAX_INTERVALS_PER_STEP * span))[:, None]
    rounding = 64.0 * EPSILON * (abs(points.x) + abs(end) + time * abs(f)) + time * slope_rounding(evaluator, points)
    error += rounding
    steps = np.ceil(span / length)
    moves = moves | (end != points.x)

    def allowed_for(error: FloatArray, which: IntArray) -> FloatArray:
        several = (steps[which] > 1.0) & followed[which]
        spread = _spread(evaluator, flow, error, which, several)
        # The start of an interval is off by as much as its end, and each step in between adds its own error.
        return np.asarray((2.0 + steps[which, None]) * (error + spread) * moves[which])

    allowed = allowed_for(error, np.arange(len(start)))
    if method_of(evaluator).adaptive:
        off = np.where(followed[:, None], abs(expected - end), 0.0)
        step = np.maximum(off - rounding, 0.0) / np.maximum(steps, 1.0)[:, None]
        report.measure_steps(
            in_tolerances(evaluator, points, end, step), known.where[start], "by the reference solution"
        )

        def at_kinks(some: IntArray) -> FloatArray:
            kinks = _error_at_kinks(evaluator, known, flow.pieces, some, start[some], length[some], off[some])
            return allowed_for(np.maximum(error[some], kinks), some)

        _allow_kinks(off, allowed, 1.0, at_kinks)
    n, names, some = evaluator.n_states, evaluator.run.states.names, np.flatnonzero(followed)
    report.compare("flow", expected[some, :n], end[some, :n], allowed[some, :n], known.where[start[some] + 1], names)
    return allowed


def _error_at_kinks(
    evaluator: Evaluator,
    known: KnownStates,
    pieces: Pieces,
    which: IntArray,
    start: IntArray,
    length: FloatArray,
    enough: FloatArray,
) -> FloatArray:
    """Return the error of steps across kinks of the vector field near these intervals: (n, width).

    Steps of about these lengths, (n,) [s], are tried at both ends of an interval, and where the reference solution
    needs its shortest piece. `which`, (n,), are the rows of the pieces of these intervals. An error that is `enough`,
    (n, width), need not be the largest.
    """
    order = np.lexsort((pieces.span, pieces.row))
    first = np.searchsorted(pieces.row[order], which)
    has_piece = np.isin(which, pieces.row)  # an interval without duration has none
    middle, ends = known.points[start], pieces[order[first[has_piece]]].points_at(np.ones(1))
    middle.t[has_piece], middle.x[has_piece] = ends.t, ends.x
    total = np.zeros_like(middle.x)
    for points in (known.points[start], middle, known.points[start + 1]):
        total += state_error_at_kinks(evaluator, points, known.j[start], length, enough)
    return total


def _spread(
    evaluator: Evaluator, flow: Flow, error: FloatArray, which: IntArray, several_steps: NDArray[np.bool_]
) -> FloatArray:
    """Return how far the flow separates states that differ by `error`, (n, width), at their start: (n, width).

    `which`, (n,), are the points of the flow. Within one step this follows from the slopes at both states; over several
    steps, the flow is followed from both. They differ by SPREAD_SHARE of the error only: states farther off may be ones
    that no run comes to.
    """
    points, span = flow.start[which], flow.span[which]
    column = np.arange(points.x.shape[1])
    signs = np.array([np.ones(len(column)), 1.0 - 2.0 * (column % 2), 1.0 - 2.0 * (column // 2 % 2)])
    changes = SPREAD_SHARE * signs[:, None] * error
    f = evaluator.slopes(points)
    slopes = np.array([evaluator.slopes(points.with_states(points.x + change)) for change in changes])
    apart = changes + span[:, None] * (slopes - f)
    far = np.flatnonzero(several_steps)
    apart[:, far] = separation(evaluator, flow, changes[:, far], which[far])
    return np.asarray(abs(np.where(np.isfinite(apart), apart, 0.0)).sum(axis=0) / SPREAD_SHARE)


def _check_slopes(evaluator: Evaluator, report: Report) -> None:
    """Check that the recorded xdot is the vector field at the rows, or the slope of the continuous extension there."""
    run, n = evaluator.run, evaluator.n_states
    assert run.xdot is not None
    rows, resting = _rows_with_slope(evaluator)
    points = evaluator.rows(rows)
    slopes = evaluator.slopes(points)
    allowed = rounding_error(evaluator, evaluator.slopes, points)
    if evaluator.config.record.steps:
        straight = evaluator.extrapolated[rows]
        slopes[straight] = _straight_slopes(evaluator, rows[straight])
    allowed = allowed + 16.0 * EPSILON * abs(slopes)
    if evaluator.config.record.steps:
        allowed = allowed + _extension_slope_error(evaluator, points, slopes)
        if method_of(evaluator).adaptive:
            off = abs(evaluator.padded(run.xdot[rows]) - slopes)

            def at_kinks(some: IntArray) -> FloatArray:
                length = longest_steps(evaluator, points[some])
                kinks = slope_error_at_kinks(evaluator, points[some], run.j[rows[some]], length, off[some])
                return 2.0 * kinks

            _allow_kinks(off, allowed, TRIED_SHARE, at_kinks)
    allowed += WEIGHT_ERROR * evaluator.difference(evaluator.functions.slopes, points)
    names = [f"d{name}/dt" for name in run.states.names]
    where = locate_all("row", run.t)[rows]
    report.compare("slopes", run.xdot[rows], slopes[:, :n], allowed[:, :n], where, names)
    where = locate_all("row", run.t)[resting]
    report.compare_exactly("slopes", run.xdot[resting], np.zeros((len(resting), n)), where, names)


def _allow_kinks(
    off: FloatArray, allowed: FloatArray, tried_share: float, error_at: Callable[[IntArray], FloatArray]
) -> None:
    """Raise the deviations allowed, (n, width), to those at kinks where a state is off by more than this share of them.

    The worst rows come first. Once one of them is not explained, the run is no solution, and others are not tried.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = np.where(off > tried_share * allowed, off / allowed, 0.0).max(axis=1, initial=0.0)
    worst = np.argsort(-excess)[: int((excess > 0.0).sum())]
    for first in range(0, len(worst), TRIAL_POINTS):
        some = worst[first : first + TRIAL_POINTS]
        allowed[some] = np.maximum(allowed[some], error_at(some))
        if (off[some] > allowed[some]).any():
            return


def _rows_with_slope(evaluator: Evaluator) -> tuple[IntArray, IntArray]:
    """Return the rows that have the slope of the vector field or an extension, and those whose slope must be zero.

    Slopes that come from extensions are zero in epochs without duration, in which there is no step. The slope at the
    end of a broken run is not known.
    """
    run, jump = evaluator.run, np.diff(evaluator.run.j) == 1
    known = np.ones(len(run.t), bool)
    known[-1] = run.status not in (Status.NON_FINITE_STATE, Status.UNKNOWN_CHART)
    no_step = np.append(True, jump) & np.append(jump, True) & evaluator.config.record.steps
    return np.flatnonzero(known & ~no_step), np.flatnonzero(known & no_step)


def _straight_slopes(evaluator: Evaluator, rows: IntArray) -> FloatArray:
    """Return the slopes in an epoch that leads to an accumulation: the change of the states over its duration."""
    run = evaluator.run
    first, last = np.searchsorted(run.j, run.j[rows]), np.searchsorted(run.j, run.j[rows], side="right") - 1
    time = run.t[last] - run.t[first]
    with np.errstate(all="ignore"):
        return np.asarray((evaluator.x[last] - evaluator.x[first]) / time[:, None])


def _extension_slope_error(evaluator: Evaluator, points: Points, slopes: FloatArray) -> FloatArray:
    """Return the error allowed in the slopes of continuous extensions: (n, width)."""
    length = longest_steps(evaluator, points)
    error = step_error(evaluator, points.x) + extension_error(evaluator, points, length) + evaluator.pulled(points)
    extension = method_of(evaluator).extension
    degree = extension.shape[1]
    rounding = 16.0 * EPSILON * abs(extension).max() * degree * abs(slopes)
    # By Markov's inequality, the slope of the error is at most 2 degree^2 times its size over the length of the step;
    # runs come close to a sixth of that.
    error *= degree**2 / 3.0
    moved = points.with_states(points.x + step_tolerance(evaluator, points.x))
    change = abs(evaluator.slopes(moved) - slopes)
    return np.asarray(_moves(slopes, points.chart) * (error / length[:, None] + rounding) + change)


def _moves(slopes: FloatArray, chart: IntArray) -> NDArray[np.bool_]:
    """Return which states move anywhere in the chart of each row, because a single slope may be zero by chance.

    On a slide all may, which step by step are pulled back to the surface.
    """
    result = np.zeros(slopes.shape, bool)
    for code in np.unique(chart):
        result[chart == code] = (slopes[chart == code] != 0.0).any(axis=0) | (code <= SLIDE)
    return result

"""Depths and errors of events whose steps were not recorded: what is to be expected of the steps that may lead there.

A depth and an error are about the step that the event cuts. Without its length they cannot be computed, but a step is
no longer than its error estimate allows: the depth is at most that of the flow over several such lengths, and the error
at most what the tolerance can move the boundary there. Neither has a lower bound, as the step may end at the event.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.extension import rise_at
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.approaches import approach
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.method_steps import longest_steps, step_tolerance
from hybridsim.verification.points import Points
from hybridsim.verification.reference import follow
from hybridsim.verification.tolerances import reference_tolerance, rounding_error, step_error
from hybridsim.verification.trials import trial_steps
from hybridsim.verification.watched import change_by_errors, watched_functions

LENGTHS_BEYOND = 4.0
"""How far the flow is followed beyond an event, in lengths of the longest step from there: with an error of order 5,
that would be a step whose error estimate is a thousand tolerances."""

MAX_PIECES_BEYOND = 400
"""The flow beyond an event is given up if it would need more pieces than this; then there is no bound."""

SAMPLES = np.linspace(0.0, 1.0, 9)
"""Places at which each piece of that flow is sampled."""

MARGIN = 2.0
"""Largest depth or error of a correct run, in units of the bound, which is sampled."""


@dataclass(frozen=True, slots=True, eq=False)
class Beyond:
    """What the boundaries may do in the rest of the steps that n events cut.

    Attributes
    ----------
    points : Points
        The states before the events.
    j : (n,) array
        Their jump counts.
    searched : (n, n_boundaries) array of bool
        The boundaries that cross.
    length : (n,) array
        The longest steps from there [s].
    depth : (n, n_boundaries) array
        How far below zero the boundaries fall in LENGTHS_BEYOND such steps.
    last : Points
        Where that flow ends.
    finite : (n,) array of bool
        Whether the flow could be followed, and all that crosses is finite along it.
    """

    points: Points
    j: IntArray
    searched: NDArray[np.bool_]
    length: FloatArray
    depth: FloatArray
    last: Points
    finite: NDArray[np.bool_]


def look_beyond(evaluator: Evaluator, events: IntArray, searched: NDArray[np.bool_]) -> Beyond:
    """Follow the flow beyond `events`, (n,), at which the boundaries `searched`, (n, n_boundaries), cross."""
    points = evaluator.before_events(events)
    length = longest_steps(evaluator, points)
    span = LENGTHS_BEYOND * length
    with np.errstate(all="ignore"):
        tolerance = reference_tolerance(evaluator, points, span)
    finite, depth = np.ones(len(points), bool), np.zeros(searched.shape)
    last = points.moved(0.0, np.zeros_like(points.x))
    for flow in follow(evaluator, points, span, tolerance, MAX_PIECES_BEYOND):
        pieces = flow.pieces
        finite[flow.which] = np.isfinite(flow.end).all(axis=1)
        last.t[flow.which], last.x[flow.which] = flow.reached.t, flow.reached.x
        g = evaluator.boundaries(pieces.points_at(SAMPLES)).reshape(len(pieces), len(SAMPLES), evaluator.n_boundaries)
        row = pieces.row + flow.which.start
        np.logical_and.at(finite, row, (np.isfinite(g) | ~searched[row, None]).all(axis=(1, 2)))
        with np.errstate(invalid="ignore"):
            np.fmax.at(depth, row, -g.min(axis=1))
    return Beyond(points, evaluator.run.events.j[events], searched, length, depth, last, finite)


def largest_depths(evaluator: Evaluator, beyond: Beyond, depth: FloatArray) -> FloatArray:
    """Return the largest depths that the events may have, (n,), infinite where none is known.

    `depth`, (n,), are the recorded ones. A kink of the vector field may let a step pass that is far longer than its
    error allows. Where a depth exceeds the first bound, many steps through the event are therefore tried.
    """
    bound = _depth_of_event(beyond.searched, beyond.depth)
    far = np.flatnonzero(beyond.finite & (depth > bound))
    if len(far):
        points, searched = beyond.points[far], beyond.searched[far]
        deepest = _deepest_in_trials(evaluator, points, beyond, far, depth[far])
        deepest += evaluator.config.engine.stop_precision
        deepest += 64.0 * rounding_error(evaluator, evaluator.boundaries, points)
        deepest += _moved(evaluator, points, step_error(evaluator, points.x))
        bound[far] = _depth_of_event(searched, deepest)
    return np.where(beyond.finite, MARGIN * bound, np.inf)


def _depth_of_event(searched: NDArray[np.bool_], depth: FloatArray) -> FloatArray:
    """Return the depth of the shallowest boundary that crosses: (n,)."""
    return np.asarray(np.where(searched, depth, np.inf).min(axis=1, initial=np.inf))


def _deepest_in_trials(
    evaluator: Evaluator, points: Points, beyond: Beyond, far: IntArray, enough: FloatArray
) -> FloatArray:
    """Return how far below zero the boundaries fall beyond n events, `far`, also in steps that are tried.

    The result is (n, n_boundaries); a depth of an event that is `enough`, (n,), need not be the largest.
    """
    deepest, pending = beyond.depth[far], np.ones(len(far), bool)
    for trial in trial_steps(evaluator, points, beyond.j[far], beyond.length[far], pending):
        for share in SAMPLES:
            theta = trial.theta + share * (1.0 - trial.theta)
            x = trial.start.x + rise_at(trial.extension, theta)
            with np.errstate(all="ignore"):
                g = evaluator.boundaries(Points(trial.start.t + theta * trial.length, x, trial.start.chart))
            np.fmax.at(deepest, trial.point, np.where(np.isfinite(g), -g, 0.0))
        pending[:] = _depth_of_event(beyond.searched[far], deepest) < enough
    return deepest


def largest_errors(evaluator: Evaluator, beyond: Beyond, error: FloatArray) -> FloatArray:
    """Return the largest errors that the events may have, (n,), infinite where none is known.

    The error estimate of an accepted step is below the tolerance as root mean square over the continuous states. The
    tolerance is that of their largest sizes, which a state that falls to zero at the event has before. Where a recorded
    `error`, (n,), exceeds the bound for the sizes from the event on, the flow that leads there is therefore looked at.
    """
    bound = _error_bound(evaluator, beyond, np.arange(len(error)), beyond.points.x)
    far = np.flatnonzero(beyond.finite & (error > MARGIN * bound))
    if len(far):
        bound[far] = _error_bound(evaluator, beyond, far, _sizes_before(evaluator, beyond, far))
    return np.where(beyond.finite, MARGIN * bound, np.inf)


def _error_bound(evaluator: Evaluator, beyond: Beyond, some: IntArray, earlier: FloatArray) -> FloatArray:
    """Return the largest errors of m events, `some`, (m,), before which the states have been `earlier`, (m, width)."""
    points, last, searched = beyond.points[some], beyond.last[some], beyond.searched[some]
    n = max(int(evaluator.is_continuous.sum()), 1)
    error = np.sqrt(n) * step_tolerance(evaluator, earlier, points.x, last.x)
    error *= evaluator.padded(evaluator.is_continuous[None])
    moved = [_moved(evaluator, each, error) for each in (points, last)]
    rounding = 16.0 * rounding_error(evaluator, evaluator.boundaries, points)
    return np.asarray(np.where(searched, np.maximum(*moved) + rounding, 0.0).max(axis=1, initial=0.0))


def _sizes_before(evaluator: Evaluator, beyond: Beyond, some: IntArray) -> FloatArray:
    """Return the largest sizes of the states in the steps that may lead to m events, `some`, (m,): (m, width)."""
    points = beyond.points[some]
    flow = approach(evaluator, points, beyond.j[some])
    sizes = abs(points.x)
    for share in SAMPLES[1:]:
        back = np.minimum(share * LENGTHS_BEYOND * beyond.length[some], flow.span)
        sizes = np.fmax(sizes, abs(flow.before(np.arange(len(some)), back)))
    return sizes


def _moved(evaluator: Evaluator, points: Points, error: FloatArray) -> FloatArray:
    """Return how far errors of the states, (n, width), can move the boundaries in all: (n, n_boundaries)."""
    return change_by_errors(watched_functions(evaluator), points, error)[:, : evaluator.n_boundaries]

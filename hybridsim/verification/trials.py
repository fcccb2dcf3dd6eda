"""Steps through a point that a run may have made: where its own steps are not recorded, many are tried.

They begin on the flow that leads to the point, which is followed from a row before it. Backwards from the point it
cannot always be followed: where a slope is not Lipschitz continuous, as at a fold of a slip velocity, several flows
lead to the same state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.extension import rise_at, slope_at
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.method_steps import (
    accepted_extension,
    longest_possible_step,
    longest_steps,
    step_with_error,
)
from hybridsim.verification.pieces import Pieces
from hybridsim.verification.points import Points
from hybridsim.verification.reference import follow_all
from hybridsim.verification.tolerances import reference_tolerance

STEPS_BACK = 2.0
"""How far back a flow begins, in lengths of the longest step from the last row before its point."""

TRIAL_LENGTHS = 2.0 ** np.array(sorted(np.arange(6.0, -20.5, -0.5), key=abs))
"""Lengths of the steps that are tried near a kink, in units of the expected length, the most likely ones first."""

TRIAL_STARTS = np.linspace(0.0, 1.0, 49)
"""Share of each trial step that lies before the kink."""

TRIAL_POINTS = 64
"""Points through which steps are tried side by side."""

TRIAL_TOLERANCES = 100.0
"""Largest error estimate of a trial step, in units of the tolerance."""


@dataclass(frozen=True, slots=True, eq=False)
class Approach:
    """The reference solution that leads to n points.

    Attributes
    ----------
    pieces : Pieces
        Its pieces, those of one point in succession, in the order of time; their `row` is the number of the point.
    span : (n,) array
        Time from the rows before to the points [s]; 0 for a point that begins its epoch.
    end : (n, width) array
        The states at the points; nan where the flow was lost.
    """

    pieces: Pieces
    span: FloatArray
    end: FloatArray

    def before(self, which: IntArray, back: FloatArray) -> FloatArray:
        """Return the states (m, width) at the times `back`, (m,) [s], before the points `which`, (m,).

        They are nan at the points themselves, before the rows that the flow comes from, and where it was lost.
        """
        pieces, result = self.pieces, np.full((len(back), self.pieces.start.x.shape[1]), np.nan)
        span = self.span[which]
        asked = np.flatnonzero((back > 0.0) & (back <= span))
        after = (span - back)[asked]
        # A point's number plus the share of the way to it orders all pieces.
        place = pieces.row + pieces.offset / (2.0 * self.span[pieces.row])
        i = np.searchsorted(place, which[asked] + after / (2.0 * span[asked]), side="right") - 1
        known = np.flatnonzero(i >= 0)
        known = known[pieces.row[i[known]] == which[asked[known]]]
        i, asked = i[known], asked[known]
        theta = (after[known] - pieces.offset[i]) / pieces.span[i]
        x = pieces.start.x[i] + rise_at(pieces.extension[i], theta)
        result[asked] = np.where((theta <= 1.0 + 1e-9)[:, None], x, np.nan)
        return result


def approach(evaluator: Evaluator, points: Points, j: IntArray) -> Approach:
    """Follow the flow to each of n points of the epochs j, (n,), from a row so far back that a step fits in between."""
    before = _last_rows(evaluator, points.t, j)
    longest = longest_steps(evaluator, evaluator.rows(before))
    start = evaluator.rows(_last_rows(evaluator, points.t - STEPS_BACK * longest, j))
    span = np.maximum(points.t - start.t, 0.0)
    flow = follow_all(evaluator, start, span, reference_tolerance(evaluator, start, span))
    return Approach(flow.pieces, span, flow.end)


def _last_rows(evaluator: Evaluator, t: FloatArray, j: IntArray) -> IntArray:
    """Return the last row before each time t, (n,) [s], of the epochs j, (n,); or their first row."""
    run = evaluator.run
    first, last = np.searchsorted(run.j, j), np.searchsorted(run.j, j, side="right")
    inside = [np.searchsorted(run.t[a:b], limit) for a, b, limit in zip(first, last, t, strict=True)]
    return np.asarray(first + np.maximum(np.array(inside, np.int64) - 1, 0))


@dataclass(frozen=True, slots=True, eq=False)
class TrialSteps:
    """n steps through points of a run that it may have made.

    Attributes
    ----------
    point : (n,) array
        The number of the point that each leads through.
    theta : (n,) array
        Share of each step that lies before its point.
    start : Points
        Where the steps begin.
    length : (n,) array
        Their lengths [s].
    extension : (n, degree, width) array
        Their continuous extensions.
    expected : (n, width) array
        The states at the points to which the flow leads that the steps begin on; nan where it was lost.
    """

    point: IntArray
    theta: FloatArray
    start: Points
    length: FloatArray
    extension: FloatArray
    expected: FloatArray


def trial_steps(
    evaluator: Evaluator, points: Points, j: IntArray, h: FloatArray, pending: NDArray[np.bool_]
) -> Iterator[TrialSteps]:
    """Make many steps through n points of the epochs j, (n,), with lengths around h, (n,) [s].

    They begin on the flow that leads to the points; before the row that it comes from, a step backwards has to do. The
    start and the length of the run's own steps are not known. None of the trials is exactly one of them, and at a
    kink of the vector field the error estimate of that one may be small by chance, so TRIAL_TOLERANCES are accepted.
    Through a point no more steps are tried once the caller sets its entry of `pending`, (n,), to false.
    """
    longest = longest_possible_step(evaluator)
    for first in range(0, len(points), TRIAL_POINTS):
        some = np.arange(first, min(first + TRIAL_POINTS, len(points)))
        flow = approach(evaluator, points[some], j[some])
        # Not through the states of the points themselves: a wrong state must not excuse itself.
        through = points[some].with_states(np.where(np.isfinite(flow.end), flow.end, points.x[some]))
        for share in TRIAL_LENGTHS:
            left = np.flatnonzero(pending[some])
            if not len(left):
                break
            point, theta = np.tile(left, len(TRIAL_STARTS)), np.repeat(TRIAL_STARTS, len(left))
            length = np.minimum(share * h[some[point]], longest)
            start = _begin(evaluator, through, flow, point, theta * length)
            extension = accepted_extension(evaluator, start, length, TRIAL_TOLERANCES)
            i = np.flatnonzero(np.isfinite(extension).all(axis=(1, 2)))
            yield TrialSteps(some[point[i]], theta[i], start[i], length[i], extension[i], flow.end[point[i]])


def _begin(evaluator: Evaluator, points: Points, flow: Approach, which: IntArray, back: FloatArray) -> Points:
    """Return where steps begin, `back`, (n,) [s], before the points `which`, (n,)."""
    x, through = flow.before(which, back), points[which]
    unknown = np.flatnonzero(np.isnan(x).any(axis=1))
    with np.errstate(all="ignore"):
        x[unknown] = step_with_error(evaluator, through[unknown], -back[unknown])[0]
    return Points(through.t - back, x, through.chart)


def slope_error_at_kinks(
    evaluator: Evaluator, points: Points, j: IntArray, h: FloatArray, enough: FloatArray
) -> FloatArray:
    """Return how far the slope of accepted steps through each point differs from the vector field: (n, width).

    Of the steps that are tried, with lengths around h, (n,) [s], the largest difference counts, or one that is
    `enough`, (n, width), in all states. The points belong to the epochs j, (n,).
    """
    field, worst, pending = evaluator.slopes(points), np.zeros_like(points.x), np.ones(len(points), bool)
    for trial in trial_steps(evaluator, points, j, h, pending):
        off = slope_at(trial.extension, trial.theta, trial.length) - field[trial.point]
        np.fmax.at(worst, trial.point, abs(off))
        pending[:] = (worst < enough).any(axis=1)
    return worst


def state_error_at_kinks(
    evaluator: Evaluator, points: Points, j: IntArray, h: FloatArray, enough: FloatArray
) -> FloatArray:
    """Return how far the state of accepted steps through each point differs from the flow: (n, width).

    The arguments are those of `slope_error_at_kinks`. What the flow is compared with are not the states of the points.
    """
    worst, pending = np.zeros_like(points.x), np.ones(len(points), bool)
    for trial in trial_steps(evaluator, points, j, h, pending):
        off = trial.start.x + rise_at(trial.extension, trial.theta) - trial.expected
        np.fmax.at(worst, trial.point, abs(off))
        pending[:] = (worst < enough).any(axis=1)
    return worst

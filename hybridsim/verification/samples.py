"""A run that has no steps: does the flow of the model lead from each row to the next in its epoch?

The flow is integrated again from row to row. What it makes of the errors that the row at its start may have is found
by moving that row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.methods import METHODS
from hybridsim.engine.status import Status
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.collocation import QUARTERS, Pieces, at_quarters, groups, march
from hybridsim.verification.evaluator import EPSILON, SLIDE, Replay, kind_of, rounding
from hybridsim.verification.report import Places, Report, places
from hybridsim.verification.tolerances import (
    CUBIC,
    classic_step_error,
    hermite_error,
    longest_steps,
    reference_scale,
    slide_error,
    slopes_at_kinks,
    step_error,
    step_scale,
)

DIFFERENCES = 1e-6
"""What the shares of the charts of a slide, which come from differences, may make of a slope."""

MANY = 1e6
"""Steps are taken to be no longer than this many intervals between samples, where rounding is concerned."""


@dataclass(frozen=True, slots=True, eq=False)
class Nodes:
    """Where a run says what its state is, in order: its rows, and the declined crossings that have none.

    t, j, chart, event : (n,), -1 for a row; index : (n,) of the row or event; x : (n, width).
    """

    t: FloatArray
    j: IntArray
    chart: IntArray
    event: NDArray[np.bool_]
    index: IntArray
    x: FloatArray

    def places(self, which: IntArray) -> Places:
        return Places("node", self.index[which], self.t[which], self.event[which])


def nodes(replay: Replay) -> Nodes:
    """All rows and declined crossings in order of (t, j)."""
    run, events = replay.run, replay.run.events
    declined = np.flatnonzero(events.declined)
    t, j = np.append(run.t, events.t[declined]), np.append(run.j, events.j[declined])
    chart = np.append(replay.chart, replay.chart_at(events.j[declined]))
    event = np.arange(len(t)) >= len(run.t)
    index = np.append(np.arange(len(run.t)), declined)
    x = np.concatenate([replay.x, replay.padded(events.x_before[declined])])
    order = np.lexsort((event, t, j))
    return Nodes(t[order], j[order], chart[order], event[order], index[order], x[order])


def check_samples(replay: Replay, report: Report) -> tuple[list[Pieces], FloatArray]:
    """Rows at a period, or only at events: the flow from each node to the next in its epoch."""
    known = nodes(replay)
    ends = replay.run.events.j[kind_of(replay.run.events, "zeno")]
    starts = np.flatnonzero((np.diff(known.j) == 0) & ~np.isin(known.j[:-1], ends))
    pieces: list[Pieces] = []
    slack = np.zeros_like(known.x)
    for some in groups(starts):
        parts, slack[some] = _compare_ends(replay, report, known, some)
        pieces += parts
    _check_slopes(replay, report)
    return pieces, slack


def _compare_ends(replay: Replay, report: Report, known: Nodes, start: IntArray) -> tuple[list[Pieces], FloatArray]:
    """Does the flow lead from these nodes to the next? Returns its pieces, and what was allowed, (n, width)."""
    t, x, chart = known.t[start], known.x[start], known.chart[start]
    span, expected = known.t[start + 1] - t, known.x[start + 1]
    end, pieces = march(replay.slopes, t, x, chart, span, reference_scale(replay, x), start)
    h = longest_steps(replay, t, x, chart, np.full(len(t), replay.duration))
    f = replay.slopes(t, x, chart)
    error = step_error(replay, x, end) + slide_error(replay, x, chart) + extension_error(replay, t, x, chart, h)
    error += 64.0 * EPSILON * (abs(x) + abs(end) + np.maximum(span, np.minimum(h, MANY * span))[:, None] * abs(f))
    # The start of a sample is off by as much as its end, and each step in between adds its own.
    steps = np.ceil(span / h)[:, None]
    spread = _spread(replay, t, x, chart, span, error, end, steps[:, 0] > 1.0)
    # A state that the flow does not move is held to the bit.
    allowed = (2.0 + steps) * (error + spread) * ((f != 0.0) | (end != x) | (chart <= SLIDE)[:, None])
    n = replay.n_states
    report.compare(
        "flow", expected[:, :n], end[:, :n], allowed[:, :n], known.places(start + 1), replay.run.states.names
    )
    return pieces, allowed


def extension_error(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, h: FloatArray) -> FloatArray:
    """What the method's continuous extension may be off by beyond the tolerance, in a step of length h."""
    if replay.config.engine.method not in CUBIC:
        return np.zeros_like(x)
    end, pieces = march(replay.slopes, t, x, chart, h, reference_scale(replay, x), np.arange(len(t)))
    flow = at_quarters(pieces, t, h, end)
    f0, f1 = replay.slopes(t, x, chart), replay.slopes(t + h, end, chart)
    error = hermite_error(x, f0, end, f1, flow, QUARTERS, h).max(axis=1)
    if replay.config.engine.method == "rk4":
        error += classic_step_error(replay, t, x, chart, h, end)
    return np.asarray(np.nan_to_num(error, nan=0.0))


def _spread(
    replay: Replay,
    t: FloatArray,
    x: FloatArray,
    chart: IntArray,
    span: FloatArray,
    error: FloatArray,
    end: FloatArray,
    far: NDArray[np.bool_],
) -> FloatArray:
    """How far apart the flow carries states that differ by `error` at its start: (n, width).

    Over less than a step the slopes at both tell; over more, the flow is followed from both.
    """
    total = np.zeros_like(x)
    f = replay.slopes(t, x, chart)
    place = np.arange(x.shape[1])
    for signs in (np.ones(len(place)), 1.0 - 2.0 * (place % 2), 1.0 - 2.0 * (place // 2 % 2)):
        moved = x + signs * error
        apart = abs(signs * error + span[:, None] * (replay.slopes(t, moved, chart) - f))
        if far.any():
            reached, _ = march(
                replay.slopes,
                t[far],
                moved[far],
                chart[far],
                span[far],
                reference_scale(replay, x[far]),
                np.arange(far.sum()),
            )
            apart[far] = abs(reached - end[far])
        total += np.where(np.isfinite(apart), apart, 0.0)
    return total


def _check_slopes(replay: Replay, report: Report) -> None:
    """The recorded xdot is the field at the rows: of an extension, or by itself."""
    run, n = replay.run, replay.n_states
    assert run.xdot is not None
    jump = np.diff(run.j) == 1
    instant = np.append(True, jump) & np.append(jump, True)
    # The field is not asked in an epoch that lasts no time, and beyond a run that broke down it may be anything.
    rows = np.flatnonzero(~(instant & (run.xdot == 0.0).all(axis=1)))
    if run.status in (Status.NON_FINITE_STATE, Status.UNKNOWN_CHART):
        rows = rows[rows < len(run.t) - 1]
    t, x, chart = run.t[rows], replay.x[rows], replay.chart[rows]
    slopes = replay.slopes(t, x, chart)
    if replay.config.record.steps:
        slopes[replay.straight[rows]] = _straight_slopes(replay, rows[replay.straight[rows]])
    allowed = rounding(replay.slopes, t, x, chart) + 16.0 * EPSILON * abs(slopes)
    if replay.config.record.steps:
        h = longest_steps(replay, t, x, chart, np.full(len(rows), replay.duration))
        error = step_error(replay, x) + extension_error(replay, t, x, chart, h)
        extension = METHODS[replay.config.engine.method]().extension
        degree = extension.shape[1]
        noise = 16.0 * EPSILON * abs(extension).max() * degree * abs(slopes)
        # By Markov's inequality the slope of the error may be 2 degree^2 times its size over the step; a sixth of
        # that is nearly reached.
        error *= degree**2 / 3.0
        moved = abs(replay.slopes(t, x + step_scale(replay, x), chart) - slopes)
        moves = _ever_moved(slopes, chart) | (chart <= SLIDE)[:, None]
        allowed = allowed + moves * (error / h[:, None] + noise) + moved
        far = np.flatnonzero((abs(run.xdot[rows] - slopes[:, :n]) > allowed[:, :n]).any(axis=1))
        if len(far) and METHODS[replay.config.engine.method]().adaptive:
            kinks = slopes_at_kinks(replay, t[far], x[far], chart[far], h[far])
            allowed[far] = np.maximum(allowed[far], 2.0 * kinks)
    # The shares of a slide are differences.
    allowed += (chart <= SLIDE)[:, None] * DIFFERENCES * (1.0 + abs(slopes))
    names = [f"d{name}/dt" for name in run.states.names]
    report.compare("slopes", run.xdot[rows], slopes[:, :n], allowed[:, :n], places("row", run.t)[rows], names)


def _straight_slopes(replay: Replay, rows: IntArray) -> FloatArray:
    """On the way to an accumulation: the rise of the states over the time it takes."""
    run = replay.run
    first, last = np.searchsorted(run.j, run.j[rows]), np.searchsorted(run.j, run.j[rows], side="right") - 1
    time = run.t[last] - run.t[first]
    with np.errstate(all="ignore"):
        return np.asarray((replay.x[last] - replay.x[first]) / time[:, None])


def _ever_moved(slopes: FloatArray, chart: IntArray) -> NDArray[np.bool_]:
    """Which states move anywhere in the chart of each row: one slope may vanish by chance, as a spring's force does."""
    result = np.zeros(slopes.shape, bool)
    for one in np.unique(chart):
        result[chart == one] = (slopes[chart == one] != 0.0).any(axis=0)
    return result

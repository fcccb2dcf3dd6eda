"""Accumulations (Zeno): is each declared at the right time, with the right limit state?

The jumps of one boundary accumulate where the intervals between them shrink by a ratio q: each interval and the one
before suggest the limit t + interval q / (1 - q) (Aitken 1926). A declared limit has to be one that the recorded jumps
suggest. Where rounding hides the intervals, it is the time of the last jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.model.records import REST_BY_TRANSITION
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.findings import locate_all
from hybridsim.verification.method_steps import longest_steps, step_tolerance
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import (
    EPSILON,
    SPACINGS_PER_INSTANT,
    rounding_of_each,
    time_rounding,
)
from hybridsim.verification.watched import rates_along_flow, watched_functions

ACCUMULATIONS_CHECK = "accumulations"

MIN_SHRINKING_INTERVALS, MIN_INTERVALS_IF_HIDDEN = 6, 2
"""Intervals that must have shrunk before an accumulation, and of these how many that rounding does not hide."""

MIN_HIDDEN_INTERVALS = 4
"""Intervals in a row whose shortness shows that the jumps have come to their limit."""

CLOSE_SPACINGS, RESOLVED_FACTOR = 64.0, 4.0
"""Such an interval lasts at most so many spacings of t, or RESOLVED_FACTOR times as long as one that rounding hides;
this in turn is RESOLVED_FACTOR times as long as rounding can move a jump."""

SHORT_SHARE = 1.0 / 64.0
"""Rounding is considered for intervals shorter than this share of the duration of the sequence."""

NO_SHRINKING = "the intervals between the jumps before it do not shrink"

MAX_EXTRAPOLATION = 1000.0
"""Farthest limit to which the states are extrapolated, as a multiple of the last interval."""

SHRINKING_RATIO = 0.999
"""Ratio of an interval to the one before below which a run has to count the errors of its steps."""

HIDDEN_SHARE = 1e-2
"""Largest distance of the limit of hidden jumps, and error of any limit, as a share of the duration of the sequence."""

CHANGE_FACTOR = 4.0
"""Largest error of an estimate, in units of how far it is from the one before; others may leave other intervals out."""

ROUNDING_FACTOR = 4.0
"""Largest distance of a limit, in units of how far rounding of the last interval moves its estimate: as it may be
nearly as long as that interval, the estimate is sure of 1 - q, whose square divides it, only to a factor of two."""

SHARES = 1.0, 1.0 / RESOLVED_FACTOR**2
"""Parts of what rounding hides here that it may have hidden where the run was made."""


@dataclass(frozen=True, slots=True, eq=False)
class JumpSequence:
    """The n jumps of one boundary that lead to an accumulation.

    Attributes
    ----------
    t : (n,) array
        Their times [s].
    x : (n, n_states) array
        The states after them; 0 for states that are not continuous.
    moved : (n,) array
        How far the state has moved since the jump before, in tolerances of a step.
    hidden : array
        The last intervals if rounding hides them, also those before another limit, or they are none: the last jump is
        then the limit [s].
    resolution : (n,) array
        Intervals up to each jump that are not longer are hidden by rounding [s].
    shift : (2, n) array
        How far the errors of the steps that lead to it have shifted each jump, at least and at most [s].
    begin : float
        Time at which the run begins [s].
    zeno_precision : float
        How near the last jump has to be to the limit, as a share of the duration of the sequence.
    """

    t: FloatArray
    x: FloatArray
    moved: FloatArray
    hidden: FloatArray
    resolution: FloatArray
    shift: FloatArray
    begin: float
    zeno_precision: float

    def limits(self, share: float) -> tuple[FloatArray, FloatArray, str]:
        """Return the m limits that the jumps suggest, the last one last, their least and largest error, and any fault.

        The errors are (2, m): twice that of the estimate, and five times how far the jumps up to it have shifted.
        Rounding hides this share of `resolution`.
        """
        intervals, last, resolution = np.diff(self.t), self.t[-1], share * self.resolution
        short = intervals < SHORT_SHARE * (last - self.t[0])
        resolved = np.flatnonzero(~short | (intervals > resolution[1:]))
        d, nothing = intervals[resolved], np.zeros(0)
        longest_after = np.append(np.maximum.accumulate(d[::-1])[::-1][1:], 0.0)
        longer = np.flatnonzero(d > longest_after)
        hidden = len(intervals) - 1 - resolved[-1] if len(d) else 0
        streak = len(longer) - 1
        if streak < MIN_INTERVALS_IF_HIDDEN or streak + hidden < MIN_SHRINKING_INTERVALS or self._diverges(resolved):
            return nothing, nothing, NO_SHRINKING
        jumps, d = resolved[longer[0] :] + 1, d[longer[0] :]
        shrinks = np.flatnonzero(np.diff(d) < 0.0) + 1
        if not len(shrinks):
            return nothing, nothing, NO_SHRINKING
        q = d[shrinks] / d[shrinks - 1]
        limits = self.t[jumps[shrinks]] + d[shrinks] * q / (1.0 - q)
        duration, ahead = last - self.t[jumps[0] - 1], limits[-1] - last
        part = d[-1] / (d[-1] + max(ahead, 0.0))  # 1 - q
        # Jumps before, between and after the last two intervals move the estimate by q^2, 2 q and 1 over (1 - q)^2.
        rounding = ROUNDING_FACTOR * resolution[jumps[-1]] * (2.0 / part - 1.0) ** 2
        by_rounding = hidden >= MIN_HIDDEN_INTERVALS
        # The run may have stopped by another of its estimates, which are this near to each other.
        near = max((HIDDEN_SHARE if by_rounding else (1.0 + HIDDEN_SHARE) * self.zeno_precision) * duration, rounding)
        near += CLOSE_SPACINGS * np.spacing(abs(last))
        if ahead > near or (by_rounding and ahead < -near):
            return nothing, nothing, "its jumps have not come near their limit"
        reachable = (limits > last) & (limits <= last + MAX_EXTRAPOLATION * intervals[-1])
        change = abs(np.diff(limits, prepend=-np.inf))
        most = CHANGE_FACTOR * change + ROUNDING_FACTOR * resolution[jumps[shrinks]] / (1.0 - q) ** 2
        most = np.minimum(most, near) + np.where(reachable, 0.0, abs(limits - last))
        error = np.array([np.full(len(q), change.min(initial=near)), 2.0 * most])
        error += self._shifts(jumps, d, shrinks) * (1.0 + q) / (1.0 - q)
        close = abs(limits - limits[-1]) <= near
        limits, error, reachable = limits[close], error[:, close], reachable[close]
        return np.where(reachable, limits, last), error, ""

    def _shifts(self, jumps: IntArray, d: FloatArray, shrinks: IntArray) -> FloatArray:
        """Return how much of its error a limit has from shifted jumps, without those that its distance adds: (2, m).

        The least is a fifth of that by the last intervals that have shrunk without a break, and the state ever less.
        """
        total, sums, moved = 0.0, np.zeros(len(d)), self.moved[jumps]
        for k in range(1, len(d)):
            shrinks_on = d[k] < SHRINKING_RATIO * d[k - 1] and moved[k] < moved[k - 1]
            total = total + self.shift[0, jumps[k]] if shrinks_on else 0.0
            sums[k] = total
        return np.array([sums[shrinks], 5.0 * self.shift[1].cumsum()[jumps[shrinks]]])

    def _diverges(self, resolved: IntArray) -> bool:
        """Return whether all states that move, by more than rounding, move farther over the last resolved interval."""
        before, change = (abs(self.x[k + 1] - self.x[k]) for k in resolved[-2:])
        moved = change > 4.0 * EPSILON * abs(self.x[resolved[-1] + 1])
        return bool(moved.any() and (change[moved] > before[moved]).all())


def check_accumulations(evaluator: Evaluator, report: Report) -> None:
    """Check that each accumulation is at the limit of its boundary's jumps, and each state is extrapolated to it."""
    events = evaluator.run.events
    accumulations = np.flatnonzero(has_kind(events, "zeno"))
    if not len(accumulations):
        return
    counted = has_kind(events, "crossing", "touch") & ~events.declined
    boundaries = events.crossed[accumulations].argmax(axis=1)
    resolution, shift = _resolutions(evaluator, np.asarray(events.crossed[:, boundaries].any(axis=1)))
    begin = float(evaluator.run.t[0])
    precision = evaluator.config.engine.zeno_precision
    asks = np.array([boundary.rest == REST_BY_TRANSITION for boundary in evaluator.model.boundary_records], bool)
    jumps = [np.flatnonzero(counted & crossed) for crossed in events.crossed.T[: len(asks)]]
    since = np.zeros(len(asks), np.int64)
    for k, i in zip(accumulations.tolist(), boundaries.tolist(), strict=True):
        before = [each[each < k] for each in jumps]
        some = before[i][before[i] >= since[i]]
        t, x = events.t[some], np.where(evaluator.is_continuous, events.x_after[some], 0.0)
        moved = np.max(abs(np.diff(x, axis=0)) / step_tolerance(evaluator, x[1:]), axis=1, initial=0.0)
        repeats = _repeats(evaluator, i, some, resolution[some, i])
        hidden = _last_hidden(events.t[before[i]], resolution[before[i], i], repeats)
        shifts = _shifts_of_jumps(evaluator, t, resolution[some, i], shift[some, i])
        moved = np.append(np.inf, moved)[: len(t)]
        sequence = JumpSequence(t, x, moved, hidden, resolution[some, i], shifts, begin, precision)
        _check_accumulation(evaluator, report, k, sequence)
        last = events.t[before[i][-2:]].min(initial=np.inf)  # what has jumped since then has come to this limit, too
        shares = asks & asks[i] & np.array([len(each) > 0 and events.t[each[-1]] >= last for each in before])
        since[shares] = since[i] = k


def _last_hidden(t: FloatArray, resolution: FloatArray, repeats: bool) -> FloatArray:
    """Return the last intervals between jumps at times t, (n,), if rounding hides them, or the last one repeats."""
    longest = np.maximum(CLOSE_SPACINGS * np.spacing(abs(t)), RESOLVED_FACTOR * resolution)
    intervals = np.diff(t)[-MIN_HIDDEN_INTERVALS:]
    close = intervals <= longest[1:][-MIN_HIDDEN_INTERVALS:]
    if repeats:
        return intervals[-1:]
    return intervals if len(close) == MIN_HIDDEN_INTERVALS and close.all() else np.zeros(0)


def _repeats(evaluator: Evaluator, i: int, jumps: IntArray, resolution: FloatArray) -> bool:
    """Return whether the last jump of boundary i, which may rest, gave back its state and chart, at once or nearly so.

    That is within what rounding hides before it [s].
    """
    if len(jumps) < 2 or evaluator.model.boundary_records[i].rest is None:
        return False
    events, (one, two) = evaluator.run.events, jumps[-2:].tolist()
    at_once = events.t[two] - events.t[one] <= resolution[-1]
    change, size = abs(events.x_after[two] - events.x_before[two]), 1.0 + abs(events.x_before[two])
    same = (change <= SPACINGS_PER_INSTANT * EPSILON * size).all()
    return bool(at_once and same and events.chart_before[two] == events.chart_after[two])


def _check_accumulation(evaluator: Evaluator, report: Report, k: int, jumps: JumpSequence) -> None:
    """Compare event k with the limit of the jumps of its boundary."""
    events, name = evaluator.run.events, ACCUMULATIONS_CHECK
    where, t = locate_all("event", events.t)[[k]], float(events.t[k])
    last = k > 0 and bool((events.crossed[k] <= events.crossed[k - 1]).all()) and not events.declined[k - 1]
    follows = last and events.kind[k - 1] in ("crossing", "touch") and len(jumps.t) > 0
    report.require(name, [follows], where, "no jump of its boundary precedes it")
    if not follows:
        return
    t_jump = float(jumps.t[-1])
    if t == t_jump and len(jumps.hidden):
        largest = HIDDEN_SHARE * (t_jump - jumps.begin) + MIN_HIDDEN_INTERVALS * jumps.hidden.max()
        limits, error = jumps.t[-1:], np.array([[0.0], [2.0 * largest + 5.0 * jumps.shift[1].sum()]])
    else:
        limits, error, fault = min(map(jumps.limits, SHARES), key=lambda found: abs(found[0] - t).min(initial=np.inf))
        report.require(name, [not fault], where, fault)
        if fault:
            return
    rounding = np.full((1, 1), CLOSE_SPACINGS * np.spacing(abs(t_jump)))  # others may round the same sums differently
    limit = limits[abs(limits - t).argmin()]
    report.compare(name, [[t]], [[limit]], rounding, where, ["t"])
    interval = t_jump - jumps.t[-2] if len(jumps.t) > 1 else 0.0
    ahead = (t - t_jump) / (interval or np.inf)
    moved = jumps.x[-1] - jumps.x[-2] if ahead else 0.0 * jumps.x[-1]
    x, names = events.x_after[k - 1], evaluator.run.states.names
    size = 64.0 * EPSILON * (abs(x) + ahead * abs(moved))
    report.compare(name, events.x_before[[k]], (x + ahead * moved)[None], size[None], where, names)
    if not evaluator.rests_by_transition[k]:
        report.compare_exactly(name, events.x_after[[k]], events.x_before[[k]], where, names)
    if k == np.flatnonzero(has_kind(events, "zeno"))[-1]:
        error = error[:, abs(limits - t) <= abs(limit - t)]
        least, largest = error[0].min() - SPACINGS_PER_INSTANT * np.spacing(abs(t)), error[1].max() + rounding[0, 0]
        _check_statistics(evaluator, report, t, np.array([least, largest]))


def _resolutions(evaluator: Evaluator, some: NDArray[np.bool_]) -> FloatArray:
    """Return the longest intervals that rounding hides before some events, by boundary, and how far errors shift these.

    Both are (m, n_boundaries) [s], and infinite for other events. They follow from the effect of rounding on the
    boundary, and from the error of the event, over its rate.
    """
    points, times = evaluator.before_events(some), np.full((2, len(some), evaluator.n_boundaries), np.inf)
    rates = rates_along_flow(watched_functions(evaluator), points, longest_steps(evaluator, points))
    of_time = SPACINGS_PER_INSTANT * time_rounding(evaluator.boundaries, points)
    rounding = rounding_of_each(evaluator, evaluator.boundaries, points) + of_time
    rate, error = abs(rates[:, : evaluator.n_boundaries]), np.nan_to_num(evaluator.run.events.error[some])[:, None]
    by_boundary = np.divide(RESOLVED_FACTOR * rounding, rate, out=np.full_like(rate, np.inf), where=rate > 0.0)
    times[0, some] = np.maximum(by_boundary, SPACINGS_PER_INSTANT * np.spacing(abs(points.t))[:, None])
    with np.errstate(over="ignore"):
        times[1, some] = np.divide(error, rate, out=np.zeros_like(rate), where=rate > 0.0)
    return times


def _shifts_of_jumps(evaluator: Evaluator, t: FloatArray, resolution: FloatArray, shift: FloatArray) -> FloatArray:
    """Return how far jumps at times t, (n,), are shifted at least, by one step, and at most, by all and by rounding."""
    longest = np.append(np.inf, np.diff(t))
    n_steps = np.full(len(t), evaluator.run.statistics.get("steps", len(evaluator.run.t)))
    if evaluator.every_step:
        n_steps = np.diff(np.searchsorted(evaluator.run.t, t, "right"), prepend=0)
    with np.errstate(over="ignore"):
        shifts = np.array([(1.0 - HIDDEN_SHARE) * shift + np.spacing(abs(t)), resolution + n_steps * shift])
    return np.asarray(np.minimum(shifts, longest))


def _check_statistics(evaluator: Evaluator, report: Report, t: float, error: FloatArray) -> None:
    """Check that the statistics are those of the last accumulation, at t, whose error is between these two."""
    given = evaluator.run.statistics
    found = given.get("accumulation_time", np.nan)
    what = f"is {found!r}, expected {t!r}"
    report.require_once(ACCUMULATIONS_CHECK, found == t, "statistics.accumulation_time", what)
    found = given.get("accumulation_error", np.nan)
    what = f"is {found!r}, expected {error[0]:.3g} to {error[1]:.3g}"
    within = bool(error[0] <= found <= error[1])
    report.require_once(ACCUMULATIONS_CHECK, within, "statistics.accumulation_error", what)

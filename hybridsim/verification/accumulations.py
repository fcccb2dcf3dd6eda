"""Accumulations (Zeno): is each declared at the right time, with the right limit state?

The time of an accumulation follows from the times of the jumps of one boundary alone. It is computed again from the
recorded jumps: how many intervals in a row have shrunk, the best estimate of the accumulation time, and its error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.method_steps import longest_steps
from hybridsim.verification.report import Report, locate_all
from hybridsim.verification.tolerances import EPSILON, SPACINGS_PER_INSTANT, rounding_error, time_rounding
from hybridsim.verification.watched import watched_functions, zero_tolerance

ACCUMULATIONS_CHECK = "accumulations"

MIN_SHRINKING_INTERVALS = 6
"""Intervals in a row that must have shrunk before an accumulation is declared."""

MIN_INTERVALS_IF_STUCK, MIN_UNRESOLVED_JUMPS = 2, 4
"""The same where rounding does not let the jumps apart any more, and how many such jumps show that."""

ROUNDED_SHARE = 1e-3
"""Intervals shorter than this fraction of the best estimate's interval are too inexact by rounding to contradict it."""

UNRESOLVED_SHARE = 1.0 / 64.0
"""Rounding is considered for intervals shorter than this share of the duration of the sequence."""

CLOSE_SPACINGS = 64.0
"""Jumps are close together if rounding hides the interval between them, or if it is at most so many spacings of t."""

RESOLVED_FACTOR = 4.0
"""An interval is resolved if it is longer than this multiple of how far rounding can move a jump."""

MAX_EXTRAPOLATION = 1000.0
"""Farthest limit to which the states are extrapolated, as a multiple of the last interval."""

STUCK_SHARE = 1e-2
"""Largest distance of the limit of such jumps, as a share of the duration of the sequence."""

ERROR_FACTOR = 64.0
"""Largest ratio of two error estimates, if rounding counts in them: it is estimated in different ways."""


@dataclass(slots=True)
class JumpSequence:
    """The jumps of one boundary so far, and the accumulation time that they suggest.

    Attributes
    ----------
    last : float
        Time of the last jump [s].
    last_interval, interval : float
        Time between the last jump and the one before [s], and the last one that rounding resolves.
    estimate, best, error : float
        Accumulation time as estimated last, the best estimate, and its error [s].
    best_interval : float
        The interval that the best estimate follows from [s].
    streak : int
        How many intervals in a row have shrunk.
    first : float
        Time of the jump before the first of these [s].
    change : (n_states,) array or None
        How far the states moved over the last resolved interval.
    unresolved, close : int
        How many jumps in a row rounding does not let apart, and how many are close together.
    begin : float
        Time at which the run begins [s].
    resolution : float
        How far rounding can move the last jump [s].
    rounds : bool
        Whether rounding of the boundary, and not of t alone, counts in the estimate.
    is_hidden : bool
        Whether the accumulation is at the last jump, because rounding hides the intervals before it or it repeats.
    repeats : bool
        Whether the last jump gave back the state of the one before, at the same instant.
    x, x_before : (n_states,) array or None
        The states after the last jump and after the one before.
    """

    last: float = -np.inf
    last_interval: float = np.inf
    interval: float = np.inf
    estimate: float = 0.0
    best: float = 0.0
    error: float = np.inf
    best_interval: float = 0.0
    streak: int = 0
    first: float = 0.0
    unresolved: int = 0
    close: int = 0
    begin: float = 0.0
    resolution: float = 0.0
    rounds: bool = False
    is_hidden: bool = False
    repeats: bool = False
    change: FloatArray | None = None
    x: FloatArray | None = None
    x_before: FloatArray | None = None

    def add(self, t: float, x: FloatArray, continuous: NDArray[np.bool_], resolution: Callable[[], float]) -> None:
        """Add a jump at t [s] to the state x, (n_states,), which rounding can move by `resolution()` [s]."""
        self.x_before, self.x = self.x, x
        interval, before, self.last = t - self.last, self.interval, t
        self.last_interval = interval
        self.resolution = SPACINGS_PER_INSTANT * np.spacing(abs(t))
        self.repeats = interval <= self.resolution and self.x_before is not None and bool((x == self.x_before).all())
        short = self.resolution < interval < UNRESOLVED_SHARE * (t - self.begin)
        by_boundary = RESOLVED_FACTOR * resolution() if short else 0.0
        longest = max(CLOSE_SPACINGS * np.spacing(abs(t)), RESOLVED_FACTOR * by_boundary)
        self.close = self.close + 1 if interval <= longest else 0
        if interval < UNRESOLVED_SHARE * (t - self.first) and self.streak >= MIN_INTERVALS_IF_STUCK:
            self.rounds |= by_boundary > self.resolution
            self.resolution = max(self.resolution, by_boundary)
        if interval <= self.resolution:
            self.unresolved += 1
            return
        self.interval, self.unresolved = interval, 0
        if interval < before < np.inf and self._converges(continuous):
            self._extrapolate(t, interval / before, before)
        elif interval > self.best_interval:  # not an accumulation, or the beginning of another one
            self.streak, self.best_interval, self.error, self.first = 0, 0.0, np.inf, t

    def _converges(self, continuous: NDArray[np.bool_]) -> bool:
        """Return whether the state has moved less far than over the interval before, or by no more than rounding."""
        assert self.x is not None
        assert self.x_before is not None
        before, self.change = self.change, abs(self.x - self.x_before) * continuous
        moved = self.change > 4.0 * EPSILON * abs(self.x)
        return before is None or not moved.any() or not (self.change[moved] > before[moved]).all()

    def _extrapolate(self, t: float, q: float, before: float) -> None:
        """Estimate the limit: the remaining intervals form a geometric series of ratio q (Aitken 1926)."""
        estimate = t + self.interval * q / (1.0 - q)
        self.first = t - self.interval - before if self.streak == 0 else self.first
        self.streak += 1
        if self.streak > 1:
            error = max(abs(estimate - self.estimate), self.resolution / (1.0 - q) ** 2)
            off = abs(estimate - self.best) > 8.0 * (error + self.error)
            if error < self.error or (off and self.interval > ROUNDED_SHARE * self.best_interval):
                self.best, self.error, self.best_interval = estimate, error, self.interval
        self.estimate = estimate

    def limit(self) -> float:
        """Return the time of the accumulation [s]: that of the last jump if the states cannot be extrapolated."""
        if self.is_hidden:
            return self.last
        return self.best if self.last < self.best <= self.last + MAX_EXTRAPOLATION * self.last_interval else self.last

    def fault(self, t: float, zeno_precision: float) -> str:
        """Return why no accumulation at t [s] follows these jumps, or ""."""
        if t == self.last and (self.close >= MIN_UNRESOLVED_JUMPS or self.repeats):
            self.is_hidden = True
            return ""
        duration, ahead = self.last - self.first, self.best - self.last
        if self.streak < MIN_INTERVALS_IF_STUCK:
            return "the intervals between the jumps before it do not shrink"
        if self.unresolved >= MIN_UNRESOLVED_JUMPS:
            near = STUCK_SHARE * duration + ERROR_FACTOR * MIN_UNRESOLVED_JUMPS * self.resolution
            return "" if abs(ahead) <= near else "its jumps have not come near their limit"
        if self.streak + self.unresolved < MIN_SHRINKING_INTERVALS:  # how rounding is estimated may differ
            return "the intervals between the jumps before it do not shrink"
        part = self.interval / (self.interval + max(ahead, 0.0))  # 1 - q
        near = max(zeno_precision * duration, ERROR_FACTOR * self.resolution / part**2)
        near += 64.0 * np.spacing(abs(self.last))  # another machine may round the same sums differently
        return "" if ahead <= near and self.error <= near else "it is further ahead than zeno_precision allows"

    def after_accumulation(self) -> JumpSequence:
        """Return a new sequence, which still has the time and the state of the last jump."""
        kept = {name: getattr(self, name) for name in ("last", "interval", "estimate", "best", "first", "x", "begin")}
        return JumpSequence(**kept)


def check_accumulations(evaluator: Evaluator, report: Report) -> None:
    """Check that each accumulation is at the limit of its boundary's jumps, and each state is extrapolated to it."""
    run, events = evaluator.run, evaluator.run.events
    jumps: dict[int, JumpSequence] = {}
    last_accumulation: JumpSequence | None = None
    counted = has_kind(events, "crossing", "touch") & ~events.declined
    continuous = np.array([state.continuous for state in evaluator.model.states])
    for k in range(len(events) if "zeno" in events.kind else 0):
        boundaries = np.flatnonzero(events.crossed[k]).tolist()
        if counted[k]:
            for i in boundaries:
                resolution = partial(_resolution, evaluator, k, i)
                jumps.setdefault(i, JumpSequence(begin=float(run.t[0]))).add(
                    float(events.t[k]), events.x_after[k], continuous, resolution
                )
        elif events.kind[k] == "zeno":
            last_accumulation = jumps.pop(boundaries[0], JumpSequence())
            _check_accumulation(evaluator, report, k, last_accumulation)
            jumps[boundaries[0]] = last_accumulation.after_accumulation()
    if last_accumulation is not None:
        _check_statistics(report, last_accumulation, run.statistics)


def _check_accumulation(evaluator: Evaluator, report: Report, k: int, jumps: JumpSequence) -> None:
    """Compare event k with the limit of the jumps of its boundary."""
    events = evaluator.run.events
    where = locate_all("event", events.t)[[k]]
    last = k > 0 and bool((events.crossed[k] <= events.crossed[k - 1]).all()) and not events.declined[k - 1]
    follows = last and events.kind[k - 1] in ("crossing", "touch")
    t = float(events.t[k])
    fault = jumps.fault(t, evaluator.config.engine.zeno_precision) if follows else "no jump of its boundary precedes it"
    report.require(ACCUMULATIONS_CHECK, [not fault], where, fault)
    if fault or jumps.x is None or jumps.x_before is None:
        return
    t_jump = float(events.t[k - 1])
    rounding = 64.0 * np.spacing(abs(t_jump)) + 64.0 * EPSILON * abs(jumps.best - t_jump)
    rounding += ERROR_FACTOR * jumps.error if jumps.rounds else 0.0
    expected, allowed = np.array([[jumps.limit()]]), np.full((1, 1), rounding)
    report.compare(ACCUMULATIONS_CHECK, events.t[[k], None], expected, allowed, where, ["t"])
    ahead = (t - t_jump) / (jumps.last_interval or np.inf)
    continuous = np.array([state.continuous for state in evaluator.model.states])
    limit = jumps.x + ahead * (jumps.x - jumps.x_before) * continuous
    size = 64.0 * EPSILON * (abs(jumps.x) + ahead * abs(jumps.x - jumps.x_before))
    names = evaluator.run.states.names
    report.compare(ACCUMULATIONS_CHECK, events.x_before[[k]], limit[None], size[None], where, names)
    report.compare_exactly(ACCUMULATIONS_CHECK, events.x_after[[k]], events.x_before[[k]], where, names)


def _resolution(evaluator: Evaluator, event: int, i: int) -> float:
    """Return how far rounding can move a crossing of boundary i [s]: its effect on the boundary over the rate."""
    point = evaluator.before_events([event])
    watched = watched_functions(evaluator)
    _, rates = zero_tolerance(watched, point, longest_steps(evaluator, point))
    rounding = rounding_error(evaluator, evaluator.boundaries, point) + time_rounding(evaluator.boundaries, point)
    rounding, rate = rounding[0, i], abs(rates[0, i])
    return float(rounding / rate) if rate > 0.0 else np.inf


def _check_statistics(report: Report, jumps: JumpSequence, given: Mapping[str, float]) -> None:
    """Check that the statistics are those of the last accumulation."""
    limit, spacings = jumps.limit(), 64.0 * np.spacing(abs(jumps.last))
    allowed = spacings + (ERROR_FACTOR * jumps.error if jumps.rounds else 0.0)
    error = max(jumps.error, abs(jumps.best - limit))
    if jumps.is_hidden:  # how large the error is then, is an estimate of a few intervals
        allowed, error = spacings + STUCK_SHARE * (jumps.last - jumps.begin), 0.0
    for name, expected in (("accumulation_time", limit), ("accumulation_error", error)):
        found = given.get(name)
        near = found is not None and abs(found - expected) <= allowed
        if found is not None and name == "accumulation_error":  # the run adds what integration has shifted all jumps
            near = expected - allowed <= found < np.inf
        report.require_once(ACCUMULATIONS_CHECK, near, f"statistics.{name}", f"is {found!r}, expected {expected!r}")

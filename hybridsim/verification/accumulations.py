"""Accumulations (Zeno): is each declared at the right time, with the right limit state?

The time of an accumulation follows from the times of the jumps of one boundary alone. It is computed again from the
recorded jumps: how many intervals in a row have shrunk, the best estimate of the accumulation time, and its error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.locations import locate_all
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import EPSILON, SPACINGS_PER_INSTANT

NAME = "accumulations"

MIN_SHRINKING_INTERVALS = 6
"""Intervals in a row that must have shrunk before an accumulation is declared."""

MIN_JUMPS_AT_ONE_INSTANT = 100
"""From this many jumps at one instant on, an accumulation is accepted whatever its error."""

ROUNDED_SHARE = 1e-3
"""Intervals shorter than this fraction of the best estimate's interval are too inexact by rounding to contradict it."""


@dataclass(slots=True)
class JumpSequence:
    """The jumps of one boundary so far, and the accumulation time that they suggest.

    Attributes
    ----------
    last : float
        Time of the last jump [s].
    interval : float
        Time between the last jump and the one before [s].
    estimate, best, error : float
        Accumulation time as estimated last, the best estimate, and its error [s].
    best_interval : float
        The interval that the best estimate follows from [s].
    streak : int
        How many intervals in a row have shrunk.
    x, x_before : (n_states,) array or None
        The states after the last jump and after the one before.
    """

    last: float = -np.inf
    interval: float = np.inf
    estimate: float = 0.0
    best: float = 0.0
    error: float = np.inf
    best_interval: float = 0.0
    streak: int = 0
    x: FloatArray | None = None
    x_before: FloatArray | None = None

    def add(self, t: float, x: FloatArray) -> None:
        """Add a jump at t [s] to the state x, (n_states,)."""
        self.x_before, self.x = self.x, x
        interval, before = t - self.last, self.interval
        if interval <= SPACINGS_PER_INSTANT * np.spacing(abs(t)):
            return
        self.last, self.interval = t, interval
        if interval < before < np.inf:
            self._extrapolate(t, interval / before)
        elif interval > self.best_interval:  # not an accumulation, or the beginning of another one
            self.streak, self.best_interval, self.error = 0, 0.0, np.inf

    def _extrapolate(self, t: float, q: float) -> None:
        """Estimate the limit: the remaining intervals form a geometric series of ratio q (Aitken 1926)."""
        estimate = t + self.interval * q / (1.0 - q)
        self.streak += 1
        if self.streak > 1:
            error = max(abs(estimate - self.estimate), SPACINGS_PER_INSTANT * np.spacing(t) / (1.0 - q) ** 2)
            off = abs(estimate - self.best) > 8.0 * (error + self.error)
            if error < self.error or (off and self.interval > ROUNDED_SHARE * self.best_interval):
                self.best, self.error, self.best_interval = estimate, error, self.interval
        self.estimate = estimate

    def after_accumulation(self) -> JumpSequence:
        """Return a new sequence, which still has the time and the state of the last jump."""
        return JumpSequence(self.last, self.interval, self.estimate, self.best, x=self.x)


def check_accumulations(evaluator: Evaluator, report: Report) -> None:
    """Check that each accumulation is at the limit of its boundary's jumps, and each state is extrapolated to it."""
    run, events = evaluator.run, evaluator.run.events
    jumps: dict[int, JumpSequence] = {}
    last_accumulation: JumpSequence | None = None
    counted = has_kind(events, "crossing", "touch") & ~events.declined
    for k in range(len(events) if "zeno" in events.kind else 0):
        boundaries = np.flatnonzero(events.crossed[k]).tolist()
        if counted[k]:
            for i in boundaries:
                jumps.setdefault(i, JumpSequence()).add(float(events.t[k]), events.x_after[k])
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
    shrinks = last and events.kind[k - 1] in ("crossing", "touch") and jumps.streak >= MIN_SHRINKING_INTERVALS
    report.require(NAME, [shrinks], where, "the intervals between the jumps before it do not shrink")
    if not shrinks or jumps.x is None or jumps.x_before is None:
        return
    t, t_jump = float(events.t[k]), float(events.t[k - 1])
    near = evaluator.config.engine.zeno_precision * (t_jump - evaluator.config.initial_time)
    # Another machine may round the same sums differently.
    rounding = 64.0 * np.spacing(abs(t_jump)) + 64.0 * EPSILON * abs(jumps.best - t_jump)
    expected, allowed = np.array([[max(jumps.best, t_jump)]]), np.full((1, 1), rounding)
    report.compare(NAME, events.t[[k], None], expected, allowed, where, ["t"])
    close = t - t_jump <= near + rounding and jumps.error <= near + rounding
    stuck = _jumps_at_once(evaluator, k) >= MIN_JUMPS_AT_ONE_INSTANT
    report.require(NAME, [close or stuck], where, "it is further ahead than zeno_precision allows")
    share = (t - t_jump) / jumps.interval
    continuous = np.array([state.continuous for state in evaluator.model.states])
    limit = jumps.x + share * (jumps.x - jumps.x_before) * continuous
    size = abs(jumps.x) + share * abs(jumps.x - jumps.x_before)
    names = evaluator.run.states.names
    report.compare(NAME, events.x_before[[k]], limit[None], 64.0 * EPSILON * size[None], where, names)
    report.compare_exactly(NAME, events.x_after[[k]], events.x_before[[k]], where, names)


def _jumps_at_once(evaluator: Evaluator, event: int) -> int:
    """Return the number of jumps before this event that follow one another within an instant."""
    events = evaluator.run.events
    t = events.t[:event][~events.declined[:event]]
    passed = np.flatnonzero(np.diff(t) > SPACINGS_PER_INSTANT * np.spacing(abs(t[1:])))
    return len(t) - 1 - (int(passed[-1]) + 1 if len(passed) else -1)


def _check_statistics(report: Report, jumps: JumpSequence, given: Mapping[str, float]) -> None:
    """Check that the statistics are those of the last accumulation."""
    allowed = 64.0 * np.spacing(abs(jumps.last))
    for name, expected in (("accumulation_time", jumps.best), ("accumulation_error", jumps.error)):
        found = given.get(name)
        near = found is not None and abs(found - expected) <= allowed
        report.require_once(NAME, near, f"statistics.{name}", f"is {found!r}, expected {expected!r}")

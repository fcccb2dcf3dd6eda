"""Accumulations: does the run say at the right time that infinitely many jumps are over, and where they lead?

What the jumps of a boundary tell of their accumulation follows from their times alone, so it is worked out again from
the recorded ones: how many intervals in a row have shrunk, the best estimate of the time, and its error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import EPSILON, Replay, kind_of
from hybridsim.verification.report import Report, places

INSTANT = 4.0
"""Spacings of t that are one instant."""

FEWEST, STUCK = 6, 100
"""Intervals that shrink one after another before an accumulation; jumps at one instant that leave no time."""

LATE = 1e-3
"""Intervals this much shorter than that of the best estimate are rounding, and do not speak against it."""

NAME = "accumulations"


@dataclass(slots=True)
class Jumps:
    """What the jumps of one boundary have told so far.

    last, interval [s] : the last jump, and the time since the one before; x, x_before : the states after these two;
    estimate, best, error [s] : of the accumulation time; best_interval [s] : the one that gave the best.
    streak : intervals in a row that have shrunk.
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

    def note(self, t: float, x: FloatArray) -> None:
        """Another jump, at t, which leads to x."""
        self.x_before, self.x = self.x, x
        interval, before = t - self.last, self.interval
        if interval <= INSTANT * np.spacing(abs(t)):
            return
        self.last, self.interval = t, interval
        if interval < before < np.inf:
            self._extrapolate(t, interval / before)
        elif interval > self.best_interval:  # a longer one: this is no accumulation, or another
            self.streak, self.best_interval, self.error = 0, 0.0, np.inf

    def _extrapolate(self, t: float, q: float) -> None:
        """The intervals that are left add up to a geometric series."""
        estimate = t + self.interval * q / (1.0 - q)
        self.streak += 1
        if self.streak > 1:
            error = max(abs(estimate - self.estimate), INSTANT * np.spacing(t) / (1.0 - q) ** 2)
            off = abs(estimate - self.best) > 8.0 * (error + self.error)
            if error < self.error or (off and self.interval > LATE * self.best_interval):
                self.best, self.error, self.best_interval = estimate, error, self.interval
        self.estimate = estimate


def check_accumulations(replay: Replay, report: Report) -> None:
    """An accumulation comes where the intervals of its boundary shrink to, with every state extrapolated alike."""
    run, events = replay.run, replay.run.events
    jumps: dict[int, Jumps] = {}
    told: Jumps | None = None
    counted = kind_of(events, "crossing", "touch") & ~events.declined
    for k in range(len(events) if "zeno" in events.kind else 0):
        boundaries = np.flatnonzero(events.crossed[k]).tolist()
        if counted[k]:
            for i in boundaries:
                jumps.setdefault(i, Jumps()).note(float(events.t[k]), events.x_after[k])
        elif events.kind[k] == "zeno":
            told = jumps.pop(boundaries[0], Jumps())
            _check_accumulation(replay, report, k, told)
            # What is forgotten is how they shrank, and not when the last one was.
            jumps[boundaries[0]] = Jumps(told.last, told.interval, told.estimate, told.best, x=told.x)
    _check_statistics(report, told, run.statistics)


def _check_accumulation(replay: Replay, report: Report, k: int, jumps: Jumps) -> None:
    """Event k against what the jumps of its boundary tell."""
    run, events = replay.run, replay.run.events
    here = places("event", events.t)[[k]]
    last = k > 0 and bool((events.crossed[k] <= events.crossed[k - 1]).all()) and not events.declined[k - 1]
    shrinks = last and events.kind[k - 1] in ("crossing", "touch") and jumps.streak >= FEWEST
    report.require(NAME, [shrinks], here, "the jumps before it do not come ever faster")
    if not shrinks or jumps.x is None or jumps.x_before is None:
        return
    t, now = float(events.t[k]), float(events.t[k - 1])
    near = replay.config.engine.zeno_precision * (now - replay.config.initial_time)
    # The same sums may be rounded otherwise on another machine.
    rounding = 64.0 * np.spacing(abs(now)) + 64.0 * EPSILON * abs(jumps.best - now)
    expected, allowed = np.array([[max(jumps.best, now)]]), np.full((1, 1), rounding)
    report.compare(NAME, events.t[[k], None], expected, allowed, here, ["t"])
    close = t - now <= near + rounding and jumps.error <= near + rounding
    stuck = _jumps_at_once(replay, k) >= STUCK
    report.require(NAME, [close or stuck], here, "it is further ahead than zeno_precision allows")
    part = (t - now) / jumps.interval
    continuous = np.array([state.continuous for state in replay.model.states])
    limit = jumps.x + part * (jumps.x - jumps.x_before) * continuous
    size = abs(jumps.x) + part * abs(jumps.x - jumps.x_before)
    report.compare(NAME, events.x_before[[k]], limit[None], 64.0 * EPSILON * size[None], here, run.states.names)
    zero = np.zeros((1, len(limit)))
    report.compare(NAME, events.x_after[[k]], events.x_before[[k]], zero, here, run.states.names)


def _jumps_at_once(replay: Replay, event: int) -> int:
    """Jumps before this event that follow one another without any time between them."""
    events = replay.run.events
    t = events.t[:event][~events.declined[:event]]
    passed = np.flatnonzero(np.diff(t) > INSTANT * np.spacing(abs(t[1:])))
    return len(t) - 1 - (int(passed[-1]) + 1 if len(passed) else -1)


def _check_statistics(report: Report, told: Jumps | None, given: Mapping[str, float]) -> None:
    """The statistics tell of the last accumulation."""
    if told is None:
        return
    allowed = 64.0 * np.spacing(abs(told.last))
    for name, expected in (("accumulation_time", told.best), ("accumulation_error", told.error)):
        found = given.get(name)
        near = found is not None and abs(found - expected) <= allowed
        report.demand(NAME, near, f"statistics.{name}", f"is {found!r}, expected {expected!r}")

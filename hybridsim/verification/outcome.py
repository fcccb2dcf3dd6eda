"""The end of a run: does it agree with its status, and do the counts with what there is to count?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.schema import Stop
from hybridsim.engine.landing import MAX_CASCADE, MAX_SURFACES
from hybridsim.engine.memory import CERTIFICATES
from hybridsim.engine.status import Status
from hybridsim.verification.evaluator import EPSILON, Replay, kind_of
from hybridsim.verification.report import Report

NAME = "end and counts"


def check_end(replay: Replay, report: Report) -> None:
    """The last row is one at which the run's status ends a run, and no row before it is."""
    run, final_time = replay.run, replay.config.final_time
    last = f"row {len(run.t) - 1}"
    reached = final_time is not None and run.t[-1] >= final_time
    end = float(run.t[-1])
    if final_time is not None:
        report.demand(NAME, end <= final_time, last, f"t is {end!r}, after the final time {final_time!r}")
    if run.status is Status.FINAL_TIME:
        report.demand(NAME, reached, last, f"t is {end!r}, expected the final time {final_time!r}")
    stopped = _stops_at_end(replay)
    if run.status is Status.STOPPED:
        report.demand(NAME, any(stopped), last, "the run has stopped, but no stop of its config is reached")
    elif run.status is Status.FINAL_TIME:
        report.demand(NAME, not any(stopped), last, "a stop is reached, but the run has gone on to the final time")
    _check_counts_of_stops(replay, report)
    holds, expected = _STATUS.get(run.status, (lambda _: True, ""))
    report.demand(NAME, holds(replay), last, f"the status is {run.status.name}, expected {expected}")
    told = f"t = {end:.9g} s"
    report.demand(NAME, told in run.message, "message", f"is {run.message!r}, expected it to name {told}")


def _stops_at_end(replay: Replay) -> list[bool]:
    return [_reached(replay, stop) for stop in replay.config.stop]


def _reached(replay: Replay, stop: Stop) -> bool:
    run = replay.run
    if stop.boundary is not None:
        counts = np.cumsum(crossings(replay, stop.boundary))
        return bool(len(counts)) and counts[-1] == stop.count and _ends_with_event(replay, stop.boundary)
    m = replay.model.states.index(str(stop.state))
    x, value = run.x[:, m], float(stop.value or 0.0)
    slope = replay.slopes(run.t[-1:], replay.x[-1:], replay.chart[-1:])[0, m]
    near = 64.0 * EPSILON * (abs(value) + abs(x).max()) + 8.0 * abs(slope) * np.spacing(abs(run.t[-1]))
    at_jump = len(run.t) > 1 and run.j[-1] > run.j[-2] and (x[-2] - value) * (x[-1] - value) <= 0.0
    return bool(abs(x[-1] - value) <= near + replay.config.engine.stop_precision or at_jump)


def crossings(replay: Replay, boundary: str) -> NDArray[np.bool_]:
    """At which events a boundary has crossed, as stops count them: reported touches, exits and accumulations do not."""
    events = replay.run.events
    place = replay.model.boundary_records.index(boundary)
    by_touch = kind_of(events, "touch") & (replay.model.boundary_records[place].touch == "trigger")
    return np.asarray(events.crossed[:, place] & (kind_of(events, "crossing", "entry") | by_touch))


def _ends_with_event(replay: Replay, boundary: str) -> bool:
    """Is the last event at the end of the run, and has this boundary crossed in it?"""
    run, events = replay.run, replay.run.events
    crossed = events.crossed[-1, replay.model.boundary_records.index(boundary)]
    return bool(crossed and events.t[-1] == run.t[-1] and (events.x_after[-1] == run.x[-1]).all())


def _check_counts_of_stops(replay: Replay, report: Report) -> None:
    """No stop has been passed."""
    for stop in replay.config.stop:
        if stop.boundary is not None:
            count = int(crossings(replay, stop.boundary).sum())
            what = f"{stop.boundary} has crossed {count} times, but the run stops with its event {stop.count}"
            report.demand(NAME, count <= stop.count, "events", what)


def _steps_are_used_up(replay: Replay) -> bool:
    limit = replay.config.engine.max_steps
    return limit is not None and replay.run.statistics.get("steps") == limit


def _wall_time_is_used_up(replay: Replay) -> bool:
    limit = replay.config.engine.max_wall_time
    return limit is not None and replay.run.statistics.get("wall_time", 0.0) > limit


def _is_outside(replay: Replay) -> bool:
    run = replay.run
    g = replay.boundaries(run.t[-1:], replay.x[-1:], replay.chart[-1:])[0]
    waits = np.array([boundary.armed == "when_positive" for boundary in replay.model.boundary_records], bool)
    return bool((g[~waits] < 0.0).any())


def _is_invalid(replay: Replay) -> bool:
    run = replay.run
    return bool(replay.errors(run.t[-1:], replay.x[-1:], replay.chart[-1:])[0])


def _has_many_at_once(replay: Replay, n: int = MAX_CASCADE) -> bool:
    t = replay.run.events.t[~replay.run.events.declined]
    return len(t) >= n and bool(t[-1] - t[-n] <= 4.0 * n * np.spacing(abs(t[-1])))


def _accumulates(replay: Replay) -> bool:
    events = replay.run.events
    return len(events) > 0 and events.kind[-1] == "zeno" and bool(events.t[-1] == replay.run.t[-1])


def _went_to_no_chart(replay: Replay) -> bool:
    charts = replay.run.events.chart_after
    return len(charts) > 0 and not 0 <= charts[-1] < replay.model.n_charts


_STATUS = {
    Status.LEFT_CHART: (_is_invalid, "a last state that the model's own check refuses"),
    Status.TOO_MANY_TRANSITIONS: (
        lambda replay: replay.run.j[-1] - replay.run.events.kind.count("input") >= replay.config.engine.max_transitions,
        "as many jumps as max_transitions",
    ),
    Status.TOO_MANY_STEPS: (_steps_are_used_up, "as many steps as max_steps"),
    Status.CASCADE: (_has_many_at_once, f"{MAX_CASCADE} jumps at one instant"),
    Status.SLIDING_INTERSECTION: (
        lambda replay: _has_many_at_once(replay, MAX_SURFACES),
        f"{MAX_SURFACES} jumps at one instant",
    ),
    Status.ZENO: (_accumulates, "an accumulation as the last event"),
    Status.OUTSIDE_CHART: (_is_outside, "a negative boundary at the last state"),
    Status.UNKNOWN_CHART: (_went_to_no_chart, "a last event into a chart that does not exist"),
    Status.WALL_TIME: (_wall_time_is_used_up, "a wall_time above max_wall_time"),
}
"""What must hold at the end for a status, and the same in words. The others cannot be told from outside."""


_COUNTED = {"touches": "touch", "slides": "entry", "accumulations": "zeno", "input_changes": "input"}
"""Statistics that are numbers of events of a kind."""


def check_statistics(replay: Replay, report: Report) -> None:
    """Counts of events, jumps and steps are those of the rows; all others are plausible."""
    run, given = replay.run, replay.run.statistics
    ended = run.status is not Status.UNFINISHED
    jumps = int((~run.events.declined & ~kind_of(run.events, "input")).sum())
    exact: dict[str, float] = {"events": len(run.events), "simulated_time": float(run.t[-1] - run.t[0])}
    if ended:
        exact["transitions"] = jumps
    if ended and run.step is not None and run.status.ok:
        exact["steps"] = int(((run.step > 0.0) & ~replay.straight).sum())
    for name in CERTIFICATES:
        exact[f"{name}_events"] = run.events.certificate.count(name)
    for name, kind in _COUNTED.items():
        exact[name] = run.events.kind.count(kind)
    if ended and run.certificate is not None and run.status.ok:
        for code, name in enumerate(CERTIFICATES):
            exact[f"{name}_steps"] = int((run.certificate == code).sum())
    for name, expected in exact.items():
        report.demand(
            NAME, given.get(name) == expected, f"statistics.{name}", f"is {given.get(name)!r}, expected {expected!r}"
        )
    for name, value in given.items():
        report.demand(
            NAME, value >= 0 or np.isnan(value), f"statistics.{name}", f"is {value!r}, expected no less than 0"
        )
    _check_steps(replay, report, given)


def _check_steps(replay: Replay, report: Report, given: Mapping[str, float]) -> None:
    """Each step calls the field once a stage, and is decided in one way at the most."""
    steps = given.get("steps", 0)
    least = steps * (replay.packed.method.stages)
    calls = given.get("vector_field_calls", 0)
    report.demand(
        NAME,
        calls >= least,
        "statistics.vector_field_calls",
        f"is {calls}, expected at least {least} for {steps} steps",
    )
    decided = sum(given.get(f"{kind}_steps", 0) for kind in CERTIFICATES)
    report.demand(NAME, decided <= steps, "statistics.steps", f"is {steps}, but {decided} steps were looked into")

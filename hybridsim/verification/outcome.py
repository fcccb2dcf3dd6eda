"""The end of a run: does it agree with the status, and do the statistics agree with the rows and events?"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.schema import Stop
from hybridsim.engine.landing import MAX_CASCADE, MAX_SURFACES
from hybridsim.engine.memory import CERTIFICATES
from hybridsim.engine.status import Status
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import EPSILON, SPACINGS_PER_INSTANT
from hybridsim.verification.watched import armed_only_when_positive

END_CHECK = "end and counts"


def check_end(evaluator: Evaluator, report: Report) -> None:
    """Check that the run's status ends a run at the last row, and at no earlier one."""
    run, final_time = evaluator.run, evaluator.config.final_time
    last, end = f"row {len(run.t) - 1}", float(run.t[-1])
    if final_time is not None:
        report.require_once(END_CHECK, end <= final_time, last, f"t is {end!r}, after the final time {final_time!r}")
    stop_reached = any(_is_reached(evaluator, stop) for stop in evaluator.config.stop)
    if run.status is Status.FINAL_TIME:
        at_final_time = final_time is not None and end >= final_time
        report.require_once(END_CHECK, at_final_time, last, f"t is {end!r}, expected the final time {final_time!r}")
        report.require_once(END_CHECK, not stop_reached, last, "a stop is reached, but the status is FINAL_TIME")
    elif run.status is Status.STOPPED:
        report.require_once(
            END_CHECK, stop_reached, last, "the status is STOPPED, but no stop of the config is reached"
        )
    _check_stops_not_passed(evaluator, report)
    holds, expected = _CONDITIONS.get(run.status, (lambda _: True, ""))
    report.require_once(END_CHECK, holds(evaluator), last, f"the status is {run.status.name}, expected {expected}")
    time = f"t = {end:.9g} s"
    report.require_once(
        END_CHECK, time in run.message, "message", f"is {run.message!r}, expected one that names {time}"
    )


def _is_reached(evaluator: Evaluator, stop: Stop) -> bool:
    """Return whether a stop ends the run at its last row."""
    run = evaluator.run
    if stop.boundary is not None:
        counts = np.cumsum(_counted_crossings(evaluator, stop.boundary))
        return bool(len(counts)) and counts[-1] == stop.count and _ends_with_event(evaluator, stop.boundary)
    m = evaluator.model.states.index(str(stop.state))
    x, value = run.x[:, m], float(stop.value or 0.0)
    slope = evaluator.slopes(evaluator.rows([-1]))[0, m]
    near = 64.0 * EPSILON * (abs(value) + abs(x).max()) + 8.0 * abs(slope) * np.spacing(abs(run.t[-1]))
    at_jump = len(run.t) > 1 and run.j[-1] > run.j[-2] and (x[-2] - value) * (x[-1] - value) <= 0.0
    return bool(abs(x[-1] - value) <= near + evaluator.config.engine.stop_precision or at_jump)


def _counted_crossings(evaluator: Evaluator, boundary: str) -> NDArray[np.bool_]:
    """Return which events a stop on this boundary counts: crossings, entries, touches that trigger its transition."""
    events = evaluator.run.events
    index = evaluator.model.boundary_records.index(boundary)
    by_touch = has_kind(events, "touch") & (evaluator.model.boundary_records[index].touch == "trigger")
    return np.asarray(events.crossed[:, index] & (has_kind(events, "crossing", "entry") | by_touch))


def _ends_with_event(evaluator: Evaluator, boundary: str) -> bool:
    """Return whether this boundary crosses in the last event and the run ends there."""
    run, events = evaluator.run, evaluator.run.events
    crossed = events.crossed[-1, evaluator.model.boundary_records.index(boundary)]
    return bool(crossed and events.t[-1] == run.t[-1] and (events.x_after[-1] == run.x[-1]).all())


def _check_stops_not_passed(evaluator: Evaluator, report: Report) -> None:
    for stop in evaluator.config.stop:
        if stop.boundary is not None:
            count = int(_counted_crossings(evaluator, stop.boundary).sum())
            what = f"{stop.boundary} has crossed {count} times, but crossing {stop.count} ends the run"
            report.require_once(END_CHECK, count <= stop.count, "events", what)


def _has_max_transitions(evaluator: Evaluator) -> bool:
    jumps = evaluator.run.j[-1] - evaluator.run.events.kind.count("input")
    return bool(jumps >= evaluator.config.engine.max_transitions)


def _has_max_steps(evaluator: Evaluator) -> bool:
    limit = evaluator.config.engine.max_steps
    return limit is not None and evaluator.run.statistics.get("steps") == limit


def _exceeds_wall_time(evaluator: Evaluator) -> bool:
    limit = evaluator.config.engine.max_wall_time
    return limit is not None and evaluator.run.statistics.get("wall_time", 0.0) > limit


def _is_outside_chart(evaluator: Evaluator) -> bool:
    g = evaluator.boundaries(evaluator.rows([-1]))[0]
    return bool((g[~armed_only_when_positive(evaluator)] < 0.0).any())


def _is_invalid(evaluator: Evaluator) -> bool:
    return bool(evaluator.has_error(evaluator.rows([-1]))[0])


def _ends_with_cascade(evaluator: Evaluator, n: int = MAX_CASCADE) -> bool:
    t = evaluator.run.events.t[~evaluator.run.events.declined]
    return len(t) >= n and bool(t[-1] - t[-n] <= SPACINGS_PER_INSTANT * n * np.spacing(abs(t[-1])))


def _ends_with_sliding_cascade(evaluator: Evaluator) -> bool:
    return _ends_with_cascade(evaluator, MAX_SURFACES)


def _ends_with_accumulation(evaluator: Evaluator) -> bool:
    events = evaluator.run.events
    return len(events) > 0 and events.kind[-1] == "zeno" and bool(events.t[-1] == evaluator.run.t[-1])


def _ends_in_unknown_chart(evaluator: Evaluator) -> bool:
    charts = evaluator.run.events.chart_after
    return len(charts) > 0 and not 0 <= charts[-1] < evaluator.model.n_charts


_CONDITIONS = {
    Status.LEFT_CHART: (_is_invalid, "a last state for which `validate` reports an error"),
    Status.TOO_MANY_TRANSITIONS: (_has_max_transitions, "as many jumps as max_transitions"),
    Status.TOO_MANY_STEPS: (_has_max_steps, "as many steps as max_steps"),
    Status.CASCADE: (_ends_with_cascade, f"{MAX_CASCADE} jumps at one instant"),
    Status.SLIDING_INTERSECTION: (_ends_with_sliding_cascade, f"{MAX_SURFACES} jumps at one instant"),
    Status.ZENO: (_ends_with_accumulation, "an accumulation as the last event"),
    Status.OUTSIDE_CHART: (_is_outside_chart, "a negative boundary at the last state"),
    Status.UNKNOWN_CHART: (_ends_in_unknown_chart, "a last event into a chart that does not exist"),
    Status.WALL_TIME: (_exceeds_wall_time, "a wall_time above max_wall_time"),
}
"""The condition for each status at the end of a run, and the same in words. The others cannot be checked from outside.
"""

_KINDS_COUNTED = {"touches": "touch", "slides": "entry", "accumulations": "zeno", "input_changes": "input"}
"""Statistic -> the kind of events that it counts."""


def check_statistics(evaluator: Evaluator, report: Report) -> None:
    """Check that counts of events, jumps and steps are those of the run, and that no statistic is negative."""
    given = evaluator.run.statistics
    for name, expected in _expected_statistics(evaluator).items():
        what = f"is {given.get(name)!r}, expected {expected!r}"
        report.require_once(END_CHECK, given.get(name) == expected, f"statistics.{name}", what)
    for name, value in given.items():
        what = f"is {value!r}, expected at least 0"
        report.require_once(END_CHECK, value >= 0 or np.isnan(value), f"statistics.{name}", what)
    _check_step_statistics(evaluator, report, given)


def _expected_statistics(evaluator: Evaluator) -> dict[str, float]:
    """Return the statistics that follow from the rows and events."""
    run, events = evaluator.run, evaluator.run.events
    expected: dict[str, float] = {"events": len(events), "simulated_time": float(run.t[-1] - run.t[0])}
    ended = run.status is not Status.UNFINISHED
    if ended:
        expected["transitions"] = int((~events.declined & ~has_kind(events, "input")).sum())
    if ended and run.step is not None and run.status.ok:
        expected["steps"] = int(((run.step > 0.0) & ~evaluator.extrapolated).sum())
    expected |= {f"{name}_events": events.certificate.count(name) for name in CERTIFICATES}
    expected |= {name: events.kind.count(kind) for name, kind in _KINDS_COUNTED.items()}
    if ended and run.certificate is not None and run.status.ok:
        expected |= {f"{name}_steps": int((run.certificate == i).sum()) for i, name in enumerate(CERTIFICATES)}
    return expected


def _check_step_statistics(evaluator: Evaluator, report: Report, given: Mapping[str, float]) -> None:
    """Check the counts of calls and certificates: at least one call per stage, at most one certificate per step.

    A step on power series counts their computation as a call, and calls the vector field at its end.
    """
    steps, calls, method = given.get("steps", 0), given.get("vector_field_calls", 0), evaluator.packed.method
    least = steps * (2 if method.series_order else method.stages)
    what = f"is {calls}, expected at least {least} for {steps} steps"
    report.require_once(END_CHECK, calls >= least, "statistics.vector_field_calls", what)
    certified = sum(given.get(f"{name}_steps", 0) for name in CERTIFICATES)
    what = f"is {steps}, but {certified} steps have a certificate"
    report.require_once(END_CHECK, certified <= steps, "statistics.steps", what)

"""The kinds of events, and the touches: minima of a boundary just above zero."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.memory import EVENT_KINDS
from hybridsim.typing import FloatArray
from hybridsim.verification.evaluator import Evaluator, has_kind
from hybridsim.verification.findings import locate_all
from hybridsim.verification.method_steps import longest_steps
from hybridsim.verification.points import Points
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import extension_error, slide_error, step_error
from hybridsim.verification.watched import (
    along_parabola,
    change_by_errors,
    rates_along_flow,
    watched_functions,
    zero_tolerance,
)

NEARBY_SHARE = 1e-3
"""Time before and after a touch at which its boundary must be higher, as a fraction of a step."""


def check_event_kinds(evaluator: Evaluator, report: Report) -> None:
    """Check that each event is of a known kind, is declined only if its kind can be, and leads where its kind does."""
    events, name = evaluator.run.events, "kinds of events"
    where = locate_all("event", events.t)
    kinds = np.array(events.kind, dtype=object)
    known = np.isin(events.kind, EVENT_KINDS)
    report.require(name, known, where, lambda k: f"kind is {kinds[k]!r}, expected one of {EVENT_KINDS}")
    crosses = events.crossed.any(axis=1) | has_kind(events, "input")
    report.require(name, crosses, where, "no boundary crosses")
    single = has_kind(events, "entry", "exit", "zeno")
    may_be_declined = ~(events.declined & (single | has_kind(events, "input")))
    report.require(name, may_be_declined, where, lambda k: f"an event of kind {kinds[k]} is declined")
    alone = ~single | (events.crossed.sum(axis=1) == 1)
    report.require(name, alone, where, lambda k: f"an event of kind {kinds[k]} has several boundaries")
    rest = np.array([_rest_chart(evaluator, k) if kinds[k] == "zeno" else 0 for k in range(len(kinds))], np.int64)
    right = (kinds != "zeno") | evaluator.rests_by_transition | (events.chart_after == rest)
    report.require(name, right, where, lambda k: f"chart_after is {events.chart_after[k]}, expected {rest[k]}")
    keeps_chart = ~has_kind(events, "entry") | (events.chart_after == events.chart_before)
    report.require(name, keeps_chart, where, "a slide must begin in the chart that the state comes from")


def _rest_chart(evaluator: Evaluator, event: int) -> int:
    """Return the chart after an accumulation: the boundary's rest chart if it has one, else the present chart."""
    events, model = evaluator.run.events, evaluator.model
    rest = model.boundary_records[int(events.crossed[event].argmax())].rest
    return model.charts.index(rest) if rest in model.charts.names else int(events.chart_before[event])


def check_touches(evaluator: Evaluator, report: Report) -> None:
    """Check that touches are minima from zero to `touch_precision`, and do what their boundary's policy allows."""
    events, name = evaluator.run.events, "touches"
    touches = np.flatnonzero(has_kind(events, "touch"))
    if not len(touches):
        return
    watched, engine, n = watched_functions(evaluator), evaluator.config.engine, evaluator.n_boundaries
    threshold = engine.stop_precision if engine.touch_precision is None else engine.touch_precision
    points, crossed = evaluator.before_events(touches), events.crossed[touches]
    length = longest_steps(evaluator, points)
    allowed = zero_tolerance(watched, points, length)[0][:, :n] - engine.stop_precision
    value = np.where(crossed, evaluator.boundaries(points), threshold)
    where = locate_all("event", events.t)[touches]
    report.compare(name, value, np.clip(value, 0.0, threshold), allowed, where, evaluator.model.boundary_records.names)
    rate = np.where(crossed, rates_along_flow(watched, points, length)[:, :n], 0.0)
    nearby = NEARBY_SHARE * length[:, None]
    change_by_rate = abs(rate) * nearby
    flat = change_by_rate <= _rise(evaluator, points, nearby, value) + allowed + _tilt(evaluator, points, length)
    at_chart_begin = np.isin(points.t, evaluator.run.t[np.append(True, np.diff(evaluator.run.j) == 1)])
    minimum = (flat | ~crossed).all(axis=1) | at_chart_begin
    report.require(name, minimum, where, "the boundary has no minimum there")
    for k, event in enumerate(touches):
        policies = {evaluator.model.boundary_records[int(i)].touch for i in np.flatnonzero(crossed[k])}
        allowed_policies = {"report", "trigger"} if events.declined[event] else {"trigger"}
        report.require(name, [policies <= allowed_policies], where[[k]], f"the boundary is declared touch={policies}")


def _tilt(evaluator: Evaluator, points: Points, length: FloatArray) -> FloatArray:
    """Return the change of the boundaries next to n points that an allowed error in the extension's slope can cause."""
    error = step_error(evaluator, points.x) + slide_error(evaluator, points)
    error += extension_error(evaluator, points, length)
    degree = evaluator.packed.method.extension.shape[1]
    change = change_by_errors(watched_functions(evaluator), points, error * NEARBY_SHARE * degree**2 / 3.0)
    return change[:, : evaluator.n_boundaries]


def _rise(evaluator: Evaluator, points: Points, nearby: FloatArray, value: FloatArray) -> FloatArray:
    """Return how much higher the boundaries are on average `nearby`, (n, 1), before and after: (n, n_boundaries).

    They are evaluated along a parabola that follows the flow; `value` is theirs at the points.
    """
    along = along_parabola(evaluator, points, nearby[:, 0])
    sides = [evaluator.boundaries(along(side * nearby[:, 0])) for side in (-1.0, 1.0)]
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(abs(0.5 * (sides[0] + sides[1]) - value), posinf=0.0)

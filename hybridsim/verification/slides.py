"""Slides: motion along the common boundary of two charts whose vector fields both point at it (Filippov 1988)."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.memory import NOWHERE
from hybridsim.verification.evaluator import SLIDE, WEIGHT_ERROR, Evaluator, SlidingMode, has_kind
from hybridsim.verification.findings import Locations, locate_all
from hybridsim.verification.method_steps import longest_steps
from hybridsim.verification.points import Points
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import slide_error, step_error
from hybridsim.verification.watched import change_by_errors, watched_functions, zero_tolerance

DISTANCE_AT_END = 1e-6
"""Largest distance of a sliding weight from 0 or 1 where a slide ends, besides what the error of a step changes."""


def check_slide_columns(evaluator: Evaluator, report: Report) -> None:
    """Check that slides last from entry to the next jump, and rows and events give their chart and surface."""
    run, events = evaluator.run, evaluator.run.events
    name, entry, zeno = _check_name(evaluator), has_kind(events, "entry"), has_kind(events, "zeno")
    rows, where = locate_all("row", run.t), locate_all("event", events.t)
    surface = events.crossed.argmax(axis=1) if events.crossed.size else np.full(len(events), NOWHERE)
    for column, entered in (("adjacent_chart", events.adjacent_chart), ("surface", surface)):
        begun = dict(zip((events.j[entry] + 1).tolist(), entered[entry].tolist(), strict=True))
        in_rows, in_events = (
            np.array([begun.get(j, NOWHERE) for j in table.j.tolist()], np.int64) for table in (run, events)
        )
        report.compare_exactly(name, getattr(run, column), in_rows, rows, column)
        in_events = np.where(zeno, NOWHERE, np.where(entry, entered, in_events))
        report.compare_exactly(name, getattr(events, column), in_events, where, column)
    adjacent, last = events.adjacent_chart, evaluator.model.n_charts - 1
    valid = ~entry | ((adjacent >= 0) & (adjacent <= last) & (adjacent != events.chart_before))
    report.require(name, valid, where, lambda k: f"adjacent_chart is {adjacent[k]}, expected another chart")


def _check_name(evaluator: Evaluator) -> str:
    """Return the check to report in; that of a run without slides is the one of the kinds of events."""
    return "slides" if "entry" in evaluator.run.events.kind else "kinds of events"


def check_slides(evaluator: Evaluator, report: Report) -> None:
    """Check that on a slide the state stays on the surface, and that the weight is the tangent one, from 0 to 1."""
    run, n = evaluator.run, len(evaluator.run.t)
    expected = np.ones(n)
    where, name = locate_all("row", run.t), _check_name(evaluator)
    for k, slide in enumerate(evaluator.slides):
        rows = np.flatnonzero(evaluator.chart == SLIDE - k)
        expected[rows] = evaluator.sliding_weights(evaluator.rows(rows), slide)
        _check_on_surface(evaluator, report, slide, evaluator.rows(rows), where[rows])
    weight, slides = run.sliding_weight[:, None], (evaluator.chart <= SLIDE)[:, None]
    report.compare(name, weight, expected[:, None], WEIGHT_ERROR * slides, where, ["sliding_weight"])
    inside = np.clip(weight, 0.0, 1.0)
    report.compare(name, weight, inside, np.full((n, 1), WEIGHT_ERROR), where, ["sliding_weight, from 0 to 1,"])


def _check_on_surface(
    evaluator: Evaluator, report: Report, slide: SlidingMode, points: Points, where: Locations
) -> None:
    """Check that the points of one slide lie on its surface, where the boundary that leads back must be zero, too."""
    back = evaluator.return_boundary(points, slide) if len(points) else None
    if back is None:  # the check of the entry reports that
        return
    for chart, boundary in ((slide.chart, slide.surface), (slide.adjacent_chart, back)):
        watched, there = watched_functions(evaluator), points.in_chart(chart)
        error = step_error(evaluator, points.x) + slide_error(evaluator, points)
        zero, _ = zero_tolerance(watched, there, longest_steps(evaluator, there))
        allowed = (2.0 * zero + change_by_errors(watched, there, error))[:, [boundary]]
        value = evaluator.functions.boundaries(there)[:, [boundary]]
        names = [f"{watched.names[boundary]}, the surface of the slide,"]
        report.compare("slides", value, np.zeros_like(value), allowed, where, names)


def check_entries_and_exits(evaluator: Evaluator, report: Report) -> None:
    """Check that a slide begins where both vector fields point at the surface, and ends where one does not."""
    events, name = evaluator.run.events, "slides"
    where = locate_all("event", events.t)
    for event in np.flatnonzero(has_kind(events, "entry")).tolist():
        fault = _entry_fault(evaluator, evaluator.slide_of(event), event)
        report.require(name, [not fault], where[[event]], f"no slide begins there: {fault}")
    for event in np.flatnonzero(has_kind(events, "exit")).tolist():
        fault = _exit_fault(evaluator, event)
        report.require(name, [not fault], where[[event]], f"no slide ends there: {fault}")


def _entry_fault(evaluator: Evaluator, slide: SlidingMode, event: int) -> str:
    """Return why no slide begins at this event, or ""."""
    point, number = evaluator.before_events([event]), evaluator.functions.number
    crossed = evaluator.run.events.crossed[[event]]
    after, chart = evaluator.functions.transitions(point.in_chart(slide.chart), crossed)
    if chart[0] != number(slide.adjacent_chart) or (after != point.x).any():
        return f"the transition leads to chart {chart[0]}, or changes the state"
    if evaluator.return_boundary(point, slide) is None:
        return f"no boundary of chart {number(slide.adjacent_chart)} leads back without changing the state"
    first, second = evaluator.rates(point, slide)
    return "" if first[0] < 0.0 < second[0] else f"the flows approach it at {first[0]:.3g} and {-second[0]:.3g}"


def _exit_fault(evaluator: Evaluator, event: int) -> str:
    """Return why no slide ends at this event, or ""."""
    run, events = evaluator.run, evaluator.run.events
    point = evaluator.before_events([event])
    code = int(point.chart[0])
    if code > SLIDE:
        return "the run does not slide"
    slide = evaluator.slides[SLIDE - code]
    if int(events.crossed[event].argmax()) != slide.surface:
        return f"the run slides along {run.boundaries[slide.surface]}"
    weight = float(evaluator.sliding_weights(point, slide)[0])
    chart = evaluator.functions.number(slide.chart if weight > 0.5 else slide.adjacent_chart)
    if int(events.chart_after[event]) != chart:
        return f"chart_after is {events.chart_after[event]}, expected {chart}"
    # The rates are difference quotients, and the state may be off by the error of a step.
    moved = point.with_states(point.x + step_error(evaluator, point.x))
    off = evaluator.sliding_weights(moved, slide) - weight
    distance = min(abs(weight), abs(weight - 1.0))
    at_end = distance <= DISTANCE_AT_END + 10.0 * float(abs(off[0]))
    return "" if at_end else f"both vector fields still point at the surface, the weight is {weight:.6g}"

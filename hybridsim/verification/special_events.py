"""Events that are no plain crossings: touches, accumulations, the beginnings and ends of slides; and slides."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.memory import EVENT_KINDS, NOWHERE
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.crossings import make_watch, moved_by, rates_along_flow, tolerance
from hybridsim.verification.evaluator import SLIDE, Replay, Slide, kind_of
from hybridsim.verification.report import Places, Report, places
from hybridsim.verification.samples import extension_error
from hybridsim.verification.tolerances import longest_steps, slide_error, step_error

NEARBY = 1e-3
"""How far from a touch, in lengths of a step, its boundary must be higher."""

DIFFERENCES = 1e-7
"""What rates that are differences may be off by, relative to themselves."""


def check_kinds(replay: Replay, report: Report) -> None:
    """Every event is of a known kind, declined only where that kind can be, and has the second chart of its slide."""
    events = replay.run.events
    here = places("event", events.t)
    kinds = np.array(events.kind, dtype=object)
    known = np.isin(events.kind, EVENT_KINDS)
    report.require("kinds of events", known, here, lambda k: f"kind is {kinds[k]!r}, expected one of {EVENT_KINDS}")
    crosses = events.crossed.any(axis=1) | kind_of(events, "input")
    report.require("kinds of events", crosses, here, "crosses no boundary")
    single = kind_of(events, "entry", "exit", "zeno")
    kept = ~(events.declined & (single | kind_of(events, "input")))
    report.require("kinds of events", kept, here, lambda k: f"a declined {kinds[k]}")
    alone = ~single | (events.crossed.sum(axis=1) == 1)
    report.require("kinds of events", alone, here, lambda k: f"{kinds[k]} of several boundaries at once")
    _check_others(replay, report)
    rest = np.array([_rest_chart(replay, k) if kinds[k] == "zeno" else 0 for k in range(len(kinds))], np.int64)
    right = (kinds != "zeno") | (events.chart_after == rest)
    report.require(
        "kinds of events", right, here, lambda k: f"chart_after is {events.chart_after[k]}, expected {rest[k]}"
    )
    stays = ~kind_of(events, "entry") | (events.chart_after == events.chart_before)
    report.require("kinds of events", stays, here, "a slide begins in the chart that the state comes from")


def _check_others(replay: Replay, report: Report) -> None:
    """A slide lasts from its entry to the next jump, and every row and event in it names its other chart."""
    run, events = replay.run, replay.run.events
    name, entry = _about_slides(replay), kind_of(events, "entry")
    begun = dict(zip((events.j[entry] + 1).tolist(), events.adjacent_chart[entry].tolist(), strict=True))
    expected = np.array([begun.get(j, NOWHERE) for j in run.j.tolist()], np.int64)
    zero = np.zeros((1, 1))
    report.compare(name, run.adjacent_chart[:, None], expected[:, None], zero, places("row", run.t), ["adjacent_chart"])
    within = np.array([begun.get(j, NOWHERE) for j in events.j.tolist()], np.int64)
    within = np.where(kind_of(events, "zeno"), NOWHERE, np.where(entry, events.adjacent_chart, within))
    report.compare(
        name, events.adjacent_chart[:, None], within[:, None], zero, places("event", events.t), ["adjacent_chart"]
    )
    last = replay.model.n_charts - 1
    valid = ~entry | (
        (events.adjacent_chart >= 0) & (events.adjacent_chart <= last) & (events.adjacent_chart != events.chart_before)
    )
    report.require(
        name, valid, places("event", events.t), lambda k: f"other is {events.adjacent_chart[k]}, expected a chart"
    )


def _about_slides(replay: Replay) -> str:
    """The name of a check that nothing slides, or that it does so as it should."""
    return "slides" if "entry" in replay.run.events.kind else "kinds of events"


def _rest_chart(replay: Replay, event: int) -> int:
    """Where a run goes on after an accumulation: the boundary's rest chart, or where it is."""
    events, model = replay.run.events, replay.model
    rest = model.boundary_records[int(events.crossed[event].argmax())].rest
    return int(events.chart_before[event]) if rest is None else model.charts.index(rest)


def check_slides(replay: Replay, report: Report) -> None:
    """Along a slide the state stays on its surface, and both flows point at it: the share is between 0 and 1."""
    run, n = replay.run, len(replay.run.t)
    expected, low, high = np.ones(n), np.zeros(n), np.ones(n)
    here, name = places("row", run.t), _about_slides(replay)
    for k, slide in enumerate(replay.slides):
        rows = np.flatnonzero(replay.chart == SLIDE - k)
        expected[rows] = replay.weights(run.t[rows], replay.x[rows], slide)
        _check_on_surface(replay, report, slide, run.t[rows], replay.x[rows], here[rows])
    sliding = replay.chart <= SLIDE
    report.compare(
        name, run.sliding_weight[:, None], expected[:, None], DIFFERENCES * sliding[:, None], here, ["sliding_weight"]
    )
    inside = np.clip(run.sliding_weight, low, high)
    report.compare(
        name,
        run.sliding_weight[:, None],
        inside[:, None],
        1e-6 * np.ones((n, 1)),
        here,
        ["sliding_weight, from 0 to 1,"],
    )


def _check_on_surface(replay: Replay, report: Report, slide: Slide, t: FloatArray, x: FloatArray, here: Places) -> None:
    watch, chart = make_watch(replay), np.full(len(t), slide.chart)
    length = longest_steps(replay, t, x, chart, np.full(len(t), replay.duration))
    error = step_error(replay, x) + slide_error(replay, x, np.full(len(t), SLIDE))
    allowed = 2.0 * tolerance(watch, t, x, chart, length)[0] + moved_by(watch, t, x, chart, error)
    value = replay.surface(t, x, slide)
    names = [f"{watch.names[slide.surface]}, which is slid along,"]
    report.compare("slides", value[:, None], np.zeros((len(t), 1)), allowed[:, [slide.surface]], here, names)


def check_entries_and_exits(replay: Replay, report: Report) -> None:
    """A slide begins where both flows point at a boundary that nothing jumps at, and ends where one does not."""
    events, name = replay.run.events, "slides"
    for k in np.flatnonzero(kind_of(events, "entry")).tolist():
        fault = _entry_fault(replay, replay.slide_of(k), k)
        report.require(name, [not fault], places("event", events.t)[[k]], f"no slide begins there: {fault}")
    for k in np.flatnonzero(kind_of(events, "exit")).tolist():
        fault = _exit_fault(replay, k)
        report.require(name, [not fault], places("event", events.t)[[k]], f"no slide ends there: {fault}")


def _at(replay: Replay, event: int) -> tuple[FloatArray, FloatArray]:
    events = replay.run.events
    return events.t[event : event + 1], replay.padded(events.x_before[event : event + 1])


def _entry_fault(replay: Replay, slide: Slide, event: int) -> str:
    t, x = _at(replay, event)
    crossed = replay.run.events.crossed[event : event + 1].astype(np.int64)
    after, chart = replay.transitions(t, x, np.array([slide.chart]), crossed)
    if chart[0] != replay.number(slide.adjacent_chart) or (after != x).any():
        return f"the transition leads to chart {chart[0]}, or changes the state"
    if replay.way_back(t, x, slide) is None:
        return f"no boundary of chart {replay.number(slide.adjacent_chart)} leads back with the state as it is"
    first, second = replay.rates(t, x, slide)
    return "" if first[0] < 0.0 < second[0] else f"the flows approach it at {first[0]:.3g} and {-second[0]:.3g}"


def _exit_fault(replay: Replay, event: int) -> str:
    run, events = replay.run, replay.run.events
    code = int(replay.chart_at(events.j[event : event + 1])[0])
    if code > SLIDE:
        return "nothing slides"
    slide = replay.slides[SLIDE - code]
    if int(events.crossed[event].argmax()) != slide.surface:
        return f"it is along {run.boundaries[slide.surface]}"
    t, x = _at(replay, event)
    weight = float(replay.weights(t, x, slide)[0])
    chart = replay.number(slide.chart if weight > 0.5 else slide.adjacent_chart)
    if int(events.chart_after[event]) != chart:
        return f"it goes on in chart {events.chart_after[event]}, expected {chart}"
    # The rates are differences, and the state may be off by the error of a step.
    off = replay.weights(t, x + step_error(replay, x), slide) - weight
    far = min(abs(weight), abs(weight - 1.0))
    return (
        "" if far <= 1e-6 + 10.0 * float(abs(off[0])) else f"both flows still point at the surface, share {weight:.6g}"
    )


def check_touches(replay: Replay, report: Report) -> None:
    """A touch is a minimum above zero and within the clearance, and its boundary's policy is as the event says."""
    events, name = replay.run.events, "touches"
    touches = np.flatnonzero(kind_of(events, "touch"))
    if not len(touches):
        return
    watch, engine = make_watch(replay), replay.config.engine
    clearance = engine.stop_precision if engine.touch_precision is None else engine.touch_precision
    t, x = events.t[touches], replay.padded(events.x_before[touches])
    chart, crossed = replay.chart_at(events.j[touches]), events.crossed[touches]
    length = longest_steps(replay, t, x, chart, np.full(len(t), replay.duration))
    n = replay.n_boundaries
    allowed = tolerance(watch, t, x, chart, length)[0][:, :n] - engine.stop_precision
    value = np.where(crossed, replay.boundaries(t, x, chart), clearance)
    nearest = np.clip(value, 0.0, clearance)
    here = Places("event", touches, t)
    report.compare(name, value, nearest, allowed, here, replay.model.boundary_records.names)
    rate = np.where(crossed, rates_along_flow(watch, t, x, chart, length)[:, :n], 0.0)
    away = NEARBY * length[:, None]
    curvature = _rise(replay, t, x, chart, away, value)
    flat = abs(rate) * away <= curvature + allowed + _tilt(replay, t, x, chart, length)[:, :n]
    begins = np.isin(t, replay.run.t[np.append(True, np.diff(replay.run.j) == 1)])
    minimum = (flat | ~crossed).all(axis=1) | begins
    report.require(name, minimum, here, "the boundary has no minimum there")
    for k, event in enumerate(touches):
        declined = bool(events.declined[event])
        policies = {replay.model.boundary_records[int(i)].touch for i in np.flatnonzero(crossed[k])}
        allowed_policies = {"report", "trigger"} if declined else {"trigger"}
        report.require(name, [policies <= allowed_policies], here[[k]], f"a touch by the policy {policies}")


def _tilt(replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, length: FloatArray) -> FloatArray:
    """How much the boundaries differ beside n states by what the slope of an extension may be off by."""
    error = step_error(replay, x) + slide_error(replay, x, chart) + extension_error(replay, t, x, chart, length)
    degree = replay.packed.method.extension.shape[1]
    return moved_by(make_watch(replay), t, x, chart, error * NEARBY * degree**2 / 3.0)


def _rise(
    replay: Replay, t: FloatArray, x: FloatArray, chart: IntArray, away: FloatArray, value: FloatArray
) -> FloatArray:
    """How much higher the boundaries are beside n states, (n, n_boundaries): along a parabola through the flow."""
    f = replay.slopes(t, x, chart)
    bend = (replay.slopes(t + away[:, 0], x + away * f, chart) - f) / away
    sides = [replay.boundaries(t + s * away[:, 0], x + s * away * f + 0.5 * away**2 * bend, chart) for s in (-1.0, 1.0)]
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(abs(0.5 * (sides[0] + sides[1]) - value), posinf=0.0)

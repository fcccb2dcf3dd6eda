"""Jumps: does each transition lead from the state before to the state after? Also outputs, and `validate`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import AT_LIMIT, NOWHERE
from hybridsim.engine.status import Status
from hybridsim.model import DECLINED
from hybridsim.typing import IntArray
from hybridsim.verification.evaluator import WEIGHT_ERROR, Evaluator, has_kind
from hybridsim.verification.findings import locate_all
from hybridsim.verification.points import Points
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import EPSILON, rounding_error

JUMPS_CHECK = "jumps"

LARGEST_ROUNDING = 1e-9
"""Rounding error allowed after a jump at most, as a fraction of the largest state; cancellation may magnify it."""


def check_transitions(evaluator: Evaluator, report: Report) -> None:
    """Check that each crossing leads to the transition's chart and state; a declined one must change nothing."""
    events = evaluator.run.events
    where = locate_all("event", events.t)
    states = [f"{state} after" for state in evaluator.run.states.names]
    touch = has_kind(events, "touch")
    # A touch with `touch="report"` is recorded without a call of the transition.
    with_transition = has_kind(events, "crossing") | (touch & (~events.declined | _triggers(evaluator)))
    with_transition |= evaluator.rests_by_transition
    reported = touch & ~with_transition
    for still in (has_kind(events, "entry", "exit", "input"), reported):
        report.compare_exactly(JUMPS_CHECK, events.x_after[still], events.x_before[still], where[still], states)
    same = ~reported | (events.chart_after == events.chart_before)
    report.require(JUMPS_CHECK, same, where, "a touch that is only reported changes the chart")
    some = np.flatnonzero(with_transition)
    if len(some):
        _check_transitions(evaluator, report, some)


def _triggers(evaluator: Evaluator) -> NDArray[np.bool_]:
    """Return whether a boundary declared `touch="trigger"` crosses in each event, (m,)."""
    triggers = np.array([boundary.touch == "trigger" for boundary in evaluator.model.boundary_records], bool)
    return np.asarray((evaluator.run.events.crossed & triggers).any(axis=1))


def _check_transitions(evaluator: Evaluator, report: Report, some: IntArray) -> None:
    """Call the transitions of these events again, and compare."""
    events, n = evaluator.run.events, evaluator.n_states
    where = locate_all("event", events.t)[some]
    at_limit = evaluator.rests_by_transition[some]
    crossed = np.where(at_limit[:, None], AT_LIMIT, 1) * events.crossed[some]
    recorded = events.declined[some]
    x = evaluator.padded(events.x_before[some])
    points = Points(events.t[some], x, _transition_charts(evaluator, some))
    after, chart = evaluator.functions.transitions(points, crossed)
    declined = chart == DECLINED
    report.require(
        JUMPS_CHECK,
        (declined == recorded) | at_limit,
        where,
        lambda k: f"is {'' if recorded[k] else 'not '}declined, but the transition returns {chart[k]}",
    )
    chart_after = np.where(declined, events.chart_before[some], chart)
    report.compare_exactly(JUMPS_CHECK, events.chart_after[some], chart_after, where, "chart after")
    rounding = rounding_error(evaluator, lambda moved: evaluator.functions.transitions(moved, crossed)[0], points)
    largest = np.maximum(abs(x), abs(after))
    allowed = 16.0 * EPSILON * largest + np.minimum(rounding, LARGEST_ROUNDING * largest.max(axis=1, keepdims=True))
    expected, allowed = (np.where(declined[:, None], kept, new) for kept, new in ((x, after), (0.0, allowed)))
    names = [f"{state} after" for state in evaluator.run.states.names]
    report.compare(JUMPS_CHECK, events.x_after[some], expected[:, :n], allowed[:, :n], where, names)


def _transition_charts(evaluator: Evaluator, some: IntArray) -> IntArray:
    """Return the charts whose transitions are called at these events: (n,).

    It is the chart of the event; on a slide, the adjacent one if only boundaries of that chart cross.
    """
    events, code = evaluator.run.events, evaluator.functions.code
    charts = code(events.chart_before[some], events.j[some])
    adjacent = events.adjacent_chart[some]
    adjacent = np.where(adjacent >= 0, code(adjacent, events.j[some]), NOWHERE)
    points = Points(events.t[some], evaluator.padded(events.x_before[some]), charts)
    for k in np.flatnonzero(adjacent >= 0):
        active = np.isfinite(evaluator.boundaries(points[[k]]))[0]
        if not (active & events.crossed[some[k]]).any():
            charts[k] = adjacent[k]
    return charts


def check_outputs(evaluator: Evaluator, report: Report) -> None:
    """Check that the recorded outputs are those of the output function at the rows."""
    run, model = evaluator.run, evaluator.model
    columns = [model.columns.names.index(name) for name in run.outputs.names]
    points = evaluator.rows()
    y = evaluator.outputs(points)[:, columns]
    with np.errstate(invalid="ignore"):
        rounding = rounding_error(evaluator, lambda moved: evaluator.outputs(moved)[:, columns], points)
        allowed = rounding + 16.0 * EPSILON * abs(y)
    allowed += WEIGHT_ERROR * evaluator.difference(evaluator.functions.outputs, points)[:, columns]
    report.compare("outputs", run.y, y, allowed, locate_all("row", run.t), run.outputs.names)


def check_validity(evaluator: Evaluator, report: Report) -> None:
    """Check that `validate` reports no error where the engine calls it: at ends of steps, at events, and after jumps.

    The engine does not call it at samples between steps, nor after a change of inputs that triggers a boundary at the
    same instant. A state that lies on a boundary may be invalid by rounding.
    """
    run, jump = evaluator.run, np.diff(evaluator.run.j) == 1
    bad = evaluator.has_error(evaluator.rows())
    called = np.ones(len(bad), bool)
    if evaluator.config.record.period is not None:
        called = np.append(jump, True) | np.append(True, jump)
    inputs_changed = np.isin(run.j - 1, run.events.j[has_kind(run.events, "input")])
    jumps_again = np.append(jump & (np.diff(run.t) == 0.0), False)
    passing = inputs_changed & np.append(False, jump) & jumps_again
    suspects = np.flatnonzero(bad & called & ~passing)
    if run.status is Status.LEFT_CHART:
        suspects = suspects[suspects < len(run.t) - 1]
    points = evaluator.rows(suspects)
    back = 8.0 * np.spacing(abs(points.t))
    earlier = evaluator.has_error(points.moved(-back, -back[:, None] * evaluator.slopes(points)))
    on_boundary = np.append(jump, False)[suspects] & ~earlier
    ok = np.ones(len(bad), bool)
    ok[suspects[~on_boundary]] = False
    report.require("validity", ok, locate_all("row", run.t), "the model's `validate` reports an error there")

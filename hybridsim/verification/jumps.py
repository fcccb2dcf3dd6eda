"""At the events: does the transition lead from the state before to the state after?"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.status import Status
from hybridsim.model import DECLINED
from hybridsim.verification.replay import EPSILON, Replay, rounding
from hybridsim.verification.report import Report, places

CANCELLATION = 1e-9
"""Rounding may be magnified to this share of the largest state, and no more."""


def check_transitions(replay: Replay, report: Report) -> None:
    """Each event's chart and state are what the transition returns; a declined one changes nothing."""
    run, events, name = replay.run, replay.run.events, "jumps"
    if not len(events):
        return
    here, n = places("event", events.t), replay.n_states
    x, crossed = replay.padded(events.x_before), events.crossed.astype(np.int64)
    after, chart = replay.transitions(events.t, x, events.chart_before, crossed)
    declined = chart == DECLINED
    report.require(
        name,
        declined == events.declined,
        here,
        lambda k: f"is {'' if events.declined[k] else 'not '}declined, but the transition returns {chart[k]}",
    )
    kept = declined[:, None]
    chart = np.where(declined, events.chart_before, chart)
    report.compare(name, events.chart_after[:, None], chart[:, None], np.zeros((1, 1)), here, ["chart after"])
    noise = rounding(lambda t, x, *_: replay.transitions(t, x, events.chart_before, crossed)[0], events.t, x)
    largest = np.maximum(abs(x), abs(after))
    allowed = 16.0 * EPSILON * largest + np.minimum(noise, CANCELLATION * largest.max(axis=1, keepdims=True))
    expected, allowed = np.where(kept, x, after), np.where(kept, 0.0, allowed)
    names = [f"{state} after" for state in run.states.names]
    report.compare(name, events.x_after, expected[:, :n], allowed[:, :n], here, names)


def check_outputs(replay: Replay, report: Report) -> None:
    """Outputs are the output function at the rows."""
    run, model = replay.run, replay.model
    columns = [(model.outputs or model.states).names.index(name) for name in run.outputs.names]
    y = replay.outputs(run.t, replay.x, run.chart)[:, columns]
    with np.errstate(invalid="ignore"):
        noise = rounding(lambda t, x, c: replay.outputs(t, x, c)[:, columns], run.t, replay.x, run.chart)
        allowed = noise + 16.0 * EPSILON * abs(y)
    report.compare("outputs", run.y, y, allowed, places("row", run.t), run.outputs.names)


def check_validity(replay: Replay, report: Report) -> None:
    """`validate` reports no error where the engine asks it: at steps' ends, at events, and after jumps.

    Samples between steps are not asked, and a state that lies on a boundary may be invalid by rounding.
    """
    run = replay.run
    bad = replay.errors(run.t, replay.x, run.chart)
    jump = np.diff(run.j) == 1
    asked = np.ones(len(bad), bool)
    if replay.config.record.period is not None:
        asked = np.append(jump, True) | np.append(True, jump)
    suspects = np.flatnonzero(bad & asked)
    if run.status is Status.LEFT_CHART:
        suspects = suspects[suspects < len(run.t) - 1]
    t, x, chart = run.t[suspects], replay.x[suspects], run.chart[suspects]
    back = 8.0 * np.spacing(abs(t))
    earlier = replay.errors(t - back, x - back[:, None] * replay.slopes(t, x, chart), chart)
    on_boundary = np.append(jump, False)[suspects] & ~earlier
    ok = np.ones(len(bad), bool)
    ok[suspects[~on_boundary]] = False
    report.require("validity", ok, places("row", run.t), "the model's own check reports an error there")

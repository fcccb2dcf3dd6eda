"""At the events: does the transition lead from the state before to the state after?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.status import Status
from hybridsim.model import DECLINED
from hybridsim.verification.evaluator import EPSILON, SLIDE, Replay, kind_of, rounding
from hybridsim.verification.report import Report, places

CANCELLATION = 1e-9
"""Rounding may be magnified to this share of the largest state, and no more."""

SHARES = 1e-6
"""What the shares of the charts of a slide may make of an output."""


def check_transitions(replay: Replay, report: Report) -> None:
    """Each crossing's chart and state are what the transition returns; a declined one changes nothing."""
    events, name = replay.run.events, "jumps"
    still = kind_of(events, "entry", "exit", "input")
    here = places("event", events.t)
    states = [f"{state} after" for state in replay.run.states.names]
    report.compare(
        name, events.x_after[still], events.x_before[still], np.zeros((1, replay.n_states)), here[still], states
    )
    # A touch that is only reported asks nobody.
    plain = kind_of(events, "crossing") | (kind_of(events, "touch") & (~events.declined | _triggers(replay)))
    some = np.flatnonzero(plain)
    silent = kind_of(events, "touch") & ~plain
    report.compare(
        name, events.x_after[silent], events.x_before[silent], np.zeros((1, replay.n_states)), here[silent], states
    )
    same = ~silent | (events.chart_after == events.chart_before)
    report.require(name, same, here, "a touch that changes the chart")
    if len(some):
        _check_transitions(replay, report, some)


def _triggers(replay: Replay) -> NDArray[np.bool_]:
    """At which events a boundary crosses whose touches trigger its transition."""
    triggers = np.array([boundary.touch == "trigger" for boundary in replay.model.boundary_records], bool)
    return np.asarray((replay.run.events.crossed & triggers).any(axis=1))


def _check_transitions(replay: Replay, report: Report, some: NDArray[np.int64]) -> None:
    events, name, n = replay.run.events, "jumps", replay.n_states
    here = places("event", events.t)[some]
    t, x, crossed = events.t[some], replay.padded(events.x_before[some]), events.crossed[some].astype(np.int64)
    asked, recorded = _asked(replay, some), events.declined[some]
    after, chart = replay.transitions(t, x, asked, crossed)
    declined = chart == DECLINED
    report.require(
        name,
        declined == recorded,
        here,
        lambda k: f"is {'' if recorded[k] else 'not '}declined, but the transition returns {chart[k]}",
    )
    chart = np.where(declined, events.chart_before[some], chart)
    report.compare(name, events.chart_after[some, None], chart[:, None], np.zeros((1, 1)), here, ["chart after"])
    noise = rounding(lambda t, x, *_: replay.transitions(t, x, asked, crossed)[0], t, x)
    largest = np.maximum(abs(x), abs(after))
    allowed = 16.0 * EPSILON * largest + np.minimum(noise, CANCELLATION * largest.max(axis=1, keepdims=True))
    kept = declined[:, None]
    expected, allowed = np.where(kept, x, after), np.where(kept, 0.0, allowed)
    names = [f"{state} after" for state in replay.run.states.names]
    report.compare(name, events.x_after[some], expected[:, :n], allowed[:, :n], here, names)


def _asked(replay: Replay, some: NDArray[np.int64]) -> NDArray[np.int64]:
    """The chart whose transition is asked: that of the event, or the other of a slide if only its boundaries cross."""
    events = replay.run.events
    asked = replay.coded(events.chart_before[some], events.j[some])
    other = np.where(
        events.adjacent_chart[some] >= 0, replay.coded(events.adjacent_chart[some], events.j[some]), NOWHERE
    )
    for k in np.flatnonzero(other >= 0):
        at = events.t[some[k] : some[k] + 1], replay.padded(events.x_before[some[k] : some[k] + 1])
        first = np.isfinite(replay.boundaries(*at, asked[k : k + 1]))[0]
        if not (first & events.crossed[some[k]]).any():
            asked[k] = other[k]
    return asked


def check_outputs(replay: Replay, report: Report) -> None:
    """Outputs are the output function at the rows."""
    run, model = replay.run, replay.model
    columns = [(model.output_records or model.states).names.index(name) for name in run.outputs.names]
    y = replay.outputs(run.t, replay.x, replay.chart)[:, columns]
    with np.errstate(invalid="ignore"):
        noise = rounding(lambda t, x, c: replay.outputs(t, x, c)[:, columns], run.t, replay.x, replay.chart)
        allowed = noise + 16.0 * EPSILON * abs(y)
    # The share of each chart of a slide comes from differences.
    allowed += (replay.chart <= SLIDE)[:, None] * SHARES * (1.0 + abs(y))
    report.compare("outputs", run.y, y, allowed, places("row", run.t), run.outputs.names)


def check_validity(replay: Replay, report: Report) -> None:
    """`validate` reports no error where the engine asks it: at steps' ends, at events, and after jumps.

    It is not asked after a change of inputs that makes something cross at that very time.

    Samples between steps are not asked, and a state that lies on a boundary may be invalid by rounding.
    """
    run = replay.run
    bad = replay.errors(run.t, replay.x, replay.chart)
    jump = np.diff(run.j) == 1
    asked = np.ones(len(bad), bool)
    if replay.config.record.period is not None:
        asked = np.append(jump, True) | np.append(True, jump)
    changed = np.isin(run.j - 1, run.events.j[kind_of(run.events, "input")])
    passing = changed & np.append(False, jump) & np.append(jump & (np.diff(run.t) == 0.0), False)
    suspects = np.flatnonzero(bad & asked & ~passing)
    if run.status is Status.LEFT_CHART:
        suspects = suspects[suspects < len(run.t) - 1]
    t, x, chart = run.t[suspects], replay.x[suspects], replay.chart[suspects]
    back = 8.0 * np.spacing(abs(t))
    earlier = replay.errors(t - back, x - back[:, None] * replay.slopes(t, x, chart), chart)
    on_boundary = np.append(jump, False)[suspects] & ~earlier
    ok = np.ones(len(bad), bool)
    ok[suspects[~on_boundary]] = False
    report.require("validity", ok, places("row", run.t), "the model's own check reports an error there")

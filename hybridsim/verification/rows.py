"""Rows and events as one hybrid arc: in order of (t, j), one chart to an epoch, two rows to a jump."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.status import Status
from hybridsim.typing import IntArray
from hybridsim.verification.evaluator import EPSILON, Replay
from hybridsim.verification.report import Places, Report, places


def check_order(replay: Replay, report: Report) -> None:
    """Is t nondecreasing, does j grow by one at each jump and nowhere else, has each epoch one chart that exists?"""
    run = replay.run
    t, j, chart = run.t, run.j, run.chart
    here = places("row", t)
    dt, dj = np.diff(t), np.diff(j)
    report.demand("order of t and j", int(j[0]) == 0, "row 0", f"j is {j[0]}, expected 0")
    report.require(
        "order of t and j", (dj == 0) | (dj == 1), here[1:], lambda k: f"j goes from {j[k]} to {j[k + 1]}, expected +1"
    )
    report.require(
        "order of t and j",
        np.where(dj == 0, dt > 0.0, dt == 0.0),
        here[1:],
        lambda k: (
            f"t goes on by {dt[k]:.9g} s while j goes on by {dj[k]}; it grows within an epoch and never at a jump"
        ),
    )
    last = replay.model.n_charts - 1
    report.require(
        "charts", (chart >= 0) & (chart <= last), here, lambda k: f"chart is {chart[k]}, expected 0 to {last}"
    )
    report.require(
        "charts",
        (dj != 0) | (np.diff(chart) == 0),
        here[1:],
        lambda k: f"chart changes from {chart[k]} to {chart[k + 1]} without a jump",
    )


def check_start(replay: Replay, report: Report) -> None:
    """The first row is the initial state of the config, as `initial_chart` leaves it."""
    run, packed = replay.run, replay.packed
    x = packed.workspace.x[: replay.n_states]
    here = places("row", run.t)[:1]
    # The same sums may be rounded otherwise on another machine.
    report.compare("start", run.x[:1], x[None], 64.0 * EPSILON * abs(x).max() * np.ones_like(x), here, run.states.names)
    begin = replay.config.initial_time
    report.demand("start", run.t[0] == begin, "row 0", f"t is {run.t[0]!s}, expected the initial time {begin!r}")
    chart = int(packed.state["chart"][0])
    report.demand("start", int(run.chart[0]) == chart, "row 0", f"chart is {run.chart[0]}, expected {chart}")


def check_jump_rows(replay: Replay, report: Report) -> None:
    """The rows on both sides of each jump are the states of its event."""
    run, events, name = replay.run, replay.run.events, "rows at jumps"
    jumps = np.flatnonzero(~events.declined)
    before = np.flatnonzero(np.diff(run.j) == 1)
    report.demand(
        name, len(jumps) == len(before), "events", f"{len(jumps)} jumps, but j grows {len(before)} times in the rows"
    )
    if len(jumps) != len(before):
        return
    here = Places("event", jumps, events.t[jumps])
    chart_before, chart_after = events.chart_before[jumps], events.chart_after[jumps]
    zero = np.zeros((1, 1))
    states, n = run.states.names, replay.n_states
    report.compare(name, events.t[jumps, None], run.t[before, None], zero, here, ["t"])
    report.compare(name, events.j[jumps, None], run.j[before, None], zero, here, ["j"])
    report.compare(name, events.x_before[jumps], run.x[before], np.zeros(n), here, [f"{s} before" for s in states])
    report.compare(name, events.x_after[jumps], run.x[before + 1], np.zeros(n), here, [f"{s} after" for s in states])
    report.compare(name, chart_before[:, None], run.chart[before, None], zero, here, ["chart before"])
    kept = np.arange(len(jumps)) < len(jumps) - (run.status is Status.UNKNOWN_CHART)
    chart_after = np.where(kept, chart_after, run.chart[before + 1])
    report.compare(name, chart_after[:, None], run.chart[before + 1, None], zero, here, ["chart after"])


def check_event_order(replay: Replay, report: Report) -> None:
    """Events are in order, and declined ones lie in the epoch whose j they have."""
    run, events, name = replay.run, replay.run.events, "order of events"
    here = places("event", events.t)
    report.require(
        name, np.diff(events.t) >= 0.0, here[1:], lambda k: f"t goes back from {events.t[k]!s} to {events.t[k + 1]!s}"
    )
    jumps_before: IntArray = np.cumsum(~events.declined) - ~events.declined
    report.require(
        name, events.j == jumps_before, here, lambda k: f"j is {events.j[k]}, expected {jumps_before[k]} jumps before"
    )
    first, last = np.searchsorted(run.j, events.j), np.searchsorted(run.j, events.j, side="right") - 1
    inside = (first <= last) & (first < len(run.t))
    report.require(name, inside, here, lambda k: f"j is {events.j[k]}, which no row has")
    if inside.all():
        report.require(
            name,
            (events.t >= run.t[first]) & (events.t <= run.t[last]),
            here,
            lambda k: f"lies outside its epoch, which goes from {run.t[first[k]]!s} to {run.t[last[k]]!s}",
        )


def check_sampling(replay: Replay, report: Report) -> None:
    """Rows are where the config asks for them: at the multiples of the period, at jumps, at the start and the end."""
    run, record, name = replay.run, replay.config.record, "record times"
    if replay.every_step:
        return
    jump = np.diff(run.j) == 1
    kept = np.append(jump, True) | np.append(True, jump)
    here = places("row", run.t)
    if record.period is None:
        report.require(name, kept, here, "is neither the start, nor the end, nor at a jump")
        return
    k = np.round(run.t / record.period)
    report.require(name, kept | (k * record.period == run.t), here, f"is at no multiple of {record.period!r}")
    multiples = np.arange(np.ceil(run.t[0] / record.period), np.floor(run.t[-1] / record.period) + 1.0) * record.period
    multiples = multiples[(multiples >= run.t[0]) & (multiples <= run.t[-1])]
    missing = multiples[~np.isin(multiples, run.t)]
    report.demand(name, len(missing) == 0, "rows", f"none at t = {missing[:3].tolist()} s, multiples of the period")

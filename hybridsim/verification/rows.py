"""Rows and events as a hybrid arc: in order of (t, j), with one chart in each epoch and two rows at each jump."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.status import Status
from hybridsim.typing import IntArray
from hybridsim.verification.evaluator import Evaluator
from hybridsim.verification.findings import locate_all
from hybridsim.verification.report import Report
from hybridsim.verification.tolerances import EPSILON


def check_order(evaluator: Evaluator, report: Report) -> None:
    """Check that time grows within epochs, j by one at each jump only, and each epoch has one existing chart."""
    run = evaluator.run
    t, j, chart = run.t, run.j, run.chart
    where, name = locate_all("row", t), "order of t and j"
    dt, dj = np.diff(t), np.diff(j)
    report.require_once(name, int(j[0]) == 0, "row 0", f"j is {j[0]}, expected 0")
    report.require(
        name, (dj == 0) | (dj == 1), where[1:], lambda k: f"j changes from {j[k]} to {j[k + 1]}, expected +1"
    )
    report.require(
        name,
        np.where(dj == 0, dt > 0.0, dt == 0.0),
        where[1:],
        lambda k: f"t grows by {dt[k]:.9g} s and j by {dj[k]}; t must grow within an epoch and stay at a jump",
    )
    last = evaluator.model.n_charts - 1
    existing = (chart >= 0) & (chart <= last)
    report.require("charts", existing, where, lambda k: f"chart is {chart[k]}, expected 0 to {last}")
    report.require(
        "charts",
        (dj != 0) | (np.diff(chart) == 0),
        where[1:],
        lambda k: f"chart changes from {chart[k]} to {chart[k + 1]} without a jump",
    )


def check_start(evaluator: Evaluator, report: Report) -> None:
    """Check that the first row is the initial state of the config, after `initial_chart`."""
    run, packed = evaluator.run, evaluator.packed
    x = packed.workspace.x[: evaluator.n_states]
    where = locate_all("row", run.t)[:1]
    # Another machine may round the same sums differently.
    allowed = 64.0 * EPSILON * abs(x).max() * np.ones_like(x)
    report.compare("start", run.x[:1], x[None], allowed, where, run.states.names)
    begin = evaluator.config.initial_time
    report.require_once("start", run.t[0] == begin, "row 0", f"t is {run.t[0]!s}, expected the initial time {begin!r}")
    chart = int(packed.state["chart"][0])
    report.require_once("start", int(run.chart[0]) == chart, "row 0", f"chart is {run.chart[0]}, expected {chart}")


def check_jump_rows(evaluator: Evaluator, report: Report) -> None:
    """Check that the rows on both sides of each jump are the states of its event."""
    run, events, name = evaluator.run, evaluator.run.events, "rows at jumps"
    jumps = np.flatnonzero(~events.declined)
    before = np.flatnonzero(np.diff(run.j) == 1)
    differ = f"there are {len(jumps)} jumps, but j grows {len(before)} times in the rows"
    report.require_once(name, len(jumps) == len(before), "events", differ)
    if len(jumps) != len(before):
        return
    where = locate_all("event", events.t)[jumps]
    for column in ("t", "j"):
        report.compare_exactly(name, getattr(events, column)[jumps], getattr(run, column)[before], where, column)
    states = run.states.names
    report.compare_exactly(name, events.x_before[jumps], run.x[before], where, [f"{s} before" for s in states])
    report.compare_exactly(name, events.x_after[jumps], run.x[before + 1], where, [f"{s} after" for s in states])
    report.compare_exactly(name, events.chart_before[jumps], run.chart[before], where, "chart before")
    # A run that ends with UNKNOWN_CHART has no row in the chart that its last event names.
    in_rows = np.arange(len(jumps)) < len(jumps) - (run.status is Status.UNKNOWN_CHART)
    chart_after = np.where(in_rows, events.chart_after[jumps], run.chart[before + 1])
    report.compare_exactly(name, chart_after, run.chart[before + 1], where, "chart after")


def check_event_order(evaluator: Evaluator, report: Report) -> None:
    """Check that events are in order, and that each lies in the epoch of its j."""
    run, events, name = evaluator.run, evaluator.run.events, "order of events"
    where = locate_all("event", events.t)
    ordered = np.diff(events.t) >= 0.0
    report.require(name, ordered, where[1:], lambda k: f"t decreases from {events.t[k]!s} to {events.t[k + 1]!s}")
    jumps_before: IntArray = np.cumsum(~events.declined) - ~events.declined
    counted = events.j == jumps_before
    report.require(name, counted, where, lambda k: f"j is {events.j[k]}, but there are {jumps_before[k]} jumps before")
    first, last = np.searchsorted(run.j, events.j), np.searchsorted(run.j, events.j, side="right") - 1
    inside = (first <= last) & (first < len(run.t))
    report.require(name, inside, where, lambda k: f"j is {events.j[k]}, but no row has that j")
    if inside.all():
        report.require(
            name,
            (events.t >= run.t[first]) & (events.t <= run.t[last]),
            where,
            lambda k: f"lies outside its epoch, which lasts from {run.t[first[k]]!s} to {run.t[last[k]]!s}",
        )


def check_kept_events(evaluator: Evaluator, report: Report) -> None:
    """Check that of the events, of which a part is recorded, those are there that the config asks for, and in order."""
    run, events, wanted = evaluator.run, evaluator.run.events, evaluator.config.record.events
    name, total = "events that are recorded", int(run.statistics["events"])
    where = locate_all("event", events.t)
    if isinstance(wanted, int):
        expected = total // wanted
        report.require_once(name, len(events) == expected, "events", f"there are {len(events)}, expected {expected}")
    else:
        asked_for = np.array([kind in wanted for kind in events.kind], bool)
        report.require(name, asked_for, where, lambda k: f"{events.kind[k]} is none of {wanted}")
    ordered = (np.diff(events.t) >= 0.0) & (np.diff(events.j) >= 0)
    report.require(name, ordered, where[1:], "t or j decreases")
    inside = (events.t >= run.t[0]) & (events.t <= run.t[-1])
    report.require(name, inside, where, "lies outside the run")


def check_sampling(evaluator: Evaluator, report: Report) -> None:
    """Check that rows are at multiples of the config's period, at jumps, at both ends of the run, and nowhere else."""
    run, record, name = evaluator.run, evaluator.config.record, "record times"
    if evaluator.every_step:
        return
    jump = np.diff(run.j) == 1
    always = np.append(jump, True) | np.append(True, jump)
    where = locate_all("row", run.t)
    if record.period is None:
        report.require(name, always, where, "is neither the start, nor the end, nor at a jump")
        return
    k = np.round(run.t / record.period)
    on_multiple = k * record.period == run.t
    report.require(name, always | on_multiple, where, f"is not at a multiple of {record.period!r}")
    multiples = np.arange(np.ceil(run.t[0] / record.period), np.floor(run.t[-1] / record.period) + 1.0) * record.period
    multiples = multiples[(multiples >= run.t[0]) & (multiples <= run.t[-1])]
    missing = multiples[~np.isin(multiples, run.t)]
    what = f"missing at the multiples {missing[:3].tolist()} s of the period"
    report.require_once(name, len(missing) == 0, "rows", what)

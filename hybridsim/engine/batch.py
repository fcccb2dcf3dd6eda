"""Many runs of one model in a row: another state, other parameters each time; of each, some numbers are kept.

The loop calls the same `advance` as a single run does, so that both agree to the last bit. Before each run the engine's
memory is put back to what it was before the first; then the run's own values are written into it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.compilation import compile_entry
from hybridsim.engine.entry import Machine, call_machine
from hybridsim.engine.log import log_row
from hybridsim.engine.memory import NOW, NOWHERE, blocks, record
from hybridsim.engine.signatures import (
    INITIAL_CHART,
    OUTPUTS,
    call_extra_output,
    call_initial_chart,
    call_outputs,
    kernel,
    pointers,
)
from hybridsim.engine.sliding import LARGEST_PROBE, weight_at
from hybridsim.engine.status import GO_ON, Status

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

UNKNOWN_CHART = Status.UNKNOWN_CHART.value
NON_FINITE_STATE = Status.NON_FINITE_STATE.value

PARAMETER, INITIAL, REAL_SETTING, WHOLE_SETTING = range(4)
"""Where the values of an axis go: `Batch.axis_kind`."""

STATUS, COUNT, EVENT_TIME, FINAL, LOWEST, HIGHEST, MEAN, STATISTIC = range(8)
"""What a metric is: `Batch.metric_kind`."""

TIME, STATE, OUTPUT, EXTRA = range(4)
"""What a quantity is: `Batch.source`."""

ENDS, STEPS, INTERIOR = range(3)
"""Where quantities are looked at: where runs end; at every step's ends and both sides of jumps; within steps too."""

CHUNK = 256
"""Steps and events between two looks at the log: it stays in the processor's cache."""

GAUSS_NODES = 0.5 - math.sqrt(0.15), 0.5, 0.5 + math.sqrt(0.15)
GAUSS_WEIGHTS = 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0
"""Of Gauss's quadrature with three nodes on [0, 1], exact up to degree 5."""

SIZES = np.dtype([
    (name, "i8")
    for name in ("address", "place", "chunk", "n_axes", "n_metrics", "n_quantities", "n_outputs", "n_reals", "n_words",
                 "has_initial_chart", "calls_outputs", "looks", "carried")
])  # fmt: skip


class Batch(NamedTuple):
    """What runs in a row need besides the arrays of one."""

    sizes: Any
    reals: Array  # the run's work space, and what it is before a run
    reals_before: Array
    words: Integers
    words_before: Integers
    now: Integers  # the run's record NOW, word by word
    now_before: Integers
    settings_reals: Array  # the settings, word by word, as doubles and as integers
    settings_words: Integers
    axis_kind: Integers  # (n_axes,)
    axis_place: Integers
    values: Array  # (n_runs, n_axes)
    metric_kind: Integers  # (n_metrics,)
    metric_place: Integers  # of a boundary, a quantity or a statistic
    metric_number: Integers
    seen: Integers  # (n_metrics,) events of the metric's boundary so far
    source: Integers  # (n_quantities,)
    source_place: Integers
    quantity: Array  # (n_quantities,) where the run was looked at last
    lowest: Array
    highest: Array
    integral: Array
    y: Array  # (n_outputs,)
    y_other: Array
    extra_outputs: Integers  # addresses
    x_here: Array  # (width,)
    table: Array  # (n_runs, n_metrics) the results
    stop: Integers  # (1,) nonzero: stop at once


def make_batch(
    machine: Machine,
    axes: list[tuple[int, int]],
    metrics: list[tuple[int, int, int]],
    quantities: list[tuple[int, int]],
    extra_outputs: list[int],
    n_outputs: int,
    has_initial_chart: bool,
    looks: int,
) -> Batch:
    """Runs like the one that `machine` is about to begin; values, table and stop are still to be given.

    Of each axis kind and place; of each metric kind, place and number; of each quantity source and place; the extra
    outputs by their addresses. `looks` : ENDS, STEPS or INTERIOR.
    """

    def column(rows: list[Any], place: int) -> Integers:
        return np.array([row[place] for row in rows] + [0], np.int64)  # none of the arrays is empty

    reals, words = blocks(machine.work)
    now, settings = machine.now.view(np.int64), machine.problem.settings
    sizes = record(
        SIZES,
        address=machine.address,
        place=machine.place,
        chunk=CHUNK,
        n_axes=len(axes),
        n_metrics=len(metrics),
        n_quantities=len(quantities),
        n_outputs=n_outputs,
        n_reals=len(reals),
        n_words=len(words),
        has_initial_chart=has_initial_chart,
        calls_outputs=any(source == OUTPUT for source, _ in quantities),
        looks=looks,
    )
    some = len(quantities) + 1
    return Batch(
        sizes=sizes,
        reals=reals,
        reals_before=reals.copy(),
        words=words,
        words_before=words.copy(),
        now=now,
        now_before=now.copy(),
        settings_reals=settings.view(np.float64),
        settings_words=settings.view(np.int64),
        axis_kind=column(axes, 0),
        axis_place=column(axes, 1),
        values=np.zeros((0, len(axes))),
        metric_kind=column(metrics, 0),
        metric_place=column(metrics, 1),
        metric_number=column(metrics, 2),
        seen=np.zeros(len(metrics) + 1, np.int64),
        source=column(quantities, 0),
        source_place=column(quantities, 1),
        quantity=np.zeros(some),
        lowest=np.zeros(some),
        highest=np.zeros(some),
        integral=np.zeros(some),
        y=np.zeros(n_outputs + 1),
        y_other=np.zeros(n_outputs + 1),
        extra_outputs=np.array([*extra_outputs, 0], np.int64),
        x_here=np.zeros_like(machine.work.x),
        table=np.zeros((0, len(metrics))),
        stop=np.zeros(1, np.int64),
    )


def _run_batch(problem, now, work, log, weigher, batch, n):
    """Make n runs, or fewer if they are stopped; returns how many. `weigher` : a copy of `now` to work with."""
    problem, work, log, b = pointers(problem), pointers(work), pointers(log), pointers(batch)
    state, bench = now[0], weigher[0]
    for run in range(n):
        outcome = begin(problem, state, work, b, run)
        if outcome != GO_ON:
            observe(problem, state, bench, work, log, b, run, outcome)
        while outcome == GO_ON:
            outcome = call_machine(b.sizes.address, b.sizes.place, b.sizes.chunk)
            observe(problem, state, bench, work, log, b, run, outcome)
            if b.stop[0] != 0:
                return run
        conclude(problem, state, bench, work, b, run, outcome)
    return n


@kernel
def begin(problem, now, work, b, run):
    """Everything as before the first run; then this run's values, and its initial chart."""
    sizes = b.sizes
    for m in range(sizes.n_reals):
        b.reals[m] = b.reals_before[m]
    for m in range(sizes.n_words):
        b.words[m] = b.words_before[m]
    for m in range(NOW_WORDS):
        b.now[m] = b.now_before[m]
    for a in range(sizes.n_axes):
        assign(problem, work, b, b.axis_kind[a], b.axis_place[a], b.values[run * sizes.n_axes + a])
    for q in range(sizes.n_quantities):
        b.lowest[q], b.highest[q], b.integral[q] = np.inf, -np.inf, 0.0
    for k in range(sizes.n_metrics):
        b.seen[k] = 0
        b.table[run * sizes.n_metrics + k] = np.nan
    sizes.carried = 0
    return settle(problem, now, work, b)


@kernel
def assign(problem, work, b, kind, place, value):
    if kind == PARAMETER:
        problem.p[place] = value
    elif kind == INITIAL:
        work.x[place] = value
    elif kind == REAL_SETTING:
        b.settings_reals[place] = value
    else:
        b.settings_words[place] = int(value)


@kernel
def settle(problem, now, work, b):
    """The model's own initial state and chart; GO_ON, or why the run cannot begin."""
    settings = problem.settings
    for m in range(settings.width):
        b.x_here[m] = work.x[m]
    if b.sizes.has_initial_chart:
        chart = call_initial_chart(problem.functions[INITIAL_CHART], work.x, now.t, b.x_here, problem.p)
        if chart < 0 or chart >= settings.n_charts:
            now.detail = chart
            return UNKNOWN_CHART
        now.chart = chart
    for m in range(settings.n_states):
        if not math.isfinite(work.x[m]):
            now.detail = m
            return NON_FINITE_STATE
    for s in range(settings.n_stops):
        work.stop_side[s] = side(work.x[problem.stop_state[s]] - problem.stop_value[s])
    return GO_ON


@kernel
def side(difference):
    if difference > 0.0:
        return 1.0
    return -1.0 if difference < 0.0 else 0.0


@kernel
def observe(problem, now, bench, work, log, b, run, outcome):
    """What the last chunk has logged, into the metrics; empties the log."""
    for event in range(now.events):
        note_event(problem, log, b, run, event)
    now.events = 0
    if b.sizes.looks != ENDS:
        if outcome != GO_ON:
            last = log_row(problem, now, log, now.t, now.chart, now.other, now.surface, work.x)
            log.step[last] = 0.0
        look_at_rows(problem, now, bench, work, log, b)


@kernel
def note_event(problem, log, b, run, event):
    """Count what crossed, and note when, if somebody waits for this one."""
    first = event * problem.settings.n_boundaries
    for k in range(b.sizes.n_metrics):
        if counts_events(b.metric_kind[k]) and log.event_crossed[first + b.metric_place[k]]:
            b.seen[k] += 1
            if b.metric_kind[k] == EVENT_TIME and b.seen[k] == b.metric_number[k]:
                b.table[run * b.sizes.n_metrics + k] = log.event_t[event]


@kernel
def counts_events(kind):
    return COUNT <= kind <= EVENT_TIME


@kernel
def look_at_rows(problem, now, bench, work, log, b):
    """Extremes at the rows of the log, integrals between them; the last row waits for the one after it."""
    sizes = b.sizes
    for row in range(sizes.carried, now.rows):
        take_row(problem, log, b, row)
        look(problem, now, bench, work, b, log.t[row], log.chart[row], log.other[row], log.surface[row], b.x_here)
        for q in range(sizes.n_quantities):
            value = b.quantity[q]
            if value < b.lowest[q] or value != value:
                b.lowest[q] = value
            if value > b.highest[q] or value != value:
                b.highest[q] = value
    if sizes.looks == INTERIOR:
        for row in range(now.rows - 1):
            if log.step[row] > 0.0 and log.t[row + 1] > log.t[row]:
                integrate(problem, now, bench, work, log, b, row)
    if now.rows > 0:
        carry(problem, log, now.rows - 1)
        now.rows, sizes.carried = 1, 1


@kernel
def take_row(problem, log, b, row):
    n = problem.settings.n_states
    for m in range(n):
        b.x_here[m] = log.x[row * n + m]


@kernel
def integrate(problem, now, bench, work, log, b, row):
    """Add the integrals over [t_row, t_row+1], by quadrature on the continuous extension."""
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    t, length = log.t[row], log.t[row + 1] - log.t[row]
    for node in range(3):
        theta = GAUSS_NODES[node] * length / log.step[row]
        for m in range(n):
            rise = 0.0
            for d in range(degree - 1, -1, -1):
                rise = theta * (rise + log.extension[(row * degree + d) * n + m])
            b.x_here[m] = log.x[row * n + m] + rise
        there = t + GAUSS_NODES[node] * length
        look(problem, now, bench, work, b, there, log.chart[row], log.other[row], log.surface[row], b.x_here)
        for q in range(b.sizes.n_quantities):
            b.integral[q] += length * GAUSS_WEIGHTS[node] * b.quantity[q]


@kernel
def carry(problem, log, row):
    """Copy a row of the log to its beginning."""
    settings = problem.settings
    n, size = settings.n_states, settings.n_states * settings.degree
    log.t[0], log.step[0] = log.t[row], log.step[row]
    log.chart[0], log.other[0], log.surface[0] = log.chart[row], log.other[row], log.surface[row]
    for m in range(n):
        log.x[m] = log.x[row * n + m]
    for m in range(size):
        log.extension[m] = log.extension[row * size + m]


@kernel
def look(problem, now, bench, work, b, t, chart, other, surface, x):
    """All quantities at one point of the run."""
    sizes, weight = b.sizes, 1.0
    if other != NOWHERE:
        bench.chart, bench.other, bench.surface = chart, other, surface
        largest = LARGEST_PROBE * max(now.t - problem.settings.initial_time, now.step)
        weight = weight_at(problem, bench, work, t, x, largest)
    if sizes.calls_outputs:
        outputs_at(problem, b, b.y, t, x, chart)
        if other != NOWHERE:
            outputs_at(problem, b, b.y_other, t, x, other)
            for m in range(sizes.n_outputs):
                b.y[m] = weight * b.y[m] + (1.0 - weight) * b.y_other[m]
    for q in range(sizes.n_quantities):
        source, place = b.source[q], b.source_place[q]
        if source == TIME:
            b.quantity[q] = t
        elif source == STATE:
            b.quantity[q] = x[place]
        elif source == OUTPUT:
            b.quantity[q] = b.y[place]
        else:
            value = call_extra_output(b.extra_outputs[place], t, x, problem.p, chart)
            if other != NOWHERE:
                beside = call_extra_output(b.extra_outputs[place], t, x, problem.p, other)
                value = weight * value + (1.0 - weight) * beside
            b.quantity[q] = value


@kernel
def outputs_at(problem, b, y, t, x, chart):
    for m in range(b.sizes.n_outputs):
        y[m] = 0.0
    call_outputs(problem.functions[OUTPUTS], y, 0, t, x, 0, problem.p, chart)


@kernel
def conclude(problem, now, bench, work, b, run, outcome):
    """The run's row of the table."""
    sizes = b.sizes
    look(problem, now, bench, work, b, now.t, now.chart, now.other, now.surface, work.x)
    duration = now.t - problem.settings.initial_time
    for k in range(sizes.n_metrics):
        kind, place, cell = b.metric_kind[k], b.metric_place[k], run * sizes.n_metrics + k
        if kind == STATUS:
            b.table[cell] = outcome
        elif kind == COUNT:
            b.table[cell] = b.seen[k]
        elif kind == FINAL:
            b.table[cell] = b.quantity[place]
        elif kind == LOWEST:
            b.table[cell] = b.lowest[place]
        elif kind == HIGHEST:
            b.table[cell] = b.highest[place]
        elif kind == MEAN:
            b.table[cell] = b.integral[place] / duration if duration > 0.0 else b.quantity[place]
        elif kind == STATISTIC:
            b.table[cell] = b.now[place]


NOW_WORDS = NOW.itemsize // 8

run_batch = compile_entry(_run_batch)

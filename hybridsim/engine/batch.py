"""Many runs of one model in a row: another state, other parameters each time; of each, some numbers are kept.

The loop calls the same `advance` as a single run does, so that both agree to the last bit. Before each run the engine's
memory is put back to what it was before the first; then the run's own values are written into it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.compilation import compile_entry
from hybridsim.engine.compiler.signatures import INITIAL_CHART, call_initial_chart, kernel, pointers
from hybridsim.engine.entry import Machine, call_machine
from hybridsim.engine.memory import NOW, blocks, record
from hybridsim.engine.metrics import OUTPUT, conclude, forget_metrics, observe
from hybridsim.engine.status import GO_ON, Status
from hybridsim.typing import FloatArray, IntArray

UNKNOWN_CHART = Status.UNKNOWN_CHART.value
NON_FINITE_STATE = Status.NON_FINITE_STATE.value

PARAMETER, INITIAL, REAL_SETTING, WHOLE_SETTING = range(4)
"""Where the values of an axis go: `Batch.axis_kind`."""

CHUNK = 256
"""Steps and events between two looks at the log: it stays in the processor's cache."""

SIZES = np.dtype([
    (name, "i8")
    for name in ("address", "place", "chunk", "n_axes", "n_metrics", "n_quantities", "n_outputs", "n_reals", "n_words",
                 "has_initial_chart", "calls_outputs", "looks", "carried")
])  # fmt: skip


class Batch(NamedTuple):
    """What runs in a row need besides the arrays of one."""

    sizes: Any
    reals: FloatArray  # the run's work space, and what it is before a run
    reals_before: FloatArray
    words: IntArray
    words_before: IntArray
    now: IntArray  # the run's record NOW, word by word
    now_before: IntArray
    settings_reals: FloatArray  # the settings, word by word, as doubles and as integers
    settings_words: IntArray
    axis_kind: IntArray  # (n_axes,)
    axis_place: IntArray
    values: FloatArray  # (n_runs, n_axes)
    metric_kind: IntArray  # (n_metrics,)
    metric_place: IntArray  # of a boundary, a quantity or a statistic
    metric_number: IntArray
    seen: IntArray  # (n_metrics,) events of the metric's boundary so far
    source: IntArray  # (n_quantities,)
    source_place: IntArray
    quantity: FloatArray  # (n_quantities,) where the run was looked at last
    lowest: FloatArray
    highest: FloatArray
    integral: FloatArray
    y: FloatArray  # (n_outputs,)
    y_other: FloatArray
    extra_outputs: IntArray  # addresses
    x_here: FloatArray  # (width,)
    table: FloatArray  # (n_runs, n_metrics) the results
    stop: IntArray  # (1,) nonzero: stop at once


class Wanted(NamedTuple):
    """What is kept of each run: see `metrics`."""

    metrics: list[tuple[int, int, int]]  # kind, place and number
    quantities: list[tuple[int, int]]  # source and place
    extra_outputs: list[int]  # addresses
    looks: int


def make_batch(
    machine: Machine, axes: list[tuple[int, int]], wanted: Wanted, n_outputs: int, has_initial_chart: bool
) -> Batch:
    """Runs like the one that `machine` is about to begin; values, table and stop are still to be given.

    `axes` : kind and place of each.
    """

    def column(rows: list[Any], place: int) -> IntArray:
        return np.array([row[place] for row in rows] + [0], np.int64)  # none of the arrays is empty

    metrics, quantities, extra_outputs, looks = wanted
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


def _run_batch(problem, now, work, log, spare, batch, n):
    """Make n runs, or fewer if they are stopped; returns how many. `spare` : a copy of `now` to work with."""
    problem, work, log, b = pointers(problem), pointers(work), pointers(log), pointers(batch)
    state, looking = now[0], spare[0]
    for run in range(n):
        outcome = begin(problem, state, work, b, run)
        if outcome != GO_ON:
            observe(problem, state, looking, work, log, b, run, outcome)
        while outcome == GO_ON:
            outcome = call_machine(b.sizes.address, b.sizes.place, b.sizes.chunk)
            observe(problem, state, looking, work, log, b, run, outcome)
            if b.stop[0] != 0:
                return run
        conclude(problem, state, looking, work, b, run, outcome)
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
    forget_metrics(b, run)
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


NOW_WORDS = NOW.itemsize // 8

run_batch = compile_entry(_run_batch)

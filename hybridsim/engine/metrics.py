"""Metrics of each of many runs: extremes, means, counts, times of events, read from the log between chunks.

`b` is the engine's `Batch`. `point_state` is a copy of `state` in which the chart or slide of the point that is
evaluated is set.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.extremes import widen_by_polynomial, widen_by_samples
from hybridsim.engine.integrals import integrate_polynomial, integrate_samples
from hybridsim.engine.log import log_row
from hybridsim.engine.memory import ENTRY, INPUT, NOWHERE
from hybridsim.engine.quantities import (
    EXTREMES,
    INTEGRALS,
    N_KRONROD,
    Span,
    evaluate_inside,
    evaluate_polynomials,
    evaluate_quantities,
    is_polynomial,
    sample_nodes,
    set_point_chart,
    take_state,
    widen,
)
from hybridsim.engine.status import GO_ON

(
    STATUS_METRIC,
    COUNT_METRIC,
    EVENT_TIME_METRIC,
    FINAL_METRIC,
    LOWEST_METRIC,
    HIGHEST_METRIC,
    MEAN_METRIC,
    STATISTIC_METRIC,
    INTEGRAL_METRIC,
    DEVIATION_METRIC,
    BEFORE_METRIC,
    AFTER_METRIC,
    LAST_BEFORE_METRIC,
    LAST_AFTER_METRIC,
) = range(14)
"""Kinds of metrics: `Batch.metric_kind`."""


@kernel
def forget_metrics(problem, b, run):
    """Reset the metrics before a run, and find the time from which they count."""
    sizes, settings = b.sizes, problem.settings
    part = sizes.from_fraction * (settings.final_time - settings.initial_time)
    sizes.begin = max(sizes.from_time, settings.initial_time + part)
    for q in range(sizes.n_quantities):
        b.lowest[q], b.highest[q] = np.inf, -np.inf
        b.weight[q], b.mean[q], b.square[q] = 0.0, 0.0, 0.0
    for k in range(sizes.n_metrics):
        b.seen[k] = 0
        b.table[run * sizes.n_metrics + k] = np.nan
    sizes.carried = 0


@kernel
def observe(problem, state, point_state, workspace, record, b, run, outcome):
    """Add the events and rows since the last call to the metrics; then clear the log, except for its last row."""
    for event in range(state.events):
        if record.event_t[event] < b.sizes.begin:
            continue
        note_event(problem, point_state, workspace, record, b, run, event)
    state.events = 0
    if b.sizes.reads_rows:
        if outcome != GO_ON:
            last = log_row(
                problem, state, record, state.t, state.chart, state.adjacent_chart, state.surface, workspace.x
            )
            record.step[last] = 0.0
        add_rows(problem, state, point_state, workspace, record, b)


@kernel
def note_event(problem, point_state, workspace, record, b, run, event):
    """Count the boundaries that crossed, and keep what a metric asks for of an event with a number."""
    first = event * problem.settings.n_boundaries
    for k in range(b.sizes.n_metrics):
        kind = b.metric_kind[k]
        if not (counts_events(kind) and record.event_crossed[first + b.metric_index[k]]):
            continue
        b.seen[k] += 1
        if kind >= LAST_BEFORE_METRIC:
            place = b.recent_begin[k] + (b.seen[k] - 1) % b.metric_number[k]
            value = value_at_event(problem, point_state, workspace, record, b, event, k)
            b.recent[run * b.sizes.n_recent + place] = value
        elif kind != COUNT_METRIC and b.seen[k] == b.metric_number[k]:
            value = record.event_t[event]
            if kind != EVENT_TIME_METRIC:
                value = value_at_event(problem, point_state, workspace, record, b, event, k)
            b.table[run * b.sizes.n_metrics + k] = value


@kernel
def counts_events(kind):
    """Return whether a metric of this kind counts events."""
    return COUNT_METRIC <= kind <= EVENT_TIME_METRIC or kind >= BEFORE_METRIC


@kernel
def value_at_event(problem, point_state, workspace, record, b, event, k):
    """Return the quantity of metric k just before an event, or just after it.

    The slide of an event is the one that it begins, ends, or leaves as it is.
    """
    kind, adjacent, surface = record.event_kind[event], record.event_adjacent_chart[event], record.event_surface[event]
    if b.metric_kind[k] == BEFORE_METRIC or b.metric_kind[k] == LAST_BEFORE_METRIC:
        if kind == ENTRY:
            adjacent, surface = NOWHERE, NOWHERE
        set_point_chart(point_state, record.event_chart_before[event], adjacent, surface)
        take_state(problem, b, record.event_x_before, event)
    else:
        if not (kind in (ENTRY, INPUT) or record.event_declined[event]):
            adjacent, surface = NOWHERE, NOWHERE
        set_point_chart(point_state, record.event_chart_after[event], adjacent, surface)
        take_state(problem, b, record.event_x_after, event)
    evaluate_quantities(problem, point_state, workspace, b, record.event_t[event], b.x_here, 0.0)
    return b.quantity[b.metric_quantity[k]]


@kernel
def add_rows(problem, state, point_state, workspace, record, b):
    """Add the rows of the log, and the steps between them, to the extremes and integrals.

    The last row is kept: the next step starts there.
    """
    sizes = b.sizes
    for row in range(sizes.carried, state.rows):
        if record.t[row] < sizes.begin:
            continue
        ends_step = row > 0 and record.step[row - 1] > 0.0 and record.t[row] > max(record.t[row - 1], sizes.begin)
        offset = max(sizes.begin - record.t[row - 1], 0.0) if ends_step else 0.0
        if offset > 0.0:
            evaluate_inside(problem, point_state, workspace, record, b, row - 1, offset)
            widen(b)
            keep_values(b)
        evaluate_row(problem, point_state, workspace, record, b, row)
        widen(b)
        keep_values(b)
        if ends_step:
            span = Span(row - 1, offset, record.t[row] - record.t[row - 1] - offset)
            add_span(problem, point_state, workspace, record, b, span)
    if state.rows > 0:
        carry(problem, record, state.rows - 1)
        state.rows, sizes.carried = 1, 1


@kernel
def keep_values(b):
    """Keep the quantities evaluated last in b.after, and those kept before in b.before."""
    for q in range(b.sizes.n_quantities):
        b.before[q], b.after[q] = b.after[q], b.quantity[q]


@kernel
def evaluate_row(problem, point_state, workspace, record, b, row):
    """Evaluate the quantities at a row; outputs only if their extremes are wanted."""
    take_state(problem, b, record.x, row)
    if not b.sizes.outputs_at_rows:
        evaluate_polynomials(b, record.t[row], b.x_here)
        return
    set_point_chart(point_state, record.chart[row], record.adjacent_chart[row], record.surface[row])
    evaluate_quantities(problem, point_state, workspace, b, record.t[row], b.x_here, record.step[row])


@kernel
def add_span(problem, point_state, workspace, record, b, span):
    """Add what counts of a step to the extremes and integrals."""
    for q in range(b.sizes.n_quantities):
        if is_polynomial(b, q):
            if b.wanted[q] & EXTREMES:
                widen_by_polynomial(problem, record, b, span, q)
            if b.wanted[q] & INTEGRALS:
                integrate_polynomial(problem, record, b, span, q)
    n_nodes = b.sizes.n_nodes
    if n_nodes == 0:
        return
    sample_nodes(problem, point_state, workspace, record, b, span, 0.0, 1.0, n_nodes, 0)
    if b.sizes.outputs_at_rows:
        widen_by_samples(problem, point_state, workspace, record, b, span)
    if n_nodes == N_KRONROD:
        integrate_samples(problem, point_state, workspace, record, b, span)


@kernel
def carry(problem, record, row):
    """Copy a row of the log to its beginning."""
    settings = problem.settings
    n, size = settings.n_states, settings.n_states * settings.degree
    record.t[0], record.step[0] = record.t[row], record.step[row]
    record.chart[0], record.adjacent_chart[0], record.surface[0] = (
        record.chart[row],
        record.adjacent_chart[row],
        record.surface[row],
    )
    for m in range(n):
        record.x[m] = record.x[row * n + m]
    for m in range(size):
        record.extension[m] = record.extension[row * size + m]


@kernel
def conclude(problem, state, point_state, workspace, b, run, outcome):
    """Write the run's row of the table."""
    sizes = b.sizes
    set_point_chart(point_state, state.chart, state.adjacent_chart, state.surface)
    evaluate_quantities(problem, point_state, workspace, b, state.t, workspace.x, 0.0)
    duration = state.t - sizes.begin
    for k in range(sizes.n_metrics):
        kind, index, cell = b.metric_kind[k], b.metric_index[k], run * sizes.n_metrics + k
        if kind == STATUS_METRIC:
            b.table[cell] = outcome
        elif kind == COUNT_METRIC or kind >= LAST_BEFORE_METRIC:
            b.table[cell] = b.seen[k]
        elif kind == FINAL_METRIC:
            b.table[cell] = b.quantity[index]
        elif kind == STATISTIC_METRIC:
            b.table[cell] = b.state[index]
        elif not counts_events(kind) and duration >= 0.0:
            b.table[cell] = over_time(b, kind, index, duration)


@kernel
def over_time(b, kind, q, duration):
    """Return the extreme, the mean, the integral or the deviation of a quantity over the time that counts."""
    if kind == LOWEST_METRIC:
        return b.lowest[q]
    if kind == HIGHEST_METRIC:
        return b.highest[q]
    if kind == INTEGRAL_METRIC:
        return b.mean[q] * duration
    if kind == MEAN_METRIC:
        return b.mean[q] if duration > 0.0 else b.quantity[q]
    return math.sqrt(b.square[q] / duration) if duration > 0.0 else 0.0

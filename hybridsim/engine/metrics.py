"""Metrics of each of many runs: extremes, means, counts, times of events, read from the log between chunks.

A quantity is the time, a state, an output of the model, or an extra output. `b` is the engine's `Batch`.
`point_state` is a copy of `state` in which the chart or slide of the point that is evaluated is set.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import OUTPUTS, call_extra_output, call_outputs
from hybridsim.engine.log import log_row
from hybridsim.engine.memory import ENTRY, INPUT, NOWHERE, TOUCH
from hybridsim.engine.sliding import weight_at
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

TIME_SOURCE, STATE_SOURCE, OUTPUT_SOURCE, EXTRA_OUTPUT_SOURCE = range(4)
"""Sources of quantities: `Batch.source`."""

END_ONLY, STEPS, INTERIOR = range(3)
"""Values of `Batch.sizes.sampling`: evaluate quantities only at the end of a run; also at the ends of steps and on both
sides of jumps; also within steps."""

GAUSS_NODES = 0.5 - math.sqrt(0.15), 0.5, 0.5 + math.sqrt(0.15)
GAUSS_WEIGHTS = 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0
"""Nodes and weights of Gauss quadrature with three nodes on [0, 1], exact up to degree 5."""


@kernel
def forget_metrics(problem, b, run):
    """Reset the metrics before a run, and find the time from which they count."""
    sizes, settings = b.sizes, problem.settings
    part = sizes.from_fraction * (settings.final_time - settings.initial_time)
    sizes.begin = max(sizes.from_time, settings.initial_time + part)
    for q in range(sizes.n_quantities):
        b.lowest[q], b.highest[q], b.integral[q], b.square[q] = np.inf, -np.inf, 0.0, 0.0
    for k in range(sizes.n_metrics):
        b.seen[k] = 0
        b.table[run * sizes.n_metrics + k] = np.nan
    sizes.carried, sizes.counted = 0, 0


@kernel
def observe(problem, state, point_state, workspace, record, b, run, outcome):
    """Add the events and rows since the last call to the metrics; then clear the log, except for its last row."""
    for event in range(state.events):
        if record.event_t[event] < b.sizes.begin:
            continue
        note_event(problem, point_state, workspace, record, b, run, event)
        if b.sizes.sampling != END_ONLY and record.event_kind[event] == TOUCH:
            add_touch(problem, point_state, workspace, record, b, event)
    state.events = 0
    if b.sizes.sampling != END_ONLY:
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
    """Add the rows of the log to the extremes and integrals; the last row is kept: the next step starts there."""
    sizes = b.sizes
    for row in range(sizes.carried, state.rows):
        if record.t[row] < sizes.begin:
            continue
        if sizes.counted == 0 and row > 0 and record.t[row] > sizes.begin and record.step[row - 1] > 0.0:
            evaluate_inside(problem, point_state, workspace, record, b, row - 1, sizes.begin - record.t[row - 1])
            widen(b)
        set_point_chart(point_state, record.chart[row], record.adjacent_chart[row], record.surface[row])
        take_state(problem, b, record.x, row)
        evaluate_quantities(problem, point_state, workspace, b, record.t[row], b.x_here, record.step[row])
        widen(b)
        if sizes.counted == 0:
            for q in range(sizes.n_quantities):
                b.first[q] = b.quantity[q]
        sizes.counted = 1
    if sizes.sampling == INTERIOR:
        for row in range(state.rows - 1):
            if record.step[row] > 0.0 and record.t[row + 1] > record.t[row]:
                integrate(problem, point_state, workspace, record, b, row)
    if state.rows > 0:
        carry(problem, record, state.rows - 1)
        state.rows, sizes.carried = 1, 1


@kernel
def add_touch(problem, point_state, workspace, record, b, event):
    """Add a touch to the extremes: it is an event, but not a row."""
    set_point_chart(
        point_state, record.event_chart_before[event], record.event_adjacent_chart[event], record.event_surface[event]
    )
    take_state(problem, b, record.event_x_before, event)
    evaluate_quantities(problem, point_state, workspace, b, record.event_t[event], b.x_here, 0.0)
    widen(b)


@kernel
def set_point_chart(point_state, chart, adjacent_chart, surface):
    """Set the chart of the point that is evaluated, or the slide between two charts."""
    point_state.chart, point_state.adjacent_chart, point_state.surface = chart, adjacent_chart, surface


@kernel
def take_state(problem, b, states, row):
    """Copy a row of states to b.x_here."""
    n = problem.settings.n_states
    for m in range(n):
        b.x_here[m] = states[row * n + m]


@kernel
def widen(b):
    """Extend the extremes to the quantities evaluated last; nan stays nan."""
    for q in range(b.sizes.n_quantities):
        value = b.quantity[q]
        if value < b.lowest[q] or value != value:
            b.lowest[q] = value
        if value > b.highest[q] or value != value:
            b.highest[q] = value


@kernel
def integrate(problem, point_state, workspace, record, b, row):
    """Add the integrals over what counts of [t_row, t_row+1], by quadrature on the continuous extension."""
    offset = max(b.sizes.begin - record.t[row], 0.0)
    length = record.t[row + 1] - record.t[row] - offset
    if length <= 0.0:
        return
    for node in range(3):
        evaluate_inside(problem, point_state, workspace, record, b, row, offset + GAUSS_NODES[node] * length)
        for q in range(b.sizes.n_quantities):
            b.integral[q] += length * GAUSS_WEIGHTS[node] * b.quantity[q]
            # From the first value: the squares of large numbers that change little would cancel.
            b.square[q] += length * GAUSS_WEIGHTS[node] * (b.quantity[q] - b.first[q]) ** 2


@kernel
def evaluate_inside(problem, point_state, workspace, record, b, row, duration):
    """Evaluate all quantities within the step that begins at a row, a duration after it."""
    settings, step = problem.settings, record.step[row]
    n, degree, theta = settings.n_states, settings.degree, duration / record.step[row]
    set_point_chart(point_state, record.chart[row], record.adjacent_chart[row], record.surface[row])
    for m in range(n):
        # The polynomial of `runge_kutta.extension_at`, which needs padded vectors; rows of the log have no padding.
        rise = 0.0
        for d in range(degree - 1, -1, -1):
            rise = theta * (rise + record.extension[(row * degree + d) * n + m])
        b.x_here[m] = record.x[row * n + m] + rise
    evaluate_quantities(problem, point_state, workspace, b, record.t[row] + duration, b.x_here, step)


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
def evaluate_quantities(problem, point_state, workspace, b, t, x, step):
    """Evaluate all quantities at one point of the run, in the chart or slide set in `point_state`."""
    sizes, chart, adjacent_chart, weight = b.sizes, point_state.chart, point_state.adjacent_chart, 1.0
    if adjacent_chart != NOWHERE:
        weight = weight_at(problem, point_state, workspace, t, x, step)
    if sizes.calls_outputs:
        outputs_at(problem, b, b.y, t, x, chart)
        if adjacent_chart != NOWHERE:
            outputs_at(problem, b, b.y_adjacent, t, x, adjacent_chart)
            for m in range(sizes.n_outputs):
                b.y[m] = weight * b.y[m] + (1.0 - weight) * b.y_adjacent[m]
    for q in range(sizes.n_quantities):
        source, index = b.source[q], b.source_index[q]
        if source == TIME_SOURCE:
            b.quantity[q] = t
        elif source == STATE_SOURCE:
            b.quantity[q] = x[index]
        elif source == OUTPUT_SOURCE:
            b.quantity[q] = b.y[index]
        else:
            value = call_extra_output(b.extra_outputs[index], t, x, problem.p, chart)
            if adjacent_chart != NOWHERE:
                adjacent_value = call_extra_output(b.extra_outputs[index], t, x, problem.p, adjacent_chart)
                value = weight * value + (1.0 - weight) * adjacent_value
            b.quantity[q] = value


@kernel
def outputs_at(problem, b, y, t, x, chart):
    """Set y to the outputs of the model in a chart."""
    for m in range(b.sizes.n_outputs):
        y[m] = 0.0
    call_outputs(problem.functions[OUTPUTS], y, 0, t, x, 0, problem.p, chart)


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
    if kind == MEAN_METRIC:
        return b.integral[q] / duration if duration > 0.0 else b.quantity[q]
    if kind == INTEGRAL_METRIC:
        return b.integral[q]
    return deviation(b, q, duration)


@kernel
def deviation(b, q, duration):
    """Return the standard deviation of a quantity over time."""
    if duration <= 0.0:
        return 0.0
    variance = b.square[q] / duration - (b.integral[q] / duration - b.first[q]) ** 2
    return math.sqrt(variance) if variance > 0.0 else 0.0 * variance

"""What is kept of each of many runs: extremes, means, counts, times of events, read from the log between chunks.

A quantity is the time, a state, an output of the model, or an extra output. `b` is the engine's `Batch`, and `spare` a
record like `now`, changed by looking at slides.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.signatures import OUTPUTS, call_extra_output, call_outputs, kernel
from hybridsim.engine.events.sliding import weight_at
from hybridsim.engine.log import log_row
from hybridsim.engine.memory import NOWHERE, TOUCH
from hybridsim.engine.status import GO_ON

STATUS, COUNT, EVENT_TIME, FINAL, LOWEST, HIGHEST, MEAN, STATISTIC = range(8)
"""What a metric is: `Batch.metric_kind`."""

TIME, STATE, OUTPUT, EXTRA = range(4)
"""What a quantity is: `Batch.source`."""

ENDS, STEPS, INTERIOR = range(3)
"""Where quantities are looked at: where runs end; at every step's ends and both sides of jumps; within steps too."""

GAUSS_NODES = 0.5 - math.sqrt(0.15), 0.5, 0.5 + math.sqrt(0.15)
GAUSS_WEIGHTS = 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0
"""Of Gauss's quadrature with three nodes on [0, 1], exact up to degree 5."""


@kernel
def forget_metrics(b, run):
    """Before a run nothing has been seen."""
    sizes = b.sizes
    for q in range(sizes.n_quantities):
        b.lowest[q], b.highest[q], b.integral[q] = np.inf, -np.inf, 0.0
    for k in range(sizes.n_metrics):
        b.seen[k] = 0
        b.table[run * sizes.n_metrics + k] = np.nan
    sizes.carried = 0


@kernel
def observe(problem, now, spare, work, log, b, run, outcome):
    """What the last chunk has logged, into the metrics; empties the log."""
    for event in range(now.events):
        note_event(problem, log, b, run, event)
        if b.sizes.looks != ENDS and log.event_kind[event] == TOUCH:
            look_at_touch(problem, spare, work, log, b, event)
    now.events = 0
    if b.sizes.looks != ENDS:
        if outcome != GO_ON:
            last = log_row(problem, now, log, now.t, now.chart, now.adjacent_chart, now.surface, work.x)
            log.step[last] = 0.0
        look_at_rows(problem, now, spare, work, log, b)


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
def look_at_rows(problem, now, spare, work, log, b):
    """Extremes at the rows of the log, integrals between them; the last row waits for the one after it."""
    sizes = b.sizes
    for row in range(sizes.carried, now.rows):
        place_in(spare, log.chart[row], log.adjacent_chart[row], log.surface[row])
        take_state(problem, b, log.x, row)
        look(problem, spare, work, b, log.t[row], b.x_here, log.step[row])
        widen(b)
    if sizes.looks == INTERIOR:
        for row in range(now.rows - 1):
            if log.step[row] > 0.0 and log.t[row + 1] > log.t[row]:
                integrate(problem, spare, work, log, b, row)
    if now.rows > 0:
        carry(problem, log, now.rows - 1)
        now.rows, sizes.carried = 1, 1


@kernel
def look_at_touch(problem, spare, work, log, b, event):
    """A touch is an event, but no row: the run goes on as if nothing had been."""
    place_in(spare, log.event_chart_before[event], log.event_adjacent_chart[event], log.event_surface[event])
    take_state(problem, b, log.event_x_before, event)
    look(problem, spare, work, b, log.event_t[event], b.x_here, 0.0)
    widen(b)


@kernel
def place_in(spare, chart, other, surface):
    spare.chart, spare.adjacent_chart, spare.surface = chart, other, surface


@kernel
def take_state(problem, b, states, row):
    """The state in a row of states, into b.x_here."""
    n = problem.settings.n_states
    for m in range(n):
        b.x_here[m] = states[row * n + m]


@kernel
def widen(b):
    """Let the extremes hold what was just looked at; nan stays."""
    for q in range(b.sizes.n_quantities):
        value = b.quantity[q]
        if value < b.lowest[q] or value != value:
            b.lowest[q] = value
        if value > b.highest[q] or value != value:
            b.highest[q] = value


@kernel
def integrate(problem, spare, work, log, b, row):
    """Add the integrals over [t_row, t_row+1], by quadrature on the continuous extension."""
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    t, length = log.t[row], log.t[row + 1] - log.t[row]
    place_in(spare, log.chart[row], log.adjacent_chart[row], log.surface[row])
    for node in range(3):
        theta = GAUSS_NODES[node] * length / log.step[row]
        for m in range(n):
            rise = 0.0
            for d in range(degree - 1, -1, -1):
                rise = theta * (rise + log.extension[(row * degree + d) * n + m])
            b.x_here[m] = log.x[row * n + m] + rise
        look(problem, spare, work, b, t + GAUSS_NODES[node] * length, b.x_here, log.step[row])
        for q in range(b.sizes.n_quantities):
            b.integral[q] += length * GAUSS_WEIGHTS[node] * b.quantity[q]


@kernel
def carry(problem, log, row):
    """Copy a row of the log to its beginning."""
    settings = problem.settings
    n, size = settings.n_states, settings.n_states * settings.degree
    log.t[0], log.step[0] = log.t[row], log.step[row]
    log.chart[0], log.adjacent_chart[0], log.surface[0] = log.chart[row], log.adjacent_chart[row], log.surface[row]
    for m in range(n):
        log.x[m] = log.x[row * n + m]
    for m in range(size):
        log.extension[m] = log.extension[row * size + m]


@kernel
def look(problem, spare, work, b, t, x, step):
    """All quantities at one point of the run, in the chart, or the slide, that `spare` is in."""
    sizes, chart, other, weight = b.sizes, spare.chart, spare.adjacent_chart, 1.0
    if other != NOWHERE:
        weight = weight_at(problem, spare, work, t, x, step)
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
def conclude(problem, now, spare, work, b, run, outcome):
    """The run's row of the table."""
    sizes = b.sizes
    place_in(spare, now.chart, now.adjacent_chart, now.surface)
    look(problem, spare, work, b, now.t, work.x, 0.0)
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

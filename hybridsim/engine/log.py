"""What the compiled loop writes down for Python: rows of the trajectory, and events."""

from __future__ import annotations

from hybridsim.engine.compiler.signatures import kernel
from hybridsim.engine.memory import BOUNDED, SAMPLED, UNDECIDED


@kernel
def log_row(problem, now, log, t, chart, other, surface, x):
    """One row (t, j, chart, x) without an extension; returns its place."""
    row = now.rows
    log.t[row], log.j[row], log.chart[row], log.adjacent_chart[row] = t, now.j, chart, other
    log.surface[row] = surface
    n = problem.settings.n_states
    for m in range(n):
        log.x[row * n + m] = x[m]
    now.rows += 1
    return row


@kernel
def log_step(problem, now, work, log):
    """The row a step starts from, with its continuous extension."""
    row = log_row(
        problem, now, log, now.t_start, now.chart_start, now.adjacent_chart_start, now.surface_start, work.x_start
    )
    log.step[row] = now.step
    log.certificate[row] = SAMPLED if now.decided == BOUNDED and now.unproved else now.decided
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    for d in range(degree):
        for m in range(n):
            log.extension[(row * degree + d) * n + m] = work.q[m + d * settings.width]


@kernel
def log_before_jump(problem, now, work, log):
    """The last row before a jump; nothing steps from it."""
    row = log_row(problem, now, log, now.t, now.chart, now.adjacent_chart, now.surface, work.x_event)
    log.step[row] = 0.0
    log.certificate[row] = UNDECIDED
    size = problem.settings.degree * problem.settings.n_states
    for m in range(row * size, (row + 1) * size):
        log.extension[m] = 0.0


@kernel
def log_event(problem, now, work, log, t, kind, chart_before, chart_after, other, x_after, declined):
    """One event: what crossed, both charts, both states, and what is known about the crossing."""
    event = now.events
    log.event_t[event], log.event_j[event], log.event_kind[event] = t, now.j, kind
    log.event_chart[2 * event], log.event_chart[2 * event + 1] = chart_before, chart_after
    log.event_value[event], log.event_depth[event], log.event_error[event] = now.value, now.depth, now.error
    n, n_boundaries = problem.settings.n_states, problem.settings.n_boundaries
    for m in range(n):
        log.event_x[2 * event * n + m] = work.x_event[m]
        log.event_x[(2 * event + 1) * n + m] = x_after[m]
    for i in range(n_boundaries):
        log.event_crossed[event * n_boundaries + i] = work.crossed[i]
    log.event_certificate[event] = now.certificate
    log.event_declined[event] = declined
    log.event_adjacent_chart[event], log.event_surface[event] = other, now.surface
    now.events += 1

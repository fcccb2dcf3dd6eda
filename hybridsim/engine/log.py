"""What the compiled loop writes down for Python: rows of the trajectory, and events."""

from __future__ import annotations

from hybridsim.engine.signatures import kernel


@kernel
def log_row(problem, now, log, t, chart, x):
    """One row (t, j, chart, x) without an extension; returns its place."""
    row = now.rows
    log.t[row], log.j[row], log.chart[row] = t, now.j, chart
    n = problem.settings.n_states
    for m in range(n):
        log.x[row * n + m] = x[m]
    now.rows += 1
    return row


@kernel
def log_step(problem, now, work, log):
    """The row a step starts from, with its continuous extension."""
    row = log_row(problem, now, log, now.t_start, now.chart_start, work.x_start)
    log.step[row] = now.step
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    for d in range(degree):
        for m in range(n):
            log.extension[(row * degree + d) * n + m] = work.q[m + d * settings.width]


@kernel
def log_before_jump(problem, now, work, log):
    """The last row before a jump; nothing steps from it."""
    row = log_row(problem, now, log, now.t, now.chart, work.x_event)
    log.step[row] = 0.0
    size = problem.settings.degree * problem.settings.n_states
    for m in range(row * size, (row + 1) * size):
        log.extension[m] = 0.0


@kernel
def log_event(problem, now, work, log, chart_after, x_after, declined):
    """One event: what crossed, both charts, both states."""
    event = now.events
    log.event_t[event], log.event_j[event] = now.t, now.j
    log.event_chart[2 * event], log.event_chart[2 * event + 1] = now.chart, chart_after
    n, n_boundaries = problem.settings.n_states, problem.settings.n_boundaries
    for m in range(n):
        log.event_x[2 * event * n + m] = work.x_event[m]
        log.event_x[(2 * event + 1) * n + m] = x_after[m]
    for i in range(n_boundaries):
        log.event_crossed[event * n_boundaries + i] = work.crossed[i]
    log.event_certificate[event] = now.certificate
    log.event_declined[event] = declined
    now.events += 1

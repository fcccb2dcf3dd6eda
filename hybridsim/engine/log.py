"""What the compiled loop writes down for Python: rows of the trajectory, and events."""

from __future__ import annotations

from hybridsim.engine.compiler.signatures import kernel
from hybridsim.engine.memory import BOUNDED, SAMPLED, UNDECIDED


@kernel
def log_row(problem, state, log, t, chart, other, surface, x):
    """One row (t, j, chart, x) without an extension; returns its place."""
    row = state.rows
    log.t[row], log.j[row], log.chart[row], log.adjacent_chart[row] = t, state.j, chart, other
    log.surface[row] = surface
    n = problem.settings.n_states
    for m in range(n):
        log.x[row * n + m] = x[m]
    state.rows += 1
    return row


@kernel
def log_step(problem, state, workspace, log):
    """The row a step starts from, with its continuous extension."""
    row = log_row(
        problem,
        state,
        log,
        state.t_start,
        state.chart_start,
        state.adjacent_chart_start,
        state.surface_start,
        workspace.x_start,
    )
    log.step[row] = state.step
    log.certificate[row] = (
        SAMPLED if state.step_certificate == BOUNDED and state.step_unproved else state.step_certificate
    )
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    for d in range(degree):
        for m in range(n):
            log.extension[(row * degree + d) * n + m] = workspace.q[m + d * settings.width]


@kernel
def log_before_jump(problem, state, workspace, log):
    """The last row before a jump; nothing steps from it."""
    row = log_row(problem, state, log, state.t, state.chart, state.adjacent_chart, state.surface, workspace.x_event)
    log.step[row] = 0.0
    log.certificate[row] = UNDECIDED
    size = problem.settings.degree * problem.settings.n_states
    for m in range(row * size, (row + 1) * size):
        log.extension[m] = 0.0


@kernel
def log_event(problem, state, workspace, log, t, kind, chart_before, chart_after, other, x_after, declined):
    """One event: what crossed, both charts, both states, and what is known about the crossing."""
    event = state.events
    log.event_t[event], log.event_j[event], log.event_kind[event] = t, state.j, kind
    log.event_chart[2 * event], log.event_chart[2 * event + 1] = chart_before, chart_after
    log.event_value[event], log.event_depth[event], log.event_error[event] = state.value, state.depth, state.error
    n, n_boundaries = problem.settings.n_states, problem.settings.n_boundaries
    for m in range(n):
        log.event_x[2 * event * n + m] = workspace.x_event[m]
        log.event_x[(2 * event + 1) * n + m] = x_after[m]
    for i in range(n_boundaries):
        log.event_crossed[event * n_boundaries + i] = workspace.crossed[i]
    log.event_certificate[event] = state.certificate
    log.event_declined[event] = declined
    log.event_adjacent_chart[event], log.event_surface[event] = other, state.surface
    state.events += 1

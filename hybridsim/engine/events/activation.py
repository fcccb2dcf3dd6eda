"""Which boundaries are active in a chart, and the certificate that its steps can have."""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import BOUNDARIES, call_boundaries
from hybridsim.engine.events.boundary_values import evaluate
from hybridsim.engine.memory import ARMED, BOUNDED, INACTIVE, NOWHERE, SAMPLED, TIME, UNDECIDED
from hybridsim.engine.watched import is_slide_end, is_stop

PRESET, OTHER_PRESET = 1.0, 2.0
"""Presets: initial fill values, written before a call of the boundary function. A boundary that leaves both as they are
is inactive."""


@kernel
def find_active(problem, state, workspace):
    """List the boundaries that are active in this chart: those that overwrite one of two different presets.

    So a boundary whose value is nan is never taken for an inactive one. Their values are then in workspace.g_start.
    """
    settings = problem.settings
    state.n_active, state.n_sampled, state.n_bounded, state.active_degrees = 0, 0, 0, 0
    state.step_certificate = UNDECIDED
    for i in range(settings.n_watched):
        workspace.crossed[i], workspace.trigger_state[i], workspace.source[i] = 0, INACTIVE, 0
    call_with_presets(problem, state, workspace, state.chart)
    for i in range(settings.n_boundaries):
        if is_written(workspace, i) and not (state.adjacent_chart != NOWHERE and i == state.surface):
            activate(problem, state, workspace, i)
    for i in range(settings.n_watched):
        if is_stop(settings, i):
            activate(problem, state, workspace, i)
    if state.adjacent_chart != NOWHERE:
        find_active_in_slide(problem, state, workspace)
    if settings.n_stops or state.adjacent_chart != NOWHERE:
        evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)


@kernel
def call_with_presets(problem, state, workspace, chart):
    """Call the boundary function twice, into g_start and g_preset, which are filled with different numbers first.

    An entry that keeps both numbers belongs to an inactive boundary.
    """
    settings = problem.settings
    for i in range(settings.n_boundaries):
        workspace.g_start[i], workspace.g_preset[i] = PRESET, OTHER_PRESET
    if settings.n_boundaries:
        function = problem.functions[BOUNDARIES]
        call_boundaries(function, workspace.g_preset, 0, state.t, workspace.x, problem.p, chart)
        call_boundaries(function, workspace.g_start, 0, state.t, workspace.x, problem.p, chart)
        state.boundary_calls += 2


@kernel
def is_written(workspace, i):
    """Return whether the boundary function has set boundary i."""
    return workspace.g_start[i] != PRESET or workspace.g_preset[i] != OTHER_PRESET


@kernel
def activate(problem, state, workspace, i):
    """Add watched function i to the active ones; the certificate of a step is the weakest of theirs."""
    certificate = problem.certificate[i]
    workspace.trigger_state[i] = ARMED
    workspace.active[state.n_active] = i
    state.n_active += 1
    state.n_sampled += certificate == SAMPLED
    state.n_bounded += certificate == BOUNDED
    if certificate != TIME:
        state.active_degrees |= 1 << problem.degree[i]
        weakest = state.step_certificate
        state.step_certificate = certificate if weakest <= TIME else min(weakest, certificate)
    elif state.step_certificate == UNDECIDED:
        state.step_certificate = TIME


@kernel
def find_active_in_slide(problem, state, workspace):
    """Add the boundaries of the adjacent chart, except the one that leads back, and the two ends of the slide."""
    settings = problem.settings
    call_with_presets(problem, state, workspace, state.adjacent_chart)
    for i in range(settings.n_boundaries):
        if is_written(workspace, i) and workspace.trigger_state[i] == INACTIVE and i != state.surface_back:
            workspace.source[i] = 1
            activate(problem, state, workspace, i)
    for i in range(settings.n_watched):
        if is_slide_end(settings, i):
            activate(problem, state, workspace, i)

"""Which boundaries are active in a chart, and the certificate that its steps can have."""

from __future__ import annotations

import struct

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.signatures import BOUNDARIES, call_boundaries
from hybridsim.engine.events.boundary_values import evaluate
from hybridsim.engine.memory import ARMED, BOUNDED, INACTIVE, NOWHERE, SAMPLED, TIME, UNDECIDED
from hybridsim.engine.watched import is_slide_end, is_stop

UNSET_BITS = 0x7FF8_0000_0000_5E75
UNSET = struct.unpack("d", struct.pack("q", UNSET_BITS))[0]
"""What each entry holds before a call of the boundary function: a nan that no arithmetic on numbers yields, known by
its bits. A boundary whose entry keeps it is inactive."""


@kernel
def find_active(problem, state, workspace, are_known):
    """List the boundaries that are active in this chart, those that the boundary function sets.

    Their values are then in workspace.g_start. One whose value is nan is active, too.
    """
    settings = problem.settings
    state.n_active, state.n_sampled, state.n_bounded, state.active_degrees = 0, 0, 0, 0
    state.step_certificate = UNDECIDED
    for i in range(settings.n_watched):
        workspace.was_active[i] = workspace.trigger_state[i] != INACTIVE
        workspace.crossed[i], workspace.trigger_state[i], workspace.source[i] = 0, INACTIVE, 0
    if are_known:
        state.boundary_calls += 1
    else:
        set_boundaries(problem, state, workspace.g_start, state.t, workspace.x, state.chart)
    for i in range(settings.n_boundaries):
        if is_set(workspace.g_start[i]) and not (state.adjacent_chart != NOWHERE and i == state.surface):
            activate(problem, state, workspace, i)
    for i in range(settings.n_watched):
        if is_stop(settings, i):
            activate(problem, state, workspace, i)
    if state.adjacent_chart != NOWHERE:
        find_active_in_slide(problem, state, workspace)
    if settings.n_stops or state.adjacent_chart != NOWHERE:
        evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)


@kernel
def set_boundaries(problem, state, g, t, x, chart):
    """Set g to the boundaries of a chart at (t, x), and the entries of those that are inactive to UNSET."""
    forget(problem.settings, g)
    if problem.settings.n_boundaries:
        call_boundaries(problem.functions[BOUNDARIES], g, 0, t, x, problem.p, chart)
        state.boundary_calls += 1


@kernel
def forget(settings, g):
    """Set the entries of all boundaries to UNSET."""
    for i in range(settings.n_boundaries):
        g[i] = UNSET


@kernel
def is_set(value):
    """Return whether the boundary function has set an entry."""
    return np.float64(value).view(np.int64) != UNSET_BITS


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
    set_boundaries(problem, state, workspace.g_start, state.t, workspace.x, state.adjacent_chart)
    for i in range(settings.n_boundaries):
        if is_set(workspace.g_start[i]) and workspace.trigger_state[i] == INACTIVE and i != state.surface_back:
            workspace.source[i] = 1
            activate(problem, state, workspace, i)
    for i in range(settings.n_watched):
        if is_slide_end(settings, i):
            activate(problem, state, workspace, i)

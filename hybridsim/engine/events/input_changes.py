"""Where an input changes between two calls of the engine: the log is cut at that time, and the run continues there.

The engine pauses at the end of the step that passes the time asked for. `cut` removes from the log what lies beyond
that time and logs the change; then the caller restores the engine's memory from before the step, and
`resume` sets it to the time and state of the cut, with the step size proposed last.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer
from hybridsim.engine.log import log_before_jump, log_event
from hybridsim.engine.memory import INPUT, NOWHERE, TIME, TOUCH, ZENO
from hybridsim.engine.runge_kutta import extension_at
from hybridsim.engine.sliding import surface_value
from hybridsim.engine.stages import copy
from hybridsim.engine.state import ENTERING, FLOWING, RESUMING

CUT, INDIVISIBLE = range(2)
"""Result of a cut: done; or not possible, because an accumulation lies beyond the time and cannot be divided."""


@routine(integer, integer)
def cut(problem, state, workspace, record, _):
    """Let the log end at state.t_look, with the change of inputs as its last event; return CUT or INDIVISIBLE."""
    settings, t = problem.settings, state.t_look
    if state.t > t:
        events = state.events
        while events > 0 and record.event_t[events - 1] > t:
            events -= 1
            if record.event_kind[events] == ZENO:
                return INDIVISIBLE
        state.events = events
        while state.rows > 0 and record.t[state.rows - 1] > t:
            state.rows -= 1
        extension_at(problem, workspace, (t - state.t_start) / state.step, workspace.x_event)
        if state.j != state.j_start:
            state.h = state.step  # the step size chosen since belongs to another epoch
        state.t, state.j, state.chart = t, state.j_start, state.chart_start
        state.adjacent_chart, state.surface = state.adjacent_chart_start, state.surface_start
    else:
        copy(settings, workspace.x, workspace.x_event)
    for i in range(settings.n_watched):
        workspace.crossed[i] = 0
    state.value, state.depth, state.error, state.certificate = np.nan, np.nan, np.nan, TIME
    if settings.record_steps:
        log_before_jump(problem, state, workspace, record)
    log_event(
        problem,
        state,
        workspace,
        record,
        state.t,
        INPUT,
        state.chart,
        state.chart,
        state.adjacent_chart,
        workspace.x_event,
        False,
    )
    return CUT


@routine(integer, integer)
def resume(problem, state, workspace, record, first):
    """Go to where the log has been cut and begin the next epoch there.

    `first` is the index of the first event that was logged after the restored memory was saved. The inputs are still
    the old ones. A slide ends; if both flows still point at its surface, it begins again.
    """
    settings, last = problem.settings, state.events - 1
    for event in range(first, last):
        mark_touch(settings, workspace, record, event)
    state.t, state.j = record.event_t[last], record.event_j[last] + 1
    for m in range(settings.n_states):
        workspace.x[m] = record.event_x_before[last * settings.n_states + m]
    if state.adjacent_chart != NOWHERE:
        state.drift = 2.0 * abs(surface_value(problem, state, workspace, state.t, workspace.x))
        state.adjacent_chart, state.inputs_changed = NOWHERE, 1
        state.phase = ENTERING
    elif state.phase == FLOWING:
        state.phase = RESUMING
    return CUT


@kernel
def mark_touch(settings, workspace, record, event):
    """Mark a touch that is in the log, so that it is not reported again."""
    if record.event_kind[event] == TOUCH:
        for i in range(settings.n_boundaries):
            if record.event_crossed[event * settings.n_boundaries + i]:
                workspace.touched[i] = 1

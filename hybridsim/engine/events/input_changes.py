"""Where an input changes between two calls of the engine: the record is cut at that time, and the run goes on from it.

The engine stops at the end of the step that goes beyond the time it was asked for. `cut` writes down what there is up
to that time; then the caller puts the engine's memory back to what it was before the step (see `rewinding.Rewinder`),
and `resume` sets it to the time and the state of the cut, with the step size proposed last.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import integer, kernel
from hybridsim.engine.events.sliding import surface_value
from hybridsim.engine.flow import ENTERING, FLOWING, RESUMING
from hybridsim.engine.log import log_before_jump, log_event
from hybridsim.engine.memory import INPUT, NOWHERE, TIME, TOUCH, ZENO
from hybridsim.engine.runge_kutta import copy, extension_at

CUT, INDIVISIBLE = range(2)
"""What becomes of a cut: made; or there is an accumulation beyond the time, before which a run cannot stop."""


@routine(integer, integer)
def cut(problem, state, workspace, log, _):
    """Let the record end at state.t_look, with the change of an input as its last event."""
    problem, workspace, log = loaded(problem), loaded(workspace), loaded(log)
    settings, t = problem.settings, state.t_look
    if state.t > t:
        events = state.events
        while events > 0 and log.event_t[events - 1] > t:
            events -= 1
            if log.event_kind[events] == ZENO:
                return INDIVISIBLE
        state.events = events
        while state.rows > 0 and log.t[state.rows - 1] > t:
            state.rows -= 1
        extension_at(problem, workspace, (t - state.t_start) / state.step, workspace.x_event)
        if state.j != state.j_start:
            state.h = state.step  # the size chosen since is that of another epoch
        state.t, state.j, state.chart = t, state.j_start, state.chart_start
        state.adjacent_chart, state.surface = state.adjacent_chart_start, state.surface_start
    else:
        copy(settings, workspace.x, workspace.x_event)
    for i in range(settings.n_watched):
        workspace.crossed[i] = 0
    state.value, state.depth, state.error, state.certificate = np.nan, np.nan, np.nan, TIME
    if settings.record_steps:
        log_before_jump(problem, state, workspace, log)
    log_event(
        problem,
        state,
        workspace,
        log,
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
def resume(problem, state, workspace, log, first):
    """Stand where the record has been cut, as the next epoch; `first` : the first event logged since the memory is of.

    The inputs are still those of before. A slide ends: if both flows still point at its surface, it begins again.
    """
    problem, workspace, log = loaded(problem), loaded(workspace), loaded(log)
    settings, last = problem.settings, state.events - 1
    for event in range(first, last):
        note_touch(settings, workspace, log, event)
    state.t, state.j = log.event_t[last], log.event_j[last] + 1
    for m in range(settings.n_states):
        workspace.x[m] = log.event_x[2 * last * settings.n_states + m]
    if state.adjacent_chart != NOWHERE:
        state.drift = 2.0 * abs(surface_value(problem, state, workspace, state.t, workspace.x))
        state.adjacent_chart, state.changed = NOWHERE, 1
        state.phase = ENTERING
    elif state.phase == FLOWING:
        state.phase = RESUMING
    return CUT


@kernel
def note_touch(settings, workspace, log, event):
    """A touch that is in the record is not reported again."""
    if log.event_kind[event] == TOUCH:
        for i in range(settings.n_boundaries):
            if log.event_crossed[event * settings.n_boundaries + i]:
                workspace.touched[i] = 1

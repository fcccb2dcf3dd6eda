"""What happens at an event: the model's transition, the beginning and end of a slide, or nothing if it is declined."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.accumulation import look_for_accumulation
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import TRANSITION, call_transition, integer
from hybridsim.engine.events.boundary_values import evaluate, slopes
from hybridsim.engine.events.latching import relatch
from hybridsim.engine.events.slide_entry import slide_begins
from hybridsim.engine.landing import land
from hybridsim.engine.log import log_before_jump, log_event
from hybridsim.engine.memory import ARMED, CROSSING, ENTRY, EXIT, NOWHERE, TOUCH, WAITING
from hybridsim.engine.sliding import surface_value
from hybridsim.engine.stages import copy, slope
from hybridsim.engine.state import FLOWING
from hybridsim.engine.status import DECLINED, GO_ON, STOPPED, TOO_MANY_TRANSITIONS
from hybridsim.engine.watched import end_into_adjacent_chart, end_into_chart, is_boundary, is_stop

NO_STOP = -1
"""In place of the index of a boundary or stop at which the run ends."""


@routine(integer)
def jump(problem, state, workspace, record):
    """Call the model's transition for the boundaries that have crossed; returns GO_ON or the code of a Status."""
    settings = problem.settings
    state.budget -= 1
    stop = count_crossings(problem, state, workspace)
    outcome = GO_ON
    if any_crossed(workspace, settings.n_boundaries):
        outcome = make_transition(problem, state, workspace, record, stop != NO_STOP)
    elif state.adjacent_chart != NOWHERE and stop == NO_STOP:
        outcome = end_slide(problem, state, workspace, record)
    if outcome != GO_ON:
        return outcome
    if stop != NO_STOP:
        state.end_boundary = stop
        return STOPPED
    return TOO_MANY_TRANSITIONS if state.transitions >= settings.max_transitions else GO_ON


@kernel
def count_crossings(problem, state, workspace):
    """Count each boundary's crossings; returns the index of one at which the run ends, or NO_STOP."""
    settings, stop = problem.settings, NO_STOP
    for i in range(settings.n_watched):
        if workspace.crossed[i] and is_boundary(settings, i):
            workspace.crossed_at[i], workspace.fired_since_positive[i] = state.t, 1
            workspace.g_fired[i] = 0.0 if workspace.by_touch[i] else workspace.g_event[i]
            workspace.crossing_count[i] += 1
            if workspace.crossing_count[i] == problem.stop_count[i]:
                stop = i
        elif workspace.crossed[i] and is_stop(settings, i):
            stop = i
    return stop


@kernel
def any_crossed(workspace, n_boundaries):
    """Return whether any boundary has crossed."""
    for i in range(n_boundaries):
        if workspace.crossed[i]:
            return True
    return False


@kernel
def make_transition(problem, state, workspace, record, stops):
    """Call the model's transition: a jump follows, the beginning of a slide, or nothing."""
    settings = problem.settings
    before, adjacent, surface = state.chart, state.adjacent_chart, state.surface
    asked = chart_asked(problem, state, workspace)
    kind = TOUCH if only_touched(workspace, settings.n_boundaries) else CROSSING
    copy(settings, workspace.x_event, workspace.x)
    function, x, x_before = problem.functions[TRANSITION], workspace.x, workspace.x_event
    chart = call_transition(function, x, state.t, x_before, problem.p, asked, workspace.crossed)
    if chart == DECLINED:
        copy(settings, workspace.x_event, workspace.x)  # undo what the transition may have written
        log_event(problem, state, workspace, record, state.t, kind, before, before, adjacent, workspace.x, True)
        if slide_end_crossed(settings, state, workspace):
            return end_slide(problem, state, workspace, record)
        decline(problem, state, workspace)
        return GO_ON
    if settings.record_steps:
        log_before_jump(problem, state, workspace, record)
    leave_slide(problem, state, workspace, asked)
    if kind == CROSSING and slide_begins(problem, state, workspace, chart):
        return begin_slide(problem, state, workspace, record)
    state.surface = surface  # that of the slide that ends here, if one does: `slide_begins` has written its own
    log_event(problem, state, workspace, record, state.t, kind, before, chart, adjacent, workspace.x, False)
    outcome = land(problem, state, workspace, chart)
    if outcome == GO_ON and settings.zeno_precision > 0.0 and not stops:
        return look_for_accumulation(problem, state, workspace, record, before)
    return outcome


@kernel
def chart_asked(problem, state, workspace):
    """Return the chart whose transition is called: in a slide the adjacent one, if only its boundaries have crossed."""
    if state.adjacent_chart == NOWHERE:
        return state.chart
    for i in range(problem.settings.n_boundaries):
        if workspace.crossed[i] and not workspace.source[i]:
            return state.chart
    return state.adjacent_chart


@kernel
def only_touched(workspace, n_boundaries):
    """Return whether all that crossed did so only in the sense of a touch."""
    for i in range(n_boundaries):
        if workspace.crossed[i] and not workspace.by_touch[i]:
            return False
    return True


@kernel
def decline(problem, state, workspace):
    """Change nothing: the crossed boundaries cannot fire until they have been positive, and the flow continues."""
    slope(problem, state, workspace, workspace.k, 0, state.t, workspace.x)
    evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)
    relatch(state, workspace, workspace.g_start)
    for a in range(state.n_active):
        i = workspace.active[a]
        if workspace.crossed[i]:
            workspace.crossed[i], workspace.touched[i] = 0, 1
            workspace.trigger_state[i] = ARMED if workspace.by_touch[i] else WAITING
            workspace.trigger_level[i], workspace.time_target[i] = 0.0, np.inf
    state.t_target = problem.settings.final_time
    for a in range(state.n_active):
        state.t_target = min(state.t_target, workspace.time_target[workspace.active[a]])
    if state.n_sampled:
        step = state.step if state.step > 0.0 else state.h  # a run may begin with a crossing that is declined
        rates, g = workspace.slope_start, workspace.g_start
        slopes(problem, state, workspace, state.t, workspace.x, workspace.k, 0, g, rates, step)
    state.phase = FLOWING


@kernel
def begin_slide(problem, state, workspace, record):
    """Begin the slide that `slide_begins` has found."""
    # The state stays on this surface, so the boundary counts as not yet crossed and may fire when the slide ends.
    workspace.crossed_at[state.surface], workspace.fired_since_positive[state.surface] = -np.inf, 0
    chart, adjacent = state.chart, state.adjacent_chart
    log_event(problem, state, workspace, record, state.t, ENTRY, chart, chart, adjacent, workspace.x, False)
    return land(problem, state, workspace, chart)


@kernel
def slide_end_crossed(settings, state, workspace):
    """Return whether this is a slide of which an end has crossed."""
    if state.adjacent_chart == NOWHERE:
        return False
    return workspace.crossed[end_into_chart(settings)] or workspace.crossed[end_into_adjacent_chart(settings)]


@kernel
def leave_slide(problem, state, workspace, chart):
    """End a slide, if there is one, by a crossing in `chart`, and keep how far off its surface the state may be."""
    if state.adjacent_chart != NOWHERE:
        state.drift = 2.0 * abs(surface_value(problem, state, workspace, state.t, workspace.x_event))
        state.chart, state.adjacent_chart = chart, NOWHERE


@kernel
def end_slide(problem, state, workspace, record):
    """End a slide because one of the two flows does not point at the surface any more: continue in its chart."""
    settings, before, adjacent = problem.settings, state.chart, state.adjacent_chart
    chart = before if workspace.crossed[end_into_chart(settings)] else adjacent
    state.resting = state.surface if chart == before else state.surface_back
    state.value = surface_value(problem, state, workspace, state.t, workspace.x_event)
    state.drift, state.depth, state.error = 2.0 * abs(state.value), np.nan, np.nan
    copy(settings, workspace.x_event, workspace.x)
    for i in range(settings.n_boundaries):
        workspace.crossed[i] = i == state.surface
    log_event(problem, state, workspace, record, state.t, EXIT, before, chart, adjacent, workspace.x, False)
    if settings.record_steps:
        log_before_jump(problem, state, workspace, record)
    state.adjacent_chart = NOWHERE
    return land(problem, state, workspace, chart)

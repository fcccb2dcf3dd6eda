"""Iterator 4: from chart to chart.

Begin in a chart; flow until a boundary, a stop or the end; if a boundary, jump to the next chart and go on.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import (
    TRANSITION,
    call_transition,
    integer,
    iterator,
    kernel,
)
from hybridsim.engine.events.latching import evaluate, relatch, slopes
from hybridsim.engine.events.sliding import only_crossed, same_state, slide_begins, surface_value
from hybridsim.engine.events.zeno import accumulates, accumulation, forget, limit_state, remember_state
from hybridsim.engine.flow import ENTERING, FLOWING, LEFT_CHART, NON_FINITE_STATE, enter, flow, is_invalid
from hybridsim.engine.log import log_before_jump, log_event, log_step
from hybridsim.engine.memory import (
    ARMED,
    CROSSING,
    ENTRY,
    EXIT,
    N_EXITS,
    NOWHERE,
    TOUCH,
    UNDECIDED,
    WAITING,
    ZENO,
)
from hybridsim.engine.rounding import SPACINGS, spacing
from hybridsim.engine.runge_kutta import copy, slope
from hybridsim.engine.status import CROSSED, GO_ON, Status

STOPPED = Status.STOPPED.value
CASCADE = Status.CASCADE.value
ACCUMULATED = Status.ZENO.value
SLIDING_INTERSECTION = Status.SLIDING_INTERSECTION.value
UNKNOWN_CHART = Status.UNKNOWN_CHART.value
TOO_MANY_STEPS = Status.TOO_MANY_STEPS.value
TOO_MANY_TRANSITIONS = Status.TOO_MANY_TRANSITIONS.value

DECLINED = -1
MAX_CASCADE = 1000
"""Jumps at one instant; more are a cascade without end."""

MAX_SURFACES = 32
"""Beginnings of slides, and crossings of several boundaries, at one instant and one state: surfaces intersect there."""


@routine(integer, integer)
def advance(problem, state, workspace, log, budget):
    """Make `budget` steps and events at the most; 0 = more to do, else the code of a Status."""
    problem, workspace, log = loaded(problem), loaded(workspace), loaded(log)
    limit = problem.settings.max_steps
    state.budget = min(budget, limit - state.steps)
    outcome = max(trajectory(problem, state, workspace, log), GO_ON)
    return TOO_MANY_STEPS if outcome == GO_ON and state.steps >= limit else outcome


@iterator
def trajectory(problem, state, workspace, log):
    """Run until the chunk is used up (ENOUGH) or the run ends (a Status code)."""
    while True:
        outcome = flow(problem, state, workspace, log) if state.phase == FLOWING else enter(problem, state, workspace)
        if outcome == CROSSED:
            outcome = jump(problem, state, workspace, log)
        if outcome != GO_ON:
            return outcome


@routine(integer)
def jump(problem, state, workspace, log):
    """Ask the model's transition for the next chart and state, and take them."""
    problem, workspace, log = loaded(problem), loaded(workspace), loaded(log)
    settings = problem.settings
    state.budget -= 1
    stop = count_crossings(problem, state, workspace)
    outcome = GO_ON
    if any_crossed(workspace, settings.n_boundaries):
        outcome = make_transition(problem, state, workspace, log, stop >= 0)
    elif state.adjacent_chart != NOWHERE and stop < 0:
        outcome = end_slide(problem, state, workspace, log)
    if outcome != GO_ON:
        return outcome
    if stop >= 0:
        state.detail = stop
        return STOPPED
    return TOO_MANY_TRANSITIONS if state.transitions >= settings.max_transitions else GO_ON


@kernel
def make_transition(problem, state, workspace, log, stops):
    """The model's answer to what has crossed: a jump, the beginning of a slide, or nothing."""
    settings = problem.settings
    before, adjacent = state.chart, state.adjacent_chart
    asked = before
    if adjacent != NOWHERE and crossed_in_adjacent_chart(workspace, settings.n_boundaries):
        asked = adjacent
    kind = TOUCH if by_touch_alone(workspace, settings.n_boundaries) else CROSSING
    copy(settings, workspace.x_event, workspace.x)
    chart = call_transition(
        problem.functions[TRANSITION], workspace.x, state.t, workspace.x_event, problem.p, asked, workspace.crossed
    )
    if chart == DECLINED:
        copy(settings, workspace.x_event, workspace.x)  # whatever the transition has written
        log_event(problem, state, workspace, log, state.t, kind, before, before, adjacent, workspace.x, True)
        if ends_slide(settings, state, workspace):
            return end_slide(problem, state, workspace, log)
        decline(problem, state, workspace)
        return GO_ON
    if settings.record_steps:
        log_before_jump(problem, state, workspace, log)
    leave_slide(problem, state, workspace, asked)
    if kind == CROSSING and slide_begins(problem, state, workspace, chart):
        # Held, not passed: where the slide ends it may fire at once.
        workspace.crossed_at[state.surface], workspace.fired_since_positive[state.surface] = -np.inf, 0
        log_event(
            problem,
            state,
            workspace,
            log,
            state.t,
            ENTRY,
            state.chart,
            state.chart,
            state.adjacent_chart,
            workspace.x,
            False,
        )
        return land(problem, state, workspace, state.chart)
    log_event(problem, state, workspace, log, state.t, kind, before, chart, adjacent, workspace.x, False)
    fault = land(problem, state, workspace, chart)
    if fault == GO_ON and settings.zeno_precision > 0.0 and not stops:
        return look_for_accumulation(problem, state, workspace, log)
    return fault


@kernel
def ends_slide(settings, state, workspace):
    first_end = settings.n_watched - N_EXITS
    return state.adjacent_chart != NOWHERE and (workspace.crossed[first_end] or workspace.crossed[first_end + 1])


@kernel
def by_touch_alone(workspace, n):
    for i in range(n):
        if workspace.crossed[i] and not workspace.by_touch[i]:
            return False
    return True


@kernel
def crossed_in_adjacent_chart(workspace, n):
    """Did boundaries of the other chart of a slide cross, and none of the first?"""
    for i in range(n):
        if workspace.crossed[i] and not workspace.source[i]:
            return False
    return True


@kernel
def leave_slide(problem, state, workspace, chart):
    """What crossed ends a slide, if there is one; the state may be off the surface by as much as the slide was."""
    if state.adjacent_chart != NOWHERE:
        state.drift = 2.0 * abs(surface_value(problem, state, workspace, state.t, workspace.x_event))
        state.chart, state.adjacent_chart = chart, NOWHERE


@kernel
def end_slide(problem, state, workspace, log):
    """One of the two flows points at the surface no longer: go on in its chart."""
    settings = problem.settings
    first_end = settings.n_watched - N_EXITS
    chart = state.chart if workspace.crossed[first_end] else state.adjacent_chart
    state.resting = state.surface if chart == state.chart else state.back
    state.value = surface_value(problem, state, workspace, state.t, workspace.x_event)
    state.drift, state.depth, state.error = 2.0 * abs(state.value), np.nan, np.nan
    copy(settings, workspace.x_event, workspace.x)
    for i in range(settings.n_boundaries):
        workspace.crossed[i] = i == state.surface
    log_event(
        problem, state, workspace, log, state.t, EXIT, state.chart, chart, state.adjacent_chart, workspace.x, False
    )
    if settings.record_steps:
        log_before_jump(problem, state, workspace, log)
    state.adjacent_chart = NOWHERE
    return land(problem, state, workspace, chart)


@kernel
def look_for_accumulation(problem, state, workspace, log):
    """Has the jump just made come near an accumulation? Then go to its limit, and rest there or end the run."""
    settings = problem.settings
    found = NOWHERE
    for i in range(settings.n_boundaries):
        if workspace.crossed[i]:
            if accumulates(problem, state, workspace, i):
                found = i
            else:
                remember_state(problem, workspace, i)
    return GO_ON if found == NOWHERE else come_to_rest(problem, state, workspace, log, found)


@kernel
def come_to_rest(problem, state, workspace, log, i):
    """Go on to the limit state in one straight piece; what follows is the boundary's rest chart, or the end."""
    settings = problem.settings
    state.accumulation_time, state.accumulation_error = accumulation(workspace, i)
    t = max(state.accumulation_time, state.t)
    limit_state(problem, state, workspace, i, t)
    forget(workspace, i)
    for b in range(settings.n_boundaries):
        workspace.crossed[b] = b == i
    if t > state.t:
        straight_step(problem, state, workspace, t)
        if settings.record_steps:
            log_step(problem, state, workspace, log)
    state.t = t
    copy(settings, workspace.x_event, workspace.x)
    state.value, state.depth, state.error = np.nan, np.nan, np.nan
    chart = state.chart if problem.rest[i] == NOWHERE else problem.rest[i]
    log_event(problem, state, workspace, log, state.t, ZENO, state.chart, chart, NOWHERE, workspace.x, False)
    if settings.record_steps:
        log_before_jump(problem, state, workspace, log)
    state.budget -= 2
    rests = chart != state.chart
    state.t_jump = state.t  # for the cap on cascades no time has passed
    fault = land(problem, state, workspace, chart)
    if fault == GO_ON and not rests:
        state.detail = i
        return ACCUMULATED
    return fault


@kernel
def straight_step(problem, state, workspace, t):
    """The piece from workspace.x to workspace.x_event at time t, as if it had been a step."""
    settings = problem.settings
    state.t_start, state.step, state.t_new = state.t, t - state.t, t
    state.chart_start, state.adjacent_chart_start, state.j_start = state.chart, NOWHERE, state.j
    state.extended, state.step_certificate = 1, UNDECIDED
    copy(settings, workspace.x, workspace.x_start)
    for m in range(settings.width * settings.degree):
        workspace.q[m] = workspace.x_event[m] - workspace.x[m] if m < settings.width else 0.0


@kernel
def any_crossed(workspace, n):
    for i in range(n):
        if workspace.crossed[i]:
            return True
    return False


@kernel
def count_crossings(problem, state, workspace):
    """Count each boundary's crossings; the index of one that a stop waits for, or -1."""
    settings = problem.settings
    stop = -1
    for i in range(settings.n_boundaries):
        if workspace.crossed[i]:
            workspace.crossed_at[i], workspace.fired_since_positive[i] = state.t, 1
            workspace.crossing_count[i] += 1
            if workspace.crossing_count[i] == problem.stop_count[i]:
                stop = i
    for i in range(settings.n_boundaries, settings.n_boundaries + settings.n_stops):
        if workspace.crossed[i]:
            stop = i
    return stop


@kernel
def land(problem, state, workspace, chart):
    """Take the next chart and state, if they exist."""
    settings = problem.settings
    state.j += 1
    state.transitions += 1
    if chart < 0 or chart >= settings.n_charts:
        state.detail = chart
        return UNKNOWN_CHART
    state.chart = chart
    for m in range(settings.n_states):
        if not math.isfinite(workspace.x[m]):
            state.detail = m
            return NON_FINITE_STATE
    if state.t - state.t_jump > SPACINGS * spacing(state.t):
        state.cascade, state.resets, state.surfaces = 0, 0, 0
    else:
        state.cascade += 1
        state.resets += not same_state(settings, workspace.x, workspace.x_event)
        state.surfaces += state.adjacent_chart != NOWHERE or only_crossed(workspace, settings.n_boundaries) == NOWHERE
    state.t_jump = state.t
    state.phase = ENTERING
    if state.surfaces >= MAX_SURFACES and not state.resets:
        return SLIDING_INTERSECTION
    if state.cascade >= MAX_CASCADE:
        return CASCADE
    return LEFT_CHART if is_invalid(problem, state, workspace, state.t, workspace.x) else GO_ON


@kernel
def decline(problem, state, workspace):
    """Nothing changes: silence what crossed until it is positive again, and go on from here in the same chart."""
    settings = problem.settings
    slope(problem, state, workspace, workspace.k, 0, state.t, workspace.x)
    evaluate(problem, state, workspace, workspace.g_start, state.t, workspace.x)
    relatch(state, workspace, workspace.g_start)
    for a in range(state.n_active):
        i = workspace.active[a]
        if workspace.crossed[i]:
            workspace.touched[i] = 1
            workspace.trigger_state[i] = ARMED if workspace.by_touch[i] else WAITING
            workspace.trigger_level[i] = 0.0
            workspace.crossed[i] = 0
            workspace.time_target[i] = np.inf
    state.t_target = settings.final_time
    for a in range(state.n_active):
        state.t_target = min(state.t_target, workspace.time_target[workspace.active[a]])
    if state.sampled:
        step = state.step if state.step > 0.0 else state.h  # a run may begin with a crossing that is declined
        slopes(
            problem,
            state,
            workspace,
            state.t,
            workspace.x,
            workspace.k,
            0,
            workspace.g_start,
            workspace.slope_start,
            step,
        )
    state.phase = FLOWING

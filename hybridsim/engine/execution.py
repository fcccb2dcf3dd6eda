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
def advance(problem, now, work, log, budget):
    """Make `budget` steps and events at the most; 0 = more to do, else the code of a Status."""
    problem, work, log = loaded(problem), loaded(work), loaded(log)
    limit = problem.settings.max_steps
    now.budget = min(budget, limit - now.steps)
    outcome = max(trajectory(problem, now, work, log), GO_ON)
    return TOO_MANY_STEPS if outcome == GO_ON and now.steps >= limit else outcome


@iterator
def trajectory(problem, now, work, log):
    """Run until the chunk is used up (ENOUGH) or the run ends (a Status code)."""
    while True:
        outcome = flow(problem, now, work, log) if now.phase == FLOWING else enter(problem, now, work)
        if outcome == CROSSED:
            outcome = jump(problem, now, work, log)
        if outcome != GO_ON:
            return outcome


@routine(integer)
def jump(problem, now, work, log):
    """Ask the model's transition for the next chart and state, and take them."""
    problem, work, log = loaded(problem), loaded(work), loaded(log)
    settings = problem.settings
    now.budget -= 1
    stop = count_crossings(problem, now, work)
    outcome = GO_ON
    if any_crossed(work, settings.n_boundaries):
        outcome = make_transition(problem, now, work, log, stop >= 0)
    elif now.adjacent_chart != NOWHERE and stop < 0:
        outcome = end_slide(problem, now, work, log)
    if outcome != GO_ON:
        return outcome
    if stop >= 0:
        now.detail = stop
        return STOPPED
    return TOO_MANY_TRANSITIONS if now.transitions >= settings.max_transitions else GO_ON


@kernel
def make_transition(problem, now, work, log, stops):
    """The model's answer to what has crossed: a jump, the beginning of a slide, or nothing."""
    settings = problem.settings
    before, beside, surface = now.chart, now.adjacent_chart, now.surface
    asked = before
    if beside != NOWHERE and crossed_beside(work, settings.n_boundaries):
        asked = beside
    kind = TOUCH if by_touch_alone(work, settings.n_boundaries) else CROSSING
    copy(settings, work.x_event, work.x)
    chart = call_transition(problem.functions[TRANSITION], work.x, now.t, work.x_event, problem.p, asked, work.crossed)
    if chart == DECLINED:
        copy(settings, work.x_event, work.x)  # whatever the transition has written
        log_event(problem, now, work, log, now.t, kind, before, before, beside, work.x, True)
        if ends_slide(settings, now, work):
            return end_slide(problem, now, work, log)
        decline(problem, now, work)
        return GO_ON
    if settings.record_steps:
        log_before_jump(problem, now, work, log)
    leave_slide(problem, now, work, asked)
    if kind == CROSSING and slide_begins(problem, now, work, chart):
        # Held, not passed: where the slide ends it may fire at once.
        work.crossed_at[now.surface], work.spent[now.surface] = -np.inf, 0
        log_event(problem, now, work, log, now.t, ENTRY, now.chart, now.chart, now.adjacent_chart, work.x, False)
        return land(problem, now, work, now.chart)
    now.surface = surface  # of the slide that ends here, if one does; `slide_begins` has written its own
    log_event(problem, now, work, log, now.t, kind, before, chart, beside, work.x, False)
    fault = land(problem, now, work, chart)
    if fault == GO_ON and settings.zeno_precision > 0.0 and not stops:
        return look_for_accumulation(problem, now, work, log)
    return fault


@kernel
def ends_slide(settings, now, work):
    first_end = settings.n_watched - N_EXITS
    return now.adjacent_chart != NOWHERE and (work.crossed[first_end] or work.crossed[first_end + 1])


@kernel
def by_touch_alone(work, n):
    for i in range(n):
        if work.crossed[i] and not work.by_touch[i]:
            return False
    return True


@kernel
def crossed_beside(work, n):
    """Did boundaries of the other chart of a slide cross, and none of the first?"""
    for i in range(n):
        if work.crossed[i] and not work.source[i]:
            return False
    return True


@kernel
def leave_slide(problem, now, work, chart):
    """What crossed ends a slide, if there is one; the state may be off the surface by as much as the slide was."""
    if now.adjacent_chart != NOWHERE:
        now.drift = 2.0 * abs(surface_value(problem, now, work, now.t, work.x_event))
        now.chart, now.adjacent_chart = chart, NOWHERE


@kernel
def end_slide(problem, now, work, log):
    """One of the two flows points at the surface no longer: go on in its chart."""
    settings = problem.settings
    first_end = settings.n_watched - N_EXITS
    chart = now.chart if work.crossed[first_end] else now.adjacent_chart
    now.resting = now.surface if chart == now.chart else now.back
    now.value = surface_value(problem, now, work, now.t, work.x_event)
    now.drift, now.depth, now.error = 2.0 * abs(now.value), np.nan, np.nan
    copy(settings, work.x_event, work.x)
    for i in range(settings.n_boundaries):
        work.crossed[i] = i == now.surface
    log_event(problem, now, work, log, now.t, EXIT, now.chart, chart, now.adjacent_chart, work.x, False)
    if settings.record_steps:
        log_before_jump(problem, now, work, log)
    now.adjacent_chart = NOWHERE
    return land(problem, now, work, chart)


@kernel
def look_for_accumulation(problem, now, work, log):
    """Has the jump just made come near an accumulation? Then go to its limit, and rest there or end the run."""
    settings = problem.settings
    found = NOWHERE
    for i in range(settings.n_boundaries):
        if work.crossed[i]:
            if accumulates(problem, now, work, i):
                found = i
            else:
                remember_state(problem, work, i)
    return GO_ON if found == NOWHERE else come_to_rest(problem, now, work, log, found)


@kernel
def come_to_rest(problem, now, work, log, i):
    """Go on to the limit state in one straight piece; what follows is the boundary's rest chart, or the end."""
    settings = problem.settings
    now.accumulation_time, now.accumulation_error = accumulation(work, i)
    t = max(now.accumulation_time, now.t)
    limit_state(problem, now, work, i, t)
    forget(work, i)
    for b in range(settings.n_boundaries):
        work.crossed[b] = b == i
    if t > now.t:
        straight_step(problem, now, work, t)
        if settings.record_steps:
            log_step(problem, now, work, log)
    now.t = t
    copy(settings, work.x_event, work.x)
    now.value, now.depth, now.error = np.nan, np.nan, np.nan
    chart = now.chart if problem.rest[i] == NOWHERE else problem.rest[i]
    log_event(problem, now, work, log, now.t, ZENO, now.chart, chart, NOWHERE, work.x, False)
    if settings.record_steps:
        log_before_jump(problem, now, work, log)
    now.budget -= 2
    rests = chart != now.chart
    now.t_jump = now.t  # for the cap on cascades no time has passed
    fault = land(problem, now, work, chart)
    if fault == GO_ON and not rests:
        now.detail = i
        return ACCUMULATED
    return fault


@kernel
def straight_step(problem, now, work, t):
    """The piece from work.x to work.x_event at time t, as if it had been a step."""
    settings = problem.settings
    now.t_start, now.step, now.t_new = now.t, t - now.t, t
    now.chart_start, now.adjacent_chart_start, now.j_start = now.chart, NOWHERE, now.j
    now.extended, now.decided = 1, UNDECIDED
    copy(settings, work.x, work.x_start)
    for m in range(settings.width * settings.degree):
        work.q[m] = work.x_event[m] - work.x[m] if m < settings.width else 0.0


@kernel
def any_crossed(work, n):
    for i in range(n):
        if work.crossed[i]:
            return True
    return False


@kernel
def count_crossings(problem, now, work):
    """Count each boundary's crossings; the index of one that a stop waits for, or -1."""
    settings = problem.settings
    stop = -1
    for i in range(settings.n_boundaries):
        if work.crossed[i]:
            work.crossed_at[i], work.spent[i] = now.t, 1
            work.crossing_count[i] += 1
            if work.crossing_count[i] == problem.stop_count[i]:
                stop = i
    for i in range(settings.n_boundaries, settings.n_boundaries + settings.n_stops):
        if work.crossed[i]:
            stop = i
    return stop


@kernel
def land(problem, now, work, chart):
    """Take the next chart and state, if they exist."""
    settings = problem.settings
    now.j += 1
    now.transitions += 1
    if chart < 0 or chart >= settings.n_charts:
        now.detail = chart
        return UNKNOWN_CHART
    now.chart = chart
    for m in range(settings.n_states):
        if not math.isfinite(work.x[m]):
            now.detail = m
            return NON_FINITE_STATE
    if now.t - now.t_jump > SPACINGS * spacing(now.t):
        now.cascade, now.resets, now.surfaces = 0, 0, 0
    else:
        now.cascade += 1
        now.resets += not same_state(settings, work.x, work.x_event)
        now.surfaces += now.adjacent_chart != NOWHERE or only_crossed(work, settings.n_boundaries) == NOWHERE
    now.t_jump = now.t
    now.phase = ENTERING
    if now.surfaces >= MAX_SURFACES and not now.resets:
        return SLIDING_INTERSECTION
    if now.cascade >= MAX_CASCADE:
        return CASCADE
    return LEFT_CHART if is_invalid(problem, now, work, now.t, work.x) else GO_ON


@kernel
def decline(problem, now, work):
    """Nothing changes: silence what crossed until it is positive again, and go on from here in the same chart."""
    settings = problem.settings
    slope(problem, now, work, work.k, 0, now.t, work.x)
    evaluate(problem, now, work, work.g_start, now.t, work.x)
    relatch(now, work, work.g_start)
    for a in range(now.n_active):
        i = work.active[a]
        if work.crossed[i]:
            work.touched[i] = 1
            work.latch[i] = ARMED if work.by_touch[i] else WAITING
            work.floor[i] = 0.0
            work.crossed[i] = 0
            work.time_target[i] = np.inf
    now.t_target = settings.final_time
    for a in range(now.n_active):
        now.t_target = min(now.t_target, work.time_target[work.active[a]])
    if now.sampled:
        step = now.step if now.step > 0.0 else now.h  # a run may begin with a crossing that is declined
        slopes(problem, now, work, now.t, work.x, work.k, 0, work.g_start, work.slope_start, step)
    now.phase = FLOWING

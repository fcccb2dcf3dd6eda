"""Iterator 4: from chart to chart.

Begin in a chart; flow until a boundary, a stop or the end; if a boundary, jump to the next chart and go on.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.boundaries import SPACINGS, evaluate, relatch, slopes, spacing
from hybridsim.engine.flow import ENTERING, FLOWING, LEFT_CHART, NON_FINITE_STATE, enter, flow, is_invalid
from hybridsim.engine.log import log_before_jump, log_event
from hybridsim.engine.memory import WAITING
from hybridsim.engine.runge_kutta import copy, slope
from hybridsim.engine.signatures import TRANSITION, call_transition, iterator, kernel, routine
from hybridsim.engine.status import CROSSED, GO_ON, Status

STOPPED = Status.STOPPED.value
CASCADE = Status.CASCADE.value
UNKNOWN_CHART = Status.UNKNOWN_CHART.value
TOO_MANY_TRANSITIONS = Status.TOO_MANY_TRANSITIONS.value

DECLINED = -1
MAX_CASCADE = 1000
"""Jumps at one instant; more are a cascade without end."""


@iterator
def trajectory(problem, now, work, log):
    """Run until the chunk is used up (ENOUGH) or the run ends (a Status code)."""
    while True:
        outcome = flow(problem, now, work, log) if now.phase == FLOWING else enter(problem, now, work)
        if outcome == CROSSED:
            outcome = jump(problem, now, work, log)
        if outcome != GO_ON:
            return outcome


@routine
def jump(problem, now, work, log):
    """Ask the model's transition for the next chart and state, and take them."""
    settings = problem.settings
    if settings.record_steps:
        log_before_jump(problem, now, work, log)
    now.budget -= 1
    stop = count_crossings(problem, now, work)
    chart = now.chart
    if any_crossed(work, settings.n_boundaries):
        copy(settings, work.x_event, work.x)
        chart = call_transition(
            problem.functions[TRANSITION], work.x, now.t, work.x_event, problem.p, now.chart, work.crossed
        )
        log_event(problem, now, work, log, now.chart if chart == DECLINED else chart, work.x, chart == DECLINED)
        if chart == DECLINED:
            decline(problem, now, work)
        else:
            fault = land(problem, now, work, chart)
            if fault != GO_ON:
                return fault
    if stop >= 0:
        now.detail = stop
        return STOPPED
    return TOO_MANY_TRANSITIONS if now.transitions >= settings.max_transitions else GO_ON


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
            work.crossed_at[i] = now.t
            work.crossing_count[i] += 1
            if work.crossing_count[i] == problem.stop_count[i]:
                stop = i
    for i in range(settings.n_boundaries, settings.n_watched):
        if work.crossed[i]:
            stop = i
    return stop


@kernel
def land(problem, now, work, chart):
    """Take the next chart and state, if they exist."""
    settings = problem.settings
    if chart < 0 or chart >= settings.n_charts:
        now.detail = chart
        return UNKNOWN_CHART
    now.chart = chart
    now.j += 1
    now.transitions += 1
    for m in range(settings.n_states):
        if not math.isfinite(work.x[m]):
            now.detail = m
            return NON_FINITE_STATE
    now.cascade = now.cascade + 1 if now.t - now.t_jump <= SPACINGS * spacing(now.t) else 0
    now.t_jump = now.t
    now.phase = ENTERING
    if now.cascade >= MAX_CASCADE:
        return CASCADE
    return LEFT_CHART if is_invalid(problem, now, work, now.t, work.x) else GO_ON


@kernel
def decline(problem, now, work):
    """Nothing changes: silence what crossed until it is positive again, and go on from here in the same chart."""
    settings = problem.settings
    copy(settings, work.x_event, work.x)
    slope(problem, now, work.k, 0, now.t, work.x)
    evaluate(problem, now, work, work.g_start, now.t, work.x)
    relatch(now, work, work.g_start)
    for a in range(now.n_active):
        i = work.active[a]
        if work.crossed[i]:
            work.latch[i] = WAITING
            work.floor[i] = 0.0
            work.crossed[i] = 0
            work.time_target[i] = np.inf
    now.t_target = settings.final_time
    for a in range(now.n_active):
        now.t_target = min(now.t_target, work.time_target[work.active[a]])
    if now.sampled:
        slopes(problem, now, work, now.t, work.x, work.k, 0, work.g_start, work.slope_start, now.step)
    now.phase = FLOWING

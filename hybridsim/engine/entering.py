"""Begin an epoch, the interval between two jumps: the first slope, the step size, active boundaries, trigger states."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer
from hybridsim.engine.events import at_zero
from hybridsim.engine.events.activation import find_active, forget, is_set
from hybridsim.engine.events.boundary_values import slopes
from hybridsim.engine.events.crossing_depth import judge_start
from hybridsim.engine.events.latching import latch, latch_after_change
from hybridsim.engine.memory import NOWHERE, TIME
from hybridsim.engine.rounding import INSTANT_SPACINGS, spacing
from hybridsim.engine.runge_kutta import extension_slope_at, initial_step
from hybridsim.engine.series_programs import UNPREPARED
from hybridsim.engine.stages import both, copy, has_both, slope
from hybridsim.engine.state import ENTERING, FLOWING, RESUMING, STARTING
from hybridsim.engine.status import (
    CROSSED,
    GO_ON,
    LEFT_CHART,
    NON_FINITE_BOUNDARY,
    NON_FINITE_STATE,
    OUTSIDE_CHART,
)
from hybridsim.engine.validity import is_invalid

MAX_SLOPE_CHANGE = 100.0
"""Slopes whose steps end less than this apart, in units of the tolerance, count as the same flow."""

NEARLY = 1e-6
"""Part of a period by which rounding of t may change it."""


@routine(integer)
def enter(problem, state, workspace):
    """Begin an epoch at (state.t, workspace.x); returns GO_ON, CROSSED or the code of a Status."""
    settings = problem.settings
    resumes, state.program = state.phase == RESUMING, UNPREPARED
    if state.phase == STARTING and is_invalid(problem, state, workspace, state.t, workspace.x):
        return LEFT_CHART
    knows_boundaries = not resumes and has_both(problem, state)
    if knows_boundaries:
        forget(settings, workspace.g_start)
        both(problem, state, workspace, 0, workspace.g_start, state.t, workspace.x)
    else:
        slope(problem, state, workspace, workspace.k, 0, state.t, workspace.x)
    for m in range(settings.n_moving):
        if not math.isfinite(workspace.k[m]):
            state.end_state = m
            return NON_FINITE_STATE
    state.t_target = settings.final_time
    if state.steps == 0 or not resumes:
        choose_step(problem, state, workspace, knows_boundaries)
    set_constant_states(settings, workspace)
    if resumes:
        found = latch_after_change(problem, state, workspace)
    else:
        find_active(problem, state, workspace, knows_boundaries)
        found = latch(problem, state, workspace)
    copy(settings, workspace.x, workspace.x_event)  # not before: `latch` compares what the jump has changed
    inputs_changed = resumes or state.inputs_changed != 0
    state.phase, state.inputs_changed = FLOWING, 0
    state.resting, state.drift = NOWHERE, 0.0
    outcome = outcome_of(found)
    if outcome == CROSSED:
        state.t_event = state.t
        judge_start(state, workspace, settings.n_boundaries, inputs_changed)
    # If the new inputs trigger a boundary, validate after its transition instead.
    if outcome == GO_ON and resumes and is_invalid(problem, state, workspace, state.t, workspace.x):
        return LEFT_CHART
    if outcome == GO_ON and state.n_sampled:
        rates, h = workspace.slope_start, state.h
        slopes(problem, state, workspace, state.t, workspace.x, workspace.k, 0, workspace.g_start, rates, h)
    return outcome


@kernel
def set_constant_states(settings, workspace):
    """Copy the state to all others: within an epoch, only the states that have slopes are computed."""
    copy(settings, workspace.x, workspace.x_new)
    copy(settings, workspace.x, workspace.x_stage)
    copy(settings, workspace.x, workspace.x_search)
    copy(settings, workspace.x, workspace.x_shifted)


@kernel
def outcome_of(found):
    """Return what the run does next when the trigger states are set: continue, fire at once, or end."""
    if found == at_zero.VALUE_NOT_FINITE:
        return NON_FINITE_BOUNDARY
    if found == at_zero.OUTSIDE:
        return OUTSIDE_CHART
    return CROSSED if found == at_zero.FIRING else GO_ON


@kernel
def choose_step(problem, state, workspace, knows_boundaries):
    """Choose the step size with which the epoch begins: the one proposed last, if the flow continues smoothly.

    From sample to sample of a controller, a step as long as the last one is tried.
    """
    settings = problem.settings
    if settings.first_step > 0.0 and (state.phase == STARTING or not settings.adaptive):
        state.h = settings.first_step
    elif settings.series_order != 0 and state.along_series and state.adjacent_chart == NOWHERE:
        return  # the series of the next step tells its length
    elif knows_boundaries and state.phase == ENTERING and reaches_next_time(problem, state, workspace):
        state.h = (1.0 + NEARLY) * state.step
    elif state.steps == 0 or not flow_continues(problem, state, workspace):
        state.h = initial_step(problem, state, workspace)


@kernel
def reaches_next_time(problem, state, workspace):
    """Return whether a step has just ended at an event that moves nothing, and the next time event is within its reach.

    Less than the error of a step is nothing: a jump may take away what steps have added to constraints.
    Then it needs no evaluation ahead of how the new flow changes: the error of the step is estimated as that of any.
    """
    settings, left = problem.settings, np.inf
    if not settings.adaptive or state.t != state.t_new:
        return False
    for m in range(settings.n_moving):
        moved, allowed = abs(workspace.x[m] - workspace.x_event[m]), settings.atol + settings.rtol * abs(workspace.x[m])
        if problem.continuous[m] != 0.0 and not moved <= allowed:
            return False
    for i in range(settings.n_boundaries):
        value = workspace.g_start[i]
        if problem.certificate[i] == TIME and is_set(value) and value > INSTANT_SPACINGS * spacing(state.t):
            left = min(left, value)
    return left <= min(state.h, (1.0 + NEARLY) * state.step)


@kernel
def flow_continues(problem, state, workspace):
    """Return whether the flow of this chart continues as if the boundary were not there.

    The step that was cut at the event has slopes of the old flow at the event and beyond, at its own end. If the new
    flow has the same slopes at both places, the step size fits it too.
    """
    settings = problem.settings
    width = settings.width
    if state.t >= state.t_new:
        return False
    for m in range(settings.n_moving):
        if workspace.x[m] != workspace.x_event[m]:
            return False
    extension_slope_at(problem, workspace, (state.t - state.t_start) / state.step, workspace.slope)
    for m in range(settings.n_moving):
        workspace.slope[m] /= state.step
    if not slopes_agree(problem, state, workspace, workspace.k, 0, workspace.slope, 0):
        return False
    for m in range(settings.n_states):
        workspace.x_stage[m] = workspace.x_new[m] if problem.continuous[m] else workspace.x[m]
    slope(problem, state, workspace, workspace.slope_ahead, 0, state.t_new, workspace.x_stage)
    return slopes_agree(problem, state, workspace, workspace.slope_ahead, 0, workspace.k, settings.stages * width)


@kernel
def slopes_agree(problem, state, workspace, first, at, second, at_second):
    """Return whether steps with the slopes first[at:] and second[at_second:] end less than MAX_SLOPE_CHANGE apart."""
    settings = problem.settings
    total = 0.0
    for m in range(settings.n_moving):
        scale = settings.atol + settings.rtol * abs(workspace.x[m])
        total += (state.step * (first[m + at] - second[m + at_second]) * problem.continuous[m] / scale) ** 2
    return total <= MAX_SLOPE_CHANGE**2 * max(settings.n_continuous, 1)

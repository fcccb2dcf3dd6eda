"""Iterator 2: steps through one chart, until a boundary, the end, or something that cannot be stepped over."""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import iterator, kernel, unlikely
from hybridsim.engine.compiler.lanes import LANES, load, store
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.engine.events import fall
from hybridsim.engine.events.crossings import find_crossing
from hybridsim.engine.events.latching import relatch
from hybridsim.engine.jacobian import is_differentiable
from hybridsim.engine.log import log_step
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.runge_kutta import ACCEPTED, extend, make_step
from hybridsim.engine.sliding import PROBE_RATIO, find_probe, state_over_slope
from hybridsim.engine.stages import copy, slope
from hybridsim.engine.status import (
    CROSSED,
    DISCONTINUOUS_BOUNDARY,
    ENOUGH,
    FINAL_TIME,
    LEFT_CHART,
    NON_FINITE_BOUNDARY,
    NON_FINITE_DERIVATIVE,
    NON_FINITE_STATE,
    STEP_TOO_SMALL,
    STOP_ITERATIONS,
)
from hybridsim.engine.validity import has_left_chart

N_PROBES_PER_STEP = 3
"""Probes tried after each step of a slide."""


@iterator
def flow(problem, state, workspace, record):
    """Step until a boundary is crossed (CROSSED), the chunk is used up (ENOUGH), or the run ends (a Status code)."""
    settings = problem.settings
    while True:
        if state.t >= settings.final_time:
            return FINAL_TIME
        if state.budget <= 0 or state.t >= state.t_look:
            return ENOUGH
        state.budget -= 1
        if make_step(problem, state, workspace) != ACCEPTED:
            return why_too_small(problem, state, workspace)
        found = find_crossing(problem, state, workspace, record) if state.n_active else fall.NONE
        if found == fall.UNRESOLVED:
            halve_step(state)
            continue
        if found == fall.TOO_LONG:
            shorten_step(state)
            continue
        if unlikely(state.shortenings > 0):
            state.h, state.shortenings = max(state.h, state.h_kept), 0
        if state.halvings > 0:
            state.halvings -= 1
            state.h = min(state.h, 2.0 * state.step)
        if settings.record_steps or state.t_new > state.t_look:
            extend(problem, state, workspace)
        if settings.record_steps:
            log_step(problem, state, workspace, record)
        if found != fall.FOUND and found != fall.NONE:
            return status_of_fault(found)
        if has_left_chart(problem, state, workspace, found == fall.FOUND):
            return LEFT_CHART
        if found == fall.FOUND:
            state.t = state.t_event
            copy(settings, workspace.x_event, workspace.x)
            return CROSSED
        complete_step(problem, state, workspace)


@kernel
def halve_step(state):
    """Take back the step just made; the next one is half as long."""
    state.steps -= 1
    state.series_steps -= state.along_series
    state.rejected += 1
    state.halvings += 1
    state.h = 0.5 * state.step


@kernel
def shorten_step(state):
    """Take back the step just made; the next one ends where this one has crossed."""
    state.steps -= 1
    state.rejected += 1
    if state.shortenings == 0:
        state.h_kept = state.h
    state.shortenings += 1
    state.h = (1.0 + 2.0 ** (-6.0 * state.shortenings)) * (state.t_event - state.t_start)


@kernel
def complete_step(problem, state, workspace):
    """Let the end of the step be the start of the next."""
    settings = problem.settings
    last = settings.stages * settings.width
    for m in range(0, settings.moving, LANES):
        store(workspace.x, m, load(workspace.x_new, m))
        store(workspace.k, m, load(workspace.k, m + last))
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.g_start[i] = workspace.g_end[i]
        workspace.slope_start[i] = workspace.slope_end[i]
    relatch(state, workspace, workspace.g_end)
    state.t = state.t_new
    if state.adjacent_chart != NOWHERE:
        renew_slide(problem, state, workspace)


@routine(void)
def renew_slide(problem, state, workspace):
    """Fit the probe of a slide to the new state, and its pull towards the surface to the step."""
    find_probe(problem, state, workspace, state.t, workspace.x, PROBE_RATIO * state.probe, N_PROBES_PER_STEP)
    # A stronger pull would act on how far the stages lie off a curved surface; one faster than a step is unstable.
    state.pull = 1.0 / max(max(state.step, state.h), state_over_slope(problem, workspace, workspace.x))
    slope(problem, state, workspace, workspace.k, 0, state.t, workspace.x)


@routine(integer)
def why_too_small(problem, state, workspace):
    """Return the status of a run in which no step size is accepted, by whether a state or slope beyond is finite."""
    settings = problem.settings
    if settings.gamma != 0.0 and not is_differentiable(problem, state, workspace):
        return NON_FINITE_DERIVATIVE
    for m in range(settings.n_moving):
        value = workspace.x_new[m] + workspace.k[m + settings.stages * settings.width]
        if not math.isfinite(value):
            state.end_state = m
            return NON_FINITE_STATE
    return STEP_TOO_SMALL


@kernel
def status_of_fault(fault):
    """The status of a run that ends at a boundary with this fault."""
    if fault == fall.NOT_FINITE:
        return NON_FINITE_BOUNDARY
    return DISCONTINUOUS_BOUNDARY if fault == fall.DISCONTINUOUS else STOP_ITERATIONS

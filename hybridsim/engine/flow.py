"""Iterator 2: steps through one chart, until a boundary, the end, or something that cannot be stepped over."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.lanes import LANES, load, store
from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import (
    VALIDATE,
    boolean,
    call_validate,
    integer,
    iterator,
    kernel,
    pointer,
    real,
    void,
)
from hybridsim.engine.events import crossings, isolation, latching
from hybridsim.engine.events.sliding import COARSER, find_probe, state_over_slope
from hybridsim.engine.events.touches import judge_start
from hybridsim.engine.log import log_step
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rounding import SPACINGS, spacing
from hybridsim.engine.runge_kutta import (
    ACCEPTED,
    accepted_step,
    copy,
    extend,
    extension_at,
    extension_slope_at,
    initial_step,
    slope,
)
from hybridsim.engine.status import CROSSED, ENOUGH, GO_ON, Status

FINAL_TIME = Status.FINAL_TIME.value
LEFT_CHART = Status.LEFT_CHART.value
STEP_TOO_SMALL = Status.STEP_TOO_SMALL.value
NON_FINITE_STATE = Status.NON_FINITE_STATE.value
NON_FINITE_BOUNDARY = Status.NON_FINITE_BOUNDARY.value
DISCONTINUOUS_BOUNDARY = Status.DISCONTINUOUS_BOUNDARY.value
STOP_ITERATIONS = Status.STOP_ITERATIONS.value
OUTSIDE_CHART = Status.OUTSIDE_CHART.value

STARTING, ENTERING, FLOWING, RESUMING = range(4)
"""Where a run stands between two calls: before its first chart, before another chart, within a chart; and within a
chart after a change of inputs."""

ERROR = 2
"""Severity of a message that ends the run; 1 is a warning."""

SMOOTH = 100.0
"""Slopes that move a step apart by less than this, in units of the tolerance, are the same flow."""


@routine(integer)
def enter(problem, state, workspace):
    """Begin an epoch at (state.t, workspace.x): the first slope, the step size, the latches."""
    problem, workspace = loaded(problem), loaded(workspace)
    settings = problem.settings
    resumes = state.phase == RESUMING
    if state.phase == STARTING and is_invalid(problem, state, workspace, state.t, workspace.x):
        return LEFT_CHART
    slope(problem, state, workspace, workspace.k, 0, state.t, workspace.x)
    for m in range(settings.n_moving):
        if not math.isfinite(workspace.k[m]):
            state.detail = m
            return NON_FINITE_STATE
    state.t_target = settings.final_time
    if state.steps == 0 or not resumes:
        choose_step(problem, state, workspace)
    copy(settings, workspace.x, workspace.x_stage)
    copy(settings, workspace.x, workspace.x_new)
    copy(settings, workspace.x, workspace.x_trial)
    copy(settings, workspace.x, workspace.x_event)
    if resumes:
        found = latching.latch_after_change(problem, state, workspace)
    else:
        latching.find_active(problem, state, workspace)
        found = latching.latch(problem, state, workspace)
    state.phase, state.changed = FLOWING, 0
    state.resting, state.drift = NOWHERE, 0.0
    if found == latching.CROSSED:
        state.t_event = state.t
        judge_start(state, workspace, settings.n_boundaries)
        return CROSSED
    if found == latching.NOT_FINITE:
        return NON_FINITE_BOUNDARY
    if found == latching.OUTSIDE:
        return OUTSIDE_CHART
    if resumes and is_invalid(
        problem, state, workspace, state.t, workspace.x
    ):  # where a change makes something cross, it is too early
        return LEFT_CHART
    if state.sampled:
        latching.slopes(
            problem,
            state,
            workspace,
            state.t,
            workspace.x,
            workspace.k,
            0,
            workspace.g_start,
            workspace.slope_start,
            state.h,
        )
    return GO_ON


@iterator
def flow(problem, state, workspace, log):
    """Step until a boundary is crossed (CROSSED), the chunk is used up (ENOUGH), or the run ends (a Status code)."""
    settings = problem.settings
    while True:
        if state.t >= settings.final_time:
            return FINAL_TIME
        if state.budget <= 0 or state.t >= state.t_look:
            return ENOUGH
        state.budget -= 1
        if accepted_step(problem, state, workspace) != ACCEPTED:
            return why_too_small(problem, state, workspace)
        found = crossings.find_crossing(problem, state, workspace, log) if state.n_active else isolation.NONE
        if settings.record_steps or state.t_new > state.t_look:
            extend(problem, state, workspace)
        if settings.record_steps:
            log_step(problem, state, workspace, log)
        if found != isolation.FOUND and found != isolation.NONE:
            return crossing_fault(found)
        if has_left_chart(problem, state, workspace, found == isolation.FOUND):
            return LEFT_CHART
        if found == isolation.FOUND:
            state.t = state.t_event
            copy(settings, workspace.x_event, workspace.x)
            return CROSSED
        complete_step(problem, state, workspace)


@kernel
def choose_step(problem, state, workspace):
    """The step size an epoch begins with: the one proposed before, if the flow goes on smoothly."""
    settings = problem.settings
    if settings.first_step > 0.0 and (state.phase == STARTING or not settings.adaptive):
        state.h = settings.first_step
    elif state.steps == 0 or not flow_goes_on(problem, state, workspace):
        state.h = initial_step(problem, state, workspace)


@kernel
def flow_goes_on(problem, state, workspace):
    """Does this chart's flow go on as if the boundary were not there?

    The step that was cut at the event has seen the old flow at the event and beyond, at its own end. If the new flow
    has the same slope at both places, the step size fits it too.
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
    slope(problem, state, workspace, workspace.k, width, state.t_new, workspace.x_stage)
    return slopes_agree(problem, state, workspace, workspace.k, width, workspace.k, settings.stages * width)


@kernel
def slopes_agree(problem, state, workspace, first, at, second, at_second):
    """Do two slopes move a step apart by less than SMOOTH units of the tolerance?"""
    settings = problem.settings
    total = 0.0
    for m in range(settings.n_moving):
        scale = settings.atol + settings.rtol * abs(workspace.x[m])
        total += (state.step * (first[m + at] - second[m + at_second]) * problem.continuous[m] / scale) ** 2
    return total <= SMOOTH**2 * max(settings.n_continuous, 1)


@kernel
def complete_step(problem, state, workspace):
    """The end of the step becomes the start of the next."""
    settings = problem.settings
    last = settings.stages * settings.width
    for m in range(0, settings.moving, LANES):
        store(workspace.x, m, load(workspace.x_new, m))
        store(workspace.k, m, load(workspace.k, m + last))
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.g_start[i] = workspace.g_end[i]
        workspace.slope_start[i] = workspace.slope_end[i]
    latching.relatch(state, workspace, workspace.g_end)
    state.t = state.t_new
    if state.adjacent_chart != NOWHERE:
        renew_slide(problem, state, workspace)


@routine(void)
def renew_slide(problem, state, workspace):
    """Let the probe follow the slide, and the pull towards its surface the steps."""
    problem, workspace = loaded(problem), loaded(workspace)
    find_probe(problem, state, workspace, state.t, workspace.x, COARSER * state.probe, 3)
    # Stronger, it would act on how far the stages lie off a curved surface; and than a step, it would be unstable.
    state.pull = 1.0 / max(max(state.step, state.h), state_over_slope(problem, workspace, workspace.x))
    slope(problem, state, workspace, workspace.k, 0, state.t, workspace.x)


@kernel
def is_invalid(problem, state, workspace, t, x):
    """The model's own check of a state: warnings are counted, an error ends the run."""
    code = verdict(problem, state, t, x)
    if code == 0:
        return False
    workspace.warning_count[code] += 1
    state.detail = code
    return problem.severity[code] == ERROR


@kernel
def verdict(problem, state, t, x):
    """What `validate` says: the number of a message, or 0; one more than there are messages for any other number."""
    if not problem.settings.has_validate:
        return 0
    code = call_validate(problem.functions[VALIDATE], t, x, problem.p, state.chart)
    return code if 0 <= code <= problem.settings.n_messages else problem.settings.n_messages + 1


@kernel
def has_left_chart(problem, state, workspace, crossed):
    """Is the state invalid where the step ends, or where it is cut by an event?"""
    if crossed:
        invalid = is_invalid(problem, state, workspace, state.t_event, workspace.x_event)
        return invalid and leave_chart(problem, state, workspace, state.t_event, workspace.x_event, SPACINGS)
    invalid = is_invalid(problem, state, workspace, state.t_new, workspace.x_new)
    return invalid and leave_chart(problem, state, workspace, state.t_new, workspace.x_new, 0.0)


@routine(boolean, real, pointer, real)
def leave_chart(problem, state, workspace, t_end, x_end, allowance):
    """End the run where the state stops being valid, at the first such float of t, by bisection.

    A state may be invalid by rounding where it lies on a boundary: `allowance` spacings of t before the event.
    """
    problem, workspace = loaded(problem), loaded(workspace)
    extend(problem, state, workspace)
    inside, outside = state.t_start, t_end
    while np.nextafter(inside, np.inf) < outside:
        t = inside + 0.5 * (outside - inside)
        extension_at(problem, workspace, (t - state.t_start) / state.step, workspace.x_trial)
        code = verdict(problem, state, t, workspace.x_trial)
        if problem.severity[code] == ERROR:
            outside, state.detail = t, code
        else:
            inside = t
    if t_end - outside < allowance * spacing(t_end):
        return False
    state.t = outside
    copy(problem.settings, x_end, workspace.x)
    if outside < t_end:
        extension_at(problem, workspace, (outside - state.t_start) / state.step, workspace.x)
    return True


@kernel
def why_too_small(problem, state, workspace):
    """A step that no size makes acceptable: is a state or slope beyond it infinite or not a number?"""
    settings = problem.settings
    for m in range(settings.n_moving):
        value = workspace.x_new[m] + workspace.k[m + settings.stages * settings.width]
        if not math.isfinite(value):
            state.detail = m
            return NON_FINITE_STATE
    return STEP_TOO_SMALL


@kernel
def crossing_fault(found):
    if found == isolation.NOT_FINITE:
        return NON_FINITE_BOUNDARY
    return DISCONTINUOUS_BOUNDARY if found == isolation.DISCONTINUOUS else STOP_ITERATIONS

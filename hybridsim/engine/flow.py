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
def enter(problem, now, work):
    """Begin an epoch at (now.t, work.x): the first slope, the step size, the latches."""
    problem, work = loaded(problem), loaded(work)
    settings = problem.settings
    resumes = now.phase == RESUMING
    if now.phase == STARTING and is_invalid(problem, now, work, now.t, work.x):
        return LEFT_CHART
    slope(problem, now, work, work.k, 0, now.t, work.x)
    for m in range(settings.n_moving):
        if not math.isfinite(work.k[m]):
            now.detail = m
            return NON_FINITE_STATE
    now.t_target = settings.final_time
    if now.steps == 0 or not resumes:
        choose_step(problem, now, work)
    copy(settings, work.x, work.x_stage)
    copy(settings, work.x, work.x_new)
    copy(settings, work.x, work.x_trial)
    copy(settings, work.x, work.x_event)
    if resumes:
        found = latching.latch_after_change(problem, now, work)
    else:
        latching.find_active(problem, now, work)
        found = latching.latch(problem, now, work)
    now.phase, now.changed = FLOWING, 0
    now.resting, now.drift = NOWHERE, 0.0
    if found == latching.CROSSED:
        now.t_event = now.t
        judge_start(now, work, settings.n_boundaries)
        return CROSSED
    if found == latching.NOT_FINITE:
        return NON_FINITE_BOUNDARY
    if found == latching.OUTSIDE:
        return OUTSIDE_CHART
    if resumes and is_invalid(
        problem, now, work, now.t, work.x
    ):  # where a change makes something cross, it is too early
        return LEFT_CHART
    if now.sampled:
        latching.slopes(problem, now, work, now.t, work.x, work.k, 0, work.g_start, work.slope_start, now.h)
    return GO_ON


@iterator
def flow(problem, now, work, log):
    """Step until a boundary is crossed (CROSSED), the chunk is used up (ENOUGH), or the run ends (a Status code)."""
    settings = problem.settings
    while True:
        if now.t >= settings.final_time:
            return FINAL_TIME
        if now.budget <= 0 or now.t >= now.t_look:
            return ENOUGH
        now.budget -= 1
        if accepted_step(problem, now, work) != ACCEPTED:
            return why_too_small(problem, now, work)
        found = crossings.find_crossing(problem, now, work, log) if now.n_active else isolation.NONE
        if settings.record_steps or now.t_new > now.t_look:
            extend(problem, now, work)
        if settings.record_steps:
            log_step(problem, now, work, log)
        if found != isolation.FOUND and found != isolation.NONE:
            return crossing_fault(found)
        if has_left_chart(problem, now, work, found == isolation.FOUND):
            return LEFT_CHART
        if found == isolation.FOUND:
            now.t = now.t_event
            copy(settings, work.x_event, work.x)
            return CROSSED
        complete_step(problem, now, work)


@kernel
def choose_step(problem, now, work):
    """The step size an epoch begins with: the one proposed before, if the flow goes on smoothly."""
    settings = problem.settings
    if settings.first_step > 0.0 and (now.phase == STARTING or not settings.adaptive):
        now.h = settings.first_step
    elif now.steps == 0 or not flow_goes_on(problem, now, work):
        now.h = initial_step(problem, now, work)


@kernel
def flow_goes_on(problem, now, work):
    """Does this chart's flow go on as if the boundary were not there?

    The step that was cut at the event has seen the old flow at the event and beyond, at its own end. If the new flow
    has the same slope at both places, the step size fits it too.
    """
    settings = problem.settings
    width = settings.width
    if now.t >= now.t_new:
        return False
    for m in range(settings.n_moving):
        if work.x[m] != work.x_event[m]:
            return False
    extension_slope_at(problem, work, (now.t - now.t_start) / now.step, work.slope)
    for m in range(settings.n_moving):
        work.slope[m] /= now.step
    if not slopes_agree(problem, now, work, work.k, 0, work.slope, 0):
        return False
    for m in range(settings.n_states):
        work.x_stage[m] = work.x_new[m] if problem.continuous[m] else work.x[m]
    slope(problem, now, work, work.k, width, now.t_new, work.x_stage)
    return slopes_agree(problem, now, work, work.k, width, work.k, settings.stages * width)


@kernel
def slopes_agree(problem, now, work, first, at, second, at_second):
    """Do two slopes move a step apart by less than SMOOTH units of the tolerance?"""
    settings = problem.settings
    total = 0.0
    for m in range(settings.n_moving):
        scale = settings.atol + settings.rtol * abs(work.x[m])
        total += (now.step * (first[m + at] - second[m + at_second]) * problem.continuous[m] / scale) ** 2
    return total <= SMOOTH**2 * max(settings.n_continuous, 1)


@kernel
def complete_step(problem, now, work):
    """The end of the step becomes the start of the next."""
    settings = problem.settings
    last = settings.stages * settings.width
    for m in range(0, settings.moving, LANES):
        store(work.x, m, load(work.x_new, m))
        store(work.k, m, load(work.k, m + last))
    for a in range(now.n_active):
        i = work.active[a]
        work.g_start[i] = work.g_end[i]
        work.slope_start[i] = work.slope_end[i]
    latching.relatch(now, work, work.g_end)
    now.t = now.t_new
    if now.adjacent_chart != NOWHERE:
        renew_slide(problem, now, work)


@routine(void)
def renew_slide(problem, now, work):
    """Let the probe follow the slide, and the pull towards its surface the steps."""
    problem, work = loaded(problem), loaded(work)
    find_probe(problem, now, work, now.t, work.x, COARSER * now.probe, 3)
    # Stronger, it would act on how far the stages lie off a curved surface; and than a step, it would be unstable.
    now.pull = 1.0 / max(max(now.step, now.h), state_over_slope(problem, work, work.x))
    slope(problem, now, work, work.k, 0, now.t, work.x)


@kernel
def is_invalid(problem, now, work, t, x):
    """The model's own check of a state: warnings are counted, an error ends the run."""
    code = verdict(problem, now, t, x)
    if code == 0:
        return False
    work.warning_count[code] += 1
    now.detail = code
    return problem.severity[code] == ERROR


@kernel
def verdict(problem, now, t, x):
    """What `validate` says: the number of a message, or 0; one more than there are messages for any other number."""
    if not problem.settings.has_validate:
        return 0
    code = call_validate(problem.functions[VALIDATE], t, x, problem.p, now.chart)
    return code if 0 <= code <= problem.settings.n_messages else problem.settings.n_messages + 1


@kernel
def has_left_chart(problem, now, work, crossed):
    """Is the state invalid where the step ends, or where it is cut by an event?"""
    if crossed:
        invalid = is_invalid(problem, now, work, now.t_event, work.x_event)
        return invalid and leave_chart(problem, now, work, now.t_event, work.x_event, SPACINGS)
    invalid = is_invalid(problem, now, work, now.t_new, work.x_new)
    return invalid and leave_chart(problem, now, work, now.t_new, work.x_new, 0.0)


@routine(boolean, real, pointer, real)
def leave_chart(problem, now, work, t_end, x_end, allowance):
    """End the run where the state stops being valid, at the first such float of t, by bisection.

    A state may be invalid by rounding where it lies on a boundary: `allowance` spacings of t before the event.
    """
    problem, work = loaded(problem), loaded(work)
    extend(problem, now, work)
    inside, outside = now.t_start, t_end
    while np.nextafter(inside, np.inf) < outside:
        t = inside + 0.5 * (outside - inside)
        extension_at(problem, work, (t - now.t_start) / now.step, work.x_trial)
        code = verdict(problem, now, t, work.x_trial)
        if problem.severity[code] == ERROR:
            outside, now.detail = t, code
        else:
            inside = t
    if t_end - outside < allowance * spacing(t_end):
        return False
    now.t = outside
    copy(problem.settings, x_end, work.x)
    if outside < t_end:
        extension_at(problem, work, (outside - now.t_start) / now.step, work.x)
    return True


@kernel
def why_too_small(problem, now, work):
    """A step that no size makes acceptable: is a state or slope beyond it infinite or not a number?"""
    settings = problem.settings
    for m in range(settings.n_moving):
        value = work.x_new[m] + work.k[m + settings.stages * settings.width]
        if not math.isfinite(value):
            now.detail = m
            return NON_FINITE_STATE
    return STEP_TOO_SMALL


@kernel
def crossing_fault(found):
    if found == isolation.NOT_FINITE:
        return NON_FINITE_BOUNDARY
    return DISCONTINUOUS_BOUNDARY if found == isolation.DISCONTINUOUS else STOP_ITERATIONS

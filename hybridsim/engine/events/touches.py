"""Grazing: minima of a boundary just above zero (touches), and how far below zero a crossing goes.

A dip of boundary g begins where g falls below its clearance, `engine.touch_precision`, and ends where g rises above it
again. If it has not crossed zero in between, its minimum is a touch, which is reported once.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import (
    kernel,
    void,
)
from hybridsim.engine.events.isolation import next_fall, value_at
from hybridsim.engine.events.latching import evaluate
from hybridsim.engine.log import log_event
from hybridsim.engine.memory import ARMED, EXACT, NOWHERE, REPORT, SAMPLED, TIME, TOUCH
from hybridsim.engine.runge_kutta import error_estimate, extension_at

MAX_TOUCHES = 64
"""Touches that are reported in one step."""

HALF_PROBE = 2.0**-17
"""Slopes at a minimum are central differences over twice this part of a step."""


@kernel
def first_touch(problem, state, workspace, i, n, start, end):
    """Where boundary i has its first minimum in (0, touch_threshold] between theta = start and end; or -1."""
    level, threshold = workspace.trigger_level[i], problem.touch_threshold[i]
    workspace.trigger_level[i] = threshold
    found = -1.0
    height = workspace.g_start[i] - threshold if start == 0.0 else value_at(problem, state, workspace, i, 1.0, start)
    dipping, bottom_from, inside = height <= 0.0, start, start
    if start == 0.0 and not dipping:
        workspace.touched[i] = 0
    reported = dipping and workspace.touched[i] != 0
    while True:
        if not dipping:
            above, inside = next_fall(problem, state, workspace, i, n, start, 1.0, False)
            if inside < 0.0 or (inside >= end and end < 1.0):
                break
            reported = False
            bottom_from = narrowed(problem, state, workspace, i, above, inside)
        rise, top = -1.0, 1.0
        if inside < 1.0:
            below, rise = next_fall(problem, state, workspace, i, n, inside, -1.0, True)
            if rise >= 0.0:
                top = narrowed(problem, state, workspace, i, below, rise)
        if not reported:
            found = bottom(problem, state, workspace, i, bottom_from, min(top, end))
        if found >= 0.0 or not 0.0 <= rise < end:
            break
        start, dipping, reported = rise, False, False
    workspace.trigger_level[i] = level
    return found


@kernel
def narrowed(problem, state, workspace, i, lo, hi):
    """Of two places between which G changes its sign the second, moved close to the change."""
    positive = value_at(problem, state, workspace, i, 1.0, hi) > 0.0
    for _ in range(48):
        middle = 0.5 * (lo + hi)
        if (value_at(problem, state, workspace, i, 1.0, middle) > 0.0) == positive:
            hi = middle
        else:
            lo = middle
    return hi


@kernel
def bottom(problem, state, workspace, i, lo, hi):
    """Where between lo and hi boundary i stops falling; lo if it rises from there on, -1 if it falls to the end."""
    if central_rate(problem, state, workspace, i, lo) >= 0.0:
        return lo
    if central_rate(problem, state, workspace, i, hi) < 0.0:
        return -1.0
    while hi - lo > 2.0**-52:
        middle = 0.5 * (lo + hi)
        if not lo < middle < hi:
            break
        if central_rate(problem, state, workspace, i, middle) < 0.0:
            lo = middle
        else:
            hi = middle
    return hi


@kernel
def central_rate(problem, state, workspace, i, theta):
    """Proportional to dg/dtheta."""
    after = value_at(problem, state, workspace, i, 1.0, theta + HALF_PROBE)
    return after - value_at(problem, state, workspace, i, 1.0, theta - HALF_PROBE)


@routine(void)
def report_touches(problem, state, workspace, log):
    """Record the touches in this step, in order, up to the first crossing. Nothing else comes of them."""
    problem, workspace, log = loaded(problem), loaded(workspace), loaded(log)
    end = 1.0
    for a in range(state.n_active):
        root = workspace.root[workspace.active[a]]
        if root < np.inf:
            end = min(end, (root - state.t_start) / state.step)
    start = 0.0
    for _ in range(MAX_TOUCHES):
        first, i = np.inf, NOWHERE
        for a in range(state.n_active):
            b = workspace.active[a]
            if problem.touch[b] == REPORT and workspace.trigger_state[b] == ARMED and problem.certificate[b] != TIME:
                theta = first_touch(
                    problem, state, workspace, b, problem.degree[b] * problem.settings.degree, start, end
                )
                if 0.0 <= theta < first:
                    first, i = theta, b
        if i == NOWHERE:
            return
        workspace.touched[i] = 1
        log_touch(problem, state, workspace, log, i, first)
        start = first


@kernel
def log_touch(problem, state, workspace, log, i, theta):
    """An event of boundary i at theta that changes nothing."""
    state.value = value_at(problem, state, workspace, i, 1.0, theta) + workspace.trigger_level[i]
    state.depth, state.certificate = np.nan, problem.certificate[i]
    estimate_error(problem, state, workspace)
    state.error = error_of(problem, workspace, i)
    extension_at(problem, workspace, theta, workspace.x_event)
    workspace.crossed[i] = 1
    t = state.t_start + theta * state.step
    log_event(
        problem,
        state,
        workspace,
        log,
        t,
        TOUCH,
        state.chart,
        state.chart,
        state.adjacent_chart,
        workspace.x_event,
        True,
    )
    workspace.crossed[i] = 0
    state.budget -= 1


@kernel
def estimate_error(problem, state, workspace):
    """Boundaries where the step's error estimate would have it end instead, into g_shift."""
    settings = problem.settings
    size = state.step * error_estimate(problem, workspace)
    for m in range(settings.n_states):
        workspace.x_trial[m] = workspace.x_new[m] + size * workspace.error[m] * problem.continuous[m]
    evaluate(problem, state, workspace, workspace.g_shift, state.t_new, workspace.x_trial)


@kernel
def error_of(problem, workspace, i):
    """The step's error estimate in the unit of boundary i."""
    return abs(workspace.g_shift[i] - workspace.g_end[i]) if problem.settings.adaptive else np.nan


@routine(void)
def judge(problem, state, workspace):
    """How near zero the boundary is at state.t_event, how deep it goes on, and how well the step knows that.

    Of several that cross together, the one that goes least deep.
    """
    problem, workspace = loaded(problem), loaded(workspace)
    settings = problem.settings
    state.value, state.depth, state.error = np.nan, np.nan, np.nan
    theta = (state.t_event - state.t_start) / state.step
    shallowest = NOWHERE
    for a in range(state.n_active):
        i = workspace.active[a]
        if (
            workspace.crossed[i]
            and i < settings.n_boundaries
            and problem.certificate[i] != TIME
            and not workspace.by_touch[i]
        ):
            deep = depth(problem, state, workspace, i, theta)
            if shallowest == NOWHERE or deep < state.depth:
                shallowest, state.depth = i, deep
    for i in range(settings.n_boundaries):
        if workspace.crossed[i] and shallowest == NOWHERE:
            shallowest = i
    if shallowest != NOWHERE:
        evaluate(problem, state, workspace, workspace.g_trial, state.t_event, workspace.x_event)
        state.value = workspace.g_trial[shallowest]
        if problem.certificate[shallowest] != TIME:
            estimate_error(problem, state, workspace)
            state.error = error_of(problem, workspace, shallowest)


@kernel
def judge_start(state, workspace, n):
    """Of what crosses where a chart begins nothing more than its value is known."""
    state.value, state.depth, state.error = np.nan, np.nan, np.nan
    for i in range(n):
        if workspace.crossed[i]:
            state.value = workspace.g_start[i]


@kernel
def falls_at_end(problem, workspace, i):
    """Does boundary i fall where the step ends, as far as the samples of the search tell?"""
    if problem.certificate[i] == SAMPLED:
        return workspace.slope_end[i] < 0.0
    last = problem.degree[i] * problem.settings.degree - 1
    return (
        problem.certificate[i] == EXACT
        and workspace.g_end[i] < workspace.g_nodes[i + last * problem.settings.n_watched]
    )


@kernel
def depth(problem, state, workspace, i, theta):
    """How far below zero boundary i goes between theta and the end of the step."""
    level = workspace.trigger_level[i]
    workspace.trigger_level[i] = 0.0
    end, lowest = 1.0, workspace.g_end[i]
    if workspace.g_end[i] > 0.0:
        n = problem.degree[i] * problem.settings.degree
        _, end = next_fall(problem, state, workspace, i, n, theta, -1.0, True)
        lowest = 0.0
    if end >= theta and not (end == 1.0 and falls_at_end(problem, workspace, i)):
        place = bottom(problem, state, workspace, i, theta, end)
        if place >= 0.0:
            lowest = min(value_at(problem, state, workspace, i, 1.0, place), lowest)
    workspace.trigger_level[i] = level
    return abs(min(lowest, 0.0)) if math.isfinite(lowest) else np.nan

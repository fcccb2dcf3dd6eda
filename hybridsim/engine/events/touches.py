"""Touches: minima of a boundary just above zero; and how far below zero a crossing goes.

A dip of a boundary begins where it falls below its touch threshold, `engine.touch_precision`, and ends where it rises
above it again. If it has not crossed zero in between, its minimum is a touch, which is reported once.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import void
from hybridsim.engine.events.crossing_depth import bottom, error_in_boundary, extension_error
from hybridsim.engine.events.fall import Fall, value_at
from hybridsim.engine.events.isolation import next_fall
from hybridsim.engine.events.root_finding import find_fall
from hybridsim.engine.log import log_event
from hybridsim.engine.memory import ARMED, NOWHERE, REPORT, TIME, TOUCH
from hybridsim.engine.runge_kutta import extension_at

MAX_TOUCHES = 64
"""Most touches reported in one step."""

MAX_EVALUATIONS = 128
"""Most evaluations to bring the end of an interval close to the threshold; halving it takes 52."""


@kernel
def first_touch(problem, state, workspace, i, n, start, end):
    """Return the theta of the first minimum of boundary i in (0, touch_threshold] between theta = start and end; or -1.

    n is the degree in theta of an exact boundary.
    """
    threshold = problem.touch_threshold[i]
    fall = Fall(i, threshold, 1.0, False)
    if start == 0.0:
        dipping = workspace.g_start[i] - threshold <= 0.0
        if not dipping:
            workspace.touched[i] = 0
    else:
        dipping = value_at(problem, state, workspace, fall, start) <= 0.0
    bottom_from, inside = start, start
    reported = dipping and workspace.touched[i] != 0
    while True:
        if not dipping:
            above, inside = next_fall(problem, state, workspace, i, n, start, threshold, 1.0, False)
            if inside < 0.0 or (inside >= end and end < 1.0):
                return -1.0
            reported = False
            bottom_from = close_to_change(problem, state, workspace, fall, above, inside)
        rise, top = -1.0, 1.0
        if inside < 1.0:
            below, rise = next_fall(problem, state, workspace, i, n, inside, threshold, -1.0, True)
            if rise >= 0.0:
                top = close_to_change(problem, state, workspace, fall, below, rise)
        found = -1.0
        if not reported:
            found = bottom(problem, state, workspace, fall, bottom_from, min(top, end))
        if found >= 0.0 or not 0.0 <= rise < end:
            return found
        start, dipping, reported = rise, False, False


@kernel
def close_to_change(problem, state, workspace, fall, lo, hi):
    """Return hi moved towards lo, as close as possible to where G changes its sign between them."""
    arguments = problem, state, workspace, fall
    g_lo, g_hi = value_at_theta(arguments, lo), value_at_theta(arguments, hi)
    if (g_lo > 0.0) == (g_hi > 0.0):  # it is at the threshold at lo, and counts as having passed it
        return lo
    above, g_above, below, g_below = (hi, g_hi, lo, g_lo) if g_hi > 0.0 else (lo, g_lo, hi, g_hi)
    _, theta, g, _ = find_fall(
        value_at_theta, arguments, above, g_above, below, g_below, np.nan, False, MAX_EVALUATIONS
    )
    return theta if (g > 0.0) == (g_hi > 0.0) else np.nextafter(theta, hi)


@kernel
def value_at_theta(arguments, theta):
    """Return G at theta."""
    problem, state, workspace, fall = arguments
    return value_at(problem, state, workspace, fall, theta)


@routine(void)
def report_touches(problem, state, workspace, record):
    """Log the touches in this step, in order, up to the first crossing, whose description they replace."""
    end = 1.0
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.crossed[i] = 0
        if workspace.root[i] < np.inf:
            end = min(end, (workspace.root[i] - state.t_start) / state.step)
    start = 0.0
    for _ in range(MAX_TOUCHES):
        first, first_boundary = np.inf, NOWHERE
        for a in range(state.n_active):
            i = workspace.active[a]
            may_touch = problem.touch[i] == REPORT and workspace.trigger_state[i] == ARMED and not workspace.decided[i]
            if may_touch and problem.certificate[i] != TIME:
                n = problem.degree[i] * problem.settings.degree
                theta = first_touch(problem, state, workspace, i, n, start, end)
                if 0.0 <= theta < first:
                    first, first_boundary = theta, i
        if first_boundary == NOWHERE:
            return
        workspace.touched[first_boundary] = 1
        log_touch(problem, state, workspace, record, first_boundary, first)
        start = first


@kernel
def log_touch(problem, state, workspace, record, i, theta):
    """Log an event of boundary i at theta that changes nothing."""
    state.value = value_at(problem, state, workspace, Fall(i, 0.0, 1.0, False), theta)
    state.depth, state.certificate = np.nan, problem.certificate[i]
    extension_at(problem, workspace, theta, workspace.x_event)
    t = state.t_start + theta * state.step
    state.error = error_in_boundary(problem, state, workspace, i)
    place = t, workspace.x_event, state.value
    state.error += extension_error(problem, state, workspace, i, theta, place)
    workspace.crossed[i] = 1
    chart, adjacent = state.chart, state.adjacent_chart
    log_event(problem, state, workspace, record, t, TOUCH, chart, chart, adjacent, workspace.x_event, True)
    workspace.crossed[i] = 0
    state.budget -= 1

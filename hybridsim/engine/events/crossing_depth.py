"""What is known about a crossing: its value, how far below zero it falls, and the integration error there."""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import void
from hybridsim.engine.events.boundary_values import evaluate
from hybridsim.engine.events.exact_search import at_node
from hybridsim.engine.events.fall import Fall, value_at
from hybridsim.engine.events.isolation import next_fall
from hybridsim.engine.memory import EXACT, NOWHERE, SAMPLED, TIME
from hybridsim.engine.runge_kutta import error_estimate
from hybridsim.engine.watched import is_boundary

HALF_DIFFERENCE_AT_MINIMUM = 2.0**-17
"""Half the length of the central differences that give slopes near a minimum, as a fraction of a step."""


@routine(void)
def judge(problem, state, workspace):
    """Set state.value, depth and error of the crossing at state.t_event to those of the boundary of least depth."""
    settings = problem.settings
    state.value, state.depth, state.error = np.nan, np.nan, np.nan
    theta = (state.t_event - state.t_start) / state.step
    shallowest = NOWHERE
    for a in range(state.n_active):
        i = workspace.active[a]
        crossed = workspace.crossed[i] and is_boundary(settings, i)
        if crossed and problem.certificate[i] != TIME and not workspace.by_touch[i]:
            i_depth = depth(problem, state, workspace, i, theta)
            if shallowest == NOWHERE or i_depth < state.depth:
                shallowest, state.depth = i, i_depth
    for i in range(settings.n_boundaries):
        if workspace.crossed[i] and shallowest == NOWHERE:
            shallowest = i
    if shallowest != NOWHERE:
        evaluate(problem, state, workspace, workspace.g_event, state.t_event, workspace.x_event)
        state.value = workspace.g_event[shallowest]
        if problem.certificate[shallowest] != TIME:
            state.error = error_in_boundary(problem, state, workspace, shallowest)


@kernel
def judge_start(state, workspace, n_boundaries, inputs_changed):
    """Set state.value of a crossing where a chart begins; depth and error are not known there.

    How deep a change of inputs has put a boundary says nothing about how deep it may be after its jump.
    """
    state.value, state.depth, state.error = np.nan, np.nan, np.nan
    for i in range(n_boundaries):
        workspace.g_event[i] = max(workspace.g_start[i], 0.0) if inputs_changed else workspace.g_start[i]
        if workspace.crossed[i]:
            state.value = workspace.g_start[i]


@kernel
def depth(problem, state, workspace, i, theta):
    """Return how far boundary i goes below zero between theta and the end of the step."""
    end, lowest = 1.0, workspace.g_end[i]
    if workspace.g_end[i] > 0.0:
        n = problem.degree[i] * problem.settings.degree
        _, end = next_fall(problem, state, workspace, i, n, theta, 0.0, -1.0, True)
        lowest = 0.0
    if end >= theta and not (end == 1.0 and falls_at_end(problem, workspace, i)):
        fall = Fall(i, 0.0, 1.0, False)
        theta_bottom = bottom(problem, state, workspace, fall, theta, end)
        if theta_bottom >= 0.0:
            lowest = min(value_at(problem, state, workspace, fall, theta_bottom), lowest)
    return abs(min(lowest, 0.0)) if math.isfinite(lowest) else np.nan


@kernel
def falls_at_end(problem, workspace, i):
    """Return whether boundary i falls where the step ends, as far as the samples of the search show."""
    if problem.certificate[i] == SAMPLED:
        return workspace.slope_end[i] < 0.0
    last = problem.degree[i] * problem.settings.degree - 1
    before_end = workspace.g_nodes[at_node(problem, i, problem.degree[i], last)]
    return problem.certificate[i] == EXACT and workspace.g_end[i] < before_end


@kernel
def bottom(problem, state, workspace, fall, lo, hi):
    """Return the theta in [lo, hi] at which G stops falling: lo if it rises from lo on, -1 if it falls all along."""
    if difference_at(problem, state, workspace, fall, lo) >= 0.0:
        return lo
    if difference_at(problem, state, workspace, fall, hi) < 0.0:
        return -1.0
    while hi - lo > 2.0**-52:
        middle = 0.5 * (lo + hi)
        if not lo < middle < hi:
            break
        if difference_at(problem, state, workspace, fall, middle) < 0.0:
            lo = middle
        else:
            hi = middle
    return hi


@kernel
def difference_at(problem, state, workspace, fall, theta):
    """Return a central difference of G at theta, proportional to its slope."""
    after = value_at(problem, state, workspace, fall, theta + HALF_DIFFERENCE_AT_MINIMUM)
    return after - value_at(problem, state, workspace, fall, theta - HALF_DIFFERENCE_AT_MINIMUM)


@kernel
def error_in_boundary(problem, state, workspace, i):
    """Return how far the step's error estimate moves boundary i at the end of the step, in the unit of the boundary."""
    settings, perturbed = problem.settings, workspace.x_perturbed
    size = state.step * error_estimate(problem, state, workspace)
    for m in range(settings.n_states):
        perturbed[m] = workspace.x_new[m] + size * workspace.error[m]
    evaluate(problem, state, workspace, workspace.g_shifted, state.t_new, perturbed)
    return abs(workspace.g_shifted[i] - workspace.g_end[i]) if settings.adaptive else np.nan

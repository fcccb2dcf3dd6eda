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
from hybridsim.engine.linear_equations import solve
from hybridsim.engine.memory import EXACT, NOWHERE, SAMPLED, TIME
from hybridsim.engine.runge_kutta import error_estimate, extension_at, extension_slope_at, is_along_series
from hybridsim.engine.stages import slope
from hybridsim.engine.watched import is_boundary

HALF_DIFFERENCE_AT_MINIMUM = 2.0**-17
"""Half the length of the central differences that give slopes near a minimum, as a fraction of a step."""

N_BISECTIONS = 20
"""How often the interval in which a boundary rises is halved, to find how deep it was before."""

GAUSS_NODES = (0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970262)
GAUSS_WEIGHTS = (0.17392742256872692, 0.32607257743127307, 0.32607257743127307, 0.17392742256872692)
"""The integral from 0 to 1 of a polynomial of degree 7 is the sum of its values at these nodes, so weighted."""

STIFFNESS = 4.0
"""Where a step is stiff, less than one part in so many of what a slope lacks stays: h times a rate is above 14."""


@routine(void)
def judge(problem, state, workspace):
    """Set state.value, depth and error of the crossing at state.t_event to those of the boundary of least depth."""
    settings = problem.settings
    state.value, state.depth, state.error, state.step_error = np.nan, np.nan, np.nan, np.nan
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
        find_values(problem, state, workspace)
        state.value = workspace.g_event[shallowest]
        if problem.certificate[shallowest] != TIME:
            state.step_error = error_in_boundary(problem, state, workspace, shallowest)
            place = state.t_event, workspace.x_event, state.value
            state.error = state.step_error + extension_error(problem, state, workspace, shallowest, theta, place)


@kernel
def find_values(problem, state, workspace):
    """Set g_event to all watched functions at the event; where the step ends, they are known."""
    if state.t_event == state.t_new:
        for i in range(problem.settings.n_watched):
            workspace.g_event[i] = workspace.g_end[i]
    else:
        evaluate(problem, state, workspace, workspace.g_event, state.t_event, workspace.x_event)


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
    if workspace.decided[i]:  # it has no minimum
        return abs(min(workspace.g_end[i], 0.0))
    end, lowest = 1.0, workspace.g_end[i]
    if workspace.g_end[i] > 0.0:
        n = problem.degree[i] * problem.settings.degree
        _, end = next_fall(problem, state, workspace, i, n, theta, 0.0, -1.0, True)
        end, lowest = where_it_rises(problem, state, workspace, i, theta, end), 0.0
    if end >= theta and not (end == 1.0 and falls_at_end(problem, workspace, i)):
        fall = Fall(i, 0.0, 1.0, False)
        theta_bottom = bottom(problem, state, workspace, fall, theta, end)
        if theta_bottom >= 0.0:
            lowest = min(value_at(problem, state, workspace, fall, theta_bottom), lowest)
    return abs(min(lowest, 0.0)) if math.isfinite(lowest) else np.nan


@kernel
def where_it_rises(problem, state, workspace, i, lo, hi):
    """Return where boundary i rises above zero between lo and hi, nearly: behind that it may have turned again."""
    if hi < lo:  # it is not known to rise
        return hi
    fall = Fall(i, 0.0, 1.0, False)
    for _ in range(N_BISECTIONS):
        middle = 0.5 * (lo + hi)
        if value_at(problem, state, workspace, fall, middle) > 0.0:
            hi = middle
        else:
            lo = middle
    return hi


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
    if not problem.settings.adaptive:
        return np.nan
    size, end = state.step * error_estimate(problem, state, workspace), (state.t_new, workspace.x_new)
    return moved(problem, state, workspace, i, (*end, workspace.g_end[i]), size, workspace.error)


@kernel
def moved(problem, state, workspace, i, place, size, error):
    """Return how far `size` times an error of the state moves boundary i at a `place`: (time, state, value there)."""
    t, x, g = place
    for m in range(problem.settings.n_states):
        workspace.x_perturbed[m] = x[m] + size * error[m]
    evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_perturbed)
    return abs(workspace.g_shifted[i] - g)


@kernel
def extension_error(problem, state, workspace, i, theta, place):
    """Return how far the error that the continuous extension has at theta, the given place, moves boundary i.

    The derivative of this error is what the slope of the extension lacks. Its integral over the step so far follows
    from four of its values (Gauss). In a stiff step most of it fades away: the equations of the stages tell what stays.
    """
    settings, error = problem.settings, workspace.error
    if is_along_series(problem, state):
        return next_term(problem, state, workspace, i)
    if settings.gamma == 0.0 and not settings.extra_error:
        return 0.0
    for m in range(settings.width):
        error[m] = 0.0
    if settings.gamma == 0.0:
        for node in range(len(GAUSS_NODES)):
            add_defect(problem, state, workspace, theta * GAUSS_NODES[node], theta * GAUSS_WEIGHTS[node] * state.step)
        return moved(problem, state, workspace, i, place, 1.0, error)
    add_defect(problem, state, workspace, theta, state.step)
    at_first = moved(problem, state, workspace, i, place, settings.gamma, error)
    solve(workspace.matrix, settings.n_moving, settings.moving, workspace.pivots, error, 0)
    stays = moved(problem, state, workspace, i, place, 1.0, error)
    state.crosses_stiffly = at_first > STIFFNESS * stays and stays > state.step_error
    return stays


@kernel
def add_defect(problem, state, workspace, theta, size):
    """Add `size` times what the slope of the continuous extension lacks at theta to workspace.error."""
    extension_at(problem, workspace, theta, workspace.x_search)
    extension_slope_at(problem, workspace, theta, workspace.slope)
    t = state.t_start + theta * state.step
    slope(problem, state, workspace, workspace.slope_ahead, 0, t, workspace.x_search)
    for m in range(problem.settings.n_moving):
        workspace.error[m] += size * (workspace.slope_ahead[m] - workspace.slope[m] / state.step)


@kernel
def next_term(problem, state, workspace, i):
    """Return how far the term of the series after the first that is left out moves boundary i at the end of the step.

    It is what the first changes in the slope, integrated; the first alone may be zero in a state by chance.
    """
    settings, x, last = problem.settings, workspace.x_perturbed, problem.settings.stages * problem.settings.width
    for m in range(settings.n_states):
        x[m] = workspace.x_new[m] + state.step * workspace.error[m]
    slope(problem, state, workspace, workspace.slope_ahead, 0, state.t_new, x)
    for m in range(settings.moving):
        workspace.slope_ahead[m] -= workspace.k[last + m]
    size, end = state.step / (settings.series_order + 2.0), (state.t_new, workspace.x_new, workspace.g_end[i])
    return moved(problem, state, workspace, i, end, size, workspace.slope_ahead)

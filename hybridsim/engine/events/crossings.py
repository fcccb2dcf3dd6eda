"""Iterator 3: was there a crossing in this step, and when? The first one, to the last bit of t.

Every accepted step is searched on its continuous extension. A cheap test settles most steps; the others are searched
(`isolation`), the interval found is narrowed to adjacent floats (`root_finding`), and what crosses within a few
spacings of t crosses together. A boundary that waits to become positive is searched for its rise first.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import iterator, kernel, unlikely
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer, real, void
from hybridsim.engine.events.at_zero import weaker
from hybridsim.engine.events.boundary_values import complete, evaluate
from hybridsim.engine.events.crossing_depth import judge
from hybridsim.engine.events.exact_search import sample_nodes
from hybridsim.engine.events.fall import (
    DISCONTINUOUS,
    FOUND,
    NONE,
    NOT_FINITE,
    TOO_LONG,
    UNRESOLVED,
    Fall,
    fell,
    value_and_rate_at,
    value_at,
)
from hybridsim.engine.events.isolation import next_fall, surely_no_root
from hybridsim.engine.events.perturbation import rounding_effect
from hybridsim.engine.events.root_finding import find_fall
from hybridsim.engine.events.sampled_search import any_unresolved, exclude_roots, may_halve, sample_middle
from hybridsim.engine.events.touches import first_touch, report_touches
from hybridsim.engine.memory import ARMED, BOUNDED, IGNORE, N_DEGREES, RESTING, SAMPLED, TIME, TRIGGER, WAITING
from hybridsim.engine.rounding import EPSILON, INSTANT_SPACINGS, spacing
from hybridsim.engine.runge_kutta import extend, extension_at, is_along_series
from hybridsim.engine.stages import copy, has_both
from hybridsim.engine.watched import is_slide_end

N_DOUBLINGS = 6
"""How often a time is moved, each time twice as far, from where rounding gives a boundary the wrong sign."""

MAX_SHORTENINGS, SHORTEST_SPACINGS = 8, 10.0
"""How often a stiff step is made again to end at its crossing, and the shortest one [spacings of t]."""

SAMPLE_SHIFT = 2.0**-12
"""Distance of a crossing from the places about it at which rounding is measured too, as a fraction of the step."""


@iterator
def find_crossing(problem, state, workspace, record):
    """Search the step from state.t_start to state.t_new; return NONE, FOUND, UNRESOLVED or the fault of a boundary.

    A crossing is described by state.t_event, workspace.x_event and workspace.crossed.
    """
    state.touch_found, state.step_unproved = 0, 0
    if has_both(problem, state) and not is_along_series(problem, state):  # known since the last stage
        complete(problem, state, workspace, workspace.g_end, 0, state.t_new, workspace.x_new)
    else:
        evaluate(problem, state, workspace, workspace.g_end, state.t_new, workspace.x_new)
    for a in range(state.n_active):
        i = workspace.active[a]
        if not math.isfinite(workspace.g_end[i]):
            state.end_boundary = i
            return NOT_FINITE
        workspace.root[i] = state.t_new if state.t_new >= workspace.time_target[i] else np.inf
    if state.active_degrees:
        extend(problem, state, workspace)
        fault = search(problem, state, workspace)
        if fault != NONE:
            return fault
    found = earliest(problem, state, workspace)
    if found == FOUND and state.depth < state.step_error and may_halve(problem, state):
        return UNRESOLVED  # the step's error may have made it
    if found == FOUND and unlikely(problem.settings.gamma != 0.0) and goes_on(problem, state):
        return TOO_LONG
    count_step(state)
    if state.touch_found:
        report_touches(problem, state, workspace, record)
        found = earliest(problem, state, workspace)
    return found


@kernel
def goes_on(problem, state):
    """Return whether the step is stiff and goes on after its crossing: it is made again to end there.

    The extension of a fast state may be far from where a step leads that ends at this time.
    """
    shortest = max(problem.settings.min_step, SHORTEST_SPACINGS * spacing(state.t_new))
    is_long = min(state.t_event - state.t_start, state.t_new - state.t_event) > shortest
    return state.crosses_stiffly and is_long and state.shortenings < MAX_SHORTENINGS


@kernel
def count_step(state):
    """Count the step by the weakest certificate of the boundaries searched in it."""
    if not state.active_degrees:
        state.time_steps += 1
    elif state.n_sampled or state.step_unproved:
        state.sampled_steps += 1
    elif state.n_bounded:
        state.bounded_steps += 1
    else:
        state.exact_steps += 1


@iterator
def search(problem, state, workspace):
    """Set workspace.root to the first crossing of each searched boundary in this step; return NONE or what is wrong."""
    if state.n_sampled:
        sample_middle(problem, state, workspace)
        if any_unresolved(problem, state, workspace):
            if may_halve(problem, state):
                return UNRESOLVED
            state.unresolved_steps += 1
    search_boundaries(problem, state, workspace)
    return state.fault


@kernel
def search_boundaries(problem, state, workspace):
    """Search each boundary; set state.fault and state.end_boundary if one has a fault."""
    state.fault = NONE
    for degree in range(N_DEGREES):
        if not state.active_degrees >> degree & 1:
            continue
        if degree > 0 and not is_to_search(problem, state, workspace, degree):
            continue
        for a in range(state.n_active):
            i, n = workspace.active[a], degree * problem.settings.degree
            is_open = problem.degree[i] == degree and workspace.decided[i] == 0
            if is_open and not surely_no_root(problem, state, workspace, i, n):
                state.falls_throughout = 0
                workspace.root[i] = first_root(problem, state, workspace, i, n)
                can_touch = problem.touch[i] != IGNORE and workspace.trigger_state[i] == ARMED
                if can_touch and not state.falls_throughout:
                    look_for_touch(problem, state, workspace, i, n)
            if state.fault != NONE:
                state.end_boundary = i
                return


@kernel
def is_to_search(problem, state, workspace, degree):
    """Evaluate the exact boundaries of this degree at nodes; return whether roots of any are still to be searched."""
    excluded = exclude_roots(problem, state, workspace, degree)
    return not (excluded or sample_nodes(problem, state, workspace, degree))


@routine(real, integer, integer)
def first_root(problem, state, workspace, i, n):
    """Return the time at which boundary i first fires within the step [s], or inf.

    n is the degree in theta of an exact boundary.
    """
    workspace.from_rest[i] = 0
    if workspace.trigger_state[i] == RESTING:
        return leave_rest(problem, state, workspace, i, n)
    start = 0.0
    if workspace.trigger_state[i] == WAITING:
        # Declined at the float before its fall, it has yet to fall: steps within that float would find it risen.
        is_above = problem.certificate[i] == BOUNDED and workspace.g_start[i] > 0.0
        start = spacing(state.t_start) / state.step if is_above else 0.0
        _, start = next_fall(problem, state, workspace, i, n, start, 0.0, -1.0, True)
        if start < 0.0:
            return np.inf
    return next_root(problem, state, workspace, n, start, Fall(i, 0.0, 1.0, False))


@kernel
def leave_rest(problem, state, workspace, i, n):
    """Return the time at which a resting boundary fires within the step [s], or inf.

    It fires below its trigger level or, once it has risen as far above zero, below zero.
    """
    level = workspace.trigger_level[i]
    at_zero, at_level = Fall(i, 0.0, 1.0, True), Fall(i, level, 1.0, True)
    # Its start counts as positive in this search. If it has risen just before it falls, there is nothing else to find.
    lo, hi = next_fall(problem, state, workspace, i, n, 0.0, 0.0, 1.0, True)
    if lo < 0.0:
        return np.inf
    if level == 0.0:
        return refine(problem, state, workspace, at_zero, lo, hi)
    for theta in (0.5 * hi, lo):
        if value_at(problem, state, workspace, at_zero, theta) > -level:
            return refine(problem, state, workspace, at_zero, theta, hi)
    _, rise = next_fall(problem, state, workspace, i, n, 0.0, -level, -1.0, True)
    lo, hi = next_fall(problem, state, workspace, i, n, 0.0, level, 1.0, True)
    if lo >= 0.0 and not 0.0 <= rise < hi:
        workspace.from_rest[i] = 1
        return refine(problem, state, workspace, at_level, lo, hi)
    return next_root(problem, state, workspace, n, rise, at_zero) if rise >= 0.0 else np.inf


@kernel
def next_root(problem, state, workspace, n, start, fall):
    """Return the time at which G first falls after theta = start [s], or inf."""
    i, level = fall.boundary, fall.level
    lo, hi = next_fall(problem, state, workspace, i, n, start, level, fall.orientation, fall.strict)
    return refine(problem, state, workspace, fall, lo, hi) if lo >= 0.0 else np.inf


@routine(void, integer, integer)
def look_for_touch(problem, state, workspace, i, n):
    """If boundary i has a touch before it falls to zero, cross there if declared so, else have it reported."""
    end = min((workspace.root[i] - state.t_start) / state.step, 1.0)
    theta = first_touch(problem, state, workspace, i, n, 0.0, end)
    workspace.by_touch[i] = 0
    if theta < 0.0:
        return
    at_zero = Fall(i, 0.0, 1.0, False)
    if value_at(problem, state, workspace, at_zero, theta) <= 0.0:  # a crossing that the search has overlooked
        workspace.root[i] = refine(problem, state, workspace, at_zero, 0.0, theta)
    elif problem.touch[i] == TRIGGER:
        workspace.root[i] = state.t_start + theta * state.step
        workspace.by_touch[i] = 1
    else:
        state.touch_found = 1


@kernel
def refine(problem, state, workspace, fall, lo, hi):
    """Locate the fall of G between theta = lo and hi by root finding.

    Return the float of t nearest to it (if only a value below zero counts, the first float after it), or inf after a
    fault. The result is later than t_start even where floats of t do not separate lo and hi, so that the run advances.
    """
    settings = problem.settings
    arguments = problem, state, workspace, fall
    end = state.t_new if hi == 1.0 else state.t_start + hi * state.step
    before, g_before = nearest_where(arguments, state.t_start + lo * state.step, False)
    earliest_possible = np.nextafter(state.t_start, np.inf)
    if fell(g_before, fall.strict):
        return max(before, earliest_possible)
    after, g_after = nearest_where(arguments, end, True)
    if not fell(g_after, fall.strict):
        return max(after, earliest_possible)  # rounding keeps it above zero
    first, most = state.t_start + state.theta_guess * state.step, settings.max_stop_iterations
    result, t, value, iterations = find_fall(
        value_at_time, arguments, before, g_before, after, g_after, first, fall.strict, most
    )
    if result != FOUND:
        state.fault = result
        return np.inf
    state.refinements += iterations
    depth, is_end = -value - settings.stop_precision, is_slide_end(settings, fall.boundary)
    if depth > 0.0 and not is_end and has_jumped(problem, state, workspace, fall, t, depth):
        state.fault = DISCONTINUOUS
    return max(t, earliest_possible)


@kernel
def nearest_where(arguments, t, fallen):
    """Return (time, G there) where G has fallen, or has not: t, or a little later or earlier; or t if it is nowhere.

    The search has found G so at the theta of t. The theta that the refinement computes from t, rounded, can differ.
    """
    _, state, _, fall = arguments
    value, distance = value_at_time(arguments, t), EPSILON * max(abs(t), state.step)
    for _ in range(N_DOUBLINGS):
        if fell(value, fall.strict) == fallen:
            break
        for other in (min(t + distance, state.t_new), max(t - distance, state.t_start)):
            other_value = value_at_time(arguments, other)
            if fell(other_value, fall.strict) == fallen:
                return other, other_value
        distance *= 2.0
    return t, value


@kernel
def value_at_time(arguments, t):
    """Return G at time t; at both ends of the step, from the states between which it was made."""
    problem, state, workspace, fall = arguments
    if t == state.t_start:
        return workspace.g_start[fall.boundary] - fall.level
    if t == state.t_new:
        return workspace.g_end[fall.boundary] - fall.level
    return value_at(problem, state, workspace, fall, (t - state.t_start) / state.step)


@kernel
def has_jumped(problem, state, workspace, fall, t, depth):
    """Return whether a boundary that falls at t is deeper below zero there than rounding explains.

    How far rounding moves it is measured at several places, because at one it may move the boundary little by chance.
    """
    theta = (t - state.t_start) / state.step
    for shift in (0.0, SAMPLE_SHIFT, -SAMPLE_SHIFT, 2.0 * SAMPLE_SHIFT, -2.0 * SAMPLE_SHIFT):
        place = min(max(theta + shift, 0.0), 1.0)
        if depth <= roughness(problem, state, workspace, fall, place):
            return False
    return True


@kernel
def roughness(problem, state, workspace, fall, theta):
    """Return how far rounding of t and of the state moves a boundary at theta."""
    t = state.t_start + theta * state.step
    _, rate = value_and_rate_at(problem, state, workspace, fall, theta)
    by_time = abs(rate) / state.step * INSTANT_SPACINGS * EPSILON * max(abs(t), state.step)
    x, scale = workspace.x_search, workspace.x_start
    return by_time + rounding_effect(problem, state, workspace, fall.boundary, t, x, scale)


@kernel
def earliest(problem, state, workspace):
    """Find the earliest crossing and all at the same instant, which are one jump at the latest of their times."""
    first = np.inf
    for a in range(state.n_active):
        first = min(first, workspace.root[workspace.active[a]])
    if first == np.inf:
        return NONE
    instant = first + INSTANT_SPACINGS * EPSILON * max(abs(first), state.step)
    state.t_event, state.certificate = first, TIME
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.crossed[i] = workspace.root[i] <= instant
        if workspace.crossed[i]:
            state.t_event = max(state.t_event, workspace.root[i])
            unproved = problem.certificate[i] == BOUNDED and state.step_unproved
            state.certificate = weaker(state.certificate, SAMPLED if unproved else problem.certificate[i])
    if state.t_event == state.t_new:
        copy(problem.settings, workspace.x_new, workspace.x_event)
    else:
        extension_at(problem, workspace, (state.t_event - state.t_start) / state.step, workspace.x_event)
    judge(problem, state, workspace)
    return FOUND

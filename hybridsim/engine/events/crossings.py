"""Iterator 3: was there a crossing in this step, and when? The first one, to the last bit of t.

Every accepted step is looked into on its continuous extension. What is not settled by a cheap test is searched
(`isolation.py`), the interval found is refined to adjacent floats, and what crosses within a few spacings of t crosses
together. A boundary that waits to become positive is first searched upside down.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import (
    integer,
    iterator,
    kernel,
    real,
    void,
)
from hybridsim.engine.events.isolation import (
    DISCONTINUOUS,
    FOUND,
    NONE,
    NOT_FINITE,
    NOT_LOCATED,
    fell,
    next_fall,
    rate_here,
    sample_middle,
    sample_nodes,
    surely_no_root,
    value_at,
)
from hybridsim.engine.events.latching import evaluate, rounding, weaker
from hybridsim.engine.events.touches import first_touch, judge, report_touches
from hybridsim.engine.memory import ARMED, BOUNDED, IGNORE, N_EXITS, RESTING, SAMPLED, TIME, TRIGGER, WAITING
from hybridsim.engine.rounding import EPSILON, SPACINGS
from hybridsim.engine.runge_kutta import copy, extend, extension_at


@iterator
def find_crossing(problem, state, workspace, log):
    """Look into the step from state.t_start to state.t_new; fills state.t_event, workspace.x_event and workspace.crossed."""
    state.near, state.unproved = 0, 0
    evaluate(problem, state, workspace, workspace.g_end, state.t_new, workspace.x_new)
    for a in range(state.n_active):
        i = workspace.active[a]
        if not math.isfinite(workspace.g_end[i]):
            state.detail = i
            return NOT_FINITE
        workspace.root[i] = state.t_new if state.t_new >= workspace.time_target[i] else np.inf
    if state.groups:
        extend(problem, state, workspace)
        fault = search(problem, state, workspace)
        if fault != NONE:
            return fault
        if state.near:
            report_touches(problem, state, workspace, log)
    else:
        state.time_steps += 1
    return earliest(problem, state, workspace)


@iterator
def search(problem, state, workspace):
    """Crossing times of all searched boundaries, into workspace.root (inf = none in this step)."""
    settings = problem.settings
    if state.sampled:
        state.sampled_steps += 1
        sample_middle(problem, state, workspace)
    elif state.bounded:
        state.bounded_steps += 1
    else:
        state.exact_steps += 1
    state.fault, state.crept = NONE, 0
    for degree in range(5):
        if not state.groups >> degree & 1:
            continue
        if degree > 0:
            sample_nodes(problem, state, workspace, degree)
        for a in range(state.n_active):
            i = workspace.active[a]
            if problem.degree[i] == degree and not surely_no_root(
                problem, state, workspace, i, degree * settings.degree
            ):
                state.falling = 0
                workspace.root[i] = first_root(problem, state, workspace, i, degree * settings.degree)
                if problem.touch[i] != IGNORE and workspace.trigger_state[i] == ARMED and not state.falling:
                    look_for_touch(problem, state, workspace, i, degree * settings.degree)
            if state.fault != NONE:
                state.detail = i
                return state.fault
    state.unproved = state.crept
    if state.unproved and not state.sampled:
        state.bounded_steps -= 1
        state.sampled_steps += 1
    return NONE


@routine(real, integer, integer)
def first_root(problem, state, workspace, i, n):
    """When boundary i first falls to zero within the step, or inf. A waiting one must rise above zero before."""
    problem, workspace = loaded(problem), loaded(workspace)
    resting = workspace.trigger_state[i] == RESTING
    orientation = -1.0 if workspace.trigger_state[i] == WAITING else 1.0
    start = 0.0
    while True:
        strict = resting or orientation < 0.0
        lo, hi = next_fall(problem, state, workspace, i, n, start, orientation, strict)
        if lo < 0.0:
            return np.inf
        if orientation > 0.0:
            if resting:
                lo = leave_rest(problem, state, workspace, i, lo, hi)
            return refine(problem, state, workspace, i, lo, hi, strict)
        orientation, start = 1.0, hi


@routine(void, integer, integer)
def look_for_touch(problem, state, workspace, i, n):
    """Has boundary i a touch before it falls to zero? Let it cross there if it is to, else have it reported."""
    problem, workspace = loaded(problem), loaded(workspace)
    end = min((workspace.root[i] - state.t_start) / state.step, 1.0)
    theta = first_touch(problem, state, workspace, i, n, 0.0, end)
    workspace.by_touch[i] = 0
    if theta < 0.0:
        return
    reached = value_at(problem, state, workspace, i, 1.0, theta) <= 0.0  # by rounding: what reaches zero is no touch
    if reached or problem.touch[i] == TRIGGER:
        workspace.root[i] = state.t_start + theta * state.step
        workspace.by_touch[i] = not reached
    else:
        state.near = 1


@kernel
def leave_rest(problem, state, workspace, i, lo, hi):
    """A resting boundary that has been positive before it fell fires at zero, not where it started from."""
    for theta in (0.5 * hi, lo):
        if workspace.trigger_level[i] < 0.0:
            extension_at(problem, workspace, theta, workspace.x_trial)
            evaluate(
                problem, state, workspace, workspace.g_trial, state.t_start + theta * state.step, workspace.x_trial
            )
            if workspace.g_trial[i] > 0.0:
                workspace.trigger_level[i] = 0.0
                lo = theta
    return lo


@kernel
def refine(problem, state, workspace, i, lo, hi, strict):
    """The first of the two adjacent floats in t between which G falls (Chandrupatla 1997), with G <= 0.

    `a` is the newest point, `b` the other end of the bracket, `c` the one before.
    """
    settings = problem.settings
    b = state.t_start + lo * state.step
    a = state.t_new if hi == 1.0 else state.t_start + hi * state.step
    gb, ga = time_value(problem, state, workspace, i, b), time_value(problem, state, workspace, i, a)
    c, gc, fraction = b, gb, 0.5
    earliest_possible = np.nextafter(state.t_start, np.inf)  # a run goes on, even where t cannot tell lo from hi
    if fell(gb, strict):
        return max(b, earliest_possible)
    iterations = 0
    while min(a, b) < a + 0.5 * (b - a) < max(a, b):
        if iterations == settings.max_stop_iterations:
            state.fault = NOT_LOCATED
            return np.inf
        iterations += 1
        t = a + fraction * (b - a)
        if t <= min(a, b):
            t = np.nextafter(min(a, b), np.inf)
        if t >= max(a, b):
            t = np.nextafter(max(a, b), -np.inf)
        g = time_value(problem, state, workspace, i, t)
        if not math.isfinite(g):
            state.fault = NOT_FINITE
            return np.inf
        if fell(g, strict) == fell(ga, strict):
            c, gc = a, ga
        else:
            c, gc = b, gb
            b, gb = a, ga
        a, ga = t, g
        fraction = next_fraction(a, ga, b, gb, c, gc)
    state.refinements += iterations
    if not fell(ga, strict):
        a, ga = b, gb
    near = settings.stop_precision
    if -ga > near and i < settings.n_watched - N_EXITS and -ga > near + roughness(problem, state, workspace, i, a):
        state.fault = DISCONTINUOUS
    return max(a, earliest_possible)


@kernel
def roughness(problem, state, workspace, i, t):
    """How far from zero rounding can keep a boundary at its crossing: that of t along the flow, and of the state."""
    theta = (t - state.t_start) / state.step
    value_at(problem, state, workspace, i, 1.0, theta)
    rate = abs(rate_here(problem, state, workspace, i, theta)) / state.step
    by_time = rate * SPACINGS * EPSILON * max(abs(t), state.step)
    return by_time + rounding(problem, state, workspace, i, t, workspace.x_trial, workspace.x_start)


@kernel
def next_fraction(a, ga, b, gb, c, gc):
    """Where between a and b to look next: inverse quadratic interpolation where it is safe, else the middle."""
    least = EPSILON * max(abs(a), abs(b)) / abs(b - a)
    fraction = 0.5
    if c != b and gc != ga:
        xi, phi = (a - b) / (c - b), (ga - gb) / (gc - gb)
        if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            fraction = ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb)
    return min(max(fraction, least), 1.0 - least)


@kernel
def time_value(problem, state, workspace, i, t):
    """G at time t; at the end of the step from the state the step computed."""
    if t == state.t_new:
        return workspace.g_end[i] - workspace.trigger_level[i]
    return value_at(problem, state, workspace, i, 1.0, (t - state.t_start) / state.step)


@kernel
def earliest(problem, state, workspace):
    """The earliest crossing and all that cross at the same instant: one jump, at the latest of their times."""
    first = np.inf
    for a in range(state.n_active):
        first = min(first, workspace.root[workspace.active[a]])
    if first == np.inf:
        return NONE
    instant = first + SPACINGS * EPSILON * max(abs(first), state.step)
    state.t_event, state.certificate = first, TIME
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.crossed[i] = workspace.root[i] <= instant
        if workspace.crossed[i]:
            state.t_event = max(state.t_event, workspace.root[i])
            unproved = problem.certificate[i] == BOUNDED and state.unproved
            state.certificate = weaker(state.certificate, SAMPLED if unproved else problem.certificate[i])
    if state.t_event == state.t_new:
        copy(problem.settings, workspace.x_new, workspace.x_event)
    else:
        extension_at(problem, workspace, (state.t_event - state.t_start) / state.step, workspace.x_event)
    judge(problem, state, workspace)
    return FOUND

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
def find_crossing(problem, now, work, log):
    """Look into the step from now.t_start to now.t_new; fills now.t_event, work.x_event and work.crossed."""
    now.near, now.unproved = 0, 0
    evaluate(problem, now, work, work.g_end, now.t_new, work.x_new)
    for a in range(now.n_active):
        i = work.active[a]
        if not math.isfinite(work.g_end[i]):
            now.detail = i
            return NOT_FINITE
        work.root[i] = now.t_new if now.t_new >= work.time_target[i] else np.inf
    if now.groups:
        extend(problem, now, work)
        fault = search(problem, now, work)
        if fault != NONE:
            return fault
        if now.near:
            report_touches(problem, now, work, log)
    else:
        now.time_steps += 1
    return earliest(problem, now, work)


@iterator
def search(problem, now, work):
    """Crossing times of all searched boundaries, into work.root (inf = none in this step)."""
    settings = problem.settings
    if now.sampled:
        now.sampled_steps += 1
        sample_middle(problem, now, work)
    elif now.bounded:
        now.bounded_steps += 1
    else:
        now.exact_steps += 1
    now.fault, now.crept = NONE, 0
    for degree in range(5):
        if not now.groups >> degree & 1:
            continue
        if degree > 0:
            sample_nodes(problem, now, work, degree)
        for a in range(now.n_active):
            i = work.active[a]
            if problem.degree[i] == degree and not surely_no_root(problem, now, work, i, degree * settings.degree):
                now.falling = 0
                work.root[i] = first_root(problem, now, work, i, degree * settings.degree)
                if problem.touch[i] != IGNORE and work.latch[i] == ARMED and not now.falling:
                    look_for_touch(problem, now, work, i, degree * settings.degree)
            if now.fault != NONE:
                now.detail = i
                return now.fault
    now.unproved = now.crept
    if now.unproved and not now.sampled:
        now.bounded_steps -= 1
        now.sampled_steps += 1
    return NONE


@routine(real, integer, integer)
def first_root(problem, now, work, i, n):
    """When boundary i first falls to zero within the step, or inf. A waiting one must rise above zero before."""
    problem, work = loaded(problem), loaded(work)
    resting = work.latch[i] == RESTING
    orientation = -1.0 if work.latch[i] == WAITING else 1.0
    start = 0.0
    while True:
        strict = resting or orientation < 0.0
        lo, hi = next_fall(problem, now, work, i, n, start, orientation, strict)
        if lo < 0.0:
            return np.inf
        if orientation > 0.0:
            if resting:
                lo = leave_rest(problem, now, work, i, lo, hi)
            return refine(problem, now, work, i, lo, hi, strict)
        orientation, start = 1.0, hi


@routine(void, integer, integer)
def look_for_touch(problem, now, work, i, n):
    """Has boundary i a touch before it falls to zero? Let it cross there if it is to, else have it reported."""
    problem, work = loaded(problem), loaded(work)
    end = min((work.root[i] - now.t_start) / now.step, 1.0)
    theta = first_touch(problem, now, work, i, n, 0.0, end)
    work.by_touch[i] = 0
    if theta < 0.0:
        return
    reached = value_at(problem, now, work, i, 1.0, theta) <= 0.0  # by rounding: what reaches zero is no touch
    if reached or problem.touch[i] == TRIGGER:
        work.root[i] = now.t_start + theta * now.step
        work.by_touch[i] = not reached
    else:
        now.near = 1


@kernel
def leave_rest(problem, now, work, i, lo, hi):
    """A resting boundary that has been positive before it fell fires at zero, not where it started from."""
    for theta in (0.5 * hi, lo):
        if work.floor[i] < 0.0:
            extension_at(problem, work, theta, work.x_trial)
            evaluate(problem, now, work, work.g_trial, now.t_start + theta * now.step, work.x_trial)
            if work.g_trial[i] > 0.0:
                work.floor[i] = 0.0
                lo = theta
    return lo


@kernel
def refine(problem, now, work, i, lo, hi, strict):
    """The first of the two adjacent floats in t between which G falls (Chandrupatla 1997), with G <= 0.

    `a` is the newest point, `b` the other end of the bracket, `c` the one before.
    """
    settings = problem.settings
    b = now.t_start + lo * now.step
    a = now.t_new if hi == 1.0 else now.t_start + hi * now.step
    gb, ga = time_value(problem, now, work, i, b), time_value(problem, now, work, i, a)
    c, gc, fraction = b, gb, 0.5
    earliest_possible = np.nextafter(now.t_start, np.inf)  # a run goes on, even where t cannot tell lo from hi
    if fell(gb, strict):
        return max(b, earliest_possible)
    iterations = 0
    while min(a, b) < a + 0.5 * (b - a) < max(a, b):
        if iterations == settings.max_stop_iterations:
            now.fault = NOT_LOCATED
            return np.inf
        iterations += 1
        t = a + fraction * (b - a)
        if t <= min(a, b):
            t = np.nextafter(min(a, b), np.inf)
        if t >= max(a, b):
            t = np.nextafter(max(a, b), -np.inf)
        g = time_value(problem, now, work, i, t)
        if not math.isfinite(g):
            now.fault = NOT_FINITE
            return np.inf
        if fell(g, strict) == fell(ga, strict):
            c, gc = a, ga
        else:
            c, gc = b, gb
            b, gb = a, ga
        a, ga = t, g
        fraction = next_fraction(a, ga, b, gb, c, gc)
    now.refinements += iterations
    if not fell(ga, strict):
        a, ga = b, gb
    near = settings.stop_precision
    if -ga > near and i < settings.n_watched - N_EXITS and -ga > near + roughness(problem, now, work, i, a):
        now.fault = DISCONTINUOUS
    return max(a, earliest_possible)


@kernel
def roughness(problem, now, work, i, t):
    """How far from zero rounding can keep a boundary at its crossing: that of t along the flow, and of the state."""
    theta = (t - now.t_start) / now.step
    value_at(problem, now, work, i, 1.0, theta)
    rate = abs(rate_here(problem, now, work, i, theta)) / now.step
    by_time = rate * SPACINGS * EPSILON * max(abs(t), now.step)
    return by_time + rounding(problem, now, work, i, t, work.x_trial, work.x_start)


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
def time_value(problem, now, work, i, t):
    """G at time t; at the end of the step from the state the step computed."""
    if t == now.t_new:
        return work.g_end[i] - work.floor[i]
    return value_at(problem, now, work, i, 1.0, (t - now.t_start) / now.step)


@kernel
def earliest(problem, now, work):
    """The earliest crossing and all that cross at the same instant: one jump, at the latest of their times."""
    first = np.inf
    for a in range(now.n_active):
        first = min(first, work.root[work.active[a]])
    if first == np.inf:
        return NONE
    instant = first + SPACINGS * EPSILON * max(abs(first), now.step)
    now.t_event, now.certificate = first, TIME
    for a in range(now.n_active):
        i = work.active[a]
        work.crossed[i] = work.root[i] <= instant
        if work.crossed[i]:
            now.t_event = max(now.t_event, work.root[i])
            unproved = problem.kind[i] == BOUNDED and now.unproved
            now.certificate = weaker(now.certificate, SAMPLED if unproved else problem.kind[i])
    if now.t_event == now.t_new:
        copy(problem.settings, work.x_new, work.x_event)
    else:
        extension_at(problem, work, (now.t_event - now.t_start) / now.step, work.x_event)
    judge(problem, now, work)
    return FOUND

"""Sliding: where two flows push a state onto their common boundary, it moves along that boundary (Filippov 1988).

A slide lies between `now.chart`, which the state came from, and `now.adjacent_chart`. Its surface is the zero set of
boundary `now.surface` of the first chart; boundary `now.back` of the other leads back. With f_a and f_b the two vector
fields, and L_a < 0 < L_b the rates of the surface's function along them, the state follows w f_a + (1 - w) f_b with
w = L_b / (L_b - L_a), which is tangent to the surface. Where L_a or L_b comes to zero, the slide ends.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import (
    BOUNDARIES,
    SLIDING_FIELD,
    TRANSITION,
    VECTOR_FIELD,
    call_boundaries,
    call_sliding_field,
    call_transition,
    call_vector_field,
    integer,
    kernel,
    pointer,
    real,
    void,
)
from hybridsim.engine.memory import N_EXITS, NOWHERE, TIME
from hybridsim.engine.rounding import EPSILON, SPACINGS, spacing

GLANCE = 2.0**-20
"""Which way a flow crosses a boundary is seen over this part of a step."""

LARGEST_PROBE, COARSER, N_PROBES = 2.0**-6, 4.0, 24
"""Rates along a flow are differences over a probe, the best of a series that begins with this part of a step."""

LEAST_ANGLE = 1e-9
"""Two rates of which one is this much smaller than the other do not oppose each other: one flow is tangent."""


@kernel
def field(problem, now, v, t, x, chart):
    """V = f(t, x) in a chart."""
    for m in range(0, problem.settings.moving, LANES):
        store(v, m, zeros())
    call_vector_field(problem.functions[VECTOR_FIELD], v, 0, t, x, 0, problem.p, chart)
    now.calls += 1


@kernel
def ahead(problem, now, work, t, x, v, steps):
    """The surface's function a few probes ahead along v."""
    for m in range(0, problem.settings.width, LANES):
        store(work.slide_x, m, plus(load(x, m), steps * now.probe, load(v, m)))
    t_ahead = t + steps * now.probe
    call_boundaries(problem.functions[BOUNDARIES], work.slide_g, 0, t_ahead, work.slide_x, problem.p, now.chart)
    now.boundary_calls += 1
    return work.slide_g[now.surface]


@kernel
def rate_along(problem, now, work, t, x, v):
    """The rate of the surface's function along v: a central difference of fourth order."""
    near = ahead(problem, now, work, t, x, v, 1.0) - ahead(problem, now, work, t, x, v, -1.0)
    far = ahead(problem, now, work, t, x, v, 2.0) - ahead(problem, now, work, t, x, v, -2.0)
    return (8.0 * near - far) / (12.0 * now.probe)


@kernel
def rates(problem, now, work, t, x):
    """Both fields, into slide_a and slide_b, and (L_a, L_b)."""
    field(problem, now, work.slide_a, t, x, now.chart)
    field(problem, now, work.slide_b, t, x, now.adjacent_chart)
    first = rate_along(problem, now, work, t, x, work.slide_a)
    return first, rate_along(problem, now, work, t, x, work.slide_b)


@routine(void, pointer, integer, real, pointer)
def sliding_slope(problem, now, work, k, offset, t, x):
    """k[offset:] = the slope of the slide.

    The surface's function g is pulled back to zero, dg/dt = -pull g, so that errors of the steps do not add up.
    """
    problem, work = loaded(problem), loaded(work)
    settings = problem.settings
    first, second = rates(problem, now, work, t, x)
    call_boundaries(problem.functions[BOUNDARIES], work.slide_g, 0, t, x, problem.p, now.chart)
    now.sliding_weight = (second + now.pull * work.slide_g[now.surface]) / (second - first)
    if settings.has_sliding_field:
        call_sliding_field(problem.functions[SLIDING_FIELD], k, offset, t, x, problem.p, now.chart, now.adjacent_chart)
    else:
        for m in range(settings.moving):
            k[offset + m] = now.sliding_weight * work.slide_a[m] + (1.0 - now.sliding_weight) * work.slide_b[m]


@routine(void, pointer, integer, real, pointer)
def sliding_boundaries(problem, now, work, g, offset, t, x):
    """What a slide has besides the boundaries of now.chart: those of now.adjacent_chart alone, and its two ends."""
    problem, work = loaded(problem), loaded(work)
    settings = problem.settings
    call_boundaries(problem.functions[BOUNDARIES], work.slide_preset, 0, t, x, problem.p, now.adjacent_chart)
    for i in range(settings.n_boundaries):
        if work.source[i]:
            g[offset + i] = work.slide_preset[i]
    first, second = rates(problem, now, work, t, x)
    ends = offset + settings.n_watched - N_EXITS
    g[ends], g[ends + 1] = -first, second


@kernel
def slide_begins(problem, now, work, chart):
    """Does the crossing at work.x_event, which leads from now.chart to `chart`, begin a slide? Then now describes it.

    It does where the transitions there and back leave the state as it is, and both flows point at the boundary.
    """
    settings = problem.settings
    i = only_crossed(work, settings.n_boundaries)
    if i == NOWHERE or problem.kind[i] == TIME or chart == now.chart:
        return False
    if chart < 0 or chart >= settings.n_charts or not same_state(settings, work.x, work.x_event):
        return False
    now.surface, now.back = i, NOWHERE
    now.probe = GLANCE * max(now.step, now.h)
    field(problem, now, work.slide_b, now.t, work.x_event, chart)
    if ahead(problem, now, work, now.t, work.x_event, work.slide_b, 1.0) < now.value:
        return False  # the flow goes on to the other side, as nearly always
    now.adjacent_chart = chart
    find_probe(problem, now, work, now.t, work.x_event, LARGEST_PROBE * max(now.step, now.h), N_PROBES)
    now.pull = 0.0
    first, second = rates(problem, now, work, now.t, work.x_event)
    if first < 0.0 < second and min(second, -first) > LEAST_ANGLE * max(second, -first):
        now.back = way_back(problem, now, work)
    if now.back == NOWHERE:
        now.adjacent_chart = NOWHERE
    return now.adjacent_chart != NOWHERE


@kernel
def weight_at(problem, now, work, t, x, step):
    """The share of now.chart in a slide at (t, x), from which a step of this length begins, if one does.

    `now` is a copy, as looking at a run must not change it.
    """
    largest = LARGEST_PROBE * max(t - problem.settings.initial_time, step)
    find_probe(problem, now, work, t, x, largest, N_PROBES)
    first, second = rates(problem, now, work, t, x)
    return min(max(second / (second - first), 0.0), 1.0)  # by rounding it may lie outside


@routine(void, real, pointer, real, integer)
def find_probe(problem, now, work, t, x, largest, n):
    """The best of n probes, each a quarter of the one before.

    A long probe does not see how a boundary bends: there neighbours disagree. A short one sees rounding, which the
    size of the state tells (Ridders 1982 takes the disagreement for both; but what is rounded alike agrees).
    """
    problem, work = loaded(problem), loaded(work)
    rates(problem, now, work, t, x)
    rounding = EPSILON * (abs(t) + state_over_slope(problem, work, x))
    least = 2.0**10 * max(spacing(t), rounding)  # below, the rates vanish, and agree
    probe = max(2.0 ** math.ceil(math.log2(max(largest, least))), least)
    best, merit = probe, np.inf
    coarser_first, coarser_second = 0.0, 0.0
    for place in range(n):
        if probe < least:
            break
        now.probe = probe
        first = rate_along(problem, now, work, t, x, work.slide_a)
        second = rate_along(problem, now, work, t, x, work.slide_b)
        difference = max(abs(first - coarser_first), abs(second - coarser_second))
        doubt = difference + max(abs(first), abs(second)) * rounding / probe
        if place > 0 and doubt < merit:
            best, merit = probe, doubt
        coarser_first, coarser_second = first, second
        probe /= COARSER
    now.probe = best


@kernel
def state_over_slope(problem, work, x):
    """How long the state takes to become another: its size over that of its slopes."""
    size, slope = 0.0, 0.0
    for m in range(problem.settings.n_moving):
        size = max(size, abs(x[m]))
        slope = max(slope, max(abs(work.slide_a[m]), abs(work.slide_b[m])))
    return size / slope if slope > 0.0 else 0.0


@kernel
def only_crossed(work, n):
    """The boundary that crossed, if it was one alone."""
    found = NOWHERE
    for i in range(n):
        if work.crossed[i]:
            if found != NOWHERE:
                return NOWHERE
            found = i
    return found


@kernel
def same_state(settings, x, y):
    for m in range(settings.n_states):
        if x[m] != y[m]:
            return False
    return True


@kernel
def way_back(problem, now, work):
    """The boundary of now.adjacent_chart that the flow there, work.slide_b, drives back to now.chart; or NOWHERE."""
    settings = problem.settings
    n, function = settings.n_boundaries, problem.functions[BOUNDARIES]
    for m in range(0, settings.width, LANES):
        store(work.slide_x, m, plus(load(work.x_event, m), now.probe, load(work.slide_b, m)))
    call_boundaries(function, work.g_shift, 0, now.t + now.probe, work.slide_x, problem.p, now.adjacent_chart)
    for k in range(n):
        work.slide_g[k], work.slide_preset[k] = 1.0, 2.0
    call_boundaries(function, work.slide_g, 0, now.t, work.x_event, problem.p, now.adjacent_chart)
    call_boundaries(function, work.slide_preset, 0, now.t, work.x_event, problem.p, now.adjacent_chart)
    now.boundary_calls += 3
    rounded = EPSILON * (abs(now.t) + state_over_slope(problem, work, work.x_event))
    for k in range(n):
        active = work.slide_g[k] != 1.0 or work.slide_preset[k] != 2.0
        rate = (work.g_shift[k] - work.slide_g[k]) / now.probe
        tolerance = settings.stop_precision + abs(rate) * 2.0 * SPACINGS * rounded
        if active and rate < 0.0 and abs(work.slide_g[k]) <= tolerance and leads_back(problem, now, work, k):
            return k
    return NOWHERE


@kernel
def leads_back(problem, now, work, k):
    """Would a crossing of boundary k of now.adjacent_chart lead to now.chart, and leave the state as it is?"""
    settings = problem.settings
    for m in range(0, settings.width, LANES):
        store(work.slide_x, m, load(work.x_event, m))
    work.alone[k] = 1
    chart = call_transition(
        problem.functions[TRANSITION], work.slide_x, now.t, work.x_event, problem.p, now.adjacent_chart, work.alone
    )
    work.alone[k] = 0
    return chart == now.chart and same_state(settings, work.slide_x, work.x_event)


@kernel
def surface_value(problem, now, work, t, x):
    """How far off its surface the slide is."""
    call_boundaries(problem.functions[BOUNDARIES], work.slide_g, 0, t, x, problem.p, now.chart)
    return work.slide_g[now.surface]

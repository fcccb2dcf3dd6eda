"""Sliding: where two flows push a state onto their common boundary, it moves along that boundary (Filippov 1988).

A slide lies between `state.chart`, which the state came from, and `state.adjacent_chart`. Its surface is the zero set
of boundary `state.surface` of the first chart; boundary `state.surface_back` of the adjacent chart leads back. With the
vector fields f and f_adj of the two charts, and the rates L < 0 < L_adj of the surface's function along them, the state
follows w f + (1 - w) f_adj with w = L_adj / (L_adj - L), which is tangent to the surface. Where L or L_adj comes to
zero, the slide ends.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import (
    BOUNDARIES,
    SLIDING_FIELD,
    VECTOR_FIELD,
    call_boundaries,
    call_sliding_field,
    call_vector_field,
    integer,
    pointer,
    real,
    void,
)
from hybridsim.engine.rounding import EPSILON, spacing
from hybridsim.engine.watched import end_into_adjacent_chart, end_into_chart

MAX_PROBE = 2.0**-6
"""Longest probe, as a fraction of a step (in `weight_at`: of the time so far, if longer).

A probe is a finite-difference length [s]: the rate of a boundary along a vector field is a difference over it.
"""

PROBE_RATIO, N_PROBES = 4.0, 24
"""Ratio of each finite-difference length to the next shorter one, and most lengths tried."""

MIN_PROBE = 2.0**10
"""Shortest finite-difference length, in spacings of t and roundings of the state: shorter differences vanish,
and seem to agree."""


@kernel
def field(problem, state, v, t, x, chart):
    """Set v = f(t, x) in a chart."""
    for m in range(0, problem.settings.moving, LANES):
        store(v, m, zeros())
    call_vector_field(problem.functions[VECTOR_FIELD], v, 0, t, x, 0, problem.p, chart)
    state.calls += 1


@kernel
def surface_ahead(problem, state, workspace, t, x, v, probes):
    """Return the surface's function at a distance of `probes` probes along v."""
    for m in range(0, problem.settings.width, LANES):
        store(workspace.slide_x, m, plus(load(x, m), probes * state.probe, load(v, m)))
    t_ahead, function = t + probes * state.probe, problem.functions[BOUNDARIES]
    call_boundaries(function, workspace.slide_g, 0, t_ahead, workspace.slide_x, problem.p, state.chart)
    state.boundary_calls += 1
    return workspace.slide_g[state.surface]


@kernel
def surface_value(problem, state, workspace, t, x):
    """Return the surface's function at (t, x), the distance of the slide from its surface."""
    call_boundaries(problem.functions[BOUNDARIES], workspace.slide_g, 0, t, x, problem.p, state.chart)
    return workspace.slide_g[state.surface]


@kernel
def rate_along(problem, state, workspace, t, x, v):
    """Return the rate of the surface's function along v: a central difference of fourth order."""
    ahead = surface_ahead(problem, state, workspace, t, x, v, 1.0)
    near = ahead - surface_ahead(problem, state, workspace, t, x, v, -1.0)
    farther_ahead = surface_ahead(problem, state, workspace, t, x, v, 2.0)
    far = farther_ahead - surface_ahead(problem, state, workspace, t, x, v, -2.0)
    return (8.0 * near - far) / (12.0 * state.probe)


@kernel
def rates(problem, state, workspace, t, x):
    """Return the rates (L, L_adj). Leave the two vector fields in slide_slope and slide_slope_adjacent."""
    field(problem, state, workspace.slide_slope, t, x, state.chart)
    field(problem, state, workspace.slide_slope_adjacent, t, x, state.adjacent_chart)
    rate = rate_along(problem, state, workspace, t, x, workspace.slide_slope)
    return rate, rate_along(problem, state, workspace, t, x, workspace.slide_slope_adjacent)


@routine(void, pointer, integer, real, pointer)
def sliding_slope(problem, state, workspace, k, offset, t, x):
    """Set k[offset:] to the slope of the slide.

    The surface's function g is pulled back to zero, dg/dt = -pull g, so that errors of the steps do not add up.
    """
    rate, rate_adjacent = rates(problem, state, workspace, t, x)
    off = surface_value(problem, state, workspace, t, x)
    weight = (rate_adjacent + state.pull * off) / (rate_adjacent - rate)
    if problem.settings.has_sliding_field:
        function = problem.functions[SLIDING_FIELD]
        call_sliding_field(function, k, offset, t, x, problem.p, state.chart, state.adjacent_chart)
    else:
        for m in range(problem.settings.moving):
            k[offset + m] = weight * workspace.slide_slope[m] + (1.0 - weight) * workspace.slide_slope_adjacent[m]


@routine(void, pointer, integer, real, pointer)
def sliding_boundaries(problem, state, workspace, g, offset, t, x):
    """Set the watched functions that only a slide has: the boundaries of the adjacent chart alone, and the two ends."""
    settings, g_adjacent = problem.settings, workspace.slide_g_adjacent
    call_boundaries(problem.functions[BOUNDARIES], g_adjacent, 0, t, x, problem.p, state.adjacent_chart)
    for i in range(settings.n_boundaries):
        if workspace.source[i]:
            g[offset + i] = g_adjacent[i]
    rate, rate_adjacent = rates(problem, state, workspace, t, x)
    g[offset + end_into_chart(settings)], g[offset + end_into_adjacent_chart(settings)] = -rate, rate_adjacent


@kernel
def weight_at(problem, state, workspace, t, x, step):
    """Return the weight w of state.chart in a slide at (t, x), where a step of this length begins (0 if none begins).

    `state` must be a copy of the run's, because it is changed.
    """
    largest = MAX_PROBE * max(t - problem.settings.initial_time, step)
    find_probe(problem, state, workspace, t, x, largest, N_PROBES)
    rate, rate_adjacent = rates(problem, state, workspace, t, x)
    return min(max(rate_adjacent / (rate_adjacent - rate), 0.0), 1.0)  # rounding may bring it outside


@routine(void, real, pointer, real, integer)
def find_probe(problem, state, workspace, t, x, largest, n):
    """Set state.probe to the best of n probes, each a quarter of the one before.

    Over a long probe the boundary bends: there the rates over neighbouring probes disagree. Over a short one rounding
    counts, which is estimated from the size of the state. (Ridders 1982 takes the disagreement for both; but values
    rounded alike agree.)
    """
    rates(problem, state, workspace, t, x)
    rounding = EPSILON * (abs(t) + state_over_slope(problem, workspace, x))
    least = MIN_PROBE * max(spacing(t), rounding)
    probe = max(2.0 ** math.ceil(math.log2(max(largest, least))), least)
    best, least_doubt = probe, np.inf
    last_rate, last_rate_adjacent = 0.0, 0.0
    for index in range(n):
        if probe < least:
            break
        state.probe = probe
        rate = rate_along(problem, state, workspace, t, x, workspace.slide_slope)
        rate_adjacent = rate_along(problem, state, workspace, t, x, workspace.slide_slope_adjacent)
        difference = max(abs(rate - last_rate), abs(rate_adjacent - last_rate_adjacent))
        doubt = difference + max(abs(rate), abs(rate_adjacent)) * rounding / probe
        if index > 0 and doubt < least_doubt:
            best, least_doubt = probe, doubt
        last_rate, last_rate_adjacent = rate, rate_adjacent
        probe /= PROBE_RATIO
    state.probe = best


@kernel
def state_over_slope(problem, workspace, x):
    """Return the time in which the state changes by its own size [s]: the size of x over that of its slopes."""
    size, slope = 0.0, 0.0
    for m in range(problem.settings.n_moving):
        size = max(size, abs(x[m]))
        slope = max(slope, max(abs(workspace.slide_slope[m]), abs(workspace.slide_slope_adjacent[m])))
    return size / slope if slope > 0.0 else 0.0

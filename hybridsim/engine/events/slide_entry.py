"""Whether a crossing begins a slide: if both flows point at the boundary and both transitions keep the state."""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store
from hybridsim.engine.compiler.signatures import (
    BOUNDARIES,
    SLIDING_FIELD,
    TRANSITION,
    call_boundaries,
    call_sliding_field,
    call_transition,
)
from hybridsim.engine.events.activation import is_set, set_boundaries
from hybridsim.engine.memory import NOWHERE, TIME
from hybridsim.engine.rounding import EPSILON, INSTANT_SPACINGS
from hybridsim.engine.sliding import (
    MAX_PROBE,
    N_PROBES,
    field,
    find_probe,
    rates,
    state_over_slope,
    surface_ahead,
)

FIRST_DIFFERENCE_LENGTH = 2.0**-20
"""Length of the first, cheap difference, as a fraction of a step: it shows to which side a flow crosses a boundary."""

MIN_RATE_RATIO = 1e-9
"""Ratio of two rates below which they do not oppose each other: one flow is tangent to the surface."""

CONSTANT_RATE_RATIO = 1e-4
"""Ratio of rates below which a boundary counts as constant along a slide: the surface bends, and rates are rounded."""


@kernel
def slide_begins(problem, state, workspace, chart):
    """Return whether the crossing at workspace.x_event, which leads from state.chart to `chart`, begins a slide.

    If so, state.surface, surface_back, adjacent_chart, probe and pull describe it.
    """
    settings, t, x = problem.settings, state.t, workspace.x_event
    i = only_crossed(workspace, settings.n_boundaries)
    if i == NOWHERE or problem.certificate[i] == TIME or chart == state.chart:
        return False
    if chart < 0 or chart >= settings.n_charts or not same_state(settings, workspace.x, x):
        return False
    step = max(state.step, state.h)
    state.surface, state.surface_back, state.probe = i, NOWHERE, FIRST_DIFFERENCE_LENGTH * step
    field(problem, state, workspace.slide_slope_adjacent, t, x, chart)
    if surface_ahead(problem, state, workspace, t, x, workspace.slide_slope_adjacent, 1.0) < state.value:
        return False  # the flow of the next chart leads to its own side, as nearly always
    state.adjacent_chart, state.pull = chart, 0.0
    find_probe(problem, state, workspace, t, x, MAX_PROBE * step, N_PROBES)
    rate, rate_adjacent = rates(problem, state, workspace, t, x)
    if rate < 0.0 < rate_adjacent and min(rate_adjacent, -rate) > MIN_RATE_RATIO * max(rate_adjacent, -rate):
        state.surface_back = way_back(problem, state, workspace)
    if state.surface_back == NOWHERE:
        state.adjacent_chart = NOWHERE
    return state.adjacent_chart != NOWHERE


@kernel
def only_crossed(workspace, n_boundaries):
    """Return the boundary that crossed, if exactly one did; else NOWHERE."""
    found = NOWHERE
    for i in range(n_boundaries):
        if workspace.crossed[i]:
            if found != NOWHERE:
                return NOWHERE
            found = i
    return found


@kernel
def same_state(settings, x, y):
    """Return whether all states are equal, bit by bit."""
    for m in range(settings.n_states):
        if x[m] != y[m]:
            return False
    return True


@kernel
def way_back(problem, state, workspace):
    """Return the boundary of state.adjacent_chart that the flow there drives back to state.chart; or NOWHERE."""
    settings, t, x, chart = problem.settings, state.t, workspace.x_event, state.adjacent_chart
    n, function = settings.n_boundaries, problem.functions[BOUNDARIES]
    g, g_ahead = workspace.slide_g, workspace.slide_g_ahead
    set_slide_slope(problem, state, workspace, workspace.x_stage)  # first, because it writes slide_g, too
    for m in range(0, settings.width, LANES):
        store(workspace.slide_x, m, plus(load(x, m), state.probe, load(workspace.slide_slope_adjacent, m)))
    call_boundaries(function, g_ahead, 0, t + state.probe, workspace.slide_x, problem.p, chart)
    state.boundary_calls += 1
    set_boundaries(problem, state, g, t, x, chart)
    rounding = EPSILON * (abs(t) + state_over_slope(problem, workspace, x))
    for i in range(n):
        rate = (g_ahead[i] - g[i]) / state.probe
        tolerance = settings.stop_precision + abs(rate) * 2.0 * INSTANT_SPACINGS * rounding
        falls = is_set(g[i]) and rate < 0.0 and abs(g[i]) <= tolerance
        if not falls or not leads_back(problem, state, workspace, i):
            continue
        if stays_zero(problem, state, workspace, i, workspace.x_stage):
            return i
    return NOWHERE


@kernel
def set_slide_slope(problem, state, workspace, v):
    """Set v to the slope of the slide that would begin at the event."""
    settings, t, x = problem.settings, state.t, workspace.x_event
    rate, rate_adjacent = rates(problem, state, workspace, t, x)
    weight = rate_adjacent / (rate_adjacent - rate)
    if settings.has_sliding_field:
        function = problem.functions[SLIDING_FIELD]
        call_sliding_field(function, v, 0, t, x, problem.p, state.chart, state.adjacent_chart)
    else:
        for m in range(settings.width):
            v[m] = weight * workspace.slide_slope[m] + (1.0 - weight) * workspace.slide_slope_adjacent[m]


@kernel
def stays_zero(problem, state, workspace, i, v):
    """Return whether boundary i of state.adjacent_chart stays zero along the slope v of the slide.

    Where two surfaces intersect, each may drive the state back to the other, but no slide follows both.
    """
    along_flow = abs(back_rate(problem, state, workspace, i, workspace.slide_slope))
    along_adjacent_flow = abs(back_rate(problem, state, workspace, i, workspace.slide_slope_adjacent))
    return abs(back_rate(problem, state, workspace, i, v)) <= CONSTANT_RATE_RATIO * max(along_flow, along_adjacent_flow)


@kernel
def back_rate(problem, state, workspace, i, v):
    """Return the rate of boundary i of state.adjacent_chart along v at the event: a central difference."""
    ahead = value_beyond(problem, state, workspace, i, v, state.probe)
    return (ahead - value_beyond(problem, state, workspace, i, v, -state.probe)) / (2.0 * state.probe)


@kernel
def value_beyond(problem, state, workspace, i, v, delta):
    """Return boundary i of state.adjacent_chart at the event, moved by delta along v."""
    for m in range(0, problem.settings.width, LANES):
        store(workspace.x_shifted, m, plus(load(workspace.x_event, m), delta, load(v, m)))
    function, t = problem.functions[BOUNDARIES], state.t + delta
    call_boundaries(function, workspace.g_shifted, 0, t, workspace.x_shifted, problem.p, state.adjacent_chart)
    state.boundary_calls += 1
    return workspace.g_shifted[i]


@kernel
def leads_back(problem, state, workspace, i):
    """Return whether boundary i of state.adjacent_chart leads to state.chart and leaves the state as it is."""
    settings, x, x_new = problem.settings, workspace.x_event, workspace.slide_x
    for m in range(0, settings.width, LANES):
        store(x_new, m, load(x, m))
    function, alone = problem.functions[TRANSITION], workspace.alone
    alone[i] = 1
    chart = call_transition(function, x_new, state.t, x, problem.p, state.adjacent_chart, alone)
    alone[i] = 0
    return chart == state.chart and same_state(settings, x_new, x)

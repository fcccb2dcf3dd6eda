"""Take the chart and state after a jump, and end runs that make jump after jump at one instant."""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.slide_entry import only_crossed, same_state
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rounding import INSTANT_SPACINGS, spacing
from hybridsim.engine.state import ENTERING
from hybridsim.engine.status import (
    CASCADE,
    GO_ON,
    LEFT_CHART,
    NON_FINITE_STATE,
    SLIDING_INTERSECTION,
    UNKNOWN_CHART,
)
from hybridsim.engine.validity import is_invalid

MAX_CASCADE = 1000
"""Most jumps at one instant; a run with more ends, because its jumps may never stop."""

MAX_SURFACES = 32
"""Beginnings of slides, and crossings of several boundaries, at one instant and one state: surfaces intersect there."""


@kernel
def land(problem, state, workspace, chart):
    """Enter `chart` with the state workspace.x, if both exist; returns GO_ON or the code of a Status."""
    settings = problem.settings
    state.j += 1
    state.transitions += 1
    outcome = set_chart(settings, state, workspace, chart)
    if outcome != GO_ON:
        return outcome
    count_jumps_at_instant(settings, state, workspace)
    state.phase = ENTERING
    if state.surfaces >= MAX_SURFACES and not state.resets:
        return SLIDING_INTERSECTION
    if state.cascade >= MAX_CASCADE:
        return CASCADE
    return LEFT_CHART if is_invalid(problem, state, workspace, state.t, workspace.x) else GO_ON


@kernel
def set_chart(settings, state, workspace, chart):
    """Set state.chart, if the chart exists and workspace.x is finite; returns GO_ON or the code of a Status."""
    if chart < 0 or chart >= settings.n_charts:
        state.end_chart = chart
        return UNKNOWN_CHART
    state.chart = chart
    for m in range(settings.n_states):
        if not math.isfinite(workspace.x[m]):
            state.end_state = m
            return NON_FINITE_STATE
    return GO_ON


@kernel
def count_jumps_at_instant(settings, state, workspace):
    """Count the jumps at the present instant; those that reset the state; and those that meet several surfaces."""
    if state.t - state.t_jump > INSTANT_SPACINGS * spacing(state.t):
        state.cascade, state.resets, state.surfaces = 0, 0, 0
    else:
        state.cascade += 1
        state.resets += not same_state(settings, workspace.x, workspace.x_event)
        slides = state.adjacent_chart != NOWHERE
        state.surfaces += slides or only_crossed(workspace, settings.n_boundaries) == NOWHERE
    state.t_jump = state.t

"""The derivatives of the slope by the states and by time, where a step begins.

In a chart they are exact: the vector field's own source is evaluated on dual numbers. The slope of a slide is made of
differences already (`sliding`), and so are its derivatives.
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE
from hybridsim.engine.compiler.dual_lanes import store as store_dual
from hybridsim.engine.compiler.dual_lanes import zeros as no_derivatives
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, call_outputs
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rounding import EPSILON, spacing
from hybridsim.engine.stages import copy, slope

RELATIVE_DIFFERENCE_LENGTH = EPSILON ** (1 / 3)
"""Half the length of a central difference, relative to the size of what varies: its error and rounding are alike."""

MIN_RTOL = 1e-6
"""A state counts as large as atol / rtol at least, where both tolerances are equal; rtol as this at least."""

MIN_TIME_DIFFERENCE = 2.0**16
"""Shortest difference in time [spacings of t]."""


@kernel
def differentiate(problem, state, workspace):
    """Set workspace.jacobian and time_derivative where the step begins; derivatives by discrete states are zero."""
    if state.adjacent_chart == NOWHERE:
        differentiate_chart(problem, state, workspace)
    else:
        differentiate_slide(problem, state, workspace)


@kernel
def is_differentiable(problem, state, workspace):
    """Return whether all derivatives are finite; otherwise set state.end_state to a state whose slope has others."""
    settings = problem.settings
    for m in range(settings.n_moving):
        total = 0.0 * workspace.time_derivative[m]
        for j in range(settings.n_moving):
            total += 0.0 * workspace.jacobian[m + j * settings.moving]
        if not math.isfinite(total):
            state.end_state = m
            return False
    return True


@kernel
def differentiate_chart(problem, state, workspace):
    """Differentiate the vector field of the chart by eight states, or time, in each pass.

    The first eight are seeded before and after: where one pass is enough, no seed moves.
    """
    settings = problem.settings
    directions = settings.n_moving + 1
    for m in range(settings.n_states):
        workspace.dual_x[m * DUAL_SIZE] = workspace.x[m]
    for m in range(settings.n_parameters):
        workspace.dual_p[m * DUAL_SIZE] = problem.p[m]
    workspace.dual_t[0] = state.t
    for first in range(0, directions, DUAL_LANES):
        if first > 0:
            seed(settings, workspace, first - DUAL_LANES, 0.0)
            seed(settings, workspace, first, 1.0)
        for m in range(settings.n_moving):
            workspace.dual_xdot[m * DUAL_SIZE] = 0.0
            store_dual(workspace.dual_xdot, m * DUAL_SIZE + FIRST_LANE, no_derivatives())
        function, x, p = problem.dual_functions[VECTOR_FIELD], workspace.dual_x, workspace.dual_p
        call_outputs(function, workspace.dual_xdot, 0, workspace.dual_t, x, 0, p, state.chart)
        state.calls += 1
        keep_columns(problem, workspace, first)
    if directions > DUAL_LANES:
        seed(settings, workspace, (directions - 1) // DUAL_LANES * DUAL_LANES, 0.0)
        seed(settings, workspace, 0, 1.0)


@kernel
def seed(settings, workspace, first, value):
    """Set the derivatives of the eight variables from `first` on, each in a lane of its own: a state, then time."""
    for direction in range(first, min(first + DUAL_LANES, settings.n_moving + 1)):
        if direction < settings.n_moving:
            workspace.dual_x[direction * DUAL_SIZE + FIRST_LANE + direction - first] = value
        else:
            workspace.dual_t[FIRST_LANE + direction - first] = value


@kernel
def keep_columns(problem, workspace, first):
    """Copy the derivatives by the eight variables from `first` on out of the dual numbers."""
    settings = problem.settings
    for direction in range(first, min(first + DUAL_LANES, settings.n_moving + 1)):
        lane = FIRST_LANE + direction - first
        for m in range(settings.n_moving):
            derivative = workspace.dual_xdot[m * DUAL_SIZE + lane]
            if direction == settings.n_moving:
                workspace.time_derivative[m] = derivative
            elif problem.continuous[direction] != 0.0:
                workspace.jacobian[m + direction * settings.moving] = derivative


@kernel
def differentiate_slide(problem, state, workspace):
    """Differentiate the slope of the slide by central differences."""
    settings, x = problem.settings, workspace.x_stage
    copy(settings, workspace.x, x)
    least = settings.atol / max(settings.rtol, MIN_RTOL)
    for j in range(settings.n_moving):
        if problem.continuous[j] != 0.0:
            size = max(abs(workspace.x[j]), abs(state.h * workspace.k[j]), least)
            ahead, behind = (
                workspace.x[j] + RELATIVE_DIFFERENCE_LENGTH * size,
                workspace.x[j] - RELATIVE_DIFFERENCE_LENGTH * size,
            )
            x[j] = ahead
            slope(problem, state, workspace, workspace.slope, 0, state.t, x)
            x[j] = behind
            slope(problem, state, workspace, workspace.slope_ahead, 0, state.t, x)
            x[j] = workspace.x[j]
            divided_difference(settings, workspace, ahead - behind, workspace.jacobian, j * settings.moving)
    delta = max(RELATIVE_DIFFERENCE_LENGTH * state.h, MIN_TIME_DIFFERENCE * spacing(state.t))
    slope(problem, state, workspace, workspace.slope, 0, state.t + delta, x)
    slope(problem, state, workspace, workspace.slope_ahead, 0, state.t - delta, x)
    divided_difference(settings, workspace, 2.0 * delta, workspace.time_derivative, 0)


@kernel
def divided_difference(settings, workspace, length, target, at):
    """Set target[at:] to the difference of two slopes over its length."""
    for m in range(settings.n_moving):
        target[at + m] = (workspace.slope[m] - workspace.slope_ahead[m]) / length

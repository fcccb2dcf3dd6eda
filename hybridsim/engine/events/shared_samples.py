"""Samples of a step that the searches of all boundaries share: values and rates at the eighths of the step.

One call of the model's function evaluates all boundaries, and the searches of different ones begin at the same places.
So a step costs as many calls with a thousand boundaries as with one, unless they come near zero.
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer, void
from hybridsim.engine.events.boundary_values import MANY_SPACINGS, evaluate, shift, span
from hybridsim.engine.events.fall import HALF_DIFFERENCE_OF_RATE, ONE_SIDED_DIFFERENCE, value_and_rate_at
from hybridsim.engine.memory import N_SHARED_SAMPLES
from hybridsim.engine.runge_kutta import extension_at, extension_slope_at


@kernel
def sample(problem, state, workspace, fall, theta):
    """Return (G, dG/dtheta) at theta, as `value_and_rate_at` does, and keep those of all boundaries at eighths."""
    place = theta * (N_SHARED_SAMPLES - 1)
    row = int(place)
    if place != row:
        return value_and_rate_at(problem, state, workspace, fall, theta)
    if not state.samples >> row & 1:
        sample_all(problem, state, workspace, row)
    at, sign = row * problem.settings.n_watched + fall.boundary, fall.orientation
    return sign * (workspace.sampled_values[at] - fall.level), sign * workspace.sampled_rates[at]


@routine(void, integer)
def sample_all(problem, state, workspace, row):
    """Write the values and rates of all boundaries at an eighth of the step; for the differences see `fall.rate_at`."""
    theta, first = row / (N_SHARED_SAMPLES - 1), row * problem.settings.n_watched
    t, values, rates = state.t_start + theta * state.step, workspace.sampled_values, workspace.sampled_rates
    extension_at(problem, workspace, theta, workspace.x_search)
    extension_slope_at(problem, workspace, theta, workspace.slope)
    put_values(problem, state, workspace, t, row)
    dt = span(t, state.step, HALF_DIFFERENCE_OF_RATE, MANY_SPACINGS)
    delta, are_finite = dt / state.step, True
    evaluate_beside(problem, state, workspace, t + dt, delta)
    for a in range(state.n_active):
        i = workspace.active[a]
        values[first + i], rates[first + i] = workspace.g_search[i], workspace.g_shifted[i]
    evaluate_beside(problem, state, workspace, t - dt, -delta)
    for a in range(state.n_active):
        at = first + workspace.active[a]
        rates[at] = (rates[at] - workspace.g_shifted[workspace.active[a]]) / (2.0 * delta)
        are_finite = are_finite and math.isfinite(rates[at])
    if not are_finite:
        dt = span(t, state.step, ONE_SIDED_DIFFERENCE, MANY_SPACINGS)
        evaluate_beside(problem, state, workspace, t + dt, dt / state.step)
        for a in range(state.n_active):
            at = first + workspace.active[a]
            if not math.isfinite(rates[at]):
                rates[at] = (workspace.g_shifted[workspace.active[a]] - values[at]) / (dt / state.step)
    state.samples |= 1 << row


@kernel
def put_values(problem, state, workspace, t, row):
    """Set g_search to the boundaries at an eighth of the step; at its ends and in its middle they are known."""
    if row == 0:
        copy_active(state, workspace, workspace.g_start)
    elif row == N_SHARED_SAMPLES - 1:
        copy_active(state, workspace, workspace.g_end)
    elif 2 * row == N_SHARED_SAMPLES - 1 and state.n_sampled:
        copy_active(state, workspace, workspace.g_middle)
    else:
        evaluate(problem, state, workspace, workspace.g_search, t, workspace.x_search)


@kernel
def copy_active(state, workspace, g):
    """Set g_search to values of the active boundaries."""
    for a in range(state.n_active):
        workspace.g_search[workspace.active[a]] = g[workspace.active[a]]


@kernel
def evaluate_beside(problem, state, workspace, t, delta):
    """Set g_shifted to the boundaries at time t and the state x_search + delta slope."""
    shift(problem.settings, delta, workspace.slope, 0, workspace.x_search, workspace.x_shifted)
    evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_shifted)

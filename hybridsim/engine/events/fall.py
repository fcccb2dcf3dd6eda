"""A boundary within one step: its value and rate at any place, and what a search for its falls returns.

A place within the step is theta in [0, 1], at the time t_start + theta step; the state there is that of the continuous
extension. A search looks for a fall of G = orientation (g - level) to zero.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer, pointer, real
from hybridsim.engine.events.boundary_values import MANY_SPACINGS, evaluate, shift, span
from hybridsim.engine.runge_kutta import extension_at, extension_slope_at

NONE, FOUND, UNRESOLVED, TOO_LONG, NOT_FINITE, DISCONTINUOUS, NOT_LOCATED = range(7)
"""Result of the search of a step: no crossing, a crossing, a step too long to see what a sampled boundary does in it,
a stiff step that has to end at its crossing, or the fault of a boundary."""

MIN_INTERVAL = 2.0**-48
"""Intervals of theta shorter than this are not divided: within them a boundary changes by rounding only."""

HALF_DIFFERENCE_OF_RATE = 2.0**-13
"""Half the length of the central differences that give rates, as a fraction of a step."""

ONE_SIDED_DIFFERENCE = 2.0**-24
"""Length of the forward difference, as a fraction of a step, if a central one leaves the domain of a boundary."""


class Fall(NamedTuple):
    """The object of a search: a fall of G = orientation (g - level) from positive to zero, or below zero if strict."""

    boundary: int
    level: float
    orientation: float  # 1.0, or -1.0 to search for a rise of g
    strict: bool


@kernel
def fell(value, strict):
    """Return whether this value of G counts as fallen."""
    return value < 0.0 if strict else value <= 0.0


@kernel
def value_at(problem, state, workspace, fall, theta):
    """Return G at theta. Leave the state there in workspace.x_search, the boundaries in workspace.g_search."""
    extension_at(problem, workspace, theta, workspace.x_search)
    t = state.t_start + theta * state.step
    evaluate(problem, state, workspace, workspace.g_search, t, workspace.x_search)
    return fall.orientation * (workspace.g_search[fall.boundary] - fall.level)


@kernel
def value_and_rate_at(problem, state, workspace, fall, theta):
    """Return (G, dG/dtheta) at theta."""
    i = fall.boundary
    value = value_at(problem, state, workspace, fall, theta)
    rate = rate_at(problem, state, workspace, i, theta, workspace.x_search, workspace.g_search[i])
    return value, fall.orientation * rate


@routine(real, integer, real, pointer, real)
def rate_at(problem, state, workspace, i, theta, x, g):
    """Return the rate dg/dtheta of boundary i at theta, where the state is x and the boundary g.

    A central difference, whose error is 1e-8 of the third derivative and a few thousand roundings of the state: both
    move a minimum so little that its depth changes by no more than rounding. A forward difference where the central
    one leaves the domain of the boundary.
    """
    extension_slope_at(problem, workspace, theta, workspace.slope)
    t = state.t_start + theta * state.step
    dt = span(t, state.step, HALF_DIFFERENCE_OF_RATE, MANY_SPACINGS)
    delta = dt / state.step
    after = shifted_value(problem, state, workspace, i, t + dt, x, delta)
    rate = (after - shifted_value(problem, state, workspace, i, t - dt, x, -delta)) / (2.0 * delta)
    if math.isfinite(rate):
        return rate
    dt = span(t, state.step, ONE_SIDED_DIFFERENCE, MANY_SPACINGS)
    delta = dt / state.step
    return (shifted_value(problem, state, workspace, i, t + dt, x, delta) - g) / delta


@kernel
def shifted_value(problem, state, workspace, i, t, x, delta):
    """Return boundary i at time t and the state x + delta workspace.slope."""
    shift(problem.settings, delta, workspace.slope, 0, x, workspace.x_shifted)
    evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_shifted)
    return workspace.g_shifted[i]

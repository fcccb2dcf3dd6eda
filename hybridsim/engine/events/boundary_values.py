"""Evaluation of the boundary functions, with the stops and slide ends behind them, and of their rates."""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store
from hybridsim.engine.compiler.signatures import BOUNDARIES, call_boundaries
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rounding import EPSILON
from hybridsim.engine.sliding import sliding_boundaries
from hybridsim.engine.watched import index_of_stop

SLOPE_DIFFERENCE = 2.0**-12
"""Part of a step over which differences give the rates of boundaries."""

MANY_SPACINGS = 1024.0
"""Length of a difference over which rounding of t changes a rate by less than a thousandth [spacings]."""


@kernel
def evaluate(problem, state, workspace, g, t, x):
    """Set g to all watched functions at (t, x): the active boundaries, the stops, and the slide ends in a slide."""
    evaluate_into(problem, state, workspace, g, 0, t, x)


@kernel
def evaluate_into(problem, state, workspace, g, offset, t, x):
    """Set g[offset:] to all watched functions at (t, x)."""
    if problem.settings.n_boundaries > 0:
        call_boundaries(problem.functions[BOUNDARIES], g, offset, t, x, problem.p, state.chart)
    complete(problem, state, workspace, g, offset, t, x)


@kernel
def complete(problem, state, workspace, g, offset, t, x):
    """Set the entries of g[offset:] behind the boundaries of the model: the stops, and the slide ends in a slide."""
    settings = problem.settings
    state.boundary_calls += 1
    if state.adjacent_chart != NOWHERE:
        sliding_boundaries(problem, state, workspace, g, offset, t, x)
    for stop in range(settings.n_stops):
        distance = x[problem.stop_state[stop]] - problem.stop_value[stop]
        g[offset + index_of_stop(settings, stop)] = workspace.stop_side[stop] * distance


@kernel
def shift(settings, delta, xdot, offset, x, result):
    """Set result = x + delta xdot[offset:]."""
    for m in range(0, settings.moving, LANES):
        store(result, m, plus(load(x, m), delta, load(xdot, m + offset)))


@kernel
def span(t, h, fraction, spacings):
    """Return the length of a difference from t [s]: a fraction of h, or more if the spacing of floats at t demands it.

    At least as many `spacings`, if these are less than a sixteenth of h. The result is the rounded change of t.
    """
    least = EPSILON * abs(t)
    return (t + max(fraction * h, max(least, min(spacings * least, 0.0625 * h)))) - t


@kernel
def slopes(problem, state, workspace, t, x, xdot, offset, g, rates, step):
    """Set rates = dg/dt along xdot[offset:] at (t, x), where the boundaries are g; backward if `step` is negative.

    These differences are exact enough to find the steps that are clear of zero. In the others, `fall.rate_at` is used.
    """
    delta = math.copysign(span(t, abs(step), SLOPE_DIFFERENCE, MANY_SPACINGS), step)
    shift(problem.settings, delta, xdot, offset, x, workspace.x_shifted)
    evaluate(problem, state, workspace, workspace.g_shifted, t + delta, workspace.x_shifted)
    for a in range(state.n_active):
        i = workspace.active[a]
        rates[i] = (workspace.g_shifted[i] - g[i]) / delta

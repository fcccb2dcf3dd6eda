"""Bernstein coefficients of boundaries on steps of Taylor's method: from the boundaries' own power series.

What the model computes for a boundary is computed on series instead, from those of the states. So every boundary that
is a polynomial in the states has coefficients, of the degree of the extension, whatever its own degree is. Where a step
has no series, they follow from samples. What is missing of a boundary that is not affine is measured; where that may
hide a root, or make one, the step is halved.
"""

from __future__ import annotations

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import boolean
from hybridsim.engine.events.boundary_values import evaluate, evaluate_into
from hybridsim.engine.events.fall import UNRESOLVED
from hybridsim.engine.events.perturbation import rounding_effect
from hybridsim.engine.events.sampled_search import may_halve
from hybridsim.engine.events.series_search import MANY_ROUNDINGS, MARGIN, decide, value_and_slope
from hybridsim.engine.memory import WAITING
from hybridsim.engine.runge_kutta import extension_at, is_along_series
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim.engine.stages import weighted_sum
from hybridsim.engine.watched import is_boundary, stop_at_index

SAMPLES, POWERS = 1, 2
"""Rows of the tables of nodes: see `nodes.sampling`."""

NEAR_MIDDLE, NEAR_END = 0.44, 0.9
"""Shares of a step at which a boundary is compared with its polynomial, away from nodes: near the end, too, because
that is where most is missing, and at the end itself it may cancel."""

ROUNDING = 2.0**-53
"""Of a number, relative to it; from samples to Bernstein coefficients of degree n it grows by less than 2^n."""

MISSING_BY_ROUNDING = 16.0
"""How much may be missing by rounding [effects of the rounding of states on the boundary]."""


@routine(boolean)
def sample_series(problem, state, workspace):
    """Search the step for roots of all exact boundaries by their series; return whether that decides all of them.

    If not, set g_nodes to the Bernstein coefficients of all over the step, one row for each coefficient.
    """
    along = is_along_series(problem, state)
    if along:
        write_terms(problem, state, workspace)
        find_missing(problem, state, workspace)
    if decide_all(problem, state, workspace, along):
        return True
    along = along and all_are_finite(problem, state, workspace)
    if not along:
        boundaries_at_nodes(problem, state, workspace)
    n = problem.settings.degree
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            to_bernstein(problem, workspace, i, POWERS if along else SAMPLES)
        workspace.g_nodes[at(problem, i, 0)] = workspace.g_start[i]
        workspace.g_nodes[at(problem, i, n)] = workspace.g_end[i]
    if not along:
        find_missing_between_nodes(problem, state, workspace)
    if any_doubtful(problem, state, workspace, MANY_ROUNDINGS if along else ROUNDING * 2.0**n):
        if may_halve(problem, state):
            state.fault = UNRESOLVED
            return True
        state.unresolved_steps += 1
    return False


@kernel
def decide_all(problem, state, workspace, along):
    """Set `decided` of each exact boundary, and the root of those that are; return whether all are decided."""
    all_decided = True
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            workspace.decided[i] = along and decide(problem, state, workspace, i)
            all_decided = all_decided and workspace.decided[i] != 0
    return all_decided


@kernel
def find_missing(problem, state, workspace):
    """Set `missing` of each exact boundary: how far its series is from it at the end of the step, and before.

    That of an affine one is the boundary along the step. Of others, what is missing may cancel at the end.
    """
    inside, n = not all_are_affine(problem, state, workspace), problem.settings.degree
    if inside:
        look_at(problem, state, workspace, NEAR_END)
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            row = i * ROW_SIZE
            end, _ = value_and_slope(workspace.g_series, row, n, 1.0)
            workspace.missing[i] = abs(end - workspace.g_end[i])
            if inside and not problem.affine[i]:
                value, _ = value_and_slope(workspace.g_series, row, n, NEAR_END)
                workspace.missing[i] = max(workspace.missing[i], abs(value - workspace.g_shifted[i]))


@kernel
def find_missing_between_nodes(problem, state, workspace):
    """Set `missing` of each exact boundary that is not affine to its distance from the polynomial through its values.

    Along the extension of a method with stages, its degree in theta may be higher than that of the polynomial.
    """
    for a in range(state.n_active):
        workspace.missing[workspace.active[a]] = 0.0
    if all_are_affine(problem, state, workspace):
        return
    for theta in (NEAR_MIDDLE, NEAR_END):
        look_at(problem, state, workspace, theta)
        for a in range(state.n_active):
            i = workspace.active[a]
            if problem.degree[i] == 1 and not problem.affine[i]:
                distance = abs(bernstein_value(problem, workspace, i, theta) - workspace.g_shifted[i])
                workspace.missing[i] = max(workspace.missing[i], distance)


@kernel
def all_are_affine(problem, state, workspace):
    """Return whether all exact boundaries are affine."""
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1 and not problem.affine[i]:
            return False
    return True


@kernel
def look_at(problem, state, workspace, theta):
    """Set g_shifted to the watched functions on the extension, at a share theta of the step."""
    extension_at(problem, workspace, theta, workspace.x_search)
    t = state.t_start + theta * state.step
    evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_search)


@kernel
def bernstein_value(problem, workspace, i, theta):
    """Return the polynomial of which g_nodes has the Bernstein coefficients (de Casteljau)."""
    n = problem.settings.degree
    for r in range(n + 1):
        workspace.stack[r] = workspace.g_nodes[at(problem, i, r)]
    for length in range(n, 0, -1):
        for r in range(length):
            workspace.stack[r] += theta * (workspace.stack[r + 1] - workspace.stack[r])
    return workspace.stack[0]


@kernel
def any_doubtful(problem, state, workspace, roundings):
    """Return whether a boundary is not decided, and its roots may be others than those of its series.

    `roundings` is the part of its size by which rounding may change it.
    """
    for a in range(state.n_active):
        i = workspace.active[a]
        is_open = problem.degree[i] == 1 and not workspace.decided[i] and not problem.affine[i]
        if is_open and is_doubtful(problem, state, workspace, i, roundings):
            return True
    return False


@kernel
def is_doubtful(problem, state, workspace, i, roundings):
    """Return whether boundary i is too close to its series to tell how it falls: neither clear of zero nor monotone.

    What is missing grows like the next power of theta, so that its slope is as many times as large. One that waits to
    become positive is clear of zero below it, too.
    """
    n, missing = problem.settings.degree, MARGIN * workspace.missing[i]
    last = workspace.g_nodes[at(problem, i, 0)]
    lowest, highest, steepest, flattest = last, last, -np.inf, np.inf
    for r in range(1, n + 1):
        value = workspace.g_nodes[at(problem, i, r)]
        lowest, highest = min(lowest, value), max(highest, value)
        steepest, flattest = max(steepest, value - last), min(flattest, value - last)
        last = value
    if missing <= MARGIN * roundings * max(-lowest, highest) or lowest - problem.touch_threshold[i] > missing:
        return False
    if workspace.trigger_state[i] == WAITING and -highest > missing:
        return False
    slope = (n + 1.0) / n * missing
    if steepest < -slope or flattest > slope:
        return False
    rounding = rounding_effect(problem, state, workspace, i, state.t_new, workspace.x_new, workspace.x_start)
    return workspace.missing[i] > MISSING_BY_ROUNDING * rounding


@kernel
def at(problem, i, row):
    """Return the place in g_nodes of this row of boundary i."""
    return i + (problem.settings.n_nodes + row) * problem.settings.n_watched


@kernel
def write_terms(problem, state, workspace):
    """Set g_series to the terms, over the step, of the series of the exact boundaries."""
    settings, g, powers = problem.settings, workspace.g_series, workspace.powers
    orders = settings.degree + 1
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] != 1:
            continue
        if not is_boundary(settings, i):
            write_terms_of_stop(problem, workspace, i, orders)
        else:
            row = problem.boundary_rows[state.chart * settings.n_boundaries + i]
            for k in range(orders):
                g[i * ROW_SIZE + k] = workspace.tape[row + k] * powers[k]


@kernel
def write_terms_of_stop(problem, workspace, i, orders):
    """Set g_series to the terms of a stop: the distance of a state to a value."""
    stop = stop_at_index(problem.settings, i)
    row, state_row, side = i * ROW_SIZE, (problem.stop_state[stop] + 1) * ROW_SIZE, workspace.stop_side[stop]
    for k in range(orders):
        workspace.g_series[row + k] = side * workspace.tape[state_row + k] * workspace.powers[k]
    workspace.g_series[row] -= side * problem.stop_value[stop]


@kernel
def all_are_finite(problem, state, workspace):
    """Return whether the series of all exact boundaries are finite: the root of a state that is zero has none."""
    unknown = 0.0
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            for k in range(problem.settings.degree + 1):
                unknown += 0.0 * workspace.g_series[i * ROW_SIZE + k]
    return unknown == 0.0


@kernel
def boundaries_at_nodes(problem, state, workspace):
    """Set g_series to values of the watched functions at Chebyshev points of the continuous extension."""
    settings = problem.settings
    n_watched, n = settings.n_watched, settings.degree
    for node in range(1, n):
        row = SAMPLES * settings.n_nodes + node
        for m in range(0, settings.moving, LANES):
            rise = weighted_sum(problem.node_weights, row * n, n, workspace.q, m, settings.width)
            store(workspace.x_search, m, plus(load(workspace.x_start, m), 1.0, rise))
        t = state.t_start + problem.nodes[row] * state.step
        evaluate_into(problem, state, workspace, workspace.g_nodes, row * n_watched, t, workspace.x_search)
    for i in range(n_watched):
        for node in range(1, n):
            workspace.g_series[i * ROW_SIZE + node] = workspace.g_nodes[at(problem, i, node)]
        workspace.g_series[i * ROW_SIZE] = workspace.g_start[i]
        workspace.g_series[i * ROW_SIZE + n] = workspace.g_end[i]


@kernel
def to_bernstein(problem, workspace, i, table):
    """Write the Bernstein coefficients of boundary i, of which g_series has powers of theta or samples."""
    settings, row = problem.settings, i * ROW_SIZE
    size, n = settings.n_nodes, settings.degree
    for first in range(0, n + 1, LANES):
        total = zeros()
        for k in range(n + 1):
            weights = load(problem.bernstein, (table * size + k) * size + first)
            total = plus(total, workspace.g_series[row + k], weights)
        store(workspace.stack, first, total)
    for r in range(1, n):
        workspace.g_nodes[at(problem, i, r)] = workspace.stack[r]

"""Bernstein coefficients of boundaries on steps of Taylor's method: from the boundaries' own power series.

What the model computes for a boundary is computed on series instead, from those of the states. So every boundary that
is a polynomial in the states has coefficients, of the degree of the extension, whatever its own degree is; terms beyond
are as small as those that the states themselves lack. Where a step has no series, they follow from samples.
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import boolean
from hybridsim.engine.events.boundary_values import evaluate_into
from hybridsim.engine.events.fall import UNRESOLVED
from hybridsim.engine.events.sampled_search import may_halve
from hybridsim.engine.events.series_search import decide, is_incomplete
from hybridsim.engine.runge_kutta import is_along_series
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim.engine.stages import weighted_sum
from hybridsim.engine.watched import is_boundary, stop_at_index

SAMPLES, POWERS = 1, 2
"""Rows of the tables of nodes: see `nodes.sampling`."""


@routine(boolean)
def sample_series(problem, state, workspace):
    """Search the step for roots of all exact boundaries by their series; return whether that decides all of them.

    If not, set g_nodes to the Bernstein coefficients of all over the step, one row for each coefficient.
    """
    along = is_along_series(problem, state)
    if along:
        write_terms(problem, state, workspace)
    if decide_all(problem, state, workspace, along):
        return True
    along = along and all_are_finite(problem, state, workspace)
    if along and is_too_long(problem, state, workspace):
        state.fault = UNRESOLVED
        return True
    if not along:
        boundaries_at_nodes(problem, state, workspace)
    n = problem.settings.degree
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            to_bernstein(problem, workspace, i, POWERS if along else SAMPLES)
        workspace.g_nodes[at(problem, i, 0)] = workspace.g_start[i]
        workspace.g_nodes[at(problem, i, n)] = workspace.g_end[i]
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
def is_too_long(problem, state, workspace):
    """Return whether a series lacks much of a boundary that it has not decided, and the step can be made shorter."""
    if not may_halve(problem, state):
        return False
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1 and not workspace.decided[i] and is_incomplete(problem, workspace, i):
            return True
    return False


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

"""Bernstein coefficients of boundaries on steps of Taylor's method: from the boundaries' own power series.

What the model computes for a boundary is computed on series instead, from those of the states. So every boundary that
is a polynomial in the states has coefficients, of the degree of the extension, whatever its own degree is; terms beyond
are as small as those that the states themselves lack. Where a step has no series, they follow from samples.
"""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.jet_rows import MAX_ROWS, ROW_SIZE, USED_INDEX
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import BOUNDARIES, call_on_series, void
from hybridsim.engine.events.boundary_values import evaluate_into
from hybridsim.engine.runge_kutta import is_along_series
from hybridsim.engine.series import clear
from hybridsim.engine.stages import weighted_sum
from hybridsim.engine.watched import index_of_stop, is_boundary

SAMPLES, POWERS = 1, 2
"""Rows of the tables of nodes: see `nodes.sampling`."""


@routine(void)
def sample_series(problem, state, workspace):
    """Set g_nodes to the Bernstein coefficients over the step of all exact boundaries, one row for each coefficient."""
    along = is_along_series(problem, state) and boundaries_on_series(problem, state, workspace)
    if not along:
        boundaries_at_nodes(problem, state, workspace)
    n = problem.settings.degree
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            to_bernstein(problem, state, workspace, i, along)
        workspace.g_nodes[at(problem, i, 0)] = workspace.g_start[i]
        workspace.g_nodes[at(problem, i, n)] = workspace.g_end[i]


@kernel
def at(problem, i, row):
    """Return the place in g_nodes of this row of boundary i."""
    return i + (problem.settings.n_nodes + row) * problem.settings.n_watched


@kernel
def boundaries_on_series(problem, state, workspace):
    """Set g_series to the series of the watched functions in time; return whether all exact boundaries have one.

    The square root of a state that is zero has none, for instance, nor has what needs more rows than the tape has.
    """
    settings, tape, g = problem.settings, workspace.tape, workspace.g_series
    orders = settings.degree + 1
    function = problem.series_functions[BOUNDARIES]
    has_function = settings.n_boundaries > 0 and function != 0
    if settings.has_programs:
        read_series(problem, state, workspace, orders)
    elif has_function:
        call_on_series(function, g, 0, tape, problem.p, state.chart, orders, settings.n_states)
        state.boundary_calls += 1
    for stop in range(settings.n_stops):
        row = index_of_stop(settings, stop) * ROW_SIZE
        for k in range(orders):
            g[row + k] = workspace.stop_side[stop] * tape[(problem.stop_state[stop] + 1) * ROW_SIZE + k]
        g[row] -= workspace.stop_side[stop] * problem.stop_value[stop]
    full = settings.n_states + MAX_ROWS
    unknown = 1.0 if has_function and tape[full * ROW_SIZE + USED_INDEX] == full else 0.0
    for a in range(state.n_active):
        i = workspace.active[a]
        if problem.degree[i] == 1:
            for k in range(orders):
                unknown += 0.0 * g[i * ROW_SIZE + k]
    if unknown != 0.0:
        clear(settings, workspace)
    return unknown == 0.0


@kernel
def read_series(problem, state, workspace, orders):
    """Set g_series to the series of the boundaries, which the program of the chart has written to the tape."""
    for a in range(state.n_active):
        i = workspace.active[a]
        if is_boundary(problem.settings, i) and problem.degree[i] == 1:
            row = problem.boundary_rows[state.chart * problem.settings.n_boundaries + i]
            for k in range(orders):
                workspace.g_series[i * ROW_SIZE + k] = workspace.tape[row + k]


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
def to_bernstein(problem, state, workspace, i, along):
    """Write the Bernstein coefficients of boundary i, of which g_series has powers of time or samples."""
    settings, row, power = problem.settings, i * ROW_SIZE, 1.0
    size, n = settings.n_nodes, settings.degree
    table = SAMPLES
    if along:
        table = POWERS
        for k in range(n + 1):
            workspace.g_series[row + k] *= power
            power *= state.step
    for first in range(0, n + 1, LANES):
        total = zeros()
        for k in range(n + 1):
            weights = load(problem.bernstein, (table * size + k) * size + first)
            total = plus(total, workspace.g_series[row + k], weights)
        store(workspace.stack, first, total)
    for r in range(1, n):
        workspace.g_nodes[at(problem, i, r)] = workspace.stack[r]

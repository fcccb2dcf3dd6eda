"""Search of a step for a boundary that is a polynomial of degree n in theta: its Bernstein coefficients isolate roots.

The coefficients over an interval bound the polynomial there. Where they change their sign once there is one root, where
they do not there is none, and an interval with more changes is divided (Lane and Riesenfeld 1981).
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel, unlikely
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.events.boundary_values import evaluate_into
from hybridsim.engine.events.fall import MIN_INTERVAL, NONE, NOT_FINITE, fell, value_at
from hybridsim.engine.events.series_samples import sample_series
from hybridsim.engine.stages import weighted_sum

MAX_SPLITS = 256
"""Most divisions of intervals in one search; the values at the ends decide intervals that are left after these."""

MAX_NEWTON_STEPS = 8
"""Most steps of Newton's method from the control polygon to the root."""

LAST_NEWTON_CHANGE = 2.0**-28
"""Relative change of a step of Newton's method after which the next one would be rounding: it squares the error."""


@kernel
def sample_nodes(problem, state, workspace, degree):
    """Evaluate all boundaries at the nodes for this degree, one row of g_nodes for each node; return False.

    Each degree has rows of its own: boundaries are searched again, for touches and depths, after those of all degrees.
    The values at n + 1 nodes determine a boundary. An affine one is sampled at the control points of the extension,
    where its values are the Bernstein coefficients; others at Chebyshev points. On a step of Taylor's method, the
    series of the boundaries may tell all roots, and nothing is left to search: then it returns True.
    """
    settings = problem.settings
    if unlikely(settings.series_order != 0):
        return sample_series(problem, state, workspace)
    n, n_watched = degree * settings.degree, settings.n_watched
    for node in range(1, n):
        row = degree * settings.n_nodes + node
        for m in range(0, settings.moving, LANES):
            weights, first = problem.node_weights, row * settings.degree
            rise = weighted_sum(weights, first, settings.degree, workspace.q, m, settings.width)
            store(workspace.x_search, m, plus(load(workspace.x_start, m), 1.0, rise))
        t = state.t_start + problem.nodes[row] * state.step
        evaluate_into(problem, state, workspace, workspace.g_nodes, row * n_watched, t, workspace.x_search)
    for a in range(state.n_active):
        i = workspace.active[a]
        workspace.g_nodes[at_node(problem, i, degree, 0)] = workspace.g_start[i]
        workspace.g_nodes[at_node(problem, i, degree, n)] = workspace.g_end[i]
    return False


@kernel
def at_node(problem, i, degree, node):
    """Return the place in g_nodes of boundary i at this node for this degree."""
    return i + (degree * problem.settings.n_nodes + node) * problem.settings.n_watched


@kernel
def control_points(problem, state, workspace, n, fall):
    """Write the Bernstein coefficients of G over the whole step into the first frame of the stack.

    Return whether all of them but the first are positive.
    """
    i = fall.boundary
    all_positive, total = True, 0.0
    write_coefficients(problem, workspace, i, n)
    for row in range(n + 1):
        value = workspace.stack[row + 2]
        if row == 0 or row == n:  # as they are, without the rounding of a sum
            value = workspace.g_nodes[at_node(problem, i, problem.degree[i], row)]
        value = fall.orientation * (value - fall.level)
        workspace.stack[row + 2] = value
        all_positive = all_positive and (row == 0 or value > 0.0)
        total += value
    if not math.isfinite(total):
        state.fault = NOT_FINITE
    workspace.stack[0], workspace.stack[1] = 0.0, 1.0
    return all_positive


@kernel
def write_coefficients(problem, workspace, i, n):
    """Write the Bernstein coefficients of boundary i over the whole step into the first frame of the stack."""
    degree, size = problem.degree[i], problem.settings.n_nodes
    if degree == 1:
        for row in range(n + 1):
            workspace.stack[row + 2] = workspace.g_nodes[at_node(problem, i, degree, row)]
        return
    # Three vectors in turn: each sum waits for the one before it in the same vector, and the others fill the time.
    for row in range(0, n + 1, 3 * LANES):
        first, second, third = zeros(), zeros(), zeros()
        for node in range(n + 1):
            value = workspace.g_nodes[at_node(problem, i, degree, node)]
            at = (degree * size + node) * size + row
            first = plus(first, value, load(problem.bernstein, at))
            second = plus(second, value, load(problem.bernstein, at + LANES))
            third = plus(third, value, load(problem.bernstein, at + 2 * LANES))
        store(workspace.stack, row + 2, first)
        store(workspace.stack, row + 2 + LANES, second)
        store(workspace.stack, row + 2 + 2 * LANES, third)


@kernel
def far_from_zero(problem, workspace, i, n):
    """Return whether the values at the nodes alone prove that an armed boundary has no root.

    Between its values at n + 1 Chebyshev points a polynomial strays at most by the Lebesgue constant L from their
    mean level, L <= 1 + 2 / pi ln(n + 1) < 2.81 for n <= 16 (Trefethen 2013, theorem 15.2): a lowest value above
    (L - 1) / 2 of their spread leaves no room for a root.
    """
    lowest, highest, total = np.inf, -np.inf, 0.0
    for node in range(n + 1):
        value = workspace.g_nodes[at_node(problem, i, problem.degree[i], node)]
        lowest, highest, total = min(lowest, value), max(highest, value), total + value
    # Adding 0 * total makes the comparison false where a value is nan or infinite.
    return lowest - problem.touch_threshold[i] > 0.91 * (highest - lowest) + 0.0 * total


@kernel
def nodes_are_clear(problem, workspace, i, n):
    """Return whether an affine boundary, whose Bernstein coefficients are its values, exceeds its touch threshold."""
    threshold = problem.touch_threshold[i]
    for node in range(1, n + 1):
        if not threshold < workspace.g_nodes[at_node(problem, i, problem.degree[i], node)] < np.inf:
            return False
    return True


@kernel
def split(stack, frame, size, n, theta):
    """Divide the interval in `frame` at fraction theta (de Casteljau): the right part stays, the left goes on top."""
    left = frame + size
    cut = stack[frame] + theta * (stack[frame + 1] - stack[frame])
    stack[left], stack[left + 1] = stack[frame], cut
    stack[frame] = cut
    for r in range(n + 1):
        stack[left + 2 + r] = stack[frame + 2]
        for k in range(n - r):
            stack[frame + 2 + k] += theta * (stack[frame + 3 + k] - stack[frame + 2 + k])


@kernel
def sign_changes(stack, frame, n, strict):
    """Return (number of sign changes of the coefficients, whether the last one has fallen).

    The first coefficient counts as positive: G is positive before this interval.
    """
    changes, below = 0, False
    for k in range(1, n + 1):
        next_below = fell(stack[frame + 2 + k], strict)
        changes += next_below != below
        below = next_below
    return changes, below


@kernel
def never_rises(stack, n):
    """Return whether the coefficients prove that the boundary falls all along the step, so that it has no minimum."""
    for k in range(n):
        if stack[2 + k] < stack[3 + k]:
            return False
    return True


@kernel
def only_root(problem, stack, frame, n, i):
    """Return the fraction u of the interval at which boundary i falls to zero, if its coefficients change sign once.

    With u = r / (1 + r) the polynomial is (1 - u)^n sum_k binomial(n, k) c_k r^k, and the sum has one positive root
    (Descartes). Newton's method finds it from the root of the parabola with the same ends and the same slope at the
    first; nan if it does not.
    """
    first, at = problem.degree[i] * problem.settings.n_nodes, frame + 2
    value, slope = stack[at], n * (stack[at + 1] - stack[at])
    bend = stack[at + n] - value - slope
    u = 2.0 * value / (math.sqrt(max(slope * slope - 4.0 * bend * value, 0.0)) - slope)
    r = u / (1.0 - u)
    for _ in range(MAX_NEWTON_STEPS):
        value, rate = 0.0, 0.0
        for k in range(n, -1, -1):
            rate = rate * r + value
            value = value * r + problem.binomials[first + k] * stack[at + k]
        change = value / rate
        r -= change
        if not 0.0 < r < np.inf:
            return np.nan
        if abs(change) < LAST_NEWTON_CHANGE * r:
            return r / (1.0 + r)
    return np.nan


@kernel
def search_exact(problem, state, workspace, n, start, fall):
    """Return the first interval (lo, hi) with exactly one root of G after theta = start, or (-1, -1)."""
    if control_points(problem, state, workspace, n, fall) or state.fault != NONE:
        return -1.0, -1.0
    stack, size = workspace.stack, n + 3
    state.falls_throughout = fall.orientation > 0.0 and never_rises(stack, n)
    top, splits = 0, 0
    if start > 0.0:
        split(stack, 0, size, n, start)
    while top >= 0:
        frame = top * size
        lo, hi = stack[frame], stack[frame + 1]
        changes, below = sign_changes(stack, frame, n, fall.strict)
        narrow = hi - lo < MIN_INTERVAL or splits == MAX_SPLITS
        if changes == 0 or (narrow and not below):
            top -= 1
        elif changes == 1 or narrow:
            if hi < 1.0:  # the coefficients carry rounding errors: evaluate the boundary, and correct the last one
                stack[frame + 2 + n] = value_at(problem, state, workspace, fall, hi)
            if hi == 1.0 or fell(stack[frame + 2 + n], fall.strict):
                # From about zero the polynomial may seem to fall at once, by rounding: nothing is guessed there.
                if start == 0.0 and not fall.strict:
                    state.theta_guess = lo + (hi - lo) * only_root(problem, stack, frame, n, fall.boundary)
                return lo, hi
        else:
            split(stack, frame, size, n, 0.5)
            splits += 1
            top += 1
    return -1.0, -1.0

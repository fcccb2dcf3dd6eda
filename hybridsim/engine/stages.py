"""The stages of a step: slopes at weighted sums of the slopes before them, along a vector field or a slide."""

from __future__ import annotations

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, fused, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import (
    SLOPES_AND_BOUNDARIES,
    VECTOR_FIELD,
    call_slopes_and_boundaries,
    call_vector_field,
)
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.sliding import sliding_slope


@kernel
def copy(settings, source, target):
    """Copy a state vector."""
    m = 0
    while m < settings.width:  # a `for` would become a call of the C library, which takes longer than the copy
        store(target, m, load(source, m))
        m += LANES


@kernel
def weighted_sum(weights, row, count, k, m, width):
    """Return sum_j weights[row + j] k[m + j width] for j < count, for columns m to m + 3; `row` indexes weights."""
    total = zeros()
    for j in range(count):
        total = plus(total, weights[row + j], load(k, m + j * width))
    return total


@kernel
def slope(problem, state, workspace, k, offset, t, x):
    """Set k[offset:] = f(t, x); states that the vector field does not set have slope 0."""
    for m in range(0, problem.settings.moving, LANES):
        store(k, offset + m, zeros())
    call_field(problem, state, workspace, k, offset, t, x, state.adjacent_chart != NOWHERE)


@kernel
def call_field(problem, state, workspace, k, offset, t, x, slides):
    """Set k[offset:] to the vector field of the chart, or to the slope of the slide."""
    if slides:
        sliding_slope(problem, state, workspace, k, offset, t, x)
    else:
        call_vector_field(problem.functions[VECTOR_FIELD], k, offset, t, x, 0, problem.p, state.chart)
        state.calls += 1


@kernel
def stage(problem, state, workspace, i, t, h, x, slides):
    """Compute stage i: x = x_start + h sum_j a_ij k_j over the stages before it, and k_i, the slope there."""
    width, row = problem.settings.width, i * problem.settings.rows
    for m in range(0, problem.settings.moving, LANES):
        combine(problem.a, row, i, workspace.k, width, h, workspace.x_start, x, m)
        store(workspace.k, m + i * width, zeros())
    call_field(problem, state, workspace, workspace.k, i * width, t, x, slides)


@kernel
def last_stage(problem, state, workspace, t, h, slides):
    """Compute x_new and the slope there; and the boundaries, into g_end, if `has_both`: they are needed if accepted."""
    settings, last, x = problem.settings, problem.settings.stages, workspace.x_new
    if slides or not settings.has_both_at_once:
        stage(problem, state, workspace, last, t, h, x, slides)
        return
    for m in range(0, settings.moving, LANES):
        combine(problem.a, last * settings.rows, last, workspace.k, settings.width, h, workspace.x_start, x, m)
    both(problem, state, workspace, last * settings.width, workspace.g_end, t, x)


@kernel
def both(problem, state, workspace, offset, g, t, x):
    """Set k[offset:] = f(t, x) and g to the boundaries there, in one call of the model."""
    for m in range(0, problem.settings.moving, LANES):
        store(workspace.k, offset + m, zeros())
    address = problem.functions[SLOPES_AND_BOUNDARIES]
    call_slopes_and_boundaries(address, workspace.k, offset, g, t, x, problem.p, state.chart)
    state.calls += 1


@kernel
def has_both(problem, state):
    """Return whether one call of the model gives slopes and boundaries: in slides, the slopes are of two charts."""
    return problem.settings.has_both_at_once != 0 and state.adjacent_chart == NOWHERE


@kernel
def combine(weights, row, count, k, width, h, start, x, m):
    """Set x = start + h sum_j weights[row + j] k_j, for four states from m on.

    In scalars: the model has just written the last k one double at a time, and loading four of those at once waits
    until they have all reached the cache. That wait, at every stage, took a quarter of the time of a step.
    """
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for j in range(count):
        w, n = weights[row + j], m + j * width
        s0 = fused(s0, w, k[n])
        s1 = fused(s1, w, k[n + 1])
        s2 = fused(s2, w, k[n + 2])
        s3 = fused(s3, w, k[n + 3])
    x[m] = fused(start[m], h, s0)
    x[m + 1] = fused(start[m + 1], h, s1)
    x[m + 2] = fused(start[m + 2], h, s2)
    x[m + 3] = fused(start[m + 3], h, s3)

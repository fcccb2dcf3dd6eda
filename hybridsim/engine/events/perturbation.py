"""How far rounding of the time and of the states can move a boundary."""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.events.boundary_values import evaluate
from hybridsim.engine.rounding import EPSILON, INSTANT_SPACINGS, spacing
from hybridsim.engine.stages import copy

LARGE_PERTURBATION = 1000.0 * INSTANT_SPACINGS
"""Size of a perturbation far above rounding [spacings]. A boundary farther from zero than it moves is not zero."""

GOLDEN, PLASTIC = 0.6180339887498949, 0.7548776662466927
"""Irrational numbers whose multiples, modulo 1, perturb each state by another amount."""

GROUP = 8
"""States that are looked at together for whether a boundary depends on any of them."""


@kernel
def is_rounded(problem, x, m):
    """Return whether rounding can move state m: an integer that the flow leaves as it is, such as a count, is exact."""
    return problem.continuous[m] != 0.0 or x[m] != math.floor(x[m])


@kernel
def measure_deviation(problem, state, workspace):
    """Set `deviation` to how far two perturbations, much larger than rounding, move each boundary from g_start.

    A cheap hint for all boundaries at once. A boundary in which the changes of the states cancel is rare, and still
    rarer for two perturbations.
    """
    for i in range(problem.settings.n_watched):
        workspace.deviation[i] = 0.0
    for multiplier in (GOLDEN, PLASTIC):
        perturb(problem, workspace, multiplier, workspace.x, workspace.x, 0, problem.settings.n_states)
        t = state.t + LARGE_PERTURBATION * spacing(state.t)
        evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_perturbed)
        for a in range(state.n_active):
            i = workspace.active[a]
            workspace.deviation[i] += abs(workspace.g_shifted[i] - workspace.g_start[i])


@kernel
def perturb(problem, workspace, multiplier, x, scale, first, behind):
    """Perturb the states from `first` on, far above rounding, each by another part of its value here or in `scale`."""
    for m in range(first, behind):
        if is_rounded(problem, x, m):
            amount = (1.0 + (multiplier * (m + 1.0)) % 1.0) * LARGE_PERTURBATION * EPSILON
            workspace.x_perturbed[m] = x[m] + amount * max(abs(x[m]), abs(scale[m]))
        else:
            workspace.x_perturbed[m] = x[m]


@kernel
def least_rounding_effect(problem, state, workspace, i):
    """Return what rounding moves boundary i by at the end of the step at least, from two perturbations far above it."""
    moved, t = 0.0, state.t_new + LARGE_PERTURBATION * spacing(state.t_new)
    for multiplier in (GOLDEN, PLASTIC):
        perturb(problem, workspace, multiplier, workspace.x_new, workspace.x_start, 0, problem.settings.n_states)
        evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_perturbed)
        moved += abs(workspace.g_shifted[i] - workspace.g_end[i])
    return moved / (4.0 * LARGE_PERTURBATION / INSTANT_SPACINGS)  # each is up to twice that large


@kernel
def rounding_effect(problem, state, workspace, i, t, x, scale):
    """Return how far rounding moves boundary i at (t, x): INSTANT_SPACINGS spacings of t and of each state.

    The spacing of a state is that of its value or of its value in `scale`, whichever is larger. Nothing cancels in
    the sum, which takes one call of the boundaries for each state; of many states, for those of the groups alone on
    which the boundary depends.
    """
    settings, perturbed = problem.settings, workspace.x_perturbed
    copy(settings, x, perturbed)
    evaluate(problem, state, workspace, workspace.g_shifted, t, perturbed)
    value = workspace.g_shifted[i]
    evaluate(problem, state, workspace, workspace.g_shifted, t + INSTANT_SPACINGS * spacing(t), perturbed)
    total = INSTANT_SPACINGS * EPSILON * abs(value) + abs(workspace.g_shifted[i] - value)
    for first in range(0, settings.n_states, GROUP):
        if settings.n_states > GROUP and not depends_on(problem, state, workspace, i, (t, x, value), scale, first):
            continue
        for m in range(first, min(first + GROUP, settings.n_states)):
            perturbed[m] = x[m] + INSTANT_SPACINGS * EPSILON * max(abs(x[m]), abs(scale[m]))
            if perturbed[m] != x[m] and is_rounded(problem, x, m):
                evaluate(problem, state, workspace, workspace.g_shifted, t, perturbed)
                total += abs(workspace.g_shifted[i] - value)
            perturbed[m] = x[m]
    return total


@kernel
def depends_on(problem, state, workspace, i, place, scale, first):
    """Return whether boundary i depends on a state of the group from `first` on; `place`: (time, state, value there).

    All of them are perturbed at once, each by another amount, much larger than rounding: their effects do not cancel.
    """
    t, x, value = place
    perturbed, behind, any_moved = workspace.x_perturbed, min(first + GROUP, problem.settings.n_states), False
    perturb(problem, workspace, GOLDEN, x, scale, first, behind)
    for m in range(first, behind):
        any_moved = any_moved or perturbed[m] != x[m]
    if any_moved:
        evaluate(problem, state, workspace, workspace.g_shifted, t, perturbed)
    for m in range(first, behind):
        perturbed[m] = x[m]
    return any_moved and workspace.g_shifted[i] != value

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
        for m in range(problem.settings.n_states):
            amount = (1.0 + (multiplier * (m + 1.0)) % 1.0) * LARGE_PERTURBATION
            factor = 1.0 + amount * EPSILON if is_rounded(problem, workspace.x, m) else 1.0
            workspace.x_perturbed[m] = workspace.x[m] * factor
        t = state.t + LARGE_PERTURBATION * spacing(state.t)
        evaluate(problem, state, workspace, workspace.g_shifted, t, workspace.x_perturbed)
        for a in range(state.n_active):
            i = workspace.active[a]
            workspace.deviation[i] += abs(workspace.g_shifted[i] - workspace.g_start[i])


@kernel
def rounding_effect(problem, state, workspace, i, t, x, scale):
    """Return how far rounding moves boundary i at (t, x): INSTANT_SPACINGS spacings of t and of each state.

    The spacing of a state is that of its value or of its value in `scale`, whichever is larger. Nothing cancels in
    the sum, which takes one call of the boundaries for each state.
    """
    perturbed = workspace.x_perturbed
    copy(problem.settings, x, perturbed)
    evaluate(problem, state, workspace, workspace.g_shifted, t, perturbed)
    value = workspace.g_shifted[i]
    evaluate(problem, state, workspace, workspace.g_shifted, t + INSTANT_SPACINGS * spacing(t), perturbed)
    total = INSTANT_SPACINGS * EPSILON * abs(value) + abs(workspace.g_shifted[i] - value)
    for m in range(problem.settings.n_states):
        perturbed[m] = x[m] + INSTANT_SPACINGS * EPSILON * max(abs(x[m]), abs(scale[m]))
        if perturbed[m] != x[m] and is_rounded(problem, x, m):
            evaluate(problem, state, workspace, workspace.g_shifted, t, perturbed)
            total += abs(workspace.g_shifted[i] - value)
        perturbed[m] = x[m]
    return total

"""The stages of a Rosenbrock step: each solves linear equations with one matrix, W = 1 / gamma - h df/dx.

For the equations see `methods.Tableau`. The matrix is factorised once for each length of the step that is tried.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store
from hybridsim.engine.jacobian import differentiate
from hybridsim.engine.linear_equations import factorise, solve
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.stages import last_stage, stage


@kernel
def solve_stages(problem, state, workspace, h, t_new, again):
    """Compute the increments, x_new and its slope; where that is not possible the last increment becomes nan.

    The derivatives are known if the step is tried `again`, with another length.
    """
    settings = problem.settings
    slides, last = state.adjacent_chart != NOWHERE, settings.stages
    if not again:
        differentiate(problem, state, workspace)
    set_matrix(settings, workspace, h)
    is_regular = factorise(workspace.matrix, settings.n_moving, settings.moving, workspace.pivots)
    if is_regular:
        for i in range(1, last):
            set_right_hand_side(problem, state, workspace, i, h, slides)
            at = i * settings.width
            solve(workspace.matrix, settings.n_moving, settings.moving, workspace.pivots, workspace.k, at)
        last_stage(problem, state, workspace, t_new, h, slides)
    # The error estimate is the last increment; it does not contain the slope at x_new.
    if not (is_regular and is_finite(workspace.k, last * settings.width, settings.n_moving)):
        workspace.k[(last - 1) * settings.width] = np.nan


@kernel
def set_matrix(settings, workspace, h):
    """Set the matrix to 1 / gamma - h J."""
    for j in range(settings.n_moving):
        column = j * settings.moving
        for m in range(settings.moving):
            workspace.matrix[column + m] = -h * workspace.jacobian[column + m]
        workspace.matrix[column + j] += 1.0 / settings.gamma


@kernel
def set_right_hand_side(problem, state, workspace, i, h, slides):
    """Set k_i to the right-hand side of its equations: slope, increments before it, and derivative by time."""
    settings = problem.settings
    width, row = settings.width, i * settings.rows
    if i == 1:  # its argument is the state where the step begins
        for m in range(0, settings.moving, LANES):
            store(workspace.k, m + width, load(workspace.k, m))
    else:
        stage(problem, state, workspace, i, state.t + problem.c[i] * h, h, workspace.x_stage, slides)
    for m in range(0, settings.moving, LANES):
        total = plus(load(workspace.k, m + i * width), h * problem.time_weights[i], load(workspace.time_derivative, m))
        for j in range(1, i):
            total = plus(total, problem.coupling[row + j], load(workspace.k, m + j * width))
        store(workspace.k, m + i * width, total)


@kernel
def is_finite(numbers, at, n):
    """Return whether n numbers are finite."""
    for m in range(at, at + n):
        if not math.isfinite(numbers[m]):
            return False
    return True

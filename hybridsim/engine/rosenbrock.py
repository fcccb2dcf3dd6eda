"""The stages of a Rosenbrock step: each solves linear equations with one matrix, W = 1 / gamma - h df/dx.

For the equations see `methods.Tableau`. The matrix is factorised once for each length of the step that is tried.
"""

from __future__ import annotations

import math

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store
from hybridsim.engine.compiler.routines import loaded, routine
from hybridsim.engine.compiler.signatures import boolean, real
from hybridsim.engine.linear_equations import factorise, solve
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.stages import stage


@routine(boolean, real, real)
def solve_stages(problem, state, workspace, h, t_new):
    """Compute the increments, x_new and its slope; return whether W is regular and that slope is finite.

    The error estimate does not contain the slope at x_new: what makes it infinite must be found here.
    """
    problem, workspace = loaded(problem), loaded(workspace)
    settings = problem.settings
    slides, last = state.adjacent_chart != NOWHERE, settings.stages
    set_matrix(settings, workspace, h)
    if not factorise(workspace.matrix, settings.n_moving, settings.moving, workspace.pivots):
        return False
    for i in range(1, last):
        at = i * settings.width
        if i == 1:  # its argument is the state where the step begins
            for m in range(0, settings.moving, LANES):
                store(workspace.k, m + at, load(workspace.k, m))
        else:
            stage(problem, state, workspace, i, state.t + problem.c[i] * h, h, workspace.x_stage, slides)
        couple(problem, workspace, i, h)
        solve(workspace.matrix, settings.n_moving, settings.moving, workspace.pivots, workspace.k, at)
    stage(problem, state, workspace, last, t_new, h, workspace.x_new, slides)
    return is_finite(workspace.k, last * settings.width, settings.n_moving)


@kernel
def set_matrix(settings, workspace, h):
    """Set the matrix to 1 / gamma - h J."""
    for j in range(settings.n_moving):
        column = j * settings.moving
        for m in range(settings.moving):
            workspace.matrix[column + m] = -h * workspace.jacobian[column + m]
        workspace.matrix[column + j] += 1.0 / settings.gamma


@kernel
def couple(problem, workspace, i, h):
    """Add to the right-hand side of increment i, k_i, the increments before it and the derivative by time."""
    settings = problem.settings
    width, row = settings.width, i * settings.rows
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

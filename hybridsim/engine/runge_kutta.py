"""Iterator 1: one accepted step of a Runge-Kutta, Rosenbrock or Taylor method.

Try a step, estimate its error, repeat with a smaller one until the estimate is within the tolerance; then propose
the next step size. The controller is that of Hairer, Norsett, Wanner (1993, II.4), with the constants of scipy.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel, unlikely
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.routines import routine
from hybridsim.engine.compiler.signatures import integer
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rosenbrock import solve_stages
from hybridsim.engine.rounding import spacing
from hybridsim.engine.series import follow, longest_step
from hybridsim.engine.series_programs import expand_program
from hybridsim.engine.settings import LARGEST_FACTOR, SAFETY, SMALLEST_FACTOR
from hybridsim.engine.stages import copy, last_stage, slope, stage, weighted_sum
from hybridsim.engine.state import STARTING

ACCEPTED, TOO_SMALL, NO_SERIES = range(3)


@kernel
def sum_of_squares(problem, workspace, weights):
    """Sum over the continuous states of the error estimate sum_j weights_j k_j, in units of atol + rtol |x|."""
    settings = problem.settings
    for m in range(0, settings.moving, LANES):
        store(workspace.error, m, weighted_sum(weights, 0, settings.stages + 1, workspace.k, m, settings.width))
    total = 0.0
    for m in range(settings.n_moving):
        scale = settings.atol + settings.rtol * max(abs(workspace.x_start[m]), abs(workspace.x_new[m]))
        total += (workspace.error[m] * (problem.continuous[m] / scale)) ** 2 + 0.0 * workspace.x_new[
            m
        ]  # nan if infinite
    return total


@kernel
def error_norm(problem, workspace, h):
    """RMS over the continuous states of the error estimate, in units of atol + rtol |x|."""
    settings = problem.settings
    total = sum_of_squares(problem, workspace, problem.e)
    if settings.extra_error and total > 0.0:  # DOP853 weighs two estimates (Hairer, Norsett, Wanner 1993, II.10.17)
        total *= total / (total + 0.01 * sum_of_squares(problem, workspace, problem.e_third))
    return abs(h) * math.sqrt(total / max(settings.n_continuous, 1))


@kernel
def error_estimate(problem, state, workspace):
    """Write the error estimate of the last step, as rates, into workspace.error; return its factor in error_norm."""
    settings = problem.settings
    if is_along_series(problem, state):  # known since the step was made
        return 1.0
    if settings.extra_error:
        third = sum_of_squares(problem, workspace, problem.e_third)
        total = sum_of_squares(problem, workspace, problem.e)
        return math.sqrt(total / (total + 0.01 * third)) if total > 0.0 else 1.0
    for m in range(0, settings.moving, LANES):
        store(workspace.error, m, weighted_sum(problem.e, 0, settings.stages + 1, workspace.k, m, settings.width))
    return 1.0


@kernel
def try_step(problem, state, workspace, h, t_new, solves, again):
    """Compute the stages, x_new and its slope; return the error norm (nan or inf where the field is undefined).

    The method `solves` equations if it is a Rosenbrock method; `again` is true if another length has been tried.
    """
    if solves:
        solve_stages(problem, state, workspace, h, t_new, again)
    else:
        last, slides = problem.settings.stages, state.adjacent_chart != NOWHERE
        for i in range(1, last):
            stage(problem, state, workspace, i, state.t + problem.c[i] * h, h, workspace.x_stage, slides)
        last_stage(problem, state, workspace, t_new, h, slides)
    return error_norm(problem, workspace, h)


@kernel
def make_step(problem, state, workspace):
    """Step from state.t towards state.t_target; fills x_new, state.t_new and state.step, and proposes state.h."""
    if unlikely(problem.settings.gamma != 0.0):
        return make_rosenbrock_step(problem, state, workspace)
    if unlikely(problem.settings.series_order != 0):
        outcome = series_step(problem, state, workspace)
        if outcome != NO_SERIES:
            return outcome
    return controlled_step(problem, state, workspace, False)


@routine(integer)
def make_rosenbrock_step(problem, state, workspace):
    """Step as `make_step` does: apart from it, so that the loop of the other methods stays as small as it is."""
    return controlled_step(problem, state, workspace, True)


@routine(integer)
def series_step(problem, state, workspace):
    """Step as `make_step` does, along the series of the solution; NO_SERIES where there is none."""
    settings = problem.settings
    state.along_series = 0
    if state.adjacent_chart != NOWHERE:
        return NO_SERIES
    smallest = max(settings.min_step, 10.0 * spacing(state.t))
    copy(settings, workspace.x, workspace.x_start)
    if not expand_program(problem, state, workspace):
        return NO_SERIES
    longest = longest_step(problem, workspace)
    if not longest > 0.0:
        return NO_SERIES
    state.h = min(max(min(state.h, longest), smallest), settings.max_step)
    rejected = False
    while True:
        t_new = min(state.t + state.h, state.t_target)
        if not state.t < t_new < np.inf:
            return TOO_SMALL
        h = t_new - state.t
        error = follow(problem, state, workspace, h, t_new)
        if error < 1.0:
            break
        rejected = True
        state.rejected += 1
        factor = SMALLEST_FACTOR
        if math.isfinite(error):
            factor = max(SMALLEST_FACTOR, SAFETY * error ** (-1.0 / (settings.series_order + 1.0)))
        state.h = h * factor
        if state.h < smallest:
            return TOO_SMALL
    # The coefficients tell how long the next step can be; those of a polynomial do not limit it.
    state.h = h if rejected else max(state.h, LARGEST_FACTOR * h)
    state.along_series = 1
    state.series_steps += 1
    describe_step(state, h, t_new)
    state.extended = 1
    return ACCEPTED


@kernel
def is_along_series(problem, state):
    """Return whether the last step is one of Taylor's method."""
    return problem.settings.series_order != 0 and state.along_series != 0


@kernel
def controlled_step(problem, state, workspace, solves):
    """Try lengths of the step until one is accepted; returns ACCEPTED or TOO_SMALL."""
    settings = problem.settings
    smallest = max(settings.min_step, 10.0 * spacing(state.t))
    rejected = False
    copy(settings, workspace.x, workspace.x_start)
    if settings.adaptive:
        state.h = min(max(state.h, smallest), settings.max_step)
    while True:
        t_new = state.t + state.h
        lands = t_new >= state.t_target
        if lands:
            t_new = state.t_target
        if not state.t < t_new < np.inf:
            return TOO_SMALL
        h = t_new - state.t
        error = try_step(problem, state, workspace, h, t_new, solves, rejected)
        if not settings.adaptive:
            if not math.isfinite(error):
                return TOO_SMALL
            break
        if error < 1.0:
            factor = LARGEST_FACTOR
            if error > settings.negligible_error:
                factor = min(LARGEST_FACTOR, SAFETY * error**settings.exponent)
            if rejected:
                factor = min(1.0, factor)
            # A step cut short to land on a time is no reason to lower the step size proposed before.
            state.h = max(h * factor, state.h) if lands and not rejected else h * factor
            break
        rejected = True
        state.rejected += 1
        factor = SMALLEST_FACTOR
        if math.isfinite(error):
            factor = max(SMALLEST_FACTOR, SAFETY * error**settings.exponent)
        state.h = h * factor
        if state.h < smallest:
            return TOO_SMALL
    describe_step(state, h, t_new)
    return ACCEPTED


@kernel
def describe_step(state, h, t_new):
    """Describe the step of length h from state.t that has been accepted."""
    state.steps += 1
    state.step = h
    state.t_start = state.t
    state.chart_start, state.adjacent_chart_start, state.j_start = state.chart, state.adjacent_chart, state.j
    state.surface_start = state.surface
    state.t_new = t_new
    state.extended, state.samples = 0, 0


@kernel
def initial_step(problem, state, workspace):
    """A first step size from the slope and its change over a small Euler step (Hairer, Norsett, Wanner 1993, II.4).

    They take for granted that a field changes slowly, in a unit of time. After an event it may not, as where a foot
    that lands slips slowly: then the time d1 / d2, in which it changes by its own size, takes the place of this unit.
    Not for methods that take a stiff field in long steps, and not below a step in which this change comes to less than
    a hundredth of the tolerance, as it does where the field is nothing but rounding.
    """
    settings = problem.settings
    n = max(settings.n_continuous, 1)
    d0, d1, d2 = 0.0, 0.0, 0.0
    for m in range(settings.n_moving):
        weight = problem.continuous[m] / (settings.atol + settings.rtol * abs(workspace.x[m]))
        d0 += (workspace.x[m] * weight) ** 2
        d1 += (workspace.k[m] * weight) ** 2
    d0, d1 = math.sqrt(d0 / n), math.sqrt(d1 / n)
    left = state.t_target - state.t if state.t_target > state.t else 1.0
    h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h0 = min(h0, left)
    copy(settings, workspace.x, workspace.x_stage)  # a jump may have changed states that have no slope
    for m in range(settings.n_moving):
        workspace.x_stage[m] = workspace.x[m] + h0 * workspace.k[m]
    slope(problem, state, workspace, workspace.slope_ahead, 0, state.t + h0, workspace.x_stage)
    for m in range(settings.n_moving):
        weight = problem.continuous[m] / (settings.atol + settings.rtol * abs(workspace.x[m]))
        d2 += ((workspace.slope_ahead[m] - workspace.k[m]) * weight) ** 2
    d2 = math.sqrt(d2 / n) / h0
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = max(1e-6, h0 * 1e-3)
    else:
        h1 = (0.01 / max(d1, d2)) ** (-settings.exponent)
    h = min(min(100.0 * h0, h1), min(left, settings.max_step))
    if state.phase != STARTING and settings.gamma == 0.0 and 0.0 < d1 < h * d2:
        unit = d1 / d2
        h = min(h, max(unit * (d1 * unit) ** settings.exponent, unit * unit / h, math.sqrt(0.01 / d2)))
    return h if math.isfinite(h) and h > 0.0 else h0


@kernel
def extend(problem, state, workspace):
    """Compute the coefficients workspace.q of the continuous extension, from workspace.x_start over the whole step.

    Some methods need further stages for it; they are computed once, and only for steps that are searched or recorded.
    """
    if state.extended:
        return
    settings = problem.settings
    width = settings.width
    for i in range(settings.stages + 1, settings.rows):
        stage(
            problem,
            state,
            workspace,
            i,
            state.t_start + problem.c[i] * state.step,
            state.step,
            workspace.x_stage,
            state.adjacent_chart != NOWHERE,
        )
    for d in range(settings.degree):
        for m in range(0, settings.moving, LANES):
            rise = weighted_sum(problem.extension, d * settings.rows, settings.rows, workspace.k, m, width)
            store(workspace.q, m + d * width, plus(zeros(), state.step, rise))
    state.extended = 1


@kernel
def extension_at(problem, workspace, theta, x):
    """Set x to the continuous extension at t_start + theta step."""
    width, degree = problem.settings.width, problem.settings.degree
    for m in range(0, problem.settings.moving, LANES):
        rise = load(workspace.q, m + (degree - 1) * width)
        for d in range(degree - 2, -1, -1):
            rise = plus(load(workspace.q, m + d * width), theta, rise)
        store(x, m, plus(load(workspace.x_start, m), theta, rise))


@kernel
def extension_slope_at(problem, workspace, theta, xdot):
    """Set xdot to the derivative of the continuous extension with respect to theta."""
    width, degree = problem.settings.width, problem.settings.degree
    for m in range(0, problem.settings.moving, LANES):
        rise = plus(zeros(), degree, load(workspace.q, m + (degree - 1) * width))
        for d in range(degree - 2, -1, -1):
            rise = plus(plus(zeros(), d + 1.0, load(workspace.q, m + d * width)), theta, rise)
        store(xdot, m, rise)

"""Iterator 1: one accepted Runge-Kutta step.

Try a step, estimate its error, repeat with a smaller one until the estimate is within the tolerance; then propose
the next step size. The controller is that of Hairer, Norsett, Wanner (1993, II.4), with the constants of scipy.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, call_vector_field, kernel
from hybridsim.engine.events.sliding import sliding_slope
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rounding import spacing

SAFETY, SMALLEST_FACTOR, LARGEST_FACTOR = 0.9, 0.2, 10.0

ACCEPTED, TOO_SMALL = 0, 1


@kernel
def copy(settings, source, target):
    m = 0
    while m < settings.width:  # not a `for`: a loop known to be a copy becomes a call that takes longer than the copy
        store(target, m, load(source, m))
        m += LANES


@kernel
def weighted_sum(weights, row, count, k, m, width):
    """sum_j weights[row + j] k[m + j width] over `count` rows of k, for four columns from m on."""
    total = zeros()
    for j in range(count):
        total = plus(total, weights[row + j], load(k, m + j * width))
    return total


@kernel
def slope(problem, now, work, k, offset, t, x):
    """k[offset:] = f(t, x); states that do not move in this chart have slope 0."""
    for m in range(0, problem.settings.moving, LANES):
        store(k, offset + m, zeros())
    call_field(problem, now, work, k, offset, t, x, now.adjacent_chart != NOWHERE)


@kernel
def call_field(problem, now, work, k, offset, t, x, slides):
    if slides:
        sliding_slope(problem, now, work, k, offset, t, x)
    else:
        call_vector_field(problem.functions[VECTOR_FIELD], k, offset, t, x, 0, problem.p, now.chart)
        now.calls += 1


@kernel
def stage(problem, now, work, i, t, h, x, slides):
    """Stage i: x = x_start + h sum_j a_ij k_j over the stages before it, and k_i, the slope there."""
    width, row = problem.settings.width, i * problem.settings.rows
    for m in range(0, problem.settings.moving, LANES):
        combine(problem.a, row, i, work.k, width, h, work.x_start, x, m)
        store(work.k, m + i * width, zeros())
    call_field(problem, now, work, work.k, i * width, t, x, slides)


@kernel
def combine(weights, row, count, k, width, h, start, x, m):
    """Set x = start + h sum_j weights[row + j] k_j, for four states from m on.

    In scalars: the model has just written the last k one double at a time, and loading four of those at once waits
    until they have all reached the cache. That wait, at every stage, took a quarter of the time of a step.
    """
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    for j in range(count):
        w, n = weights[row + j], m + j * width
        s0 += w * k[n]
        s1 += w * k[n + 1]
        s2 += w * k[n + 2]
        s3 += w * k[n + 3]
    x[m] = start[m] + h * s0
    x[m + 1] = start[m + 1] + h * s1
    x[m + 2] = start[m + 2] + h * s2
    x[m + 3] = start[m + 3] + h * s3


@kernel
def sum_of_squares(problem, work, weights):
    """Sum over the continuous states of the error estimate sum_j weights_j k_j, in units of atol + rtol |x|."""
    settings = problem.settings
    for m in range(0, settings.moving, LANES):
        store(work.error, m, weighted_sum(weights, 0, settings.stages + 1, work.k, m, settings.width))
    total = 0.0
    for m in range(settings.n_moving):
        scale = settings.atol + settings.rtol * max(abs(work.x_start[m]), abs(work.x_new[m]))
        total += (work.error[m] * (problem.continuous[m] / scale)) ** 2 + 0.0 * work.x_new[m]  # nan if infinite
    return total


@kernel
def error_norm(problem, work, h):
    """RMS over the continuous states of the error estimate, in units of atol + rtol |x|."""
    settings = problem.settings
    total = sum_of_squares(problem, work, problem.e)
    if settings.extra_error and total > 0.0:  # DOP853 weighs two estimates (Hairer, Norsett, Wanner 1993, II.10.17)
        total *= total / (total + 0.01 * sum_of_squares(problem, work, problem.e_third))
    return abs(h) * math.sqrt(total / max(settings.n_continuous, 1))


@kernel
def error_estimate(problem, work):
    """The error estimate of the last step, as rates into work.error; returns the factor that error_norm gives it."""
    settings = problem.settings
    if settings.extra_error:
        third = sum_of_squares(problem, work, problem.e_third)
        total = sum_of_squares(problem, work, problem.e)
        return math.sqrt(total / (total + 0.01 * third)) if total > 0.0 else 1.0
    for m in range(0, settings.moving, LANES):
        store(work.error, m, weighted_sum(problem.e, 0, settings.stages + 1, work.k, m, settings.width))
    return 1.0


@kernel
def try_step(problem, now, work, h, t_new):
    """Compute the stages, x_new and its slope; return the error norm (nan or inf where the field is undefined)."""
    last, slides = problem.settings.stages, now.adjacent_chart != NOWHERE
    for i in range(1, last):
        stage(problem, now, work, i, now.t + problem.c[i] * h, h, work.x_stage, slides)
    stage(problem, now, work, last, t_new, h, work.x_new, slides)
    return error_norm(problem, work, h)


@kernel
def accepted_step(problem, now, work):
    """Step from now.t towards now.t_target; fills x_new, now.t_new and now.step, and proposes now.h."""
    settings = problem.settings
    smallest = max(settings.min_step, 10.0 * spacing(now.t))
    rejected = False
    copy(settings, work.x, work.x_start)
    if settings.adaptive:
        now.h = min(max(now.h, smallest), settings.max_step)
    while True:
        t_new = now.t + now.h
        lands = t_new >= now.t_target
        if lands:
            t_new = now.t_target
        if not now.t < t_new < np.inf:
            return TOO_SMALL
        h = t_new - now.t
        error = try_step(problem, now, work, h, t_new)
        if not settings.adaptive:
            if not math.isfinite(error):
                return TOO_SMALL
            break
        if error < 1.0:
            factor = LARGEST_FACTOR
            if error > 0.0:
                factor = min(LARGEST_FACTOR, SAFETY * error**settings.exponent)
            if rejected:
                factor = min(1.0, factor)
            # A step cut short to land on a time says nothing against the step size proposed before.
            now.h = max(h * factor, now.h) if lands and not rejected else h * factor
            break
        rejected = True
        now.rejected += 1
        factor = SMALLEST_FACTOR
        if math.isfinite(error):
            factor = max(SMALLEST_FACTOR, SAFETY * error**settings.exponent)
        now.h = h * factor
        if now.h < smallest:
            return TOO_SMALL
    now.steps += 1
    now.step = h
    now.t_start = now.t
    now.chart_start, now.adjacent_chart_start, now.j_start = now.chart, now.adjacent_chart, now.j
    now.surface_start = now.surface
    now.t_new = t_new
    now.extended = 0
    return ACCEPTED


@kernel
def initial_step(problem, now, work):
    """A first step size from the slope and its change over a small Euler step (Hairer, Norsett, Wanner 1993, II.4)."""
    settings = problem.settings
    n = max(settings.n_continuous, 1)
    d0, d1, d2 = 0.0, 0.0, 0.0
    for m in range(settings.n_moving):
        weight = problem.continuous[m] / (settings.atol + settings.rtol * abs(work.x[m]))
        d0 += (work.x[m] * weight) ** 2
        d1 += (work.k[m] * weight) ** 2
    d0, d1 = math.sqrt(d0 / n), math.sqrt(d1 / n)
    left = now.t_target - now.t if now.t_target > now.t else 1.0
    h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h0 = min(h0, left)
    for m in range(settings.n_moving):
        work.x_stage[m] = work.x[m] + h0 * work.k[m]
    width = settings.width
    slope(problem, now, work, work.k, width, now.t + h0, work.x_stage)
    for m in range(settings.n_moving):
        weight = problem.continuous[m] / (settings.atol + settings.rtol * abs(work.x[m]))
        d2 += ((work.k[m + width] - work.k[m]) * weight) ** 2
    d2 = math.sqrt(d2 / n) / h0
    if d1 <= 1e-15 and d2 <= 1e-15:
        h1 = max(1e-6, h0 * 1e-3)
    else:
        h1 = (0.01 / max(d1, d2)) ** (-settings.exponent)
    h = min(min(100.0 * h0, h1), min(left, settings.max_step))
    return h if math.isfinite(h) and h > 0.0 else h0


@kernel
def extend(problem, now, work):
    """Make the continuous extension of the step: work.q, on the full step now.step, from work.x_start.

    Some methods need further stages for it; they are computed once, and only for steps that are looked into.
    """
    if now.extended:
        return
    settings = problem.settings
    width = settings.width
    for i in range(settings.stages + 1, settings.rows):
        stage(
            problem,
            now,
            work,
            i,
            now.t_start + problem.c[i] * now.step,
            now.step,
            work.x_stage,
            now.adjacent_chart != NOWHERE,
        )
    for d in range(settings.degree):
        for m in range(0, settings.moving, LANES):
            rise = weighted_sum(problem.extension, d * settings.rows, settings.rows, work.k, m, width)
            store(work.q, m + d * width, plus(zeros(), now.step, rise))
    now.extended = 1


@kernel
def extension_at(problem, work, theta, x):
    """The continuous extension at t_start + theta step, into x."""
    width, degree = problem.settings.width, problem.settings.degree
    for m in range(0, problem.settings.moving, LANES):
        rise = load(work.q, m + (degree - 1) * width)
        for d in range(degree - 2, -1, -1):
            rise = plus(load(work.q, m + d * width), theta, rise)
        store(x, m, plus(load(work.x_start, m), theta, rise))


@kernel
def extension_slope_at(problem, work, theta, xdot):
    """The derivative of the extension with respect to theta, into xdot."""
    width, degree = problem.settings.width, problem.settings.degree
    for m in range(0, problem.settings.moving, LANES):
        rise = plus(zeros(), degree, load(work.q, m + (degree - 1) * width))
        for d in range(degree - 2, -1, -1):
            rise = plus(plus(zeros(), d + 1.0, load(work.q, m + d * width)), theta, rise)
        store(xdot, m, rise)

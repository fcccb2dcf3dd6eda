"""Steps along power series: Taylor's method (Jorba and Zou 2005).

The program of a chart gives the coefficients of the solution from the start of the step, and their size its length.
How far the slope of the series at its end differs from the vector field there tells the error; nothing between needs to
be looked at, as a chart with a program has no kinks.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.series_rows import ROW_SIZE
from hybridsim.engine.stages import slope


@kernel
def longest_step(problem, workspace):
    """Return the length [s] with which the last two terms of all states are as small as the tolerance, to a hundredth.

    It is infinite where the series has no such terms, and nan where they are not finite. Nothing is squared: in units
    in which the model is fast, terms of high order are very large.
    """
    settings, order = problem.settings, problem.settings.series_order
    last, before, total = 0.0, 0.0, 0.0
    for m in range(settings.n_moving):
        weight = problem.continuous[m] / (settings.atol + settings.rtol * abs(workspace.x[m]))
        row = (m + 1) * ROW_SIZE + order
        last = max(last, abs(workspace.tape[row] * weight))
        before = max(before, abs(workspace.tape[row - 1] * weight))
        total += workspace.tape[row] + workspace.tape[row - 1]
    exponent = -math.inf
    if last > 0.0:
        exponent = binary_logarithm(last) / order
    if before > 0.0:
        exponent = max(exponent, binary_logarithm(before) / (order - 1))
    return power_of_two(-exponent) + 0.0 * total  # nan if a term is not finite


@kernel
def binary_logarithm(x):
    """Return the logarithm of a positive number to the base 2, to 0.01: its exponent, and a parabola between."""
    bits = np.float64(x).view(np.int64)
    mantissa = np.int64((bits & 0xF_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000).view(np.float64)
    return (bits >> 52) - 1023 + (mantissa - 1.0) * (1.3465552 - 0.3465552 * (mantissa - 1.0))


@kernel
def power_of_two(x):
    """Return the power of two, to 0.01: infinite above 1,000, and at least 2^-1000."""
    if x > 1000.0:
        return math.inf
    whole = math.floor(max(x, -1000.0))
    part = max(x, -1000.0) - whole
    scale = np.int64((np.int64(whole) + 1023) << 52).view(np.float64)
    return scale * (1.0 + part * (0.6563 + 0.3437 * part))


@kernel
def follow(problem, state, workspace, h, t_new):
    """Follow the series for a step of length h: set workspace.q, x_new and the slope there; return the error norm."""
    settings = problem.settings
    width, order = settings.width, settings.series_order
    write_powers(workspace.powers, order, h)
    for d in range(order):
        for m in range(settings.n_moving):
            workspace.q[m + d * width] = workspace.powers[d + 1] * workspace.tape[(m + 1) * ROW_SIZE + d + 1]
    sum_terms(problem, workspace)
    error = h * lack(problem, state, workspace, h, t_new) / (order + 1.0)
    for m in range(settings.n_moving):
        # The next term of the series, c h^n / n!, is its error; its derivative is what the slope lacks.
        workspace.error[m] /= order + 1.0
    return error


@kernel
def write_powers(powers, order, h):
    """Write the powers of h from 0 to `order`, four side by side, each of which waits for that four before it."""
    square = h * h
    fourth = square * square
    powers[0], powers[1], powers[2], powers[3] = 1.0, h, square, square * h
    for k in range(4, order + 1):
        powers[k] = powers[k - 4] * fourth


@kernel
def sum_terms(problem, workspace):
    """Set x_new to the series at the end of the step, and `error` to its slope by theta; small terms come first."""
    settings = problem.settings
    for m in range(0, settings.moving, LANES):
        rise, rate = zeros(), zeros()
        for d in range(settings.series_order - 1, -1, -1):
            term = load(workspace.q, m + d * settings.width)
            rise, rate = plus(rise, 1.0, term), plus(rate, d + 1.0, term)
        store(workspace.x_new, m, plus(load(workspace.x_start, m), 1.0, rise))
        store(workspace.error, m, rate)


@kernel
def lack(problem, state, workspace, h, t):
    """Set `error` to what the slope in it, by theta, lacks of that at x_new and t; return its norm, or nan."""
    settings = problem.settings
    last = settings.stages * settings.width
    slope(problem, state, workspace, workspace.k, last, t, workspace.x_new)
    total = 0.0
    for m in range(settings.n_moving):
        workspace.error[m] = workspace.k[last + m] - workspace.error[m] / h
        scale = settings.atol + settings.rtol * max(abs(workspace.x_start[m]), abs(workspace.x_new[m]))
        total += (workspace.error[m] * (problem.continuous[m] / scale)) ** 2 + 0.0 * workspace.x_new[m]
    return math.sqrt(total / max(settings.n_continuous, 1))

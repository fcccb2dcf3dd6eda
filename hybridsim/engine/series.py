"""Steps along power series: Taylor's method (Jorba and Zou 2005).

The model's own vector field, compiled on series or as a program, gives the coefficients of the solution from the start
of the step, and their size its length. How far the slope of the series at its end differs from the vector field there
tells the error. It is compared inside the step, too, because a series follows the sides that its start is on, of a kink
for instance, and a state may cross to the other side and back: if the step is too long for the series, a shorter one is
tried. A chart with a program has no kinks, and is compared at the end alone.
"""

from __future__ import annotations

import math

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.jet_rows import LAST_BACKWARD, MAX_ROWS, ROW_SIZE, SPARE_ROWS
from hybridsim.engine.compiler.lanes import LANES, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, call_on_series
from hybridsim.engine.series_programs import READY, expand_program
from hybridsim.engine.stages import slope

N_INTERVALS = 8
"""Intervals of a step between which the slopes of its series are compared with the vector field."""
INSIDE_WEIGHT = 0.25
"""Weight of what a slope lacks inside a step. In a smooth one it is theta^16 of that at the end, which counts 1/17."""


@kernel
def expand(problem, state, workspace):
    """Write the series of the solution through the state at state.t to the tape: a row for time, one for each state.

    Returns whether there is one.
    """
    settings, tape = problem.settings, workspace.tape
    if settings.has_programs:
        return expand_program(problem, state, workspace)
    tape[0] = state.t
    for i in range(settings.n_states):
        row = (i + 1) * ROW_SIZE
        # States whose slope the vector field of this chart does not set stay as they are.
        for k in range(1, settings.series_order + 1, LANES):
            store(tape, row + k, zeros())
            store(tape, row + LAST_BACKWARD - LANES + 1 - k, zeros())
        tape[row] = workspace.x[i]
    function = problem.series_functions[VECTOR_FIELD]
    call_on_series(function, tape, ROW_SIZE, tape, problem.p, state.chart, settings.series_order, settings.n_states)
    state.calls += 1
    return True


@kernel
def clear(settings, workspace):
    """Erase what has been computed: times the zeros at the beginning of a series, what is not finite would stay so."""
    if settings.has_programs:  # each row is written anew
        return
    for k in range((settings.n_states + 1) * ROW_SIZE, (settings.n_states + 1 + MAX_ROWS + SPARE_ROWS) * ROW_SIZE):
        workspace.tape[k] = 0.0


@kernel
def longest_step(problem, state, workspace):
    """Return the length with which the last two terms of the series are as small as the tolerance [s].

    It is nan or infinite where the series has no such terms.
    """
    if state.program == READY:
        return length_by_powers(problem, workspace)
    order = problem.settings.series_order
    last, before = size_of_term(problem, workspace, order), size_of_term(problem, workspace, order - 1)
    h = math.inf
    if last > 0.0:
        h = last ** (-1.0 / order)
    if before > 0.0:
        h = min(h, before ** (-1.0 / (order - 1)))
    return h + 0.0 * (last + before)


@kernel
def length_by_powers(problem, workspace):
    """Return the length [s] with which the last two terms of all states are as small as the tolerance, to a hundredth.

    Nothing is squared: in units in which the model is fast, terms of high order are very large.
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
def size_of_term(problem, workspace, k):
    """RMS over the continuous states of the coefficients of order k, in units of atol + rtol |x|."""
    settings, total = problem.settings, 0.0
    for m in range(settings.n_moving):
        scale = settings.atol + settings.rtol * abs(workspace.x[m])
        total += (workspace.tape[(m + 1) * ROW_SIZE + k] * (problem.continuous[m] / scale)) ** 2
    return math.sqrt(total / max(settings.n_continuous, 1))


@kernel
def follow(problem, state, workspace, h, t_new):
    """Follow the series for a step of length h: set workspace.q, x_new and the slope there; return the error norm."""
    settings = problem.settings
    width, order = settings.width, settings.series_order
    write_powers(workspace.powers, order, h)
    for d in range(order):
        for m in range(settings.n_moving):
            workspace.q[m + d * width] = workspace.powers[d + 1] * workspace.tape[(m + 1) * ROW_SIZE + d + 1]
    error = 0.0
    if state.program == READY:
        sum_terms(problem, workspace)
    else:
        for node in range(1, N_INTERVALS):
            theta = node / N_INTERVALS
            error = max(error, INSIDE_WEIGHT * h * defect(problem, state, workspace, h, theta, state.t + theta * h))
        evaluate_terms(problem, workspace, 1.0)
    at_end = h * lack(problem, state, workspace, h, t_new) / (order + 1.0)
    for m in range(settings.n_moving):
        # The next term of the series, c h^n / n!, is its error; its derivative is what the slope lacks.
        workspace.error[m] /= order + 1.0
    return max(error, at_end) + 0.0 * at_end


@kernel
def write_powers(powers, order, h):
    """Write the powers of h from 0 to `order`, four side by side, each of which waits for that four before it."""
    square = h * h
    fourth = square * square
    powers[0], powers[1], powers[2], powers[3] = 1.0, h, square, square * h
    for k in range(4, order + 1):
        powers[k] = powers[k - 4] * fourth


@kernel
def defect(problem, state, workspace, h, theta, t):
    """Set x_new to the series at time t, a share theta of a step of length h, and `error` to what its slope lacks.

    Returns its norm, nan where something is not finite.
    """
    evaluate_terms(problem, workspace, theta)
    return lack(problem, state, workspace, h, t)


@kernel
def sum_terms(problem, workspace):
    """Set x_new and `error` as `evaluate_terms` does at the end of a step: by sums from the smallest term on."""
    settings = problem.settings
    for m in range(0, settings.moving, LANES):
        rise, rate = zeros(), zeros()
        for d in range(settings.series_order - 1, -1, -1):
            term = load(workspace.q, m + d * settings.width)
            rise, rate = plus(rise, 1.0, term), plus(rate, d + 1.0, term)
        store(workspace.x_new, m, plus(load(workspace.x_start, m), 1.0, rise))
        store(workspace.error, m, rate)


@kernel
def evaluate_terms(problem, workspace, theta):
    """Set x_new to the series at a share theta of the step, and `error` to its slope by theta."""
    settings = problem.settings
    for m in range(0, settings.moving, LANES):
        rise, rate = zeros(), zeros()
        for d in range(settings.series_order - 1, -1, -1):
            term = load(workspace.q, m + d * settings.width)
            rise = plus(zeros(), theta, plus(rise, 1.0, term))
            rate = plus(plus(zeros(), theta, rate), d + 1.0, term)
        store(workspace.x_new, m, plus(load(workspace.x_start, m), 1.0, rise))
        store(workspace.error, m, rate)


@kernel
def lack(problem, state, workspace, h, t):
    """Set `error` to what the slope in it, times a step of length h, lacks of that at x_new and t; return its norm."""
    settings = problem.settings
    last = settings.stages * settings.width
    slope(problem, state, workspace, workspace.k, last, t, workspace.x_new)
    total = 0.0
    for m in range(settings.n_moving):
        workspace.error[m] = workspace.k[last + m] - workspace.error[m] / h
        scale = settings.atol + settings.rtol * max(abs(workspace.x_start[m]), abs(workspace.x_new[m]))
        total += (workspace.error[m] * (problem.continuous[m] / scale)) ** 2 + 0.0 * workspace.x_new[m]
    return math.sqrt(total / max(settings.n_continuous, 1))

"""Runge-Kutta steps on dual numbers, with the recorded step sizes."""

from __future__ import annotations

import numpy as np

from hybridsim.derivatives.replay_slides import clear, field_on_duals, set_pull, slide_slope
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, DUAL_SIZE, FIRST_LANE, load, plus, store, zeros
from hybridsim.engine.compiler.signatures import SLIDING_FIELD, call_sliding_field
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.rounding import spacing

SPACINGS_TO_STEP_END = 4.0
"""A row this many spacings of t from the end of a step is its end; otherwise an event has cut the step."""

NEGLIGIBLE, LEAST_GAIN = 2.0**-40, 0.5
"""How far the pieces of a step along a series may end from the next row; and how much closer they have to come if they
are halved, to be halved again."""

MAX_PIECES = 512
"""Most pieces of a step along a series."""

SMALLEST_SIZE = 1e-300
"""Size of a state that is zero at both ends of a step."""


@kernel
def dual_slope(c, k, first, t, x, p, row):
    """Set k[first:] to the derivative of the state in the chart, or in the slide, of a row."""
    c.time[0] = t
    if c.adjacent_chart[row] == NOWHERE:
        field_on_duals(c, k, first, x, p, c.chart[row])
    elif c.sizes.has_sliding_field:
        clear(k, first, c.sizes.n_states)
        function, chart, adjacent = c.functions[SLIDING_FIELD], c.chart[row], c.adjacent_chart[row]
        call_sliding_field(function, k, first * DUAL_SIZE, c.time, x, p, chart, adjacent)
    else:
        slide_slope(c, k, first, x, p, row)


@kernel
def combine_slopes(c, weights, offset, count, h, x_start, x):
    """Set x = x_start + h sum_j weights[offset + j] k_j, in dual numbers; states without slopes are copied."""
    for i in range(c.sizes.n_states):
        m = i * DUAL_SIZE
        value, lanes = 0.0, zeros()
        if i < c.sizes.n_moving:
            for j in range(count):
                n = j * c.sizes.n_states * DUAL_SIZE + m
                value += weights[offset + j] * c.k[n]
                lanes = plus(lanes, weights[offset + j], load(c.k, n + FIRST_LANE))
        start = load(x_start, m + FIRST_LANE)
        x[m] = x_start[m] + h * value
        store(x, m + FIRST_LANE, plus(start, h, lanes))


@kernel
def stages(c, row, first, last, t, h):
    """Compute the slopes of stages first to last - 1."""
    for i in range(first, last):
        combine_slopes(c, c.a, i * c.sizes.rows, i, h, c.x_now, c.x_stage)
        dual_slope(c, c.k, i * c.sizes.n_states, t + c.c[i] * h, c.x_stage, c.p, row)


@kernel
def weigh(c, theta):
    """Set the weights of the slopes in the continuous extension at theta, and in its derivative."""
    for j in range(c.sizes.rows):
        weight, rate = 0.0, 0.0
        for d in range(c.sizes.degree - 1, -1, -1):
            weight = (weight + c.extension[d * c.sizes.rows + j]) * theta
            rate = rate * theta + (d + 1.0) * c.extension[d * c.sizes.rows + j]
        c.weights[j], c.rates[j] = weight, rate


@kernel
def replay_step(c, row):
    """Carry x_now from a row over the step that begins there, or the part of it before an event, to the next row.

    Set `slope` to the derivative of the state at the end.
    """
    t, h = c.t[row], c.step[row]
    set_pull(c, row)
    c.last_step[0] = h
    if c.sizes.pieces > 1 and c.adjacent_chart[row] == NOWHERE:
        replay_along_series(c, row)
        return
    stages(c, row, 0, c.sizes.stages, t, h)
    combine_slopes(c, c.a, c.sizes.stages * c.sizes.rows, c.sizes.stages, h, c.x_now, c.x_stage)
    dual_slope(c, c.k, c.sizes.stages * c.sizes.n_states, t + h, c.x_stage, c.p, row)
    is_whole = abs(t + h - c.t[row + 1]) <= SPACINGS_TO_STEP_END * spacing(t + h)
    if is_whole and c.jump[row + 1] == NOWHERE:
        copy_duals(c, c.x_stage, c.x_now)
        return
    stages(c, row, c.sizes.stages + 1, c.sizes.rows, t, h)
    weigh(c, (c.t[row + 1] - t) / h)
    for m in range(c.sizes.n_states):
        c.slope[m] = 0.0
        if m < c.sizes.n_moving:
            for j in range(c.sizes.rows):
                c.slope[m] += c.rates[j] * c.k[(j * c.sizes.n_states + m) * DUAL_SIZE]
    combine_slopes(c, c.weights, 0, c.sizes.rows, h, c.x_now, c.x_stage)
    copy_duals(c, c.x_stage, c.x_now)


@kernel
def replay_along_series(c, row):
    """Do what `replay_step` does by short steps, as one along a series has no stages.

    Where they end is compared with the next row, and they are halved as long as that brings them closer: what is left
    then is the error of the step, or rounding.
    """
    pieces, end, before = c.sizes.pieces, c.sizes.stages * c.sizes.n_states, np.inf
    copy_duals(c, c.x_now, c.x_before)
    make_pieces(c, row, pieces)
    after = distance(c, row)
    while NEGLIGIBLE < after < LEAST_GAIN * before and pieces < MAX_PIECES:
        copy_duals(c, c.x_before, c.x_now)
        pieces, before = 2 * pieces, after
        make_pieces(c, row, pieces)
        after = distance(c, row)
    dual_slope(c, c.k, end, c.t[row + 1], c.x_now, c.p, row)
    for m in range(c.sizes.n_states):
        c.slope[m] = c.k[(end + m) * DUAL_SIZE] if m < c.sizes.n_moving else 0.0


@kernel
def make_pieces(c, row, pieces):
    """Carry x_now to the time of the next row in so many steps."""
    h = (c.t[row + 1] - c.t[row]) / pieces
    for piece in range(pieces):
        stages(c, row, 0, c.sizes.stages, c.t[row] + piece * h, h)
        combine_slopes(c, c.a, c.sizes.stages * c.sizes.rows, c.sizes.stages, h, c.x_now, c.x_stage)
        copy_duals(c, c.x_stage, c.x_now)


@kernel
def distance(c, row):
    """Return the largest difference of x_now from the next row, in units of each state at both ends of the step."""
    largest = 0.0
    for m in range(c.sizes.n_moving):
        recorded, found = c.x[(row + 1) * c.sizes.n_states + m], c.x_now[m * DUAL_SIZE]
        if found != recorded:
            size = max(abs(recorded) + abs(c.x_before[m * DUAL_SIZE]), SMALLEST_SIZE)
            largest = max(largest, abs(found - recorded) / size)
    return largest


@kernel
def copy_duals(c, source, target):
    """Copy a state."""
    for m in range(0, c.sizes.n_states * DUAL_SIZE, DUAL_LANES):
        store(target, m, load(source, m))

"""The compiled loop of the reference solution: from each of many points, piece by piece; see `reference`.

It calls the model's vector field at its address. What it does for one point depends on the points before only through
the length of the first piece that it tries.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.routines import loaded
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, call_vector_field, integer
from hybridsim.engine.evaluations import hold
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.fehlberg import DEGREE, ERROR_WEIGHT, N_STAGES, ORDER_OF_ESTIMATE, STEPS_PER_PIECE
from hybridsim.verification.pieces import (
    LARGEST_PIECE_FACTOR,
    LEAST_PIECE_FACTOR,
    PACE_SHARE,
    PIECE_SAFETY,
    SHORTEST_PIECE,
)

CLOSE_TO_END = 1.0 - 1e-14
"""A piece that comes to this share of the distance left ends there."""


class Marching(NamedTuple):
    """The points that flows begin at, what is found there, the pieces, and scratch."""

    functions: IntArray
    p: FloatArray
    held: FloatArray  # as in Columns
    input_indices: IntArray
    which: IntArray
    t: FloatArray  # (n,)
    x: FloatArray  # (n, width)
    chart: IntArray  # (n,) negative where nothing is to be done
    span: FloatArray  # (n,)
    tolerance: FloatArray  # (n, width)
    end: FloatArray  # (n, width) how far it came
    done: FloatArray  # (n,) the same as a time
    length: FloatArray  # (n,) duration of the piece that was tried last
    row: IntArray  # (capacity,) of each piece: the number of its point
    offset: FloatArray  # (capacity,)
    piece_x: FloatArray  # (capacity, width)
    piece_span: FloatArray  # (capacity,)
    extension: FloatArray  # (capacity, DEGREE, width)
    a: FloatArray  # (N_STAGES + 1, N_STAGES + 1)
    nodes: FloatArray  # (N_STAGES + 1,)
    interpolation: FloatArray  # (DEGREE, DEGREE)
    k: FloatArray  # (N_STAGES, width) slopes of the stages
    data: FloatArray  # (DEGREE, width) what the polynomial is made of
    here: FloatArray  # (width,) the state where a step begins
    stage: FloatArray  # (width,) the state of a stage
    limits: FloatArray  # (3,) most pieces, length of the first one to try, share of the last term
    counts: IntArray  # (1,) of how many points the flow has been followed


@kernel
def sum_of_stages(c, weights, row, size, width):
    """Set `stage` to the sum of the slopes of the stages with the weights of a row of a matrix, (n, size)."""
    for m in range(width):
        c.stage[m] = 0.0
    for j in range(min(row, size)):
        weight = weights[row * size + j]
        if weight != 0.0:
            for m in range(width):
                c.stage[m] += weight * c.k[j * width + m]


@kernel
def evaluate_stage(c, i, size, t, h, chart, width):
    """Evaluate the slope of stage i of a step of length h, from those of the stages before."""
    sum_of_stages(c, c.a, i, size, width)
    for m in range(width):
        c.stage[m] = c.here[m] + h * c.stage[m]
        c.k[i * width + m] = 0.0
    call_vector_field(c.functions[VECTOR_FIELD], c.k, i * width, t + c.nodes[i] * h, c.stage, 0, c.p, chart)


@kernel
def step(c, t, h, chart, width):
    """Evaluate the stages of a step from `here`, the first of which is there, and move `here` to its end."""
    for i in range(1, N_STAGES):
        evaluate_stage(c, i, N_STAGES + 1, t, h, chart, width)
    sum_of_stages(c, c.a, N_STAGES, N_STAGES + 1, width)
    for m in range(width):
        c.stage[m] *= h
        c.here[m] += c.stage[m]


@kernel
def slope_here(c, t, chart, width):
    """Evaluate the first stage of the next step."""
    for m in range(width):
        c.k[m] = 0.0
    call_vector_field(c.functions[VECTOR_FIELD], c.k, 0, t, c.here, 0, c.p, chart)


@kernel
def try_piece(c, row, t, span, width):
    """Make the steps of a piece from `here`, whose slope is the first stage, and their `data`; return the error.

    It is in units of the tolerance, and infinite where it is not known.
    """
    h, worst = span / STEPS_PER_PIECE, 0.0
    for m in range(width):
        c.data[STEPS_PER_PIECE * width + m] = span * c.k[m]
    for s in range(STEPS_PER_PIECE):
        step(c, t + s * h, h, c.chart[row], width)
        for m in range(width):
            off = c.k[m] + c.k[10 * width + m] - c.k[11 * width + m] - c.k[12 * width + m]
            error = abs(ERROR_WEIGHT * h * off) / c.tolerance[row * width + m]
            if not error <= worst:  # nan counts as well
                worst = error
            before = c.data[(s - 1) * width + m] if s > 0 else 0.0
            c.data[s * width + m] = before + c.stage[m]
        if not worst <= 1.0:
            return worst if worst < np.inf else np.inf
        slope_here(c, t + (s + 1) * h, c.chart[row], width)
        for m in range(width):
            c.data[(STEPS_PER_PIECE + 1 + s) * width + m] = span * c.k[m]
    for m in range(width):
        last = 0.0
        for j in range(DEGREE):
            last += c.interpolation[(DEGREE - 1) * DEGREE + j] * c.data[j * width + m]
        error = c.limits[2] * abs(last) / c.tolerance[row * width + m]
        if not error <= worst:
            worst = error
    return worst if worst < np.inf else np.inf


@kernel
def keep_piece(c, row, piece, span, width):
    """Write a piece from the state `end`, and move that state to its end."""
    c.row[piece], c.offset[piece], c.piece_span[piece] = row, c.done[row], span
    for m in range(width):
        c.piece_x[piece * width + m] = c.end[row * width + m]
    for d in range(DEGREE):
        at = (piece * DEGREE + d) * width
        for m in range(width):
            c.extension[at + m] = 0.0
        for j in range(DEGREE):
            weight = c.interpolation[d * DEGREE + j]
            for m in range(width):
                c.extension[at + m] += weight * c.data[j * width + m]
    for m in range(width):
        c.end[row * width + m] = c.here[m]


@kernel
def length_factor(error):
    """Return by which factor the next piece may be longer than one with this error."""
    if not error > 0.0:
        return LARGEST_PIECE_FACTOR
    factor = PIECE_SAFETY * error ** (-1.0 / (ORDER_OF_ESTIMATE + 1))
    return min(max(factor, LEAST_PIECE_FACTOR), LARGEST_PIECE_FACTOR)


@kernel
def begin(c, row, width):
    """Go to where the flow of a point has come."""
    for m in range(width):
        c.here[m] = c.end[row * width + m]
    slope_here(c, c.t[row] + c.done[row], c.chart[row], width)


@kernel
def follow(c, row, filled, width):
    """Follow the flow from one point; return how many pieces there are then."""
    span, tried, done_before, most = c.span[row], 0, 0.0, int(c.limits[0])
    look = max(most // PACE_SHARE, 1)
    h = min(c.limits[1], span)
    hold(c, row)
    begin(c, row, width)
    while c.done[row] < span and h >= SHORTEST_PIECE * span and tried < most:
        left = span - c.done[row]
        length = left if h >= left * CLOSE_TO_END else min(h, 0.5 * left)
        error = try_piece(c, row, c.t[row] + c.done[row], length, width)
        c.length[row] = length
        h = length * length_factor(error)
        if error <= 1.0:
            keep_piece(c, row, filled, length, width)
            filled += 1
            c.done[row] = span if length == left else c.done[row] + length
            c.limits[1] = max(h, c.limits[1]) if length == left else h
        else:
            begin(c, row, width)
        tried += 1
        if tried % look == 0:
            if (c.done[row] - done_before) * PACE_SHARE < span:
                return filled
            done_before = c.done[row]
    return filled


def march(arrays, n, wanted, width):
    """Follow the flows from n points until there are as many pieces as wanted; return how many pieces there are."""
    c, filled = loaded(arrays), 0
    c.counts[0] = 0
    for row in range(n):
        if filled >= wanted:
            return filled
        c.counts[0] = row + 1
        if c.chart[row] >= 0 and c.span[row] > 0.0 and c.span[row] < np.inf:
            filled = follow(c, row, filled, width)
    return filled


def repeat(arrays, n_pieces, width):
    """Follow the flows from the states `end` in one step for each of these pieces, without a look at its error."""
    c = loaded(arrays)
    for piece in range(n_pieces):
        row = c.row[piece]
        if c.chart[row] < 0:
            continue
        t = c.t[row] + c.offset[piece]
        hold(c, row)
        for m in range(width):
            c.here[m] = c.end[row * width + m]
        slope_here(c, t, c.chart[row], width)
        step(c, t, c.piece_span[piece], c.chart[row], width)
        for m in range(width):
            c.end[row * width + m] = c.here[m]


march_points = Entry("hybridsim.verification.march_kernels:march", integer)
repeat_pieces = Entry("hybridsim.verification.march_kernels:repeat")

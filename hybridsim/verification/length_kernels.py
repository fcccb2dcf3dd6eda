"""The compiled search for the longest steps that a run's method and tolerances allow from many points.

The length from one point is where the search begins for the next one, as the points of a run resemble those before.
"""

from __future__ import annotations

from typing import NamedTuple

from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.routines import loaded
from hybridsim.engine.evaluations import hold
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.stage_kernels import evaluate_stage

MAX_LENGTH_ITERATIONS = 8
"""Most iterations in which the length of a step is adapted to its error estimate."""

CLOSE_TO_TOLERANCE = 0.1
"""Relative change of the length in an iteration after which there is no further one."""

LENGTH_SAFETY, LEAST_LENGTH_FACTOR, LARGEST_LENGTH_FACTOR = 0.95, 0.05, 10.0
"""The length changes by these factors at most, to LENGTH_SAFETY times what the error estimate allows."""


class Lengths(NamedTuple):
    """The points, the method of the run, and scratch."""

    functions: IntArray
    p: FloatArray
    held: FloatArray  # as in Columns
    input_indices: IntArray
    which: IntArray
    t: FloatArray  # (n,)
    x: FloatArray  # (n, width)
    chart: IntArray  # (n,)
    limit: FloatArray  # (n,) most that a step may last
    length: FloatArray  # (n,) the result
    a: FloatArray  # (size, size) of the method; see Tableau
    nodes: FloatArray  # (size,)
    e: FloatArray  # (stages + 1,)
    e_third: FloatArray  # (stages + 1,)
    continuous: FloatArray  # (n_states,) 1.0 for states under error control
    numbers: FloatArray  # atol, rtol, power of the error
    k: FloatArray  # (size, width) slopes of the stages
    here: FloatArray  # (width,)
    stage: FloatArray  # (width,)


@kernel
def error_of_step(c, row, h, stages, size, n_states, width):
    """Return the error estimate, in tolerances, of a step from `here`, whose slope is the first stage."""
    for i in range(1, stages + 1):
        evaluate_stage(c, i, size, c.t[row], h, c.chart[row], width)
    total = total_third = 0.0
    for m in range(n_states):  # the last stage is evaluated at the end of the step
        error = third = 0.0
        for i in range(stages + 1):
            error += c.e[i] * c.k[i * width + m]
            third += c.e_third[i] * c.k[i * width + m]
        scale = h * c.continuous[m] / (c.numbers[0] + c.numbers[1] * max(abs(c.here[m]), abs(c.stage[m])))
        total += (error * scale) ** 2
        total_third += (third * scale) ** 2
    if total > 0.0 and total_third > 0.0:  # Hairer, Norsett, Wanner (1993), II.10.17
        total *= total / (total + 0.01 * total_third)
    return (total / max(n_states, 1)) ** 0.5


@kernel
def longest_step(c, row, h, stages, size, n_states, width):
    """Return the longest step from a point; the search begins at the length h."""
    hold(c, row)
    for m in range(width):
        c.here[m] = c.x[row * width + m]
    evaluate_stage(c, 0, size, c.t[row], h, c.chart[row], width)
    for _ in range(MAX_LENGTH_ITERATIONS):
        error, before = error_of_step(c, row, h, stages, size, n_states, width), h
        factor = LEAST_LENGTH_FACTOR
        if error >= 0.0:  # not nan
            factor = LENGTH_SAFETY * error ** c.numbers[2] if error > 0.0 else LARGEST_LENGTH_FACTOR
            factor = min(max(factor, LEAST_LENGTH_FACTOR), LARGEST_LENGTH_FACTOR)
        h = min(h * factor, c.limit[row])
        if abs(h - before) <= CLOSE_TO_TOLERANCE * before:
            break
    return h


def find_all(arrays, n, stages, size, n_states, width):
    """Set the lengths of the longest steps from n points."""
    c = loaded(arrays)
    h = c.limit[0] if n > 0 else 0.0
    for row in range(n):
        h = longest_step(c, row, min(h, c.limit[row]), stages, size, n_states, width)
        c.length[row] = h


find_longest = Entry("hybridsim.verification.length_kernels:find_all")

"""The arrays with which a recorded run is replayed on dual numbers."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.dual_lanes import DUAL_LANES, duals
from hybridsim.typing import FloatArray, IntArray

_COUNTS = ("n_states", "n_moving", "n_boundaries", "n_rows", "stages", "rows", "degree", "pieces")
REPLAY_SIZES_DTYPE = np.dtype([(name, "i8") for name in (*_COUNTS, "has_sliding_field")])

SUCCESS, ANOTHER_CHART = range(2)
"""How a replay ends: at the end of the record, or at a transition that leads elsewhere than recorded."""


class ReplayArguments(NamedTuple):
    """The record, the method, dual numbers as rows of doubles, and the results.

    A `jump` is an event with a row before and a row after it. Derivatives at a jump are those at its own time, which
    varies; derivatives at a row are those at the time of the row, which does not.
    """

    sizes: Any
    functions: IntArray  # addresses of the model's functions on dual numbers
    a: FloatArray  # the tableau of the method, with nodes and extension: see `methods.Tableau`
    c: FloatArray
    extension: FloatArray
    t: FloatArray  # (n_rows,) the rows of the record, as in `StepTable`
    step: FloatArray
    chart: IntArray
    adjacent_chart: IntArray
    surface: IntArray
    x: FloatArray  # (n_rows, n_states)
    jump: IntArray  # (n_rows,) index of the jump between this row and the next one, or -1
    kind: IntArray  # (n_jumps,) kinds of events
    crossed: IntArray  # (n_jumps, n_boundaries) AT_LIMIT where the transition is called at a limit of jumps
    by_chance: IntArray  # (n_jumps,) 1 for jumps that are at the instant of the one before by chance
    held: FloatArray  # (n_held, n_inputs) values of the inputs
    input_indices: IntArray  # their number, then the index of each in p
    which: IntArray  # (n_rows,) the row of `held` that holds at each row
    p: FloatArray  # (n_parameters, DOUBLES) parameters
    constants: FloatArray  # (n_parameters, DOUBLES) the same without derivatives
    time: FloatArray  # (1, DOUBLES) time at a stage
    moment: FloatArray  # (1, DOUBLES) time of the last jump
    x_now: FloatArray  # (n_states, DOUBLES) the state
    x_stage: FloatArray  # (n_states, DOUBLES)
    x_before: FloatArray  # (n_states, DOUBLES) where a step along a series begins
    x_there: FloatArray  # (n_states, DOUBLES) the state a little along a flow, or after a jump
    k: FloatArray  # (rows * n_states, DOUBLES) slopes at the stages
    field: FloatArray  # (2 * n_states, DOUBLES) the vector fields of the two charts of a slide
    g: FloatArray  # (n_boundaries, DOUBLES)
    weights: FloatArray  # (rows,) weights of the slopes in the state at a place within the step
    rates: FloatArray  # (rows,) the same in its derivative
    continuous: IntArray  # (n_states,) 1 for states that flow
    slope: FloatArray  # (n_states,) derivative of the state in front of a jump
    last_step: FloatArray  # (1,) length of the last step [s]
    pull: FloatArray  # (1,) rate at which a slide is pulled back to its surface [1/s]
    spare: FloatArray  # (DUAL_LANES,)
    flags: IntArray  # (n_boundaries,) the boundaries that cross
    at_row: FloatArray  # (n_rows, n_states, DUAL_LANES) derivatives of the state at each row
    time_of: FloatArray  # (n_jumps, DUAL_LANES) derivatives of the time of each jump
    before: FloatArray  # (n_jumps, n_states, DUAL_LANES) derivatives of the state before each jump
    after: FloatArray  # (n_jumps, n_states, DUAL_LANES) and after it
    t_of: FloatArray  # (n_jumps,) time of each jump
    x_after: FloatArray  # (n_jumps, n_states) state after each jump
    rate: FloatArray  # (n_jumps,) rate of the boundary that crosses, along the flow
    tie: FloatArray  # (n_jumps,) largest difference between the times of boundaries that cross together
    answer: IntArray  # (2,) how the replay ended, and at which jump


def results_of(n_rows: int, n_jumps: int, n_states: int) -> dict[str, FloatArray]:
    """Make the arrays of the results."""
    jumps = max(n_jumps, 1)
    return {
        "at_row": np.zeros((n_rows, n_states, DUAL_LANES)),
        "time_of": np.zeros((jumps, DUAL_LANES)),
        "before": np.zeros((jumps, n_states, DUAL_LANES)),
        "after": np.zeros((jumps, n_states, DUAL_LANES)),
        "t_of": np.zeros(jumps),
        "x_after": np.zeros((jumps, n_states)),
        "rate": np.full(jumps, np.nan),
        "tie": np.zeros(jumps),
    }


def scratch_of(n_states: int, n_boundaries: int, stages: int) -> dict[str, Any]:
    """Make the arrays in which a replay calculates."""
    boundaries = max(n_boundaries, 1)
    sizes = {"time": 1, "moment": 1, **dict.fromkeys(("x_now", "x_stage", "x_before", "x_there"), n_states)}
    sizes |= {"k": stages * n_states, "field": 2 * n_states, "g": boundaries}
    block, ends = duals(sum(sizes.values())), accumulate(sizes.values())
    return {
        **{name: block[end - size : end] for (name, size), end in zip(sizes.items(), ends, strict=True)},
        "weights": np.zeros(stages),
        "rates": np.zeros(stages),
        "slope": np.zeros(n_states),
        "last_step": np.ones(1),
        "pull": np.zeros(1),
        "spare": np.zeros(DUAL_LANES),
        "flags": np.zeros(boundaries, np.int64),
        "answer": np.zeros(2, np.int64),
    }

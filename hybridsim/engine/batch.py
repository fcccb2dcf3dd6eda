"""Many runs of one model in a row, with other states and parameters each; only some numbers of each are kept.

This file makes the arrays of `batch_loop`, the loop over the runs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.entries import Entry
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.routines import table_of
from hybridsim.engine.compiler.signatures import integer
from hybridsim.engine.entry import Machine
from hybridsim.engine.extremes import MAX_POSTPONED_PARTS, MAX_SPLITS, QUARTIC
from hybridsim.engine.memory import blocks, make_record
from hybridsim.engine.nodes import bernstein_of_powers
from hybridsim.engine.quantities import EXTREMES, INTEGRALS, N_GAUSS, N_KRONROD, NODES, OUTPUT_SOURCE, STATE_SOURCE
from hybridsim.typing import FloatArray, IntArray

PARAMETER, INITIAL, REAL_SETTING, WHOLE_SETTING = range(4)
"""Targets for the values of an axis: `Batch.axis_target`."""

STEPS_PER_READING = 256
"""Most steps and events between two readings of the log: few enough that it stays in the processor's cache."""

BATCH_SIZES_DTYPE = np.dtype([
    (name, "i8")
    for name in ("address", "state_address", "chunk", "n_axes", "n_metrics", "n_quantities", "n_outputs", "n_reals",
                 "n_words", "has_initial_chart", "calls_outputs", "reads_rows", "outputs_at_rows", "n_nodes",
                 "carried", "n_recent")
] + [(name, "f8") for name in ("from_time", "from_fraction", "begin")])  # fmt: skip


class Batch(NamedTuple):
    """The arrays that runs in a row need besides those of a single run."""

    sizes: Any
    reals: FloatArray  # the doubles of the workspace, and their values before a run
    reals_before: FloatArray
    words: IntArray  # its integers
    words_before: IntArray
    state: IntArray  # the record of STATE_DTYPE, word by word
    state_before: IntArray
    settings_reals: FloatArray  # the settings, word by word, as doubles and as integers
    settings_words: IntArray
    axis_target: IntArray  # (n_axes,) PARAMETER, INITIAL, REAL_SETTING or WHOLE_SETTING
    axis_index: IntArray  # (n_axes,) its index there
    values: FloatArray  # (n_runs, n_axes)
    metric_kind: IntArray  # (n_metrics,) see `metrics`
    metric_index: IntArray  # (n_metrics,) index of the boundary, quantity or statistic
    metric_number: IntArray  # (n_metrics,) which event of the boundary
    metric_quantity: IntArray  # (n_metrics,) index of the quantity at that event
    recent_begin: IntArray  # (n_metrics,) where its values at events begin in a row of `recent`
    seen: IntArray  # (n_metrics,) events of the metric's boundary so far
    wanted: IntArray  # (n_quantities,) sum of EXTREMES, INTEGRALS and DEVIATION
    source: IntArray  # (n_quantities,) TIME_SOURCE, STATE_SOURCE, OUTPUT_SOURCE or EXTRA_OUTPUT_SOURCE
    source_index: IntArray  # (n_quantities,) index of the state or output
    quantity: FloatArray  # (n_quantities,) values at the point evaluated last
    lowest: FloatArray  # (n_quantities,)
    highest: FloatArray  # (n_quantities,)
    weight: FloatArray  # (n_quantities,) the time over which means have been taken [s]
    mean: FloatArray  # (n_quantities,) over this time
    square: FloatArray  # (n_quantities,) integral of the squared difference from the mean
    before: FloatArray  # (n_quantities,) values where a step begins, or where what counts of it begins
    after: FloatArray  # (n_quantities,) values where it ends
    nodes: FloatArray  # (2 N_KRONROD, n_quantities) values at the nodes of a step, then at those of a part of it
    power: FloatArray  # coefficients of a polynomial
    frames: FloatArray  # intervals in which it may turn: their ends, and its Bernstein coefficients
    turns: FloatArray  # where it may turn
    parts: FloatArray  # parts of a step that are still to be searched or integrated
    bernstein: FloatArray  # (degree, degree) from `power` to Bernstein coefficients, for the continuous extension
    quartic: FloatArray  # (4, 4) from values at three nodes and the end to `power`
    quartic_bernstein: FloatArray  # (4, 4) from `power` to Bernstein coefficients
    y: FloatArray  # (n_outputs,) outputs in the chart
    y_adjacent: FloatArray  # (n_outputs,) outputs in the adjacent chart of a slide
    extra_outputs: IntArray  # addresses
    x_here: FloatArray  # (width,) the state at the point evaluated last
    table: FloatArray  # (n_runs, n_metrics) the results
    recent: FloatArray  # (n_runs, n_recent) values at the last events of each run, the n-th at n modulo their number
    stop: IntArray  # (1,) set to nonzero to stop at once


class MetricRequest(NamedTuple):
    """The metrics that are computed of each run, and the quantities they need: see `metrics`."""

    metrics: list[tuple[int, int, int, int]]  # kind, index, number, and quantity at an event
    quantities: list[tuple[int, int, int]]  # source, index, and what is wanted over time
    extra_outputs: list[int]  # addresses
    rooms: list[int]  # of each metric: how many values at events it keeps
    begin: tuple[float, float]  # what counts begins at this time, and after this fraction of the time of the run


def make_batch(
    machine: Machine,
    axes: list[tuple[int, int]],
    request: MetricRequest,
    n_outputs: int,
    has_initial_chart: bool,
    chunk: int = STEPS_PER_READING,
) -> Batch:
    """Make the arrays for runs like the one that `machine` is about to begin; the caller sets
    `values`, `table`, `recent` and `stop`.

    `axes` has the target and the index of each axis, and `chunk` is for how many steps the log has room.
    """
    reals, words = blocks(machine.workspace)
    of_outputs = 0
    for source, _, wanted in request.quantities:
        of_outputs |= wanted if source > STATE_SOURCE else 0
    sizes = make_record(
        BATCH_SIZES_DTYPE,
        address=machine.address,
        state_address=machine.state_address,
        chunk=chunk,
        n_axes=len(axes),
        n_metrics=len(request.metrics),
        n_quantities=len(request.quantities),
        n_outputs=n_outputs,
        n_reals=len(reals),
        n_words=len(words),
        has_initial_chart=has_initial_chart,
        calls_outputs=any(source == OUTPUT_SOURCE for source, _, _ in request.quantities),
        reads_rows=any(wanted for _, _, wanted in request.quantities),
        outputs_at_rows=bool(of_outputs & EXTREMES),
        n_nodes=N_KRONROD if of_outputs & INTEGRALS else N_GAUSS if of_outputs else 0,
        n_recent=sum(request.rooms),
        from_time=request.begin[0],
        from_fraction=request.begin[1],
    )
    return Batch(
        sizes=sizes,
        axis_target=_column(axes, 0),
        axis_index=_column(axes, 1),
        values=np.zeros((0, len(axes))),
        table=np.zeros((0, len(request.metrics))),
        recent=np.zeros((0, sum(request.rooms))),
        stop=np.zeros(1, np.int64),
        **_memory_arrays(machine),
        **_metric_arrays(request, n_outputs),
        **_polynomial_arrays(int(machine.problem.settings["degree"][0])),
    )


def _column(rows: list[Any], index: int) -> IntArray:
    """A column of a list of rows, and a 0 behind it, so that no array is empty."""
    return np.array([row[index] for row in rows] + [0], np.int64)


def _memory_arrays(machine: Machine) -> dict[str, Any]:
    """The memory of a run as words, and copies of what it is before a run."""
    reals, words = blocks(machine.workspace)
    state, settings = machine.state.view(np.int64), machine.problem.settings
    return {
        "reals": reals,
        "reals_before": reals.copy(),
        "words": words,
        "words_before": words.copy(),
        "state": state,
        "state_before": state.copy(),
        "settings_reals": settings.view(np.float64),
        "settings_words": settings.view(np.int64),
        "x_here": np.zeros_like(machine.workspace.x),
    }


def _metric_arrays(request: MetricRequest, n_outputs: int) -> dict[str, Any]:
    """Make the arrays of the metrics, of the quantities that they need, and of their values."""
    room = len(request.quantities) + 1
    return {
        "metric_kind": _column(request.metrics, 0),
        "metric_index": _column(request.metrics, 1),
        "metric_number": _column(request.metrics, 2),
        "metric_quantity": _column(request.metrics, 3),
        "recent_begin": np.cumsum([0, *request.rooms], dtype=np.int64),
        "seen": np.zeros(len(request.metrics) + 1, np.int64),
        "source": _column(request.quantities, 0),
        "source_index": _column(request.quantities, 1),
        "wanted": _column(request.quantities, 2),
        **{name: np.zeros(room) for name in ("quantity", "lowest", "highest", "weight", "mean", "square")},
        **{name: np.zeros(room) for name in ("before", "after")},
        "nodes": np.zeros(2 * N_KRONROD * room),
        **{name: np.zeros(n_outputs + 1) for name in ("y", "y_adjacent")},
        "extra_outputs": np.array([*request.extra_outputs, 0], np.int64),
    }


def _polynomial_arrays(degree: int) -> dict[str, Any]:
    """Make the arrays in which the polynomials of a step are searched: extensions of a degree, and quartics."""
    places, n = np.array([*NODES[:N_GAUSS], 1.0]), max(degree, QUARTIC)
    return {
        "power": np.zeros(n),
        "frames": np.zeros((MAX_SPLITS + 2) * (n + 3)),
        "turns": np.zeros(2 * MAX_SPLITS + 2),
        "parts": np.zeros(4 * (MAX_POSTPONED_PARTS + 1)),
        "bernstein": bernstein_of_powers(degree)[1:, 1:].copy(),
        "quartic": np.linalg.inv(places[:, None] ** np.arange(1, QUARTIC + 1)),
        "quartic_bernstein": bernstein_of_powers(QUARTIC)[1:, 1:].copy(),
    }


_run_batch = Entry("hybridsim.engine.batch_loop:run_batch", integer)


class BatchLoop:
    """The compiled loop over runs, with the arrays of a run and a batch, whose addresses are looked up once.

    Parameters
    ----------
    machine : Machine
        The run, which has not begun.
    point_state : (1,) array of STATE_DTYPE
        A copy of its scalars.
    batch : Batch
        The arrays of `make_batch`.
    """

    def __init__(self, machine: Machine, point_state: Any, batch: Batch) -> None:
        self._machine, self._batch = machine, batch
        self._before = machine.problem, machine.state, machine.workspace, machine.record, point_state
        self._table = table_of(batch) if JIT else np.zeros(0, np.int64)
        self._call = _run_batch.prepare(*self._before, batch, 0)

    def run(self, values: FloatArray, table: FloatArray, recent: FloatArray, stop: IntArray) -> int:
        """Make n runs, or fewer if `stop` is set meanwhile; return how many were made.

        Parameters
        ----------
        values : (n, n_axes) array
            Their values.
        table : (n, n_metrics) array
            Room for their metrics.
        recent : (n, n_recent) array
            Room for their values at the last events.
        stop : (1,) array
            Set to nonzero by another thread to stop at once.
        """
        given: dict[str, Any] = {"values": values, "table": table, "recent": recent, "stop": stop}
        self._batch.sizes["address"] = self._machine.address
        if not JIT:
            return int(_run_batch(*self._before, self._batch._replace(**given), len(values)))
        for name, array in given.items():
            self._table[Batch._fields.index(name)] = array.ctypes.data
        return int(self._call(self._table, len(values)))

"""Outputs, slopes and sliding weights at rows of a run, by the model's compiled functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from hybridsim.engine.columns import StepTable
from hybridsim.engine.entry import evaluate_weights
from hybridsim.engine.memory import NO_INPUTS, NOWHERE, Columns, Slides
from hybridsim.model import Model
from hybridsim.results.input_history import InputHistory
from hybridsim.simulation.packing import Packed
from hybridsim.simulation.row_arguments import Given, held_values
from hybridsim.typing import FloatArray, IntArray


def outputs_at(packed: Packed, rows: StepTable, weight: FloatArray, history: InputHistory | None = None) -> FloatArray:
    """Evaluate all outputs of the model at n rows.

    Parameters
    ----------
    packed : Packed
        The run.
    rows : StepTable
        The rows.
    weight : (n,) array
        Sliding weights, see `weights_at`.
    history : InputHistory, optional
        Values of the inputs at the rows; by default those that the run has now.

    Returns
    -------
    (n, n_outputs) array
        The outputs, or the states of a model without outputs [their units].
    """
    return _combine("outputs", packed, rows, weight, history)


def slopes_at(packed: Packed, rows: StepTable, weight: FloatArray, history: InputHistory | None = None) -> FloatArray:
    """Evaluate the vector field at n rows: (n, n_states) [state unit/s]; for the arguments see `outputs_at`."""
    return _combine("vector_field", packed, rows, weight, history)


def weights_at(packed: Packed, rows: StepTable, history: InputHistory | None = None) -> FloatArray:
    """Evaluate the weight of the first chart's vector field at n rows.

    Parameters
    ----------
    packed : Packed
        The run.
    rows : StepTable
        The rows.
    history : InputHistory, optional
        Values of the inputs at the rows; by default those that the run has now.

    Returns
    -------
    (n,) array
        Sliding weights, 1.0 where the state does not slide.
    """
    weight = np.ones(len(rows))
    slides = np.flatnonzero(rows.adjacent_chart != NOWHERE)
    epochs = np.zeros(len(slides), np.int64) if history is None else history.which(rows.j[slides])
    for epoch in sorted({*epochs.tolist()}):
        some = slides[epochs == epoch]
        with _hold_inputs(packed, None if history is None else history.held[epoch]):
            weight[some] = _sliding_weights(packed, rows[some])
    return weight


def _sliding_weights(packed: Packed, rows: StepTable) -> FloatArray:
    weight, width = np.ones(len(rows)), len(packed.workspace.x)
    x = np.zeros((len(rows), width))
    x[:, : rows.x.shape[1]] = rows.x
    adjacent_chart, surface = np.ascontiguousarray(rows.adjacent_chart), np.ascontiguousarray(rows.surface)
    slides = Slides(adjacent_chart, surface, np.ascontiguousarray(rows.step), np.zeros(width))
    chart, which = np.ascontiguousarray(rows.chart), np.zeros(len(rows), np.int64)
    columns = Columns(packed.problem.functions, packed.problem.p, rows.t, x, chart, weight, *NO_INPUTS, which)
    state = packed.state.copy()
    evaluate_weights(packed.problem, state, packed.workspace, columns, slides, len(weight), width)
    return weight


@contextmanager
def _hold_inputs(packed: Packed, values: FloatArray | None) -> Iterator[None]:
    """Set the inputs in the engine's p inside a `with` block, and restore them; None leaves them unchanged."""
    p, indices = packed.problem.p, input_indices(packed.model)
    before = p[indices]
    if values is not None:
        p[indices] = values
    try:
        yield
    finally:
        p[indices] = before


def p_holding(packed: Packed, values: FloatArray) -> FloatArray:
    """Return a copy of the packed parameters p with these values of the inputs, (n_inputs,)."""
    p = packed.problem.p.copy()
    p[input_indices(packed.model)] = values
    return p


def input_indices(model: Model) -> list[int]:
    """Return the indices of the inputs in the packed parameters p."""
    return [model.p_indices[name] for name in model.inputs.names]


def _combine(
    function: str, packed: Packed, rows: StepTable, weight: FloatArray, history: InputHistory | None
) -> FloatArray:
    """Return values in the chart of each row; in a slide, the weighted mean of those in both charts."""
    values = packed.functions.values(function, rows_in(rows, rows.chart, packed.model, history))[0]
    slides = np.flatnonzero(rows.adjacent_chart != NOWHERE)
    if len(slides):
        w, there = weight[slides, None], rows[slides]
        adjacent = rows_in(there, there.adjacent_chart, packed.model, history)
        values[slides] = w * values[slides] + (1.0 - w) * packed.functions.values(function, adjacent)[0]
    return values


def rows_in(rows: StepTable, chart: IntArray, model: Model, history: InputHistory | None = None) -> Given:
    """Return rows in these charts, (n,), with the inputs that a run held there, for the functions of its model."""
    given = {"t": rows.t, "x": rows.x, "chart": chart}
    inputs = {} if history is None else inputs_in(model, history, rows.j)
    return Given(len(rows), {name: np.ascontiguousarray(values) for name, values in given.items()} | inputs)


def inputs_in(model: Model, history: InputHistory, j: IntArray) -> dict[str, Any]:
    """Return the inputs that a run held in the epochs with these j, (n,), as entries of `row_loops.Rows`."""
    return held_values(history.held, input_indices(model), history.which(j))

"""Outputs, slopes and sliding weights at rows of a run, by the model's compiled functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from hybridsim.engine.columns import StepTable
from hybridsim.engine.entry import evaluate_outputs, evaluate_slopes, evaluate_weights
from hybridsim.engine.memory import NO_INPUTS, NOWHERE, Columns, Slides
from hybridsim.model import Model
from hybridsim.results.input_history import InputHistory
from hybridsim.simulation.packing import Packed
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
    if not packed.model.output_records:
        return rows.x.copy()
    return _combined(_outputs_in, packed, rows, weight, history)


def slopes_at(packed: Packed, rows: StepTable, weight: FloatArray, history: InputHistory | None = None) -> FloatArray:
    """Evaluate the vector field at n rows: (n, n_states) [state unit/s]; for the arguments see `outputs_at`."""
    return _combined(_slopes_in, packed, rows, weight, history)


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
        with _inputs_held(packed, None if history is None else history.held[epoch]):
            weight[some] = _sliding_weights(packed, rows[some])
    return weight


def _sliding_weights(packed: Packed, rows: StepTable) -> FloatArray:
    weight, width = np.ones(len(rows)), len(packed.workspace.x)
    x = np.zeros((len(rows), width))
    x[:, : rows.x.shape[1]] = rows.x
    adjacent_chart, surface = np.ascontiguousarray(rows.adjacent_chart), np.ascontiguousarray(rows.surface)
    slides = Slides(adjacent_chart, surface, np.ascontiguousarray(rows.step), np.zeros(width))
    state, columns = packed.state.copy(), _columns_of(packed, rows, x, weight, rows.chart)
    evaluate_weights(packed.problem, state, packed.workspace, columns, slides, len(weight), width)
    return weight


@contextmanager
def _inputs_held(packed: Packed, values: FloatArray | None) -> Iterator[None]:
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


Evaluate = Callable[[Packed, StepTable, IntArray, "InputHistory | None"], FloatArray]


def _combined(
    evaluate: Evaluate, packed: Packed, rows: StepTable, weight: FloatArray, history: InputHistory | None
) -> FloatArray:
    """Return values in the chart of each row; in a slide, the weighted mean of those in both charts."""
    values = evaluate(packed, rows, rows.chart, history)
    slides = np.flatnonzero(rows.adjacent_chart != NOWHERE)
    if len(slides):
        w, there = weight[slides, None], rows[slides]
        values[slides] = w * values[slides] + (1.0 - w) * evaluate(packed, there, there.adjacent_chart, history)
    return values


def _outputs_in(packed: Packed, rows: StepTable, chart: IntArray, history: InputHistory | None) -> FloatArray:
    y = np.zeros((len(rows), len(packed.model.output_records)))
    evaluate_outputs(_columns_of(packed, rows, rows.x, y, chart, history), len(rows), rows.x.shape[1], y.shape[1])
    return y


def _slopes_in(packed: Packed, rows: StepTable, chart: IntArray, history: InputHistory | None) -> FloatArray:
    xdot = np.zeros_like(rows.x)
    evaluate_slopes(_columns_of(packed, rows, rows.x, xdot, chart, history), len(rows), xdot.shape[1])
    return xdot


def _columns_of(
    packed: Packed, rows: StepTable, x: FloatArray, y: FloatArray, chart: IntArray, history: InputHistory | None = None
) -> Columns:
    """Return the arguments of the engine's evaluations at the states x of these rows, which write into y."""
    given = rows.t, np.ascontiguousarray(x), chart.astype(np.int64, copy=False), y
    if history is None or not len(history):
        return Columns(packed.problem.functions, packed.problem.p, *given, *NO_INPUTS, np.zeros(len(rows), np.int64))
    indices = np.array([len(history.initial), *input_indices(packed.model)])
    which = history.which(rows.j)
    return Columns(packed.problem.functions, packed.problem.p.copy(), *given, history.held, indices, which)

"""The compiled functions of a run's model, at many points at once, with the inputs that the run held there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.entry import (
    apply_transitions,
    evaluate_boundaries,
    evaluate_outputs,
    evaluate_slopes,
    evaluate_validity,
    jumps,
)
from hybridsim.engine.memory import NO_INPUTS, Columns
from hybridsim.engine.validity import ERROR_SEVERITY
from hybridsim.model import Model
from hybridsim.results.input_history import InputHistory
from hybridsim.simulation.evaluation import input_indices, p_holding
from hybridsim.simulation.packing import Packed
from hybridsim.typing import FloatArray, IntArray
from hybridsim.verification.points import Points

LARGEST_CODE = 2**63 - 1
"""Largest value of a chart code, which is an int64."""


def as_integers(values: Any) -> IntArray:
    """Return a contiguous int64 array, as the compiled functions expect."""
    return np.ascontiguousarray(values, dtype=np.int64)


class ModelSizes:
    """The model and its sizes, for classes with the attribute `packed`."""

    packed: Packed

    @property
    def model(self) -> Model:
        return self.packed.model

    @property
    def n_states(self) -> int:
        return len(self.model.states)

    @property
    def n_boundaries(self) -> int:
        return len(self.model.boundary_records)

    @property
    def width(self) -> int:
        """Length of the engine's state vectors, at least `n_states`."""
        return len(self.packed.workspace.x)


class ModelFunctions(ModelSizes):
    """The functions of a model in its charts; slides are left to `Evaluator`.

    The inputs change in the course of a run. A chart code therefore states the inputs as well: it is the number of the
    chart plus `n_charts` times the row of the input history's table `held`.

    Parameters
    ----------
    packed : Packed
        The compiled model with its parameters.
    inputs : InputHistory
        The inputs of the run.
    """

    def __init__(self, packed: Packed, inputs: InputHistory) -> None:
        self.packed, self.inputs = packed, inputs

    def code(self, chart: Any, j: Any) -> IntArray:
        """Return the codes of charts in the epochs with these j."""
        return as_integers(chart) + self.model.n_charts * self.inputs.which(j)

    def number(self, code: Any) -> Any:
        """Return the number of a chart, from its code."""
        return code % self.model.n_charts

    def parameters_in(self, code: int) -> FloatArray:
        """Return the parameter vector, with the inputs of a chart code."""
        return p_holding(self.packed, self.inputs.held[code // self.model.n_charts])

    def slopes(self, points: Points) -> FloatArray:
        """Evaluate the vector field, (n, width) [state unit/s]."""
        xdot = np.zeros_like(points.x)
        evaluate_slopes(self.columns(points, xdot), len(points), self.width)
        return xdot

    def outputs(self, points: Points) -> FloatArray:
        """Evaluate all outputs, (n, n_outputs); the states if the model has no outputs."""
        if not self.model.output_records:
            return points.x[:, : self.n_states].copy()
        y = np.zeros((len(points), len(self.model.output_records)))
        evaluate_outputs(self.columns(points, y), len(points), self.width, y.shape[1])
        return y

    def boundaries(self, points: Points) -> FloatArray:
        """Evaluate all boundaries, (n, n_boundaries); infinite where a boundary is not active."""
        g = np.full((len(points), self.n_boundaries), np.inf)
        if g.size:
            evaluate_boundaries(self.columns(points, g), len(points), self.width, g.shape[1])
        return g

    def transitions(self, points: Points, crossed: Any) -> tuple[FloatArray, IntArray]:
        """Return the states after jumps, (n, width), and the chart numbers, (n,), negative if a transition declines.

        `crossed` is (n, n_boundaries): which boundaries cross.
        """
        crossed = as_integers(crossed)
        rows = jumps(self.columns(points, np.zeros(1)), crossed)
        apply_transitions(rows, len(points), self.width, crossed.shape[1])
        return rows.x_new, rows.answer

    def has_error(self, points: Points) -> NDArray[np.bool_]:
        """Return whether `validate` reports an error at each point, (n,)."""
        if "validate" not in self.model.functions:
            return np.zeros(len(points), bool)
        rows = jumps(self.columns(points, np.zeros(1)), np.zeros((len(points), 0), np.int64))
        evaluate_validity(rows, len(points), self.width)
        known = (rows.answer > 0) & (rows.answer <= len(self.model.messages))
        return np.asarray(known & (self.packed.problem.severity[np.where(known, rows.answer, 0)] == ERROR_SEVERITY))

    def columns(self, points: Points, result: FloatArray) -> Columns:
        """Return the arguments of a compiled function for points in charts, which writes to `result`."""
        problem = self.packed.problem
        t, x = np.ascontiguousarray(points.t), np.ascontiguousarray(points.x)
        held_row, number = np.divmod(as_integers(points.chart), self.model.n_charts)
        if not len(self.inputs):
            return Columns(problem.functions, problem.p, t, x, number, result, *NO_INPUTS, held_row)
        held, p = self.inputs.held, self._writable_p
        return Columns(problem.functions, p, t, x, number, result, held, self._input_indices, held_row)

    @cached_property
    def _input_indices(self) -> IntArray:
        """Return the number of inputs, then where each is in the parameter vector."""
        return np.array([len(self.inputs.initial), *input_indices(self.model)])

    @cached_property
    def _writable_p(self) -> FloatArray:
        """Return a copy of the parameter vector, to which the compiled functions write the inputs of each row."""
        return self.packed.problem.p.copy()

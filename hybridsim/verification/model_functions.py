"""The compiled functions of a run's model, at many points at once, with the inputs that the run held there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.validity import ERROR_SEVERITY
from hybridsim.model import Model
from hybridsim.results.input_history import InputHistory
from hybridsim.simulation.evaluation import input_indices
from hybridsim.simulation.packing import Packed
from hybridsim.simulation.row_arguments import Given, held_values
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

    def padded(self, x: FloatArray) -> FloatArray:
        """States (..., n_states) as (..., width), filled with zeros."""
        state = np.zeros((*x.shape[:-1], self.width))
        state[..., : self.n_states] = x
        return state


class EpochFunctions(ModelSizes):
    """The functions of a model with the inputs of each epoch of a run; slides are left to `Evaluator`.

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

    def slopes(self, points: Points) -> FloatArray:
        """Evaluate the vector field, (n, width) [state unit/s]."""
        return self.padded(self._evaluate("vector_field", points)[0])

    def derivatives(self, points: Points) -> FloatArray:
        """Differentiate the vector field by all states and time, (n, n_states, n_states + 1)."""
        given = Given(len(points), self._given(points))
        return self.packed.functions.derivatives("vector_field", given, (*self.model.states.names, "t"))[1]

    def sliding_slopes(self, points: Points, adjacent_chart: int) -> FloatArray:
        """Evaluate the model's `sliding_field` between the charts of the points and another, (n, width)."""
        adjacent = np.full(len(points), self.number(adjacent_chart))
        return self.padded(self._evaluate("sliding_field", points, adjacent_chart=adjacent)[0])

    def outputs(self, points: Points) -> FloatArray:
        """Evaluate all outputs, (n, n_outputs); the states if the model has no outputs."""
        return self._evaluate("outputs", points)[0]

    def boundaries(self, points: Points) -> FloatArray:
        """Evaluate all boundaries, (n, n_boundaries); infinite where a boundary is not active."""
        return self._evaluate("boundaries", points)[0] if self.n_boundaries else np.zeros((len(points), 0))

    def transitions(self, points: Points, crossed: Any) -> tuple[FloatArray, IntArray]:
        """Return the states after jumps, (n, width), and the chart numbers, (n,), negative if a transition declines.

        `crossed` is (n, n_boundaries): which boundaries cross.
        """
        after, chart = self._evaluate("transition", points, crossed=as_integers(crossed))
        return self.padded(after), chart

    def has_error(self, points: Points) -> NDArray[np.bool_]:
        """Return whether `validate` reports an error at each point, (n,)."""
        if "validate" not in self.model.functions:
            return np.zeros(len(points), bool)
        answer = self._evaluate("validate", points)[1]
        known = (answer > 0) & (answer <= len(self.model.messages))
        return np.asarray(known & (self.packed.problem.severity[np.where(known, answer, 0)] == ERROR_SEVERITY))

    def _evaluate(self, function: str, points: Points, **further: IntArray) -> tuple[FloatArray, IntArray]:
        return self.packed.functions.values(function, Given(len(points), self._given(points) | further))

    def _given(self, points: Points) -> dict[str, Any]:
        """Return points in charts, and the inputs there, as the compiled functions take them."""
        return self._arguments(points) | {"x": np.ascontiguousarray(points.x[:, : self.n_states])}

    def _arguments(self, points: Points) -> dict[str, Any]:
        """Return points in charts, and the inputs there, as entries of `row_loops.Rows`."""
        held_row, number = np.divmod(as_integers(points.chart), self.model.n_charts)
        inputs = held_values(self.inputs.held, input_indices(self.model), held_row)
        return {"t": np.ascontiguousarray(points.t), "x": np.ascontiguousarray(points.x), "chart": number, **inputs}

    def loop_arguments(self, points: Points) -> dict[str, Any]:
        """Return points in charts as the arguments that the compiled loops of the verification have in common."""
        return {"functions": self.packed.problem.functions, "p": self._writable_p, **self._arguments(points)}

    @cached_property
    def _writable_p(self) -> FloatArray:
        """Return a copy of the parameter vector, to which the compiled functions write the inputs of each row."""
        return self.packed.problem.p.copy()

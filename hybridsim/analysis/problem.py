"""What has to hold for an orbit, as equations for its free states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import Equations, too_far
from hybridsim.analysis.return_map import FreeStates, Return, ReturnMap, free_states, refuse_nothing_free
from hybridsim.analysis.stride import StrideError
from hybridsim.derivatives.jacobian import differentiate
from hybridsim.derivatives.passes import Point
from hybridsim.model import Model
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What has to hold for an orbit: it returns in its free states, and quantities keep the values asked for.

    Attributes
    ----------
    return_map : ReturnMap
        The strides.
    fixed : mapping of str to float
        Values of states and outputs on the section.
    free : FreeStates
        The states that have to return.
    x : (n_states,) array
        The state whose entries other than the free ones are used.
    chart : int
        The chart on the section.
    """

    return_map: ReturnMap
    fixed: Mapping[str, float]
    free: FreeStates
    x: FloatArray
    chart: int

    def full(self, u: FloatArray) -> FloatArray:
        """Return the whole state with these free states."""
        x = self.x.copy()
        x[self.free.free] = u
        return x

    def strides(self, u: FloatArray) -> Return:
        """Make the strides of a period from these free states."""
        return self.return_map(self.full(u), self.chart)

    def equations(self, found: Return) -> Equations:
        """Return the residuals and their derivatives by the free states."""
        free = self.free.free
        values, gradients = self.conditions(found.x0)
        return Equations(
            np.concatenate([(found.x - found.x0)[free], values]),
            np.vstack([found.by_state[np.ix_(free, free)] - np.eye(len(free)), gradients]),
        )

    def conditions(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what the fixed quantities lack, (k,), and their gradients by the free states, (k, n_free)."""
        model, free = self.return_map.stride_map.model, self.free.free
        values, gradients = np.zeros(len(self.fixed)), np.zeros((len(self.fixed), len(free)))
        for row, (name, wanted) in enumerate(self.fixed.items()):
            value, gradient = self._quantity(model, name, x)
            scale = max(abs(wanted), 1.0)
            values[row], gradients[row] = (value - wanted) / scale, gradient[free] / scale
        return values, gradients

    def conditions_by_parameter(self, x: FloatArray, parameter: str) -> FloatArray:
        """Return the derivatives of the fixed quantities by a parameter, (k,), in the units of `conditions`."""
        model = self.return_map.stride_map.model
        derivatives = np.zeros(len(self.fixed))
        for row, (name, wanted) in enumerate(self.fixed.items()):
            if name in model.output_records.names:
                matrix = differentiate(model, "outputs", self._point(x), parameter)
                derivatives[row] = matrix[name, parameter] / max(abs(wanted), 1.0)
        return derivatives

    def _point(self, x: FloatArray) -> Point:
        stride_map = self.return_map.stride_map
        return Point(stride_map.config.initial_time, x, stride_map.parameters, self.chart)

    def _quantity(self, model: Model, name: str, x: FloatArray) -> tuple[float, FloatArray]:
        if name in model.states.names:
            index = model.states.names.index(name)
            return float(x[index]), np.eye(len(x))[index]
        values, matrix = differentiate_with_values(model, self._point(x))
        index = model.output_records.names.index(name)
        return float(values[index]), matrix[index]


def differentiate_with_values(model: Model, point: Point) -> tuple[FloatArray, FloatArray]:
    """Return the outputs at a point and their derivatives by the states."""
    y = np.zeros(len(model.output_records))
    assert model.outputs is not None
    model.outputs(y, point.t, point.x, point.p, point.chart)
    return y, differentiate(model, "outputs", point, "x").values


def first_problem(return_map: ReturnMap, fixed: Mapping[str, float]) -> Problem:
    """Make the problem of a guess: a stride from it tells the chart on the section, and which states are free."""
    stride_map = return_map.stride_map
    x, chart = stride_map.first_state, stride_map.first_chart
    try:
        found = return_map(x, chart)
    except StrideError as problem:
        raise too_far(problem) from None
    if found.chart != chart:  # the guess is not on the section: its image is
        x, chart = found.x, found.chart
        found = return_map(x, chart)
    free = free_states(found.by_state)
    refuse_nothing_free(stride_map.model.name, free)
    return Problem(return_map, fixed, free, x, chart)

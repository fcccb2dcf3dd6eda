"""The functions of a model by what a problem leaves free: states, inputs, parameters, times."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hybridsim.simulation.model_functions import ModelFunctions
from hybridsim.typing import Differentiable, FloatArray, IntArray


@dataclass(slots=True, eq=False)
class Tracking:
    """A pull towards what was measured, added to the slopes of states: a homotopy lets go of it step by step.

    Attributes
    ----------
    states : (n,) array
        The states.
    t : (m,) array
        Times [s].
    data : (m, n) array
        What they are to follow, on straight lines in between.
    gain : float
        How strongly [1/s].
    """

    states: IntArray
    t: FloatArray
    data: FloatArray
    gain: float = 0.0

    def add(self, slopes: FloatArray, by: FloatArray, t: FloatArray, x: FloatArray, *, timed: bool) -> None:
        """Add the pull to slopes, and its derivatives by states, and by time if it is the last variable, to theirs."""
        rates, before = np.diff(self.data, axis=0) / np.diff(self.t)[:, None], np.searchsorted(self.t, t, side="right")
        inside = (before > 0) & (before < len(self.t))
        rate = np.where(inside[:, None], rates[np.clip(before - 1, 0, len(rates) - 1)], 0.0)
        if timed:
            by[:, self.states, -1] += self.gain * rate
        for state, column in zip(self.states.tolist(), self.data.T, strict=True):
            slopes[:, state] += self.gain * (np.interp(t, self.t, column) - x[:, state])
            by[:, state, state] -= self.gain


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The functions of a model by what a problem leaves free.

    Attributes
    ----------
    functions : ModelFunctions
        The functions.
    inputs : tuple of str
        Inputs that are free.
    parameters : tuple of str
        Parameters that are free, entries of arrays as `gains[2]`.
    timed : bool
        Whether times are free, too.
    tracking : Tracking or None
        A pull towards what was measured.
    """

    functions: ModelFunctions
    inputs: tuple[str, ...]
    parameters: tuple[str, ...]
    timed: bool
    tracking: Tracking | None = None

    @property
    def n_states(self) -> int:
        """The number of states."""
        return len(self.functions.model.states)

    @property
    def variables(self) -> list[str]:
        """What functions are differentiated by: states, free inputs, free parameters, time."""
        names = self.functions.model.states.names
        return [*names, *self.inputs, *self.parameters, *(["t"] if self.timed else [])]

    @property
    def slices(self) -> tuple[slice, slice, slice, slice]:
        """The places of states, inputs, parameters and time among the variables."""
        ends = np.cumsum([0, self.n_states, len(self.inputs), len(self.parameters), int(self.timed)]).tolist()
        first, second, third, fourth = (slice(*pair) for pair in pairwise(ends))
        return first, second, third, fourth

    def __call__(
        self, function: Differentiable, t: Any, variables: FloatArray, chart: int, **more: Any
    ) -> tuple[FloatArray, FloatArray]:
        """Return a function at n rows of the variables, t apart, and its derivatives by variables."""
        states, inputs, parameters, _ = self.slices
        given = dict(zip(self.inputs, variables[:, inputs].T, strict=True))
        values = dict(zip(self.parameters, variables[:, parameters].T, strict=True))
        found = self.functions.value_and_jacobian(
            function, t, variables[:, states], chart, wrt=self.variables, inputs=given, parameters=values, **more
        )
        if function == "vector_field" and self.tracking is not None and self.tracking.gain:
            self.tracking.add(*found, t, variables[:, states], timed=self.timed)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Quantities:
    """States, inputs and outputs of a model, at rows of the variables of a field.

    Attributes
    ----------
    field : Field
        The model.
    names : tuple of str
        The quantities.
    """

    field: Field
    names: tuple[str, ...]

    def __call__(self, t: Any, variables: FloatArray, chart: int) -> tuple[FloatArray, FloatArray]:
        """Return the quantities, (n, n_names), and their derivatives by the variables."""
        known = self.field.variables
        value = np.zeros((len(variables), len(self.names)))
        by = np.zeros((*value.shape, len(known)))
        outputs = None
        for i, name in enumerate(self.names):
            if name in known:
                value[:, i], by[:, i, known.index(name)] = variables[:, known.index(name)], 1.0
                continue
            if outputs is None:
                outputs = self.field("outputs", t, variables, chart)
            number = self.field.functions.names("outputs").index(name)
            value[:, i], by[:, i] = outputs[0][:, number], outputs[1][:, number]
        return value, by

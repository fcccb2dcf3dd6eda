"""The vector field of a chart as equations for what does not move: which states it moves, and whether t matters."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import Equations
from hybridsim.config import RunConfig
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.model.contract import may_read_time
from hybridsim.simulation.model_functions import ModelFunctions
from hybridsim.typing import FloatArray, IntArray

TIMES_COMPARED = np.append(0.0, np.geomspace(1e-6, 1e6, 400))
"""Times at which a vector field that reads t is compared with itself, to see whether it depends on time [s]."""

NEARBY = 1e-3
"""Distance of a second place at which the structure of a vector field is looked at, in sizes of the states."""

ON_BOUNDARY = 1e-9
"""Value of a boundary that is rounding, relative to its change at the second place."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The vector field of a chart, on the states that are not kept, in units of their sizes.

    Attributes
    ----------
    functions : ModelFunctions
        The functions of the model.
    config : RunConfig
        The model with its parameters.
    chart : int
        The chart.
    x : (n_states,) array
        A state, whose kept entries are used.
    free : (n,) int array
        Indices of the states that are not kept.
    sizes : (n,) array
        Their units.
    rates : (n,) array
        Units of their slopes, in units of the states: the largest derivatives [1/s].
    values : mapping of str to float
        Values of parameters in place of those of the config.
    """

    functions: ModelFunctions
    config: RunConfig
    chart: int
    x: FloatArray
    free: IntArray
    sizes: FloatArray
    rates: FloatArray
    values: Mapping[str, float] = dataclasses.field(default_factory=dict)

    def state(self, v: FloatArray) -> FloatArray:
        """Return the whole state, (n_states,)."""
        x = self.x.copy()
        x[self.free] = v * self.sizes
        return x

    def equations(self, x: FloatArray, more: tuple[str, ...] = ()) -> Equations:
        """Return the slopes with their derivatives by the states, (n, n), and by more variables, as columns."""
        names = [self.config.model.states.names[i] for i in self.free]
        value, matrix = self.functions.value_and_jacobian(
            "vector_field", self.config.initial_time, x, self.chart, wrt=(*names, *more), parameters=self.values
        )
        units = self.sizes * self.rates
        columns = np.append(self.sizes, np.ones(len(more)))
        return Equations(value[self.free] / units, matrix[self.free] * columns / units[:, None])

    def at(self, x: FloatArray) -> Field:
        """Return the field with the units that the states and slopes have at another place."""
        sizes = np.maximum(self.sizes, np.abs(x[self.free]))
        field = dataclasses.replace(self, x=x, sizes=sizes, rates=np.ones(len(sizes)))
        rates = np.abs(field.equations(x).jacobian).max(axis=1, initial=0.0)
        return dataclasses.replace(field, rates=np.where(np.isfinite(rates) & (rates > 0.0), rates, 1.0))

    def matrix(self, jacobian: FloatArray) -> FloatArray:
        """Return derivatives of the equations as those of the slopes [1/s], the states in their units."""
        return np.asarray(self.rates[:, None] * jacobian)

    def eigenvalues(self, jacobian: FloatArray) -> FloatArray:
        """Return the eigenvalues [1/s], (n,) complex, the largest real part first."""
        values = np.linalg.eigvals(self.matrix(jacobian)).astype(complex)
        return values[np.lexsort((-values.imag, -values.real))]


def refuse_time(
    config: RunConfig, functions: ModelFunctions, x: FloatArray, chart: int, values: Mapping[str, float]
) -> None:
    """Raise a ConfigError if the slopes depend on time, with some values of parameters.

    A vector field that does not read t cannot; of one that does, the slopes at many times are compared.
    """
    if not reads_time(config.model):
        return
    name, names, times = config.model.name, config.model.states.names, config.initial_time + TIMES_COMPARED
    for place in (x, *_beside(x, np.maximum(np.abs(x), 1.0))):
        places = np.broadcast_to(place, (len(times), len(x)))
        slopes = np.nan_to_num(functions.vector_field(times, places, chart, parameters=values))
        varies = (slopes != slopes[0]).any(axis=0)
        if varies.any():
            raise ConfigError(
                f"{name}: the slope of {names[int(np.argmax(varies))]} depends on time, so nothing stays where it is; "
                "make the phase of what drives it a state, or look for an orbit with Section(time=...)"
            )


def reads_time(model: Model) -> bool:
    """Return whether the vector field of a model reads t, if only to pass it on."""
    return may_read_time({"vector_field": model.functions["vector_field"]})


def _beside(x: FloatArray, sizes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return two places on both sides of a state."""
    return x + sizes * _uneven(len(x)), x - sizes * _uneven(len(x))


def free_states(config: RunConfig, functions: ModelFunctions, x: FloatArray, chart: int, sizes: FloatArray) -> IntArray:
    """Return the indices of the states that are not kept.

    Raises
    ------
    ConfigError
        If the vector field depends on time, or moves no state.
    """
    refuse_time(config, functions, x, chart, {})
    name, names = config.model.name, config.model.states.names
    places = np.array([x, *_beside(x, sizes)])
    values, matrices = functions.value_and_jacobian("vector_field", config.initial_time, places, chart, wrt=names)
    free = np.flatnonzero(
        (np.nan_to_num(values) != 0.0).any(axis=0) | (np.nan_to_num(matrices) != 0.0).any(axis=(0, 2))
    )
    if not len(free):
        raise ConfigError(
            f"{name}: in this chart nothing ever moves: every state is an equilibrium; give another chart"
        )
    return free


def boundaries_at(field: Field, x: FloatArray) -> dict[str, float]:
    """Return the values of the active boundaries by name; those that time alone fires are left out."""
    records = field.config.model.boundary_records
    if not len(records):
        return {}
    offsets = np.zeros(len(x))
    offsets[field.free] = field.sizes * _uneven(len(field.free))
    places = np.array([x, x + offsets])
    values, nearby = field.functions.boundaries(field.config.initial_time, places, field.chart, parameters=field.values)
    with np.errstate(invalid="ignore"):
        values = np.where(np.abs(values) <= ON_BOUNDARY * np.abs(nearby - values), 0.0, values)
    return {
        each.name: float(value)
        for each, value in zip(records, values, strict=True)
        if np.isfinite(value) and not each.time
    }


def _uneven(n: int) -> FloatArray:
    """Return n small changes, no two of which are alike."""
    return np.asarray(NEARBY * (1.0 + np.sqrt(2.0) * np.arange(n) % 1.0))

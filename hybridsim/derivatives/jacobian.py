"""`jacobian` and `linearize`: exact partial derivatives of a model's functions at one point, by names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.derivatives.matrix import LabelledMatrix
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.simulation.model_functions import ModelFunctions
from hybridsim.simulation.packing import find_first_chart, initial_state
from hybridsim.simulation.row_arguments import chart_number
from hybridsim.simulation.row_functions import functions_of
from hybridsim.typing import Differentiable, FloatArray

StateValues = Mapping[str, Any] | Sequence[float] | np.ndarray[Any, Any]


@explains_keywords(at="x", initial="x")
def jacobian(
    model: str | os.PathLike[str] | Model,
    function: Differentiable = "vector_field",
    *,
    wrt: str | Sequence[str] = "x",
    t: float = 0.0,
    x: StateValues | None = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    chart: str | int | None = None,
    adjacent_chart: str | int | None = None,
    crossed: Sequence[str] = (),
) -> LabelledMatrix:
    """Differentiate a function of a model with respect to states, parameters, inputs or time.

    The derivatives are exact to rounding: the function's own source is evaluated on dual numbers.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    function : {"vector_field", "boundaries", "transition", "outputs", "initial_chart", "sliding_field"}
        The function.
    wrt : str or sequence of str
        "x" for all states, "p" for all real parameters, "u" for all inputs, "t" for time, or names of some.
    t : float
        Time [s].
    x : mapping of str or (n_states,) array, optional
        State; states that are not given are those with which a run begins.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.
    chart : str or int, optional
        The chart; by default that of the model's `initial_chart`.
    adjacent_chart : str or int, optional
        The second chart of a slide, for `sliding_field`.
    crossed : sequence of str
        Names of the boundaries that cross, for `transition`.

    Returns
    -------
    LabelledMatrix
        The derivatives: rows by the names of what the function writes, columns by the names of the variables
        [unit of the row / unit of the column].

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded, or uses a function that has no derivative, with `file:line`.

    Examples
    --------
    >>> hybridsim.jacobian("slip", x={"y": 0.9}, chart="descent")["ydot", "y"]
    """
    point = find_point(model, t, x, chart, {"parameters": parameters, "inputs": inputs})
    return _labelled(point, function, wrt, crossed=crossed, adjacent_chart=adjacent_chart)


def _labelled(point: Point, function: Differentiable, wrt: str | Sequence[str], **others: Any) -> LabelledMatrix:
    """Differentiate a function at a point, and name rows and columns."""
    f = point.functions
    values = f.jacobian(function, point.t, point.x, point.chart, wrt=wrt, **others)
    return LabelledMatrix(values, f.names(function), f.variables(wrt))


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False)
class Linearization:
    """A model near one point of a chart: xdot = f + A dx + B du, y = h + C dx + D du.

    Parameters
    ----------
    A : LabelledMatrix
        d vector_field / dx, states by states [state unit/s per state unit].
    B : LabelledMatrix
        d vector_field / du, states by inputs.
    C : LabelledMatrix
        d outputs / dx, outputs by states; the identity for a model without outputs.
    D : LabelledMatrix
        d outputs / du, outputs by inputs.
    """

    A: LabelledMatrix
    B: LabelledMatrix
    C: LabelledMatrix
    D: LabelledMatrix


@explains_keywords(at="x", initial="x")
def linearize(
    model: str | os.PathLike[str] | Model,
    *,
    t: float = 0.0,
    x: StateValues | None = None,
    chart: str | int | None = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> Linearization:
    """Linearize a model in one chart, exactly to rounding.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    t : float
        Time [s].
    x : mapping of str or (n_states,) array, optional
        State; states that are not given are those with which a run begins.
    chart : str or int, optional
        The chart; by default that of the model's `initial_chart`.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.

    Returns
    -------
    Linearization
        The matrices A, B, C and D.

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded, or uses a function that has no derivative, with `file:line`.
    """
    return linearize_at(find_point(model, t, x, chart, {"parameters": parameters, "inputs": inputs}))


def linearize_at(point: Point) -> Linearization:
    """Linearize a model at a point; for the errors see `linearize`."""
    (a, b), (c, d) = ([_labelled(point, function, wrt) for wrt in "xu"] for function in ("vector_field", "outputs"))
    return Linearization(a, b, c, d)


class Point(NamedTuple):
    """The functions of a model, and the time [s], the state (n_states,) and the chart at which to evaluate them."""

    functions: ModelFunctions
    t: float
    x: FloatArray
    chart: int


def find_point(
    model: str | os.PathLike[str] | Model,
    t: float,
    x: StateValues | None,
    chart: str | int | None,
    values: Mapping[str, Mapping[str, Any] | None],
) -> Point:
    """Return the point that a call gives.

    `values` has the `parameters` and the `inputs` by name; others have their defaults. For states and charts that are
    not given see `point_of`.

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded.
    """
    given = {name: value for name, value in values.items() if value is not None}
    if not (x is None or isinstance(x, Mapping)):
        x = _by_name(config_from_keywords(model, **given).model, x)
    states = x or {}
    return point_of(config_from_keywords(model, initial_time=t, initial=states, **given), states, chart)


def point_of(config: RunConfig, given: Mapping[str, Any], chart: str | int | None) -> Point:
    """Return the point at which a run of a config begins, but for the states and the chart that are given.

    States that are not given are those that the model's `initial_chart` makes of the initial state: a model may have
    states that are no matter of choice.

    Raises
    ------
    ConfigError
        If a name is wrong, or `initial_chart` fails.
    """
    model, functions = config.model, functions_of(config)
    x = initial_state(config)
    first = find_first_chart(config, functions, x)
    for name, value in given.items():
        x[model.states.index(name)] = value
    number = first if chart is None else chart_number(model, chart)
    return Point(ModelFunctions(functions), config.initial_time, x, number)


def _by_name(model: Model, x: Sequence[float] | np.ndarray[Any, Any]) -> Mapping[str, Any]:
    values = np.asarray(x, float)
    if values.shape != (len(model.states),):
        raise ConfigError(
            f"x: expected {len(model.states)} numbers, {', '.join(model.states.names)}, found shape {values.shape}"
        )
    return dict(zip(model.states.names, values.tolist(), strict=True))

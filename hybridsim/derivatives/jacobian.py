"""`jacobian` and `linearize`: exact partial derivatives of a model's functions, by names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.derivatives.matrix import LabelledMatrix
from hybridsim.derivatives.passes import Point, partials
from hybridsim.derivatives.point import StateValues, chart_number, find_point, variables_of
from hybridsim.duals.functions import known_functions
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX
from hybridsim.errors import ConfigError, refuse_other_word
from hybridsim.model import Model, nearest
from hybridsim.typing import Differentiable, IntArray


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
    found, point = find_point(model, t, x, chart, {"parameters": parameters, "inputs": inputs})
    if adjacent_chart is not None:
        point = point._replace(adjacent_chart=chart_number(found, adjacent_chart))
    return differentiate(found, function, point._replace(crossed=_flags(found, crossed)), wrt)


def differentiate(
    model: Model, function: Differentiable, point: Point, wrt: str | Sequence[str], anew: bool = True
) -> LabelledMatrix:
    """Differentiate a function of a model at a point; for the other arguments and errors see `jacobian`.

    Unless `anew`, a constant that has been changed in the plug-in since the last call is not noticed.
    """
    refuse_other_word("function", function, Differentiable)
    if function not in model.functions:
        raise ConfigError(f"{model.name}: it has no function `{function}`; it has {', '.join(model.functions)}")
    written = {"boundaries": model.boundary_records.names, "outputs": model.output_records.names}
    rows = written.get(function, model.states.names)
    columns, kind, index = variables_of(model, wrt)
    which = FUNCTION_INDEX[function]
    address = int(known_functions(model, (function,), anew).addresses[which])
    _, values, _ = partials(address, which, len(rows), point, kind, index)
    return LabelledMatrix(values, tuple(rows), columns)


def _flags(model: Model, crossed: Sequence[str]) -> IntArray:
    names = model.boundary_records.names
    for name in crossed:
        if name not in names:
            raise ConfigError(f"{model.name}: crossed: there is no boundary {name!r}{nearest(name, names)}")
    return np.array([*(int(name in crossed) for name in names), 0], np.int64)


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


def linearize(
    model: str | os.PathLike[str] | Model,
    *,
    at: StateValues | None = None,
    chart: str | int | None = None,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    t: float = 0.0,
) -> Linearization:
    """Linearize a model in one chart, exactly to rounding.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    at : mapping of str or (n_states,) array, optional
        State; states that are not given are those with which a run begins.
    chart : str or int, optional
        The chart; by default that of the model's `initial_chart`.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.
    t : float
        Time [s].

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
    found, point = find_point(model, t, at, chart, {"parameters": parameters, "inputs": inputs})
    return linearize_at(found, point)


def linearize_at(model: Model, point: Point) -> Linearization:
    """Linearize a model at a point; for the errors see `linearize`."""
    states, inputs = model.states.names, model.inputs.names
    has_outputs = "outputs" in model.functions
    return Linearization(
        A=differentiate(model, "vector_field", point, "x"),
        B=differentiate(model, "vector_field", point, "u"),
        C=differentiate(model, "outputs", point, "x")
        if has_outputs
        else LabelledMatrix(np.eye(len(states)), states, states),
        D=differentiate(model, "outputs", point, "u")
        if has_outputs
        else LabelledMatrix(np.zeros((len(states), len(inputs))), states, inputs),
    )

"""`jacobian` and `linearize`: exact partial derivatives of a model's functions, by names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hybridsim.derivatives.matrix import LabelledMatrix
from hybridsim.derivatives.point import Point, StateValues, find_point
from hybridsim.errors import explains_keywords
from hybridsim.model import Model
from hybridsim.typing import Differentiable


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

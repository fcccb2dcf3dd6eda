"""`functions`: the functions of a model and their derivatives, at points that the caller chooses."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hybridsim.config import config_from_keywords
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX
from hybridsim.errors import explains_keywords
from hybridsim.model import Model
from hybridsim.simulation.row_arguments import Given, given_rows, indices_of, variables_of
from hybridsim.simulation.row_functions import RowFunctions, functions_of
from hybridsim.typing import Differentiable, FloatArray, IntArray

Values = Mapping[str, Any] | None
Out = FloatArray | None


@explains_keywords()
class ModelFunctions:
    """The functions of a model and their Jacobians, at one point or at n rows, in machine code: see `functions`.

    What is given for one point holds for all rows. The result for n rows has a first axis of length n, that for one
    point has not. Calls from several threads do not disturb each other, and run at the same time.

    Attributes
    ----------
    model : Model
        The model.
    p : (n_p,) array
        Its packed parameters and inputs, which hold where a call gives no others.
    """

    def __init__(self, rows: RowFunctions) -> None:
        self.model, self.p, self._rows = rows.model, rows.p, rows
        self._indices: dict[tuple[tuple[str, ...], ...], IntArray] = {}

    def names(self, function: str) -> tuple[str, ...]:
        """Return the names of what a function writes: the rows of its Jacobian.

        Parameters
        ----------
        function : {"vector_field", "boundaries", "outputs", "transition", "initial_chart", "sliding_field"}
            The function.

        Returns
        -------
        tuple of str
            Names of boundaries, of outputs, or of states.
        """
        return self._rows.names(function)

    def variables(self, wrt: str | Sequence[str]) -> tuple[str, ...]:
        """Return the names of variables: the columns of a Jacobian.

        Parameters
        ----------
        wrt : str or sequence of str
            "x" for all states, and so on, as in `jacobian`.

        Returns
        -------
        tuple of str
            Their names.
        """
        return variables_of(self.model, self.p, wrt)[0]

    def value_and_jacobian(
        self,
        function: Differentiable,
        t: Any,
        x: Any,
        chart: Any = None,
        *,
        wrt: str | Sequence[str] = "x",
        crossed: Any = None,
        adjacent_chart: Any = None,
        parameters: Values = None,
        inputs: Values = None,
        out: tuple[FloatArray, FloatArray] | None = None,
    ) -> tuple[FloatArray, FloatArray]:
        """Evaluate a function and differentiate it, in one go.

        Parameters
        ----------
        function : {"vector_field", "boundaries", "outputs", "transition", "initial_chart", "sliding_field"}
            The function.
        t : float or (n,) array
            Time [s].
        x : (n_states,) or (n, n_states) array
            State [unit of each state].
        chart : str, int or (n,) array, optional
            The chart, by name or number; a model with one chart needs none.
        wrt : str or sequence of str
            "x" for all states, "p" for all real parameters, "u" for all inputs, "t" for time, or names of some. An
            entry of an array is `gains[2]`, of a matrix `height[0,3]`, counted from 0.
        crossed : sequence of str, or (n_boundaries,) or (n, n_boundaries) array
            The boundaries that cross, by names, or 1 for each that does: for `transition`.
        adjacent_chart : str, int or (n,) array, optional
            The second chart of a slide, for `sliding_field`.
        parameters : mapping of str, optional
            Values in place of those given to `functions`, by name: a number, or n of them.
        inputs : mapping of str, optional
            Values of inputs in place of those given to `functions`, by name: a number, or n of them.
        out : array or pair of arrays, optional
            Where the result is written; by default a new array.

        Returns
        -------
        value : (n_results,) or (n, n_results) array
            What the function writes, to rounding as the function itself gives it.
        jacobian : (n_results, n_variables) or (n, n_results, n_variables) array
            As from `jacobian`.

        Raises
        ------
        ConfigError
            If a name or a shape is wrong, or the model does not have this function.
        ModelError
            If the function does not compile, or has no derivative, with `file:line`.
        """
        given = self._given(parameters, inputs, t=t, x=x, chart=chart, crossed=crossed, adjacent_chart=adjacent_chart)
        return self._rows.derivatives(function, given, wrt, out or (None, None))

    def vector_field(
        self, t: Any, x: Any, chart: Any = None, *, parameters: Values = None, inputs: Values = None, out: Out = None
    ) -> FloatArray:
        """Evaluate the vector field.

        Returns
        -------
        (n_states,) or (n, n_states) array
            The slopes of the states [state unit/s].
        """
        return self._rows.values("vector_field", self._given(parameters, inputs, t=t, x=x, chart=chart), out)[0]

    def boundaries(
        self, t: Any, x: Any, chart: Any = None, *, parameters: Values = None, inputs: Values = None, out: Out = None
    ) -> FloatArray:
        """Evaluate the boundaries.

        Returns
        -------
        (n_boundaries,) or (n, n_boundaries) array
            Their values; infinite where a boundary is not active.
        """
        return self._rows.values("boundaries", self._given(parameters, inputs, t=t, x=x, chart=chart), out)[0]

    def outputs(
        self, t: Any, x: Any, chart: Any = None, *, parameters: Values = None, inputs: Values = None, out: Out = None
    ) -> FloatArray:
        """Evaluate the outputs.

        Returns
        -------
        (n_outputs,) or (n, n_outputs) array
            The outputs, or the states of a model without outputs.
        """
        return self._rows.values("outputs", self._given(parameters, inputs, t=t, x=x, chart=chart), out)[0]

    def transition(
        self, t: Any, x: Any, chart: Any = None, *, crossed: Any, parameters: Values = None, inputs: Values = None
    ) -> tuple[FloatArray, Any]:
        """Make the jumps at boundaries.

        Returns
        -------
        x_new : (n_states,) or (n, n_states) array
            The states after them.
        chart : int or (n,) array
            The charts after them, negative where the model declines.
        """
        given = self._given(parameters, inputs, t=t, x=x, chart=chart, crossed=crossed)
        return self._rows.values("transition", given)

    def initial_chart(
        self, t: Any, x: Any, *, parameters: Values = None, inputs: Values = None
    ) -> tuple[FloatArray, Any]:
        """Let the model finalise initial states.

        Returns
        -------
        x_new : (n_states,) or (n, n_states) array
            The states with which runs begin.
        chart : int or (n,) array
            The charts in which they begin.
        """
        return self._rows.values("initial_chart", self._given(parameters, inputs, t=t, x=x))

    def validate(self, t: Any, x: Any, chart: Any = None, *, parameters: Values = None, inputs: Values = None) -> Any:
        """Let the model check states.

        Returns
        -------
        int or (n,) array
            0, or the number of a message of the model, counted from 1.
        """
        return self._rows.values("validate", self._given(parameters, inputs, t=t, x=x, chart=chart))[1]

    def sliding_field(
        self,
        t: Any,
        x: Any,
        chart: Any = None,
        *,
        adjacent_chart: Any,
        parameters: Values = None,
        inputs: Values = None,
        out: Out = None,
    ) -> FloatArray:
        """Evaluate the vector field that the model gives for a slide.

        Returns
        -------
        (n_states,) or (n, n_states) array
            The slopes of the states [state unit/s].
        """
        given = self._given(parameters, inputs, t=t, x=x, chart=chart, adjacent_chart=adjacent_chart)
        return self._rows.values("sliding_field", given, out)[0]

    def jacobian(
        self,
        function: Differentiable,
        t: Any,
        x: Any,
        chart: Any = None,
        *,
        wrt: str | Sequence[str] = "x",
        crossed: Any = None,
        adjacent_chart: Any = None,
        parameters: Values = None,
        inputs: Values = None,
        out: Out = None,
    ) -> FloatArray:
        """Differentiate a function, exactly to rounding.

        Returns
        -------
        (n_results, n_variables) or (n, n_results, n_variables) array
            The derivatives [unit of the result / unit of the variable]; 0 for boundaries that are not active.
        """
        given = self._given(parameters, inputs, t=t, x=x, chart=chart, crossed=crossed, adjacent_chart=adjacent_chart)
        return self._rows.derivatives(function, given, wrt, (None, out))[1]

    def _given(self, parameters: Values, inputs: Values, **arrays: Any) -> Given:
        """Return what a call gives as arrays of so many rows."""
        if not parameters and not inputs:
            return given_rows(self.model, arrays)
        parameters, inputs = parameters or {}, inputs or {}
        names = tuple(parameters), tuple(inputs)
        if names not in self._indices:
            self._indices[names] = indices_of(self.model, self.p, *names)
        return given_rows(self.model, arrays, self._indices[names], {**parameters, **inputs})


def _complete_docstrings() -> None:
    """Let the other methods say of their parameters and errors what `value_and_jacobian` says, which has them all."""
    full = inspect.getdoc(ModelFunctions.value_and_jacobian)
    if full is None:  # `python -OO` has no docstrings
        return
    _, parameters, _, raises = re.split(r"\n\n(?=\w+\n-+\n)", full)
    entries = {entry.split(maxsplit=1)[0]: entry.rstrip() for entry in re.split(r"(?m)^(?=\w+ : )", parameters)[1:]}
    for name in (*(name for name in FUNCTION_INDEX if hasattr(ModelFunctions, name)), "jacobian"):
        method = getattr(ModelFunctions, name)
        summary, _, returns = inspect.getdoc(method).partition("\n\n")  # type: ignore[union-attr]
        taken = [entries[word] for word in inspect.signature(method).parameters if word in entries]
        method.__doc__ = "\n".join([summary, "\nParameters\n----------", *taken, f"\n{returns}\n\n{raises}"])


_complete_docstrings()


@explains_keywords()
def functions(
    model: str | os.PathLike[str] | Model,
    *,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
) -> ModelFunctions:
    """Compile the functions of a model, to evaluate and differentiate them at points of your choice.

    The loop over points is machine code, and other threads run meanwhile. A model's own source gives the derivatives,
    on dual numbers, exact to rounding.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    parameters, inputs : mapping of str, optional
        Values by name, as for `simulate`; others have their defaults.

    Returns
    -------
    ModelFunctions
        The functions.

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded.

    Examples
    --------
    >>> f = hybridsim.functions("slip", parameters={"k": 25e3})
    >>> f.jacobian("vector_field", 0.0, x, "compression")  # x is (n, 7): (n, 7, 7)
    """
    given = {name: value for name, value in (("parameters", parameters), ("inputs", inputs)) if value is not None}
    return ModelFunctions(functions_of(config_from_keywords(model, **given)))

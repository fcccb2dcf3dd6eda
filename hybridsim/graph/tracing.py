"""The functions of a model as expressions, chart by chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.duals.number import Numbers, on_numbers
from hybridsim.errors import HybridsimError, ModelError
from hybridsim.graph.nodes import Graph
from hybridsim.graph.symbols import SYMBOLS, Guard, Recorder, Symbol
from hybridsim.model import Model
from hybridsim.typing import FloatArray

MAX_NODES = 200_000
"""Nodes beyond which a model is refused: a loop may have been unrolled without end."""


class UntraceableError(HybridsimError):
    """A function of a model does what has no expression."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """What a function computes, in one chart, as long as its guards hold.

    Attributes
    ----------
    nodes : mapping of int to int
        The expressions by the index of what they are written to; those that are not written are left out.
    answer : int
        What the function returns; 0 if it returns nothing.
    guards : tuple of Guard
        What has to hold.
    required : tuple of int
        Nodes that have to be defined although the result may not need them.
    """

    nodes: Mapping[int, int]
    answer: int
    guards: tuple[Guard, ...]
    required: tuple[int, ...]


class ModelGraph:
    """The functions of a model in one graph, which they share.

    The arguments are called by the names of the states, and of parameters and inputs with "p." before; time is "t".

    Parameters
    ----------
    model : Model
        The model.
    p : (n,) array
        The values of its parameters, inputs and constants, as its functions receive them.
    tolerant : bool, optional
        Whether a function may be undefined at the values by which branches are decided; it is nan there.
    numbers : Numbers, optional
        How functions calculate with symbols: `SYMBOLS`, or `WITHOUT_PIVOTS` where arithmetic is exact.
    arrays_vary : bool, optional
        Whether the numbers of array parameters are symbols, too; otherwise they are constants.

    Attributes
    ----------
    graph : Graph
        The graph.
    places : mapping of str to int
        The indices in p of the parameters and inputs, by the names of the arguments.
    values : mapping of str to float
        Their values.
    """

    def __init__(
        self,
        model: Model,
        p: FloatArray,
        tolerant: bool = False,
        numbers: Numbers = SYMBOLS,
        arrays_vary: bool = False,
    ) -> None:
        self.model, self.graph, self._tolerant = model, Graph(), tolerant
        self._p, self._numbers = p, numbers
        # The entry of an array among the scalars says where its numbers are: that is the same in all runs.
        arrays = [parameter.name for parameter in model.parameters if parameter.is_array]
        fixed = {*model.constants.names, *arrays}
        self.places = {f"p.{name}": index for name, index in model.p_indices.items() if name not in fixed}
        if arrays_vary:
            self.places |= _places_of_arrays(model, p, arrays)
        self.values: dict[str, float] = {name: float(p[index]) for name, index in self.places.items()}
        self._copies: dict[str, Any] = {}

    def trace(self, name: str, t: float, x: Sequence[float] | FloatArray, *others: Any) -> Trace:
        """Call a function with symbols.

        Parameters
        ----------
        name : str
            A function of the contract: vector_field, boundaries, transition, validate or outputs.
        t, x : float, (n_states,) array
            Values by which branches are decided.
        *others
            Its arguments behind p.

        Returns
        -------
        Trace
            What it computes.

        Raises
        ------
        UntraceableError
            If the function does something that has no expression, with `file:line`.
        """
        recorder = Recorder(self.graph, self._tolerant)
        states = self._row(recorder, self.model.states.names, x)
        p = self._p.astype(object)
        for parameter, index in self.places.items():
            p[index] = Symbol(recorder, self.graph.input(parameter), float(self._p[index]))
        time = Symbol(recorder, self.graph.input("t"), t)
        written = self._room(name, states)
        try:
            if name not in self._copies:
                self._copies[name] = on_numbers(self.model.functions[name], self._numbers)
            answer = self._copies[name](*([] if written is None else [written]), time, states, p, *others)
            nodes = {
                i: recorder.node_of(value)
                for i, value in enumerate([] if written is None else written)
                if value is not None
            }
            answer = int(answer or 0)
        except ModelError as problem:
            raise UntraceableError(str(problem)) from None
        except (ArithmeticError, AttributeError, IndexError, NotImplementedError, TypeError, ValueError) as problem:
            raise UntraceableError(f"{_place(problem, name)}: {problem}") from None
        if len(self.graph.nodes) > MAX_NODES:
            raise UntraceableError(f"`{name}` makes more than {MAX_NODES:,} operations")
        return Trace(nodes, answer, tuple(recorder.guards), tuple(recorder.required))

    def _row(self, recorder: Recorder, names: Sequence[str], values: Sequence[float] | FloatArray) -> Any:
        row = np.empty(len(names), object)
        row[:] = [Symbol(recorder, self.graph.input(n), float(v)) for n, v in zip(names, values, strict=True)]
        return row

    def _room(self, name: str, states: Any) -> Any:
        """Return what a function writes into."""
        if name == "validate":
            return None
        if name == "transition":
            return states.copy()
        if name == "vector_field":
            return np.full(len(states), 0.0, object)
        records = self.model.output_records if name == "outputs" else self.model.boundary_records
        return np.full(len(records), None, object)


def _places_of_arrays(model: Model, p: FloatArray, arrays: Sequence[str]) -> dict[str, int]:
    """Return the index in p of each number of these array parameters, which lie there one array behind the other."""
    firsts = [int(p[model.p_indices[name]]) + model.p_starts[name] for name in arrays]
    ends = [*firsts, len(p) - 1][1:]
    return {
        f"p.{name}[{index - first}]": index
        for name, first, end in zip(arrays, firsts, ends, strict=True)
        for index in range(first, end)
    }


def _place(problem: Exception, name: str) -> str:
    """Return the file and line, within the plug-in, where an error came up."""
    places, trace = [], problem.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "/hybridsim/graph/" not in file.replace("\\", "/"):
            places.append(f"{file}:{trace.tb_lineno}")
        trace = trace.tb_next
    return f"{places[-1]}: in `{name}`" if places else f"`{name}`"


@dataclass(frozen=True, slots=True)
class ChartTrace:
    """What the functions of a model compute in one chart.

    Attributes
    ----------
    slopes : mapping of int to int
        The expressions of the slopes by the states that have one that is not zero.
    boundaries : mapping of (int, int) to int
        Those of the boundaries, by the chart and their index, but for boundaries of time.
    guards : tuple of Guard
        What has to hold.
    boundaries_branch : bool
        Whether some of it has to hold for the boundaries.
    """

    slopes: Mapping[int, int]
    boundaries: Mapping[tuple[int, int], int]
    guards: tuple[Guard, ...]
    boundaries_branch: bool = False


def trace_chart(graph: ModelGraph, chart: int, t: float, x: FloatArray) -> ChartTrace:
    """Trace the functions of a model in a chart; for the parameters see `programs_of`.

    Raises
    ------
    UntraceableError
        If one does what has no expression, with `file:line`.
    """
    model = graph.model
    last = int(np.flatnonzero(model.states.column("continuous")).max(initial=-1))
    field = graph.trace("vector_field", t, x, chart)
    slopes = {i: a for i, a in field.nodes.items() if i <= last and graph.graph.constant(a) != 0.0}
    if not model.boundary_records:
        return ChartTrace(slopes, {}, field.guards)
    found = graph.trace("boundaries", t, x, chart)
    boundaries = {(chart, i): a for i, a in found.nodes.items() if not model.boundary_records[i].time}
    return ChartTrace(slopes, boundaries, field.guards + found.guards, bool(found.guards))

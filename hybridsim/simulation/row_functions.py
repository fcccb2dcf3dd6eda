"""The compiled functions of a model at n rows, with the values of parameters and inputs that hold at each."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.duals.functions import dual_arithmetic
from hybridsim.engine.compiler.compilation import DOUBLES, CompiledFunctions, compile_functions
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX
from hybridsim.engine.memory import make_record
from hybridsim.errors import ConfigError, refuse_other_word
from hybridsim.model import Model
from hybridsim.model.parameters import pack_parameters
from hybridsim.simulation.row_arguments import Given, Variables, variables_of
from hybridsim.simulation.row_loops import SIZES, STATE, Loop, differentiate_rows, evaluate_rows, make_rows
from hybridsim.typing import Differentiable, FloatArray, IntArray

NO_VARIABLES: Variables = (), np.zeros(0, np.int64), np.zeros(0, np.int64)

NEEDED = {"transition": "crossed", "sliding_field": "adjacent_chart"}
"""What functions take besides time, state and chart."""


class RowFunctions:
    """The functions of one model with one set of parameters; each thread that calls them has its own memory.

    Parameters
    ----------
    model : Model
        The model.
    p : (n_p,) array
        Packed parameters and inputs, which hold where a row gives no others; if they change, the next call uses them.
    compiled : CompiledFunctions, optional
        The functions; by default each is compiled when it is first used, as those on dual numbers are.
    """

    def __init__(self, model: Model, p: FloatArray, compiled: CompiledFunctions | None = None) -> None:
        self.model, self.p, self._compiled = model, p, compiled
        self._own, self._lock, self._alive = threading.local(), threading.RLock(), dict[tuple[bool, str], Any]()

    def names(self, function: str) -> tuple[str, ...]:
        """Return the names of what a function writes: the rows of its Jacobian."""
        if function == "boundaries":
            return self.model.boundary_records.names
        return self.model.columns.names if function == "outputs" else self.model.states.names

    def values(self, function: str, given: Given, out: FloatArray | None = None) -> tuple[FloatArray, IntArray]:
        """Evaluate a function.

        Returns
        -------
        y : (n, n_results) array
            What it writes; infinite where it writes no boundary. For one point both arrays have no first axis.
        answer : (n,) array
            What it returns: a chart, or the number of a message.
        """
        n, width = given.n, len(self.names(function))
        y = _room("out", (width,) if n is None else (n, width), out)
        answer = np.zeros(1 if n is None else n, np.int64)
        if self._are_states(function):
            y[...] = given.arrays["x"]
        else:
            self._run(function, None, given, y=y, answer=answer)
        return y, answer if n is not None else answer[0]

    def derivatives(
        self,
        function: str,
        given: Given,
        wrt: str | Sequence[str],
        out: tuple[FloatArray | None, FloatArray | None] = (None, None),
    ) -> tuple[FloatArray, FloatArray]:
        """Differentiate a function on dual numbers.

        Returns
        -------
        y : (n, n_results) array
            What it writes.
        jacobian : (n, n_results, n_variables) array
            Its derivatives.
        """
        n, width, wrt = given.n, len(self.names(function)), wrt if isinstance(wrt, str) else (*wrt,)
        shape, are_states = (width,) if n is None else (n, width), self._are_states(function)
        variables = variables_of(self.model, self.p, wrt) if are_states else self._loop(function, wrt).variables
        y, jacobian = _room("out[0]", shape, out[0]), _room("out", (*shape, len(variables[0])), out[1])
        if are_states:
            _, kind, place = variables
            y[...], jacobian[...] = given.arrays["x"], (kind == STATE) & (place == np.arange(width)[:, None])
        else:
            answer = np.zeros(1 if n is None else n, np.int64)
            self._run(function, wrt, given, y=y, answer=answer, jacobian=jacobian)
        return y, jacobian

    def _are_states(self, function: str) -> bool:
        """Whether a function is that of a model without outputs, which are then its states."""
        return function == "outputs" and "outputs" not in self.model.functions

    def _run(
        self, function: str, wrt: str | tuple[str, ...] | None, given: Given, answer: IntArray, **results: FloatArray
    ) -> None:
        """Let the loop of this thread write the results."""
        loop, needed = self._loop(function, wrt), NEEDED.get(function)
        if needed is not None and needed not in given.arrays:
            raise ConfigError(f"{self.model.name}: {function}: {needed} is missing; give it")
        loop(len(answer), {**given.arrays, **results, "answer": answer})

    def _loop(self, function: str, wrt: str | tuple[str, ...] | None = None) -> Loop:
        """Return the loop of this thread that evaluates a function, or differentiates it."""
        loops: dict[Any, Loop] = self._own.__dict__
        loop = loops.get((function, wrt))
        if loop is None:
            with self._lock:
                loop = loops[function, wrt] = self._new_loop(function, wrt)
        return loop

    def _new_loop(self, function: str, wrt: str | tuple[str, ...] | None) -> Loop:
        model, on_duals = self.model, wrt is not None
        if on_duals:
            refuse_other_word("function", function, Differentiable)
        if function not in model.functions:
            raise ConfigError(f"{model.name}: it has no function `{function}`; it has {', '.join(model.functions)}")
        variables = NO_VARIABLES if wrt is None else variables_of(model, self.p, wrt)
        sizes = make_record(
            SIZES,
            address=self._address(function, on_duals),
            which=FUNCTION_INDEX[function],
            n_states=len(model.states),
            n_results=len(self.names(function)),
            n_boundaries=len(model.boundary_records),
            n_p=len(self.p),
            n_variables=len(variables[0]),
        )
        return Loop(
            differentiate_rows if on_duals else evaluate_rows, make_rows(sizes, self.p, *variables[1:]), variables
        )

    def _address(self, function: str, on_duals: bool) -> int:
        """Return the address of a function, which is compiled now if it has not been given."""
        found = None if on_duals else self._compiled
        if found is None:
            found = self._alive.get((on_duals, function))
        if found is None:
            name, wanted = self.model.name, {function: self.model.functions[function]}
            arithmetic = dual_arithmetic() if on_duals else DOUBLES
            found = self._alive[on_duals, function] = compile_functions(name, wanted, arithmetic)
        return int(found.addresses[FUNCTION_INDEX[function]])


def functions_of(config: RunConfig) -> RowFunctions:
    """Return the functions of the model of a config, with its parameters and inputs."""
    return RowFunctions(config.model, pack_parameters(config.model, {**config.parameters, **config.inputs}))


def _room(word: str, shape: tuple[int, ...], out: FloatArray | None) -> FloatArray:
    """Return the array for a result: a new one, or that of the caller."""
    if out is None:
        return np.empty(shape)
    if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != np.float64 or not out.flags.carray:
        found = f"shape {out.shape}, {out.dtype}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ConfigError(f"{word}: expected a writable, contiguous array of float64 with shape {shape}, found {found}")
    return out

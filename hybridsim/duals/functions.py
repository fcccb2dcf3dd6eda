"""The functions of a model on dual numbers: compiled a second time from the same source.

Python allocates dual numbers as rows of doubles, `duals(n)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.engine.compiler.compilation import Arithmetic, CompiledFunctions, compile_functions
from hybridsim.engine.compiler.dual_lanes import DUAL_SIZE, FIRST_LANE
from hybridsim.engine.compiler.keys import code_of
from hybridsim.engine.compiler.signatures import dual, dual_pointer, integer, integers, void
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.typing import FloatArray, Function

DUAL_SIGNATURES = {
    "vector_field": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer),
    "boundaries": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer),
    "transition": integer(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer, integers),
    "outputs": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer),
    "initial_chart": integer(dual_pointer, dual_pointer, dual_pointer, dual_pointer),
    "sliding_field": void(dual_pointer, dual_pointer, dual_pointer, dual_pointer, integer, integer),
}
"""C types of the contract functions on dual numbers: those of `engine.compiler.signatures`, with pointers to dual
numbers in place of pointers to doubles, and of time. `validate` has no derivative."""


def _interpreted_entry(function: Any) -> Function:
    """Make the function that takes rows of doubles, and passes objects of the class DualNumber to a copy."""
    copied = on_dual_numbers(function)

    def entry(result: Any, t: Any, x: Any, p: Any, *others: Any) -> Any:
        written = _numbers(result)
        answer = copied(written, _numbers(t)[0], _numbers(x), _numbers(p), *others)
        for row, number in zip(result.reshape(-1, DUAL_SIZE), written, strict=True):
            is_dual = isinstance(number, DualNumber)
            row[0], row[FIRST_LANE:] = (number.value, number.lanes) if is_dual else (number, 0.0)
        return answer

    return entry


def _numbers(doubles: FloatArray) -> Any:
    rows = doubles.reshape(-1, DUAL_SIZE)
    numbers = np.empty(len(rows), object)
    numbers[:] = [DualNumber(row[0], row[FIRST_LANE:].copy()) for row in rows]
    return numbers


@cache
def _code() -> str:
    """Return a hash of this package's code, which decides what a plug-in's function becomes on dual numbers."""
    return code_of(*Path(__file__).parent.glob("*.py"))


def _translation(name: str = "DUAL_TRANSLATION") -> Any:
    from hybridsim.duals import translation

    return vars(translation)[name]


@cache
def dual_arithmetic() -> Arithmetic:
    """Return dual numbers as the numbers that a plug-in's functions calculate with."""
    return Arithmetic(
        name=f" on dual numbers {_code()}",
        makes="the derivatives",
        is_whole=False,
        signatures=DUAL_SIGNATURES,
        inlined=frozenset(),  # it would take three times as long to compile, for code that is not faster
        translation=_translation,
        interpreted=_interpreted_entry,
        number=dual,
    )


@cache
def _trial_arithmetic() -> Arithmetic:
    """Return dual numbers where a plug-in's functions are only tried: without the package's kernels that they call.

    The whole of what contacts do takes minutes to compile, and says nothing about the plug-in.
    """
    name, translation = f" tried on dual numbers {_code()}", lambda: _translation("TRIAL_TRANSLATION")
    return replace(dual_arithmetic(), name=name, translation=translation, is_whole=True)


REPLAYED = ("vector_field", "boundaries", "transition", "sliding_field")
"""The functions that a run is replayed with."""


def dual_functions(model: Model, names: Sequence[str]) -> CompiledFunctions:
    """Compile functions of a model on dual numbers, or take them from the cache.

    Parameters
    ----------
    model : Model
        The model.
    names : sequence of str
        Names of the functions; those that the model does not have are left out.

    Returns
    -------
    CompiledFunctions
        Addresses of functions with the C types of `DUAL_SIGNATURES`; 0 for others.

    Raises
    ------
    ModelError
        If a function uses something that has no derivative, with `file:line`.
    """
    functions = {name: function for name, function in model.functions.items() if name in names}
    return compile_functions(model.name, functions, dual_arithmetic())


def differentiable_functions(model: Model) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Find which functions of a model have derivatives.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    functions : tuple of str
        Names of the functions that have derivatives.
    problems : tuple of str
        Why others have none, with `file:line`.
    """
    functions, problems = [], []
    for name in model.functions:
        if name in DUAL_SIGNATURES:
            try:
                compile_functions(model.name, {name: model.functions[name]}, _trial_arithmetic())
                functions.append(name)
            except ModelError as problem:
                problems.append(str(problem))
    return tuple(functions), tuple(problems)

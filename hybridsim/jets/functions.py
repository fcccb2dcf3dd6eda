"""The vector field and the boundaries of a model on power series: compiled a second time from the same source."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.engine.compiler.compilation import Arithmetic, CompiledFunctions, compile_functions
from hybridsim.engine.compiler.jet_rows import MAX_ROWS, OVERFLOW, ROW
from hybridsim.engine.compiler.signatures import VECTOR_FIELD, for_python, integer, pointer, void
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.typing import FloatArray

ON_SERIES = void(pointer, pointer, pointer, integer, integer, integer)
"""C types of both: `function(rows, tape, p, chart, orders, n_states)` writes coefficients of so many orders to `rows`.
The vector field writes to the rows of the states on the tape, where the coefficients of one order more follow."""


@cache
def _hash_of_sources() -> str:
    """Return a hash of this package and of the rules, which decide what a plug-in's function becomes on series."""
    package = Path(__file__).parent
    sources = [*sorted(package.glob("*.py")), package.parent / "duals" / "rules.py"]
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def _of_slopes() -> Any:
    from hybridsim.jets.translation import OF_SLOPES

    return OF_SLOPES


def _of_results() -> Any:
    from hybridsim.jets.translation import OF_RESULTS

    return OF_RESULTS


@cache
def arithmetic_of_series(name: str) -> Arithmetic:
    """Return power series as the numbers that a plug-in's `vector_field` or `boundaries` calculate with."""
    return Arithmetic(
        name=f" on series {_hash_of_sources()}, {name}",
        is_whole=True,
        signatures={name: ON_SERIES},
        inlined=frozenset({name}),
        translation={"vector_field": _of_slopes, "boundaries": _of_results}[name],
        interpreted=lambda function: function,
    )


def functions_on_series(model: Model) -> CompiledFunctions:
    """Compile the vector field and the boundaries of a model on power series, or take them from the cache.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    CompiledFunctions
        Addresses of functions with the C types `ON_SERIES`; 0 for others.

    Raises
    ------
    ModelError
        If a function uses something that has no power series, with `file:line`.
    """
    names = ("vector_field", "boundaries")
    compiled = [
        compile_functions(model.name, {name: model.functions[name]}, arithmetic_of_series(name))
        for name in names
        if name in model.functions
    ]
    addresses = np.sum([each.addresses for each in compiled], axis=0)
    return CompiledFunctions(addresses, tuple(owner for each in compiled for owner in each.alive))


def refuse_long_field(model: Model, compiled: CompiledFunctions, p: FloatArray, x: FloatArray) -> None:
    """Refuse a vector field of more operations than the tape has rows.

    Parameters
    ----------
    model : Model
        The model.
    compiled : CompiledFunctions
        Its functions on series.
    p : (n_parameters,) array
        Its parameters and inputs.
    x : (n_states,) array
        Its states, with which the operations of each chart are counted.

    Raises
    ------
    ModelError
        If it is too long in one of its charts.
    """
    n, evaluate = len(model.states), for_python(ON_SERIES, compiled.addresses[VECTOR_FIELD])
    tape = np.zeros((1 + n + MAX_ROWS, ROW))
    tape[1 : n + 1, 0] = x[:n]
    for chart in range(model.n_charts):
        evaluate(tape[1], tape, p, chart, 1, n)
    if tape[-1, OVERFLOW]:
        raise ModelError(f"model {model.name!r}: its vector field has more than {MAX_ROWS} operations with variables")

"""The vector field and the boundaries of a model on power series: compiled a second time from the same source."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.engine.compiler.compilation import Arithmetic, CompiledFunctions, compile_functions
from hybridsim.engine.compiler.jet_rows import MAX_ROWS, ROW, SPARE_ROWS, USED
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, for_python, integer, pointer, void
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.parameters import pack_parameters

ON_SERIES = void(pointer, pointer, pointer, integer, integer, integer)
"""C types of both: `function(rows, tape, p, chart, orders, n_states)` writes coefficients of so many orders to `rows`.
The vector field writes to the rows of the states on the tape, where the coefficients of one order more follow."""

MOST = MAX_ROWS - 2
"""Most operations with variables that a function may have in a chart."""

SHORT = 512
"""Operations up to which a function contains all its helpers: long ones would take minutes to compile."""


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
def arithmetic_of_series(name: str, is_inlined: bool) -> Arithmetic:
    """Return power series as the numbers that a plug-in's `vector_field` or `boundaries` calculate with."""
    return Arithmetic(
        name=f" on series {_hash_of_sources()}, {name}",
        makes="the power series",
        is_whole=True,
        signatures={name: ON_SERIES},
        inlined=frozenset({name} if is_inlined else ()),
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
        If a function uses something that has no power series, with `file:line`, or has too many operations; or if
        nothing is compiled.
    """
    if not JIT:
        raise ModelError(f"model {model.name!r}: power series need compiled functions; unset NUMBA_DISABLE_JIT")
    names = [name for name in ("vector_field", "boundaries") if name in model.functions]
    compiled = [_compiled(model, name) for name in names]
    addresses = np.sum([each.addresses for each in compiled], axis=0)
    return CompiledFunctions(addresses, tuple(owner for each in compiled for owner in each.alive))


def _compiled(model: Model, name: str) -> CompiledFunctions:
    """Compile one function; what is short contains all its helpers, which makes it three times as fast."""
    functions = {name: model.functions[name]}
    found = compile_functions(model.name, functions, arithmetic_of_series(name, is_inlined=False))
    operations = _operations(model, name, int(found.addresses[FUNCTION_INDEX[name]]))
    if operations > MOST:
        raise ModelError(f"model {model.name!r}: `{name}` has more than {MOST} operations with variables")
    if operations > SHORT:
        return found
    return compile_functions(model.name, functions, arithmetic_of_series(name, is_inlined=True))


def _operations(model: Model, name: str, address: int) -> int:
    """Return how many operations a function has in the chart where it has most: the rows of the tape that it uses.

    They are counted at the defaults of the model, so that its runs are equal to the bit whatever their values are.
    """
    n, evaluate = len(model.states), for_python(ON_SERIES, address)
    values: dict[str, Any] = {parameter.name: parameter.default for parameter in model.parameters}
    p = pack_parameters(model, values | {given.name: given.default for given in model.inputs})
    tape, g = np.zeros((1 + n + MAX_ROWS + SPARE_ROWS, ROW)), np.zeros((max(len(model.boundary_records), 1), ROW))
    tape[1 : n + 1, 0] = [state.default for state in model.states]
    most = 0.0
    for chart in range(model.n_charts):
        evaluate(tape[1] if name == "vector_field" else g, tape, p, chart, 1, n)
        most = max(most, tape[n + MAX_ROWS, USED])
    return int(most) - n - 1

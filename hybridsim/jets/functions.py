"""The vector field and the boundaries of a model on power series: compiled a second time from the same source."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.engine.compiler.compilation import Arithmetic, CompiledFunctions, compile_functions
from hybridsim.engine.compiler.jet_rows import MAX_ROWS, ROW_SIZE, SPARE_ROWS, USED_INDEX
from hybridsim.engine.compiler.keys import code_of
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, for_python, integer, pointer, void
from hybridsim.errors import ModelError
from hybridsim.jets.operation_counts import charts_to_count, count_operations
from hybridsim.model import Model
from hybridsim.model.trials import N_CHARTS_BEFORE_RUN, trials

ON_SERIES = void(pointer, pointer, pointer, integer, integer, integer)
"""C types of both: `function(rows, tape, p, chart, orders, n_states)` writes coefficients of so many orders to `rows`.
The vector field writes to the rows of the states on the tape, where the coefficients of one order more follow."""

MAX_OPERATIONS = MAX_ROWS - 2
"""Most operations with variables that a function may execute in a chart: rows of the tape."""

MAX_WRITTEN_OPERATIONS = 1024
"""Most places of a function's source, helpers included, with such operations. The compiler takes 20 s for 500 in a row,
a minute for 1,000, and more than five for 2,000."""

MAX_INLINED_OPERATIONS = 512
"""Operations up to which a function contains all its helpers, which makes it three times as fast."""


@cache
def _code() -> str:
    """Return a hash of the code of this package and of what it shares with `duals`: it decides what series become."""
    package = Path(__file__).parent
    return code_of(
        *package.glob("*.py"), *(package.parent / "duals" / f"{name}.py" for name in ("registration", "rules"))
    )


def _translation(name: str) -> Any:
    from hybridsim.jets.translation import TRANSLATIONS

    return TRANSLATIONS[name]


@cache
def arithmetic_of_series(name: str, is_inlined: bool) -> Arithmetic:
    """Return power series as the numbers that a plug-in's `vector_field` or `boundaries` calculate with."""
    return Arithmetic(
        name=f" on series {_code()}, {name}",
        makes="the power series",
        is_whole=True,
        signatures={name: ON_SERIES},
        inlined=frozenset({name} if is_inlined else ()),
        translation=partial(_translation, name),
        interpreted=lambda function: function,
    )


def functions_on_series(model: Model, names: Sequence[str] = ("vector_field", "boundaries")) -> CompiledFunctions:
    """Compile the vector field and the boundaries of a model on power series, or take them from the cache.

    Parameters
    ----------
    model : Model
        The model.
    names : sequence of str
        Which of both; what the model does not have is left out.

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
    counts = {name: count_operations(model, name) for name in names if name in model.functions}
    for name, (executed, written) in counts.items():
        # Before anything is compiled, which may take minutes.
        _refuse_too_many(model, name, executed, MAX_OPERATIONS, "")
        _refuse_too_many(model, name, written, MAX_WRITTEN_OPERATIONS, " in its source, with what it calls")
    compiled = [_compile(model, name, count.executed <= MAX_INLINED_OPERATIONS) for name, count in counts.items()]
    addresses = np.sum([each.addresses for each in compiled], axis=0)
    return CompiledFunctions(addresses, tuple(owner for each in compiled for owner in each.alive))


def _refuse_too_many(model: Model, name: str, found: int, most: int, where: str) -> None:
    if found > most:
        code = model.functions[name].__code__
        raise ModelError(
            f"engine.method: taylor: `{name}` of model {model.name!r} has {found:,} operations with variables{where}; "
            f"expected at most {most:,} ({code.co_filename}:{code.co_firstlineno})"
        )


def _compile(model: Model, name: str, is_inlined: bool) -> CompiledFunctions:
    """Compile one function, and look whether its series fit on a tape: some functions take several rows."""
    found = compile_functions(model.name, {name: model.functions[name]}, arithmetic_of_series(name, is_inlined))
    rows = _rows(model, name, int(found.addresses[FUNCTION_INDEX[name]]))
    _refuse_too_many(model, name, rows, MAX_OPERATIONS, " on series")
    return found


def _rows(model: Model, name: str, address: int) -> int:
    """Return how many rows of the tape a function takes in the chart where they are most, of those that are tried."""
    n, evaluate = len(model.states), for_python(ON_SERIES, address)
    tried = trials(model, n_random=0, n_charts=N_CHARTS_BEFORE_RUN)
    tape = np.zeros((1 + n + MAX_ROWS + SPARE_ROWS, ROW_SIZE))
    g = np.zeros((max(len(model.boundary_records), 1), ROW_SIZE))
    tape[1 : n + 1, 0] = tried.states[0]
    most = 0.0
    for chart in charts_to_count(tried):
        evaluate(tape[1] if name == "vector_field" else g, tape, tried.p, chart, 1, n)
        most = max(most, tape[n + MAX_ROWS, USED_INDEX])
    return int(most) - n - 1

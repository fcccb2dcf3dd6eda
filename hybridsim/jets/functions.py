"""The vector field of a model on power series: compiled a second time from the same source."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from hybridsim.engine.compiler.compilation import Arithmetic, CompiledFunctions, compile_functions
from hybridsim.engine.compiler.signatures import integer, pointer, void
from hybridsim.model import Model

SIGNATURES = {"vector_field": void(pointer, pointer, integer, integer, integer)}
"""C types of the functions on series: `vector_field(tape, p, chart, order, n_states)`."""


@cache
def _hash_of_sources() -> str:
    """Return a hash of this package and of the rules, which decide what a plug-in's function becomes on series."""
    package = Path(__file__).parent
    sources = [*sorted(package.glob("*.py")), package.parent / "duals" / "rules.py"]
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]


def _translation() -> Any:
    from hybridsim.jets.translation import SERIES

    return SERIES


@cache
def arithmetic_of_series() -> Arithmetic:
    """Return power series as the numbers that a plug-in's functions calculate with."""
    return Arithmetic(
        name=f" on series {_hash_of_sources()}",
        is_whole=True,
        signatures=SIGNATURES,
        inlined=frozenset(SIGNATURES),
        translation=_translation,
        interpreted=lambda function: function,
    )


def field_on_series(model: Model) -> CompiledFunctions:
    """Compile the vector field of a model on power series, or take it from the cache.

    Parameters
    ----------
    model : Model
        The model.

    Returns
    -------
    CompiledFunctions
        The address of a function with the C types of `SIGNATURES`; 0 for others.

    Raises
    ------
    ModelError
        If it uses something that has no power series, with `file:line`.
    """
    return compile_functions(model.name, {"vector_field": model.functions["vector_field"]}, arithmetic_of_series())

"""The engine's own functions: compiled once for all models, and kept in the cache folder."""

from __future__ import annotations

import hashlib
import inspect
from typing import Any

import numpy as np
from numba import types

from hybridsim.engine.compiler.function_file import FunctionFile, file_of
from hybridsim.engine.compiler.linking import inlined
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.routines import ROUTINES, registered
from hybridsim.engine.compiler.target import platform_key
from hybridsim.typing import Function

_alive: list[Any] = []
"""The compiled routines: their machine code must exist as long as their addresses are in use."""


def compile_routines(*kinds: types.Type) -> tuple[int, ...]:
    """Compile the engine's routines, or take them from the cache.

    Parameters
    ----------
    *kinds : numba types
        The types of the arguments `problem`, `state`, `workspace` and `record` inside the engine.

    Returns
    -------
    tuple of int
        Addresses, in the order of `routines.ROUTINES`.
    """
    addresses = []
    for name in ROUTINES:
        function, returns, extra = registered[name]
        compiled = _cached(function, no_cpython_wrapper=True)
        compiled.compile(returns(*kinds[: 4 if "record" in inspect.signature(function).parameters else 3], *extra))
        (result,) = compiled.overloads.values()
        _alive.append(compiled)
        addresses.append(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
    return tuple(addresses)


def compile_entry(function: Function, version: str = "") -> Any:
    """Make a function an entry point: compiled on its first call, and read from the cache later.

    `version` is part of the key in the cache. A function outside the engine gives a hash of the sources that it uses.
    """
    if not JIT:
        return np.errstate(all="ignore")(function)  # infinities and nan without warnings, as in compiled code
    return _cached(function, version)


def _cached(function: Function, version: str = "", **options: Any) -> Any:
    """A function of the engine that numba compiles and keeps in the engine's cache."""
    compiled = inlined(function, **options)
    compiled._cache = _EngineCache(function, version)
    return compiled


class _EngineCache:
    """The files of one function of the engine, one for each signature. numba uses it in place of its own cache.

    The folder of the files, `platform_key`, stands for the engine's sources, so that the name of the function
    identifies what it computes. Its instructions are hashed, too, for functions that are defined elsewhere.
    """

    def __init__(self, function: Function, version: str) -> None:
        self._identity = function.__module__, function.__qualname__, function.__code__.co_code, version

    def load_overload(self, signature: Any, context: Any) -> Any:
        return self._file(signature).load_overload(signature, context)

    def save_overload(self, signature: Any, result: Any) -> None:
        self._file(signature).save_overload(signature, result)

    def flush(self) -> None:
        """Forget nothing: numba calls this before it compiles a function again."""

    def _file(self, signature: Any) -> FunctionFile:
        key = hashlib.sha256(repr((platform_key(), *self._identity, str(signature))).encode()).hexdigest()[:32]
        return file_of(f"{self._identity[1]}-{key}", "engine")

"""The engine's own functions: compiled once for all models, and kept on disk by numba's cache."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np
from numba import types

from hybridsim.engine.compiler.cache_folder import cache_root
from hybridsim.engine.compiler.routines import ROUTINES, registered
from hybridsim.engine.compiler.signatures import JIT, OPTIONS, numba_settings
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


def compile_entry(function: Function) -> Any:
    """Make a function an entry point of the engine: compiled on its first call, and read from the cache later."""
    if not JIT:
        return np.errstate(all="ignore")(function)  # infinities and nan without warnings, as in compiled code
    return _cached(function)


def _cached(function: Function, **options: Any) -> Any:
    """A function of the engine that numba compiles and keeps in the engine's cache."""
    with _cache_folder():
        compiled: Any = numba.njit(cache=True, **options, **OPTIONS)(function)
    compiled._cache = _RepairingCache(compiled._cache)
    return compiled


@contextmanager
def _cache_folder() -> Iterator[None]:
    """Let numba use the engine's cache folder while a function is decorated."""
    before = numba_settings.CACHE_DIR
    numba_settings.CACHE_DIR = str(cache_root() / platform_key() / "engine")
    try:
        yield
    finally:
        numba_settings.CACHE_DIR = before


class _RepairingCache:
    """numba's cache of one function, which writes damaged files anew.

    numba itself renews outdated and missing files, but raises whatever reading a damaged one raises.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        try:
            return self._cache.load_overload(signature, context)
        except Exception:
            self._cache.flush()  # an empty index, so that saving does not read the damaged one
            return None

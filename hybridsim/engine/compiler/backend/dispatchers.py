"""Functions that Python calls with arrays and named tuples as they are, by numba's own means, kept in the cache.

A process that calls one of them imports numba. Functions that take tables of pointers are entries (`entries.Entry`),
which do without.
"""

from __future__ import annotations

import hashlib
import pickle
from pathlib import Path
from typing import Any

from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from hybridsim.engine.compiler.backend.linking import inline
from hybridsim.engine.compiler.keys import machine_key
from hybridsim.engine.compiler.object_file import file_of, path_in_cache, read_verified, write_verified
from hybridsim.typing import Function


def dispatcher(function: Function, version: str) -> Any:
    """Make a function that is compiled on its first call with arguments of some types, and read from the cache later.

    Parameters
    ----------
    function : callable
        The function.
    version : str
        A hash of what the function contains besides the engine's sources: a part of its key in the cache.
    """
    compiled = inline(function)
    compiled._cache = _Cache(function, version)
    return compiled


class _Cache:
    """The files of one function, one for each signature. numba uses it in place of its own cache."""

    def __init__(self, function: Function, version: str) -> None:
        self._identity = function.__module__, function.__qualname__, function.__code__.co_code, version

    def load_overload(self, signature: Any, context: Any) -> Any:
        """Read the compiled function; None if the file is missing or damaged, or if other users can write it."""
        context.refresh()
        content = read_verified(self._path(signature))
        if content is None:
            return None
        try:
            return CompileResult._rebuild(context, *pickle.loads(content))
        except Exception:  # a module may be missing that the file names
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write the compiled function, unless it contains addresses that are valid in this process only."""
        if not result.library.has_dynamic_globals:
            write_verified(self._path(signature), dumps(result._reduce()))

    def flush(self) -> None:
        """Forget nothing: numba calls this before it compiles a function again."""

    def _path(self, signature: Any) -> Path:
        key = hashlib.sha256(repr((machine_key(), *self._identity, str(signature))).encode()).hexdigest()[:32]
        return path_in_cache(file_of(f"{self._identity[1]}-{key}", "dispatchers"))

"""The functions of this package, compiled for numpy arrays: what the methods of a mechanism call."""

from __future__ import annotations

from functools import cache
from typing import Any

from hybridsim.engine.compiler.compilation import DOUBLES, with_compiled_helpers
from hybridsim.engine.compiler.engine_cache import compile_entry
from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.options import JIT
from hybridsim.typing import Function


@cache
def compiled(function: Function) -> Any:
    """Return a function of this package, compiled; from the cache if it has been compiled before.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    callable
        The same function, for arrays and named tuples of arrays.
    """
    if not JIT:
        return compile_entry(function)
    content = content_hash(function)
    assert content is not None, function
    return compile_entry(with_compiled_helpers(function, content, frozenset(), DOUBLES), content)

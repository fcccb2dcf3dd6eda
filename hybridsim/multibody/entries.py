"""The functions of this package, compiled for numpy arrays: what the methods of a mechanism call."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from hybridsim.engine.compiler.fingerprint import content_hash
from hybridsim.engine.compiler.options import JIT
from hybridsim.typing import Function


@cache
def compile_function(function: Function) -> Any:
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
        return np.errstate(all="ignore")(function)  # infinities and nan without warnings, as in compiled code
    from hybridsim.engine.compiler.backend.dispatchers import dispatcher
    from hybridsim.engine.compiler.backend.plugin_functions import DOUBLES_TRANSLATION, with_compiled_helpers

    content = content_hash(function)
    assert content is not None, function
    return dispatcher(with_compiled_helpers(function, content, frozenset(), DOUBLES_TRANSLATION), content)

"""What stands for a plug-in's functions and named tuples where they are compiled on dual numbers."""

from __future__ import annotations

from typing import Any

from numba import types

from hybridsim.duals import mixed_tuples, operators
from hybridsim.duals.number_type import dual
from hybridsim.duals.signatures import dual_pointer
from hybridsim.engine.compiler.backend.binding import bound, shifted
from hybridsim.engine.compiler.backend.c_types import NUMBA_TYPES
from hybridsim.engine.compiler.backend.linking import plugin_helper
from hybridsim.engine.compiler.backend.plugin_functions import Translation, stack_memory
from hybridsim.engine.compiler.backend.promotion import promoting_constructor
from hybridsim.engine.compiler.scratch import scratch
from hybridsim.engine.compiler.slices import bind, part

assert operators  # imported, as mixed_tuples, for what it registers
assert mixed_tuples
NUMBA_TYPES[dual_pointer] = types.CPointer(dual)


def _entry(function: Any) -> Any:
    """Make the function that takes time as a pointer."""
    inner = plugin_helper(function)

    def of_four(result, t, x, p):
        return inner(result, t[0], x, p)

    def of_five(result, t, x, p, chart):
        return inner(result, t[0], x, p, chart)

    def of_six(result, t, x, p, chart, last):
        return inner(result, t[0], x, p, chart, last)

    entry: Any = {4: of_four, 5: of_five, 6: of_six}[function.__code__.co_argcount]
    # Where numba says in which files a function does not compile, this one is not to be found.
    entry.__code__ = entry.__code__.replace(co_filename="<on dual numbers>")
    entry.__module__, entry.__qualname__ = function.__module__, f"{function.__qualname__}_on_duals"
    return entry


DUAL_NUMBERS = Translation(
    compiled={scratch: stack_memory(dual), part: shifted, bind: bound},
    constructor=promoting_constructor(dual),
    entry=_entry,
    is_whole=True,
)

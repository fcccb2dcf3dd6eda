"""The engine's routines and entry points, translated to machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from hybridsim.engine.compiler.backend.c_types import NUMBA_TYPES, pointer_to
from hybridsim.engine.compiler.backend.linking import c_function, routine_function
from hybridsim.engine.compiler.backend.tables import table_type
from hybridsim.engine.compiler.object_file import ObjectCode
from hybridsim.engine.compiler.routines import registered
from hybridsim.engine.compiler.signatures import CType
from hybridsim.typing import Function


def entry(function: Function, returns: CType, arguments: tuple[Any, ...]) -> ObjectCode:
    """Compile an entry point as a C function, for arguments like these."""
    return c_function(function, (tuple(map(_type_inside, arguments)), NUMBA_TYPES[returns]), True)


def routine(name: str, memory: tuple[Any, ...]) -> ObjectCode:
    """Compile a routine, for arrays `problem`, `state`, `workspace` and `record` like these.

    It is called as numba's functions call each other, and says by a further result whether there was an exception.
    """
    function, returns, extra = found = registered[name]
    given = [_type_inside(arrays) for arrays in memory[: 4 if found.takes_record else 3]]
    return routine_function(function, ((*given, *(NUMBA_TYPES[each] for each in extra)), NUMBA_TYPES[returns]))


def _type_inside(argument: Any) -> Any:
    """The type of a table, of a pointer to an array's entries, of a record, or of a whole number."""
    if isinstance(argument, tuple):
        return table_type(argument)
    return pointer_to(argument) if isinstance(argument, np.ndarray) else types.int64

"""Pieces of the engine that are compiled on their own and called through their addresses.

The code that runs at every step is compiled as one function. Code that runs rarely would, linked into it, be optimised
again with each of its callers, and the engine would take minutes to compile; called through an address it is compiled
once.

A routine takes the addresses of tables of the pointers in `Problem`, `Workspace` and `Log` (`PointerTable`). The main
loop begins by loading all of them (`loaded`).
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.deferred import Deferred
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import CType
from hybridsim.typing import Function

ROUTINES = (
    "advance",
    "enter",
    "jump",
    "leave_chart",
    "first_root",
    "next_fall",
    "rate_at",
    "sample_all",
    "report_touches",
    "look_for_touch",
    "judge",
    "note_shift",
    "find_probe",
    "renew_slide",
    "sliding_slope",
    "sliding_boundaries",
    "make_rosenbrock_step",
    "series_step",
    "sample_series",
    "prepare_program",
    "interpret",
    "why_too_small",
    "cut",
    "resume",
)
"""Routines, in the order of their addresses in `Problem.functions`, after those of the model's functions."""


class Routine(NamedTuple):
    """A routine as plain Python, its return type, and the types of its arguments after problem ... record."""

    function: Function
    returns: CType
    extra: tuple[CType, ...]

    @property
    def takes_record(self) -> bool:
        """Whether `record` is among its arguments."""
        return "record" in inspect.signature(self.function).parameters


registered: dict[str, Routine] = {}
"""The routines by name, as far as their modules have been imported."""

TABLE_ARGUMENTS = ("problem", "workspace", "record")
"""Names of the arguments that are tables; `state` holds the address of each, as `problem_table` and so on."""


loaded: Any = Deferred("tables", "loaded") if JIT else lambda table: table
"""Load the pointers of a table once, for a loop whose every step takes the same ones: it keeps them in registers. Other
code loads the few that it needs from the table, which never changes."""


def table_of(arrays: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The addresses (n,) of the arrays, whose entries must follow one another. The caller keeps both alive."""
    assert all(array.flags.c_contiguous for array in arrays)
    return np.array([_address_of(array) for array in arrays], np.int64)


def _address_of(array: Any) -> int:
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # four times as fast
    except (TypeError, ValueError):  # read-only, or empty
        return int(array.ctypes.data)


def routine(returns: CType, *extra: CType) -> Callable[[Function], Any]:
    """Make a function a routine of problem, state, workspace, `record` if named, and arguments of types `extra`."""

    def register(function: Function) -> Any:
        registered[function.__name__] = Routine(function, returns, extra)
        index = ROUTINES.index(function.__name__)
        return Deferred("tables", "call_of_routine", index, returns, extra) if JIT else function

    return register


def caller_of_routines(scalars: np.dtype[Any]) -> Any:
    """Make the function `call(address, state_address, number)`, which calls a routine by its address.

    The routine takes one further whole number and returns one: `advance`, `cut` or `resume`. `scalars` is the numpy
    type of the record at `state_address`, which holds the addresses of the tables that the routine takes.
    """
    return Deferred("tables", "caller_of_routines", scalars)

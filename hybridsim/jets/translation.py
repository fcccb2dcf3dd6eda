"""What stands for a plug-in's functions and named tuples where they are compiled on power series."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import overload

from hybridsim.duals.registration import intrinsic
from hybridsim.engine.compiler.backend.binding import shift_pointer
from hybridsim.engine.compiler.backend.linking import plugin_helper
from hybridsim.engine.compiler.backend.plugin_functions import Translation, stand_ins
from hybridsim.engine.compiler.backend.promotion import promoting_constructor
from hybridsim.engine.compiler.jet_rows import MAX_ROWS, ROW_SIZE, USED_INDEX
from hybridsim.engine.compiler.lanes import LANES
from hybridsim.jets import elementary
from hybridsim.jets.number_type import ARRAYS, CONTEXT, INTEGER, POINTER, Jet, jet, results, slopes, states

assert elementary  # imported for what it registers

SHOWN_FILE = "<on series>"
"""Where numba says in which files a function does not compile, this one is not to be found."""


def _make_constructor(kind: Any) -> Any:
    @intrinsic
    def make(typingctx: Any, row: Any, m: Any, blocks: Any, end: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            made = cgutils.create_struct_proxy(kind)(context, builder)
            made.row, made.m, made.blocks, made.end = arguments
            if isinstance(kind, Jet):
                made.last = builder.load(builder.gep(arguments[0], [arguments[1]]))
            return made._getvalue()

        return kind(POINTER, *(each for _, each in CONTEXT)), codegen

    return make


_jet, _states, _slopes, _results = (_make_constructor(kind) for kind in (jet, states, slopes, results))


@intrinsic
def _tape_end(typingctx: Any) -> Any:
    """Where the next, the last and the first row for results are kept: variables of the function that calls this."""

    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType().as_pointer(), size=3)

    return types.CPointer(POINTER)(), codegen


@intrinsic
def _advance(typingctx: Any, pointer: Any, doubles: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return POINTER(POINTER, types.int64), codegen


@intrinsic
def _rows_between(typingctx: Any, first: Any, last: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        begin, end = (builder.ptrtoint(each, INTEGER) for each in arguments)
        return builder.sdiv(builder.sub(end, begin), INTEGER(8 * ROW_SIZE))

    return types.int64(POINTER, POINTER), codegen


def _entry(function: Any, array: Any) -> Any:
    """Make the function that computes the coefficients of several orders, from 0 on, as a C function.

    It contains the function once for each number of whole blocks below the order, and once for the order 0. `array`
    makes what the function writes to.
    """
    inner = plugin_helper(function)

    def one_order(target, tape, end, p, chart, m, blocks):
        rows = _advance(tape, ROW_SIZE)
        end[0] = end[2]
        inner(array(target, m, blocks, end), _jet(tape, m, blocks, end), _states(rows, m, blocks, end), p, chart)

    one_order.__code__ = one_order.__code__.replace(co_filename=SHOWN_FILE)
    one = plugin_helper(one_order)

    def entry(target, tape, p, chart, orders, n_states):
        end = _tape_end()
        last = _advance(tape, ROW_SIZE * (n_states + MAX_ROWS))
        end[1] = last
        end[2] = _advance(tape, ROW_SIZE * (n_states + 1))
        one(target, tape, end, p, chart, 0, 0)
        for m in range(1, min(1 + LANES, orders)):
            one(target, tape, end, p, chart, m, 0)
        for m in range(1 + LANES, min(1 + 2 * LANES, orders)):
            one(target, tape, end, p, chart, m, 1)
        for m in range(1 + 2 * LANES, min(1 + 3 * LANES, orders)):
            one(target, tape, end, p, chart, m, 2)
        for m in range(1 + 3 * LANES, orders):
            one(target, tape, end, p, chart, m, 3)
        last[USED_INDEX] = _rows_between(tape, end[0])
        if last[USED_INDEX] == n_states + MAX_ROWS:  # there are not enough: no series
            target[orders] = np.nan

    made: Any = entry
    made.__code__ = made.__code__.replace(co_filename=SHOWN_FILE)
    made.__module__, made.__qualname__ = function.__module__, f"{function.__qualname__}_on_series"
    return made


@intrinsic
def _part_of_array(typingctx: Any, values: Any, first: Any, n: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        made = cgutils.create_struct_proxy(values)(context, builder, arguments[0])
        made.row = builder.gep(made.row, [builder.mul(arguments[1], INTEGER(ROW_SIZE))])
        return made._getvalue()

    return values(values, types.int64, types.int64), codegen


def _part(values: Any, first: Any, n: Any) -> Any:
    """Stands for `subarray(values, first, n)` of x, xdot or g, and of memory as in other functions."""
    raise NotImplementedError


@overload(_part)
def _type_part(values, first, n):
    if isinstance(values, ARRAYS):
        return lambda values, first, n: _part_of_array(values, first, n)
    return lambda values, first, n: shift_pointer(values, first, n)


def translation(array: Any) -> Translation:
    """Make the translation of a function that writes to such an array."""
    return Translation(
        compiled=stand_ins(jet, _part),
        constructor=promoting_constructor(jet),
        entry=lambda function: _entry(function, array),
    )


TRANSLATIONS = {"vector_field": translation(_slopes), "boundaries": translation(_results)}
"""The translation of each function that is compiled on series."""

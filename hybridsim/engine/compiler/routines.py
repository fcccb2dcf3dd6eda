"""Pieces of the engine that are compiled on their own and called through their addresses.

The code that runs at every step is compiled as one function. Code that runs rarely would, linked into it, be optimised
again with each of its callers, and the engine would take minutes to compile; called through an address it is compiled
once.

The main loop holds the pointers of `Problem`, `Workspace` and `Log` in registers and on its stack. A routine takes the
address of a table of them (`PointerTable`), and begins by loading the pointers that it uses (`loaded`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model

from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX

ROUTINES = (
    "advance",
    "enter",
    "jump",
    "leave_chart",
    "first_root",
    "next_fall",
    "rate_at",
    "report_touches",
    "look_for_touch",
    "judge",
    "find_probe",
    "renew_slide",
    "sliding_slope",
    "sliding_boundaries",
    "cut",
    "resume",
)
"""Routines, in the order of their addresses in `Problem.functions`, after those of the model's functions."""

registered: dict[str, tuple[Callable[..., Any], types.Type, tuple[types.Type, ...]]] = {}
"""By name: the routine as plain Python, its return type, and the types of its arguments after `record`."""

TABLES = ("problem", "workspace", "record")
"""Names of the arguments that are tables; `state` holds the address of each, as `problem_table` and so on."""

_ADDRESS = ir.IntType(64)
_intrinsic: Any = intrinsic


class PointerTable(types.Type):
    """The type of the address of a table of pointers; each has a name and a type."""

    def __init__(self, tuple_class: type, fields: dict[str, types.Type]) -> None:
        super().__init__(name=f"PointerTable({tuple_class.__name__}, {fields})")
        self.tuple_class, self.fields = tuple_class, fields


@register_model(PointerTable)
class _PointerTableModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, numba_type: Any) -> None:
        super().__init__(dmm, numba_type, _ADDRESS.as_pointer())


@infer_getattr
class _PointerTableAttributes(AttributeTemplate):
    key = PointerTable

    def generic_resolve(self, table: Any, name: str) -> Any:  # type: ignore[override]
        return table.fields.get(name)


@lower_getattr_generic(PointerTable)
def _load_field(context: Any, builder: Any, table: PointerTable, value: Any, name: str) -> Any:
    index = ir.Constant(ir.IntType(64), list(table.fields).index(name))
    return builder.inttoptr(builder.load(builder.gep(value, [index])), context.get_value_type(table.fields[name]))


@_intrinsic
def _loaded(typingctx: Any, table: Any) -> Any:
    pointers = types.NamedTuple([*table.fields.values()], table.tuple_class)

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        fields = [_load_field(context, builder, table, values[0], name) for name in table.fields]
        return context.make_tuple(builder, pointers, fields)

    return pointers(table), codegen


def _as_it_is(table: Any) -> Any:
    return table


loaded = _loaded if JIT else _as_it_is
"""Load the pointers of a table once. Read from the table itself they would be loaded again after every store, because
the compiler must assume that the store has changed the table."""


def table_type(arrays: Any) -> PointerTable:
    """The type of a table of pointers to the arrays of a named tuple; an array of one record becomes the record."""
    fields: dict[str, types.Type] = {}
    for name, array in zip(arrays._fields, arrays, strict=True):
        element = numba.typeof(array).dtype
        fields[name] = element if isinstance(element, types.Record) else types.CPointer(element)
    return PointerTable(type(arrays), fields)


def table_of(arrays: Any) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The addresses (n,) of the arrays. The caller keeps both alive."""
    return np.array([array.ctypes.data for array in arrays], np.int64)


def routine(returns: types.Type, *extra: types.Type) -> Callable[[Callable[..., Any]], Any]:
    """Make a function a routine of problem, state, workspace, `record` if named, and arguments of types `extra`."""

    def register(function: Callable[..., Any]) -> Any:
        registered[function.__name__] = function, returns, extra
        return _call(ROUTINES.index(function.__name__), returns, extra) if JIT else function

    return register


def _call(index: int, returns: types.Type, extra: tuple[types.Type, ...]) -> Any:
    """An intrinsic that calls the routine with that index."""

    @_intrinsic
    def call(typingctx: Any, problem: Any, state: Any, workspace: Any, *others: Any) -> Any:
        starred = len(others) == 1 and type(others[0]) in (types.Tuple, types.UniTuple, types.StarArgTuple)
        given = tuple(others[0]) if starred else others
        logs = given[: len(given) - len(extra)]
        signature = returns(problem, state, workspace, types.StarArgTuple((*logs, *extra)))

        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            problem_value, state_value, workspace_value, others_value = values
            address = _address_of_routine(context, builder, problem, problem_value, index)

            def table(name: str, given_type: Any, value: Any) -> Any:
                if isinstance(given_type, PointerTable):
                    return value
                return _table(context, builder, state, state_value, name)

            lowered = [
                table("problem", problem, problem_value),
                state_value,
                table("workspace", workspace, workspace_value),
            ]
            rest = [builder.extract_value(others_value, n) for n in range(len(logs) + len(extra))]
            if logs:
                lowered.append(table("record", logs[0], rest[0]))
            lowered += rest[len(logs) :]
            # All tables have the same type in machine code.
            tables = [PointerTable(object, {})] * len(logs)
            taken = (PointerTable(object, {}), state, PointerTable(object, {}), *tables, *extra)
            function_type = context.call_conv.get_function_type(returns, taken)
            function = builder.inttoptr(address, function_type.as_pointer())
            return context.call_conv.call_function(builder, function, returns, taken, lowered)[1]

        return signature, codegen

    return call


def _table(context: Any, builder: Any, state: Any, state_value: Any, name: str) -> Any:
    """Load the address of the table `name` from the record `state`, for a caller that has its arrays as pointers."""
    address = context.get_getattr(state, f"{name}_table")(context, builder, state, state_value, f"{name}_table")
    return builder.inttoptr(address, _ADDRESS.as_pointer())


def _address_of_routine(context: Any, builder: Any, problem: Any, problem_value: Any, index: int) -> Any:
    """Load the address of the routine with that index; the routines follow the model's functions."""
    functions = (
        _load_field(context, builder, problem, problem_value, "functions")
        if isinstance(problem, PointerTable)
        else builder.extract_value(problem_value, problem.fields.index("functions"))
    )
    return builder.load(builder.gep(functions, [ir.Constant(_ADDRESS, len(FUNCTION_INDEX) + index)]))


def caller_of_routines(scalars: Any) -> Any:
    """Make the function `call(address, state_address, number)`, which calls a routine by its address.

    The routine takes one further whole number and returns one: `advance`, `cut` or `resume`. `scalars` is the numpy
    type of the record at `state_address`, which holds the addresses of the tables that the routine takes.
    """
    record = numba.from_dtype(scalars)

    @_intrinsic
    def call(typingctx: Any, address: Any, state_address: Any, number: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            here = builder.inttoptr(values[1], context.get_value_type(record))
            addresses = [f"{name}_table" for name in TABLES]
            tables = [
                builder.inttoptr(
                    context.get_getattr(record, name)(context, builder, record, here, name), _ADDRESS.as_pointer()
                )
                for name in addresses
            ]
            table = PointerTable(object, {})
            taken = (table, record, table, table, types.int64)
            function_type = context.call_conv.get_function_type(types.int64, taken)
            function = builder.inttoptr(values[0], function_type.as_pointer())
            given = [tables[0], here, *tables[1:], values[2]]
            return context.call_conv.call_function(builder, function, types.int64, taken, given)[1]

        return types.int64(types.int64, types.int64, types.int64), codegen

    return call

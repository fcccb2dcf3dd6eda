"""Tables of pointers as a type of numba's, and the calls of routines, which take their addresses."""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model

from hybridsim.engine.compiler.backend.c_types import NUMBA_TYPES, pointer_to
from hybridsim.engine.compiler.routines import TABLE_ARGUMENTS
from hybridsim.engine.compiler.signatures import FUNCTION_INDEX, CType

_ADDRESS_TYPE = ir.IntType(64)
_intrinsic: Any = intrinsic


class PointerTable(types.Type):
    """The type of the address of a table of pointers; each has a name and a type."""

    def __init__(self, tuple_class: type, fields: dict[str, types.Type]) -> None:
        self.tuple_class, self.fields = tuple_class, fields
        super().__init__(name=f"PointerTable({tuple_class.__name__})")

    @property
    def key(self) -> Any:
        """What tells two types apart; the name, which becomes a part of symbols, is short."""
        return self.tuple_class, tuple(self.fields.items())


@register_model(PointerTable)
class _PointerTableModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, numba_type: Any) -> None:
        super().__init__(dmm, numba_type, _ADDRESS_TYPE.as_pointer())


@infer_getattr
class _PointerTableAttributes(AttributeTemplate):
    key = PointerTable

    def generic_resolve(self, table: Any, name: str) -> Any:  # type: ignore[override]
        return table.fields.get(name)


@lower_getattr_generic(PointerTable)
def _load_field(context: Any, builder: Any, table: PointerTable, value: Any, name: str) -> Any:
    index = ir.Constant(ir.IntType(64), list(table.fields).index(name))
    address = builder.load(builder.gep(value, [index]))
    address.set_metadata("invariant.load", builder.module.add_metadata([]))
    return builder.inttoptr(address, context.get_value_type(table.fields[name]))


@_intrinsic
def loaded(typingctx: Any, table: Any) -> Any:
    """`routines.loaded` compiled."""
    pointers = types.NamedTuple([*table.fields.values()], table.tuple_class)

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        fields = [_load_field(context, builder, table, values[0], name) for name in table.fields]
        return context.make_tuple(builder, pointers, fields)

    return pointers(table), codegen


def table_type(arrays: Any) -> PointerTable:
    """The type of a table of pointers to the arrays of a named tuple; an array of one record becomes the record."""
    fields = {name: pointer_to(array) for name, array in zip(arrays._fields, arrays, strict=True)}
    return PointerTable(type(arrays), fields)


def call_of_routine(index: int, returned: CType, further: tuple[CType, ...]) -> Any:
    """Make the intrinsic function that calls the routine with that index."""
    returns, extra = NUMBA_TYPES[returned], tuple(NUMBA_TYPES[argument] for argument in further)

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
    return builder.inttoptr(address, _ADDRESS_TYPE.as_pointer())


def _address_of_routine(context: Any, builder: Any, problem: Any, problem_value: Any, index: int) -> Any:
    """Load the address of the routine with that index; the routines follow the model's functions."""
    functions = (
        _load_field(context, builder, problem, problem_value, "functions")
        if isinstance(problem, PointerTable)
        else builder.extract_value(problem_value, problem.fields.index("functions"))
    )
    return builder.load(builder.gep(functions, [ir.Constant(_ADDRESS_TYPE, len(FUNCTION_INDEX) + index)]))


def caller_of_routines(scalars: Any) -> Any:
    """`routines.caller_of_routines` compiled."""
    record = numba.from_dtype(scalars)

    @_intrinsic
    def call(typingctx: Any, address: Any, state_address: Any, number: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            here = builder.inttoptr(values[1], context.get_value_type(record))
            addresses = [f"{name}_table" for name in TABLE_ARGUMENTS]
            tables = [
                builder.inttoptr(
                    context.get_getattr(record, name)(context, builder, record, here, name), _ADDRESS_TYPE.as_pointer()
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

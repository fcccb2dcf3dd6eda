"""Calls of C functions by their addresses, and pointers into arrays, compiled."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hybridsim.engine.compiler.backend.c_types import NUMBA_TYPES
from hybridsim.engine.compiler.signatures import CType

_intrinsic: Any = intrinsic  # by numba's annotations the typing context would be an argument of the call


def foreign_call(c_type: CType) -> Any:
    """Make the intrinsic function `call(address, *arguments)` that calls a C function which returns this type."""
    returns = NUMBA_TYPES[c_type]

    @_intrinsic
    def call(typingctx: Any, address: Any, *arguments: Any) -> Any:
        starred = len(arguments) == 1 and isinstance(arguments[0], types.BaseTuple)
        packed = tuple(arguments[0]) if starred else arguments
        signature = returns(types.int64, types.StarArgTuple(packed))

        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            function, packed_values = values
            lowered = [builder.extract_value(packed_values, index) for index in range(len(packed))]
            result = ir.VoidType() if returns == types.void else context.get_value_type(returns)
            function_type = ir.FunctionType(result, [value.type for value in lowered])
            answer = builder.call(builder.inttoptr(function, function_type.as_pointer()), lowered)
            return context.get_dummy_value() if returns == types.void else answer

        return signature, codegen

    return call


@_intrinsic
def shifted_pointer(typingctx: Any, data: Any, offset: Any) -> Any:
    """The pointer to data[offset]."""
    signature = data(data, types.int64)

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return signature, codegen


@_intrinsic
def unlikely(typingctx: Any, condition: Any) -> Any:
    """`deferred.unlikely` compiled."""

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        bit = ir.IntType(1)
        expect = builder.module.declare_intrinsic("llvm.expect", [bit], ir.FunctionType(bit, [bit, bit]))
        return builder.call(expect, [values[0], ir.Constant(bit, 0)])

    return types.boolean(types.boolean), codegen

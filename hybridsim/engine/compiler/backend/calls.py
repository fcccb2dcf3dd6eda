"""Calls of C functions by their addresses, and pointers into arrays, compiled."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, errors
from numba.extending import intrinsic

from hybridsim.engine.compiler.backend.c_types import NUMBA_TYPES
from hybridsim.engine.compiler.separate import LETTER_OF_TYPE, returns_of, symbol_of
from hybridsim.engine.compiler.signatures import CType, integer, real, void

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


@cache
def separate_call(function: Any, number: CType = real) -> Any:
    """Make the intrinsic function that calls a function by its symbol (`separate`); `number` stands for `real`."""
    returned = number if returns_of(function) == real else returns_of(function)
    assert returned is not None, function
    returns = NUMBA_TYPES[returned]

    def typed(arguments: tuple[Any, ...]) -> Any:
        taken = tuple(map(_type_of_argument, arguments))

        def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            result = ir.VoidType() if returned == void else context.get_value_type(returns)
            function_type = ir.FunctionType(result, [value.type for value in values])
            symbol = symbol_of(function, taken)
            _give_some_address(symbol)
            declared = cgutils.get_or_insert_function(builder.module, function_type, symbol)
            declared.attributes.add("nounwind")
            if returned == real:  # a coupling, which writes nothing
                declared.attributes.add("readonly")
            answer = builder.call(declared, values)
            return context.get_dummy_value() if returned == void else answer

        return returns(*(NUMBA_TYPES[c_type] for c_type in taken)), codegen

    return intrinsic_like(function, typed)


def intrinsic_like(function: Any, typed: Callable[[tuple[Any, ...]], Any]) -> Any:
    """Make an intrinsic function with the arguments of a function; `typed` is given their types."""
    names = ", ".join(inspect.signature(function).parameters)
    namespace: dict[str, Any] = {"typed": typed}
    exec(f"def call(typingctx, {names}):\n    return typed(({names},))", namespace)  # numba wants the names
    return _intrinsic(namespace["call"])


def _give_some_address(symbol: str) -> None:
    """Let LLVM find a symbol: where `linking` is not KNOWN, numba loads the code that it makes, which nobody calls."""
    if binding.address_of_symbol(symbol) is None:
        binding.add_symbol(symbol, ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value)


def _type_of_argument(found: Any) -> CType:
    for c_type in LETTER_OF_TYPE:
        if found == NUMBA_TYPES.get(c_type):
            return c_type
    if isinstance(found, types.Integer | types.Boolean):
        return integer
    if isinstance(found, types.Float):
        return real
    raise errors.TypingError(f"a function of a part takes numbers, found {found}")


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

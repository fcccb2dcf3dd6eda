"""The binary interface between engine and models, on one page.

A model's functions reach the engine as addresses (int64) of C functions that take pointers, so that
one compiled engine serves every model, and any C function can be a model's function:

    void    vector_field(double *xdot, double t, double *x, double *p, int64_t chart)
    void    boundaries(double *g, double t, double *x, double *p, int64_t chart)
    int64_t transition(double *x_new, double t, double *x, double *p, int64_t chart, int64_t *crossed)
    void    outputs(double *y, double t, double *x, double *p, int64_t chart)
    int64_t initial_chart(double *x_new, double t, double *x, double *p)
    int64_t validate(double t, double *x, double *p, int64_t chart)
    void    sliding_field(double *xdot, double t, double *x, double *p, int64_t chart, int64_t adjacent_chart)

and the extra outputs of a sweep, which are no part of a model:

    double  extra_output(double t, double *x, double *p, int64_t chart)

Each `call_...` below takes the address as its first argument. With NUMBA_DISABLE_JIT=1 an address is an index of
`interpreted`, a list of plain Python functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from hybridsim.engine.compiler.linking import kernel
from hybridsim.engine.compiler.options import JIT

pointer = types.CPointer(types.float64)
integers = types.CPointer(types.int64)
real, integer, boolean, void = types.float64, types.int64, types.boolean, types.void

SIGNATURES = {
    "vector_field": void(pointer, real, pointer, pointer, integer),
    "boundaries": void(pointer, real, pointer, pointer, integer),
    "transition": integer(pointer, real, pointer, pointer, integer, integers),
    "outputs": void(pointer, real, pointer, pointer, integer),
    "initial_chart": integer(pointer, real, pointer, pointer),
    "validate": integer(real, pointer, pointer, integer),
    "sliding_field": void(pointer, real, pointer, pointer, integer, integer),
}
"""C types of the contract functions of a plug-in, in the order of the engine's table of addresses."""

EXTRA_OUTPUT = real(real, pointer, pointer, integer)
"""C types of an extra output."""

CALLED_AT_EVERY_STEP = frozenset({"vector_field", "boundaries", "sliding_field"})
"""The contract functions on which the time of a run depends."""

FUNCTION_INDEX = {name: index for index, name in enumerate(SIGNATURES)}
"""Index of each contract function in the engine's table of addresses."""

VECTOR_FIELD, BOUNDARIES, TRANSITION, OUTPUTS, INITIAL_CHART, VALIDATE, SLIDING_FIELD = range(len(SIGNATURES))

_intrinsic: Any = intrinsic  # by numba's annotations the typing context would be an argument of the call

interpreted: list[Callable[..., Any]] = []
"""The plain Python functions of models, where nothing is compiled."""


def _foreign_call(returns: types.Type) -> Any:
    """An intrinsic `call(address, *arguments)` of a C function."""

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
def _shifted_pointer(typingctx: Any, data: Any, offset: Any) -> Any:
    """The pointer to data[offset]."""
    signature = data(data, types.int64)

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return signature, codegen


@_intrinsic
def _pointers(typingctx: Any, arrays: Any) -> Any:
    """A named tuple of pointers to the data of a named tuple of arrays; an array of one record becomes the record.

    The engine indexes bare pointers: arrays would count references at every call, and compile ten times slower.
    """

    def bare(array_type: Any) -> Any:
        element = array_type.dtype
        return element if isinstance(element, types.Record) else types.CPointer(element)

    pointers = types.NamedTuple([bare(array_type) for array_type in arrays.types], arrays.instance_class)

    def codegen(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        data = []
        for index, (array_type, target) in enumerate(zip(arrays.types, pointers.types, strict=True)):
            array = context.make_array(array_type)(context, builder, builder.extract_value(values[0], index))
            data.append(builder.bitcast(array.data, context.get_value_type(target)))
        return context.make_tuple(builder, pointers, data)

    return pointers(arrays), codegen


def _interpreted_call(address, *arguments):
    return interpreted[address](*arguments)


if JIT:
    pointers: Any = _pointers
    _shifted: Any = _shifted_pointer
    _call, _call_integer, _call_real = map(_foreign_call, (void, integer, real))
else:
    _call = _call_integer = _call_real = _interpreted_call

    def pointers(arrays: Any) -> Any:
        return type(arrays)(*(array[0] if array.dtype.names else array.reshape(-1) for array in arrays))

    def _shifted(data: Any, offset: int) -> Any:
        return data[offset:]


# One function for each entry of SIGNATURES, compiled and interpreted alike. They are not generated from that table:
# the offsets, which only some arrays have, and the names of the arguments are what a reader comes here for.


@kernel
def call_vector_field(address, xdot, offset, t, x, x_offset, p, chart):
    _call(address, _shifted(xdot, offset), t, _shifted(x, x_offset), p, chart)


@kernel
def call_boundaries(address, g, offset, t, x, p, chart):
    _call(address, _shifted(g, offset), t, x, p, chart)


@kernel
def call_transition(address, x_new, t, x, p, chart, crossed):
    return _call_integer(address, x_new, t, x, p, chart, crossed)


@kernel
def call_outputs(address, y, offset, t, x, x_offset, p, chart):
    _call(address, _shifted(y, offset), t, _shifted(x, x_offset), p, chart)


@kernel
def call_initial_chart(address, x_new, t, x, p):
    return _call_integer(address, x_new, t, x, p)


@kernel
def call_validate(address, t, x, p, chart):
    return _call_integer(address, t, x, p, chart)


@kernel
def call_sliding_field(address, xdot, offset, t, x, p, chart, adjacent_chart):
    _call(address, _shifted(xdot, offset), t, x, p, chart, adjacent_chart)


@kernel
def call_extra_output(address, t, x, p, chart):
    return _call_real(address, t, x, p, chart)

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
    void    slopes_and_boundaries(double *xdot, double *g, double t, double *x, double *p, int64_t chart)

and the extra outputs of a sweep, which are no part of a model:

    double  extra_output(double t, double *x, double *p, int64_t chart)

Each `call_...` below takes the address as its first argument. With NUMBA_DISABLE_JIT=1 an address is an index of
`interpreted`, a list of plain Python functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hybridsim.engine.compiler.deferred import Deferred, kernel
from hybridsim.engine.compiler.options import JIT
from hybridsim.engine.compiler.records import scalars


@dataclass(frozen=True, slots=True)
class CType:
    """A type of C; `backend.c_types` has numba's type for each. Calling it makes the signature of a function."""

    name: str

    def __call__(self, *arguments: CType) -> Signature:
        return Signature(self, arguments)


class Signature(NamedTuple):
    """The types of a C function."""

    returns: CType
    arguments: tuple[CType, ...]

    def __str__(self) -> str:
        return f"{self.returns.name}({', '.join(argument.name for argument in self.arguments)})"


real, integer, boolean, void = CType("double"), CType("int64_t"), CType("bool"), CType("void")
pointer, integers = CType("double *"), CType("int64_t *")
pair = CType("double[2]")
dual, dual_pointer = CType("dual"), CType("dual *")  # their numba types come with `duals.translation`

SIGNATURES = {
    "vector_field": void(pointer, real, pointer, pointer, integer),
    "boundaries": void(pointer, real, pointer, pointer, integer),
    "transition": integer(pointer, real, pointer, pointer, integer, integers),
    "outputs": void(pointer, real, pointer, pointer, integer),
    "initial_chart": integer(pointer, real, pointer, pointer),
    "validate": integer(real, pointer, pointer, integer),
    "sliding_field": void(pointer, real, pointer, pointer, integer, integer),
    "slopes_and_boundaries": void(pointer, pointer, real, pointer, pointer, integer),
}
"""C types of the contract functions of a plug-in, in the order of the engine's table of addresses."""

EXTRA_OUTPUT = real(real, pointer, pointer, integer)
"""C types of an extra output."""

CALLED_AT_EVERY_STEP = frozenset({"vector_field", "boundaries", "sliding_field", "slopes_and_boundaries"})
"""The contract functions on which the time of a run depends."""

FUNCTION_INDEX = {name: index for index, name in enumerate(SIGNATURES)}
"""Index of each contract function in the engine's table of addresses."""

VECTOR_FIELD, BOUNDARIES, TRANSITION, OUTPUTS, INITIAL_CHART, VALIDATE, SLIDING_FIELD, SLOPES_AND_BOUNDARIES = range(
    len(SIGNATURES)
)

_OF_CTYPES: dict[CType, Any] = {
    real: ctypes.c_double,
    integer: ctypes.c_int64,
    boolean: ctypes.c_bool,
    void: None,
    pointer: ctypes.POINTER(ctypes.c_double),
    integers: ctypes.POINTER(ctypes.c_int64),
}


def for_python(signature: Signature, address: int) -> Callable[..., Any]:
    """Return the C function at an address, to be called from Python with numbers and arrays."""
    types = [_OF_CTYPES[argument] for argument in signature.arguments]
    call = ctypes.CFUNCTYPE(_OF_CTYPES[signature.returns], *types)(int(address))

    def passed(argument: Any, c_type: Any) -> Any:
        return argument.ctypes.data_as(c_type) if isinstance(argument, np.ndarray) else argument

    return lambda *arguments: call(*map(passed, arguments, types))


def type_of_argument(argument: Any) -> CType:
    """Return the C type of what is passed to a function: a number or an array."""
    if isinstance(argument, np.ndarray):
        return pointer if argument.dtype == np.float64 else integers
    return integer if isinstance(argument, int | np.integer) else real


interpreted: list[Callable[..., Any]] = []
"""The plain Python functions of models, where nothing is compiled."""


def pointers(arrays: Any) -> Any:
    """What plain Python takes for a table of pointers: flat arrays, and a record for an array of one record."""
    return type(arrays)(*(scalars(array) if array.dtype.names else array.reshape(-1) for array in arrays))


def _interpreted_call(address, *arguments):
    return interpreted[address](*arguments)


if JIT:
    _shifted: Any = Deferred("calls", "shifted_pointer")
    _call: Any = Deferred("calls", "foreign_call", void)
    _call_integer: Any = Deferred("calls", "foreign_call", integer)
    _call_real: Any = Deferred("calls", "foreign_call", real)
else:
    _call = _call_integer = _call_real = _interpreted_call

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
def call_slopes_and_boundaries(address, xdot, offset, g, t, x, p, chart):
    _call(address, _shifted(xdot, offset), g, t, x, p, chart)


@kernel
def call_program(address, tape, numbers):
    _call(address, tape, numbers)


@kernel
def call_extra_output(address, t, x, p, chart):
    return _call_real(address, t, x, p, chart)

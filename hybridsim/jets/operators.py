"""Arithmetic and comparisons of series, and the elements of their arrays.

Importing this module teaches numba what `x[i] * y` and the like mean for the type `Jet`.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from hybridsim.duals.registration import PLAIN_NUMBERS, is_operation, register_comparisons, register_operator
from hybridsim.engine.compiler.jet_rows import ROW_SIZE
from hybridsim.jets.number_type import ARRAYS, INTEGER, Jet, Operation, Results, Slopes, States, jet
from hybridsim.jets.recurrences import add, divide, multiply, negate, subtract


def is_series_operation(arguments: Any) -> bool:
    """Return whether all arguments are numbers, one of them a series at least."""
    return is_operation(jet, arguments)


def _lower_directly(emit: Any) -> Any:
    """Make an implementation of `emit(operation)`, which returns the coefficient of the result."""

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        return op.result(emit(op))

    return lower


def lower_recursively(emit: Any) -> Any:
    """Make one of `emit(operation, row)`, which also needs lower coefficients of the result: those in its row."""

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        row = op.new_row()
        return op.written(row, emit(op, row))

    return lower


def _values(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    op = Operation(context, builder, sig, arguments)
    return op.first(0), op.first(1)


SERIES_ARITHMETIC = (
    ((operator.add, operator.iadd), _lower_directly(add)),
    ((operator.sub, operator.isub), _lower_directly(subtract)),
    ((operator.mul, operator.imul), _lower_directly(multiply)),
    ((operator.truediv, operator.itruediv), lower_recursively(divide)),
)


def _register_operators() -> None:
    for names, lower in SERIES_ARITHMETIC:
        register_operator(names, jet, 2, lower)
    register_operator((operator.neg,), jet, 1, _lower_directly(negate))
    register_operator((operator.pos,), jet, 1, lambda context, builder, sig, arguments: arguments[0])
    register_comparisons(jet, _values)


# Elements of x and xdot.


@infer_global(operator.getitem)
class _Get(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        is_known = isinstance(args[0], ARRAYS) and isinstance(args[1], types.Integer)
        return signature(jet, args[0], types.int64) if is_known else None


@infer_global(operator.setitem)
class _Set(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        is_known = isinstance(args[0], (Slopes, Results)) and isinstance(args[2], (Jet, *PLAIN_NUMBERS))
        return signature(types.none, args[0], types.int64, args[2]) if is_known else None


def _row_of(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    first = cgutils.create_struct_proxy(sig.args[0])(context, builder, arguments[0]).row
    return builder.gep(first, [builder.mul(arguments[1], INTEGER(ROW_SIZE))])


@lower_builtin(operator.getitem, States, types.Integer)
@lower_builtin(operator.getitem, Results, types.Integer)
def _get(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    op, row = Operation(context, builder, sig, arguments), _row_of(context, builder, sig, arguments)
    return op.series(row, op.get(row, op.m))


@lower_builtin(operator.getitem, Slopes, types.Integer)
def _get_slope(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    """A slope that has been set: a series of its own, whose coefficients follow from those of the state."""
    op, row = Operation(context, builder, sig, arguments), _row_of(context, builder, sig, arguments)
    after = builder.add(op.m, INTEGER(1))
    return op.result(op.multiply(op.get(row, after), builder.sitofp(after, row.type.pointee)))


def _set_slope(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    op, row = Operation(context, builder, sig, arguments), _row_of(context, builder, sig, arguments)
    after = builder.add(op.m, INTEGER(1))
    op.write(row, after, op.divide(op.coefficient(2), builder.sitofp(after, row.type.pointee)))
    return context.get_dummy_value()


def _set(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    op, row = Operation(context, builder, sig, arguments), _row_of(context, builder, sig, arguments)
    op.write(row, op.m, op.coefficient(2))
    return context.get_dummy_value()


for value_type in (Jet, *PLAIN_NUMBERS):
    lower_builtin(operator.setitem, Slopes, types.Integer, value_type)(_set_slope)
    lower_builtin(operator.setitem, Results, types.Integer, value_type)(_set)


_register_operators()

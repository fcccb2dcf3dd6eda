"""Arithmetic, comparisons and functions of series.

Importing this module teaches numba what `x[i] * y`, `math.sin(x)` and the like mean for the type `Jet`.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, overload, register_jitable

from hybridsim.duals.rules import EXTREMA, PLAIN, UNARY, Rule
from hybridsim.engine.compiler.jet_rows import ROW
from hybridsim.jets.number_type import ARRAYS, INTEGER, PLAIN_NUMBERS, Jet, Operation, Results, Slopes, States, jet
from hybridsim.jets.recurrences import (
    added,
    divided,
    integrated,
    integrated_by_two,
    keep_slope,
    multiplied,
    negated,
    order_of,
    pair,
    power,
    square_root,
    subtracted,
    value_of,
)

_intrinsic: Any = intrinsic


def _typed(name: Any, returns: Any, count: int) -> None:
    """Tell numba that an operator of `count` numbers returns this type if one of them is a series."""

    class Template(AbstractTemplate):
        key = name

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(returns, *args) if len(args) == count and _is_series_operation(args) else None

    infer_global(name)(Template)


def _is_series_operation(arguments: Any) -> bool:
    """Return whether all arguments are numbers, one of them a series at least."""
    numbers = all(isinstance(argument, (Jet, *PLAIN_NUMBERS)) for argument in arguments)
    return numbers and any(isinstance(argument, Jet) for argument in arguments)


_PAIRS = ((Jet, Jet), *((Jet, plain) for plain in PLAIN_NUMBERS), *((plain, Jet) for plain in PLAIN_NUMBERS))


def _lower(name: Any, lower: Any, *kinds: tuple[Any, ...]) -> None:
    for kind in kinds:
        lower_builtin(name, *kind)(lower)


def _simple(emit: Any) -> Any:
    """Make an implementation of `emit(operation)`, which returns the coefficient of the result."""

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        return op.result(emit(op))

    return lower


def _recursive(emit: Any) -> Any:
    """Make one of `emit(operation, row)`, which also needs lower coefficients of the result: those in its row."""

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        row = op.new_row()
        last = emit(op, row)
        op.write(row, op.m, last)
        return op.series(row, last)

    return lower


def _compared(sign: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        op = Operation(context, builder, sig, arguments)
        compare = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered  # nan differs from everything
        return compare(sign, op.first(0), op.first(1))

    return lower


COMPARISONS = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}
ARITHMETIC = (
    ((operator.add, operator.iadd), _simple(added)),
    ((operator.sub, operator.isub), _simple(subtracted)),
    ((operator.mul, operator.imul), _simple(multiplied)),
    ((operator.truediv, operator.itruediv), _recursive(divided)),
)


def _register_operators() -> None:
    for names, lower in ARITHMETIC:
        for name in names:
            _typed(name, jet, 2)
            _lower(name, lower, *_PAIRS)
    _typed(operator.neg, jet, 1)
    _lower(operator.neg, _simple(negated), (Jet,))
    _typed(operator.pos, jet, 1)
    _lower(operator.pos, lambda context, builder, sig, arguments: arguments[0], (Jet,))
    for comparison, symbol in COMPARISONS.items():
        _typed(comparison, types.boolean, 2)
        _lower(comparison, _compared(symbol), *_PAIRS)


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
    return builder.gep(first, [builder.mul(arguments[1], INTEGER(ROW))])


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


# Functions.


def _of_pair(functions: tuple[Any, Any], which: int, sign: float) -> Any:
    """Make one of two functions of which each is the other's slope: `recurrences.pair`."""
    of_first, of_second = functions

    @_intrinsic
    def one_of_both(typingctx: Any, first: Any, second: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            return pair(Operation(context, builder, sig, arguments), sign)[which]

        return jet(types.float64, types.float64, jet), codegen

    def implementation(x):
        if order_of(x) == 0:
            return one_of_both(of_first(value_of(x)), of_second(value_of(x)), x)
        return one_of_both(0.0, 0.0, x)

    return lambda x: implementation if isinstance(x, Jet) else None


@_intrinsic
def _root(typingctx: Any, x: Any) -> Any:
    return jet(jet), _recursive(square_root)


@_intrinsic
def _real_power(typingctx: Any, x: Any, exponent: Any) -> Any:
    return jet(jet, types.float64), _recursive(power)


def _square_root(x):
    return (lambda x: _root(x)) if isinstance(x, Jet) else None


def _unary(rule: Rule) -> Any:
    """Integrate the slope of a function, which is a series by the function's own rule."""
    function, slopes = rule.names[0], register_jitable(rule.slopes)

    def typed(x):
        if not isinstance(x, Jet):
            return None

        def implementation(x):
            result = integrated(function(value_of(x)) if order_of(x) == 0 else 0.0, x)
            return keep_slope(result, slopes(x, result), 1)

        return implementation

    return typed


def _absolute(x):
    return (lambda x: x if value_of(x) >= 0.0 else -x) if isinstance(x, Jet) else None


def _power(x, y):
    if not _is_series_operation((x, y)):
        return None
    if isinstance(y, types.Integer | types.Boolean):
        return _whole_power
    if isinstance(y, Jet):
        return lambda x, y: math.exp(y * math.log(x))
    return lambda x, y: _real_power(x, y)


def _whole_power(x, y):
    """Multiply: a series that begins with zero has whole powers, too."""
    product = 1.0 + 0.0 * x
    for _ in range(abs(y)):
        product = product * x
    return product if y >= 0 else 1.0 / product


def _arctangent(y, x):
    if not _is_series_operation((y, x)):
        return None

    def implementation(y, x):
        square = x * x + y * y
        first, second = y + 0.0 * square, x + 0.0 * square
        value = math.atan2(value_of(y), value_of(x)) if order_of(square) == 0 else 0.0
        result = integrated_by_two(value, first, second)
        return keep_slope(keep_slope(result, x / square, 1), -y / square, 2)

    return implementation


def _hypotenuse(x, y):
    return (lambda x, y: math.sqrt(x * x + y * y)) if _is_series_operation((x, y)) else None


def _with_sign(x, y):
    if not _is_series_operation((x, y)):
        return None
    return lambda x, y: x if (value_of(x) >= 0.0) == (math.copysign(1.0, value_of(y)) > 0.0) else -x


def _plain(function: Any) -> Any:
    def typed(x):
        return (lambda x: function(value_of(x))) if isinstance(x, Jet) else None

    return typed


def _extremum(sign: str) -> Any:
    """Make `min` for "<" or `max` for ">" of two numbers; like Python's they keep the first of equal ones."""

    def typed(x, y):
        if not _is_series_operation((x, y)):
            return None
        if sign == "<":
            return lambda x, y: y + 0.0 * x if value_of(y) < value_of(x) else x + 0.0 * y
        return lambda x, y: y + 0.0 * x if value_of(y) > value_of(x) else x + 0.0 * y

    return typed


def _float(x):
    return (lambda x: x) if isinstance(x, Jet) else None


OWN: tuple[tuple[tuple[Any, ...], Any], ...] = (
    ((math.sin, np.sin), _of_pair((math.sin, math.cos), 0, -1.0)),
    ((math.cos, np.cos), _of_pair((math.sin, math.cos), 1, -1.0)),
    ((math.sinh, np.sinh), _of_pair((math.sinh, math.cosh), 0, 1.0)),
    ((math.cosh, np.cosh), _of_pair((math.sinh, math.cosh), 1, 1.0)),
    ((math.sqrt, np.sqrt), _square_root),
    ((abs, math.fabs, np.abs, np.fabs), _absolute),
    ((operator.pow, operator.ipow, pow, math.pow, np.power), _power),
    ((math.atan2, np.arctan2), _arctangent),
    ((math.hypot, np.hypot), _hypotenuse),
    ((math.copysign, np.copysign), _with_sign),
    ((float,), _float),
)
"""Functions that have recurrences of their own."""


def _register_functions() -> None:
    own = {name for names, _ in OWN for name in names}
    for names, typed in OWN:
        for name in names:
            overload(name)(typed)
    for rule in UNARY:
        for name in rule.names:
            if name not in own:
                overload(name)(_unary(rule))
    for name in PLAIN:
        overload(name)(_plain(name))
    for names, sign in EXTREMA:
        for name in names:
            overload(name)(_extremum(sign))


_register_operators()
_register_functions()

"""Arithmetic, comparisons and functions of compiled dual numbers.

Importing this module teaches numba what `x[i] * y`, `math.sin(x)` and the like mean for the type `Dual`.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, overload, register_jitable

from hybridsim.duals.number_type import (
    PLAIN_NUMBERS,
    Dual,
    added,
    bounded,
    chain,
    chain_two,
    dual,
    make_dual,
    opposite,
    scaled,
    split,
    value_of,
)
from hybridsim.duals.rules import BINARY, EXTREMA, PLAIN, UNARY, Rule, slopes_of_modulo, slopes_of_power

_FUSED = ("contract",)
_intrinsic: Any = intrinsic


def _is_dual_operation(arguments: Any) -> bool:
    """Return whether all arguments are numbers, one of them dual at least."""
    numbers = all(isinstance(argument, (Dual, *PLAIN_NUMBERS)) for argument in arguments)
    return numbers and any(isinstance(argument, Dual) for argument in arguments)


def _typed(name: Any, returns: Any, count: int) -> None:
    """Tell numba that an operator of `count` numbers returns this type if one of them is dual."""

    class Template(AbstractTemplate):
        key = name

        def generic(self, args: Any, kws: Any) -> Any:
            return signature(returns, *args) if len(args) == count and _is_dual_operation(args) else None

    infer_global(name)(Template)


def _emitted(emit: Any) -> Any:
    """Make an implementation of `emit(builder, (value, lanes), ...)`, which returns a value and a vector."""

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        parts = [split(context, builder, *pair) for pair in zip(sig.args, arguments, strict=True)]
        return make_dual(context, builder, *emit(builder, *parts))

    return lower


def _add(builder: Any, x: Any, y: Any) -> Any:
    return builder.fadd(x[0], y[0], flags=_FUSED), added(builder, x[1], y[1])


def _subtract(builder: Any, x: Any, y: Any) -> Any:
    return builder.fsub(x[0], y[0], flags=_FUSED), added(builder, x[1], opposite(builder, y[1]))


def _multiply(builder: Any, x: Any, y: Any) -> Any:
    lanes = added(builder, scaled(builder, x[1], y[0]), scaled(builder, y[1], x[0]))
    return builder.fmul(x[0], y[0], flags=_FUSED), lanes


def _divide(builder: Any, x: Any, y: Any) -> Any:
    value = builder.fdiv(x[0], y[0])
    lanes = added(builder, x[1], opposite(builder, scaled(builder, y[1], bounded(builder, value))))
    return value, scaled(builder, lanes, bounded(builder, builder.fdiv(x[0].type(1.0), y[0])))


def _negate(builder: Any, x: Any) -> Any:
    return builder.fneg(x[0]), opposite(builder, x[1])


def _keep(builder: Any, x: Any) -> Any:
    return x


ARITHMETIC = (
    ((operator.add, operator.iadd), _add),
    ((operator.sub, operator.isub), _subtract),
    ((operator.mul, operator.imul), _multiply),
    ((operator.truediv, operator.itruediv), _divide),
)
COMPARISONS = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}


def _compared(sign: str) -> Any:
    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        x, y = (split(context, builder, *pair)[0] for pair in zip(sig.args, arguments, strict=True))
        compare = builder.fcmp_unordered if sign == "!=" else builder.fcmp_ordered  # nan differs from everything
        return compare(sign, x, y)

    return lower


def _lower_binary(name: Any, lower: Any) -> None:
    for pair in ((Dual, Dual), *((Dual, plain) for plain in PLAIN_NUMBERS), *((p, Dual) for p in PLAIN_NUMBERS)):
        lower_builtin(name, *pair)(lower)


def _register_operators() -> None:
    for names, emit in ARITHMETIC:
        for name in names:
            _typed(name, dual, 2)
            _lower_binary(name, _emitted(emit))
    for sign, emit_sign in ((operator.neg, _negate), (operator.pos, _keep)):
        _typed(sign, dual, 1)
        lower_builtin(sign, Dual)(_emitted(emit_sign))
    for comparison, symbol in COMPARISONS.items():
        _typed(comparison, types.boolean, 2)
        _lower_binary(comparison, _compared(symbol))


def _unary(rule: Rule) -> Any:
    function, slopes = rule.names[0], register_jitable(rule.slopes)

    def typed(x):
        if not isinstance(x, Dual):
            return None

        def implementation(x):
            value = value_of(x)
            result = function(value)
            return chain(result, x, slopes(value, result))

        return implementation

    return typed


def _binary(function: Any, slopes_of: Any) -> Any:
    slopes = register_jitable(slopes_of)

    def typed(x, y):
        if not _is_dual_operation((x, y)):
            return None

        def implementation(x, y):
            first, second = value_of(x), value_of(y)
            result = function(first, second)
            slope, slope_of_second = slopes(first, second, result)
            return chain_two(result, x, slope, y, slope_of_second)

        return implementation

    return typed


def _plain(function: Any) -> Any:
    def typed(x):
        return (lambda x: function(value_of(x))) if isinstance(x, Dual) else None

    return typed


def _extremum(sign: str) -> Any:
    """Make `min` for "<" or `max` for ">" of any count of numbers; like Python's they keep the first of equal ones."""

    @_intrinsic
    def choose(typingctx: Any, numbers: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            found = zip(sig.args[0], cgutils.unpack_tuple(builder, arguments[0]), strict=True)
            first, *others = (context.cast(builder, number, kind, dual) for kind, number in found)
            for number in others:
                values = (split(context, builder, dual, either)[0] for either in (number, first))
                first = builder.select(builder.fcmp_ordered(sign, *values), number, first)
            return first

        return dual(numbers), codegen

    def typed(*x):
        if len(x) == 1 and isinstance(x[0], types.BaseTuple):
            return (lambda *x: choose(x[0])) if _is_dual_operation(x[0]) else None
        return (lambda *x: choose(x)) if _is_dual_operation(x) else None

    return typed


def _register_functions() -> None:
    for rule in UNARY:
        for name in rule.names:
            overload(name)(_unary(rule))
    for rule in BINARY:
        for name in rule.names:
            overload(name)(_binary(rule.names[0], rule.slopes))
    for name in (operator.pow, operator.ipow, pow):
        overload(name)(_binary(math.pow, slopes_of_power))
    for name in (operator.mod, operator.imod):
        overload(name)(_binary(operator.mod, slopes_of_modulo))
    for name in PLAIN:
        overload(name)(_plain(name))
    for names, sign in EXTREMA:
        for name in names:
            overload(name)(_extremum(sign))


def _floor_quotient(x, y):
    return (lambda x, y: value_of(x) // value_of(y)) if _is_dual_operation((x, y)) else None


def _divmod(x, y):
    return (lambda x, y: (x // y, x % y)) if _is_dual_operation((x, y)) else None


def _float(x):
    return (lambda x: x) if isinstance(x, Dual) else None


def _bool(x):
    return (lambda x: value_of(x) != 0.0) if isinstance(x, Dual) else None


def _not(x):
    return (lambda x: value_of(x) == 0.0) if isinstance(x, Dual) else None


def _round_to(x, digits):
    return (lambda x, digits: round(value_of(x), digits)) if isinstance(x, Dual) else None


_register_operators()
_register_functions()
overload(operator.floordiv)(_floor_quotient)
overload(operator.ifloordiv)(_floor_quotient)
overload(divmod)(_divmod)
overload(float)(_float)
overload(bool)(_bool)
overload(operator.not_)(_not)
overload(round)(_round_to)

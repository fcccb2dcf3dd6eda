"""Arithmetic, comparisons and functions of compiled dual numbers.

Importing this module teaches numba what `x[i] * y`, `math.sin(x)` and the like mean for the type `Dual`.
"""

from __future__ import annotations

import math
import operator
from typing import Any

from numba.extending import overload, register_jitable

from hybridsim.duals.number_type import (
    FUSED,
    Dual,
    add,
    bound_factor,
    chain,
    chain_two,
    dual,
    make_dual,
    negate,
    scale,
    split,
    value_of,
)
from hybridsim.duals.registration import (
    is_operation,
    register_comparisons,
    register_extrema,
    register_operator,
    register_plain_functions,
)
from hybridsim.duals.rules import BINARY, UNARY, Rule, slopes_of_modulo, slopes_of_power


def _is_dual_operation(arguments: Any) -> bool:
    return is_operation(dual, arguments)


def _make_lowering(emit: Any) -> Any:
    """Make an implementation of `emit(builder, (value, lanes), ...)`, which returns a value and a vector."""

    def lower(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        parts = [split(context, builder, *pair) for pair in zip(sig.args, arguments, strict=True)]
        return make_dual(context, builder, *emit(builder, *parts))

    return lower


def _add(builder: Any, x: Any, y: Any) -> Any:
    return builder.fadd(x[0], y[0], flags=FUSED), add(builder, x[1], y[1])


def _subtract(builder: Any, x: Any, y: Any) -> Any:
    return builder.fsub(x[0], y[0], flags=FUSED), add(builder, x[1], negate(builder, y[1]))


def _multiply(builder: Any, x: Any, y: Any) -> Any:
    lanes = add(builder, scale(builder, x[1], y[0]), scale(builder, y[1], x[0]))
    return builder.fmul(x[0], y[0], flags=FUSED), lanes


def _divide(builder: Any, x: Any, y: Any) -> Any:
    value = builder.fdiv(x[0], y[0])
    lanes = add(builder, x[1], negate(builder, scale(builder, y[1], bound_factor(builder, value))))
    return value, scale(builder, lanes, bound_factor(builder, builder.fdiv(x[0].type(1.0), y[0])))


def _negate(builder: Any, x: Any) -> Any:
    return builder.fneg(x[0]), negate(builder, x[1])


def _keep(builder: Any, x: Any) -> Any:
    return x


DUAL_ARITHMETIC = (
    ((operator.add, operator.iadd), _add),
    ((operator.sub, operator.isub), _subtract),
    ((operator.mul, operator.imul), _multiply),
    ((operator.truediv, operator.itruediv), _divide),
)


def _values(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    return (split(context, builder, *pair)[0] for pair in zip(sig.args, arguments, strict=True))


def _register_operators() -> None:
    for names, emit in DUAL_ARITHMETIC:
        register_operator(names, dual, 2, _make_lowering(emit))
    for sign, emit_sign in ((operator.neg, _negate), (operator.pos, _keep)):
        register_operator((sign,), dual, 1, _make_lowering(emit_sign))
    register_comparisons(dual, _values)


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


def _choose(context: Any, builder: Any, kinds: Any, numbers: Any, sign: str) -> Any:
    """Emit the choice of the least number for "<", or of the largest for ">"."""
    first, *others = (context.cast(builder, number, kind, dual) for kind, number in zip(kinds, numbers, strict=True))
    for number in others:
        values = (split(context, builder, dual, either)[0] for either in (number, first))
        first = builder.select(builder.fcmp_ordered(sign, *values), number, first)
    return first


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
    register_plain_functions(dual, value_of)
    register_extrema(dual, _choose)


def _floor_quotient(x, y):
    return (lambda x, y: value_of(x) // value_of(y)) if _is_dual_operation((x, y)) else None


def _divmod(x, y):
    return (lambda x, y: (x // y, x % y)) if _is_dual_operation((x, y)) else None


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
overload(bool)(_bool)
overload(operator.not_)(_not)
overload(round)(_round_to)

"""The functions that a model may call, of series.

Importing this module teaches numba what `math.sin(x)`, `x ** 2` and the like mean for the type `Jet`. Most of them are
integrals of their slopes, by the same rules by which dual numbers are differentiated.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload, register_jitable

from hybridsim.duals.registration import intrinsic, register_extrema, register_plain_functions
from hybridsim.duals.rules import UNARY, Rule
from hybridsim.jets.number_type import Jet, Operation, jet
from hybridsim.jets.operators import is_series_operation, lower_recursively
from hybridsim.jets.recurrences import (
    choose,
    integrate,
    integrate_by_two,
    keep_slope,
    order_of,
    pair,
    power,
    square_root,
    value_of,
)

LARGEST_WHOLE_POWER = 64.0
"""Largest exponent of type float for which powers are products."""


def _of_pair(functions: tuple[Any, Any], which: int, sign: float) -> Any:
    """Make one of two functions of which each is the other's slope: `recurrences.pair`."""
    of_first, of_second = functions

    @intrinsic
    def member_of_pair(typingctx: Any, first: Any, second: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
            return pair(Operation(context, builder, sig, arguments), sign)[which]

        return jet(types.float64, types.float64, jet), codegen

    def implementation(x):
        if order_of(x) == 0:
            return member_of_pair(of_first(value_of(x)), of_second(value_of(x)), x)
        return member_of_pair(0.0, 0.0, x)

    return lambda x: implementation if isinstance(x, Jet) else None


@intrinsic
def _root(typingctx: Any, x: Any) -> Any:
    return jet(jet), lower_recursively(square_root)


@intrinsic
def _real_power(typingctx: Any, x: Any, exponent: Any) -> Any:
    return jet(jet, types.float64), lower_recursively(power)


def _square_root(x):
    return (lambda x: _root(x)) if isinstance(x, Jet) else None


def _unary(rule: Rule) -> Any:
    """Integrate the slope of a function, which is a series by the function's own rule."""
    function, slopes = rule.names[0], register_jitable(rule.slopes)

    def typed(x):
        if not isinstance(x, Jet):
            return None

        def implementation(x):
            result = integrate(function(value_of(x)) if order_of(x) == 0 else 0.0, x)
            return keep_slope(result, slopes(x, result), 1)

        return implementation

    return typed


def _absolute(x):
    return (lambda x: x if value_of(x) >= 0.0 else -x) if isinstance(x, Jet) else None


def _power(x, y):
    if not is_series_operation((x, y)):
        return None
    if isinstance(y, types.Integer | types.Boolean):
        return lambda x, y: _product(x, y)
    if isinstance(y, Jet):
        return lambda x, y: math.exp(y * math.log(x))
    return _constant_power


def _constant_power(x, y):
    """Multiply for `x ** 2.0`, too: in the recurrence of real powers terms cancel where x is nearly zero."""
    if abs(y) <= LARGEST_WHOLE_POWER and y == math.floor(y):
        return _product(x, int(y))
    return _real_power(x, y)


@register_jitable
def _product(x, y):
    """Raise to a whole power: a series that begins with zero has one, too."""
    product = 1.0 + 0.0 * x
    for _ in range(abs(y)):
        product = product * x
    return product if y >= 0 else 1.0 / product


def _arctangent(y, x):
    if not is_series_operation((y, x)):
        return None

    def implementation(y, x):
        square = x * x + y * y
        first, second = y + 0.0 * square, x + 0.0 * square
        value = math.atan2(value_of(y), value_of(x)) if order_of(square) == 0 else 0.0
        result = integrate_by_two(value, first, second)
        return keep_slope(keep_slope(result, x / square, 1), -y / square, 2)

    return implementation


def _hypotenuse(x, y):
    return (lambda x, y: math.sqrt(x * x + y * y)) if is_series_operation((x, y)) else None


def _with_sign(x, y):
    if not is_series_operation((x, y)):
        return None
    return lambda x, y: x if (value_of(x) >= 0.0) == (math.copysign(1.0, value_of(y)) > 0.0) else -x


def _choose(context: Any, builder: Any, kinds: Any, numbers: Any, sign: str) -> Any:
    op = Operation(context, builder, jet(*kinds), numbers)
    return op.result(choose(op, sign))


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
    register_plain_functions(jet, value_of)
    register_extrema(jet, _choose)


_register_functions()

"""The rules of differentiation, as plain Python functions of plain numbers.

Both kinds of dual numbers follow these rules: the compiled one (`operators`) and the Python class (`dual_number`). The
slope of a function may be infinite at a point, as that of sqrt at 0: a derivative is then 0 where the argument does not
vary, and infinite where it does. At a kink the slope is that of one side: of the positive side for `abs` and `hypot` at
zero, and of the number that Python returns for `min` and `max`.

Slopes divide by numbers of numpy, which gives infinity for 1 / 0 where Python raises an error.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from hybridsim.typing import Function

LN_2, LN_10 = math.log(2.0), math.log(10.0)


class Rule(NamedTuple):
    """A function and its slopes.

    Attributes
    ----------
    names : tuple of callable
        The functions of `math` and numpy that a plug-in may call for it. The first computes the value.
    slopes : callable
        `slopes(x, f)` for a function of one number; `slopes(x, y, f)`, a pair, for one of two. f is the value.
    """

    names: tuple[Any, ...]
    slopes: Function


def slopes_of_atan2(y, x, f):
    distance = math.hypot(y, x)
    if distance == 0.0:
        return math.inf, math.inf
    return x / distance / distance, -y / distance / distance


def slopes_of_hypot(x, y, f):
    if f == 0.0:
        return math.copysign(1.0, x), math.copysign(1.0, y)
    return x / f, y / f


def slopes_of_power(x, y, f):
    by_base = 0.0 if y == 0.0 else y * x ** (y - 1.0)
    if x > 0.0:
        return by_base, f * math.log(x)
    if x == 0.0 and y > 0.0:
        return by_base, 0.0
    return by_base, math.nan


def slopes_of_fmod(x, y, f):
    return 1.0, -float(math.trunc(x / y))


def slopes_of_modulo(x, y, f):
    return 1.0, -float(math.floor(x / y))


def slopes_of_copysign(x, y, f):
    return math.copysign(1.0, x) * math.copysign(1.0, y), 0.0


UNARY = (
    Rule((math.sin, np.sin), lambda x, f: math.cos(x)),
    Rule((math.cos, np.cos), lambda x, f: -math.sin(x)),
    Rule((math.tan, np.tan), lambda x, f: 1.0 + f * f),
    Rule((math.asin, np.arcsin), lambda x, f: 1.0 / np.sqrt((1.0 - x) * (1.0 + x))),
    Rule((math.acos, np.arccos), lambda x, f: -1.0 / np.sqrt((1.0 - x) * (1.0 + x))),
    Rule((math.atan, np.arctan), lambda x, f: 1.0 / (1.0 + x * x)),
    Rule((math.sinh, np.sinh), lambda x, f: math.cosh(x)),
    Rule((math.cosh, np.cosh), lambda x, f: math.sinh(x)),
    Rule((math.tanh, np.tanh), lambda x, f: 1.0 - f * f),
    Rule((math.asinh, np.arcsinh), lambda x, f: 1.0 / math.hypot(x, 1.0)),
    Rule((math.acosh, np.arccosh), lambda x, f: 1.0 / np.sqrt((x - 1.0) * (x + 1.0))),
    Rule((math.atanh, np.arctanh), lambda x, f: 1.0 / ((1.0 - x) * (1.0 + x))),
    Rule((math.exp, np.exp), lambda x, f: f),
    Rule((math.expm1, np.expm1), lambda x, f: f + 1.0),
    Rule((math.exp2, np.exp2), lambda x, f: f * LN_2),
    Rule((math.log, np.log), lambda x, f: 1.0 / x),
    Rule((math.log1p, np.log1p), lambda x, f: 1.0 / (1.0 + x)),
    Rule((math.log2, np.log2), lambda x, f: 1.0 / (x * LN_2)),
    Rule((math.log10, np.log10), lambda x, f: 1.0 / (x * LN_10)),
    Rule((math.sqrt, np.sqrt), lambda x, f: 0.5 / f),
    Rule((np.square,), lambda x, f: 2.0 * x),
    Rule((np.reciprocal,), lambda x, f: -f * f),
    Rule((np.cbrt,), lambda x, f: 1.0 / (3.0 * f * f)),
    Rule((abs, math.fabs, np.abs, np.fabs), lambda x, f: math.copysign(1.0, x)),
    Rule((math.erf,), lambda x, f: 2.0 / math.sqrt(math.pi) * math.exp(-x * x)),
    Rule((math.erfc,), lambda x, f: -2.0 / math.sqrt(math.pi) * math.exp(-x * x)),
    Rule((math.degrees, np.degrees, np.rad2deg), lambda x, f: 180.0 / math.pi),
    Rule((math.radians, np.radians, np.deg2rad), lambda x, f: math.pi / 180.0),
)
"""Functions of one number."""

BINARY = (
    Rule((math.atan2, np.arctan2), slopes_of_atan2),
    Rule((math.hypot, np.hypot), slopes_of_hypot),
    Rule((math.pow, np.power), slopes_of_power),
    Rule((np.fmod, math.fmod), slopes_of_fmod),
    Rule((math.copysign, np.copysign), slopes_of_copysign),
)
"""Functions of two numbers. The operators ** and % follow the rules of `math.pow` and `slopes_of_modulo`."""

PLAIN: tuple[Any, ...] = (math.floor, math.ceil, math.trunc, np.floor, np.ceil, np.trunc, np.rint, np.sign, int, round)
PLAIN += (math.isfinite, math.isnan, math.isinf, np.isfinite, np.isnan, np.isinf)
"""Functions that are constant between jumps, or tell something about a value: their results are plain numbers."""

EXTREMA = (((min, np.minimum), "<"), ((max, np.maximum), ">"))
"""Functions that choose one of several numbers: a later one if it is less (<) or greater (>) than the chosen one."""

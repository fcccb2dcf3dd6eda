"""Numbers that note what is done with them: a value, and the node of its expression.

A branch is decided by the values, and noted as a guard: what has to hold for the same branch to be taken. So a traced
function is the plug-in's own wherever its guards hold. Constants that Python computes from constants alone are the
doubles they are; everything else is an expression of real numbers.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from hybridsim.duals.number import COMMON_SUBSTITUTES, Numbers, RealNumber, value_of
from hybridsim.graph.elementary import FUNCTIONS, ON_FLOATS
from hybridsim.graph.elimination import ELIMINATION
from hybridsim.graph.nodes import PARTIAL, Graph
from hybridsim.typing import Function

HALF = Fraction(1, 2)


class Guard(NamedTuple):
    """What has to hold for a branch.

    Attributes
    ----------
    kind : {"positive", "nonnegative", "zero", "nonzero"}
        What the expression has to be.
    node : int
        The expression.
    where : str
        The file and line of the branch.
    """

    kind: str
    node: int
    where: str


class Recorder:
    """What is noted while a function is traced.

    Parameters
    ----------
    graph : Graph
        The nodes.
    tolerant : bool, optional
        Whether a value that is undefined is nan, and no error.

    Attributes
    ----------
    graph : Graph
        The nodes.
    guards : list of Guard
        What its branches rest on.
    required : list of int
        Nodes that have to be defined although the result may not need them.
    """

    def __init__(self, graph: Graph, tolerant: bool = False) -> None:
        self.graph, self._tolerant = graph, tolerant
        self.guards: list[Guard] = []
        self.required: list[int] = []

    def require(self, kind: str, node: int) -> None:
        """Note a guard, unless it rests on constants."""
        if self.graph.constant(node) is None:
            guard = Guard(kind, node, _caller())
            if all((kind, node) != known[:2] for known in self.guards):
                self.guards.append(guard)

    def node_of(self, number: Any) -> int:
        """Return the node of a number, plain or not."""
        return number.node if isinstance(number, Symbol) else self.graph.const(float(number))

    def apply(self, operation: str, *numbers: Any) -> Symbol:
        """Return the result of an operation."""
        graph, values = self.graph, [value_of(number) for number in numbers]
        try:
            value = ON_FLOATS[operation](*values)
        except (ArithmeticError, ValueError):
            if not self._tolerant:
                raise
            value = math.nan
        if operation == "power":
            node = graph.power(self.node_of(numbers[0]), int(numbers[1]))
        elif len(numbers) == 2 or operation == "neg":
            node = getattr(graph, operation)(*map(self.node_of, numbers))
        else:
            node = graph.apply(operation, self.node_of(numbers[0]))
        if operation in PARTIAL or (operation == "power" and numbers[1] < 0):
            self.required.append(node)
        return Symbol(self, node, value)


class Symbol(RealNumber):
    """A number with the node of its expression.

    Parameters
    ----------
    recorder : Recorder
        Notes what is done.
    node : int
        The expression.
    value : float
        Its value, by which branches are decided.
    """

    __slots__ = ("node", "recorder", "value")

    def __init__(self, recorder: Recorder, node: int, value: float) -> None:
        self.recorder, self.node, self.value = recorder, node, value

    def __repr__(self) -> str:
        return f"Symbol({self.value})"

    def __neg__(self) -> Symbol:
        return self.recorder.apply("neg", self)

    def __abs__(self) -> Symbol:
        return self if self._is("ge", 0.0) else -self

    def __bool__(self) -> bool:
        return self._is("ne", 0.0)

    def _is(self, comparison: str, other: float) -> bool:
        return bool(getattr(operator, comparison)(self, other))

    def __floor__(self) -> int:
        whole = math.floor(self.value)
        self._lies_in(Fraction(whole), Fraction(whole + 1), "nonnegative", "positive")
        return whole

    def __ceil__(self) -> int:
        whole = math.ceil(self.value)
        self._lies_in(Fraction(whole - 1), Fraction(whole), "positive", "nonnegative")
        return whole

    def __trunc__(self) -> int:
        return math.floor(self) if self._is("ge", 0.0) else math.ceil(self)

    __int__ = __trunc__

    def __round__(self, digits: int | None = None) -> float:
        if digits:
            raise TypeError("rounding to digits is not traced")
        whole = round(self.value)
        self._lies_in(whole - HALF, whole + HALF, "positive", "positive")
        return whole

    def _lies_in(self, low: Fraction, high: Fraction, from_low: str, to_high: str) -> None:
        graph, note = self.recorder.graph, self.recorder.require
        note(from_low, graph.sub(self.node, graph.const(float(low))))
        note(to_high, graph.sub(graph.const(float(high)), self.node))

    def __floordiv__(self, other: Any) -> Any:
        return math.floor(self / other)

    def __rfloordiv__(self, other: Any) -> Any:
        return math.floor(other / self)

    def __mod__(self, other: Any) -> Any:
        return self - other * math.floor(self / other)

    def __rmod__(self, other: Any) -> Any:
        return other - self * math.floor(other / self)

    def __divmod__(self, other: Any) -> tuple[Any, Any]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Any, Any]:
        return other // self, other % self

    def __pow__(self, exponent: Any) -> Any:
        return _power(self, exponent)

    def __rpow__(self, base: Any) -> Any:
        return _power(base, self)


def _caller() -> str:
    """Return the file and line, outside of this package, that is being executed."""
    frame = sys._getframe(1)
    while "/hybridsim/graph/" in frame.f_code.co_filename.replace("\\", "/"):
        if frame.f_back is None:
            break
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


def _arithmetic(name: str, symbol: str) -> None:
    setattr(Symbol, f"__{symbol}__", lambda x, y: x.recorder.apply(name, x, y))
    setattr(Symbol, f"__r{symbol}__", lambda x, y: x.recorder.apply(name, y, x))


def _comparison(name: str) -> None:
    """Give Symbol a comparison, which notes the sign of the difference that it rests on."""
    compare = getattr(operator, name)

    def function(x: Symbol, y: Any) -> bool:
        graph, other, holds = x.recorder.graph, value_of(y), bool(compare(x.value, value_of(y)))
        difference = graph.sub(x.node, x.recorder.node_of(y))
        if name in ("eq", "ne"):
            is_equal = holds == (name == "eq")
            kind, is_turned = ("zero", False) if is_equal else ("positive", x.value < other)
        else:
            is_strict, is_turned = (name in ("lt", "gt")) == holds, (name in ("lt", "le")) == holds
            kind = "positive" if is_strict else "nonnegative"
        x.recorder.require(kind, graph.neg(difference) if is_turned else difference)
        return holds

    setattr(Symbol, f"__{name}__", function)


for _name, _symbol in (("add", "add"), ("sub", "sub"), ("mul", "mul"), ("div", "truediv")):
    _arithmetic(_name, _symbol)
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    _comparison(_name)


def _function(operation: str) -> Function:
    def function(x: Any) -> Any:
        return x.recorder.apply(operation, x) if isinstance(x, Symbol) else ON_FLOATS[operation](x)

    return function


SQRT, LOG, EXP, ATAN = (_function(name) for name in ("sqrt", "log", "exp", "atan"))


def _power(base: Any, exponent: Any) -> Any:
    """Return a power: of a whole number by products, of another one by exp and log."""
    symbol = base if isinstance(base, Symbol) else exponent
    if not isinstance(exponent, Symbol):
        if float(exponent).is_integer():
            return symbol.recorder.apply("power", base, int(exponent))
        if exponent == 0.5:
            return SQRT(base)
    logarithm = LOG(base) if isinstance(base, Symbol) else LOG(_constant(symbol, base))
    return EXP(exponent * logarithm)


def _constant(symbol: Symbol, value: float) -> Symbol:
    """Return a constant as a symbol, whose functions are those of the real number."""
    return Symbol(symbol.recorder, symbol.recorder.graph.const(value), float(value))


def _on_symbols(plain: Any, function: Callable[..., Any]) -> Function:
    """Make the function that is `plain` for plain numbers."""

    def either(*numbers: Any) -> Any:
        return function(*numbers) if any(isinstance(number, Symbol) for number in numbers) else plain(*numbers)

    return either


def _atan2(y: Any, x: Any) -> Any:
    """Return the angle; on the negative x axis that of the upper side."""
    pi = 4.0 * ATAN(_constant(x if isinstance(x, Symbol) else y, 1.0))
    if x > 0.0:
        return ATAN(y / x)
    if x < 0.0:
        return ATAN(y / x) + (pi if y >= 0.0 else -pi)
    if y == 0.0:
        raise ZeroDivisionError("atan2(0, 0) has no slope")
    return (0.5 if y > 0.0 else -0.5) * pi - ATAN(x / y)


def _copysign(x: Any, y: Any) -> Any:
    if y == 0.0:
        return math.copysign(1.0, value_of(y)) * abs(x)
    return abs(x) if y > 0.0 else -abs(x)


def _sign(x: Any) -> float:
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0


def _log_by(base: float) -> Function:
    return lambda x: LOG(x) / LOG(_constant(x, base))


DERIVED = (
    ((math.atan2, np.arctan2), _atan2),
    ((math.hypot, np.hypot), lambda x, y: SQRT(x * x + y * y)),
    ((math.pow, np.power), _power),
    ((np.fmod, math.fmod), lambda x, y: x - y * math.trunc(x / y)),
    ((math.copysign, np.copysign), _copysign),
    ((np.sign,), _sign),
    ((abs, math.fabs, np.abs, np.fabs), abs),
    ((np.square,), lambda x: x * x),
    ((np.reciprocal,), lambda x: 1.0 / x),
    ((np.cbrt,), lambda x: _copysign(EXP(LOG(abs(x)) / 3.0), x)),
    ((math.asinh, np.arcsinh), lambda x: LOG(x + SQRT(x * x + 1.0))),
    ((math.acosh, np.arccosh), lambda x: LOG(x + SQRT((x - 1.0) * (x + 1.0)))),
    ((math.atanh, np.arctanh), lambda x: 0.5 * LOG((1.0 + x) / (1.0 - x))),
    ((math.expm1, np.expm1), lambda x: EXP(x) - 1.0),
    ((math.exp2, np.exp2), lambda x: EXP(x * LOG(_constant(x, 2.0)))),
    ((math.log1p, np.log1p), lambda x: LOG(1.0 + x)),
    ((math.log2, np.log2), _log_by(2.0)),
    ((math.log10, np.log10), _log_by(10.0)),
    ((math.degrees, np.degrees, np.rad2deg), lambda x: x * (45.0 / ATAN(_constant(x, 1.0)))),
    ((math.radians, np.radians, np.deg2rad), lambda x: x * (ATAN(_constant(x, 1.0)) / 45.0)),
    ((math.floor, np.floor), math.floor),
    ((math.ceil, np.ceil), math.ceil),
    ((math.trunc, np.trunc), math.trunc),
    ((np.rint,), round),
    ((math.isfinite, np.isfinite), lambda _: True),
    ((math.isnan, math.isinf, np.isnan, np.isinf), lambda _: False),
)
"""Functions of `math` and numpy -> the same in terms of others, for symbols."""

SYMBOLS = Numbers(
    Symbol,
    {
        **COMMON_SUBSTITUTES,
        **{name: _on_symbols(name, function) for names, function in DERIVED for name in names},
        **{name: _function(operation) for operation, names in FUNCTIONS.items() for name in names},
        int: int,
        round: round,
    },
)
"""Symbols as the numbers that copies of a plug-in's functions calculate with."""

WITHOUT_PIVOTS = Numbers(Symbol, {**SYMBOLS.substitutes, **ELIMINATION})
"""The same, for exact arithmetic: the pivots of an elimination are those of the traced state, and no branches."""

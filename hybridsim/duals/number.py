"""Dual numbers in plain Python, for models whose functions are not compiled, and as a test of the compiled ones.

`math.sin` and the like refuse objects, so a plug-in's functions are copied, with `math`, numpy and what was imported
from them replaced by functions that know dual numbers, or another class of numbers (`Numbers`).
"""

from __future__ import annotations

import math
import operator
import sys
import types as python_types
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np

from hybridsim.duals.rules import BINARY, EXTREMA, PLAIN, UNARY, Rule, slopes_of_modulo, slopes_of_power
from hybridsim.engine.compiler.bytecode import read_code
from hybridsim.engine.compiler.scratch import buffer, scratch
from hybridsim.engine.compiler.sines import sines, sines_one_by_one
from hybridsim.errors import ModelError
from hybridsim.typing import FloatArray, Function


class RealNumber:
    """What classes of numbers with a `value` have alike: truth, order and integers, which have no derivative."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]
    value: float

    def __pos__(self) -> Self:
        return self

    def __bool__(self) -> bool:
        return self.value != 0.0

    def __int__(self) -> int:
        return int(self.value)

    __trunc__ = __int__

    def __floor__(self) -> int:
        return math.floor(self.value)

    def __ceil__(self) -> int:
        return math.ceil(self.value)

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)


def value_of(number: Any) -> Any:
    """Return the value of a number of such a class, or a plain number as it is."""
    return number.value if isinstance(number, RealNumber) else number


def on_values(function: Callable[..., Any]) -> Function:
    """Make the function that is called with the values of numbers; its result is plain."""
    return lambda *arguments: function(*map(value_of, arguments))


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(RealNumber, f"__{_name}__", on_values(getattr(operator, _name)))


class DualNumber(RealNumber):
    """A value and its derivatives in several directions.

    Parameters
    ----------
    value : float
        The value.
    lanes : (n,) array
        The derivatives.
    """

    __slots__ = ("lanes", "value")

    def __init__(self, value: float, lanes: FloatArray) -> None:
        self.value, self.lanes = float(value), lanes

    def __repr__(self) -> str:
        return f"DualNumber({self.value}, {self.lanes})"

    def __neg__(self) -> DualNumber:
        return DualNumber(-self.value, -self.lanes)

    def __abs__(self) -> DualNumber:
        return DualNumber(abs(self.value), math.copysign(1.0, self.value) * self.lanes)

    def __floordiv__(self, other: Any) -> float:
        return self.value // value_of(other)

    def __rfloordiv__(self, other: Any) -> float:
        return value_of(other) // self.value

    def __divmod__(self, other: Any) -> tuple[float, DualNumber]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[float, DualNumber]:
        return other // self, other % self


def multiply_by_slope(number: Any, slope: float) -> FloatArray | float:
    """Return the derivatives of a number times a slope, which may be infinite: zeros stay zero."""
    if not isinstance(number, DualNumber):
        return 0.0
    product: FloatArray = np.zeros_like(number.lanes)
    varies = number.lanes != 0.0
    product[varies] = number.lanes[varies] * slope
    return product


def _slopes(rule: Rule, *given: float) -> Any:
    """Evaluate the slopes with IEEE arithmetic: 1 / 0 is infinite."""
    with np.errstate(all="ignore"):
        try:
            return rule.slopes(*map(np.float64, given))
        except (ValueError, OverflowError):  # `math` raises where numpy gives nan or inf
            return (math.nan,) * (len(given) - 1) if len(given) > 2 else math.nan


def _unary(rule: Rule) -> Function:
    def function(x: Any, *others: Any) -> Any:
        if not isinstance(x, DualNumber):
            return rule.names[0](x, *others)
        value = rule.names[0](x.value)
        return DualNumber(value, multiply_by_slope(x, float(_slopes(rule, x.value, value))))  # type: ignore[arg-type]

    return function


def _binary(rule: Rule) -> Function:
    def function(x: Any, y: Any) -> Any:
        first, second = value_of(x), value_of(y)
        value = rule.names[0](first, second)
        if not isinstance(x, DualNumber) and not isinstance(y, DualNumber):
            return value
        slope, slope_of_second = _slopes(rule, first, second, value)
        return DualNumber(value, multiply_by_slope(x, float(slope)) + multiply_by_slope(y, float(slope_of_second)))  # type: ignore[arg-type]

    return function


def _register_operators() -> None:
    """Give the class its operators: the result of two numbers is dual if one of them is."""
    arithmetic = {
        "add": Rule((operator.add,), lambda x, y, f: (1.0, 1.0)),
        "sub": Rule((operator.sub,), lambda x, y, f: (1.0, -1.0)),
        "mul": Rule((operator.mul,), lambda x, y, f: (y, x)),
        "truediv": Rule((operator.truediv,), lambda x, y, f: (1.0 / y, -f / y)),
        "pow": Rule((operator.pow,), slopes_of_power),
        "mod": Rule((operator.mod,), slopes_of_modulo),
    }
    for name, rule in arithmetic.items():
        function = _binary(rule)
        setattr(DualNumber, f"__{name}__", function)
        setattr(DualNumber, f"__r{name}__", lambda x, y, function=function: function(y, x))


_register_operators()


COMMON_SUBSTITUTES: Mapping[Any, Function] = {
    **{name: on_values(name) for name in PLAIN},
    **{name: names[0] for names, _ in EXTREMA for name in names},
    float: lambda x: x if isinstance(x, RealNumber) else float(x),
    scratch: lambda n: np.empty(n, object),
    buffer: lambda p, index, n: np.empty(n, object),
}
"""Function of Python, `math`, numpy or the interface -> the function that takes any such numbers in its place."""


class Numbers(NamedTuple):
    """A class of numbers that copies of a plug-in's functions calculate with, and the functions that know it."""

    number: type
    substitutes: Mapping[Any, Function]


DUAL_NUMBERS = Numbers(
    DualNumber,
    {
        **{name: _unary(rule) for rule in UNARY for name in rule.names},
        **{name: _binary(rule) for rule in BINARY for name in rule.names},
        **COMMON_SUBSTITUTES,
    },
)


class _Library:
    """`math` or numpy, with functions that take other numbers."""

    def __init__(self, library: Any, numbers: Numbers) -> None:
        self._library, self._numbers = library, numbers

    def __getattr__(self, name: str) -> Any:
        return substitute(getattr(self._library, name), self._numbers, frozenset())


def substitute(value: Any, numbers: Numbers, callers: frozenset[Any]) -> Any:
    """Return what stands for a global of a plug-in in the copy of its function: the same for most values."""
    if value is math or value is np:
        return _Library(value, numbers)
    if value is sines:
        return on_numbers(sines_one_by_one, numbers)
    try:
        if value in numbers.substitutes:
            return numbers.substitutes[value]
    except (TypeError, ValueError):  # not hashable, or an array
        return value
    if isinstance(value, python_types.FunctionType):
        is_known = value in callers or str(value.__module__).startswith("hybridsim.engine.")
        return value if is_known else on_numbers(value, numbers, callers)
    is_function = callable(value) and not isinstance(value, type) and value not in UNCHANGED
    return _make_refusal(value, numbers.number) if is_function else value


UNCHANGED = (min, max, divmod, pow, sum, len)
"""Functions of Python that take other numbers as they are."""


def _make_refusal(function: Any, number: type) -> Function:
    """Make what stands for a function that has no rule: it refuses these numbers."""

    def refuse(*arguments: Any) -> Any:
        if any(isinstance(argument, number) for argument in arguments):
            caller = sys._getframe(1)
            where = f"{caller.f_code.co_filename}:{caller.f_lineno}: in `{caller.f_code.co_name}`"
            raise ModelError(
                f"{where}: `{function.__name__}` has no derivative; write it with functions of `math` that have one"
            )
        return function(*arguments)

    return refuse


def on_numbers(function: Function, numbers: Numbers, callers: frozenset[Any] = frozenset()) -> Callable[..., Any]:
    """Copy a function of a plug-in, with its helpers, so that it takes other numbers.

    Parameters
    ----------
    function : callable
        The function.
    numbers : Numbers
        The numbers.
    callers : frozenset of callable
        The functions that call this one.

    Returns
    -------
    callable
        The copy.
    """
    active = callers | {function}
    namespace = dict(function.__globals__)
    namespace["float"] = numbers.substitutes[float]
    for name in read_code(function.__code__).names:
        if name in function.__globals__:
            namespace[name] = substitute(function.__globals__[name], numbers, active)
    cells = tuple(
        python_types.CellType(substitute(cell.cell_contents, numbers, active)) for cell in function.__closure__ or ()
    )
    return python_types.FunctionType(
        function.__code__, namespace, function.__name__, function.__defaults__, cells or None
    )


def on_dual_numbers(function: Function) -> Callable[..., Any]:
    """Copy a function of a plug-in, with its helpers, so that it takes dual numbers."""
    return on_numbers(function, DUAL_NUMBERS)

"""How many operations a function has, counted in plain Python before it is compiled on series.

The compiler takes minutes for a function with thousands of them in its source, and a tape has a row for each that is
executed. A copy of the function is called with numbers that count what is done with them (`duals.number.Numbers`).
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from hybridsim.duals.number import COMMON_SUBSTITUTES, Numbers, RealNumber, on_numbers, value_of
from hybridsim.duals.rules import BINARY, UNARY
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.trials import DOMAIN_ERRORS, N_CHARTS_BEFORE_RUN, Trials, trials


class OperationCount(NamedTuple):
    """The operations with variables of a function.

    Attributes
    ----------
    executed : int
        How many one call executes, in the chart where they are most: each pass of a loop counts.
    written : int
        At how many places of the source, helpers included, they are.
    """

    executed: int
    written: int


class _Count:
    """What is counted while a function runs."""

    def __init__(self) -> None:
        self.executed, self.places = 0, set[tuple[Any, int]]()


class CountedNumber(RealNumber):
    """A value that adds each operation with it to a count."""

    __slots__ = ("count", "value")

    def __init__(self, value: float, count: _Count) -> None:
        self.value, self.count = value, count


def _count_calls(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make what stands for a function: its result is a variable if an argument is one."""

    def operation(*arguments: Any) -> Any:
        counts = [argument.count for argument in arguments if isinstance(argument, CountedNumber)]
        try:
            with np.errstate(all="ignore"):
                value = function(*map(value_of, arguments))
        except DOMAIN_ERRORS:  # compiled code goes on with nan
            value = math.nan
        if not counts:
            return value
        caller = sys._getframe(1)
        counts[0].executed += 1
        counts[0].places.add((caller.f_code, caller.f_lasti))
        return CountedNumber(value, counts[0])

    return operation


def _register_operators() -> None:
    for name in ("add", "sub", "mul", "truediv", "pow"):
        function = getattr(operator, name)
        setattr(CountedNumber, f"__{name}__", _count_calls(function))
        setattr(CountedNumber, f"__r{name}__", _count_calls(lambda x, y, function=function: function(y, x)))
    for name in ("neg", "abs"):
        setattr(CountedNumber, f"__{name}__", _count_calls(getattr(operator, name)))


_register_operators()

COUNTED_NUMBERS = Numbers(
    CountedNumber,
    {
        **{name: _count_calls(rule.names[0]) for rule in (*UNARY, *BINARY) for name in rule.names},
        **COMMON_SUBSTITUTES,
    },
)
"""Numbers that count what is done with them."""


def charts_to_count(tried: Trials) -> list[int]:
    """Return the charts that are tried before a run, and the last one, in which all bits of all fields are set."""
    return [*dict.fromkeys((*tried.charts, tried.model.n_charts - 1))]


def count_operations(model: Model, name: str) -> OperationCount:
    """Count the operations of a model's `vector_field` or `boundaries` at its defaults.

    Parameters
    ----------
    model : Model
        The model.
    name : str
        Name of the function.

    Returns
    -------
    OperationCount
        The operations. A chart in which something has no series has none: the compiler says what it is.
    """
    tried = trials(model, n_random=0, n_charts=N_CHARTS_BEFORE_RUN)
    function = on_numbers(model.functions[name], COUNTED_NUMBERS)
    results = np.zeros(max(len(model.states), len(model.boundary_records)), object)
    executed, places = 0, set[tuple[Any, int]]()
    for chart in charts_to_count(tried):
        count = _Count()
        x = np.array([CountedNumber(float(value), count) for value in tried.states[0]], object)
        try:
            function(results.copy(), CountedNumber(0.0, count), x, tried.p.copy(), chart)
        except (ModelError, TypeError, *DOMAIN_ERRORS):
            continue
        executed, places = max(executed, count.executed), places | count.places
    return OperationCount(executed, len(places))

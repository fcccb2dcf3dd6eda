"""Slices of arrays, and functions bound to them: with these a plant and its parts call each other; and `is_nothing`.

In Python `subarray` is a slice and `bind` a closure. Compiled (`binding`), they are a shifted pointer and a struct of
three numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def subarray(values: Any, first: int, n: int) -> Any:
    """View n entries of an array.

    Parameters
    ----------
    values : array
        The array, or an object with a method `subarray(first, n)`.
    first : int
        Index of the first entry.
    n : int
        Number of entries.

    Returns
    -------
    (n,) array
        A view: what is written into it is written into `values`.
    """
    method = getattr(values, "subarray", None)
    return values[first : first + n] if method is None else method(first, n)


def bind(function: Callable[..., Any], x: Any, p: Any, chart: int) -> Callable[..., Any]:
    """Fix the state, the parameters and the chart of a function.

    Parameters
    ----------
    function : callable
        A function `f(t, x, p, chart, ...)`.
    x : array
        State.
    p : array
        Parameters.
    chart : int
        Number of the chart.

    Returns
    -------
    callable
        The function `(t, ...)` of the remaining arguments.
    """
    return lambda t, *rest: function(t, x, p, chart, *rest)


def is_nothing(value: Any) -> bool:
    """Return whether a number is zero and has no derivative: of dual numbers, series and expressions nobody knows."""
    return isinstance(value, float) and value == 0.0


def is_zero(value):
    """What `is_nothing` is on doubles."""
    return value == 0.0


def may_be_something(value):
    """What `is_nothing` is on other numbers."""
    return False

"""Slices of arrays, and functions bound to them: what lets a plant and its parts call each other.

In Python `part` is a slice and `bind` a closure; compiled (`binding`), a shifted pointer and a struct of three numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def part(values: Any, first: int, n: int) -> Any:
    """The n entries of `values` from `first` on, as an array of their own; what is written there is written here."""
    own = getattr(values, "part", None)
    return values[first : first + n] if own is None else own(first, n)


def bind(function: Callable[..., Any], x: Any, p: Any, chart: int) -> Callable[..., Any]:
    """`function(t, x, p, chart, ...)` with x, p and chart given: what is left is called as `f(t, ...)`."""
    return lambda t, *rest: function(t, x, p, chart, *rest)

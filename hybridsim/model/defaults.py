"""What a record accepts as its default value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import Any

from hybridsim.errors import ModelError


def refuse_outside_bounds(what: str, name: str, value: Any, lower: Any, upper: Any) -> None:
    """Raise a ModelError unless these are numbers, the value finite and between its bounds."""
    for argument, number in (("default", value), ("lower", lower), ("upper", upper)):
        if not isinstance(number, Real):
            raise ModelError(
                f"{what} {name!r}: {argument}: expected a number, found {number!r}; give one{_how(number)}"
            )
    value, lower, upper = float(value), float(lower), float(upper)
    if not lower <= upper:
        raise ModelError(f"{what} {name!r}: the lower bound {lower!r} lies above the upper bound {upper!r}")
    if not math.isfinite(value):
        raise ModelError(f"{what} {name!r}: the default must be a finite number, not {value!r}")
    if not lower <= value <= upper:
        raise ModelError(f"{what} {name!r}: the default {value!r} lies outside its bounds [{lower!r}, {upper!r}]")


def _how(given: object) -> str:
    """Return how the number that a text holds is written; for other texts, nothing."""
    try:
        return f", {float(given)!r}, without quotes" if isinstance(given, str) else ""
    except ValueError:
        return ""


def is_matrix(values: Any) -> bool:
    """Return whether values are a matrix as p holds it: rows, columns, and as many numbers."""
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) < 3:
        return False
    rows, columns = values[:2]
    whole = all(isinstance(number, int | float) and number >= 1 and number == int(number) for number in values[:2])
    return whole and rows * columns == len(values) - 2

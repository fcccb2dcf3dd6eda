"""Gaussian elimination without branches: whichever pivots are taken, the solution is the same function.

So the branches of the search for pivots are no guards: they are those at the traced state. What is not the same
function is the smallest pivot, which has no expression here: a model that calculates with it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hybridsim.duals.number import value_of
from hybridsim.multibody import linear


class SmallestPivot:
    """A number that nothing may depend on."""

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("the smallest pivot of an elimination has no expression; do without it in what is traced")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __bool__ = __float__ = __neg__ = __abs__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _refuse
    __hash__ = None  # type: ignore[assignment]


def _row_of_pivot(rows: Any, first: int, column: int, n: int, width: int) -> int:
    return max(range(column, n), key=lambda i: (abs(value_of(rows[first + width * i + column])), -i))


def _smaller(*_: Any) -> SmallestPivot:
    return SmallestPivot()


def _scale_of(*_: Any) -> float:
    return 1.0


ELIMINATION: Mapping[Any, Callable[..., Any]] = {
    linear.smaller: _smaller,
    linear.scale_of: _scale_of,
    linear.row_of_pivot: _row_of_pivot,
}
"""Functions of `multibody.linear` -> the same without branches."""

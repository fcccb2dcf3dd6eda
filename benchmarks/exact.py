"""The runner to thirty digits: power series with decimal coefficients, for errors that a double cannot show.

    python benchmarks/exact.py [STRIDES]

Nothing here is shared with an engine: each chart is a series of order 40 about its state, with the boundary as another
series, whose root Newton's method finds. The numbers of slip.py are taken as the doubles that they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import cache
from typing import Any

import slip

DIGITS, ORDER = 40, 40
SMALLEST, LONGEST = Decimal("1e-34"), Decimal("0.05")
"""The size of the last term of a series at the end of a step, and of a change in Newton's method; a step [s]."""


class Series:
    """A power series in time whose coefficients are computed when asked for: `coefficient(k)` may use earlier ones."""

    def __init__(self, coefficient: Callable[[int], Decimal]) -> None:
        self._coefficient = coefficient
        self._known: list[Decimal] = []

    def __getitem__(self, k: int) -> Decimal:
        while len(self._known) <= k:
            self._known.append(self._coefficient(len(self._known)))
        return self._known[k]

    def __add__(self, other: Any) -> Series:
        other = series(other)
        return Series(lambda k: self[k] + other[k])

    def __sub__(self, other: Any) -> Series:
        other = series(other)
        return Series(lambda k: self[k] - other[k])

    def __mul__(self, other: Any) -> Series:
        if isinstance(other, Decimal):
            return Series(lambda k: self[k] * other)
        return Series(lambda k: sum((self[i] * other[k - i] for i in range(k + 1)), Decimal()))

    def __truediv__(self, other: Series) -> Series:
        quotient = Series(
            lambda k: (self[k] - sum((quotient[i] * other[k - i] for i in range(k)), Decimal())) / other[0]
        )
        return quotient

    def sqrt(self) -> Series:
        def coefficient(k: int) -> Decimal:
            if k == 0:
                return self[0].sqrt()
            return (self[k] - sum((root[i] * root[k - i] for i in range(1, k)), Decimal())) / (2 * root[0])

        root = Series(coefficient)
        return root

    def at(self, t: Decimal) -> Decimal:
        value = Decimal()
        for k in range(ORDER, -1, -1):
            value = value * t + self[k]
        return value

    def slope_at(self, t: Decimal) -> Decimal:
        return Series(lambda k: (k + 1) * self[k + 1] if k < ORDER else Decimal()).at(t)


def series(number: Any) -> Series:
    """Make a constant a series."""
    if isinstance(number, Series):
        return number
    return Series(lambda k: number if k == 0 else Decimal())


def integral(start: Decimal, slope: Callable[[], Series]) -> Series:
    return Series(lambda k: start if k == 0 else slope()[k - 1] / k)


MASS, LENGTH, GRAVITY, STIFFNESS, AHEAD, TOUCHDOWN_HEIGHT = map(
    Decimal, (slip.MASS, slip.LENGTH, slip.GRAVITY, slip.STIFFNESS, slip.AHEAD, slip.TOUCHDOWN_HEIGHT)
)


def solution(chart: int, x: list[Decimal], footx: Decimal) -> tuple[list[Series], Series]:
    """Return the states and the boundary as series about a state; charts are those of `slip.STRIDE`."""
    states = [integral(value, lambda i=i: slopes[i]) for i, value in enumerate(x)]  # type: ignore[misc]
    legx, y, xdot, ydot = states[0] - footx, *states[1:]
    if chart in (0, 3):
        slopes = [xdot, ydot, series(Decimal()), series(-GRAVITY)]
        return states, ydot if chart == 3 else y - TOUCHDOWN_HEIGHT
    square = legx * legx + y * y
    push = (series(LENGTH) / square.sqrt() - Decimal(1)) * (STIFFNESS / MASS)
    slopes = [xdot, ydot, push * legx, push * y - GRAVITY]
    return states, series(Decimal()) - (legx * xdot + y * ydot) if chart == 1 else series(LENGTH * LENGTH) - square


def chart_end(chart: int, x: list[Decimal], footx: Decimal) -> list[Decimal]:
    """Return the state where the boundary falls to zero."""
    while True:
        states, boundary = solution(chart, x, footx)
        last = max(abs(each[ORDER]) for each in states)
        t = LONGEST if last == 0 else min((SMALLEST / last) ** (Decimal(1) / ORDER), LONGEST)
        if boundary.at(t) <= 0:
            break
        x = [each.at(t) for each in states]
    change = t
    while abs(change) > SMALLEST:
        change = boundary.at(t) / boundary.slope_at(t)
        t -= change
    return [each.at(t) for each in states]


@cache
def touchdown(strides: int) -> tuple[float, float, float, float]:
    """Return the state at a touchdown, rounded to doubles."""
    with localcontext() as context:
        context.prec = DIGITS
        x, footx = [Decimal(value) for value in slip.START], Decimal()
        for stride in range(strides):
            if stride > 0:
                footx = x[0] + AHEAD
                for chart in (1, 2, 3):
                    x = chart_end(chart, x, footx)
            x = chart_end(0, x, footx)
    return float(x[0]), float(x[1]), float(x[2]), float(x[3])


if __name__ == "__main__":
    print(*map(repr, touchdown(int(sys.argv[1]) if len(sys.argv) > 1 else 24)))

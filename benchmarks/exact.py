"""The runner and the compass gait to thirty digits: power series with decimal coefficients.

    python benchmarks/exact.py [STRIDES]

Nothing here is shared with an engine: a step is a series of order 40 about a state, with the boundary as another
series, whose root Newton's method finds. The numbers of slip.py and gait.py are taken as the doubles that they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from decimal import Decimal, localcontext
from functools import cache, partial
from typing import Any

import gait
import slip

DIGITS, ORDER = 40, 40
SMALLEST, LONGEST = Decimal("1e-34"), Decimal("0.05")
HALF_PI = Decimal("1.5707963267948966192313216916397514420985846996875529")
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

    def __neg__(self) -> Series:
        return Series(lambda k: -self[k])

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

    def sine_and_cosine(self) -> tuple[Series, Series]:
        def coefficient(sign: int, k: int) -> Decimal:
            if k == 0:
                return sine_of(self[0]) if sign > 0 else sine_of(self[0] + HALF_PI)
            other = cosine if sign > 0 else sine
            return sign * sum((i * self[i] * other[k - i] for i in range(1, k + 1)), Decimal()) / k

        sine, cosine = Series(partial(coefficient, 1)), Series(partial(coefficient, -1))
        return sine, cosine

    def at(self, t: Decimal) -> Decimal:
        value = Decimal()
        for k in range(ORDER, -1, -1):
            value = value * t + self[k]
        return value

    def slope_at(self, t: Decimal) -> Decimal:
        return Series(lambda k: (k + 1) * self[k + 1] if k < ORDER else Decimal()).at(t)


def sine_of(angle: Decimal) -> Decimal:
    """Return the sine by its own series."""
    total, term, k = Decimal(), angle, 1
    while abs(term) > SMALLEST * SMALLEST:
        total += term
        term *= -angle * angle / ((k + 1) * (k + 2))
        k += 2
    return total


def series(number: Any) -> Series:
    """Make a constant a series."""
    if isinstance(number, Series):
        return number
    return Series(lambda k: number if k == 0 else Decimal())


def integral(start: Decimal, slope: Callable[[], Series]) -> Series:
    return Series(lambda k: start if k == 0 else slope()[k - 1] / k)


M, M_HIP, A, B, G, SLOPE = map(Decimal, gait.PARAMETERS)
MASS, LENGTH, GRAVITY, STIFFNESS, AHEAD, TOUCHDOWN_HEIGHT = map(
    Decimal, (slip.MASS, slip.LENGTH, slip.GRAVITY, slip.STIFFNESS, slip.AHEAD, slip.TOUCHDOWN_HEIGHT)
)


def runner(chart: int, footx: Decimal, x: list[Decimal]) -> tuple[list[Series], Series]:
    """Return the states and the boundary of the runner as series about a state; charts are those of `slip.STRIDE`."""
    states = [integral(value, lambda i=i: slopes[i]) for i, value in enumerate(x)]  # type: ignore[misc]
    legx, y, xdot, ydot = states[0] - footx, *states[1:]
    if chart in (0, 3):
        slopes = [xdot, ydot, series(Decimal()), series(-GRAVITY)]
        return states, ydot if chart == 3 else y - TOUCHDOWN_HEIGHT
    square = legx * legx + y * y
    push = (series(LENGTH) / square.sqrt() - Decimal(1)) * (STIFFNESS / MASS)
    slopes = [xdot, ydot, push * legx, push * y - GRAVITY]
    return states, -(legx * xdot + y * ydot) if chart == 1 else series(LENGTH * LENGTH) - square


def walker(chart: int, x: list[Decimal]) -> tuple[list[Series], Series]:
    """Return the states and the boundary of the compass gait; charts are those of `gait`."""
    states = [integral(value, lambda i=i: slopes[i]) for i, value in enumerate(x)]  # type: ignore[misc]
    stance, swing, stance_rate, swing_rate = states
    sine, cosine = (stance - swing).sine_and_cosine()
    stance_pull = (stance + SLOPE).sine_and_cosine()[0] * (G * (M * A + (M_HIP + M) * (A + B)))
    swing_pull = (swing + SLOPE).sine_and_cosine()[0] * (G * M * B)
    coupling = sine * (M * (A + B) * B)
    rates = solved(
        cosine, coupling * (swing_rate * swing_rate) + stance_pull, -coupling * (stance_rate * stance_rate) - swing_pull
    )
    slopes = [stance_rate, swing_rate, *rates]
    return states, swing - stance if chart == 0 else -(stance + swing)


def solved(cosine: Any, first: Any, second: Any) -> tuple[Any, Any]:
    """Return the rates, or accelerations, that the inertia of the compass gait gives; numbers or series."""
    m11, m12, m22 = M * A * A + (M_HIP + M) * (A + B) ** 2, cosine * (-M * (A + B) * B), M * B * B
    determinant = -(m12 * m12) + m11 * m22
    return (first * m22 - m12 * second) / determinant, (second * m11 - m12 * first) / determinant


def strike(x: list[Decimal]) -> list[Decimal]:
    """Return the state of the compass gait after a heelstrike."""
    stance, swing, stance_rate, swing_rate = x
    cosine, hip = sine_of(stance - swing + HALF_PI), -M * A * B * stance_rate
    foot = ((M_HIP * (A + B) + 2 * M * A) * (A + B) * cosine - M * A * B) * stance_rate - M * A * B * swing_rate
    return [swing, stance, *solved(cosine, foot - hip, hip)]


Solution = Callable[[list[Decimal]], tuple[list[Series], Series]]


def chart_end(
    solution: Solution, x: list[Decimal], longest: Decimal | None = None
) -> tuple[list[Decimal], Decimal, bool]:
    """Return the state where the boundary falls to zero, or after a time, when that is, and whether it is an event."""
    passed, was_positive = Decimal(), False
    while True:
        states, boundary = solution(x)
        last = max(abs(each[ORDER]) for each in states)
        t = LONGEST if last == 0 else min((SMALLEST / last) ** (Decimal(1) / ORDER), LONGEST)
        is_last = longest is not None and passed + t >= longest
        if longest is not None and is_last:
            t = longest - passed
        was_positive |= boundary[0] > 0
        if was_positive and boundary.at(t) <= 0:
            break
        x, passed = [each.at(t) for each in states], passed + t
        if is_last:
            return x, passed, False
    change = t
    while abs(change) > SMALLEST:
        change = boundary.at(t) / boundary.slope_at(t)
        t -= change
    return [each.at(t) for each in states], passed + t, True


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
                    x = chart_end(partial(runner, chart, footx), x)[0]
            x = chart_end(partial(runner, 0, footx), x)[0]
    return float(x[0]), float(x[1]), float(x[2]), float(x[3])


@cache
def walked(strides: int) -> tuple[float, float, float, float]:
    """Return the state of the compass gait a third of a stride after so many strides, rounded to doubles."""
    with localcontext() as context:
        context.prec = DIGITS
        x, left, chart = [Decimal(value) for value in gait.START], Decimal(gait.end(strides)), 0
        while True:
            x, passed, is_event = chart_end(partial(walker, chart), x, left)
            if not is_event:
                return float(x[0]), float(x[1]), float(x[2]), float(x[3])
            left -= passed
            x, chart = (strike(x), 0) if chart == 1 else (x, 1)


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    print(*map(repr, touchdown(count)))
    print(*map(repr, walked(count)))

"""Numbers of the checker: balls of fixed-point numbers, and discs in the complex plane, made of whole numbers.

A ball (m, r) is all real numbers x with |x - m / 2^P| <= r / 2^P. Every operation rounds the radius up. Nothing here is
shared with what makes proofs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any


class RefusedError(Exception):
    """An inequality does not hold, or a certificate is not one."""


class Ball:
    """A ball; `Ball.bits` is P."""

    __slots__ = ("m", "r")
    bits = 160

    def __init__(self, m: int, r: int = 0) -> None:
        self.m, self.r = m, r

    @classmethod
    def of(cls, mantissa: int, exponent: int = 0) -> Ball:
        """Return mantissa 2^exponent, rounded."""
        shift = exponent + cls.bits
        return cls(mantissa << shift) if shift >= 0 else cls(mantissa >> -shift, 1)

    @classmethod
    def of_float(cls, value: float) -> Ball:
        """Return a float, rounded."""
        numerator, denominator = value.as_integer_ratio()
        return cls.of(numerator, 1 - denominator.bit_length())

    def __neg__(self) -> Ball:
        return Ball(-self.m, self.r)

    def __add__(self, other: Ball) -> Ball:
        return Ball(self.m + other.m, self.r + other.r)

    def __sub__(self, other: Ball) -> Ball:
        return Ball(self.m - other.m, self.r + other.r)

    def __mul__(self, other: Ball) -> Ball:
        away = abs(self.m) * other.r + abs(other.m) * self.r + self.r * other.r
        return _shifted(self.m * other.m, away)

    def __truediv__(self, other: Ball) -> Ball:
        size = abs(other.m)
        if size <= other.r:
            raise RefusedError("a divisor may be zero")
        if not (self.m or self.r):
            return self  # exactly
        away = ((abs(self.m) * other.r + size * self.r) << self.bits) // (size * (size - other.r))
        return Ball((self.m << self.bits) // other.m, away + 2)

    def __abs__(self) -> Ball:
        return Ball(abs(self.m), self.r)

    def over(self, n: int) -> Ball:
        """Return the ball divided by a positive whole number."""
        return Ball(self.m // n, -(-self.r // n) + (self.m % n != 0))

    @property
    def low(self) -> int:
        """The lower end, in units of 2^-P."""
        return self.m - self.r

    @property
    def high(self) -> int:
        """The upper end, in units of 2^-P."""
        return self.m + self.r

    def size(self) -> Ball:
        """Return the largest size of its numbers."""
        return Ball(abs(self.m) + self.r)

    def widened(self, by: Ball) -> Ball:
        """Return the ball with a radius that is larger."""
        return Ball(self.m, self.r + abs(by.m) + by.r)

    def common(self, other: Ball) -> Ball:
        """Return a ball with what two have in common."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low > high:
            raise RefusedError("two enclosures of the same numbers have nothing in common")
        return _from(low, high)


def _shifted(m: int, away: int) -> Ball:
    """Return the ball of m / 2^2P, rounded; nothing is added to what is exact."""
    mask = (1 << Ball.bits) - 1
    return Ball(m >> Ball.bits, ((away + mask) >> Ball.bits) + (m & mask != 0))


def _from(low: int, high: int) -> Ball:
    middle = (low + high) // 2
    return Ball(middle, high - middle)


def between(a: Ball, b: Ball) -> Ball:
    """Return a ball with all numbers from a to b."""
    low, high = min(a.low, b.low), max(a.high, b.high)
    return _from(low, high)


def dot(a: Iterable[Ball], b: Iterable[Ball]) -> Ball:
    """Return the sum of products."""
    m = r = 0
    for x, y in zip(a, b, strict=False):
        if (x.m or x.r) and (y.m or y.r):
            m += x.m * y.m
            r += abs(x.m) * y.r + abs(y.m) * x.r + x.r * y.r
    return _shifted(m, r)


def one() -> Ball:
    """Return 1."""
    return Ball(1 << Ball.bits)


def power(x: Any, n: int) -> Any:
    """Return a power, n > 0."""
    result = x
    for _ in range(n - 1):
        result = result * x
    return result


def sqrt(x: Ball) -> Ball:
    """Return the root, which is as far from that of m as r over the sum of the roots of m and m - r, or nearer."""
    if x.low <= 0:
        raise RefusedError("a square root of what may not be positive")
    root, least = math.isqrt(x.m << Ball.bits), math.isqrt(x.low << Ball.bits)
    return Ball(root, (x.r << Ball.bits) // max(root + least, 1) + 2)


HALVINGS = 64
"""Bits behind those of a ball with which series are summed."""


def _summed(m: int, first: int, sign: int, step: int) -> Ball:
    """Return the sum of sign^k y^n / n!, n = first, first + step, .., for y = m / 2^P with |y| <= 1/2."""
    y, n = Ball(m), first
    term = one() if first == 0 else y
    total = term
    while abs(term.m) > term.r:
        for _ in range(step):
            n += 1
            term = (term * y).over(n)
        term = -term if sign < 0 else term
        total += term
    return total.widened(term).widened(term)  # what is left out is less than twice the last term


def _scaled(m: int, function: Callable[[int], Any], double: Callable[[Any], Any]) -> Any:
    """Return a function of m / 2^P from that of a number below 1/2 in size by doubling it, with more bits."""
    bits = Ball.bits
    halvings = max(0, abs(m).bit_length() - bits + 1)
    try:
        Ball.bits = bits + HALVINGS + 3 * halvings
        found = function(m << (HALVINGS + 2 * halvings))
        for _ in range(halvings):
            found = double(found)
        shift = Ball.bits - bits
        return [Ball(x.m >> shift, (x.r >> shift) + 2) for x in found]
    finally:
        Ball.bits = bits


def exp(x: Ball) -> Ball:
    """Find the exponential: it is e^m (1 +- (e^r - 1)), with e^r - 1 <= r + r^2 for r <= 1."""
    if x.r > 1 << Ball.bits:
        raise RefusedError("an exponential of a wide interval")
    at: Ball = _scaled(x.m, lambda m: [_summed(m, 0, 1, 1)], lambda e: [e[0] * e[0]])[0]
    away = Ball(x.r)
    return at.widened(at.size() * (away + away * away)) if x.r else at


def _kept(function: Callable[[Ball], tuple[Ball, Ball]]) -> Callable[[Ball], tuple[Ball, Ball]]:
    """Keep what a function makes of the last balls, which are the same objects, and with the same bits."""
    known = lru_cache(maxsize=64)(lambda x, _bits: function(x))
    return lambda x: known(x, Ball.bits)


@_kept
def sin_cos(x: Ball) -> tuple[Ball, Ball]:
    """Return sine and cosine: |sin(m + d) - sin(m)| <= |d cos(m)| + d^2 / 2."""
    sine, cosine = _scaled(
        x.m,
        lambda m: [_summed(m, 1, -1, 2), _summed(m, 0, -1, 2)],
        lambda z: [(z[0] + z[0]) * z[1], one() - (z[0] + z[0]) * z[0]],
    )
    away = Ball(x.r)
    square = (away * away).over(2)
    if not x.r:
        return sine, cosine
    return sine.widened(away * cosine.size() + square), cosine.widened(away * sine.size() + square)


def tan(x: Ball) -> Ball:
    """Return the tangent."""
    sine, cosine = sin_cos(x)
    return sine / cosine


@_kept
def sinh_cosh(x: Ball) -> tuple[Ball, Ball]:
    """Return the hyperbolic sine and cosine."""
    grows, falls = exp(x), exp(-x)
    return (grows - falls).over(2), (grows + falls).over(2)


def tanh(x: Ball) -> Ball:
    """Return the hyperbolic tangent."""
    sine, cosine = sinh_cosh(x)
    return sine / cosine


def _near_zero(z: Ball, sign: int, step: int) -> Ball:
    """Return z + sign z^(1 + step) / (1 + step) + .. for |z| <= 1/4."""
    if z.size().m > one().m // 4:
        raise RefusedError("a series is used too far from zero")
    total, term, n = z, z, 1
    while abs(term.m) > term.r:
        n += step
        term = term * power(z, step)
        term = -term if sign < 0 else term
        total += term.over(n)
    return total.widened(term).widened(term)


def log(x: Ball) -> Ball:
    """Find the logarithm as y + log1p(z), z = m e^-y - 1, with a float y near it; the slope is at most 1 / (m - r)."""
    if x.low <= 0:
        raise RefusedError("a logarithm of what may not be positive")
    y = Ball.of_float(math.log(x.m) - Ball.bits * math.log(2.0))
    at = y + _near_zero(Ball(x.m) * exp(-y) - one(), -1, 1)
    return at.widened(Ball(x.r) / Ball(x.low)) if x.r else at


def atan(x: Ball) -> Ball:
    """Find the arc tangent as y + that of (m - tan y) / (1 + m tan y), y a float near it; the slope is at most 1."""
    m = Ball(x.m)
    y = Ball.of_float(math.atan(x.m / (1 << Ball.bits)))
    t = tan(y)
    return (y + _near_zero((m - t) / (one() + m * t), -1, 2)).widened(Ball(x.r))


def asin(x: Ball) -> Ball:
    """Return the arc sine of numbers between -1 and 1."""
    return atan(x / sqrt(one() - x * x))


def acos(x: Ball) -> Ball:
    """Return the arc cosine, pi / 2 - asin."""
    quarter = atan(one())
    return quarter + quarter - asin(x)


class Disc:
    """All complex numbers z with |z - c| <= r, c a real ball."""

    __slots__ = ("c", "r")

    def __init__(self, c: Ball, r: Ball) -> None:
        self.c, self.r = c, r

    def __neg__(self) -> Disc:
        return Disc(-self.c, self.r)

    def __add__(self, other: Disc) -> Disc:
        return Disc(self.c + other.c, self.r + other.r)

    def __sub__(self, other: Disc) -> Disc:
        return Disc(self.c - other.c, self.r + other.r)

    def __mul__(self, other: Disc) -> Disc:
        away = abs(self.c) * other.r + abs(other.c) * self.r + self.r * other.r
        return Disc(self.c * other.c, away)

    def __truediv__(self, other: Disc) -> Disc:
        least = _positive(abs(other.c) - other.r)
        return self * Disc(one() / other.c, other.r / (abs(other.c) * least))

    def size(self) -> Ball:
        """Return the largest size of its numbers."""
        return (abs(self.c) + self.r).size()


def _positive(x: Ball) -> Ball:
    if x.low <= 0:
        raise RefusedError("a function is not analytic on a disc")
    return x


def _by_parts(both: Callable[[Ball], tuple[Ball, Ball]], k: int) -> Callable[[Disc], Disc]:
    """Make sin, cos, sinh or cosh of a disc: |f(c + d) - f(c)| <= |f'(c)| sinh|d| + |f(c)| (cosh|d| - 1)."""

    def on_disc(z: Disc) -> Disc:
        found, (sine, cosine) = both(z.c), sinh_cosh(z.r)
        return Disc(found[k], abs(found[1 - k]) * sine + abs(found[k]) * (cosine - one()))

    return on_disc


def _atan(z: Disc) -> Disc:
    """The slope 1 / (1 + z^2) has its poles at +-i, sqrt(1 + c^2) away from c."""
    return Disc(atan(z.c), z.r / power(_positive(sqrt(one() + z.c * z.c) - z.r), 2))


def _asin(function: Callable[[Ball], Ball]) -> Callable[[Disc], Disc]:
    def on_disc(z: Disc) -> Disc:
        return Disc(function(z.c), z.r / (sqrt(_positive(one() - z.c - z.r)) * sqrt(_positive(one() + z.c - z.r))))

    return on_disc


ON_BALLS: dict[str, Callable[..., Any]] = {
    "const": Ball.of_float,
    **{f.__name__: f for f in (sqrt, exp, log, tan, asin, acos, atan, tanh)},
    "sin": lambda x: sin_cos(x)[0],
    "cos": lambda x: sin_cos(x)[1],
    "sinh": lambda x: sinh_cosh(x)[0],
    "cosh": lambda x: sinh_cosh(x)[1],
}
"""Functions of balls."""

ON_DISCS: dict[str, Callable[..., Any]] = {
    "const": lambda value: Disc(Ball.of_float(value), Ball(0)),
    "sqrt": lambda z: Disc(sqrt(z.c), sqrt(z.c) - sqrt(_positive(z.c - z.r))),
    "exp": lambda z: Disc(exp(z.c), exp(z.c) * (exp(z.r) - one())),
    "log": lambda z: Disc(log(z.c), -log(_positive(one() - z.r / z.c))),
    "sin": _by_parts(sin_cos, 0),
    "cos": _by_parts(sin_cos, 1),
    "sinh": _by_parts(sinh_cosh, 0),
    "cosh": _by_parts(sinh_cosh, 1),
    "tan": lambda z: ON_DISCS["sin"](z) / ON_DISCS["cos"](z),
    "tanh": lambda z: ON_DISCS["sinh"](z) / ON_DISCS["cosh"](z),
    "atan": _atan,
    "asin": _asin(asin),
    "acos": _asin(acos),
}
"""Functions of discs."""

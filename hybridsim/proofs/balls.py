"""Sets of numbers that arithmetic cannot leave: real balls, power series of them, discs in the complex plane.

The only file that knows python-flint, whose balls (Johansson 2017, Arb) contain every exact result; it has exact
polynomials, too. A comparison of balls is true only if it holds for all their numbers. What is not defined for all of
them is not finite, or an `UndefinedError`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from hybridsim.errors import ConfigError
from hybridsim.graph import Operations

try:
    import flint
except ImportError:
    raise ConfigError("proofs need python-flint, which is not installed; run: pip install 'hybridsim[prove]'") from None

Ball = Any
"""A real ball: all numbers within a radius of a midpoint."""

Matrix = Any
"""A matrix of balls."""


class UndefinedError(ArithmeticError):
    """A function is not defined, or not analytic, on all of a set."""


@contextmanager
def working(bits: int, order: int) -> Iterator[None]:
    """Calculate with so many bits, and with series of at most so many coefficients."""
    before = flint.ctx.prec, flint.ctx.cap
    flint.ctx.prec, flint.ctx.cap = bits, order
    try:
        yield
    finally:
        flint.ctx.prec, flint.ctx.cap = before


def ball(middle: Any, radius: Any = 0) -> Ball:
    """Return the ball about a number, or about a ball; the radius is a number or a ball."""
    made = flint.arb(middle)
    return made + flint.arb(0, flint.arb(radius).abs_upper()) if radius else made


def middle(a: Ball) -> Ball:
    """Return the midpoint, an exact number."""
    return a.mid()


def radius(a: Ball) -> Ball:
    """Return the radius, an exact number."""
    return a.rad()


def upper(a: Ball) -> Ball:
    """Return a bound of the sizes of all numbers in a ball, an exact number."""
    return a.abs_upper()


def hull(a: Ball, b: Ball) -> Ball:
    """Return a ball that contains two."""
    return a.union(b)


def common(a: Ball, b: Ball) -> Ball:
    """Return a ball with all numbers that two have in common; there has to be one."""
    return a.intersection(b)


def is_finite(*balls: Ball) -> bool:
    """Return whether all balls are bounded."""
    return all(a.is_finite() for a in balls)


def contains_zero(a: Ball) -> bool:
    """Return whether 0 may be in a ball."""
    return bool(a.contains(0)) or not a.is_finite()


def inside(a: Ball, b: Ball) -> bool:
    """Return whether a ball lies in the interior of another one."""
    return bool(b.contains_interior(a))


def exact(a: Ball) -> tuple[int, int, int, int]:
    """Return a ball as whole numbers: midpoint m 2^e, radius n 2^f, as (m, e, n, f)."""
    return *_parts(a.mid()), *_parts(a.rad())


def _parts(number: Ball) -> tuple[int, int]:
    mantissa, exponent = number.man_exp()
    return int(mantissa), int(exponent)


def from_exact(parts: Sequence[int]) -> Ball:
    """Return the ball that `exact` has written."""
    mantissa, exponent, of_radius, radius_exponent = parts
    return flint.arb((mantissa, exponent)) + flint.arb(0, flint.arb((of_radius, radius_exponent)))


def ends(a: Ball) -> tuple[Fraction, Fraction]:
    """Return both ends of a ball, exactly."""
    mantissa, exponent, of_radius, radius_exponent = exact(a)
    at, away = mantissa * Fraction(2) ** exponent, of_radius * Fraction(2) ** radius_exponent
    return at - away, at + away


def digits(a: Ball, count: int = 20) -> str:
    """Return a ball in decimals, "1.2345 +/- 6e-7"."""
    return str(flint.arb.str(a, count, more=False)).strip("[]")


def matrix(rows: Any) -> Matrix:
    """Return a matrix of balls."""
    return flint.arb_mat(rows)


def identity(n: int) -> Matrix:
    """Return the identity."""
    return matrix([[int(i == j) for j in range(n)] for i in range(n)])


def rows_of(a: Matrix) -> list[list[Ball]]:
    """Return the rows of a matrix."""
    rows: list[list[Ball]] = a.tolist()
    return rows


def times(a: Matrix, v: Sequence[Ball]) -> list[Ball]:
    """Return a matrix times a vector."""
    return [sum((x * y for x, y in zip(row, v, strict=True)), ball(0)) for row in a.tolist()]


def power(x: Any, n: int) -> Any:
    """Return a power by products; n > 0."""
    result = None
    while n:
        if n & 1:
            result = x if result is None else result * x
        n >>= 1
        x = x * x if n else x
    return result


REALS: Operations = {
    "const": flint.arb,
    "neg": operator.neg,
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "power": power,
    **{
        name: operator.methodcaller(name)
        for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
    },
}
"""Operations on balls."""


def _series(name: str) -> Any:
    """Make a function of a series, or of a ball, which is a series that ends."""
    return lambda x: getattr(x, name)()


def _sinh(x: Any) -> Any:
    grows = x.exp()
    return (grows - 1 / grows) / 2


def _cosh(x: Any) -> Any:
    grows = x.exp()
    return (grows + 1 / grows) / 2


def _tanh(x: Any) -> Any:
    grows = (2 * x).exp()
    return (grows - 1) / (grows + 1)


SERIES: Operations = {**REALS, "sinh": _sinh, "cosh": _cosh, "tanh": _tanh}
"""Operations on power series of balls."""


def series(coefficients: Sequence[Ball], length: int) -> Any:
    """Return the power series with these first coefficients."""
    return flint.arb_series(list(coefficients), length)


def integrated(start: Ball, slope: Any, length: int) -> Any:
    """Return the series that begins at `start` and has a slope that is known to some length, or is a ball."""
    slope = slope if isinstance(slope, flint.arb_series) else flint.arb_series([flint.arb(slope)], length)
    if slope.prec < length:
        raise ValueError(f"a series is known to order {slope.prec}, not {length}")
    return slope.integral() + start


def coefficients(a: Any, length: int) -> list[Ball]:
    """Return the first coefficients of a series, or of a ball."""
    if not isinstance(a, flint.arb_series):
        return [flint.arb(a), *[flint.arb(0)] * (length - 1)]
    if a.prec < length:
        raise ValueError(f"a series is known to order {a.prec}, not {length}")
    found = a.coeffs()[:length]  # without zeros at the end
    return found + [flint.arb(0)] * (length - len(found))


def polynomials(count: int) -> tuple[Any, Sequence[Any]]:
    """Return the function that makes a constant polynomial of a rational number, and the generators, largest first."""
    context = flint.fmpq_mpoly_ctx.get(("x", count), "lex")
    return lambda a: context.constant(flint.fmpq(a.numerator, a.denominator)), context.gens()


class Disc:
    """All complex numbers within a radius of a real number; both may be balls.

    How far a function varies in a disc follows from its Taylor coefficients at the centre, whose sizes are those of a
    function that is largest on the real axis, or from its slope.
    """

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
        return Disc(self.c * other.c, abs(self.c) * other.r + abs(other.c) * self.r + self.r * other.r)

    def __truediv__(self, other: Disc) -> Disc:
        away = _positive(abs(other.c) - other.r)
        return self * Disc(1 / other.c, other.r / (abs(other.c) * away))

    def size(self) -> Ball:
        """Return a bound of the sizes of all its numbers."""
        return upper(abs(self.c) + self.r)


def _positive(a: Ball) -> Ball:
    if not a > 0:
        raise UndefinedError
    return a


def _of_slope(function: str, reach: Any) -> Any:
    """Make a function of a disc whose slope has at most the size 1 / reach(c, r) there."""
    return lambda z: Disc(getattr(z.c, function)(), z.r / _positive(reach(z.c, z.r)))


def _to_axis(c: Ball, r: Ball) -> Ball:
    return power(_positive((1 + c * c).sqrt() - r), 2)


def _to_ends(c: Ball, r: Ball) -> Ball:
    return _positive(1 - c - r).sqrt() * _positive(1 + c - r).sqrt()


DISCS: Operations = {
    **REALS,
    "const": lambda value: Disc(flint.arb(value), flint.arb(0)),
    "power": lambda z, n: Disc(power(z.c, n), power(abs(z.c) + z.r, n) - power(abs(z.c), n)),
    "sqrt": lambda z: Disc(z.c.sqrt(), z.c.sqrt() - _positive(z.c - z.r).sqrt()),
    "exp": lambda z: Disc(z.c.exp(), z.c.exp() * z.r.expm1()),
    "log": lambda z: Disc(_positive(z.c).log(), -_positive(1 - z.r / z.c).log()),
    "sin": lambda z: Disc(z.c.sin(), abs(z.c.cos()) * z.r.sinh() + abs(z.c.sin()) * (z.r.cosh() - 1)),
    "cos": lambda z: Disc(z.c.cos(), abs(z.c.sin()) * z.r.sinh() + abs(z.c.cos()) * (z.r.cosh() - 1)),
    "sinh": lambda z: Disc(z.c.sinh(), z.c.cosh() * z.r.sinh() + abs(z.c.sinh()) * (z.r.cosh() - 1)),
    "cosh": lambda z: Disc(z.c.cosh(), abs(z.c.sinh()) * z.r.sinh() + z.c.cosh() * (z.r.cosh() - 1)),
    "tan": lambda z: DISCS["sin"](z) / DISCS["cos"](z),
    "tanh": lambda z: DISCS["sinh"](z) / DISCS["cosh"](z),
    "atan": _of_slope("atan", _to_axis),
    "asin": _of_slope("asin", _to_ends),
    "acos": _of_slope("acos", _to_ends),
}
"""Operations on discs."""


def _pair(word: str) -> Any:
    """Make a function of a centre and a radius, which returns such a pair."""

    def on_disc(c: Any, r: Any, *n: int) -> tuple[Ball, Ball]:
        found = DISCS[word](Disc(flint.arb(c), flint.arb(r)), *n)
        return found.c, found.r

    return on_disc


def _over(c: Any, r: Any) -> tuple[Ball, Ball]:
    found = Disc(flint.arb(1), flint.arb(0)) / Disc(flint.arb(c), flint.arb(r))
    return found.c, found.r


PAIRS: Mapping[str, Any] = {
    "over": _over,
    "const": flint.arb,
    **{word: _pair(word) for word in DISCS if word != "const"},
}
"""Functions of discs as those of a centre and a radius."""


def eigenvalue_discs(a: Matrix, vectors: Any) -> list[tuple[complex, Ball, Ball, Ball]]:
    """Return discs that contain the eigenvalues of every matrix in `a`, by Gershgorin's theorem.

    Parameters
    ----------
    a : (n, n) matrix of balls
        The matrices.
    vectors : (n, n) complex array
        Eigenvectors of one of them, roughly.

    Returns
    -------
    list of (complex, ball, ball, ball)
        Of each disc its centre roughly, real and imaginary part of the centre, and the radius. Discs that are apart
        from all others contain one eigenvalue each.
    """
    n = len(vectors)
    t = flint.acb_mat([[flint.acb(z.real, z.imag) for z in row] for row in vectors.tolist()])
    d = (t.inv() * flint.acb_mat(a) * t).tolist()
    found = []
    for i in range(n):
        away = sum((abs(d[i][j]) for j in range(n) if j != i), flint.arb(0))
        centre = d[i][i]
        reach = away + centre.real.rad() + centre.imag.rad()
        at = complex(float(centre.real.mid()), float(centre.imag.mid()))
        found.append((at, centre.real.mid(), centre.imag.mid(), upper(flint.arb(reach))))
    return found

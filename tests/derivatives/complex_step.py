"""Derivatives by the complex step: Im f(x + i h) / h, exact to rounding for an h as small as 1e-30.

The numbers branch by their real parts and know the functions that the bundled models call; a function that is not
analytic, such as `abs` or `copysign`, is the analytic function that it equals on its side of the kink.
"""

import cmath
import math
import operator
from functools import cache, partial

import numpy as np

from hybridsim.duals.number import Numbers, on_numbers
from hybridsim.engine.compiler.scratch import scratch

STEP = 1e-30


class ComplexNumber:
    """A complex number that compares and branches as its real part does."""

    __slots__ = ("z",)
    __hash__ = None

    def __init__(self, z):
        self.z = complex(z)

    def __bool__(self):
        return self.z.real != 0.0

    def __neg__(self):
        return ComplexNumber(-self.z)

    def __pos__(self):
        return self

    def __abs__(self):
        return self if math.copysign(1.0, self.z.real) > 0.0 else -self

    def __int__(self):
        return int(self.z.real)

    def __floor__(self):
        return math.floor(self.z.real)

    def __ceil__(self):
        return math.ceil(self.z.real)

    def __pow__(self, exponent):
        return power(self, exponent)

    def __rpow__(self, base):
        return power(base, self)

    def __mod__(self, other):
        return self - other * (real(self) // real(other))


def complex_of(number):
    return number.z if isinstance(number, ComplexNumber) else complex(number)


def real(number):
    return number.z.real if isinstance(number, ComplexNumber) else number


def _register_operators():
    for name in ("add", "sub", "mul", "truediv"):
        plain = getattr(operator, name)
        setattr(
            ComplexNumber, f"__{name}__", lambda x, y, plain=plain: ComplexNumber(plain(complex_of(x), complex_of(y)))
        )
        setattr(
            ComplexNumber, f"__r{name}__", lambda x, y, plain=plain: ComplexNumber(plain(complex_of(y), complex_of(x)))
        )
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "floordiv"):
        plain = getattr(operator, name)
        setattr(ComplexNumber, f"__{name}__", lambda x, y, plain=plain: plain(real(x), real(y)))


_register_operators()


def power(base, exponent):
    """Return a power: by multiplication if the exponent is an integer, because the logarithm has a cut at base < 0."""
    if not isinstance(exponent, ComplexNumber) and float(exponent).is_integer():
        product = math.prod([base] * int(abs(exponent)), start=ComplexNumber(1.0))
        return product if exponent >= 0 else 1.0 / product
    assert real(base) > 0.0
    return ComplexNumber(cmath.exp(complex_of(exponent) * cmath.log(complex_of(base))))


def _by_cmath(plain, defined):
    """Make a function by that of `cmath`; outside its real domain, `math` raises its error."""
    analytic = getattr(cmath, plain.__name__)

    def function(x):
        return ComplexNumber(analytic(x.z)) if isinstance(x, ComplexNumber) and defined(x.z.real) else plain(real(x))

    return function


def atan2(y, x):
    """Return the angle of a point, as the arc tangent of the quotient that is at most 1, on each of four sides."""
    if not isinstance(y, ComplexNumber) and not isinstance(x, ComplexNumber):
        return math.atan2(y, x)
    (u, v), (a, b) = (complex_of(y), complex_of(x)), (real(y), real(x))
    if abs(a) <= abs(b):
        return ComplexNumber(cmath.atan(u / v) + (math.copysign(math.pi, a) if b < 0.0 else 0.0))
    return ComplexNumber(math.copysign(math.pi / 2.0, a) - cmath.atan(v / u))


def hypot(x, y):
    if not isinstance(x, ComplexNumber) and not isinstance(y, ComplexNumber):
        return math.hypot(x, y)
    return SUBSTITUTES[math.sqrt](x * x + y * y)


def copysign(x, y):
    return -x if math.copysign(1.0, real(x)) * math.copysign(1.0, real(y)) < 0.0 else x


EVERYWHERE = ("sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "exp")
SUBSTITUTES = {
    **{getattr(math, name): _by_cmath(getattr(math, name), lambda x: True) for name in EVERYWHERE},
    **{getattr(math, name): _by_cmath(getattr(math, name), lambda x: abs(x) < 1.0) for name in ("asin", "acos")},
    **{getattr(math, name): _by_cmath(getattr(math, name), lambda x: x > 0.0) for name in ("sqrt", "log")},
    **{name: lambda x, name=name: name(real(x)) for name in (math.floor, math.ceil, math.isnan, math.isinf, int)},
    math.radians: lambda x: x * (math.pi / 180.0),
    math.atan2: atan2,
    math.hypot: hypot,
    math.copysign: copysign,
    abs: abs,
    float: lambda x: x if isinstance(x, ComplexNumber) else float(x),
    scratch: lambda n: np.empty(n, object),
}
COMPLEX = Numbers(ComplexNumber, SUBSTITUTES)


copied = cache(partial(on_numbers, numbers=COMPLEX))


def numbers(values):
    array = np.empty(len(values), object)
    array[:] = [ComplexNumber(value) for value in values]
    return array


def complex_step(model, name, point, which, index, n_results):
    """Return the derivatives of a model's function along one variable: "t", or one of "x" or "p" by its index."""
    function = copied(model.functions[name])
    t, x, p = numbers([point.t]), numbers(point.x), numbers(point.p)
    {"t": t, "x": x, "p": p}[which][0 if which == "t" else index] += 1j * STEP
    result = x.copy() if name == "transition" else numbers(np.zeros(n_results))
    others = (point.chart,) if point.crossed is None else (point.chart, point.crossed)
    function(result, t[0], x, p, *others)
    return np.array([complex_of(number).imag / STEP for number in result])

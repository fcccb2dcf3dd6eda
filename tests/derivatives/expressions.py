"""Random expressions in x0, x1 and x2, as text that Python, numba and sympy read alike."""

import math
import random

import mpmath
import numpy as np
import sympy

VARIABLES = ("x0", "x1", "x2")
UNARY = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
    *("exp", "expm1", "exp2", "log", "log1p", "log2", "log10", "sqrt", "cbrt", "fabs", "erf", "erfc"),
    *("degrees", "radians", "abs", "-"),
)
BINARY = ("+", "-", "*", "/", "**", "%", "atan2", "hypot", "min", "max", "copysign", "fmod", "pow")
NAMES = {name: getattr(math, name) for name in (*UNARY, *BINARY) if hasattr(math, name)}
NAMES |= {"cbrt": np.cbrt, "exp2": np.exp2, "abs": abs, "min": min, "max": max}


class Floor(sympy.Function):
    """The largest integer below a number, a constant between jumps."""

    def fdiff(self, argindex=1):
        return sympy.Integer(0)


class Sign(Floor):
    """1 or -1, a constant between jumps."""


class Size(sympy.Function):
    """The absolute value."""

    def fdiff(self, argindex=1):
        return Sign(self.args[0])


IN_MPMATH = {"Floor": mpmath.floor, "Sign": lambda x: x / abs(x), "Size": abs}
IN_SYMPY = {
    **{name: getattr(sympy, name) for name in (*UNARY, *BINARY) if hasattr(sympy, name)},
    "expm1": lambda x: sympy.exp(x) - 1,
    "exp2": lambda x: 2**x,
    "log1p": lambda x: sympy.log(1 + x),
    "log2": lambda x: sympy.log(x) / sympy.log(2),
    "log10": lambda x: sympy.log(x) / sympy.log(10),
    "cbrt": lambda x: Sign(x) * Size(x) ** sympy.Rational(1, 3),
    "fabs": Size,
    "abs": Size,
    "degrees": lambda x: x * 180 / sympy.pi,
    "radians": lambda x: x * sympy.pi / 180,
    "hypot": lambda x, y: sympy.sqrt(x**2 + y**2),
    "min": lambda x, y: (x + y - Size(x - y)) / 2,
    "max": lambda x, y: (x + y + Size(x - y)) / 2,
    "copysign": lambda x, y: Size(x) * Sign(y),
    "fmod": lambda x, y: x - y * Sign(x / y) * Floor(Size(x / y)),
    "mod": lambda x, y: x - y * Floor(x / y),
    "pow": lambda x, y: x**y,
}


def grown(depth, dice):
    """Return a random expression whose operations are nested at most so deep."""
    if depth == 0 or dice.random() < 0.1:
        return dice.choice(VARIABLES) if dice.random() < 0.8 else repr(round(dice.uniform(-3.0, 3.0), 2))
    if dice.random() < 0.5:
        name, inner = dice.choice(UNARY), grown(depth - 1, dice)
        return f"(-{inner})" if name == "-" else f"{name}({inner})"
    name, first, second = dice.choice(BINARY), grown(depth - 1, dice), grown(depth - 1, dice)
    if name == "%":
        return f"mod({first}, {second})"
    return f"{name}({first}, {second})" if name.isalnum() else f"({first} {name} {second})"


def defined(seed, count):
    """Return random expressions with a place and a direction each, where they have a value of moderate size."""
    dice, found = random.Random(seed), []
    while len(found) < count:
        expression, place = grown(3, dice), [dice.uniform(-2.0, 2.0) for _ in VARIABLES]
        direction = [dice.uniform(-1.0, 1.0) for _ in VARIABLES]
        try:
            with np.errstate(all="raise"):
                given = dict(zip(VARIABLES, np.array(place), strict=True))  # numpy's powers are never complex
                value = eval(expression, {**NAMES, "mod": lambda x, y: x % y}, given)
        except (ArithmeticError, ValueError, TypeError):
            continue
        if not isinstance(value, complex) and abs(value) < 1e3:
            found.append((expression, place, direction))
    return found


def exact_derivative(expression, place, direction):
    """Return the derivative along a direction, by sympy's rules and in fifty digits; None if it is not finite."""
    along = sympy.Symbol("s", real=True)
    line = {
        name: sympy.Float(at, 60) + sympy.Float(towards, 60) * along
        for name, at, towards in zip(VARIABLES, place, direction, strict=True)
    }
    derivative = sympy.diff(eval(expression, {**IN_SYMPY, **line}), along)
    with mpmath.workdps(50):
        try:
            value = mpmath.mpmathify(sympy.lambdify(along, derivative, [IN_MPMATH, "mpmath"])(mpmath.mpf(0)))
        except ZeroDivisionError:
            return None
        return float(mpmath.re(value)) if mpmath.isfinite(value) else None

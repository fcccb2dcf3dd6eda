"""Power series of a model's own source, against Taylor coefficients of fifty digits."""

import math

import mpmath
import numpy as np
import pytest

from hybridsim import Model, Records, State, load_model
from hybridsim.engine.compiler.jet_rows import LAST_BACKWARD, MAX_ROWS, ROW_SIZE
from hybridsim.engine.compiler.signatures import BOUNDARIES, VECTOR_FIELD, for_python
from hybridsim.jets.functions import ON_SERIES, functions_on_series

ORDER = 16
PLUGIN = """
import math
from typing import NamedTuple

import numpy as np

from hybridsim import Boundary, Model, Parameter, Records, State, scratch

class Pair(NamedTuple):
    first: float
    second: float

def chosen(x, y):
    if x > 0.0:
        return Pair(1.0, y)
    return Pair(x, 2.0)

def result(x, y, c):
    return {expression}

def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0
    xdot[1] = 2.0 * t
    xdot[2] = result(x[0], x[1], p[0])

def boundaries(g, t, x, p, chart):
    g[0] = result(x[0], x[1], p[0])

def transition(x_new, t, x, p, chart, crossed):
    return 0

STATES = Records(State("x"), State("y"), State("z"))
MODEL = Model(
    "series",
    STATES,
    parameters=Records(Parameter("c", 0.0)),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=Records(Boundary("result")),
)
"""
START, CONSTANT = (0.3, 0.7), 1.7


def tape_of(n_states, x, t):
    tape = np.zeros((1 + n_states + MAX_ROWS, ROW_SIZE))
    tape[0, 0], tape[0, 1], tape[0, LAST_BACKWARD - 1] = t, 1.0, 1.0
    tape[1 : 1 + len(x), 0] = x
    return tape


def both_series(model, x, t=0.0):
    """Return the coefficients of the slope of the third state and of the boundary."""
    compiled = functions_on_series(model)
    tape, g, p = tape_of(3, x, t), np.zeros((1, ROW_SIZE)), np.array([CONSTANT])
    for_python(ON_SERIES, compiled.addresses[VECTOR_FIELD])(tape[1], tape, p, 0, ORDER, 3)
    for_python(ON_SERIES, compiled.addresses[BOUNDARIES])(g, tape, p, 0, ORDER + 1, 3)
    return tape[3, 1 : ORDER + 1] * np.arange(1, ORDER + 1), g[0, : ORDER + 1]


def expected(function, x, count):
    """The Taylor coefficients of function(x0 + t, y0 + t^2)."""
    with mpmath.workdps(50):
        start = [mpmath.mpf(value) for value in x]
        c = mpmath.mpf(CONSTANT)
        taylor = mpmath.taylor(lambda t: function(start[0] + t, start[1] + t * t, c), 0, count - 1)
        return [float(value) for value in taylor]


m = mpmath
EXPRESSIONS = {
    "x + y * c - (-x)": lambda x, y, c: x + y * c + x,
    "x * y": lambda x, y, c: x * y,
    "(1 - x * y) / (c + x)": lambda x, y, c: (1 - x * y) / (c + x),
    "c / y": lambda x, y, c: c / y,
    "math.sqrt(x + y)": lambda x, y, c: m.sqrt(x + y),
    "math.sin(x * c) + math.cos(y)": lambda x, y, c: m.sin(x * c) + m.cos(y),
    "math.tan(x)": lambda x, y, c: m.tan(x),
    "math.exp(-x * y)": lambda x, y, c: m.exp(-x * y),
    "math.log(x + y)": lambda x, y, c: m.log(x + y),
    "math.asin(x) + math.acos(y) + math.atan(x * y)": lambda x, y, c: m.asin(x) + m.acos(y) + m.atan(x * y),
    "math.sinh(x) + math.cosh(y) + math.tanh(x)": lambda x, y, c: m.sinh(x) + m.cosh(y) + m.tanh(x),
    "math.asinh(x) + math.acosh(c + y) + math.atanh(x)": lambda x, y, c: m.asinh(x) + m.acosh(c + y) + m.atanh(x),
    "math.log1p(x) + math.expm1(y) + math.log10(y) + np.cbrt(y)": (
        lambda x, y, c: m.log(1 + x) + m.exp(y) - 1 + m.log10(y) + m.cbrt(y)
    ),
    "math.erf(x) + math.degrees(x)": lambda x, y, c: m.erf(x) + m.degrees(x),
    "math.atan2(x, y) + math.hypot(x, y)": lambda x, y, c: m.atan(x / y) + m.sqrt(x * x + y * y),
    "x ** 3 + y ** -2 + x ** c + c ** y + x ** y": (lambda x, y, c: x**3 + y**-2 + x**c + c**y + x**y),
    "(x - 0.3) ** 2": lambda x, y, c: (x - m.mpf(0.3)) ** 2,
    "abs(-x) + math.copysign(x, -1.0) * min(x, y) + max(x, 0.5)": lambda x, y, c: x - x * x + m.mpf(0.5),
    "min(y, x, c) * max(x, y, 0.5, 1) + max((x, y, 0.1))": lambda x, y, c: x + y,
    "(x - 0.3) ** 2.0 + (y - 0.7) ** 3.0 + x ** -2.0": (
        lambda x, y, c: (x - m.mpf(0.3)) ** 2 + (y - m.mpf(0.7)) ** 3 + x**-2
    ),
    "(x - 0.3 + 1e-9) ** 4.0": lambda x, y, c: (x - m.mpf(0.3) + m.mpf(1e-9)) ** 4,
    "y if x < y else x": lambda x, y, c: y,
    "chosen(x, y).first * x + chosen(-x, y).second * y": lambda x, y, c: x + 2 * y,
}


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    def load(expression):
        file = tmp_path_factory.mktemp("series") / "series.py"
        file.write_text(PLUGIN.replace("{expression}", expression))
        return load_model(file)

    return load


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_coefficients_are_those_of_taylor(plugin, expression):
    slope, boundary = both_series(plugin(expression), START)
    exact = np.array(expected(EXPRESSIONS[expression], START, ORDER + 1))
    # Where terms cancel, those of the functions in the expression are larger than their sum: they grow as it does.
    size = np.maximum.accumulate(abs(exact)) + 1.0
    assert (abs(boundary - exact) <= 1e-13 * size).all()
    assert (abs(slope - exact[:-1]) <= 1e-13 * size[:-1]).all()


def test_time_is_a_series():
    def vector_field(xdot, t, x, p, chart):
        xdot[0] = math.sin(t)

    forced = Model("forced", Records(State("x", 0.0)), vector_field=vector_field)
    tape = tape_of(1, [0.0], 0.5)
    address = functions_on_series(forced).addresses[VECTOR_FIELD]
    for_python(ON_SERIES, address)(tape[1], tape, np.zeros(1), 0, ORDER, 1)
    derivatives = [math.sin(0.5 + k * math.pi / 2) / math.factorial(k + 1) for k in range(ORDER)]
    np.testing.assert_allclose(tape[1, 1 : ORDER + 1], derivatives, rtol=1e-12, atol=1e-16)

"""Dual numbers: the Python class against sympy, the compiled type against the class, and the conventions at kinks."""

import math

import numpy as np
import pytest
from derivatives.bundled_runs import Point, differentiate
from derivatives.expressions import VARIABLES, defined, exact_derivative

from hybridsim import Model, State, scratch
from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.engine.compiler.slices import is_nothing
from hybridsim.multibody.linear import solve_linear
from hybridsim.multibody.reduced import Partition, solve_constrained

TOLERANCE = 1e-9
IMPORTS = "from math import *\nfrom numpy import cbrt, exp2\ndef mod(x, y):\n    return x % y\n"
"""What the random expressions call; the operator % has another sign in sympy than in Python."""


def functions_of(text):
    """Return the functions that a plug-in with this text defines."""
    namespace = {"__name__": "expressions"}
    exec(IMPORTS + text, namespace)
    return namespace


def in_python(expressions):
    """Return the value and the derivative of each expression with the class DualNumber."""
    text = "".join(f"def f{k}(x0, x1, x2):\n    return {e}\n" for k, (e, _, _) in enumerate(expressions))
    functions, results = functions_of(text), []
    for k, (_, place, direction) in enumerate(expressions):
        given = [DualNumber(value, np.array([lane])) for value, lane in zip(place, direction, strict=True)]
        found = on_dual_numbers(functions[f"f{k}"])(*given)
        results.append((found.value, float(found.lanes[0])) if isinstance(found, DualNumber) else (found, 0.0))
    return np.array(results)


@pytest.mark.exhaustive  # those that are compiled are compared with Python
@pytest.mark.slow
@pytest.mark.parametrize("n", [40, pytest.param(1000, marks=pytest.mark.exhaustive)])
def test_derivatives_of_many_random_expressions_are_those_of_sympy(n):
    expressions = defined(1, n)
    exact = [exact_derivative(*expression) for expression in expressions]
    errors = [
        (expression, place, abs(found - derivative) / (1.0 + abs(derivative)))
        for (expression, place, _), derivative, (_, found) in zip(
            expressions, exact, in_python(expressions), strict=True
        )
        if derivative is not None
    ]
    assert len(errors) > 0.95 * n
    assert [error for error in errors if not error[-1] <= TOLERANCE] == []


@pytest.mark.parametrize("n", [30, pytest.param(120, marks=pytest.mark.exhaustive)])
def test_compiled_dual_numbers_agree_with_the_python_class(n):
    """Each expression in its own states, so that one function has them all."""
    expressions = defined(2, n)
    lines = []
    for k, (expression, _, _) in enumerate(expressions):
        for number, name in enumerate(VARIABLES):
            lines.append(f"    {name} = x[{3 * k + number}]\n")
        lines.append(f"    xdot[{k}] = {expression}\n")
    function = functions_of(f"def vector_field(xdot, t, x, p, chart):\n{''.join(lines)}")["vector_field"]
    model = Model("expressions", [State(f"s{k}") for k in range(3 * len(expressions))], vector_field=function)
    x = np.array([place for _, place, _ in expressions]).ravel()
    gradients = np.asarray(differentiate(model, "vector_field", Point(0.0, x, np.zeros(1), 0), "x"))
    found = [gradients[k, 3 * k : 3 * k + 3] @ direction for k, (_, _, direction) in enumerate(expressions)]
    expected = in_python(expressions)[:, 1]
    assert found == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE)
    for k in range(len(expressions)):
        gradients[k, 3 * k : 3 * k + 3] = 0.0
    assert not gradients.any()  # no expression depends on the states of another, whatever is infinite


CONVENTIONS = [
    ("sqrt(x0)", (0.0,), (0.0,), 0.0),
    ("sqrt(x0)", (0.0,), (1.0,), math.inf),
    ("sqrt(x0 * x0 + x1 * x1)", (0.0, 0.0), (1.0, 1.0), 0.0),
    ("abs(x0)", (0.0,), (2.0,), 2.0),
    ("fabs(x0)", (-0.0,), (2.0,), -2.0),
    ("hypot(x0, x1)", (0.0, 0.0), (0.5, 0.25), 0.75),
    ("hypot(x0, x1)", (0.0, 0.0), (0.0, 0.0), 0.0),
    ("hypot(x0, x1)", (0.0, 2.0), (1.0, 0.0), 0.0),
    ("atan2(x0, x1)", (0.0, 0.0), (0.0, 0.0), 0.0),
    ("atan2(x0, x1)", (0.0, 2.0), (1.0, 0.0), 0.5),
    ("x0 ** 0", (0.0,), (1.0,), 0.0),
    ("x0 ** 1", (0.0,), (1.0,), 1.0),
    ("x0 ** 2", (0.0,), (1.0,), 0.0),
    ("x0 ** 0.5", (0.0,), (1.0,), math.inf),
    ("x0 ** 3", (-2.0,), (1.0,), 12.0),
    ("x0 ** x1", (0.0, 2.0), (0.0, 1.0), 0.0),
    ("x0 ** x1", (-2.0, 2.0), (1.0, 0.0), -4.0),
    ("min(x0, x1)", (1.0, 1.0), (2.0, 3.0), 2.0),
    ("max(x0, x1)", (1.0, 1.0), (2.0, 3.0), 2.0),
    ("min(3.0, x0, x1)", (1.0, 0.5), (2.0, 3.0), 3.0),
    ("asin(x0)", (1.0,), (0.0,), 0.0),
    ("acos(x0)", (1.0,), (1.0,), -math.inf),
    ("x0 % x1", (5.5, 2.0), (1.0, 1.0), -1.0),
    ("x0 % x1", (-0.5, 2.0), (1.0, 1.0), 2.0),
    ("fmod(x0, x1)", (-5.5, 2.0), (1.0, 1.0), 3.0),
    ("copysign(x0, x1)", (-2.0, 1.0), (1.0, 5.0), -1.0),
    ("x0 // x1 + floor(x0) + ceil(x0) + int(x0) + round(x0)", (5.5, 2.0), (1.0, 1.0), 0.0),
    ("divmod(x0, x1)[1]", (5.5, 2.0), (1.0, 1.0), -1.0),
    ("x0 if x0 > x1 else x1", (1.0, 1.0), (2.0, 3.0), 3.0),
    ("cbrt(x0)", (0.0,), (0.0,), 0.0),
    ("x0 * (x1 == 0.0)", (3.0, 0.0), (1.0, 1.0), 1.0),
    ("float(x0) + True * x0 + (not x1)", (3.0, 0.0), (1.0, 1.0), 2.0),
]
"""Expression, place, direction, derivative along it."""


@pytest.mark.members(1)
@pytest.mark.parametrize("compiled", [False, True])
def test_conventions_at_kinks(compiled):
    found = derivatives_compiled(CONVENTIONS) if compiled else derivatives_in_python(CONVENTIONS)
    wrong = {
        f"{expression} at {place} along {direction}": (derivative, expected)
        for (expression, place, direction, expected), derivative in zip(CONVENTIONS, found, strict=True)
        if derivative != pytest.approx(expected, rel=1e-14)
    }
    assert wrong == {}


def derivatives_in_python(cases):
    full = [(e, (*place, 0.0, 0.0)[:3], (*direction, 0.0, 0.0)[:3]) for e, place, direction, _ in cases]
    return in_python(full)[:, 1]


def derivatives_compiled(cases):
    """Return the derivatives along parameters: all variables of a case depend on one of its own."""
    lines = []
    for k, (expression, place, direction, _) in enumerate(cases):
        for name, value, lane in zip(VARIABLES, place, direction, strict=False):
            lines.append(
                f"    {name} = {value!r} + {lane!r} * x[{k}]\n" if lane else f"    {name} = {value!r} + 0.0 * t\n"
            )
        lines.append(f"    xdot[{k}] = {expression}\n")
    text = "".join(lines).replace("-0.0 + 2.0 * x", "2.0 * -0.0 + 2.0 * x")
    function = functions_of(f"def vector_field(xdot, t, x, p, chart):\n{text}")["vector_field"]
    model = Model("kinks", [State(f"s{k}") for k in range(len(cases))], vector_field=function)
    point = Point(0.0, np.full(len(cases), -0.0), np.zeros(1), 0)
    return np.diag(np.asarray(differentiate(model, "vector_field", point, "x")))


SECOND_FOLLOWS = Partition(1, 1, np.array([1]), np.array([0]))


def solutions_with_zeros(xdot, t, x, p, chart):
    """Solve [1 0; x0 1] y = [1 0], so that y1 = -x0; and diag(2, 3) udot = (4, 6) under udot1 + x0 udot0 = 0."""
    matrix, right = scratch(4), scratch(2)
    matrix[0], matrix[1], matrix[2], matrix[3] = 1.0, 0.0, x[0], 1.0
    right[0], right[1] = 1.0, 0.0
    solve_linear(matrix, right, 2)
    mass, force, rows, rates, reaction, work = scratch(4), scratch(2), scratch(3), scratch(2), scratch(1), scratch(28)
    mass[0], mass[1], mass[2], mass[3] = 2.0, 0.0, 0.0, 3.0
    force[0], force[1] = 4.0, 6.0
    rows[0], rows[1], rows[2] = x[0], 1.0, 0.0
    solve_constrained(rates, reaction, mass, force, rows, SECOND_FOLLOWS, work)
    xdot[0], xdot[1], xdot[2], xdot[3] = right[1], rates[0], rates[1], reaction[0]


def test_what_is_left_out_as_zero_has_no_derivative():
    """At x0 = 0: udot0 = (4 - 6 x0) / (2 + 3 x0^2), udot1 = -x0 udot0, reaction = 3 udot1 - 6."""
    assert all(map(is_nothing, (0.0, -0.0, np.float64(0.0))))
    assert not any(map(is_nothing, (1e-300, math.nan, 0j, DualNumber(0.0, np.array([1.0])))))
    model = Model("zeros", [State(f"s{k}") for k in range(4)], vector_field=solutions_with_zeros)
    gradients = np.asarray(differentiate(model, "vector_field", Point(0.0, np.zeros(4), np.zeros(1), 0), "x"))
    assert gradients[:, 0] == pytest.approx([-1.0, -3.0, -2.0, -6.0], rel=1e-14)

"""Dual numbers in what the plug-in interface offers: temporary arrays, named tuples, arrays of numbers, parts."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hybridsim import Model, Parameter, Records, State, jacobian, load_model, scratch
from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.model.registry import load_part

PARAMETERS = Records(Parameter("weights", (0.5, -1.0, 2.0)), Parameter("limit", 0.2))
P = PARAMETERS.indices


class Pair(NamedTuple):
    first: float
    second: float


def limited(x, p):
    """Return constants on one path and variables on the other."""
    if x[0] < p[P.limit]:
        return Pair(1.0, 0.5)
    return Pair(x[0] * x[1], x[2])


def vector_field(xdot, t, x, p, chart):
    powers, pair, total = scratch(3), limited(x, p), 0.0
    for i in range(3):
        powers[i] = x[i] ** (i + 1)
        total += p[int(p[P.weights]) + i] * powers[i]
    xdot[0], xdot[1], xdot[2] = total, pair.first * math.sin(t), pair.second


MODEL = Model(
    "interface", [State("a", 0.7), State("b", 1.1), State("c", -0.4)], vector_field=vector_field, parameters=PARAMETERS
)
EXPECTED = np.array([[0.5, -2.2, 0.96], [1.1 * math.sin(0.3), 0.7 * math.sin(0.3), 0.0], [0.0, 0.0, 1.0]])


def test_temporary_arrays_named_tuples_and_arrays_of_parameters():
    assert jacobian(MODEL, t=0.3).values == pytest.approx(EXPECTED, abs=1e-15)
    constant = EXPECTED * [[1.0], [0.0], [0.0]]
    below = jacobian(MODEL, t=0.3, x={"a": 0.1})
    assert below.values == pytest.approx(constant, abs=1e-15)


def test_they_do_in_plain_python_too():
    x = np.array([DualNumber(value, lanes) for value, lanes in zip((0.7, 1.1, -0.4), np.eye(3), strict=True)], object)
    xdot = np.zeros(3, object)
    on_dual_numbers(vector_field)(xdot, 0.3, x, np.array([2.0, 0.2, 0.5, -1.0, 2.0]), 0)
    assert np.array([number.lanes for number in xdot]) == pytest.approx(EXPECTED, abs=1e-15)


@pytest.mark.members(1)
@pytest.mark.parametrize("function", ["vector_field", "boundaries", "outputs"])
def test_a_composed_model_has_the_derivatives_of_the_one_written_by_hand(function):
    """Up to the names: parts put a prefix before theirs."""
    folder = Path(__file__).parents[1] / "composed"
    composed = load_model(folder / "pendulum.py").with_parts({"drive": load_part(folder / "pulses.py")})
    by_hand = load_model(folder / "by_hand.py")
    x = [0.4, -0.9, 0.3, 2.0, 0.2][: len(by_hand.states)]
    for wrt in "xp":
        ours, theirs = (jacobian(model, function, wrt=wrt, t=0.2, x=x, chart=2) for model in (composed, by_hand))
        assert ours.values == pytest.approx(theirs.values, rel=1e-14)
        assert theirs.values.any()


def test_tuples_of_constants_and_variables_are_looped_over_and_indexed():
    def vector_field(xdot, t, x, p, chart):
        total = 0.0
        for a, b in ((0.0, 1.0), (x[0], 2.0), (3.0, x[1])):
            total += a * b
        for each in (1.0, x[0], 2.0):
            total += each * each
        which = 1 if x[0] > 0.0 else 0
        xdot[0] = total + (1.0, x[1], x[0])[which]

    model = Model("tuples", ["u", "v"], vector_field=vector_field)
    for u, by_v in ((0.7, 4.0), (-0.7, 3.0)):
        found = jacobian(model, x=[u, 0.3])
        np.testing.assert_allclose(found["u"], [2.0 + 2.0 * u, by_v], rtol=1e-15)


def adding_field(xdot, t, x, p, chart):
    for i in range(10):
        xdot[i] += x[i] * x[i]


def test_a_function_may_add_to_its_results_whatever_the_number_of_variables():
    """More than eight variables need a second pass, which must begin with zeros like the first one."""
    model = Model("adding", [State(f"x{i}", 0.1 * i) for i in range(10)], vector_field=adding_field)
    assert jacobian(model).values == pytest.approx(np.diag(0.2 * np.arange(10.0)), abs=1e-15)

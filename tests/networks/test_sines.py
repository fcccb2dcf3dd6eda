"""The sine of many numbers at once, against mpmath, and in each way in which it is called."""

import math

import mpmath
import numpy as np
import pytest

import hybridsim
from hybridsim import Model, Parameter, State, scratch
from hybridsim.duals.number import DualNumber, on_dual_numbers
from hybridsim.engine.compiler.sines import FAR, sines

N = 6
SHIFTS = {0.0: mpmath.sin, 0.5: mpmath.cos}


def waves(xdot, t, x, p, chart):
    """Slopes are cosines of half of the states, and sines of the others, times a parameter."""
    angles = scratch(N)
    for i in range(N):
        angles[i] = p[0] * x[i]
    sines(angles, 3, 0.0)
    for i in range(3):
        xdot[i] = angles[i]
    sines(angles, N, 0.5)
    for i in range(3, N):
        xdot[i] = angles[i]


WAVES = Model("waves", [State(f"x{i}") for i in range(N)], vector_field=waves, parameters=[Parameter("stretch", 1.0)])


@pytest.mark.parametrize("shift", SHIFTS)
@pytest.mark.parametrize("size", [1.0, 4.0, 1e2, 1e4, 9.9e5, 1e9, 1e300])
def test_a_sine_is_right_to_a_unit_in_the_last_place_of_one(size, shift):
    values = np.random.default_rng(int(math.log10(size))).uniform(-size, size, 300)
    found = values.copy()
    sines(found, len(found), shift)
    with mpmath.workprec(1200):
        errors = [abs(SHIFTS[shift](mpmath.mpf(x)) - mpmath.mpf(y)) for x, y in zip(values, found, strict=True)]
    assert max(errors) < (2.3e-16 if size < FAR else 4e-16)


def test_zero_infinity_and_nan_are_what_they_are_in_math():
    found = np.array([0.0, 1e-300, math.inf, -math.inf, math.nan])
    sines(found, 5, 0.0)
    assert found[0] == 0.0
    assert found[1] == 1e-300
    assert np.isnan(found[2:]).all()


def rows(n):
    """States from small ones to some beyond the reduction by pieces of pi."""
    return np.random.default_rng(3).uniform(-1.0, 1.0, (n, N)) * np.geomspace(0.1, 10.0 * FAR, n)[:, None]


def test_machine_code_and_python_agree_to_the_last_bit():
    x = rows(200)
    compiled = hybridsim.functions(WAVES).vector_field(np.zeros(200), x)
    written = np.empty(N)
    for row, found in zip(x, compiled, strict=True):
        waves(written, 0.0, row, (1.0,), 0)
        np.testing.assert_array_equal(found, written)


def test_the_slope_of_a_sine_is_the_cosine():
    x = rows(50)
    found = hybridsim.functions(WAVES).jacobian("vector_field", np.zeros(50), x)
    slopes = np.where(np.arange(N) < 3, np.cos(x), -np.sin(x))
    np.testing.assert_allclose(np.diagonal(found, axis1=1, axis2=2), slopes, rtol=0, atol=3e-16)


def test_dual_numbers_in_python_have_the_same_slope():
    numbers = np.array([DualNumber(x, np.array([1.0])) for x in (0.3, 2.0, -40.0)], object)

    def shifted(values):
        sines(values, 3, 0.5)

    on_dual_numbers(shifted)(numbers)
    for number, x in zip(numbers, (0.3, 2.0, -40.0), strict=True):
        assert number.value == math.cos(x)
        assert number.lanes[0] == -math.sin(x)


def test_power_series_follow_the_same_flow():
    begin = {f"x{i}": 0.3 * (i + 1) for i in range(N)}
    settings = {"final_time": 2.0, "initial": begin, "rtol": 1e-12, "atol": 1e-13}
    by_series = hybridsim.simulate(WAVES, method="series", **settings)
    by_steps = hybridsim.simulate(WAVES, method="dop853", **settings)
    np.testing.assert_allclose(by_series.at(2.0), by_steps.at(2.0), rtol=0, atol=1e-10)

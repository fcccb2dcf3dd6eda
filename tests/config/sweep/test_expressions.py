import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybridsim.config.sweep.expressions import distribution, sequence
from hybridsim.config.sweep.targets import find_target
from hybridsim.errors import ConfigError
from hybridsim.model import Model, Parameter, State

MODEL = Model(
    "leg",
    [State("angle", 0.0, "rad"), State("x", 0.0, "m")],
    vector_field=lambda xdot, t, x, p, chart: None,
    parameters=[Parameter("slope", 0.0, "deg"), Parameter("number", 0, integer=True)],
)
ANGLE, LENGTH, SLOPE = (find_target(name, MODEL) for name in ("angle", "x", "slope"))

ends = st.floats(min_value=-1e9, max_value=1e9)


@given(ends, ends, st.integers(1, 50))
def test_linspace_has_both_ends_and_equal_distances(first, last, count):
    values, degrees = sequence(f"linspace({first!r}, {last!r}, {count})", LENGTH)
    assert len(values) == count
    assert values[0] == first
    assert values[-1] == (last if count > 1 else first)
    expected = [first + (last - first) * k / max(count - 1, 1) for k in range(count)]
    assert np.allclose(values, expected, rtol=1e-13, atol=1e-13 * max(abs(first), abs(last), 1e-300))
    assert not degrees


@given(st.floats(1e-12, 1e12), st.floats(1e-12, 1e12), st.integers(2, 50))
def test_logspace_has_both_ends_and_equal_ratios(first, last, count):
    values, _ = sequence(f"logspace({first!r}, {last!r}, {count})", LENGTH)
    assert (values[0], values[-1], len(values)) == (first, last, count)
    expected = [first * (last / first) ** (k / (count - 1)) for k in range(count)]
    assert np.allclose(values, expected, rtol=1e-12, atol=0.0)
    assert values.min() >= min(first, last)
    assert values.max() <= max(first, last)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arange(0, 1, 0.25)", [0.0, 0.25, 0.5, 0.75]),
        ("arange(1, 1.3, 0.1)", [1.0, 1.1, 1.2]),  # numpy has 1.3, too
        ("arange(0, 0.3, 0.1)", [0.0, 0.1, 0.2]),
        ("arange(3, 0, -1)", [3.0, 2.0, 1.0]),
        ("arange(0, 1, 5)", [0.0]),
    ],
)
def test_arange_stops_before_its_end(text, expected):
    values, _ = sequence(text, LENGTH)
    assert np.allclose(values, expected, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize(
    "text", ["linspace(-50 deg, -10 deg, 9)", "logspace(1 deg, 90 deg, 9)", "arange(0 deg, 9deg, 0.5 deg)"]
)
def test_degrees_are_listed_in_degrees_and_then_converted(text):
    values, degrees = sequence(text, ANGLE)
    plain, _ = sequence(text.replace("deg", ""), LENGTH)
    assert degrees
    assert values.tolist() == [math.radians(value) for value in plain.tolist()]
    unchanged, _ = sequence(text, SLOPE)
    assert unchanged.tolist() == plain.tolist()


@pytest.mark.parametrize("text", ["linspace(0,1,3)", " linspace ( 0 , 1 , 3 ) ", "linspace(-0.0, 1e0, 3e0)"])
def test_white_space_and_the_notation_of_numbers_do_not_matter(text):
    assert sequence(text, LENGTH)[0].tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("text", ["linspace(-1e308, 1e308, 3)", "logspace(1e-308, 1e308, 3)"])
def test_ends_far_apart_do_not_warn(text):
    assert len(sequence(text, LENGTH)[0]) == 3


U = np.array([0.0, 0.025, 0.5, 0.975, 1.0 - 2.0**-53])


def test_uniform_maps_linearly():
    assert np.allclose(distribution("uniform(2, 6)", LENGTH).values(U), 2.0 + 4.0 * U, rtol=1e-15)


def test_loguniform_maps_linearly_between_logarithms():
    values = distribution("loguniform(0.01, 100)", LENGTH).values(U)
    assert np.allclose(np.log10(values), -2.0 + 4.0 * U, atol=1e-14)
    assert values.min() >= 0.01
    assert values.max() <= 100.0


def test_normal_maps_to_the_known_quantiles():
    values = distribution("normal(10, 2)", LENGTH).values(U)
    assert np.allclose(values[1:4], [10 - 2 * 1.959963984540054, 10.0, 10 + 2 * 1.959963984540054], rtol=1e-14)
    assert np.isfinite(values).all()


def test_distributions_in_degrees_are_converted():
    values = distribution("uniform(0 deg, 90 deg)", ANGLE).values(U)
    assert values.tolist() == [math.radians(90 * u) for u in U]
    assert distribution("uniform(0 deg, 90 deg)", SLOPE).values(U)[2] == 45.0


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("uniform(1, 1)", "expected the first bound to lie below the second"),
        ("uniform(2, 1)", "expected the first bound to lie below the second"),
        ("loguniform(0, 1)", "expected two ends above 0"),
        ("loguniform(-2, -1)", "expected two ends above 0"),
        ("normal(0, 0)", "expected a sigma above 0"),
        ("normal(0)", r"expected uniform\(a, b\), loguniform\(a, b\) or normal\(mean, sigma\), found 'normal\(0\)'"),
        ("gauss(0, 1)", "found 'gauss"),
        ("5", "found '5'"),
        ("uniform(1 deg, 2 deg)", r"expected numbers \[m\], found angles"),
        ("uniform(0, 1e400)", "expected finite numbers"),
    ],
)
def test_a_bad_distribution_is_refused(text, what):
    with pytest.raises(ConfigError, match=what):
        distribution(text, LENGTH)

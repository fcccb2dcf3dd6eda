"""The one root of a polynomial whose Bernstein coefficients change sign once, against the roots that numpy finds."""

from math import comb
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from hybridsim.engine.events import exact_search
from hybridsim.engine.nodes import sampling

only_root = getattr(exact_search.only_root, "py_func", exact_search.only_root)
FRAME = 7


def found(coefficients, degree=1):
    """What the search finds for these coefficients, in a frame somewhere on its stack."""
    n = len(coefficients) - 1
    binomials = sampling(n // degree)[3]
    settings = SimpleNamespace(n_nodes=binomials.shape[1])
    problem = SimpleNamespace(degree=[0, degree], settings=settings, binomials=binomials.ravel())
    stack = np.full(64, np.nan)
    stack[FRAME + 2 : FRAME + 3 + n] = coefficients
    with np.errstate(all="ignore"):
        return only_root(problem, stack, FRAME, n, 1)


def roots_within(coefficients):
    n = len(coefficients) - 1
    u = Polynomial([0.0, 1.0])
    whole = sum(c * comb(n, k) * u**k * (1 - u) ** (n - k) for k, c in enumerate(coefficients))
    return [root.real for root in whole.roots() if abs(root.imag) < 1e-9 and 0.0 < root.real < 1.0]


@pytest.mark.members(3)
@pytest.mark.parametrize(("n", "degree"), [(2, 1), (3, 1), (4, 1), (7, 1), (8, 2), (12, 3), (14, 2), (16, 4)])
def test_it_is_the_root_to_rounding_or_not_told(n, degree):
    rng, told = np.random.default_rng(n), 0
    for _ in range(200):
        positive = rng.integers(1, n + 1)
        coefficients = np.concatenate([rng.uniform(0.01, 1.0, positive), -rng.uniform(0.01, 1.0, n + 1 - positive)])
        u = found(coefficients, degree)
        if np.isfinite(u):
            told += 1
            assert u == pytest.approx(roots_within(coefficients)[0], rel=1e-6)
    assert told > 0


@pytest.mark.members(2)
@pytest.mark.parametrize(("n", "degree"), [(3, 1), (4, 1), (7, 1), (8, 2), (12, 3)])
def test_it_is_told_where_a_boundary_is_about_a_parabola_as_in_most_steps(n, degree):
    rng, told, all_of_them = np.random.default_rng(n), 0, 0
    k = np.arange(n + 1)
    for _ in range(200):
        value, slope, bend = rng.uniform(0.0, 1.0), rng.uniform(-2.0, 2.0), rng.uniform(-3.0, 3.0)
        parabola = value + slope * k / n + bend * k * (k - 1) / (n * (n - 1))
        coefficients = parabola + 0.05 / n * rng.uniform(-1.0, 1.0, n + 1)
        if coefficients[0] > 0.0 and sum(np.diff(np.sign(coefficients)) != 0) == 1:
            all_of_them += 1
            u = found(coefficients, degree)
            told += np.isfinite(u)
            assert not np.isfinite(u) or u == pytest.approx(roots_within(coefficients)[0], rel=1e-6)
    assert all_of_them > 50
    assert told >= 0.95 * all_of_them


@pytest.mark.parametrize("height", [1e-9, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("end", [0.1, 1.0, 60.0])
def test_a_thrown_ball_is_found_whatever_part_of_the_step_its_fall_is(height, end):
    """y = height + v t - t^2 / 2 over a step that is `end` times as long as the fall, as a polynomial of degree 4."""
    for v in (-1.0, 0.0, 2.0):
        fall = v * np.sqrt(height) + np.sqrt(v * v * height + 2.0 * height)
        step = fall * max(end, 1.0 + 1e-9)
        power = [height, v * np.sqrt(height) * step, -0.5 * step * step, 0.0, 0.0]
        coefficients = [sum(comb(i, d) / comb(4, d) * power[d] for d in range(i + 1)) for i in range(5)]
        if sum(np.diff(np.sign(coefficients)) != 0) == 1:
            assert found(coefficients) == pytest.approx(fall / step, rel=1e-9)


def test_a_polynomial_that_is_nowhere_zero_within_tells_nothing():
    assert not 0.0 < found([1.0, 1.0, 1.0, 1.0, 0.0]) < 1.0 - 1e-6

"""What the terms of a boundary's series tell of its roots and minima, against the roots that numpy finds."""

import numba
import numpy as np
import pytest
from numpy.polynomial import Polynomial

from hybridsim import Boundary, Chart, Model, Records, State, simulate
from hybridsim.engine.events.series_search import CLEAR, FALLS_AT_MOST_ONCE, UNKNOWN, root_of_series, tell


@numba.njit
def told_of(series, threshold):
    return tell(series, 0, len(series) - 1, threshold)


@numba.njit
def root_of(series, end):
    return root_of_series(series, 0, len(series) - 1, end)


def within(polynomial):
    """Roots in (0, 1], those twice counted once."""
    return sorted({float(r.real) for r in polynomial.roots() if abs(r.imag) < 1e-9 and 1e-9 < r.real <= 1.0})


def random_series(rng, n):
    """A few large terms, others that shrink, some exactly zero; positive at first."""
    terms = rng.normal(size=n + 1) * rng.choice([1.0, 0.3, 0.1]) ** np.arange(n + 1)
    terms[rng.random(n + 1) < 0.3] = 0.0
    terms[0] = abs(rng.normal()) * rng.choice([1.0, 0.1, 0.01])
    return terms


@pytest.mark.parametrize("n", [12, 16])
def test_no_root_and_no_minimum_is_overlooked(n):
    rng, seen = np.random.default_rng(n), set()
    for _ in range(2000):
        terms, threshold = random_series(rng, n), rng.choice([0.0, 0.01])
        told, end = told_of(terms, threshold)
        polynomial = Polynomial(terms)
        assert end == pytest.approx(polynomial(1.0), abs=1e-12)
        minima = [u for u in within(polynomial.deriv()) if u < 1.0 and polynomial.deriv(2)(u) > 1e-6]
        if told == CLEAR:
            assert min(polynomial(u) for u in (1.0, *minima)) > threshold
        elif told == FALLS_AT_MOST_ONCE:
            assert not minima
            assert len(within(polynomial)) <= 1
            if end <= 0.0:
                theta, _ = root_of(terms, end)
                assert theta == pytest.approx(within(polynomial)[0], rel=1e-9)
                assert abs(polynomial(theta)) <= 1e-14 * np.abs(terms).sum()
        seen.add((told, end > 0.0))
    assert seen == {
        (CLEAR, True),
        (FALLS_AT_MOST_ONCE, True),
        (FALLS_AT_MOST_ONCE, False),
        (UNKNOWN, True),
        (UNKNOWN, False),
    }


@pytest.mark.parametrize("height", [1e-9, 1e-3, 1.0, 1e6])
@pytest.mark.parametrize("end", [0.1, 1.0, 60.0])
def test_a_thrown_ball_is_decided_whatever_part_of_the_step_its_fall_is(height, end):
    for v in (-1.0, 0.0, 2.0):
        fall = v * np.sqrt(height) + np.sqrt(v * v * height + 2.0 * height)
        step = fall * max(end, 1.0 + 1e-9)
        terms = np.array([height, v * np.sqrt(height) * step, -0.5 * step * step, *[0.0] * 10])
        told, last = told_of(terms, 0.0)
        assert told == FALLS_AT_MOST_ONCE
        assert root_of(terms, last)[0] == pytest.approx(fall / step, rel=4e-16)


@pytest.mark.parametrize("place", range(13))
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_term_that_is_not_finite_tells_nothing(place, value):
    terms = np.array([1.0, *[0.01] * 12])
    assert told_of(terms, 0.0)[0] == CLEAR
    terms[place] = value
    assert told_of(terms, 0.0)[0] == UNKNOWN


def wait_to_fall(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -1.0


def ground(g, t, x, p, chart):
    g[0] = x[0]


def bounce(xn, t, x, p, chart, crossed):
    xn[0], xn[1] = 0.0, 1.0
    return chart


@pytest.mark.parametrize("method", ["series", "taylor"])
@pytest.mark.parametrize("t0", [0.0, 1e3, 1e9])
def test_a_ball_thrown_up_comes_down_after_twice_its_speed_at_any_time(method, t0):
    """x'' = -1, thrown up with speed 1 from each bounce: so each flight takes 2 s, to the last bits of t."""
    model = Model(
        "bouncer",
        Records(State("x", 0.0), State("v", 1.0)),
        charts=Records(Chart("air")),
        boundary_records=Records(Boundary("ground", degree=1)),
        vector_field=wait_to_fall,
        boundaries=ground,
        transition=bounce,
    )
    run = simulate(model, method=method, initial_time=t0, final_time=t0 + 21.0, rtol=1e-9, atol=1e-12)
    assert len(run.events) == 10
    np.testing.assert_allclose(run.events.t - t0, 2.0 * np.arange(1, 11), rtol=0.0, atol=8.0 * np.spacing(t0 + 21.0))

"""What the terms of a boundary's series tell of its roots and minima, against the roots that numpy finds."""

import numba
import numpy as np
import pytest
from numpy.polynomial import Polynomial

from hybridsim import DECLINED, Boundary, Chart, Model, Records, State, simulate
from hybridsim.engine.events.series_search import CLEAR, FALLS_AT_MOST_ONCE, UNKNOWN, root_of_series, tell


@numba.njit
def told_of(series, threshold, g_end):
    return tell(series, 0, len(series) - 1, threshold, abs(series.sum() - g_end))


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


@pytest.mark.exhaustive  # slow; roots of random guards are in `tests/fuzz`
@pytest.mark.members(1)
@pytest.mark.parametrize("n", [12, 16])
def test_no_root_and_no_minimum_is_overlooked(n):
    rng, seen = np.random.default_rng(n), set()
    for _ in range(2000):
        terms, threshold = random_series(rng, n), rng.choice([0.0, 0.01])
        polynomial = Polynomial(terms)
        told, end = told_of(terms, threshold, terms.sum())
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
        told, last = told_of(terms, 0.0, terms.sum())
        assert told == FALLS_AT_MOST_ONCE
        assert root_of(terms, last)[0] == pytest.approx(fall / step, rel=4e-16)


@pytest.mark.parametrize("place", range(13))
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_term_that_is_not_finite_tells_nothing(place, value):
    terms = np.array([1.0, *[0.01] * 12])
    assert told_of(terms, 0.0, 1.12)[0] == CLEAR
    terms[place] = value
    assert told_of(terms, 0.0, 1.12)[0] == UNKNOWN


def test_what_a_series_lacks_at_the_end_may_be_lacking_before():
    terms = np.array([1.0, -0.4, *[0.0] * 11])
    assert told_of(terms, 0.0, 0.6)[0] == told_of(terms, 0.0, 0.5)[0] == CLEAR
    assert told_of(terms, 0.0, 0.4)[0] == UNKNOWN  # it may dip to zero
    terms[1] = -1.4
    assert told_of(terms, 0.0, -0.4)[0] == FALLS_AT_MOST_ONCE
    assert told_of(terms, 0.0, -0.4 + 1e-9)[0] == UNKNOWN


def wait_to_fall(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -1.0


def ground(g, t, x, p, chart):
    g[0] = x[0]


def bounce(xn, t, x, p, chart, crossed):
    xn[0], xn[1] = 0.0, 1.0
    return chart


@pytest.mark.parametrize("t0", [0.0, 1e3, 1e9])
def test_a_ball_thrown_up_comes_down_after_twice_its_speed_at_any_time(t0):
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
    run = simulate(model, method="series", initial_time=t0, final_time=t0 + 21.0, rtol=1e-9, atol=1e-12)
    assert len(run.events) == 10
    np.testing.assert_allclose(run.events.t - t0, 2.0 * np.arange(1, 11), rtol=0.0, atol=8.0 * np.spacing(t0 + 21.0))


def oscillate(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0]


def dip(g, t, x, p, chart):
    g[0] = x[0] + 1.0001


def dip_and_rise(g, t, x, p, chart):
    g[0], g[1] = x[0] + 1.0001, x[0] + 3.0 + t


def decline(xn, t, x, p, chart, crossed):
    return DECLINED


def dipping(touch="report", boundaries=dip, records=None):
    records = records or [Boundary("dip", degree=1, touch=touch)]
    states = [State("x", 1.0), State("v")]
    return Model(
        "dipping", states, vector_field=oscillate, boundaries=boundaries, transition=decline, boundary_records=records
    )


@pytest.mark.parametrize("touch", ["report", "trigger"])
@pytest.mark.parametrize("max_step", [0.3, 1.0])
def test_each_dip_has_its_touch_in_whatever_steps(touch, max_step):
    settings = {"rtol": 1e-10, "atol": 1e-12, "touch_precision": 0.1, "max_step": max_step}
    run = simulate(dipping(touch), method="series", final_time=40.0, **settings)
    np.testing.assert_allclose(run.events.t, np.pi * np.arange(1, 12, 2), atol=1e-6)


@pytest.mark.parametrize("max_step", [0.3, 0.07])
def test_a_touch_of_one_boundary_reports_none_of_another(max_step):
    records = [Boundary("dip"), Boundary("rise", degree=1)]
    model = dipping(boundaries=dip_and_rise, records=records)
    settings = {"rtol": 1e-9, "atol": 1e-12, "touch_precision": 0.05, "max_step": max_step}
    run = simulate(model, method="series", final_time=10.0, **settings)
    np.testing.assert_allclose(run.events.t, [np.pi, 3.0 * np.pi], atol=1e-6)
    assert run.events.crossed[:, 0].all()


def turn(xdot, t, x, p, chart):
    xdot[0], xdot[1] = 1.0 if x[1] > 0.0 else -1.0, 1.0


def above(g, t, x, p, chart):
    g[0] = x[0] + 1.001


@pytest.mark.parametrize("max_step", [0.25, 0.3, 10.0])
def test_a_minimum_where_two_steps_meet_is_a_touch(max_step):
    records = [Boundary("above", degree=1)]
    functions = {"vector_field": turn, "boundaries": above, "transition": decline, "boundary_records": records}
    model = Model("turning", [State("x"), State("s", -1.0)], **functions)
    settings = {"rtol": 1e-9, "atol": 1e-12, "touch_precision": 1e-2, "max_step": max_step}
    run = simulate(model, method="series", final_time=2.5, **settings)
    assert run.events.kind == ("touch",)
    assert run.events.t[0] == pytest.approx(1.0, abs=1e-7)


def harden(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0] * (1.0 + 0.3 * x[0] * x[0])


def three_powers(g, t, x, p, chart):
    g[0], g[1], g[2] = 0.5 - x[0], 0.25 - x[0] ** 2, 0.125 - x[0] ** 3


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-12])
def test_powers_of_a_state_cross_together(rtol):
    """0.5 - x, 0.25 - x^2 and 0.125 - x^3 vanish at x = 1/2, the second one at -1/2 too: by turns, as x oscillates."""
    alike = {"armed": "when_positive", "touch": "ignore"}
    records = [Boundary(name, degree=k, **alike) for k, name in enumerate(("one", "two", "three"), 1)]
    functions = {"vector_field": harden, "boundaries": three_powers, "transition": decline}
    model = Model("powers", [State("x", 0.3), State("v", 1.1)], **functions, boundary_records=records)
    run = simulate(model, method="series", final_time=60.0, rtol=rtol, atol=rtol)
    together, alone = run.events.crossed.all(axis=1), (run.events.crossed == [False, True, False]).all(axis=1)
    assert len(run.events) == 22
    assert (together ^ alone).all()
    assert (together[1:] != together[:-1]).all()


def powers_of_time(xdot, t, x, p, chart):
    xdot[0] = 1.0
    for k in range(1, 4):
        xdot[k] = (k + 1) * x[k - 1]


def of_degree_sixteen(g, t, x, p, chart):
    """1 + t - a t^13 + a / 10 t^14 with the states t, .., t^4."""
    cube = x[3] * x[3] * x[3]
    g[0] = 1.0 + x[0] - 8e-11 * cube * x[0] + 8e-12 * cube * x[1]


@pytest.mark.parametrize("rtol", [1e-6, 1e-10])
def test_a_step_is_not_longer_than_the_series_of_a_boundary_tells(rtol):
    """States that are polynomials limit no step; the boundary has powers of t beyond the order of the series."""
    records = [Boundary("high", degree=4, touch="ignore", armed="when_positive")]
    functions = {"vector_field": powers_of_time, "boundaries": of_degree_sixteen, "transition": decline}
    model = Model("polynomial", [State(f"x{k}") for k in range(4)], **functions, boundary_records=records)
    run = simulate(model, method="series", final_time=11.0, rtol=rtol, atol=1e-9, first_step=11.0)
    exact = Polynomial([1.0, 1.0, *[0.0] * 11, -8e-11, 8e-12])
    assert run.events.t[0] == pytest.approx(within_from(exact, 11.0)[0], rel=1e-9)


def within_from(polynomial, end):
    return sorted(float(r.real) for r in polynomial.roots() if abs(r.imag) < 1e-9 and 0.0 < r.real < end)

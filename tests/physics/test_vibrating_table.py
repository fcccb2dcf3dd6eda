"""A ball on a vibrating table against closed forms: one bounce in n periods, its multipliers, rest and lift-off."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

import hybridsim
from hybridsim.analysis import continue_orbit, find_orbit
from hybridsim_models.basics.vibrating_table import MODEL

GRAVITY, FREQUENCY = (MODEL.parameters[name].default for name in ("gravity", "frequency"))
PERIOD = 1.0 / FREQUENCY
TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}


def fold(n, e):
    """The least acceleration of the table at which a ball bounces once in n periods: the cosine's side of the model's
    equations, with the sine's at zero."""
    return n * math.pi * (1.0 - e) / (1.0 + e)


def doubling(n, e):
    """The acceleration at which this motion doubles its period."""
    return math.hypot(fold(n, e), 2.0 * (1.0 + e**2) / (1.0 + e) ** 2)


def test_the_equations_of_the_model_are_those_of_the_map_from_bounce_to_bounce():
    """The exact map, by its own root, differentiated numerically: its determinant and its trace."""
    n, e, acceleration = 1, 0.5, 1.3
    omega = 2.0 * math.pi * FREQUENCY
    amplitude = acceleration * GRAVITY / omega**2

    def next_bounce(phase, speed):
        def gap(t):
            fall = speed * t - 0.5 * GRAVITY * t * t
            return amplitude * math.sin(phase) + fall - amplitude * math.sin(phase + omega * t)

        t = brentq(gap, 0.5 * n * PERIOD, 1.5 * n * PERIOD, xtol=1e-15)
        table = amplitude * omega * math.cos(phase + omega * t)
        return phase + omega * t, (1.0 + e) * table - e * (speed - GRAVITY * t)

    phase, speed = math.acos(fold(n, e) / acceleration), 0.5 * GRAVITY * n * PERIOD
    np.testing.assert_allclose(next_bounce(phase, speed), [phase + 2.0 * math.pi * n, speed], rtol=1e-12)
    h = np.array([1e-5, 1e-5])
    pairs = [(next_bounce(phase + a, speed + b), next_bounce(phase - a, speed - b)) for a, b in ((h[0], 0), (0, h[1]))]
    matrix = np.array([(np.array(up) - down) / 2e-5 for up, down in pairs]).T
    assert np.linalg.det(matrix) == pytest.approx(e**2, rel=1e-6)
    assert np.trace(matrix) == pytest.approx(1 + e**2 - (1 + e) ** 2 * acceleration * math.sin(phase), rel=1e-6)


def orbit_at(n, e, acceleration):
    """The motion with one bounce in n periods, from the end of a period of the table."""
    parameters = {"acceleration": acceleration, "restitution": e}
    start = orbit_start(n, e, acceleration)
    run = hybridsim.simulate(
        "vibrating_table", parameters=parameters, initial=start, final_time=1.0, stop=[("period", 1)]
    )
    guess = dict(zip(run.states.names, run.x[-1].tolist(), strict=True))
    return find_orbit("vibrating_table", parameters=parameters, section="period", initial=guess)


def orbit_start(n, e, acceleration):
    """State just after the bounce, as the table sees it."""
    phase = math.acos(fold(n, e) / acceleration)
    speed, table = 0.5 * GRAVITY * n * PERIOD, 0.5 * GRAVITY * n * PERIOD * (1 - e) / (1 + e)
    return {"gap": 0.0, "rate": speed - table, "phase": phase}


@pytest.mark.parametrize(
    ("n", "e", "share"), [(1, 0.5, 0.3), (1, 0.5, 0.9), (1, 0.8, 0.5), (2, 0.8, 0.5), (3, 0.9, 0.4)]
)
def test_between_fold_and_doubling_a_ball_bounces_once_in_n_periods_for_ever(n, e, share):
    acceleration = fold(n, e) + share * (doubling(n, e) - fold(n, e))
    start = orbit_start(n, e, acceleration)
    run = hybridsim.simulate(
        "vibrating_table",
        parameters={"acceleration": acceleration, "restitution": e},
        initial=start,
        final_time=100.5 * n * PERIOD,
        **TIGHT,
    )
    bounces = [event for event in run.events if "table" in event.boundaries]
    np.testing.assert_allclose([event.t for event in bounces], n * PERIOD * np.arange(1, 101), rtol=1e-9)
    rate = run.states.names.index("rate")
    np.testing.assert_allclose([event.x_after[rate] for event in bounces], start["rate"], rtol=1e-7)


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_the_multipliers_of_the_orbit_are_those_of_the_closed_form(share):
    e, n = 0.5, 1
    acceleration = fold(n, e) + share * (doubling(n, e) - fold(n, e))
    sine = math.sqrt(acceleration**2 - fold(n, e) ** 2)
    expected = np.sort_complex(np.roots([1.0, -(1 + e**2 - (1 + e) ** 2 * sine), e**2]))
    orbit = orbit_at(n, e, acceleration)
    found = np.sort_complex(np.array([value for value in orbit.multipliers if abs(value) > 1e-6], complex))
    np.testing.assert_allclose(found, expected, atol=1e-7)


@pytest.mark.members(1)
@pytest.mark.parametrize("e", [0.5, 0.8])
def test_along_the_branch_the_period_doubles_where_the_closed_form_says(e):
    edge = doubling(1, e)
    branch = continue_orbit(orbit_at(1, e, 0.5 * (fold(1, e) + edge)), "acceleration", to=1.05 * edge)
    (found,) = [each for each in branch.bifurcations if each.kind == "flip"]
    assert found.value == pytest.approx(edge, rel=1e-9)


@pytest.mark.members(1)
@pytest.mark.parametrize("e", [0.5, 0.8])
def test_the_diagram_of_a_sweep_has_one_branch_below_the_doubling_and_two_above(e):
    """The last bounces, every other one: equal below, and apart above, as the square root of the distance."""
    edge = doubling(1, e)
    at = edge + np.array([-0.02, 0.02]) * edge
    table = hybridsim.sweep(
        "vibrating_table",
        {"acceleration": at},
        {"rate": "last_after(table, 2, rate)"},
        parameters={"restitution": e},
        initial=orbit_start(1, e, edge),
        final_time=400 * PERIOD,
        from_="half",
        events=True,
    )
    rate = table["rate"].to_numpy().reshape(2, 2)
    gap = np.abs(np.diff(rate, axis=1))[:, 0]
    assert gap[0] < 1e-6
    assert gap[1] > 0.01


def lifts_off(acceleration):
    return math.asin(1.0 / acceleration)


@pytest.mark.parametrize("acceleration", [1.02, 1.2, 1.45])
def test_an_inelastic_ball_rests_lifts_off_and_lands_where_its_parabola_meets_the_table(
    acceleration,
):
    """In 1 / omega and g / omega^2, the gap s after lift-off at P is G (sin(P) + s cos(P) - sin(P + s)) - s^2 / 2."""
    phase = lifts_off(acceleration)

    def gap(s):
        parabola = math.sin(phase) + s * math.cos(phase) - math.sin(phase + s)
        return acceleration * parabola - 0.5 * s * s

    flight = brentq(gap, 0.05, 2.0 * math.pi) / (2.0 * math.pi * FREQUENCY)
    run = hybridsim.simulate(
        "vibrating_table",
        parameters={"acceleration": acceleration, "restitution": 0.0},
        final_time=5.5 * PERIOD,
        **TIGHT,
    )
    times = {name: [event.t for event in run.events if name in event.boundaries] for name in ("liftoff", "table")}
    first = phase / (2.0 * math.pi * FREQUENCY)
    np.testing.assert_allclose(times["liftoff"], first + PERIOD * np.arange(len(times["liftoff"])), rtol=1e-10)
    np.testing.assert_allclose(times["table"], np.add(times["liftoff"], flight)[: len(times["table"])], rtol=1e-6)
    assert len(times["table"]) >= 5


@pytest.mark.parametrize("acceleration", [0.0, 0.5, 0.99])
def test_on_a_table_slower_than_gravity_every_ball_comes_to_rest_for_ever(acceleration):
    run = hybridsim.simulate(
        "vibrating_table",
        parameters={"acceleration": acceleration, "restitution": 0.5},
        initial={"gap": 0.01},
        final_time=20.0,
    )
    assert run.charts[run.chart[-1]] == "resting"
    np.testing.assert_allclose(run.x[-1, :2], 0.0, atol=1e-12)


def test_a_ball_that_chatters_rests_and_lifts_off_repeats_itself_in_every_period():
    run = hybridsim.simulate(
        "vibrating_table", parameters={"acceleration": 1.3, "restitution": 0.2}, final_time=20.0, rtol=1e-10
    )
    times = np.array([event.t for event in run.events if "liftoff" in event.boundaries])
    expected = lifts_off(1.3) / (2.0 * math.pi * FREQUENCY) + PERIOD * np.arange(len(times))
    np.testing.assert_allclose(times, expected, rtol=1e-8)
    assert len(times) == 100
    assert hybridsim.verify(run).ok

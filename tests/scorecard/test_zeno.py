"""Events without end in a finite time: the run ends at the instant where they accumulate, with the status ZENO."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from hybridsim import Status, simulate

RESTITUTIONS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99]


def bounce_times(count, height, gravity, restitution):
    """t_n = t_1 (1 + e - 2 e^n) / (1 - e), n = 1 ... count, and their limit t_1 (1 + e) / (1 - e)."""
    first = math.sqrt(2.0 * height / gravity)
    e, n = restitution, np.arange(1, count + 1)
    return first * (1.0 + e - 2.0 * e**n) / (1.0 - e), first * (1.0 + e) / (1.0 - e)


@pytest.mark.parametrize("restitution", RESTITUTIONS)
def test_the_bounces_of_a_ball_accumulate_at_their_limit(restitution):
    run = simulate("bouncing_ball", parameters={"restitution": restitution}, final_time=1000.0)
    _, limit = bounce_times(1, 1.0, 9.81, restitution)
    assert run.status is Status.ZENO
    assert run.t[-1] == pytest.approx(limit, rel=1e-9)
    assert run.statistics["accumulation_time"] == run.t[-1]
    late = 8 * len(run.events) * np.spacing(limit)  # the bounces themselves, by what is rounded
    assert abs(run.t[-1] - limit) <= run.statistics["accumulation_error"] + late
    assert run.statistics["accumulation_error"] <= 1e-9 * limit
    assert "floor" in run.message
    np.testing.assert_allclose(run.x[-1], [0.0, 0.0], rtol=0, atol=1e-7)

    last = run.events[-1]
    assert (last.kind, last.boundaries, last.t) == ("zeno", ("floor",), run.t[-1])
    assert {event.kind for event in run.events[:-1]} == {"crossing"}
    assert run.j[-1] == len(run.events)
    assert np.all(np.diff(run.t) >= 0.0)
    expected, _ = bounce_times(len(run.events) - 1, 1.0, 9.81, restitution)
    np.testing.assert_allclose(run.events.t[:-1], expected, rtol=0, atol=late)


def test_between_the_last_bounce_and_the_limit_the_run_can_be_looked_at():
    run = simulate("bouncing_ball", parameters={"restitution": 0.5}, final_time=10.0)
    last, end = run.events.t[-2], run.t[-1]
    middle = run.at(np.linspace(last, end, 5))
    assert np.all(np.isfinite(middle))
    assert np.all(np.abs(middle) < 1e-6)


@pytest.mark.parametrize("restitution", [0.5, 0.9, 0.99])
def test_a_run_that_ends_before_the_accumulation_is_not_touched(restitution):
    _, limit = bounce_times(1, 1.0, 9.81, restitution)
    keywords = {"parameters": {"restitution": restitution}, "final_time": 0.9999 * limit}
    run, without = simulate("bouncing_ball", **keywords), simulate("bouncing_ball", zeno_precision=0.0, **keywords)
    assert run.status is Status.FINAL_TIME
    assert {event.kind for event in run.events} == {"crossing"}
    np.testing.assert_array_equal(run.t, without.t)
    np.testing.assert_array_equal(run.x, without.x)


def test_no_accumulation_is_declared_where_the_search_is_off():
    run = simulate("bouncing_ball", parameters={"restitution": 0.5}, final_time=3.0, zeno_precision=0.0)
    assert run.status in (Status.TOO_MANY_TRANSITIONS, Status.CASCADE)
    assert "floor" in run.message


@pytest.mark.parametrize("precision", [1e-3, 1e-6, 1e-12])
def test_the_accumulation_is_declared_when_so_little_of_the_time_is_left(precision):
    run = simulate("bouncing_ball", parameters={"restitution": 0.5}, final_time=3.0, zeno_precision=precision)
    _, limit = bounce_times(1, 1.0, 9.81, 0.5)
    assert run.status is Status.ZENO
    assert 0.0 < limit - run.events.t[-2] <= precision * limit * 1.001
    assert run.t[-1] == pytest.approx(limit, rel=1e-12)  # the ball's bounces are geometric: the estimate is exact


def test_two_tanks_and_one_hose_run_empty_together(plugin):
    run = simulate(plugin("tanks"), final_time=20.0)
    limit = (1.0 + 1.0) / (0.5 + 0.5 - 0.75)
    assert limit == 8.0
    assert run.status is Status.ZENO
    assert run.t[-1] == pytest.approx(limit, rel=1e-9)
    np.testing.assert_allclose(run.x[-1], [0.0, 0.0], rtol=0, atol=1e-9)


def test_tanks_that_drain_unequally_run_empty_together_too(plugin):
    parameters = {"left_drain": 0.6, "right_drain": 0.3}
    run = simulate(plugin("tanks"), parameters=parameters, initial={"left": 2.0, "right": 0.5}, final_time=50.0)
    assert run.status is Status.ZENO
    assert run.t[-1] == pytest.approx(2.5 / (0.6 + 0.3 - 0.75), rel=1e-9)


def test_a_wheel_too_slow_to_roll_rocks_until_it_stands_on_two_spokes(plugin):
    gravity, slope, alpha, omega = 9.81, 0.08, math.pi / 8.0, 0.3
    shrink = math.cos(2.0 * alpha)

    def rise_and_fall(start, speed):
        """How long a spoke is on the ground [s] that starts upwards from theta = start and falls back, by the energy.

        With the top at start - drop, theta = top + drop s^2 takes the zero of the speed at the top out of the integral;
        differences of cosines are products of sines, which lose no digits.
        """
        drop = 0.0
        for _ in range(50):  # cos(top) - cos(start) = 2 sin(drop / 2) sin(start - drop / 2) = speed^2 / (2 g)
            drop = 2.0 * math.asin(speed**2 / (4.0 * gravity * math.sin(start - drop / 2.0)))
        top = start - drop

        def slowness(s):
            half = 0.5 * drop * s * s
            per_s = math.sin(half) / s if s > 1e-8 else 0.5 * drop * s
            return 2.0 * abs(drop) / math.sqrt(4.0 * gravity * per_s / s * math.sin(top + half))

        return 2.0 * quad(slowness, 0.0, 1.0, epsabs=0.0, epsrel=1e-11)[0]

    expected, start, speed = 0.0, slope - alpha, omega
    while speed > 1e-14:
        expected += rise_and_fall(start, speed)
        start = slope + alpha if start < 0.0 else slope - alpha
        speed *= shrink
    # theta is rounded by 5e-17, and a hop 2e-14 high, which lasts 4e-7, is as unsure as that: by a part in a thousand.
    run = simulate(
        plugin("rimless_wheel"),
        initial={"theta": slope - alpha, "omega": omega},
        final_time=10.0,
        zeno_precision=1e-6,
        method="dop853",
        rtol=1e-12,
        atol=1e-14,
    )
    assert run.status is Status.ZENO
    assert run.t[-1] == pytest.approx(expected, rel=1e-8)
    assert run["omega"][-1] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("height", [1.0, 1000.0])
def test_a_ball_on_a_floor_far_from_zero_comes_to_rest_too(plugin, height):
    # y is rounded by 1e-16 at y = 1: hops lower than that last some 1e-8, whatever the speed, and never get shorter.
    run = simulate(plugin("raised_floor"), parameters={"floor_height": height}, final_time=10.0)
    first = math.sqrt(2.0 / 9.81)
    assert run.status is Status.ZENO
    unsure = math.sqrt(8.0 * np.spacing(height + 1.0) / 9.81)  # how long a hop lasts that is a spacing high
    assert run.t[-1] == pytest.approx(3.0 * first, abs=1e-9 * 3.0 * first + 10.0 * unsure)
    np.testing.assert_allclose(run.x[-1], [height, 0.0], rtol=0, atol=10.0 * unsure * 9.81)


def test_a_bell_that_rings_at_ever_shorter_times_rings_until_floats_end_it(plugin):
    run = simulate(plugin("bell"), final_time=20.0)
    assert run.status is Status.CASCADE  # instants that the model has declared are no accumulation
    assert run.t[-1] == pytest.approx(8.0, rel=1e-14)


@pytest.mark.parametrize("instants", ["settling", "logarithmic", "dense"])
def test_times_that_shrink_without_accumulating_are_no_alarm(plugin, instants):
    run = simulate(plugin("bell"), parameters={"instants": instants}, final_time=7.0)
    assert run.status is Status.FINAL_TIME
    assert {event.kind for event in run.events} == {"crossing"}
    assert len(run.events) > 500


def test_times_that_accumulate_slower_than_geometrically_are_not_declared_early(plugin):
    # 1 - 1 / n: after 5000 rings a five-thousandth of the time is still left.
    run = simulate(plugin("bell"), parameters={"instants": "harmonic"}, final_time=2.0, max_transitions=5000)
    assert run.status is Status.TOO_MANY_TRANSITIONS
    assert len(run.events) == 5000


@pytest.mark.parametrize(("restitution", "drag"), [(0.5, 0.0), (0.8, 0.0), (0.5, 0.1)])
def test_a_ball_that_has_bounced_out_rolls_on_and_off_the_edge(restitution, drag):
    edge, vx = 30.0, 3.0
    run = simulate(
        "table_ball",
        parameters={"restitution": restitution, "edge": edge, "drag": drag},
        initial={"vx": vx},
        final_time=20.0,
    )
    flights = math.sqrt(2.0 / 9.81)
    _, limit = bounce_times(1, 1.0, 9.81, restitution)
    # The n-th bounce comes at speed e^(n-1) sqrt(2 g) and takes drag times that; the flight after it lasts 2 e^n t_1.
    n = np.arange(1, 200)
    speeds = vx - drag * np.cumsum(math.sqrt(2.0 * 9.81) * restitution ** (n - 1))
    place = vx * flights + float(np.sum(speeds * 2.0 * flights * restitution**n))
    rolls = vx - drag * math.sqrt(2.0 * 9.81) / (1.0 - restitution)
    zeno = next(event for event in run.events if event.kind == "zeno")
    assert zeno.t == pytest.approx(limit, rel=1e-9)
    assert (zeno.chart_before, zeno.chart_after) == (0, 1)
    np.testing.assert_allclose(zeno.x_after, [place, 0.0, rolls, 0.0], rtol=0, atol=1e-8)
    off = run.events[-1]
    assert off.boundaries == ("edge_reached",)
    assert off.t == pytest.approx(limit + (edge - place) / rolls, rel=1e-8)
    assert run.status is Status.FINAL_TIME
    fall = 20.0 - off.t
    np.testing.assert_allclose(run.x[-1], [edge + rolls * fall, -0.5 * 9.81 * fall**2, rolls, -9.81 * fall], rtol=1e-7)

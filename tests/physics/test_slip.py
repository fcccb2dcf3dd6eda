"""The spring-mass runner: laws, published orbits, and values from independent integration or quadrature."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from hybridsim import Status, simulate

MASS, STIFFNESS, LENGTH, GRAVITY = 80.0, 20_000.0, 1.0, 9.81
TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-13}
SIMSECT = {"body_mass": 50.48, "g_stance": 10.0, "g_flight": 10.0, "spri": 1, "k": 1000.0}


def runner(angle_deg, stop, *, stiffness=STIFFNESS, initial=None, parameters=None, **settings):
    """A run with the leg put down at this angle from the ground, until the stop or 40 s."""
    return simulate(
        "slip",
        parameters={"k": stiffness, "hold_touchdown_angle": 1, **(parameters or {})},
        initial={"touchdown_angle": math.radians(angle_deg - 90.0), **(initial or {})},
        final_time=40.0,
        stop=[stop],
        **{**TIGHT, **settings},
    )


def at_events(run, name):
    """Times and states before the events at this boundary."""
    events = [event for event in run.events if event.boundaries == (name,)]
    return np.array([event.t for event in events]), np.array([event.x_before for event in events])


@pytest.mark.parametrize(
    ("stiffness", "angle", "distance"),
    [(20e3, 68, 30.49), (20e3, 67, 40.05), (15e3, 65, 31.09), (30e3, 72, 26.20), (40e3, 75, 18.72)],
)
def test_a_steady_runner_is_at_the_published_place_at_its_24th_touchdown(stiffness, angle, distance):
    run = runner(angle, ("touchdown", 24), stiffness=stiffness, method="dp5", rtol=1e-8, atol=1e-10)
    assert run.status is Status.STOPPED
    assert run.events[-1].boundaries == ("touchdown",)
    assert run["x"][-1] == pytest.approx(distance, abs=0.005)  # printed to 1 cm


@pytest.mark.parametrize(
    ("stiffness", "angle", "touchdowns"), [(20e3, 60, 4), (20e3, 69, 3), (20e3, 75, 1), (10e3, 60, 1)]
)
def test_an_unsteady_runner_topples_after_the_known_number_of_steps(stiffness, angle, touchdowns):
    run = runner(angle, ("touchdown", 24), stiffness=stiffness)
    assert run.status is Status.LEFT_CHART
    assert "toppled over" in run.message
    assert run.events.count("touchdown") == touchdowns


def test_apex_heights_follow_the_published_stride_map():
    # Computed once by an 8th-order integrator with its own event location.
    published = [0.9557404104610, 0.9405270672224, 0.9402263287612, 0.9402737559424, 0.9402660786096, 0.9402673163153]
    _, apexes = at_events(runner(68, ("apex", 6)), "apex")
    np.testing.assert_allclose(apexes[:, 1], published, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("angle", "height", "slope", "stance_time", "period", "stride_length"),
    [
        (67.0, 0.95956870734729, 0.441405102054, 0.158046979962, 0.336530463340, 1.687927523668),
        (67.0, 1.21435791020840, 1.437226410647, 0.182425000357, 0.671950812026, 3.013737413133),
        (68.0, 0.94026714437961, -0.161307631037, 0.149240070570, 0.252532613818, 1.277642721819),
        (68.5, 0.93773592849061, -0.587627350199, 0.145482266500, 0.222735628655, 1.128594141755),
    ],
)
def test_the_runner_has_its_periodic_strides(angle, height, slope, stance_time, period, stride_length):
    energy = GRAVITY * 1.0 + 0.5 * 5.0**2  # per mass: 5 m/s at 1 m

    def stride(y):
        start = {"y": y, "xdot": math.sqrt(2.0 * (energy - GRAVITY * y))}
        return runner(angle, ("apex", 1), initial=start)

    run = stride(height)
    assert run["y"][-1] == pytest.approx(height, abs=1e-10)
    assert run.t[-1] == pytest.approx(period, abs=1e-10)
    assert run["x"][-1] == pytest.approx(stride_length, abs=1e-10)
    touchdown, liftoff = at_events(run, "touchdown")[0][0], at_events(run, "liftoff")[0][0]
    assert liftoff - touchdown == pytest.approx(stance_time, abs=1e-10)
    h = 1e-5  # central difference: its error is h^2 times a third derivative of order 1e2
    difference = (stride(height + h)["y"][-1] - stride(height - h)["y"][-1]) / (2.0 * h)
    assert difference == pytest.approx(slope, abs=1e-6)


def test_mid_stance_of_the_periodic_runner_is_as_published():
    height = 0.94026714437961
    start = {"y": height, "xdot": math.sqrt(2.0 * (GRAVITY + 12.5 - GRAVITY * height))}
    run = runner(68, ("bottom", 1), initial=start)
    assert run["leg_length"][-1] == pytest.approx(0.895656468422, abs=1e-10)
    assert math.hypot(run["xdot"][-1], run["ydot"][-1]) == pytest.approx(4.932071263072, abs=1e-9)
    assert run["leg_force"][-1] == pytest.approx(2086.8706316, abs=1e-6)


def test_without_gravity_in_stance_the_leg_obeys_the_area_law():
    """Angular momentum about the foot is conserved, so sweep and duration are integrals over the leg's length."""
    run = runner(68, ("liftoff", 1), parameters={"g_stance": 0.0})
    (touchdown,), (before,) = at_events(run, "touchdown")
    after = next(event.x_after for event in run.events if event.boundaries == ("touchdown",))
    legx, legy = after[0] - after[4], after[1] - after[5]
    momentum = legx * before[3] - legy * before[2]  # per mass
    radial = (legx * before[2] + legy * before[3]) / LENGTH

    def radial_speed_squared(r):
        return radial**2 + momentum**2 * (1.0 / LENGTH**2 - 1.0 / r**2) - STIFFNESS / MASS * (LENGTH - r) ** 2

    shortest = brentq(radial_speed_squared, 0.5, 1.0 - 1e-6, xtol=1e-15)
    width = math.sqrt(LENGTH - shortest)

    def integral(weight):  # over r = shortest + s^2, which takes the root out of the integrand's denominator
        def integrand(s):
            r = shortest + s * s
            return 4.0 * s * weight(r) / math.sqrt(radial_speed_squared(r))

        return quad(integrand, 0.0, width, epsabs=1e-12, epsrel=1e-12)[0]

    assert run.t[-1] - touchdown == pytest.approx(integral(lambda r: 1.0), abs=1e-8)
    stance = run["leg_length"][(run.chart >= 2)]
    sweep = run["leg_angle"][run.chart == 3][-1] - run["leg_angle"][run.chart == 2][0]
    assert sweep == pytest.approx(integral(lambda r: -momentum / r**2), abs=1e-8)
    assert stance.min() == pytest.approx(shortest, abs=1e-10)
    assert (shortest, integral(lambda r: 1.0)) == pytest.approx((0.878411732907, 0.14085625637), abs=1e-9)
    x = run.x[run.chart >= 2]
    along = (x[:, 0] - x[:, 4]) * x[:, 3] - (x[:, 1] - x[:, 5]) * x[:, 2]
    np.testing.assert_allclose(along, momentum, rtol=1e-10)


@pytest.mark.parametrize(
    ("sprj", "half_stance", "liftoff", "apex", "period", "stride_length"),
    [
        (
            -2,
            0.109094508193,
            (0.114918137119, 0.993374965338, 1.148977172935, 1.568152218813),
            1.116330034407,
            0.531819460150,
            0.590190494859,
        ),
        (
            2,
            0.146886094109,
            (0.157575355, 0.987506965637, 1.221424508191, 1.233632739523),
            1.063599452438,
            0.540498736123,
            0.616508564432,
        ),
    ],
)
def test_simsects_own_runner_repeats_its_orbit(sprj, half_stance, liftoff, apex, period, stride_length):
    run = simulate(
        "slip",
        parameters={**SIMSECT, "sprj": sprj},
        initial={"x": 0.0, "y": 0.9, "xdot": 1.0, "touchdown_angle": 0.0},
        final_time=10.0,
        stop=[("bottom", 3)],
        **TIGHT,
    )
    times, states = at_events(run, "liftoff")
    assert times[0] == pytest.approx(half_stance, abs=1e-10)
    np.testing.assert_allclose(states[0, :4], liftoff, atol=1e-9)
    angle = math.atan2(liftoff[0], liftoff[1])
    assert run.events[0].x_after[6] == pytest.approx(-angle, abs=1e-9)  # mirrored
    assert at_events(run, "apex")[1][0, 1] == pytest.approx(apex, abs=1e-10)
    bottoms, states = at_events(run, "bottom")
    np.testing.assert_allclose(bottoms, period * np.arange(1, 4), atol=1e-9)
    np.testing.assert_allclose(states[:, 0], stride_length * np.arange(1, 4), atol=1e-9)


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5"])
@pytest.mark.parametrize("rtol", [1e-6, 1e-9])
def test_energy_is_conserved_to_the_tolerance_over_thirty_strides(method, rtol):
    run = runner(68, ("apex", 30), method=method, rtol=rtol, atol=rtol)
    assert run.status is Status.STOPPED
    # Each accepted step errs by less than rtol of a state, and the energy by the same share times the number of steps.
    steps = run.statistics["steps"]
    np.testing.assert_allclose(run["energy"], run["energy"][0], rtol=steps * rtol)


@pytest.mark.parametrize(("spri", "sprj", "stiffness"), [(2, 1, 20e3), (1, -2, 700.0), (3, 1, 2e5), (2, -1, 15e3)])
def test_energy_is_continuous_over_events_for_any_spring(spri, sprj, stiffness):
    parameters = {"spri": spri, "sprj": sprj, "hold_touchdown_angle": 0}
    run = runner(75, ("touchdown", 3), stiffness=stiffness, initial={"xdot": 2.0}, parameters=parameters)
    np.testing.assert_allclose(run["energy"], run["energy"][0], rtol=1e-9)


def test_with_mirrored_angles_every_gait_repeats_after_two_strides():
    """Put down at the mirror image of its liftoff, the leg runs the last stance backwards; the next one undoes it."""
    run = simulate("slip", initial={"xdot": 5.0, "y": 1.0}, final_time=40.0, stop=[("apex", 7)], **TIGHT)
    _, apexes = at_events(run, "apex")
    np.testing.assert_allclose(apexes[2:, 1:3], apexes[:-2, 1:3], rtol=1e-9)
    assert abs(apexes[1, 1] - apexes[0, 1]) > 0.01


def test_a_foot_put_down_behind_the_runner_does_not_hold_it():
    run = runner(112, ("liftoff", 2))
    touchdown, liftoff = run.events
    assert (touchdown.boundaries, touchdown.chart_after) == (("touchdown",), 3)  # decompression
    assert (liftoff.boundaries, liftoff.t, liftoff.chart_after) == (("liftoff",), touchdown.t, 1)  # descent
    assert run.status is Status.LEFT_CHART

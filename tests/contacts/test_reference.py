"""Motions with contacts whose instants are known by formulas, by quadrature, or to many digits."""

import math

import numpy as np
import pytest
from contacts.cases import (
    HEIGHT,
    PUSH,
    SLOPE,
    STANDING,
    TIGHT,
    WIDTH,
    bar,
    box,
    corners,
    falling_rod,
    on_right_corner,
    point_mass,
    push_down,
    robot,
    standing_block,
    woodpecker,
)
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from hybridsim import Parameter, Status, find_orbit, simulate, verify
from hybridsim.contacts import Patch, Plane, contact_model
from hybridsim.multibody import Mechanism

G = 9.81


def run_of(model, **settings):
    """A run to its final time that `verify` accepts."""
    run = simulate(model, **{**TIGHT, "record": True, **settings})
    assert run.status == Status.FINAL_TIME
    assert verify(run, model=model).ok
    return run


def test_a_rocking_block_impacts_when_housner_says():
    """Housner (1963): the rate after an impact is that before it times 1 - 1.5 sin^2 atan(width / height)."""
    run = run_of(standing_block(friction=10.0), initial=on_right_corner(0.15), final_time=6.0)
    t = run.events.t
    exact = {1: 0.379432744186407542, 2: 0.95995022510643974, 3: 1.44052224208270378, 6: 2.52593542953913476}
    exact |= {11: 3.66805404100902604}
    assert {n: t[n - 1] for n in exact} == pytest.approx(exact, rel=0.0, abs=3e-10)
    assert t[40] == pytest.approx(5.3836589600295894, abs=1e-9)
    before, after = (np.array([getattr(e, side)[5] for e in run.events][:30]) for side in ("x_before", "x_after"))
    np.testing.assert_allclose(after / before, 1 - 1.5 * math.sin(math.atan(WIDTH / HEIGHT)) ** 2, rtol=1e-9)
    assert run.events.kind[-1] == "zeno"
    assert t[-1] == pytest.approx(5.4965301915715, abs=1e-8)  # the limit of infinitely many impacts
    assert (run["base0_force"][-1], run["base1_force"][-1]) == pytest.approx((G / 2, G / 2), rel=1e-9)


def test_a_ball_bounces_and_comes_to_rest():
    run = run_of(point_mass("ball", restitution=0.6), initial={"z": 0.3}, final_time=2.0)
    fall = math.sqrt(0.6 / G)
    instants = fall * (1 + 2 * np.cumsum([0.0, *(0.6 ** np.arange(1, 12))]))
    np.testing.assert_allclose(run.events.t[:12], instants, rtol=0.0, atol=1e-12)
    assert run.events.t[-1] == pytest.approx(4 * fall, abs=1e-12)
    assert (run["z"][-1], run["foot_normal"][-1]) == pytest.approx((0.0, G), abs=1e-12)


@pytest.mark.exhaustive  # the thrown box of `tests/models` rests
def test_two_ends_of_a_level_bar_land_at_once_until_it_rests():
    run = run_of(bar((-0.5, 0.5), restitution=0.6), initial={"box_z": 0.3}, final_time=2.0)
    assert run.events.t[-1] == pytest.approx(4 * math.sqrt(0.6 / G), abs=1e-13)
    assert np.abs(run["box_angle"]).max() < 1e-12
    assert (run["p0_normal"][-1], run["p1_normal"][-1]) == pytest.approx((G / 2, G / 2), rel=1e-12)


@pytest.mark.exhaustive  # the robot that stands has redundant supports, too
def test_three_supports_carry_the_forces_of_least_norm():
    run = run_of(bar((-0.5, 0.0, 0.5), offset=0.1, friction=0.3), final_time=0.5)
    assert [run[f"p{i}_normal"][-1] for i in range(3)] == pytest.approx([2.289, 3.27, 4.251], abs=3e-6)


def stick_slip(end):
    """Slips and stops of a mass on the slope, by the formula of its speed."""
    drive, kinetic = G * math.sin(SLOPE), 0.25 * G * math.cos(SLOPE)
    threshold = (0.3 * G * math.cos(SLOPE) - drive) / 4.0
    found, t = [], 0.0
    while True:
        cycle = math.floor(3.0 * t / (2.0 * math.pi))
        t = (math.asin(threshold) + 2.0 * math.pi * (cycle + (3.0 * t % (2.0 * math.pi) > math.asin(threshold)))) / 3.0

        def speed(later, start=t):
            return 4.0 / 3.0 * (math.cos(3.0 * start) - math.cos(3.0 * later)) + (drive - kinetic) * (later - start)

        stop = brentq(speed, t + 1.0, t + 2.0 * math.pi / 3.0, xtol=1e-15)
        found += [t, stop]
        if stop > end:
            return [each for each in found if each < end]
        t = stop


def test_a_mass_on_a_slope_sticks_and_slips_when_the_formula_says():
    friction = {"static": 0.3, "kinetic": 0.25}
    ground = Plane(slope=SLOPE)
    model = point_mass("incline", friction=friction, forces=push_down, parameters=PUSH, plane=ground)
    start = {"x": math.cos(SLOPE), "z": math.sin(SLOPE)}
    run = run_of(model, initial=start, final_time=20.0)
    assert len(run.events.t) == 19
    np.testing.assert_allclose(run.events.t, stick_slip(20.0), rtol=0.0, atol=1e-10)


def test_a_falling_rod_sticks_until_its_friction_is_used_up():
    """About its foot: omega^2 = 3 g (cos theta0 - cos theta), alpha = 1.5 g sin theta (rod of 1 m)."""
    start = math.radians(30)

    def margin(angle):
        rate2, rate_rate = 3 * G * (math.cos(start) - math.cos(angle)), 1.5 * G * math.sin(angle)
        along = 0.5 * (rate_rate * math.cos(angle) - rate2 * math.sin(angle))
        normal = G - 0.5 * (rate_rate * math.sin(angle) + rate2 * math.cos(angle))
        return along + 0.5 * normal  # the foot slips forward, friction pulls it back

    angle = brentq(margin, 0.9, 1.1, xtol=1e-15)
    initial = {"box_angle": start, "box_x": 0.5 * math.sin(start), "box_z": 0.5 * math.cos(start)}
    run = run_of(falling_rod(0.5), initial=initial, final_time=0.45)
    (slip,) = run.events
    assert slip.boundaries == ("foot_hold_forward",)
    assert slip.t == pytest.approx(0.344762762232364636, abs=3e-11)
    assert slip.x_before[2] == pytest.approx(angle, abs=3e-11)
    assert slip.x_before[5] == pytest.approx(math.sqrt(3 * G * (math.cos(start) - math.cos(angle))), abs=3e-10)


def block_on_slope(slope, friction, width=0.4, height=0.4):
    patch = Patch("base", "box", corners(width, height), friction=friction, plane=Plane(slope=slope))
    initial = {"box_x": -math.sin(slope) * height / 2, "box_z": math.cos(slope) * height / 2, "box_angle": -slope}
    return contact_model("sloped", Mechanism(box(width, height)), [patch], initial=initial)


@pytest.mark.exhaustive  # a mass on a slope sticks and slips, and the rocking block impacts
def test_a_block_on_a_slope_rests_slides_or_tips():
    """It slides beyond the angle of friction; it tips where the centre is beyond the lower edge."""
    resting = run_of(block_on_slope(0.3, 0.5), final_time=1.0)
    assert len(resting.events.t) == 0
    allowed = (len(resting.t) - 1) * TIGHT["atol"]  # what error control lets each step add to a speed that is 0
    assert np.abs(resting["box_xdot"]).max() < allowed

    slope, friction, side = 0.4, 0.2, 0.4
    sliding = run_of(block_on_slope(slope, friction, side, side), final_time=1.0)
    speed = G * (math.sin(slope) - friction * math.cos(slope))
    assert sliding["base_slip"][-1] == pytest.approx(-speed, rel=1e-10)
    normal = G * math.cos(slope)
    uphill = 0.5 * normal * (1 - friction)  # moments about the centre: friction acts half a side below
    assert (sliding["base1_force"][-1], sliding["base0_force"][-1]) == pytest.approx(
        (uphill, normal - uphill), rel=1e-8
    )

    width, height = 0.2, 0.8
    tipping = run_of(block_on_slope(slope, 2.0, width, height), final_time=0.5)
    radius2 = (width**2 + height**2) / 4
    tilt = math.atan2(height, width)  # of the centre above the slope, seen from the lower corner

    def pendulum(t, x):
        return x[1], G * math.sqrt(radius2) * math.cos(math.pi - slope - tilt + x[0]) / (4 / 3 * radius2) * -1.0

    exact = solve_ivp(pendulum, (0.0, 0.5), (0.0, 0.0), method="DOP853", rtol=1e-12, atol=1e-14).y[0, -1]
    assert abs(tipping["box_angle"][-1] + slope) == pytest.approx(abs(exact), abs=1e-9)


@pytest.mark.exhaustive  # that of the config has its orbit in the ordinary run
def test_the_woodpecker_has_its_period():
    """Glocker (1995), Leine et al. (2003); an independent time stepping scheme tends to this period."""
    run = run_of(woodpecker(), final_time=15.0)
    beaks = [(event.t, event.x_before[0]) for event in run.events if "beak_gap" in event.boundaries]
    periods, falls = np.diff(beaks, axis=0)[-10:].T
    np.testing.assert_allclose(periods, 0.1459760651442, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(falls, -0.01944537928508, rtol=0.0, atol=1e-10)
    names = [event.boundaries[0] for event in run.events][-9:]
    cycle = ["lower_gap", "lower_gap", "lower_stop", "lower_hold_backward", "lower_force", "upper_gap", "beak_gap"]
    assert sorted(names) == sorted([*cycle, "upper_gap", "upper_force"])


def test_the_woodpecker_has_a_stable_orbit():
    """Its larger multiplier is the factor by which ten periods of a run approach the limit."""
    beak = {"sleeve": 0.0894, "bird": 0.12, "ydot": -0.1355, "sleevedot": -2.157, "birddot": 16.91}
    orbit = find_orbit(woodpecker(), section="beak_gap", initial=beak)
    assert orbit.period == pytest.approx(0.1459760651442, abs=2e-12)
    run = simulate(woodpecker(), initial={"birddot": -7.0}, final_time=12.0, **TIGHT)
    periods = np.diff([event.t for event in run.events if "beak_gap" in event.boundaries])
    ratio = (periods[31] - orbit.period) / (periods[21] - orbit.period)
    assert abs(orbit.multipliers[0]) == pytest.approx(abs(ratio) ** 0.1, rel=1e-2)


def test_a_robot_stands_is_pushed_and_falls_over_its_toes():
    weight = 19.0 * G
    standing = run_of(robot(), initial=STANDING, final_time=5.0)
    assert standing["left_normal"][-1] + standing["right_normal"][-1] == pytest.approx(weight, rel=1e-3)
    falling = run_of(robot(), initial={**STANDING, "trunk_xdot": 1.0}, final_time=0.7)
    left, right = (falling.chart_intervals(f"{side}_down") for side in ("left", "right"))
    assert left["0"].tolist() == right["0"].tolist()  # both heels leave the ground at one instant
    assert left["0"][-1, 1] < 0.1
    assert left["1"][-1, 1] == right["1"][-1, 1] == 0.7
    for run in (standing, falling):
        for side in ("left", "right"):
            assert run[f"{side}0_force"].min() > -1e-11
            assert run[f"{side}1_force"].min() > -1e-11
            assert (np.abs(run[f"{side}_tangential"]) - 0.8 * run[f"{side}_normal"]).max() < 1e-11


def pull(force, t, x, p):
    force[0] += p[0] * t


@pytest.mark.exhaustive  # a mass on a slope slips when the formula says
def test_a_force_that_grows_makes_a_bar_slip_when_it_exceeds_friction():
    model = bar((-0.5, 0.0, 0.5), friction=0.3, forces=pull, parameters=(Parameter("growth", 1.5, "N/s"),))
    run = run_of(model, final_time=2.5)
    assert run.events.t[0] == pytest.approx(
        0.3 * G / 1.5, abs=2e-6
    )  # forces of redundant rows are those of least norm to 1e-6
    assert run["box_xdot"][-1] == pytest.approx(0.75 * (2.5 - 1.962) ** 2, rel=1e-5)

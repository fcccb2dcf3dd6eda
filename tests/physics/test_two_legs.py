"""The simplest walker and the compass gait: laws of their equations and collisions, and published gaits.

The gaits are those of docs/walkers.md, which an independent program found with another integrator, and others that the
tests name.
"""

import math

import numpy as np
import pytest

from hybridsim import Status, simulate
from hybridsim.errors import ConfigError
from hybridsim_models.walkers import compass_gait, simplest_walker

from .gait_tables import multipliers_of, slope_of, table

TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}
START_TIMES = (0.0, 1e6)

SIMPLEST_GAITS = [  # slope; theta, thetadot, phidot after a heelstrike; time of a step; multipliers
    (slope_of(slope), *map(float, numbers), multipliers_of(multipliers))
    for slope, _, *numbers, multipliers in table("The simplest walker")
]
COMPASS_GAITS = [  # slope; theta_st, thetadot_st, thetadot_sw after a heelstrike; time of a step; multipliers
    (slope_of(slope), *map(float, numbers), multipliers_of(multipliers))
    for slope, *numbers, multipliers in table("The compass gait")
]


def simplest(slope, initial, steps=1, t0=0.0, **settings):
    """A run from (theta, phi, thetadot, phidot) until a heelstrike."""
    return walk("simplest_walker", simplest_walker, {"slope": slope}, initial, steps, t0, 4.5 * steps, **settings)


def compass(parameters, initial, steps=1, t0=0.0, **settings):
    """A run from (theta_st, theta_sw, thetadot_st, thetadot_sw) until a heelstrike."""
    return walk("compass_gait", compass_gait, parameters, initial, steps, t0, 5.0 * steps, **settings)


def walk(name, model, parameters, initial, steps, t0, duration, **settings):
    return simulate(
        name,
        parameters=parameters,
        initial=dict(zip(model.S._fields, initial, strict=False)),  # it has walked nothing yet
        initial_time=t0,
        final_time=t0 + duration,
        stop=[("heelstrike", steps)],
        **TIGHT | settings,
    )


def test_the_documentation_has_its_gaits():
    assert (len(SIMPLEST_GAITS), len(COMPASS_GAITS)) == (8, 7)


def default_state(model):
    return [state.default for state in model.STATES]


@pytest.mark.parametrize("t0", START_TIMES)
@pytest.mark.parametrize(("slope", "theta", "thetadot", "phidot", "duration", "_"), SIMPLEST_GAITS)
def test_the_simplest_walker_repeats_its_gaits(slope, theta, thetadot, phidot, duration, _, t0):
    initial = [theta, 2 * theta, thetadot, phidot]
    run = simplest(slope, initial, t0=t0)
    assert [event.boundaries for event in run.events] == [("passing",), ("heelstrike",)]
    np.testing.assert_allclose(run.x[-1, :4], initial, rtol=0, atol=1e-9)
    assert run.t[-1] - t0 == pytest.approx(duration, abs=1e-9)


@pytest.mark.parametrize("t0", START_TIMES)
@pytest.mark.parametrize(("slope", "theta", "rate_st", "rate_sw", "duration", "_"), COMPASS_GAITS)
def test_the_compass_gait_repeats_its_gaits(slope, theta, rate_st, rate_sw, duration, _, t0):
    initial = [theta, -theta, rate_st, rate_sw]
    run = compass({"slope": slope}, initial, t0=t0)
    assert [event.boundaries for event in run.events] == [("passing",), ("heelstrike",)]
    np.testing.assert_allclose(run.x[-1, :4], initial, rtol=0, atol=1e-9)
    assert run.t[-1] - t0 == pytest.approx(duration, abs=1e-9)


def multipliers(step, gait):
    """Those of a map of arrays, by central differences, sorted; h^2 of truncation, 1e-12 / h of integration."""
    h = 1e-5
    columns = [(step(gait + d) - step(gait - d)) / (2 * h) for d in h * np.eye(len(gait))]
    return np.sort_complex(np.linalg.eigvals(np.array(columns).T))


@pytest.mark.parametrize(("slope", "theta", "thetadot", "_", "duration", "expected"), SIMPLEST_GAITS)
def test_the_gaits_of_the_simplest_walker_have_their_multipliers(slope, theta, thetadot, _, duration, expected):
    def step(gait):  # the swing leg has no mass: two numbers determine the state after a heelstrike
        a, w = gait
        return simplest(slope, [a, 2 * a, w, (1 - math.cos(2 * a)) * w]).x[-1, [0, 2]]

    found = multipliers(step, np.array([theta, thetadot]))
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize(("slope", "theta", "rate_st", "rate_sw", "_", "expected"), COMPASS_GAITS)
def test_the_compass_gaits_have_their_multipliers(slope, theta, rate_st, rate_sw, _, expected):
    def step(gait):
        a, st, sw = gait
        return compass({"slope": slope}, [a, -a, st, sw]).x[-1, [0, 2, 3]]

    found = multipliers(step, np.array([theta, rate_st, rate_sw]))
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-5)


def test_a_compass_with_heavy_hip_and_small_feet_walks_as_published_and_nearly_as_the_simplest_walker():
    # P. Bhounsule's passivewalker.m: masses of 1000 at the hip and 1 at each foot, l = g = 1, Garcia's signs
    theta, thetadot, phi, phidot = 0.200161072169750, -0.199906060087682, 0.400322144339512, -0.015805473227965
    parameters = {"m": 1.0, "m_H": 1000.0, "a": 0.0, "b": 1.0, "g": 1.0, "slope": 0.009}
    initial = [-theta, phi - theta, -thetadot, phidot - thetadot]
    run = compass(parameters, initial)
    np.testing.assert_allclose(run.x[-1, :4], initial, rtol=0, atol=1e-9)
    assert run.t[-1] == pytest.approx(3.881940001277, abs=1e-9)
    light = compass(parameters | {"m": 1e-6}, initial)
    alike = simplest(0.009, [theta, phi, thetadot, phidot])
    st, sw, st_rate, sw_rate, walked = light.x[-1]
    np.testing.assert_allclose([-st, sw - st, -st_rate, sw_rate - st_rate, walked], alike.x[-1], rtol=0, atol=1e-8)


def test_walkers_whose_gait_has_doubled_its_period_repeat_every_other_step():
    two = [(0.25054944845065, -0.24274119616095), (0.2366568771893, -0.23233978174498)]
    states = [[a, 2 * a, w, (1 - math.cos(2 * a)) * w] for a, w in two]
    run = simplest(0.0165, states[0], steps=2)
    strikes = [event.x_after[:4] for event in run.events if "heelstrike" in event.boundaries]
    np.testing.assert_allclose(strikes, [states[1], states[0]], rtol=0, atol=1e-9)
    two = [(-0.2999267475887, 1.1504012099310, 0.1595051610813), (-0.3255723075891, 1.1734013832157, 0.0915919483757)]
    states = [[a, -a, st, sw] for a, st, sw in two]
    run = compass({"slope": math.radians(4.6)}, states[0], steps=2)
    strikes = [event.x_after[:4] for event in run.events if "heelstrike" in event.boundaries]
    np.testing.assert_allclose(strikes, [states[1], states[0]], rtol=0, atol=1e-9)


def test_the_energy_lost_in_a_heelstrike_of_a_gait_is_that_of_the_descent():
    run = compass({}, default_state(compass_gait))
    before, after = run["kinetic"][-2:]
    theta = run.x[-1, 0]
    assert before - after == pytest.approx(
        20.0 * 9.81 * 2 * math.sin(abs(theta)) * math.sin(math.radians(3)), rel=1e-11
    )


def unit(theta):
    return np.array([np.sin(theta), np.cos(theta)])


def forwards(theta):
    """The derivative of `unit`."""
    return np.array([np.cos(theta), -np.sin(theta)])


def clockwise(r, v):
    return r[1] * v[0] - r[0] * v[1]


def random_walkers(n):
    """Parameters in the order of the records, and states."""
    rng = np.random.default_rng(1)
    parameters = rng.uniform([0.5, 0.0, 0.1, 0.1, 1.0, -0.3], [9.0, 20.0, 1.0, 1.0, 20.0, 0.3], (n, 6))
    return zip(parameters, rng.uniform(-2.0, 2.0, (n, 4)), strict=True)


def test_the_swing_of_the_compass_obeys_the_law_of_angular_momentum_about_foot_and_hip():
    """Gravity is the only torque: sum r x m (acceleration - gravity) = 0, on all masses and on the swing leg alone."""
    for p, x in random_walkers(50):
        (m, m_hip, a, b, g, slope), (st, sw, st_rate, sw_rate) = p, x
        xdot = [0.0] * 5
        compass_gait.vector_field(xdot, 0.0, [*x, 0.0], list(p), 0)
        assert xdot[:2] == [st_rate, sw_rate]
        leg = (a + b) * unit(st), (a + b) * (forwards(st) * xdot[2] - unit(st) * st_rate**2)
        thigh = -b * unit(sw), -b * (forwards(sw) * xdot[3] - unit(sw) * sw_rate**2)
        gravity = g * np.array([math.sin(slope), -math.cos(slope)])
        masses = [
            (m_hip, leg[0], leg[1]),
            (m, a / (a + b) * leg[0], a / (a + b) * leg[1]),
            (m, leg[0] + thigh[0], leg[1] + thigh[1]),
        ]
        about_foot = [mass * clockwise(r, acceleration - gravity) for mass, r, acceleration in masses]
        assert sum(about_foot) == pytest.approx(0.0, abs=1e-12 * sum(map(abs, about_foot)))
        own = clockwise(thigh[0], masses[2][2]), clockwise(thigh[0], gravity)
        assert own[0] == pytest.approx(own[1], abs=1e-12 * (abs(xdot[2]) + abs(xdot[3]) + g))


def momenta(p, angles, rates):
    """The angular momenta about the foot of the first leg, and of the second leg about the hip, from the masses."""
    m, m_hip, a, b, *_ = p
    (first, second), (first_rate, second_rate) = angles, rates
    hip = (a + b) * unit(first), (a + b) * forwards(first) * first_rate
    masses = [
        (m_hip, *hip),
        (m, a * unit(first), a * forwards(first) * first_rate),
        (m, hip[0] - b * unit(second), hip[1] - b * forwards(second) * second_rate),
    ]
    return masses, hip


def test_a_heelstrike_of_the_compass_keeps_the_angular_momenta_about_the_new_foot_and_the_hip():
    for p, (angle, _, st_rate, sw_rate) in random_walkers(50):
        st = 0.05 + 0.5 * abs(angle)
        before = [st, -st, st_rate, sw_rate, 0.7]
        after = list(before)
        chart = compass_gait.transition(after, 0.0, before, list(p), 1, [0, 0, 1])
        assert chart == compass_gait.C.leg_behind
        assert after[:2] == [-st, st]
        assert after[4] == pytest.approx(0.7 + 2.0 * (p[2] + p[3]) * math.sin(st), rel=1e-14)
        old, old_hip = momenta(p, (st, -st), (st_rate, sw_rate))
        new, new_hip = momenta(p, (-st, st), after[2:4])
        foot = old_hip[0] - new_hip[0]  # the new one, from the old one
        terms = [mass * clockwise(r - foot, v) for mass, r, v in old]
        assert sum(mass * clockwise(r, v) for mass, r, v in new) == pytest.approx(
            sum(terms), abs=1e-13 * size(terms, new)
        )
        # The stance leg of before is the swing leg now; its mass is the second before, the third after.
        legs = [(old[1], old_hip), (new[2], new_hip)]
        about_hip = [mass * clockwise(r - hip[0], v) for (mass, r, v), hip in legs]
        assert about_hip[0] == pytest.approx(about_hip[1], abs=1e-13 * size(terms, new))


def size(terms, masses):
    """The sum of what is added up, without the signs: the scale of its rounding."""
    return sum(map(abs, terms)) + sum(abs(mass * clockwise(r, v)) for mass, r, v in masses)


def test_a_heelstrike_of_the_simplest_walker_keeps_the_angular_momenta():
    for _, (angle, _, thetadot, phidot) in random_walkers(50):
        theta = -0.05 - 0.5 * abs(angle)
        before, after = [theta, 2 * theta, thetadot, phidot, 0.0], [0.0] * 5
        assert simplest_walker.transition(after, 0.0, before, [0.1], 1, [0, 0, 1]) == simplest_walker.C.leg_behind
        assert after[:2] == [-theta, -2 * theta]
        assert after[4] == pytest.approx(-2.0 * math.sin(theta), rel=1e-14)  # the step
        hip = -thetadot * forwards(-theta)  # its velocity before
        assert -after[2] == pytest.approx(clockwise(unit(theta), hip), rel=1e-13)  # of the hip, about the new foot
        # The foot that stood has no velocity before, and none across its leg after.
        st_rate, sw_rate = -after[2], after[3] - after[2]
        foot = forwards(theta) * st_rate - forwards(-theta) * sw_rate
        assert clockwise(-unit(-theta), foot) == pytest.approx(0.0, abs=1e-13)


def test_energy_is_kept_in_the_swing():
    for p, x in random_walkers(8):
        parameters = dict(zip(compass_gait.P._fields, p, strict=True))
        initial = np.array([-0.25, 0.25, 1.75, 0.0]) + x * [0.07, 0.07, 0.6, 0.5]
        for run in (compass(parameters, initial), simplest(0.05, initial * [-1, 1, -1, 1])):
            ends = np.flatnonzero(np.diff(run.j) * (np.diff(run["kinetic"]) != 0)) + 1
            for swing in np.split(np.arange(len(run.t)), ends):
                scale = run["kinetic"][swing].max() + abs(run["potential"][swing]).max()
                np.testing.assert_allclose(run["energy"][swing], run["energy"][swing[0]], rtol=0, atol=1e-10 * scale)


def test_drakes_collision():
    # examples/compass_gait/test/compass_gait_test.cc states the rates before; the masses and lengths are the defaults
    p = [5.0, 10.0, 0.5, 0.5, 9.81, 0.0525]
    after = [0.0] * 5
    compass_gait.transition(after, 0.0, [0.2, -0.2, 2.0, -1.0, 0.0], p, 1, [0, 0, 1])
    np.testing.assert_allclose(after[:4], [-0.2, 0.2, 2.021656674375, 1.7241382120648], rtol=1e-12)


@pytest.mark.parametrize("error", [1e-6, 1e-15, -1e-15, -1e-6])
def test_an_initial_state_that_is_not_quite_on_the_slope_begins_a_step(error):
    run = simplest(0.009, [0.2003109005, 0.400621801 + error, -0.199832473, -0.015823])
    assert [event.boundaries for event in run.events] == [("passing",), ("heelstrike",)]
    run = compass({}, [-0.2710286805, 0.2710286805 + error, 1.0923835899, 0.3773739489])
    assert [event.boundaries for event in run.events] == [("passing",), ("heelstrike",)]


def test_a_start_with_both_legs_together_is_drawn_into_the_gait():
    # Drake's demonstration: the legs upright, one swung forwards
    vertical = 0.0525
    run = compass({"slope": vertical}, [-vertical, -vertical, 0.4, -2.0], steps=40)
    assert run.chart[0] == compass_gait.C.leg_ahead
    theta, *_ = next(gait[1:] for gait in COMPASS_GAITS if gait[0] == vertical)
    np.testing.assert_allclose(run.x[-1, 0], theta, rtol=0, atol=1e-7)  # what is off shrinks by 0.58 a step


@pytest.mark.parametrize(
    ("run", "message"),
    [
        (lambda: simplest(0.009, [0.2, 0.4, -0.1, 0.0], steps=9), "fallen backwards"),
        (lambda: simplest(0.05, [0.2, 0.4, -0.9, 0.5], steps=9), "fallen forwards"),
        (lambda: compass({}, [-0.27, 0.27, 0.5, 0.4], steps=9), "fallen backwards"),
        (lambda: compass({}, [-0.27, 0.27, 4.0, 4.0], steps=9), "fallen forwards"),
    ],
)
def test_a_walker_that_falls_ends_the_run_and_says_so(run, message):
    run = run()
    assert run.status is Status.LEFT_CHART
    assert message in run.message
    assert run["hip_y"][-1] == pytest.approx(0.0, abs=1e-9)


def test_a_walker_without_inertia_is_refused():
    with pytest.raises(ConfigError, match="needs its legs' masses above the feet"):
        simulate("compass_gait", parameters={"m_H": 0.0, "a": 0.0}, final_time=1.0)


def test_the_foot_is_on_the_slope_at_a_heelstrike_and_ahead_by_the_step():
    runs = simplest(0.009, default_state(simplest_walker)), compass({}, default_state(compass_gait))
    for run in runs:
        before, after = -2, -1
        np.testing.assert_allclose(run["clearance"][[before, after]], 0.0, atol=1e-14)
        assert run["foot_x"][before] == pytest.approx(-run["foot_x"][after], rel=1e-13)
        assert run["foot_x"][before] == pytest.approx(2 * run["hip_x"][before], rel=1e-13)
        assert run["clearance"].min() < 0.0  # straight legs scuff


def test_a_swing_leg_that_swings_back_is_behind_and_its_foot_is_ignored_there():
    run = simplest(0.009, [0.2, -0.05, -0.02, 0.3])
    (event,) = run.events
    assert event.boundaries == ("returning",)
    assert (event.chart_before, event.chart_after) == (simplest_walker.C.leg_ahead, simplest_walker.C.leg_behind)
    np.testing.assert_array_equal(event.x_before, event.x_after)
    assert run["clearance"].min() < -0.01
    assert "fallen backwards" in run.message

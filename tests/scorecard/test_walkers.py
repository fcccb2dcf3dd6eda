"""Legs that collide with the ground: each step starts on the boundary that ends it."""

import math

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import root

from hybridsim import simulate

TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}
GRAVITY, LENGTH, SLOPE, ALPHA = 9.81, 1.0, 0.08, math.pi / 8.0
SHRINK = math.cos(2.0 * ALPHA)
GAIN = 4.0 * GRAVITY / LENGTH * math.sin(ALPHA) * math.sin(SLOPE)  # of omega^2 on the way from spoke to spoke
CYCLE = math.sqrt(GAIN) / math.tan(2.0 * ALPHA)  # the speed after a collision that repeats itself


def roll(plugin, omega, **keywords):
    initial = {"theta": SLOPE - ALPHA, "omega": omega}  # on the boundary `uphill`, and moving away from it
    return simulate(plugin("rimless_wheel"), initial=initial, **TIGHT, **keywords)


def duration(omega):
    """How long a spoke is on the ground [s]: the integral of d theta / omega(theta), by the energy."""

    def slowness(theta):
        return 1.0 / math.sqrt(omega**2 + 2.0 * GRAVITY / LENGTH * (math.cos(SLOPE - ALPHA) - math.cos(theta)))

    return quad(slowness, SLOPE - ALPHA, SLOPE + ALPHA, epsabs=0.0, epsrel=1e-13)[0]


def test_a_wheel_on_its_limit_cycle_repeats_its_step():
    assert (CYCLE, duration(CYCLE)) == pytest.approx((1.0954628396476568, 1.034549811423279), rel=1e-13)


def test_a_rimless_wheel_slows_down_to_its_limit_cycle(plugin):
    run = roll(plugin, 5.0, final_time=25.0)
    speeds = np.array([event.x_after[1] for event in run.events])
    n = np.arange(1, len(run.events) + 1)
    expected = np.sqrt(CYCLE**2 + SHRINK ** (2 * n) * (25.0 - CYCLE**2))
    assert {name for event in run.events for name in event.boundaries} == {"downhill"}
    np.testing.assert_allclose(expected[:2], [3.619394896460519, 2.673953837444970], rtol=1e-15)
    np.testing.assert_allclose(speeds, expected, rtol=1e-10)
    steps = [duration(omega) for omega in [5.0, *expected[:-1]]]
    assert steps[0] == pytest.approx(0.1583497826083782, rel=1e-13)
    np.testing.assert_allclose(run.events.t, np.cumsum(steps), rtol=1e-10)


def test_the_speed_of_a_rimless_wheel_comes_back_with_the_multiplier_one_half(plugin):
    h = 1e-4  # the map is smooth: its third derivative, of order one, leaves h^2
    after = [roll(plugin, CYCLE + d, final_time=3.0, stop=[("downhill", 1)]).x[-1, 1] for d in (h, -h)]
    assert (after[0] - after[1]) / (2 * h) == pytest.approx(0.5, abs=h**2)  # cos(pi / 4)^2


GAITS = {
    # theta, theta_rate after the heelstrike; the time of the step and of the scuff; the multipliers
    "long": ((0.2003109005443, -0.1998324730050), 3.882463753, 1.81390, (-0.19010 + 0.55760j, -0.19010 - 0.55760j)),
    "short": ((0.1939373698102, -0.2038669274421), 3.096105868, 2.14381, (4.0039, 0.45959)),
}
WALKER_SLOPE = 0.009


def swing(t, z):
    """The equations of Garcia et al. (1998), z = (theta, phi, and their rates)."""
    theta, phi, theta_rate, phi_rate = z
    fall = math.sin(theta - WALKER_SLOPE)
    pull = theta_rate**2 * math.sin(phi) - math.cos(theta - WALKER_SLOPE) * math.sin(phi)
    return [theta_rate, phi_rate, fall, fall + pull]


def on_the_ground(t, z):
    return z[1] - 2.0 * z[0]


def after_heelstrike(theta, theta_rate):
    """The swing leg has no mass: after a heelstrike two numbers determine four."""
    return [theta, 2.0 * theta, theta_rate, (1.0 - math.cos(2.0 * theta)) * theta_rate]


def independent_step(gait):
    """The next gait, and when the foot is on the ground: by another integrator, all roots after the start."""
    tight = {"method": "DOP853", "rtol": 3e-14, "atol": 1e-15}
    flow = solve_ivp(swing, (0.0, 4.2), after_heelstrike(*gait), events=on_the_ground, **tight)
    contacts, states = flow.t_events[0], flow.y_events[0]
    later = contacts > 0.1
    theta, _, theta_rate, _ = states[later][1]
    return np.array([-theta, math.cos(2.0 * theta) * theta_rate]), contacts[later]


def step(plugin, gait, count=1):
    initial = dict(zip(("theta", "phi", "theta_rate", "phi_rate"), after_heelstrike(*gait), strict=True))
    return simulate(
        plugin("simplest_walker"), initial=initial, final_time=4.2 * count, stop=[("heelstrike", count)], **TIGHT
    )


@pytest.mark.members(1)
@pytest.mark.parametrize("name", GAITS)
def test_the_simplest_walker_repeats_its_long_and_its_short_step(plugin, name):
    published, duration, scuff, _ = GAITS[name]
    gait = root(lambda z: independent_step(z)[0] - z, np.round(published, 3), tol=1e-14).x
    _, contacts = independent_step(gait)
    np.testing.assert_allclose(gait, published, rtol=0, atol=2e-12)
    assert contacts == pytest.approx([scuff, duration], abs=1e-5)
    assert contacts[1] == pytest.approx(duration, abs=1e-9)

    run = step(plugin, gait)
    assert [event.boundaries for event in run.events] == [("scuff",), ("heelstrike",)]
    np.testing.assert_allclose(run.events.t, contacts, rtol=1e-10)
    np.testing.assert_allclose(run.x[-1], after_heelstrike(*gait), rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", GAITS)
def test_the_simplest_walker_has_its_multipliers(plugin, name):
    gait, _, _, published = GAITS[name]
    h = 1e-5  # central differences: h^2 of truncation, 1e-12 / h of integration
    columns = []
    for d in np.eye(2) * h:
        ahead, behind = step(plugin, np.array(gait) + d).x[-1], step(plugin, np.array(gait) - d).x[-1]
        columns.append((ahead - behind)[[0, 2]] / (2 * h))
    multipliers = np.linalg.eigvals(np.array(columns).T)
    np.testing.assert_allclose(np.sort_complex(multipliers), np.sort_complex(published), rtol=0, atol=5e-5)


def test_the_simplest_walker_is_drawn_to_its_long_step(plugin):
    run = step(plugin, (0.2, -0.2), count=30)  # what is off shrinks by 0.589 a step, by 1e-7 in thirty
    (theta, theta_rate), _, _, _ = GAITS["long"]
    assert [run.events.count(name) for name in ("scuff", "heelstrike")] == [30, 30]
    np.testing.assert_allclose(run.x[-1, [0, 2]], [theta, theta_rate], rtol=0, atol=1e-3 * 0.5892**30 * 10)

"""The rimless wheel against its closed forms: collisions, limit cycle, critical slopes, and coming to rest."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from hybridsim import simulate
from hybridsim_models.walkers import rimless_wheel as model

TIGHT = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}
WHEELS = [
    {"n": 8, "slope": 0.08},
    {"n": 10, "slope": 0.05},
    {"n": 6, "slope": 0.3, "l": 0.7, "g": 3.7, "m": 2.0, "I": 0.4},
    {"n": 30, "slope": -0.02, "l": 0.4, "I": 0.1},
]
"""The first two are those of the table in docs/walkers.md."""
START_TIMES = (0.0, 1e6)


class Wheel:
    """The closed forms, from the parameters."""

    def __init__(self, n, slope, l=1.0, g=9.81, m=1.0, I=0.0):  # noqa: E741
        self.alpha, self.slope, self.weight, self.length = math.pi / n, slope, m * g, l
        self.inertia = m * l**2 + I
        self.eta = (m * l**2 * math.cos(2 * self.alpha) + I) / self.inertia
        self.gain = 4 * m * g * l / self.inertia * math.sin(self.alpha) * math.sin(slope)  # of thetadot^2 in a step
        self.fastest_fall_back = math.sqrt(2 * m * g * l * (1 - math.cos(slope - self.alpha)) / self.inertia)

    @property
    def cycle(self):
        return math.sqrt(self.eta**2 / (1 - self.eta**2) * self.gain)

    def duration(self, rate):
        """How long a spoke is on the ground [s]: the integral of d theta / thetadot(theta), by the energy."""
        k = 2 * self.weight * self.length / self.inertia
        begin, end = self.slope - self.alpha, self.slope + self.alpha
        return quad(lambda s: (rate**2 + k * (math.cos(begin) - math.cos(s))) ** -0.5, begin, end, epsrel=1e-13)[0]

    def rock(self, rate, theta):
        """How long the wheel rises from a spoke and falls back on it [s], by the energy; precise even if slow."""
        k = self.weight * self.length / self.inertia
        span = 0.0  # from theta to where it stands still: cos(theta - span) - cos(theta) = rate^2 / (2 k)
        for _ in range(60):
            span = 2 * math.asin(rate**2 / (4 * k * math.sin(abs(theta) - span / 2)))
        top = abs(theta) - span

        def slowness(w):  # d t / d w at top + span w^2, where thetadot^2 = 2 k (cos(top) - cos(top + span w^2))
            return 2 * w * span / math.sqrt(4 * k * math.sin(top + span * w**2 / 2) * math.sin(span * w**2 / 2))

        return 2 * quad(slowness, 0.0, 1.0, epsrel=1e-12)[0]


@pytest.mark.parametrize("t0", START_TIMES)
@pytest.mark.parametrize("parameters", WHEELS[:3])
def test_a_wheel_on_its_limit_cycle_repeats_its_step(parameters, t0):
    wheel = Wheel(**parameters)
    initial = {"theta": wheel.slope - wheel.alpha, "thetadot": wheel.cycle}
    run = simulate(
        "rimless_wheel",
        parameters=parameters,
        initial=initial,
        initial_time=t0,
        final_time=t0 + 60,
        stop=[("strike_forward", 5)],
        **TIGHT,
    )
    assert len(run.events) == 5
    np.testing.assert_allclose(np.diff([t0, *run.events.t]), wheel.duration(wheel.cycle), rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.events.x_after[:, :2], [list(initial.values())] * 5, rtol=0, atol=1e-9)


def test_the_numbers_of_the_documentation_are_those_of_the_closed_form():
    wheels = [Wheel(**parameters) for parameters in WHEELS[:2]]
    assert [w.cycle for w in wheels] == pytest.approx([1.09546283964766, 1.07149255375877], rel=1e-14)
    assert [w.duration(w.cycle) for w in wheels] == pytest.approx([1.03454981142328, 0.73701150005852], rel=1e-13)
    assert [w.fastest_fall_back for w in wheels] == pytest.approx([0.975416874393112, 0.824967621109], rel=1e-12)


@pytest.mark.parametrize("parameters", WHEELS)
@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_rolling_keeps_the_energy_and_a_strike_the_angular_momentum_about_the_new_foot(parameters, direction):
    wheel = Wheel(**parameters)
    run = simulate(
        "rimless_wheel", parameters=parameters, initial={"thetadot": direction * 6.0}, final_time=1.0, **TIGHT
    )
    assert len(run.events) > 2
    ends = np.flatnonzero(np.diff(run.j)) + 1
    for step in np.split(run["energy"], ends):
        np.testing.assert_allclose(step, step[0], rtol=1e2 * TIGHT["rtol"])
    mass, own = parameters.get("m", 1.0), parameters.get("I", 0.0)
    for event in run.events:
        (before, rate, _), (after, rate_after, _) = event.x_before, event.x_after
        hub = wheel.length * np.array([math.sin(after), math.cos(after)])  # from the new foot
        velocity = wheel.length * rate * np.array([math.cos(before), -math.sin(before)])
        momentum = own * rate + mass * (hub[1] * velocity[0] - hub[0] * velocity[1])
        assert rate_after * wheel.inertia == pytest.approx(momentum, rel=1e-12)


@pytest.mark.parametrize(("n", "critical"), [(6, 0.17816004614622), (8, 0.06822945245229), (10, 0.03343906430276)])
def test_a_wheel_rolls_on_if_the_slope_is_steeper_than_the_critical_one(n, critical):
    wheel = Wheel(n, critical)
    assert wheel.cycle == pytest.approx(wheel.fastest_fall_back, rel=1e-12)
    for factor, chart in ((1.0 - 1e-5, "resting"), (1.0 + 1e-5, "rolling")):
        parameters = {"n": n, "slope": factor * critical}
        run = simulate("rimless_wheel", parameters=parameters, initial={"thetadot": 3.0}, final_time=100.0, **TIGHT)
        assert run.status.ok, run.message
        assert run.chart[-1] == model.CHARTS.index(chart)
        assert (run.events.count("strike_backward") > 0) is (chart == "resting")


@pytest.mark.parametrize("t0", START_TIMES)
@pytest.mark.parametrize("parameters", [{"n": 8, "slope": 0.03}, {"n": 5, "slope": -0.2, "l": 0.6, "m": 3.0, "I": 0.5}])
def test_a_wheel_too_slow_to_roll_comes_to_rest_when_its_collisions_accumulate(parameters, t0):
    wheel = Wheel(**parameters)
    ahead, behind = wheel.slope - wheel.alpha, wheel.slope + wheel.alpha  # of a strike forwards, backwards
    rate, rest, theta = 0.5, 0.0, ahead
    for _ in range(80):
        rest += wheel.rock(rate, theta)
        rate, theta = wheel.eta * rate, behind if theta == ahead else ahead
    run = simulate(
        "rimless_wheel",
        parameters=parameters,
        initial={"theta": ahead, "thetadot": 0.5},
        initial_time=t0,
        final_time=t0 + rest + 5.0,
        **TIGHT,
    )
    assert run.status.ok, run.message
    assert run.events.kind[-1] == "zeno"
    assert run.events.t[-1] - t0 == pytest.approx(rest, abs=1e-7)
    assert run.chart[-1] == model.C.resting
    theta, rate, _ = run.x[-1]
    assert min(abs(theta - ahead), abs(theta - behind)) < 1e-7
    assert rate == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("n", [3, 4])  # of four, eta is 0 but for rounding
def test_a_wheel_of_few_spokes_stops_at_its_first_collision(n):
    run = simulate("rimless_wheel", parameters={"n": n}, initial={"thetadot": 5.0}, final_time=5.0)
    assert run.status.ok, run.message
    np.testing.assert_allclose(run.events.t, run.events.t[0], rtol=1e-14)
    assert run.chart[-1] == model.C.resting
    assert abs(run.x[-1, 0] - 0.08) == pytest.approx(math.pi / n, rel=1e-14)
    assert run.x[-1, 1] == pytest.approx(0.0, abs=1e-14)


def test_a_wheel_that_stands_on_two_spokes_stays_there_unless_the_slope_is_too_steep():
    theta = 0.08 - math.pi / 8
    run = simulate("rimless_wheel", initial={"theta": theta, "thetadot": 0.0}, final_time=5.0)
    assert (len(run.events), run.chart[-1], *run.x[-1]) == (0, model.C.resting, theta, 0.0, 0.0)
    run = simulate(
        "rimless_wheel",
        parameters={"slope": 0.5},
        initial={"theta": 0.5 - math.pi / 8, "thetadot": 0.0},
        final_time=20.0,
        **TIGHT,
    )
    assert run.events[-1].x_after[1] == pytest.approx(Wheel(8, 0.5).cycle, rel=1e-6)

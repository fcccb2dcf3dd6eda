"""Characteristics of orbits against closed forms, energy balances and known gaits; optimisation along a family."""

import math
from pathlib import Path

import pytest
from map_model import FOLD, LOGISTIC, MODEL

import hybridsim
from hybridsim.analysis.finding import find_orbit_of
from hybridsim.config.loading import load_orbit_config
from hybridsim.errors import ConfigError

PLUGIN = Path(__file__).with_name("relay_oscillator.py")
CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.fixture(scope="module")
def relay():
    return hybridsim.find_orbit(PLUGIN, parameters={"width": 0.7}, section="top")


def test_the_characteristics_of_the_relay_are_those_of_its_closed_form(relay):
    shrink = math.exp(-0.7)
    high, low = 1.0 / (1.0 + shrink), shrink / (1.0 + shrink)
    expected = {
        "period": 1.4,
        "strides": 1.0,
        "growth": shrink**2,
        "y.max": high,
        "y.min": low,
        "y.mean": 0.5,
        "y.integral": 0.7,
        "y.integral(fall)": high - low,  # y' = -y
        "x.max": 0.7,
        "x.mean(rise)": 0.35,
        "square.max": high**2,
        "square.integral(fall)": 0.5 * (high**2 - low**2),
        "square.before(bottom)": low**2,
        "square.jump(bottom)": 0.0,
        "top.count": 1.0,
    }
    assert relay.measure([*expected]) == pytest.approx(expected, abs=1e-11)
    assert {*expected} - {*relay.characteristics} == {"y.integral(fall)", "x.mean(rise)", "square.integral(fall)"}


def test_a_heelstrike_loses_what_the_slope_gives():
    orbit = find_orbit_of(load_orbit_config(CONFIGS / "walkers" / "orbits" / "compass_gait.yaml"))
    step = orbit.characteristics["foot_x.before(heelstrike)"]
    gain = 20.0 * 9.81 * step * math.sin(math.radians(3.0))
    assert orbit.characteristics["kinetic.jump(heelstrike)"] == pytest.approx(-gain, abs=1e-10)
    assert step == pytest.approx(2.0 * math.sin(0.271028680498821), abs=1e-11)  # docs/walkers.md


@pytest.mark.exhaustive  # the heelstrike and the relay have closed forms
def test_the_runner_goes_as_far_and_as_fast_as_published():
    runner = find_orbit_of(load_orbit_config(CONFIGS / "slip.yaml"))
    assert runner.characteristics["x.displacement"] == pytest.approx(1.277642721819, abs=1e-10)
    assert runner.characteristics["x.speed"] == pytest.approx(1.277642721819 / 0.252532613818, abs=1e-9)
    assert runner.characteristics["y.max"] == pytest.approx(0.94026714437961, abs=1e-11)
    assert runner.multipliers.tolist() == pytest.approx([-0.161307631037], abs=1e-9)


def test_one_is_asked_for_by_its_name(relay):
    assert relay.measure("period") == relay.measure(["period"]) == {"period": relay.period}


def test_users_define_their_own(relay):
    found = relay.measure({"peak": "y.max", "ripple": lambda orbit: orbit.characteristics["y.max"] - orbit.x["x"]})
    assert found["ripple"] == pytest.approx(found["peak"] - 0.7, abs=1e-14)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (["z.max"], "no characteristic 'z.max'; did you mean `y.max`"),
        (["y.max(top)"], "no characteristic"),
        (["y.jump(rise)"], "no characteristic"),
        ({"a": lambda orbit: "fast"}, "a: its function has to return a number, and returned 'fast'"),
        ({"a": lambda orbit: math.nan}, "returned nan"),
        ({"a": 3}, "expected the name of a characteristic or a function"),
    ],
)
def test_what_is_no_characteristic_is_refused(relay, wanted, message):
    with pytest.raises(ConfigError, match=message):
        relay.measure(wanted)


def test_the_best_member_of_a_family_is_found(relay):
    # With the period T = 2 width, exp(-T) T is largest at T = 1.
    found = hybridsim.optimize_orbit(
        relay, lambda orbit: orbit.characteristics["growth"] * orbit.period, {"width": (0.2, 2.0)}, maximize=True
    )
    assert found.parameters["width"] == pytest.approx(0.5, abs=1e-6)
    assert found.value == pytest.approx(math.exp(-1.0), abs=1e-11)
    assert found.orbit.period == pytest.approx(2.0 * found.parameters["width"], abs=1e-12)
    assert found.failures == 0


@pytest.mark.parametrize(("maximize", "end"), [(False, 0.3), (True, 1.7)])
def test_an_optimum_at_the_end_of_a_range_is_there_exactly(relay, maximize, end):
    found = hybridsim.optimize_orbit(relay, "period", {"width": (0.3, 1.7)}, maximize=maximize)
    assert found.parameters["width"] == end
    assert found.value == pytest.approx(2.0 * end, rel=1e-12)


@pytest.mark.exhaustive  # an optimum at the end of a range is found
def test_the_best_pair_of_parameters_is_found():
    # The fixed point is u = 1 - 1 / r, so the best one is at r = 1 / (1 - 0.6) and s = u / 2 = 0.3.
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": LOGISTIC, "r": 2.2}, section="tick", initial={"u": 0.5})
    found = hybridsim.optimize_orbit(
        orbit,
        lambda orbit: (orbit.x["u"] - 0.6) ** 2 + (orbit.parameters["s"] - 0.5 * orbit.x["u"]) ** 2,
        {"r": (1.5, 3.5), "s": (-0.9, 0.9)},
        tolerance=1e-5,
    )
    assert found.parameters == pytest.approx({"r": 2.5, "s": 0.3}, abs=1e-4)
    assert found.value == pytest.approx(0.0, abs=1e-9)
    assert found.orbit.x["u"] == pytest.approx(1.0 - 1.0 / found.parameters["r"], abs=1e-10)


@pytest.mark.exhaustive  # another search is in the ordinary run
def test_parameters_without_an_orbit_are_left_out_of_the_search():
    # The fixed points of this map are the roots of u^2 = r: there are none for r < 0.
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": FOLD, "r": 0.4}, section="tick", initial={"u": 0.6})
    found = hybridsim.optimize_orbit(orbit, lambda orbit: (orbit.x["u"] - 0.3) ** 2, {"r": (-1.0, 0.5)})
    assert found.failures > 0
    assert found.parameters["r"] == pytest.approx(0.09, abs=1e-6)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({}, "at least one"), ({"widht": (0, 1)}, "did you mean `width`"), ({"width": (2, 1)}, "expected a range")],
)
def test_a_wrong_range_is_refused(relay, parameters, message):
    with pytest.raises(ConfigError, match=message):
        hybridsim.optimize_orbit(relay, "period", parameters)

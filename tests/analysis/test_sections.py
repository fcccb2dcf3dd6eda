"""Sections and symmetries: before a boundary, after a time, in a chart, and the image in which half an orbit ends."""

import math
from pathlib import Path

import numpy as np
import pytest
from map_model import LOGISTIC, MODEL

import hybridsim
from hybridsim.errors import ConfigError

EDGE = 0.25
PULLED_SPRING = Path(__file__).with_name("pulled_spring.py")
MIRRORED = hybridsim.Symmetry(
    negate=["y"], charts={"on": "off", "off": "on"}, boundaries={"hot": "cold", "cold": "hot"}
)


def relay_period(edge=EDGE, tau=1.0):
    return 2.0 * tau * math.log((1.0 + edge) / (1.0 - edge))


@pytest.mark.parametrize("tau", [1.0, 3600.0])
def test_half_an_oscillation_of_the_relay_ends_in_its_mirror_image(tau):
    orbit = hybridsim.find_orbit(
        "relay", parameters={"hysteresis": EDGE, "tau": tau}, section="hot", initial={"y": 0.1}, symmetry=MIRRORED,
        max_time=100.0 * tau,
    )  # fmt: skip
    assert orbit.x["y"] == pytest.approx(EDGE, abs=1e-12)
    assert orbit.period == pytest.approx(0.5 * relay_period(tau=tau), rel=1e-12)
    assert [name for event in orbit.events for name in event.boundaries] == ["cold"]
    assert orbit.stable


def test_the_whole_oscillation_of_the_relay_has_twice_the_period():
    orbit = hybridsim.find_orbit("relay", parameters={"hysteresis": EDGE}, section="hot", initial={"y": 0.1})
    assert orbit.period == pytest.approx(relay_period(), rel=1e-12)
    assert [name for event in orbit.events for name in event.boundaries] == ["cold", "hot"]


def test_before_a_heelstrike_the_walker_has_not_yet_swapped_its_legs():
    after = hybridsim.find_orbit("compass_gait", section="heelstrike")
    before = hybridsim.find_orbit("compass_gait", section=hybridsim.Section("heelstrike", when="before"))
    assert before.x["theta_st"] == pytest.approx(-after.x["theta_st"], abs=1e-12)
    # In the gait on 3 degrees the rates before the impact are known.
    assert before.x["thetadot_st"] == pytest.approx(1.494204897100364, abs=1e-10)
    assert before.x["thetadot_sw"] == pytest.approx(1.805678868987803, abs=1e-10)
    np.testing.assert_allclose(before.multipliers, after.multipliers, atol=1e-12)


def test_a_section_after_a_time_is_the_stroboscopic_map():
    orbit = hybridsim.find_orbit(
        MODEL, parameters={"map": LOGISTIC, "r": 2.8}, section=hybridsim.Section(time=1.0),
        initial={"u": 0.5, "phase": 0.25},
    )  # fmt: skip
    assert orbit.x["u"] == pytest.approx(1.0 - 1.0 / 2.8, abs=1e-12)
    assert orbit.displacement == {}
    assert np.abs(orbit.multipliers - (2.0 - 2.8)).min() < 1e-12


@pytest.mark.members(1)
@pytest.mark.parametrize(("direction", "first"), [("rising", "hot"), ("falling", "cold")])
def test_a_section_where_a_state_passes_a_value(direction, first):
    section = hybridsim.Section(state="y", value=0.05, direction=direction)
    orbit = hybridsim.find_orbit("relay", parameters={"hysteresis": EDGE}, section=section, initial={"y": 0.1})
    assert orbit.x["y"] == pytest.approx(0.05, abs=1e-12)
    assert orbit.period == pytest.approx(relay_period(), rel=1e-12)
    assert next(name for event in orbit.events for name in event.boundaries) == first
    assert len(orbit.multipliers) == 0  # one state, and it is given by the section


@pytest.mark.filterwarnings("error")
def test_a_section_that_coincides_with_an_event_is_refused_in_a_sentence():
    motion = {"model": PULLED_SPRING, "initial": {"y": -1.0}}
    with pytest.raises(hybridsim.NoOrbitError, match="derivatives of the stride are not finite at the section"):
        hybridsim.find_orbit(**motion, section=hybridsim.Section(state="v", value=0.0, direction="falling"))
    orbit = hybridsim.find_orbit(**motion, section=hybridsim.Section(state="v", value=0.0))
    half, d = orbit.period / 2.0, 0.1
    assert half == pytest.approx(math.pi / math.sqrt(1.0 - d * d / 4.0), rel=1e-10)
    assert orbit.multipliers.real == pytest.approx([0.5 * math.exp(-d * half)], rel=1e-8)


def test_multipliers_do_not_depend_on_the_section():
    given = {"initial": {"theta_st": 0.0, "theta_sw": -0.33, "thetadot_st": 0.56, "thetadot_sw": -1.3}}
    upright = hybridsim.find_orbit(
        "compass_gait", section=hybridsim.Section(state="theta_st", value=0.0, direction="rising"), **given
    )
    heelstrike = hybridsim.find_orbit("compass_gait", section="heelstrike")
    assert upright.period == pytest.approx(heelstrike.period, abs=1e-11)
    np.testing.assert_allclose(upright.multipliers, heelstrike.multipliers, atol=1e-9)
    assert upright.run(strides=3).t[-1] == pytest.approx(3.0 * upright.period, abs=1e-9)


def driven_field(xdot, t, x, p, chart):
    xdot[0] = math.cos(2.0 * math.pi * t) - x[0]


def test_a_driven_motion_must_repeat_in_the_rhythm_of_its_drive():
    model = hybridsim.Model("driven", [hybridsim.State("x")], vector_field=driven_field)
    orbit = hybridsim.find_orbit(model, section=hybridsim.Section(time=1.0))
    assert orbit.x["x"] == pytest.approx(1.0 / (1.0 + 4.0 * math.pi**2), abs=1e-11)
    np.testing.assert_allclose(orbit.multipliers, [math.exp(-1.0)], atol=1e-11)
    with pytest.raises(hybridsim.HybridsimError, match="depends on time"):
        hybridsim.find_orbit(model, section=hybridsim.Section(time=0.37))


def test_states_that_follow_from_the_others_follow_along_a_branch():
    orbit = hybridsim.find_orbit("relay", parameters={"hysteresis": EDGE}, section="hot", initial={"y": 0.1})
    branch = hybridsim.continue_orbit(orbit, "hysteresis", to=0.6)
    np.testing.assert_allclose(branch.points["y"], branch.points["hysteresis"], rtol=1e-12)
    with pytest.raises(ConfigError, match="hysteresis is between 0 and inf"):
        hybridsim.continue_orbit(orbit, "hysteresis", to=-1.0)


def test_a_section_or_symmetry_of_another_type_is_refused():
    with pytest.raises(ConfigError, match=r"section: expected a hybridsim.Section, found dict"):
        hybridsim.find_orbit("relay", section={"boundary": "hot"})
    with pytest.raises(ConfigError, match=r"symmetry: expected a hybridsim.Symmetry, found dict"):
        hybridsim.find_orbit("relay", section="hot", symmetry={"negate": ["y"]})


def test_events_in_another_chart_do_not_count():
    guess = {"y": 0.95, "xdot": 5.0}
    given = {"parameters": {"hold_touchdown_angle": 1}, "initial": guess, "fixed": {"energy": 80.0 * (9.81 + 12.5)}}
    anywhere = hybridsim.find_orbit("slip", section="liftoff", **given)
    there = hybridsim.find_orbit("slip", section=hybridsim.Section("liftoff", chart="decompression"), **given)
    assert there.period == pytest.approx(anywhere.period, abs=1e-11)
    with pytest.raises(hybridsim.HybridsimError, match="not reached"):
        hybridsim.find_orbit("slip", section=hybridsim.Section("liftoff", chart="ascent"), max_time=3.0, **given)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"negate": ["z"]}, "no state 'z'"),
        ({"charts": {"of": "on"}}, "no chart 'of'"),
        ({"boundaries": {"hot": "warm"}}, "no boundary 'warm'"),
    ],
)
def test_a_symmetry_of_another_model_is_refused(wrong, message):
    with pytest.raises(ConfigError, match=message):
        hybridsim.find_orbit("relay", section="hot", symmetry=hybridsim.Symmetry(**wrong))


@pytest.mark.members
@pytest.mark.parametrize("digits", [3, 8, 10, 17])
@pytest.mark.parametrize("chart", [None, "descent"])
@pytest.mark.parametrize("translated", [(), [("x", "footx")]])
def test_a_runner_is_found_at_the_bottom_of_its_stance_from_its_apex(digits, chart, translated):
    """The height of its foot stays zero but for rounding, of which no next period is the same."""
    apex = hybridsim.find_orbit("slip", section="apex")
    initial = {name: float(f"{value:.{digits}g}") for name, value in apex.x.items()}
    for fixed in (None, {"energy": apex.characteristics["energy.mean"]}):
        asked = {"initial": initial, "initial_chart": chart, "translated": translated, "fixed": fixed}
        bottom = hybridsim.find_orbit("slip", section="bottom", **asked)
        if fixed:
            assert bottom.characteristics["energy.mean"] == pytest.approx(fixed["energy"], rel=1e-9)
        assert abs(bottom.x["ydot"]) < 1e-9
        assert bottom.displacement[next(iter(bottom.displacement))] == pytest.approx(
            bottom.characteristics["xdot.mean"] * bottom.period, rel=1e-9
        )

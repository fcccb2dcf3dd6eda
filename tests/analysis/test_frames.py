"""The same orbit in several frames: at other times, with other methods, in other units; and what drives it."""

import math

import numpy as np
import pytest
from impact_orbits import ORBITS, Orbit

import hybridsim
from hybridsim.errors import ConfigError

RTOL = 1e-12
"""Tolerance of a step in `find_orbit`; of its some hundred steps, the errors add up."""


def compass_gait(length, **options):
    guess = {"theta_st": -0.27, "theta_sw": 0.27, "thetadot_st": 1.1, "thetadot_sw": 0.4}
    parameters = {"a": 0.5 * length, "b": 0.5 * length, "g": 9.81 * length, "slope": math.radians(3.0)}
    return hybridsim.find_orbit("compass_gait", parameters=parameters, section="heelstrike", initial=guess, **options)


def impact_oscillator(length, **options):
    known = Orbit(*ORBITS[0])
    lengths = {"gap", "amplitude", "x", "v"}
    scaled = [
        {name: value * (length if name in lengths else 1.0) for name, value in values.items()}
        for values in (known.parameters, known.after_impact)
    ]
    return hybridsim.find_orbit(
        "impact_oscillator", parameters=scaled[0], section="impact", initial=scaled[1], **options
    )


@pytest.mark.members
@pytest.mark.parametrize("length", [1.0, 1000.0], ids=["metres", "millimetres"])
@pytest.mark.parametrize("initial_time", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("model", [compass_gait, impact_oscillator])
def test_an_orbit_is_the_same_at_any_time_by_any_method_in_any_unit(model, initial_time, length):
    known = model(1.0)
    lengths = np.array([length if name in ("x", "v") else 1.0 for name in known.free])
    # A crossing is known to the spacing of numbers at this time; the states change by at most 20 a second.
    allowed = 100.0 * RTOL + 20.0 * np.spacing(initial_time)
    for method in ("dp5", "tsit5", "dop853", "series"):
        orbit = model(length, initial_time=initial_time, method=method)
        x = np.array([orbit.x[name] for name in known.free]) / lengths
        np.testing.assert_allclose(x, [known.x[name] for name in known.free], rtol=0.0, atol=allowed)
        assert orbit.period == pytest.approx(known.period, abs=allowed)
        np.testing.assert_allclose(  # of a derivative, methods of order 5 lose a digit more
            np.sort_complex(orbit.multipliers), np.sort_complex(known.multipliers), rtol=0.0, atol=10.0 * allowed
        )


def driven_field(xdot, t, x, p, chart):
    xdot[0] = p[1] * math.cos(2.0 * math.pi * p[0] * t) - x[0]


PARAMETERS = [hybridsim.Parameter("frequency", 1.0), hybridsim.Parameter("amplitude", 1.0)]
DRIVEN = hybridsim.Model("driven", [hybridsim.State("x")], vector_field=driven_field, parameters=PARAMETERS)


@pytest.mark.parametrize("initial_time", [0.0, 0.25, 1e6])
def test_a_driven_orbit_begins_at_the_phase_of_its_time(initial_time):
    orbit = hybridsim.find_orbit(DRIVEN, section=hybridsim.Section(time=1.0), initial_time=initial_time)
    turn = 2.0 * math.pi
    phase = turn * (initial_time % 1.0)  # x = (cos(turn t) + turn sin(turn t)) / (1 + turn^2)
    expected = (math.cos(phase) + turn * math.sin(phase)) / (1.0 + turn**2)
    assert orbit.x["x"] == pytest.approx(expected, abs=1e-11 + turn * np.spacing(initial_time))
    assert orbit.run(strides=2).t[0] == initial_time


def test_the_frequency_of_a_drive_is_not_varied_while_strides_last_a_fixed_time():
    orbit = hybridsim.find_orbit(DRIVEN, section=hybridsim.Section(time=1.0))
    branch = hybridsim.continue_orbit(orbit, "amplitude", to=2.0)
    np.testing.assert_allclose(branch.points["x"], branch.points["amplitude"] * orbit.x["x"], atol=1e-10)
    for refused in (
        lambda: hybridsim.continue_orbit(orbit, "frequency", to=2.0),
        lambda: hybridsim.stability_map(orbit, {"frequency": [1.0, 1.1], "amplitude": [1.0]}),
    ):
        with pytest.raises(ConfigError, match="the period of what drives it depends on frequency, and a stride always"):
            refused()


def test_a_guess_can_begin_in_another_chart():
    guess = {"y": 0.1}
    orbit = hybridsim.find_orbit(
        "relay", parameters={"hysteresis": 0.25}, section="hot", initial=guess, initial_chart="off"
    )
    assert orbit.period == pytest.approx(2.0 * math.log(1.25 / 0.75), rel=1e-12)
    with pytest.raises(ConfigError, match="no chart"):
        hybridsim.find_orbit("relay", section="hot", initial=guess, initial_chart="of")


@pytest.mark.parametrize("length", [1e-9, 1.0, 1e12])
def test_how_near_a_section_is_does_not_depend_on_units(length):
    tolerances = {"atol": 1e-13 * length}
    impact = impact_oscillator(length, **tolerances)
    section = hybridsim.Section(state="x", value=0.0, direction="rising")
    rising = impact.run(strides=1)
    index = int(np.argmax((rising.x[:-1, 0] < 0.0) & (rising.x[1:, 0] >= 0.0)))
    guess = dict(zip(impact.model.states.names, rising.x[index].tolist(), strict=True))
    orbit = hybridsim.find_orbit(
        impact.model, parameters=impact.parameters, section=section, initial=guess, **tolerances
    )
    assert orbit.period == pytest.approx(impact.period, rel=1e-9)
    np.testing.assert_allclose(
        np.sort_complex(orbit.multipliers), np.sort_complex(impact.multipliers), rtol=0.0, atol=1e-9
    )

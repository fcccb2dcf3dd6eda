"""An equilibrium is no orbit, and small orbits around it are told from it; what time drives may stand still."""

import math

import numpy as np
import pytest
from smooth_fields import BRUSSELATOR, LORENZ, MODEL, VAN_DER_POL

import hybridsim
from hybridsim import Boundary, Chart, Model, NoOrbitError, Parameter, Records, Section, State
from hybridsim.analysis.finding import return_map_of
from hybridsim.analysis.return_map import shrinks_to_equilibrium


def find(field, r, section, start, rate=1.0, **more):
    return hybridsim.find_orbit(
        MODEL,
        parameters={"field": field, "r": r, "rate": rate},
        section=section,
        initial=dict(zip("abc", start, strict=True)),
        max_time=200.0 / rate,
        **more,
    )


@pytest.mark.members(3)
@pytest.mark.parametrize("rate", [1.0, 1e3, 1e-3])
@pytest.mark.parametrize(
    ("field", "r", "section", "start"),
    [
        (LORENZ, 20.0, ("c", 19.0), (7.2, 7.3, 19.1)),
        (LORENZ, 28.0, ("c", 27.0), (8.0, 9.0, 27.0)),
        (LORENZ, 160.0, ("c", 159.0), (20.0, 20.0, 159.0)),
        (BRUSSELATOR, 1.8, ("a", 1.0), (1.0, 2.1, 0.0)),
        (BRUSSELATOR, 1.999, ("a", 1.0), (1.0, 2.3, 0.0)),
        (VAN_DER_POL, -0.5, ("a", 0.0), (0.0, 1.5, 0.0)),
    ],
)
def test_an_equilibrium_is_no_orbit(field, r, section, start, rate):
    with pytest.raises(NoOrbitError, match="equilibrium: what returns hardly moves, near a = ") as caught:
        find(field, r, Section(state=section[0], value=section[1]), start, rate)
    assert caught.value.cause == "equilibrium"


@pytest.mark.parametrize("excess", [1e-3, 1e-2, 0.1])
def test_small_orbits_beyond_a_hopf_point_are_orbits(excess):
    # Van der Pol: near r = 0 the amplitude is 2 and the multiplier exp(-2 pi r); Brusselator: the period is 2 pi.
    orbit = find(VAN_DER_POL, excess, Section(state="a", value=0.0), (0.0, 1.5, 0.0))
    assert orbit.x["b"] == pytest.approx(2.0, abs=excess)
    assert abs(orbit.multipliers[0]) == pytest.approx(math.exp(-2.0 * math.pi * excess), abs=10.0 * excess**2)
    orbit = find(BRUSSELATOR, 2.0 + excess, Section(state="a", value=1.0), (1.0, 2.3, 0.0))
    assert orbit.period == pytest.approx(2.0 * math.pi, abs=10.0 * excess)
    amplitude = float(np.abs(orbit.found.strides[0].rows.x[:, 0] - 1.0).max())
    assert amplitude == pytest.approx(math.sqrt(8.0 * excess / 3.0), rel=0.5)  # of the order of the square root
    assert not shrinks_to_equilibrium(orbit.found)


def test_what_stands_still_between_the_beats_of_time_is_an_orbit():
    orbit = find(VAN_DER_POL, -0.5, Section(time=1.0), (0.1, 0.1, 0.1))
    assert not shrinks_to_equilibrium(orbit.found)
    decay = np.abs(orbit.multipliers)  # of x'' + x'/2 + x = 0 and c' = -c
    np.testing.assert_allclose(decay, np.exp([-0.25, -0.25, -1.0]), atol=1e-9)


def sampled_field(xdot, t, x, p, chart):
    xdot[0] = x[1]


def sampled_boundaries(g, t, x, p, chart):
    g[0] = x[2] + 1.0 - t


def sampled_transition(x_new, t, x, p, chart, crossed):
    x_new[1] = p[0] * (5.0 - x[0])
    x_new[2] = x[2] + 1.0
    return chart


def test_a_sampled_controller_at_its_set_point_is_an_orbit():
    model = Model(
        "sampled",
        Records(State("level", 3.0), State("command", 0.0), State("ticks", 0.0)),
        vector_field=sampled_field,
        boundaries=sampled_boundaries,
        transition=sampled_transition,
        parameters=Records(Parameter("gain", 0.5)),
        boundary_records=Records(Boundary("sample", time=True)),
    )
    orbit = hybridsim.find_orbit(model, section="sample")
    assert [orbit.x["level"], orbit.x["command"]] == [pytest.approx(5.0, abs=1e-12), pytest.approx(0.0, abs=1e-12)]
    assert abs(orbit.multipliers[0]) == pytest.approx(0.5, abs=1e-12)  # level -> level + gain (5 - level)


def thermostat_field(xdot, t, x, p, chart):
    xdot[0] = 1.0 if chart == 0 else -1.0


def thermostat_boundaries(g, t, x, p, chart):
    g[0] = 293.0 + p[0] - x[0] if chart == 0 else x[0] - 293.0


def thermostat_transition(x_new, t, x, p, chart, crossed):
    return 1 - chart


@pytest.mark.parametrize("width", [0.2, 1e-3])
def test_a_small_swing_of_a_large_state_between_events_is_an_orbit(width):
    model = Model(
        "thermostat",
        Records(State("temperature", 293.0, "K")),
        vector_field=thermostat_field,
        boundaries=thermostat_boundaries,
        transition=thermostat_transition,
        parameters=Records(Parameter("width", width)),
        charts=Records(Chart("on"), Chart("off")),
        boundary_records=Records(Boundary("switch", degree=1)),
    )
    section = Section("switch", chart="off")
    orbit = hybridsim.find_orbit(model, section=section, initial_chart="on", atol=1e-12, tolerance=1e-9)
    assert orbit.period == pytest.approx(2.0 * width, rel=1e-9)


def test_the_duration_varies_with_the_state_as_differences_say():
    orbit = find(BRUSSELATOR, 3.0, Section(state="a", value=1.0), (1.0, 4.4, 0.0))
    return_map = return_map_of(orbit.config)
    x, h = orbit.found.x0, 1e-5
    for i in (1, 2):
        e = h * np.eye(3)[i]
        slope = (return_map(x + e, orbit.chart).duration - return_map(x - e, orbit.chart).duration) / (2.0 * h)
        assert orbit.found.duration_by_state[i] == pytest.approx(slope, abs=1e-7)
    walker = hybridsim.find_orbit("compass_gait", section="heelstrike", strides=2)
    return_map = return_map_of(walker.config)
    for i in range(4):
        e = h * np.eye(5)[i]
        after, before = (return_map(walker.found.x0 + s * e, walker.chart).duration for s in (1.0, -1.0))
        assert walker.found.duration_by_state[i] == pytest.approx((after - before) / (2.0 * h), abs=1e-6)

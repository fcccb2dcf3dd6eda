"""Where curves of orbits cross, end, and run back along themselves."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from map_model import DELAYED_LOGISTIC, LOGISTIC, MODEL, PITCHFORK, TRANSCRITICAL

import hybridsim
from hybridsim import Boundary, Model, Records, Section, State
from hybridsim.analysis import bifurcations

FOLDER = Path(__file__).parent
LORENZ, BRUSSELATOR = FOLDER / "lorenz.py", FOLDER / "brusselator.py"


def branch_of(kind, u, r, to, **options):
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": kind, "r": r}, section="tick", initial={"u": u, "v": u})
    return hybridsim.continue_orbit(orbit, "r", to=to, **options)


def kinds(branch):
    return [(bifurcation.kind, bifurcation.strides) for bifurcation in branch.bifurcations]


NONTRIVIAL = {
    DELAYED_LOGISTIC: lambda r: 1.0 - 1.0 / r,
    LOGISTIC: lambda r: 1.0 - 1.0 / r,
    TRANSCRITICAL: lambda r: r - 1.0,
    PITCHFORK: lambda r: math.sqrt(r - 1.0),
}
"""Kind of the map -> its fixed point beside zero, which crosses zero at r = 1."""


@pytest.mark.exhaustive  # the pitchfork of Lorenz is such a crossing
@pytest.mark.members(1)
@pytest.mark.parametrize("kind", NONTRIVIAL)
@pytest.mark.parametrize("r", [1.05, 1.1, 1.3, 1.5, 1.9])
def test_from_either_curve_the_other_one_is_found_where_they_cross(kind, r):
    branch = branch_of(kind, NONTRIVIAL[kind](r), r, 0.6)
    assert kinds(branch) == [("branch", 1)]
    assert branch.bifurcations[0].value == pytest.approx(1.0, abs=1e-9)
    points = branch.points
    trivial = points["curve"] > 0
    np.testing.assert_allclose(points["u"][trivial], 0.0, atol=1e-9)
    assert {0.6, r} <= {points["r"][trivial].min(), points["r"][trivial].max()}  # both ways
    beside = ~trivial & (np.abs(points["r"] - 1.0) > 1e-6)
    if kind != PITCHFORK:
        np.testing.assert_allclose(points["u"][beside], NONTRIVIAL[kind](points["r"][beside]), atol=1e-9)
    assert not branch.notes


@pytest.mark.parametrize("doublings", [1, pytest.param(3, marks=pytest.mark.exhaustive)])
def test_the_pitchfork_of_lorenz_is_found_from_the_symmetric_orbits_and_the_doublings_of_the_others_follow(doublings):
    # 312.973533, 229.407, 218.210 and 215.966: C. Sparrow, The Lorenz Equations, 1982, chapter 4 and appendix.
    run = hybridsim.simulate(LORENZ, parameters={"r": 350.0}, final_time=30.0, initial={"z": 300.0})
    orbit = hybridsim.find_orbit(
        LORENZ,
        parameters={"r": 350.0},
        section=Section(state="x", value=0.0),
        initial=dict(zip("xyz", run.x[-1], strict=True)),
    )
    to, known = {1: 225.0, 3: 215.6}[doublings], [229.407, 218.210, 215.966][:doublings]
    branch = hybridsim.continue_orbit(orbit, "r", to=to, max_strides=4)
    pitchfork, *flips = branch.bifurcations
    assert (pitchfork.kind, pitchfork.value) == ("branch", pytest.approx(312.973533, abs=2e-6))
    assert [each.kind for each in flips] == ["flip"] * 2 * doublings  # of both orbits, which are images of each other
    np.testing.assert_allclose([each.value for each in flips[::2]], known, atol=1e-3)
    np.testing.assert_allclose([each.value for each in flips[::2]], [each.value for each in flips[1::2]], atol=1e-7)
    assert not branch.notes


@pytest.mark.exhaustive  # `test_hopf_orbits_end` has one in the ordinary run
def test_a_section_that_is_only_touched_ends_the_curve_with_a_sentence():
    run = hybridsim.simulate(LORENZ, parameters={"r": 350.0}, final_time=30.0, initial={"z": 300.0})
    orbit = hybridsim.find_orbit(
        LORENZ,
        parameters={"r": 350.0},
        section=Section(state="z", value=300.0, direction="falling"),
        initial=dict(zip("xyz", run.x[-1], strict=True)),
        strides=2,
    )
    branch = hybridsim.continue_orbit(orbit, "r", to=205.0)
    assert len(branch.notes) == 3
    for note in branch.notes:
        assert "the section, z falling through 300, is only touched; another section may lead beyond" in note


@pytest.mark.members(1)
@pytest.mark.parametrize("unit", [1.0, 1e-6, 1e4])
@pytest.mark.parametrize("a", [1.0, 0.8])
def test_at_a_hopf_point_a_branch_ends_with_that_name(unit, a):
    hopf = 1.0 + a * a
    orbit = hybridsim.find_orbit(
        BRUSSELATOR,
        parameters={"a": a, "b": hopf + 0.3, "unit": unit},
        section=Section(state="x", value=a * unit),
        initial={"x": a * unit, "y": (hopf + 0.3) / a * 1.2 * unit},
        atol=1e-13 * unit,
    )
    branch = hybridsim.continue_orbit(orbit, "b", to=hopf - 0.5)
    assert kinds(branch) == [("hopf", 1)]
    # The last orbit is of 1e-3 of its size, and the value is that of the equilibrium.
    assert branch.bifurcations[0].value == pytest.approx(hopf, rel=1e-13)
    assert branch.bifurcations[0].type == "supercritical"
    assert branch.points["b"].min() > hopf
    assert branch.points["period"][-1] == pytest.approx(2.0 * math.pi / a, rel=1e-3)


def test_a_hopf_point_is_named_from_a_large_orbit_too():
    run = hybridsim.simulate(BRUSSELATOR, parameters={"b": 5.0}, final_time=60.0)
    orbit = hybridsim.find_orbit(
        BRUSSELATOR,
        parameters={"b": 5.0},
        section=Section(state="x", value=1.0),
        initial=dict(zip("xy", run.x[-1], strict=True)),
    )
    assert kinds(hybridsim.continue_orbit(orbit, "b", to=1.5)) == [("hopf", 1)]


def charging(xdot, t, x, p, chart):
    xdot[0] = 2.0 - x[0]


def full(g, t, x, p, chart):
    g[0] = 1.0 - x[0]


def less(x_new, t, x, p, chart, crossed):
    x_new[0] = x[0] - 1.0
    return chart


def test_a_state_that_is_set_back_and_goes_on_otherwise_is_not_cyclic():
    model = Model(
        "charge",
        Records(State("v")),
        vector_field=charging,
        boundaries=full,
        transition=less,
        boundary_records=Records(Boundary("full", degree=1)),
    )
    section = Section(time=math.log(2.0))  # v = 2 - 2 exp(-t) is full then, and strides begin in between
    orbit = hybridsim.find_orbit(model, section=section, initial={"v": 0.3})
    assert [event.boundaries for event in orbit.events] == [("full",)]
    assert [stride.wraps for stride in orbit.found.strides] == [()]


def bubble(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[1] = 0.5 * x[1]
    x_new[0] = -(1.2 - p[0] * p[0]) * x[0] + x[0] * x[0] * x[0]
    return chart


BUBBLE = dataclasses.replace(MODEL, name="bubble", transition=bubble)


@pytest.mark.members(1)
@pytest.mark.parametrize(("begin", "to"), [(-0.8, 0.8), (0.8, -0.8), (-0.5, 1.0)])
def test_a_doubled_curve_ends_in_the_flip_at_its_other_end(begin, to):
    orbit = hybridsim.find_orbit(BUBBLE, parameters={"r": begin}, section="tick", initial={"u": 0.0})
    branch = hybridsim.continue_orbit(orbit, "r", to=to, max_strides=2)
    assert kinds(branch) == [("flip", 1), ("flip", 1)]
    np.testing.assert_allclose(sorted(each.value for each in branch.bifurcations), [-math.sqrt(0.2), math.sqrt(0.2)])
    doubled = branch.points["curve"] == 1
    np.testing.assert_allclose(branch.points["u"][doubled] ** 2, 0.2 - branch.points["r"][doubled] ** 2, atol=1e-10)
    assert set(branch.points["curve"]) == {0, 1}
    assert len(branch.notes) == 1
    assert "curve 1 ends in the flip at r = " in branch.notes[0]


def test_from_a_doubled_orbit_the_flips_at_both_ends_are_found_from_behind():
    orbit = hybridsim.find_orbit(
        BUBBLE, parameters={"r": 0.1}, section="tick", initial={"u": math.sqrt(0.19)}, strides=2
    )
    branch = hybridsim.continue_orbit(orbit, "r", to=0.8, back_to=-0.8)
    assert kinds(branch) == [("flip", 1), ("flip", 1)]
    np.testing.assert_allclose(sorted(each.value for each in branch.bifurcations), [-math.sqrt(0.2), math.sqrt(0.2)])
    single = branch.points["strides"] == 1
    np.testing.assert_allclose(branch.points["u"][single], 0.0, atol=1e-9)
    assert (branch.points["r"][single].min(), branch.points["r"][single].max()) == (-0.8, 0.8)


@pytest.mark.exhaustive  # folds of other curves are in the ordinary run
@pytest.mark.members(1)
@pytest.mark.parametrize("restitution", [0.5, 0.4])
@pytest.mark.parametrize("frequency", [5.0, 0.5])
def test_the_phase_of_a_drive_turns_round_at_a_fold(restitution, frequency):
    # One bounce a period needs acceleration cos(phase) = pi (1 - e) / (1 + e): a fold at phase 0, where it wraps.
    fold = math.pi * (1.0 - restitution) / (1.0 + restitution)
    begin = 1.1 * fold
    phase, speed = math.acos(fold / begin), 9.81 / (2.0 * frequency) * 2.0 * restitution / (1.0 + restitution)
    orbit = hybridsim.find_orbit(
        "vibrating_table",
        parameters={"acceleration": begin, "restitution": restitution, "frequency": frequency},
        section="table",
        initial={"gap": 0.0, "rate": speed, "phase": phase},
    )
    branch = hybridsim.continue_orbit(orbit, "acceleration", to=0.0)
    assert kinds(branch) == [("fold", 1)]
    assert branch.bifurcations[0].value == pytest.approx(fold, rel=1e-10)
    assert ((branch.points["phase"] >= -1e-9) & (branch.points["phase"] <= 2.0 * math.pi)).all()
    np.testing.assert_allclose(branch.points["acceleration"] * np.cos(branch.points["phase"]), fold, rtol=1e-9)
    assert branch.points["acceleration"][-1] == begin


def decay(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[1] = 0.5 * x[1]
    x_new[0] = x[0] + p[0] * x[0] * x[0] - 1.0
    return chart


@pytest.mark.exhaustive  # slow; curves end at bounds and Hopf points in the ordinary run
def test_a_curve_that_goes_to_infinity_is_left(monkeypatch):
    monkeypatch.setattr(bifurcations, "MAX_CURVE_POINTS", 300)  # instead of 2,000
    model = dataclasses.replace(MODEL, name="decay", transition=decay)
    orbit = hybridsim.find_orbit(model, parameters={"r": 0.5}, section="tick", initial={"u": -1.4})
    branch = hybridsim.continue_orbit(orbit, "r", to=-0.5)
    np.testing.assert_allclose(branch.points["r"] * branch.points["u"] ** 2, 1.0, rtol=1e-9)
    assert "curve 0 is given up after 300 orbits, at r = " in branch.notes[0]


def test_no_curve_is_followed_below_the_bound_of_its_parameter():
    orbit = hybridsim.find_orbit("simplest_walker", section="heelstrike")
    lower = orbit.model.parameters["slope"].lower
    branch = hybridsim.continue_orbit(orbit, "slope", to=max(lower, -0.01))
    assert branch.points["slope"].min() >= lower


def free_oscillator(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -x[0]


@pytest.mark.parametrize("periods", [1, 3])
@pytest.mark.parametrize("unit", [1.0, 50.0])
def test_at_its_own_period_every_motion_of_a_free_oscillator_returns(periods, unit):
    states = Records(State("x", 1.0 * unit), State("v", 0.5 * unit))
    oscillator = Model("oscillator", states, vector_field=free_oscillator)
    orbit = hybridsim.find_orbit(oscillator, section=Section(time=2.0 * math.pi * periods))
    assert orbit.family == 2
    assert orbit.stable is True
    assert orbit.x == pytest.approx({"x": unit, "v": 0.5 * unit}, rel=1e-9)

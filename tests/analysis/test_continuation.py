"""Families of orbits and their bifurcations, against closed forms and the numbers of an independent program."""

import math

import numpy as np
import pytest
from map_model import DELAYED_LOGISTIC, FOLD, LOGISTIC, MODEL, PITCHFORK, TRANSCRITICAL

import hybridsim
from hybridsim.errors import ConfigError


def branch_of(kind, guess, r, to, **options):
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": kind, "r": r}, section="tick", initial=guess)
    return hybridsim.continue_orbit(orbit, "r", to=to, **options)


def found(branch):
    return [(bifurcation.kind, bifurcation.orbit.strides) for bifurcation in branch.bifurcations]


def values(branch):
    return [bifurcation.value for bifurcation in branch.bifurcations]


def test_the_logistic_map_doubles_its_period_where_it_is_known():
    branch = branch_of(LOGISTIC, {"u": 0.6}, 2.5, 3.6, max_strides=8)
    assert found(branch) == [("flip", 1), ("flip", 2), ("flip", 4), ("flip", 8)]
    # The first two are 3 and 1 + sqrt(6); the others are OEIS A086181 and A091517.
    np.testing.assert_allclose(
        values(branch), [3.0, 1.0 + math.sqrt(6.0), 3.5440903595519, 3.5644072660954], atol=1e-10
    )
    first = branch.points["curve"] == 0
    np.testing.assert_allclose(branch.points["u"][first], 1.0 - 1.0 / branch.points["r"][first], atol=1e-11)
    assert (branch.points["stable"][first] == (branch.points["r"][first] < 3.0)).all()


def test_the_delayed_logistic_map_loses_its_stability_to_a_torus_at_two():
    branch = branch_of(DELAYED_LOGISTIC, {"u": 0.4, "v": 0.4}, 1.8, 2.2)
    assert found(branch) == [("torus", 1)]
    np.testing.assert_allclose(values(branch), [2.0], atol=1e-11)
    np.testing.assert_allclose(
        np.angle(branch.bifurcations[0].orbit.multipliers), [math.pi / 3.0, -math.pi / 3.0], atol=1e-9
    )


def test_a_curve_turns_round_at_its_fold():
    branch = branch_of(FOLD, {"u": 0.8}, 0.6, -0.3)
    assert found(branch) == [("fold", 1)]
    assert values(branch)[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(branch.points["u"] ** 2, branch.points["r"], atol=1e-11)  # both halves of the parabola
    assert branch.points["u"].min() < -0.5


def test_a_curve_is_followed_both_ways_and_printed_as_a_short_table():
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": FOLD, "r": 0.4}, section="tick", initial={"u": 0.6})
    branch = hybridsim.continue_orbit(orbit, "r", to=0.6, back_to=-0.3)
    assert found(branch) == [("fold", 1)]
    np.testing.assert_allclose([branch.points["u"].min(), branch.points["u"].max()], [-np.sqrt(0.6), np.sqrt(0.6)])
    assert branch.points["r"].max() == 0.6  # the last orbit is that at the end of the range
    lines = repr(branch.points).splitlines()
    assert lines[0] == f"<Points: {len(branch.points)} orbits>"
    assert lines[1].split()[:5] == ["curve", "r", "strides", "period", "stable"]
    assert len(lines) == 13
    for options, message in (
        ({"to": 0.4}, "to: the orbit has r = 0.4 already"),
        ({"to": 0.6, "back_to": 0.5}, "are on the same side"),
        ({"to": 0.6, "max_strides": 0}, "max_strides: expected a positive whole number, found 0"),
    ):
        with pytest.raises(ConfigError, match=message):
            hybridsim.continue_orbit(orbit, "r", **options)


def test_a_gait_ends_where_the_slope_does():
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike")
    branch = hybridsim.continue_orbit(orbit, "slope", to=-0.01)
    assert branch.bifurcations == ()
    assert len(branch.notes) == 1
    assert "the orbit has shrunk to a point but for rounding" in branch.notes[0]
    assert 0.0 < branch.points["slope"].min() < 1e-10


@pytest.mark.members(1)
@pytest.mark.parametrize(("kind", "power"), [(PITCHFORK, 2), (TRANSCRITICAL, 1)])
def test_crossing_curves_are_followed_both_ways(kind, power):
    branch = branch_of(kind, {"u": 0.0}, 0.8, 1.5)
    assert found(branch) == [("branch", 1)]
    assert values(branch)[0] == pytest.approx(1.0, abs=1e-11)
    for curve in (1, 2):
        some = branch.points["curve"] == curve
        np.testing.assert_allclose(branch.points["u"][some] ** power, branch.points["r"][some] - 1.0, atol=1e-11)
    assert sorted(np.sign(branch.points["u"][branch.points["curve"] == curve][-1]) for curve in (1, 2)) == [-1.0, 1.0]


@pytest.mark.parametrize("doublings", [2, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_the_simplest_walker_doubles_its_period_where_it_is_known(doublings):
    orbit = hybridsim.find_orbit("simplest_walker", section="heelstrike")
    branch = hybridsim.continue_orbit(orbit, "slope", to=0.019, max_strides=2 ** (doublings - 1))
    assert found(branch) == [("flip", 2**n) for n in range(doublings)]
    known = [0.0150884379411, 0.01766937486246, 0.01816011956356, 0.0182648118503]
    np.testing.assert_allclose(values(branch), known[:doublings], atol=1e-10)
    assert branch.complete


@pytest.mark.exhaustive  # the simplest walker does so
def test_the_compass_gait_doubles_its_period_where_it_is_known():
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike")
    branch = hybridsim.continue_orbit(orbit, "slope", to=math.radians(5.05), max_strides=4)
    assert found(branch) == [("flip", 1), ("flip", 2), ("flip", 4)]
    known = [4.390898249602, 4.914056762315, 5.012437762239]
    np.testing.assert_allclose(np.degrees(values(branch)), known, atol=1e-8)


def test_the_runner_is_stable_in_the_known_window():
    energy = 80.0 * (9.81 + 12.5)
    orbit = hybridsim.find_orbit(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        section="apex",
        initial={"y": 0.95, "xdot": 5.0},
        fixed={"energy": energy},
    )
    for angle, kind, known in ((66.2, "fold", 66.305495232), (69.0, "flip", 68.853598789160)):
        branch = hybridsim.continue_orbit(orbit, "touchdown_angle", to=-math.radians(90.0 - angle))
        (bifurcation,) = branch.bifurcations
        assert bifurcation.kind == kind
        assert 90.0 + math.degrees(bifurcation.value) == pytest.approx(known, abs=1e-8)


def test_a_parameter_that_is_not_there_is_refused():
    orbit = hybridsim.find_orbit("simplest_walker", section="heelstrike")
    with pytest.raises(ConfigError, match="no parameter 'slop'; did you mean `slope`"):
        hybridsim.continue_orbit(orbit, "slop", to=0.01)


def test_a_parameter_that_is_no_real_number_is_refused():
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": LOGISTIC}, section="tick", initial={"u": 0.6})
    with pytest.raises(ConfigError, match="map is no real number"):
        hybridsim.continue_orbit(orbit, "map", to=3)


def test_ctrl_c_keeps_the_branch_so_far():
    orbit = hybridsim.find_orbit(MODEL, parameters={"map": LOGISTIC, "r": 2.5}, section="tick", initial={"u": 0.6})
    calls = []

    def interrupt(value, strides):
        calls.append((value, strides))
        if len(calls) == 5:
            raise KeyboardInterrupt

    branch = hybridsim.continue_orbit(orbit, "r", to=3.5, progress=interrupt)
    assert not branch.complete
    assert len(branch.points) >= 5

"""Normal forms against closed forms, and against the amplitude of what is born."""

import dataclasses
import math

import numpy as np
import pytest
from map_model import DELAYED_LOGISTIC, FOLD, LOGISTIC, MODEL, PITCHFORK, TRANSCRITICAL

import hybridsim
from hybridsim.analysis.bifurcations import find_bifurcations
from hybridsim.analysis.branch import first_curve
from hybridsim.analysis.normal_forms import normal_form
from hybridsim.analysis.switching import flip_direction


def branch_of(kind, u, r, to, model=MODEL, **options):
    orbit = hybridsim.find_orbit(model, parameters={"map": kind, "r": r}, section="tick", initial={"u": u, "v": u})
    return hybridsim.continue_orbit(orbit, "r", to=to, **options)


def located(orbit, parameter, to):
    """The curve of an orbit, and the first bifurcation on it."""
    curve, z, direction = first_curve(orbit, parameter, (orbit.parameters[parameter], to))
    point = curve.correct(z, direction)
    while True:
        following = curve.step(point, 0.02)
        for found in find_bifurcations(curve, point, following):
            return curve, found
        point = following


def test_the_coefficient_of_the_logistic_map_is_that_of_its_formula():
    # At r = 3 the second derivative is -6 and the third 0: c = 6^2 / 4 for each square of u.
    (flip,) = branch_of(LOGISTIC, 0.6, 2.5, 3.2).bifurcations
    assert (flip.kind, flip.type, flip.side) == ("flip", "supercritical", 1)
    assert flip.coefficient.real == pytest.approx(9.0 * 0.6**2, rel=1e-9)


def test_the_coefficient_of_a_torus_is_that_of_its_formula():
    # u' = v, v' = 2 v (1 - u): d = (-2 - 2 sqrt(3) i) |e_v|^2, |e_u| = |e_v|, and |e| = 1 in sizes of the orbit.
    (torus,) = branch_of(DELAYED_LOGISTIC, 0.45, 1.9, 2.1).bifurcations
    unit = 1.0 - 1.0 / 1.9
    expected = complex(-2.0, -2.0 * math.sqrt(3.0)) * unit**2 / 2.0
    assert (torus.kind, torus.type, torus.side) == ("torus", "supercritical", 1)
    assert torus.coefficient.real == pytest.approx(expected.real, rel=1e-8)
    assert abs(torus.coefficient.imag) == pytest.approx(abs(expected.imag), rel=1e-8)


def test_two_orbits_meet_on_the_side_where_they_exist():
    (fold,) = branch_of(FOLD, 0.8, 0.6, -0.3).bifurcations
    assert (fold.kind, fold.type, fold.side) == ("fold", "", 1)
    assert abs(fold.coefficient) == pytest.approx(math.sqrt(0.6), rel=1e-9)


@pytest.mark.members(1)
@pytest.mark.parametrize(("kind", "word"), [(PITCHFORK, "pitchfork"), (TRANSCRITICAL, "transcritical")])
@pytest.mark.parametrize("trivial", [True, False])
def test_a_crossing_says_whether_one_of_the_curves_turns_there(kind, word, trivial):
    u = 0.0 if trivial else {PITCHFORK: math.sqrt(0.2), TRANSCRITICAL: 0.2}[kind]
    branch = branch_of(kind, u, 1.2, 0.8)
    assert [(each.kind, each.type) for each in branch.bifurcations] == [("branch", word)]


def cubic(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[1] = 0.5 * x[1]
    x_new[0] = -(1.0 + p[0]) * x[0] + p[1] * x[0] * x[0] * x[0] + 0.3 * x[0] * x[0]
    return chart


@pytest.mark.members(1)
@pytest.mark.parametrize("s", [-1.0, -0.3, 0.2, 1.0])
def test_a_flip_is_subcritical_where_its_coefficient_is_negative(s):
    # x -> -(1 + r) x + 0.3 x^2 + s x^3: c = 0.3^2 + s, and the double exists for r with the sign of c.
    model = dataclasses.replace(MODEL, name="cubic", transition=cubic)
    orbit = hybridsim.find_orbit(model, parameters={"r": -0.2, "s": s}, section="tick", initial={"u": 0.0})
    (flip,) = hybridsim.continue_orbit(orbit, "r", to=0.2).bifurcations
    c = 0.3**2 + s
    assert (flip.type, flip.side) == ("supercritical" if c > 0.0 else "subcritical", int(np.sign(c)))
    assert flip.coefficient.real == pytest.approx(c, rel=1e-9)


def test_the_runner_loses_its_stability_at_a_subcritical_flip():
    orbit = hybridsim.find_orbit(
        "slip",
        parameters={"hold_touchdown_angle": 1},
        section="apex",
        initial={"y": 0.95, "xdot": 5.0},
        fixed={"energy": 80.0 * (9.81 + 12.5)},
    )
    (flip,) = hybridsim.continue_orbit(orbit, "touchdown_angle", to=-math.radians(21.0)).bifurcations
    assert (flip.type, flip.side) == ("subcritical", -1)
    assert "subcritical flip" in repr(flip)


@pytest.mark.members(1)
@pytest.mark.parametrize(("model", "to"), [("compass_gait", math.radians(4.6)), ("simplest_walker", 0.0155)])
def test_the_doubled_motion_has_the_amplitude_that_the_normal_form_predicts(model, to):
    orbit = hybridsim.find_orbit(model, section="heelstrike")
    curve, flip = located(orbit, "slope", to)
    form = normal_form(curve, flip.kind, flip.point)
    assert form is not None
    branch = hybridsim.continue_orbit(orbit, "slope", to=to, max_strides=2)
    doubled = branch.points["curve"] == 1
    visits, slopes = branch.points.visits[doubled][0], branch.points["slope"][doubled][0]  # the first of them
    free = curve.problem.free.free
    half = (visits[1] - visits[0])[free] / curve.problem.sizes / 2.0
    e = flip_direction(curve, flip.point)
    amplitude = (half @ e) / (e @ e) * np.linalg.norm(e)
    distance = (slopes - curve.value(flip.point.z)) / curve.size
    assert distance * form.side > 0.0
    assert amplitude**2 / distance == pytest.approx(form.slope, rel=1e-3)


def two_at_once(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 1.0
    x_new[1] = (1.0 + p[0]) * x[1] - x[1] * x[1] * x[1]
    x_new[0] = -(1.0 + p[0]) * x[0] + x[0] * x[0] * x[0]
    return chart


def test_a_flip_that_is_no_flip_alone_is_noted_to_have_no_normal_form():
    model = dataclasses.replace(MODEL, name="two_at_once", transition=two_at_once)
    orbit = hybridsim.find_orbit(model, parameters={"r": -0.2}, section="tick", initial={"u": 0.0, "v": 0.0})
    branch = hybridsim.continue_orbit(orbit, "r", to=0.1, max_strides=1)
    (flip,) = [each for each in branch.bifurcations if each.kind == "flip" and abs(each.x[1]) < 1e-3]
    assert (flip.type, flip.side) == ("", 0)
    assert any("flip" in note and "another multiplier is on the unit circle" in note for note in branch.notes)
    alone = branch_of(LOGISTIC, 0.6, 2.5, 3.2, max_strides=1)
    assert not [note for note in alone.notes if "normal form" in note]

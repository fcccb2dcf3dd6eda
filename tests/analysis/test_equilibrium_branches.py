"""Equilibria through a parameter, and their bifurcations by closed forms."""

import math
import re

import numpy as np
import pytest
from smooth_fields import BRUSSELATOR, MODEL

import hybridsim
from hybridsim import Boundary, Chart, ConfigError, Model, NoOrbitError, Parameter, Records, State


def bent_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[0] + p[1] * x[0] - x[0] ** 3 - x[1]


def bent_boundaries(g, t, x, p, chart):
    g[0] = x[0] + p[2]


def bent_transition(x_new, t, x, p, chart, crossed):
    x_new[1] = -x[1]
    return chart


BENT = Model(
    "bent",
    Records(State("x", 1.0), State("v", 0.0)),
    vector_field=bent_field,
    boundaries=bent_boundaries,
    transition=bent_transition,
    parameters=Records(Parameter("q", 1.0), Parameter("s", 1.0), Parameter("wall", 0.9)),
    charts=Records(Chart("free")),
    boundary_records=Records(Boundary("hits")),
)


@pytest.mark.members(1)
@pytest.mark.parametrize("s", [1.0, 0.5, 1e-2])
def test_folds_and_boundaries_of_a_bent_curve(s):
    """x^3 = q + s x has folds at x^2 = s / 3, |q| = 2 (s / 3)^1.5; the wall is reached at q = wall s - wall^3."""
    at, wall = 2.0 * (s / 3.0) ** 1.5, 1.5 * math.sqrt(s)
    rest = hybridsim.find_equilibrium(BENT, parameters={"s": s, "q": 5.0 * at, "wall": wall})
    assert rest.boundaries == {"hits": pytest.approx(rest.x["x"] + wall)}
    assert rest.admissible
    branch = hybridsim.continue_equilibrium(rest, "q", to=-5.0 * at)
    assert [each.kind for each in branch.bifurcations] == ["fold", "fold", "boundary"]
    first, second, hits = branch.bifurcations
    assert [first.value, second.value] == pytest.approx([-at, at], rel=1e-11)
    assert [first.side, second.side] == [1, -1]
    assert hits.value == pytest.approx(wall * s - wall**3, rel=1e-12)
    assert hits.boundary == "hits"
    assert hits.equilibrium.x["x"] == pytest.approx(-wall, rel=1e-12)
    x = branch.points["x"]
    np.testing.assert_allclose(x**3 - s * x, branch.points["q"], atol=1e-12 * at)
    assert (branch.points["stable"] == (3.0 * x**2 > s * (1.0 + 1e-9))).all()
    assert (branch.points["admissible"] == (x > -wall * (1.0 + 1e-9))).all()
    assert branch.points["q"][-1] == -5.0 * at


def test_on_a_boundary_all_along_a_curve_nothing_crosses():
    """Both legs of the compass gait hang at the same angle, where one passes the other."""
    rest = hybridsim.find_equilibrium("compass_gait")
    assert rest.boundaries["passing"] == 0.0
    assert rest.admissible
    branch = hybridsim.continue_equilibrium(rest, "slope", to=0.01)
    assert not branch.bifurcations + branch.notes
    assert branch.points["admissible"].all()


def crossing_field(xdot, t, x, p, chart):
    xdot[0] = x[0] * (p[0] - x[0])
    xdot[1] = p[0] * 0.0


def test_a_transcritical_point_and_a_state_that_is_kept():
    model = Model(
        "crossing",
        Records(State("x", 0.0), State("held", 2.0)),
        vector_field=crossing_field,
        parameters=Records(Parameter("q", -1.0)),
    )
    rest = hybridsim.find_equilibrium(model)
    assert (rest.kept, rest.x["held"]) == (("held",), 2.0)
    assert rest.eigenvalues == pytest.approx([-1.0])
    branch = hybridsim.continue_equilibrium(rest, "q", to=1.0)
    (crossing,) = branch.bifurcations
    assert (crossing.kind, crossing.type) == ("branch", "transcritical")
    assert crossing.value == pytest.approx(0.0, abs=1e-12)
    assert len(np.unique(branch.points["curve"])) == 3  # x = 0, and both halves of x = q


def held_field(xdot, t, x, p, chart):
    xdot[0] = x[2] * x[2] - x[0]
    xdot[1] = -x[1]
    xdot[2] = 0.0


def test_a_kept_state_is_a_parameter():
    model = Model("holds", Records(State("x"), State("y"), State("held", 1.0)), vector_field=held_field)
    branch = hybridsim.continue_equilibrium(hybridsim.find_equilibrium(model), "held", to=3.0, back_to=0.5)
    assert not branch.bifurcations
    np.testing.assert_allclose(branch.points["x"], branch.points["held"] ** 2, rtol=1e-12)
    assert (branch.points["held"].min(), branch.points["held"].max()) == (0.5, 3.0)


def cart_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = p[0] - x[1]


def test_a_cart_stands_anywhere_and_only_without_a_push():
    model = Model(
        "cart",
        Records(State("x", 3.0), State("v", 0.5)),
        vector_field=cart_field,
        parameters=Records(Parameter("push")),
    )
    rest = hybridsim.find_equilibrium(model)
    assert (rest.family, rest.stable) == (1, True)
    assert (rest.x["x"], rest.x["v"]) == (3.0, pytest.approx(0.0, abs=1e-15))
    with pytest.raises(NoOrbitError, match="no solution: cart: Newton's method comes from this guess to no state"):
        hybridsim.find_equilibrium(model, parameters={"push": 1.0})


def pendulum_field(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -p[0] * math.sin(x[0]) - p[1] * x[1]


PENDULUM = Model(
    "pendulum",
    Records(State("angle", 0.3), State("rate", 0.1)),
    vector_field=pendulum_field,
    parameters=Records(Parameter("stiffness", 1.0), Parameter("damping", 0.0)),
)


@pytest.mark.parametrize("damping", [0.0, 0.1])
def test_without_friction_no_pair_crosses_the_axis(damping):
    rest = hybridsim.find_equilibrium(PENDULUM, parameters={"damping": damping})
    assert rest.stable is (True if damping else None)
    assert ("stability not decided" in repr(rest)) == (not damping)
    branch = hybridsim.continue_equilibrium(rest, "stiffness", to=7.0)
    assert branch.bifurcations == ()
    undecided = f"of {len(branch.points)} equilibria the linear part does not decide whether they are stable"
    assert branch.notes == (() if damping else (undecided,))
    stable = branch.points["stable"]
    assert np.ma.getmaskarray(stable).all() == (not damping)
    assert (branch.points.to_frame()["stable"].isna() == (not damping)).all()
    row = repr(branch.points).splitlines()[2].split()
    assert row[2] == ("True" if damping else "-")
    real, imaginary = 0.5 * damping, math.sqrt(1.0 - 0.25 * damping**2)
    assert row[-1] == f"{0.0 - real:.4g}-{imaginary:.4g}j"  # without rounding, as 1e-17


def test_a_saddle_whose_eigenvalues_have_the_sum_zero_is_no_hopf_point():
    rest = hybridsim.find_equilibrium(PENDULUM, parameters={"damping": 0.3}, initial={"angle": 3.0})
    assert rest.x["angle"] == pytest.approx(math.pi)
    branch = hybridsim.continue_equilibrium(rest, "damping", to=-0.3)
    assert not branch.bifurcations + branch.notes


def driven_field(xdot, t, x, p, chart):
    xdot[0] = p[0] * math.sin(t) - x[0]


def pulsed_field(xdot, t, x, p, chart):
    xdot[0] = -x[0]
    if t % p[1] >= 0.5 * p[1]:
        xdot[0] += p[0]


def weak_field(xdot, t, x, p, chart):
    xdot[0] = p[0] * math.tanh(t / p[1]) - x[0]


def passing_field(xdot, t, x, p, chart):
    drive(xdot, t, p)
    xdot[0] -= x[0]


def drive(xdot, time, p):
    if time > 2.0 * p[1]:
        xdot[0] = p[0]


@pytest.mark.members
@pytest.mark.parametrize("field", [driven_field, pulsed_field, weak_field, passing_field])
@pytest.mark.parametrize("period", [1.0, 1e3, 1e5])
def test_what_time_drives_has_no_equilibrium_unless_the_drive_is_off(field, period):
    model = Model(
        "driven",
        Records(State("x", 1.0)),
        vector_field=field,
        parameters=Records(Parameter("push", 1.0), Parameter("period", period)),
    )
    refusal = "driven: the slope of x depends on time, so nothing stays where it is"
    with pytest.raises(ConfigError, match=refusal):
        hybridsim.find_equilibrium(model)
    rest = hybridsim.find_equilibrium(model, parameters={"push": 0.0})
    assert rest.stable
    (doubt,) = rest.warnings
    assert "the vector field reads the time: at 401 times up to 1e+06 s the slopes are the same" in doubt
    with pytest.raises(ConfigError, match=refusal):
        hybridsim.continue_equilibrium(rest, "push", to=1.0)
    assert hybridsim.continue_equilibrium(rest, "period", to=2.0 * period).notes == (doubt,)


def test_a_field_that_does_not_read_time_has_no_doubts():
    assert hybridsim.find_equilibrium(PENDULUM).warnings == ()


def test_what_is_no_hopf_point_begins_no_orbit():
    rest = hybridsim.find_equilibrium(BENT, parameters={"q": 2.0})
    fold = hybridsim.continue_equilibrium(rest, "q", to=-1.0).bifurcations[0]
    with pytest.raises(
        ConfigError, match="an orbit begins at a Hopf point, and this is a fold; give one of kind 'hopf'"
    ):
        hybridsim.continue_orbit(fold, "q", to=1.0)


def test_a_picture_shows_where_stability_is_not_decided(tmp_path):
    branch = hybridsim.continue_equilibrium(hybridsim.find_equilibrium(PENDULUM), "stiffness", to=7.0)
    branch.plot(tmp_path / "branch.svg")
    assert "not decided" in (tmp_path / "branch.svg").read_text()
    branch = hybridsim.continue_equilibrium(hybridsim.find_equilibrium(BENT, parameters={"q": 2.0}), "q", to=-2.0)
    branch.plot(tmp_path / "branch.svg")
    assert "not decided" not in (tmp_path / "branch.svg").read_text()


@pytest.mark.members(1)
@pytest.mark.parametrize(("value", "tick"), [(1.0, "1"), (0.0, "0")])
def test_a_picture_does_not_magnify_rounding(value, tick, tmp_path):
    def field(xdot, t, x, p, chart):
        xdot[0] = p[1] + (1e-12 if p[1] > 0.0 else 1e-16) * p[0] - x[0]

    model = Model(
        "nearly_constant",
        Records(State("x")),
        vector_field=field,
        parameters=Records(Parameter("q"), Parameter("value", value)),
    )
    hybridsim.continue_equilibrium(hybridsim.find_equilibrium(model), "q", to=1.0).plot(tmp_path / "flat.svg", "x")
    text = (tmp_path / "flat.svg").read_text()
    assert re.search(rf"<!-- {tick}\.0+ -->", text)
    assert "e\N{MINUS SIGN}" not in text  # as in 1e-12 + 1, the offset of an axis


def test_a_picture_of_equilibria_shows_what_is_stable(tmp_path):
    rest = hybridsim.find_equilibrium(MODEL, parameters={"field": BRUSSELATOR, "r": 1.5}, initial={"b": 1.5})
    branch = hybridsim.continue_equilibrium(rest, "r", to=3.0)
    branch.plot(tmp_path / "branch.svg", "b")
    text = (tmp_path / "branch.svg").read_text()
    assert text.startswith("<?xml")
    assert "hopf" in repr(branch)
    with pytest.raises(ConfigError, match="no column of this name"):
        branch.plot(tmp_path / "branch.svg", "nothing")

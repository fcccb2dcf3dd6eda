"""What happens and is undone within one step of a curve of equilibria is found, too."""

import math

import pytest

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, State


def vector_field(xdot, t, x, p, chart):
    growth = (p[0] - p[1]) ** 2 - p[2] ** 2
    turn = p[3] * (1.0 + 0.3 * p[0])
    square = x[0] * x[0] + x[1] * x[1]
    xdot[0] = p[3] * (p[4] * growth - square) * x[0] - turn * x[1]
    xdot[1] = turn * x[0] + p[3] * (p[4] * growth - square) * x[1]
    xdot[2] = p[3] * (p[0] - x[2])


def boundaries(g, t, x, p, chart):
    g[0] = (x[2] - p[1]) ** 2 - p[2] ** 2


def transition(x_new, t, x, p, chart, crossed):
    return chart


BUBBLE = Model(
    "bubble",
    Records(State("x"), State("y"), State("z")),
    vector_field=vector_field,
    boundaries=boundaries,
    transition=transition,
    boundary_records=Records(Boundary("wall")),
    parameters=Records(
        Parameter("q"), Parameter("middle"), Parameter("width"), Parameter("rate", 1.0), Parameter("sense", 1.0)
    ),
)
"""The real part of a pair, and a boundary, are (q - middle)^2 - width^2: zero twice."""


@pytest.mark.members
@pytest.mark.parametrize("middle", [0.137, 0.5, 0.77])
@pytest.mark.parametrize("width", [3e-2, 1e-3, 1e-6])
@pytest.mark.parametrize(("rate", "sense"), [(1.0, 1.0), (1e-3, -1.0), (1e5, -1.0)])
def test_two_hopf_points_and_two_boundaries_close_to_each_other(middle, width, rate, sense):
    parameters = {"middle": middle, "width": width, "rate": rate, "sense": sense}
    branch = hybridsim.continue_equilibrium(hybridsim.find_equilibrium(BUBBLE, parameters=parameters), "q", to=1.0)
    for kind in ("hopf", "boundary"):  # a boundary is zero below 1e-9 of its change at a place near by
        found = [each for each in branch.bifurcations if each.kind == kind]
        assert sorted(each.value for each in found) == pytest.approx([middle - width, middle + width], abs=3e-9)
    for each in branch.bifurcations:
        if each.kind == "hopf":
            assert each.slope == pytest.approx(2.0 * rate * sense * (each.value - middle), rel=1e-3)
            assert each.type == "supercritical"
    assert branch.notes == ()


@pytest.mark.parametrize("gap", [1e-1, 1e-4])
def test_a_pair_that_comes_near_to_the_axis_and_turns_back_is_no_hopf_point(gap):
    def field(xdot, t, x, p, chart):
        growth = -((p[0] - 0.4321) ** 2) - p[1]
        xdot[0] = growth * x[0] - x[1]
        xdot[1] = x[0] + growth * x[1]

    model = Model(
        "near",
        Records(State("x"), State("y")),
        vector_field=field,
        parameters=Records(Parameter("q"), Parameter("gap")),
    )
    branch = hybridsim.continue_equilibrium(hybridsim.find_equilibrium(model, parameters={"gap": gap}), "q", to=1.0)
    assert branch.bifurcations + branch.notes == ()
    assert branch.points["stable"].all()


def test_pairs_that_go_to_and_fro_along_a_curve():
    """The real part is 0.99 - cos 6 q; between its zeros near the maxima of the cosine an orbit lives."""

    def field(xdot, t, x, p, chart):
        growth = 0.99 - math.cos(6.0 * p[0])
        xdot[0] = growth * x[0] - x[1] - x[0] ** 3
        xdot[1] = x[0] + growth * x[1]

    model = Model("waves", Records(State("x"), State("y")), vector_field=field, parameters=Records(Parameter("q", 0.1)))
    branch = hybridsim.continue_equilibrium(hybridsim.find_equilibrium(model), "q", to=2.5)
    angle = math.acos(0.99)
    expected = [(2.0 * math.pi * k + sign * angle) / 6.0 for k in (1, 2) for sign in (-1.0, 1.0)]
    assert [each.value for each in branch.bifurcations] == pytest.approx(expected, abs=3e-9)

"""Doubled orbits of a forced Duffing oscillator that begin at one flip and end in another one.

x'' + 0.2 x' + x^3 = bias + force cos(t). The numbers of the flips are those of another program; scipy confirms them.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, Section, State

TURN = 2.0 * math.pi


def forced(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -0.2 * x[1] - x[0] * x[0] * x[0] + p[0] + p[1] * math.cos(t)


def driven(xdot, t, x, p, chart):
    xdot[0] = x[1]
    xdot[1] = -0.2 * x[1] - x[0] * x[0] * x[0] + p[0] + p[1] * math.cos(x[2])
    xdot[2] = 1.0


def turned(g, t, x, p, chart):
    g[0] = 2.0 * math.pi - x[2]


def back(x_new, t, x, p, chart, crossed):
    x_new[2] = x[2] - 2.0 * math.pi
    return chart


PARAMETERS = Records(Parameter("bias", 0.15), Parameter("force", 0.17))
CLOCKED = Model("clocked_duffing", Records(State("x"), State("v")), vector_field=forced, parameters=PARAMETERS)
PHASED = Model(
    "phased_duffing",
    Records(State("x"), State("v"), State("phase", 0.0, "rad", lower=0.0, upper=TURN)),
    vector_field=driven,
    boundaries=turned,
    transition=back,
    parameters=PARAMETERS,
    boundary_records=Records(Boundary("period", "rad", degree=1)),
)
IDIOMS = [
    pytest.param(PHASED, "period", id="phase"),
    pytest.param(CLOCKED, Section(time=TURN), id="time", marks=pytest.mark.exhaustive),
]


def flips_of(branch, strides):
    return sorted(each.value for each in branch.bifurcations if (each.kind, each.strides) == ("flip", strides))


def monodromy(start, periods, bias, force):
    """Return where so many periods lead, and the derivatives, by scipy."""

    def slope(t, z):
        x, v, matrix = z[0], z[1], z[2:].reshape(2, 2)
        by = np.array([[0.0, 1.0], [-3.0 * x * x, -0.2]]) @ matrix
        return [v, -0.2 * v - x**3 + bias + force * math.cos(t), *by.ravel()]

    run = solve_ivp(slope, (0.0, periods * TURN), [*start, 1.0, 0.0, 0.0, 1.0], "DOP853", rtol=1e-12, atol=1e-13)
    return run.y[:2, -1], run.y[2:, -1].reshape(2, 2)


@pytest.mark.parametrize(
    ("sign", "max_strides"),
    [(1.0, 2), pytest.param(-1.0, 2, marks=pytest.mark.exhaustive), pytest.param(1.0, 4, marks=pytest.mark.exhaustive)],
)
@pytest.mark.parametrize(("model", "section"), IDIOMS)
def test_a_doubled_curve_joins_two_flips(model, section, sign, max_strides):
    orbit = hybridsim.find_orbit(
        model, section=section, initial={"x": 0.5 * sign}, parameters={"bias": 0.15 * sign, "force": 0.17}
    )
    branch = hybridsim.continue_orbit(orbit, "bias", to=0.0, max_strides=max_strides)
    np.testing.assert_allclose(
        np.sort(np.abs(flips_of(branch, 1))), [0.0193860911737, 0.0983182783062], atol=3e-12, rtol=0.0
    )
    assert not [each for each in branch.bifurcations if each.kind != "flip"]
    for flip in branch.bifurcations:
        end, matrix = monodromy(flip.x[:2], flip.strides, flip.value, 0.17)
        np.testing.assert_allclose(end, flip.x[:2], atol=1e-10)
        assert min(np.abs(np.linalg.eigvals(matrix) + 1.0)) < 1e-8
    doubled = branch.points["strides"] == 2
    assert len({*branch.points["curve"][doubled]}) == 1
    assert doubled.sum() < 100
    magnitude = np.abs(branch.points["bias"][doubled])
    assert 0.0193 < magnitude.min() < 0.0205
    assert 0.0970 < magnitude.max() < 0.0985
    assert any("ends in the flip at bias = " in note for note in branch.notes)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("model", "section"), IDIOMS)
def test_the_doubled_orbits_double_again_and_the_curve_of_flips_has_its_generalised_ones(model, section):
    orbit = hybridsim.find_orbit(model, section=section, initial={"x": 0.5}, parameters={"bias": 0.1, "force": 0.1})
    branch = hybridsim.continue_orbit(orbit, "force", to=0.3, max_strides=2)
    np.testing.assert_allclose(flips_of(branch, 1), [0.171687585318], rtol=1e-10)
    np.testing.assert_allclose(flips_of(branch, 2), [0.2580052695807], rtol=1e-10)
    curve = hybridsim.continue_bifurcation(branch.bifurcations[0], ("force", "bias"), to=0.03)
    found = sorted(
        (each.parameters["bias"], each.parameters["force"]) for each in curve.special if each.kind == "generalised flip"
    )
    np.testing.assert_allclose(found, [(0.037419459, 0.094504898), (0.052113407, 0.114873458)], atol=1e-8)

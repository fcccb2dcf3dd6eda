"""Curves of orbits whose multipliers stay on the unit circle, or whose orbits all have one value of the parameter.

A ball bounces without loss in a parabola of radius R at its bottom. That it bounces at the bottom itself, from height
h, has the multipliers of a matrix with determinant 1 and trace 2 - 8 h / R: it is neutral for R > 2 h, and its period
doubles at R = 2 h. The doubled motions meet the wall at -a and a at a right angle, where the upward speed after is
sqrt(g R), whatever a is. So with this speed fixed they all have R = 2 h; with the energy fixed, a^2 = R (h - R / 2).
"""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Model, Output, Parameter, Records, Section, State

G, H = 9.81, 0.3


def bowl_field(xdot, t, x, p, chart):
    xdot[0], xdot[1], xdot[2], xdot[3] = x[2], x[3], 0.0, -p[0]


def bowl_wall(g, t, x, p, chart):
    g[0] = x[1] - 0.5 * x[0] * x[0] / p[1]


def bounce(x_new, t, x, p, chart, crossed):
    slope = x[0] / p[1]
    normal = (x[3] - slope * x[2]) / (1.0 + slope * slope)
    x_new[2], x_new[3] = x[2] + 2.0 * slope * normal, x[3] - 2.0 * normal
    return chart


def energy(y, t, x, p, chart):
    y[0] = 0.5 * (x[2] ** 2 + x[3] ** 2) + p[0] * x[1]


def van_der_pol(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], p[0] * (1.0 - x[0] * x[0]) * x[1] - x[0]


BOWL = Model(
    "bowl",
    Records(State("x"), State("y", H), State("u"), State("v")),
    vector_field=bowl_field,
    boundaries=bowl_wall,
    transition=bounce,
    outputs=energy,
    parameters=Records(Parameter("g", G), Parameter("R", 1.0, lower=1e-9)),
    boundary_records=Records(Boundary("wall", degree=2)),
    output_records=Records(Output("energy")),
)
OSCILLATOR = Model(
    "van_der_pol",
    Records(State("x", 2.0), State("y")),
    vector_field=van_der_pol,
    parameters=Records(Parameter("mu", 1.0)),
)
APEX = Section(state="v", value=0.0, direction="falling")


def bouncing(section, unit=1.0, x=0.0, **fixed):
    return hybridsim.find_orbit(
        BOWL,
        section=section,
        parameters={"g": G / unit, "R": 1.0 / unit},
        initial={"x": x / unit, "y": H / unit, "v": 0.1 / unit},
        fixed=fixed,
        atol=1e-13 / unit,
    )


@pytest.mark.members(1)
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("section", ["wall", APEX], ids=["wall", "apex"])
def test_a_curve_of_neutral_orbits_has_no_tori(section, unit):
    orbit = bouncing(section, unit, energy=G * H / unit**2)
    branch = hybridsim.continue_orbit(orbit, "R", to=0.5 / unit, back_to=2.0 / unit)
    (flip,) = branch.bifurcations
    assert flip.kind == "flip"
    assert flip.value * unit == pytest.approx(2.0 * H, rel=1e-9)
    assert any("multipliers stay on the unit circle" in note for note in branch.notes)
    neutral = branch.points["R"] * unit > 2.0 * H + 1e-3
    np.testing.assert_allclose(np.abs(branch.points["multiplier_0"])[neutral], 1.0, atol=1e-9)


@pytest.mark.parametrize("x", [0.0, 0.01, 0.1])
def test_a_state_that_is_zero_but_for_rounding_has_no_size(x):
    """Newton's method leaves 1e-31 or 1e-20 of it, in which nothing can be measured."""
    orbit = bouncing("wall", x=x, energy=G * H)
    assert 0.0 <= abs(orbit.x["x"]) < 1e-13
    assert len(hybridsim.continue_orbit(orbit, "R", to=2.0).points) < 50


def test_doubled_orbits_that_all_have_one_value_are_a_family():
    branch = hybridsim.continue_orbit(bouncing("wall", v=np.sqrt(2.0 * G * H)), "R", to=0.5, max_strides=2)
    assert [bifurcation.kind for bifurcation in branch.bifurcations] == ["flip"]
    assert "curve 1 ends in a family: from here on, all its orbits have R = 0.6" in branch.notes


def test_with_the_energy_fixed_doubled_orbits_vary():
    branch = hybridsim.continue_orbit(bouncing(APEX, energy=G * H), "R", to=0.5, max_strides=2)
    assert [bifurcation.kind for bifurcation in branch.bifurcations] == ["flip"]
    doubled = np.asarray(branch.points["strides"]) == 2
    height, speed, radius = (np.asarray(branch.points[name])[doubled] for name in ("y", "u", "R"))
    a_squared = radius * (H - 0.5 * radius)
    np.testing.assert_allclose(speed**2, G * a_squared / radius, atol=1e-8)
    np.testing.assert_allclose(height, 0.5 * a_squared / radius + 0.5 * radius, atol=1e-8)


def test_the_cycle_of_van_der_pol_crosses_the_family_of_a_linear_oscillator():
    """At mu = 0 there are circles of all sizes; the cycle has the one of radius 2, and goes on to negative mu."""
    orbit = hybridsim.find_orbit(OSCILLATOR, section=Section(state="y", value=0.0, direction="falling"))
    branch = hybridsim.continue_orbit(orbit, "mu", to=-0.5)
    (crossing,) = branch.bifurcations
    assert crossing.kind == "branch"
    assert crossing.value == pytest.approx(0.0, abs=1e-9)
    assert crossing.orbit.x["x"] == pytest.approx(2.0, abs=1e-6)
    assert branch.points["mu"].min() == -0.5
    assert sum("ends in a family" in note for note in branch.notes) == 2


def pendulum(xdot, t, x, p, chart):
    xdot[0], xdot[1] = x[1], -p[0] * math.sin(x[0]) - p[1] * x[1]


@pytest.mark.members(3)
@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_without_gravity_a_pendulum_rests_anywhere(friction, unit):
    """At gravity 0 the equilibrium below becomes unstable, and a curve crosses on which gravity stays 0."""
    parameters = Records(Parameter("gravity", unit), Parameter("friction", friction * math.sqrt(unit)))
    states = Records(State("angle"), State("speed"))
    rest = hybridsim.find_equilibrium(Model("pendulum", states, vector_field=pendulum, parameters=parameters))
    branch = hybridsim.continue_equilibrium(rest, "gravity", to=-unit)
    (crossing,) = branch.bifurcations
    assert crossing.kind == "branch"
    assert crossing.value == pytest.approx(0.0, abs=1e-9 * unit)
    assert sum("ends in a family" in note for note in branch.notes) == 2
    assert branch.points["gravity"].min() == -unit

"""Curves of folds that end where the orbits shrink to an equilibrium: a generalised Hopf point, or Bautin point."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Model, Parameter, Section, State


def radial(xdot, t, x, p, chart):
    a, b = x[0] / p[2] - p[3], x[1] / p[2] - p[3]
    square = a * a + b * b
    rate = p[0] + p[1] * square - square * square
    xdot[0], xdot[1] = p[2] * (rate * a - b), p[2] * (rate * b + a)


BAUTIN = Model(
    "bautin",
    [State("x", 1.0), State("y", 0.0)],
    vector_field=radial,
    parameters=[Parameter("mu", 0.0), Parameter("c", 1.0), Parameter("unit", 1.0), Parameter("place", 0.0)],
)
"""r' = mu r + c r^3 - r^5: the orbits r^2 = c/2 are folds for c^2 = -4 mu, and shrink to the equilibrium at c = 0."""


@pytest.mark.members(1)
@pytest.mark.parametrize("ways", [{"to": -1.0}, {"to": -0.5, "back_to": 2.0}, {"to": 2.0, "back_to": -3.0}])
@pytest.mark.parametrize("state", ["x", "y"])
@pytest.mark.parametrize(("unit", "place"), [(1.0, 0.0), (1.0, 2.0), (1e-4, 0.3), (1e5, 0.0), (1e5, -2.0)])
def test_a_curve_of_folds_ends_where_the_orbits_shrink_to_a_generalised_hopf_point(unit, place, state, ways):
    initial = {"x": place * unit, "y": place * unit, state: place * unit}
    other = "y" if state == "x" else "x"
    initial[other] += unit
    orbit = hybridsim.find_orbit(
        BAUTIN,
        section=Section(state=state, value=place * unit),
        initial=initial,
        parameters={"unit": unit, "place": place},
        atol=1e-13 * unit,
    )
    fold = hybridsim.continue_orbit(orbit, "mu", to=-0.5).bifurcations[0]
    points = hybridsim.continue_bifurcation(fold, ("mu", "c"), **ways)
    assert points.special == ()
    np.testing.assert_allclose(points["mu"], -(points["c"] ** 2) / 4.0, atol=1e-9)
    np.testing.assert_allclose((points[other] / unit - place) ** 2, points["c"] / 2.0, atol=1e-6)
    assert 0.0 < points["c"].min() < 0.1
    (note,) = points.notes
    assert "the orbit shrinks to an equilibrium, at a generalised Hopf point (Bautin point)" in note

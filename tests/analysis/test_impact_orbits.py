"""Orbits of the impact oscillator, their multipliers, period doublings and grazing, against closed forms."""

import math

import numpy as np
import pytest
from impact_orbits import ORBITS, PERIOD_DOUBLINGS, Orbit, doubling_amplitude

import hybridsim


@pytest.mark.parametrize("orbit", ORBITS)
def test_an_orbit_and_its_multipliers_have_their_closed_forms(orbit):
    expected, restitution = Orbit(*orbit), orbit[2]
    guess = dict(expected.after_impact)
    guess["v"] *= 1.002
    found = hybridsim.find_orbit("impact_oscillator", parameters=expected.parameters, section="impact", initial=guess)
    np.testing.assert_allclose(
        [found.x["v"], found.x["phase"], found.period],
        [expected.after_impact["v"], expected.phase, expected.duration],
        atol=1e-9,
    )
    assert np.prod(found.multipliers).real == pytest.approx(restitution**2, abs=1e-8)
    assert np.sum(found.multipliers).real == pytest.approx(expected.trace, abs=1e-7)


@pytest.mark.members(1)
@pytest.mark.parametrize(("omega", "n", "e", "gap"), PERIOD_DOUBLINGS)
def test_the_period_doubles_at_the_known_amplitude(omega, n, e, gap):
    doubling = doubling_amplitude(omega, n, e, gap)
    for sign in (-1.0, 1.0):  # the orbit may exist on both sides: begin on either
        start = Orbit(omega, n, e, gap, doubling * (1.0 + 0.02 * sign))
        orbit = hybridsim.find_orbit(
            "impact_oscillator", parameters=start.parameters, section="impact", initial=start.after_impact
        )
        branch = hybridsim.continue_orbit(orbit, "amplitude", to=doubling * (1.0 - 0.02 * sign))
        flips = [bifurcation.value for bifurcation in branch.bifurcations if bifurcation.kind == "flip"]
        np.testing.assert_allclose(flips, [doubling], rtol=1e-8)


@pytest.mark.exhaustive  # `test_square_roots` has the grazing in closed form
@pytest.mark.members(1)
@pytest.mark.parametrize(("omega", "zeta", "gap"), [(2.2, 0.05, 1.0), (0.6, 0.1, 0.3), (2.2, 0.05, 1000.0)])
def test_a_curve_ends_where_the_oscillation_grazes_the_wall(omega, zeta, gap):
    grazing = gap * math.hypot(1.0 - omega**2, 2.0 * zeta * omega)
    orbit = hybridsim.find_orbit(
        "impact_oscillator",
        parameters={"omega": omega, "zeta": zeta, "gap": gap, "amplitude": 0.7 * grazing, "restitution": 0.8},
        section="period",
    )
    branch = hybridsim.continue_orbit(orbit, "amplitude", to=1.4 * grazing)
    (last,) = [each for each in branch.bifurcations if each.curve == 0]
    assert (last.kind, last.boundary) == ("grazing", "impact")
    assert last.value == pytest.approx(grazing, rel=1e-8)
    assert branch.points["amplitude"][branch.points["curve"] == 0].max() <= grazing * (1.0 + 1e-8)

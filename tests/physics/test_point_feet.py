"""Corners of the walkers with bodies: feet of radius 0, and strides of no duration."""

import numpy as np
import pytest

from hybridsim import find_orbit, jacobian
from hybridsim.analysis.newton import NoOrbitError
from hybridsim_models.walkers import straight_legs

COMPASS = {"m": 5.0, "m_H": 10.0, "l": 1.0, "R": 0.0, "c": 0.5, "r": 0.0, "g": 9.81, "slope": 0.05}


def test_the_derivative_with_respect_to_the_radius_of_a_foot_holds_for_point_feet():
    """At R = 0 the formula of the compass has no radius; with a small one the slope is that of differences."""
    state = {"theta_st": -0.2, "theta_sw": 0.25, "thetadot_st": 1.1, "thetadot_sw": 0.3}
    exact = jacobian("straight_legs", x=state, parameters=COMPASS, wrt="R").values[:, 0]

    def field(radius):
        p = np.array([(COMPASS | {"R": radius}).get(each.name, each.default) for each in straight_legs.PARAMETERS])
        xdot = np.zeros(len(straight_legs.STATES))
        x = np.array([state.get(each.name, 0.0) for each in straight_legs.STATES])
        straight_legs.vector_field(xdot, 0.0, x, p, 0)
        return xdot

    step = 1e-4
    slope = (-field(2 * step) + 4 * field(step) - 3 * field(0.0)) / (2 * step)
    assert np.abs(exact).max() > 0.1
    np.testing.assert_allclose(exact, slope, rtol=1e-5, atol=1e-6)


@pytest.mark.exhaustive  # derivatives of the kneed walker are compiled for half a minute
def test_a_stride_that_takes_no_time_is_no_orbit():
    """Legs that stand side by side strike again and again; Newton's method may lead there.

    From guesses this far away its way is chaotic: which of them lead there is a matter of the last bits.
    """
    original, rng, found = {"m_t": 0.9868, "r_t": 0.1354, "c_t": 0.116}, np.random.default_rng(1), []
    for _ in range(25):
        rates = np.array([0.93, 0.34, 1.24]) + 1e-7 * rng.normal(size=3)
        guess = {"theta_st": -0.21, "theta_th": 0.21, "theta_sh": 0.21}
        guess |= dict(zip(("thetadot_st", "thetadot_th", "thetadot_sh"), rates, strict=True))
        try:
            orbit = find_orbit("kneed_walker", parameters=original, section="heelstrike", initial=guess)
        except NoOrbitError as problem:
            found.append(str(problem))
            if "become ever shorter" in found[-1]:
                break
        else:
            assert orbit.period > 0.1
    assert found
    assert "become ever shorter" in found[-1]

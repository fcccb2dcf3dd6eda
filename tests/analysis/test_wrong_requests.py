"""What is asked in the wrong form is answered with a sentence."""

import pytest
from smooth_fields import BRUSSELATOR, MODEL

import hybridsim
from hybridsim import ConfigError


@pytest.fixture(scope="module")
def orbit():
    return hybridsim.find_orbit(
        MODEL,
        parameters={"field": BRUSSELATOR, "r": 2.3},
        section=hybridsim.Section(state="a", value=1.0),
        initial={"a": 1.0, "b": 3.3, "c": 0.0},
    )


@pytest.mark.parametrize("limits", [0.02, "ab", (1.0,), (1.0, 2.0, 3.0), None, ("a", "b"), (2.0, 1.0), {1.0, 2.0}])
def test_an_optimum_needs_a_range_of_two_numbers(orbit, limits):
    with pytest.raises(ConfigError, match=r"parameters: r: expected a range of two numbers, \(low, high\), found"):
        hybridsim.optimize_orbit(orbit, "growth", {"r": limits})


@pytest.mark.parametrize("parameters", ["r", ("r", 2.0, 3.0), {}])
def test_an_optimum_needs_parameters_by_name(orbit, parameters):
    with pytest.raises(ConfigError, match="parameters: expected at least one with its range"):
        hybridsim.optimize_orbit(orbit, "growth", parameters)


def test_a_curve_of_bifurcations_needs_two_parameters_and_a_bifurcation_of_orbits(orbit):
    (hopf,) = hybridsim.continue_orbit(orbit, "r", to=1.9).bifurcations
    with pytest.raises(ConfigError, match=r"parameters: expected two names, .* found 'rate'"):
        hybridsim.continue_bifurcation(hopf, "rate", to=2.0)
    with pytest.raises(ConfigError, match="not a hopf; from a Hopf point, continue_orbit follows the orbits"):
        hybridsim.continue_bifurcation(hopf, ("r", "rate"), to=2.0)
    rest = hybridsim.find_equilibrium(MODEL, parameters={"field": BRUSSELATOR, "r": 1.8})
    (hopf,) = hybridsim.continue_equilibrium(rest, "r", to=2.5).bifurcations
    with pytest.raises(ConfigError, match="bifurcation: a hopf of equilibria, and only those of orbits are followed"):
        hybridsim.continue_bifurcation(hopf, ("r", "rate"), to=2.0)

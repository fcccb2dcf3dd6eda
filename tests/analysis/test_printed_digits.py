"""The digits of an orbit that are printed are right, against orbits that are much more exact, and closed forms."""

import dataclasses
import math

import numpy as np
import pytest
from impact_orbits import ORBITS, Orbit

import hybridsim
from hybridsim.analysis.accuracy import errors_of, rounded
from hybridsim.analysis.finding import find_orbit_of

WALKERS = {
    "compass_gait": "heelstrike",
    "simplest_walker": "heelstrike",
    "kneed_walker": "heelstrike",
    "straight_legs": "heelstrike",
    "rimless_wheel": "strike_forward",
}
SLOW = ("straight_legs", "kneed_walker")
"""Their derivatives are compiled for half a minute."""


def assert_printed_digits(values, errors, exact, least_digits):
    """The error is not larger than estimated, nor is it estimated to be so large that few digits are left."""
    values = [*values]
    for value, error, known in zip(values, errors, exact, strict=True):
        text = rounded(value, error)
        assert abs(value - known) <= error
        assert error <= 10.0**-least_digits * max(map(abs, values))
        if text == "0":
            continue
        place = 10.0 ** (math.floor(math.log10(abs(value))) - len(text.lstrip("-0.").replace(".", "")) + 1)
        assert abs(float(text) - known) <= max(place, 1e-14 * abs(known))


@pytest.mark.members
@pytest.mark.parametrize(
    "model", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in SLOW)) for name in WALKERS]
)
@pytest.mark.parametrize("rtol", [1e-6, 1e-8, 1e-10, 1e-12])
def test_the_digits_of_walkers_are_those_of_an_orbit_that_is_more_exact(model, rtol):
    exact = hybridsim.find_orbit(model, section=WALKERS[model], rtol=3e-14, atol=1e-15)
    orbit = hybridsim.find_orbit(model, section=WALKERS[model], rtol=rtol, atol=0.1 * rtol, tolerance=1e-8)
    errors, digits = errors_of(orbit), -math.log10(rtol) - 3.0
    assert_printed_digits(orbit.x.values(), errors.x, exact.x.values(), digits)
    assert_printed_digits([orbit.period], [errors.period], [exact.period], digits)
    ways = [each.displacement["walked"] for each in (orbit, exact)]
    assert_printed_digits(ways[:1], errors.displacement, ways[1:], digits)
    assert (np.abs(orbit.multipliers - exact.multipliers) <= errors.multipliers).all()
    assert (errors.multipliers < 3e5 * rtol).all()
    assert_printed_digits(times(orbit), errors.events, times(exact), digits)


def times(orbit):
    return [event.t for event in orbit.events]


@pytest.mark.members
@pytest.mark.parametrize(
    "model", ["compass_gait", "simplest_walker", pytest.param("straight_legs", marks=pytest.mark.exhaustive)]
)
@pytest.mark.parametrize("step", [0.05, 0.02, 0.002])
def test_the_digits_of_fixed_steps_are_those_that_their_step_allows(model, step):
    exact = hybridsim.find_orbit(model, section=WALKERS[model], rtol=3e-14, atol=1e-15)
    asked = dataclasses.replace(exact.config, engine=fixed_steps(exact.config.engine, step))
    orbit = find_orbit_of(asked)
    errors = errors_of(orbit)
    assert_printed_digits(orbit.x.values(), errors.x, exact.x.values(), 2)
    assert_printed_digits([orbit.period], [errors.period], [exact.period], 2)
    assert_printed_digits(times(orbit), errors.events, times(exact), 2)
    assert (np.abs(orbit.multipliers - exact.multipliers) <= errors.multipliers).all()
    miss = abs(orbit.period - exact.period) + np.abs(orbit.found.x0 - exact.found.x0).max()
    assert errors.period < 100.0 * miss + 1e-9


def fixed_steps(engine, step):
    return engine.model_copy(update={"method": "rk4", "first_step": step})


@pytest.mark.parametrize("begin", [0.0, 1e6, 1e9])
def test_late_digits_are_right_and_there_are_some(begin):
    exact = hybridsim.find_orbit("compass_gait", section="heelstrike", rtol=3e-14, atol=1e-15)
    orbit = hybridsim.find_orbit("compass_gait", section="heelstrike", initial_time=begin, tolerance=1e-7)
    errors, digits = errors_of(orbit), 3 if begin else 9
    assert_printed_digits(orbit.x.values(), errors.x, exact.x.values(), digits)
    assert_printed_digits([orbit.period], [errors.period], [exact.period], digits)


@pytest.mark.parametrize("begin", [0.0, 100.0])
def test_a_state_that_is_zero_but_for_rounding_takes_no_digits_from_the_others(begin):
    """The height of the runner's foot is 0 in the air but for rounding."""
    orbit = hybridsim.find_orbit("slip", section="apex", initial_time=begin)
    errors = errors_of(orbit)
    assert errors.period < 1e-8 * orbit.period
    assert (errors.multipliers < 1e-5).all()


@pytest.mark.parametrize("orbit", ORBITS)
@pytest.mark.parametrize("rtol", [1e-7, 1e-12])
def test_the_digits_of_an_impact_oscillator_are_those_of_its_closed_form(orbit, rtol):
    exact = Orbit(*orbit)
    asked = {"parameters": exact.parameters, "section": "impact", "initial": exact.after_impact, "tolerance": 1e-8}
    found = hybridsim.find_orbit("impact_oscillator", rtol=rtol, atol=0.1 * rtol, **asked)
    errors, digits = errors_of(found), -math.log10(rtol) - 4.0
    assert_printed_digits(
        [found.x["v"], found.period], [errors.x[1], errors.period], [exact.after_impact["v"], exact.duration], digits
    )


def test_a_number_that_is_smaller_than_its_error_is_zero():
    assert rounded(1e-17, 1e-13) == "0"
    assert rounded(-0.25, 1e-3) == "-0.25"
    assert rounded(123456.0, 3e2) == "1.23e+05"

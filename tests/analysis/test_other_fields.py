"""Plug-ins of other fields, given as files, get orbits and bifurcations for nothing.

The expected numbers come from matrix exponentials and scipy's root finders.
"""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import hybridsim

FOLDER = Path(__file__).parent
R, C, L, T, GAIN, REFERENCE, LOW, HIGH = 22.0, 47e-6, 20e-3, 400e-6, 8.4, 11.3, 3.8, 8.2
A = np.array([[-1.0 / (R * C), 1.0 / C], [-1.0 / L, 0.0]])


def after(duration, x, source):
    """The state of the converter's circuit after a time with a constant source."""
    rest = np.array([source, source / R])
    return rest + expm(A * duration) @ (x - rest)


def converter_orbit(source):
    """The orbit that is off, then on, once a period: the time of switching, the state where the ramp begins, and the
    derivative of the map of a period."""

    def start(switching):
        on, off = T - switching, switching
        image = lambda x: after(on, after(off, x, 0.0), source)  # noqa: E731
        constant = image(np.zeros(2))
        return np.linalg.solve(np.eye(2) - expm(A * T), constant)

    def excess(switching):
        v = after(switching, start(switching), 0.0)[0]
        return GAIN * (v - REFERENCE) - LOW - (HIGH - LOW) * switching / T

    switching = brentq(excess, 0.05 * T, 0.95 * T, xtol=1e-18)
    x = after(switching, start(switching), 0.0)
    before = A @ x
    jump = np.array([0.0, source / L])
    rate = GAIN * before[0] - (HIGH - LOW) / T
    saltation = np.eye(2) + np.outer(jump, [GAIN, 0.0]) / rate
    return switching, start(switching), expm(A * (T - switching)) @ saltation @ expm(A * switching)


def test_the_converter_runs_and_doubles_its_period_as_its_matrices_say():
    switching, x, matrix = converter_orbit(22.0)
    orbit = hybridsim.find_orbit(FOLDER / "buck_converter.py", section="clock", max_time=1.0)
    np.testing.assert_allclose([orbit.x["v"], orbit.x["i"]], x, rtol=1e-9)
    assert orbit.period == pytest.approx(T, rel=1e-12)
    assert orbit.events[0].boundaries == ("closes",)
    assert orbit.events[0].t == pytest.approx(switching, rel=1e-9)
    expected = np.linalg.eigvals(matrix)
    for multiplier in orbit.multipliers:
        assert np.abs(expected - multiplier).min() < 1e-8
    doubling = brentq(lambda source: np.linalg.det(converter_orbit(source)[2] + np.eye(2)), 23.0, 26.0, xtol=1e-13)
    branch = hybridsim.continue_orbit(orbit, "source", to=25.0, max_strides=2)
    (flip,) = (bifurcation for bifurcation in branch.bifurcations if bifurcation.orbit.strides == 1)
    assert flip.kind == "flip"
    assert flip.value == pytest.approx(doubling, rel=1e-9)
    assert doubling == pytest.approx(24.516, abs=1e-3)  # di Bernardo, Garofalo, Glielmo and Vasca 1998
    assert (branch.points["curve"] == 1).any()


def test_a_neuron_that_does_not_tire_fires_with_its_known_period():
    orbit = hybridsim.find_orbit(FOLDER / "neuron.py", parameters={"step": 0.0}, section="spike", initial={"w": 0.0})
    assert orbit.period == pytest.approx(math.log(2.0), abs=1e-12)


def test_a_neuron_that_tires_fires_as_its_closed_form_says():
    current, tau, step = 2.0, 4.0, 0.1

    def voltage(t):  # of the neuron that has just fired, in the rhythm: w = step / (1 - exp(-t / tau))
        w = step / (1.0 - math.exp(-t / tau))
        slow = w * tau / (tau - 1.0)
        return current * (1.0 - math.exp(-t)) - slow * (math.exp(-t / tau) - math.exp(-t))

    period = brentq(lambda t: voltage(t) - 1.0, 0.3, 3.0, xtol=1e-14)
    orbit = hybridsim.find_orbit(FOLDER / "neuron.py", section="spike")
    assert orbit.period == pytest.approx(period, abs=1e-11)
    assert orbit.x["w"] == pytest.approx(step / (1.0 - math.exp(-period / tau)), abs=1e-11)
    assert len(orbit.multipliers) == 1
    assert orbit.stable

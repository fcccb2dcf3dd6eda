"""The guess of the states: samples without their noise."""

import numpy as np
import pytest

from hybridsim.identification import smoothing
from hybridsim.identification.smoothing import smooth

T = np.linspace(0.0, 10.0, 1001)


def noisy(deviation):
    return np.sin(T) + deviation * np.random.default_rng(1).normal(size=len(T))


def test_the_curve_is_the_least_squares_one_with_third_differences_that_cost(monkeypatch):
    monkeypatch.setattr(smoothing, "STRENGTHS", np.array([3.0]))
    samples = np.random.default_rng(1).normal(size=30)
    third = np.diff(np.eye(30), 3, axis=0)
    np.testing.assert_allclose(
        smooth(samples), np.linalg.solve(np.eye(30) + 3.0 * third.T @ third, samples), atol=1e-12
    )


@pytest.mark.parametrize("deviation", [0.001, 0.01, 0.1])
def test_most_of_the_noise_is_gone_and_nearly_all_of_that_of_slopes(deviation):
    samples = noisy(deviation)
    curve = smooth(samples)
    assert np.std(curve - np.sin(T)) < 0.3 * deviation
    slopes, before = (np.std(np.gradient(each, T) - np.cos(T)) for each in (curve, samples))
    assert slopes < 0.05 * before


def test_samples_without_noise_stay_as_they_are_to_the_bits():
    np.testing.assert_array_equal(smooth(np.sin(T)), np.sin(T))


def test_a_parabola_is_never_bent():
    samples = T**2 + 0.1 * np.random.default_rng(2).normal(size=len(T))
    fit = np.polynomial.Polynomial.fit(T, samples, 2)(T)
    assert np.std(smooth(samples) - fit) < 0.02

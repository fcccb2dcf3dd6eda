"""The reference method has the order that theory predicts, and is exact for polynomials."""

import numpy as np
import pytest

from hybridsim.verification.collocation import N_GAUSS_POINTS, gauss, integrals, march, powers
from hybridsim.verification.points import Points


def test_the_integrals_are_exact_for_polynomials_through_the_gauss_points():
    points, _ = gauss()
    theta = np.linspace(0.0, 1.0, 7)
    for degree in range(N_GAUSS_POINTS):
        np.testing.assert_allclose(integrals(theta) @ points**degree, theta ** (degree + 1) / (degree + 1), atol=1e-14)


def test_over_the_whole_step_they_are_a_quadrature_of_order_2_s():
    # Gauss's rule with s points integrates polynomials of degree 2 s - 1.
    points, _ = gauss()
    for degree in range(2 * N_GAUSS_POINTS):
        assert integrals(np.ones(1)) @ points**degree == pytest.approx(1.0 / (degree + 1), rel=1e-13)
    assert abs(integrals(np.ones(1)) @ points ** (2 * N_GAUSS_POINTS) - 1.0 / (2 * N_GAUSS_POINTS + 1)) > 1e-13


def test_the_powers_are_the_same_polynomial():
    theta, values = np.linspace(0.0, 1.0, 7), np.cos(gauss()[0])
    by_powers = theta[:, None] ** np.arange(1, N_GAUSS_POINTS + 1) @ powers() @ values
    np.testing.assert_allclose(by_powers, integrals(theta) @ values, atol=1e-13)


def oscillate(points):
    """x'' = -w^2 x, where the frequency w is the number of the chart."""
    w, x = points.chart.astype(float), points.x
    return np.column_stack([x[:, 1], -(w**2) * x[:, 0]])


def test_the_flow_of_many_oscillators_is_followed_to_the_tolerance_asked_for():
    n = 50
    t, w, span = np.linspace(0.0, 1.0, n), np.arange(n) % 7 + 1, np.linspace(0.01, 10.0, n)
    x = np.column_stack([np.ones(n), np.zeros(n)])
    flow = march(oscillate, Points(t, x, w), span, np.full((n, 2), 1e-12), np.arange(n))
    np.testing.assert_allclose(flow.end[:, 0], np.cos(w * span), atol=1e-10)
    assert sum(map(len, flow.pieces)) > n  # the long ones in several pieces
    for pieces in flow.pieces:
        t, states = pieces.at(np.array([0.3, 0.7]))
        phase = w[pieces.row, None] * (t - pieces.start.t[:, None] + pieces.offset[:, None])
        np.testing.assert_allclose(states[:, :, 0], np.cos(phase), atol=1e-10)


def test_a_flow_that_blows_up_is_lost():
    def explode(points):
        return points.x * points.x

    start = Points(np.zeros(1), np.ones((1, 1)), np.zeros(1, int))
    flow = march(explode, start, np.full(1, 2.0), np.full((1, 1), 1e-10), np.zeros(1, int))
    assert np.isnan(flow.end).all()
    assert flow.reached.t == pytest.approx(1.0, abs=1e-6)  # x = 1 / (1 - t)

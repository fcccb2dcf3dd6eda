"""The flow of any function of points is followed by arrays, as on slides, to the tolerance asked for."""

import numpy as np
import pytest

from hybridsim.verification.pieces import march
from hybridsim.verification.points import Points


def oscillate(points):
    """x'' = -w^2 x, where the frequency w is the number of the chart."""
    w, x = points.chart.astype(float), points.x
    return np.column_stack([x[:, 1], -(w**2) * x[:, 0]])


def test_the_flow_of_many_oscillators_is_followed_to_the_tolerance_asked_for():
    n = 50
    t, w, span = np.linspace(0.0, 1.0, n), np.arange(n) % 7 + 1, np.linspace(0.01, 10.0, n)
    x = np.column_stack([np.ones(n), np.zeros(n)])
    end, found, _, _ = march(oscillate, Points(t, x, w), span, np.full((n, 2), 1e-12), np.arange(n))
    np.testing.assert_allclose(end[:, 0], np.cos(w * span), atol=1e-10)
    assert sum(map(len, found)) > n  # the long ones in several pieces
    for pieces in found:
        t, states = pieces.at(np.array([0.3, 0.7]))
        phase = w[pieces.row, None] * (t - pieces.start.t[:, None] + pieces.offset[:, None])
        np.testing.assert_allclose(states[:, :, 0], np.cos(phase), atol=1e-10)


def test_a_flow_that_blows_up_is_lost():
    def explode(points):
        return points.x * points.x

    start = Points(np.zeros(1), np.ones((1, 1)), np.zeros(1, int))
    end, _, reached, _ = march(explode, start, np.full(1, 2.0), np.full((1, 1), 1e-10), np.zeros(1, int))
    assert np.isnan(end).all()
    assert reached.t == pytest.approx(1.0, abs=1e-6)  # x = 1 / (1 - t)

"""Derivatives through events, by differences of runs: what the time of an event contributes must not be lost."""

import math

import numpy as np
import pytest

from hybridsim import simulate

TIGHT = {"method": "dop853", "rtol": 1e-13, "atol": 1e-14}
GRAVITY, RESTITUTION, HEIGHT = 9.81, 0.8, 1.0
H = 1e-4
"""Step of the central differences: the closed forms' third derivatives are of order one, so that h^2 is left."""


def ball(gravity=GRAVITY, restitution=RESTITUTION, y=HEIGHT, v=0.0, final_time=1.0):
    """The state at the final time of a ball that bounces once."""
    run = simulate(
        "bouncing_ball",
        parameters={"gravity": gravity, "restitution": restitution},
        initial={"y": y, "v": v},
        final_time=final_time,
        **TIGHT,
    )
    assert len(run.events) == 1
    return run.x[-1]


def derivative(function, at, h=H):
    return (function(at + h) - function(at - h)) / (2.0 * h)


def test_a_ball_that_bounced_once_is_where_its_closed_form_says():
    x = (1.0 + RESTITUTION) * math.sqrt(2.0 * GRAVITY) - 2.0 * RESTITUTION - GRAVITY / 2.0 - 1.0
    v = (1.0 + RESTITUTION) * math.sqrt(2.0 * GRAVITY) - GRAVITY
    np.testing.assert_allclose(ball(), [x, v], rtol=0, atol=1e-13)


def test_the_derivatives_of_a_bounced_ball_by_gravity_and_restitution():
    by_gravity = derivative(lambda g: ball(gravity=g), GRAVITY)
    root = math.sqrt(2.0 * GRAVITY)
    np.testing.assert_allclose(
        by_gravity, [(1.0 + RESTITUTION) / root - 0.5, (1.0 + RESTITUTION) / root - 1.0], rtol=0, atol=H**2
    )
    by_restitution = derivative(lambda e: ball(restitution=e), RESTITUTION)
    np.testing.assert_allclose(by_restitution, [root - 2.0, root], rtol=0, atol=H**2)


def test_the_saltation_matrix_carries_a_disturbance_across_a_bounce():
    # x(tf) = flow(tf - t1) Xi flow(t1), with the falling flow's own matrix [[1, t], [0, 1]] on either side.
    impact = -math.sqrt(2.0 * GRAVITY * HEIGHT)
    t1, e = -impact / GRAVITY, RESTITUTION
    saltation = np.array([[-e, 0.0], [-(1.0 + e) * GRAVITY / impact, -e]])
    expected = np.array([[1.0, 1.0 - t1], [0.0, 1.0]]) @ saltation @ np.array([[1.0, t1], [0.0, 1.0]])
    measured = np.column_stack([derivative(lambda y: ball(y=y), HEIGHT), derivative(lambda v: ball(v=v), 0.0)])
    np.testing.assert_allclose(measured, expected, rtol=0, atol=10 * H**2)


def test_the_gradient_of_a_start_that_is_an_event(plugin):
    rate, start, end = 2.0, 0.3, 1.1

    def x(rate=rate, start=start, end=end):
        return simulate(plugin("collimator"), parameters={"rate": rate, "start": start}, final_time=end).x[-1, 0]

    assert x() == pytest.approx(rate * (end - start), rel=1e-15)
    gradient = [
        derivative(lambda value: x(end=value), end),
        derivative(lambda value: x(start=value), start),
        derivative(lambda value: x(rate=value), rate),
    ]
    np.testing.assert_allclose(gradient, [rate, -rate, end - start], rtol=1e-11)  # linear: rounding over h

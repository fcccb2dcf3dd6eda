"""The gait of the hexapod that mirrors itself after half a stride, and its multipliers."""

import math

import numpy as np
import pytest

from .hexapod_gait import SLOW_SWINGS, coordinates_of, derivative_of, follow, half_stride, image_of, mirrored, state_of


def test_the_coordinates_of_a_state_are_those_it_is_made_of():
    coordinates = np.random.default_rng(1).uniform(-0.5, 0.5, 51)
    np.testing.assert_allclose(coordinates_of(state_of(coordinates)), coordinates, atol=1e-14)
    np.testing.assert_array_equal(mirrored(mirrored(coordinates)), coordinates)


def test_place_and_heading_are_no_coordinates():
    state = state_of(np.random.default_rng(2).uniform(-0.5, 0.5, 51))
    yaw, place = 0.7, np.array([2.0, -3.0, 0.0])
    turn = np.array([[math.cos(yaw), -math.sin(yaw), 0.0], [math.sin(yaw), math.cos(yaw), 0.0], [0.0, 0.0, 1.0]])
    c, s = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    w, x, y, z = state[3:7]
    moved = state.copy()
    moved[:3] = turn @ state[:3] + place
    moved[3:7] = c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w
    moved[7:13] = (state[7:13].reshape(2, 3) @ turn.T).ravel()
    moved[13:31] = (state[13:31].reshape(6, 3) @ turn.T + place).ravel()
    moved[31:49] = (state[31:49].reshape(6, 3) @ turn.T).ravel()
    np.testing.assert_allclose(coordinates_of(moved), coordinates_of(state), atol=1e-13)


@pytest.mark.exhaustive
def test_the_symmetric_gait_of_setting_2_is_unstable_and_that_of_a_shorter_slow_swing_stable():
    gaits = list(follow(SLOW_SWINGS))
    first, last = gaits[0], gaits[-1]
    assert abs(first.multipliers[0]) < 0.8
    assert last.t_s == 0.329978
    assert last.multipliers[0] == pytest.approx(-1.268, abs=2e-3)
    assert abs(last.multipliers[1]) < 0.5
    assert last.speed == pytest.approx(0.581, abs=1e-3)

    # A stride goes straight, and ends as it began.
    run = half_stride(last.coordinates, last.t_s)
    again = half_stride(image_of(run), last.t_s)
    np.testing.assert_allclose(image_of(again), last.coordinates, atol=1e-6)

    # What one run differs from another is what the derivative says.
    run = half_stride(last.coordinates, last.t_s, every_step=True)
    derivative = derivative_of(last.coordinates, run)[np.ix_(last.free, last.free)]
    values, vectors = np.linalg.eig(derivative)
    way = np.zeros(51)
    way[last.free] = np.real(vectors[:, np.argmax(np.abs(values))])
    ends = [image_of(half_stride(last.coordinates + sign * 1e-5 * way, last.t_s)) for sign in (1.0, -1.0)]
    found = (ends[0] - ends[1])[last.free] / 2e-5
    np.testing.assert_allclose(found, last.multipliers[0].real * way[last.free], atol=5e-3)

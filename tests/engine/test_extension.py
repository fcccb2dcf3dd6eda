"""The continuous extension in numpy: its value, its slope, and shapes of one step or of many."""

import numpy as np
import pytest

from hybridsim import simulate
from hybridsim.engine.extension import rise_at, slope_at

EPS = np.finfo(float).eps
RANDOM = np.random.default_rng(5)
EXTENSION = RANDOM.normal(size=(7, 4, 3))
THETA, STEP = RANDOM.uniform(size=7), RANDOM.uniform(0.1, 2.0, size=7)


def test_value_and_slope_are_those_of_the_polynomial():
    powers = np.arange(1, 5)
    value = np.einsum("nd,ndm->nm", THETA[:, None] ** powers, EXTENSION)
    slope = np.einsum("nd,ndm->nm", powers * THETA[:, None] ** (powers - 1), EXTENSION) / STEP[:, None]
    np.testing.assert_allclose(rise_at(EXTENSION, THETA), value, rtol=0, atol=16 * EPS)
    np.testing.assert_allclose(slope_at(EXTENSION, THETA, STEP), slope, rtol=0, atol=256 * EPS)


def test_one_step_is_evaluated_as_one_of_many():
    np.testing.assert_array_equal(rise_at(EXTENSION[2], THETA[2]), rise_at(EXTENSION, THETA)[2])
    np.testing.assert_array_equal(slope_at(EXTENSION[2], THETA[2], STEP[2]), slope_at(EXTENSION, THETA, STEP)[2])


def test_several_places_of_each_step_are_evaluated_at_once():
    places = np.array([0.0, 0.25, 1.0])
    many = rise_at(EXTENSION[:, None], np.broadcast_to(places, (7, 3)))
    assert many.shape == (7, 3, 3)
    for column, place in enumerate(places):
        np.testing.assert_array_equal(many[:, column], rise_at(EXTENSION, np.full(7, place)))


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5", "rk4_adaptive"])
def test_a_step_begins_with_its_slope_and_leads_to_the_next_row(method):
    run = simulate("slip", final_time=1.0, method=method)
    i = np.flatnonzero((run.step > 0.0) & (np.append(run.j[1:], -1) == run.j))
    theta = (run.t[i + 1] - run.t[i]) / run.step[i]
    np.testing.assert_allclose(run.x[i] + rise_at(run.extension[i], theta), run.x[i + 1], rtol=1e-12, atol=1e-12)
    begins = slope_at(run.extension[i], np.zeros(len(i)), run.step[i])
    np.testing.assert_array_equal(begins, run.extension[i, 0] / run.step[i, None])

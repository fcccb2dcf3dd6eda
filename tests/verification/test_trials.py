"""The flow that leads to a row is followed from rows before it, as far back as a step may have begun."""

from pathlib import Path

import numpy as np

import hybridsim
from hybridsim.verification.evaluator import make_evaluator
from hybridsim.verification.method_steps import longest_steps, step_with_error
from hybridsim.verification.trials import approach

TANK = Path(__file__).parent / "models" / "tank.py"


def tank(final_time=3.0, t0=0.0):
    """A tank of 1 m, empty after 2 s; its level was (1 - t / 2)^2."""
    return hybridsim.simulate(TANK, record=0.1, rtol=1e-9, atol=1e-12, initial_time=t0, final_time=t0 + final_time)


def test_it_leads_to_an_empty_tank_as_it_ran_empty():
    for t0 in (0.0, 1e3, 1e6):
        evaluator = make_evaluator(tank(t0=t0), None)
        points, back = evaluator.rows(np.array([5, 20, 21])), np.array([0.03, 0.05, 0.11])
        expected = np.maximum(1.0 - 0.5 * (points.t - t0 - back), 0.0) ** 2
        flow = approach(evaluator, points, np.zeros(3, np.int64))
        np.testing.assert_allclose(flow.before(np.arange(3), back)[:, 0], expected, atol=1e-8)
        # The tank that is empty at 2.1 s has been so for ever, for a step backwards.
        backwards = step_with_error(evaluator, points[2:], -back[2:])[0]
        assert abs(backwards[0, 0] - expected[2]) > 1e-5


def test_it_goes_back_two_of_the_longest_steps_or_to_the_start_of_the_epoch():
    evaluator = make_evaluator(tank(), None)
    points = evaluator.rows(np.array([0, 1, 15]))
    span = approach(evaluator, points, np.zeros(3, np.int64)).span
    longest = longest_steps(evaluator, evaluator.rows(np.array([14])))[0]
    assert span[0] == 0.0
    assert span[1] == points.t[1]
    assert 2.0 * longest <= span[2] <= 2.0 * longest + 0.1 + 1e-12


def test_it_says_nothing_of_the_point_itself_nor_of_times_before_it_begins():
    evaluator = make_evaluator(tank(), None)
    flow = approach(evaluator, evaluator.rows(np.array([1, 1, 0])), np.zeros(3, np.int64))
    states = flow.before(np.arange(3), np.array([0.0, 0.2, 0.1]))
    assert np.isnan(states).all()

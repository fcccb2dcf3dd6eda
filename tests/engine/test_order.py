"""Work against precision: every method's error falls with the method's order, across events too."""

import math
from pathlib import Path

import numpy as np
import pytest

import hybridsim

ORBIT = hybridsim.load_model(Path(__file__).parent / "orbit.py")
SWITCHED = hybridsim.load_model(Path(__file__).parent / "switched.py")
YEAR = 2.0 * math.pi


def error_after_a_year(**keywords):
    """How far the planet is from where it started, and the steps that took."""
    run = hybridsim.simulate(ORBIT, final_time=YEAR, record=False, **keywords)
    return np.linalg.norm(run.x[-1] - run.x[0]), run.statistics["steps"]


def order(step_sizes, errors):
    """The power of the step size that the error follows."""
    return np.polyfit(np.log(step_sizes), np.log(errors), 1)[0]


@pytest.mark.parametrize(
    ("method", "expected", "steps"),
    [
        ("dp5", 5, (200, 400, 800)),
        ("tsit5", 5, (200, 400, 800)),
        ("dop853", 8, (60, 90, 120)),
        ("rodas5p", 5, (200, 400, 800)),
        ("rk4", 4, (400, 800, 1600)),
        ("rk4_adaptive", 4, (100, 200, 400)),
    ],
)
def test_steps_of_a_given_size_have_an_error_of_the_methods_order(method, expected, steps):
    errors = []
    for n in steps:
        size = YEAR / n
        error, taken = error_after_a_year(method=method, first_step=size, max_step=size, rtol=1.0, atol=1.0)
        assert taken in (n, n + 1)  # n sizes may round to less than a year
        errors.append(error)
    assert order(1.0 / np.array(steps), errors) == pytest.approx(expected, abs=0.4)


@pytest.mark.parametrize(
    ("method", "expected", "digits"),
    [
        ("dp5", 5, range(6, 12)),
        ("tsit5", 5, range(6, 12)),
        ("dop853", 8, range(3, 13)),
        ("rodas5p", 5, range(6, 12)),
        ("rk4_adaptive", 4, range(6, 12)),
    ],
)
def test_against_the_work_that_a_tolerance_takes_the_error_falls_with_the_order(method, expected, digits):
    runs = [error_after_a_year(method=method, rtol=10.0**-n, atol=10.0**-n) for n in digits]
    errors, steps = np.transpose(runs)
    assert order(1.0 / steps, errors) == pytest.approx(expected, abs=0.6)


def test_events_inside_steps_cost_no_order():
    # On each half period x relaxes towards +-1 by the factor a = exp(-1/2); six of these make the sum.
    a = math.exp(-0.5)
    exact = -(1.0 - a) * (1.0 - a**6) / (1.0 + a)
    step_sizes = 0.07 / 2.0 ** np.arange(5)  # no multiple of any of them is a switch
    errors = []
    for size in step_sizes:
        run = hybridsim.simulate(SWITCHED, final_time=3.0, method="rk4", first_step=size, record=False)
        assert [event.t for event in run.events] == pytest.approx([0.5, 1.0, 1.5, 2.0, 2.5, 3.0], abs=1e-14)
        errors.append(abs(run["x"][-1] - exact))
    assert order(step_sizes, errors) == pytest.approx(4.0, abs=0.3)

"""The longest steps are as long as their error estimates allow."""

import numpy as np
import pytest

from hybridsim.verification.evaluator import make_evaluator
from hybridsim.verification.method_steps import in_tolerances, longest_steps, method_of, step_with_error

from .small_runs import make_run, run_with


@pytest.mark.parametrize("method", ["dp5", "tsit5", "dop853", "rodas5p", "rk4_adaptive"])
def test_the_error_of_the_longest_step_is_just_allowed(method):
    model, _ = make_run("runner, events only")
    evaluator = make_evaluator(run_with(model, final_time=1.0, method=method, record=0.01, rtol=1e-7), model)
    points = evaluator.rows()
    length = longest_steps(evaluator, points)
    error = in_tolerances(evaluator, points, *step_with_error(evaluator, points, length))
    in_stance = length < 0.5  # in flight the field is constant, and a step may be of any length
    # The last change was by less than a tenth, and the error grows with a power of the length.
    order = method_of(evaluator).error_order + 1
    assert in_stance.any()
    assert (error[in_stance] < 0.95**order * 1.1**order).all()
    assert (error[in_stance] > 0.95**order * 0.8**order).all()
    np.testing.assert_allclose(length[~in_stance], 1.0)

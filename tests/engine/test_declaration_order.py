"""The work that the engine does must not depend on the order in which boundaries are declared."""

import numpy as np

from hybridsim import Boundary, Model, Parameter, State, simulate


def vector_field(xdot, t, x, p, chart):
    xdot[0] = 1.0


def flat_and_steep(g, t, x, p, chart):
    """Both are zero where the run begins; the parameter is the index of the flat one."""
    flat = int(p[0])
    g[flat] = x[0] * x[0]
    g[1 - flat] = x[0]


def transition(x_new, t, x, p, chart, crossed):
    return chart


def test_two_boundaries_that_begin_at_zero_cost_the_same_calls_in_either_order():
    model = Model(
        "two_zeros",
        [State("x")],
        vector_field=vector_field,
        boundaries=flat_and_steep,
        transition=transition,
        parameters=[Parameter("flat", 0, integer=True)],
        boundary_records=[Boundary("first"), Boundary("second")],
    )
    runs = [simulate(model, parameters={"flat": flat}, final_time=1.0) for flat in (0, 1)]
    calls = [run.statistics["boundary_calls"] for run in runs]
    assert calls[0] == calls[1]
    assert len(runs[0].events) == len(runs[1].events) == 0
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    np.testing.assert_array_equal(runs[0].t, runs[1].t)

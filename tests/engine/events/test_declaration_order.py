"""The work that the engine does must not depend on the order in which boundaries are declared."""

import numpy as np

from hybridsim import Boundary, Parameter, simulate

from gallery import clock


def flat_and_steep(g, t, x, p, chart):
    """Both are zero where the run begins; the parameter is the index of the flat one."""
    flat = int(p[0])
    g[flat] = x[0] * x[0]
    g[1 - flat] = x[0]


def test_two_boundaries_that_begin_at_zero_cost_the_same_calls_in_either_order():
    flat = Parameter("flat", 0, integer=True)
    model = clock(flat_and_steep, Boundary("first"), Boundary("second"), parameters=[flat])
    runs = [simulate(model, parameters={"flat": flat}, final_time=1.0) for flat in (0, 1)]
    calls = [run.statistics["boundary_calls"] for run in runs]
    assert calls[0] == calls[1]
    assert len(runs[0].events) == len(runs[1].events) == 0
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    np.testing.assert_array_equal(runs[0].t, runs[1].t)

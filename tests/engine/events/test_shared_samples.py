"""How many calls of a model's function the search of a step takes: as many for a thousand boundaries as for one."""

import math

import numpy as np
import pytest

from hybridsim import DECLINED, Boundary, Model, Records, State, simulate


def waves(n, lowest, **declared):
    """An oscillator with n boundaries of other phases, each of which comes down to `lowest`, and a clock's boundary."""
    records = Records(
        *(Boundary(f"wave{i}", touch="ignore") for i in range(n)), Boundary("late", degree=1, touch="ignore")
    )

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -x[0]

    def boundaries(g, t, x, p, chart):
        for i in range(n):
            g[i] = 1.0 + lowest + math.sin(3.0 * x[0] + 0.01 * i)
        g[n] = 1e6 + x[0]

    def transition(x_new, t, x, p, chart, crossed):
        return DECLINED

    return Model(
        f"waves_{n}",
        Records(State("x", 1.0), State("v", 0.0)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=records,
    )


def calls_per_step(model, **keywords):
    run = simulate(model, final_time=50.0, record=False, **keywords)
    assert run.status.ok, run.message
    return run.statistics["boundary_calls"] / run.statistics["steps"]


LONG_STEPS = {"rtol": 1e-4, "atol": 1e-6, "method": "dop853"}


@pytest.mark.parametrize("n", [100, 300])
def test_boundaries_that_do_not_come_near_zero_share_the_samples_of_a_step(n):
    assert calls_per_step(waves(n, 0.3), **LONG_STEPS) < 2.0 * calls_per_step(waves(3, 0.3), **LONG_STEPS)


def test_a_boundary_far_from_zero_with_a_degree_costs_no_call_where_others_are_sampled():
    assert calls_per_step(waves(3, 2.0)) < 4.1  # at the end, in the middle, and one beside each for the rates


@pytest.mark.parametrize("method", ["dp5", "tsit5", "dop853", "rodas5p"])
def test_crossings_of_many_boundaries_are_those_of_each_by_itself(method):
    """x = cos t falls below a_i at t = arccos(a_i) + 2 pi k, in a step that has dozens of such crossings."""
    levels = np.linspace(-0.95, 0.95, 77)

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -x[0]

    def boundaries(g, t, x, p, chart):
        for i in range(77):
            g[i] = math.atan(x[0] - (-0.95 + i * 1.9 / 76.0))  # of no degree

    def transition(x_new, t, x, p, chart, crossed):
        return DECLINED

    model = Model(
        "levels",
        Records(State("x", 1.0), State("v", 0.0)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(*(Boundary(f"level{i}", armed="when_positive") for i in range(77))),
    )
    run = simulate(model, final_time=7.0, rtol=1e-7, atol=1e-9, method=method)
    found = {event.boundaries[0]: event.t for event in run.events if event.t < 2.0 * math.pi}
    expected = {f"level{i}": math.acos(level) for i, level in enumerate(levels)}
    assert found.keys() == expected.keys()
    assert max(abs(found[name] - t) for name, t in expected.items()) < 3e-6

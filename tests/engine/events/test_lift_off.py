"""A point that leaves as the force on it vanishes: its gap rises with the third power of time, and does not fire at
once where rounding has left it above zero and takes it below."""

import numpy as np
import pytest

from hybridsim import Boundary, Chart, Model, Parameter, Records, State, Status, simulate, verify

LEAVES, LANDS = 0.25, 0.5
"""When it leaves, after the beginning, and how long it flies [s]."""
BEGINS = (0.0, -3.0, 1e6, 1.7e9)
METHODS = ("dp5", "tsit5", "dop853", "rodas5p", "rk4")


def slide_or_fly(xdot, t, x, p, chart):
    """Two places move apart as fast as each other; from the lift-off on, the second one comes back."""
    xdot[0], xdot[1] = p[0], -p[0]
    xdot[3] = 1.0
    if chart == 1:
        xdot[1] += x[2]
        xdot[2] = p[1] * (x[3] - 2.0 * x[3] ** 2 / p[3])


def gap_or_force(g, t, x, p, chart):
    if chart == 0:
        g[1] = p[4] - x[3]
    elif chart == 1:
        g[0] = x[0] + x[1] - p[2]


def next_chart(x_new, t, x, p, chart, crossed):
    """The gap is 0 at the lift-off, but for rounding."""
    if chart == 0:
        x_new[1], x_new[2], x_new[3] = p[2] - x[0] + p[5], 0.0, 0.0
    return chart + 1


def lifted(**declared):
    return Model(
        "lifted",
        Records(State("a"), State("b"), State("v"), State("clock")),
        vector_field=slide_or_fly,
        boundaries=gap_or_force,
        transition=next_chart,
        parameters=Records(*map(Parameter, ("speed", "jerk", "offset", "flight", "leaves", "rounding"))),
        boundary_records=Records(Boundary("gap", **declared), Boundary("force", degree=1)),
        charts=Records(*map(Chart, ("down", "flies", "landed"))),
    )


DECLARED = ({}, {"degree": 1}, {"second_derivative_bound": 100.0})


@pytest.mark.members(2)
@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize("method", METHODS)
def test_a_point_that_leaves_without_speed_and_acceleration_lands_once_where_it_falls(declared, begin, method):
    model, rng = lifted(**declared), np.random.default_rng(3)
    for k in range(40):
        unit = (1.0, 1e3, 1e-3)[k % 3] if "second_derivative_bound" not in declared else 1.0
        speed, jerk, offset = rng.uniform(-2.0, 2.0), 10.0 ** rng.uniform(-1.0, 1.5), rng.uniform(0.1, 3.0)
        run = simulate(
            model,
            parameters={
                "speed": speed * unit,
                "jerk": jerk * unit,
                "offset": offset * unit,
                "flight": LANDS,
                "leaves": LEAVES,
                "rounding": (k % 4 - 1) * np.spacing(offset * unit),
            },
            initial={"a": 0.3 * unit, "b": offset * unit - 0.3 * unit},
            initial_time=begin,
            final_time=begin + 1.0,
            method=method,
            record=True,
            **({"first_step": 1e-2} if method == "rk4" else {"rtol": 1e-10, "atol": 1e-12 * unit}),
        )
        assert run.status is Status.FINAL_TIME, run.message
        assert [np.flatnonzero(row).tolist() for row in run.events.crossed] == [[1], [0]], (speed, jerk, offset, unit)
        # The gap, jerk (t^3/6 - t^4/(6 flight)), is steep where it is 0 again.
        assert run.events.t - begin == pytest.approx([LEAVES, LEAVES + LANDS], abs=1e-6 + 1e-15 * begin)
        if k < 3:
            assert verify(run, model=model).ok

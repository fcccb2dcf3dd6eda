"""Intervals that shrink are no accumulation where a state jumps to and fro, in any unit and at any time."""

from itertools import product

import pytest

import hybridsim
from hybridsim import Boundary, Model, Parameter, Records, State, Status

from gallery import floor


def swinging_model(low, high):
    """As `bursts_model` in another unit of time, p[2]; a state jumps to and fro between two levels."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = -1.0

    def transition(xn, t, x, p, chart, crossed):
        xn[1] = x[1] + 1.0 if x[1] + 1.0 < p[0] else 0.0
        xn[0] = p[2] * p[1] ** xn[1]
        xn[2] = low + high - x[2]
        return 0

    return Model(
        "swinging",
        Records(State("left"), State("place", continuous=False), State("swing", low)),
        vector_field=vector_field,
        boundaries=floor,
        transition=transition,
        parameters=Records(Parameter("length", 12), Parameter("ratio", 0.1), Parameter("unit", 1.0)),
        boundary_records=Records(Boundary("jump", degree=1)),
    )


@pytest.mark.members(1)
@pytest.mark.parametrize("levels", [(0.0, 1.0), (1.0, -1.0), (3.0, 5.0)])
def test_shrinking_intervals_are_no_accumulation_where_a_state_jumps_to_and_fro(levels):
    model = swinging_model(*levels)
    for length, last, start, unit in product((6, 12, 13, 20), (1e-6, 1e-10), (0.0, 1e3), (1e-2, 1.0, 1e3)):
        run = hybridsim.simulate(
            model,
            parameters={"length": length, "ratio": last ** (1.0 / (length - 1)), "unit": unit},
            initial={"left": unit},
            stop=[("jump", 5 * length)],
            initial_time=start,
            final_time=start + 100.0 * unit,
        )
        assert run.status is Status.STOPPED, (length, last, start, unit)
        assert len(run.events) == 5 * length

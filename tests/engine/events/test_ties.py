"""Boundaries that cross within four spacings of the first one are one jump, at the last of their times."""

import numpy as np
import pytest

from hybridsim import Boundary, Parameter, Status, simulate

from gallery import clock

TIMES = (0.0, 1e3, 1e6, 1.7e9)


def two_places(g, t, x, p, chart):
    g[0] = p[0] + 0.5 - t
    g[1] = p[0] + 0.5 + p[1] - t


@pytest.mark.parametrize("begin", TIMES)
@pytest.mark.parametrize("apart", [0, 1, 3, 12])
def test_two_crossings_are_one_jump_if_they_are_less_than_four_spacings_apart(begin, apart):
    records = [Boundary("early", degree=1, armed="when_positive"), Boundary("late", degree=1, armed="when_positive")]
    model = clock(two_places, *records, parameters=[Parameter("begin", begin), Parameter("apart")])
    spacing = np.spacing(max(begin + 0.5, 1.0))  # of t, or of the step
    run = simulate(
        model,
        parameters={"apart": apart * spacing},
        initial_time=begin,
        final_time=begin + 1.0,
        first_step=1.0,
        method="rk4",
    )
    assert run.status is Status.FINAL_TIME
    together = [("early", "late")] if apart <= 4 else [("early",), ("late",)]
    assert [event.boundaries for event in run.events] == together
    assert run.events.t[-1] == pytest.approx(begin + 0.5 + apart * spacing, abs=spacing)

"""A declined crossing changes nothing: the flow, the clock and the other boundaries go on as if it had not been."""

import numpy as np
import pytest

import hybridsim
from hybridsim import DECLINED, Boundary, Parameter, Records, Status

from gallery import clock, decline

LONG_STEP = {"method": "rk4", "first_step": 1.0}
TIMES = (0.0, 1e3, 1e6, 1.7e9)


def scribble_and_decline(x_new, t, x, p, chart, crossed):
    """What a transition has written counts for nothing if it declines."""
    x_new[0] = -1e6
    return DECLINED


def edge_and_ticks(g, t, x, p, chart):
    """The parameter is the time at which the run begins."""
    g[0] = 0.25 - x[0]
    g[1] = p[0] + 0.5 - t
    g[2] = p[0] + 0.75 - t


@pytest.mark.parametrize("begin", TIMES)
@pytest.mark.parametrize("edge", [{}, {"degree": 1}, {"second_derivative_bound": 0.0}])
def test_after_a_declined_crossing_the_state_and_the_ticks_are_those_without(begin, edge):
    records = Boundary("edge", **edge), Boundary("early", time=True), Boundary("late", time=True)

    model = clock(edge_and_ticks, *records, transition=scribble_and_decline, parameters=Records(Parameter("begin")))
    run = hybridsim.simulate(
        model, parameters={"begin": begin}, initial_time=begin, final_time=begin + 1.0, **LONG_STEP
    )
    rounding = 4.0 * np.spacing(max(begin, 1.0))
    assert run.status is Status.FINAL_TIME
    assert [event.boundaries for event in run.events] == [("edge",), ("early",), ("late",)]
    assert all(event.declined for event in run.events)
    np.testing.assert_allclose(run.events.t - begin, [0.25, 0.5, 0.75], rtol=0.0, atol=rounding)
    np.testing.assert_allclose(run.x[:, 0], run.t - begin, rtol=0.0, atol=rounding)


def touch_and_fall(g, t, x, p, chart):
    """A minimum of 1e-3 at 1/4 (a crossing, for `trigger`), a maximum at 1/2, and a fall through zero at 0.796..."""
    u = x[0] - 0.5
    g[0] = 16.0 * (u * u - 0.0625) * (u * u - 0.0625) + 1e-3 - p[0] * max(u, 0.0)


@pytest.mark.parametrize("settings", [LONG_STEP, {"max_step": 0.02}])
def test_a_declined_touch_fires_once_and_the_next_fall_is_a_crossing(settings):
    model = clock(
        touch_and_fall,
        Boundary("dip", touch="trigger"),
        transition=decline,
        parameters=Records(Parameter("tilt", 0.1)),
    )
    run = hybridsim.simulate(model, final_time=1.0, touch_precision=1e-2, **settings)
    assert run.status is Status.FINAL_TIME
    u = np.roots([16.0, 0.0, -2.0, -0.1, 0.0635])
    fall = 0.5 + min(root.real for root in u if abs(root.imag) < 1e-12 and root.real > 0.0)
    assert run.events.kind == ("touch", "crossing")
    np.testing.assert_allclose(run.events.t, [0.25, fall], atol=1e-8)
    assert run.events[0].value == pytest.approx(1e-3, rel=1e-6)

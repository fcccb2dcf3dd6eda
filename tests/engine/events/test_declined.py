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


def shallow_dip(g, t, x, p, chart):
    """Below zero by the second parameter at a state or, if the third is 1, at a time: the first parameter."""
    u = (t if p[2] else x[0]) - p[0]
    g[0] = u * u - p[1]


BENDS = ({"second_derivative_bound": 2.0}, {"second_derivative_bound": 100.0}, {"degree": 2}, {})
DIP_METHODS = (
    LONG_STEP,
    {"method": "dp5"},
    {"method": "dop853", "max_step": 0.1},
    {"method": "series"},
    {"method": "series"},
)


@pytest.mark.members
@pytest.mark.parametrize("begin", TIMES)
@pytest.mark.parametrize("dip", BENDS)
@pytest.mark.parametrize("settings", DIP_METHODS)
@pytest.mark.parametrize("by_time", [False, True])
def test_a_declined_dip_shallower_than_a_stop_is_precise_fires_once(by_time, begin, dip, settings):
    names = Records(*map(Parameter, ("place", "depth", "by_time")))
    model = clock(shallow_dip, Boundary("dip", **dip), transition=decline, parameters=names)
    rng = np.random.default_rng(3)
    for precision in (1e-10, 1e-6):
        for _ in range(25):
            place, depth = rng.uniform(0.2, 0.8), precision * 10.0 ** rng.uniform(-4.0, 0.0)
            parameters = {"place": place + begin * by_time, "depth": depth, "by_time": float(by_time)}
            keywords = {"initial_time": begin, "final_time": begin + 1.0, "stop_precision": precision, **settings}
            run = hybridsim.simulate(model, parameters=parameters, touch_precision=0.0, **keywords)
            assert run.status is Status.FINAL_TIME
            # Where the time is rounded, a search from values all over the step knows them to so many spacings of t.
            seen = depth > 16.0 * np.spacing(begin + 1.0)
            assert seen <= len(run.events) <= 1, (place, depth, run.events)

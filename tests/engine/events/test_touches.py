"""Touches close to other events, and of two boundaries whose dips overlap: all times follow from formulas."""

import itertools

import numpy as np
import pytest

import hybridsim
from hybridsim import DECLINED, Boundary, Chart, Parameter, Records, Status

from gallery import clock, decline


def dip_and_tick_model(timed):
    """A dip to 1e-3 at 1 s; a tick leads to a chart with the dip alone, or is declined."""

    def by_time(g, t, x, p, chart):
        g[0] = (x[0] - 1.0) ** 2 + 1e-3
        if chart == 0:
            g[1] = p[1] - t

    def by_state(g, t, x, p, chart):
        g[0] = (x[0] - 1.0) ** 2 + 1e-3
        if chart == 0:
            g[1] = p[1] - x[0]

    def transition(xn, t, x, p, chart, crossed):
        return DECLINED if p[0] > 0.5 else 1

    return clock(
        by_time if timed else by_state,
        Boundary("dip", degree=2),
        Boundary("tick", time=True) if timed else Boundary("tick", degree=1),
        transition=transition,
        parameters=Records(Parameter("decline"), Parameter("at", 1.05)),
        charts=Records(Chart("first"), Chart("second")),
    )


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize("declined", [False, True])
@pytest.mark.parametrize("tick", [0.95, 1.05])
def test_a_tick_takes_away_no_touch_but_that_of_a_chart_that_begins_inside_the_dip(timed, declined, tick):
    run = hybridsim.simulate(
        dip_and_tick_model(timed),
        parameters={"decline": float(declined), "at": tick},
        final_time=2.0,
        touch_precision=1e-2,
    )
    assert run.status is Status.FINAL_TIME
    # At 0.95 s the dip is 3.5e-3 deep inside the 1e-2: the second chart has not come from above it.
    touched = declined or tick > 1.0
    expected = sorted([("crossing", tick)] + [("touch", 1.0)] * touched, key=lambda event: event[1])
    assert [event.kind for event in run.events] == [kind for kind, _ in expected]
    np.testing.assert_allclose(run.events.t, [t for _, t in expected], atol=1e-8)
    touches = [event for event in run.events if event.kind == "touch"]
    for touch in touches:
        assert touch.boundaries == ("dip",)
        assert touch.value == pytest.approx(1e-3, rel=1e-9)
        assert touch.declined
    crossing = next(event for event in run.events if event.kind == "crossing")
    assert crossing.declined is declined


@pytest.mark.parametrize("engine", [{"first_step": 1.0}, {"max_step": 0.01}])
def test_dips_of_two_boundaries_that_overlap_are_all_reported_in_order(engine):
    def boundaries(g, t, x, p, chart):
        inside = (x[0] - 0.5) ** 2 - 0.09
        g[0] = 16.0 * inside * inside + 1e-3
        g[1] = (x[0] - 0.25) ** 2 + 2e-3

    model = clock(boundaries, Boundary("twice", degree=4), Boundary("once", degree=2))
    run = hybridsim.simulate(model, final_time=1.0, touch_precision=5e-2, **engine)
    assert run.status is Status.FINAL_TIME
    assert run.events.kind == ("touch",) * 3
    assert [event.boundaries for event in run.events] == [("twice",), ("once",), ("twice",)]
    # 0.5 -+ sqrt 0.09 are the minima of one, 0.25 that of the other.
    np.testing.assert_allclose(run.events.t, [0.2, 0.25, 0.8], atol=1e-8)
    np.testing.assert_allclose(run.events.value, [1e-3, 2e-3, 1e-3], rtol=1e-9)


def three_dips(g, t, x, p, chart):
    """Parabolas whose minima have the same value, each at a place of its own."""
    for i in range(3):
        g[i] = (x[0] - p[1 + i]) ** 2 + p[0]


@pytest.mark.parametrize("degrees", list(itertools.permutations((2, 3, 4))))
@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6])
def test_dips_of_boundaries_of_different_degrees_are_all_found_in_one_step(degrees, begin):
    records = [Boundary(f"dip_{degree}", degree=degree) for degree in degrees]
    parameters = map(Parameter, ("lowest", "first", "second", "third"))
    model = clock(three_dips, *records, transition=decline, parameters=parameters)
    places = np.array([0.25, 0.5, 0.875])
    once = {"first_step": 1.0, "touch_precision": 1e-2, "initial_time": begin, "final_time": begin + 1.0}
    for lowest in (1e-3, -1e-3):
        shape = dict(zip(("lowest", "first", "second", "third"), (lowest, *places), strict=True))
        events = hybridsim.simulate(model, parameters=shape, **once).events
        assert [event.boundaries for event in events] == [(record.name,) for record in records]
        if lowest > 0.0:
            assert events.kind == ("touch",) * 3
            np.testing.assert_allclose(events.t - begin, places, rtol=0.0, atol=1e-7)
            np.testing.assert_allclose(events.value, lowest, rtol=1e-9)
        else:
            assert events.kind == ("crossing",) * 3
            np.testing.assert_allclose(events.t - begin, places - np.sqrt(-lowest), rtol=0.0, atol=1e-9)
            np.testing.assert_allclose(events.depth, -lowest, rtol=1e-6)

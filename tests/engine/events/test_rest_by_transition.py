"""Rest by the model's transition, at the limit of infinitely many jumps."""

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Model, ModelError, Parameter, Records, State, Status
from hybridsim.model import DECLINED

G, WIND, HEIGHTS = 10.0, 0.3, (1.0, 0.7)
DECLINES, KEEPS = 1.0, 2.0


def vector_field(xdot, t, x, p, chart):
    for i in range(2):
        if not (chart >> i) & 1:
            xdot[2 * i] = x[2 * i + 1]
            xdot[2 * i + 1] = -10.0
    xdot[4] = 0.3


def boundaries(g, t, x, p, chart):
    for i in range(2):
        if not (chart >> i) & 1:
            g[i] = x[2 * i]


def transition(x_new, t, x, p, chart, crossed):
    after = chart
    for i in range(2):
        if crossed[i] == 1:
            x_new[2 * i + 1] = -p[0] * x[2 * i + 1]
        elif crossed[i] == 2 and p[1] == 1.0:
            return DECLINED
        elif crossed[i] == 2 and p[1] == 0.0:
            x_new[2 * i] = x_new[2 * i + 1] = 0.0
            x_new[4] = 2.0 * x[4]
            after = after | (1 << i)
        elif crossed[i] == 2:
            x_new[2 * i + 1] = 2.0
    return after


def two_balls(rest="transition"):
    """Two balls that rest one after the other: a bit of the chart each. A clock doubles at each rest."""
    return Model(
        "two_balls",
        Records(State("y0", HEIGHTS[0]), State("v0"), State("y1", HEIGHTS[1]), State("v1"), State("clock")),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        parameters=Records(Parameter("e", 0.5), Parameter("answer", 0.0)),
        boundary_records=Records(*(Boundary(name, degree=1, rest=rest) for name in ("floor0", "floor1"))),
        chart_fields={"rests": 2},
    )


def rest_time(height, e=0.5):
    return np.sqrt(2 * height / G) * (1 + e) / (1 - e)


def clock_at(t, e=0.5):
    late, early = (rest_time(height, e) for height in HEIGHTS)
    return WIND * (2.0 * (2.0 * early + late - early) + t - late)


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["dp5", "rodas5p", "series"])
def test_each_ball_rests_at_its_time_and_the_other_goes_on(method):
    run = hybridsim.simulate(two_balls(), final_time=3.0, method=method, record=True)
    assert run.status is Status.FINAL_TIME
    limits = [event for event in run.events if event.kind == "zeno"]
    assert [event.t for event in limits] == pytest.approx(sorted(map(rest_time, HEIGHTS)), abs=1e-12)
    assert [(event.chart_before, event.chart_after) for event in limits] == [(0, 2), (2, 3)]
    assert run.x[-1] == pytest.approx((0, 0, 0, 0, clock_at(3.0)), abs=1e-12)
    assert hybridsim.verify(run, model=two_balls()).ok


def test_a_transition_that_declines_ends_the_run():
    run = hybridsim.simulate(two_balls(), final_time=3.0, parameters={"answer": DECLINES}, record=True)
    assert run.status is Status.ZENO
    assert run.t[-1] == pytest.approx(rest_time(HEIGHTS[1]), abs=1e-12)
    assert hybridsim.verify(run, model=two_balls()).ok


def test_a_transition_that_keeps_the_chart_goes_on_with_the_state_that_it_writes():
    """The ball that would rest is thrown up at 2 m/s."""
    settings = {"parameters": {"answer": KEEPS}, "record": True}
    run = hybridsim.simulate(two_balls(), final_time=rest_time(HEIGHTS[1]) + 0.1, **settings)
    assert run.status is Status.FINAL_TIME
    assert run["y1"][-1] == pytest.approx(2.0 * 0.1 - 0.5 * G * 0.1**2, abs=1e-10)
    assert hybridsim.verify(run, model=two_balls()).ok


def test_what_has_come_to_the_same_limit_begins_anew_behind_it():
    """A ball on a spring that turns round at its top: both boundaries accumulate; it is thrown up a little there."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = x[1]
        xdot[1] = -10.0 - 5.0 * x[0]

    def boundaries(g, t, x, p, chart):
        g[chart] = x[chart]

    def transition(x_new, t, x, p, chart, crossed):
        if crossed[0] == 1:
            x_new[1] = -0.5 * x[1]
        elif crossed[0] == 2:
            x_new[0], x_new[1] = 0.0, 1e-8
        return 1 if crossed[0] else 0

    model = Model(
        "ball",
        Records(State("y", 1.0), State("v")),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(*(Boundary(name, degree=1, rest="transition") for name in ("floor", "top"))),
        chart_fields={"rises": 1},
    )
    run = hybridsim.simulate(model, final_time=3.0, record=True, max_transitions=300)
    first, *_ = np.flatnonzero(np.array(run.events.kind) == "zeno")
    assert tuple(run.events[first].boundaries) == ("floor",)
    assert run.events[first + 1].kind == "crossing"
    assert run.events[first + 2].kind != "zeno"


def test_verify_finds_another_state_or_chart_after_the_limit():
    run = hybridsim.simulate(two_balls(), final_time=3.0, record=True)
    (first, _) = np.flatnonzero(np.array(run.events.kind) == "zeno")
    run.events.x_after[first, 4] += 1e-6
    assert not hybridsim.verify(run, model=two_balls()).ok
    run = hybridsim.simulate(two_balls(), final_time=3.0, record=True)
    run.events.chart_after[first] = 1
    assert not hybridsim.verify(run, model=two_balls()).ok


def test_derivatives_go_through_the_transition_at_the_limit():
    run = hybridsim.simulate(two_balls(), final_time=3.0, record=True)
    found = hybridsim.sensitivity(run, "e", model=two_balls())
    step = 1e-6
    by_formula = (clock_at(3.0, 0.5 + step) - clock_at(3.0, 0.5 - step)) / (2 * step)
    assert found.state[-1, 4, 0] == pytest.approx(by_formula, rel=1e-6)


def test_a_sweep_gives_the_same_ends_as_runs():
    axes, metrics = {"parameters.e": [0.4, 0.5, 0.6]}, {"clock": "final(clock)"}
    table = hybridsim.sweep(two_balls(), axes, final_time=3.0, metrics=metrics)
    assert table["clock"].to_pylist() == pytest.approx([clock_at(3.0, e) for e in (0.4, 0.5, 0.6)], abs=1e-9)


def test_another_word_is_refused():
    with pytest.raises(ModelError, match="'transition'"):
        two_balls("transitoin")

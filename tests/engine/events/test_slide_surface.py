"""How well a slide keeps to its surface, turn after turn, and what its weights may be."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Model, Parameter, Records, State, Status

from gallery import switch_chart

TURN = 2.0 * math.pi


def towards_the_circle(xdot, t, x, p, chart):
    """The radius changes by 1 a second towards 1, and the state turns at 1 rad/s."""
    radius = math.sqrt(x[0] * x[0] + x[1] * x[1])
    inward = 1.0 if chart == 0 else -1.0
    xdot[0] = -inward * x[0] / radius - x[1]
    xdot[1] = -inward * x[1] / radius + x[0]


def outside_and_inside(g, t, x, p, chart):
    off = x[0] * x[0] + x[1] * x[1] - 1.0
    if chart == 0:
        g[0] = off
    else:
        g[1] = -off


@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6])
def test_turn_after_turn_a_slide_stays_as_close_to_a_circle(begin):
    model = Model(
        "circle",
        Records(State("x", 1.5), State("y")),
        vector_field=towards_the_circle,
        boundaries=outside_and_inside,
        transition=switch_chart,
        boundary_records=Records(Boundary("outside", degree=2), Boundary("inside", degree=2)),
        charts=Records(Chart("outside"), Chart("inside")),
    )
    run = hybridsim.simulate(model, initial_time=begin, final_time=begin + 0.5 + 10.0 * TURN, rtol=1e-6)
    assert run.status is Status.FINAL_TIME
    assert run.events.kind == ("entry",)
    assert run.events.t[0] - begin == pytest.approx(0.5, abs=1e-6)
    turns = (run.t - run.events.t[0]) / TURN
    off = np.abs(np.hypot(run.x[:, 0], run.x[:, 1]) - 1.0)
    first, last = off[(turns > 0.0) & (turns <= 1.0)].max(), off[turns > 9.0].max()
    assert first < 1e-6
    assert last < 2.0 * first  # errors that added up would be ten times those of the first turn


def released(xdot, t, x, p, chart):
    """Both flows lead to 0 at first; the one of the chart `free` turns round after 1 / slowing seconds."""
    toward = 1.0 if chart == 1 else -1.0
    xdot[0] = toward * (1.0 - p[0] * (t - p[2])) if chart == int(p[1]) else toward


def right_and_left(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0]
    else:
        g[1] = -x[0]


@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6])
@pytest.mark.parametrize("free", [0, 1])
def test_weights_are_between_0_and_1_up_to_the_end_of_a_slide(free, begin):
    model = Model(
        "released",
        Records(State("x", 0.1)),
        vector_field=released,
        boundaries=right_and_left,
        transition=switch_chart,
        parameters=Records(Parameter("slowing"), Parameter("free", free, integer=True), Parameter("begin", begin)),
        boundary_records=Records(Boundary("right", degree=1), Boundary("left", degree=1)),
        charts=Records(Chart("right"), Chart("left")),
    )
    for end in np.random.default_rng(8).uniform(1.0, 2.0, 12):
        run = hybridsim.simulate(
            model, parameters={"slowing": 1.0 / end}, initial_time=begin, final_time=begin + end + 0.5
        )
        assert [(event.kind, *event.boundaries) for event in run.events] == [("entry", "right"), ("exit", "right")]
        times = run.t - begin
        assert run.events[1].t - begin == pytest.approx(end, abs=1e-9)
        assert run.events[1].chart_after == free
        assert run.sliding_weight.min() >= 0.0
        assert run.sliding_weight.max() <= 1.0
        # Of the rates L and L_adj the one of the chart `free` is 1 - t / end, the other 1.
        slides = run.adjacent_chart >= 0
        rate = np.maximum(1.0 - times[slides] / end, 0.0)
        weight = 1.0 / (1.0 + rate) if free == 0 else rate / (1.0 + rate)
        np.testing.assert_allclose(run.sliding_weight[slides], weight, rtol=0.0, atol=1e-9)


def right_left_and_tick(g, t, x, p, chart):
    right_and_left(g, t, x, p, chart)
    if x[1] == 0.0:
        g[2] = p[2] + 2.0 - t


def throw_back(x_new, t, x, p, chart, crossed):
    """The tick puts x on the wrong side of the boundary along which the slide has run."""
    if crossed[2]:
        x_new[0], x_new[1] = -0.5, 1.0
        return chart
    return 1 - chart


@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6])
def test_after_a_slide_has_ended_its_boundary_is_a_boundary_like_all_others(begin):
    model = Model(
        "thrown",
        Records(State("x", 0.1), State("ticked", continuous=False)),
        vector_field=released,
        boundaries=right_left_and_tick,
        transition=throw_back,
        parameters=Records(Parameter("slowing", 1.0), Parameter("free", 0, integer=True), Parameter("begin", begin)),
        boundary_records=Records(Boundary("right", degree=1), Boundary("left", degree=1), Boundary("tick", time=True)),
        charts=Records(Chart("right"), Chart("left")),
    )
    run = hybridsim.simulate(model, initial_time=begin, final_time=begin + 3.0)
    assert run.events.kind == ("entry", "exit", "crossing")
    assert run.status is Status.OUTSIDE_CHART
    assert run.message.startswith("boundary right is negative where the chart begins")

"""How well a slide keeps to its surface, turn after turn, and what its weights may be."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import Boundary, Chart, Input, Model, Parameter, Records, State, Status

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


def right_left_and_never(g, t, x, p, chart):
    """Another boundary is not positive, so that the one of the slide is not alone to be decided at its end."""
    right_and_left(g, t, x, p, chart)
    g[2] = -1.0


@pytest.mark.members
@pytest.mark.parametrize("begin", [0.0, 1e3, 1e6, 1.7e9])
@pytest.mark.parametrize("free", [0, 1])
def test_weights_are_between_0_and_1_up_to_the_end_of_a_slide(free, begin):
    model = Model(
        "released",
        Records(State("x", 0.1)),
        vector_field=released,
        boundaries=right_left_and_never,
        transition=switch_chart,
        parameters=Records(Parameter("slowing"), Parameter("free", free, integer=True), Parameter("begin", begin)),
        boundary_records=Records(
            Boundary("right", degree=1), Boundary("left", degree=1), Boundary("never", armed="when_positive")
        ),
        charts=Records(Chart("right"), Chart("left")),
    )
    for end in np.random.default_rng(8).uniform(1.0, 2.0, 12):
        run = hybridsim.simulate(
            model, parameters={"slowing": 1.0 / end}, initial_time=begin, final_time=begin + end + 0.5
        )
        assert [(event.kind, *event.boundaries) for event in run.events] == [("entry", "right"), ("exit", "right")]
        times = run.t - begin
        rounding = 1e-9 + 4.0 * np.spacing(begin)
        assert run.events[1].t - begin == pytest.approx(end, abs=rounding)
        assert run.events[1].chart_after == free
        assert run.sliding_weight.min() >= 0.0
        assert run.sliding_weight.max() <= 1.0
        # Of the rates L and L_adj the one of the chart `free` is 1 - t / end, the other 1.
        slides = run.adjacent_chart >= 0
        rate = np.maximum(1.0 - times[slides] / end, 0.0)
        weight = 1.0 / (1.0 + rate) if free == 0 else rate / (1.0 + rate)
        np.testing.assert_allclose(run.sliding_weight[slides], weight, rtol=0.0, atol=rounding)


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
    assert run.message.startswith("boundary right is negative where the chart begins: ")


RIGHT, LEFT, STILL = range(3)


def towards_zero_or_still(xdot, t, x, p, chart):
    if chart != STILL:
        xdot[0] = -1.0 if chart == RIGHT else 1.0


def creep(xdot, t, x, p, chart, adjacent_chart):
    """A field of the model's own that is not tangent to the surface between 1 s and 3/2 s."""
    xdot[0] = -0.03 * math.sin(TURN * t) if t < 1.5 else 0.0


def sides_and_two_ticks(g, t, x, p, chart):
    if chart == RIGHT:
        g[0] = x[0]
    elif chart == LEFT:
        g[1] = -x[0]
    g[2] = (2.0 if t < 2.0 else 3.0 if t < 3.0 else 1e9) - t


def end_slide_and_throw(x_new, t, x, p, chart, crossed):
    """The first tick ends the slide and leads to the first parameter; the second puts x where the other one says."""
    if not crossed[2]:
        return 1 - chart
    if t < 2.5:
        return int(p[0])
    x_new[0] = p[1]
    return RIGHT


def creeping(armed="always"):
    """From x = 1, a slide from 1 s on, which is 0.03 / pi off its surface at 3/2 s, and still at 2 s."""
    return Model(
        "creeping",
        Records(State("x", 1.0)),
        vector_field=towards_zero_or_still,
        boundaries=sides_and_two_ticks,
        transition=end_slide_and_throw,
        sliding_field=creep,
        parameters=Records(Parameter("after", RIGHT), Parameter("thrown_to", 0.1)),
        inputs=Records(Input("unused")),
        boundary_records=Records(
            Boundary("right", degree=1, armed=armed),
            Boundary("left", degree=1, armed=armed),
            Boundary("tick", time=True),
        ),
        charts=Records(Chart("right"), Chart("left"), Chart("still")),
    )


@pytest.mark.parametrize("armed", ["always", "when_positive"])
def test_a_slide_that_is_interrupted_a_little_off_its_surface_comes_back_to_it(armed):
    ticked = hybridsim.simulate(creeping(armed), final_time=2.4)
    changed = hybridsim.Simulation(creeping(armed), parameters={"after": LEFT}, final_time=1.9)
    changed.advance(1.5)
    changed.inputs["unused"] = 1.0
    for run, interruption in ((ticked, "crossing"), (changed.run(), "input")):
        assert run.status is Status.FINAL_TIME, run.message
        assert run.events.kind[:2] == ("entry", interruption)
        assert run.events.kind[-1] == "entry"
        assert run.adjacent_chart[-1] >= 0
        assert abs(run.x[-1, 0]) < 0.02


@pytest.mark.parametrize("changes", [False, True])
def test_what_a_slide_had_left_of_its_surface_excuses_no_later_jump(changes):
    simulation = hybridsim.Simulation(creeping(), parameters={"after": STILL, "thrown_to": -0.005}, final_time=4.0)
    if changes:
        simulation.advance(1.5)
        simulation.inputs["unused"] = 1.0
    run = simulation.run()
    assert run.status is Status.OUTSIDE_CHART
    assert run.t[-1] == 3.0


def left_turns_round(xdot, t, x, p, chart):
    xdot[0] = -1.0 if chart == RIGHT else 2.0 - t


def creep_to_the_right(xdot, t, x, p, chart, adjacent_chart):
    xdot[0] = 0.03 * math.sin(TURN * t - math.pi) if 0.5 < t < 1.0 else 0.0


def surface_under_another_name(g, t, x, p, chart):
    right_and_left(g, t, x, p, chart)
    g[2] = 5.0 if chart == RIGHT else -1.5 * x[0]


def test_a_slide_that_ends_a_little_off_its_surface_is_on_it_for_every_boundary_there():
    model = Model(
        "released_off_the_surface",
        Records(State("x", 0.5)),
        vector_field=left_turns_round,
        boundaries=surface_under_another_name,
        transition=switch_chart,
        sliding_field=creep_to_the_right,
        boundary_records=Records(Boundary("right"), Boundary("left"), Boundary("other")),
        charts=Records(Chart("right"), Chart("left")),
    )
    run = hybridsim.simulate(model, final_time=2.5)
    assert run.status is Status.FINAL_TIME, run.message
    assert run.events.kind == ("entry", "exit")
    assert run.events[1].value == pytest.approx(0.03 / math.pi, rel=1e-6)

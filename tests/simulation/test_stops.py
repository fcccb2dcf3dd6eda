"""Stops at boundaries and at values of states, and runs that end where a state becomes invalid."""

import math

import numpy as np
import pytest

import hybridsim
from hybridsim import (
    ConfigError,
    Simulation,
    Status,
    simulate,
)

from gallery import IMPACT, decline, falling, unit_slope

EPS = np.finfo(float).eps
METHODS = ["dp5", "dop853", "tsit5", "rk4_adaptive"]


def bounce_higher(x_new, t, x, p, chart, crossed):
    x_new[1] = -1.5 * x[1]
    return chart


def lift(x_new, t, x, p, chart, crossed):
    x_new[0] = 5.0
    return chart


def test_a_stop_at_a_boundary_is_the_last_event_with_its_transition_done():
    run = simulate("bouncing_ball", final_time=9.0, stop=[("floor", 3)])
    assert run.status is Status.STOPPED
    assert len(run.events) == 3
    assert run.events[-1].t == run.t[-1]
    assert run["v"][-1] == -0.5 * run.events[-1].x_before[1] > 0.0
    assert run.t[-1] == pytest.approx(IMPACT * (1.0 + 2.0 * 0.5 + 2.0 * 0.25), rel=16 * EPS)
    assert run.message == f"reached event 3 of floor at t = {run.t[-1]:.9g} s"


def test_a_stop_counts_declined_crossings_too():
    run = simulate(falling(decline), final_time=9.0, stop=[("floor", 1)])
    assert run.status is Status.STOPPED
    assert run.events[-1].declined
    assert run.j[-1] == 0
    assert run.t[-1] == pytest.approx(IMPACT, rel=4 * EPS)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("state", "value", "when"), [("y", 0.5, math.sqrt(1.0 / 9.81)), ("v", -2.0, 2.0 / 9.81)])
def test_a_stop_at_a_state_is_reached_to_the_last_bits_without_an_event(state, value, when, method):
    run = simulate("bouncing_ball", final_time=9.0, stop=[{"state": state, "value": value}], method=method)
    assert run.status is Status.STOPPED
    assert run.message == f"reached {state} = {value:g} at t = {when:.9g} s"
    assert len(run.events) == run.j[-1] == 0
    assert run.t[-1] == pytest.approx(when, rel=64 * EPS)
    assert run[state][-1] == pytest.approx(value, rel=64 * EPS)


def test_the_first_of_several_stops_ends_the_run():
    stops = [("floor", 2), {"state": "v", "value": 1.0}, {"state": "y", "value": 0.2}]
    run = simulate("bouncing_ball", final_time=9.0, stop=stops)
    assert run.message.startswith("reached y = 0.2")
    run = simulate("bouncing_ball", final_time=9.0, stop=stops[:2])
    assert run.message.startswith("reached v = 1 ")  # the first bounce passes it
    assert simulate("bouncing_ball", final_time=0.1, stop=stops).status is Status.FINAL_TIME


def test_a_stop_on_a_value_that_a_jump_reaches_or_passes_ends_the_run_there():
    for value in (5.0, 3.0):
        run = simulate(falling(lift), final_time=9.0, stop=[{"state": "y", "value": value}])
        assert run.status is Status.STOPPED
        assert len(run.events) == 1
        assert run.t[-1] == run.events[0].t == pytest.approx(IMPACT, rel=4 * EPS)
        assert run["y"][-1] == 5.0


@pytest.mark.parametrize("speed", [2.0, -2.0, 0.0])
def test_a_stop_on_the_value_it_starts_from_waits_until_it_is_reached_again(speed):
    run = simulate(falling(bounce_higher), initial={"v": speed}, final_time=9.0, stop=[{"state": "y", "value": 1.0}])
    if speed > 0.0:
        expected = 2.0 * speed / 9.81
    else:
        down = math.sqrt(speed**2 + 2.0 * 9.81)
        up = 1.5 * down
        expected = (down + speed + up - math.sqrt(up**2 - 2.0 * 9.81)) / 9.81
    assert run.status is Status.STOPPED
    assert run.t[-1] == pytest.approx(expected, rel=1e-12)
    assert run["y"][-1] == pytest.approx(1.0, rel=16 * EPS)


def test_a_stop_that_ties_with_a_boundary_has_the_transition_done():
    run = simulate("bouncing_ball", final_time=9.0, stop=[{"state": "y", "value": 0.0}])
    assert run.status is Status.STOPPED
    assert [event.boundaries for event in run.events] == [("floor",)]
    assert run["v"][-1] == pytest.approx(0.5 * 9.81 * IMPACT, rel=16 * EPS)
    assert run.j[-1] == 1


def test_a_run_needs_an_end_and_advancing_does_not():
    with pytest.raises(ConfigError, match="final_time: a run to the end needs one, or a stop"):
        simulate("bouncing_ball")
    assert simulate("bouncing_ball", stop=[("floor", 1)]).status is Status.STOPPED
    Simulation("bouncing_ball").advance(0.1)


# States that become invalid.


def _wall(g, t, x, p, chart):
    g[0] = 0.75 - x[0]


def _back_to_zero(x_new, t, x, p, chart, crossed):
    x_new[0] = 0.0
    return 0


def _beyond_limit(t, x, p, chart):
    return 1 if x[0] > p[0] else 0


SHUTTLE = hybridsim.Model(
    "shuttle",
    [hybridsim.State("x")],
    vector_field=unit_slope,
    boundaries=_wall,
    transition=_back_to_zero,
    validate=_beyond_limit,
    parameters=[hybridsim.Parameter("limit")],
    boundary_records=[hybridsim.Boundary("wall", degree=1)],
    messages=("too far",),
)


@pytest.mark.parametrize("limit", [0.5, 0.7499])
def test_a_state_that_becomes_invalid_before_an_event_ends_the_run_there(limit):
    run = hybridsim.simulate(SHUTTLE, parameters={"limit": limit}, final_time=3.0)
    assert run.status is hybridsim.Status.LEFT_CHART
    assert (len(run.events), run.x[-1, 0]) == (0, pytest.approx(limit, rel=1e-15))


def test_a_state_that_is_invalid_only_by_rounding_at_an_event_counts_as_valid():
    run = hybridsim.simulate(SHUTTLE, parameters={"limit": 0.75}, final_time=3.1)
    assert (run.status, len(run.events)) == (hybridsim.Status.FINAL_TIME, 4)

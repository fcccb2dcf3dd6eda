"""The ways a run can end, each with a model made for it: the status, its sentence, and the data that is kept.

Runs that end at a limit or are interrupted: see test_limits.py.
"""

import math
import sys

import numpy as np
import pytest

from hybridsim import Boundary, ConfigError, Message, Model, State, Status, simulate
from hybridsim.engine.landing import MAX_CASCADE
from hybridsim.engine.methods import METHODS

from gallery import EXPLOSION, GRAVITY, IMPACT, clock, falling, floor, free_fall, switch_chart

EPS = np.finfo(float).eps


def fixed(method, step=2.0**-7):
    """The method, and the step that rk4 needs and the others do not."""
    return {"method": method, **({"first_step": step} if method == "rk4" else {})}


def test_every_status_has_a_different_sentence():
    sentences = {str(status) for status in Status}
    assert len(sentences) == len(Status)
    assert all(sentence and not sentence.startswith("Status") for sentence in sentences)
    assert {status for status in Status if status.ok} == {Status.FINAL_TIME, Status.STOPPED}


# The flow cannot be continued.


@pytest.mark.parametrize("method", METHODS)
def test_a_blow_up_ends_where_it_happens_and_keeps_what_came_before(method):
    run = simulate(EXPLOSION, final_time=2.0, **fixed(method))
    assert run.status in (Status.STEP_TOO_SMALL, Status.NON_FINITE_STATE)
    assert run.t[-1] == pytest.approx(1.0, abs=2.0**-6)
    assert run.at(0.5)[0] == pytest.approx(2.0, rel=1e-5)
    assert np.isfinite(run.x).all()


@pytest.mark.parametrize("method", METHODS)
def test_a_state_that_outgrows_the_numbers_is_named(method):
    def growth(xdot, t, x, p, chart):
        xdot[1] = 1e300

    model = Model("growth", [State("x"), State("z")], vector_field=growth)
    run = simulate(model, final_time=3e8, **fixed(method, step=1e5))
    assert run.status is Status.NON_FINITE_STATE
    assert run.message.startswith("z or its slope became infinite or not a number (at t = 1")
    assert run.t[-1] == pytest.approx(sys.float_info.max / 1e300, abs=2e5)
    assert np.isfinite(run.x).all()


def test_a_transition_that_makes_a_state_infinite_is_named():
    def burst(x_new, t, x, p, chart, crossed):
        x_new[1] = 1.0 / (x[0] - x[0])
        return chart

    run = simulate(falling(burst), final_time=1.0)
    assert run.status is Status.NON_FINITE_STATE
    assert run.message.startswith("v or its slope")
    assert run.events[-1].t == run.t[-1] == pytest.approx(IMPACT, rel=4 * EPS)


def test_a_transition_that_makes_a_count_infinite_is_named():
    def lose_count(x_new, t, x, p, chart, crossed):
        x_new[2] = 1.0 / (x[0] - x[0])
        return chart

    states = [State("y", 1.0), State("v"), State("bounces", continuous=False)]
    functions = {"vector_field": free_fall, "boundaries": floor, "transition": lose_count}
    run = simulate(Model("counted", states, **functions, boundary_records=[Boundary("floor")]), final_time=1.0)
    assert run.status is Status.NON_FINITE_STATE
    assert run.message.startswith("bounces or its slope")
    assert run.events[-1].t == run.t[-1] == pytest.approx(IMPACT, rel=4 * EPS)


def test_a_flow_that_needs_shorter_steps_than_allowed_ends():
    def stiff(xdot, t, x, p, chart):
        xdot[0] = -1e6 * x[0]

    run = simulate(Model("stiff", [State("x", 1.0)], vector_field=stiff), final_time=1.0, min_step=1e-3)
    assert run.status is Status.STEP_TOO_SMALL
    assert "step size fell below the smallest allowed" in run.message
    assert run.t.tolist() == [0.0]


# Transitions without end.


@pytest.mark.parametrize("record", [True, False])
def test_a_run_makes_max_transitions_and_no_more(record):
    run = simulate("relay", final_time=1e6, max_transitions=10, record=record)
    assert run.status is Status.TOO_MANY_TRANSITIONS
    assert "max_transitions" in run.message
    assert len(run.events) == run.j[-1] == 10
    assert run.events[-1].t == run.t[-1]


def test_transitions_without_end_at_one_instant_are_a_cascade():
    run = simulate(falling(), final_time=1.0)  # the ball is not turned back
    assert run.status is Status.CASCADE
    assert "at one instant" in run.message
    assert set(run.events.t) == {run.t[-1]}
    assert run.t[-1] == pytest.approx(IMPACT, rel=4 * EPS)
    assert run.j[-1] == len(run.events) == MAX_CASCADE + 1


def test_a_cascade_at_the_start_keeps_its_events():
    run = simulate(falling(), initial={"y": 0.0, "v": -1.0}, final_time=1.0)
    assert run.status is Status.CASCADE
    assert run.t[-1] == 0.0
    assert len(run.events) == MAX_CASCADE + 1


# Transitions that lead nowhere.


@pytest.mark.parametrize("record", [True, False])
def test_a_transition_to_beyond_a_boundary_is_reported_with_the_boundary(record):
    def sink(x_new, t, x, p, chart, crossed):
        x_new[0] = -1.0
        return chart

    run = simulate(falling(sink), final_time=1.0, record=record)
    assert run.status is Status.OUTSIDE_CHART
    assert run.message.startswith("boundary floor is negative where the chart begins: ")
    assert run.x[-2:, 0].tolist() == [run.events[-1].x_before[0], -1.0]
    assert run.j[-2:].tolist() == [0, 1]


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("chart", [1, 5, -2])
def test_a_chart_that_does_not_exist_is_reported_and_both_sides_of_the_jump_are_kept(chart, record):
    def lost(x_new, t, x, p, chart_before, crossed):
        x_new[1] = 3.0
        return chart

    run = simulate(falling(lost), final_time=1.0, record=record)
    assert run.status is Status.UNKNOWN_CHART
    assert f"returned chart {chart}" in run.message
    assert run.events[-1].chart_after == chart
    assert run.j[-2:].tolist() == [0, 1]
    assert run["v"][-2:] == pytest.approx([-GRAVITY * IMPACT, 3.0], rel=1e-12)


# Boundaries that cannot be followed.


def step_down(g, t, x, p, chart):
    g[0] = 1.0 if x[0] < 0.7 else -1.0


@pytest.mark.usefixtures("trusted_declarations")
@pytest.mark.parametrize(
    "boundary", [Boundary("edge"), Boundary("edge", degree=1), Boundary("edge", second_derivative_bound=1.0)]
)
def test_a_boundary_that_jumps_over_zero_is_named(boundary):
    run = simulate(clock(step_down, boundary), final_time=1.0)
    assert run.status is Status.DISCONTINUOUS_BOUNDARY
    assert run.message.startswith("boundary edge: a boundary function jumps where it should cross zero")
    assert len(run.events) == 0


def cubic(g, t, x, p, chart):
    g[0] = 0.5 - x[0] * x[0] * x[0]


@pytest.mark.parametrize("boundary", [Boundary("edge"), Boundary("edge", degree=3)])
def test_a_crossing_that_takes_too_many_iterations_is_given_up(boundary):
    few = simulate(clock(cubic, boundary), final_time=1.0, max_stop_iterations=1)
    assert few.status is Status.STOP_ITERATIONS
    assert few.message.startswith("boundary edge: a crossing was not located within max_stop_iterations")
    enough = simulate(clock(cubic, boundary), final_time=1.0)
    assert enough.events[0].t == pytest.approx(0.5 ** (1 / 3), rel=4 * EPS)


def undefined(g, t, x, p, chart):
    g[0] = 1.0 + (0.7 - x[0]) ** 0.5


def endless(g, t, x, p, chart):
    g[0] = 1.0 / (x[0] - x[0] if x[0] > 0.7 else 1.0)


def test_a_boundary_that_is_no_number_where_a_chart_begins_is_active_and_named():
    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = 0.7 - x[0]
        else:
            g[1] = math.inf - (math.inf if x[0] > 0.0 else 0.0)

    model = clock(boundaries, Boundary("mark"), Boundary("edge"), transition=switch_chart, charts=("first", "second"))
    run = simulate(model, final_time=1.0, **fixed("rk4"))
    assert run.status is Status.NON_FINITE_BOUNDARY
    assert "edge" in run.message
    assert run.t[-1] == pytest.approx(0.7)


@pytest.mark.parametrize("boundaries", [undefined, endless])
def test_a_boundary_that_becomes_infinite_or_no_number_is_named(boundaries):
    run = simulate(clock(boundaries, Boundary("edge")), final_time=1.0, **fixed("rk4"))
    assert run.status is Status.NON_FINITE_BOUNDARY
    assert run.message.startswith("boundary edge: a boundary function became infinite or not a number (at t = 0.69")
    assert run.t[-1] == 89 * 2.0**-7  # 0.695, the last step's end before 0.7


# The model's own check.

FELL_OVER, LATE = Message("fell over"), Message("late", "warning")


def upright(t, x, p, chart):
    return 1 if x[0] < 0.0 else 0


def watched(validate):
    """A ball that falls from 1 m past the floor, under that check."""
    functions = {"vector_field": free_fall, "validate": validate}
    return Model("watched", [State("y", 1.0), State("v")], **functions, messages=[FELL_OVER, LATE])


@pytest.mark.parametrize("record", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_a_run_ends_at_the_first_float_where_its_state_is_invalid(method, record):
    run = simulate(watched(upright), final_time=1.0, record=record, **fixed(method))
    assert run.status is Status.LEFT_CHART
    assert run.message.startswith("fell over (at t = 0.45")
    assert run.t[-1] == pytest.approx(IMPACT, rel=64 * EPS)  # no method errs on a parabola but by rounding
    assert run["y"][-1] < 0.0
    assert run["v"][-1] == pytest.approx(-GRAVITY * IMPACT, rel=64 * EPS)
    if record:
        assert run.at(np.nextafter(run.t[-1], 0.0))[0] >= -EPS  # `at` may round the other way


def test_a_state_that_is_invalid_after_a_transition_ends_the_run():
    def throw_down(x_new, t, x, p, chart, crossed):
        x_new[0], x_new[1] = 1.0, -99.0
        return chart

    def slow(t, x, p, chart):
        return 1 if x[1] < -50.0 else 0

    model = falling(throw_down, functions={"validate": slow}, messages=[Message("too fast")])
    run = simulate(model, final_time=1.0)
    assert run.status is Status.LEFT_CHART
    assert run.message.startswith("too fast")
    assert run.t[-1] == run.events[-1].t
    assert run.x[-1].tolist() == [1.0, -99.0]


@pytest.mark.parametrize("code", [3, -1, 10**12])
def test_a_message_that_does_not_exist_ends_the_run(code):
    def unknown(t, x, p, chart):
        return code if x[0] < 0.0 else 0

    run = simulate(watched(unknown), final_time=1.0)
    assert run.status is Status.LEFT_CHART
    assert run.message.startswith("validate returned a number that belongs to no message; expected 0 to 2 (at t = 0.4")


def test_warnings_are_counted_at_the_start_and_at_every_step_and_do_not_end_the_run():
    def late(t, x, p, chart):
        return 2 if t >= 0.5 else 0

    run = simulate(watched(late), final_time=1.0, method="rk4", first_step=0.125)
    assert run.status is Status.FINAL_TIME
    assert run.statistics["warning: late"] == 5  # at 4/8, 5/8, ... 8/8


# Invalid initial states.


def undefined_at_zero(xdot, t, x, p, chart):
    xdot[0] = 1.0 / x[1]


def nowhere(x_new, t, x, p):
    return 7


def infinite(x_new, t, x, p):
    x_new[1] = 1.0 / x[1]
    return 0


BAD_STARTS = {
    "outside its chart": (falling(), {"y": -0.1}, "boundary floor is negative"),
    "invalid": (falling(functions={"validate": upright}, messages=[FELL_OVER]), {"y": -0.1}, "fell over"),
    "an infinite slope": (falling(functions={"vector_field": undefined_at_zero}), {}, "y or its slope became infinite"),
    "a boundary that is no number": (clock(undefined, Boundary("edge")), {"x": 1.0}, "boundary edge: "),
    "an unknown chart": (falling(functions={"initial_chart": nowhere}), {}, "initial_chart returned 7"),
    "an infinite state": (falling(functions={"initial_chart": infinite}), {}, "makes the initial v infinite"),
    "given as infinite": (falling(), {"v": math.inf}, "initial.v: expected a finite number"),
    "given as no number": (falling(), {"v": math.nan}, "initial.v: expected a finite number"),
}


@pytest.mark.parametrize("start", BAD_STARTS)
def test_a_start_that_cannot_be_is_bad_input(start):
    model, initial, message = BAD_STARTS[start]
    with pytest.raises(ConfigError, match=message):
        simulate(model, initial=initial, final_time=1.0)


@pytest.mark.parametrize("settings", [{"max_step": 1e-17}, {"method": "rk4", "first_step": 1e-17}])
def test_a_step_that_does_not_move_the_clock_ends_the_run(settings):
    run = simulate(clock(), initial_time=1.0, final_time=2.0, **settings)
    assert run.status is Status.STEP_TOO_SMALL


def test_a_step_that_is_too_short_for_so_late_a_time_says_so():
    """Near the end of these 0.151 s a toe is so stiff that steps last microseconds, as a spacing of t does then."""
    late = simulate("hexapod", initial_time=1.7e9, final_time=1.7e9 + 0.5)
    assert late.status is Status.STEP_TOO_SMALL
    assert "so far from t = 0 no step is shorter than 2.4e-06 s; begin at an earlier time" in late.message
    assert simulate("hexapod", final_time=0.5).status is Status.FINAL_TIME


def test_a_stop_that_is_never_reached_ends_where_time_overflows():
    run = simulate(clock(), stop=[{"state": "x", "value": -1.0}], record=False)
    assert run.status is Status.STEP_TOO_SMALL
    assert run.t[-1] > 1e290

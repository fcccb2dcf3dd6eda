"""The first step after an event: as long as the new field lets it be, where this changes fast, too."""

import math

import pytest

from hybridsim import Boundary, Model, Parameter, Records, State, Status, simulate

RATE, SWING = 1e4, 1e-3  # of a turn that begins with an event [rad/s], and its size


def turn(xdot, t, x, p, chart):
    """A place that does not move; and in the second chart, something small that turns fast."""
    xdot[0] = 0.0
    if chart == 1:
        xdot[1], xdot[2] = -p[0] * x[2], p[0] * x[1]


def begin(g, t, x, p, chart):
    if chart == 0:
        g[0] = 1.0 - t


def kick(x_new, t, x, p, chart, crossed):
    x_new[1] = SWING
    return 1


MODEL = Model(
    "kicked",
    Records(State("place", 1.0), State("a"), State("b")),
    vector_field=turn,
    boundaries=begin,
    transition=kick,
    charts=("rests", "turns"),
    boundary_records=[Boundary("begin", time=True)],
    parameters=[Parameter("rate", RATE)],
)


def test_a_first_step_after_an_event_fits_a_field_that_changes_fast():
    # The place is large beside what turns: changes are small beside the state, for far longer than a turn takes.
    run = simulate(MODEL, rtol=1e-6, atol=1e-6, final_time=1.0 + 20.0 / RATE)
    assert run.status is Status.FINAL_TIME
    assert run.statistics["rejected"] <= 1
    steps = run.step[run.t >= 1.0]
    first = steps[steps > 0.0][0]
    assert 0.05 < first * RATE < 5.0  # rad
    angle = RATE * (run.t[-1] - 1.0)
    assert math.dist(run.x[-1][1:], (SWING * math.cos(angle), SWING * math.sin(angle))) < 1e-5


def test_a_first_step_after_an_event_stays_long_where_the_field_changes_slowly():
    run = simulate(MODEL, parameters={"rate": 1e-2}, rtol=1e-6, atol=1e-6, final_time=50.0)
    steps = run.step[run.t >= 1.0]
    assert steps[steps > 0.0][0] > 0.1  # s
    assert run.statistics["rejected"] == 0


def follow(xdot, t, x, p, chart):
    """The first state goes to what is held."""
    xdot[0] = x[1] - x[0]


def sample(g, t, x, p, chart):
    g[0] = x[2] - t


def hold_ahead(x_new, t, x, p, chart, crossed):
    """What is held jumps far; what follows it stays near, and turns back."""
    x_new[0] = x[0] + 1e-3
    x_new[1], x_new[2] = -x[1], 1e9
    return 0


def test_a_first_step_after_a_sample_is_chosen_by_what_is_held_from_then_on():
    # What was held before would let the slope seem to jump by 2e6 within 4 ms.
    model = Model(
        "held",
        Records(State("x"), State("goal", 1e6, continuous=False), State("next_sample", 1.0, continuous=False)),
        vector_field=follow,
        boundaries=sample,
        transition=hold_ahead,
        boundary_records=[Boundary("sample", time=True)],
    )
    run = simulate(model, rtol=1e-6, atol=1e-6, final_time=2.0)
    steps = run.step[run.t >= 1.0]
    assert steps[steps > 0.0][0] > 0.01  # s; in 1 s the slope falls by the factor e


def sway(xdot, t, x, p, chart):
    xdot[0] = math.sin(2.0 * math.pi * t)


def wait_for_push(g, t, x, p, chart):
    g[0] = x[1] - t


def push(x_new, t, x, p, chart, crossed):
    x_new[0], x_new[1] = x[0] + 0.5, x[1] + 1.0
    return 0


@pytest.mark.parametrize("method", ["dp5", "dop853", "rodas5p"])
def test_a_first_step_after_an_event_is_not_short_where_the_field_is_nothing_but_rounding(method):
    """At each event the slope is 0 but for rounding; within h it changes x by pi h^2, at least 0.5 % of a tolerance."""
    model = Model(
        "swayed",
        Records(State("x"), State("next_push", 1.0, continuous=False)),
        vector_field=sway,
        boundaries=wait_for_push,
        transition=push,
        boundary_records=[Boundary("push", time=True)],
    )
    run = simulate(model, rtol=1e-6, atol=1e-6, final_time=1.5, method=method)
    steps = run.step[run.t >= 1.0]
    assert math.pi * steps[steps > 0.0][0] ** 2 > 0.0049 * 1e-6

"""The first step after an event: as long as the new field lets it be, where this changes fast, too."""

import math

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

"""A jump that takes away an error of integration: what it so moves below zero, by that error, is at zero.

As where bodies come to rest whose speeds are zero but for the tolerance, and forces that are at their limits follow
from these speeds.
"""

import pytest

from hybridsim import Boundary, ConfigError, Model, Parameter, Records, State, Status, simulate, verify

GAIN = 20.0
"""How much a speed adds to the force, as in damping."""

STATES = Records(State("way", 0.0), State("speed", 0.0))
PARAMETERS = Records(Parameter("begin", 0.0), Parameter("known", 0.0), Parameter("rate", 1.0), Parameter("below", 0.0))
BEGIN, KNOWN, RATE, BELOW = range(4)


def go(xdot, t, x, p, chart):
    xdot[0] = 1.0


def limits(g, t, x, p, chart):
    if chart == 0:
        g[0] = 1.0 - x[0]
    elif chart == 1:  # zero at the event with the speed before it, if nothing is below
        g[1] = GAIN * (x[1] - p[KNOWN]) + p[RATE] * (x[0] - 1.0) - p[BELOW]


def stop(x_new, t, x, p, chart, crossed):
    x_new[1] = 0.0
    return chart + 1


MODEL = Model(
    "stops",
    STATES,
    vector_field=go,
    boundaries=limits,
    transition=stop,
    parameters=PARAMETERS,
    charts=("moves", "holds", "gives"),
    boundary_records=Records(Boundary("stop"), Boundary("limit")),
)


def run_of(rtol, speed, begin=0.0, method="dp5", **parameters):
    settings = {"rtol": rtol, "atol": rtol, "method": method, "initial_time": begin, "final_time": begin + 2.0}
    initial = {"speed": speed}
    return simulate(MODEL, initial=initial, parameters={"known": speed, **parameters}, record=True, **settings)


TOLERANCES, METHODS, BEGINS = (1e-3, 1e-6, 1e-9), ("dp5", "dop853", "rodas5p"), (0.0, 1e3, 1e9)


@pytest.mark.members
@pytest.mark.parametrize("rtol", TOLERANCES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize(("rate", "events"), [(-1.0, ("stop", "limit")), (1.0, ("stop",))])
def test_what_an_error_of_the_steps_moves_below_zero_fires_if_it_falls_and_rests_if_it_rises(
    rate, events, rtol, method, begin
):
    run = run_of(rtol, 0.5 * rtol, begin, method, rate=rate)
    assert run.status == Status.FINAL_TIME, run.message
    assert tuple(name for event in run.events for name in event.boundaries) == events
    assert run.events.t == pytest.approx([begin + 1.0] * len(events), abs=1e-9 + 1e-15 * begin)
    report = verify(run, model=MODEL)
    assert report.ok, str(report)


@pytest.mark.parametrize("rtol", TOLERANCES)
@pytest.mark.parametrize("rate", [-1.0, 1.0])
def test_what_a_larger_change_moves_below_zero_ends_the_run_with_its_name(rtol, rate):
    run = run_of(rtol, 2.0 * rtol, rate=rate)
    assert run.status == Status.OUTSIDE_CHART
    assert "limit is negative" in run.message


@pytest.mark.parametrize("speed", [0.0, 0.5e-9])
def test_what_is_farther_below_zero_than_that_error_moves_it_ends_the_run(speed):
    run = run_of(1e-9, speed, below=0.001)
    assert run.status == Status.OUTSIDE_CHART
    assert "limit is negative" in run.message


def test_where_a_run_starts_no_jump_has_taken_anything_away():
    with pytest.raises(ConfigError, match="limit is negative where the chart begins"):
        simulate(MODEL, initial={"way": 1.0}, initial_chart="holds", parameters={"known": 1e-8}, rtol=1e-3)

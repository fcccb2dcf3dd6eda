"""How often a boundary is called where it decides nothing."""

import math

import pytest

from hybridsim import Boundary, Model, Parameter, Records, Simulation, State, Status, simulate

from gallery import clock, floor

PERIOD = 1e-3


def wave_and_tick(g, t, x, p, chart):
    """A wave down to 1/5; and a tick each second, or none."""
    g[0] = 1.2 + math.cos(2.0 * x[0])
    g[1] = (math.floor(t + 1e-9) + 1.0 if p[0] else 1e9) - t


@pytest.mark.parametrize("ticks", [0, 1])
def test_a_step_in_which_a_boundary_is_clear_of_zero_takes_four_calls(ticks):
    model = clock(wave_and_tick, Boundary("wave"), Boundary("tick", time=True), parameters=[Parameter("ticks", ticks)])
    run = simulate(model, final_time=10.0, method="rk4", first_step=0.5)
    assert run.status is Status.FINAL_TIME
    jumps = len(run.events)
    assert jumps == 10 * ticks
    # Values and slopes in the middle and at the end; those at the start are known.
    of_steps = 4 * run.statistics["steps"]
    of_charts = 3 * (1 + jumps)  # one that finds the active boundaries, one for the slope, one for the time of the tick
    of_rounding = 2  # at the beginning, where the wave may be above zero by rounding alone
    assert run.statistics["boundary_calls"] == of_steps + of_charts + of_rounding


def dip_and_climb(g, t, x, p, chart):
    """A dip at 1 s, and then up and up."""
    g[0] = 1e-3 + (x[0] - 1.0) ** 2


def test_after_a_touch_is_reported_the_steps_that_are_clear_of_zero_take_four_calls_again():
    model = clock(dip_and_climb, Boundary("dip"))
    fixed = {"method": "rk4", "first_step": 0.25, "touch_precision": 1e-2}
    short, long = (simulate(model, final_time=end, **fixed) for end in (3.0, 13.0))
    assert short.events.kind == long.events.kind == ("touch",)
    assert long.statistics["steps"] - short.statistics["steps"] == 40
    assert long.statistics["boundary_calls"] - short.statistics["boundary_calls"] == 4 * 40


def fall(xdot, t, x, p, chart):
    xdot[0] = -1.0


def wind_up(xn, t, x, p, chart, crossed):
    xn[1] = x[1] + 1.0
    xn[0] = p[0] + p[1] ** xn[1]
    return 0


GAIT = Model(
    "gait",
    Records(State("h", 2.0), State("n", continuous=False)),
    vector_field=fall,
    boundaries=floor,
    transition=wind_up,
    parameters=Records(Parameter("limit"), Parameter("ratio")),
    boundary_records=Records(Boundary("floor", degree=1)),
)
"""The n-th interval between its jumps is limit + ratio^n."""


@pytest.mark.parametrize(("limit", "ratio"), [(1.0, 0.5), (1.0, 0.7), (1.0, 1.0), (0.0, 1.0 - 1e-5)])
def test_to_look_for_an_accumulation_takes_few_calls_in_a_gait_whose_intervals_hardly_shrink(limit, ratio):
    without, with_look = (
        simulate(
            GAIT,
            parameters={"limit": limit, "ratio": ratio},
            stop=[("floor", 400)],
            final_time=1e4,
            zeno_precision=precision,
        ).statistics
        for precision in (0.0, 1e-9)
    )
    assert with_look["events"] == 400
    assert with_look["boundary_calls"] <= without["boundary_calls"] + 150


def sampled(xdot, t, x, p, chart):
    xdot[0] = x[1]


def next_sample(g, t, x, p, chart):
    g[0] = x[2] * PERIOD - t


def both_of_samples(xdot, g, t, x, p, chart):
    sampled(xdot, t, x, p, chart)
    next_sample(g, t, x, p, chart)


def take_sample(x_new, t, x, p, chart, crossed):
    x_new[1], x_new[2] = -x[0], x[2] + 1.0
    return chart


def test_from_sample_to_sample_no_step_is_chosen_anew():
    """A sample takes the six slopes of a step of dp5 and one where it begins; a step that is chosen takes another."""
    states = [State("x", 1.0), State("held", -1.0, continuous=False), State("samples", 1.0, continuous=False)]
    model = Model(
        "sampled",
        states,
        vector_field=sampled,
        boundaries=next_sample,
        slopes_and_boundaries=both_of_samples,
        transition=take_sample,
        boundary_records=[Boundary("sample", time=True)],
    )
    run = Simulation(model, final_time=1000.5 * PERIOD, record=False).run()
    assert run.statistics["events"] == 1000
    assert run.x[-1, 0] == pytest.approx((1.0 - PERIOD) ** 1000 * (1.0 - 0.5 * PERIOD), rel=1e-9)
    assert 7000 <= run.statistics["vector_field_calls"] <= 7100

"""When jumps accumulate, and how sure that is, where rounding or a ratio that changes misleads the estimate."""

import math

import numpy as np
import pytest

from hybridsim import Boundary, Model, Parameter, State, Status, simulate

from gallery import floor, keep_chart

FIRST = math.sqrt(2.0 / 9.81)  # when the bouncing ball, dropped from 1 m, is on the floor [s]


def bounce(restitution, start):
    """A ball that begins to fall at this time; returns the run, and how long all its bounces last."""
    values = {"restitution": restitution}
    run = simulate("bouncing_ball", parameters=values, initial_time=start, final_time=start + 100.0)
    assert run.status is Status.ZENO
    return run, FIRST * (1.0 + restitution) / (1.0 - restitution)


@pytest.mark.parametrize("start", [1e6, 1e9])
def test_late_in_a_long_run_the_error_of_a_limit_is_not_small_by_chance(start):
    """A bounce that comes d late delays the next by d (1 / e - 1) more; each is rounded to a spacing of t."""
    for restitution in np.linspace(0.8, 0.98, 19):
        run, duration = bounce(restitution, start)
        rounded = (len(run.events) * (1.0 / restitution - 1.0) + 2.0) * np.spacing(start + duration)
        off = abs(run.t[-1] - start - duration)
        assert off <= run.statistics["accumulation_error"] + rounded, restitution


def fall(xdot, t, x, p, chart):
    xdot[0] = -1.0


def fall_and_move(xdot, t, x, p, chart):
    xdot[0], xdot[3] = -1.0, 1.0


def wind_up(xn, t, x, p, chart, crossed):
    xn[1] = x[1] + 1.0
    xn[2] = 1.0 - x[2]
    xn[0] = p[3] * p[0] ** min(xn[1], p[2]) * p[1] ** max(xn[1] - p[2], 0.0)
    return chart


TWO_RATIOS = Model(
    "two_ratios",
    [State("left"), State("jumps", continuous=False), State("turn", continuous=False), State("place")],
    vector_field=fall_and_move,
    boundaries=floor,
    transition=wind_up,
    parameters=[Parameter(name) for name in ("first", "second", "change", "unit")],
    boundary_records=[Boundary("jump", degree=1)],
)
"""Intervals, the first as long as the unit, that shrink by the first ratio up to a change, and then by the second.

The states that are not continuous, which count the jumps and go to and fro, do not converge."""


@pytest.mark.parametrize("first", [0.5, 0.7])
@pytest.mark.parametrize("second", [0.8, 0.9])
@pytest.mark.parametrize("change", [4, 8, 16])
def test_a_limit_that_many_intervals_agree_on_is_given_up_when_later_ones_contradict_it(first, second, change):
    for unit, start in [(1e-3, 0.0), (1.0, 0.0), (1e3, 0.0), (1.0, 1e3)]:
        duration = unit * ((1.0 - first**change) / (1.0 - first) + first**change / (1.0 - second))
        run = simulate(
            TWO_RATIOS,
            parameters={"first": first, "second": second, "change": change, "unit": unit},
            initial={"left": unit},
            initial_time=start,
            final_time=start + 2.0 * duration,
        )
        assert run.status is Status.ZENO, run.message
        assert run.t[-1] - start == pytest.approx(duration, rel=2e-9, abs=100.0 * np.spacing(start)), (unit, start)


@pytest.mark.parametrize("ratio", [0.5, 0.7, 0.9])
def test_a_state_so_far_away_that_rounding_hides_its_convergence_does_not_delay_the_end(ratio):
    """After n jumps the time left is ratio^n of the whole, and 1e-9 of it ends the sequence."""
    for place in (0.0, 1e3, 3e6, 1e7, 3e7, 1e9):
        run = simulate(
            TWO_RATIOS,
            parameters={"first": ratio, "second": ratio, "change": 0.0, "unit": 1.0},
            initial={"left": 1.0, "place": place},
            final_time=99.0,
            rtol=1e-12,
            atol=1.0,  # in this unit, the other state moves less than rounding moves the place
        )
        assert run.status is Status.ZENO, run.message
        assert len(run.events) == pytest.approx(-9.0 / math.log10(ratio) + 1.0, abs=2.0), place


@pytest.mark.parametrize(("ratio", "goes_on"), [(0.9, True), (0.998, True), (0.9995, False)])
def test_a_limit_more_than_a_thousand_intervals_away_ends_the_run_at_the_last_jump(ratio, goes_on):
    """It is ratio / (1 - ratio) intervals away: 9, 499 or 1999."""
    run = simulate(
        TWO_RATIOS,
        parameters={"first": ratio, "second": ratio, "change": 0.0, "unit": 1.0},
        initial={"left": 1.0},
        final_time=1e4,
        zeno_precision=1e-3,
    )
    limit = 1.0 / (1.0 - ratio)
    assert run.status is Status.ZENO, run.message
    last = run.events.t[-2]
    assert limit - last == pytest.approx(1e-3 * limit, rel=0.2)
    assert run.t[-1] == pytest.approx(limit if goes_on else last, rel=1e-9)
    assert limit - run.t[-1] <= run.statistics["accumulation_error"] * (1.0 + 1e-3)


def above_height(g, t, x, p, chart):
    g[0] = x[0] - p[3]


def longer_and_shorter(xn, t, x, p, chart, crossed):
    """Intervals of two lengths in turn; the charts alternate, too, if that parameter is 1."""
    xn[1] = 1.0 - x[1]
    xn[0] = p[3] + (p[0] if xn[1] == 0.0 else p[1])
    return (chart + int(p[2])) % 2


TWO_LENGTHS = Model(
    "two_lengths",
    [State("left"), State("turn", continuous=False)],
    vector_field=fall,
    boundaries=above_height,
    transition=longer_and_shorter,
    parameters=[Parameter(name) for name in ("longer", "shorter", "alternates", "height")],
    charts=("one", "other"),
    boundary_records=[Boundary("jump", degree=1)],
)


@pytest.mark.parametrize("start", [1e3, 1e6, 1.7e9])
def test_jumps_a_few_spacings_of_t_apart_have_reached_their_limit_after_two_hundred_unless_charts_alternate(start):
    spacing = np.spacing(start)
    for spacings, alternates, reached in [((40, 10), 0, True), ((40, 10), 1, False), ((300, 100), 0, False)]:
        longer, shorter = (number * spacing for number in spacings)
        run = simulate(
            TWO_LENGTHS,
            parameters={"longer": longer, "shorter": shorter, "alternates": alternates},
            initial={"left": longer},
            initial_time=start,
            final_time=start + 1.0,
            stop=[("jump", 500)],
        )
        assert run.status is (Status.ZENO if reached else Status.STOPPED), run.message
        jumps = 1 + 200 if reached else 500
        assert run.events.kind == ("crossing",) * jumps + ("zeno",) * reached
        assert run.t[-1] == run.events.t[jumps - 1]


@pytest.mark.parametrize("height", [1e3, 1e6])
@pytest.mark.parametrize("start", [0.0, 1.0])
def test_jumps_so_close_that_rounding_of_the_state_hides_them_have_reached_their_limit_after_two_hundred(height, start):
    """At this height rounding moves the boundary by 4 spacings of the state, and an interval of 16 is in doubt."""
    spacing = np.spacing(height)
    for spacings, reached in [((6, 3), True), ((300, 100), False)]:
        longer, shorter = (number * spacing for number in spacings)
        run = simulate(
            TWO_LENGTHS,
            parameters={"longer": longer, "shorter": shorter, "height": height},
            initial={"left": height + 1.0},
            initial_time=start,
            final_time=start + 2.0,
            stop=[("jump", 500)],
        )
        assert run.status is (Status.ZENO if reached else Status.STOPPED), run.message
        assert len(run.events) == (1 + 200 + 1 if reached else 500)


def sink_in_flight(xdot, t, x, p, chart):
    xdot[0] = -1.0 if chart == 0 else 0.0


def floor_in_flight(g, t, x, p, chart):
    if chart == 0:
        g[0] = x[0]


@pytest.mark.parametrize("start", [0.0, 1e3, 1e6])
def test_jumps_without_end_at_one_instant_are_a_rest_if_the_boundary_has_a_rest_chart(start):
    for rest in (None, "rest"):
        model = Model(
            "sinks",
            [State("height", 1.0)],
            vector_field=sink_in_flight,
            boundaries=floor_in_flight,
            transition=keep_chart,
            charts=("flight", "rest"),
            boundary_records=[Boundary("floor", degree=1, rest=rest)],
        )
        run = simulate(model, initial_time=start, final_time=start + 2.0)
        assert run.status is (Status.FINAL_TIME if rest else Status.CASCADE), run.message
        assert len(set(run.events.t)) == 1
        assert run.events.t[0] == pytest.approx(start + 1.0, rel=1e-15)
        assert run.events.kind.count("zeno") == (1 if rest else 0)

"""A boundary that rests a little below zero, or waits: it fires below the value it rests at, or once it has risen."""

import itertools

import numpy as np
import pytest

from hybridsim import Boundary, Chart, Model, Parameter, State, Status, simulate

from gallery import clock, decline, switch_chart

LATE = 1.7e9
ROOTS = ("rise", "fall", "end")


def three_roots(g, t, x, p, chart):
    """Below zero up to the first root; then it dips below zero between the second and the third."""
    g[0] = (x[0] - p[0]) * (x[0] - p[1]) * (x[0] - p[2])


@pytest.mark.members
@pytest.mark.parametrize("declared", [{}, {"degree": 3}, {"second_derivative_bound": 6.0}])
@pytest.mark.parametrize("begin", [0.0, 1e3, LATE])
def test_once_it_has_risen_it_fires_at_zero_in_the_same_step_however_shallow_the_dip(declared, begin):
    model = clock(three_roots, Boundary("dip", **declared), transition=decline, parameters=map(Parameter, ROOTS))
    rng = np.random.default_rng(7)
    humps = [(0.05 * fall, fall, 1.5) for fall in (0.02, 0.05, 0.1, 0.2, 0.4)]  # and below zero to the end of the step
    for _ in range(30):
        fall = rng.uniform(0.1, 0.8)
        humps.append((10.0 ** rng.uniform(-7.0, -2.0), fall, fall + 10.0 ** rng.uniform(-4.0, -1.0)))
    depths = []
    for rise, fall, end in humps:
        rest = rise * fall * end
        depths.append(0.25 * fall * (end - fall) ** 2 / rest)
        run = simulate(
            model,
            parameters={"rise": rise, "fall": fall, "end": end},
            initial_time=begin,
            final_time=begin + 1.0,
            first_step=1.0,
            stop_precision=2.0 * rest,  # what is so little below zero rests
            method="rk4",
        )
        assert run.status is Status.FINAL_TIME, run.message
        rounding = 4.0 * np.spacing(begin + 1.0) + 1e-15 / (fall * (end - fall))
        assert run.events.t - begin == pytest.approx([fall], abs=rounding), (rise, fall, end)
    assert min(depths) < 0.1
    assert max(depths) > 10.0


def low_hump(g, t, x, p, chart):
    """It rests at minus the first parameter and rises a little, but is lower than it rested between the other two."""
    g[0] = -p[0] + x[0] * (x[0] - p[1]) * (x[0] - p[2])


@pytest.mark.members
@pytest.mark.parametrize("declared", [{}, {"degree": 3}, {"second_derivative_bound": 6.0}])
@pytest.mark.parametrize("begin", [0.0, LATE])
def test_a_boundary_that_rises_less_than_it_rested_below_zero_fires_where_it_falls_below_that(declared, begin):
    names = ("rest", "fall", "end")
    model = clock(low_hump, Boundary("hump", **declared), transition=decline, parameters=map(Parameter, names))
    for fall, end in itertools.product((0.01, 0.1, 0.3), (0.4, 0.5, 0.8)):
        # The hump is about fall^2 (end - fall / 2) / 4 high, and so much of its depth at rest is above zero:
        for height in (0.3, 0.7):
            rest = 0.25 * fall * fall * (end - 0.5 * fall) / (1.0 + height)
            run = simulate(
                model,
                parameters={"rest": rest, "fall": fall, "end": end},
                initial_time=begin,
                final_time=begin + 1.0,
                first_step=1.0,
                stop_precision=2.0 * rest,
                method="rk4",
            )
            assert run.status is Status.FINAL_TIME, run.message
            rounding = 4.0 * np.spacing(begin + 1.0) + 1e-15 / (fall * (end - fall))
            assert run.events.t - begin == pytest.approx([fall], abs=rounding), (fall, end, height)


@pytest.mark.members
@pytest.mark.parametrize("declared", [{}, {"degree": 3}, {"second_derivative_bound": 6.0}])
@pytest.mark.parametrize("begin", [0.0, LATE])
@pytest.mark.parametrize("step", [1.0, 0.15])
def test_a_boundary_that_waits_is_armed_by_its_rise_wherever_that_is_in_a_step(declared, begin, step):
    boundary = Boundary("dip", armed="when_positive", **declared)
    model = clock(three_roots, boundary, transition=decline, parameters=map(Parameter, ROOTS))
    for roots in itertools.combinations(np.arange(1, 9) / 8.0, 3):  # where a search divides a step, too
        run = simulate(
            model,
            parameters=dict(zip(ROOTS, roots, strict=True)),
            initial_time=begin,
            final_time=begin + 1.0,
            first_step=step,
            max_step=step,
        )
        assert run.status is Status.FINAL_TIME, run.message
        assert run.events.t - begin == pytest.approx([roots[1]], abs=4.0 * np.spacing(begin + 1.0)), roots


def falls_and_rises(g, t, x, p, chart):
    """Positive up to the first root, then below zero up to the second; the roots are in spacings of t, p[3]."""
    place = x[0] / p[3]
    g[0] = (p[0] - place) * (p[1] - place) * (p[2] - place)


@pytest.mark.parametrize(
    ("roots", "events"),
    [
        ((0.25, 1e5, 2e5), [1]),  # it falls, and stays below zero
        ((0.125, 0.375, 1e5), [1]),  # a dip, and no float of t is in it
        ((0.25, 1.125, 1.375), [1, 2]),  # where it waits, a hump, and no float of t is on it
    ],
)
@pytest.mark.parametrize("begin", [1e3, 1e6, LATE])
def test_what_fires_less_than_half_a_spacing_after_the_start_fires_once_at_the_next_float(roots, events, begin):
    """An event at the start itself would leave the state where it was, and the same event would follow for ever."""
    spacing, names = np.spacing(begin), (*ROOTS, "spacing")
    run = simulate(
        clock(falls_and_rises, Boundary("dip", degree=3), transition=decline, parameters=map(Parameter, names)),
        parameters=dict(zip(names, (*roots, spacing), strict=True)),
        initial_time=begin,
        final_time=begin + 2.0**16 * spacing,
        first_step=2.0**16 * spacing,
        method="rk4",
        max_steps=50,
    )
    assert run.status is Status.FINAL_TIME, run.message
    assert ((run.events.t - begin) / spacing).tolist() == events


def place(g, t, x, p, chart):
    g[0] = 0.5 - x[0]


def test_a_boundary_armed_when_positive_does_not_fire_twice_where_it_has_fired():
    """In the chart that the crossing leads to, it is zero and falls: one that is always armed fires again, for ever."""
    charts = (Chart("before"), Chart("after"))
    waiting = clock(place, Boundary("place", armed="when_positive"), transition=switch_chart, charts=charts)
    assert simulate(waiting, final_time=1.0).events.t.tolist() == [0.5]
    always = clock(place, Boundary("place"), transition=switch_chart, charts=charts)
    assert simulate(always, final_time=1.0).status is Status.CASCADE


def along_a_cubic(xdot, t, x, p, chart):
    """Place, speed, acceleration, whose rate is 2 along p[0], and a clock."""
    xdot[0], xdot[1], xdot[2], xdot[3] = x[1], x[2], 2.0 * p[0], 1.0


def beside_a_cubic(g, t, x, p, chart):
    """p[0] t^3 / 3 - p[0] t^3 / 6: a parabola along the flow has the second term alone, and the wrong sign."""
    g[0] = (x[0] - 0.3) - p[0] * (x[3] - 0.7) ** 3 / 6.0


@pytest.mark.parametrize("method", ["dp5", "dop853"])
@pytest.mark.parametrize("begin", [0.0, 1e3, LATE])
@pytest.mark.parametrize("step", [1e-3, 0.1, 1.0])
def test_a_boundary_that_begins_with_its_third_derivative_alone_fires_if_that_is_negative(step, begin, method):
    """So a gap begins where the force of a contact has vanished."""
    states = [State("place", 0.3), State("speed"), State("acceleration"), State("clock", 0.7)]
    functions = {"vector_field": along_a_cubic, "boundaries": beside_a_cubic, "transition": decline}
    model = Model("cubic", states, parameters=[Parameter("side")], boundary_records=[Boundary("gap")], **functions)
    settings = {"initial_time": begin, "final_time": begin + 1.0, "first_step": step, "method": method}
    assert len(simulate(model, parameters={"side": 1.0}, **settings).events) == 0
    falls = simulate(model, parameters={"side": -1.0}, **settings).events.t - begin
    assert len(falls) >= 1  # and rounding may raise it to zero again, while it is as flat
    assert falls.max() < 1e-4

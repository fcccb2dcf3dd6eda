"""What rounding does to boundaries, and what it must not do: large states, late times, values that cancel."""

import math

import numpy as np
import pytest

from hybridsim import DECLINED, Boundary, Model, Parameter, State, Status, simulate

from gallery import clock, decline, keep_chart, unit_slope

EPS = np.finfo(float).eps
LATE = 1.7e9  # seconds since 1970: spacing 2.4e-7


def declining(boundaries, *records, **more):
    """x grows by 1 a second, and each crossing of these boundaries is declined."""
    return clock(boundaries, *records, transition=decline, **more)


# Large states: a boundary of |x| = 7e6 is rough by 9e-10, more than stop_precision.


@pytest.mark.parametrize("declared", [{}, {"degree": 1}, {"second_derivative_bound": 0.0}])
def test_a_crossing_of_a_large_state_is_located_to_the_roundings_of_the_state(declared):
    def ahead(g, t, x, p, chart):
        g[0] = p[0] - 3.0 * x[0]

    model = declining(ahead, Boundary("edge", **declared), parameters=[Parameter("level")])
    rng = np.random.default_rng(5)
    for start, after in zip(rng.uniform(6e6, 8e6, 20), rng.uniform(1e-9, 1e-3, 20), strict=True):
        level = 3.0 * (start + after)
        run = simulate(model, parameters={"level": level}, initial={"x": start}, final_time=2e-3)
        assert run.status is Status.FINAL_TIME
        assert [event.t for event in run.events] == pytest.approx([level / 3.0 - start], abs=4.0 * EPS * 8e6)


def test_a_boundary_that_jumps_is_reported_at_large_states_too():
    def jumps(g, t, x, p, chart):
        g[0] = 1e-6 if x[0] < 7e6 + 0.7 else -1e-6

    run = simulate(declining(jumps, Boundary("edge")), initial={"x": 7e6}, final_time=1.0)
    assert run.status is Status.DISCONTINUOUS_BOUNDARY


def parted(xdot, t, x, p, chart):
    """x = y + z for all times, and y + z falls as x does, or faster by the parameter."""
    xdot[0] = 0.3 + p[0] * t
    xdot[2] = 0.1
    xdot[4] = 0.2


def balance(g, t, x, p, chart):
    g[0] = x[0] - x[2] - x[4]


def balanced(transition=keep_chart):
    """A difference of three large states, all of even index, that rounding alone keeps from zero."""
    functions = {"vector_field": parted, "boundaries": balance, "transition": transition}
    states = [State("x"), State("a"), State("y"), State("b"), State("z")]
    return Model(
        "balanced",
        states,
        **functions,
        parameters=[Parameter("bend")],
        boundary_records=[Boundary("balance")],
    )


def test_a_boundary_that_is_zero_but_for_rounding_rests():
    rng = np.random.default_rng(6)
    for y, z in rng.uniform(1e6, 9e6, (80, 2)):
        if (y + z) - y - z > 0.0:
            continue  # no positive value is taken for zero
        run = simulate(balanced(), parameters={"bend": 1e-3}, initial={"x": y + z, "y": y, "z": z}, final_time=10.0)
        assert run.status is Status.FINAL_TIME
        assert len(run.events) == 0


def test_a_boundary_that_bends_down_from_zero_fires_though_its_slope_is_rounding():
    run = simulate(
        balanced(decline),
        parameters={"bend": -1.0},
        initial={"x": 12e6, "y": 7e6, "z": 5e6},
        final_time=10.0,
        first_step=0.1,
    )
    assert len(run.events) == 1
    assert run.events[0].t < 1e-3  # t^2 / 2 exceeds the eight roundings of 2e-9 from 2e-4 on


def test_a_transition_onto_a_boundary_lands_inside_though_rounding_makes_it_negative():
    def sides(g, t, x, p, chart):
        if chart == 0:
            g[0] = p[0] - x[0]
        else:
            g[1] = 3.0 * x[0] - x[1]

    def onto(x_new, t, x, p, chart, crossed):
        if crossed[1]:
            return DECLINED
        x_new[1] = 2.9 * x[0] + 0.1 * x[0]
        return 1

    functions = {"vector_field": unit_slope, "boundaries": sides, "transition": onto}
    boundaries = [Boundary("edge", degree=1), Boundary("line", degree=1)]
    states = [State("x"), State("y", continuous=False)]
    model = Model(
        "onto",
        states,
        **functions,
        parameters=[Parameter("level")],
        charts=("before", "after"),
        boundary_records=boundaries,
    )
    for start in np.random.default_rng(7).uniform(1e6, 9e6, 40):
        run = simulate(model, parameters={"level": start + 0.01}, initial={"x": start}, final_time=0.02)
        assert run.status is Status.FINAL_TIME
        assert len(run.events) == 1


# Late times: differences in t must not be shorter than the spacing of t.


@pytest.mark.parametrize("declared", [{}, {"degree": 1}, {"second_derivative_bound": 0.0}])
def test_a_boundary_on_zero_that_falls_with_a_late_time_fires_at_once(declared):
    def late(g, t, x, p, chart):
        g[0] = p[0] - t

    model = declining(late, Boundary("late", **declared), parameters=[Parameter("when")])
    run = simulate(model, parameters={"when": LATE}, initial_time=LATE, final_time=LATE + 1.0, first_step=1e-3)
    assert [event.t for event in run.events] == [LATE]


def test_a_boundary_on_zero_that_bends_down_with_a_late_time_fires_at_once():
    def parabola(g, t, x, p, chart):
        g[0] = -(t - p[0]) * (t - p[0])

    model = declining(parabola, Boundary("late", degree=2), parameters=[Parameter("when")])
    run = simulate(model, parameters={"when": LATE}, initial_time=LATE, final_time=LATE + 1.0, first_step=0.05)
    assert [event.t for event in run.events] == [LATE]


def from_zero_to_zero(g, t, x, p, chart):
    """Zero and rising at x = 0, zero and falling at x = p[0]."""
    part = x[0] / p[0]
    g[0] = part * (1.0 - part) * (1.0 + part)


@pytest.mark.parametrize("declared", [{}, {"degree": 3}])
@pytest.mark.parametrize("begin", [1e3, 1e6, LATE])
def test_a_boundary_that_rises_from_zero_does_not_fire_before_the_zero_a_hundred_spacings_ahead(declared, begin):
    model = declining(from_zero_to_zero, Boundary("hump", **declared), parameters=[Parameter("ahead")])
    spacing = np.spacing(begin)
    step = 2.0**16 * spacing
    values = {"ahead": 100.0 * spacing}
    run = simulate(model, parameters=values, initial_time=begin, final_time=begin + step, first_step=step)
    assert run.events.t - begin == pytest.approx([100.0 * spacing], abs=2.0 * spacing)


# A value that is no number within a step.


def hole(g, t, x, p, chart):
    g[0] = 1.0 + ((x[0] - 0.5) * (x[0] - 0.5) - 0.04) ** 0.5  # undefined from 0.3 to 0.7


@pytest.mark.usefixtures("trusted_declarations")
@pytest.mark.parametrize("declared", [{}, {"degree": 2}, {"degree": 4}, {"second_derivative_bound": 9.0}])
def test_a_boundary_that_is_no_number_within_a_step_is_named(declared):
    run = simulate(declining(hole, Boundary("edge", **declared)), final_time=1.0, method="rk4", first_step=1.0)
    assert run.status is Status.NON_FINITE_BOUNDARY
    assert run.message.startswith("boundary edge: ")


# At rest on zero, where a bound proves nothing.


def creeping(g, t, x, p, chart):
    """0 with all slopes up to the second at 0; below zero from 0.3 to 0.4."""
    g[0] = x[0] * x[0] * x[0] * (x[0] - 0.3) * (x[0] - 0.4)


def test_a_bounded_boundary_that_starts_at_rest_on_zero_misses_no_pair_later_in_the_step():
    # d2/dx2 (x^5 - 0.7 x^4 + 0.12 x^3) = 20 x^3 - 8.4 x^2 + 0.72 x, 12.32 at most in [0, 1]
    model = declining(creeping, Boundary("edge", second_derivative_bound=100.0))
    run = simulate(model, final_time=1.0, method="rk4", first_step=1.0)
    assert [event.t for event in run.events] == pytest.approx([0.3], abs=1e-13)


def flat(g, t, x, p, chart):
    g[0] = max(x[0] - 0.75, 0.0) * max(x[0] - 0.75, 0.0) * (0.875 - x[0])


def test_an_event_that_a_bound_could_not_prove_to_be_the_first_is_marked_as_sampled():
    model = declining(flat, Boundary("edge", second_derivative_bound=10.0))
    run = simulate(model, final_time=1.0, method="rk4", first_step=1.0)  # and goes on from the event in a second step
    assert [event.t for event in run.events] == pytest.approx([0.875], abs=1e-13)
    assert [event.certificate for event in run.events] == ["sampled"]
    assert (run.statistics["sampled_steps"], run.statistics["bounded_steps"]) == (1, 1)


# Time boundaries.


def tick(x_new, t, x, p, chart, crossed):
    x_new[1] = x[1] + 1.0
    return chart


def ticking(boundaries, period):
    functions = {"vector_field": unit_slope, "boundaries": boundaries, "transition": tick}
    states = [State("x"), State("ticks", continuous=False)]
    parameters = [Parameter("period", period), Parameter("offset", 0.0)]
    return Model(
        "ticking",
        states,
        **functions,
        parameters=parameters,
        boundary_records=[Boundary("tick", time=True)],
    )


def sawtooth(g, t, x, p, chart):
    g[0] = (math.floor(t / p[0]) + 1.0) * p[0] - t


def counted(g, t, x, p, chart):
    g[0] = p[1] + (x[1] + 1.0) * p[0] - t


@pytest.mark.parametrize("period", [0.1, 1.0 / 3.0, 0.7, 1.0])
def test_a_time_left_that_jumps_up_at_its_instant_loses_no_tick(period):
    run = simulate(ticking(sawtooth, period), final_time=300.5 * period, record=False)
    expected = period * np.arange(1, 301)
    assert len(run.events) == 300
    np.testing.assert_allclose(run.events.t, expected, rtol=2.0 * EPS, atol=0.0)


@pytest.mark.parametrize("offset", [0.0, 1e6, -1e6])
def test_a_counted_clock_ticks_on_the_very_floats(offset):
    model = ticking(counted, 0.1)
    run = simulate(model, parameters={"offset": offset}, initial_time=min(offset, 0.0), final_time=offset + 30.05)
    expected = [offset + k * 0.1 for k in range(1, 301)]
    assert run.events.t.tolist() == expected


# The certificate of an event.


def both(g, t, x, p, chart):
    g[0] = 0.5 - x[0]
    g[1] = 0.5 - x[0]


@pytest.mark.parametrize("kinds", [(1, None), (None, 1)])
def test_a_tie_is_as_sure_as_the_least_sure_of_its_boundaries(kinds):
    model = declining(both, *(Boundary(name, degree=kind) for name, kind in zip("ab", kinds, strict=True)))
    run = simulate(model, final_time=1.0)
    assert [event.certificate for event in run.events] == ["sampled"]
    at_once = simulate(model, initial={"x": 0.5}, final_time=1.0)
    assert [event.certificate for event in at_once.events] == ["sampled"]

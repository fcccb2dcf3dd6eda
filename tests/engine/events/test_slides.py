"""Slides with a solution in closed form: when they begin and end, the weights, and what must not change them."""

import numpy as np
import pytest
from scipy.optimize import brentq

import hybridsim
from hybridsim import DECLINED, Boundary, Chart, Model, Parameter, Records, State, Status

from gallery import switch_chart


def kinds(run):
    return [(event.kind, *event.boundaries) for event in run.events]


def pushed_off_model():
    """x slides on 0 between the charts until a tick, then leaves at 3 m/s; y, z and u have closed forms."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = -1.0 if chart == 0 else 1.0
        if x[4] >= 1.0:
            xdot[0] = 3.0
        xdot[1] = 1.0 + x[4]
        xdot[2] = x[4] * np.sin(x[1])
        xdot[3] = -x[3] * (1.0 + x[4])

    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = x[0]
        else:
            g[1] = -x[0]
        g[2] = (1.0 if x[4] < 1.0 else 50.0) - t

    def transition(xn, t, x, p, chart, crossed):
        if crossed[2]:
            xn[4] = x[4] + 1.0
            return 0
        return 1 - chart

    return Model(
        "pushed_off",
        Records(State("x", 0.3), State("y"), State("z"), State("u", 1.0), State("pushes", continuous=False)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(Boundary("right", degree=1), Boundary("left", degree=1), Boundary("tick", time=True)),
        charts=Records(Chart("positive"), Chart("negative")),
    )


@pytest.mark.parametrize("steps", [True, False])
def test_looking_at_a_slide_changes_no_bit_of_what_follows(steps):
    model = pushed_off_model()
    undisturbed = hybridsim.simulate(model, final_time=3.0, record={"steps": steps})
    watched = hybridsim.Simulation(model, final_time=3.0, record={"steps": steps})
    for t in np.linspace(0.05, 2.99, 60):
        watched.advance(t)
        watched.result()
    run = watched.run()
    for name in ("t", "x", "j", "chart", "adjacent_chart", "sliding_weight"):
        np.testing.assert_array_equal(getattr(run, name), getattr(undisturbed, name), err_msg=name)
    np.testing.assert_array_equal(run.events.t, undisturbed.events.t)
    assert kinds(run) == kinds(undisturbed) == [("entry", "right"), ("crossing", "tick")]
    expected = [6.0, 5.0, (np.cos(1.0) - np.cos(5.0)) / 2.0, np.exp(-5.0), 1.0]
    np.testing.assert_allclose(run.x[-1], expected, rtol=1e-7)


def along_the_wave(xdot, t, x, p, chart, other):
    xdot[0] = 1.0
    xdot[1] = 0.9 * np.cos(3.0 * x[0])
    xdot[2] = 0.0


def leave_the_wave(xn, t, x, p, chart, crossed):
    if crossed[2]:
        return 2
    if crossed[3]:
        return 3
    return 1 - chart


def along_a_wave_model(own_field=False):
    """y falls at 2 and rises at 3 towards y = 0.3 sin 3x while x grows at 1; at T it leaves and z falls to 0."""

    def vector_field(xdot, t, x, p, chart):
        if chart == 2:
            xdot[2] = -1.0
        elif chart < 2:
            xdot[0] = 1.0
            xdot[1] = -2.0 if chart == 0 else 3.0

    def boundaries(g, t, x, p, chart):
        height = x[1] - 0.3 * np.sin(3.0 * x[0])
        if chart == 0:
            g[0] = height
        elif chart == 1:
            g[1] = -height
        elif chart == 2:
            g[3] = x[2]
        if chart < 2:
            g[2] = p[0] - t

    functions = {"vector_field": vector_field, "boundaries": boundaries, "transition": leave_the_wave}
    if own_field:
        functions["sliding_field"] = along_the_wave
    return Model(
        "along_a_wave",
        Records(State("x"), State("y", 0.5), State("z", 1e4)),
        **functions,
        parameters=Records(Parameter("T", 2.0)),
        boundary_records=Records(
            Boundary("above"), Boundary("below"), Boundary("tick", time=True), Boundary("z", degree=1)
        ),
        charts=Records(Chart("a"), Chart("b"), Chart("falling"), Chart("down")),
    )


def test_weights_hold_the_state_on_the_surface_whatever_comes_after_the_slide():
    model = along_a_wave_model()
    short = hybridsim.simulate(model, final_time=3.0)
    long = hybridsim.simulate(model, final_time=1e6)
    assert long.events.kind == ("entry", "crossing", "crossing")
    weights = []
    for run in (short, long):
        slides = run.adjacent_chart >= 0
        # On the surface y' = 0.9 cos 3x = -2 w + 3 (1 - w).
        weights.append(run.sliding_weight[slides])
        np.testing.assert_allclose(weights[-1], (3.0 - 0.9 * np.cos(3.0 * run.x[slides, 0])) / 5.0, atol=1e-9)
    np.testing.assert_array_equal(*weights)
    assert np.all(long.sliding_weight[long.adjacent_chart < 0] == 1.0)


@pytest.mark.parametrize("own_field", [False, True])
def test_a_slide_along_a_curve_takes_the_steps_of_the_methods_order(own_field):
    model = along_a_wave_model(own_field)
    steps = []
    for rtol in (1e-4, 1e-10):
        run = hybridsim.simulate(model, parameters={"T": 5.0}, initial={"z": 1.0}, final_time=2.0, rtol=rtol)
        assert abs(run.x[-1, 1] - 0.3 * np.sin(6.0)) <= rtol
        steps.append(run.statistics["steps"])
    # A method of order 5 takes steps as tol^(1/5).
    assert steps[1] <= steps[0] * 1e6 ** (1.0 / 5.0)


def two_signs_model(armed, upper_rate, lower_rate):
    """One chart for each pair of signs of x and y, as bits. x slides on 0; y has its own rate in each of its signs."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = 1.0 if chart & 1 else -1.0
        xdot[1] = p[2] * np.cos(t) + (p[1] if chart & 2 else p[0])

    def boundaries(g, t, x, p, chart):
        if chart & 1:
            g[1] = -x[0]
        else:
            g[0] = x[0]
        if chart & 2:
            g[3] = -x[1]
        else:
            g[2] = x[1]

    def transition(xn, t, x, p, chart, crossed):
        if crossed[0] or crossed[1]:
            chart = chart ^ 1
        if crossed[2] or crossed[3]:
            chart = chart ^ 2
        return chart

    names = ("x_falls", "x_rises", "y_falls", "y_rises")
    return Model(
        "two_signs",
        Records(State("x", 0.3), State("y", 0.9)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        parameters=Records(Parameter("upper", upper_rate), Parameter("lower", lower_rate), Parameter("swing", 0.0)),
        boundary_records=Records(*(Boundary(name, degree=1, armed=armed) for name in names)),
        charts=Records(*(Chart(name) for name in ("pp", "np", "pn", "nn"))),
    )


@pytest.mark.parametrize("armed", ["always", "when_positive"])
def test_a_slide_goes_on_across_another_boundary(armed):
    run = hybridsim.simulate(two_signs_model(armed, -1.0, -2.0), final_time=3.0)
    assert run.status is Status.FINAL_TIME
    assert kinds(run) == [("entry", "x_falls"), ("crossing", "y_falls"), ("entry", "x_falls")]
    np.testing.assert_allclose(run.events.t, [0.3, 0.9, 0.9], atol=1e-12)
    np.testing.assert_array_equal(run.events.surface, 0)  # x_falls, for the slide that ends as well
    np.testing.assert_allclose(run.x[-1], [0.0, -4.2], atol=1e-10)
    assert (run.chart[-1], run.adjacent_chart[-1], run.sliding_weight[-1]) == (2, 3, pytest.approx(0.5))


@pytest.mark.parametrize("armed", ["always", "when_positive"])
def test_no_boundary_is_passed_after_a_slide_has_begun_on_another(armed):
    run = hybridsim.simulate(
        two_signs_model(armed, -0.8, 0.8), parameters={"swing": 1.0}, initial={"y": 0.2}, final_time=6.0
    )
    # y = 0.2 + sin t - 0.8 t is driven onto 0 from both sides while x slides too: two surfaces at once.
    arrival = brentq(lambda t: 0.2 + np.sin(t) - 0.8 * t, 1.0, 2.0)
    assert run.status is Status.SLIDING_INTERSECTION
    assert run.t[-1] == pytest.approx(arrival, abs=1e-6)
    np.testing.assert_allclose(run.x[-1], 0.0, atol=1e-10)
    assert run.x[:, 1].min() >= -1e-10


def released_model():
    """x slides on 0 until the right-hand chart's rate turns at 2 s: then x = (t - 2)^2 / 2. Ticks are declined."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = t - 2.0 if chart == 0 else 1.0

    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = x[0]
        else:
            g[1] = -x[0]
        g[2] = p[0] - t

    def transition(xn, t, x, p, chart, crossed):
        if crossed[2]:
            return DECLINED
        return 1 - chart

    return Model(
        "released",
        Records(State("x", 0.5)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        parameters=Records(Parameter("T", 2.0)),
        boundary_records=Records(Boundary("right", degree=1), Boundary("left", degree=1), Boundary("tick", time=True)),
        charts=Records(Chart("a"), Chart("b")),
    )


@pytest.mark.parametrize("tick", [2.0, 5.0])
def test_a_declined_crossing_at_the_end_of_a_slide_does_not_keep_it_from_ending(tick):
    run = hybridsim.simulate(released_model(), parameters={"T": tick}, final_time=4.0)
    assert run.status is Status.FINAL_TIME
    slide = [event for event in run.events if event.kind in ("entry", "exit")]
    assert [event.kind for event in slide] == ["entry", "exit"]
    # 0.5 - 2 t + t^2 / 2 = 0 at 2 - sqrt 3.
    np.testing.assert_allclose([event.t for event in slide], [2.0 - np.sqrt(3.0), 2.0], atol=1e-9)
    assert (slide[1].chart_before, slide[1].chart_after) == (0, 0)
    assert run.x[-1, 0] == pytest.approx(2.0, rel=1e-9)
    declined = [event for event in run.events if event.declined]
    assert {(event.t, *event.boundaries) for event in declined} == ({(2.0, "tick")} if tick == 2.0 else set())


def far_away_model():
    """x falls at 1 and rises at 0.7 towards c."""

    def vector_field(xdot, t, x, p, chart):
        xdot[0] = -1.0 if chart == 0 else 0.7

    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = x[0] - p[0]
        else:
            g[1] = p[0] - x[0]

    return Model(
        "far_away",
        Records(State("x")),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=switch_chart,
        parameters=Records(Parameter("c")),
        boundary_records=Records(Boundary("right", degree=1), Boundary("left", degree=1)),
        charts=Records(Chart("a"), Chart("b")),
    )


@pytest.mark.parametrize("rtol", [1e-8, 1e-12])
@pytest.mark.parametrize(
    ("place", "beginning"),
    [(0.1, 0.0), (1e3 / 3, 0.0), (0.1, 1e6)],
)
def test_a_slide_is_found_however_coarse_the_floats_are_there(place, beginning, rtol):
    run = hybridsim.simulate(
        far_away_model(),
        parameters={"c": place},
        initial={"x": place + 0.337},
        initial_time=beginning,
        final_time=beginning + 2.0,
        rtol=rtol,
    )
    spacing = np.spacing(max(place, beginning))
    assert run.status is Status.FINAL_TIME
    assert run.events.kind == ("entry",)
    assert run.events[0].t - beginning == pytest.approx(0.337, abs=max(4.0 * spacing, 1e-10))
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.x[slides, 0] - place, 0.0, atol=max(4.0 * spacing, 1e-10))
    np.testing.assert_allclose(run.sliding_weight[slides], 0.7 / 1.7, rtol=1e-9)


def corner_model():
    """a and b slide down x = 0 at 1; at y = 0, reached after 1 s, a and c slide along it at x' = 2."""

    def vector_field(xdot, t, x, p, chart):
        if chart == 0:
            xdot[0] = -1.0
            xdot[1] = -1.0
        elif chart == 1:
            xdot[0] = 1.0
            xdot[1] = -1.0
        else:
            xdot[0] = 5.0
            xdot[1] = 1.0

    def boundaries(g, t, x, p, chart):
        if chart == 0:
            g[0] = x[0]
            g[1] = x[1]
        elif chart == 1:
            g[2] = -x[0]
        else:
            g[3] = -x[1]

    def transition(xn, t, x, p, chart, crossed):
        if chart == 0:
            return 2 if crossed[1] else 1
        return 0

    names = ("a_left", "a_down", "b_right", "c_up")
    return Model(
        "corner",
        Records(State("x", 0.3), State("y", 1.0)),
        vector_field=vector_field,
        boundaries=boundaries,
        transition=transition,
        boundary_records=Records(*(Boundary(name, degree=1) for name in names)),
        charts=Records(Chart("a"), Chart("b"), Chart("c")),
    )


@pytest.mark.parametrize("steps", [True, False])
def test_the_rows_of_a_slide_that_leads_into_another_show_it(steps):
    run = hybridsim.simulate(corner_model(), final_time=2.0, record={"steps": steps})
    assert run.status is Status.FINAL_TIME
    assert kinds(run) == [("entry", "a_left"), ("entry", "a_down")]
    np.testing.assert_allclose(run.events.t, [0.3, 1.0], atol=1e-12)
    np.testing.assert_array_equal(run.events.adjacent_chart, [1, 2])
    np.testing.assert_array_equal(run.chart, 0)
    np.testing.assert_array_equal(run.adjacent_chart, np.choose(run.j, [-1, 1, 2]))
    np.testing.assert_allclose(run.sliding_weight, np.choose(run.j, [1.0, 0.5, 0.5]), rtol=1e-9)
    np.testing.assert_allclose(run.x[-1], [2.0, 0.0], atol=1e-10)
    if not steps:
        assert len(run.t) == 6

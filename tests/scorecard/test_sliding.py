"""Flows that oppose each other at a surface: the run slides along it (Filippov 1988), and leaves when one lets go.

A weight w mixes the flows of the chart it came from and of the other one: xdot = w f + (1 - w) f_other, on the surface.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import lambertw

from hybridsim import Simulation, Status, load_model, simulate

TIGHT = {"rtol": 1e-10, "atol": 1e-12}
RIGHT, LEFT = 0, 1
EXACT = 1e-10
"""What times of entry and exit must keep at rtol 1e-10."""


def run_sides(plugin, flow, initial, final_time, **keywords):
    parameters = {"flow": flow, **keywords.pop("parameters", {})}
    return simulate(
        plugin("sides"), parameters=parameters, initial=initial, final_time=final_time, **{**TIGHT, **keywords}
    )


def kinds(run):
    return [event.kind for event in run.events]


def check_slide(run, start, end, chart=RIGHT):
    """Rows between `start` and `end` slide, the others do not."""
    slides = run.adjacent_chart >= 0
    inside = (run.t > start + EXACT) & (run.t < end - EXACT)
    assert np.all(slides[inside])
    assert not np.any(slides[(run.t < start - EXACT) | (run.t > end + EXACT)])
    assert set(run.chart[slides]) <= {chart}
    assert set(run.adjacent_chart[slides]) <= {1 - chart}
    assert np.all(run.sliding_weight[~slides] == 1.0)
    assert np.all((run.sliding_weight >= -1e-9) & (run.sliding_weight <= 1.0 + 1e-9))  # of rates that are differences


@pytest.mark.members(1)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_relay_pulls_x_to_zero_and_holds_it(plugin, side):
    run = run_sides(plugin, "constant", {"x": side}, 2.0)
    chart = RIGHT if side > 0 else LEFT
    assert run.status is Status.FINAL_TIME
    assert kinds(run) == ["entry"]
    entry = run.events[0]
    assert (entry.chart_before, entry.chart_after, entry.adjacent_chart, entry.j) == (chart, chart, 1 - chart, 0)
    assert entry.t == pytest.approx(0.5, abs=EXACT)
    assert run.j[-1] == 1
    check_slide(run, 0.5, 3.0, chart)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.sliding_weight[slides], 0.5, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.x[slides, 0], 0.0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(run["push_x"][slides], 0.0, rtol=0, atol=1e-12)  # outputs are mixed alike


def test_a_relay_against_a_lag_is_entered_at_its_lambert_time(plugin):
    # x = 3 - 4 t - 2 exp(-t) until it is zero. Then w (-2 - 2 y) + (1 - w) (2 - 2 y) = 0 with y = 1 - exp(-t).
    entry = 0.75 + float(lambertw(-math.exp(-0.75) / 2.0).real)
    assert 3.0 - 4.0 * entry - 2.0 * math.exp(-entry) == pytest.approx(0.0, abs=1e-15)
    run = run_sides(plugin, "lag", {"x": 1.0, "y": 0.0}, 1.0)
    assert kinds(run) == ["entry"]
    assert run.events.t[0] == pytest.approx(entry, abs=EXACT)
    check_slide(run, entry, 2.0)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.x[slides, 0], 0.0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.sliding_weight[slides], 0.5 * np.exp(-run.t[slides]), rtol=0, atol=1e-9)
    assert run["y"][-1] == pytest.approx(1.0 - math.exp(-1.0), abs=1e-9)


def test_two_quantities_that_meet_go_on_together(plugin):
    # x falls by 2 and y rises by 3/2 until they meet; there w (-7/2) + (1 - w) 5 = 0, and both fall by 6/17.
    run = run_sides(plugin, "pair", {"x": 1.5, "y": 1.0}, 1.0)
    assert kinds(run) == ["entry"]
    assert run.events.t[0] == pytest.approx(1.0 / 7.0, abs=EXACT)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.sliding_weight[slides], 10.0 / 17.0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run.x[-1, :2], 31.0 / 34.0, rtol=0, atol=EXACT)
    at = np.linspace(0.2, 0.9, 8)
    np.testing.assert_allclose(run.at(at)[:, 0], 17.0 / 14.0 - 6.0 / 17.0 * (at - 1.0 / 7.0), rtol=0, atol=EXACT)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("way", ["back", "through"])
def test_a_slide_ends_where_one_flow_lets_go(plugin, side, way):
    # xdot = c t - sgn x. With c = sgn x0 the flow on the side it came from turns round at t = 1, else the other.
    c = side if way == "back" else -side
    run = run_sides(plugin, "departs", {"x": 0.25 * side}, 2.0, parameters={"c": c})
    chart = RIGHT if side > 0 else LEFT
    # 1/4 - t + t^2 / 2 = 0, or 1/4 - t - t^2 / 2 = 0
    enter = 1.0 - math.sqrt(0.5) if way == "back" else math.sqrt(1.5) - 1.0
    assert kinds(run) == ["entry", "exit"]
    np.testing.assert_allclose(run.events.t, [enter, 1.0], rtol=0, atol=EXACT)
    leave = run.events[1]
    assert (leave.chart_before, leave.adjacent_chart) == (chart, 1 - chart)
    assert leave.chart_after == (chart if way == "back" else 1 - chart)
    assert run.j.tolist() == sorted(run.j.tolist())
    assert run.j[-1] == 2
    check_slide(run, enter, 1.0, chart)
    slides = run.adjacent_chart >= 0
    # w (ct - s) + (1 - w) (ct + s) = 0
    np.testing.assert_allclose(run.sliding_weight[slides], 0.5 * (1.0 + c * side * run.t[slides]), rtol=0, atol=1e-9)
    assert run["x"][-1] == pytest.approx(0.5 * c, abs=EXACT)  # the integral of c (t - 1) from 1 to 2


def test_a_slide_keeps_to_a_circle_and_leaves_it(plugin):
    # Outside the radius changes by t - 1, inside by 1; the angle by 2 outside and by 1 inside.
    a, b, c = 1.0, 1.0, 1.0
    run = run_sides(plugin, "circle", {"x": 1.25, "y": 0.0}, 2.0, parameters={"a": a, "b": b, "c": c})
    enter = 1.0 - math.sqrt(0.5)  # 1/4 - t + t^2 / 2 = 0
    assert kinds(run) == ["entry", "exit"]
    np.testing.assert_allclose(run.events.t, [enter, 1.0], rtol=0, atol=EXACT)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(np.hypot(run.x[slides, 0], run.x[slides, 1]), 1.0, rtol=0, atol=1e-10)
    # w (t - 1) + (1 - w) = 0: w = 1 / (2 - t), and the angle grows by 1 + w.
    np.testing.assert_allclose(run.sliding_weight[slides], 1.0 / (2.0 - run.t[slides]), rtol=0, atol=1e-8)
    angle = 2.0 * enter + (1.0 - enter) + math.log((2.0 - enter) / 1.0)
    leaves = run.events[1].x_before
    np.testing.assert_allclose(leaves[:2], [math.cos(angle), math.sin(angle)], rtol=0, atol=1e-9)
    radius, angle = 1.5, angle + 2.0  # at t = 2: 1 + (t - 1)^2 / 2, and one more second outside
    np.testing.assert_allclose(run.x[-1, :2], [radius * math.cos(angle), radius * math.sin(angle)], rtol=0, atol=1e-9)


def test_a_slide_follows_a_surface_that_moves_until_it_is_too_fast(plugin):
    # xdot = -0.8 sgn(x - sin t) follows sin t while |cos t| < 0.8.
    leave = math.acos(-0.8)
    run = run_sides(plugin, "tracks", {"x": 1.5}, 4.0, parameters={"a": 0.8})
    enter = brentq(lambda t: 1.5 - 0.8 * t - math.sin(t), 0.0, 2.0, xtol=1e-15)
    assert abs(math.cos(enter)) < 0.8
    assert kinds(run) == ["entry", "exit"]
    np.testing.assert_allclose(run.events.t, [enter, leave], rtol=0, atol=EXACT)
    check_slide(run, enter, leave)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.x[slides, 0], np.sin(run.t[slides]), rtol=0, atol=EXACT)
    # w (-0.8) + (1 - w) 0.8 = cos t
    np.testing.assert_allclose(run.sliding_weight[slides], 0.5 - np.cos(run.t[slides]) / 1.6, rtol=0, atol=1e-8)
    assert run.x[-1, 0] == pytest.approx(0.6 - 0.8 * (4.0 - leave), abs=EXACT)


def test_a_slide_that_begins_after_a_long_step_keeps_to_its_surface(plugin):
    # Free flight is linear, and steps grow to hundreds of seconds before x falls onto sin t.
    enter = brentq(lambda t: 1000.0 - 2.0 * t - math.sin(t), 499.0, 501.0, xtol=1e-13)
    run = run_sides(plugin, "tracks", {"x": 1000.0}, 510.0, parameters={"a": 2.0})
    assert kinds(run) == ["entry"]
    assert run.events.t[0] == pytest.approx(enter, abs=EXACT)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.x[slides, 0], np.sin(run.t[slides]), rtol=0, atol=1e-8)
    np.testing.assert_allclose(run.sliding_weight[slides], 0.5 - np.cos(run.t[slides]) / 4.0, rtol=0, atol=1e-7)


def test_looking_at_a_slide_changes_no_bit_of_it(plugin):
    keywords = {
        "parameters": {"flow": "circle", "c": 1.0},
        "initial": {"x": 1.25, "y": 0.0},
        "final_time": 2.0,
        **TIGHT,
    }
    whole = simulate(plugin("sides"), **keywords)
    bare = simulate(plugin("sides"), record=False, **keywords)
    np.testing.assert_array_equal(bare.x[-1], whole.x[-1])
    np.testing.assert_array_equal(bare.events.t, whole.events.t)
    simulation = Simulation(plugin("sides"), **keywords)
    for t in np.linspace(0.0, 2.0, 41):
        simulation.advance(t)
        np.testing.assert_array_equal(simulation.x, whole.at(t))


def test_a_mass_with_dry_friction_swings_twice_and_sticks(plugin):
    # Friction 0.3 takes 0.6 off each half swing: from 1 to -0.4, to 0.2 - which the spring cannot pull away.
    run = run_sides(plugin, "friction", {"x": 1.0, "y": 0.0}, 10.0, parameters={"a": 0.3, "b": 0.0})
    assert kinds(run) == ["crossing", "entry"]
    np.testing.assert_allclose(run.events.t, [math.pi, 2.0 * math.pi], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.x[-1, :2], [-0.2, 0.0], rtol=0, atol=1e-9)
    assert run.sliding_weight[-1] == pytest.approx((0.3 + 0.2) / 0.6, abs=1e-8)  # w (-x - 0.3) + (1 - w) (-x + 0.3) = 0


def test_a_mass_on_a_belt_is_caught_and_breaks_away(plugin):
    # x = 1 - cos t until the speed is that of the belt, 1/2; then it rides until the spring pulls with the friction, 1.
    run = run_sides(plugin, "friction", {"x": 0.0, "y": 0.0}, 6.0, parameters={"a": 1.0, "b": 0.5})
    caught = math.pi / 6.0
    breaks = caught + math.sqrt(3.0)  # from x = 1 - sqrt(3) / 2 to 1 at speed 1/2
    assert kinds(run) == ["entry", "exit"]
    np.testing.assert_allclose(run.events.t, [caught, breaks], rtol=0, atol=EXACT)
    assert [event.chart_after for event in run.events] == [LEFT, LEFT]
    check_slide(run, caught, breaks, LEFT)
    slides = run.adjacent_chart >= 0
    np.testing.assert_allclose(run.x[slides, 1], 0.5, rtol=0, atol=EXACT)
    swing = 6.0 - breaks  # about x = 1, with the speed of the belt
    np.testing.assert_allclose(run.x[-1, :2], [1.0 + 0.5 * math.sin(swing), 0.5 * math.cos(swing)], rtol=0, atol=1e-9)


def test_another_boundary_ends_a_slide(plugin):
    # Both fall together from 17/14 at t = 1/7 until y is 1; there y is raised to 2 and x by 7/2, and they meet again.
    run = run_sides(
        plugin, "pair", {"x": 1.5, "y": 1.0}, 3.0, parameters={"lowest": 0.999, "push": 1.0 + 0.5}, stop=[("low", 1)]
    )
    ends = 1.0 / 7.0 + (17.0 / 14.0 - 0.999) * 17.0 / 6.0
    assert kinds(run) == ["entry", "crossing"]
    assert run.events[1].boundaries == ("low",)
    assert run.events.t[1] == pytest.approx(ends, abs=EXACT)


def test_after_a_jump_out_of_a_slide_the_run_may_slide_again(plugin):
    run = run_sides(plugin, "pair", {"x": 1.5, "y": 1.0}, 1.5, parameters={"lowest": 0.999, "push": 1.0 + 0.5})
    ends = 1.0 / 7.0 + (17.0 / 14.0 - 0.999) * 17.0 / 6.0
    again = ends + 0.5 / 3.5  # x is then 1/2 above y
    assert kinds(run) == ["entry", "crossing", "entry"]
    np.testing.assert_allclose(run.events.t, [1.0 / 7.0, ends, again], rtol=0, atol=EXACT)
    assert run.x[-1, 0] == pytest.approx(0.999 + 1.5 - 2.0 / 7.0 - 6.0 / 17.0 * (1.5 - again), abs=EXACT)


def test_a_run_that_starts_on_a_surface_slides_from_the_start(plugin):
    run = run_sides(plugin, "drift", {"x": 0.0, "y": 0.0}, 1.0, parameters={"a": 1.0, "b": 2.0})
    assert kinds(run) == ["entry"]
    assert run.events.t[0] == 0.0
    assert run["y"][-1] == pytest.approx(1.5, abs=1e-12)


def test_a_flow_that_both_sides_carry_through_is_crossed(plugin):
    # xdot = 3 t - sgn x from x(0) = -1 rises through zero while 3 t - 1 > 0: x = -1 + t + 3 t^2 / 2.
    run = run_sides(plugin, "departs", {"x": -1.0}, 2.0, parameters={"c": 3.0})
    assert kinds(run) == ["crossing"]
    assert run.events.t[0] == pytest.approx((math.sqrt(7.0) - 1.0) / 3.0, abs=EXACT)


def test_a_model_may_define_its_sliding_field(plugin):
    model = load_model(plugin("sides"))

    def sliding_field(xdot, t, x, p, chart, adjacent_chart):
        xdot[0] = -1.0
        xdot[1] = -1.0

    own = replace(model, name="sides_of_its_own", sliding_field=sliding_field)
    run = simulate(own, parameters={"flow": "pair"}, initial={"x": 1.5, "y": 1.0}, final_time=1.0, **TIGHT)
    assert kinds(run) == ["entry"]
    np.testing.assert_allclose(run.x[-1, :2], 17.0 / 14.0 - 6.0 / 7.0, rtol=0, atol=EXACT)


def test_a_transition_that_counts_chatters_and_the_message_names_the_cycle(plugin):
    run = run_sides(plugin, "constant", {"x": 1.0}, 2.0, parameters={"counts": 1}, max_transitions=5000)
    assert run.status in (Status.TOO_MANY_TRANSITIONS, Status.CASCADE)
    assert run.t[-1] == pytest.approx(0.5, abs=1e-6)
    for name in ("right", "left", "leaves_right", "leaves_left"):
        assert name in run.message
    assert "entry" not in kinds(run)


def test_a_slide_goes_on_beyond_another_surface(plugin):
    # x is held from t = 1/2 on; y falls by 3/2 from 3/2, so that it is zero at t = 1, and then by 1/2.
    run = simulate(plugin("quadrants"), final_time=2.0, **TIGHT)
    assert run.status is Status.FINAL_TIME
    assert run.events.t[0] == pytest.approx(0.5, abs=EXACT)
    assert run.events[0].kind == "entry"
    passes = [event for event in run.events if "y_falls" in event.boundaries]
    assert [event.t for event in passes] == pytest.approx([1.0], abs=EXACT)
    np.testing.assert_allclose(run.x[-1], [0.0, -0.5], rtol=0, atol=EXACT)
    assert run.adjacent_chart[-1] >= 0
    assert np.all(np.abs(run.x[run.t > 0.5 + EXACT, 0]) < 1e-12)


def test_a_clock_ticks_on_while_the_run_slides(plugin):
    # Every tick is a jump, and the slide begins anew at the same instant; what is only watched disturbs nothing.
    run = simulate(plugin("one_surface"), final_time=2.95)
    ticks = 0.3 * np.arange(1, 10)
    assert [event.t for event in run.events if event.boundaries == ("clock",)] == ticks.tolist()
    entries = [event.t for event in run.events if event.kind == "entry"]
    np.testing.assert_allclose(entries, [1.0, *ticks[ticks > 1.0]], rtol=1e-15)
    watched = [event for event in run.events if event.boundaries == ("watched",)]
    assert [(event.t, event.declined) for event in watched] == [(pytest.approx(1.5, abs=EXACT), True)]
    np.testing.assert_allclose(run.x[-1], [0.0, 1.0 + 2.0 * 1.95, 9.0], rtol=0, atol=EXACT)


def test_a_state_stop_ends_a_slide_where_it_is_reached(plugin):
    stop = [{"state": "y", "value": 2.5}]
    run = simulate(plugin("one_surface"), parameters={"period": 1e9}, final_time=9.0, stop=stop)
    assert run.status is Status.STOPPED
    assert run.t[-1] == pytest.approx(1.75, abs=EXACT)
    assert run.adjacent_chart[-1] == 1


@pytest.mark.parametrize("y", [1.0, 0.5])
def test_two_slides_that_meet_end_the_run_with_a_clear_status(plugin, y):
    # x comes to zero at t = 1/2 and y at t = y: later, or at the same instant.
    run = simulate(plugin("quadrants"), parameters={"strength": 1.0, "drift": 0.0}, initial={"y": y}, final_time=3.0)
    assert run.status is Status.SLIDING_INTERSECTION
    assert run.t[-1] == pytest.approx(y, abs=EXACT)
    np.testing.assert_allclose(run.x[-1], [0.0, 0.0], rtol=0, atol=1e-9)
    assert "x_falls" in run.message or "x_rises" in run.message
    assert "y_falls" in run.message or "y_rises" in run.message

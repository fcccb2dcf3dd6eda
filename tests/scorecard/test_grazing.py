"""Boundaries that come near zero and turn back: a touch by declared policy, a crossing however shallow.

The engine sees the continuous extension: where the boundary is a function of time alone, as the parabola here, that is
exact but for rounding; where it is not, the step's own error bounds what could not be decided.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from hybridsim import Boundary, Records, Status, load_model, simulate

METHODS = ["dp5", "dop853", "tsit5", "rodas5p", "series", "rk4_adaptive"]
DECLARATIONS = {"exact": {}, "bounded": {"second_derivative_bound": 40.0}, "sampled": {}}
DEGREES = {"parabola": 2, "sine": 1, "two_dips": 4, "dip_then_fall": 3}


def dip(plugin, touch="report", declared="exact", **keywords):
    """A run of two seconds past the dip at t = 1."""
    shape = keywords.get("parameters", {}).get("shape", "parabola")
    known = {"degree": DEGREES[shape]} if declared == "exact" else DECLARATIONS[declared]
    boundary = Boundary("dip", armed="when_positive", touch=touch, **known)
    model = load_model(plugin("dip"))
    shapes = Records(replace(model.parameters["shape"], default=shape), *model.parameters[1:])
    model = replace(model, boundary_records=Records(boundary), parameters=shapes)  # declared for this shape alone
    return simulate(model, **{"final_time": 2.0, **keywords})


@pytest.mark.parametrize("declared", DECLARATIONS)
@pytest.mark.parametrize("method", METHODS)
def test_a_touch_is_reported_with_its_value_and_changes_nothing(plugin, method, declared):
    run = dip(plugin, "report", declared, parameters={"lowest": 1e-11, "counts": 1}, method=method)
    assert [event.kind for event in run.events] == ["touch"]
    event = run.events[0]
    assert event.declined
    assert event.boundaries == ("dip",)
    # Within h of its lowest the parabola is h^2 higher, and a spacing of its terms cannot be seen.
    assert event.t == pytest.approx(1.0, abs=1e-7)
    assert event.value == pytest.approx(1e-11, abs=1e-14)
    assert math.isnan(event.depth)
    assert (event.chart_before, event.chart_after, event.adjacent_chart) == (0, 0, -1)
    assert run.j[-1] == 0
    assert run["count"][-1] == 0.0
    ignored = dip(plugin, "ignore", declared, parameters={"lowest": 1e-11, "counts": 1}, method=method)
    assert len(ignored.events) == 0
    np.testing.assert_array_equal(run.t, ignored.t)  # no step is cut
    np.testing.assert_array_equal(run.x, ignored.x)


@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_touch_may_trigger_the_transition(plugin, declared):
    run = dip(plugin, "trigger", declared, parameters={"lowest": 1e-11, "counts": 1})
    assert [(event.kind, event.declined, event.boundaries) for event in run.events] == [("touch", False, ("dip",))]
    assert run.events.t[0] == pytest.approx(1.0, abs=1e-7)
    assert run.events.value[0] == pytest.approx(1e-11, abs=1e-14)
    assert math.isnan(run.events.depth[0])
    assert run["count"][-1] == 1.0
    assert run.j[-1] == 1
    assert run.status is Status.FINAL_TIME


@pytest.mark.parametrize("declared", DECLARATIONS)
@pytest.mark.parametrize("method", ["rk4", *METHODS])
def test_the_error_at_a_crossing_is_known_where_the_method_estimates_it(plugin, method, declared):
    fixed = {"first_step": 0.05} if method == "rk4" else {}
    run = dip(plugin, "ignore", declared, parameters={"lowest": -0.01}, method=method, **fixed)
    assert run.events.kind[0] == "crossing"
    assert math.isnan(run.events.error[0]) == (method == "rk4")


@pytest.mark.parametrize("touch", ["report", "trigger"])
@pytest.mark.parametrize("declared", DECLARATIONS)
def test_two_touches_in_one_step_are_found_in_order(plugin, declared, touch):
    parameters = {"shape": "two_dips", "lowest": 1e-11, "counts": 1}
    run = dip(plugin, touch, declared, parameters=parameters, first_step=2.0)
    assert [event.kind for event in run.events] == ["touch", "touch"]
    np.testing.assert_allclose(run.events.t, [0.5, 1.5], rtol=0, atol=1e-7)
    np.testing.assert_allclose(run.events.value, 1e-11, rtol=0, atol=1e-14)
    assert run["count"][-1] == (2.0 if touch == "trigger" else 0.0)


@pytest.mark.parametrize("touch", ["ignore", "report", "trigger"])
@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_touch_before_a_crossing_in_the_same_step_comes_first(plugin, declared, touch):
    parameters = {"shape": "dip_then_fall", "lowest": 1e-11, "counts": 1}
    run = dip(plugin, touch, declared, parameters=parameters, first_step=2.0)
    kinds = [event.kind for event in run.events]
    assert kinds == (["crossing"] if touch == "ignore" else ["touch", "crossing"])
    assert run.events.t[-1] == pytest.approx(1.5, abs=1e-15)
    if touch != "ignore":
        assert run.events.t[0] == pytest.approx(0.5, abs=1e-7)
        assert run.events.value[0] == pytest.approx(1e-11, abs=1e-14)


@pytest.mark.parametrize("touch", ["ignore", "report", "trigger"])
@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_minimum_above_the_precision_is_no_touch(plugin, declared, touch):
    assert len(dip(plugin, touch, declared, parameters={"lowest": 2e-10}).events) == 0  # stop_precision is 1e-10
    assert len(dip(plugin, touch, declared, parameters={"lowest": 0.5e-10}, touch_precision=1e-11).events) == 0
    wide = dip(plugin, touch, declared, parameters={"lowest": 1e-6}, touch_precision=1e-5)
    assert [event.kind for event in wide.events] == ([] if touch == "ignore" else ["touch"])


@pytest.mark.parametrize("touch", ["ignore", "report", "trigger"])
@pytest.mark.parametrize("declared", DECLARATIONS)
@pytest.mark.parametrize("depth", [1e-4, 1e-8, 1e-12])
def test_a_minimum_below_zero_is_a_crossing_however_shallow(plugin, depth, declared, touch):
    run = dip(plugin, touch, declared, parameters={"lowest": -depth})
    assert [(event.kind, event.declined) for event in run.events] == [("crossing", True)]
    event = run.events[0]
    assert event.t == pytest.approx(1.0 - math.sqrt(depth), abs=1e-8)
    # At the float of t nearest to the crossing: one spacing of t times the slope of the dip.
    assert -1e-10 <= event.value <= 2.0 * math.sqrt(depth) * 2.0**-52
    assert event.depth == pytest.approx(depth, rel=1e-3, abs=1e-15)


@pytest.mark.parametrize("declared", DECLARATIONS)
@pytest.mark.parametrize("step", [0.25, 0.3])
def test_a_minimum_at_zero_is_one_event_wherever_steps_end(plugin, declared, step):
    run = dip(plugin, "report", declared, parameters={"lowest": 0.0}, first_step=step, max_step=step, method="rk4")
    assert len(run.events) == 1
    event = run.events[0]
    assert event.declined
    assert event.kind in ("touch", "crossing")  # a spacing of the parabola's terms decides
    assert event.t == pytest.approx(1.0, abs=1e-7)
    assert abs(event.value) <= 1e-15
    assert event.kind == "touch" or event.depth <= 1e-15


@pytest.mark.parametrize("step", [0.25, 0.5, 1.0])
@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_touch_at_the_end_of_a_step_is_reported_once(plugin, declared, step):
    run = dip(plugin, "report", declared, first_step=step, max_step=step, method="rk4")
    assert [event.kind for event in run.events] == ["touch"]


@pytest.mark.parametrize("declared", DECLARATIONS)
def test_a_boundary_that_stays_near_zero_is_not_reported_again_and_again(plugin, declared):
    run = dip(plugin, "report", declared, parameters={"lowest": 1e-3}, touch_precision=10.0)
    assert len(run.events) == 0  # it has never come from above


@pytest.mark.parametrize("lowest", [1e-11, 0.0, -1e-12])
@pytest.mark.parametrize("declared", ["exact", "sampled"])
def test_a_sine_at_its_top_touches_or_crosses_and_the_record_shows_how_sure_it_is(plugin, declared, lowest):
    parameters = {"shape": "sine", "lowest": lowest}
    tight = {"method": "dop853", "rtol": 1e-12, "atol": 1e-14}
    run = dip(plugin, "report", declared, parameters=parameters, final_time=8.0, **tight)
    assert [event.boundaries for event in run.events] == [("dip",), ("dip",)]
    error = 1e-12 * run.statistics["steps"]
    for event, top in zip(run.events, (0.5 * math.pi, 2.5 * math.pi), strict=True):
        near = math.sqrt(2.0 * (abs(lowest) + error))  # so far from the top the sine has fallen by as much
        assert event.t == pytest.approx(top, abs=2.0 * near)
        assert event.declined
        if event.kind == "touch":
            assert event.value == pytest.approx(lowest, abs=error)
        else:
            assert event.kind == "crossing"
            assert event.depth == pytest.approx(-lowest, abs=error)
        assert 0.0 < event.error <= math.sqrt(2.0) * 2e-12  # of two states, each within atol + rtol |x|


@pytest.mark.parametrize("method", ["dp5", "dop853", "tsit5"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8])
def test_whether_a_sine_reaches_its_top_is_left_to_the_error_that_is_recorded(plugin, method, rtol):
    # The integrated sine misses 1 by far more than rounding. What is seen of it lies within the error of the run.
    run = dip(
        plugin,
        "report",
        parameters={"shape": "sine", "lowest": 0.0},
        final_time=3.0,
        method=method,
        rtol=rtol,
        atol=rtol,
        touch_precision=10.0 * rtol,
    )
    assert len(run.events) == 1
    event = run.events[0]
    off = event.value if event.kind == "touch" else event.depth
    assert 0.0 < event.error <= math.sqrt(2.0) * 2.0 * rtol  # of two states, each within atol + rtol |x|
    assert abs(off) <= max(run.statistics["steps"], 2) * rtol


def test_the_depth_of_a_throw_through_a_level_is_what_it_rises_beyond_it():
    v0, g = 10.0, 9.81
    top = v0**2 / (2.0 * g)
    for delta in (1e-3, 1e-6, 1e-9):
        level = (1.0 - delta) * top
        run = simulate(
            "projectile",
            parameters={"gravity": g, "level": level},
            initial={"y": 0.0, "v": v0},
            final_time=2.0,
            first_step=2.0,
        )
        rises, falls = run.events
        assert rises.depth == pytest.approx(top - level, rel=1e-4)
        assert falls.depth > rises.depth  # it falls on, to the ground
        assert rises.error == pytest.approx(0.0, abs=1e-12)  # a parabola is integrated exactly


def test_a_throw_that_just_fails_to_reach_a_level_touches_it():
    v0, g = 10.0, 9.81
    level = v0**2 / (2.0 * g) + 1e-11
    run = simulate("projectile", parameters={"gravity": g, "level": level}, initial={"y": 0.0, "v": v0}, final_time=2.0)
    assert [(event.kind, event.boundaries) for event in run.events] == [("touch", ("rises",))]
    assert run.events.t[0] == pytest.approx(v0 / g, abs=1e-6)
    assert run.events.value[0] == pytest.approx(1e-11, abs=1e-14)


def test_a_method_without_an_error_estimate_records_no_error(plugin):
    run = dip(plugin, "report", parameters={"lowest": -1e-3}, method="rk4", first_step=0.3, max_step=0.3)
    assert [event.kind for event in run.events] == ["crossing"]
    assert math.isnan(run.events[0].error)
    assert run.events[0].depth > 0.0


@pytest.mark.parametrize("lead", [1.0, -1.0])
def test_a_double_root_close_to_another_guards_crossing_is_no_change_of_side(plugin, lead):
    # B = lead (t - 11)^2 comes to zero where A crosses, and turns back.
    run = simulate(
        plugin("guards"),
        parameters={"A": [1.0, 1, 11.0, 0.0, 0.0, 0.0], "B": [lead, 2, 11.0, 11.0, 0.0, 0.0], "watched": 1},
        final_time=30.0,
        first_step=10.0,
        max_step=10.0,
    )
    assert run.events.count("A_rises") == 1
    assert {event.t for event in run.events} == {11.0}
    outward = "B_falls" if lead > 0.0 else "B_rises"
    for event in run.events:
        if outward in event.boundaries:
            assert event.kind == "touch" or event.depth <= 1e-15 or math.isnan(event.depth)

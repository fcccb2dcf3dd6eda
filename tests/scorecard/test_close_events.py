"""Guards whose roots lie close together, coincide, or are moved by another event.

The situations are those that the tests of Hipparchus collect from defects of its event detection; the tables here are
written anew. Steps are ten seconds long, so that several roots lie within one. "Mirrored" is the same guard of -t.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from hybridsim import Boundary, Records, Status, load_model, simulate

LONG_STEPS = {"first_step": 10.0, "max_step": 10.0}
SHORT_STEPS = {"first_step": 1.0, "max_step": 1.0}
"""For arcs, whose kinks no cubic sees: an eighth of such a step is shorter than every arc."""
AFTER_TEN = float(np.nextafter(10.0, 11.0))
CASES = {
    "two in one step": {"A": [5.0], "B": [5.5]},
    "two at one instant": {"A": [5.0], "B": [5.0]},
    "two a spacing apart, and the second comes back": {"A": [9.0], "B": [9.0 + 1e-15, 13.9]},
    "there and back around the end of a step": {"A": [9.9, 10.1, 12.0]},
    "three guards take turns": {"A": [16.0], "B": [-10.0, 1.0, 15.0, 18.0], "C": [17.0]},
    "one step reaches back five times": {"A": [16.0], "B": [11.0, 13.0, 14.0, 17.0], "C": [12.0, 15.0]},
    "two a hundred thousandth apart": {"A": [11.0], "B": [11.0 + 1e-5]},
    "one between two others": {"A": [11.1], "B": [11.0, 11.2]},
    "three within a second": {"B": [11.0, 11.4, 12.0]},
    "at both ends of a step": {"A": [10.0, 20.0]},
    "at both ends of a step, from above": {"A": [-10.0, 10.0, 20.0]},
    "in the middle of a step": {"A": [15.0]},
    "at no float": {"A": [15.1]},
    "just after the end of a step": {"A": [AFTER_TEN, 10.5], "B": [AFTER_TEN]},
}


def table(roots, mirrored=False):
    """The guard that is negative before its first root, as the model takes it."""
    n = len(roots)
    lead = -1.0 if n % 2 == 0 else 1.0
    if mirrored:
        return [lead * (-1.0) ** n, n, *sorted(-r for r in roots), *[0.0] * (4 - n)]
    return [lead, n, *roots, *[0.0] * (4 - n)]


def span(mirrored):
    return {"initial_time": -30.0, "final_time": 0.0} if mirrored else {"final_time": 30.0}


def crossings(guards, mirrored):
    """What must happen, in order: (time, boundary) of every root within the run."""
    start, end = (-30.0, 0.0) if mirrored else (0.0, 30.0)
    found = []
    for name, roots in guards.items():
        lead, n, *places = table(roots, mirrored)
        for k, root in enumerate(places[:n]):
            rises = lead * (-1.0) ** (n - k) < 0.0  # the sign before the k-th root
            if start < root < end:
                found.append((root, f"{name}_{'rises' if rises else 'falls'}"))
    return sorted(found)


def undeclared(model):
    return replace(model, boundary_records=Records(*(Boundary(b.name, armed=b.armed) for b in model.boundary_records)))


def run_guards(plugin, guards, mirrored=False, declared=True, **parameters):
    model = load_model(plugin("guards"))
    tables = {name: table(roots, mirrored) for name, roots in guards.items()}
    return simulate(
        model if declared else undeclared(model),
        parameters={**tables, **parameters},
        **span(mirrored),
        **steps_for(parameters.get("shape")),
    )


def steps_for(shape):
    return SHORT_STEPS if shape == "arcs" else LONG_STEPS


def check(run, expected):
    """Every crossing, once and in order; those at one and the same float are one jump."""
    seen = [(event.t, name) for event in run.events for name in event.boundaries]
    assert sorted((round(t, 9), name) for t, name in seen) == sorted((round(t, 9), name) for t, name in expected)
    np.testing.assert_allclose([t for t, _ in seen], [t for t, _ in expected], rtol=0, atol=4 * np.spacing(40.0))
    assert len(run.events) <= len({t for t, _ in expected})


@pytest.mark.members(5)
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize(("shape", "declared"), [("polynomial", True), ("polynomial", False), ("arcs", False)])
@pytest.mark.parametrize("watched", [0, 1])
@pytest.mark.parametrize("case", CASES)
def test_every_root_is_found_once_and_in_order(plugin, case, watched, shape, declared, mirrored):
    run = run_guards(plugin, CASES[case], mirrored, declared, shape=shape, watched=watched)
    check(run, crossings(CASES[case], mirrored))
    assert run.events.declined.all() if watched else not run.events.declined.any()


def test_an_event_cuts_the_step_and_the_rows_show_it(plugin):
    run = run_guards(plugin, {"A": [5.0]})
    assert run.t.tolist() == [0.0, 5.0, 5.0, 15.0, 25.0, 30.0]
    assert run.j.tolist() == [0, 0, 1, 1, 1, 1]


SWAPS = {
    # the tables of B and C before A crosses at 11, those after, and what is crossed besides A
    "a guard without roots gets one": ({"C": []}, {"C": [19.0]}, [(19.0, "C_rises")]),
    "a root just ahead is taken away": ({"C": [11.1]}, {"C": []}, []),
    "a root is put off": ({"C": [11.1]}, {"C": [11.2]}, [(11.2, "C_rises")]),
    "a root is brought forward": ({"C": [11.2]}, {"C": [11.1]}, [(11.1, "C_rises")]),
    "the last root is where both cross": ({"B": [11.0]}, {"B": [1.0, 3.0, 11.0]}, [(11.0, "B_rises")]),
}


@pytest.mark.parametrize("early", [0.0, 30.0])
@pytest.mark.parametrize(("shape", "declared"), [("polynomial", True), ("polynomial", False), ("arcs", False)])
@pytest.mark.parametrize("case", SWAPS)
def test_an_event_may_change_what_another_guard_is(plugin, case, shape, declared, early):
    before, after, expected = SWAPS[case]
    guards = {"A": [11.0], **before, **{f"{name}_swapped": roots for name, roots in after.items()}}
    model = load_model(plugin("guards"))
    run = simulate(
        model if declared else undeclared(model),
        parameters={
            **{name: table([r - early for r in roots]) for name, roots in guards.items()},
            "shape": shape,
            "swaps": 1,
        },
        initial_time=-early,
        final_time=30.0 - early,
        **steps_for(shape),
    )
    check(run, [(t - early, name) for t, name in [(11.0, "A_rises"), *expected]])


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_guard_that_has_a_sign_and_no_value_ends_the_run_at_its_jump(plugin, mirrored):
    run = run_guards(plugin, {"B": [15.1]}, mirrored, declared=False, shape="signs")
    assert run.status is Status.DISCONTINUOUS_BOUNDARY
    assert "B_rises" in run.message or "B_falls" in run.message
    assert run.t[-1] <= (-15.1 if mirrored else 15.1)


def test_a_guard_that_starts_at_zero_for_long_and_then_is_positive_does_not_fire(plugin):
    run = run_guards(plugin, {}, shape="zero_then_positive", declared=False)
    assert run.status is Status.FINAL_TIME
    assert len(run.events) == 0


@pytest.mark.parametrize("shape", ["polynomial", "arcs"])
def test_a_run_that_starts_where_another_stopped_does_not_fire_again(plugin, shape):
    parameters = {"B": table([15.1, 25.0]), "shape": shape}
    model = undeclared(load_model(plugin("guards")))
    first = simulate(model, parameters=parameters, final_time=30.0, stop=[("B_rises", 1)], **LONG_STEPS)
    assert first.status is Status.STOPPED
    assert first.t[-1] == pytest.approx(15.1, abs=4 * np.spacing(15.1))
    second = simulate(model, parameters=parameters, initial_time=first.t[-1], final_time=30.0, **LONG_STEPS)
    check(second, [(25.0, "B_falls")])
    assert second.status is Status.FINAL_TIME


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_reset_that_carries_a_state_across_a_guard_changes_the_chart(plugin, sign):
    run = simulate(
        plugin("thresholds"),
        parameters={
            "rate_1": sign,
            "rate_2": 2.0 * sign,
            "threshold": -sign,
            "response": "pass",
            "alarm_time": 15.0,
            "alarm_value": -20.0 * sign,
        },
        final_time=40.0,
        **LONG_STEPS,
    )
    check(run, [(15.0, "alarm"), (15.0 + 19.0 / 2.0, "reaches_2"), (34.0, "reaches_1")])
    assert [event.chart_after & 3 for event in run.events] == [0, 2, 3]


def test_a_reset_onto_two_guards_that_move_on_is_one_more_jump_at_the_same_instant(plugin):
    parameters = {"threshold": 0.0, "response": "pass", "alarm_time": math.pi, "alarm_value": 0.0}
    start = {"y_1": -1e100, "y_2": -1e100}
    run = simulate(plugin("thresholds"), parameters=parameters, initial=start, final_time=10.0, **LONG_STEPS)
    assert [event.boundaries for event in run.events] == [("alarm",), ("reaches_1", "reaches_2")]
    assert run.events.t.tolist() == [math.pi, math.pi]
    assert run.j[-1] == 2


def test_a_reset_beyond_two_guards_is_one_jump(plugin):
    parameters = {"threshold": 0.0, "response": "pass", "alarm_time": math.pi, "alarm_value": 1e100}
    start = {"y_1": -1e100, "y_2": -1e100}
    run = simulate(plugin("thresholds"), parameters=parameters, initial=start, final_time=10.0, **LONG_STEPS)
    check(run, [(math.pi, "alarm")])
    assert run.events[0].chart_after & 3 == 3


def test_a_reset_that_turns_a_guard_back_below_its_root_loses_nothing(plugin):
    # (y - 6) (9 - y) rises through zero at t = 6, where y is put back a little: it falls where y = 9, later by that.
    small = 0.5e-10
    run = simulate(
        plugin("thresholds"),
        parameters={"threshold": 6.0, "top": 9.0, "alarm_time": 6.0, "alarm_value": 6.0 - small},
        final_time=100.0,
        stop=[("leaves_band", 1)],
        first_step=20.0,
        max_step=20.0,
    )
    check(run, [(6.0, "alarm"), (9.0 + small, "leaves_band")])
    assert run["y_1"][-1] == pytest.approx(9.0, abs=4 * np.spacing(9.0))


@pytest.mark.parametrize("unit", [1.0, 0.1])
@pytest.mark.parametrize("mirrored", [False, True])
def test_overlapping_events_are_nine_and_nineteen(plugin, mirrored, unit):
    # Two quantities grow by 1 and by 2 per unit of time, and at 1 begin anew; mirrored, they fall from 1 to 0.
    parameters = {"rate_1": 1.0 / unit, "rate_2": 2.0 / unit}
    initial = {}
    if mirrored:
        parameters = {"rate_1": -1.0 / unit, "rate_2": -2.0 / unit, "threshold": 0.0, "back": 1.0}
        initial = {"y_1": 0.75, "y_2": 0.5}
    run = simulate(
        plugin("thresholds"),
        parameters=parameters,
        initial=initial,
        initial_time=-9.75 * unit if mirrored else 0.0,
        final_time=-0.25 * unit if mirrored else 9.75 * unit,
    )
    for name, count, step in (("reaches_1", 9, 1.0), ("reaches_2", 19, 0.5)):
        times = [event.t for event in run.events if name in event.boundaries]
        expected = step * unit * np.arange(1, count + 1)
        late = 4 * count * np.spacing(9.75 * unit)  # each event by up to some spacings, and the next one with it
        np.testing.assert_allclose(times, -expected[::-1] if mirrored else expected, rtol=0, atol=late)
    if unit == 1.0:  # nothing is rounded: what comes together is one jump
        assert len(run.events) == 19

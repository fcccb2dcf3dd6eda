"""The compiled batch against one run at a time: the same bits, whatever the model, the axes and the metrics."""

from pathlib import Path

import numpy as np
import pytest
import small_models
from oracle import assert_same, both

from hybridsim import load_model
from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.sweeps.batch import BatchRunner, Cancelled
from hybridsim.sweeps.plan import Plan

EXTRA = """
import math

def clearance(t, x, p, chart):
    return x[1] - 0.3 * math.cos(x[0]) + 0.1 * t

def in_stance(t, x, p, chart):
    return 1.0 if chart >= 2 else 0.0
"""
SLIDING = 1e-12
"""Rounding of outputs in a slide: compiled code may fuse the products of which two charts' shares are made."""

NOISE_OF_WEIGHTS = 1e-7
"""Of the shares of two charts, which are differences of boundaries over short times."""

EFFORT = ("steps", "rejected", "vector_field_calls", "boundary_calls", "transitions")


def everywhere(*quantities):
    """Where runs end, and between what bounds they stay."""
    return [f"{kind}({quantity})" for quantity in quantities for kind in ("final", "min", "max")]


SPRINGS = ["status", "count(table)", "time(table, 2)", *everywhere("t", "z", "v", "pull"), *EFFORT]
SWEEPS = {
    "slip": {
        "axes": {"k": "linspace(0, 4e4, 5)", "touchdown_angle": "linspace(-40 deg, -12 deg, 4)"},
        "parameters": {"hold_touchdown_angle": 1},
        "final_time": 6.0,
        "stop": [("touchdown", 6)],
        "metrics": [
            *("status", "count(apex)", "count(touchdown)", "time(liftoff, 2)", "time(touchdown)"),
            *("final(t)", "final(x)", "final(leg_force)", "min(y)", "max(y)", "max(leg_force)", "min(leg_length)"),
            *("mean(y)", "mean(leg_force)", "max(t)", "mean(t)", *EFFORT),
            *("at(touchdown, 2, ydot)", "after(bottom, 1, leg_force)", "at(apex, 3, t)", "after(apex, 3, energy)"),
            *("integral(y)", "std(y)", "std(xdot)", "integral(leg_force)"),
        ],
    },
    "bouncing_ball": {
        "axes": {"restitution": [0.0, 0.4, 0.9], "y": [0.01, 1.0], "final_time": [0.3, 2.0]},
        "final_time": 1.0,
        "metrics": [
            *("status", "count(floor)", "time(floor, 3)", "final(t)", "max(v)", "min(y)", "mean(y)", "mean(v)"),
            *("at(floor, 2, v)", "after(floor, 2, v)", "std(y)", "std(t)", "integral(v)"),
        ],
    },
    "dry_friction": {
        "axes": {"rtol": [1e-5, 1e-9], "method": ["dp5", "tsit5", "dop853"]},
        "final_time": 10.0,
        "metrics": ["status", "count(slows_down)", *everywhere("t", "x", "v", "friction_force"), *EFFORT],
    },
    "two_walls": {
        "axes": {"initial_time": [-1.0, 0.0, 3.0], "max_transitions": [1, 5, 1000]},
        "final_time": 5.0,
        "metrics": ["status", "count(left)", "time(floor, 2)", *everywhere("t", "x", "y", "xdot", "ydot"), *EFFORT],
    },
}
ON_SPRINGS = {
    "words and whole numbers": {
        "axes": {"spring": ["stiff", "soft", "medium"], "n_springs": [1, 5], "v": [0.0, 0.5]},
    },
    "starts without a chart or a state": {
        "axes": {"v": [0.0, -6.0, 1.0, 6.0, 2.0]},
        "metrics": [*SPRINGS, "mean(z)", "mean(t)"],
    },
    "stops at a state from both sides": {
        "axes": {"z": [-0.2, 0.3, 0.5, 0.7, 1.0], "v": [-1.0, 0.0, 1.0]},
        "stop": [{"state": "z", "value": 0.5}, ("table", 2)],
    },
    "stops at two states": {
        "axes": {"z": [0.0, 0.4], "v": [-0.6, 0.8]},
        "stop": [{"state": "v", "value": 0.1}, {"state": "z", "value": 0.2}],
    },
    "settings of each run": {
        "axes": {"atol": [1e-3, 1e-9], "rtol": [1e-3, 1e-9], "max_transitions": [1, 100], "max_steps": [1, 9, 1000]},
    },
    "precisions of events": {
        "axes": {"zeno_precision": [0.0, 1e-3], "max_stop_iterations": [1, 100], "stop_precision": [1e-9, 1e-6]},
    },
    "steps": {"axes": {"first_step": [1e-3, 1e-2], "max_step": [0.05, 1.0], "min_step": [1e-13, 1e-3]}},
    "methods": {
        "axes": {"method": ["dp5", "rk4", "rk4_adaptive", "dop853", "tsit5"]},
        "first_step": 0.01,
        "max_step": 0.05,
    },
    "times": {"axes": {"initial_time": [-1.0, 0.0, 1.9], "final_time": [2.0, 2.0 + 1e-9, 2.5]}},
}
OF_BASICS = ("relay", "stick_slip", "galperin", "table_ball", "bilinear_oscillator", "projectile", "two_walls")


@pytest.mark.exhaustive  # whatever varies, they have
@pytest.mark.members(1)
@pytest.mark.parametrize("model", SWEEPS)
def test_runs_in_a_row_have_the_bits_of_runs_one_by_one(model):
    assert_same(sweep_from_keywords(model, **SWEEPS[model]), outputs=SLIDING if model == "dry_friction" else 0.0)


@pytest.mark.members(1)
@pytest.mark.parametrize("what", ON_SPRINGS)
def test_whatever_varies_runs_have_the_bits_of_runs_one_by_one(what):
    keywords = {"final_time": 3.0, "metrics": SPRINGS} | ON_SPRINGS[what]
    assert_same(sweep_from_keywords(small_models.springs(), **keywords))


@pytest.mark.members(1)
@pytest.mark.parametrize("name", OF_BASICS)
def test_runs_of_every_model_have_the_bits_of_runs_one_by_one(name):
    model = load_model(name)
    events = [f"{kind}({boundary})" for boundary in model.boundary_records.names for kind in ("count", "time")]
    quantities = everywhere("t", *model.states.names, *model.output_records.names)
    config = sweep_from_keywords(
        model,
        axes={"rtol": [1e-4, 1e-8], "method": ["dp5", "tsit5", "dop853"]},
        metrics=["status", *events, *dict.fromkeys(quantities), *EFFORT],
        final_time=20.0,
        max_transitions=3000,
    )
    assert_same(config)


def test_words_stand_for_their_choices():
    """Above the table a mass on a spring passes its rest after a quarter of 2 pi / sqrt(k)."""
    stiffness = {"stiff": 2.5, "soft": 0.5, "medium": 1.0}
    config = sweep_from_keywords(
        small_models.springs(),
        axes={"spring": [*stiffness]},
        metrics=["final(t)"],
        stop=[{"state": "z", "value": 0.0}],
        final_time=9.0,
    )
    quarters = [0.5 * np.pi / np.sqrt(k) for k in stiffness.values()]
    np.testing.assert_allclose(both(config)[0]["final(t)"], quarters, rtol=1e-7)


def test_a_start_without_a_chart_or_a_state_has_a_status_and_spoils_no_other_run():
    config = sweep_from_keywords(
        small_models.springs(), axes={"v": [0.0, -6.0, 6.0, 0.0]}, metrics=["status", "steps", "max(z)"], final_time=1.0
    )
    compiled, _ = both(config)
    assert compiled["status"].tolist() == ["FINAL_TIME", "UNKNOWN_CHART", "NON_FINITE_STATE", "FINAL_TIME"]
    assert compiled["steps"][1:3].tolist() == [0, 0]
    np.testing.assert_array_equal(compiled["max(z)"], [1.0, 1.0, np.nan, 1.0])


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["rk4", "dp5", "tsit5", "dop853"])
def test_means_of_long_runs_take_every_step_with_its_own_extension(method):
    """Some 900 steps: several chunks of the log. A parabola's mean is exact with any of the methods."""
    metrics = ["status", "count(floor)", *everywhere("y", "v"), "mean(y)", "mean(v)", "mean(t)", *EFFORT]
    config = sweep_from_keywords(
        "bouncing_ball",
        axes={"y": [1.0, 2.0], "restitution": [0.5, 0.9]},
        metrics=metrics,
        final_time=1.2,
        method=method,
        max_step=1.3e-3,
    )
    compiled = assert_same(config, mean=1e-12)
    assert compiled["steps"].min() > 3 * 256


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["rk4", "tsit5", "dop853"])
def test_means_are_those_of_every_methods_continuous_extension(method):
    config = sweep_from_keywords(
        "slip",
        axes={"k": [1.5e4, 2e4]},
        metrics=["status", "final(t)", *everywhere("y", "leg_force"), "mean(y)", "mean(leg_force)", "mean(energy)"],
        final_time=2.0,
        method=method,
        max_step=0.01,
    )
    assert_same(config)


def test_runs_that_slide_share_their_outputs_between_two_charts():
    """Some 400 steps for extremes, more than a chunk of the log; a few dozen for means."""
    keywords = {"axes": {"friction": [0.5, 2.0], "belt": [0.1, 0.5]}, "final_time": 20.0}
    metrics = ["status", "count(slows_down)", "count(speeds_up)", *everywhere("t", "x", "v", "friction_force"), *EFFORT]
    assert_same(sweep_from_keywords("dry_friction", metrics=metrics, max_step=0.05, **keywords), outputs=SLIDING)
    means = ["mean(x)", "mean(v)", "mean(friction_force)"]
    assert_same(sweep_from_keywords("dry_friction", metrics=means, **keywords))


def test_friction_that_holds_a_block_is_the_pull_of_its_spring(tmp_path):
    """On the belt x = belt t, held by friction = k x with k = 1, which is the mean of both charts' by their weights."""
    file = Path(tmp_path, "friction.py")
    file.write_text("def friction(t, x, p, chart):\n    return -p[1] if chart == 0 else p[1]\n")
    metrics = [f"{kind}({name})" for name in ("friction_force", "friction") for kind in ("final", "min", "mean")]
    config = sweep_from_keywords(
        "dry_friction",
        axes={"friction": [1.0, 2.0]},
        zip={"belt": [0.1, 0.5], "v": [0.1, 0.5]},
        initial={"x": 0.0},
        final_time=1.5,
        max_step=0.05,
        metrics=metrics,
        extra_outputs=file,
    )
    compiled = assert_same(config, outputs=SLIDING, noise=NOISE_OF_WEIGHTS)
    pull = 1.5 * np.array([0.1, 0.5, 0.1, 0.5])
    for name in ("friction_force", "friction"):
        for kind, expected in {"final": pull, "mean": 0.5 * pull, "min": 0.0 * pull}.items():
            np.testing.assert_allclose(compiled[f"{kind}({name})"], expected, atol=1e-7, err_msg=f"{kind}({name})")


def test_a_model_without_boundaries_and_outputs_is_swept_all_the_same():
    """x = exp(-r t), whose mean over [0, 2] is (1 - exp(-2 r)) / 2 r; 0 for a rate is a straight line."""
    rate = np.array([0.0, 0.5, 3.0])
    config = sweep_from_keywords(
        small_models.decay(),
        axes={"rate": rate, "max_step": [np.inf, 5e-3]},
        metrics=["status", *everywhere("t", "x"), "mean(x)", *EFFORT],
        final_time=2.0,
    )
    compiled = assert_same(config)
    some = np.where(rate > 0.0, rate, 1.0)
    mean = np.where(rate > 0.0, (1.0 - np.exp(-2.0 * some)) / (2.0 * some), 1.0)
    np.testing.assert_allclose(compiled["min(x)"], np.repeat(np.exp(-2.0 * rate), 2), rtol=1e-7)
    np.testing.assert_allclose(compiled["mean(x)"], np.repeat(mean, 2), rtol=1e-7)
    assert set(compiled["status"]) == {"FINAL_TIME"}


def test_the_mean_of_a_run_that_ends_where_it_begins_is_its_final_value():
    """A ball that begins on the floor, falling, has bounced at once; one above it bounces later."""
    quantities = ("t", "y", "v")
    metrics = ["status", "count(floor)", "time(floor)", *everywhere(*quantities), *(f"mean({q})" for q in quantities)]
    config = sweep_from_keywords(
        "bouncing_ball",
        axes={"y": [0.5, 0.0, 0.2], "v": [-1.0], "initial_time": [0.0, 2.0]},
        metrics=[*metrics, *EFFORT],
        stop=[("floor", 1)],
        final_time=3.0,
    )
    compiled = assert_same(config)
    at_once = slice(2, 4)
    assert compiled["time(floor)"][at_once].tolist() == [0.0, 2.0]
    assert compiled["mean(t)"][at_once].tolist() == [0.0, 2.0]
    assert compiled["min(v)"][at_once].tolist() == [-1.0, -1.0]
    assert compiled["max(v)"][at_once].tolist() == compiled["mean(v)"][at_once].tolist() == [0.5, 0.5]


@pytest.mark.members(1)
@pytest.mark.parametrize("metrics", [["min(height)", "max(drop)"], ["min(height)", "max(drop)", "mean(height)"]])
def test_extremes_between_two_steps_count(metrics):
    """No step ends at z = 1, where the hollow is deepest; two of the gaps are touches there, one is too wide."""
    gap = np.array([1e-3, 4e-3, 0.5])
    config = sweep_from_keywords(
        small_models.dips(),
        axes={"gap": gap, "first_step": [0.3, 0.4]},
        metrics=["status", "count(hollow)", "time(hollow)", "final(t)", *metrics, *EFFORT],
        touch_precision=1e-2,
        method="rk4",
        first_step=0.3,
        final_time=2.0,
    )
    compiled = assert_same(config)
    touched = np.repeat(gap < 1e-2, 2)
    np.testing.assert_array_equal(compiled["count(hollow)"], touched)
    np.testing.assert_allclose(compiled["time(hollow)"], np.where(touched, 1.0, np.nan), atol=1e-8)
    np.testing.assert_allclose(compiled["min(height)"], np.repeat(gap, 2), rtol=1e-12)
    np.testing.assert_allclose(compiled["max(drop)"], -np.repeat(gap, 2), rtol=1e-12)


def test_extremes_in_a_slide_are_found_with_the_weights_of_that_slide():
    """Whatever the run does later in the same chunk: it slides along another boundary.

    With the lower chart's speed 1 and the upper one's u = (t - 4) (6 - t) / 4, the share of the upper chart is
    1 / (1 - u).
    """
    config = sweep_from_keywords(
        small_models.two_slides(),
        axes={"max_step": [0.07, 0.15]},
        metrics=["status", "count(up)", "count(down)", "count(flicker)", *everywhere("t", "x", "lamp"), *EFFORT],
        touch_precision=1e-2,
        final_time=9.0,
    )
    compiled = assert_same(config, outputs=SLIDING)
    assert compiled["count(down)"].min() > 0
    assert set(compiled["count(flicker)"]) == {1}
    t = np.linspace(1.99, 2.02, 300_001)
    light = 1.0 / (1.0 - 0.25 * (t - 4.0) * (6.0 - t)) / ((t - 2.0) ** 2 + 1e-2)
    np.testing.assert_allclose(compiled["max(lamp)"], light.max(), rtol=1e-7)


def test_a_start_outside_its_chart_has_a_status_and_the_state_it_was_given():
    config = sweep_from_keywords(
        small_models.springs(), axes={"z": [1.0, -2.0]}, metrics=[*SPRINGS, "mean(z)"], final_time=1.0
    )
    compiled = assert_same(config)
    assert compiled["status"].tolist() == ["FINAL_TIME", "OUTSIDE_CHART"]
    assert compiled["mean(z)"][1] == compiled["min(z)"][1] == -2.0


def test_a_worker_stops_on_request(balls):
    config = balls()
    plan = Plan(config)
    with pytest.raises(Cancelled):
        BatchRunner(config).run(plan.values(0, plan.n_rows), np.ones(1, np.int64))


def test_extra_outputs_are_those_of_their_python_functions(tmp_path):
    file = Path(tmp_path, "clearance.py")
    file.write_text(EXTRA)
    metrics = [*everywhere("clearance", "in_stance"), "mean(clearance)", "mean(in_stance)"]
    config = sweep_from_keywords(
        "slip", axes={"k": [1.5e4, 2e4, 3e4]}, metrics=metrics, extra_outputs=file, final_time=2.0
    )
    assert_same(config, outputs=1e-13)  # the cosines of Python and of compiled code may round differently


def test_a_block_is_the_same_in_any_company(balls):
    config = balls()
    plan, stop = Plan(config), np.zeros(1, np.int64)
    worker = BatchRunner(config)
    whole = worker.run(plan.values(0, plan.n_rows), stop)
    for block in reversed(list(plan)):
        part = worker.run(plan.values(block.first, block.end), stop)
        for name in whole:
            np.testing.assert_array_equal(part[name], whole[name][block.first : block.end])

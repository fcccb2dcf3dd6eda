"""An Evaluator computes what a sweep computes, run by run, and refuses what a sweep refuses."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.optimize import brentq

import hybridsim
from hybridsim import ConfigError, Evaluator

METRICS = {"bounces": "count(floor)", "end": "final(t)", "top": "max(y)", "how": "status"}


@pytest.fixture(scope="module")
def ball():
    return Evaluator("bouncing_ball", ["restitution", "y"], METRICS, final_time=1.0)


def test_its_numbers_are_those_of_a_sweep_to_the_last_bit(ball):
    axes = {"restitution": [0.1, 0.5, 0.9], "y": [0.2, 1.0, 4.0]}
    table = hybridsim.sweep("bouncing_ball", axes, METRICS, final_time=1.0)
    grid = np.array([[e, y] for e in axes["restitution"] for y in axes["y"]])
    together = ball(grid)
    by_name = ball({"y": grid[:, 1], "parameters.restitution": grid[:, 0]})
    for name in METRICS:
        column = table[name].to_pylist()
        assert together[name].tolist() == by_name[name].tolist() == column
        assert [ball(row)[name] for row in grid] == column
    assert ball.axes == ("parameters.restitution", "initial.y")
    assert ball.metrics == tuple(METRICS)


def test_one_number_of_an_axis_holds_for_all_runs(ball):
    heights = np.linspace(0.5, 2.0, 7)
    assert ball({"restitution": 0.5, "y": heights})["end"].shape == (7,)
    assert ball({"restitution": 0.5, "y": 1.0})["end"] == ball([0.5, 1.0])["end"]


def test_an_earlier_run_leaves_no_trace(ball):
    first = ball([0.5, 1.0])
    for row in ([0.9, 4.0], [0.1, 0.2]):
        ball(row)
    assert ball([0.5, 1.0]) == first


def test_a_root_finder_finds_the_height_of_a_fall():
    """From rest, a body falls for sqrt(2 y / g)."""
    time_of_fall = Evaluator("bouncing_ball", ["y"], ["time(floor, 1)"], final_time=10.0)
    y = brentq(lambda y: time_of_fall([y])["time(floor, 1)"] - 1.3, 1.0, 20.0, xtol=1e-12)
    assert y == pytest.approx(0.5 * 9.81 * 1.3**2, rel=1e-9)


def test_the_end_may_be_an_axis_without_being_given_first():
    x = Evaluator("projectile", ["final_time"], ["final(t)"])
    assert x({"final_time": [0.25, 0.5]})["final(t)"].tolist() == [0.25, 0.5]


def test_a_value_that_another_key_forbids_is_refused_whatever_was_accepted_before():
    end = Evaluator("projectile", ["final_time"], ["final(t)"], initial_time=10.0)
    assert end([11.0])["final(t)"] == 11.0
    for _ in range(2):
        with pytest.raises(ConfigError, match="final_time"):
            end([9.0])
    assert end([10.5])["final(t)"] == 10.5


def test_it_can_be_pickled(ball):
    assert pickle.loads(pickle.dumps(ball))([0.7, 2.0]) == ball([0.7, 2.0])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"y": 1.0}, "expected one for each of parameters.restitution, initial.y"),
        ({"y": 1.0, "restitution": 0.5, "z": 0.0}, "'z' is none of them"),
        ([1.0, 2.0, 3.0], r"expected 2 of them, or an array \(n, 2\)"),
        ({"y": [1.0, 2.0], "restitution": [0.1, 0.2, 0.3]}, "make them equally long"),
        ({"y": [1.0, math.nan], "restitution": 0.5}, r"initial.y: value \[1\] of the array: expected a finite number"),
        ({"y": 1.0, "restitution": 7.0}, "parameters.restitution: .*7"),
        ({"y": "high", "restitution": 0.5}, "initial.y: expected a number"),
        (np.zeros((0, 2)), "an empty array"),
        ([[1.0, 2.0], [3.0]], "expected rows of one length"),
        ({"y": [[1.0], [1.0, 2.0]], "restitution": 0.5}, "expected rows of one length"),
        (None, "expected 2 of them"),
        ({"y": None, "restitution": 0.5}, "initial.y: expected a number"),
    ],
)
def test_values_that_are_not_allowed_are_named(ball, values, message):
    ball([0.5, 1.0])  # what has been accepted before does not matter
    with pytest.raises(ConfigError, match=message):
        ball(values)


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ("y", "expected a list of names, found 'y'"),
        ([], "expected a list of names, found none"),
        (None, "expected a list of names, found none"),
        ([5], "expected a list of names, found a list"),
        (["why"], "no 'why' to vary"),
        (["method"], "make an Evaluator for each"),
        (["y", "initial.y"], "it is there twice"),
    ],
)
def test_axes_that_cannot_vary_are_named(axes, message):
    with pytest.raises(ConfigError, match=message):
        Evaluator("bouncing_ball", axes, final_time=1.0)


def test_threads_that_call_one_evaluator_get_what_one_thread_gets():
    runner = Evaluator("slip", ["k", "touchdown_angle"], {"end": "final(x)", "top": "max(y)"}, final_time=0.7)
    rng = np.random.default_rng(4)
    values = np.column_stack([rng.uniform(1.5e4, 2.5e4, 3000), rng.uniform(-0.5, -0.3, 3000)])
    alone = runner(values)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(runner, values, timeout=60.0))
    for name in runner.metrics:
        np.testing.assert_array_equal([each[name] for each in found], alone[name])


def test_a_value_refused_on_one_thread_is_refused_on_another(ball):
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(ball, [0.5, 1.0]).result(30.0)["bounces"] == ball([0.5, 1.0])["bounces"]
        with pytest.raises(ConfigError, match="restitution"):
            threads.submit(ball, [1.5, 1.0]).result(30.0)


@pytest.mark.parametrize("begin", [0.6, "half", "75 %"])
def test_metrics_begin_when_those_of_a_sweep_do(begin):
    table = hybridsim.sweep("bouncing_ball", {"restitution": [0.5, 0.9]}, METRICS, from_=begin, final_time=1.0)
    found = Evaluator("bouncing_ball", ["restitution"], METRICS, from_=begin, final_time=1.0)(
        {"restitution": [0.5, 0.9]}
    )
    assert {name: column.tolist() for name, column in found.items()} == table.select([*METRICS]).to_pydict()
    whole = Evaluator("bouncing_ball", ["restitution"], METRICS, final_time=1.0)([[0.5], [0.9]])
    assert (found["bounces"] < whole["bounces"]).all()

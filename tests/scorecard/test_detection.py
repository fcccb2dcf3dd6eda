"""What other engines miss: close pairs, first roots, roots at step ends, guards that start at zero.

The cases are collected from the issue trackers and test suites of other tools; the answers are closed forms.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from hybridsim import Boundary, Records, Status, load_model, simulate
from hybridsim.engine.compiler.options import JIT

EPS = np.finfo(float).eps
METHODS = ["dp5", "dop853", "tsit5", "rodas5p", "series", "rk4_adaptive"]


def names(run):
    return [event.boundaries for event in run.events]


def sampled(model):
    """The same model, with nothing declared about its boundaries."""
    return replace(model, boundary_records=Records(*(Boundary(b.name) for b in model.boundary_records)))


def climb(plugin, thresholds, **keywords):
    """A run of the ladder with these thresholds; `initial` and the rest as in simulate."""
    padded = [*thresholds, *[1e300] * (100 - len(thresholds))]
    parameters = {"thresholds": padded, "count": len(thresholds), **keywords.pop("parameters", {})}
    return simulate(plugin("ladder"), parameters=parameters, **keywords)


@pytest.mark.parametrize("delta", [1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("method", METHODS)
def test_both_crossings_near_the_top_of_a_throw_are_found(method, delta):
    v0, g = 10.0, 9.81
    level = (1.0 - delta) * v0**2 / (2.0 * g)
    speed = v0 * math.sqrt(delta)  # at the level
    expected = np.array([v0 - speed, v0 + speed]) / g
    throw = {"initial": {"y": 0.0, "v": v0}, "final_time": 2.0, "method": method}
    run = simulate("projectile", parameters={"gravity": g, "level": level}, **throw)
    assert names(run) == [("rises",), ("falls",)]
    # Seven products of an extension's coefficients, up to 30 in tsit5, with h v, up to 10 m, are rounded: by less than
    # 256 spacings of the height. The slow speed makes a time of that.
    np.testing.assert_allclose(run.events.t, expected, rtol=0, atol=1e-14 + 256 * np.spacing(level) / speed)
    undisturbed = simulate("projectile", parameters={"gravity": g, "level": 100.0}, **throw)
    steps_before = np.searchsorted(undisturbed.t, expected)
    assert delta > 1e-6 or steps_before[0] == steps_before[1]  # they lay within one step


@pytest.mark.parametrize("declared", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_a_cubic_state_has_its_three_roots(plugin, method, declared):
    model = load_model(plugin("three_roots"))
    run = simulate(
        model if declared else sampled(model),
        parameters={"guard": "state", "root_1": -6.0, "root_2": -2.0, "root_3": 2.0},
        initial_time=-8.0,
        final_time=3.0,
        method=method,
        rtol=1e-10,
    )
    assert names(run) == [("rises",), ("falls",), ("rises",)]
    # The methods integrate a cubic exactly. Rounding remains: of products h f, up to 10 x 92 in size, in every step.
    atol = 16 * run.statistics["steps"] * np.spacing(920.0) / 16.0  # 16: the least slope at a root
    np.testing.assert_allclose(run.events.t, [-6.0, -2.0, 2.0], rtol=0, atol=atol)


@pytest.mark.parametrize(
    ("guard", "declared"),
    [("time", True), ("time", False), ("state", True), ("state", False), ("time_squared", False)],
)
def test_the_first_of_three_roots_in_one_step_comes_first(plugin, guard, declared):
    model = load_model(plugin("three_roots"))
    run = simulate(
        model if declared else sampled(model), parameters={"guard": guard}, final_time=1.0, first_step=1.0, rtol=1e-10
    )
    roots = np.array([0.1, 0.4, 0.8])
    expected = np.sqrt(roots) if guard == "time_squared" else roots
    assert names(run) == [("rises",), ("falls",), ("rises",)]
    np.testing.assert_allclose(run.events.t, expected, rtol=0, atol=64 * EPS)


def test_the_mirrored_roots_come_in_mirrored_order(plugin):
    roots = {"root_1": -0.8, "root_2": -0.4, "root_3": -0.1}
    run = simulate(plugin("three_roots"), parameters=roots, initial_time=-1.0, final_time=0.0, first_step=1.0)
    np.testing.assert_allclose(run.events.t, [-0.8, -0.4, -0.1], rtol=0, atol=EPS)


def test_thresholds_tiny_gaps_apart_fire_in_order_within_one_long_step(plugin):
    thresholds = [0.0, 1e-8, 2e-8, 2e-7]  # the first is zero at the start and moves outward: it fires at t = 0
    run = climb(plugin, thresholds, final_time=2.0, first_step=2.0)
    assert names(run) == [(f"rung_{i}",) for i in range(4)]
    np.testing.assert_allclose(run.events.t, thresholds, rtol=4 * EPS)


def test_thresholds_a_few_spacings_above_the_start_each_fire_once_in_order(plugin):
    multiples = np.array([50, 60, 70, 80, 90])  # all far below stop_precision, and yet positive
    run = climb(
        plugin,
        [math.exp(k * EPS) for k in multiples],
        parameters={"rate": 0.0, "growth": 1.0},
        initial={"x": 1.0},
        final_time=100 * EPS,
        first_step=4.7 * EPS,
        max_step=4.7 * EPS,
    )
    assert names(run) == [(f"rung_{i}",) for i in range(5)]
    np.testing.assert_allclose(run.events.t, multiples * EPS, rtol=0.1)  # each step rounds x by up to eps / 2


@pytest.mark.parametrize("method", ["dp5", "rk4"])
def test_a_root_at_the_end_of_a_step_is_one_event(plugin, method):
    run = climb(plugin, [1.0], final_time=2.0, first_step=0.25, max_step=0.25, method=method)
    assert len(run.events) == 1
    assert run.events.t[0] == pytest.approx(1.0, abs=4 * EPS)  # x is the sum of four rounded steps


@pytest.mark.parametrize(("rate", "expected"), [(1.0, [0.0]), (-1.0, [])])
def test_a_guard_that_starts_at_zero_fires_if_it_moves_outward(plugin, rate, expected):
    run = climb(plugin, [1.0], parameters={"rate": rate}, initial={"x": 1.0}, final_time=2.0)
    assert run.events.t.tolist() == expected


def test_two_guards_in_one_step_fire_in_order_of_time(plugin):
    run = climb(plugin, [0.5, 1.0], final_time=2.0, first_step=2.0)
    np.testing.assert_allclose(run.events.t, [0.5, 1.0], rtol=4 * EPS)


def test_a_hundred_boundaries_in_one_step_all_fire_in_order(plugin):
    run = climb(plugin, [0.5 + i for i in range(100)], final_time=101.0, first_step=101.0)
    assert names(run) == [(f"rung_{i}",) for i in range(100)]
    np.testing.assert_allclose(run.events.t, 0.5 + np.arange(100), rtol=100 * EPS)  # one rounding of x a restart


def test_two_clocks_tick_at_the_exact_instants_and_together_at_the_common_one(plugin):
    run = simulate(plugin("clocks"), final_time=0.8)
    assert run.events.t.tolist() == [0.25, 0.5, 0.75]
    assert names(run) == [("fast",), ("fast", "slow"), ("fast",)]
    assert run.status is Status.FINAL_TIME


@pytest.mark.parametrize("first", [0, 999_000])
def test_the_kth_tick_is_k_periods_to_the_bit(plugin, first):
    n = 1000 if JIT else 100
    run = simulate(
        plugin("clocks"),
        parameters={"fast_period": 0.1, "fast_offset": 0.0, "slow_offset": 1e9},
        initial={"fast_ticks": first},
        initial_time=first * 0.1 - 0.05,
        final_time=(first + n) * 0.1 + 0.05,
    )
    assert run.events.t.tolist() == [k * 0.1 for k in range(first, first + n + 1)]

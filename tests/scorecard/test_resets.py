"""Bounces, collisions and spikes: events whose transitions change the state, against closed forms."""

import math

import numpy as np
import pytest

from hybridsim import Status, simulate

EPS = np.finfo(float).eps
NEVER_AT_REST = {"zeno_precision": 0.0}
"""The run goes on however little time is left to the accumulation of the bounces."""


def bounce_times(count, height, gravity, restitution):
    """t_n = t_1 (1 + e - 2 e^n) / (1 - e), n = 1 ... count, and their limit t_1 (1 + e) / (1 - e)."""
    first = math.sqrt(2.0 * height / gravity)
    e, n = restitution, np.arange(1, count + 1)
    return first * (1.0 + e - 2.0 * e**n) / (1.0 - e), first * (1.0 + e) / (1.0 - e)


@pytest.mark.parametrize(("gravity", "restitution", "count"), [(9.81, 0.9, 30), (9.8, 0.5, 41)])
def test_each_bounce_comes_when_it_should_and_once(gravity, restitution, count):
    run = simulate(
        "bouncing_ball",
        parameters={"gravity": gravity, "restitution": restitution},
        initial={"y": 1.0},
        final_time=10.0,
        stop=[("floor", count)],
        **(NEVER_AT_REST if count == 41 else {}),
    )
    expected, limit = bounce_times(count, 1.0, gravity, restitution)
    assert run.status is Status.STOPPED
    assert len(run.events) == count
    # A bounce time is late by up to a spacing; the next flight lasts 2 v / g, so lateness and speed errors only add.
    np.testing.assert_allclose(run.events.t, expected, rtol=0, atol=8 * count * np.spacing(limit))
    impact = -np.array([event.x_before[1] for event in run.events])
    speeds = math.sqrt(2.0 * gravity) * restitution ** np.arange(count)
    np.testing.assert_allclose(impact, speeds, rtol=1e-6, atol=8 * count * gravity * np.spacing(limit))


def test_a_ball_that_bounces_infinitely_often_never_falls_through_the_floor():
    keywords = {"parameters": {"restitution": 0.5}, "final_time": 3.0, "max_transitions": 10_000}
    run = simulate("bouncing_ball", **keywords, **NEVER_AT_REST)
    _, limit = bounce_times(1, 1.0, 9.81, 0.5)
    assert run["y"].min() >= -1e-10  # stop_precision
    assert run.status in (Status.TOO_MANY_TRANSITIONS, Status.CASCADE)
    assert run.t[-1] == pytest.approx(limit, rel=1e-12)


def test_an_elastic_ball_keeps_its_energy_over_1565_bounces():
    run = simulate(
        "bouncing_ball",
        parameters={"gravity": 9.8, "restitution": 1.0},
        initial={"y": 50.0},
        final_time=1e4,
        record=False,
    )
    assert len(run.events) == 1565  # (1e4 / sqrt(100 / 9.8) + 1) / 2 = 1565.7
    energy = 0.5 * run["v"] ** 2 + 9.8 * run["y"]
    np.testing.assert_allclose(energy, 490.0, rtol=run.statistics["steps"] * 4 * EPS)


def test_a_ball_between_walls_hits_the_floor_three_times_and_the_walls_twice():
    run = simulate(
        "two_walls",
        parameters={"gravity": 9.8, "width": 10.0, "restitution": 0.9},
        initial={"x": 0.0, "y": 50.0, "xdot": 2.0, "ydot": 0.0},
        final_time=15.0,
    )
    floor, _ = bounce_times(3, 50.0, 9.8, 0.9)
    walls = [5.0, 5.0 + 10.0 / 1.8]
    assert [run.events.count(name) for name in ("floor", "left", "right")] == [3, 1, 1]
    np.testing.assert_allclose(run.events.t, sorted([*floor, *walls]), rtol=16 * EPS)


def test_a_corner_is_one_jump_that_carries_both_boundaries(plugin):
    run = simulate(plugin("box"), initial={"x": 1.0, "y": 1.0, "u": -1.0, "v": -1.0}, final_time=2.0)
    assert [event.boundaries for event in run.events] == [("left", "bottom")]
    assert run.events.t[0] == pytest.approx(1.0, abs=4 * EPS)
    assert run.j[-1] == 1
    np.testing.assert_allclose(run.x[-1], [1.0, 1.0, 1.0, 1.0], rtol=4 * EPS)


@pytest.mark.parametrize("direction", [(1.0, 1.0), (-1.0, 2.0), (3.0, 1.0), (1.0, (1 + 5**0.5) / 2), (1.0, 1e-3)])
def test_a_path_in_a_box_is_a_straight_line_unfolded(plugin, direction):
    u, v = direction
    run = simulate(plugin("box"), initial={"x": 1.0, "y": 1.0, "u": u, "v": v}, final_time=20.3)

    def folded(position):
        return 2.0 - abs(position % 4.0 - 2.0)

    late = 4 * len(run.events) * np.spacing(20.3) * max(abs(u), abs(v))  # each reflection by some spacings of t
    np.testing.assert_allclose(run.x[-1, :2], [folded(1 + 20.3 * u), folded(1 + 20.3 * v)], rtol=0, atol=late)
    hits = sum(math.floor((20.3 * abs(speed) + 1.0) / 2.0) for speed in direction)  # the first after 1, then every 2
    assert int(run.events.crossed.sum()) == hits


@pytest.mark.members(3)
@pytest.mark.parametrize(("power", "collisions"), [(0, 3), (1, 31), (2, 314), (3, 3141), (4, 31415), (5, 314159)])
def test_galperins_blocks_count_the_digits_of_pi(power, collisions):
    mass = 100.0**power
    run = simulate(
        "galperin",
        parameters={"mass_ratio": mass},
        initial={"x": 1.0, "v": 0.0, "heavy_x": 2.0, "heavy_v": -1.0},
        final_time=20.0,
        record=False,
        max_transitions=400_000,
    )
    assert len(run.events) == collisions
    energy = 0.5 * run["v"] ** 2 + 0.5 * mass * run["heavy_v"] ** 2
    np.testing.assert_allclose(energy, 0.5 * mass, rtol=collisions * 4 * EPS)
    # Unfolded in (sqrt(M) X, x) the path is the straight line x = 1, and the collisions are rays at multiples of one
    # angle: the n-th comes at 2 - cot(n angle) / sqrt(M).
    angle = math.atan(1.0 / math.sqrt(mass))
    ray = np.arange(1, collisions + 1) * angle
    expected = 2.0 - 1.0 / (np.tan(ray) * math.sqrt(mass))
    # A reflection that comes some spacings of t late shifts the path sideways; what it rounds turns the path.
    shifted, turned = 4 * collisions * np.spacing(2.0), 16 * collisions * EPS
    late = shifted * (1.0 + abs(1.0 / np.tan(ray))) + turned / (math.sqrt(mass) * np.sin(ray) ** 2)
    assert np.all(np.abs(run.events.t - expected) <= late)


@pytest.mark.parametrize("gap", [1.0, 0.0])
def test_the_last_ball_of_a_cradle_takes_the_speed_of_the_first(plugin, gap):
    run = simulate(plugin("cradle"), initial={"x2": 1.0, "x3": 1.0 + gap}, final_time=2.0)
    assert [event.boundaries for event in run.events] == [("left_pair",), ("right_pair",)]
    np.testing.assert_allclose(run.events.t, [0.5, 0.5 + gap / 2.0], rtol=4 * EPS)
    assert run.x[-1, 3:].tolist() == [0.0, 0.0, 2.0]


def test_a_hundred_identical_neurons_spike_together_every_ln_2(plugin):
    run = simulate(plugin("neurons"), final_time=5.0, rtol=1e-10, atol=1e-12)
    assert [len(event.boundaries) for event in run.events] == [100] * 7
    np.testing.assert_allclose(run.events.t, math.log(2.0) * np.arange(1, 8), rtol=1e-9)


def test_a_tank_that_is_refilled_at_a_tenth_empties_every_ln_10(plugin):
    run = simulate(plugin("refill"), final_time=10.0, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(run.events.t, math.log(10.0) * np.arange(1, 5), rtol=1e-9)

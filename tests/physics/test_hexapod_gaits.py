"""What the hexapod does when it runs: speeds, directions, turns, uneven ground, and its clock."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config, simulate

from .hexapod_runs import (
    COULOMB,
    CREEP,
    HILLS,
    LEGS,
    ON_A_HILL,
    SETTINGS,
    WEAK,
    drive,
    mean_speed,
    walk,
)

CONFIGS = Path(__file__).parents[2] / "configs/hexapod"


@pytest.fixture(scope="module", params=["creep", pytest.param("coulomb", marks=pytest.mark.exhaustive)])
def speeds(request):
    """By setting, under both laws of friction: (law, speeds)."""
    found = {}
    for name, (*numbers, _) in SETTINGS.items():
        run = walk(10 * numbers[0], inputs=drive(*numbers), friction=request.param)
        assert run.status.ok, run.message
        found[name] = mean_speed(run)
    return request.param, found


@pytest.mark.slow
def test_the_four_settings_are_as_fast_as_elsewhere(speeds):
    law, found = speeds
    for name in SETTINGS if law == "creep" else "23":  # under Coulomb's law the slow settings slip: see the docs
        assert found[name] == pytest.approx(SETTINGS[name][4], rel=0.15)
    assert found["2"] == pytest.approx(0.55, rel=0.15)  # Saranli, Buehler, Koditschek 2001, table 1


def test_the_longer_the_period_the_slower_it_is(speeds):
    _, found = speeds
    assert found["0"] < found["1"] < min(found["2"], found["3"])


@pytest.mark.parametrize("law", [pytest.param("creep", marks=pytest.mark.exhaustive), "coulomb"])
def test_backward_runs_backward(law):
    run = walk(5.0, gait="backward", inputs={"phi_o": 0.15}, friction=law)
    assert np.mean(run["speed"]) < -0.3


@pytest.mark.parametrize(("gait", "sign"), [("turn_right", -1), ("turn_left", 1)])
def test_turning_in_place_turns_in_place(gait, sign):
    run = walk(4.0, gait=gait, inputs={"phi_o": 0.0}, friction="coulomb")
    assert sign * np.unwrap(run["body_yaw"])[-1] > 1.0
    assert np.hypot(run["r_x"] - 0.0, run["r_y"] + 0.5).max() < 0.05


@pytest.mark.exhaustive  # it turns in place in the ordinary run
@pytest.mark.parametrize("law", ["coulomb", pytest.param("creep", marks=pytest.mark.exhaustive)])
def test_an_offset_between_the_sides_turns_the_more_the_larger_it_is(law):
    runs = [walk(6.0, inputs={"dphi_o": offset}, friction=law) for offset in (0.0, 0.06, 0.113)]
    turns = [np.unwrap(run["body_yaw"])[-1] for run in runs]
    assert turns[0] > turns[1] + 0.2
    assert turns[1] > turns[2] + 0.2


def test_it_crosses_a_ditch_that_is_shorter_than_its_stride():
    wide, walls = 0.02, 2 * (0.03 / 4.0)
    run = walk(6.0, terrain="ditchedflat", terrain_arg1=0.5, terrain_arg2=wide, terrain_arg3=0.03)
    assert run.status.ok, run.message
    assert mean_speed(run) * 0.53 > wide + walls
    assert run["r_y"][-1] > 1.0
    assert run["clearance"].min() > 0.1


def test_after_a_fall_into_a_wide_ditch_the_run_goes_on():
    run = walk(10.0, terrain="ditchedflat", terrain_arg1=0.0, terrain_arg2=0.5, terrain_arg3=0.2)
    assert run.status.ok, run.message
    assert run.events.count("body_down") > 0
    assert run["r_z"].min() < 0.0


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("terrain", "least_rise"),
    [
        (HILLS, 0.03),
        ({"terrain": "sloped", "terrain_arg2": 0.1}, 0.1),
        (
            {
                "terrain": "height_map",
                "height_map": [[0.01 * math.sin(7.0 * (21 * i + k)) for k in range(21)] for i in range(21)],
            },
            0.01,
        ),
        ({"terrain": "rough", "terrain_arg1": 0.01, "terrain_arg2": 0.2, "terrain_arg3": 1}, 0.01),
    ],
    ids=lambda given: given["terrain"] if isinstance(given, dict) else "",
)
def test_it_runs_over_uneven_ground(terrain, least_rise):
    run = walk(5.0, initial=ON_A_HILL, **terrain)
    assert run.status.ok, run.message
    assert run["r_y"][-1] > 1.0
    assert np.ptp(run["r_z"] - run["clearance"]) > least_rise  # of the ground under the body
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-9


@pytest.mark.members(1)
@pytest.mark.parametrize("method", ["dp5", "tsit5", "dop853"])
def test_with_coulomb_friction_each_leg_lifts_off_as_often_by_every_method_at_any_tolerance(method):
    expected = liftoffs(walk(1.0, rtol=1e-8, **COULOMB))
    assert expected.sum() > 10
    for rtol in (1e-3, 1e-4, 1e-5):
        run = simulate("hexapod", parameters=COULOMB, final_time=1.0, method=method, rtol=rtol)
        assert run.status.ok, (rtol, run.message)
        np.testing.assert_array_equal(liftoffs(run), expected)


def liftoffs(run):
    """How often each leg lifts off."""
    return run.events.crossed[:, [run.boundaries.index(f"liftoff{leg}") for leg in LEGS]].sum(axis=0)


@pytest.mark.members(1)
@pytest.mark.parametrize("changes", [WEAK, COULOMB, COULOMB | WEAK], ids=str)
def test_other_laws_of_contact_run_as_well(changes):
    run = walk(5.0, **changes)
    assert run.status.ok, run.message
    assert mean_speed(run) == pytest.approx(0.576, rel=0.15)
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-9


@pytest.mark.members(1)
@pytest.mark.slow
@pytest.mark.parametrize("seconds", [10, pytest.param(60, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(COULOMB | WEAK, marks=pytest.mark.exhaustive),
        pytest.param(CREEP | {"terrain": "sloped", "terrain_arg2": 0.1}, marks=pytest.mark.exhaustive),
        COULOMB | HILLS,
        CREEP | WEAK | {"terrain": "ditchedflat", "terrain_arg1": 1.0, "terrain_arg2": 0.02, "terrain_arg3": 0.03},
    ],
    ids=str,
)
def test_it_runs_on_and_on(changes, seconds):
    run = walk(seconds, period=0.01, initial=ON_A_HILL, **changes)
    assert run.status.ok, run.message
    if changes.get("terrain") == "ditchedflat":  # there some legs reach their end stops
        assert max((run[f"rho{leg}"] * run[f"stance{leg}"]).max() for leg in LEGS) < 0.18
    else:
        warnings = {name for name, count in run.statistics.items() if name.startswith("warning") and count}
        assert not warnings
    assert run.t[-1] == seconds
    assert np.hypot(run["r_x"][-1] - 0.5, run["r_y"][-1] + 0.5) > seconds / 6.0
    assert min(run[f"push{leg}"].min() for leg in LEGS) > -1e-8
    # Each leg begins a stance and a swing per period of 0.53 s, and has four ticks: 68 events per second at least.
    assert np.histogram(run.events.t, np.arange(seconds + 1.0))[0].max() < 300


def test_the_clock_changes_its_period_where_the_phases_meet():
    simulation = Simulation("hexapod", max_transitions=10**6)
    simulation.advance(0.3)
    simulation.inputs["t_c"] = 0.6
    simulation.inputs["t_s"] = 0.4
    simulation.advance(0.5)
    assert simulation["used_t_c"] == 0.53
    simulation.advance(1.2)
    assert simulation["used_t_c"] == 0.6
    run = simulation.result()
    halves = sorted({event.t for event in run.events if len([b for b in event.boundaries if "tick" in b]) == 6})
    np.testing.assert_allclose(halves, [0.265, 0.53, 0.83, 1.13], rtol=1e-14)


BODY_LENGTH = 0.53  # Saranli, Buehler, Koditschek 2001, table 1


def run_of(name, seconds, **initial):
    config = load_config(CONFIGS / f"{name}.yaml", [f"final_time={seconds}"])
    return Simulation.from_config(replace(config, initial={**config.initial, **initial})).run()


def share_of_flight(run):
    """The part of the second half of a run in which no toe is on the ground."""
    late = run.events.t > 0.5 * run.t[-1]
    durations = np.diff(run.events.t[late])
    flies = run.events.chart_after[late][:-1] & 63 == 0
    return durations[flies].sum() / durations.sum()


@pytest.mark.slow
@pytest.mark.members(1)
@pytest.mark.parametrize(
    "initial",
    [{"roll": 0.02, "pitch": 0.02}, {}, {"v_y": 0.8}],
    ids=str,
)
def test_it_pronks_at_two_body_lengths_a_second(initial):
    run = run_of("pronk", 10, **initial)
    assert run.status.ok, run.message
    assert mean_speed(run) == pytest.approx(1.083, abs=0.002)
    assert mean_speed(run) == pytest.approx(2.0 * BODY_LENGTH, rel=0.05)  # McMordie and Buehler 2001
    assert share_of_flight(run) == pytest.approx(0.68, abs=0.01)
    late = run.t > 9.0
    assert np.ptp(run["body_roll"][late]) < 1e-3
    landings = [run.events.t[run.events.crossed[:, run.boundaries.index(f"touchdown{leg}")] == 1] for leg in LEGS]
    last = [t[-1] for t in landings]
    assert np.ptp(last) < 0.02  # of a hop of 0.31 s


@pytest.mark.exhaustive  # it pronks in the ordinary run
def test_without_waiting_for_its_toes_it_does_not_pronk():
    config = load_config(CONFIGS / "pronk.yaml", ["parameters.max_wait=0"])
    run = Simulation.from_config(config).run()
    assert min(event.t for event in run.events if "body_down" in event.boundaries) < 0.5  # in its first hop


@pytest.mark.exhaustive  # `tests/models` runs the config
@pytest.mark.slow
def test_it_bounds_in_pairs():
    run = run_of("bound", 12)
    assert run.status.ok, run.message
    assert mean_speed(run) == pytest.approx(0.78, abs=0.02)
    late = run.t > 6.0
    for right, left in ((0, 3), (1, 4), (2, 5)):
        assert np.mean(run[f"stance{right}"][late] == run[f"stance{left}"][late]) > 0.9
    assert np.mean(run["stance0"][late] == run["stance2"][late]) < 0.6
    assert share_of_flight(run) == pytest.approx(0.156, abs=0.01)


def test_in_a_wave_four_toes_stand_at_least():
    run = run_of("wave", 6)
    assert run.status.ok, run.message
    late = run.t > 3.0
    assert sum(run[f"stance{leg}"][late] for leg in LEGS).min() >= 4
    assert mean_speed(run) == pytest.approx(0.17, abs=0.02)

"""What the biped's configs say of themselves, and what its example of a user's controller stands under."""

import re

import numpy as np
import pytest

from hybridsim import Simulation, Status, load_config, verify
from hybridsim_models.biped.records import BEGINS, HOLDS, JOINTS, LIMITS, SLIPS, slips

from . import config_runs
from .config_runs import CONFIGS, checked_run_of

WEIGHT, FOOT_LINE = 73.0 * 9.81, 0.08


def test_the_page_has_the_numbers_of_the_limits():
    page = (CONFIGS.parent / "docs" / "biped.md").read_text()
    listed = re.search(r"number of the limit: (.*?);", " ".join(page.split()))[1]
    assert listed == ", ".join(f"{number} `{limit[0]}`" for number, limit in enumerate(LIMITS, 1))


def run_of(name, *overrides):
    return config_runs.run_of(f"biped/{name}.yaml", *overrides)


FEW, ALL = 9, 24
"""Steps of a walk: as few as let it become steady and come to rest again, and as many as the configs have."""

WALKS = [
    pytest.param("walk", 0.4, 0.5, marks=pytest.mark.exhaustive),
    pytest.param("walk-faster", 0.5, 0.75, marks=pytest.mark.exhaustive),
    ("walk-kajita", 0.4, 0.5),
    ("hinged", 0.4, 0.5),
    pytest.param("walk-straight", 0.41, 0.52, marks=pytest.mark.exhaustive),
    pytest.param("walk-people", 0.38, 0.47, marks=pytest.mark.exhaustive),
    pytest.param("walk-people-faster", 0.43, 0.71, marks=pytest.mark.exhaustive),
    pytest.param("walk-people-fast", 0.62, 1.23, marks=pytest.mark.exhaustive),
]
"""Configs with the length [m] and the speed [m/s] of their steps; `walk` makes those of `walk-kajita`."""


@pytest.mark.members(1)
@pytest.mark.parametrize("steps", [FEW, pytest.param(ALL, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize(("name", "length", "speed"), WALKS)
def test_the_walks_make_their_steps_and_come_to_rest_beside_the_last_foothold(name, length, speed, steps):
    path = f"biped/{name}.yaml"
    shorter = [f"parameters.steps={steps}", f"final_time={steps / ALL * load_config(CONFIGS / path).final_time + 3:g}"]
    run = checked_run_of(path, *([] if steps == ALL else shorter))
    assert run.status.ok, run.message
    assert run.events.count("heel2_down") == steps + 1
    heels = [run[f"heel_{side}_x"] for side in ("right", "left")]
    assert heels[0][-1] == pytest.approx(heels[1][-1], abs=0.02)
    shorter_by = 0.5 * run.parameters["slowing"]  # steps: of two that slow down, 1/3 and 2/3
    assert heels[0][-1] - heels[0][0] == pytest.approx((steps - shorter_by) * length, rel=0.05)
    steady = (run["walk_phase"] == 2) & (run["steps_to_go"] > 3) & (run["steps_to_go"] < steps - 4)
    assert np.mean(run["com_vx"][steady]) == pytest.approx(speed, rel=0.1)
    assert abs(run["com_vx"][-1]) < 1e-3


def test_the_straight_walk_has_the_angles_and_torques_of_its_page():
    """To half of the last digit of the table, but for steps that are not quite steady after six of them."""
    run = checked_run_of("biped/walk-straight.yaml", "parameters.steps=10", "final_time=11.5")
    assert run.status.ok, run.message
    assert run.events.count("heel2_down") == 11
    steady = (run["steps_to_go"] > 2) & (run["steps_to_go"] < 5)
    for joint, low, high in (("knee", 12.0, 59.0), ("ankle", -15.0, 17.0), ("hip", -6.0, 37.0)):
        both = np.degrees([run[f"{joint}_{side}"][steady] for side in ("right", "left")])
        assert (both.min(), both.max()) == pytest.approx((low, high), abs=0.7), joint
    for joint, peak in (("ankle", 1.32), ("knee", 0.75), ("hip", 0.66)):
        assert np.abs(run[f"{joint}_torque_left"][steady]).max() / 73.0 == pytest.approx(peak, abs=0.01), joint
    total = (run["fz_right"] + run["fz_left"])[steady] / WEIGHT
    assert (total.min(), total.max()) == pytest.approx((0.87, 1.07), abs=0.01)
    assert np.mean(run["com_vx"][steady]) == pytest.approx(0.516, abs=0.003)
    power = sum(np.maximum(run[f"torque_{joint}"] * run[f"{joint}dot"], 0.0)[steady] for joint in JOINTS)
    cost = np.trapezoid(power, run.t[steady]) / (WEIGHT * np.ptp(run["com_x"][steady]))
    assert cost == pytest.approx(0.15, abs=0.006)


@pytest.mark.exhaustive
def test_the_straight_walk_falls_under_a_push_that_the_other_one_bears():
    """0.2 s into the fifth single support, on the left foot, 0.1 s forward."""
    pushed = ["parameters.steps=8", "final_time=12", "parameters.push_x=250"]
    assert run_of("walk", *pushed, "parameters.push_start=4.8").status.ok
    assert not run_of("walk-straight", *pushed, "parameters.push_start=4.678").status.ok
    weaker = [*pushed[:2], "parameters.push_x=200", "parameters.push_start=4.678"]
    assert run_of("walk-straight", *weaker).status.ok


def test_a_push_that_takes_a_step_ends_beside_it():
    run = checked_run_of("biped/push-step.yaml")
    assert run.status.ok, run.message
    assert run.events.count("heel2_down") == 2
    toes = run["toe_right_x"][-1], run["toe_left_x"][-1]
    assert toes == pytest.approx((np.mean(toes), np.mean(toes)), abs=0.03)
    assert np.mean(toes) > 0.3


@pytest.mark.exhaustive  # `test_biped_turning` has commands while it walks
def test_commands_stop_the_walk_change_its_speed_and_start_it_again():
    """From rest: slow steps, faster ones, a stop, and steps again. Steps are 2 % shorter than asked."""
    commands = ["parameters.walk=driven", "inputs.speed=0.4", "final_time=22"]
    simulation = Simulation.from_config(load_config(CONFIGS / "biped/walk.yaml", commands))
    for until, name, value in ((6.0, "speed", 0.6), (11.0, "go", 0.0), (16.0, "go", 1.0)):
        simulation.advance(until)
        simulation.inputs[name] = value
    simulation.advance(22.0)
    run = simulation.result()
    assert run.status.ok, run.message

    def speed(begin, end):
        at = [np.searchsorted(run.t, t) for t in (begin, end)]
        return np.diff(run["com_x"][at])[0] / np.diff(run.t[at])[0]

    step = 0.8  # s
    assert speed(6.0 - 3 * step, 6.0) == pytest.approx(0.98 * 0.4, rel=0.02)
    assert speed(11.0 - 3 * step, 11.0) == pytest.approx(0.98 * 0.6, rel=0.02)
    assert abs(speed(15.0, 16.0)) < 0.01
    assert speed(22.0 - 3 * step, 22.0) == pytest.approx(0.98 * 0.6, rel=0.02)


@pytest.mark.exhaustive  # a push that takes a step is in the ordinary run
def test_a_push_that_it_survives_moves_the_weight_to_the_toes_and_back():
    run = checked_run_of("biped/push-recovery.yaml")
    assert run.status.ok, run.message
    at_rest = run.t < 1.0
    lean = run["com_x"] - run["com_x"][at_rest][-1]
    assert np.max(lean) > 0.05
    assert abs(lean[-1]) < 5e-3
    assert run["push_work"][-1] > 5.0
    assert run["fz_right"][-1] + run["fz_left"][-1] == pytest.approx(WEIGHT, rel=1e-6)


def test_too_strong_a_push_ends_as_a_fall():
    run = checked_run_of("biped/fall.yaml")
    assert run.status is Status.LEFT_CHART
    assert "fallen" in run.message
    assert np.ptp(run["com_z"]) > 0.2


@pytest.mark.exhaustive
def test_springs_at_the_ankles_hold_the_biped_if_they_are_stiffer_than_its_weight_needs():
    """As an inverted pendulum, the body needs m g h from both ankles together."""
    needed = 0.5 * WEIGHT * 0.97
    stands = checked_run_of("biped/stiff.yaml")
    assert stands.status.ok
    assert abs(stands["com_vx"][-1]) < 5e-3
    falls = run_of("stiff", f"parameters.ankle_stiffness={0.95 * needed}")
    assert "foot tips over its tip" in falls.message


def test_on_slippery_ground_feet_slip_and_the_walk_goes_on():
    """The walk needs a coefficient of 0.11, and has 0.10; the plan follows the feet to where they are."""
    slippery, firm = checked_run_of("biped/slippery.yaml"), run_of("walk", "final_time=8")
    assert slippery.status is Status.FINAL_TIME
    assert np.trapezoid(slippery["slip_speed"], slippery.t) > 0.05  # m
    assert firm["slip_speed"].max() == 0.0
    assert slippery["slip_loss"][-1] > 1.0
    assert slippery["com_x"][-1] == pytest.approx(firm["com_x"][-1], rel=0.05)
    assert np.ptp(slippery["energy_balance"]) < 1e-6


@pytest.mark.exhaustive  # slow: half a minute of the checker
def test_the_checker_accepts_a_walk_that_slips(tmp_path):
    """To 2.1 s: the first step, its strike, the exchange of the feet, and slips of one foot and of both."""
    run = run_of("slippery", "final_time=2.1")
    assert {2, 3} <= {*run["walk_phase"]}
    assert {*slips(run.chart, 0)} == {HOLDS, BEGINS, SLIPS}
    report = verify(run)
    assert report.ok, report

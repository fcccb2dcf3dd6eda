"""The biped on slopes and stairs: what bears its weight, how high it climbs, and that no foot goes through a step."""

import math

import numpy as np
import pytest

from hybridsim import Simulation, verify
from hybridsim_models.biped.anthropometry import FOOT, HEEL_TO_TOE

from .config_runs import checked_run_of

STATURE, WEIGHT, STEPS = 1.75, 73.0 * 9.81, 6
SHORT = [f"parameters.steps={STEPS}", "final_time=9"]


@pytest.fixture(scope="module")
def uphill():
    return checked_run_of("biped/slope.yaml", *SHORT)


@pytest.fixture(scope="module")
def upstairs():
    return checked_run_of("biped/stairs.yaml", *SHORT)


def test_on_a_slope_it_stands_with_its_centre_of_pressure_plumb_below_its_mass_centre():
    run = checked_run_of("biped/slope.yaml", "parameters.steps=0", "final_time=1", "inputs.slope=-0.12")
    assert run.status.ok, run.message
    slope = math.tan(-0.12)
    assert run["com_x"] - slope * run["com_z"] == pytest.approx(run["cop_x"], abs=1e-6)
    assert run["trunk_pitch"] == pytest.approx(-0.12, abs=1e-6)
    forces = run["fx1"] + run["fx2"], run["fz1"] + run["fz2"]
    assert forces[0] / forces[1] == pytest.approx(slope, abs=1e-6)
    assert np.hypot(*forces) == pytest.approx(WEIGHT, rel=1e-6)


def test_it_walks_up_a_slope_and_its_motors_and_losses_account_for_the_height(uphill):
    assert uphill.status.ok, uphill.message
    assert uphill.events.count("heel2_down") == STEPS + 1
    way = uphill["heel_left_x"][-1] - uphill["heel_left_x"][0]
    assert way == pytest.approx(0.4 * STEPS, rel=0.05)
    assert np.ptp(uphill["energy_balance"]) < 1e-6
    gained = uphill["potential"][-1] - uphill["potential"][0]
    assert gained == pytest.approx(WEIGHT * way * math.sin(0.1), rel=0.01)
    assert uphill["motor_work"][-1] - uphill["impact_loss"][-1] == pytest.approx(gained, rel=1e-6)
    assert uphill["trunk_pitch"] == pytest.approx(0.1, abs=2e-3)  # upright


@pytest.mark.members(1)
@pytest.mark.parametrize("height", [0.1, -0.1])
def test_it_walks_up_and_down_stairs_and_stands_on_the_last_one(height, upstairs):
    run = upstairs if height > 0.0 else checked_run_of("biped/stairs.yaml", *SHORT, f"inputs.step_height={height}")
    assert run.status.ok, run.message
    assert run.events.count("heel2_down") == STEPS + 1
    for side in ("right", "left"):
        heights = run[f"toe_{side}_z"], run[f"heel_{side}_z"]
        for each in heights:
            assert each[-1] == pytest.approx(STEPS * height, abs=1e-9)
        flat = np.abs(heights[0] - heights[1]) < 1e-9
        stairs = heights[0][flat] / height
        assert stairs == pytest.approx(np.round(stairs), abs=1e-6)  # flat soles are on stairs
    assert run["com_z"][-1] - run["com_z"][0] == pytest.approx(STEPS * height, abs=1e-6)
    assert np.ptp(run["energy_balance"]) < 1e-6
    assert run["friction_used"].max() < 0.25


def test_upstairs_no_foot_goes_through_the_edge_of_the_stair_on_which_it_lands(upstairs):
    """The edge is 5 cm behind where the heel lands, and ahead of the toes of the foot that stands."""
    right = [event.t for event in upstairs.events if "heel2_down" in event.boundaries]
    for landing in right[:-1]:
        last = np.searchsorted(upstairs.t, landing) - 1
        side = max(("right", "left"), key=lambda side: upstairs[f"heel_{side}_x"][last])
        begin = np.searchsorted(upstairs.t, landing - 0.55)
        rows = slice(begin, last)
        edge, level = upstairs[f"heel_{side}_x"][last] - 0.05, upstairs[f"heel_{side}_z"][last]
        heel = np.array([upstairs[f"heel_{side}_{axis}"][rows] for axis in "xz"])
        toe = np.array([upstairs[f"toe_{side}_{axis}"][rows] for axis in "xz"])
        tip = heel + (toe - heel) * FOOT.length / HEEL_TO_TOE
        over = (tip[0] > edge) & (heel[0] < edge)
        part = (edge - heel[0][over]) / (tip[0][over] - heel[0][over])
        assert over.any()
        assert (heel[1][over] + part * (tip[1][over] - heel[1][over])).min() > level
        other = "left" if side == "right" else "right"
        ends = upstairs[f"heel_{other}_x"][last] + FOOT.length * STATURE
        assert ends < edge


@pytest.mark.exhaustive  # turns are such commands in the ordinary run
def test_slope_and_stairs_are_commands_while_it_walks():
    """Level ground, then up two stairs, level again, and on a slope that begins."""
    simulation = Simulation("biped", parameters={"walk": "endless"}, method="tsit5", rtol=1e-6, final_time=12.0)
    for until, inputs in (
        (4.0, {}),
        (5.7, {"step_height": 0.08}),
        (8.0, {"step_height": 0.0}),
        (12.0, {"slope": 0.05}),
    ):
        simulation.inputs.update(inputs)
        simulation.advance(until)
    run = simulation.result()
    assert run.t[-1] == 12.0, run.message
    heights = np.maximum(run["ground1"], run["ground_ahead"])
    assert heights[-1] == pytest.approx(0.16)
    assert run["trunk_pitch"][-1] == pytest.approx(0.05, abs=5e-3)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ["slope", "stairs"])
def test_the_runs_of_the_configs_are_solutions(name):
    assert verify(checked_run_of(f"biped/{name}.yaml", "parameters.steps=2", "final_time=4", "record.period=null")).ok

"""The biped's walks on curves: where the shipped one ends, commands while it walks, stairs, and what is refused."""

import math

import numpy as np
import pytest

from hybridsim import ConfigError, Simulation, load_config, verify

from .config_runs import CONFIGS, checked_run_of, run_of

STEPS, TURN, STEP = 10, math.pi / 20.0, 0.4
"""Of turn.yaml: steps before the last one, and by how much each turns [rad]; their length [m]."""
SHORT = ["parameters.steps=2", "final_time=5", "record.period=null"]


def heading_of(run, side):
    """Return where a foot points at the end [rad]."""
    way = [run[f"toe_{side}_{axis}"][-1] - run[f"heel_{side}_{axis}"][-1] for axis in "xy"]
    return math.atan2(way[1], way[0])


@pytest.mark.exhaustive  # turns are commands while it walks
def test_it_walks_a_quarter_of_a_circle_and_stands_on_both_feet():
    run = checked_run_of("biped/turn.yaml")
    assert run.status.ok, run.message
    assert run.events.count("heel2_down") == STEPS + 1
    for side in ("right", "left"):
        assert heading_of(run, side) == pytest.approx(0.5 * math.pi, abs=2e-3)
    assert run["trunk_yaw"][-1] == pytest.approx(0.5 * math.pi, abs=2e-3)
    corners = np.cumsum(STEP * np.exp(1j * TURN * (np.arange(STEPS) + 0.5)))
    toes = [0.5 * (run[f"toe_right_{axis}"] + run[f"toe_left_{axis}"]) for axis in "xy"]
    way = [toe[-1] - toe[0] for toe in toes]
    assert way == pytest.approx((corners[-1].real, corners[-1].imag), rel=0.03)
    assert math.hypot(run["com_vx"][-1], run["com_vy"][-1]) < 1e-3
    assert np.ptp(run["energy_balance"]) < 1e-6
    assert run["friction_used"].max() < 0.15
    assert not run["warned"].any()


def test_turns_are_commands_while_it_walks_and_so_are_stops():
    """Left, right, straight on, a stop with feet side by side, and left again from there."""
    simulation = Simulation.from_config(
        load_config(CONFIGS / "biped/walk.yaml", ["parameters.walk=driven", "final_time=22"])
    )
    commands = ((4.0, {"turn_rate": 0.3}), (8.0, {"turn_rate": -0.5}), (12.0, {"turn_rate": 0.0}), (16.0, {"go": 0.0}))
    for until, inputs in (*commands, (19.0, {"go": 1.0, "turn_rate": 0.4}), (22.0, {})):
        simulation.advance(until)
        simulation.inputs.update(inputs)
    run = simulation.result()
    assert run.status.ok, run.message
    headings = [run["heading"][np.searchsorted(run.t, t) - 1] for t in (4.0, 8.0, 12.0, 16.0, 19.0)]
    turned = np.diff(headings)  # in 5 steps each, the first of which has begun before the command; and in the last one
    assert turned == pytest.approx((4 * 0.24, 0.24 - 4 * 0.4, -0.4, 0.0), abs=2e-3)
    rest = np.searchsorted(run.t, 19.0) - 1
    apart = [run[f"toe_left_{axis}"][rest] - run[f"toe_right_{axis}"][rest] for axis in "xy"]
    assert apart == pytest.approx((-0.16 * math.sin(headings[3]), 0.16 * math.cos(headings[3])), abs=0.02)
    assert run["heading"][-1] > headings[3] + 0.3
    assert np.ptp(run["energy_balance"]) < 1e-6


def test_a_curve_on_a_slope_is_refused():
    with pytest.raises(ConfigError, match="turns on level ground only; set the input slope to 0"):
        run_of("biped/turn.yaml", "inputs.slope=0.1")
    with pytest.raises(ConfigError, match="turns on level ground only"):
        run_of("biped/slope.yaml", "initial.heading=0.5")


def test_a_step_that_turns_too_far_is_refused():
    with pytest.raises(ConfigError, match=r"a step would turn by more than 1.2 rad: lower turn_rate"):
        run_of("biped/turn.yaml", "inputs.turn_rate=0.7", "parameters.single_time=1.6")


def test_a_swing_that_sinks_before_it_is_highest_is_refused():
    with pytest.raises(ConfigError, match=r"descent_part is not above apex_part: .* raise it"):
        run_of("biped/turn.yaml", "parameters.descent_part=0.6", "parameters.apex_part=0.6")


OTHERS = {
    "kajita": ["parameters.preview=kajita"],
    "hinged": ["parameters.feet=hinged"],
    "ideal": ["parameters.held=ideal"],
    "heel-off": ["parameters.heel_off=0.75", "parameters.cop_first=-0.13"],
    "upstairs": ["inputs.step_height=0.1"],
    "downstairs": ["inputs.step_height=-0.1"],
    "fast": ["inputs.turn_rate=1"],
    "slippery": ["parameters.friction=0.1", "parameters.on_slip=slip"],
}


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param(each, id=name, marks=() if name == "upstairs" else pytest.mark.exhaustive)
        for name, each in OTHERS.items()
    ],
)
def test_other_walks_turn_too_and_their_energy_is_accounted_for(changes):
    run = run_of("biped/turn.yaml", "parameters.steps=5", "final_time=8", *changes)
    assert run.status.ok, run.message
    rate = 1.0 if "inputs.turn_rate=1" in changes else math.pi / 16.0
    off = heading_of(run, "left") - 5 * 0.8 * rate
    assert math.remainder(off, 2.0 * math.pi) == pytest.approx(0.0, abs=0.01 * 5 * 0.8 * rate)
    assert np.ptp(run["energy_balance"]) < 1e-6


@pytest.mark.exhaustive
def test_a_walk_on_a_curve_is_a_solution():
    assert verify(run_of("biped/turn.yaml", *SHORT)).ok

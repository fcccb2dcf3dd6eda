"""The person of 18 speeds on two soles: stands, rocks onto the heels, slips, and falls onto a part that is named."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from hybridsim import verify
from hybridsim_models.human3d.fall import PARTS
from hybridsim_models.human3d.muscles import STRENGTHS, TISSUES, motor_torque, tissue_torque
from hybridsim_models.human3d.person import BUILD

from .config_runs import checked_run_of, run_of

WEIGHT = 9.81 * BUILD.mass


def balance(run):
    """What the energy gains between events, what it gains at them, and the work of joints and push [J]."""
    rows = [np.flatnonzero(run.j == j) for j in np.unique(run.j)]
    power, energy = run["joint_power"] + run["push_power"], run["energy"]
    flows = [some for some in rows if len(some) > 1]
    work = sum(float(CubicSpline(run.t[some], power[some]).integrate(*run.t[some[[0, -1]]])) for some in flows)
    between = sum(energy[some[-1]] - energy[some[0]] for some in rows)
    jumps = np.array([energy[after[0]] - energy[before[-1]] for before, after in pairwise(rows)])
    return between, jumps, work


@pytest.mark.exhaustive  # `test_bundled` runs the config in which it stands
def test_it_stands_on_two_flat_soles_that_bear_its_weight():
    run = checked_run_of("human3d/stand.yaml")
    assert run.status.ok, run.message
    assert run.events.count("push_changes") == len(run.events) == 2
    assert run["left_sole_normal"][-1] == pytest.approx(0.5 * WEIGHT, rel=1e-3)
    assert run["left_sole_normal"][-1] == pytest.approx(run["right_sole_normal"][-1], rel=1e-9)
    assert run["saturated"].max() == 0.0
    assert verify(run).ok


@pytest.mark.exhaustive  # it stands, falls and steps in the ordinary run
def test_a_push_that_it_withstands_tips_it_over_its_heels_and_the_energy_is_balanced():
    exact = ("engine.rtol=1e-9", "engine.atol=1e-11", "engine.max_step=1e-3", "final_time=2")
    run = run_of("human3d/push.yaml", *exact)
    assert run.status.ok, run.message
    assert any("_force" in name for event in run.events for name in event.boundaries)  # it tips
    assert any("_gap" in name for event in run.events for name in event.boundaries)  # and comes down
    assert not any("_hold" in name for event in run.events for name in event.boundaries)
    between, jumps, work = balance(run)
    assert between == pytest.approx(work, abs=1e-5)
    assert jumps.max() < 1e-9
    assert jumps.min() < -1e-6
    assert verify(run).ok


@pytest.mark.parametrize(
    ("push", "part"), [(400, "left_shoulder"), pytest.param(-400, "right_shoulder", marks=pytest.mark.exhaustive)]
)
def test_a_fall_ends_where_a_part_that_is_named_touches_the_ground(push, part):
    run = run_of("human3d/fall.yaml", f"parameters.push_y={push}")
    assert not run.status.ok
    assert run.message.startswith(f"the person has fallen: the {part.replace('_', ' ')} is on the ground")
    assert PARTS[int(run["fallen_part"][-1]) - 1] == part
    assert {name: run[f"{name}_height"][-1] > 1e-3 for name in PARTS} == {name: name != part for name in PARTS}
    assert run[f"{part}_height"][-1] == pytest.approx(0.0, abs=1e-9)
    assert any("_hold" in name for event in run.events for name in event.boundaries)  # it has slipped
    between, jumps, work = balance(run)
    assert between < work - 1.0  # friction
    assert jumps.max() < 1e-9


@pytest.mark.members(1)
@pytest.mark.parametrize(
    ("size", "direction"),
    [(100, 90), (150, 225), *(pytest.param(100, each, marks=pytest.mark.exhaustive) for each in (135, 315))],
)
def test_soles_that_rattle_come_to_lie_flat_once_three_corners_or_a_diagonal_touch(size, direction):
    angle = math.radians(direction)
    parts = (("x", math.cos(angle)), ("y", math.sin(angle)))
    push = (f"parameters.push_{axis}={round(size * part, 6)}" for axis, part in parts)
    run = run_of("human3d/push.yaml", *push)
    assert run.status.ok, run.message
    landed = [name for event in run.events for name in event.boundaries if name.endswith("_gap")]
    assert len(landed) > 2  # corners land one by one, or some again
    assert run["left_sole_normal"][-1] == pytest.approx(0.5 * WEIGHT, rel=0.1)


@pytest.mark.exhaustive  # a minute, on a machine that does nothing else half of it
def test_the_run_of_a_fall_is_a_solution():
    assert verify(run_of("human3d/fall.yaml")).ok


@pytest.mark.parametrize("joint", range(len(STRENGTHS)))
def test_a_joint_gives_what_people_can_and_its_tissue_resists_at_both_ends(joint):
    up, down, fastest = STRENGTHS[joint]
    assert motor_torque(joint, 1e4, 0.0, 1.0) == up
    assert motor_torque(joint, -1e4, 0.0, 0.5) == -0.5 * down
    assert motor_torque(joint, 1e4, 0.5 * fastest, 1.0) == pytest.approx(0.5 * up)
    assert motor_torque(joint, 1e4, 2.0 * fastest, 1.0) == 0.0
    assert motor_torque(joint, 1.0, 0.5 * fastest, 1.0) == 1.0
    ends = TISSUES[joint].a, TISSUES[joint].b
    assert tissue_torque(joint, ends[0] - 0.2, 0.0, 0.1) > 5.0 * abs(tissue_torque(joint, sum(ends) / 2, 0.0, 0.1))
    assert tissue_torque(joint, ends[1] + 0.2, 0.0, 0.1) < -5.0 * abs(tissue_torque(joint, sum(ends) / 2, 0.0, 0.1))
    assert tissue_torque(joint, 0.0, 1.0, 0.1) == pytest.approx(tissue_torque(joint, 0.0, 0.0, 0.1) - 0.1)

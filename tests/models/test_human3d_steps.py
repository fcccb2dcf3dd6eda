"""The person on two soles makes steps: a walk from rest to rest, and steps that catch who is pushed."""

import math

import numpy as np
import pytest

from hybridsim import verify
from hybridsim_models.human3d.person import BUILD

from .config_runs import checked_run_of, run_of
from .test_human3d import balance

WEIGHT = 9.81 * BUILD.mass
SINGLE, STANDING = 2, 5


def landings(run):
    """Return how often single support has ended."""
    single = (run["walk_phase"] == SINGLE).astype(int)
    return int(np.sum(np.diff(single) < 0))


@pytest.mark.parametrize("steps", [2, pytest.param(12, marks=pytest.mark.exhaustive)])
def test_it_walks_from_rest_to_rest_with_its_feet_on_their_lines(steps):
    run = checked_run_of("human3d/walk.yaml", f"parameters.steps={steps}", f"final_time={3.5 + 0.75 * steps}")
    assert run.status.ok, run.message
    assert landings(run) == steps + 1
    assert run["walk_phase"][-1] == STANDING
    assert abs(run["trunk_xdot"][-1]) < 0.01
    assert run["trunk_x"][-1] - run["trunk_x"][0] == pytest.approx(0.4 * steps, rel=0.1)
    assert abs(run["trunk_y"][-1]) < 0.02
    assert run["left_sole_normal"][-1] + run["right_sole_normal"][-1] == pytest.approx(WEIGHT, rel=0.01)
    assert run["saturated"].max() <= 2.0


@pytest.mark.exhaustive
def test_the_walk_is_a_solution_at_half_a_metre_per_second():
    run = run_of("human3d/walk.yaml")
    steady = (run["steps_to_go"] > 2) & (run["steps_to_go"] < 10)
    t, x = run.t[steady], run["trunk_x"][steady]
    assert (x[-1] - x[0]) / (t[-1] - t[0]) == pytest.approx(0.4 / 0.7, rel=0.1)
    assert verify(run).ok


def test_a_push_that_springs_do_not_bear_is_caught_by_a_step():
    """The work of joints and push is what the energy gains, and impacts and friction only take some."""
    exact = ("engine.rtol=1e-8", "engine.max_step=1e-3", "final_time=2.5")
    run = run_of("human3d/push-step.yaml", *exact)
    assert run.status.ok, run.message
    assert run["steps_to_catch"][-1] >= 1
    assert landings(run) == run["steps_to_catch"][-1]
    between, jumps, work = balance(run)
    assert between < work + 1e-4
    assert jumps.max() < 1e-9
    held = run_of("human3d/push-step.yaml", "parameters.recovery=none", "final_time=5")
    assert not held.status.ok or held["head_height"][-1] < 1.0


PUSHES = [(250, 0), (250, 90), (250, 135), (250, 180), (350, 0), (350, 45), (350, 180)]


@pytest.mark.members(1)
@pytest.mark.parametrize(("size", "direction"), [(250, 270), *PUSHES])
def test_it_stands_again_after_pushes_in_all_directions(size, direction):
    angle = math.radians(direction)
    parts = (("x", math.cos(angle)), ("y", math.sin(angle)))
    push = (f"parameters.push_{axis}={round(size * part, 6)}" for axis, part in parts)
    run = run_of("human3d/push-step.yaml", *push, "engine.rtol=1e-6", "engine.atol=1e-8", "final_time=4")
    assert run.status.ok, run.message
    assert run["walk_phase"][-1] == STANDING
    assert run["steps_to_catch"][-1] >= 1
    assert math.hypot(run["trunk_xdot"][-1], run["trunk_ydot"][-1]) < 0.02
    assert run["head_height"][-1] > 1.5
    assert all(run[f"{side}_sole{corner}_gap"][-1] < 1e-6 for side in ("left", "right") for corner in range(4))


@pytest.mark.parametrize("direction", range(0, 360, 45))
@pytest.mark.exhaustive
def test_a_push_of_150_newtons_is_borne_without_a_step(direction):
    angle = math.radians(direction)
    parts = (("x", math.cos(angle)), ("y", math.sin(angle)))
    push = (f"parameters.push_{axis}={round(150 * part, 6)}" for axis, part in parts)
    run = run_of("human3d/push-step.yaml", *push, "final_time=3")
    assert run.status.ok, run.message
    assert run["steps_to_catch"][-1] == 0

"""The walk of CoMan beside the same walk by plain equations, which scipy integrates (`plain_walker`)."""

import numpy as np
import pytest
import yaml

from .config_runs import CONFIGS, run_of
from .plain_walker import Walker

NUMBERS = yaml.safe_load((CONFIGS / "humanoid" / "walk.yaml").read_text())["parameters"]
JOINTS = [f"{leg}_{joint}" for leg in ("left", "right") for joint in ("hip", "knee", "ankle")]
COORDINATES = ["base_x", "base_z", "base_angle", *JOINTS]
FORCES = [f"{leg}{point}_force" for leg in ("left", "right") for point in "01"]


def test_forces_and_torques_are_those_of_the_plain_equations():
    """But for `stabilise`, which pulls feet back that have crept by the error of the steps."""
    run, walker = run_of("humanoid/walk.yaml", "final_time=1.4", "engine.rtol=1e-5"), Walker(NUMBERS)
    for row in range(0, len(run.t), 20):
        q, u = (np.array([run[f"{name}{dot}"][row] for name in COORDINATES]) for dot in ("", "dot"))
        forces = np.array([run[name][row] for name in FORCES])
        down = frozenset(np.flatnonzero(forces).tolist())
        normal = walker.accelerations(run.t[row], q, u, down)[1]
        np.testing.assert_allclose([normal.get(i, 0.0) for i in range(4)], forces, rtol=1e-6, atol=1e-5)
        torques = [run[f"{name}_torque"][row] for name in JOINTS]
        np.testing.assert_allclose(walker.torques(run.t[row], q, u), torques, atol=1e-11)


def state_of(run):
    return np.array([run[f"{name}{dot}"][-1] for dot in ("", "dot") for name in COORDINATES])


@pytest.mark.slow
def test_the_walk_begins_as_scipy_integrates_it():
    """Two strikes are in it."""
    state, n_events = Walker(NUMBERS).walk(0.15, 1e-9)
    assert n_events == 2
    np.testing.assert_allclose(state, state_of(run_of("humanoid/walk.yaml", "final_time=0.15")), atol=2e-7)


@pytest.mark.exhaustive
def test_the_walk_is_that_of_scipy():
    """It takes minutes, and 45 events."""
    state, n_events = Walker(NUMBERS).walk(10.0, 1e-9)
    assert n_events == 45
    assert state[0] == pytest.approx(4.0449386292, abs=1e-9)
    assert state[0] == pytest.approx(run_of("humanoid/walk.yaml")["base_x"][-1], abs=1e-8)

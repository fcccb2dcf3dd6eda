"""Walks of the human by each impedance: as fast, as costly and as upright as docs/humanoids.md says."""

import importlib.util

import pytest

from .config_runs import CONFIGS, run_of

SPEC = importlib.util.spec_from_file_location("gait_numbers", CONFIGS / "humanoid" / "gait_numbers.py")
GAIT = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(GAIT)
LEAST_COSTLY = {"const": (1.350, 243.0), "step": (1.303, 235.0), "ppoly": (1.360, 249.0)}


@pytest.mark.members(1)
@pytest.mark.parametrize("kind", ["step", "const", "ppoly"])
def test_a_human_walks_by_each_impedance_with_less_torque_than_at_first(kind):
    run = run_of(f"humanoid/walk-human-{kind}.yaml")
    speed, torque = LEAST_COSTLY[kind]
    found = GAIT.numbers_of(run)
    assert run.t[-1] == 5.0
    assert found["speed [m/s]"] == pytest.approx(speed, abs=0.01)
    assert found["torque [N m]"] == pytest.approx(torque, abs=5.0)
    assert found["none down [%]"] == 0.0
    assert found["stance [%]"] == pytest.approx(54.0, abs=1.5)
    assert found["correlation of the hip"] > 0.96
    assert found["correlation of the knee"] > 0.9
    assert abs(run["base_angle"]).max() < 0.2

"""Runs of the configs that ship. A run is looked at in every way at once, as those of the biped take seconds."""

from pathlib import Path

import numpy as np
import pytest

from hybridsim import Simulation, load_config
from hybridsim.model.scene import check_poses
from hybridsim.viewer import Replay

CONFIGS = Path(__file__).parents[2] / "configs"
N_FRAMES = 16
BESIDE_CROSSINGS = {
    "table_ball": {"zeno"},
    "rimless_wheel": {"zeno"},  # it comes to rest
    "impact_oscillator": {"zeno"},  # it chatters
    "vibrating_table": {"zeno"},
    "vibrating-table": {"zeno"},
    "dry_friction": {"entry"},
    "rocking_block": {"zeno"},
    "hills": {"zeno"},
    "thrown_box": {"zeno"},
    "walk-human": {"zeno"},
    **{f"walk-human-{kind}": {"zeno"} for kind in ("const", "step", "ppoly")},
    "walk-2": {"zeno"},
    "walk-10": {"zeno"},
}
WITHOUT_EVENTS = {"double_pendulum", "rolling_disk", "robertson", "chain", "pantograph", "four_bar_multipliers"} | {
    "parallelogram",
    "parallelogram_driven",
    *("hopf_chain", "kuramoto", "neurons", "salamander", "adaptive_frequency"),
    *("stride", "codesign", "least_work", "singular", "hanging_leg"),
}


def run_of(name, *overrides):
    """Return the run of a config, by its path in `configs`."""
    return Simulation.from_config(load_config(CONFIGS / name, overrides)).run()


def checked_run_of(name, *overrides):
    """Return the run of a config that can be shown and has no false alarms."""
    if Path(name).stem == "quadruped":
        pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'hybridsim[robots]'")
    run = run_of(name, *overrides)
    refuse_false_alarms(run, Path(name).stem)
    if run.model_name != "woodpecker" and Path(name).parent.name != "networks":  # their equations have no bodies
        show(run)
    return run


def refuse_false_alarms(run, name):
    """Fail if there are touches, accumulations or slides in the run of a config without any."""
    crossings = set() if name in WITHOUT_EVENTS else {"crossing"}
    assert set(run.events.kind) == crossings | BESIDE_CROSSINGS.get(name, set())
    slides = "entry" in BESIDE_CROSSINGS.get(name, set())
    assert (run.adjacent_chart >= 0).any() == slides
    assert (run.sliding_weight != 1.0).any() == slides


def show(run):
    """Show a run from its beginning to its end."""
    replay = Replay(run)
    for t in np.linspace(replay.begin, replay.end, N_FRAMES):
        assert not [*check_poses(replay.scene, replay.frame(t).poses)]

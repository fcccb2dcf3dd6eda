"""Runs of the configs that ship. One run is looked at in every way, as those of the biped take seconds."""

from pathlib import Path

import numpy as np

from hybridsim import Simulation, load_config
from hybridsim.model.scene import check_poses
from hybridsim.viewer import Replay

CONFIGS = Path(__file__).parents[2] / "configs"
N_FRAMES = 50


def run_of(name, *overrides):
    """Return the run of a config, by its path in `configs`."""
    return Simulation.from_config(load_config(CONFIGS / name, overrides)).run()


def shown(run):
    """Return this run after it has been shown from its beginning to its end."""
    replay = Replay(run)
    for t in np.linspace(replay.begin, replay.end, N_FRAMES):
        assert not [*check_poses(replay.scene, replay.frame(t).poses)]
    return run

"""Stages that are drawn without a window."""

import numpy as np
import pytest

from hybridsim.viewer.render.stage import Stage, StagedRun

from .projection import N_HISTORY_SAMPLES, SIZE


@pytest.fixture
def staged():
    """Makes stages without texts in front of them, unless `texts` is True."""
    stages = []

    def stage(*scenes, p=(), texts=False, **options):
        runs = [StagedRun(f"run{number}", scene, np.array(p, float)) for number, scene in enumerate(scenes)]
        stages.append(Stage(runs, N_HISTORY_SAMPLES, off_screen=True, size=SIZE, **options))
        if not texts:
            stages[-1].canvas._renderer.DrawOff()
        return stages[-1]

    yield stage
    for each in stages:
        each.close()

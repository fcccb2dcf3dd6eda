import sys
from pathlib import Path

import pytest

from hybridsim.config.sweep import sweep_from_keywords
from hybridsim.sweeps import api

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # oracle.py and slow.py: processes that the tests start find them in the same way

BALL_METRICS = {"bounces": "count(floor)", "second": "time(floor, 2)", "end": "final(t)", "top": "max(y)"}


@pytest.fixture
def balls():
    """A sweep of 6 x 5 bouncing balls, of which some bounce twice within the second and some do not."""

    def make(**changes):
        axes = {"restitution": [0.1, 0.3, 0.5, 0.7, 0.8, 0.9], "y": "linspace(0.2, 4, 5)"}
        given = {"axes": axes, "metrics": BALL_METRICS, "final_time": 1.0, "block": 4}
        return sweep_from_keywords("bouncing_ball", **(given | changes))

    return make


@pytest.fixture
def use_runner(monkeypatch):
    """Let sweeps on threads compute with another class than BatchRunner."""
    return lambda runner: monkeypatch.setattr(api, "BatchRunner", runner)


@pytest.fixture
def content():
    """Everything that a folder's parts hold, by name."""
    return lambda folder: {path.name: path.read_bytes() for path in sorted(Path(folder).glob("part-*"))}

"""An extra output of the biped: how far its joints are from those of the orbit of walk-orbit.yaml.

It means something right after a heel has landed with the right foot as foot 1, where that orbit begins.
"""

from pathlib import Path

import numpy as np

from hybridsim import load_config

_CONFIG = load_config(Path(__file__).parent / "walk-orbit.yaml")
_S = _CONFIG.model.states.indices
_NAMES = [f"{joint}{leg}_{axis}" for joint in ("ankle", "hip") for leg in (1, 2) for axis in "xy"] + ["knee1", "knee2"]
_N, _PLACES = len(_NAMES), np.array([getattr(_S, name) for name in _NAMES])
_ANGLES = np.array([float(_CONFIG.initial[name]) for name in _NAMES])


def away(t, x, p, chart):
    """Return the largest deviation of an angle of a joint about x or y [rad]."""
    largest = 0.0
    for i in range(_N):
        largest = max(largest, abs(x[_PLACES[i]] - _ANGLES[i]))
    return largest

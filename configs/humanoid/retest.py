"""How walks stand pushes: 20 runs of 10 s with seeds that no search has, each leg pushed in each cycle from 1 s on.

    python configs/humanoid/retest.py coman-search-pushed/best.yaml configs/humanoid/walk-const.yaml

prints a line for each config. All runs begin in the pose of the targets, and the trunk is helped beyond 5 degrees.
"""

import sys
from pathlib import Path

import numpy as np
import yaml

from hybridsim import Evaluator

SEEDS = 2_000_000.0 + np.arange(20.0)
"""Searches draw seeds up to a million."""

LONG = 10.0
METRICS = {"time": "final(t)", "speed": "mean(base_xdot)", "helped": "mean(assisted)", "work": "mean(power)"}


def main(*files):
    """Print what becomes of the walk of each config."""
    print("upright  unhelped  helped [%]  speed [m/s]  cost [J/m]")  # noqa: T201
    for file in files:
        print(described(metrics_of(yaml.safe_load(Path(file).read_text())["parameters"])), "", file)  # noqa: T201


def metrics_of(parameters):
    """Return the metrics of runs that are pushed with each seed."""
    pushed = parameters | {"pushes": "swing", "push_from": 1.0, "assist": "band"}
    common = {"final_time": LONG, "stop": [{"boundary": "fall"}], "from_": "half", "max_transitions": 20_000}
    runs = Evaluator("coman", ["push_seed"], METRICS, parameters=pushed, rtol=1e-5, atol=1e-7, **common)
    return runs({"push_seed": SEEDS})


def described(found):
    """Return how many runs stay upright; of these, how many are not helped in their second half, and their means."""
    upright = np.array(found["time"], float) >= LONG
    helped, speed, work = (np.array(found[name], float)[upright] for name in ("helped", "speed", "work"))
    if not upright.any():
        return f"{0:7}"
    numbers = f"{100.0 * helped.mean():10.1f} {speed.mean():12.3f} {work.mean() / speed.mean():11.1f}"
    return f"{upright.sum():7} {(helped == 0.0).sum():9} {numbers}"


if __name__ == "__main__":
    if lost := [file for file in sys.argv[1:] or ["no config"] if not Path(file).is_file()]:
        sys.exit(f"there is no file {lost[0]}; give configs, as in: python retest.py walk-const.yaml")
    main(*sys.argv[1:])

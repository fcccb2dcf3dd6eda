"""Pictures of a walk: joint angles beside those of humans, forces of the ground, and when feet are down.

    hybridsim run configs/humanoid/walk.yaml
    python configs/humanoid/pictures.py walk.h5

writes walk-angles.png and walk-forces.png, over the last whole stride, which begins where the left heel strikes.
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import hybridsim
from hybridsim_models.humanoid.winter import ANGLES

LEGS = {"left": "#2f7fa8", "right": "#c8553d"}
WEIGHTS = {"coman": 9.81 * 27.33174, "human": 9.81 * 70.0}
SWING = 0.2
"""A foot that has been up for so long has swung [s]."""


def main(file):
    """Write the pictures of a run next to its file."""
    run, stem = hybridsim.load_run(file), Path(file).with_suffix("")
    begin, end = strikes_of(run)[-2:]
    rows = (run.t >= begin) & (run.t <= end)
    percent = 100.0 * (run.t[rows] - begin) / (end - begin)
    draw_angles(run, rows, percent, f"{stem}-angles.png")
    draw_forces(run, rows, percent, f"{stem}-forces.png")


def strikes_of(run):
    """Return when the left foot comes down after it has been up for a while: it may rattle as it lands."""
    down = run["left_stance"] > 0.0
    lands, leaves = (run.t[1:][change] for change in (down[1:] & ~down[:-1], ~down[1:] & down[:-1]))
    return [t for t in lands if (leaves < t).any() and t - leaves[leaves < t][-1] > SWING]


def draw_angles(run, rows, percent, file):
    """Draw the angles of the left leg, and Winter's."""
    figure, panels = plt.subplots(1, 3, figsize=(11.0, 3.0), layout="constrained")
    for panel, (joint, human) in zip(panels, ANGLES.items(), strict=True):
        angle = np.degrees(run[f"left_{joint}"][rows])
        panel.plot(np.arange(0, 101, 2), human, color="0.6", label="humans (Winter 1991)")
        panel.plot(percent, angle, color=LEGS["left"], label=run.model_name)
        panel.set(title=f"{joint} [deg]", xlabel="stride [%]")
    panels[0].legend()
    figure.savefig(file, dpi=130)


def draw_forces(run, rows, percent, file):
    """Draw the forces of the ground on both feet, in weights, and the work of the joints."""
    weight = WEIGHTS[run.model_name]
    figure, panels = plt.subplots(1, 3, figsize=(11.0, 3.0), layout="constrained")
    for leg, colour in LEGS.items():
        feet = [leg, f"{leg}_toe"] if run.model_name == "human" else [leg]
        for panel, direction in zip(panels, ("normal", "tangential"), strict=False):
            force = sum(run[f"{foot}_{direction}"][rows] for foot in feet)
            panel.plot(percent, force / weight, color=colour, label=leg)
    panels[2].plot(percent, run["power"][rows], color="0.3")
    for panel, title in zip(panels, ("upward force [weights]", "forward force [weights]", "power [W]"), strict=True):
        panel.set(title=title, xlabel="stride [%]")
    panels[0].set(ylim=(0.0, 2.5))
    panels[1].set(ylim=(-0.7, 0.7))  # peaks of impacts that last no time are cut off
    panels[0].legend()
    figure.savefig(file, dpi=130)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("give the file of a run, as in: python pictures.py walk.h5")
    main(*sys.argv[1:])

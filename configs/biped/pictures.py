"""Pictures of a walk: where the centre of pressure goes, what the ground does to the feet, and how the joints move.

    hybridsim run configs/biped/walk.yaml
    python configs/biped/pictures.py walk.h5

writes walk-pressure.png, walk-forces.png and walk-angles.png. Curves over the gait cycle go from one heel strike of a
leg to its next one. The grey bands are those of people who walk at about 1.3 m/s: rounded numbers from general
knowledge, for the shape, in the manner of Winter (1991) and Perry (1992), not data.
"""

import sys
from itertools import pairwise
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.transforms import Affine2D
from scipy.interpolate import PchipInterpolator

import hybridsim
from hybridsim_models.biped.anthropometry import FOOT, SOLE_WIDTH
from hybridsim_models.biped.records import mode_of

SIDES = {"right": "#c8553d", "left": "#2f7fa8"}
DASHES = {"right": "-", "left": "--"}
CURVED = 0.01
"""A walk is drawn to scale in both directions if its feet turn by more than this angle [rad]."""
PHASE = np.linspace(0.0, 100.0, 201)
FIRST_STEPS, LAST_STEPS = 5, 4
"""Steps that are not steady: the walk begins and ends with them."""
PEOPLE = {  # name: (gait phase in %, middle of the band, half its width)
    "hip": ((0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100), (30, 25, 17, 7, -3, -10, -3, 14, 27, 32, 30), 7),
    "knee": ((0, 8, 15, 25, 40, 50, 60, 72, 85, 95, 100), (5, 14, 18, 14, 5, 12, 38, 60, 32, 5, 5), 6),
    "ankle": ((0, 7, 15, 30, 45, 53, 62, 75, 85, 100), (0, -6, 0, 6, 10, 4, -17, -3, 1, 0), 5),
    "vertical": ((0, 6, 13, 22, 31, 40, 48, 55, 62), (0, 0.7, 1.1, 0.95, 0.77, 0.95, 1.1, 0.7, 0), 0.08),
    "fore-aft": ((0, 6, 13, 22, 31, 40, 50, 56, 62), (0, -0.13, -0.18, -0.08, 0, 0.09, 0.2, 0.13, 0), 0.04),
}


def main(file):
    """Write the pictures of a run next to its file."""
    run, stem = hybridsim.load_run(file), Path(file).with_suffix("")
    draw_pressure(run, f"{stem}-pressure.png")
    draw_forces(run, f"{stem}-forces.png")
    draw_angles(run, f"{stem}-angles.png")


def draw_pressure(run, file):
    """Draw the soles of all steps from above, the centre of pressure and the mass centre."""
    stature, width = run.parameters["stature"], SOLE_WIDTH * run.parameters["stature"]
    ways = {side: [run[f"toe_{side}_{axis}"] - run[f"heel_{side}_{axis}"] for axis in "xy"] for side in SIDES}
    curved = any(np.ptp(np.arctan2(along, across)) > CURVED for across, along in ways.values())
    figure, axes = plt.subplots(figsize=(6.4, 6.8) if curved else (11.0, 2.6), layout="constrained")
    for side, colour in SIDES.items():
        bears = run[f"fz_{side}"] > 0.0
        begins = np.flatnonzero(np.diff(bears.astype(int), prepend=0) == 1)
        for count, at in enumerate(begins):
            label = None if count else f"{side} sole"
            heel = run[f"heel_{side}_x"][at], run[f"heel_{side}_y"][at]
            turned = np.arctan2(ways[side][1][at], ways[side][0][at])
            sole = Rectangle((0.0, -0.5 * width), FOOT.length * stature, width, color=colour, alpha=0.3, lw=0)
            sole.set(label=label, transform=Affine2D().rotate(turned).translate(*heel) + axes.transData)
            axes.add_patch(sole)
    axes.plot(run["cop_x"], run["cop_y"], color="#d02f2f", lw=1.0, label="centre of pressure")
    axes.plot(run["com_x"], run["com_y"], color="#333a42", lw=1.2, label="mass centre")
    axes.set(xlabel="x [m]", ylabel="y [m]")
    figure.legend(loc="outside upper right", ncols=2 if curved else 4, frameon=False)
    if curved:
        axes.set_aspect("equal")
    else:
        axes.set_ylim(-0.2, 0.2)
        figure.canvas.draw()  # decides how large the axes are
        extent = axes.get_window_extent()
        along, across = np.ptp(axes.get_xlim()) / extent.width, np.ptp(axes.get_ylim()) / extent.height
        axes.set_ylabel(f"y [m], {along / across:.1f} x larger")
    save(figure, file)


def draw_forces(run, file):
    """Draw the vertical and the fore-aft force of the ground on each foot, over the body weight."""
    weight = run.parameters["mass"] * run.parameters["g"]
    mode = np.array([mode_of(int(chart)) for chart in run.chart])
    figure, panels = plt.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained", sharex=True)
    for i, (side, colour) in enumerate(SIDES.items()):
        along = np.where(mode == i, run["fx1"], run["fx2"])
        draw_strides(panels[0], run, side, run[f"fz_{side}"] / weight, colour)
        draw_strides(panels[1], run, side, along / weight, colour)
    for panel, name in zip(panels, ("vertical", "fore-aft"), strict=True):
        finish(panel, name, f"{name} force / weight" + (", forward" if name == "fore-aft" else ""))
    panels[0].legend(frameon=False, fontsize="small")
    save(figure, file)


def draw_angles(run, file):
    """Draw the angles of hips, knees and ankles."""
    figure, panels = plt.subplots(1, 3, figsize=(11.0, 3.2), layout="constrained", sharex=True)
    labels = ("hip flexion [deg]", "knee flexion [deg]", "ankle dorsiflexion [deg]")
    for panel, joint, label in zip(panels, ("hip", "knee", "ankle"), labels, strict=True):
        for side, colour in SIDES.items():
            draw_strides(panel, run, side, np.degrees(run[f"{joint}_{side}"]), colour)
        finish(panel, joint, label)
    panels[0].legend(frameon=False, fontsize="small")
    save(figure, file)


def draw_strides(panel, run, side, values, colour):
    """Draw a quantity of one leg over its gait cycle, a thin line for each steady stride."""
    for i, (first, last) in enumerate(strides_of(run, side)):
        phase = 100.0 * (run.t[first:last] - run.t[first]) / (run.t[last] - run.t[first])
        panel.plot(
            PHASE,
            np.interp(PHASE, phase, values[first:last]),
            color=colour,
            lw=1.0,
            ls=DASHES[side],
            label=None if i else side,
        )


def strides_of(run, side):
    """Return the rows at which a leg's steady strides begin and end: where its heel strikes the ground."""
    bears = (run[f"fz_{side}"] > 0.0).astype(int)
    strikes = np.flatnonzero(np.diff(bears, prepend=1) == 1)
    to_go = run["steps_to_go"]
    steady = [at for at in strikes if LAST_STEPS <= to_go[at] <= to_go[0] - FIRST_STEPS]
    return list(pairwise(steady))


def finish(panel, name, label):
    """Add the band of people, and the axes."""
    phase, middle, half = PEOPLE[name]
    cycle = np.linspace(0.0, phase[-1], 201)
    band = PchipInterpolator(phase, middle)(cycle)
    least = 0.0 if name == "vertical" else -np.inf
    panel.fill_between(
        cycle,
        np.maximum(band - half, least),
        band + half,
        color="#9aa3ab",
        alpha=0.35,
        lw=0,
        label="people (shape only)",
        zorder=0,
    )
    panel.set(xlabel="gait cycle, from heel strike [%]", ylabel=label, xlim=(0.0, 100.0))


def save(figure, file):
    figure.savefig(file, dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1])

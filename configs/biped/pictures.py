"""Pictures of a walk: where the centre of pressure goes, what the ground does to the feet, and how the joints move.

    hybridsim run configs/biped/walk.yaml
    python configs/biped/pictures.py walk.h5

writes walk-pressure.png, walk-forces.png and walk-angles.png. Curves over the gait cycle go from one heel strike of a
leg to its next one. The bands are those of people who walk as fast, for the length of their legs: mean, and one and two
standard deviations on both sides of it (hybridsim_models.biped.people). How far the walk is from them is printed.
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

import hybridsim
from hybridsim_models.biped import people
from hybridsim_models.biped.anthropometry import FOOT, SOLE_WIDTH
from hybridsim_models.biped.records import mode_of

SIDES = {"right": "#c8553d", "left": "#2f7fa8"}
DASHES = {"right": "-", "left": "--"}
CURVED = 0.01
"""A walk is drawn to scale in both directions if its feet turn by more than this angle [rad]."""
PHASE = np.linspace(0.0, 100.0, 201)
FIRST_STEPS, LAST_STEPS = 5, 4
"""Steps that are not steady: the walk begins and ends with them."""
BAND = "#9aa3ab"


def main(file):
    """Write the pictures of a run next to its file."""
    run, stem = hybridsim.load_run(file), Path(file).with_suffix("")
    draw_pressure(run, f"{stem}-pressure.png")
    draw_forces(run, f"{stem}-forces.png")
    draw_angles(run, f"{stem}-angles.png")
    print(compare(run))  # noqa: T201


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
        finish(panel, run, f"{name} force / weight" + (", forward" if name == "fore-aft" else ""))
    panels[0].legend(frameon=False, fontsize="small")
    save(figure, file)


def draw_angles(run, file):
    """Draw the angles of hips, knees and ankles."""
    figure, panels = plt.subplots(1, 3, figsize=(11.0, 3.2), layout="constrained", sharex=True)
    labels = ("hip flexion [deg]", "knee flexion [deg]", "ankle dorsiflexion [deg]")
    speed = relative_speed(run)
    for panel, joint, label in zip(panels, people.JOINTS, labels, strict=True):
        for side, colour in SIDES.items():
            draw_strides(panel, run, side, np.degrees(run[f"{joint}_{side}"]), colour)
        if speed:
            mean, sd = people.angles(speed)[joint]
            for n, name in ((2, None), (1, "people, 1 and 2 sd")):
                panel.fill_between(
                    people.CYCLE, mean - n * sd, mean + n * sd, color=BAND, alpha=0.3, lw=0, zorder=0, label=name
                )
            panel.plot(people.CYCLE, mean, color="white", lw=1.0, zorder=0)
        finish(panel, run, label)
    panels[0].legend(frameon=False, fontsize="x-small")
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


def finish(panel, run, label):
    """Mark when the foot of people leaves the ground, with its standard deviation, and add the axes."""
    if speed := relative_speed(run):
        mean, sd = people.event("foot_off", speed)
        panel.axvspan(mean - sd, mean + sd, ymax=0.03, color="#4a5560", alpha=0.6, lw=0, label="their foot off, 1 sd")
    panel.set(xlabel="gait cycle, from heel strike [%]", ylabel=label, xlim=(0.0, 100.0))


def relative_speed(run):
    """Return the speed of the steady strides of a run over sqrt(g l), or 0.0 if it has none."""
    return people.relative_speed(speed_of(run), run.parameters["stature"], run.parameters["g"])


def speed_of(run):
    """Return the mean speed of steady strides, from strike to strike of the same heel [m/s]; 0.0 if there are none."""
    ways, times = [0.0], [0.0]
    for side in SIDES:
        for first, last in strides_of(run, side):
            ways.append(
                np.hypot(*(run[f"heel_{side}_{axis}"][last] - run[f"heel_{side}_{axis}"][first] for axis in "xy"))
            )
            times.append(run.t[last] - run.t[first])
    return sum(ways) / sum(times) if sum(times) > 0.0 else 0.0


def mean_stride(run, name):
    """Return the mean of a quantity over the steady strides of both legs, where people's curves have points."""
    strides = [(side, *stride) for side in SIDES for stride in strides_of(run, side)]
    return np.mean(
        [
            np.interp(
                people.CYCLE,
                100.0 * (run.t[first : last + 1] - run.t[first]) / (run.t[last] - run.t[first]),
                run[f"{name}_{side}"][first : last + 1],
            )
            for side, first, last in strides
        ],
        axis=0,
    )


def foot_off(run):
    """Return when the foot leaves the ground, the mean over steady strides [% of the gait cycle]."""
    instants = []
    for side in SIDES:
        for first, last in strides_of(run, side):
            leaves = first + np.argmax(run[f"fz_{side}"][first + 1 : last] <= 0.0) + 1
            instants.append(100.0 * (run.t[leaves] - run.t[first]) / (run.t[last] - run.t[first]))
    return float(np.mean(instants))


def compare(run):
    """Return in words how far the walk is from people who walk as fast, in their standard deviations."""
    speed = relative_speed(run)
    if not speed:
        return "no steady strides to compare with people's: walk more than ten steps"
    lines = [f"speed {speed_of(run):.3f} m/s, {speed:.3f} sqrt(g l)"]
    for joint in people.JOINTS:
        apart, rms, largest = people.deviation(np.degrees(mean_stride(run, joint)), speed, joint)
        at = people.CYCLE[np.abs(apart).argmax()]
        lines.append(f"{joint:6} rms {rms:.2f} sd, at most {largest:.2f} sd at {at:.0f} % of the cycle")
    mean, sd = people.event("foot_off", speed)
    lines.append(f"foot off at {foot_off(run):.1f} % of the cycle, people {mean:.0f} +- {sd:.0f} %")
    return "\n".join(lines)


def save(figure, file):
    figure.savefig(file, dpi=100)
    plt.close(figure)


if __name__ == "__main__":
    main(sys.argv[1])

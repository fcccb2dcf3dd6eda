"""Pictures of docs/wearable.md: the ten topologies, each in the morphology that was found to need the least work.

    python configs/wearable/pictures.py

writes wearable-topologies.png and wearable-found.png into the current folder.
"""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import hybridsim
from hybridsim.model.parameters import pack_parameters
from hybridsim_models.wearable.linkage import find_leg, find_places, on_link
from hybridsim_models.wearable.model import MODEL
from hybridsim_models.wearable.scene import BAR_COLOURS, point
from hybridsim_models.wearable.topologies import N_BODIES, N_JOINTS, N_LINKS, TOPOLOGIES
from hybridsim_models.wearable.winter import CYCLE

KEYS = ("torso", "thigh", "shank", "pin1_x", "pin1_z", "pin2_x", "pin2_z")
FOUND = {
    "t1_14": (0.3446, 0.6766, 0.3326, 0.1311, 0.7867, 0.0907, 0.6812, 0.454),
    "t2_24": (0.1438, 0.6533, 0.0564, -0.0762, 1.2258, -0.0841, 1.1002, 0.0064),
    "t3_12": (0.0003, 0.98, 0.0736, -0.0939, 1.0533, 0.147, 0.4454, 0.8077),
    "t4_15": (0.0886, 0.4464, 0.6093, 0.142, 1.1851, 0.0057, 0.6223, 0.0671, 0.5108),
    "t5_12": (0.1699, 0.9441, 0.1257, -0.1455, 1.0264, -0.1086, 0.7058, 0.0252, 0.3533),
    "t6_12": (0.71, 0.4648, 0.5991, -0.0127, 0.8007, -0.0602, 0.6011, 0.0419, 0.6916),
    "t7_23": (0.2639, 0.5041, 0.0624, 0.0852, 0.9569, 0.0431, 1.2342, 0.0898, 0.7863),
    "t8_35": (0.4849, 0.1089, 0.1472, -0.1374, 1.0599, 0.1085, 0.8653, -0.1057, 0.6784),
    "t9_13": (0.4167, 0.6335, 0.0829, 0.1211, 0.6232, -0.0754, 0.6114, -0.1074, 0.989),
    "t10_12": (0.1591, 0.9362, 0.6323, -0.0336, 0.6319, 0.097, 0.3711, 0.0998, 0.3743),
}
"""Design -> the numbers of KEYS, then `second`, or `pin3_x` and `pin3_z`: the best morphology of each topology."""

PHASES = (0.0, 0.3, 0.6, 0.75)


def main():
    """Draw both."""
    runs = {design: run_of(design) for design in FOUND}
    figure, axes = plt.subplots(2, 5, figsize=(10.0, 9.6), layout="constrained")
    for panel, (design, run), edges in zip(axes.flat, runs.items(), TOPOLOGIES, strict=True):
        draw(panel, run, 0.0)
        panel.set_title(f"{design}: {run['work'][-1]:.1f} J\n{edges}", fontsize=9)
    figure.savefig("wearable-topologies.png", dpi=110)
    best = min(runs, key=lambda design: runs[design]["work"][-1])
    figure = plt.figure(figsize=(12.0, 4.6), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    for panel, phase in zip(left.subplots(1, len(PHASES)), PHASES, strict=True):
        draw(panel, runs[best], phase * CYCLE)
        panel.set_title(f"{100 * phase:.0f} %", fontsize=9)
    curves(right, runs[best])
    figure.savefig("wearable-found.png", dpi=110)


def setting_of(design):
    """Return the parameters of a morphology."""
    numbers = FOUND[design]
    more = ("second",) if len(numbers) == len(KEYS) + 1 else ("pin3_x", "pin3_z")
    return {"design": design, **dict(zip((*KEYS, *more), numbers, strict=True))}


def run_of(design):
    """Return a stride."""
    return hybridsim.simulate("wearable", parameters=setting_of(design), final_time=CYCLE, rtol=1e-7)


def draw(axes, run, t):
    """Draw the leg and the bars of the links at an instant, actuators in yellow."""
    p = pack_parameters(MODEL, run.parameters)
    x, leg, places = run.at(t), np.zeros(3 * N_BODIES), np.zeros(2 * N_JOINTS)
    find_places(places, p)
    hip, knee = (np.interp(t, run.t, run[name]) for name in ("hip", "knee"))
    find_leg(leg, p, hip, knee)
    leg, joints, links = leg.reshape(-1, 3), places.reshape(-1, 2), np.reshape(x[: 3 * N_LINKS], (-1, 3))
    for body, ends in enumerate(
        (((0.0, 0.972), (0.0, 1.49)), ((0.0, 0.972), (0.0, 0.522)), ((0.0, 0.522), (0.0, 0.072)))
    ):
        line = np.array([point(leg[body], end) for end in ends])
        axes.plot(line[:, 0], line[:, 2], color="#c9cfd6", linewidth=9, solid_capstyle="round", zorder=0)
    shown = np.zeros((N_JOINTS, 3))
    for link in range(N_LINKS):
        own = [joint for joint in range(N_JOINTS) if on_link(p, joint, N_BODIES + link)]
        for joint in own:
            shown[joint] = point(links[link], joints[joint])
        outline = shown[[*own, own[0]]]
        axes.fill(
            outline[:, 0], outline[:, 2], facecolor=BAR_COLOURS[link] + "40", edgecolor=BAR_COLOURS[link], linewidth=2.5
        )
    actuators = [int(word) - 1 for word in run.parameters["design"].split("_")[1]]
    for joint in range(N_JOINTS):
        colour, size = ("#e0a030", 11) if joint in actuators else ("#2f3a45", 6)
        axes.plot(*shown[joint, [0, 2]], "o", color=colour, markersize=size, zorder=3)
        axes.annotate(f"{joint + 1}", shown[joint, [0, 2]], (5, 4), textcoords="offset points", fontsize=8)
    axes.set(xlim=(-0.32, 0.32), ylim=(0.0, 1.52), aspect="equal")
    axes.axis("off")


def curves(figure, run):
    """Draw torques, and the power beside that of the leg's own joints."""
    torques, powers = figure.subplots(2, 1, sharex=True)
    percent = 100.0 * run.t / CYCLE
    for name, colour in (("torque_1", "#2f7fa8"), ("torque_2", "#c8553d")):
        torques.plot(percent, run[name], color=colour, label=name)
    for name, colour in (("power", "#1d3a5c"), ("leg_power", "#9aa7b3")):
        powers.plot(percent, run[name], color=colour, label=name)
    torques.set_ylabel("N m")
    powers.set(ylabel="W", xlabel="% of a stride")
    for axes in (torques, powers):
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)


if __name__ == "__main__":
    main()

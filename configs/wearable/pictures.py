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
    "t1_24": (0.3132, 0.3547, 0.0748, 0.1136, 0.7993, 0.1016, 0.8962, 0.1835),
    "t2_24": (0.1838, 0.4882, 0.0602, -0.0652, 0.6043, -0.0677, 1.0219, 0.0019),
    "t3_12": (0.0086, 0.6882, 0.0553, -0.0706, 1.0608, 0.1003, 0.2708, 0.9023),
    "t4_35": (0.7982, 0.1684, 0.218, -0.0222, 1.0244, 0.0147, 0.8768, 0.1254, 0.4597),
    "t5_13": (0.0007, 0.7348, 0.0899, -0.1038, 1.0043, -0.0387, 0.3688, 0.0841, 0.1313),
    "t6_12": (0.0567, 0.8188, 0.8501, -0.0109, 0.6772, 0.1111, 0.2587, 0.0438, 0.4871),
    "t7_13": (0.0032, 0.8305, 0.0569, -0.0686, 1.0393, 0.1096, 0.7706, 0.0304, 0.9366),
    "t8_36": (0.4318, 0.4593, 0.0508, -0.0617, 1.1002, -0.0813, 0.7004, -0.0181, 0.6659),
    "t9_13": (0.1416, 0.1503, 0.1028, 0.0106, 0.7699, 0.0083, 0.7748, 0.0986, 0.391),
    "t10_13": (0.2683, 0.5406, 0.1983, -0.1255, 0.7793, -0.1496, 0.5452, 0.0038, 0.6025),
}
"""Design -> the numbers of KEYS, then `second`, or `pin3_x` and `pin3_z`: the best morphology of each topology."""

PHASES = (0.0, 0.3, 0.6, 0.75)


def main():
    """Draw both."""
    runs = {design: run_of(design) for design in FOUND}
    figure, axes = plt.subplots(2, 5, figsize=(11.0, 8.6), layout="constrained")
    for panel, (design, run), edges in zip(axes.flat, runs.items(), TOPOLOGIES, strict=True):
        draw(panel, run, 0.0)
        panel.set_title(f"{design}: {run['work'][-1]:.1f} J\n{edges}", fontsize=9)
    figure.savefig("wearable-topologies.png", dpi=110)
    best = min(runs, key=lambda design: runs[design]["work"][-1])
    figure = plt.figure(figsize=(12.0, 4.4), layout="constrained")
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
    axes.set(xlim=(-0.42, 0.42), ylim=(0.0, 1.55), aspect="equal")
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

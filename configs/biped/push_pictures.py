"""Maps of pushes with what people bear beside them.

    hybridsim sweep configs/biped/push-map.yaml && python configs/biped/push_pictures.py push-map map.png
    hybridsim sweep configs/biped/walk-push-map.yaml && python configs/biped/push_pictures.py walk-push-map map.png
    hybridsim sweep configs/biped/walk-basin.yaml && python configs/biped/push_pictures.py walk-basin basin.png

The last one draws after which pushes the walk comes back to its orbit, and at which limit other runs end.

What people bear is known from other kinds of push than those of the map, and is turned into forces of 0.1 s:

* who walks goes on after 16 % of the weight for 0.15 s, forward, back and to both sides (Vlutters et al. 2016): the
  same impulse;
* who is let go in a forward lean of 26 to 30 degrees recovers in one step (Thelen et al. 1997): the force after which
  the divergent component is as far ahead of a body that stands upright.
"""

import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from hybridsim import load_sweep
from hybridsim.plotting import plot_sweep

MASS, G, HEIGHT, DURATION = 73.0, 9.81, 0.93, 0.1
"""Of the biped of push-map.yaml, and of the pushes; HEIGHT is that of its mass centre."""
PART_OF_WEIGHT, THEIR_DURATION = 0.16, 0.15
LEANS = (26.0, 30.0)
COLOUR = "#d02f2f"
FIRST_HEEL = 4.4
"""When a heel lands in walk-basin.yaml [s]."""
BACK = 1e-5
"""How near its orbit a walk has come back [rad]; those that do are nearer, and no others go on."""
ENDS = {
    "back on the orbit": ((0,), "#2c6fbb"),
    "a foot rolls over its side": ((5, 6), "#f0c05a"),
    "a foot tips over its tip or heel": ((7, 8, 9, 10), "#c76d3a"),
    "the trunk is low: it has fallen": ((12,), "#a8323a"),
    "a foot is pressed into the ground": ((13, 14), "#b9a7cf"),
    "a knee is straight, or the feet jam": ((15, 16, 17), "#555555"),
}
"""How runs end: causes of docs/biped.md, and colours."""


def force_of_impulse():
    """Return the force of the impulse after which people walk on [N]."""
    return PART_OF_WEIGHT * MASS * G * THEIR_DURATION / DURATION


def force_of_lean(degrees):
    """Return the force after which the divergent component is as far ahead as in a lean [N]."""
    speed = HEIGHT * math.sin(math.radians(degrees)) * math.sqrt(G / HEIGHT)
    return MASS * speed / DURATION


def mark_walk(panel):
    """Mark pushes of people who walk."""
    force = force_of_impulse()
    at = [(0.0, force), (0.0, -force), (force, 0.0), (-force, 0.0)]
    panel.set_xlim(-200.0, 200.0)
    panel.plot(
        *zip(*at, strict=True), "o", color=COLOUR, mec="white", ms=9, label="people walk on after these (Vlutters 2016)"
    )


def mark_standing(panel):
    """Mark leans of people who stand."""
    low, high = map(force_of_lean, LEANS)
    panel.set_ylim(top=1.05 * high)
    panel.errorbar(
        [0.0],
        [0.5 * (low + high)],
        [0.5 * (high - low)],
        color=COLOUR,
        lw=3,
        capsize=6,
        label="people, one step, as from a lean of 26 to 30 deg (Thelen 1997)",
    )


def draw_basin(folder, picture):
    """Draw how runs end over the push, one panel for each instant."""
    table = {name: np.array(values) for name, values in load_sweep(folder).table.to_pydict().items()}
    cause, furthest = table["cause"], table["away"][table["cause"] == 0].max()
    if furthest > BACK:
        raise SystemExit(f"{folder}: a walk goes on that is not back on its orbit: it is {furthest:.1e} rad away")
    starts = np.unique(table["push_start"])
    figure, panels = plt.subplots(1, len(starts), figsize=(3.0 * len(starts), 4.6), sharey=True, layout="constrained")
    for panel, start in zip(panels, starts, strict=True):
        for label, (causes, colour) in ENDS.items():
            at = (table["push_start"] == start) & np.isin(cause, causes)
            x, y = -table["push_y"][at], table["push_x"][at]
            panel.scatter(x, y, s=95, marker="s", color=colour, label=label)
        since = start - FIRST_HEEL
        panel.set_title(f"{since:.1f} s later" if since > 0.01 else "as the left heel lands", fontsize="medium")
        panel.set_xlabel("to the left  (-)  and right  (+) [N]", fontsize="small")
    panels[0].set_ylabel("push forward [N]")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)
    figure.savefig(picture, dpi=100)


def main(folder, picture):
    """Draw the map of a sweep, and what people bear."""
    if "basin" in folder:
        draw_basin(folder, picture)
        return
    figure = plot_sweep(load_sweep(folder), ["survived"])
    panel = figure.axes[0]
    (mark_walk if "walk" in folder else mark_standing)(panel)
    panel.set_facecolor("#e8eaec")
    panel.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize="small")
    panel.set_title("")
    figure.savefig(picture, dpi=100)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Pictures of tables over two axes: basins of attraction, and stability maps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import ListedColormap, TwoSlopeNorm, to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from hybridsim.plotting.files import Canvas, PicturePath, open_canvas
from hybridsim.plotting.scales import label_axis
from hybridsim.typing import FloatArray, IntArray

NOT_MADE_COLOUR, ELSEWHERE_COLOUR = "#d9d9d9", "#f2c14e"
"""Colours of initial states from which a stride is not made, and that are elsewhere at the end."""

ORBIT_COLOURS = ("#2f6690", "#81b29a", "#9b5de5", "#e07a5f")
"""Colours of those that come to the first orbit, the second ...; of more orbits, colours all round the wheel."""

MULTIPLIER_COLOURS, NO_ORBIT_COLOUR = "RdBu_r", "#d9d9d9"
"""Blue where the orbit is stable, red where it is not; grey where none was reached."""

LARGEST_SHOWN = 2.0
"""Multipliers above this have one colour."""

MAP_SIZE = (6.4, 5.2)
"""Size of a picture [inches]."""


def plot_basin(
    axes: Mapping[str, FloatArray],
    labels: IntArray,
    units: Mapping[str, str],
    orbit: Mapping[str, float],
    path: PicturePath = None,
    *,
    ax: Any = None,
) -> Figure:
    """Draw which initial states come to which orbit.

    Parameters
    ----------
    axes : mapping of str to (n,) array
        The two states, with their values; the first is drawn to the right.
    labels : (n_first, n_second) int array
        Index of the orbit, -1 if a stride is not made, -2 if the motion is elsewhere at the end.
    units : mapping of str to str
        Units of the states.
    orbit : mapping of str to float
        The first orbit, which is marked.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If the picture format is unknown, or the picture cannot be written.
    """
    canvas = _panel(path, ax, axes, units, orbit)
    (panel,) = canvas.panels
    shown = np.where(labels >= 0, labels + 2, -1 - labels)
    n_orbits = max(int(labels.max(initial=0)) + 1, 1)
    wheel = matplotlib.colormaps["turbo"](np.linspace(0.0, 1.0, n_orbits))
    orbits = ORBIT_COLOURS[:n_orbits] if n_orbits <= len(ORBIT_COLOURS) else [to_hex(each) for each in wheel]
    colours = [NOT_MADE_COLOUR, ELSEWHERE_COLOUR, *orbits]
    right, up = axes.values()
    limits = {"vmin": -0.5, "vmax": len(colours) - 0.5}
    panel.pcolormesh(right, up, shown.T, cmap=ListedColormap(colours), shading="nearest", **limits)
    words = ["a stride is not made", "elsewhere at the end"]
    words += ["comes to the orbit"] if n_orbits == 1 else [f"comes to orbit {n}" for n in range(n_orbits)]
    handles = [Patch(color=colours[i], label=words[i]) for i in np.unique(shown)]
    return canvas.finish(keys=handles)


def plot_stability_map(
    axes: Mapping[str, FloatArray],
    largest: FloatArray,
    units: Mapping[str, str],
    orbit: Mapping[str, float],
    path: PicturePath = None,
    *,
    ax: Any = None,
) -> Figure:
    """Draw the size of the largest multiplier over two parameters, with a line where it is 1.

    Parameters
    ----------
    axes : mapping of str to (n,) array
        The two parameters, with their values; the first is drawn to the right.
    largest : (n_first, n_second) array
        Sizes of the largest multipliers; nan where there is no orbit.
    units : mapping of str to str
        Units of the parameters.
    orbit : mapping of str to float
        The values of the orbit that was followed, which is marked.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If the picture format is unknown, or the picture cannot be written.
    """
    canvas = _panel(path, ax, axes, units, orbit)
    (panel,) = canvas.panels
    right, up = axes.values()
    panel.set_facecolor(NO_ORBIT_COLOUR)
    norm, shown = TwoSlopeNorm(1.0, 0.0, LARGEST_SHOWN), np.ma.masked_invalid(largest.T)
    colours = panel.pcolormesh(right, up, shown, cmap=MULTIPLIER_COLOURS, norm=norm, shading="nearest")
    found = largest[np.isfinite(largest)]
    if min(largest.shape) > 1 and len(found) and found.min() < 1.0 < found.max():
        panel.contour(right, up, shown, levels=[1.0], colors="black", linewidths=1.0)
    panel.set_xlim(right.min(), right.max())
    panel.set_ylim(up.min(), up.max())
    bar = canvas.figure.colorbar(colours, ax=panel, extend="max", pad=0.02)
    bar.set_label("size of the largest multiplier (grey: not reached)")
    return canvas.finish()


def _panel(
    path: PicturePath, ax: Any, axes: Mapping[str, FloatArray], units: Mapping[str, str], orbit: Mapping[str, float]
) -> Canvas:
    """Make a picture with one panel, on which the axes are named and the orbit is marked."""
    canvas = open_canvas(path, ax, MAP_SIZE)
    (panel,), (first, second) = canvas.panels, axes
    panel.plot(orbit[first], orbit[second], "o", color="white", markeredgecolor="black", markersize=7, zorder=3)
    for name, axis in ((first, panel.xaxis), (second, panel.yaxis)):
        label_axis(axis, name, units[name], np.asarray(axes[name]))
    return canvas

"""Pictures of basins of attraction."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from hybridsim.plotting.files import refuse_unknown_format, save_picture
from hybridsim.typing import FloatArray, IntArray

COLOURS = ("#d9d9d9", "#f2c14e", "#2f6690", "#81b29a", "#9b5de5", "#e07a5f")
"""Colours of initial states: a stride is not made; elsewhere at the end; the first orbit, the second ..."""

WORDS = ("a stride is not made", "elsewhere at the end")
SIZE = (6.4, 5.2)
"""Size of the picture [inches]."""


def plot_basin(
    axes: Mapping[str, FloatArray],
    labels: IntArray,
    units: Mapping[str, str],
    orbit: Mapping[str, float],
    path: str | os.PathLike[str],
) -> None:
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
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.

    Raises
    ------
    ConfigError
        If the picture format is unknown, or the picture cannot be written.
    """
    path = Path(path)
    refuse_unknown_format(path)
    (first, right), (second, up) = axes.items()
    shown = np.where(labels >= 0, labels + 2, -1 - labels)
    figure = Figure(figsize=SIZE, layout="constrained")
    panel = figure.subplots()
    colours = ListedColormap(COLOURS)
    panel.pcolormesh(right, up, shown.T, cmap=colours, vmin=-0.5, vmax=len(COLOURS) - 0.5, shading="nearest")
    panel.plot(orbit[first], orbit[second], "o", color="white", markeredgecolor="black", markersize=7)
    panel.set_xlabel(_with_unit(first, units))
    panel.set_ylabel(_with_unit(second, units))
    words = (*WORDS, *(f"comes to orbit {n}" if labels.max() > 0 else "comes to the orbit" for n in range(4)))
    handles = [Patch(color=COLOURS[i], label=words[i]) for i in np.unique(shown)]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False)
    save_picture(figure, path)


def _with_unit(name: str, units: Mapping[str, str]) -> str:
    return f"{name} [{units[name]}]" if units[name] else name

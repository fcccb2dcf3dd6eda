"""Pictures of stability maps."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from matplotlib.colors import TwoSlopeNorm
from matplotlib.figure import Figure

from hybridsim.plotting.files import refuse_unknown_format, save_picture
from hybridsim.typing import FloatArray

COLOURS, NO_ORBIT = "RdBu_r", "#d9d9d9"
"""Blue where the orbit is stable, red where it is not; grey where there is none."""

LARGEST_SHOWN = 2.0
"""Multipliers above this have one colour."""

SIZE = (6.4, 5.2)
"""Size of the picture [inches]."""


def plot_stability_map(
    axes: Mapping[str, FloatArray],
    largest: FloatArray,
    units: Mapping[str, str],
    orbit: Mapping[str, float],
    path: str | os.PathLike[str],
) -> None:
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
    figure = Figure(SIZE, layout="constrained")
    panel = figure.add_subplot()
    panel.set_facecolor(NO_ORBIT)
    norm = TwoSlopeNorm(1.0, 0.0, LARGEST_SHOWN)
    colours = panel.pcolormesh(right, up, np.ma.masked_invalid(largest.T), cmap=COLOURS, norm=norm, shading="nearest")
    found = largest[np.isfinite(largest)]
    if min(largest.shape) > 1 and len(found) and found.min() < 1.0 < found.max():
        panel.contour(right, up, np.ma.masked_invalid(largest.T), levels=[1.0], colors="black", linewidths=1.0)
    panel.plot(orbit[first], orbit[second], "o", color="white", markeredgecolor="black", markersize=7)
    panel.set_xlim(right.min(), right.max())
    panel.set_ylim(up.min(), up.max())
    for name, label in ((first, panel.set_xlabel), (second, panel.set_ylabel)):
        label(f"{name} [{units[name]}]" if units[name] else name)
    bar = figure.colorbar(colours, ax=panel, extend="max", pad=0.02)
    bar.set_label("size of the largest multiplier (grey: no orbit)")
    save_picture(figure, path)

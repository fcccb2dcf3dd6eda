"""Pictures of curves of bifurcations in the plane of two parameters."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hybridsim.plotting.branches import BRANCH_SIZE, KIND_STYLES
from hybridsim.plotting.files import PicturePath, open_canvas
from hybridsim.plotting.marks import MARKS
from hybridsim.plotting.panels import LINE_COLOR, clear
from hybridsim.plotting.scales import label_axis
from hybridsim.results.branches import BranchRecord
from hybridsim.results.colours import BOUNDARY_COLOURS

SPECIAL_COLORS = BOUNDARY_COLOURS[:4]
"""Colours of special points; with the marks they are different for many kinds."""


def plot_bifurcations(record: BranchRecord, path: PicturePath = None, *, ax: Any = None) -> Figure:
    """Draw a curve of bifurcations over both parameters: its special points, and dashed what is no bifurcation.

    Parameters
    ----------
    record : BranchRecord
        The curve.
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
    canvas = open_canvas(path, ax, BRANCH_SIZE)
    (panel,), names = canvas.panels, (record.first_parameter, record.parameter)
    kinds, (x, y) = record.points["kind"], (record.points[name] for name in names)
    known = (*KIND_STYLES, "neutral saddle")
    for kind in dict.fromkeys(kind for kind in kinds if kind in known):
        on = np.isin(kinds, [each for each in (*kinds,) if each == kind or each not in known])
        colour, dashes = (KIND_STYLES[kind][1], "-") if kind in KIND_STYLES else (LINE_COLOR, "--")
        panel.plot(*(np.where(on, each, np.nan) for each in (x, y)), dashes, color=colour, linewidth=1.5, label=kind)
    for kind, mark, color in zip(
        dict.fromkeys(each for each in kinds if each not in known), cycle(MARKS), cycle(SPECIAL_COLORS)
    ):
        on = kinds == kind
        panel.plot(x[on], y[on], mark, color=color, markeredgecolor="white", markersize=8.0, label=kind, zorder=4)
    for axis, name in zip((panel.xaxis, panel.yaxis), names, strict=True):
        label_axis(axis, name, record.units.get(name, ""), record.points[name])
    clear(panel)
    keys = panel.get_legend_handles_labels()[0]
    return canvas.finish(f"{record.model_name}: bifurcations by {names[0]} and {names[1]}", keys)

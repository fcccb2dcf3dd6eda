"""Pictures of curves of bifurcations in the plane of two parameters."""

from __future__ import annotations

import os
from itertools import cycle

import numpy as np
from matplotlib.figure import Figure

from hybridsim.plotting.branches import BRANCH_SIZE, KIND_STYLES
from hybridsim.plotting.files import picture_path, save_picture
from hybridsim.plotting.marks import MARKS, draw_legend
from hybridsim.plotting.names import label
from hybridsim.plotting.panels import LINE_COLOR, clear
from hybridsim.results.branches import BranchRecord
from hybridsim.results.colours import BOUNDARY_COLOURS

SPECIAL_COLORS = BOUNDARY_COLOURS[:4]
"""Colours of special points; with the marks they are different for many kinds."""


def plot_bifurcations(record: BranchRecord, path: str | os.PathLike[str]) -> None:
    """Draw a curve of bifurcations over both parameters: its special points, and dashed what is no bifurcation.

    Parameters
    ----------
    record : BranchRecord
        The curve.
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.

    Raises
    ------
    ConfigError
        If the picture format is unknown, or the picture cannot be written.
    """
    path = picture_path(path)
    figure = Figure(figsize=BRANCH_SIZE, layout="constrained")
    panel, names = figure.subplots(), (record.first_parameter, record.parameter)
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
    panel.set_xlabel(label(names[0], record.units.get(names[0], "")))
    panel.set_ylabel(label(names[1], record.units.get(names[1], "")))
    clear(panel)
    figure.suptitle(f"{record.model_name}: bifurcations by {names[0]} and {names[1]}", fontsize="medium")
    draw_legend(figure, panel.get_legend_handles_labels()[0])
    save_picture(figure, path)

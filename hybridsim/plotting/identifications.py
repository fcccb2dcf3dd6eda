"""Pictures of what was identified: what was measured, the motions, and the inputs that were found."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hybridsim.model import Model
from hybridsim.plotting.files import PicturePath, open_canvas
from hybridsim.plotting.names import label
from hybridsim.plotting.panels import LINE_COLOR, clear
from hybridsim.plotting.sweeps import CURVE_COLORS

PANEL_SIZE = (8.0, 1.9)
"""Size of a panel [inches]."""

SAME_TIME = 1e-12
"""Part of a motion between the end of a phase and the beginning of the next one: nothing but rounding."""

PHASE_COLORS = ("#eef3f7", "#ffffff")
"""Backgrounds of phases, in turn."""


def plot_identification(record: Mapping[str, Any], model: Model, path: PicturePath = None, *, ax: Any = None) -> Figure:
    """Draw an identification.

    Parameters
    ----------
    record : mapping
        What the file of an identification has, by the names of `results.schema`.
    model : Model
        Its model.
    path : Path, optional
        The picture; its suffix decides the format.
    ax : Axes, or sequence of Axes, optional
        Where to draw, a panel for each measured quantity, or state, and each input; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If the format is unknown, or the picture cannot be written.
    """
    names = [*(record["measured"] or model.states.names), *record["inputs"]]
    size = PANEL_SIZE[0], PANEL_SIZE[1] * len(names) + 0.6
    canvas = open_canvas(path, ax, size, len(names), sharex=True)
    for panel, name in zip(canvas.panels, names, strict=True):
        clear(panel)
        panel.set_ylabel(label(name, _unit(model, name)))
        for number in range(record["trials"]):
            _draw_trial(panel, record, record[f"trial_{number}"], model, name, CURVE_COLORS[number % len(CURVE_COLORS)])
    canvas.panels[-1].set_xlabel("time [s]")
    keys = canvas.panels[0].get_legend_handles_labels()[0][:2] if record["measured"] else ()
    return canvas.finish(keys=keys)


def _unit(model: Model, name: str) -> str:
    for records in (model.states, model.output_records, model.inputs):
        if name in records.names:
            return str(records[name].unit)
    return ""


def _draw_trial(
    panel: Any, record: Mapping[str, Any], trial: Mapping[str, Any], model: Model, name: str, color: str
) -> None:
    """Draw what was measured as dots, and the motion as a line; phases are shaded in turn."""
    t, measured = np.asarray(trial["t"]), [*record["measured"]]
    ends = np.flatnonzero(np.diff(t) <= SAME_TIME * np.ptp(t))
    edges = [t[0], *t[ends], t[-1]]
    if record["trials"] == 1 and len(ends):
        for number, (begin, end) in enumerate(pairwise(edges)):
            panel.axvspan(begin, end, color=PHASE_COLORS[number % 2], zorder=0)
    if name in measured:
        data, misfits = (np.asarray(trial[key])[:, measured.index(name)] for key in ("data", "misfits"))
        panel.plot(trial["samples"], data, ".", markersize=3.0, color="#9aa7b3", label="measured")
        panel.plot(trial["samples"], data - misfits, color=color, linewidth=1.2, label="identified")
        return
    column = np.asarray(trial["inputs"])[:, [*record["inputs"]].index(name)] if name in record["inputs"] else None
    if column is None:
        column = np.asarray(trial["x"])[:, model.states.names.index(name)]
    panel.plot(np.insert(t, ends + 1, np.nan), np.insert(column, ends + 1, np.nan), color=LINE_COLOR, linewidth=1.3)

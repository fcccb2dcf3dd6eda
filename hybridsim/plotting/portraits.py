"""Phase portraits of a run: two or three quantities over each other, with events as marks and gaps at jumps."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hybridsim.errors import ConfigError
from hybridsim.plotting.columns import column_names, is_state, unit_of, values_at_events, values_of, window_of
from hybridsim.plotting.files import picture_path, save_picture
from hybridsim.plotting.marks import draw_legend, event_marks
from hybridsim.plotting.names import label, refuse_unknown
from hybridsim.plotting.panels import LINE_COLOR, clear
from hybridsim.plotting.sweeps import CURVE_COLORS
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray, IntArray

NAME_SEPARATOR = ":"
"""Between the names of a portrait: `y:v`, `x:y:z`."""

SMOOTH_PORTRAIT_POINTS, MAX_POINTS_IN_STEP = 20_000, 40
"""Points of a curve of states between the rows, and most of them in a step."""

PORTRAIT_MARK_SIZE, PANEL_SIZE, MAX_COLUMNS = 5.0, 5.2, 2
"""Size of marks [points] and of a panel [inches], and panels side by side."""

PORTRAIT_TITLE_LETTERS = 70
"""Letters of the title in the width of a panel."""


def is_portrait(name: str) -> bool:
    """Return whether a name stands for quantities over each other."""
    return NAME_SEPARATOR in re.sub(r"\[.*?\]", "", name)  # `h.phi[0:3]` are entries of a block


def plot_portraits(
    run: Trajectory,
    names: Sequence[str],
    path: str | os.PathLike[str],
    begin: float | None = None,
    end: float | None = None,
    *,
    events: bool = True,
) -> None:
    """Draw quantities of a run over each other and save the picture.

    Parameters
    ----------
    run : Trajectory
        The run.
    names : sequence of str
        A panel each: `y:v` draws v over y, `x:y:z` a curve in space. Outputs, states and inputs.
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    begin, end : float, optional
        The part of the run to draw [s]; by default all of it.
    events : bool
        Whether events are marked, where they find the run.

    Raises
    ------
    ConfigError
        If a name or the picture format is unknown, there is no part of the run between begin and end, or the picture
        cannot be written.
    """
    portraits = [_names_in(run, name) for name in names]
    path = picture_path(path)
    window = window_of(run, begin, end)
    n_columns = min(len(portraits), MAX_COLUMNS)
    n_rows = -(-len(portraits) // n_columns)
    figure = Figure(figsize=(PANEL_SIZE * n_columns + 1.0, PANEL_SIZE * n_rows), layout="constrained")
    marks = event_marks(run, *window) if events else []
    charts = _charts(run)
    for place, columns in enumerate(portraits, start=1):
        panel = figure.add_subplot(n_rows, n_columns, place, projection="3d" if len(columns) == 3 else None)
        _draw_curve(panel, run, columns, window, charts)
        for mark in marks:
            at = [values_at_events(run, name)[mark.events] for name in columns]
            panel.plot(*at, zorder=3, **mark.style(PORTRAIT_MARK_SIZE))
        _label(panel, run, columns)
    title = fill(f"{run.model_name}: {run.message or run.status}", PORTRAIT_TITLE_LETTERS * n_columns)
    figure.suptitle(title, fontsize="medium")
    keys = [Line2D([], [], label=run.charts[chart], color=colour) for chart, colour in charts.items()]
    keys = (keys if len(keys) > 1 else []) + [
        Line2D([], [], label=m.label, **m.style(PORTRAIT_MARK_SIZE)) for m in marks
    ]
    draw_legend(figure, keys)
    save_picture(figure, path)


def _names_in(run: Trajectory, portrait: str) -> tuple[str, ...]:
    """Return the two or three names of a portrait."""
    names, known = tuple(name.strip() for name in portrait.split(NAME_SEPARATOR)), column_names(run)
    if len(names) not in (2, 3) or not all(names):
        raise ConfigError(
            f"{portrait}: expected two or three names with a : between them; write {known[0]}:{known[-1]}"
        )
    for name in names:
        refuse_unknown(f"{portrait}: the run has no output, state or input {name!r}", name, known)
    return names


def _charts(run: Trajectory) -> dict[int, str]:
    """Return the charts of the run with their colours; one colour for all if there are too many."""
    charts = list(dict.fromkeys(run.chart.tolist()))
    many = len(charts) > len(CURVE_COLORS)
    return {charts[0]: LINE_COLOR} if many else dict(zip(charts, CURVE_COLORS, strict=False))


def _draw_curve(
    panel: Any, run: Trajectory, columns: Sequence[str], window: tuple[float, float], charts: dict[int, str]
) -> None:
    """Draw one curve for each chart, with gaps at jumps and where the run is in another chart."""
    points, chart = _points(run, columns, window)
    for number, colour in charts.items():
        here = chart == number if len(charts) > 1 else np.ones(len(chart), bool)
        panel.plot(*(np.where(here, values, np.nan) for values in points), color=colour, linewidth=1.2)


def _points(run: Trajectory, columns: Sequence[str], window: tuple[float, float]) -> tuple[list[FloatArray], IntArray]:
    """Return the columns (n,) with a gap (nan) at each jump, and the chart (n,); states also between the rows."""
    t, j, chart = run.t, run.j, run.chart
    values = [values_of(run, name) for name in columns]
    if all(is_state(run, name) for name in columns):
        between = _times_between(run)
        rows = np.searchsorted(t, between, side="right")
        x = run.at(between)
        values = [
            np.insert(column, rows, x[:, run.states.index(name)]) for column, name in zip(values, columns, strict=True)
        ]
        j, chart = np.insert(j, rows, j[rows - 1]), np.insert(chart, rows, chart[rows - 1])
        t = np.insert(t, rows, between)
    inside = (t >= window[0]) & (t <= window[1])
    j, chart = j[inside], chart[inside]
    jumps = np.flatnonzero(np.diff(j)) + 1
    return [np.insert(column[inside], jumps, np.nan) for column in values], np.insert(chart, jumps, chart[jumps - 1])


def _times_between(run: Trajectory) -> FloatArray:
    """Return times between the rows, equally many in each step."""
    n = int(np.clip(SMOOTH_PORTRAIT_POINTS // max(len(run.t), 1), 1, MAX_POINTS_IN_STEP))
    share = np.arange(1, n + 1) / (n + 1)
    step = np.diff(run.t)
    rows = np.flatnonzero(step > 0.0)
    times: FloatArray = (run.t[rows, None] + step[rows, None] * share).ravel()
    return times


def _label(panel: Any, run: Trajectory, columns: Sequence[str]) -> None:
    for axis, name in zip((panel.xaxis, panel.yaxis, getattr(panel, "zaxis", None)), columns, strict=False):
        axis.set_label_text(label(name, unit_of(run, name)))
        axis.get_major_formatter().set_useOffset(False)
    if len(columns) == 2:
        clear(panel)

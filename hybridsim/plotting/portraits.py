"""Phase portraits of a run: two or three quantities over each other, with events as marks and thin lines at jumps."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hybridsim.errors import ConfigError
from hybridsim.plotting.columns import (
    Points,
    Runs,
    column_names,
    notes_of,
    points_of,
    runs_by_name,
    title_of,
    unit_of,
    values_at_events,
    window_of,
)
from hybridsim.plotting.files import Canvas, PicturePath, open_canvas
from hybridsim.plotting.marks import Mark, event_marks
from hybridsim.plotting.names import refuse_unknown
from hybridsim.plotting.panels import LINE_COLOR, clear, draw_flow, keys_of, styles_of
from hybridsim.plotting.scales import label_axis
from hybridsim.plotting.sweeps import CURVE_COLORS
from hybridsim.results.trajectory import Trajectory

NAME_SEPARATOR = ":"
"""Between the names of a portrait: `y:v`, `x:y:z`."""

JUMPS: Mapping[str, Any] = {"color": "#9a9a9a", "linewidth": 0.9, "linestyle": (0, (2, 2)), "zorder": 1, "alpha": 1.0}
START: Mapping[str, Any] = {"color": "black", "marker": "o", "markersize": 5, "linestyle": "", "zorder": 4}
"""The looks of jumps and of the beginning."""

PORTRAIT_MARK_SIZE, PANEL_SIZE, MAX_COLUMNS = 5.0, 5.2, 2
"""Size of marks [points] and of a panel [inches], and panels side by side."""

LEAST_LEAP = 1e-6
"""Part of the range of a quantity from which a jump is in the legend."""

PORTRAIT_TITLE_LETTERS = 70
"""Letters of the title in the width of a panel."""


def is_portrait(name: str) -> bool:
    """Return whether a name stands for quantities over each other."""
    return NAME_SEPARATOR in re.sub(r"\[.*?\]", "", name)  # `h.phi[0:3]` are entries of a block


def plot_portraits(
    run: Runs,
    names: Sequence[str],
    path: PicturePath = None,
    begin: float | None = None,
    end: float | None = None,
    *,
    events: bool = True,
    ax: Any = None,
) -> Figure:
    """Draw quantities of a run over each other, coloured by chart; dashed lines are jumps.

    Parameters
    ----------
    run : Trajectory, or sequence or mapping of them
        The run, or several of one model, whose curves have the colours of runs.
    names : sequence of str
        A panel each: `y:v` draws v over y, `x:y:z` a curve in space. Outputs, states and inputs.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    begin, end : float, optional
        The part of the run to draw [s]; by default all of it.
    events : bool
        Whether events are marked, where they find the run.
    ax : Axes, or sequence of Axes, optional
        Where to draw, a panel for each name, of the projection "3d" for three quantities; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If a name or the picture format is unknown, runs are of different models, there is no part of a run between
        begin and end, or the picture cannot be written.
    """
    runs = runs_by_name(run)
    first = next(iter(runs.values()))
    portraits = [_names_in(each, name) for each in runs.values() for name in names][: len(names)]
    windows = [window_of(each, begin, end) for each in runs.values()]
    canvas = _panels(path, ax, portraits)
    several, columns = len(runs) > 1, [*dict.fromkeys(name for names in portraits for name in names)]
    points = [points_of(each, columns, window) for each, window in zip(runs.values(), windows, strict=True)]
    marks = event_marks(first, *windows[0]) if events and not several else []
    charts = _charts(first)
    for panel, shown in zip(canvas.panels, portraits, strict=True):
        for each, style in zip(points, styles_of(len(runs)), strict=True):
            _draw_curve(panel, each, shown, {} if several else charts, style)
            panel.plot(*(column[:1] for column in each.along(*shown)[3:]), **START)
        _draw_marks(panel, first, points[0], shown, marks)
        _label(panel, first, points, shown)
    keys = [Line2D([], [], label=first.charts[chart], color=colour) for chart, colour in charts.items()]
    keys = keys_of(runs) if several else keys * (len(keys) > 1)
    if any(_jumps(each, shown) for each in points for shown in portraits):
        keys.append(Line2D([], [], label="jump", **JUMPS))
    keys.append(Line2D([], [], label="start", **START))
    keys += [Line2D([], [], label=mark.label, **mark.style(PORTRAIT_MARK_SIZE)) for mark in marks]
    canvas.figure.notes = notes_of(points)
    return canvas.finish(title_of(runs, PORTRAIT_TITLE_LETTERS * min(len(names), MAX_COLUMNS)), keys)


def _panels(path: PicturePath, ax: Any, portraits: Sequence[Sequence[str]]) -> Canvas:
    """Return the panels, in the plane or in space."""
    n = len(portraits)
    n_columns = min(n, MAX_COLUMNS)
    n_rows = -(-n // n_columns)
    canvas = open_canvas(path, ax, (PANEL_SIZE * n_columns + 1.0, PANEL_SIZE * n_rows), n if ax is not None else 0)
    for place, names in enumerate(portraits, start=1):
        in_space = len(names) == 3
        if canvas.own:
            panel = canvas.figure.add_subplot(n_rows, n_columns, place, projection="3d" if in_space else None)
            canvas.panels.append(panel)
        elif in_space and canvas.panels[place - 1].name != "3d":
            raise ConfigError(f"ax: {':'.join(names)} needs a panel with projection='3d'")
    return canvas


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
    panel: Any, points: Points, names: Sequence[str], charts: Mapping[int, str], style: Mapping[str, Any]
) -> None:
    """Draw one curve for each chart, or one if none is given; a jump goes to the colour of the next chart."""
    _, j, chart, *columns = points.along(*names)
    if len(charts) < 2:
        draw_flow(panel, columns, j, {**style, "color": next(iter(charts.values()), style["color"])}, JUMPS)
        return
    draw_flow(panel, columns, j, {**style, "linestyle": ""}, JUMPS)
    for number, colour in charts.items():
        here = [np.where(chart == number, column, np.nan) for column in columns]
        draw_flow(panel, here, j, {**style, "color": colour}, {"linestyle": ""})


def _jumps(points: Points, names: Sequence[str]) -> bool:
    """Return whether a jump is to be seen."""
    _, j, _, *columns = points.along(*names)
    leaps = ((np.abs(np.diff(column)[np.diff(j) > 0]), np.ptp(column)) for column in columns)
    return any((leap > LEAST_LEAP * size).any() for leap, size in leaps)


def _draw_marks(panel: Any, run: Trajectory, points: Points, names: Sequence[str], marks: Sequence[Mark]) -> None:
    at = [values_at_events(run, name, points) for name in names] if marks else []
    for mark in marks:
        panel.plot(*(column[mark.events] for column in at), zorder=3, **mark.style(PORTRAIT_MARK_SIZE))


def _label(panel: Any, run: Trajectory, points: Sequence[Points], columns: Sequence[str]) -> None:
    for axis, name in zip((panel.xaxis, panel.yaxis, getattr(panel, "zaxis", None)), columns, strict=False):
        values = np.concatenate([each.along(name)[3] for each in points])
        label_axis(axis, name, unit_of(run, name), values)
    if len(columns) == 2:
        clear(panel)

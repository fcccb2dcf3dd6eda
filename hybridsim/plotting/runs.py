"""A picture of a run: outputs against time, with charts and slides as shades behind them and events as marks on them.

If there are many charts or kinds of events, as in models with bit fields, shades and marks would hide the curves and
are left out; bars (`bars`) show when each bit was set.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from hybridsim.errors import ConfigError
from hybridsim.model import Records, list_names, nearest
from hybridsim.plotting.bars import CHART, OVERLAY, bar_legend, draw_bars, is_bars, panel_height, refuse_unequal_fields
from hybridsim.plotting.columns import (
    column_names,
    entries_called,
    is_state,
    unit_of,
    values_at_events,
    values_of,
    window_of,
)
from hybridsim.plotting.files import picture_path, save_picture
from hybridsim.plotting.marks import Mark, draw_legend, event_marks
from hybridsim.plotting.panels import LINE_COLOR
from hybridsim.plotting.scales import label_time
from hybridsim.plotting.shades import (
    OTHER_SHADE,
    Region,
    chart_shades,
    draw_charts,
    is_slide,
    region_name,
    shade_style,
    time_in_charts,
)
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray

DEFAULT_PANELS = 8
SMOOTH_POINTS = 2000
"""Points of a curve in addition to the rows, if the run can be evaluated between them."""

MAX_EVENTS_WITH_LARGE_MARKS = 100
"""Most events whose marks have the size `MARK_SIZE`; those of more events are smaller."""

FIGURE_WIDTH = 8.0
"""Width of a picture [inches]: its letters can be read where a page shows it at half of its pixels."""

CURVE_HEIGHT, FIGURE_MARGIN = 1.35, 1.2
"""Height of a panel with a curve, and of the space around all panels [inches]."""

TITLE_LETTERS = 100
"""Most letters in a line of the title."""

MARK_SIZE, SMALL_MARK_SIZE = 5.0, 3.0
"""Size of marks, and their size if there are many events [points]."""

COMMON_PERCENTILES, MAX_PEAK_RATIO = (5.0, 95.0), 1000.0
"""A curve is cut if its range exceeds that between these percentiles [%] by more than this factor."""

MIN_DRAWN_CHANGE = 1e-14
"""Changes smaller than this, in the unit of the model, are drawn as constant: rounding of numbers about 1."""

MIN_VISIBLE_SHARE = 1e-6
"""Changes smaller than this fraction of the size of a curve are drawn as constant, not magnified to rounding noise."""


def plot_run(
    run: Trajectory,
    outputs: Sequence[str],
    path: str | os.PathLike[str],
    begin: float | None = None,
    end: float | None = None,
    *,
    events: bool = True,
) -> None:
    """Draw one panel per name over one time axis and save the picture.

    Parameters
    ----------
    run : Trajectory
        The run.
    outputs : sequence of str
        Names of outputs, states or inputs, which become curves; `chart`, the name of a chart field (`stance`), or
        several fields over each other (`stance+slip`), which become bars. If empty, the names that the model declares
        in `plots`, else the first eight outputs except `time`.
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    begin, end : float, optional
        The part of the run to draw [s]; by default all of it.
    events : bool
        Whether events are marked on the curves.

    Raises
    ------
    ConfigError
        If a name or the picture format is unknown, there is no part of the run between begin and end, or the picture
        cannot be written.
    """
    names = [each for name in outputs or _default_names(run) for each in entries_called(run, name)]
    _refuse_unknown_names(run, names)
    path = picture_path(path)
    left, right = window_of(run, begin, end)
    heights = [panel_height(run, name) if _has_bars(run, name) else CURVE_HEIGHT for name in names]
    figure = Figure(figsize=(FIGURE_WIDTH, FIGURE_MARGIN + sum(heights)), layout="constrained")
    panels = figure.subplots(len(names), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    shades, marks = chart_shades(run), event_marks(run, left, right) if events else []
    for panel, name in zip(panels, names, strict=True):
        if _has_bars(run, name):
            draw_bars(panel, run, name)
            continue
        draw_charts(panel, run, shades)
        t, values = _within(left, right, *_curve(run, name))
        panel.plot(t, values, color=LINE_COLOR, linewidth=1.3)
        _draw_events(panel, run, name, marks)
        _label(panel, run, name, values)
        _limit(panel, values)
        panel.grid(axis="y", color="white" if shades else "#dddddd", linewidth=0.8)
    figure.align_ylabels(panels)
    panels[-1].set_xlim(left, max(right, np.nextafter(left, np.inf)))
    label_time(panels[-1].xaxis, left, right)
    figure.suptitle(fill(f"{run.model_name}: {run.message or run.status}", TITLE_LETTERS), fontsize="medium")
    keys = [*bar_legend([name for name in names if _has_bars(run, name)])]
    if not all(_has_bars(run, name) for name in names):
        keys += _legend(run, shades, marks)
    draw_legend(figure, keys)
    save_picture(figure, path)


def _default_names(run: Trajectory) -> list[str]:
    """Return the names that the model declares, if they are recorded; else the first outputs."""
    tables: tuple[Records[Any], ...] = run.outputs, run.states, run.inputs.records
    known = [name for name in run.plots if any(table.found(name) is not None for table in tables)]
    wanted = [name for name in run.plots if name in known or is_bars(run, name)]
    return wanted or [name for name in run.outputs.names if name != "time"][:DEFAULT_PANELS]


def _has_bars(run: Trajectory, name: str) -> bool:
    """Return whether the name becomes bars; a column takes precedence over a chart field of the same name."""
    return name not in column_names(run) and is_bars(run, name)


def _refuse_unknown_names(run: Trajectory, names: Sequence[str]) -> None:
    columns = column_names(run)
    for name in names:
        if name in columns:
            continue
        if OVERLAY in name:
            refuse_unequal_fields(run, name)
        elif not is_bars(run, name):
            known = [*columns, *run.chart_fields, CHART]
            tables = {
                "the outputs": run.outputs.names,
                "the states": [state for state in run.states.names if state not in run.outputs.names],
                "the inputs": run.inputs.records.names,
                "as bars": (CHART, *run.chart_fields),
            }
            by_kind = "; ".join(f"{kind} {list_names(table, name)}" for kind, table in tables.items() if table)
            raise ConfigError(f"{name}: the run has nothing of this name{nearest(name, known)}; it has {by_kind}")


def _within(left: float, right: float, t: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the points in the window and one on either side, so that axes are scaled to the visible part."""
    inside = np.flatnonzero((t >= left) & (t <= right))
    if not inside.size:
        return t, values
    chosen = slice(max(int(inside[0]) - 1, 0), int(inside[-1]) + 2)
    return t[chosen], values[chosen]


def _curve(run: Trajectory, name: str) -> tuple[FloatArray, FloatArray]:
    """Return times and values of a curve, with a gap (nan) at each jump; states also between the rows."""
    t, j, values = run.t, run.j, values_of(run, name)
    if is_state(run, name):
        between = np.linspace(t[0], t[-1], SMOOTH_POINTS)
        rows = np.searchsorted(t, between, side="right")
        t, j = np.insert(t, rows, between), np.insert(j, rows, j[rows - 1])
        values = np.insert(values, rows, run.at(between)[:, run.states.index(name)])
    jumps = np.flatnonzero(np.diff(j)) + 1
    return np.insert(t, jumps, np.nan), np.insert(values, jumps, np.nan)


def _draw_events(panel: Any, run: Trajectory, name: str, marks: list[Mark]) -> None:
    t, values = run.events.t, values_at_events(run, name)
    size = MARK_SIZE if sum(mark.events.sum() for mark in marks) <= MAX_EVENTS_WITH_LARGE_MARKS else SMALL_MARK_SIZE
    for mark in marks:
        # Not clipped: an event that ends the run is on the edge of the panel.
        panel.plot(t[mark.events], values[mark.events], zorder=3, clip_on=False, **mark.style(size))


def _limit(panel: Any, values: FloatArray) -> None:
    """Limit the y axis if a few extreme values would flatten the rest of the curve.

    A quotient has extreme values near a zero of its denominator. The panel says how far the cut-off values go.
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return
    low, high = np.percentile(known, COMMON_PERCENTILES).tolist()
    lowest, highest, spread = float(known.min()), float(known.max()), high - low
    if not 0.0 < MAX_PEAK_RATIO * spread < highest - lowest:
        return
    panel.set_ylim(max(lowest, low - spread), min(highest, high + spread))
    ends = [f"from {lowest:.3g}"] * (low - spread > lowest) + [f"up to {highest:.3g}"] * (high + spread < highest)
    panel.text(0.995, 0.93, " ".join(ends), transform=panel.transAxes, ha="right", va="top", fontsize="small")


def _label(panel: Any, run: Trajectory, name: str, values: FloatArray) -> None:
    unit = unit_of(run, name)
    panel.set_ylabel(f"{name}\n[{unit}]" if unit else name)
    panel.margins(x=0.0, y=0.12)
    known = values[np.isfinite(values)]
    size = float(np.abs(known).max(initial=0.0))
    least = max(MIN_VISIBLE_SHARE * size, _noise(run, name))
    if known.size and np.ptp(known) < least:
        middle = 0.5 * float(known.min() + known.max())
        panel.set_ylim(middle - least, middle + least)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _noise(run: Trajectory, name: str) -> float:
    """Return the change of a curve below which it may be noise: of a state, the absolute tolerance of the run."""
    if name in run.states.names and is_state(run, name):
        return float(run.provenance.get("config", {}).get("engine", {}).get("atol", MIN_DRAWN_CHANGE))
    return MIN_DRAWN_CHANGE


def _legend(run: Trajectory, shades: dict[Region, str], marks: list[Mark]) -> list[Any]:
    keys: list[Any] = [
        Patch(label=region_name(run, region), **shade_style(color, is_slide(region)))
        for region, color in shades.items()
    ]
    if shades and len(time_in_charts(run)) > len(shades):
        keys.append(Patch(color=OTHER_SHADE, label="other charts"))
    return keys + [Line2D([], [], label=mark.label, **mark.style(MARK_SIZE)) for mark in marks]

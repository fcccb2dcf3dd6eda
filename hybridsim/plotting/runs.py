"""A picture of a run: outputs against time, with charts and slides as shades behind them and events as marks on them.

If there are many charts or kinds of events, as in models with bit fields, shades and marks would hide the curves and
are left out; bars (`bars`) show when each bit was set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from hybridsim.errors import ConfigError
from hybridsim.model import Records, list_names, nearest
from hybridsim.plotting.bars import CHART, OVERLAY, bar_legend, draw_bars, is_bars, panel_height, refuse_unequal_fields
from hybridsim.plotting.columns import (
    Points,
    Runs,
    column_names,
    entries_called,
    is_state,
    notes_of,
    points_of,
    runs_by_name,
    title_of,
    unit_of,
    values_at_events,
    window_of,
)
from hybridsim.plotting.files import PicturePath, open_canvas
from hybridsim.plotting.marks import Mark, event_marks
from hybridsim.plotting.panels import draw_flow, keys_of, styles_of
from hybridsim.plotting.portraits import is_portrait, plot_portraits
from hybridsim.plotting.scales import label_axis, label_time
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

FIRST_INSTANT, MAX_FIRST_RATIO = 0.002, 4.0
"""A curve is cut, too, if what it does in this first part of a picture multiplies its range by more than this."""

MIN_DRAWN_CHANGE = 1e-14
"""Changes smaller than this, in the unit of the model, are drawn as constant: rounding of numbers about 1."""

MIN_VISIBLE_SHARE = 1e-9
"""Changes smaller than this fraction of the size of a curve are drawn as constant, not magnified to rounding noise."""


def plot_run(
    run: Runs,
    outputs: Sequence[str] = (),
    path: PicturePath = None,
    begin: float | None = None,
    end: float | None = None,
    *,
    events: bool = True,
    ax: Any = None,
) -> Figure:
    """Draw one panel per name over one time axis.

    States follow the run's own interpolation between its rows, and outputs the model along it; thin lines are jumps.

    Parameters
    ----------
    run : Trajectory, or sequence or mapping of them
        The run, or several of one model: their curves have their colours, and the names of a mapping.
    outputs : sequence of str
        Names of outputs, states or inputs, which become curves; `chart`, the name of a chart field (`stance`), or
        several fields over each other (`stance+slip`), which become bars. If empty, the names that the model declares
        in `plots`, else the first eight outputs except `time`. Names such as `y:v` make phase portraits instead.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    begin, end : float, optional
        The part of the run to draw [s]; by default all of it.
    events : bool
        Whether events are marked on the curves, of one run.
    ax : Axes, or sequence of Axes, optional
        Where to draw, a panel for each name; by default a new figure.

    Returns
    -------
    Figure
        The figure; its `notes` say which curves go straight from row to row, and why.

    Raises
    ------
    ConfigError
        If a name or the picture format is unknown, runs are of different models, there is no part of a run between
        begin and end, or the picture cannot be written.
    """
    runs = runs_by_name(run)
    first = next(iter(runs.values()))
    names = [each for name in outputs or _default_names(first, len(runs)) for each in entries_called(first, name)]
    portraits = [name for name in names if is_portrait(name)]
    if portraits and len(portraits) == len(names):
        return plot_portraits(runs, names, path, begin, end, events=events, ax=ax)
    _refuse_mixture(names, portraits, runs)
    windows = [window_of(each, begin, end) for each in runs.values()]
    left, right = min(window[0] for window in windows), max(window[1] for window in windows)
    heights = [panel_height(first, name) if _has_bars(first, name) else CURVE_HEIGHT for name in names]
    size, grid = (FIGURE_WIDTH, FIGURE_MARGIN + sum(heights)), {"sharex": True, "height_ratios": heights}
    canvas = open_canvas(path, ax, size, len(names), **grid)
    curves = [name for name in names if not _has_bars(first, name)]
    points = [points_of(each, curves, window) for each, window in zip(runs.values(), windows, strict=True)]
    marks = event_marks(first, left, right) if events and len(runs) == 1 else []
    shades = chart_shades(first) if len(runs) == 1 else {}
    for panel, name in zip(canvas.panels, names, strict=True):
        if name in curves:
            _draw_panel(panel, runs, name, points, shades, marks)
        else:
            draw_bars(panel, first, name)
    _label_times(canvas.panels, first, left, right)
    keys = [*bar_legend([name for name in names if name not in curves])]
    if curves:
        keys += _legend(first, shades, marks) if len(runs) == 1 else keys_of(runs)
    canvas.figure.notes = notes_of(points)
    return canvas.finish(title_of(runs, TITLE_LETTERS), keys)


def _draw_panel(
    panel: Any,
    runs: Mapping[str, Trajectory],
    name: str,
    points: Sequence[Points],
    shades: dict[Region, str],
    marks: list[Mark],
) -> None:
    """Draw one quantity of all runs."""
    drawn = []
    for each, style in zip(points, styles_of(len(runs)), strict=True):
        t, j, _, values = each.along(name)
        draw_flow(panel, (t, values), j, style, {})
        drawn.append((t, values))
    first = next(iter(runs.values()))
    draw_charts(panel, first, shades)
    _draw_events(panel, first, name, points[0], marks)
    t, values = (np.concatenate(columns) for columns in zip(*drawn, strict=True))
    _dress(panel, first, name, values)
    label_axis(panel.yaxis, name, unit_of(first, name), _limit(panel, t, values), "\n")
    panel.grid(axis="y", color="white" if shades else "#dddddd", linewidth=0.8)


def _label_times(panels: Sequence[Any], run: Trajectory, left: float, right: float) -> None:
    """Set and label the axis of times, in the unit that the config of the run names; only below the lowest panel."""
    unit = run.provenance.get("config", {}).get("output", {}).get("time_unit") or ""
    for panel in panels:
        panel.set_xlim(left, max(right, np.nextafter(left, np.inf)))
        label_time(panel.xaxis, left, right, unit)
        place = panel.get_subplotspec()
        if place is not None and not place.is_last_row():
            panel.set_xlabel("")


def _default_names(run: Trajectory, n_runs: int) -> list[str]:
    """Return the names that the model declares, if they are recorded; else the first outputs. Bars are of one run."""
    tables: tuple[Records[Any], ...] = run.outputs, run.states, run.inputs.records
    known = [name for name in run.plots if any(table.found(name) is not None for table in tables)]
    wanted = [name for name in run.plots if name in known or (n_runs == 1 and is_bars(run, name))]
    return wanted or [name for name in run.outputs.names if name != "time"][:DEFAULT_PANELS]


def _has_bars(run: Trajectory, name: str) -> bool:
    """Return whether the name becomes bars; a column takes precedence over a chart field of the same name."""
    return name not in column_names(run) and is_bars(run, name)


def _refuse_mixture(names: Sequence[str], portraits: Sequence[str], runs: Mapping[str, Trajectory]) -> None:
    """Refuse names that a run has not, portraits beside curves over time, and bars of several runs."""
    if portraits:
        over_time = next(name for name in names if name not in portraits)
        raise ConfigError(f"{over_time} is drawn over time, and {portraits[0]} is a phase portrait; draw two pictures")
    for label, run in runs.items():
        _refuse_unknown_names(run, names)
        shown_as_bars = [name for name in names if _has_bars(run, name)]
        if len(runs) > 1 and shown_as_bars:
            raise ConfigError(f"{shown_as_bars[0]}: drawn as bars, of one run; draw {label} alone, or leave it out")


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


def _draw_events(panel: Any, run: Trajectory, name: str, points: Points, marks: list[Mark]) -> None:
    if not marks:
        return
    t, values = run.events.t, values_at_events(run, name, points)
    size = MARK_SIZE if sum(mark.events.sum() for mark in marks) <= MAX_EVENTS_WITH_LARGE_MARKS else SMALL_MARK_SIZE
    for mark in marks:
        # Not clipped: an event that ends the run is on the edge of the panel.
        panel.plot(t[mark.events], values[mark.events], zorder=3, clip_on=False, **mark.style(size))


def _limit(panel: Any, t: FloatArray, values: FloatArray) -> FloatArray:
    """Limit the y axis if a few extreme values, or those of the first instant, would flatten the rest of the curve.

    A quotient has extreme values near a zero of its denominator. The panel says how far the cut-off values go. Returns
    the values that are drawn.
    """
    finite = np.isfinite(values)
    known, later = values[finite], values[finite & (t > t.min() + FIRST_INSTANT * np.ptp(t))]
    if not known.size:
        return known
    low, high = np.percentile(known, COMMON_PERCENTILES).tolist()
    lowest, highest, spread = float(known.min()), float(known.max()), high - low
    if 0.0 < MAX_PEAK_RATIO * spread < highest - lowest:
        low, high = max(lowest, low - spread), min(highest, high + spread)
    elif later.size and MIN_VISIBLE_SHARE * np.abs(known).max() < np.ptp(later) < np.ptp(known) / MAX_FIRST_RATIO:
        margin = panel.margins()[1] * float(np.ptp(later))
        low, high = float(later.min()) - margin, float(later.max()) + margin
    else:
        return known
    panel.set_ylim(low, high)
    ends = [f"from {lowest:.3g}"] * (low > lowest) + [f"up to {highest:.3g}"] * (high < highest)
    panel.text(0.995, 0.93, " ".join(ends), transform=panel.transAxes, ha="right", va="top", fontsize="small")
    return np.asarray(known[(known >= low) & (known <= high)])


def _dress(panel: Any, run: Trajectory, name: str, values: FloatArray) -> None:
    known = values[np.isfinite(values)]
    panel.margins(x=0.0, y=0.12)
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

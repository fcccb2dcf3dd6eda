"""Bars over time: when a run was in each chart, or when each bit of a chart field was set (a gait diagram)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.patches import Patch

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray

CHART = "chart"
"""The name of the panel with a bar for each chart."""

OVERLAY = "+"
"""Joins the names of fields whose bars are drawn over each other: `stance+slip`."""

BAR_COLORS = ("#2f4b66", "#e6a04b", "#b5403a", "#7fb7a3")
"""Colours of the first field and of those drawn over it."""

BAR_HEIGHTS = (0.78, 0.4, 0.22, 0.12)
"""Heights of their bars, in units of the distance between rows."""

ROW_HEIGHT, LETTER_HEIGHT, PANEL_MARGIN = 0.21, 0.11, 0.3
"""Height of a row, of a letter of the rotated name, and of the space around them [inches]."""

MAX_CHART_ROWS = 32
"""Most charts that have a row of their own: those in which the run spends most time."""

Bars = dict[str, FloatArray]


def is_bars(run: Trajectory, name: str) -> bool:
    """Return whether a name is `chart`, a chart field, or several fields."""
    return name == CHART or all(field in run.chart_fields for field in name.split(OVERLAY))


def refuse_unequal_fields(run: Trajectory, name: str) -> None:
    """Raise a ConfigError if the name has several fields that cannot be drawn over each other."""
    fields = name.split(OVERLAY)
    if len(fields) == 1:
        return
    for field in fields:
        if field not in run.chart_fields:
            hint = nearest(field, run.chart_fields) or f"; it has {', '.join(run.chart_fields) or 'none'}"
            raise ConfigError(f"{name}: the run has no chart field {field!r}{hint}")
    widths = {field: len(run.chart_fields[field]) for field in fields}
    if len({*widths.values()}) > 1 or len(fields) > len(BAR_COLORS):
        listed = ", ".join(f"{field} has {width}" for field, width in widths.items())
        raise ConfigError(
            f"{name}: expected at most {len(BAR_COLORS)} fields with equally many bits, to be drawn over each other: "
            f"{listed}; name them one by one"
        )


def bars(run: Trajectory, name: str) -> dict[str, Bars]:
    """Return, for each field, the time intervals of each row.

    Of more than MAX_CHART_ROWS charts, those with the least time share one row.
    """
    if name != CHART:
        return {field: run.chart_intervals(field) for field in name.split(OVERLAY)}
    intervals = run.chart_intervals()
    longest = sorted(intervals, key=lambda chart: -np.diff(intervals[chart]).sum())[:MAX_CHART_ROWS]
    kept = {chart: spans for chart, spans in intervals.items() if chart in longest}
    others = [spans for chart, spans in intervals.items() if chart not in kept]
    if others:
        kept[f"{len(others)} other charts"] = np.concatenate(others)
    return {CHART: kept}


def panel_height(run: Trajectory, name: str) -> float:
    """Return the height of a panel with these bars and its rotated name [inches]."""
    rows = next(iter(bars(run, name).values()))
    return max(PANEL_MARGIN + ROW_HEIGHT * len(rows), PANEL_MARGIN + LETTER_HEIGHT * len(name))


def draw_bars(panel: Any, run: Trajectory, name: str) -> None:
    """Draw a row for each chart or bit, from the top down, with the bars of further fields over those of the first."""
    drawn = bars(run, name)
    rows = [*next(iter(drawn.values()))]
    for color, height, field in zip(BAR_COLORS, BAR_HEIGHTS, drawn.values(), strict=False):
        for row, spans in enumerate(field.values()):
            widths = [(begin, end - begin) for begin, end in spans.tolist()]
            panel.broken_barh(widths, (row - 0.5 * height, height), facecolor=color, linewidth=0, zorder=2)
    panel.set_yticks(range(len(rows)), rows, fontsize="small")
    panel.set_ylim(len(rows) - 0.4, -0.6)
    panel.set_ylabel(name)
    panel.tick_params(axis="y", length=0)
    panel.spines[["top", "right"]].set_visible(False)


def bar_legend(names: Sequence[str]) -> list[Any]:
    """Return legend keys for the colours of fields that are drawn over each other."""
    keys = {
        field: Patch(color=BAR_COLORS[k], label=field)
        for name in names
        if OVERLAY in name
        for k, field in enumerate(name.split(OVERLAY))
    }
    return [*keys.values()]

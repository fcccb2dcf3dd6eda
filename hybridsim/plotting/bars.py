"""Bars over time: when a run was in each chart, or when each bit of a chart field was set, a gait diagram."""

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
OVER = "+"
"""Between two fields whose bars lie over each other: `stance+slip`."""
COLORS = ("#2f4b66", "#e6a04b", "#b5403a", "#7fb7a3")
"""Of the first field, and of those over it."""
HEIGHTS = (0.78, 0.4, 0.22, 0.12)
"""Of their bars, where the next row is 1 further down."""
ROW, LETTER, MARGIN = 0.21, 0.11, 0.3
"""Height of a row, of a letter of the name that stands upright, and around them [inches]."""
MOST_ROWS = 32
"""Of charts, those with the longest stays."""

Bars = dict[str, FloatArray]


def is_bars(run: Trajectory, name: str) -> bool:
    """Whether what is asked for is not a column, but `chart`, a chart field, or several fields."""
    return name == CHART or all(field in run.chart_fields for field in name.split(OVER))


def check_bars(run: Trajectory, name: str) -> None:
    """A ConfigError for several fields that cannot lie over each other."""
    fields = name.split(OVER)
    if len(fields) == 1:
        return
    for field in fields:
        if field not in run.chart_fields:
            hint = nearest(field, run.chart_fields) or f"; it has {', '.join(run.chart_fields) or 'none'}"
            raise ConfigError(f"{name}: the run has no chart field {field!r}{hint}")
    widths = {field: len(run.chart_fields[field]) for field in fields}
    if len({*widths.values()}) > 1 or len(fields) > len(COLORS):
        listed = ", ".join(f"{field} has {width}" for field, width in widths.items())
        raise ConfigError(
            f"{name}: expected at most {len(COLORS)} fields of as many bits each, to lie over each other: {listed}; "
            "name them one by one"
        )


def bars(run: Trajectory, name: str) -> dict[str, Bars]:
    """By field, what there is in each row; of charts, the ones with the longest stays."""
    if name != CHART:
        return {field: run.chart_intervals(field) for field in name.split(OVER)}
    stays = run.chart_intervals()
    longest = sorted(stays, key=lambda chart: -np.diff(stays[chart]).sum())[:MOST_ROWS]
    kept = {chart: spans for chart, spans in stays.items() if chart in longest}
    others = [spans for chart, spans in stays.items() if chart not in kept]
    if others:
        kept[f"{len(others)} other charts"] = np.concatenate(others)
    return {CHART: kept}


def height(run: Trajectory, name: str) -> float:
    """Of a panel with these bars, and with its name beside it [inches]."""
    rows = next(iter(bars(run, name).values()))
    return max(MARGIN + ROW * len(rows), MARGIN + LETTER * len(name))


def draw_bars(panel: Any, run: Trajectory, name: str) -> None:
    """A row for each chart or bit, from the top down; over the bars of the first field those of the others."""
    drawn = bars(run, name)
    rows = [*next(iter(drawn.values()))]
    for colour, high, field in zip(COLORS, HEIGHTS, drawn.values(), strict=False):
        for row, spans in enumerate(field.values()):
            widths = [(begin, end - begin) for begin, end in spans.tolist()]
            panel.broken_barh(widths, (row - 0.5 * high, high), facecolor=colour, linewidth=0, zorder=2)
    panel.set_yticks(range(len(rows)), rows, fontsize="small")
    panel.set_ylim(len(rows) - 0.4, -0.6)
    panel.set_ylabel(name)
    panel.tick_params(axis="y", length=0)
    panel.spines[["top", "right"]].set_visible(False)


def bar_legend(names: Sequence[str]) -> list[Any]:
    """What the colours of fields that lie over each other mean."""
    keys = {
        field: Patch(color=COLORS[place], label=field)
        for name in names
        if OVER in name
        for place, field in enumerate(name.split(OVER))
    }
    return [*keys.values()]

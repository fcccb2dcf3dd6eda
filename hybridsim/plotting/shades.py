"""Shades behind the curves of a run: its charts, and its slides, which are hatched."""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.results.colours import CHART_SHADES
from hybridsim.results.trajectory import Trajectory

OTHER_SHADE = "#ececec"
"""Shade of all charts and slides but those in which the run spends most time."""
HATCH, HATCH_COLOR = "////", "#ffffff"
"""Hatching of slides."""

Region = tuple[int, int]
"""A chart, and the second chart of a slide or -1."""


def chart_shades(run: Trajectory) -> dict[Region, str]:
    """Return the colours of the charts and slides in which the run spends most time, in the order of their numbers."""
    durations = time_in_charts(run)
    visible = sorted(sorted(durations, key=lambda region: -durations[region])[: len(CHART_SHADES)])
    in_one_chart = len(durations) <= 1 and not any(map(is_slide, durations))
    nameless = bool(run.chart_fields) and len(durations) > len(CHART_SHADES)
    return {} if in_one_chart or nameless else dict(zip(visible, CHART_SHADES, strict=False))


def time_in_charts(run: Trajectory) -> dict[Region, float]:
    """Return the time in each chart and slide [s], without those in which the run spends no time."""
    durations: dict[Region, float] = {}
    rows = zip(run.chart[:-1].tolist(), run.adjacent_chart[:-1].tolist(), np.diff(run.t).tolist(), strict=True)
    for chart, adjacent_chart, width in rows:
        if width > 0.0:
            region = chart, adjacent_chart
            durations[region] = durations.get(region, 0.0) + width
    return durations


def is_slide(region: Region) -> bool:
    return region[1] >= 0


def draw_charts(panel: Any, run: Trajectory, shades: dict[Region, str]) -> None:
    """Shade the charts and slides; all those of one look are a single collection, which is fast to draw."""
    if not shades:
        return
    starts = np.flatnonzero(np.append(True, (np.diff(run.chart) != 0) | (np.diff(run.adjacent_chart) != 0)))
    ends = np.append(starts[1:], len(run.t) - 1)
    regions = zip(run.chart[starts].tolist(), run.adjacent_chart[starts].tolist(), strict=True)
    intervals: dict[tuple[str, bool], list[tuple[float, float]]] = {}
    for region, left, right in zip(regions, run.t[starts].tolist(), run.t[ends].tolist(), strict=True):
        look = shades.get(region, OTHER_SHADE), is_slide(region)
        intervals.setdefault(look, []).append((left, right - left))
    for look, spans in intervals.items():
        panel.broken_barh(spans, (0, 1), transform=panel.get_xaxis_transform(), zorder=0, **shade_style(*look))


def shade_style(color: str, slides: bool) -> dict[str, Any]:
    return {"facecolor": color, "edgecolor": HATCH_COLOR, "linewidth": 0, "hatch": HATCH if slides else None}


def region_name(run: Trajectory, region: Region) -> str:
    """Return `chart`, or `chart|adjacent_chart` for a slide."""
    return "|".join(run.charts[chart] for chart in region if chart >= 0)

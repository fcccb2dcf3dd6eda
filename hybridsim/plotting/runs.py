"""A picture of a run: outputs against time, charts and slides as shades behind them, events as marks upon them.

Where there are many charts or kinds of events, as in models with bit fields, shades and marks would say nothing, and
are left out: bars (`bars`) tell when each bit was set.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from hybridsim.errors import ConfigError
from hybridsim.model import Records, nearest
from hybridsim.model.table import folded
from hybridsim.plotting.bars import CHART, OVER, bar_legend, check_bars, draw_bars, height, is_bars
from hybridsim.plotting.files import check_format, save_picture
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray

SHADES = ("#dbe9f6", "#fdebc8", "#dcefd9", "#f7d9d9", "#e6dff1", "#f3e1d3", "#d8efee", "#f0f0c8")
"""Of the charts and slides in which the run spends most of its time; the others share one grey."""
OTHER_SHADE = "#ececec"
HATCH, HATCH_COLOR = "////", "#ffffff"
"""On the shades of slides."""
MARKS = ("^", "v", "o", "s", "D", "P", "h", "p")
"""Of crossings, one for each boundary, hollow where declined; other kinds of events have marks of their own."""
KIND_MARKS = {"touch": "x", "entry": ">", "exit": "<", "zeno": "*"}
KIND_SIZES = {"x": 1.4, "*": 2.0}
"""How much larger marks are that are thin, or that many others crowd around."""
MARK_COLORS = ("#b2182b", "#1b7837", "#762a83", "#b35806", "#01665e", "#c51b7d", "#4d4d4d", "#8c510a")
LINE_COLOR = "#1f3b57"
DEFAULT_PANELS = 8
SMOOTH_POINTS = 2000
MANY_EVENTS = 100
MOST_MARKS = 16
"""Kinds of events; where there are more, none is marked."""
CURVE_HEIGHT, MARGIN = 1.35, 1.2
"""Of a panel with a curve, and of what is around all panels [inches]."""
MARK_SIZE, SMALL_MARK_SIZE = 5.0, 3.0
"""Of marks [points], the small one where there are many events."""
COMMON, PEAK = (5.0, 95.0), 1000.0
"""What varies by so much more than it does between these percentiles [%] is not drawn to its ends."""
SAME = 1e-12
"""An output that differs from a state by less than this part of it is that state; on slides outputs are averages."""
FLAT = 1e-6
"""What varies by less than this part of its size is drawn as constant, not blown up to rounding noise."""

Region = tuple[int, int]
"""A chart, and the second chart of a slide or -1."""


def plot_run(
    run: Trajectory,
    outputs: Sequence[str],
    path: str | os.PathLike[str],
    begin: float | None = None,
    end: float | None = None,
) -> None:
    """Draw one panel per name over one time axis and save the picture.

    Parameters
    ----------
    run :
        what to draw.
    outputs :
        names of outputs, states or inputs, which become curves; or what becomes bars: `chart`, the name of a chart
        field (`stance`), or several fields over each other (`stance+slip`). None means what the model wants to be
        drawn, else all outputs but `time`, or the first eight if there are more.
    path :
        the picture; its ending (.png, .pdf, .svg) decides the format.
    begin, end :
        the part of the run to draw [s]; all of it by default.

    Raises
    ------
    ConfigError : an unknown name or picture format, no time between begin and end, or the picture cannot be written.
    """
    path = Path(path)
    names = [*outputs] or _default_names(run)
    _check(run, names, path)
    left, right = _window(run, begin, end)
    heights = [height(run, name) if _has_bars(run, name) else CURVE_HEIGHT for name in names]
    figure = Figure(figsize=(10.0, MARGIN + sum(heights)), layout="constrained")
    panels = figure.subplots(len(names), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    shades, marks = _shades(run), _marks(run, left, right)
    for panel, name in zip(panels, names, strict=True):
        if _has_bars(run, name):
            draw_bars(panel, run, name)
            continue
        _draw_charts(panel, run, shades)
        t, values = _within(left, right, *_curve(run, name))
        panel.plot(t, values, color=LINE_COLOR, linewidth=1.3)
        _draw_events(panel, run, name, marks)
        _label(panel, run, name)
        _limit(panel, values)
        panel.grid(axis="y", color="white" if shades else "#dddddd", linewidth=0.8)
    figure.align_ylabels(panels)
    panels[-1].set_xlabel("time [s]")
    panels[-1].set_xlim(left, max(right, np.nextafter(left, np.inf)))
    figure.suptitle(f"{run.model_name}: {run.message or run.status}", fontsize="medium")
    keys = [*bar_legend([name for name in names if _has_bars(run, name)])]
    if not all(_has_bars(run, name) for name in names):
        keys += _legend(run, shades, marks)
    if keys:
        figure.legend(
            handles=keys, loc="outside lower center", ncols=min(len(keys), 6), frameon=False, fontsize="small"
        )
    save_picture(figure, path)


def _default_names(run: Trajectory) -> list[str]:
    """What the model wants to be drawn, as far as it was recorded; else the first outputs."""
    wanted = [name for name in run.plots if name in _columns(run) or is_bars(run, name)]
    return wanted or [name for name in run.outputs.names if name != "time"][:DEFAULT_PANELS]


def _columns(run: Trajectory) -> list[str]:
    return [*dict.fromkeys((*run.outputs.names, *run.states.names, *run.inputs.records.names))]


def _has_bars(run: Trajectory, name: str) -> bool:
    """A column goes before a field of its name."""
    return name not in _columns(run) and is_bars(run, name)


def _check(run: Trajectory, names: Sequence[str], path: Path) -> None:
    columns = _columns(run)
    for name in names:
        if name in columns:
            continue
        if OVER in name:
            check_bars(run, name)
        elif not is_bars(run, name):
            known = [*columns, *run.chart_fields, CHART]
            tables = {
                "the outputs": run.outputs.names,
                "the states": [state for state in run.states.names if state not in run.outputs.names],
                "the inputs": run.inputs.records.names,
                "as bars": (CHART, *run.chart_fields),
            }
            listed = "; ".join(f"{kind} {', '.join(folded(table))}" for kind, table in tables.items() if table)
            raise ConfigError(f"{name}: the run has nothing of this name{nearest(name, known)}; it has {listed}")
    check_format(path)


def _window(run: Trajectory, begin: float | None, end: float | None) -> tuple[float, float]:
    first, last = float(run.t[0]), float(run.t[-1])
    left, right = (first if begin is None else begin), (last if end is None else end)
    if not (left < right and left < last and right > first) and (begin, end) != (None, None):
        raise ConfigError(
            f"command line: --from, --to: expected a part of the run, which goes from {first:g} s to {last:g} s, "
            f"found {left:g} s to {right:g} s"
        )
    return left, right


def _within(left: float, right: float, t: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The points in the window, and one on either side of it: axes are scaled to what is seen."""
    inside = np.flatnonzero((t >= left) & (t <= right))
    if not inside.size:
        return t, values
    chosen = slice(max(int(inside[0]) - 1, 0), int(inside[-1]) + 2)
    return t[chosen], values[chosen]


def _curve(run: Trajectory, name: str) -> tuple[FloatArray, FloatArray]:
    """Times and values to join by lines, with a gap at every jump; a state also between its samples."""
    t, j, values = run.t, run.j, _values(run, name)
    if _is_state(run, name):
        between = np.linspace(t[0], t[-1], SMOOTH_POINTS)
        rows = np.searchsorted(t, between, side="right")
        t, j = np.insert(t, rows, between), np.insert(j, rows, j[rows - 1])
        values = np.insert(values, rows, run.at(between)[:, run.states.index(name)])
    jumps = np.flatnonzero(np.diff(j)) + 1
    return np.insert(t, jumps, np.nan), np.insert(values, jumps, np.nan)


def _is_state(run: Trajectory, name: str) -> bool:
    """Whether the column is that of a state, which is known between the rows too."""
    return name in run.states.names and np.allclose(_values(run, name), run[name], rtol=SAME, atol=0.0, equal_nan=True)


def _values(run: Trajectory, name: str) -> FloatArray:
    """The column of an output, or of a state or input that is no output."""
    return run.y[:, run.outputs.index(name)] if name in run.outputs.names else run[name]


def _shades(run: Trajectory) -> dict[Region, str]:
    """Chart or slide -> colour, for those with the longest stay, in the order of their numbers."""
    stay = _stay(run)
    visible = sorted(sorted(stay, key=lambda region: -stay[region])[: len(SHADES)])
    in_one_chart = len(stay) <= 1 and not any(map(_slides, stay))
    nameless = bool(run.chart_fields) and len(stay) > len(SHADES)
    return {} if in_one_chart or nameless else dict(zip(visible, SHADES, strict=False))


def _stay(run: Trajectory) -> dict[Region, float]:
    """How long [s] the run is in each chart and slide; those it only passes through at an instant are left out."""
    stay: dict[Region, float] = {}
    rows = zip(run.chart[:-1].tolist(), run.adjacent_chart[:-1].tolist(), np.diff(run.t).tolist(), strict=True)
    for chart, other, width in rows:
        if width > 0.0:
            stay[chart, other] = stay.get((chart, other), 0.0) + width
    return stay


def _slides(region: Region) -> bool:
    return region[1] >= 0


def _draw_charts(panel: Any, run: Trajectory, shades: dict[Region, str]) -> None:
    """Shade each stay in a chart or slide; one collection for all of one look, however many."""
    if not shades:
        return
    starts = np.flatnonzero(np.append(True, (np.diff(run.chart) != 0) | (np.diff(run.adjacent_chart) != 0)))
    ends = np.append(starts[1:], len(run.t) - 1)
    regions = zip(run.chart[starts].tolist(), run.adjacent_chart[starts].tolist(), strict=True)
    stays: dict[tuple[str, bool], list[tuple[float, float]]] = {}
    for region, left, right in zip(regions, run.t[starts].tolist(), run.t[ends].tolist(), strict=True):
        look = shades.get(region, OTHER_SHADE), _slides(region)
        stays.setdefault(look, []).append((left, right - left))
    for look, spans in stays.items():
        panel.broken_barh(spans, (0, 1), transform=panel.get_xaxis_transform(), zorder=0, **_look(*look))


def _look(color: str, slides: bool) -> dict[str, Any]:
    return {"facecolor": color, "edgecolor": HATCH_COLOR, "linewidth": 0, "hatch": HATCH if slides else None}


@dataclass(frozen=True, slots=True)
class Mark:
    """How some of the events are drawn: `events` is a mask over all of them, shape (m,)."""

    label: str
    mark: str
    color: str
    filled: bool
    events: NDArray[np.bool_]

    def style(self, size: float) -> dict[str, Any]:
        """Arguments of matplotlib; size [points]."""
        crowded = self.mark == KIND_MARKS["zeno"]
        return {
            "marker": self.mark,
            "markersize": size * KIND_SIZES.get(self.mark, 1.0),
            "color": self.color,
            "markerfacecolor": self.color if self.filled else "none",
            "markeredgecolor": "white" if crowded else self.color,
            "markeredgewidth": 0.5 if crowded else 1.0,
            "linestyle": "",
        }


def _marks(run: Trajectory, left: float = -np.inf, right: float = np.inf) -> list[Mark]:
    """One mark for each boundary and kind of event that there are from left to right [s]; none if they are too many."""
    hits = run.events.crossed.T & (run.events.t >= left) & (run.events.t <= right)
    crossed = [(name, hit) for name, hit in zip(run.boundaries, hits, strict=False) if hit.any()]
    marks = [mark for i, (name, hit) in enumerate(crossed) for mark in _marks_of(run, i, name, hit)]
    marks = [mark for mark in marks if mark.events.any()]
    return marks if len(marks) <= MOST_MARKS else []


def _marks_of(run: Trajectory, i: int, name: str, hit: NDArray[np.bool_]) -> list[Mark]:
    """All marks of the i-th boundary, in its colour; it takes part in the events `hit`."""
    kinds, declined = np.array(run.events.kind, dtype=str), run.events.declined
    mark, color = MARKS[i % len(MARKS)], MARK_COLORS[i % len(MARK_COLORS)]
    crossing = hit & (kinds == "crossing")
    return [
        Mark(name, mark, color, True, crossing & ~declined),
        Mark(f"{name}: declined", mark, color, False, crossing & declined),
        *(Mark(f"{name}: {kind}", own, color, True, hit & (kinds == kind)) for kind, own in KIND_MARKS.items()),
    ]


def _draw_events(panel: Any, run: Trajectory, name: str, marks: list[Mark]) -> None:
    t, values = run.events.t, _values_at_events(run, name)
    size = MARK_SIZE if sum(mark.events.sum() for mark in marks) <= MANY_EVENTS else SMALL_MARK_SIZE
    for mark in marks:
        # Not clipped: an event that ends the run is on the edge of the panel.
        panel.plot(t[mark.events], values[mark.events], zorder=3, clip_on=False, **mark.style(size))


def _values_at_events(run: Trajectory, name: str) -> FloatArray:
    """A column before each event, shape (m,): where it is no state and no row lies there, on the line that is drawn."""
    if _is_state(run, name):
        return run.events.x_before[:, run.states.index(name)]
    t, t_event, values = run.t, run.events.t, _values(run, name)
    first = np.searchsorted(run.j, run.events.j, side="left")
    last = np.searchsorted(run.j, run.events.j, side="right") - 1
    right = np.clip(np.searchsorted(t, t_event), first, last)
    left = np.maximum(right - 1, first)
    width = np.where(t[right] > t_event, t[right] - t[left], 1.0)
    share = np.where(t[right] > t_event, (t[right] - t_event) / width, 0.0)
    return np.where(share > 0.0, share * values[left] + (1.0 - share) * values[right], values[right])


def _limit(panel: Any, values: FloatArray) -> None:
    """Leave out a peak beside which nothing else could be seen, and say how far it goes: quotients have such."""
    known = values[np.isfinite(values)]
    if not known.size:
        return
    low, high = np.percentile(known, COMMON).tolist()
    lowest, highest, spread = float(known.min()), float(known.max()), high - low
    if not 0.0 < PEAK * spread < highest - lowest:
        return
    panel.set_ylim(max(lowest, low - spread), min(highest, high + spread))
    ends = [f"from {lowest:.3g}"] * (low - spread > lowest) + [f"up to {highest:.3g}"] * (high + spread < highest)
    panel.text(0.995, 0.93, " ".join(ends), transform=panel.transAxes, ha="right", va="top", fontsize="small")


def _label(panel: Any, run: Trajectory, name: str) -> None:
    tables: tuple[Records[Any], ...] = (run.outputs, run.states, run.inputs.records)
    unit = next(table[name].unit for table in tables if name in table.names)
    panel.set_ylabel(f"{name}\n[{unit}]" if unit else name)
    panel.margins(x=0.0, y=0.12)
    lower, upper = panel.get_ylim()
    spread = FLAT * max(abs(lower), abs(upper))
    if upper - lower < spread:
        panel.set_ylim(lower - spread, upper + spread)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _legend(run: Trajectory, shades: dict[Region, str], marks: list[Mark]) -> list[Any]:
    keys: list[Any] = [
        Patch(label=_name(run, region), **_look(color, _slides(region))) for region, color in shades.items()
    ]
    if shades and len(_stay(run)) > len(shades):
        keys.append(Patch(color=OTHER_SHADE, label="other charts"))
    return keys + [Line2D([], [], label=mark.label, **mark.style(MARK_SIZE)) for mark in marks]


def _name(run: Trajectory, region: Region) -> str:
    """`chart`, or `chart|other` for a slide."""
    return "|".join(run.charts[chart] for chart in region if chart >= 0)

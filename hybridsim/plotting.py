"""A picture of a run: outputs against time, charts as shades behind them, events as marks upon them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.output.files import replacing
from hybridsim.trajectory import Array, Integers, Trajectory

SHADES = ("#dbe9f6", "#fdebc8", "#dcefd9", "#f7d9d9", "#e6dff1", "#f3e1d3", "#d8efee", "#f0f0c8")
"""Of the charts in which the run spends most of its time; the others share one grey."""
OTHER_SHADE = "#ececec"
MARKS = ("^", "v", "o", "s", "D", "P", "X", "*")
MARK_COLORS = ("#b2182b", "#1b7837", "#762a83", "#b35806", "#01665e", "#c51b7d", "#4d4d4d", "#8c510a")
LINE_COLOR = "#1f3b57"
DEFAULT_PANELS = 8
SMOOTH_POINTS = 2000
MANY_EVENTS = 100
FLAT = 1e-6
"""What varies by less than this part of its size is drawn as constant, not blown up to rounding noise."""


def plot_run(run: Trajectory, outputs: Sequence[str], path: str | os.PathLike[str]) -> None:
    """Draw one panel per output over one time axis and save the picture.

    Parameters
    ----------
    run :
        what to draw.
    outputs :
        names of outputs or states; none means all outputs but `time`, or the first eight if there are more.
    path :
        the picture; its ending (.png, .pdf, .svg) decides the format.

    Raises
    ------
    ConfigError : an unknown output or picture format, or the picture cannot be written.
    """
    path = Path(path)
    names = [*outputs] or [name for name in run.outputs.names if name != "time"][:DEFAULT_PANELS]
    _check(run, names, path)
    figure = Figure(figsize=(10.0, 1.2 + 1.35 * len(names)), layout="constrained")
    panels = figure.subplots(len(names), sharex=True, squeeze=False)[:, 0]
    shades, marks = _shades(run), _marks(run)
    for panel, name in zip(panels, names, strict=True):
        _draw_charts(panel, run, shades)
        panel.plot(*_curve(run, name), color=LINE_COLOR, linewidth=1.3)
        _draw_events(panel, run, name, marks)
        _label(panel, run, name)
    figure.align_ylabels(panels)
    panels[-1].set_xlabel("time [s]")
    panels[-1].set_xlim(run.t[0], max(run.t[-1], np.nextafter(run.t[0], np.inf)))
    figure.suptitle(f"{run.model_name}: {run.message or run.status}", fontsize="medium")
    keys = _legend(run, shades, marks)
    figure.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 6), frameon=False, fontsize="small")
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:], dpi=150)


def _check(run: Trajectory, names: Sequence[str], path: Path) -> None:
    known = [*run.outputs.names, *(name for name in run.states.names if name not in run.outputs.names)]
    for name in names:
        if name not in known:
            raise ConfigError(f"{name}: the run has no such output{nearest(name, known)}; it has {', '.join(known)}")
    formats = Figure().canvas.get_supported_filetypes()
    if path.suffix[1:].lower() not in formats:
        raise ConfigError(f"{path}: no picture format ends in {path.suffix!r}; name it .png, .pdf or .svg")


def _curve(run: Trajectory, name: str) -> tuple[Array, Array]:
    """Times and values to join by lines, with a gap at every jump; a state also between its samples."""
    t, j, values = run.t, run.j, _values(run, name)
    if name in run.states.names and np.array_equal(values, run[name], equal_nan=True):
        between = np.linspace(t[0], t[-1], SMOOTH_POINTS)
        rows = np.searchsorted(t, between, side="right")
        t, j = np.insert(t, rows, between), np.insert(j, rows, j[rows - 1])
        values = np.insert(values, rows, run.at(between)[:, run.states.index(name)])
    jumps = np.flatnonzero(np.diff(j)) + 1
    return np.insert(t, jumps, np.nan), np.insert(values, jumps, np.nan)


def _values(run: Trajectory, name: str) -> Array:
    """The column of an output, or of a state that is no output."""
    return run.y[:, run.outputs.index(name)] if name in run.outputs.names else run[name]


def _shades(run: Trajectory) -> dict[int, str]:
    """Chart -> colour, for the charts with the longest stay, in the order of their numbers."""
    stay = dict.fromkeys(run.charts, 0.0)
    for chart, width in zip(run.chart[:-1].tolist(), np.diff(run.t).tolist(), strict=True):
        stay[chart] += width
    visible = sorted(sorted(stay, key=lambda chart: -stay[chart])[: len(SHADES)])
    return dict(zip(visible, SHADES, strict=False)) if len(run.charts) > 1 else {}


def _draw_charts(panel: Any, run: Trajectory, shades: dict[int, str]) -> None:
    """Shade each stay in a chart; one collection per colour, however many stays."""
    if not shades:
        return
    starts = np.flatnonzero(np.append(True, np.diff(run.chart) != 0))
    ends = np.append(starts[1:], len(run.t) - 1)
    colors = np.array([shades.get(chart, OTHER_SHADE) for chart in run.chart[starts].tolist()])
    for color in {*colors.tolist()}:
        chosen = colors == color
        left, right = run.t[starts[chosen]], run.t[ends[chosen]]
        spans = np.column_stack([left, right - left])
        panel.broken_barh(spans, (0, 1), transform=panel.get_xaxis_transform(), color=color, linewidth=0, zorder=0)


def _marks(run: Trajectory) -> dict[str, tuple[str, str]]:
    """Boundary that was crossed -> its mark and colour."""
    crossed = [name for name, hit in zip(run.boundaries, run.events.crossed.T, strict=True) if hit.any()]
    return {name: (MARKS[i % len(MARKS)], MARK_COLORS[i % len(MARK_COLORS)]) for i, name in enumerate(crossed)}


def _draw_events(panel: Any, run: Trajectory, name: str, marks: dict[str, tuple[str, str]]) -> None:
    rows = _rows_before(run)
    size = 5.0 if len(rows) <= MANY_EVENTS else 3.0
    for boundary, (mark, color) in marks.items():
        here = rows[run.events.crossed[:, run.boundaries.index(boundary)]]
        panel.plot(run.t[here], _values(run, name)[here], mark, color=color, markersize=size, zorder=3)


def _rows_before(run: Trajectory) -> Integers:
    """For each event the row just before it: the last one of its j, or the one at its time if it was declined."""
    jumped = np.searchsorted(run.j, run.events.j, side="right") - 1
    stayed = np.minimum(np.searchsorted(run.t, run.events.t), len(run.t) - 1)
    return np.where(run.events.declined, stayed, jumped)


def _label(panel: Any, run: Trajectory, name: str) -> None:
    unit = run.outputs[name].unit if name in run.outputs.names else run.states[name].unit
    panel.set_ylabel(f"{name}\n[{unit}]" if unit else name)
    panel.margins(x=0.0, y=0.12)
    lower, upper = panel.get_ylim()
    spread = FLAT * max(abs(lower), abs(upper))
    if upper - lower < spread:
        panel.set_ylim(lower - spread, upper + spread)
    panel.grid(axis="y", color="white" if len(run.charts) > 1 else "#dddddd", linewidth=0.8)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _legend(run: Trajectory, shades: dict[int, str], marks: dict[str, tuple[str, str]]) -> list[Any]:
    keys: list[Any] = [Patch(color=color, label=run.charts[chart]) for chart, color in shades.items()]
    if shades and len(run.charts) > len(shades):
        keys.append(Patch(color=OTHER_SHADE, label="other charts"))
    keys += [Line2D([], [], marker=m, color=c, linestyle="", label=name) for name, (m, c) in marks.items()]
    return keys

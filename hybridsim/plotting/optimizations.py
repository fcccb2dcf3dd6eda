"""Pictures of optimisations: convergence, every run as a point, and parallel coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
from matplotlib import colormaps
from matplotlib.collections import LineCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from numpy.typing import NDArray

from hybridsim.plotting.files import Canvas, PicturePath, open_canvas
from hybridsim.plotting.names import label, refuse_unknown
from hybridsim.plotting.panels import LINE_COLOR, clear
from hybridsim.plotting.scales import label_axis
from hybridsim.results.colours import BOUNDARY_COLOURS
from hybridsim.typing import FloatArray

PANEL_SIZE = (8.0, 2.6)
"""Size of a panel [inches]."""

QUARTILE_COLOR, SEARCH_COLOR = "#b9c9d8", "#8fa5b8"
"""Colours of the middle half of the settings, and of single searches."""

MAX_LINES = 2000
"""Most settings that parallel coordinates show: the best, and others drawn evenly from the rest."""


class Searched(Protocol):
    """What is drawn; see `hybridsim.optimisation.Optimization`."""

    @property
    def judged(self) -> pa.Table: ...
    @property
    def stages(self) -> tuple[str, ...]: ...

    def places(self) -> NDArray[Any]:
        """The place of each run among all, from 0 for the best to 1, (n,)."""
        ...


def plot_optimization(
    found: Searched, path: PicturePath = None, names: Sequence[str] = (), *, ax: Any = None
) -> Figure:
    """Draw an optimisation.

    Parameters
    ----------
    found : Optimization
        What it has found.
    path : str or path-like, optional
        The picture; its suffix decides the format.
    names : sequence of str
        Columns: none for the convergence, one over the generations, one over another, or parallel coordinates.
    ax : Axes, or sequence of Axes, optional
        Where to draw, of the convergence a panel for each stage; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If there is no such column, the format is unknown, or the picture cannot be written.
    """
    numbers = [field.name for field in found.judged.schema if not pa.types.is_string(field.type)]
    for name in names:
        refuse_unknown(f"there is no column of numbers {name!r}", name, numbers)
    if not names:
        n = len(found.stages)
        canvas = open_canvas(path, ax, (PANEL_SIZE[0], PANEL_SIZE[1] * n + 0.4), n, sharex=True)
        _convergence(canvas, found)
    elif len(names) <= 2:
        canvas = open_canvas(path, ax, (7.0, 5.0))
        _points(canvas, found, names[0], names[1] if len(names) == 2 else "")
    else:
        canvas = open_canvas(path, ax, (max(6.0, 1.6 * len(names)), 4.2))
        _parallel(canvas.panels[0], found, names)
    return canvas.finish()


def _numbers(found: Searched, name: str) -> FloatArray:
    """Return a column (n_settings,), nan where it has no number."""
    column = found.judged[name].to_pylist()
    return np.array([math.nan if number is None else number for number in column], float)


def _unit(found: Searched, name: str) -> str:
    unit: str = found.judged.schema.field(name).metadata[b"unit"].decode()
    return unit


def _convergence(canvas: Canvas, found: Searched) -> None:
    """Draw for each stage the best value of each search, and the middle half of all settings, over the generations."""
    generation, run = _numbers(found, "generation").astype(int), _numbers(found, "run").astype(int)
    stage, value, n = _numbers(found, "stage").astype(int), _numbers(found, "value"), len(found.stages)
    entered = {r: [_first(generation[(run == r) & (stage >= k + 1)]) for k in range(n)] for r in np.unique(run)}
    for k, panel in enumerate(canvas.panels):
        clear(panel)
        aim = found.stages[k].partition(" until ")
        panel.set_ylabel(aim[0].partition(" ")[2])
        panel.set_title(f"stage {k + 1}: {found.stages[k]}", fontsize="small", loc="left")
        here = (stage == k + 1) & np.isfinite(value)
        _draw_quartiles(panel, generation[here], value[here])
        best = np.minimum if aim[0].startswith("minimize") else np.maximum
        for r, ends in entered.items():
            _draw_search(panel, generation[here & (run == r)], value[here & (run == r)], best, ends[k])
        if not here.any():
            panel.text(0.5, 0.5, "no run was judged by it", transform=panel.transAxes, ha="center", color=SEARCH_COLOR)
    canvas.panels[-1].set_xlabel("generation")


def _first(generations: NDArray[Any]) -> int | None:
    return int(generations.min()) if len(generations) else None


def _draw_quartiles(panel: Any, generation: NDArray[Any], value: NDArray[Any]) -> None:
    numbers = np.unique(generation)
    if len(numbers) > 1:
        low, high = np.array([np.quantile(value[generation == g], (0.25, 0.75)) for g in numbers]).T
        panel.fill_between(numbers, low, high, color=QUARTILE_COLOR, linewidth=0, alpha=0.6)


def _draw_search(panel: Any, generation: NDArray[Any], value: NDArray[Any], best: Any, entered: int | None) -> None:
    """Draw the best value of one search so far; a mark where it first came to this stage."""
    if not len(generation):
        return
    numbers = np.unique(generation)
    each = np.array([best.reduce(value[generation == g]) for g in numbers])
    so_far = best.accumulate(each)
    panel.step(numbers, so_far, where="post", color=LINE_COLOR, linewidth=0.9)
    if entered:
        panel.plot(entered, so_far[0], "o", markersize=4.0, color=LINE_COLOR)


def _points(canvas: Canvas, found: Searched, name: str, over: str) -> None:
    """Draw every run as a point, the best ones darkest and in front."""
    (panel,) = canvas.panels
    clear(panel)
    x, y = _numbers(found, over or "generation"), _numbers(found, name)
    places = found.places()
    order = np.argsort(-places, kind="stable")
    points = panel.scatter(
        x[order], y[order], c=places[order], cmap="viridis", s=9.0, linewidths=0, norm=Normalize(0, 1), rasterized=True
    )
    best = order[-1]
    panel.plot(x[best], y[best], "o", markersize=9.0, markerfacecolor="none", markeredgecolor=BOUNDARY_COLOURS[0])
    for axis, column, values in ((panel.xaxis, over or "generation", x), (panel.yaxis, name, y)):
        label_axis(axis, column, _unit(found, column), values)
    canvas.figure.colorbar(points, ax=panel, label="place among all runs, 0 the best")


def _parallel(panel: Any, found: Searched, names: Sequence[str]) -> None:
    """Draw parallel coordinates: a line for each setting, each axis from its least value to its largest."""
    columns = np.array([_numbers(found, name) for name in names])
    places = found.places()
    order = np.argsort(-places, kind="stable")
    order = order[np.isfinite(columns[:, order]).all(axis=0)]
    shown = order if len(order) <= MAX_LINES else order[np.linspace(0, len(order) - 1, MAX_LINES).astype(int)]
    low, high = np.nanmin(columns, axis=1), np.nanmax(columns, axis=1)
    width = np.where(high > low, high - low, 1.0)
    at = np.arange(len(names))
    lines = [np.column_stack([at, (columns[:, row] - low) / width]) for row in shown]
    colours = colormaps["viridis"](places[shown])
    panel.add_collection(LineCollection(lines, colors=colours, linewidths=0.7, alpha=0.7))
    panel.set_xlim(-0.1, len(names) - 0.9)
    panel.set_ylim(-0.02, 1.02)
    panel.set_xticks(
        at,
        [f"{label(name, _unit(found, name))}\n{low[i]:.4g} ... {high[i]:.4g}" for i, name in enumerate(names)],
        fontsize="small",
    )
    panel.set_yticks([])
    for each in range(len(names)):
        panel.axvline(each, color="#cccccc", linewidth=0.8, zorder=0)
    panel.spines[["top", "right", "left", "bottom"]].set_visible(False)

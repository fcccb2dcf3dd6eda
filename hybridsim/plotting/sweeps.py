"""A picture of a sweep: curves over one axis, maps over two, points where the rows are samples."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.plotting.colours import Colouring, colouring, status_color
from hybridsim.plotting.files import check_format, save_picture
from hybridsim.plotting.scales import Scale, axis_scale, edges, metric_scale
from hybridsim.plotting.sections import Axis, Column, Section, quoted, section

if TYPE_CHECKING:
    from hybridsim.sweeps import SweepTable

MOST_PANELS = 8
"""Metrics that are drawn if none is named, and axes of samples that are drawn side by side."""
MARKED = 60
"""Points up to which a curve has markers."""
LINE_COLOR = "#1f3b57"
CURVE_COLORS = (
    "#1f3b57",
    "#b2182b",
    "#1b7837",
    "#b35806",
    "#762a83",
    "#01665e",
    "#c51b7d",
    "#4d4d4d",
    "#8c510a",
    "#2b8cbe",
)
WITHOUT_VALUE = "#dcdcdc"
"""Of cells whose run has no such value, an event that did not happen; those not computed yet are white."""
MANY = 20_000
"""From here on a vector picture holds the cells or points as an image."""


def plot_sweep(
    sweep: SweepTable,
    metrics: Sequence[str] = (),
    fixed: Mapping[str, str] | None = None,
    path: str | os.PathLike[str] = "sweep.png",
    *,
    across: str = "",
    planned: Mapping[str, Column] | None = None,
) -> tuple[str, ...]:
    """Draw one panel per metric and save the picture.

    Parameters
    ----------
    sweep :
        what `read_sweep` gives.
    metrics :
        names of metrics; none means all that are numbers, or the first eight if there are more.
    fixed :
        axis -> value; the nearest value that it has is taken. A number is in the unit of the model, in degrees where
        the axis was given so.
    path :
        the picture; its ending (.png, .pdf, .svg) decides the format.
    across :
        the axis along x; the last one, which varies fastest, if not given.
    planned :
        axis -> all values it is to have, so that what is not computed yet leaves room.

    Returns
    -------
    What to say of it: `at y = 1.02 m` for each axis that was fixed, and what there was no room for.

    Raises
    ------
    ConfigError : an unknown metric or axis, more than two axes that vary on a grid, an unknown picture format, or the
        picture cannot be written.
    """
    path = Path(path)
    check_format(path)
    drawn = section(sweep, metrics, fixed or {}, planned or {})
    names = [*drawn.metrics][: None if metrics else MOST_PANELS]
    figure = _figure(drawn, names, across)
    figure.suptitle(_title(sweep, drawn), fontsize="medium")
    save_picture(figure, path)
    left_out = ", ".join([*drawn.metrics][len(names) :])
    return (
        *(f"at {fixed}" for fixed in drawn.fixed),
        *([f"not drawn: {left_out}; name the metrics that you want to see"] if left_out else []),
    )


def _title(sweep: SweepTable, drawn: Section) -> str:
    done = sweep.table.num_rows
    runs = f"{done:,} runs" if done == sweep.n_rows else f"unfinished, {done:,} of {sweep.n_rows:,} runs"
    if drawn.fixed:
        count = len(next(iter(drawn.metrics.values())))
        runs += f"; {count:,} at {', '.join(drawn.fixed)}"
    return f"{sweep.model}: {runs}"


def _figure(drawn: Section, names: Sequence[str], across: str) -> Figure:
    """The kind of picture follows from what varies."""
    if not drawn.factors:
        remedy = "fix fewer axes" if drawn.fixed else "sweep over more than one value to have a picture"
        raise ConfigError(f"nothing varies here, so there is nothing to draw; {remedy}")
    if any(factor.samples for factor in drawn.factors):
        if len(drawn.axes) == 2:
            return _maps(drawn, names, _directions([(axis,) for axis in drawn.axes], across), _draw_points)
        if across:
            raise ConfigError("command line: -x: samples are drawn over each of their axes; leave it out")
        return _points(drawn, names)
    leading = [factor.axes[0] for factor in drawn.factors]
    if len(leading) == 1:
        return _curves(drawn, names, _along(across, drawn.axes), None)
    if len(leading) > 2:
        raise ConfigError(_too_many(drawn))
    words = [axis for axis in leading if axis.words and len(axis.values) <= len(CURVE_COLORS)]
    numbers = [axis for axis in leading if not axis.words]
    if len(words) == len(numbers) == 1 and not any(_is_words(drawn.metrics[name]) for name in names):
        factor = drawn.factors[leading.index(numbers[0])]
        return _curves(drawn, names, _along(across, factor.axes), words[0])
    return _maps(drawn, names, _directions([factor.axes for factor in drawn.factors], across), _draw_cells)


def _too_many(drawn: Section) -> str:
    leading = [factor.axes[0] for factor in drawn.factors]
    described = ", ".join(f"{axis.name} ({len(axis.values):,} values)" for axis in leading)
    spare = leading[: len(leading) - 2]
    examples = " ".join(f"{axis.name}={quoted(axis.values[len(axis.values) // 2], '')}" for axis in spare)
    return (
        f"{len(leading)} axes vary: {described}; expected at most two; "
        f"fix others at the value nearest to one you give, for example {examples}"
    )


def _is_words(values: Column) -> bool:
    return values.dtype.kind not in "fi"


def _curves(drawn: Section, names: Sequence[str], along: Axis, each: Axis | None) -> Figure:
    """One panel per metric over one axis; one curve for each value of another."""
    heights = [1.0 if _is_words(drawn.metrics[name]) else 2.2 for name in names]
    figure = Figure(figsize=(8.0, 1.6 + sum(heights)), layout="constrained")
    panels = figure.subplots(len(names), sharex=True, squeeze=False, height_ratios=heights)[:, 0]
    scale = axis_scale(along)
    x = scale.values[along.places]
    for panel, name in zip(panels, names, strict=True):
        values = drawn.metrics[name]
        if _is_words(values):
            _draw_words(panel, x, values, name)
        else:
            y = metric_scale(name, drawn.units[name], values)
            for rows, style in _each(each, len(x)):
                _draw_curve(
                    panel, x[rows], y.values[rows], style if not scale.words else {**style, "linestyle": "none"}
                )
            y.on(panel.yaxis)
        _clear(panel)
    scale.on(panels[-1].xaxis)
    figure.align_ylabels(panels)
    if each is not None:
        keys = panels[0].get_legend_handles_labels()
        figure.legend(*keys, loc="outside lower center", ncols=min(len(keys[0]), 6), frameon=False, fontsize="small")
    return figure


def _clear(panel: Any) -> None:
    panel.grid(color="#e4e4e4", linewidth=0.8)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _each(each: Axis | None, rows: int) -> list[tuple[Any, dict[str, Any]]]:
    """The rows of each curve, and how it is drawn."""
    if each is None:
        return [(np.ones(rows, bool), {"color": LINE_COLOR})]
    return [(each.places == i, {"color": CURVE_COLORS[i], "label": word}) for i, word in enumerate(each.values)]


def _draw_curve(panel: Any, x: Column, y: Column, style: Mapping[str, Any]) -> None:
    order = np.argsort(x, kind="stable")
    marker = {"marker": "o", "markersize": 4.0} if len(x) <= MARKED or "linestyle" in style else {}
    panel.plot(x[order], y[order], linewidth=1.3, **marker, **style)


def _draw_words(panel: Any, x: Column, words: Column, name: str) -> None:
    """Statuses: a row of marks for each."""
    names = np.unique(words).tolist()
    for place, word in enumerate(names):
        here = x[words == word]
        panel.plot(here, np.full(len(here), place), "o", markersize=4.0, color=status_color(word))
    panel.set_yticks(range(len(names)), names, fontsize="small")
    panel.set_ylim(-0.6, len(names) - 0.4)
    panel.set_ylabel(name)


def _maps(drawn: Section, names: Sequence[str], axes: tuple[Axis, Axis], draw: Any) -> Figure:
    """One panel per metric over two axes, along x and along y, drawn as cells or as points."""
    along, upward = axes
    n_columns = min(len(names), 2 if len(names) == 4 else 3)
    n_rows = -(-len(names) // n_columns)
    figure = Figure(figsize=(0.8 + 5.2 * n_columns, 0.5 + 4.4 * n_rows), layout="constrained")
    panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
    x, y = axis_scale(along), axis_scale(upward)
    for panel, name in zip(panels, names, strict=False):
        colours = colouring(name, drawn.units[name], drawn.metrics[name])
        draw(panel, (x, along.places), (y, upward.places), colours)
        x.on(panel.xaxis)
        y.on(panel.yaxis)
        colours.explain(figure, panel)
    for panel in np.delete(panels, np.s_[::n_columns]):
        panel.set_ylabel("")
    for panel in panels[len(names) :]:
        panel.set_visible(False)
    return figure


def _directions(groups: Sequence[Sequence[Axis]], across: str) -> tuple[Axis, Axis]:
    """The axes of a map along x and along y, one out of each group of those that vary together."""
    first, last = ([axis for axis in group if len(axis.values) == len(group[0].values)] for group in groups)
    along = _along(across, [*last, *first])
    return along, (first if along in last else last)[0]


def _along(across: str, choices: Sequence[Axis]) -> Axis:
    """The axis along x: that of `-x`, or the first of the choices.

    Raises
    ------
    ConfigError : it is none of the choices.
    """
    for axis in choices:
        if across in ("", axis.name, axis.key):
            return axis
    names = [axis.name for axis in choices]
    raise ConfigError(
        f"command line: -x {across}: cannot be along x here{nearest(across, names)}; choose {' or '.join(names)}"
    )


Direction = tuple[Scale, Any]
"""How an axis is drawn, and where among its values each row is, shape (rows,)."""


def _draw_cells(panel: Any, x: Direction, y: Direction, colours: Colouring) -> None:
    """A cell for each row; grey where the run has no such value, white where there is no run yet."""
    (across, column), (upward, row) = x, y
    shape = len(upward.values), len(across.values)
    cells, finished = np.full(shape, np.nan), np.zeros(shape, bool)
    cells[row, column], finished[row, column] = colours.values, True
    sides = edges(across.values, across.log), edges(upward.values, upward.log)
    rasterized = cells.size > MANY
    empty = finished & np.isnan(cells)
    if empty.any():
        grey = ListedColormap([WITHOUT_VALUE])
        panel.pcolormesh(*sides, np.ma.masked_where(~empty, empty), cmap=grey, rasterized=rasterized)
    shown = np.ma.masked_invalid(cells)
    panel.pcolormesh(*sides, shown, cmap=colours.cmap, norm=colours.norm, rasterized=rasterized)


def _draw_points(panel: Any, x: Direction, y: Direction, colours: Colouring) -> None:
    """A point for each row, the lowest values first, so that none hides among many."""
    (across, column), (upward, row) = x, y
    order = np.argsort(colours.values, kind="stable")
    panel.scatter(
        across.values[column][order],
        upward.values[row][order],
        c=colours.values[order],
        cmap=colours.cmap,
        norm=colours.norm,
        plotnonfinite=True,
        **_dots(len(order)),
    )
    _clear(panel)


def _dots(count: int) -> dict[str, Any]:
    """Smaller where there are more."""
    return {"s": float(np.clip(2e4 / count, 1.0, 24.0)), "linewidths": 0.0, "rasterized": count > MANY}


def _points(drawn: Section, names: Sequence[str]) -> Figure:
    """Samples of more than two axes: each metric over each axis."""
    axes = drawn.axes[:MOST_PANELS]
    figure = Figure(figsize=(1.0 + 2.6 * len(axes), 0.9 + 2.2 * len(names)), layout="constrained")
    grid = figure.subplots(len(names), len(axes), sharex="col", sharey="row", squeeze=False)
    for panels, name in zip(grid, names, strict=True):
        for panel, axis in zip(panels, axes, strict=True):
            scale = axis_scale(axis)
            x = scale.values[axis.places]
            if _is_words(drawn.metrics[name]):
                _draw_words(panel, x, drawn.metrics[name], name)
            else:
                y = metric_scale(name, drawn.units[name], drawn.metrics[name])
                panel.scatter(x, y.values, color=LINE_COLOR, **_dots(len(x)))
                y.on(panel.yaxis)
            scale.on(panel.xaxis)
            _clear(panel)
            panel.label_outer()
    figure.align_labels()
    return figure

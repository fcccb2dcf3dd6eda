"""A picture of a sweep: curves over one axis, maps over two, points where the rows are samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.plotting.colours import Colouring, colouring
from hybridsim.plotting.files import Canvas, PicturePath, open_canvas
from hybridsim.plotting.panels import (
    LINE_COLOR,
    MAX_VECTOR_ITEMS,
    Direction,
    clear,
    draw_curve,
    draw_diagram,
    draw_points,
    draw_words,
)
from hybridsim.plotting.scales import axis_scale, edges, linear_scale, metric_scale
from hybridsim.plotting.sections import Column, SectionAxis, SweepSection, is_words, numeric_metrics, quote, section
from hybridsim.results.colours import BOUNDARY_COLOURS

if TYPE_CHECKING:
    from hybridsim.sweeps import SweepTable

MAX_PANELS = 8
"""Metrics drawn by default, and axes of samples that are drawn side by side."""

MAX_STATUSES_NAMED = 3
"""Most ways to fail that a title names."""

DIAGRAM_HEIGHT = 4.4
"""Height of a panel with values at events [inches]."""

CURVE_COLORS = (BOUNDARY_COLOURS[1], BOUNDARY_COLOURS[0], *BOUNDARY_COLOURS[2:])
"""Colours of curves in one panel."""
Make = Callable[..., Canvas]
Drawn = tuple[Canvas, Sequence[Any]]

NO_VALUE_COLOUR = "#dcdcdc"
"""Colour of cells whose run has no value, as if an event did not happen; cells that are not computed are white."""


def plot_sweep(
    sweep: SweepTable,
    metrics: Sequence[str] = (),
    fixed: Mapping[str, str] | None = None,
    path: PicturePath = None,
    *,
    across: str = "",
    planned: Mapping[str, Column] | None = None,
    ax: Any = None,
) -> Figure:
    """Draw one panel per metric; of samples of more than two axes, one per metric and axis.

    Parameters
    ----------
    sweep : SweepTable
        The sweep, as returned by `load_sweep`.
    metrics : sequence of str
        Names of metrics; by default those at the last events, which are drawn as points, or else all numeric ones, but
        at most eight.
    fixed : mapping of str to str, optional
        Values of axes to fix; the nearest value of the axis is taken. A number is in the unit of the model, in degrees
        if the sweep specifies the axis in degrees.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    across : str
        The axis along x; by default the last one, which varies fastest.
    planned : mapping of str to array, optional
        All values of an axis, to leave room for rows that are not finished.
    ax : Axes, or sequence of Axes, optional
        Where to draw, row by row; by default a new figure.

    Returns
    -------
    Figure
        The figure; its `notes` are `at y = 1.02 m` for each fixed axis, and the metrics that are not drawn.

    Raises
    ------
    ConfigError
        If a metric, an axis or the picture format is unknown, more than two axes of a grid vary, or the picture cannot
        be written.
    """
    drawn, notes = drawable(sweep, metrics, fixed or {}, planned or {})
    names = drawn.names[: None if metrics else MAX_PANELS]
    canvas, keys = _draw(partial(open_canvas, path, ax), drawn, names, across)
    left_out = ", ".join(drawn.names[len(names) :])
    canvas.figure.notes = (
        *(f"at {fixed}" for fixed in drawn.fixed),
        *([f"not drawn: {left_out}; name the metrics that you want to see"] if left_out else []),
        *notes,
    )
    return canvas.finish(_title(sweep, drawn), keys)


def drawable(
    sweep: SweepTable, metrics: Sequence[str], fixed: Mapping[str, str], planned: Mapping[str, Column]
) -> tuple[SweepSection, list[str]]:
    """Return what can be drawn, and a note about the rest: values at events are drawn over one axis.

    If nothing else was asked for, they stay, to be refused. For the arguments see `section`.
    """
    drawn = section(sweep, metrics, fixed, planned)
    samples = any(factor.samples for factor in drawn.factors)
    others = [name for name in metrics or numeric_metrics(sweep) if name not in drawn.events]
    if not drawn.events or not others or (len(drawn.factors) < 2 and not samples):
        return drawn, []
    why = "values at events are drawn over one axis, not over samples" if samples else _too_many(drawn, 1)
    return section(sweep, others, fixed, planned), [f"not drawn: {', '.join(drawn.events)}: {why}"]


def _title(sweep: SweepTable, drawn: SweepSection) -> str:
    done = sweep.table.num_rows
    runs = f"{done:,} runs" if done == sweep.n_rows else f"unfinished, {done:,} of {sweep.n_rows:,} runs"
    if drawn.fixed:
        count = len(drawn.failures)
        runs += f"; {count:,} at {', '.join(drawn.fixed)}"
    return f"{sweep.model}: {runs}{_failures(drawn)}"


def _failures(drawn: SweepSection) -> str:
    """Return how many of the runs have failed, the most frequent statuses first."""
    counts = Counter(drawn.failures[drawn.failed].tolist()).most_common()
    if not counts:
        return ""
    named = ", ".join(f"{count:,} {status}" for status, count in counts[:MAX_STATUSES_NAMED])
    others = sum(count for _, count in counts[MAX_STATUSES_NAMED:])
    return f"\nmarked, as they ended early: {named}" + (f", {others:,} in other ways" if others else "")


def _draw(make: Make, drawn: SweepSection, names: Sequence[str], across: str) -> Drawn:
    """Choose the kind of picture by what varies, and draw it; returns the canvas and the keys of a legend."""
    if not drawn.factors:
        remedy = "fix fewer axes" if drawn.fixed else "sweep over more than one value to have a picture"
        raise ConfigError(f"nothing varies here, so there is nothing to draw; {remedy}")
    if any(factor.samples for factor in drawn.factors):
        _refuse_events(drawn, names)
        if len(drawn.axes) == 2:
            return _maps(make, drawn, names, _directions([(axis,) for axis in drawn.axes], across), draw_points)
        if across:
            raise ConfigError("command line: -x: samples are drawn over each of their axes; leave it out")
        return _points(make, drawn, names)
    leading = [factor.axes[0] for factor in drawn.factors]
    if len(leading) == 1:
        return _curves(make, drawn, names, _along(across, drawn.axes), None)
    if len(leading) > 2 or any(name in drawn.events for name in names):
        raise ConfigError(_too_many(drawn, 2 - any(name in drawn.events for name in names)))
    words = [axis for axis in leading if axis.words and len(axis.values) <= len(CURVE_COLORS)]
    numbers = [axis for axis in leading if not axis.words]
    if len(words) == len(numbers) == 1 and not any(is_words(drawn.metrics[name]) for name in names):
        factor = drawn.factors[leading.index(numbers[0])]
        return _curves(make, drawn, names, _along(across, factor.axes), words[0])
    return _maps(make, drawn, names, _directions([factor.axes for factor in drawn.factors], across), _draw_cells)


def _too_many(drawn: SweepSection, most: int) -> str:
    leading = [factor.axes[0] for factor in drawn.factors]
    described = ", ".join(f"{axis.name} ({len(axis.values):,} values)" for axis in leading)
    expected = "at most two" if most == 2 else "one for values at events"
    spare = leading[: len(leading) - most]
    examples = " ".join(f"{axis.name}={quote(axis.values[len(axis.values) // 2], '')}" for axis in spare)
    return (
        f"{len(leading)} axes vary: {described}; expected {expected}; "
        f"fix others at the value nearest to one you give, for example {examples}"
    )


def _refuse_events(drawn: SweepSection, names: Sequence[str]) -> None:
    """Refuse values at events where samples are drawn."""
    at_events = [name for name in names if name in drawn.events]
    if at_events:
        raise ConfigError(f"{at_events[0]}: values at events are drawn over one axis, not over samples; fix other axes")


def _curves(
    make: Make, drawn: SweepSection, names: Sequence[str], along: SectionAxis, each: SectionAxis | None
) -> Drawn:
    """Draw one panel per metric over one axis, with one curve for each value of another."""
    heights = [DIAGRAM_HEIGHT if name in drawn.events else _height(drawn.metrics[name]) for name in names]
    canvas = make((8.0, 1.6 + sum(heights)), len(names), sharex=True, height_ratios=heights)
    scale = axis_scale(along)
    x = scale.values[along.indices]
    for panel, name in zip(canvas.panels, names, strict=True):
        values = drawn.events[name].values if name in drawn.events else drawn.metrics[name]
        if name in drawn.events:
            y = linear_scale(name, drawn.units[name], values)
            draw_diagram(panel, x, y.values, drawn.events[name].rows, drawn.failed)
            y.apply_to(panel.yaxis)
        elif is_words(values):
            draw_words(panel, x, values, name)
        else:
            y = metric_scale(name, drawn.units[name], values)
            for rows, style in _each(each, len(x)):
                only_marks = {"linestyle": "none"} if scale.words else {}
                draw_curve(panel, x[rows], y.values[rows], drawn.failed[rows], {**style, **only_marks})
            y.apply_to(panel.yaxis)
        clear(panel)
    scale.apply_to(canvas.panels[-1].xaxis)
    canvas.figure.align_ylabels(canvas.panels)
    return canvas, () if each is None else canvas.panels[0].get_legend_handles_labels()[0]


def _height(values: Column) -> float:
    return 1.0 if is_words(values) else 2.2


def _each(each: SectionAxis | None, rows: int) -> list[tuple[Any, dict[str, Any]]]:
    """Return the rows of each curve, and its style."""
    if each is None:
        return [(np.ones(rows, bool), {"color": LINE_COLOR})]
    return [(each.indices == i, {"color": CURVE_COLORS[i], "label": word}) for i, word in enumerate(each.values)]


def _maps(
    make: Make, drawn: SweepSection, names: Sequence[str], axes: tuple[SectionAxis, SectionAxis], draw: Any
) -> Drawn:
    """Draw one panel per metric over two axes, as cells or as points."""
    along, upward = axes
    n_columns = min(len(names), 2 if len(names) == 4 else 3)
    n_rows = -(-len(names) // n_columns)
    canvas = make((0.8 + 5.2 * n_columns, 0.5 + 4.4 * n_rows), len(names), ncols=n_columns)
    x, y = axis_scale(along), axis_scale(upward)
    for number, (panel, name) in enumerate(zip(canvas.panels, names, strict=True)):
        colours = colouring(name, drawn.units[name], drawn.metrics[name])
        draw(panel, (x, along.indices), (y, upward.indices), colours, drawn.failed)
        x.apply_to(panel.xaxis)
        y.apply_to(panel.yaxis)
        colours.explain(canvas.figure, panel)
        if canvas.own and number % n_columns:
            panel.set_ylabel("")
    return canvas, ()


def _directions(groups: Sequence[Sequence[SectionAxis]], across: str) -> tuple[SectionAxis, SectionAxis]:
    """Return the axes drawn along x and y, one from each group of axes that vary together.

    `across` names the one along x, "" for the default.
    """
    first, last = ([axis for axis in group if len(axis.values) == len(group[0].values)] for group in groups)
    along = _along(across, [*last, *first])
    return along, (first if along in last else last)[0]


def _along(across: str, choices: Sequence[SectionAxis]) -> SectionAxis:
    """Return the axis along x: the one given with `-x`, or the first choice; raise a ConfigError if it is no choice."""
    for axis in choices:
        if across in ("", axis.name, axis.key):
            return axis
    names = [axis.name for axis in choices]
    raise ConfigError(
        f"command line: -x {across}: cannot be along x here{nearest(across, names)}; choose {' or '.join(names)}"
    )


def _draw_cells(panel: Any, x: Direction, y: Direction, colours: Colouring, failed: Column) -> None:
    """Draw a cell for each row; grey if its run has no value, white if there is no run yet, a dot if it has failed."""
    (across, column), (upward, row) = x, y
    shape = len(upward.values), len(across.values)
    cells, finished = np.full(shape, np.nan), np.zeros(shape, bool)
    cells[row, column], finished[row, column] = colours.values, True
    sides = edges(across.values, across.log), edges(upward.values, upward.log)
    rasterized = cells.size > MAX_VECTOR_ITEMS
    empty = finished & np.isnan(cells)
    if empty.any():
        grey = ListedColormap([NO_VALUE_COLOUR])
        panel.pcolormesh(*sides, np.ma.masked_where(~empty, empty), cmap=grey, rasterized=rasterized)
    shown = np.ma.masked_invalid(cells)
    panel.pcolormesh(*sides, shown, cmap=colours.cmap, norm=colours.norm, rasterized=rasterized)
    if failed.any() and not colours.words:  # a map of statuses shows them itself
        size = float(np.clip(120.0 / max(shape), 0.4, 5.0))
        dots = {"color": "black", "markeredgecolor": "white", "markeredgewidth": 0.2 * size, "rasterized": rasterized}
        panel.plot(across.values[column[failed]], upward.values[row[failed]], "o", markersize=size, **dots)


def _points(make: Make, drawn: SweepSection, names: Sequence[str]) -> Drawn:
    """Draw samples of more than two axes: each metric over each axis."""
    axes = drawn.axes[:MAX_PANELS]
    size, shared = (1.0 + 2.6 * len(axes), 0.9 + 2.2 * len(names)), {"sharex": "col", "sharey": "row"}
    canvas = make(size, len(names) * len(axes), ncols=len(axes), **shared)
    for panels, name in zip(np.reshape(canvas.panels, (len(names), -1)), names, strict=True):
        for panel, axis in zip(panels, axes, strict=True):
            scale = axis_scale(axis)
            x = scale.values[axis.indices]
            if is_words(drawn.metrics[name]):
                draw_words(panel, x, drawn.metrics[name], name)
            else:
                y = metric_scale(name, drawn.units[name], drawn.metrics[name])
                draw_diagram(panel, x, y.values, np.arange(len(x)), drawn.failed)
                y.apply_to(panel.yaxis)
            scale.apply_to(panel.xaxis)
            clear(panel)
            panel.label_outer()
    canvas.figure.align_labels()
    return canvas, ()

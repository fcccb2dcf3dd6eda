"""What a panel shows: a curve with jumps, or of a sweep a curve, a row of words, points over one axis or over two."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from hybridsim.plotting.colours import Colouring, status_color
from hybridsim.plotting.scales import Scale
from hybridsim.plotting.sections import Column
from hybridsim.results.colours import CURVE_COLOURS

MAX_MARKED_POINTS = 60
"""Most points of a curve that are marked."""

LINE_COLOR = "#1f3b57"
"""Colour of a single curve, and of points."""

JUMP_STYLE: Mapping[str, Any] = {"linewidth": 0.6, "alpha": 0.7, "zorder": 1.9}
"""Thin lines at jumps, and where `record.events` has left jumps out."""

MAX_VECTOR_ITEMS = 20_000
"""Most cells or points that a vector picture contains as such; more become an image."""

Direction = tuple[Scale, Any]
"""How an axis is drawn, and the index of each row's value, (n_rows,)."""


def clear(panel: Any) -> None:
    """Draw a grid instead of a frame."""
    panel.grid(color="#e4e4e4", linewidth=0.8)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def styles_of(n: int) -> list[dict[str, Any]]:
    """Return how the curves of n runs are drawn."""
    if n == 1:
        return [{"color": LINE_COLOR}]
    dashes = [dash for dash in ("-", "--", "-.", ":") for _ in CURVE_COLOURS]
    return [
        {"color": color, "linestyle": dash} for color, dash, _ in zip(cycle(CURVE_COLOURS), cycle(dashes), range(n))
    ]


def keys_of(names: Iterable[str]) -> list[Any]:
    """Return the keys of several runs in a legend."""
    names = [*names]
    return [Line2D([], [], label=name, **style) for name, style in zip(names, styles_of(len(names)), strict=True)]


def draw_flow(panel: Any, columns: Sequence[Any], j: Any, style: Mapping[str, Any], jumps: Mapping[str, Any]) -> None:
    """Draw a curve, (n,) coordinates, along the flow, and thin lines at jumps, where its numbers j, (n,), change."""
    moved = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    after = np.flatnonzero(moved & (np.diff(j) != 0)) + 1
    panel.plot(*(np.insert(column, after, np.nan) for column in columns), **style)
    if len(after):
        both = np.stack([after - 1, after, after], axis=1)
        ends = [np.where([False, False, True], np.nan, column[both]).ravel() for column in columns]
        panel.plot(*ends, **{"color": style["color"], **JUMP_STYLE, **jumps})


def draw_curve(panel: Any, x: Column, y: Column, failed: Column, style: Mapping[str, Any]) -> None:
    """Draw a curve through the runs; those that have failed are hollow marks beside it."""
    order = np.argsort(x, kind="stable")
    marker = {"marker": "o", "markersize": 4.0} if len(x) <= MAX_MARKED_POINTS or "linestyle" in style else {}
    panel.plot(x[order], np.where(failed, np.nan, y)[order], linewidth=1.3, **marker, **style)
    if failed.any():
        panel.plot(x[failed], y[failed], "o", markersize=4.0, markerfacecolor="none", markeredgecolor=style["color"])
        mark_lost(panel, x[failed & np.isnan(y)], style["color"])


def mark_lost(panel: Any, x: Column, colour: str = LINE_COLOR) -> None:
    """Mark runs that have failed and have no value at the lower edge."""
    edge = panel.get_xaxis_transform()
    if len(x):
        panel.plot(x, np.full(len(x), 0.02), "x", markersize=4.0, color=colour, transform=edge, clip_on=False)


def draw_words(panel: Any, x: Column, words: Column, name: str) -> None:
    """Draw a row of marks for each status."""
    names = np.unique(words).tolist()
    for place, word in enumerate(names):
        here = x[words == word]
        panel.plot(here, np.full(len(here), place), "o", markersize=4.0, color=status_color(word))
    panel.set_yticks(range(len(names)), names, fontsize="small")
    panel.set_ylim(-0.6, len(names) - 0.4)
    panel.set_ylabel(name)


def draw_diagram(panel: Any, x: Column, y: Column, rows: Column, failed: Column) -> None:
    """Draw points over the values of their runs, as in a bifurcation diagram; a ring if the run has failed.

    `rows` (n_points,) are the numbers of the points' runs; x (n_runs,) and y (n_points,) their coordinates.
    """
    dots, hollow = dots_of(len(y)), failed[rows]
    panel.scatter(x[rows][~hollow], y[~hollow], color=LINE_COLOR, **dots)
    if hollow.any():
        rings = {**dots, "facecolors": "none", "edgecolors": LINE_COLOR, "linewidths": 0.8}
        panel.scatter(x[rows][hollow], y[hollow], **rings)
    known = np.isin(np.arange(len(x)), rows[~np.isnan(y)])
    mark_lost(panel, x[failed & ~known])


def draw_points(panel: Any, x: Direction, y: Direction, colours: Colouring, failed: Column) -> None:
    """Draw a point for each row, the lowest values first, so that high ones stay visible; a ring if it has failed."""
    (across, column), (upward, row) = x, y
    order, dots = np.argsort(colours.values, kind="stable"), dots_of(len(colours.values))
    order = order[~failed[order]]
    points, coloured = (across.values[column], upward.values[row]), {"cmap": colours.cmap, "norm": colours.norm}
    panel.scatter(*(v[order] for v in points), c=colours.values[order], plotnonfinite=True, **coloured, **dots)
    rings = colours.cmap(colours.norm(colours.values[failed]))
    rings[np.isnan(colours.values[failed].astype(float))] = to_rgba(LINE_COLOR)
    panel.scatter(*(v[failed] for v in points), facecolors="none", edgecolors=rings, **{**dots, "linewidths": 0.8})
    clear(panel)


def dots_of(count: int) -> dict[str, Any]:
    """Return the style of points, which are smaller if there are more of them."""
    return {"s": float(np.clip(2e4 / count, 1.0, 24.0)), "linewidths": 0.0, "rasterized": count > MAX_VECTOR_ITEMS}

"""Pictures of networks: small ones as nodes and arrows, large ones as a matrix of who is connected with whom."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Rectangle

from hybridsim.networks import NetworkModel
from hybridsim.plotting.files import PicturePath, open_canvas
from hybridsim.plotting.panels import LINE_COLOR
from hybridsim.plotting.sweeps import CURVE_COLORS
from hybridsim.typing import FloatArray

MOST_NODES, MOST_ARROWS = 80, 1500
"""Beyond so many nodes or edges a network is drawn as a matrix."""

LARGEST_DOT = 350.0
"""Size of a dot [points], times the number of nodes."""

MOST_DOTS = 200_000
"""Most edges that are drawn in a matrix; of more, some."""

SIZE = (6.4, 5.2)
"""Size of the picture [inches]."""


def plot_network(model: NetworkModel, path: PicturePath = None, *, ax: Any = None) -> Figure:
    """Draw the nodes and edges of a network.

    A population alone is a circle; several are rows. The colours of arrows tell the types of edges.

    Parameters
    ----------
    model : NetworkModel
        The network.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    ax : Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If the picture cannot be written.
    """
    canvas = open_canvas(path, ax, SIZE)
    (axes,) = canvas.panels
    kinds = list(dict.fromkeys(group.edge.name for group in model.groups))
    colours = {kind: CURVE_COLORS[k % len(CURVE_COLORS)] for k, kind in enumerate(kinds)}
    n_nodes, n_edges = sum(each.n for each in model.populations), sum(each.pattern.n_edges for each in model.groups)
    if n_nodes > MOST_NODES or n_edges > MOST_ARROWS:
        _draw_matrix(axes, model, colours)
    else:
        _draw_graph(axes, model, colours)
    lines = [Line2D([], [], color=colour, marker=".", label=kind) for kind, colour in colours.items()]
    return canvas.finish(f"{model.name}: {n_nodes:,} nodes, {n_edges:,} edges", lines)


def _places(model: NetworkModel) -> dict[str, FloatArray]:
    """Return where the nodes of each population are drawn, (n, 2)."""
    if len(model.populations) == 1:
        (only,) = model.populations
        angles = 0.5 * np.pi - 2.0 * np.pi * np.arange(only.n) / only.n
        return {only.name: np.column_stack([np.cos(angles), np.sin(angles)]) * (only.n > 1)}
    longest = max(each.n for each in model.populations)
    found = {}
    for row, each in enumerate(model.populations):
        x = (np.arange(each.n) + 0.5) * longest / each.n
        found[each.name] = np.column_stack([x, np.full(each.n, -0.4 * longest * row)])
    return found


def _draw_graph(axes: Axes, model: NetworkModel, colours: Mapping[str, str]) -> None:
    places = _places(model)
    for group in model.groups:
        pattern, is_inner = group.pattern.listed, group.source is group.target
        for source, target in zip(pattern.sources, pattern.targets, strict=True):
            begin, end = places[group.source.name][source], places[group.target.name][target]
            bend = 0.25 if is_inner else 0.08
            arrow = FancyArrowPatch(
                (begin[0], begin[1]),
                (end[0], end[1]),
                arrowstyle="-|>",
                mutation_scale=9,
                shrinkA=9,
                shrinkB=9,
                connectionstyle=f"arc3,rad={bend}",
                color=colours[group.edge.name],
                linewidth=0.9,
                alpha=0.8,
            )
            axes.add_patch(arrow)
    for each in model.populations:
        x, y = places[each.name].T
        axes.scatter(x, y, s=210, facecolor="white", edgecolor=LINE_COLOR, zorder=3)
        for i in range(each.n):
            axes.annotate(str(i) if each.n > 1 else "", (x[i], y[i]), ha="center", va="center", fontsize=7, zorder=4)
        if len(places) > 1:
            axes.annotate(each.name, (0.0, y[0]), xytext=(-6, 0), textcoords="offset points", ha="right", va="center")
    axes.set_aspect("equal")
    axes.margins(0.12)
    axes.axis("off")


def _draw_matrix(axes: Axes, model: NetworkModel, colours: Mapping[str, str]) -> None:
    ends = np.cumsum([0, *(each.n for each in model.populations)])
    size = max(0.4, LARGEST_DOT / ends[-1])
    first = {each.name: int(begin) for each, begin in zip(model.populations, ends[:-1], strict=True)}
    for group in model.groups:
        pattern, colour = group.pattern, colours[group.edge.name]
        corner = first[group.source.name], first[group.target.name]
        if pattern.complete is not None:
            axes.add_patch(Rectangle(corner, group.source.n, group.target.n, color=colour, alpha=0.5, linewidth=0))
            continue
        shown = slice(None, None, max(1, len(pattern.sources) // MOST_DOTS))
        x, y = pattern.sources[shown] + corner[0], pattern.targets[shown] + corner[1]
        axes.plot(x, y, "s", markersize=size, markeredgewidth=0, color=colour, rasterized=True)
    for end in ends[1:-1]:
        axes.axhline(end - 0.5, color=LINE_COLOR, linewidth=0.5)
        axes.axvline(end - 0.5, color=LINE_COLOR, linewidth=0.5)
    middles, names = [(a + b) / 2 for a, b in pairwise(ends)], [each.name for each in model.populations]
    axes.set_xticks(middles, names)
    axes.set_yticks(middles, names)
    axes.set_xlim(-0.5, ends[-1] - 0.5)
    axes.set_ylim(ends[-1] - 0.5, -0.5)
    axes.set_xlabel("from")
    axes.set_ylabel("to")

"""Pictures of branches of orbits: states over the parameter, with stability and bifurcations."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hybridsim.errors import ConfigError
from hybridsim.plotting.files import PicturePath, open_canvas
from hybridsim.plotting.marks import RELATIVE_MARK_SIZES
from hybridsim.plotting.names import refuse_unknown
from hybridsim.plotting.panels import LINE_COLOR
from hybridsim.plotting.scales import label_axis
from hybridsim.plotting.sweeps import CURVE_COLORS
from hybridsim.results.branches import BranchRecord
from hybridsim.results.colours import BOUNDARY_COLOURS
from hybridsim.typing import FloatArray

KIND_STYLES: Mapping[str, tuple[str, str]] = {
    "fold": ("s", BOUNDARY_COLOURS[0]),
    "flip": ("o", BOUNDARY_COLOURS[2]),
    "torus": ("D", BOUNDARY_COLOURS[4]),
    "branch": ("^", BOUNDARY_COLOURS[3]),
    "grazing": ("X", BOUNDARY_COLOURS[7]),
    "hopf": ("*", BOUNDARY_COLOURS[1]),
    "boundary": ("X", BOUNDARY_COLOURS[7]),
}
"""Kinds of bifurcations -> their marks and colours."""

LINE_STYLES: Sequence[tuple[float, Any, str]] = (
    (1.2, (0, (1, 1.5)), "not decided"),
    (1.0, (0, (4, 2)), "unstable"),
    (1.7, "-", "stable"),
)
"""The widths, dashes and names of lines: where stability is not decided, unstable, and stable."""

VARIATION, LEAST_VARIATION = 1e-9, 1e-11
"""Parts of a state's size, and of its unit, below which a change along a branch is rounding."""

NOISE_OF_ZERO = 1e-14
"""Values of a state that are zero but for rounding, which no axis magnifies."""

BIRTH = 0.005
"""Part of the range of the parameter within which a curve begins where it is born."""

VIRTUAL_ALPHA = 0.35
"""How faint equilibria outside their chart are."""

BRANCH_SIZE = (6.4, 4.6)
"""Size of a picture with one panel [inches]."""


def plot_branch(
    record: BranchRecord,
    names: Sequence[str] = (),
    path: PicturePath = None,
    begin: float | None = None,
    end: float | None = None,
    *,
    ax: Any = None,
) -> Figure:
    """Draw columns of a branch against its parameter: solid where stable, dashed where not, with the bifurcations.

    Of orbits of several strides, the states where all strides begin are drawn: a cascade of doubled periods. Each
    bifurcation is marked at all of them. Equilibria outside their chart are faint.

    Parameters
    ----------
    record : BranchRecord
        The branch.
    names : sequence of str
        States, `period`, or other columns; by default the first state that varies along the branch.
    path : str or path, optional
        The picture; its suffix (.png, .pdf, .svg) decides the format.
    begin, end : float, optional
        The part to draw [unit of the parameter]; by default all of it.
    ax : Axes, or sequence of Axes, optional
        Where to draw, a panel for each name; by default a new figure.

    Returns
    -------
    Figure
        The figure.

    Raises
    ------
    ConfigError
        If a name or the picture format is unknown, there is no orbit between begin and end, or the picture cannot be
        written.
    """
    families = _families(record)
    record = _within(record, begin, end)
    names = [*names] or [_first_that_varies(record)]
    known = [*record.states, *(name for name in record.points if name not in record.states)]
    for name in names:
        refuse_unknown(f"{name}: the branch has no column of this name", name, known)
    width, height = BRANCH_SIZE
    size = width, 1.0 + (height - 1.0) * (1.0 + 0.6 * (len(names) - 1))
    canvas = open_canvas(path, ax, size, len(names), sharex=True)
    for panel, name in zip(canvas.panels, names, strict=True):
        _draw_branch(panel, record, name, {curve: colour for curve, (colour, _) in families.items()})
    parameter = record.parameter
    label_axis(canvas.panels[-1].xaxis, parameter, record.units.get(parameter, ""), record.points[parameter])
    keys = _branch_keys(record, families)
    return canvas.finish(f"{record.model_name}: {record.what} by {parameter}", keys)


def _first_that_varies(record: BranchRecord) -> str:
    """Return the first state that is not the same on the whole branch but for rounding, as that of a section is."""

    def varies(values: FloatArray) -> bool:
        return bool(np.ptp(values) > VARIATION * np.abs(values).max() + LEAST_VARIATION)

    return next((name for name in record.states if varies(record.points[name])), record.states[0])


def _families(record: BranchRecord) -> dict[int, tuple[str, str]]:
    """Return the colours and labels of the curves; the two that leave one orbit, up and down, are one family."""
    numbers, first = np.unique(record.points["curve"], return_index=True)
    starts = [tuple(float(record.points[name][row]) for name in (record.parameter, *record.states)) for row in first]
    labels = dict(zip(starts, (_family_name(record, row) for row in first), strict=True))
    if len({*labels.values()}) < len(labels):
        labels = {start: f"{name}, from {start[0]:.5g}" for start, name in labels.items()}
    colours = {start: CURVE_COLORS[i % len(CURVE_COLORS)] for i, start in enumerate(labels)}
    return {int(number): (colours[start], labels[start]) for number, start in zip(numbers, starts, strict=True)}


def _family_name(record: BranchRecord, row: int) -> str:
    strides = int(record.points["strides"][row])
    return f"{strides} stride{'s' * (strides > 1)}" if record.what == "orbits" else record.what


def _within(record: BranchRecord, begin: float | None, end: float | None) -> BranchRecord:
    """Return the part of a branch between two values of its parameter."""
    left, right = -np.inf if begin is None else begin, np.inf if end is None else end

    def inside(values: FloatArray) -> Any:
        return (values >= left) & (values <= right)

    some = inside(record.points[record.parameter])
    if not some.any():
        raise ConfigError(f"command line: --from, --to: the branch has no orbit with {record.parameter} in this range")
    found = inside(record.bifurcations["value"])
    return dataclasses.replace(
        record,
        points={name: column[some] for name, column in record.points.items()},
        multipliers=record.multipliers[some],
        visits=record.visits[some],
        bifurcations={name: column[found] for name, column in record.bifurcations.items()},
    )


def _draw_branch(panel: Any, record: BranchRecord, name: str, colours: dict[int, str]) -> None:
    values, curves, stable = (record.points[key] for key in (record.parameter, "curve", "stable"))
    inside = record.points.get("admissible", np.ones(len(values), bool))
    for curve in np.unique(curves):
        rows = np.flatnonzero(curves == curve)
        colour = colours[int(curve)]
        for line in _lines_of(record, name, rows):
            for part, code in _runs(stable[rows]):
                width, style, _ = LINE_STYLES[code]
                for admissible in (False, True):
                    chosen = inside[rows][part] == admissible
                    shown = np.where(chosen | np.append(False, chosen[:-1]), line[part], np.nan)  # and up to the next
                    look = {"linewidth": width, "linestyle": style, "alpha": None if admissible else VIRTUAL_ALPHA}
                    if np.isfinite(shown).any():
                        panel.plot(values[rows][part], shown, color=colour, **look)
    found = record.bifurcations
    for i, (kind, word) in enumerate(zip(found["kind"], found["type"], strict=True)):
        mark, marked = _mark(kind, word == "subcritical", 6.0), _values_at(record, name, i)
        panel.plot(np.full(len(marked), found["value"][i]), marked, zorder=4, linestyle="", **mark)
    label_axis(
        panel.yaxis, name, record.units.get(name, ""), np.concatenate([line.get_ydata() for line in panel.lines])
    )
    low, high = panel.get_ylim()
    if high - low <= VARIATION * max(-low, high) + NOISE_OF_ZERO:
        middle = 0.5 * (low + high)
        half = 0.1 * abs(middle) if abs(middle) > NOISE_OF_ZERO else 1.0
        panel.set_ylim(middle - half, middle + half)
    panel.margins(x=0.01)
    panel.grid(color="#e3e3e3", linewidth=0.7)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _lines_of(record: BranchRecord, name: str, rows: Any) -> list[FloatArray]:
    """Return what is drawn for one curve: of a state, one line for each stride of its orbits."""
    if name not in record.states:
        return [np.asarray(record.points[name][rows], float)]
    strides = int(record.points["strides"][rows[0]])
    return [record.visits[rows, stride, record.states.index(name)] for stride in range(strides)]


def _runs(stable: Any) -> list[tuple[slice, int]]:
    """Return the parts of a curve with one stability each, as a number of LINE_STYLES.

    Between two points the curve is stable if one of them is, and not decided if that is so at both.
    """
    codes = np.ma.filled(1 + np.ma.asarray(stable).astype(int), 0)
    if len(codes) < 2:
        return [(slice(0, len(codes)), int(codes.max(initial=0)))]
    between = np.maximum(codes[:-1], codes[1:])
    edges = [0, *(np.flatnonzero(np.diff(between)) + 1).tolist(), len(between)]
    return [(slice(begin, end + 1), int(between[begin])) for begin, end in pairwise(edges)]


def _values_at(record: BranchRecord, name: str, index: int) -> FloatArray:
    """Return the values of a column at a bifurcation (n,): at each stride of its orbit; on curves born there, too."""
    found, points = record.bifurcations, record.points
    value, values = found["value"][index], points[record.parameter]
    rows = np.flatnonzero(points["curve"] == found["curve"][index])
    row = rows[np.argmin(np.abs(values[rows] - value))]
    if name in record.states:
        place = record.states.index(name)
        here = np.isclose(values[row], value, rtol=1e-9, atol=0.0)
        visits: FloatArray = record.visits[row, : points["strides"][row], place]
        return visits if here else np.array([found["x"][index, place]])
    doubled = found["kind"][index] == "flip"
    first = np.unique(points["curve"], return_index=True)[1]
    born = first[(points["strides"][first] == 2 * points["strides"][row]) & (first > row)] if doubled else first[:0]
    born = born[np.abs(values[born] - value) <= BIRTH * np.ptp(values)]
    return np.real(points[name][[row, *born]]).astype(float)


def _branch_keys(record: BranchRecord, families: Mapping[int, tuple[str, str]]) -> list[Any]:
    undecided = np.ma.getmaskarray(record.points["stable"])
    styles = LINE_STYLES if (undecided[:-1] & undecided[1:]).any() else LINE_STYLES[1:]  # one alone is a bifurcation
    drawn = {families[int(curve)]: None for curve in np.unique(record.points["curve"])}
    keys = [Line2D([], [], color=colour, label=name) for colour, name in drawn] if len(drawn) > 1 else []
    keys += [Line2D([], [], color=LINE_COLOR, linewidth=w, linestyle=s, label=word) for w, s, word in styles[::-1]]
    if not np.all(record.points.get("admissible", True)):
        keys.append(Line2D([], [], color=LINE_COLOR, alpha=VIRTUAL_ALPHA, label="outside the chart"))
    found = zip(record.bifurcations["kind"].tolist(), record.bifurcations["type"].tolist(), strict=True)
    kinds = sorted({(kind, word == "subcritical") for kind, word in found})
    return keys + [
        Line2D([], [], label="subcritical " * subcritical + kind, linestyle="", **_mark(kind, subcritical, 7.0))
        for kind, subcritical in kinds
    ]


def _mark(kind: str, subcritical: bool, size: float) -> dict[str, Any]:
    """Return how a bifurcation is marked: hollow if what is born there is unstable."""
    mark, colour = KIND_STYLES[kind]
    face, edge = ("white", colour) if subcritical else (colour, "white")
    size *= RELATIVE_MARK_SIZES.get(mark, 1.0)
    return {"marker": mark, "markerfacecolor": face, "markeredgecolor": edge, "markersize": size}

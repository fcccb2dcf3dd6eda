"""Pictures of periodic motions: multipliers, phase portraits, return maps.

They take what files hold, a recorded run or the record of a branch, and need no model.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from hybridsim.errors import ConfigError
from hybridsim.plotting.files import picture_path, save_picture
from hybridsim.plotting.names import label, refuse_unknown
from hybridsim.plotting.panels import LINE_COLOR
from hybridsim.plotting.sweeps import CURVE_COLORS
from hybridsim.results.branches import BranchRecord
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray

SQUARE_SIZE = (5.6, 5.2)
"""Size of a picture [inches]."""

N_CURVE_POINTS = 400
"""Points of a curve between two events, where the run can be evaluated between its rows."""


def plot_multipliers(data: Trajectory | BranchRecord, path: str | os.PathLike[str]) -> None:
    """Draw the multipliers of an orbit, or of all orbits of a branch, in the complex plane with the unit circle.

    Parameters
    ----------
    data : Trajectory or BranchRecord
        The run of an orbit's file, or the record of a branch, whose multipliers have the colour of the parameter.
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.

    Raises
    ------
    ConfigError
        If the run is no orbit, the picture format is unknown, or the picture cannot be written.
    """
    path = picture_path(path)
    figure = Figure(figsize=SQUARE_SIZE, layout="constrained")
    panel = figure.subplots()
    angle = np.linspace(0.0, 2.0 * np.pi, 400)
    panel.fill(np.cos(angle), np.sin(angle), color="#eef3f7", zorder=0)
    panel.plot(np.cos(angle), np.sin(angle), color="#7d8a97", linewidth=1.0, zorder=1)
    panel.axhline(0.0, color="#cccccc", linewidth=0.7, zorder=0)
    panel.axvline(0.0, color="#cccccc", linewidth=0.7, zorder=0)
    if isinstance(data, BranchRecord):
        _draw_multipliers_of_branch(figure, panel, data)
    else:
        values = np.asarray(_orbit_of(data)["multipliers"])
        inside = np.abs(values) < 1.0
        for some, colour in ((inside, LINE_COLOR), (~inside, "#b2182b")):
            panel.plot(values[some].real, values[some].imag, "o", color=colour, markersize=7, zorder=3)
        panel.set_title(f"{data.model_name}: multipliers", fontsize="medium")
    panel.set_aspect("equal", adjustable="datalim")
    panel.set_xlabel("real part")
    panel.set_ylabel("imaginary part")
    panel.spines[["top", "right"]].set_visible(False)
    save_picture(figure, path)


def _draw_multipliers_of_branch(figure: Any, panel: Any, record: BranchRecord) -> None:
    values = record.points[record.parameter]
    first = record.points["curve"] == record.points["curve"].min()
    colours = ScalarMappable(Normalize(values[first].min(), values[first].max()), "viridis")
    found = record.multipliers[first].T
    shown = {"c": np.tile(values[first], len(found)), "norm": colours.norm, "cmap": colours.cmap}
    panel.scatter(found.ravel().real, found.ravel().imag, s=16, zorder=3, linewidths=0, **shown)
    bar = figure.colorbar(colours, ax=panel, pad=0.02, aspect=26)
    bar.set_label(label(record.parameter, record.units.get(record.parameter, "")))
    panel.set_title(f"{record.model_name}: multipliers of the first curve", fontsize="medium")


def plot_phase(run: Trajectory, names: Sequence[str], path: str | os.PathLike[str]) -> None:
    """Draw one state over another, coloured by chart; jumps are thin lines.

    Parameters
    ----------
    run : Trajectory
        The run, of an orbit for instance.
    names : sequence of str
        Two states; by default the first and its rate, or the first two.
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.

    Raises
    ------
    ConfigError
        If there are not two states of these names, the picture format is unknown, or the picture cannot be written.
    """
    path = picture_path(path)
    x, y = (_state_index(run, name) for name in _two_states(run, names))
    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    panel = figure.subplots()
    charts = list(dict.fromkeys(run.chart.tolist()))
    starts = np.append(np.flatnonzero(np.diff(run.j, prepend=-1)), len(run.t))
    for begin, end in pairwise(starts.tolist()):
        states = _between(run, begin, end - 1)
        colour = CURVE_COLORS[charts.index(int(run.chart[begin])) % len(CURVE_COLORS)]
        panel.plot(states[:, x], states[:, y], color=colour, linewidth=1.6)
        if end < len(run.t):
            jump = run.x[[end - 1, end]]
            panel.plot(jump[:, x], jump[:, y], color="#9a9a9a", linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
    panel.plot(run.x[0, x], run.x[0, y], "o", color="black", markersize=5, zorder=4)
    keys: list[Any] = [
        Line2D([], [], color=CURVE_COLORS[i % len(CURVE_COLORS)], label=run.charts[chart])
        for i, chart in enumerate(charts)
    ]
    keys.append(Line2D([], [], color="#9a9a9a", linestyle=(0, (2, 2)), label="jump"))
    keys.append(Line2D([], [], color="black", marker="o", markersize=5, linestyle="", label="start"))
    figure.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 5), frameon=False, fontsize="small")
    for index, set_label in ((x, panel.set_xlabel), (y, panel.set_ylabel)):
        state = run.states[run.states.names[index]]
        set_label(label(state.name, state.unit))
    panel.set_title(f"{run.model_name}: {run.states.names[y]} over {run.states.names[x]}", fontsize="medium")
    panel.spines[["top", "right"]].set_visible(False)
    save_picture(figure, path)


def _between(run: Trajectory, first: int, last: int) -> FloatArray:
    """Return the states from one row to another of the same epoch, densely."""
    begin, end = float(run.t[first]), float(run.t[last])
    if end <= begin:
        return run.x[first : last + 1]
    times = np.linspace(begin, end, N_CURVE_POINTS)[1:-1]
    return np.vstack([run.x[first], run.at(times), run.x[last]])


def _two_states(run: Trajectory, names: Sequence[str]) -> tuple[str, str]:
    states = run.states.names
    if len(names) == 2:
        return names[0], names[1]
    if names or len(states) < 2:
        raise ConfigError(f"phase: expected two states, found {len(names)}; choose among {', '.join(states)}")
    rates = [name for name in states[1:] if states[0] in (name.replace("dot", ""), name[1:])]
    return states[0], (rates or [states[1]])[0]


def _state_index(run: Trajectory, name: str) -> int:
    refuse_unknown(f"{name}: the run has no state of this name", name, run.states.names)
    return run.states.names.index(name)


def plot_return_map(
    run: Trajectory,
    name: str,
    boundary: str,
    path: str | os.PathLike[str],
) -> None:
    """Draw the values of a state after the events of a boundary, each over the one before, with the cobweb.

    Parameters
    ----------
    run : Trajectory
        The run, of many strides.
    name : str
        The state.
    boundary : str
        The boundary.
    path : str or path
        The picture; its suffix (.png, .pdf, .svg) decides the format.

    Raises
    ------
    ConfigError
        If a name or the picture format is unknown, there are fewer than three events, or the picture cannot be written.
    """
    path = picture_path(path)
    index = _state_index(run, name)
    refuse_unknown(f"{boundary}: the run has no boundary of this name", boundary, run.boundaries)
    hits = run.events.crossed[:, run.boundaries.index(boundary)] & ~run.events.declined
    values = run.events.x_after[hits, index]
    if len(values) < 3:
        raise ConfigError(
            f"return map: expected three events of {boundary} at least, found {len(values)}; make a longer run, "
            "for example hybridsim run ORBIT.h5 strides=50"
        )
    figure = Figure(figsize=SQUARE_SIZE, layout="constrained")
    panel = figure.subplots()
    margin = 0.06 * (np.ptp(values) or abs(values[0]) or 1.0)
    low, high = values.min() - margin, values.max() + margin
    panel.plot([low, high], [low, high], color="#9a9a9a", linewidth=0.9, zorder=1)
    x = np.repeat(values, 2)
    panel.plot(x[:-1], x[1:], color=LINE_COLOR, linewidth=0.6, alpha=0.6, zorder=2)
    panel.plot(values[:-1], values[1:], "o", color=LINE_COLOR, markersize=4, zorder=3)
    panel.set_xlim(low, high)
    panel.set_ylim(low, high)
    panel.set_aspect("equal")
    panel.set_xlabel(label(f"{name} after {boundary} n", run.states[name].unit))
    panel.set_ylabel(label(f"{name} after {boundary} n + 1", run.states[name].unit))
    panel.set_title(f"{run.model_name}: {len(values)} strides", fontsize="medium")
    panel.spines[["top", "right"]].set_visible(False)
    save_picture(figure, path)


def _orbit_of(run: Trajectory) -> Mapping[str, Any]:
    if "orbit" not in run.provenance:
        raise ConfigError("multipliers: this is a run, not an orbit; give a file that `hybridsim orbit find` wrote")
    orbit: Mapping[str, Any] = run.provenance["orbit"]
    return orbit

"""Pictures of periodic motions: multipliers, phase portraits, return maps.

They take what files hold, a recorded run or the record of a branch, and need no model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from hybridsim.errors import ConfigError
from hybridsim.plotting.columns import Runs, runs_by_name
from hybridsim.plotting.files import PicturePath, open_canvas
from hybridsim.plotting.names import label, refuse_unknown
from hybridsim.plotting.panels import LINE_COLOR
from hybridsim.plotting.portraits import NAME_SEPARATOR, plot_portraits
from hybridsim.plotting.scales import label_axis
from hybridsim.results.branches import BranchRecord
from hybridsim.results.colours import BOUNDARY_COLOURS
from hybridsim.results.trajectory import Trajectory

SQUARE_SIZE = (5.6, 5.2)
"""Size of a picture [inches]."""


def plot_multipliers(data: Trajectory | BranchRecord, path: PicturePath = None, *, ax: Any = None) -> Figure:
    """Draw the multipliers of an orbit, or of all orbits of a branch, in the complex plane with the unit circle.

    Parameters
    ----------
    data : Trajectory or BranchRecord
        The run of an orbit's file, or the record of a branch, whose multipliers have the colour of the parameter.
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
        If the run is no orbit, the picture format is unknown, or the picture cannot be written.
    """
    orbit = None if isinstance(data, BranchRecord) else _orbit_of(data)
    canvas = open_canvas(path, ax, SQUARE_SIZE)
    (panel,), what = canvas.panels, "multipliers"
    angle = np.linspace(0.0, 2.0 * np.pi, 400)
    panel.fill(np.cos(angle), np.sin(angle), color="#eef3f7", zorder=0)
    panel.plot(np.cos(angle), np.sin(angle), color="#7d8a97", linewidth=1.0, zorder=1)
    panel.axhline(0.0, color="#cccccc", linewidth=0.7, zorder=0)
    panel.axvline(0.0, color="#cccccc", linewidth=0.7, zorder=0)
    if isinstance(data, BranchRecord):
        _draw_multipliers_of_branch(canvas.figure, panel, data)
        what = "multipliers of the first curve"
    elif orbit is not None:
        values = np.asarray(orbit["multipliers"])
        inside = np.abs(values) < 1.0
        for some, colour, mark in ((inside, LINE_COLOR, "o"), (~inside, BOUNDARY_COLOURS[0], "D")):
            panel.plot(values[some].real, values[some].imag, mark, color=colour, markersize=7, zorder=3)
    panel.set_aspect("equal", adjustable="datalim")
    panel.set_xlabel("real part")
    panel.set_ylabel("imaginary part")
    panel.spines[["top", "right"]].set_visible(False)
    return canvas.finish(f"{data.model_name}: {what}")


def _draw_multipliers_of_branch(figure: Any, panel: Any, record: BranchRecord) -> None:
    values = record.points[record.parameter]
    first = record.points["curve"] == record.points["curve"].min()
    colours = ScalarMappable(Normalize(values[first].min(), values[first].max()), "viridis")
    found = record.multipliers[first].T
    shown = {"c": np.tile(values[first], len(found)), "norm": colours.norm, "cmap": colours.cmap}
    panel.scatter(found.ravel().real, found.ravel().imag, s=16, zorder=3, linewidths=0, **shown)
    bar = figure.colorbar(colours, ax=panel, pad=0.02, aspect=26)
    bar.set_label(label(record.parameter, record.units.get(record.parameter, "")))


def plot_phase(run: Runs, names: Sequence[str] = (), path: PicturePath = None, *, ax: Any = None) -> Figure:
    """Draw one quantity over another, coloured by chart, without marks of events; jumps are dashed lines.

    Parameters
    ----------
    run : Trajectory, or sequence or mapping of them
        The run, of an orbit for instance, or several of one model.
    names : sequence of str
        Two states, outputs or inputs; by default the first state and its rate, or the first two.
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
        If there are not two names, or one is unknown, the picture format is unknown, or the picture cannot be written.
    """
    first = next(iter(runs_by_name(run).values()))
    return plot_portraits(run, [NAME_SEPARATOR.join(_two_names(first, names))], path, events=False, ax=ax)


def _two_names(run: Trajectory, names: Sequence[str]) -> tuple[str, str]:
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
    path: PicturePath = None,
    *,
    ax: Any = None,
) -> Figure:
    """Draw the values of a state after the events of a boundary, each over the one before, with the cobweb.

    Parameters
    ----------
    run : Trajectory
        The run, of many strides.
    name : str
        The state.
    boundary : str
        The boundary.
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
        If a name or the picture format is unknown, there are fewer than three events, or the picture cannot be written.
    """
    index = _state_index(run, name)
    refuse_unknown(f"{boundary}: the run has no boundary of this name", boundary, run.boundaries)
    hits = run.events.crossed[:, run.boundaries.index(boundary)] & ~run.events.declined
    values = run.events.x_after[hits, index]
    if len(values) < 3:
        raise ConfigError(
            f"return map: expected three events of {boundary} at least, found {len(values)}; make a longer run, "
            "for example hybridsim run ORBIT.h5 strides=50"
        )
    canvas = open_canvas(path, ax, SQUARE_SIZE)
    (panel,) = canvas.panels
    margin = 0.06 * (np.ptp(values) or abs(values[0]) or 1.0)
    low, high = values.min() - margin, values.max() + margin
    panel.plot([low, high], [low, high], color="#9a9a9a", linewidth=0.9, zorder=1)
    x = np.repeat(values, 2)
    panel.plot(x[:-1], x[1:], color=LINE_COLOR, linewidth=0.6, alpha=0.6, zorder=2)
    panel.plot(values[:-1], values[1:], "o", color=LINE_COLOR, markersize=4, zorder=3)
    panel.set_xlim(low, high)
    panel.set_ylim(low, high)
    panel.set_aspect("equal")
    label_axis(panel.xaxis, f"{name} after {boundary} n", run.states[name].unit, values)
    label_axis(panel.yaxis, f"{name} after {boundary} n + 1", run.states[name].unit, values)
    panel.spines[["top", "right"]].set_visible(False)
    return canvas.finish(f"{run.model_name}: {len(values)} strides")


def _orbit_of(run: Trajectory) -> Mapping[str, Any]:
    if "orbit" not in run.provenance:
        raise ConfigError("multipliers: this is a run, not an orbit; give a file that `hybridsim orbit find` wrote")
    orbit: Mapping[str, Any] = run.provenance["orbit"]
    return orbit

"""The quantities of runs that pictures show: outputs, states and inputs, along the flow and at events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError, HybridsimError
from hybridsim.model import Records
from hybridsim.results.trajectory import Trajectory
from hybridsim.typing import FloatArray, IntArray

EQUALITY_TOLERANCE = 1e-12
"""An output counts as equal to a state if it differs by less than this fraction; on slides outputs are averages."""

MOST_ENTRIES = 24
"""Most entries of a block that a picture draws."""

POINTS_ACROSS, MORE_POINTS, MOST_IN_STEP = 1500, 12_000, 24
"""Points between rows: in the width of a picture; where steps are shorter than that, in all of them, and in one."""

MOST_NUMBERS = 20_000_000
"""Most states, of all points, that are computed for a picture."""

Runs = Trajectory | Sequence[Trajectory] | Mapping[str, Trajectory]
"""A run, or several of one model, with names for the legend."""


def runs_by_name(given: Runs) -> dict[str, Trajectory]:
    """Return runs by the names that a legend shows; raise a ConfigError if they cannot share a picture."""
    if isinstance(given, Trajectory):
        return {"": given}
    runs = dict(given) if isinstance(given, Mapping) else {f"run {i}": run for i, run in enumerate(given, 1)}
    if not runs:
        raise ConfigError("expected a run, or several, found none")
    models = {run.model_name: name for name, run in reversed(runs.items())}
    if len(models) > 1:
        found = ", ".join(f"{name} is of {model}" for model, name in reversed(models.items()))
        raise ConfigError(f"runs of different models cannot share a picture: {found}; draw one for each model")
    return runs


def title_of(runs: Mapping[str, Trajectory], letters: int) -> str:
    """Return the title of a picture: how the run ended, or how many runs there are, in lines of so many letters."""
    first = next(iter(runs.values()))
    what = f"{len(runs)} runs" if len(runs) > 1 else first.message or first.status
    return fill(f"{first.model_name}: {what}", letters)


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a run that are drawn: those of its rows, and others between them.

    Attributes
    ----------
    t, j, chart : (n,) array
        Times [s], numbers of jumps, and numbers of charts.
    values : mapping of str to (n,) array
        The quantities; nan between the rows where they are not known.
    is_row, inside : (n,) array of bool
        Which of them are rows, and which are within the times that are drawn.
    straight : tuple of str
        The quantities that are drawn straight from row to row.
    why : str
        Why they are.
    """

    t: FloatArray
    j: IntArray
    chart: IntArray
    values: Mapping[str, FloatArray]
    is_row: Any
    inside: Any
    straight: tuple[str, ...] = ()
    why: str = ""

    def along(self, *names: str) -> tuple[Any, ...]:
        """Return t, j, chart, and the values of some quantities, at the points at which all are known."""
        known = self.is_row if {*names} & {*self.straight} or self.is_row.all() else self.inside
        columns = self.t, self.j, self.chart, *(self.values[name] for name in names)
        return tuple(column[known] for column in columns)


def points_of(run: Trajectory, names: Sequence[str], window: tuple[float, float]) -> Points:
    """Return the points between two times [s], and one on either side: states and outputs follow the flow."""
    first, last = np.searchsorted(run.t, window, side="left").tolist()
    part = slice(max(first - 1, 0), last + 1 + np.count_nonzero(run.t == window[1]))
    after, t = _between(run, part, window)
    place = after - part.start + 1
    is_row = np.insert(np.ones(len(run.t[part]), bool), place, False)
    j, chart = (np.insert(column[part], place, column[after]) for column in (run.j, run.chart))
    values, straight, why = {}, [], ""
    states = {name: run.states.index(name) for name in names if is_state(run, name)}
    x = run.at(t)[:, [*states.values()]] if states and len(t) else np.zeros((len(t), len(states)))
    others = [name for name in names if name in run.outputs.names and name not in states]
    y = None
    if others and len(t):
        from hybridsim.simulation.between import outputs_between  # noqa: PLC0415  (it loads compiled functions)

        try:
            y = outputs_between(run, after, t)
        except HybridsimError as problem:
            straight, why = others, str(problem)
    for name in names:
        if name in states:
            inner = x[:, [*states].index(name)]
        elif name in others:
            inner = np.full(len(t), np.nan) if y is None else y[:, run.outputs.index(name)]
        else:
            inner = run.inputs.column(name, run.j[after])
        values[name] = np.insert(values_of(run, name)[part], place, inner)
    t = np.insert(run.t[part], place, t)
    inside = (t >= window[0]) & (t <= window[1])
    return Points(t, j, chart, values, is_row, inside, tuple(straight), why)


def notes_of(points: Sequence[Points]) -> tuple[str, ...]:
    """Return which quantities are drawn straight from row to row, and why."""
    found = {(each.straight, each.why) for each in points if each.straight}
    return tuple(f"{', '.join(names)}: drawn straight from row to row: {why}" for names, why in sorted(found))


def _between(run: Trajectory, part: slice, window: tuple[float, float]) -> tuple[IntArray, FloatArray]:
    """Return times within the steps of some rows, and the rows before them, where the states are known."""
    t, width = run.t[part], np.diff(run.t[part])
    steps = np.flatnonzero((width > 0.0) & (np.diff(run.j[part]) == 0))
    has_states = run.x.shape[1] and (run.extension is not None or run.xdot is not None)
    if not has_states or not len(steps):
        return np.zeros(0, np.int64), np.zeros(0)
    share = min(1.0, MOST_NUMBERS / (max(run.x.shape[1], len(run.outputs)) * (POINTS_ACROSS + MORE_POINTS)))
    begin, end = np.maximum(t[steps], window[0]), np.minimum(t[steps + 1], window[1])
    across = np.ceil(share * POINTS_ACROSS * (end - begin) / ((window[1] - window[0]) or 1.0))
    n = 2 + np.maximum(across, min(share * MORE_POINTS // len(steps), MOST_IN_STEP)).astype(int)
    rows, place = np.repeat(steps, n), np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    times: FloatArray = np.repeat(begin, n) + np.repeat((end - begin) / (n - 1.0), n) * place
    inner = (times > t[rows]) & (times < t[rows + 1])
    return rows[inner] + part.start, times[inner]


def column_names(run: Trajectory) -> list[str]:
    """Return the names of the outputs, states and inputs of a run."""
    return [*dict.fromkeys((*run.outputs.names, *run.states.names, *run.inputs.records.names))]


def entries_called(run: Trajectory, name: str) -> list[str]:
    """Return the names of the entries of a block or of a part of one, `h.phi[0:3]`; any other name as it is.

    Raises
    ------
    ConfigError
        If they are too many for one picture.
    """
    tables: tuple[Records[Any], ...] = run.outputs, run.states
    for table in tables:
        place = table.found(name)
        if isinstance(place, slice):
            if place.stop - place.start > MOST_ENTRIES:
                n = place.stop - place.start
                raise ConfigError(f"{name}: {n} entries are too many to draw; choose some, for example {name}[0:3]")
            return list(table.names[place])
    return [name]


def window_of(run: Trajectory, begin: float | None, end: float | None) -> tuple[float, float]:
    """Return the part of a run that is drawn [s]; raise a ConfigError if there is none."""
    first, last = float(run.t[0]), float(run.t[-1])
    left, right = (first if begin is None else begin), (last if end is None else end)
    if not (left < right and left < last and right > first) and (begin, end) != (None, None):
        given = [f"{option} {t:g}" for option, t in (("--from", begin), ("--to", end)) if t is not None]
        raise ConfigError(
            f"command line: --from, --to: expected a part of the run, which goes from {first:g} s to {last:g} s, "
            f"found {' '.join(given)}"
        )
    return left, right


def is_state(run: Trajectory, name: str) -> bool:
    """Return whether the column is a state, whose values between the rows are also known."""
    return name in run.states.names and np.allclose(
        values_of(run, name), run[name], rtol=EQUALITY_TOLERANCE, atol=0.0, equal_nan=True
    )


def values_of(run: Trajectory, name: str) -> FloatArray:
    """Return the column of an output, or else of a state or input."""
    return run.y[:, run.outputs.index(name)] if name in run.outputs.names else run[name]


def values_at_events(run: Trajectory, name: str, points: Points) -> FloatArray:
    """Return a column before each event, (m,); if it is no state, interpolated between the points of its curve."""
    if is_state(run, name):
        return run.events.x_before[:, run.states.index(name)]
    t, j, _, values = points.along(name)
    t_event = run.events.t
    first = np.minimum(np.searchsorted(j, run.events.j, side="left"), len(t) - 1)
    last = np.maximum(np.searchsorted(j, run.events.j, side="right") - 1, first)
    right = np.clip(np.searchsorted(t, t_event), first, last)
    left = np.maximum(right - 1, first)
    width = np.where(t[right] > t_event, t[right] - t[left], 1.0)
    share = np.where(t[right] > t_event, (t[right] - t_event) / width, 0.0)
    found: FloatArray = np.where(share > 0.0, share * values[left] + (1.0 - share) * values[right], values[right])
    return found


def unit_of(run: Trajectory, name: str) -> str:
    """Return the unit of a column."""
    tables: tuple[Records[Any], ...] = (run.outputs, run.states, run.inputs.records)
    unit: str = next(table[name].unit for table in tables if name in table.names)
    return unit

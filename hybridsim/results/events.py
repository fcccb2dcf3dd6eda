"""The events of a run: each one as a record, and all of them as columns."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.columns import EventTable, columns_of
from hybridsim.errors import ConfigError, explains_keywords, unknown_keyword
from hybridsim.results.tables import data_frame
from hybridsim.typing import Certificate, EventKind, FloatArray, IntArray


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Event:
    """One event of a run; several boundaries that cross at one instant are one event.

    Parameters
    ----------
    t : float
        Time [s].
    j : int
        Number of jumps before the event.
    boundaries : tuple of str
        Names of the boundaries that crossed.
    chart_before, chart_after : int
        Numbers of the charts.
    x_before, x_after : (n_states,) array
        States.
    certificate : {"time", "sampled", "bounded", "exact"}
        How the crossing was found.
    declined : bool
        Nothing has changed, and no jump was counted: the transition declined, or a touch was only reported.
    kind : {"crossing", "touch", "entry", "exit", "zeno", "input"}
        "crossing"; "touch", a minimum just above zero; "entry" and "exit", the two ends of a slide along the surface
        where the boundary is zero; "zeno", the limit of infinitely many crossings; "input", a change of the inputs,
        which leaves chart and state as they are and begins an epoch.
    adjacent_chart : int
        Number of the second chart of the slide that begins, ends or continues here; -1 if there is none.
    surface : int
        Index of the boundary along which that slide runs; -1 if there is none.
    value, depth, error : float
        Value of the boundary, how far below zero it goes within the step, and the step's error estimate, all in the
        unit of the boundary; nan where they are not known. If depth < error, the integration cannot distinguish a
        crossing from a touch. Of several boundaries, the numbers are those of the one that goes least deep.
    """

    t: float
    j: int
    boundaries: tuple[str, ...]
    chart_before: int
    chart_after: int
    x_before: FloatArray
    x_after: FloatArray
    certificate: Certificate
    declined: bool = False
    kind: EventKind = "crossing"
    adjacent_chart: int = -1
    surface: int = -1
    value: float = math.nan
    depth: float = math.nan
    error: float = math.nan


EVENTS_SHOWN = 10
"""Most events that the representation of `Events` lists."""

SHOWN_COLUMNS = ("t [s]", "j", "kind", "boundaries", "charts", "value", "depth", "error")
"""Head of the table that represents `Events`."""

TABLE_COLUMNS = ("t", "j", "kind", "chart_before", "chart_after", "value", "depth", "error", "certificate", "declined")
"""Columns of `Events` that a DataFrame has as they are."""


@explains_keywords()
class Events(Sequence[Event]):
    """The events of a run in order: a sequence of `Event`, with the same data as columns.

    Parameters
    ----------
    names : sequence of str
        Names of the model's boundaries.
    states : sequence of str
        Names of its states.
    **columns : array or sequence
        The columns below, all of them.

    Attributes
    ----------
    names, states : tuple of str
        Names of the model's boundaries and states.
    charts : mapping of int to str
        Names of charts by their numbers, of the events of a run.
    t : (m,) array
        Times [s].
    j : (m,) array of int
        Numbers of jumps before the events.
    chart_before, chart_after : (m,) array of int
        Numbers of the charts.
    adjacent_chart, surface : (m,) array of int
        Of the slide that begins, ends or continues at an event, the number of the second chart and the index of the
        boundary along which it runs; -1 where there is none.
    x_before, x_after : (m, n_states) array
        States.
    crossed : (m, n_boundaries) array of bool
        Which boundaries crossed.
    certificate, kind : tuple of str
        How the crossings were found, and what happened; for the words see `Event`.
    declined : (m,) array of bool
        Events at which nothing changed.
    value, depth, error : (m,) array
        Numbers about the crossings in the unit of the boundary, see `Event`; nan where they are not known.
    """

    t: FloatArray
    j: IntArray
    chart_before: IntArray
    chart_after: IntArray
    adjacent_chart: IntArray
    surface: IntArray
    x_before: FloatArray
    x_after: FloatArray
    crossed: NDArray[np.bool_]
    certificate: tuple[Certificate, ...]
    declined: NDArray[np.bool_]
    kind: tuple[EventKind, ...]
    value: FloatArray
    depth: FloatArray
    error: FloatArray

    def __init__(self, names: Sequence[str], states: Sequence[str], **columns: Any) -> None:
        if columns.keys() != EVENT_COLUMNS.keys():
            raise ConfigError(
                f"Events: {name}: {unknown_keyword(name, EVENT_COLUMNS, {}) if name in columns else 'it is missing'}"
                for name in sorted(columns.keys() ^ EVENT_COLUMNS.keys())
            )
        self.names, self.states = tuple(names), tuple(states)
        for name, column in EVENT_COLUMNS.items():
            setattr(self, name, tuple(columns[name]) if column.words else columns[name])
        self.charts: Mapping[int, str] = {}

    def __repr__(self) -> str:
        """Show the first events as a table, and how many more there are."""
        if not len(self):
            return "no events"
        rows = [SHOWN_COLUMNS, *(_cells(event, self.charts) for event in self[:EVENTS_SHOWN])]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
        more = len(self) - EVENTS_SHOWN
        return "\n".join(lines + [f"... {more:,} more"] * (more > 0))

    def __len__(self) -> int:
        return len(self.t)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]
        entries = {name: _entry(getattr(self, name)[i]) for name in EVENT_COLUMNS}
        crossed = entries.pop("crossed")
        return Event(boundaries=tuple(name for name, hit in zip(self.names, crossed, strict=True) if hit), **entries)

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    def count(self, value: Any) -> int:
        """Count the crossings of a boundary, declined ones included.

        Parameters
        ----------
        value : str
            Name of the boundary.

        Returns
        -------
        int
            Number of events in which it crossed.
        """
        return int(self.crossed[:, self.names.index(value)].sum())

    def to_pandas(self) -> Any:
        """Make a pandas DataFrame with one row per event.

        Returns
        -------
        DataFrame
            The columns above; `boundaries` as one text, and the states as `NAME_before` and `NAME_after`.

        Raises
        ------
        HybridsimError
            If pandas is not installed.
        """
        table = {name: getattr(self, name) for name in TABLE_COLUMNS}
        table["boundaries"] = [", ".join(event.boundaries) for event in self]
        for side in ("before", "after"):
            x = getattr(self, f"x_{side}")
            table |= {f"{name}_{side}": x[:, m] for m, name in enumerate(self.states)}
        return data_frame(table)


EVENT_COLUMNS = columns_of(EventTable)
"""The columns of `Events` by name; those with words are tuples of words, flags are arrays of bool."""


def named_events(table: EventTable, names: Sequence[str], states: Sequence[str]) -> Events:
    """Make `Events` from the numbers that the engine logs.

    Parameters
    ----------
    table : EventTable
        Events as the engine logs them.
    names, states : sequence of str
        Names of the model's boundaries and states.

    Returns
    -------
    Events
        The same with words and truth values.
    """
    columns: dict[str, Any] = {}
    for name, column in EVENT_COLUMNS.items():
        values = getattr(table, name)
        if column.words:
            columns[name] = [column.words[code] for code in values.tolist()]
        else:
            columns[name] = values.astype(bool) if column.is_flag else values
    columns["crossed"] = columns["crossed"][:, : len(names)]
    return Events(names, states, **columns)


def _entry(value: Any) -> Any:
    """Return one entry of a column: a number or word of a built-in type of Python, or a row of an array."""
    return value.item() if isinstance(value, np.generic) else value


def _cells(event: Event, charts: Mapping[int, str]) -> tuple[str, ...]:
    """Return the cells of one event in the printed table; `left -> left|right`: a slide between two charts begins."""

    def name(chart: int) -> str:
        return charts.get(chart, str(chart))

    slide = f"|{name(event.adjacent_chart)}" if event.adjacent_chart >= 0 else ""
    before = f"{name(event.chart_before)}{'' if event.kind == 'entry' else slide}"
    after = f"{name(event.chart_after)}{slide if event.kind == 'entry' else ''}"
    change = f"{before} -> {after}"
    if "=" in before and not slide:  # of charts that are made of fields, those that change
        pairs = zip(before.split(), after.split(), strict=True)
        change = ", ".join(f"{one} -> {other.partition('=')[2]}" for one, other in pairs if one != other)
        before = ""
    return (
        f"{event.t:.9g}",
        str(event.j),
        f"{event.kind}, declined" if event.declined and event.kind != "touch" else event.kind,
        ", ".join(event.boundaries),
        before if event.declined else change,
        *("" if math.isnan(size) else f"{size:.2g}" for size in (event.value, event.depth, event.error)),
    )

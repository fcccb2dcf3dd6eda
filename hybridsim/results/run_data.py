"""What a run consists of, and its columns as one table."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.status import Status
from hybridsim.errors import HybridsimError, SimulationError, refuse_other_word
from hybridsim.model import Input, Output, Records, State, list_names, nearest
from hybridsim.model.table import MANY_VALUES
from hybridsim.results.events import Events
from hybridsim.results.input_history import InputHistory, no_changes
from hybridsim.typing import FloatArray, IntArray, Jumps

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PANELS_SHOWN = 3
"""Most panels of the picture by which a notebook shows a run."""

RESOLUTION_SHOWN = 60
"""Its resolution [dots per inch]."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False, repr=False)
class RunData:
    """The numbers and names of a run; `Trajectory` says what they are."""

    model_name: str
    states: Records[State]
    outputs: Records[Output]
    boundaries: tuple[str, ...]
    charts: Mapping[int, str]
    parameters: Mapping[str, Any]
    t: FloatArray
    j: IntArray
    chart: IntArray
    adjacent_chart: IntArray
    surface: IntArray
    sliding_weight: FloatArray
    certificate: IntArray | None
    x: FloatArray
    y: FloatArray
    xdot: FloatArray | None
    extension: FloatArray | None
    step: FloatArray | None
    events: Events
    status: Status
    message: str
    statistics: Mapping[str, float]
    provenance: Mapping[str, Any] = field(default_factory=dict)
    inputs: InputHistory = field(default_factory=lambda: no_changes(Records(), ()))
    chart_fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plots: tuple[str, ...] = ()
    _later: dict[str, Callable[[], FloatArray]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.events.charts = self.charts  # which their table shows by name

    def evaluate_later(self, **columns: Callable[[], FloatArray]) -> None:
        """Let these functions make columns when they are first used; many a run is made for others alone."""
        self._later.update(columns)
        for name in columns:
            object.__delattr__(self, name)

    def __getattr__(self, name: str) -> Any:
        """Make a column at its first use; an attribute that is there is found without this."""
        evaluate = None if name == "_later" else self._later.get(name)
        if evaluate is not None:
            object.__setattr__(self, name, evaluate())
            self._later.pop(name, None)  # None, because another thread may have made it, too
        return object.__getattribute__(self, name)

    def plot(self, *names: str, path: str | os.PathLike[str] | None = None, **options: Any) -> Figure:
        """Draw outputs, states, inputs, charts over time, or quantities over each other (`"y:v"`).

        Parameters
        ----------
        *names : str
            What to draw; by default what the model suggests, or its first outputs.
        path : path, optional
            The file of the picture.
        **options : object
            Options of `hybridsim.plotting.plot_run`: `begin`, `end`, `events`, `ax`.

        Returns
        -------
        Figure
            The figure, of matplotlib; notebooks show it.

        Raises
        ------
        ConfigError
            If there is no such name, or the picture cannot be written.
        """
        plotting = import_module("hybridsim.plotting")  # by its name: it stands above, and knows this class
        figure: Figure = plotting.plot_run(self, names, path, **options)
        return figure

    def _repr_html_(self) -> str:
        """Return what notebooks show: the text, and a small picture."""
        text = escape(repr(self))
        names = [name for name in (self.plots or self.outputs.names) if name != "time"][:PANELS_SHOWN]
        try:
            figure: Any = self.plot(*names, events=False)
        except HybridsimError:  # as of a run without columns
            return f"<pre>{text}</pre>"
        picture = figure.drawn(RESOLUTION_SHOWN)
        return f'<pre>{text}</pre><img alt="{text}" src="data:image/png;base64,{b64encode(picture).decode()}"/>'

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} .. {self.t[-1]:g} s"
        more = f" of {len(self.events) + self.events_left_out}" if self.events_left_out else ""
        events = f"{len(self.events)}{more} events"
        return f"<Trajectory {self.model_name}: {len(self.t)} rows, {events}, {span}, {self.message}>"

    @property
    def events_left_out(self) -> int:
        """How many events have happened that `record.events` has left out of `events`."""
        return int(self.statistics.get("events", len(self.events))) - len(self.events)

    def __getitem__(self, name: str) -> FloatArray:
        """The column (n,) of a state, output or input, or those of a block, (n, entries).

        A SimulationError names the nearest one if there is none.
        """
        tables: tuple[tuple[Records[Any], str], ...] = (self.states, "x"), (self.outputs, "y")
        for records, table in tables:
            place = records.found(name) if isinstance(name, str) else None
            if place is not None:
                values: FloatArray = getattr(self, table)[:, place]
                return values
        if name in self.inputs.records.names:
            return self.inputs.column(name, self.j)
        raise no_such_column(name, self.states, self.outputs, self.inputs.records)

    def table(self, jumps: Jumps = "both") -> dict[str, NDArray[Any]]:
        """Return the columns t, j and chart, and all states, outputs and inputs, of the rows that `jumps` asks for.

        Blocks of MANY_VALUES entries and more are not among them; `run[name]` has them.
        """
        rows = _rows(self.t, jumps)
        table: dict[str, NDArray[Any]] = {"t": self.t[rows], "j": self.j[rows], "chart": self.chart[rows]}
        for record in self.records():
            table.setdefault(record.name, self[record.name][rows])
        return table

    def records(self) -> list[Any]:
        """Return the descriptions of all states, outputs and inputs, without the entries of large blocks."""
        tables: tuple[Records[Any], ...] = self.states, self.outputs, self.inputs.records
        return [record for table in tables for record in entries(table)]


def entries(records: Records[Any]) -> list[Any]:
    """Return the records of a table, each entry of a block on its own, but none of blocks that are too large for it."""
    if len(records) < MANY_VALUES:
        return [*records]
    blocks = ((record, getattr(record, "n_entries", 0)) for record in records.blocks)
    small = ((record, n) for record, n in blocks if n < MANY_VALUES)
    return [each for record, n in small for each in (records[records.place(record.name)] if n else [record])]


def no_such_column(
    name: str, states: Records[State], outputs: Records[Output], inputs: Records[Input]
) -> SimulationError:
    """Make the error for a name that no state, output or input has; it names the nearest one."""
    known = [*states.names, *outputs.names, *inputs.names]
    hint = nearest(name, known)
    return SimulationError(f"the run has no state or output {name!r}{hint}; it has {list_names(known, name)}")


def _rows(t: FloatArray, jumps: Jumps) -> IntArray:
    """Return the indices of the rows that a table has, given the times of all."""
    refuse_other_word("jumps", jumps, Jumps, SimulationError)
    keep = np.ones(len(t), bool)
    same = t[1:] == t[:-1]
    if jumps == "before":
        keep[1:] = ~same
    elif jumps == "after":
        keep[:-1] = ~same
    return np.flatnonzero(keep)

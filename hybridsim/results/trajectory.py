"""A whole solution on hybrid time (t, j): samples, both sides of every jump, and what lies between."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.status import Status
from hybridsim.errors import SimulationError
from hybridsim.model import Input, Output, Records, State, nearest
from hybridsim.results.input_history import InputHistory, no_changes
from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Event:
    """One event: several boundaries at one instant are one.

    t [s] and j before the jump; `boundaries` names what crossed; x_before and x_after have shape (n_states,).
    An event that changes nothing and adds no j has `declined` set: the transition declined it, or a touch was only
    reported.

    kind : "crossing"; "touch", a minimum just above zero; "entry" and "exit", the ends of a slide along the surface
        where the boundary is zero; "zeno", the limit of infinitely many crossings; "input", a change of inputs, which
        leaves chart and state as they are and begins an epoch.
    other : the second chart of the slide that the event begins or ends, -1 if there is none.
    value, depth, error : the boundary's value there, how far below zero it goes on within the step, and the step's
        error estimate, all in the boundary's unit. Where depth < error the integration cannot tell a crossing from
        a touch. Of several boundaries, those of the one that goes least deep; nan where nothing is known.
    """

    t: float
    j: int
    boundaries: tuple[str, ...]
    chart_before: int
    chart_after: int
    x_before: FloatArray
    x_after: FloatArray
    certificate: str
    declined: bool = False
    kind: str = "crossing"
    adjacent_chart: int = -1
    value: float = math.nan
    depth: float = math.nan
    error: float = math.nan


EVENTS_SHOWN = 10
EVENT_COLUMNS = ("t [s]", "j", "kind", "boundaries", "charts", "value", "depth", "error")


def _cells(event: Event) -> tuple[str, ...]:
    """An event as a row of `EVENT_COLUMNS`; `0 -> 0|1` begins a slide between charts 0 and 1."""
    slide = f"|{event.adjacent_chart}" if event.adjacent_chart >= 0 else ""
    before = f"{event.chart_before}{'' if event.kind == 'entry' else slide}"
    after = f"{event.chart_after}{slide if event.kind == 'entry' else ''}"
    return (
        f"{event.t:.9g}",
        str(event.j),
        f"{event.kind}, declined" if event.declined and event.kind != "touch" else event.kind,
        ", ".join(event.boundaries),
        before if event.declined else f"{before} -> {after}",
        *("" if math.isnan(size) else f"{size:.2g}" for size in (event.value, event.depth, event.error)),
    )


class Events(Sequence[Event]):
    """The events of a run in order, and the same as columns.

    Columns: t (m,), j (m,), crossed (m, n_boundaries) bool, chart_before (m,), chart_after (m,),
    x_before (m, n_states), x_after (m, n_states), certificate (m,) of str, declined (m,) bool, kind (m,) of str,
    other, value, depth, error (m,): see `Event`.
    """

    def __init__(
        self,
        names: Sequence[str],
        t: FloatArray,
        j: IntArray,
        crossed: NDArray[np.bool_],
        chart_before: IntArray,
        chart_after: IntArray,
        x_before: FloatArray,
        x_after: FloatArray,
        certificate: Sequence[str],
        declined: NDArray[np.bool_],
        kind: Sequence[str],
        adjacent_chart: IntArray,
        value: FloatArray,
        depth: FloatArray,
        error: FloatArray,
    ) -> None:
        self.names = tuple(names)
        self.t, self.j, self.crossed = t, j, crossed
        self.chart_before, self.chart_after = chart_before, chart_after
        self.x_before, self.x_after = x_before, x_after
        self.certificate, self.declined = tuple(certificate), declined
        self.kind, self.adjacent_chart = tuple(kind), adjacent_chart
        self.value, self.depth, self.error = value, depth, error

    def __repr__(self) -> str:
        """The first events as a table, and how many more there are."""
        if not len(self):
            return "no events"
        rows = [EVENT_COLUMNS, *map(_cells, self[:EVENTS_SHOWN])]
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
        return Event(
            t=float(self.t[i]),
            j=int(self.j[i]),
            boundaries=tuple(name for name, hit in zip(self.names, self.crossed[i], strict=True) if hit),
            chart_before=int(self.chart_before[i]),
            chart_after=int(self.chart_after[i]),
            x_before=self.x_before[i],
            x_after=self.x_after[i],
            certificate=self.certificate[i],
            declined=bool(self.declined[i]),
            kind=self.kind[i],
            adjacent_chart=int(self.adjacent_chart[i]),
            value=float(self.value[i]),
            depth=float(self.depth[i]),
            error=float(self.error[i]),
        )

    def __iter__(self) -> Iterator[Event]:
        return (self[i] for i in range(len(self)))

    def count(self, value: Any) -> int:
        """How often the boundary called `value` was crossed, declined crossings included."""
        return int(self.crossed[:, self.names.index(value)].sum())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trajectory:
    """A run: n rows in order of (t, j), its events, and how it ended.

    Attributes
    ----------
    t, j, chart : (n,) record times [s], jump counts and charts; a jump has two rows at one t, before and after.
    other, weight : (n,) while the state slides along the common boundary of two charts, the second chart, and the
        share of the first one's vector field and outputs; -1 and 1.0 elsewhere.
    certificate : (n,) how the step that begins at a row was decided, an index into
        `engine.memory.CERTIFICATES`, or -1 where there was nothing to decide; None unless every step was recorded.
    x : (n, n_states); y : (n, n_outputs).
    xdot : (n, n_states), slopes at the rows, for Hermite interpolation; None where `extension` is there.
    extension : (n, degree, n_states) and step : (n,) [s]: from row i on, x(t) = x[i] + sum_d
        extension[i, d] theta^(d+1) with theta = (t - t[i]) / step[i]; None unless every step was recorded.
        Rows that no step starts from (the last, and those before a jump) hold zeros.
    states, outputs : what the columns are called and measured in.
    charts : chart numbers that occur -> names.
    status, message : why it ended, in general and in particular.
    statistics : steps, rejected, vector_field_calls, events, wall_time [s], and how events were decided.
    parameters : the values used, by name.
    provenance : what shaped the run: resolved config, versions, plug-in hash.
    inputs : the values that were held, and their changes.
    chart_fields : of charts that are bit fields, what the bits are called, the lowest ones first; {} for other charts.
    plots : what `hybridsim plot` draws where nothing is named; () for the first outputs.
    """

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

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} .. {self.t[-1]:g} s"
        return f"<Trajectory {self.model_name}: {len(self.t)} rows, {len(self.events)} events, {span}, {self.message}>"

    def __getitem__(self, name: str) -> FloatArray:
        """The column (n,) of a state, output or input; a SimulationError with the nearest name if there is none."""
        if name in self.states.names:
            return self.x[:, self.states.index(name)]
        if name in self.outputs.names:
            return self.y[:, self.outputs.index(name)]
        if name in self.inputs.records.names:
            return self.inputs.column(name, self.j)
        raise no_such_column(name, self.states, self.outputs, self.inputs.records)

    def chart_intervals(self, name: str = "chart") -> dict[str, FloatArray]:
        """When the run was in each chart, or when each bit of a chart field was set: the bars of a gait diagram.

        Returns
        -------
        dict : the name of a chart (`a|b` for a slide between two) or of a bit -> (k, 2) beginnings and ends [s], in
            order. Charts come in the order of their numbers, those without a stay are left out; of a field all bits
            come, the lowest first. While a run slides, the bits are those of the chart it came from.

        Raises
        ------
        SimulationError : neither "chart" nor a field.
        """
        if name == "chart":
            pairs = np.unique(np.stack([self.chart, self.adjacent_chart], axis=1), axis=0).tolist()
            stays = {
                "|".join(self.charts[number] for number in pair if number >= 0): _spans(
                    self.t, (self.chart == pair[0]) & (self.adjacent_chart == pair[1])
                )
                for pair in pairs
            }
            return {chart: spans for chart, spans in stays.items() if len(spans)}
        if name not in self.chart_fields:
            known = ["chart", *self.chart_fields]
            raise SimulationError(
                f"the run has no chart field {name!r}{nearest(name, known)}; it has {', '.join(known)}"
            )
        fields = [*self.chart_fields]
        first = sum(len(self.chart_fields[field]) for field in fields[: fields.index(name)])
        return {
            bit: _spans(self.t, (self.chart >> (first + place) & 1) == 1)
            for place, bit in enumerate(self.chart_fields[name])
        }

    def save(
        self, folder: str | os.PathLike[str] = ".", base: str | None = None, formats: Collection[str] | None = None
    ) -> list[Path]:
        """Write what the command line writes, and return the files: `hybridsim.load_run` reads the .h5 file.

        Parameters
        ----------
        folder :
            where to; created at need.
        base :
            how the files' names begin; the model's name by default.
        formats :
            `simsect` (.data, .initial, .param), `hdf5` (.h5), or by default both.

        Raises
        ------
        ConfigError : an unknown format, or something cannot be written.
        """
        from hybridsim.results.files import FORMATS
        from hybridsim.results.saving import save

        return save(self, folder, base, FORMATS if formats is None else formats)

    def at(self, t: float | Sequence[float] | FloatArray, side: str = "after") -> FloatArray:
        """The state at time t [s], shape (n_states,), or (m, n_states) for m times.

        Where every step was recorded this is the engine's own continuous extension, elsewhere the cubic
        Hermite polynomial between samples. At a jump, `side` ("before" or "after") chooses.

        Raises
        ------
        SimulationError : a time outside the run, or another side.
        """
        times = np.asarray(t, dtype=float)
        rows = self.row_at(times, side)
        x = self._interpolate(np.atleast_1d(rows), np.atleast_1d(times))
        return x[0] if times.ndim == 0 else x

    def row_at(self, t: float | Sequence[float] | FloatArray, side: str = "after") -> IntArray:
        """The row at or before each time [s], with its chart and j: the last one with that t, or the first.

        Raises
        ------
        SimulationError : a time outside the run, or another side.
        """
        if side not in ("before", "after"):
            raise SimulationError(f"side must be 'before' or 'after', not {side!r}")
        times = np.asarray(t, dtype=float)
        outside = ~((times >= self.t[0]) & (times <= self.t[-1]))
        if outside.any():
            raise SimulationError(
                f"t = {float(times[outside].flat[0])!r} lies outside the run, "
                f"which goes from {float(self.t[0])!r} to {float(self.t[-1])!r}"
            )
        if side == "after":
            return np.asarray(np.searchsorted(self.t, times, side="right") - 1)
        first = np.searchsorted(self.t, times, side="left")
        return np.where(self.t[first] == times, first, first - 1)

    def _interpolate(self, rows: IntArray, times: FloatArray) -> FloatArray:
        x = self.x[rows].copy()
        inside = times > self.t[rows]
        i, t = rows[inside], times[inside]
        if self.extension is not None and self.step is not None:
            theta = ((t - self.t[i]) / self.step[i])[:, None]
            polynomial = self.extension[i]
            rise = np.zeros_like(x[inside])
            for d in range(polynomial.shape[1] - 1, -1, -1):
                rise = theta * (rise + polynomial[:, d])
            x[inside] += rise
        elif self.xdot is not None:
            x[inside] = hermite(self.t, self.x, self.xdot, i, t)
        return x


def no_such_column(
    name: str, states: Records[State], outputs: Records[Output], inputs: Records[Input]
) -> SimulationError:
    """What to raise for a name that is neither a state nor an output or input, with the nearest one."""
    known = [*states.names, *outputs.names, *inputs.names]
    return SimulationError(f"the run has no state or output {name!r}{nearest(name, known)}; it has {', '.join(known)}")


def _spans(t: FloatArray, held: NDArray[np.bool_]) -> FloatArray:
    """From when to when, (k, 2) [s], what is told by the rows (n,) holds; from a row on it is as the row says."""
    edges = np.diff(held.astype(np.int8), prepend=0, append=0)
    begins, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    spans: FloatArray = np.stack([t[begins], t[np.minimum(ends, len(t) - 1)]], axis=1)
    return spans[spans[:, 1] > spans[:, 0]]


def hermite(t: FloatArray, x: FloatArray, xdot: FloatArray, i: IntArray, times: FloatArray) -> FloatArray:
    """The cubic through x[i], x[i+1] with their slopes, at times in between (Hermite)."""
    width = (t[i + 1] - t[i])[:, None]
    s = (times - t[i])[:, None] / width
    rise = x[i + 1] - x[i]
    bend_0, bend_1 = width * xdot[i] - rise, width * xdot[i + 1] - rise
    result: FloatArray = x[i] + s * (rise + (1.0 - s) * ((1.0 - s) * bend_0 - s * bend_1))
    return result

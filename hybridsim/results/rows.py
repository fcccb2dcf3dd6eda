"""Which rows a run leaves behind: every step, the multiples of a period, or only what happens at events.

The engine cuts no step for a record. Rows between steps come from the steps' continuous extensions, so recording
never changes a run.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.memory import ENTRY, NOWHERE, UNDECIDED, Log
from hybridsim.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows (t, j, chart, x); those that a step begins with carry its length and extension, others zeros."""

    t: FloatArray
    j: IntArray
    chart: IntArray
    adjacent_chart: IntArray  # the second chart of a slide, NOWHERE outside
    certificate: IntArray
    x: FloatArray
    step: FloatArray
    extension: FloatArray

    def __getitem__(self, rows: Any) -> Rows:
        return Rows(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


@dataclass(frozen=True, slots=True, eq=False)
class EventRows:
    """Events as columns, as the engine logs them."""

    t: FloatArray
    j: IntArray
    chart: IntArray  # (n, 2) before and after
    x: FloatArray
    crossed: NDArray[np.uint8]
    certificate: IntArray
    declined: IntArray
    kind: IntArray
    adjacent_chart: IntArray
    value: FloatArray
    depth: FloatArray
    error: FloatArray

    def __getitem__(self, rows: Any) -> EventRows:
        return EventRows(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})


def copy_rows(log: Log, n: int) -> Rows:
    """The first n rows of the engine's buffer, which it will overwrite."""
    return Rows(**{field.name: getattr(log, field.name)[:n].copy() for field in fields(Rows)})


def copy_events(log: Log, n: int) -> EventRows:
    return EventRows(**{field.name: getattr(log, f"event_{field.name}")[:n].copy() for field in fields(EventRows)})


def one_row(t: float, j: int, chart: int, other: int, x: FloatArray, degree: int) -> Rows:
    """The row a run ends with: nothing steps from it."""
    return Rows(
        t=np.array([t], float),
        j=np.array([j]),
        chart=np.array([chart]),
        adjacent_chart=np.array([other]),
        certificate=np.array([UNDECIDED]),
        x=x[None, :].copy(),
        step=np.zeros(1),
        extension=np.zeros((1, degree, len(x))),
    )


def joined(parts: list[Any]) -> Any:
    """Rows or EventRows, one after another."""
    kind = type(parts[0])
    return kind(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(kind)))


def event_sides(events: EventRows) -> Rows:
    """Both sides of every jump, as rows."""
    jumps = events[events.declined == 0]
    n, _, n_states = jumps.x.shape
    after = np.where(jumps.kind == ENTRY, jumps.adjacent_chart, NOWHERE)
    before = np.concatenate([[NOWHERE], after])[:n]
    return Rows(
        t=np.repeat(jumps.t, 2),
        j=np.stack([jumps.j, jumps.j + 1], axis=1).ravel(),
        chart=jumps.chart.ravel(),
        adjacent_chart=np.stack([before, after], axis=1).ravel(),
        certificate=np.full(2 * n, UNDECIDED),
        x=jumps.x.reshape(2 * n, n_states),
        step=np.zeros(2 * n),
        extension=np.zeros((2 * n, 0, n_states)),
    )


def slopes(rows: Rows) -> FloatArray:
    """The slope xdot at each row: where its step begins, else where the step before it ended."""
    degree = rows.extension.shape[1]
    begins = rows.step > 0.0
    xdot = np.zeros_like(rows.x)
    xdot[begins] = rows.extension[begins, 0] / rows.step[begins, None]
    ends = np.flatnonzero(~begins[1:] & begins[:-1] & (rows.j[1:] == rows.j[:-1])) + 1
    step = rows.step[ends - 1, None]
    theta = (rows.t[ends, None] - rows.t[ends - 1, None]) / step
    for d in range(degree - 1, -1, -1):
        xdot[ends] = (d + 1) * rows.extension[ends - 1, d] + theta * xdot[ends]
    xdot[ends] /= step
    return xdot


def sample(rows: Rows, period: float) -> tuple[Rows, FloatArray]:
    """Of rows at every step: those at k * period, both sides of every jump, the first and the last; and their slopes.

    The times are the products k * period, never a running sum.
    """
    xdot = slopes(rows)
    jumps = np.flatnonzero(rows.j[1:] != rows.j[:-1])
    kept = np.unique(np.concatenate([[0], jumps, jumps + 1, [len(rows.t) - 1]]))
    step_rows, times = _multiples(rows, period)
    fresh = ~np.isin(step_rows, kept) | (times > rows.t[step_rows])
    i, times = step_rows[fresh], times[fresh]
    theta = ((times - rows.t[i]) / rows.step[i])[:, None]
    x, slope = rows.x[i].copy(), np.zeros((len(i), rows.x.shape[1]))
    rise = np.zeros_like(x)
    for d in range(rows.extension.shape[1] - 1, -1, -1):
        slope = (d + 1) * rows.extension[i, d] + theta * slope
        rise = theta * (rise + rows.extension[i, d])
    order = np.argsort(np.concatenate([kept.astype(float), i + 0.5]), kind="stable")
    n = len(order)
    sampled = Rows(
        t=np.concatenate([rows.t[kept], times])[order],
        j=np.concatenate([rows.j[kept], rows.j[i]])[order],
        chart=np.concatenate([rows.chart[kept], rows.chart[i]])[order],
        adjacent_chart=np.concatenate([rows.adjacent_chart[kept], rows.adjacent_chart[i]])[order],
        certificate=np.full(n, UNDECIDED),
        x=np.concatenate([rows.x[kept], x + rise])[order],
        step=np.zeros(n),
        extension=np.zeros((n, 0, rows.x.shape[1])),
    )
    return sampled, np.concatenate([xdot[kept], slope / rows.step[i, None]])[order]


def _multiples(rows: Rows, period: float) -> tuple[IntArray, FloatArray]:
    """For every k * period within a step [t_i, t_i+1): the step's row i, and the time."""
    i = np.flatnonzero((rows.step[:-1] > 0.0) & (rows.j[1:] == rows.j[:-1]))
    first = np.ceil(rows.t[i] / period - 1e-9).astype(np.int64)
    count = np.maximum(np.floor(rows.t[i + 1] / period + 1e-9).astype(np.int64) + 1 - first, 0)
    step_rows = np.repeat(i, count)
    offsets = np.arange(len(step_rows)) - np.repeat(np.cumsum(count) - count, count)
    times = (np.repeat(first, count) + offsets) * period
    within = (times >= rows.t[step_rows]) & (times < rows.t[step_rows + 1])
    return step_rows[within], times[within]

"""Selection of the rows to record: every step, the multiples of a period, or both sides of every event.

The engine cuts no step for a record. Rows between steps come from the steps' continuous extensions, so recording
never changes a run.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.columns import Column, EventTable, StepTable, columns_of
from hybridsim.engine.extension import rise_at, slope_at
from hybridsim.engine.memory import ENTRY, NOWHERE, UNDECIDED
from hybridsim.typing import FloatArray, IntArray

ROW_COLUMNS: Mapping[str, Column] = {
    **columns_of(StepTable),
    "sliding_weight": Column(np.float64, "share of the first chart's vector field while the state slides, else 1"),
    "y": Column(np.float64, "outputs", shape=("n_outputs",)),
    "xdot": Column(np.float64, "slopes at the rows", unit="state unit/s", shape=("n_states",)),
}
"""The columns of a recorded run's rows: those that the engine logs, and those that are evaluated afterwards."""

STEP_COLUMNS = ("certificate", "extension", "step")
"""Columns that are recorded only with every step."""

SLOPE_COLUMNS = ("xdot",)
"""Columns that are recorded only without the steps, whose extensions contain the slopes."""


def make_row(t: float, j: int, chart: int, adjacent_chart: int, surface: int, x: FloatArray, degree: int) -> StepTable:
    """Make a table of one row, from which no step begins; for its columns see `StepTable`."""
    return StepTable(
        t=np.array([t], float),
        j=np.array([j]),
        chart=np.array([chart]),
        adjacent_chart=np.array([adjacent_chart]),
        surface=np.array([surface]),
        certificate=np.array([UNDECIDED]),
        x=x[None, :].copy(),
        step=np.zeros(1),
        extension=np.zeros((1, degree, len(x))),
    )


def event_sides(events: EventTable) -> StepTable:
    """Make rows of the states before and after every jump."""
    jumps = events[events.declined == 0]
    n, n_states = jumps.x_before.shape
    begins = jumps.kind == ENTRY
    # The jump before may have been left out of the record; what slides then is what the jump ends.
    follows = np.append(True, np.diff(jumps.j) == 1)[:n] | begins
    around = {}
    for name, values in (("adjacent_chart", jumps.adjacent_chart), ("surface", jumps.surface)):
        before, after = _values_around(np.where(begins, values, NOWHERE)).reshape(n, 2).T
        around[name] = _interleave(np.where(follows, before, values), after)
    return StepTable(
        t=np.repeat(jumps.t, 2),
        j=_interleave(jumps.j, jumps.j + 1),
        chart=_interleave(jumps.chart_before, jumps.chart_after),
        **around,
        certificate=np.full(2 * n, UNDECIDED),
        x=np.stack([jumps.x_before, jumps.x_after], axis=1).reshape(2 * n, n_states),
        step=np.zeros(2 * n),
        extension=np.zeros((2 * n, 0, n_states)),
    )


def _interleave(before: IntArray, after: IntArray) -> IntArray:
    return np.stack([before, after], axis=1).ravel()


def _values_around(after: IntArray) -> IntArray:
    """Return the values before and after each event, (2 n,); before an event, the value after the previous one."""
    return _interleave(np.concatenate([[NOWHERE], after])[: len(after)], after)


def slopes(rows: StepTable) -> FloatArray:
    """Evaluate the slopes at the rows, where their step begins or the one before it ends: (n, n_states)."""
    begins = rows.step > 0.0
    xdot = np.zeros_like(rows.x)
    xdot[begins] = rows.extension[begins, 0] / rows.step[begins, None]
    last = np.flatnonzero(~begins[1:] & begins[:-1] & (rows.j[1:] == rows.j[:-1]))
    theta = (rows.t[last + 1] - rows.t[last]) / rows.step[last]
    xdot[last + 1] = slope_at(rows.extension[last], theta, rows.step[last])
    return xdot


def sample(rows: StepTable, period: float) -> tuple[StepTable, FloatArray]:
    """Select the rows at multiples of a period, both sides of every jump, the first and the last.

    Parameters
    ----------
    rows : StepTable
        Rows at every step.
    period : float
        Period [s]. The times are the products k * period, never a running sum.

    Returns
    -------
    rows : StepTable
        The selected rows, without steps and extensions.
    xdot : (n, n_states) array
        Their slopes [state unit/s].
    """
    chosen, xdot, _ = _sampled(rows, period)
    return chosen, xdot


def _sampled(rows: StepTable, period: float) -> tuple[StepTable, FloatArray, FloatArray]:
    """Return the rows of `sample`, their slopes and their places, i for row i and i + 0.5 for one within its step."""
    jumps = np.flatnonzero(rows.j[1:] != rows.j[:-1])
    kept = np.unique(np.concatenate([[0], jumps, jumps + 1, [len(rows) - 1]]))
    i, times = _multiples(rows, period)
    fresh = ~np.isin(i, kept) | (times > rows.t[i])
    i, times = i[fresh], times[fresh]
    theta = (times - rows.t[i]) / rows.step[i]
    places = np.concatenate([kept.astype(float), i + 0.5])
    order = np.argsort(places, kind="stable")
    chosen = without_steps(rows)[np.concatenate([kept, i])]
    chosen.t[len(kept) :] = times
    chosen.x[len(kept) :] += rise_at(rows.extension[i], theta)
    xdot = np.concatenate([slopes(rows)[kept], slope_at(rows.extension[i], theta, rows.step[i])])
    return chosen[order], xdot[order], places[order]


def sample_within(rows: StepTable, period: float, within: slice) -> StepTable:
    """Select the rows that `sample` takes of a piece of a run: those that belong to some of its rows.

    Parameters
    ----------
    rows : StepTable
        A piece of the rows at every step.
    period : float
        Period [s].
    within : slice
        The rows, all of which have their neighbours beside them, except at the ends of the run.

    Returns
    -------
    StepTable
        The rows, without steps and extensions.
    """
    first, end, _ = within.indices(len(rows))
    chosen, _, places = _sampled(rows, period)
    return chosen[(places >= first) & (places < end)]


def needed_rows(rows: StepTable, period: float) -> NDArray[np.bool_]:
    """Choose the rows from which `sample` makes the same record as from all: (n,), true for those.

    They are the beginnings and ends of steps that contain a multiple of the period, both sides of every jump and the
    step before it, and those at the ends of the table, which another table may precede or follow.
    """
    needed = np.zeros(len(rows) + 2, bool)  # one more at either end
    within, _ = _multiples(rows, period)
    sides = np.flatnonzero((rows.step == 0.0) | np.append(rows.j[1:] != rows.j[:-1], True))
    needed[1 + within] = needed[2 + within] = True
    needed[sides] = needed[1 + sides] = needed[2 + sides] = True
    needed[1] = True
    return needed[1:-1]


def without_steps(rows: StepTable) -> StepTable:
    """Return the same rows without the columns of steps, as if no step began from them."""
    n, n_states = rows.x.shape
    values = {name: getattr(rows, name) for name in columns_of(StepTable)}
    values["certificate"] = np.full(n, UNDECIDED)
    values["step"], values["extension"] = np.zeros(n), np.zeros((n, 0, n_states))
    return StepTable(**values)


def _multiples(rows: StepTable, period: float) -> tuple[IntArray, FloatArray]:
    """Return, for every k * period within a step [t_i, t_i+1), the index of the step's row i, and the time."""
    i = np.flatnonzero((rows.step[:-1] > 0.0) & (rows.j[1:] == rows.j[:-1]))
    first = np.ceil(rows.t[i] / period - 1e-9).astype(np.int64)
    count = np.maximum(np.floor(rows.t[i + 1] / period + 1e-9).astype(np.int64) + 1 - first, 0)
    step_rows = np.repeat(i, count)
    offsets = np.arange(len(step_rows)) - np.repeat(np.cumsum(count) - count, count)
    times = (np.repeat(first, count) + offsets) * period
    within = (times >= rows.t[step_rows]) & (times < rows.t[step_rows + 1])
    return step_rows[within], times[within]

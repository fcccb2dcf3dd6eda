"""The log: buffers that the compiled loop fills with rows of the trajectory and events, for Python to read.

The buffers are the columns of `StepTable`, and those of `EventTable` with the prefix `event_`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.columns import FLAG, AnyTable, EventTable, StepTable, columns_of, shape_of, values_of
from hybridsim.engine.compiler.deferred import kernel
from hybridsim.engine.memory import BOUNDED, NOWHERE, SAMPLED, UNDECIDED

COLUMN_PREFIXES: dict[type, str] = {StepTable: "", EventTable: "event_"}
"""Table of the log -> first letters of the names of its buffers."""

if TYPE_CHECKING:
    Log = tuple[NDArray[Any], ...]
else:
    Log = namedtuple("Log", [prefix + name for table, prefix in COLUMN_PREFIXES.items() for name in columns_of(table)])

BUFFERS = {StepTable: slice(len(columns_of(StepTable))), EventTable: slice(len(columns_of(StepTable)), None)}
"""Table of the log -> where its buffers are among all."""


def make_log(capacity: int, event_capacity: int, n_states: int, n_boundaries: int, degree: int) -> Log:
    """Make the buffers.

    Parameters
    ----------
    capacity, event_capacity : int
        Rows of the trajectory, 0 if steps are not recorded, and events.
    n_states, n_boundaries : int
        Sizes of the model.
    degree : int
        Degree of the method's continuous extension.

    Returns
    -------
    Log
        Named tuple of arrays. Flags are zero, for models without any boundary; the engine writes all other columns of
        each row and event, so that the system need not clear them.
    """
    sizes = {"n_states": n_states, "n_boundaries": max(n_boundaries, 1), "degree": degree}
    buffers: dict[str, NDArray[Any]] = {}
    for table, n in ((StepTable, capacity), (EventTable, event_capacity)):
        for name, column in columns_of(table).items():
            make_buffer = np.zeros if column.dtype is FLAG else np.empty
            buffers[COLUMN_PREFIXES[table] + name] = make_buffer((n, *shape_of(column, sizes)), column.dtype)
    make: Any = Log
    record: Log = make(**buffers)
    return record


def event_capacity(record: Any) -> int:
    """Return how many events the log can hold."""
    return len(record.event_t)


def copy_log(record: Log, table: type[AnyTable], n: int) -> AnyTable:
    """Copy the first n rows of a table from the log, whose buffers will be filled again."""
    return table(*[buffer[:n].copy() for buffer in record[BUFFERS[table]]])


def log_table(record: Log, table: type[AnyTable], n: int) -> AnyTable:
    """Return the first n rows of a table in the log, without a copy."""
    return table(*[buffer[:n] for buffer in record[BUFFERS[table]]])


def write_row(record: Log, index: int, row: StepTable) -> None:
    """Write a table of one row into the log, at an index."""
    for buffer, values in zip(record, values_of(row).values(), strict=False):
        buffer[index] = values[0]


@kernel
def log_row(problem, state, record, t, chart, adjacent_chart, surface, x):
    """Log a row (t, j, chart, x) without an extension; returns its index."""
    row = state.rows
    record.t[row], record.j[row], record.chart[row], record.adjacent_chart[row] = t, state.j, chart, adjacent_chart
    record.surface[row] = surface if adjacent_chart != NOWHERE else NOWHERE
    n = problem.settings.n_states
    for m in range(n):
        record.x[row * n + m] = x[m]
    state.rows += 1
    return row


@kernel
def log_step(problem, state, workspace, record):
    """Log the row from which a step begins, with its continuous extension."""
    row = log_row(
        problem,
        state,
        record,
        state.t_start,
        state.chart_start,
        state.adjacent_chart_start,
        state.surface_start,
        workspace.x_start,
    )
    record.step[row] = state.step
    record.certificate[row] = (
        SAMPLED if state.step_certificate == BOUNDED and state.step_unproved else state.step_certificate
    )
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    for d in range(degree):
        for m in range(n):
            record.extension[(row * degree + d) * n + m] = workspace.q[m + d * settings.width]


@kernel
def log_before_jump(problem, state, workspace, record):
    """Log the last row before a jump; no step begins from it."""
    row = log_row(problem, state, record, state.t, state.chart, state.adjacent_chart, state.surface, workspace.x_event)
    record.step[row] = 0.0
    record.certificate[row] = UNDECIDED
    size = problem.settings.degree * problem.settings.n_states
    for m in range(row * size, (row + 1) * size):
        record.extension[m] = 0.0


@kernel
def log_event(problem, state, workspace, record, t, kind, chart_before, chart_after, adjacent_chart, x_after, declined):
    """Log an event: the boundaries that crossed, both charts, both states, and what is known about the crossing."""
    event = state.events
    record.event_t[event], record.event_j[event], record.event_kind[event] = t, state.j, kind
    record.event_chart_before[event], record.event_chart_after[event] = chart_before, chart_after
    record.event_adjacent_chart[event] = adjacent_chart
    record.event_surface[event] = state.surface if adjacent_chart != NOWHERE else NOWHERE
    record.event_value[event], record.event_depth[event], record.event_error[event] = (
        state.value,
        state.depth,
        state.error,
    )
    n, n_boundaries = problem.settings.n_states, problem.settings.n_boundaries
    for m in range(n):
        record.event_x_before[event * n + m] = workspace.x_event[m]
        record.event_x_after[event * n + m] = x_after[m]
    for i in range(n_boundaries):
        record.event_crossed[event * n_boundaries + i] = workspace.crossed[i]
    record.event_certificate[event] = state.certificate
    record.event_declined[event] = declined
    state.events += 1

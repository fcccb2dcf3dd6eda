"""The log: buffers that the compiled loop fills with rows of the trajectory and events, for Python to read.

The buffers are the columns of `StepTable`, and those of `EventTable` with the prefix `event_`.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from hybridsim.engine.columns import AnyTable, EventTable, StepTable, columns_of, values_of, zeros
from hybridsim.engine.compiler.signatures import kernel
from hybridsim.engine.memory import BOUNDED, NOWHERE, SAMPLED, UNDECIDED

PREFIXES: dict[type, str] = {StepTable: "", EventTable: "event_"}
"""The tables of the log, and what the names of their buffers begin with."""

if TYPE_CHECKING:
    Log = tuple[NDArray[Any], ...]
else:
    Log = namedtuple("Log", [prefix + name for table, prefix in PREFIXES.items() for name in columns_of(table)])


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
        Named tuple of arrays, all zero.
    """
    sizes = {"n_states": n_states, "n_boundaries": max(n_boundaries, 1), "degree": degree}
    buffers: dict[str, NDArray[Any]] = {}
    for table, n in ((StepTable, capacity), (EventTable, event_capacity)):
        buffers |= {PREFIXES[table] + name: values for name, values in values_of(zeros(table, n, sizes)).items()}
    make: Any = Log
    log: Log = make(**buffers)
    return log


def copy_log(log: Log, table: type[AnyTable], n: int) -> AnyTable:
    """Copy the first n rows of a table from the log, whose buffers will be filled again."""
    return table(**{name: getattr(log, PREFIXES[table] + name)[:n].copy() for name in columns_of(table)})


@kernel
def log_row(problem, now, log, t, chart, adjacent_chart, surface, x):
    """Log a row (t, j, chart, x) without an extension; returns its index."""
    row = now.rows
    log.t[row], log.j[row], log.chart[row], log.adjacent_chart[row] = t, now.j, chart, adjacent_chart
    log.surface[row] = surface if adjacent_chart != NOWHERE else NOWHERE
    n = problem.settings.n_states
    for m in range(n):
        log.x[row * n + m] = x[m]
    now.rows += 1
    return row


@kernel
def log_step(problem, now, work, log):
    """Log the row from which a step begins, with its continuous extension."""
    row = log_row(
        problem, now, log, now.t_start, now.chart_start, now.adjacent_chart_start, now.surface_start, work.x_start
    )
    log.step[row] = now.step
    log.certificate[row] = SAMPLED if now.decided == BOUNDED and now.unproved else now.decided
    settings = problem.settings
    n, degree = settings.n_states, settings.degree
    for d in range(degree):
        for m in range(n):
            log.extension[(row * degree + d) * n + m] = work.q[m + d * settings.width]


@kernel
def log_before_jump(problem, now, work, log):
    """Log the last row before a jump; no step begins from it."""
    row = log_row(problem, now, log, now.t, now.chart, now.adjacent_chart, now.surface, work.x_event)
    log.step[row] = 0.0
    log.certificate[row] = UNDECIDED
    size = problem.settings.degree * problem.settings.n_states
    for m in range(row * size, (row + 1) * size):
        log.extension[m] = 0.0


@kernel
def log_event(problem, now, work, log, t, kind, chart_before, chart_after, adjacent_chart, x_after, declined):
    """Log an event: the boundaries that crossed, both charts, both states, and what is known about the crossing."""
    event = now.events
    log.event_t[event], log.event_j[event], log.event_kind[event] = t, now.j, kind
    log.event_chart_before[event], log.event_chart_after[event] = chart_before, chart_after
    log.event_adjacent_chart[event] = adjacent_chart
    log.event_surface[event] = now.surface if adjacent_chart != NOWHERE else NOWHERE
    log.event_value[event], log.event_depth[event], log.event_error[event] = now.value, now.depth, now.error
    n, n_boundaries = problem.settings.n_states, problem.settings.n_boundaries
    for m in range(n):
        log.event_x_before[event * n + m] = work.x_event[m]
        log.event_x_after[event * n + m] = x_after[m]
    for i in range(n_boundaries):
        log.event_crossed[event * n_boundaries + i] = work.crossed[i]
    log.event_certificate[event] = now.certificate
    log.event_declined[event] = declined
    now.events += 1

"""The engine at work on one run: it advances in chunks, and its log is emptied between them."""

from __future__ import annotations

import time

from hybridsim.engine.columns import EventTable, StepTable, joined, values_of
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.entry import connect, count_time, log_capacity
from hybridsim.engine.entry import run as run_engine
from hybridsim.engine.extension import rise_at
from hybridsim.engine.log import copy_log, make_log
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.status import Status
from hybridsim.results.rows import make_row, needed_rows
from hybridsim.simulation.available_memory import available_memory
from hybridsim.simulation.packing import Packed
from hybridsim.simulation.rollback import Snapshot
from hybridsim.typing import FloatArray

STEPS_PER_CALL = 16384
"""Most steps and events that the engine makes per call: some milliseconds for a small model."""

BYTES_BETWEEN_LOOKS = 2**26
"""Growth of the record after which the memory that is left is looked at again."""

UNPACKING_STEPS, UNPACKING_EVENTS, COPIES_OF_OUTPUTS = 3.0, 7.0, 3.0
"""Memory that it takes to make a Trajectory of a record and to write its file, as a multiple of the record: of one with
every step, and of one with the events alone, which have two rows each; and copies of the outputs at the rows."""

Chunk = tuple[StepTable | None, EventTable | None]

STATUS_OF_CODE = {status.value: status for status in Status}


class Drive:
    """The engine's arrays of one run, connected, and everything that it has logged.

    Parameters
    ----------
    packed : Packed
        The run, which has not begun.
    every_step : bool
        Log every step, not only the events.
    max_wall_time : float or None
        Computing time after which the run ends [s].

    Attributes
    ----------
    engine_state : record
        The scalars of the engine's memory.
    outcome : Status
        How the run ended; UNFINISHED as long as it has not.
    wall_time : float
        Computing time so far [s].
    period : float or None
        Of the rows that are logged from now on, keep those that a record with this period [s] needs; None for all.
    """

    def __init__(self, packed: Packed, every_step: bool, max_wall_time: float | None) -> None:
        model = packed.model
        capacity = log_capacity(STEPS_PER_CALL)
        rows = capacity if every_step else 0
        degree = packed.method.extension.shape[1]
        self.log = make_log(rows, capacity, len(model.states), len(model.boundary_records), degree)
        self.machine = connect(packed.problem, packed.state, packed.workspace, self.log)
        self.engine_state, self._workspace = scalars(packed.state), packed.workspace
        self._n_states, self._degree = len(model.states), degree
        self.settings = packed.problem.settings
        self.settings["record_steps"] = every_step
        self.outcome = Status.UNFINISHED
        self.wall_time = 0.0
        self._max_wall_time = max_wall_time
        self._chunks: list[Chunk] = []
        self._emptied, self._room = 0, STEPS_PER_CALL + 1
        self._events_seen = 0  # of those in the log, by `new_events`
        self.period: float | None = None
        self._recorded, self._looked = 0, 0  # bytes in the chunks, now and when the memory was looked at
        outputs = 8 * COPIES_OF_OUTPUTS * len(model.columns) / (sum(column.nbytes for column in self.log) / capacity)
        self._unpacking = UNPACKING_STEPS + outputs if every_step else UNPACKING_EVENTS + 2.0 * outputs

    def advance(self, budget: int, snapshot: Snapshot | None = None) -> None:
        """Make `budget` steps and events at most, after a snapshot of the memory if one is given."""
        if self._room <= budget:
            self.empty()
        self._room -= budget + 1  # a change of inputs adds a row and an event
        if snapshot is not None:
            snapshot.save()
        began = time.perf_counter()
        code = run_engine(self.machine, budget)
        elapsed = time.perf_counter() - began
        self.wall_time += elapsed
        count_time(self.machine, elapsed)
        if code:
            self.outcome = STATUS_OF_CODE[code]
        elif self._max_wall_time is not None and self.wall_time > self._max_wall_time and budget > 0:
            self.outcome = Status.WALL_TIME
        elif self._has_filled_memory():
            self.outcome = Status.OUT_OF_MEMORY

    def begin_again(self, snapshot: Snapshot) -> None:
        """Forget what has been logged, and return to the engine's memory of a snapshot, before the first step."""
        snapshot.restore()
        self._chunks, self._emptied, self._room = [], 0, STEPS_PER_CALL + 1
        self._recorded, self._looked = 0, 0
        self.outcome = Status.UNFINISHED

    def _has_filled_memory(self) -> bool:
        """Return whether the record, if it grew further, might become too large to be made into a Trajectory."""
        if self._recorded < self._looked + BYTES_BETWEEN_LOOKS:
            return False
        self._looked = self._recorded
        growth = 2 * BYTES_BETWEEN_LOOKS
        return self._unpacking * (self._recorded + growth) + growth > available_memory()

    def is_at(self, t: float) -> bool:
        """Return whether t [s] is the end of the engine's last step; otherwise it is within that step."""
        return bool(t == self.engine_state.t)

    def number(self, name: str, t: float) -> int:
        """Return the chart, adjacent_chart, surface or j at time t [s] within the last step or at its end."""
        return int(getattr(self.engine_state, name if self.is_at(t) else f"{name}_start"))

    def state(self, t: float) -> FloatArray:
        """Return the state (n_states,) at time t [s] within the last step or at its end."""
        state, workspace, n = self.engine_state, self._workspace, self._n_states
        if self.is_at(t):
            return workspace.x[:n].copy()
        extension = workspace.q.reshape(-1, len(workspace.x))[:, :n]
        x: FloatArray = workspace.x_start[:n] + rise_at(extension, (t - state.t_start) / state.step)
        return x

    def row(self, t: float) -> StepTable:
        """Return the row at time t [s] within the last step or at its end; no step begins from it."""
        numbers = {name: self.number(name, t) for name in ("j", "chart", "adjacent_chart", "surface")}
        if numbers["adjacent_chart"] == NOWHERE:
            numbers["surface"] = NOWHERE  # the engine keeps that of an earlier slide
        return make_row(t, **numbers, x=self.state(t), degree=self._degree)

    def empty(self) -> None:
        """Move the log into a chunk, once, even if Ctrl-C interrupts it."""
        if len(self._chunks) == self._emptied:
            steps, events = self._logged()
            if steps is not None and self.period is not None:
                steps = steps[needed_rows(steps, self.period)]
            self._chunks.append((steps, events))
            tables = [values_of(table) for table in (steps, events) if table is not None]
            self._recorded += sum(values.nbytes for table in tables for values in table.values())
        self.engine_state.rows, self.engine_state.events = 0, 0
        self._events_seen = 0
        self._emptied, self._room = len(self._chunks), STEPS_PER_CALL + 1

    def _logged(self) -> Chunk:
        """Return a copy of what has been logged since the log was emptied."""
        rows, events = int(self.engine_state.rows), int(self.engine_state.events)
        return (
            copy_log(self.log, StepTable, rows) if rows else None,
            copy_log(self.log, EventTable, events) if events else None,
        )

    def new_events(self) -> EventTable | None:
        """Return the events logged since the last call, of those that the log holds; None if there are none."""
        first, self._events_seen = self._events_seen, int(self.engine_state.events)
        return copy_log(self.log, EventTable, self._events_seen)[first:] if first < self._events_seen else None

    def chunks(self) -> list[Chunk]:
        """Return everything logged so far; a change of inputs may still remove the last part of it."""
        return [*self._chunks, self._logged()] if len(self._chunks) == self._emptied else self._chunks

    def final_chunks(self, since: int) -> list[Chunk]:
        """Return everything logged so far from the chunk with the index `since` on, moved out of the log."""
        self.empty()
        return self._chunks[since:]

    def last_events(self) -> EventTable | None:
        """Return the last events: several dozen at least, or all if there are fewer."""
        parts = [events for _, events in self.chunks()[-4:] if events is not None]
        return joined(parts) if parts else None

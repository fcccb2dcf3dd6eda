"""Everything that the engine has logged of one run: the log that it fills, and the chunks that were taken out of it."""

from __future__ import annotations

import numpy as np

from hybridsim.engine.columns import EventTable, StepTable, joined, values_of
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.entry import Machine, connect, log_capacity, replace_log
from hybridsim.engine.log import Log, copy_log, event_capacity, log_table, make_log, write_row
from hybridsim.engine.memory import word_index
from hybridsim.engine.state import STATE_DTYPE
from hybridsim.results.rows import needed_rows
from hybridsim.simulation.packing import Packed

STEPS_PER_CALL = 16384
"""Most steps and events that the engine makes per call: some milliseconds for a small model."""

FIRST_STEPS = 2048
"""Steps and events of the first log: a short run does not need more."""

LARGE_LOG = 2**26
"""Size of the logs of every step after the first [bytes]. The system gives their memory as they are filled, and a run
that fits into one is recorded without a further copy."""

Chunk = tuple[StepTable | None, EventTable | None]


class RunLog:
    """The log of one run, connected with the engine, and the chunks taken out of it.

    Parameters
    ----------
    packed : Packed
        The run, which has not begun.
    every_step : bool
        Log every step, not only the events.

    Attributes
    ----------
    log : Log
        The buffers that the engine fills from its next call on.
    machine : Machine
        The engine's arrays of the run.
    bytes_per_step : int
        What a step with an event takes in the log.
    nbytes : int
        Size of the chunks.
    period : float or None
        Of the rows that are logged from now on, keep those that a record with this period [s] needs; None for all.
    """

    def __init__(self, packed: Packed, every_step: bool) -> None:
        model, degree = packed.model, packed.method.extension.shape[1]
        self._sizes = len(model.states), len(model.boundary_records), degree
        self._every_step, self._state = every_step, scalars(packed.state)
        self._counts = packed.state.view(np.int64)[word_index(STATE_DTYPE, "rows") :][:2]  # rows and events in the log
        self.bytes_per_step = sum(column.nbytes for column in make_log(int(every_step), 1, *self._sizes))
        self.log = self._new_log(FIRST_STEPS)
        self.machine: Machine = connect(packed.problem, packed.state, packed.workspace, self.log)
        self.period: float | None = None
        self.clear()

    def clear(self) -> None:
        """Forget what has been logged; the counts of rows and events in the log are the engine's."""
        self._chunks: list[Chunk] = []
        self._emptied, self.nbytes, self._limit = 0, 0, 0
        self._events_seen = 0  # of those in the log, by `new_events`

    def thin(self, period: float | None) -> None:
        """From now on keep only the rows that a record with this period [s] needs; None keeps all."""
        self.period, self._limit = period, 0

    def make_room(self, budget: int) -> int:
        """Return how many steps and events, at most `budget`, the next call of the engine may make."""
        # Their number is asked for each time: after a call, the jumps of one instant may be more than it was allowed.
        logged = max(self._counts.tolist())
        if logged + budget <= self._limit:
            return budget
        while (logged := max(self._counts.tolist())) >= self._longest():
            self._renew()
        if self.machine.record is not self.log:
            replace_log(self.machine, self.log)
        self._limit = self._longest()
        return int(min(budget, self._limit - logged))

    def _longest(self) -> int:
        """Return how many steps and events are logged before the log is emptied."""
        longest = event_capacity(self.log) - log_capacity(0)
        return longest if self.period is None else min(longest, STEPS_PER_CALL)

    def _renew(self) -> None:
        """Go on in a larger log, or empty the full one."""
        in_one_piece = self._every_step and self.period is None
        most = max(STEPS_PER_CALL, LARGE_LOG // self.bytes_per_step) if in_one_piece else STEPS_PER_CALL
        if self._longest() >= most:
            self.empty(hand_over=in_one_piece)
            return
        larger = self._new_log(most)
        for buffer, values in zip(larger, self.log, strict=True):
            buffer[: len(values)] = values
        self._limit, self.log = 0, larger

    def _new_log(self, budget: int) -> Log:
        capacity = log_capacity(budget)
        return make_log(capacity if self._every_step else 0, capacity, *self._sizes)

    def empty(self, hand_over: bool = False) -> None:
        """Move the log into a chunk, once, even if Ctrl-C interrupts it.

        It is copied, to be filled again; or handed over as it is, and a new one takes its place.
        """
        if len(self._chunks) == self._emptied:
            steps, events = self._logged(copied=not hand_over)
            if steps is not None and self.period is not None:
                steps = steps[needed_rows(steps, self.period)]
            self._chunks.append((steps, events))
            tables = [values_of(table) for table in (steps, events) if table is not None]
            self.nbytes += sum(values.nbytes for table in tables for values in table.values())
        if hand_over:
            self._limit, self.log = 0, self._new_log(self._longest())
        self._state.rows, self._state.events = 0, 0
        self._events_seen = 0
        self._emptied = len(self._chunks)

    def finish(self, end: StepTable) -> None:
        """Take all out of the log when the run has ended, with the row `end` behind the others if each is recorded.

        A short record is copied: handed over, it would keep a log for itself that is hardly filled.
        """
        rows = int(self._state.rows)
        if rows and self.period is None:
            write_row(self.log, rows, end)
            self._state.rows = rows + 1
            self.empty(hand_over=rows > STEPS_PER_CALL)

    def _logged(self, copied: bool = True) -> Chunk:
        """Return what has been logged since the log was emptied."""
        take = copy_log if copied else log_table
        rows, events = int(self._state.rows), int(self._state.events)
        return (
            take(self.log, StepTable, rows) if rows else None,
            take(self.log, EventTable, events) if events else None,
        )

    def new_events(self) -> EventTable | None:
        """Return the events logged since the last call, of those that the log holds; None if there are none."""
        first, self._events_seen = self._events_seen, int(self._state.events)
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

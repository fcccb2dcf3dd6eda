"""Everything that the engine has logged of one run: the log that it fills, and the chunks that were taken out of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hybridsim.engine.columns import EventTable, StepTable, join_tables, values_of
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.entry import SPARE_LOG_ROWS, Machine, connect, log_capacity, replace_log
from hybridsim.engine.log import Log, copy_log, event_capacity, log_table, make_log, write_row
from hybridsim.engine.memory import CERTIFICATES, EVENT_KINDS, word_index
from hybridsim.engine.state import STATE_DTYPE
from hybridsim.model import Model
from hybridsim.results.rows import needed_rows
from hybridsim.simulation.packing import Packed
from hybridsim.simulation.reduction import Reduction
from hybridsim.typing import IntArray

STEPS_PER_CALL = 16384
"""Most steps and events that the engine makes per call: some milliseconds for a small model."""

FIRST_STEPS, FIRST_LOG = 4096, 2**26
"""Steps and events of the first log, and its size [bytes] where these would need more: a short run needs no more."""

FEWEST_STEPS = 4
"""Steps and events that any log holds, however large the model is."""

LAST_EVENTS = 100
"""Events that are remembered, recorded or not, to say why a run has ended."""

LARGE_LOG = 2**26
"""Size of the logs of every step after the first [bytes]. The system gives their memory as they are filled, and a run
that fits into one is recorded without a further copy."""

Chunk = tuple[StepTable | None, EventTable | None]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What is remembered of all events that have been taken out of the log.

    Attributes
    ----------
    n : int
        How many there were.
    kinds, certificates : array of int
        How many of each kind, and of each certificate, were left out of the record.
    last : EventTable or None
        The last ones, recorded or not.
    """

    n: int = 0
    kinds: IntArray = field(default_factory=lambda: np.zeros(len(EVENT_KINDS), np.int64))
    certificates: IntArray = field(default_factory=lambda: np.zeros(len(CERTIFICATES), np.int64))
    last: EventTable | None = None

    def with_events(self, events: EventTable, kept: NDArray[np.bool_]) -> Tally:
        """Return the tally after further events, of which some are kept in the record."""
        kinds, certificates = self.kinds, self.certificates
        if not kept.all():
            kinds = kinds + np.bincount(events.kind[~kept], minlength=len(kinds))
            certificates = certificates + np.bincount(events.certificate[~kept], minlength=len(certificates))
        if self.last is None and len(events) <= LAST_EVENTS:
            last = events
        else:
            last = join_tables([each for each in (self.last, events[-LAST_EVENTS:]) if each is not None])[-LAST_EVENTS:]
        return Tally(self.n + len(events), kinds, certificates, last)


NO_EVENTS = Tally()


@lru_cache(maxsize=64)
def bytes_of(*sizes: int) -> tuple[int, int]:
    """Return what a row and what an event take in the log."""
    row, both = (sum(column.nbytes for column in make_log(1, events, *sizes)) for events in (0, 1))
    return row, both - row


def spare_rows(model: Model) -> int:
    """Return how many rows and events a log holds beyond those of the steps of a call."""
    return log_capacity(0) if model.boundary_records else SPARE_LOG_ROWS  # without boundaries nothing jumps in between


def steps_that_fit(size: int, *sizes: int) -> int:
    """Return how many steps with events fit into a log of this size [bytes], for the sizes of a model."""
    return max(FEWEST_STEPS, size // sum(bytes_of(*sizes)))


class RunLog:
    """The log of one run, connected with the engine, and the chunks taken out of it.

    Parameters
    ----------
    packed : Packed
        The run, which has not begun.
    every_step : bool
        Log every step, not only the events.
    events : str, tuple of str or int
        Which events the record keeps: "all", "none", those of some kinds, or every n-th.

    Attributes
    ----------
    machine : Machine
        The engine's arrays of the run.
    bytes_per_step : int
        What a step with an event takes in the log.
    nbytes : int
        Size of the chunks.
    reduction : Reduction or None
        What is kept of the chunks of a record without states.
    period : float or None
        Of the rows that are logged from now on, keep those that a record with this period [s] needs; None for all.
    """

    def __init__(self, packed: Packed, every_step: bool, events: str | tuple[str, ...] | int = "all") -> None:
        model, degree = packed.model, packed.method.extension.shape[1]
        self._sizes = len(model.states), len(model.boundary_records), degree
        self._spare = spare_rows(model)
        self._every_step, self._kept_events, self._state = every_step, events, scalars(packed.state)
        # Rows and events in the log; by a memoryview, because it is read at each call.
        self._counts = packed.state.view(np.int64)[word_index(STATE_DTYPE, "rows") :][:2].data
        self._row_bytes, self._event_bytes = bytes_of(*self._sizes)
        self.bytes_per_step = self._event_bytes + (self._row_bytes if every_step else 0)
        self._log = self._new_log(min(FIRST_STEPS, max(FEWEST_STEPS, FIRST_LOG // self.bytes_per_step)))
        self.machine: Machine = connect(packed.problem, packed.state, packed.workspace, self._log)
        self.period: float | None = None
        self.reduction: Reduction | None = None
        self.clear()

    def clear(self) -> None:
        """Forget what has been logged; the counts of rows and events in the log are the engine's."""
        self._chunks: list[Chunk] = []
        # A chunk, the log after it, the size of all chunks, and the tally of all events in them.
        self._taken: tuple[Chunk, Log, int, Tally, StepTable | None] | None = None
        self._behind: StepTable | None = None  # the last rows of the chunks, to which the next chunk is joined
        self._tally = NO_EVENTS
        self.nbytes, self._limit = 0, 0
        self._events_seen = 0  # of those in the log, by `new_events`

    def thin(self, period: float | None) -> None:
        """From now on keep only the rows that a record with this period [s] needs; None keeps all."""
        self.period, self._limit = period, 0

    def make_room(self, budget: int) -> int:
        """Return how many steps and events the next call of the engine may make: `budget` of them, or fewer."""
        # Their number is asked for each time: after a call, the jumps of one instant may be more than it was allowed.
        budget = min(budget, STEPS_PER_CALL)
        left = self._limit - budget
        if self._counts[0] <= left and self._counts[1] <= left:
            return budget
        self.settle()
        while (room := self.longest() - max(self._counts)) < min(budget, max(self.longest() // 2, 1)):
            self._renew()  # also where there is some room, because many short calls would take long
        self._limit = self.longest()
        return int(min(budget, room))

    def longest(self) -> int:
        """Return how many steps and events are logged before the log is emptied."""
        longest = event_capacity(self._log) - self._spare
        return longest if self.period is None else min(longest, STEPS_PER_CALL)

    def settle(self) -> None:
        """Complete what Ctrl-C has interrupted: take the chunk out of the log, and give the engine the next log.

        Each of these steps may be made twice.
        """
        if self._taken is None and self.machine.record is self._log:
            return
        if self._taken is not None:
            chunk, log, nbytes, tally, behind = self._taken
            if not self._chunks or self._chunks[-1] is not chunk:
                self._chunks.append(chunk)
            self.nbytes, self._log, self._tally, self._behind = nbytes, log, tally, behind
            self._state.rows, self._state.events, self._events_seen = 0, 0, 0
        if self.machine.record is not self._log:
            replace_log(self.machine, self._log)
        self._taken = None

    def _renew(self) -> None:
        """Go on in a larger log, or empty the full one."""
        in_one_piece = self._every_step and self.period is None and self.reduction is None
        fit = max(FEWEST_STEPS, LARGE_LOG // self.bytes_per_step)
        most = fit if in_one_piece else min(fit, STEPS_PER_CALL)
        if self.longest() >= most:
            self._empty(self._new_log(self.longest()) if in_one_piece else self._log)
            return
        larger = self._new_log(most)
        for buffer, values in zip(larger, self._log, strict=True):
            buffer[: len(values)] = values
        self._limit, self._log = 0, larger
        self.settle()

    def _new_log(self, budget: int) -> Log:
        capacity = budget + self._spare
        return make_log(capacity if self._every_step else 0, capacity, *self._sizes)

    def _empty(self, next_log: Log) -> None:
        """Move what has been logged into a chunk: by a copy, or with the log itself, if the next one is another."""
        self.settle()
        steps, events = self._read_log(copied=next_log is self._log)
        behind = self._behind
        if steps is not None and self.reduction is not None:
            steps, behind = self.reduction.rows(steps, behind is None, last=False), steps[-2:]
        elif steps is not None and self.period is not None:
            steps = steps[needed_rows(steps, self.period)]
        tally = self._tally
        if events is not None:
            kept = self._kept(events)
            tally, events = tally.with_events(events, kept), events if kept.all() else events[kept]
        chunk: Chunk = steps, events
        tables: tuple[StepTable | EventTable | None, ...] = chunk
        nbytes = self.nbytes + sum(each.nbytes for table in tables if table for each in values_of(table).values())
        self._limit = 0  # first, so that the engine is not called before this is settled
        self._taken = chunk, next_log, nbytes, tally, behind
        self.settle()

    def finish(self, end: StepTable) -> None:
        """Take all out of the log when the run has ended, with the row `end` behind the others if each is recorded.

        A log that is hardly filled is copied, so that the record does not keep its memory.
        """
        self.settle()
        rows = int(self._state.rows)
        if rows and self.period is None and self.reduction is None:
            write_row(self._log, rows, end)
            self._state.rows = rows + 1
            is_large = rows > STEPS_PER_CALL and 2 * rows > self.longest()
            self._empty(self._new_log(0) if is_large else self._log)

    def _read_log(self, copied: bool = True) -> Chunk:
        """Return what has been logged since the log was emptied."""
        take = copy_log if copied else log_table
        rows, events = int(self._state.rows), int(self._state.events)
        steps = take(self._log, StepTable, rows) if rows else None
        found = take(self._log, EventTable, events) if events else None
        if self.reduction is not None:
            found = None if found is None else self.reduction.events(found)
            steps = join_tables([each for each in (self._behind, steps) if each]) if self._behind or steps else None
        return steps, found

    def _kept(self, events: EventTable) -> NDArray[np.bool_]:
        """Choose those of the events in the log that the record keeps: (n,)."""
        wanted = self._kept_events
        if wanted == "all":
            return np.ones(len(events), bool)
        if isinstance(wanted, int):
            return np.asarray((self._tally.n + 1 + np.arange(len(events))) % wanted == 0)
        kinds = () if wanted == "none" else wanted
        return np.isin(events.kind, [EVENT_KINDS.index(kind) for kind in kinds])

    def left_out(self, t: float) -> Tally:
        """Count the events up to time t [s], and those of them that the record does not keep."""
        self.settle()
        _, events = self._read_log()
        if events is None:
            return self._tally
        events = events[events.t <= t]
        return self._tally.with_events(events, self._kept(events))

    def new_events(self) -> EventTable | None:
        """Return the events logged since the last call, of those that the log holds; None if there are none."""
        first, self._events_seen = self._events_seen, int(self._state.events)
        return copy_log(self._log, EventTable, self._events_seen)[first:] if first < self._events_seen else None

    def chunks(self) -> list[Chunk]:
        """Return everything logged so far; a change of inputs may still remove the last part of it."""
        last = self.unsettled()  # first, as it completes the chunks
        return [*self._chunks, last]

    def unsettled(self) -> Chunk:
        """Return what is in the log, and not in a chunk yet."""
        self.settle()
        steps, events = self._read_log()
        return steps, None if events is None else events[self._kept(events)]

    def final_chunks(self, since: int, all_of_it: bool = True) -> list[Chunk]:
        """Return the chunks from the index `since` on, after all has been moved out of the log if it is asked for."""
        self.settle()  # before the log is named: what is interrupted may exchange it
        if all_of_it:
            self._empty(self._log)
        return self._chunks[since:]

    def last_events(self) -> EventTable | None:
        """Return the last events, recorded or not: several dozen at least, or all if there are fewer."""
        return self.left_out(math.inf).last

"""The engine at work on one run: it advances by some thousand steps at a time."""

from __future__ import annotations

import time

from hybridsim.engine.columns import StepTable
from hybridsim.engine.compiler.records import scalars
from hybridsim.engine.entry import count_time
from hybridsim.engine.entry import run as run_engine
from hybridsim.engine.extension import rise_at
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.status import Status
from hybridsim.results.rows import make_row
from hybridsim.simulation.available_memory import available_memory
from hybridsim.simulation.packing import Packed
from hybridsim.simulation.rollback import Rollback, Snapshot
from hybridsim.simulation.run_log import STEPS_PER_CALL, RunLog
from hybridsim.typing import FloatArray

BYTES_BETWEEN_LOOKS = 2**26
"""Growth of the record after which the memory that is left is looked at again."""

UNPACKING_STEPS, UNPACKING_EVENTS, COPIES_OF_OUTPUTS = 3.0, 7.0, 3.0
"""Memory that it takes to make a Trajectory of a record and to write its file, as a multiple of the record: of one with
every step, and of one with the events alone, which have two rows each; and copies of the outputs at the rows."""

STATUS_OF_CODE = {status.value: status for status in Status}


class Drive:
    """The engine's arrays of one run, connected, with everything that it has logged.

    Parameters
    ----------
    packed : Packed
        The run, which has not begun.
    every_step : bool
        Log every step, not only the events.
    max_wall_time : float or None
        Computing time after which the run ends [s].
    events : str, tuple of str or int
        Which events are kept, see `RunLog`.

    Attributes
    ----------
    engine_state : record
        The scalars of the engine's memory.
    outcome : Status
        How the run ended; UNFINISHED as long as it has not.
    wall_time : float
        Computing time so far [s].
    logged : RunLog
        What it has logged.
    """

    def __init__(
        self,
        packed: Packed,
        every_step: bool,
        max_wall_time: float | None,
        events: str | tuple[str, ...] | int = "all",
    ) -> None:
        model = packed.model
        self.logged = RunLog(packed, every_step, events)
        self.machine = self.logged.machine
        self.engine_state, self._workspace = scalars(packed.state), packed.workspace
        self._n_states, self._degree = len(model.states), packed.method.extension.shape[1]
        self.settings = packed.problem.settings
        self.settings["record_steps"] = every_step
        self.outcome = Status.UNFINISHED
        self.wall_time = 0.0
        self._max_wall_time = max_wall_time
        self._looked = 0  # bytes in the chunks when the memory was looked at
        outputs = 8 * COPIES_OF_OUTPUTS * len(model.columns) / self.logged.bytes_per_step
        self._unpacking = UNPACKING_STEPS + outputs if every_step else UNPACKING_EVENTS + 2.0 * outputs

    def advance_to(self, t: float, budget: int | None, rollback: Rollback | None) -> None:
        """Advance to time t [s], or once by at most `budget` steps and events if that is given.

        With `rollback`, so that an input can be changed at t: steps that may go beyond it are made after a snapshot.
        """
        self.engine_state.t_look = t
        most = STEPS_PER_CALL if budget is None else budget
        snapshot = rollback.snapshot if rollback else None
        while self.outcome is Status.UNFINISHED and self.engine_state.t < t:
            self.advance(rollback.look_ahead(t, most) if rollback else most, snapshot)
            if budget is not None and (rollback is None or rollback.look_ahead(t, most) == most):
                break

    def advance(self, budget: int = STEPS_PER_CALL, snapshot: Snapshot | None = None) -> None:
        """Make `budget` steps and events at most, after a snapshot of the memory if one is given."""
        budget = self.logged.make_room(budget)
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
        self.logged.clear()
        self._looked = 0
        self.outcome = Status.UNFINISHED

    def _has_filled_memory(self) -> bool:
        """Return whether the record, if it grew further, might become too large to be made into a Trajectory."""
        recorded = self.logged.nbytes
        if recorded < self._looked + BYTES_BETWEEN_LOOKS:
            return False
        self._looked = recorded
        growth = 2 * max(BYTES_BETWEEN_LOOKS, self.logged.longest() * self.logged.bytes_per_step)
        return self._unpacking * (recorded + growth) + growth > available_memory()

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
        j, chart, adjacent, surface = (self.number(name, t) for name in ("j", "chart", "adjacent_chart", "surface"))
        if adjacent == NOWHERE:
            surface = NOWHERE  # the engine keeps that of an earlier slide
        return make_row(t, j, chart, adjacent, surface, x=self.state(t), degree=self._degree)

"""Compute a run in a thread, a little ahead of the time that is shown."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from threading import Event as Signal
from threading import Lock, Thread

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.columns import StepTable
from hybridsim.engine.status import Status
from hybridsim.errors import SimulationError
from hybridsim.results.events import Event, named_events
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.simulation.run_log import STEPS_PER_CALL
from hybridsim.viewer.hybrid_state import HybridState, state_in_step


class StepBuffer:
    """Steps of a run with their continuous extensions, in the blocks in which they were added.

    Parameters
    ----------
    start : StepTable
        The single row at which the run begins.
    """

    def __init__(self, start: StepTable) -> None:
        self._lock = Lock()
        self._blocks: list[StepTable] = []
        self._block_starts: list[float] = []
        self._n_final = 0
        self._latest = state_in_step(start, 0, float(start.t[0]))

    @property
    def end(self) -> float:
        """Time up to which the run is known [s]."""
        return self._latest.t

    def add(self, blocks: list[StepTable], latest: StepTable, unsettled: list[StepTable]) -> None:
        """Append steps.

        Parameters
        ----------
        blocks : list of StepTable
            New steps; they replace those that were unsettled.
        latest : StepTable
            The single row at which the run is now.
        unsettled : list of StepTable
            Steps after them, of which those beyond `latest` may change.
        """
        new = [*blocks, *unsettled]
        with self._lock:
            self._blocks[self._n_final :] = new
            self._block_starts[self._n_final :] = [float(rows.t[0]) for rows in new]
            self._n_final += len(blocks)
            self._latest = state_in_step(latest, 0, float(latest.t[0]))

    def state(self, t: float, before: bool = False) -> HybridState:
        """Return the state at time `t` [s], no later than `end`: after all jumps at that time, or before them."""
        with self._lock:
            if not self._blocks or (t >= self._latest.t and not before):
                return self._latest
            block, row = self._row_before(t) if before else self._row_after(t)
            if block < 0:
                return self._latest
            return state_in_step(self._blocks[block], row, t)

    def _row_after(self, t: float) -> tuple[int, int]:
        """Return block and row of the last row at or before t."""
        block = bisect_right(self._block_starts, t) - 1
        return block, int(np.searchsorted(self._blocks[block].t, t, side="right")) - 1

    def _row_before(self, t: float) -> tuple[int, int]:
        """Return block and row of the first row at t, or else of the last one before it.

        (-1, -1) if only the latest state is at t.
        """
        block = max(bisect_left(self._block_starts, t) - 1, 0)
        times = self._blocks[block].t
        row = int(np.searchsorted(times, t, side="left"))
        if row < len(times) and times[row] == t:
            return block, row
        if block + 1 < len(self._block_starts) and self._block_starts[block + 1] == t:
            return block + 1, 0
        return (-1, -1) if t >= self._latest.t else (block, row - 1)


LIVE_CALL_DURATION = 0.02
"""Intended duration of one call of the engine [s]; a window that is closed waits no longer than this."""
FIRST_STEP_BUDGET = 16
"""Number of steps and events that the first call of the engine may take."""
POLL_INTERVAL = 0.01
"""Interval at which a waiting thread looks whether there is more to compute [s]."""


class RunThread:
    """A run and the thread that computes it. The steps are bit for bit those of a run without a viewer.

    Parameters
    ----------
    config : RunConfig
        The run.
    horizon : callable
        Returns the time up to which to compute now [s]; called by the thread.

    Attributes
    ----------
    simulation : Simulation
        The simulation; it belongs to the thread between `start` and `stop`.
    steps : StepBuffer
        The steps so far.
    events : list of Event
        The events so far.
    finished : bool
        Whether the run has ended or failed.
    message : str
        Why it ended or failed; "" before that.
    history : InputHistory
        The values of the inputs so far.
    failure : BaseException or None
        What was raised in the thread.
    on_end : callable or None
        Called once with the result when the run has ended, by the thread if it ends without being stopped.

    Raises
    ------
    ConfigError, ModelError
        As `Simulation` does.
    """

    def __init__(self, config: RunConfig, horizon: Callable[[], float]) -> None:
        self.simulation = Simulation.from_config(config, log_every_step=True)
        self.steps = StepBuffer(self.simulation.tip())
        self.events: list[Event] = []
        self.finished = False
        self.message = ""
        self.failure: BaseException | None = None
        self.on_end: Callable[[Trajectory], None] | None = None
        self._horizon = horizon
        self.history = self.simulation.inputs.history()
        self._requested: dict[str, float] = {}
        self._requests = Lock()
        self._n_read = self._n_final = 0  # chunks that have been read, and events in them
        self._stopping, self._interrupting = Signal(), Signal()
        self._end_reported = False
        self._thread: Thread | None = None
        self._read_new_rows()

    def start(self) -> None:
        """Start computing, or continue after `stop`."""
        self._stopping.clear()
        self._thread = Thread(target=self._compute, name="hybridsim run", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, after the call of the engine in progress; the simulation then belongs to the caller."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        self._change_inputs()
        if self.apply_interrupt():
            self._read_new_rows()
        self._update_finished()

    def request(self, values: Mapping[str, float]) -> None:
        """Change inputs where the run has got to; returns at once. A run that has ended stays as it is."""
        with self._requests:
            self._requested.update(values)

    def _change_inputs(self) -> None:
        """Change the inputs as requested, where the run has got to."""
        with self._requests:
            requested, self._requested = self._requested, {}
        simulation = self.simulation
        if requested and self.failure is None and simulation.status is Status.UNFINISHED:
            try:
                simulation.inputs.update(requested)
            except SimulationError:  # the last step has reached the end
                if simulation.status is Status.UNFINISHED:
                    raise
            self.history = simulation.inputs.history()
            self._read_new_rows()

    def _update_finished(self) -> None:
        self.finished = self.failure is not None or self.simulation.status is not Status.UNFINISHED

    def interrupt(self) -> None:
        """End the run at the time it has reached, with Status.INTERRUPTED; returns at once."""
        self._interrupting.set()

    def apply_interrupt(self) -> bool:
        """End the simulation if `interrupt` has been called, and return that; only for the thread that advances it."""
        if self._interrupting.is_set():
            self.simulation.interrupt()
        return self._interrupting.is_set()

    def _compute(self) -> None:
        try:
            self._advance()
            if self.simulation.status is not Status.UNFINISHED:
                self.message = self.simulation.message
                self.report_end(self.simulation.result())
        except BaseException as failure:  # raised again by the thread that stops this one
            self.failure, self.message = failure, f"{type(failure).__name__}: {failure}"
        self._update_finished()

    def _advance(self) -> None:
        budget, simulation = FIRST_STEP_BUDGET, self.simulation
        while simulation.status is Status.UNFINISHED and not self._stopping.is_set():
            self._change_inputs()
            if self._interrupting.is_set():
                simulation.interrupt()
            elif (horizon := self._horizon()) > simulation.t:
                began = time.perf_counter()
                simulation.advance(horizon, budget)
                if simulation.t < horizon:
                    budget = next_budget(budget, time.perf_counter() - began)
            else:
                self._stopping.wait(POLL_INTERVAL)
                continue
            self._read_new_rows()

    def report_end(self, run: Trajectory) -> None:
        """Call `on_end` with the result, unless that has been done."""
        if self.on_end is not None and not self._end_reported:
            self.on_end(run)
        self._end_reported = True

    def _read_new_rows(self) -> None:
        """Append to `steps` and `events` what the simulation has recorded since the last call."""
        simulation, model = self.simulation, self.simulation.config.model
        chunks, rest = simulation.chunks(self._n_read), simulation.chunks(settled=False)
        self._n_read += len(chunks)
        final = [events for _, events in chunks if events is not None]
        known = [events[events.t <= simulation.t] for _, events in rest if events is not None]
        n_told = len(self.events) - self._n_final
        self._n_final += sum(map(len, final))
        for events in (*final, *known):
            self.events += named_events(events[n_told:], model.boundary_records.names, model.states.names)
            n_told = max(n_told - len(events), 0)
        blocks, unsettled = ([rows for rows, _ in those if rows is not None] for those in (chunks, rest))
        self.steps.add(blocks, simulation.tip(), unsettled)


def next_budget(budget: int, seconds: float) -> int:
    """Return how many steps and events the next call may take, after `budget` of them took so long [s]."""
    if seconds > 2.0 * LIVE_CALL_DURATION:
        return max(budget // 2, 1)
    return min(2 * budget, STEPS_PER_CALL) if seconds < 0.5 * LIVE_CALL_DURATION else budget

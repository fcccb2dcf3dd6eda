"""A run on its way: computed in a thread of its own, a little ahead of whoever looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event as Signal
from threading import Thread

from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.results.events import Event, named_events
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.simulation.drive import CHUNK
from hybridsim.viewer.step_buffer import Tape

SLICE = 0.02
"""Seconds that a call of the engine should take: as long as a window waits at most when it is closed."""

FIRST_BUDGET = 16
POLL = 0.01
"""Seconds between two looks at whether the player has come nearer."""


class Course:
    """One run and the thread that computes it. The steps are those of a run that nobody watches, to the last bit.

    Parameters
    ----------
    config : what to run.
    horizon : asked from the thread, how far to compute now [s].

    Attributes
    ----------
    ended : called once with the result when the run has ended, in the thread if it does so by itself.

    Raises
    ------
    ConfigError, ModelError : as `Simulation` does.
    """

    def __init__(self, config: RunConfig, horizon: Callable[[], float]) -> None:
        self.simulation = Simulation.from_config(config, watched=True)
        self.tape = Tape(self.simulation.tip())
        self.events: list[Event] = []
        self.finished = False
        self.message = ""
        self.failure: BaseException | None = None
        self.ended: Callable[[Trajectory], None] | None = None
        self._horizon = horizon
        self._taken = 0
        self._stopping, self._interrupting = Signal(), Signal()
        self.kept = False
        self._thread: Thread | None = None
        self._take()

    def start(self) -> None:
        """Compute from now on, or again after `stop`."""
        self._stopping.clear()
        self._thread = Thread(target=self._compute, name="hybridsim run", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop computing, within a slice; the simulation then belongs to the caller."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()
        if self._interrupting.is_set():
            self.simulation.interrupt()
            self._take()
        self._see_whether_finished()

    def _see_whether_finished(self) -> None:
        self.finished = self.failure is not None or self.simulation.status is not Status.UNFINISHED

    def interrupt(self) -> None:
        """End the run where it is, with Status.INTERRUPTED; returns at once."""
        self._interrupting.set()

    def _compute(self) -> None:
        try:
            self._advance()
            if self.simulation.status is not Status.UNFINISHED:
                self._end()
        except BaseException as failure:  # whoever stops the thread gets it
            self.failure, self.message = failure, f"{type(failure).__name__}: {failure}"
        self._see_whether_finished()

    def _advance(self) -> None:
        budget, simulation = FIRST_BUDGET, self.simulation
        while simulation.status is Status.UNFINISHED and not self._stopping.is_set():
            if self._interrupting.is_set():
                simulation.interrupt()
            elif (horizon := self._horizon()) > simulation.t:
                began = time.perf_counter()
                simulation.advance(horizon, budget)
                if simulation.t < horizon:
                    budget = next_budget(budget, time.perf_counter() - began)
            else:
                self._stopping.wait(POLL)
                continue
            self._take()

    def _end(self) -> None:
        self.message = self.simulation.message
        self.keep(self.simulation.result())

    def keep(self, run: Trajectory) -> None:
        """Tell who asked for it that the run has ended, once."""
        if self.ended is not None and not self.kept:
            self.ended(run)
        self.kept = True

    def _take(self) -> None:
        """Hand what has been recorded since the last time to whoever looks."""
        simulation = self.simulation
        chunks = simulation.chunks(self._taken)
        self._taken += len(chunks)
        for events in (events for _, events in chunks if events is not None):
            self.events += named_events(events, simulation.config.model.boundary_records.names)
        self.tape.add([rows for rows, _ in chunks if rows is not None], simulation.tip())


def next_budget(budget: int, seconds: float) -> int:
    """How many steps and events to ask for after `budget` of them took so long [s]."""
    if seconds > 2.0 * SLICE:
        return max(budget // 2, 1)
    return min(2 * budget, CHUNK) if seconds < 0.5 * SLICE else budget

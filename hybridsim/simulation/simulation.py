"""A run from Python: validate, pack, drive the engine in chunks, wrap the result."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.engine.entry import connect
from hybridsim.engine.entry import run as run_engine
from hybridsim.engine.events.touches import MAX_TOUCHES
from hybridsim.engine.execution import MAX_CASCADE
from hybridsim.engine.memory import make_log, scalars
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.model import Model
from hybridsim.model.dry_run import refuse_broken
from hybridsim.results.input_history import InputHistory
from hybridsim.results.rows import EventRows, Rows, copy_events, copy_rows, joined, one_row
from hybridsim.results.trajectory import Trajectory, no_such_column
from hybridsim.simulation.inputs import Inputs
from hybridsim.simulation.packing import pack
from hybridsim.simulation.rollback import J, Rewinder, T
from hybridsim.simulation.unpacking import explain, input_places, outputs_at, weights_at, wrap
from hybridsim.typing import FloatArray

CHUNK = 16384
"""Steps and events between two looks of Python: some milliseconds of a small model."""

Chunk = tuple[Rows | None, EventRows | None]

STATUS_OF_CODE = {status.value: status for status in Status}
BAD_START = (Status.OUTSIDE_CHART, Status.LEFT_CHART, Status.NON_FINITE_BOUNDARY, Status.NON_FINITE_STATE)


MAX_RECORDS = 10**8


def refuse_endless_record(config: RunConfig) -> None:
    """A ConfigError for more record times than memory holds."""
    period, final_time = config.record.period, config.final_time
    if period is not None and final_time is not None and (final_time - config.initial_time) / period > MAX_RECORDS:
        raise ConfigError(
            f"record.period: {period!r} s up to final_time = {final_time!r} s makes more than {MAX_RECORDS:,} rows; "
            "expected fewer; choose a longer period"
        )


class Simulation:
    """A run that can be advanced, looked at, and run to its end; looking changes no bit of it.

    Parameters
    ----------
    model : a name, a path to a plug-in file, or a Model.
    keywords : the keys of a config file, those of `engine` without their section: parameters, initial, initial_time,
        final_time (may be left out), stop, method, rtol, atol, first_step, max_step, ..., record.

    Raises
    ------
    ConfigError : bad input, an initial state outside its patch included. ModelError : a model that does not load.
    """

    def __init__(self, model: str | os.PathLike[str] | Model, **keywords: Any) -> None:
        self._begin(config_from_keywords(model, **keywords))

    @classmethod
    def from_config(cls, config: RunConfig, watched: bool = False) -> Simulation:
        """The run that a config file describes (see `load_config`).

        A `watched` one hands out every step through `chunks`, whatever the config records.
        """
        simulation = cls.__new__(cls)
        simulation._begin(config, watched)
        return simulation

    def _begin(self, config: RunConfig, watched: bool = False) -> None:
        refuse_endless_record(config)
        self.config = config
        self._outcome = Status.UNFINISHED
        refuse_broken(config.model)
        self._packed = pack(config)
        model = config.model
        initial = [config.inputs[name] for name in model.inputs.names]
        self.inputs = Inputs(model.inputs, initial, self._packed.problem.p, input_places(model), self._begin_change)
        self._running = False
        self._columns_of: tuple[float, int, int] | None = None
        every_step = config.record.steps or watched
        self._packed.problem.settings["record_steps"] = every_step
        self._now = scalars(self._packed.now)
        n_states = len(config.model.states)
        degree = self._packed.method.extension.shape[1]
        capacity = CHUNK + MAX_CASCADE + MAX_TOUCHES + 64  # no chunk ends between the jumps of one instant
        rows = capacity if every_step else 0
        self._log = make_log(rows, capacity, n_states, len(config.model.boundary_records), degree)
        self._machine = connect(self._packed.problem, self._packed.now, self._packed.work, self._log)
        self._rewinder = Rewinder(self._machine) if model.inputs and not watched else None
        self._chunks: list[Chunk] = []
        self._emptied, self._room = 0, CHUNK + 1
        self._wall_time = 0.0
        self._look = float(self._now.t)
        self.start = (self._look, int(self._now.chart), self._packed.work.x[:n_states].copy())
        self._drive(budget=0)
        self._wall_time = 0.0  # loading the compiled engine is not simulating
        if self.status in BAD_START and self._now.steps == 0 and self._now.transitions == 0:
            raise ConfigError(
                f"{config.model.name}: initial state: {self.message}; start from another state, or with other values"
            )

    def run(self, progress: Callable[[float], None] | None = None) -> Trajectory:
        """Run to the end; `progress(t)` is called every few milliseconds.

        Ctrl-C ends the run with Status.INTERRUPTED and keeps what was computed.
        """
        if self.config.final_time is None and not self.config.stop:
            raise ConfigError(
                "final_time: a run to the end needs one, or a stop; give final_time=... or use advance(t)"
            )
        self._now.t_look = np.inf
        self._packed.problem.settings["record_steps"] = self.config.record.steps  # nobody watches from here on
        self._running = True
        try:
            while self._outcome is Status.UNFINISHED:
                self._drive(CHUNK)
                if progress is not None:
                    progress(float(self._now.t))
        except KeyboardInterrupt:
            self.interrupt()
        finally:
            self._running = False
            self.inputs.settle()
        self._look = float(self._now.t)
        return self.result()

    def interrupt(self) -> None:
        """End the run where it is, with Status.INTERRUPTED, as Ctrl-C does; one that has ended stays as it is."""
        if self._outcome is Status.UNFINISHED:
            self._outcome = Status.INTERRUPTED
        self._look = float(self._now.t)

    def advance(self, t: float, budget: int | None = None) -> None:
        """Advance to time t [s], or to where the run ends before it, or by about `budget` steps and events.

        Raises
        ------
        SimulationError : t lies in the past, or is no finite number.
        """
        if not math.isfinite(t):
            raise SimulationError(f"advance({t!r}): expected a finite time [s]; call run() to run to the end")
        if not t >= self._look:
            raise SimulationError(f"advance({t!r}) goes back: the simulation is at t = {self._look!r}; start a new one")
        if self._rewinder is not None:
            self._advance_to_change(self._rewinder, t, budget)
            return
        self._now.t_look = t
        try:
            while self._outcome is Status.UNFINISHED and self._now.t < t:
                self._drive(CHUNK if budget is None else min(budget, CHUNK))
                if budget is not None:
                    break
        finally:
            self._look = min(float(t), float(self._now.t))

    def _advance_to_change(self, rewinder: Rewinder, t: float, budget: int | None) -> None:
        """The same, such that an input can be changed there: what may go beyond t is made with a way back."""
        if self.inputs.changing and t > self._look:
            self.inputs.settle()
            self._drive(0)
        numbers = rewinder.numbers
        try:
            while self._outcome is Status.UNFINISHED and numbers[T] < t:
                self._drive(rewinder.look_ahead(t, CHUNK if budget is None else min(budget, CHUNK)), rewinder)
                if budget is not None:
                    break
        finally:
            self._look = min(float(t), float(numbers[T]))

    def _begin_change(self) -> tuple[float, int]:
        """Cut the run at `t`, for one or several inputs to change there; returns when that is."""
        rewinder = self._rewinder
        if rewinder is None:
            raise SimulationError("inputs do not change while a run is watched; make a Simulation that nobody watches")
        if self._running:
            raise SimulationError("inputs change between calls: the simulation is running; advance it, and change then")
        if self._outcome is not Status.UNFINISHED and self.status is not Status.UNFINISHED:
            raise SimulationError(f"inputs cannot change any more: the run has ended ({self.message}); start a new one")
        if not rewinder.change_at(self._look):
            self._look = float(self._now.t)
            rewinder.change_at(self._look)
        self._outcome = Status.UNFINISHED
        return self._look, int(rewinder.words[J]) - 1

    def _drive(self, budget: int, rewinder: Rewinder | None = None) -> None:
        """One chunk of the engine, with a way back to where it begins; reads its outcome."""
        if self._room <= budget:
            self._empty()
        self._room -= budget + 1  # a change of inputs adds a row and an event
        if rewinder is not None:
            rewinder.remember()
        began = time.perf_counter()
        code = run_engine(self._machine, budget)
        self._wall_time += time.perf_counter() - began
        limit = self.config.engine.max_wall_time
        if code:
            self._outcome = STATUS_OF_CODE[code]
        elif limit is not None and self._wall_time > limit and budget > 0:
            self._outcome = Status.WALL_TIME

    def _empty(self) -> None:
        """Move what the engine has logged into a chunk, once, wherever Ctrl-C may strike meanwhile."""
        if len(self._chunks) == self._emptied:
            self._chunks.append(self._logged())
        self._now.rows, self._now.events = 0, 0
        self._emptied, self._room = len(self._chunks), CHUNK + 1

    def _logged(self) -> Chunk:
        """A copy of what the engine has logged since its log was emptied."""
        rows, events = int(self._now.rows), int(self._now.events)
        return copy_rows(self._log, rows) if rows else None, copy_events(self._log, events) if events else None

    def _parts(self) -> list[Chunk]:
        """Everything logged; what lies beyond `t` may still be cut by a change of inputs."""
        return [*self._chunks, self._logged()] if len(self._chunks) == self._emptied else self._chunks

    @property
    def history(self) -> InputHistory:
        """What the inputs have been up to `t`."""
        return self.inputs.history()

    @property
    def status(self) -> Status:
        """How the run ended; UNFINISHED until `t` is its end."""
        return self._outcome if self._look == self._now.t else Status.UNFINISHED

    @property
    def message(self) -> str:
        """Why it ended, with the names and numbers of this run."""
        return explain(self, self._packed)

    @property
    def t(self) -> float:
        """The time it has been advanced to [s]."""
        return self._look

    @property
    def x(self) -> FloatArray:
        """The state at `t`, (n_states,)."""
        now, work, n = self._now, self._packed.work, len(self.config.model.states)
        if self._look == now.t:
            return work.x[:n].copy()
        theta = (self._look - now.t_start) / now.step
        q = work.q.reshape(-1, len(work.x))[:, :n]
        rise = q[-1].copy()
        for row in q[-2::-1]:
            rise = row + theta * rise
        result: FloatArray = work.x_start[:n] + theta * rise
        return result

    @property
    def chart(self) -> int:
        return int(self._now.chart if self._look == self._now.t else self._now.chart_start)

    @property
    def adjacent_chart(self) -> int:
        """The second chart of a slide, -1 where the state does not slide."""
        return int(self._now.adjacent_chart if self._look == self._now.t else self._now.adjacent_chart_start)

    @property
    def _surface(self) -> int:
        return int(self._now.surface if self._look == self._now.t else self._now.surface_start)

    @property
    def j(self) -> int:
        """How many jumps there have been up to `t`."""
        return int(self._now.j if self._look == self._now.t else self._now.j_start)

    def __getitem__(self, name: str) -> float:
        """A state, output or input by name, at `t`."""
        model = self.config.model
        if name in model.inputs.names:
            return self.inputs[name]
        if name in model.states.names:
            return float(self._columns()[0][model.states.index(name)])
        if name not in model.output_records.names:
            raise no_such_column(name, model.states, model.output_records, model.inputs)
        return float(self._columns()[1][model.output_records.index(name)])

    def _columns(self) -> tuple[FloatArray, FloatArray]:
        """State and outputs at `t`; evaluated once, however many are asked for."""
        instant = self._look, int(self._now.j), self.inputs.n_changes
        if self._columns_of != instant:
            here = one_row(self.t, self.j, self.chart, self.adjacent_chart, self.x, 0)
            y = outputs_at(self._packed, here, weights_at(self._packed, here, np.array([self._surface])))
            self._columns_of, self._columns_there = instant, (here.x[0], y[0])
        return self._columns_there

    def last_events(self) -> EventRows | None:
        """The last events, some dozens at least if there were as many."""
        parts = [events for _, events in self._parts()[-4:] if events is not None]
        return joined(parts) if parts else None

    def chunks(self, since: int = 0) -> list[tuple[Rows | None, EventRows | None]]:
        """The recorded steps and events so far, in chunks, from the chunk number `since` on.

        Raises
        ------
        SimulationError : a run whose inputs may change, which would take back what has been handed out; watch it.
        """
        if self._rewinder is not None:
            raise SimulationError(
                "chunks: the inputs of this run may change; make it Simulation.from_config(..., watched=True)"
            )
        self._empty()
        return self._chunks[since:]

    def tip(self) -> Rows:
        """The row at `t`, from which nothing steps."""
        degree = self._packed.method.extension.shape[1]
        return one_row(self.t, self.j, self.chart, self.adjacent_chart, self.x, degree)

    def result(self) -> Trajectory:
        """Everything up to `t`, as a Trajectory."""
        parts = self._parts()
        rows = [rows for rows, _ in parts if rows is not None]
        events = [events for _, events in parts if events is not None]
        return wrap(self, self._packed, rows, events, self._wall_time)


def simulate(model: str | os.PathLike[str] | Model, **keywords: Any) -> Trajectory:
    """Run a model to its end: `Simulation(model, **keywords).run()`, see there."""
    return Simulation(model, **keywords).run()

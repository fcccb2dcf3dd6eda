"""A run from Python, in one call or in parts: it is checked, packed, driven in chunks, and unpacked."""

from __future__ import annotations

import math
import os
import weakref
from collections.abc import Callable
from typing import Unpack

from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.config.keywords import RunKeywords
from hybridsim.config.signatures import shows_keywords
from hybridsim.engine.columns import StepTable
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, SimulationError, explains_keywords
from hybridsim.model import Model
from hybridsim.model.dry_run import refuse_broken
from hybridsim.results.events import Events, named_events
from hybridsim.results.run_data import no_such_column
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.drive import Drive
from hybridsim.simulation.evaluation import input_indices, outputs_at, weights_at
from hybridsim.simulation.inputs import Inputs
from hybridsim.simulation.messages import BAD_START_STATUSES, REPETITION_STATUSES, explain
from hybridsim.simulation.multiples import next_multiple
from hybridsim.simulation.packing import pack
from hybridsim.simulation.reduction import reduction_of
from hybridsim.simulation.rollback import J, Rollback
from hybridsim.simulation.run_log import Chunk
from hybridsim.simulation.unpacking import Recording, refuse_endless_record, unpack
from hybridsim.typing import FloatArray


@explains_keywords()
@shows_keywords(RunKeywords)
class Simulation:
    """A run that can be advanced step by step, examined at any time, and run to its end.

    Advancing it in parts, and examining it, changes no bit of the result.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    **keywords
        Keys of a config.

    Attributes
    ----------
    config : RunConfig
        The checked configuration.
    inputs : Inputs
        The inputs by name; setting one changes it from the present time on.
    start : StepTable
        The row where the run began.

    Raises
    ------
    ConfigError
        If a keyword, a name or a value is wrong, or the initial state is outside its chart.
    ModelError
        If the model cannot be loaded.
    """

    def __init__(self, model: str | os.PathLike[str] | Model, **keywords: Unpack[RunKeywords]) -> None:
        self._begin(config_from_keywords(model, **keywords))

    @classmethod
    def from_config(cls, config: RunConfig, log_every_step: bool = False) -> Simulation:
        """Make the run that a config file describes.

        Parameters
        ----------
        config : RunConfig
            The configuration, see `load_config`.
        log_every_step : bool
            Log every step for `chunks`.

        Returns
        -------
        Simulation
            The run, at its beginning.
        """
        simulation = cls.__new__(cls)
        simulation._begin(config, log_every_step)
        return simulation

    def _begin(self, config: RunConfig, log_every_step: bool = False) -> None:
        refuse_endless_record(config)
        refuse_broken(config.model)
        self.config, model = config, config.model
        self._packed = packed = pack(config)
        initial = [config.inputs[name] for name in model.inputs.names]
        self.inputs = Inputs(model.inputs, initial, packed.problem.p, input_indices(model), self._begin_change)
        record = config.record
        self._drive = Drive(packed, record.steps or log_every_step, config.engine.max_wall_time, record.events)
        self._drive.logged.reduction = reduction_of(config, packed, self.inputs.history) if not log_every_step else None
        self._rollback = Rollback(self._drive.machine) if model.inputs else None
        self._log_every_step, self._running = log_every_step, False
        self._finished: Callable[[], Trajectory | None] = lambda: None
        self._evaluated: tuple[tuple[float, int, int], FloatArray, FloatArray] | None = None
        self._look = float(self._drive.engine_state.t)
        self.start = self.tip()
        self._drive.advance(budget=0)
        self._drive.wall_time = 0.0  # loading the compiled engine is not simulating
        state = self._drive.engine_state
        if self.status in BAD_START_STATUSES and state.steps == 0 and state.transitions == 0:
            raise ConfigError(
                f"{model.name}: initial state: {self.message}; start from another state, or with other values"
            )

    def run(
        self, progress: Callable[[float], None] | None = None, on_events: Callable[[Events], None] | None = None
    ) -> Trajectory:
        """Run to the end.

        Ctrl-C ends the run with Status.INTERRUPTED and keeps what has been computed.

        Parameters
        ----------
        progress, on_events : callable, optional
            Called every few milliseconds and after multiples of `progress_period`: with the time [s]; with new events.

        Returns
        -------
        Trajectory
            The whole run.

        Raises
        ------
        ConfigError
            If there is neither a final time nor a stop.
        """
        if self.config.final_time is None and not self.config.stop:
            raise ConfigError("final_time: a run to the end needs one, or a stop; give final_time=..., or advance(t)")
        engine, model = self._drive, self.config.model
        engine.settings["record_steps"] = self.config.record.steps  # `chunks` is not called any more
        engine.logged.thin(self.config.record.period)
        self._running = True
        try:
            while engine.outcome is Status.UNFINISHED:
                engine.engine_state.t_look = next_multiple(engine.engine_state.t, self.config.progress_period)
                engine.advance()
                if on_events is not None and (new := engine.logged.new_events()) is not None:
                    on_events(named_events(new, model.boundary_records.names, model.states.names))
                if progress is not None:
                    progress(float(engine.engine_state.t))
        except KeyboardInterrupt:
            self.interrupt()
        finally:
            self._running = False
            self.inputs.settle()
        self._look = float(engine.engine_state.t)
        engine.logged.finish(self.tip())
        self._finished = weakref.ref(run := self.result())
        return run

    def interrupt(self) -> None:
        """End the run where it is with Status.INTERRUPTED, as Ctrl-C does; a run that has ended stays as it is."""
        if self._drive.outcome is Status.UNFINISHED:
            self._drive.outcome = Status.INTERRUPTED
        self._look = float(self._drive.engine_state.t)

    def advance(self, t: float, budget: int | None = None) -> None:
        """Advance to a time, or to the end of the run if it comes before.

        Parameters
        ----------
        t : float
            Time [s], not before the present one.
        budget : int, optional
            Advance by about this many steps and events at most.

        Raises
        ------
        SimulationError
            If t lies in the past, or is not a finite number.
        """
        if not math.isfinite(t):
            raise SimulationError(f"advance({t!r}): expected a finite time [s]; call run() to run to the end")
        if not t >= self._look:
            raise SimulationError(f"advance({t!r}) goes back: the simulation is at t = {self._look!r}; start a new one")
        if self.inputs.changing and t > self._look:
            self.inputs.settle()
            self._drive.advance(0)
        if self._log_every_step and self._rollback is not None and t > self._drive.engine_state.t:
            self._drive.logged.final_chunks(0)  # no input changes any more within the steps so far
        try:
            self._drive.advance_to(t, budget, self._rollback)
        finally:
            self._look = min(float(t), float(self._drive.engine_state.t))

    def _begin_change(self) -> tuple[float, int]:
        """Cut the run at `t` so that inputs can change there; returns this time [s] and the jump count before it."""
        rollback, engine = self._rollback, self._drive
        assert rollback is not None  # a model without inputs has none that could change
        engine.logged.settle()
        if self._running:
            raise SimulationError("inputs change between calls: the simulation is running; advance it, and change then")
        if self.status is not Status.UNFINISHED:
            raise SimulationError(f"inputs cannot change any more: the run has ended ({self.message}); start a new one")
        while not rollback.change_at(self._look):
            self._look = float(engine.engine_state.t)
        engine.outcome = Status.UNFINISHED
        return self._look, int(rollback.words[J]) - 1

    @property
    def status(self) -> Status:
        """How the run ended; UNFINISHED until `t` is its end."""
        return self._drive.outcome if self._drive.is_at(self._look) else Status.UNFINISHED

    @property
    def message(self) -> str:
        """Why the run ended, with the names and numbers of this run."""
        events = self._drive.logged.last_events() if self.status in REPETITION_STATUSES else None
        return explain(self.status, self.tip(), self.config, self._packed, events)

    @property
    def t(self) -> float:
        """The time that the run has been advanced to [s]."""
        return self._look

    @property
    def x(self) -> FloatArray:
        """The state at `t`, (n_states,)."""
        return self._drive.state(self._look)

    @property
    def chart(self) -> int:
        """The number of the chart at `t`."""
        return self._drive.number("chart", self._look)

    @property
    def adjacent_chart(self) -> int:
        """The number of the second chart while the state slides, else -1."""
        return self._drive.number("adjacent_chart", self._look)

    @property
    def j(self) -> int:
        """The number of jumps up to `t`."""
        return self._drive.number("j", self._look)

    def __getitem__(self, name: str) -> float | FloatArray:
        """Return the value of a state, output or input at `t`; the values of a block."""
        model = self.config.model
        if name in model.inputs.names:
            return self.inputs[name]
        for number, of_table in enumerate((model.states.found, model.output_records.found)):
            if (place := of_table(name)) is not None:
                return value if (value := self._values()[number][place]).ndim else float(value)
        raise no_such_column(name, model.states, model.output_records, model.inputs)

    def _values(self) -> tuple[FloatArray, FloatArray]:
        """State and outputs at `t`; evaluated once for all names."""
        instant = self._look, int(self._drive.engine_state.j), self.inputs.n_changes
        if self._evaluated is None or self._evaluated[0] != instant:
            here, packed = self.tip(), self._packed
            self._evaluated = instant, here.x[0], outputs_at(packed, here, weights_at(packed, here))[0]
        return self._evaluated[1:]

    def chunks(self, since: int = 0, settled: bool = True) -> list[Chunk]:
        """Return the logged steps and events so far, in chunks.

        Parameters
        ----------
        since : int
            Index of the first chunk to return.
        settled : bool
            Return what stays; otherwise the steps and events of which a change of inputs drops what is beyond `t`.

        Returns
        -------
        list of tuple
            For each chunk its StepTable and its EventTable, None where there are none.
        """
        if self._rollback is None:
            return self._drive.logged.final_chunks(since) if settled else []
        if not self._log_every_step:
            raise SimulationError("chunks: inputs may change; use Simulation.from_config(..., log_every_step=True)")
        logged = self._drive.logged
        return logged.final_chunks(since, all_of_it=False) if settled else [logged.unsettled()]

    def tip(self) -> StepTable:
        """Make the row at `t`, from which no step begins.

        Returns
        -------
        StepTable
            One row.
        """
        return self._drive.row(self._look)

    def result(self) -> Trajectory:
        """Make the Trajectory of everything up to `t`.

        Returns
        -------
        Trajectory
            The run so far; what `run` has returned, if that is still there.
        """
        if (run := self._finished()) is not None:
            return run
        chunks = self._drive.logged.chunks()
        recording = Recording(
            config=self.config,
            packed=self._packed,
            start=self.start,
            end=self.tip(),
            steps=[steps for steps, _ in chunks if steps is not None],
            events=[events for _, events in chunks if events is not None],
            tally=self._drive.logged.left_out(self._look),
            status=self.status,
            message=self.message,
            history=self.inputs.history(),
            reduction=self._drive.logged.reduction,
            wall_time=self._drive.wall_time,
        )
        return unpack(recording)


@shows_keywords(RunKeywords)
def simulate(model: str | os.PathLike[str] | Model, **keywords: Unpack[RunKeywords]) -> Trajectory:
    """Run a model to its end.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    **keywords
        Keys of a config.

    Returns
    -------
    Trajectory
        The run.

    Raises
    ------
    ConfigError
        If a keyword, a name or a value is wrong, the initial state is outside its chart, or there is neither a final
        time nor a stop.
    ModelError
        If the model cannot be loaded.
    """
    return Simulation(model, **keywords).run()

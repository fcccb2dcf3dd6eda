"""A run that is shown while it is computed."""

from __future__ import annotations

import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from operator import attrgetter

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.errors import HybridsimError, explains_keywords
from hybridsim.model import Model
from hybridsim.model.scene import Scene
from hybridsim.results.events import Event
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.typing import FloatArray
from hybridsim.viewer.frames import FrameEvaluator
from hybridsim.viewer.hybrid_state import HybridState
from hybridsim.viewer.player import Player
from hybridsim.viewer.run_thread import RunThread
from hybridsim.viewer.source import RunFrame

LEAD_TIME, STEERED_LEAD_TIME = 1.0, 0.1
"""Real time by which the computation is ahead of the time that is shown [s]; and if the model has inputs, which change
where the computation is."""


@explains_keywords()
class Live:
    """A run that is computed by a thread, a little ahead of the player that shows it.

    A fast model waits for the player, and the player waits for a slow model; the window waits for neither. The result
    is bit for bit that of a run without a viewer.

    Parameters
    ----------
    config : RunConfig
        The run.
    reload : callable, optional
        Reads the configuration again and returns it, for `restart`; by default `config` is used again.
    on_start : callable, optional
        Called with each simulation before it is computed, to prepare its files. It returns a function that is called
        once with the result when the run has ended, by the thread if the run ends without being stopped.

    Attributes
    ----------
    restart_count : int
        How often `restart` has succeeded; it may have exchanged model, scene and parameters.

    Raises
    ------
    ConfigError, ModelError
        As `Simulation` does, and if the model has no scene.
    """

    def __init__(
        self,
        config: RunConfig,
        reload: Callable[[], RunConfig] | None = None,
        on_start: Callable[[Simulation], Callable[[Trajectory], None]] | None = None,
    ) -> None:
        self._reload = reload or (lambda: config)
        self._on_start = on_start
        self._player: Player | None = None
        self.restart_count = 0
        self._interrupted = False
        self._inputs: dict[str, float] = {}
        self._unpushed: dict[str, float] = {}
        self._shown, self._interval = (-np.inf, 0.0), 0.0  # the time shown, since when; between pictures [s]
        self._thread, self._evaluator = self._prepare(config)
        self._begin_files(self._thread)
        self._inputs = dict(config.inputs)
        self._thread.start()

    def _prepare(self, config: RunConfig) -> tuple[RunThread, FrameEvaluator]:
        """Do everything that can fail before a run is computed, except for writing files."""
        thread, evaluator = RunThread(config, self._horizon), FrameEvaluator(config)
        evaluator.refuse_broken_scene(thread.steps.state(config.initial_time))
        evaluator.step_back([thread.steps.state(config.initial_time)])
        from hybridsim.viewer.render.shapes import refuse_unreadable  # noqa: PLC0415  (the graphics toolkit is large)

        refuse_unreadable(evaluator.scene)
        return thread, evaluator

    def _begin_files(self, thread: RunThread) -> None:
        if self._on_start is not None:
            thread.on_end = self._on_start(thread.simulation)

    def follow(self, player: Player) -> None:
        """Compute ahead of this player from now on; before the first call, only the initial state is known.

        Parameters
        ----------
        player : Player
            The player.
        """
        self._player = player

    def _horizon(self) -> float:
        player = self._player
        if player is None:
            return -np.inf
        return player.t + player.speed * (self._steered_lead(player) if self._inputs else LEAD_TIME)

    def _steered_lead(self, player: Player) -> float:
        """Return the lead [s] where inputs may change: short, but longer than a picture takes, as drawing delays it."""
        now, (t, since) = time.perf_counter(), self._shown
        if not player.playing:
            self._interval = 0.0
        elif player.t != t and t >= self.begin:
            self._interval = now - since
        if player.t != t or not player.playing:
            self._shown = (player.t, now)
        return min(self._interval + STEERED_LEAD_TIME, LEAD_TIME)

    @property
    def inputs(self) -> Mapping[str, float]:
        """Values of the inputs where the run has got to [their units]."""
        return self._inputs

    def set_inputs(self, values: Mapping[str, float]) -> None:
        """Change inputs where the run has got to, which is recorded; returns at once.

        Parameters
        ----------
        values : mapping of str to float
            New values by name [their units]; those beyond a bound are replaced by it.
        """
        records = self.model.inputs
        bounded = {name: min(max(value, records[name].lower), records[name].upper) for name, value in values.items()}
        self._inputs.update(bounded)
        self._thread.request(bounded)

    def push(self, values: Mapping[str, float]) -> None:
        """Change inputs as `set_inputs` does, until `release`.

        Parameters
        ----------
        values : mapping of str to float
            New values by name [their units]; those beyond a bound are replaced by it.
        """
        self._unpushed = {name: self._inputs[name] for name in values} | self._unpushed
        self.set_inputs(values)

    def release(self) -> None:
        """Give the inputs that are pushed the values that they had before."""
        unpushed, self._unpushed = self._unpushed, {}
        self.set_inputs(unpushed)

    @property
    def name(self) -> str:
        """Name of the run: that of its files, or of its model."""
        config = self.config
        return config.output.base or config.model.name

    @property
    def config(self) -> RunConfig:
        """Configuration of the run."""
        return self._thread.simulation.config

    @property
    def model(self) -> Model:
        """The model."""
        return self.config.model

    @property
    def scene(self) -> Scene:
        """The model's scene."""
        return self._evaluator.scene

    @property
    def p(self) -> FloatArray:
        """Packed parameters."""
        return self._evaluator.p

    @property
    def begin(self) -> float:
        """Time at which the run begins [s]."""
        return self.config.initial_time

    @property
    def end(self) -> float:
        """Time up to which the run has been computed [s]."""
        return self._thread.steps.end

    @property
    def finished(self) -> bool:
        """Whether the run has ended or failed."""
        return self._thread.finished

    @property
    def message(self) -> str:
        """Why the run ended or failed; "" before that."""
        return self._thread.message

    @property
    def events(self) -> Sequence[Event]:
        """The events so far."""
        return self._thread.events

    def frame(self, t: float, before: bool = False) -> RunFrame:
        """Return what there is to show at time `t`, exactly, whatever the run records; see `Source.frame`.

        Parameters
        ----------
        t : float
            Time [s]; times outside the run so far are replaced by its beginning or end.
        before : bool
            At the time of a jump, show the state before the jumps instead of that after them.

        Returns
        -------
        Frame
            State, poses and outputs at that time.
        """
        thread, state = self._thread, self._state(t, before)
        n_past = (bisect_left if before else bisect_right)(thread.events, state.t, key=attrgetter("t"))
        return self._evaluator.frame(state, thread.events[n_past - 1] if n_past else None)

    def shown(self, moments: Sequence[tuple[float, bool]]) -> tuple[FloatArray, FloatArray]:
        """Return poses and outputs at n times; see `Source.shown`.

        Parameters
        ----------
        moments : sequence of (float, bool)
            Times [s], and whether the state before the jumps at that time is meant, instead of that after them.

        Returns
        -------
        poses : (n, n_bodies, 4, 4) array
            Transforms of the bodies [m].
        outputs : (n, n_outputs) array
            All outputs of the model [their units].
        """
        return self._evaluator.shown([*starmap(self._state, moments)])

    def _state(self, t: float, before: bool) -> HybridState:
        thread = self._thread
        state = thread.steps.state(min(max(t, self.begin), thread.steps.end), before)
        self._evaluator.follow_inputs(thread.history)
        return state

    def restart(self) -> None:
        """Read the configuration again and start a new run; the old one is dropped.

        Raises
        ------
        ConfigError, ModelError
            If the configuration or the model has a problem; the old run continues.
        """
        thread, evaluator = self._prepare(self._reload())
        self._exchange_files(thread)
        self._thread, self._evaluator = thread, evaluator
        self._inputs, self._unpushed = dict(self.config.inputs), {}
        self.restart_count += 1
        if self._player is not None:
            self._player.home()  # otherwise the new run would be computed up to the time shown of the old one
        if self._interrupted:
            thread.interrupt()
        thread.start()

    def _exchange_files(self, new: RunThread) -> None:
        """Stop the old run before the files of the new one are begun, since they may have the same names."""
        old = self._thread
        old.stop()
        try:
            self._begin_files(new)
        except HybridsimError:
            if not old.finished:
                old.start()
            raise

    def interrupt(self) -> None:
        """End the run at the time it has reached, with Status.INTERRUPTED, as Ctrl-C does; returns at once.

        If this happens while `restart` prepares a new run, the new run ends at its beginning.
        """
        self._interrupted = True
        self._thread.interrupt()

    def stop(self) -> bool:
        """Stop the thread, within a few hundredths of a second unless a step takes longer.

        Returns
        -------
        bool
            Whether the run has ended.
        """
        self.release()
        self._thread.stop()
        return self._thread.finished

    def finish(self, progress: Callable[[float], None] | None = None) -> Trajectory:
        """Compute the rest of the run in the calling thread, which Ctrl-C and `interrupt` end.

        Parameters
        ----------
        progress : callable, optional
            Called as `progress(t)` every few milliseconds.

        Returns
        -------
        Trajectory
            The run.

        Raises
        ------
        ConfigError
            If the files cannot be written. Unexpected errors of the thread are raised too.
        """
        thread = self._thread
        self.release()
        thread.stop()
        if thread.failure is not None and not isinstance(thread.failure, HybridsimError):
            raise thread.failure
        simulation = thread.simulation

        def report(t: float) -> None:
            thread.apply_interrupt()
            if progress is not None:
                progress(t)

        run = simulation.run(report) if simulation.status is Status.UNFINISHED else simulation.result()
        thread.report_end(run)
        return run

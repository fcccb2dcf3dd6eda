"""A run to look at while it is computed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from hybridsim.config import RunConfig
from hybridsim.engine.status import Status
from hybridsim.errors import HybridsimError
from hybridsim.model import Model
from hybridsim.model.scene import Scene
from hybridsim.results.events import Event
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation import Simulation
from hybridsim.typing import FloatArray
from hybridsim.viewer.frames import Moments
from hybridsim.viewer.run_thread import Course
from hybridsim.viewer.source import Moment

LEAD = 1.0
"""Seconds on the clock by which the computation is ahead of the picture."""


class Watcher(Protocol):
    """Who looks: at which time [s], and how fast it goes on [s/s]. A `Player`."""

    t: float
    speed: float

    def home(self) -> None:
        """Go to the beginning."""


class Live:
    """A source that is computed meanwhile, by a thread that keeps a little ahead of whoever looks.

    A fast model waits for the player; with a slow one the player waits, and the window never does. The result is that
    of a run without a view, bit for bit.

    Parameters
    ----------
    config : what to run.
    reload : reads the configuration again, for `restart`; the same one without it.
    began : called with each run before it is computed, to prepare its files. What it returns is called once with the
        result when the run has come to its end, from the thread if it did so by itself.

    Attributes
    ----------
    generation : how often `restart` has begun anew; model, scene and p may be others then.

    Raises
    ------
    ConfigError, ModelError : as `Simulation` does, or a model without a scene.
    """

    def __init__(
        self,
        config: RunConfig,
        reload: Callable[[], RunConfig] | None = None,
        began: Callable[[Simulation], Callable[[Trajectory], None]] | None = None,
    ) -> None:
        self._reload = reload or (lambda: config)
        self._began = began
        self._watcher: Watcher | None = None
        self.generation = 0
        self._interrupted = False
        self._course, self._moments = self._prepared(config)
        self._begin_files(self._course)
        self._course.start()

    def _prepared(self, config: RunConfig) -> tuple[Course, Moments]:
        """All of a run that can fail before it is computed, but for its files."""
        course, moments = Course(config, self._horizon), Moments(config)
        moments.check(course.tape.at(config.initial_time))
        from hybridsim.viewer.render.shapes import refuse_unreadable  # noqa: PLC0415  (a run waits for no pictures)

        refuse_unreadable(moments.scene)
        return course, moments

    def _begin_files(self, course: Course) -> None:
        if self._began is not None:
            course.ended = self._began(course.simulation)

    def watch(self, watcher: Watcher) -> None:
        """Keep ahead of this player from now on; until then, nothing but the start is computed."""
        self._watcher = watcher

    def _horizon(self) -> float:
        watcher = self._watcher
        return -np.inf if watcher is None else watcher.t + LEAD * watcher.speed

    @property
    def name(self) -> str:
        config = self.config
        return config.output.base or config.model.name

    @property
    def config(self) -> RunConfig:
        return self._course.simulation.config

    @property
    def model(self) -> Model:
        return self.config.model

    @property
    def scene(self) -> Scene:
        return self._moments.scene

    @property
    def p(self) -> FloatArray:
        return self._moments.p

    @property
    def begin(self) -> float:
        return self.config.initial_time

    @property
    def end(self) -> float:
        return self._course.tape.end

    @property
    def finished(self) -> bool:
        return self._course.finished

    @property
    def message(self) -> str:
        return self._course.message

    @property
    def events(self) -> Sequence[Event]:
        return self._course.events

    def moment(self, t: float, before: bool = False) -> Moment:
        """What there is to show at t [s]; see `Source`. Exact, whatever the run records."""
        course = self._course
        place = course.tape.at(min(max(t, self.begin), course.tape.end), before)
        past = (bisect_left if before else bisect_right)(course.events, place.t, key=time_of)
        return self._moments.at(place, course.events[past - 1] if past else None)

    def restart(self) -> None:
        """Read the configuration again and begin anew; the run so far is dropped.

        Raises
        ------
        ConfigError, ModelError : something is wrong with it; the old run goes on.
        """
        course, moments = self._prepared(self._reload())
        self._exchange_files(course)
        self._course, self._moments = course, moments
        self.generation += 1
        if self._watcher is not None:
            self._watcher.home()  # or the run would race to where the last one was looked at
        if self._interrupted:
            course.interrupt()
        course.start()

    def _exchange_files(self, course: Course) -> None:
        """Begin the files of a new run when the old one, whose names they may have, writes no more."""
        old = self._course
        old.stop()
        try:
            self._begin_files(course)
        except HybridsimError:
            if not old.finished:
                old.start()
            raise

    def interrupt(self) -> None:
        """End the run where it is with Status.INTERRUPTED, as Ctrl-C does; returns at once.

        Where it strikes while `restart` prepares another run, that one ends where it begins.
        """
        self._interrupted = True
        self._course.interrupt()

    def leave(self) -> bool:
        """Nobody looks any more: stop the thread, within a slice of its work. Has the run ended?"""
        self._course.stop()
        return self._course.finished

    def finish(self, progress: Callable[[float], None] | None = None) -> Trajectory:
        """Run to the end in this thread, and return the result.

        `progress(t)` is called every few milliseconds; Ctrl-C ends the run with Status.INTERRUPTED and keeps it.

        Raises
        ------
        ConfigError : what writing the files raises. Whatever else has gone wrong in the thread.
        """
        course = self._course
        course.stop()
        if course.failure is not None and not isinstance(course.failure, HybridsimError):
            raise course.failure
        simulation = course.simulation
        run = simulation.run(progress) if simulation.status is Status.UNFINISHED else simulation.result()
        course.keep(run)
        return run


def time_of(event: Event) -> float:
    return event.t

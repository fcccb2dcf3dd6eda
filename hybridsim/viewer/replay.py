"""A finished run as a source: from memory, or from the .h5 file of one."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.results.events import Events
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.rebuild import change_notes, config_of
from hybridsim.viewer.frames import Moments, Place
from hybridsim.viewer.source import Moment


class Replay:
    """A run that is over. Exact at any time if it has every step; else a cubic (Hermite) lies between its rows.

    Parameters
    ----------
    run : a run, or the .h5 file of one.
    model : what to show it with, where it is not the model that the run names.
    name : what to call it; the file's name, or the model's.

    Attributes
    ----------
    notes : what whoever looks should know: the model has changed since, or only some of the states were recorded.

    Raises
    ------
    ConfigError : no such file, one that is no run, a model that is not there, does not fit, or has no scene.
    ModelError : a model whose `poses` fails where the run begins.
    """

    def __init__(
        self,
        run: Trajectory | str | os.PathLike[str],
        model: Model | str | os.PathLike[str] | None = None,
        name: str = "",
    ) -> None:
        file = None if isinstance(run, Trajectory) else Path(run)
        self.run = run if isinstance(run, Trajectory) else load_run(run)
        config = config_of(self.run, model, file, use="view")
        _refuse_stranger(self.run, config.model)
        self.name = name or (file.stem if file else self.run.model_name)
        self.begin, self.end = float(self.run.t[0]), float(self.run.t[-1])
        self._moments = Moments(config, self.end - self.begin or 1.0, self.run.inputs)
        self.model, self.scene, self.p = config.model, self._moments.scene, self._moments.p
        self.notes = (*change_notes(self.run, config.model.sources, use="view"), *_gaps(self.run))
        self._moments.check(self.place(self.begin))

    @property
    def finished(self) -> bool:
        return True

    @property
    def message(self) -> str:
        return self.run.message

    @property
    def events(self) -> Events:
        return self.run.events

    def place(self, t: float, before: bool = False) -> Place:
        """Where the run is at t [s], or at the end of it that is nearer."""
        run, side = self.run, "before" if before else "after"
        t = min(max(t, self.begin), self.end)
        row = int(run.row_at(t, side))
        return Place(
            t,
            int(run.j[row]),
            int(run.chart[row]),
            run.at(t, side),
            int(run.adjacent_chart[row]),
            int(run.surface[row]),
        )

    def moment(self, t: float, before: bool = False) -> Moment:
        place = self.place(t, before)
        past = int(np.searchsorted(self.events.t, place.t, side="left" if before else "right"))
        return self._moments.at(place, self.events[past - 1] if past else None)


def _gaps(run: Trajectory) -> list[str]:
    if run.extension is not None:
        return []
    return [
        f"{len(run.t):,} rows of this run were recorded, not every step: between them the picture follows a cubic; "
        "record.steps: true without a period makes it exact"
    ]


def _refuse_stranger(run: Trajectory, model: Model) -> None:
    """A ConfigError for a model that is not the one this run has been made with."""
    there, here = run.states.names, model.states.names
    if there != here:
        problem = (
            f"the run has the states {', '.join(there)}, and model {model.name!r} has {', '.join(here)}; "
            "give the model that made it, or run the simulation again"
        )
        raise ConfigError([problem, *change_notes(run, model.sources, use="view")])
    last = max(int(run.chart.max()), int(run.adjacent_chart.max()))
    if last >= model.n_charts:
        problem = (
            f"the run has been in chart {last}, and model {model.name!r} has charts 0 to {model.n_charts - 1}; "
            "give the model that made it, or run the simulation again"
        )
        raise ConfigError([problem, *change_notes(run, model.sources, use="view")])

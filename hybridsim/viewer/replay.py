"""A finished run, from memory or from its .h5 file, as a source of frames."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import starmap
from pathlib import Path

import numpy as np

from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model
from hybridsim.results.reading import load_run
from hybridsim.results.trajectory import Trajectory
from hybridsim.simulation.rebuild import change_notes, config_of
from hybridsim.typing import FloatArray, Side
from hybridsim.viewer.frames import FrameEvaluator
from hybridsim.viewer.hybrid_state import HybridState
from hybridsim.viewer.source import RunFrame

PLACES_SEEN = 100
"""Number of times of a run at which a camera that sees the whole of it is made to see the bodies."""


@explains_keywords()
class Replay:
    """A finished run to show.

    Exact at any time if every step was recorded; otherwise a cubic Hermite polynomial interpolates between the rows.

    Parameters
    ----------
    run : Trajectory or path
        A run, or its .h5 file.
    model : Model, str or path, optional
        Model to show the run with, if it is not the one that the run names.
    name : str
        Name of the run in pictures; by default that of the file or of the model.

    Attributes
    ----------
    notes : tuple of str
        What the user should know: the model has changed since the run, or not every step was recorded.

    Raises
    ------
    ConfigError
        If the file does not exist or is not that of a run, or if the model is missing, does not fit the run, or has
        no scene.
    ModelError
        If the model's `poses` fails at the beginning of the run.
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
        _refuse_other_model(self.run, config.model)
        self.name = name or (file.stem if file else self.run.model_name)
        self.begin, self.end, self.finished = float(self.run.t[0]), float(self.run.t[-1]), True
        self.message, self.events = self.run.message, self.run.events
        self._evaluator = FrameEvaluator(config, self.end - self.begin or 1.0, self.run.inputs)
        self.model, self.p = config.model, self._evaluator.p
        self.notes = (*change_notes(self.run, config.model.sources, use="view"), *_interpolation_notes(self.run))
        self._evaluator.refuse_broken_scene(self.state(self.begin))
        self._evaluator.step_back([*map(self.state, np.linspace(self.begin, self.end, PLACES_SEEN).tolist())])
        self.scene = self._evaluator.scene

    def state(self, t: float, before: bool = False) -> HybridState:
        """Return the state at time `t`.

        Parameters
        ----------
        t : float
            Time [s]; times outside the run are replaced by its beginning or end.
        before : bool
            At the time of a jump, return the state before the jumps instead of that after them.

        Returns
        -------
        HybridState
            The state at that time.
        """
        run = self.run
        side: Side = "before" if before else "after"
        t = min(max(t, self.begin), self.end)
        row = int(run.row_at(t, side))
        return HybridState(
            t,
            int(run.j[row]),
            int(run.chart[row]),
            run.at(t, side),
            int(run.adjacent_chart[row]),
            int(run.surface[row]),
        )

    def frame(self, t: float, before: bool = False) -> RunFrame:
        """Return what there is to show at time `t`; see `Source.frame`.

        Parameters
        ----------
        t : float
            Time [s]; times outside the run are replaced by its beginning or end.
        before : bool
            At the time of a jump, show the state before the jumps instead of that after them.

        Returns
        -------
        Frame
            State, poses and outputs at that time.
        """
        state = self.state(t, before)
        n_past = int(np.searchsorted(self.events.t, state.t, side="left" if before else "right"))
        return self._evaluator.frame(state, self.events[n_past - 1] if n_past else None)

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
        return self._evaluator.shown([*starmap(self.state, moments)])


def _interpolation_notes(run: Trajectory) -> list[str]:
    if run.extension is not None:
        return []
    return [
        f"{len(run.t):,} rows of this run were recorded, not every step: a cubic interpolates between them; "
        "record.steps: true without a period makes the picture exact"
    ]


def _refuse_other_model(run: Trajectory, model: Model) -> None:
    """Raise a ConfigError if this model cannot have made the run."""
    in_run, in_model = run.states.names, model.states.names
    last = max(int(run.chart.max()), int(run.adjacent_chart.max()))
    if in_run != in_model:
        problem = f"the run has the states {', '.join(in_run)}, and model {model.name!r} has {', '.join(in_model)}"
    elif last >= model.n_charts:
        problem = f"the run has been in chart {last}, and model {model.name!r} has charts 0 to {model.n_charts - 1}"
    else:
        return
    remedy = "give the model that made it, or run the simulation again"
    raise ConfigError([f"{problem}; {remedy}", *change_notes(run, model.sources, use="view")])

"""`Identification`: parameters and motions that were found, and how far they can be trusted."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridsim.config.identification_config import IdentificationConfig
from hybridsim.config.run_config import RunConfig
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.identification.confirmation import Confirmation, config_at
from hybridsim.identification.ipopt import REASONS, STOPPED
from hybridsim.identification.problem import Problem
from hybridsim.identification.statistics import STRONG_CORRELATION, Statistics
from hybridsim.results.files import replacing
from hybridsim.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXPLAINS = 0.5
"""Least part of the variance of what was measured that the motion has to explain."""

AS_NOISE = 1.5
"""Misfits over their standard deviations up to which what was measured is explained, as where it hardly changes."""

EXACT = 1e-8
"""Part of the variance of what was measured that is no noise."""

REMEDY = "try guess.states=simulate, solver.homotopy=10 or more nodes"
"""What to do where the solver finds nothing."""

WHITE = 3.0
"""Standard deviations from 0 of the correlation of neighbouring misfits beyond which they are not white noise."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundMotion:
    """The motion of a trial.

    Attributes
    ----------
    t : (n,) array
        Times of the nodes [s]; the end of a phase and the beginning of the next one have the same.
    x : (n, n_states) array
        States.
    inputs : (n, n_inputs) array
        The inputs that were free.
    chart, phase : (n,) array
        Numbers of the charts, and of the phases.
    misfits : (m, k) array
        What was measured less what the motion is.
    """

    t: FloatArray
    x: FloatArray
    inputs: FloatArray
    chart: FloatArray
    phase: FloatArray
    misfits: FloatArray


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Identification:
    """What `identify` has found.

    Attributes
    ----------
    config : IdentificationConfig
        What was asked.
    parameters : mapping of str to float
        The free parameters, in their units.
    objective : float
        What was minimised.
    motions : tuple of FoundMotion
        The motion of each trial.
    solved : bool
        Whether the solver was content.
    reason : str
        What it says.
    iterations : int
        How many it took.
    exact : bool
        Whether it used all second derivatives.
    confirmation : Confirmation
        What a simulation says.
    statistics : Statistics or None
        What the data say of the parameters; None without data.
    notes : tuple of str
        Remarks.
    """

    config: IdentificationConfig
    parameters: Mapping[str, float]
    objective: float
    motions: tuple[FoundMotion, ...]
    solved: bool
    reason: str
    iterations: int
    exact: bool
    confirmation: Confirmation
    statistics: Statistics | None
    notes: tuple[str, ...]
    _problem: Problem
    _z: FloatArray

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.9g}" for name, value in self.parameters.items())
        verdict = "confirmed" if self.confirmed else self.why_not
        return f"<Identification of {self.config.model.name}: {values or 'no parameters'}; {verdict}>"

    @property
    def confirmed(self) -> bool:
        """Whether the solver was content, a simulation agrees, and the motion explains the data."""
        return not self.why_not

    @property
    def why_not(self) -> str:
        """Why the result is not to be trusted; "" if it is."""
        if not self.solved:
            return f"not solved: {self.reason}" + (f"; {REMEDY}" if self.reason != REASONS[STOPPED] else "")
        if self.statistics is not None:
            fits, noises = self.statistics.fits, self.statistics.noises
            for name, fit, noise in zip(self.config.measured, fits, noises, strict=True):
                if not (fit >= EXPLAINS or noise <= AS_NOISE):
                    return (
                        f"the motion does not explain the data: {max(fit, 0.0) * 100:.0f} % of the variance of {name}; "
                        "start from a better guess of the states, or with more starts"
                    )
        return self.confirmation.why_not

    @property
    def standard_errors(self) -> dict[str, float]:
        """Standard errors of the free parameters, in their units."""
        errors = self.statistics.standard_errors if self.statistics else np.full(len(self.parameters), np.nan)
        return dict(zip(self.parameters, errors.tolist(), strict=True))

    def run_config(self, trial: int = 0) -> RunConfig:
        """Return the run of a trial with what was found: parameters, initial state, inputs.

        Parameters
        ----------
        trial : int
            The trial, from 0.

        Returns
        -------
        RunConfig
            The run; `Simulation.from_config` runs it.
        """
        return config_at(self._problem, self._problem.paths[trial], self._z)

    def save(self, path: str | os.PathLike[str]) -> FilePath:
        """Write the file of the confirming run, with what was identified: `view`, `plot` and `verify` take it.

        Parameters
        ----------
        path : path
            An .h5 file.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the model cannot be simulated, or the file cannot be written.
        """
        run = self.confirmation.run
        if run is None:
            raise ConfigError(f"{path}: there is no run to be written: {self.why_not}")
        provenance = {**run.provenance, "identification": self._record()}
        dataclasses.replace(run, provenance=provenance).save(path)
        return FilePath(path)

    def _record(self) -> dict[str, Any]:
        """Return what the file has of it, by the names of `results.schema`."""
        n, trials = len(self.parameters), zip(self._problem.paths, self.motions, strict=True)
        return {
            "parameters": (*self.parameters,),
            "values": [*self.parameters.values()],
            "guesses": [free.guess for free in self.config.free.values()],
            "standard_errors": [*self.standard_errors.values()],
            "correlation": self.statistics.correlation if self.statistics else np.full((n, n), np.nan),
            "measured": (*self.config.measured,),
            "inputs": (*self.config.inputs,),
            "notes": self.notes,
            "objective": self.objective,
            "why_not": self.why_not,
            "scheme": self.config.settings.collocation.scheme,
            "config": self.config.settings.model_dump_json(),
            "iterations": self.iterations,
            "trials": len(self.motions),
            "seed": self.config.settings.solver.seed,
            **{
                f"trial_{number}": {
                    **{name: getattr(motion, name) for name in ("t", "x", "inputs", "chart", "misfits")},
                    "samples": path.trial.t,
                    "data": path.trial.data,
                }
                for number, (path, motion) in enumerate(trials)
            },
        }

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Figure:
        """Draw what was measured, the motions, and free inputs.

        Parameters
        ----------
        path : path, optional
            The file of the picture; its suffix (.png, .pdf, .svg) decides the format.
        ax : Axes, or sequence of Axes, optional
            Where to draw, a panel for each measured quantity, or state, and each input; by default a new figure.

        Returns
        -------
        Figure
            The figure, of matplotlib; notebooks show it.
        """
        from hybridsim.plotting.identifications import plot_identification  # noqa: PLC0415  (matplotlib is slow)

        return plot_identification(self._record(), self.config.model, path, ax=ax)

    def save_inputs(self, path: str | os.PathLike[str], trial: int = 0) -> FilePath:
        """Write the inputs that were found as a table that a config reads: `inputs: {force: {file:, column: force}}`.

        Parameters
        ----------
        path : path
            A CSV file.
        trial : int
            The trial.

        Returns
        -------
        Path
            The file.
        """
        motion, names = self.motions[trial], [*self.config.inputs]
        t = motion.t.copy()
        again = np.flatnonzero(np.diff(self.motions[trial].phase))
        t[again] = np.nextafter(np.minimum(t[again], t[again + 1]), -np.inf)  # a phase ends before the next one begins
        rows = zip(t.tolist(), motion.inputs.tolist(), strict=True)
        lines = [",".join(["t", *names]), *(",".join(map(repr, [time, *row])) for time, row in rows)]
        with replacing(FilePath(path)) as temporary:
            temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return FilePath(path)


def notes_of(names: Sequence[str], measured: Sequence[str], found: Statistics, n_samples: int) -> list[str]:
    """Return what a user should know of how well the data determine the parameters."""
    notes = []
    for group in found.undetermined:
        if len(group) == 1:
            notes.append(f"the data do not determine {group[0]}")
        elif group:
            notes.append(f"{', '.join(group[:-1])} and {group[-1]} cannot be told apart by these data")
    lost = {name for group in found.undetermined for name in group}
    for i, first in enumerate(names):
        for j, second in enumerate(names[:i]):
            if not {first, second} & lost and abs(found.correlation[i, j]) > STRONG_CORRELATION:
                shown = f"correlation {found.correlation[i, j]:.3f}"
                notes.append(f"{second} and {first} are hardly told apart by these data: {shown}")
    for name, lag, fit in zip(measured, found.lag_correlation, found.fits, strict=True):
        if 1.0 - fit > EXACT and abs(lag) > WHITE / np.sqrt(n_samples):
            notes.append(
                f"the misfits of {name} are no white noise (neighbours are correlated, {lag:.2f}): the model or the "
                "scheme errs more than the measurement, and standard errors are too small"
            )
    return notes

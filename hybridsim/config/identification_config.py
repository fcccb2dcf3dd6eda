"""The checked configuration of `hybridsim identify`: trials, unknowns and phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybridsim.config.identification_settings import IdentificationSettings
from hybridsim.config.run_config import RunConfig
from hybridsim.model import Model
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Free:
    """An unknown: where the search for it begins, and its bounds.

    Attributes
    ----------
    guess, lower, upper : float
        In the unit of what it is.
    """

    guess: float
    lower: float = -np.inf
    upper: float = np.inf

    @property
    def is_fixed(self) -> bool:
        """Whether it is no unknown after all."""
        return self.lower == self.upper


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """A motion that was measured, or one that is sought.

    Attributes
    ----------
    run : RunConfig
        The run with the guesses, its inputs as in this trial.
    t : (n,) array
        Times of the samples [s]; empty without data.
    data : (n, n_measured) array
        What was measured, not a number where nothing was.
    noise : (n_measured,) array
        Standard deviations, 1 where none are given.
    """

    run: RunConfig
    t: FloatArray
    data: FloatArray
    noise: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class IdentificationConfig:
    """A checked configuration of `hybridsim identify`.

    Attributes
    ----------
    settings : IdentificationSettings
        The keys that have no names of the model.
    trials : tuple of Trial
        The motions, one at least.
    measured : tuple of str
        States and outputs that were measured.
    free, inputs, initial, final, limits : mapping of str to Free
        What is unknown, and bounds along the way, by name.
    duration : Free or None
        Of the motion [s]; None where data say it.
    phases : tuple of (chart, boundary or None, nodes or None, duration or None)
        The phases, as numbers; empty for one, in the chart in which runs begin.
    source : Path or None
        The config file.
    """

    settings: IdentificationSettings
    trials: tuple[Trial, ...]
    measured: tuple[str, ...]
    free: Mapping[str, Free]
    inputs: Mapping[str, Free]
    initial: Mapping[str, Free]
    final: Mapping[str, Free]
    limits: Mapping[str, Free]
    duration: Free | None
    phases: tuple[Phase, ...]
    source: Path | None

    @property
    def model(self) -> Model:
        """The model."""
        return self.trials[0].run.model


Phase = tuple[int, int | None, int | None, Free | None]

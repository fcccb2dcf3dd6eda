"""OptimizationConfig: the checked configuration of an optimisation."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.optimization_settings import OptimizationSettings
from hybridsim.config.run_config import RunConfig
from hybridsim.config.source import number_from
from hybridsim.config.sweep.expressions import Distribution
from hybridsim.config.sweep.sweep_config import SweepConfig
from hybridsim.config.transforms import Transform
from hybridsim.typing import FloatArray

COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
"""How the condition of a stage compares."""

_COMPARISON = re.compile(r"(.+?)(>=|<=|==|=|>|<)(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of two columns, or of a column with a number.

    Attributes
    ----------
    text : str
        As it was written.
    left, right : str or float
        The names of columns, or numbers.
    comparison : str
        A key of `COMPARISONS`.
    """

    text: str
    left: str | float
    comparison: str
    right: str | float

    @classmethod
    def of(cls, text: str) -> Condition | None:
        """Return the condition that a text writes, None if it has no comparison."""
        match = _COMPARISON.fullmatch(text)
        if match is None:
            return None
        left, comparison, right = (part.strip() for part in match.groups())
        sides = [text if (number := number_from(text)) is None else float(number) for text in (left, right)]
        return cls(text, sides[0], comparison, sides[1])

    def holds(self, columns: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
        """Return in which rows it holds, (n,); nowhere where a value is nan."""
        sides = [columns[side] if isinstance(side, str) else side for side in (self.left, self.right)]
        found: NDArray[np.bool_] = COMPARISONS[self.comparison](*sides)
        return found


@dataclass(frozen=True, slots=True)
class Stage:
    """One aim: a column that is minimised, or maximised, until a condition holds.

    Attributes
    ----------
    objective : str
        The name of a column.
    sign : float
        1 to minimise it, -1 to maximise it.
    until : Condition or None
        When it is satisfied; None for the last stage.
    """

    objective: str
    sign: float
    until: Condition | None

    def __str__(self) -> str:
        aim = f"{'minimize' if self.sign > 0 else 'maximize'} {self.objective}"
        return f"{aim} until {self.until.text}" if self.until else aim


@dataclass(frozen=True, slots=True, eq=False)
class SearchStart:
    """Where searches begin: the variables in [0, 1], (n_variables,), and the subspace."""

    variables: FloatArray
    subspace: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OptimizationConfig:
    """A checked configuration, made by `load_optimization_config`, or by `optimize` from its keywords.

    Attributes
    ----------
    settings : OptimizationSettings
        The section `optimize`.
    run : RunConfig
        The run in which what is searched has other values.
    sweeps : tuple of SweepConfig
        Of each subspace (one choice for each key of `structure`), with the keys that are searched there as axes.
    choices : tuple of mapping
        The words that are chosen in each subspace, by key; the subspaces in the order of the products of the pools.
    transforms : tuple of Transform
        Values of what is searched; the variables of a search are theirs, one after the other.
    pools : tuple
        Groups of transforms, by index, of which one is active at a time.
    stages : tuple of Stage
        The aims.
    conditions : mapping of str to Distribution
        What is drawn for each repeated run, by key.
    start : SearchStart or None
        Where searches begin.
    data : mapping
        The section `optimize` and the metrics as plain data, with absolute paths.
    """

    settings: OptimizationSettings
    run: RunConfig
    sweeps: tuple[SweepConfig, ...]
    choices: tuple[Mapping[str, Any], ...]
    transforms: tuple[Transform, ...]
    pools: tuple[tuple[tuple[int, ...], ...], ...]
    stages: tuple[Stage, ...]
    conditions: Mapping[str, Distribution]
    start: SearchStart | None
    data: Mapping[str, Any]

    def active(self, subspace: int) -> tuple[int, ...]:
        """Return the indices of the transforms that are searched in a subspace."""
        groups = np.unravel_index(subspace, [len(pool) for pool in self.pools])
        return tuple(index for pool, group in zip(self.pools, groups, strict=True) for index in pool[int(group)])

    @property
    def n_rows(self) -> int:
        """Runs in a generation of all searches."""
        settings = self.settings
        repeats = settings.repeats.samples if settings.repeats else 1
        return settings.runs * settings.method.population * repeats

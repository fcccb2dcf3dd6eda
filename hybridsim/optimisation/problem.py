"""A problem: what the numbers of a search stand for, and the rank of what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.optimization_config import OptimizationConfig
from hybridsim.config.search_start import number_at
from hybridsim.config.transforms import Transform, in_order
from hybridsim.engine.status import Status
from hybridsim.optimisation.numbers import generator
from hybridsim.optimisation.others import Evolution, RandomSearch
from hybridsim.optimisation.ranks import Ranks
from hybridsim.optimisation.swarm import Migration, Start, Subspaces, Swarm
from hybridsim.typing import FloatArray, IntArray

Columns = dict[str, NDArray[Any]]
"""Values of several settings, (n,) each, by the key of what is set, or by the name of a metric."""

CONDITIONS_SEED = 2**63
"""Added to the seed of an optimisation where the conditions of repeated runs are drawn: no search has this seed."""


MEANT = ("FINAL_TIME", "STOPPED", "LEFT_CHART", "ZENO")
"""Ends of runs that say something of the model: it comes to its end, falls, or comes to rest."""

FAILURES = tuple(name for name in Status.__members__ if name not in MEANT)
"""Other ends: the engine could not go on, and what the run has reached by then is no merit."""


class Problem:
    """What is searched, as the methods and the engine see it.

    Parameters
    ----------
    config : OptimizationConfig
        The optimisation.

    Attributes
    ----------
    subspaces : Subspaces
        The variables, and which are active together.
    n_searches, population : int
        Independent searches, and settings of each in a generation.
    repeats : int
        Runs of each setting.
    n_rows : int
        Runs in a generation of all searches.
    """

    def __init__(self, config: OptimizationConfig) -> None:
        self.config = config
        ends = np.cumsum([0, *(len(transform.keys) for transform in config.transforms)]).tolist()
        self._variables = [tuple(range(*ends[index : index + 2])) for index in range(len(config.transforms))]
        pools = tuple(
            tuple(tuple(v for index in group for v in self._variables[index]) for group in pool)
            for pool in config.pools
        )
        self.subspaces = Subspaces(ends[-1], pools)
        self.n_searches, self.population = config.settings.runs, config.settings.method.population
        self.repeats = config.settings.repeats.samples if config.settings.repeats else 1
        self.n_rows = config.n_rows

    @cached_property
    def seeds(self) -> range:
        """The seed of each search."""
        return range(self.config.settings.seed, self.config.settings.seed + self.n_searches)

    def method(self) -> Swarm | Evolution | RandomSearch:
        """Return the method of search at its beginning.

        Raises
        ------
        ConfigError
            If its package is not installed.
        """
        settings, given = self.config.settings, self.config.start
        method = settings.method
        start = None if given is None else Start(given.variables, settings.spread, given.subspace)
        common = (self.subspaces, self.seeds, method.population)
        if method.name == "random":
            return RandomSearch(*common, start)
        if method.name == "cma":
            return Evolution(*common, start)
        return Swarm(*common, method.generations, Migration(**method.migration.model_dump()), start)

    def values(self, subspace: IntArray, u: FloatArray) -> Columns:
        """Return what the variables u (n, n_variables) of subspaces (n,) stand for, nan where one is not active."""
        found = {key: np.full(len(u), np.nan) for transform in self.config.transforms for key in transform.keys}
        words: Columns = {}
        for number in np.unique(subspace).tolist():
            rows = np.flatnonzero(subspace == number)
            for key, column in self._values_in(number, u[rows]).items():
                found[key][rows] = column
            for key, word in self.config.choices[number].items():
                words.setdefault(key, np.empty(len(u), dtype=object))[rows] = word
        return words | found

    def _values_in(self, subspace: int, u: FloatArray) -> dict[str, FloatArray]:
        found: dict[str, FloatArray] = {}
        for transform in in_order([self.config.transforms[index] for index in self.config.active(subspace)]):
            known = {key: found[key] if key in found else self._held(key, len(u)) for key in transform.needs}
            values = transform.values(u[:, self._variables_of(transform)], known)
            found |= {key: values[:, index] for index, key in enumerate(transform.keys)}
        return found

    def _variables_of(self, transform: Transform) -> tuple[int, ...]:
        return self._variables[self.config.transforms.index(transform)]

    def _held(self, key: str, n: int) -> FloatArray:
        return np.full(n, number_at(self.config.run, key))

    def conditions(self, generation: int) -> Columns:
        """Return the conditions of the repeated runs of a generation, (repeats,) each: the same for all settings."""
        drawn = generator(CONDITIONS_SEED + self.config.settings.seed, generation)
        return {
            key: distribution.values(drawn.random(self.repeats)) for key, distribution in self.config.conditions.items()
        }

    def rank(self, columns: Mapping[str, NDArray[Any]], statuses: NDArray[Any]) -> Ranks:
        """Return the rank of each run, (n,), from the columns that stages name; the worst where the engine failed."""
        n = len(columns[self.config.stages[0].objective])
        stages, values, going_on = np.zeros(n, np.int64), np.full(n, np.inf), np.ones(n, bool)
        for stage in self.config.stages:
            numbers = stage.sign * columns[stage.objective].astype(float)
            values = np.where(going_on, np.where(np.isfinite(numbers), numbers, np.inf), values)
            if stage.until is not None:
                going_on &= stage.until.holds(columns)
                stages += going_on
        failed = np.isin(statuses.astype(str), FAILURES)
        return Ranks(np.where(failed, 0, stages), np.where(failed, np.inf, values))

    def judged(self, runs: Ranks) -> IntArray:
        """Return the run by which each setting is judged, as its repeated runs follow each other."""
        if self.repeats == 1:
            return np.arange(len(runs.values))
        each = runs.reshape(-1, self.repeats)
        worst = self.config.settings.repeats is not None and self.config.settings.repeats.take == "worst"
        place = self.repeats - 1 if worst else self.repeats // 2
        found: IntArray = np.arange(len(each.values)) * self.repeats + each.order()[:, place]
        return found

    def judge(self, runs: Ranks) -> Ranks:
        """Return the rank of each setting from those of its repeated runs, which follow each other."""
        return runs[self.judged(runs)]

"""Searches other than swarms: settings drawn at random, and the covariance matrix adaptation of the package cma."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.optimisation.numbers import draw, generator
from hybridsim.optimisation.ranks import Ranks
from hybridsim.optimisation.swarm import Start, Subspaces
from hybridsim.typing import FloatArray, IntArray

FIRST_STEP = 0.3
"""Standard deviation of the first settings about their centre, in ranges of the variables (Hansen 2023, appendix A)."""

STOPS_BY_VALUE = {
    "tolfun": -1.0,
    "tolfunhist": -1.0,
    "tolfunrel": -1.0,
    "tolstagnation": 10**9,
    "tolflatfitness": 10**9,
}
"""Conditions of cma on values, set so that they never hold: it is told ranks, of which the best is always 0."""


class RandomSearch:
    """Settings drawn anew in each generation, uniformly in each subspace; for the arguments see `Swarm`."""

    def __init__(self, subspaces: Subspaces, seeds: Sequence[int], particles: int, start: Start | None = None) -> None:
        self.subspaces, self.active, self.generation = subspaces, subspaces.active, 0
        self._seeds, self._particles, self._start = seeds, particles, start

    def ask(self) -> tuple[IntArray, FloatArray]:
        """Return what to evaluate, as `Swarm.ask`."""
        n = self.subspaces.n_variables
        drawn = draw(self._seeds, self.generation, lambda numbers: numbers.random((self._particles, n + 1)))
        subspace, x = (len(self.subspaces) * drawn[..., n]).astype(np.int64), drawn[..., :n]
        if self._start is not None:
            x = np.clip(self._start.variables + self._start.spread * (2.0 * x - 1.0), 0.0, 1.0)
            subspace[:] = self._start.subspace
        return subspace, x

    def tell(self, ranks: Ranks) -> None:  # noqa: ARG002  (what was found does not matter)
        """Move to the next generation."""
        self.generation += 1


class Evolution:
    """CMA-ES with restarts, each with twice the population; a larger one is evaluated over several generations.

    The arguments are those of `Swarm`; there is one subspace.
    """

    def __init__(self, subspaces: Subspaces, seeds: Sequence[int], particles: int, start: Start | None = None) -> None:
        self.subspaces, self.active, self.generation = subspaces, subspaces.active, 0
        if subspaces.n_variables < 2:
            raise ConfigError(
                "optimize.method: cma adapts to how ranges depend on each other, and needs two; choose pso"
            )
        self._searches = [_Evolution(subspaces.n_variables, seed, particles, start) for seed in seeds]

    def ask(self) -> tuple[IntArray, FloatArray]:
        """Return what to evaluate, as `Swarm.ask`."""
        x = np.stack([search.ask(self.generation) for search in self._searches])
        return np.zeros(x.shape[:2], np.int64), x

    def tell(self, ranks: Ranks) -> None:
        """Move to the next generation, by the ranks (n_searches, particles) of this one."""
        for number, search in enumerate(self._searches):
            search.tell(ranks[number])
        self.generation += 1


class _Evolution:
    """One search; its random numbers are those of the generation in which they are drawn."""

    def __init__(self, n: int, seed: int, particles: int, start: Start | None) -> None:
        self._n, self._seed, self._particles, self._population = n, seed, particles, particles
        self._numbers = generator(seed, 0)
        self._settings: list[FloatArray] = []
        self._told: list[Ranks] = []
        self._asked = 0
        center = np.full(n, 0.5) if start is None else start.variables
        self._strategy = self._begin(center, FIRST_STEP if start is None else max(start.spread, 1e-6))

    def _begin(self, center: FloatArray, step: float) -> Any:
        try:
            import cma  # noqa: PLC0415  # an extra
        except ModuleNotFoundError:
            raise ConfigError(
                "optimize.method: cma needs the package cma; install it with `pip install hybridsim[optimize]`, or "
                "choose pso"
            ) from None
        options = {"bounds": [0.0, 1.0], "popsize": self._population, "seed": np.nan, "randn": self._normal}
        quiet = {"verbose": -9, "verb_log": 0}
        return cma.CMAEvolutionStrategy(center, step, {**options, **quiet, **STOPS_BY_VALUE})

    def _normal(self, *shape: int) -> FloatArray:
        found: FloatArray = self._numbers.standard_normal(shape)
        return found

    def ask(self, generation: int) -> FloatArray:
        """Return the next settings, (particles, n)."""
        self._numbers = generator(self._seed, generation)
        if not self._settings:
            if self._strategy.stop():
                self._population *= 2
                self._strategy = self._begin(self._numbers.random(self._n), FIRST_STEP)
            self._settings, self._asked = self._strategy.ask(), 0
        first = self._asked
        self._asked += self._particles
        return np.clip(np.array(self._settings[first : self._asked]), 0.0, 1.0)

    def tell(self, ranks: Ranks) -> None:
        self._told.append(ranks)
        if self._asked < len(self._settings):
            return
        places = np.empty(len(self._settings))
        places[Ranks.joined(self._told).order()] = np.arange(len(places))
        self._strategy.tell(self._settings, places)
        self._settings, self._told = [], []

"""Particle swarms: Shi and Eberhart's, and van den Kieboom's, whose particles also choose what they search.

A *pool* has groups of variables of which one is active at a time; a *subspace* is one group of each pool. Particles
search the active variables of their subspace as a swarm does, and migrate between subspaces. With one pool of one
group, this is the plain method.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybridsim.optimisation.numbers import draw
from hybridsim.optimisation.ranks import Ranks
from hybridsim.typing import FloatArray, IntArray

INERTIA, PULL = 0.729, 1.494
"""w, and c1 = c2, of the velocity (Shi and Eberhart 1998, with Clerc and Kennedy's constriction, 2002)."""

MAX_SPEED = 0.6
"""Largest speed of a particle in each direction, in ranges of the variable a generation."""


@dataclass(frozen=True, slots=True)
class Subspaces:
    """All combinations of one group from each pool.

    Attributes
    ----------
    n_variables : int
        Number of variables of all groups.
    pools : tuple
        Each pool: its groups, each with the indices of its variables.
    """

    n_variables: int
    pools: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of groups of each pool."""
        return tuple(len(pool) for pool in self.pools)

    def __len__(self) -> int:
        return math.prod(self.sizes)

    def groups(self, subspace: IntArray) -> IntArray:
        """Return the group in each pool, (..., n_pools), of the subspaces (...)."""
        return np.stack(np.unravel_index(subspace, self.sizes), axis=-1).astype(np.int64)

    def number(self, groups: IntArray) -> IntArray:
        """Return the subspaces (...) with these groups, (..., n_pools)."""
        found: IntArray = np.ravel_multi_index(tuple(np.moveaxis(groups, -1, 0)), self.sizes).astype(np.int64)
        return found

    @property
    def active(self) -> NDArray[np.bool_]:
        """Which variables are active in each subspace, (n_subspaces, n_variables)."""
        found = np.zeros((len(self), self.n_variables), bool)
        for row, groups in zip(found, itertools.product(*self.pools), strict=True):
            for group in groups:
                row[list(group)] = True
        return found


@dataclass(frozen=True, slots=True)
class Migration:
    """How readily particles change a group (van den Kieboom 2014, section 3.4).

    Attributes
    ----------
    explore, own, best : float
        Largest probabilities, in each generation and pool, to move to any other group, to that of the particle's best
        setting, and to that of the best setting of all; together at most 1.
    steady : bool
        Whether they stay at these values. Otherwise the first one falls, the second has a bump and the third rises
        over the generations.
    """

    explore: float = 0.05
    own: float = 0.05
    best: float = 0.1
    steady: bool = False

    def at(self, fraction: float) -> tuple[float, float, float]:
        """Return the three probabilities after a fraction of the generations."""
        if self.steady:
            return self.explore, self.own, self.best
        fall, rise = (1.0 / (1.0 + math.exp(-(fraction - middle) / 0.05)) for middle in (0.4, 0.6))
        bump = math.exp(-(((fraction - 0.5) / 0.15) ** 2))
        return self.explore * (1.0 - fall), self.own * bump, self.best * rise


@dataclass(frozen=True, slots=True)
class Start:
    """Where searches begin, instead of anywhere.

    Attributes
    ----------
    variables : (n_variables,) array
        The setting, in [0, 1]; one particle begins there.
    spread : float
        Largest distance of the other particles from it.
    subspace : int
        Its subspace.
    """

    variables: FloatArray
    spread: float
    subspace: int = 0


class Swarm:
    """Several swarms that search independently, side by side.

    Parameters
    ----------
    subspaces : Subspaces
        What is searched; all variables lie in [0, 1].
    seeds : sequence of int
        The seed of each swarm.
    particles, generations : int
        Particles of each swarm, and generations of the search.
    migration : Migration
        How particles change their subspace.
    start : Start, optional
        Where they begin.
    """

    def __init__(
        self,
        subspaces: Subspaces,
        seeds: Sequence[int],
        particles: int,
        generations: int,
        migration: Migration | None = None,
        start: Start | None = None,
    ) -> None:
        self.subspaces, self.active, self.generation = subspaces, subspaces.active, 0
        self._seeds, self._generations, self._migration = seeds, generations, migration or Migration()
        n, size = subspaces.n_variables, (len(seeds), particles)
        drawn = draw(seeds, 0, lambda numbers: numbers.random((2, particles, n)))
        self.x, self.v = drawn[:, 0], MAX_SPEED * (2.0 * drawn[:, 1] - 1.0)
        dealt = np.arange(particles) % len(subspaces)
        if start is not None:
            around = start.variables + start.spread * (2.0 * self.x - 1.0)
            around[:, 0] = start.variables
            self.x, self.v = np.clip(around, 0.0, 1.0), start.spread * self.v
            dealt[0] = start.subspace
        self.groups = subspaces.groups(np.tile(dealt, (len(seeds), 1)))
        self._best_x = np.zeros((*size, len(subspaces), n))
        self._best = Ranks.unknown((*size, len(subspaces)))

    def ask(self) -> tuple[IntArray, FloatArray]:
        """Return what to evaluate: the subspaces (n_swarms, particles), and the variables (.., .., n_variables)."""
        return self.subspaces.number(self.groups), self.x.copy()

    def tell(self, ranks: Ranks) -> None:
        """Move to the next generation, by the ranks (n_swarms, particles) of this one."""
        self._remember(ranks)
        self.generation += 1
        particles, n = self.x.shape[1:]
        n_pools = len(self.subspaces.pools)
        drawn = draw(self._seeds, self.generation, lambda numbers: numbers.random((particles, 2 * n + n_pools)))
        toward, by_chance = drawn[..., : 2 * n], drawn[..., 2 * n :]
        self._migrate(by_chance)
        self._move(toward[..., :n], toward[..., n:])
        lost = ~np.isfinite(self._best.values).any(axis=(1, 2))
        self.x[lost] = toward[lost, :, :n]  # where nothing has a value yet, it is looked for everywhere

    def _remember(self, ranks: Ranks) -> None:
        """Keep the best setting of each particle in each subspace."""
        here = (*np.indices(ranks.values.shape, sparse=True), self.subspaces.number(self.groups))
        better = ranks.better_than(self._best[here])
        self._best_x[here] = np.where(better[..., None], self.x, self._best_x[here])
        self._best.put(here, self._best[here].replaced(better, ranks))

    def _migrate(self, u: FloatArray) -> None:
        """Let particles change their groups, pool by pool."""
        explore, own, best = self._migration.at(self.generation / self._generations)
        of_own = self.subspaces.groups(self._best.best())
        of_all = self._best.reshape(len(self.x), -1)
        of_best = self.subspaces.groups(of_all.best() % len(self.subspaces))[:, None]
        for pool, size in enumerate(self.subspaces.sizes):
            if size == 1:
                continue
            groups = np.arange(size)
            stays = 1.0 - explore / (size - 1)
            stays = stays * (1.0 - own * (of_own[..., pool, None] == groups))
            stays = stays * (1.0 - best * (of_best[..., pool, None] == groups))
            present = self.groups[..., pool]
            moves = np.where(present[..., None] == groups, 0.0, 1.0 - stays)
            chosen = (np.cumsum(moves, axis=-1) <= u[..., pool, None]).sum(axis=-1)
            self.groups[..., pool] = np.where(chosen < size, chosen, present)

    def _move(self, toward_own: FloatArray, toward_best: FloatArray) -> None:
        """Move the active variables, each with random numbers of its own; mirror what leaves the box."""
        subspace = self.subspaces.number(self.groups)
        swarm, particle = np.ix_(*map(range, subspace.shape))
        leader = self._best.best(axis=1)[swarm, subspace]
        own, best = ((swarm, who, subspace) for who in (particle, leader))
        pull = np.zeros_like(self.x)
        for where, amount in ((own, toward_own), (best, toward_best)):
            known = self._best.stages[where] >= 0
            pull += np.where(known[..., None], PULL * amount * (self._best_x[where] - self.x), 0.0)
        moving = self.active[subspace]
        v = np.clip(INERTIA * self.v + pull, -MAX_SPEED, MAX_SPEED)
        x = self.x + v
        outside = (x < 0.0) | (x > 1.0)
        x = np.clip(np.where(x < 0.0, -x, np.where(x > 1.0, 2.0 - x, x)), 0.0, 1.0)
        self.v = np.where(moving, np.where(outside, -v, v), self.v)
        self.x = np.where(moving, x, self.x)

"""Random numbers that depend on the seed, the search and the generation alone, and on nothing drawn before."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator, Philox

from hybridsim.typing import FloatArray


def generator(seed: int, generation: int) -> Generator:
    """Return the random numbers of one generation of the search with this seed (Philox 4x64-10, Salmon et al. 2011).

    A search is thus a function of its seed and of what was evaluated: it goes on from a table alone.
    """
    return Generator(Philox(key=np.array([seed, generation], np.uint64)))


def draw(seeds: Sequence[int], generation: int, sample: Callable[[Generator], FloatArray]) -> FloatArray:
    """Return a sample of each search, (n_searches, ...)."""
    return np.stack([sample(generator(seed, generation)) for seed in seeds])

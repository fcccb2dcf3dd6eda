"""Who is connected with whom: pairs of a source and a target, numbered within their populations."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hybridsim.errors import ModelError, nearest
from hybridsim.typing import FloatArray, IntArray

COLUMNS_OF_LIST = 3
"""Columns of a file that lists edges: from, to, weight."""


class Complete(NamedTuple):
    """All sources are connected with all targets; if both are the same, but for each with itself."""

    n_sources: int
    n_targets: int
    is_same: bool


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """Pairs of a source and a target.

    Attributes
    ----------
    sources, targets : (n,) array
        Numbers of the nodes within their populations, from 0.
    weights : (n,) array or None
        What a matrix says of each edge: the default of its parameter `weight`.
    complete : Complete or None
        Where each node is connected with all: how many there are. Both arrays are then empty, as they may be large;
        `listed` has them.
    shape : tuple of int or None
        Rows and columns of the matrix that it was: numbers of targets and of sources.
    """

    sources: IntArray
    targets: IntArray
    weights: FloatArray | None = None
    complete: Complete | None = None
    shape: tuple[int, ...] | None = None

    @property
    def T(self) -> Pattern:  # noqa: N802, as of numpy's arrays
        """The same edges the other way round."""
        turned = self.complete and Complete(self.complete.n_targets, self.complete.n_sources, self.complete.is_same)
        return Pattern(self.targets, self.sources, self.weights, turned, self.shape and self.shape[::-1])

    @property
    def listed(self) -> Pattern:
        """The same with all edges as arrays."""
        if self.complete is None:
            return self
        n_sources, n_targets, is_same = self.complete
        targets, sources = np.divmod(np.arange(n_sources * n_targets), n_sources)
        kept = targets != sources if is_same else slice(None)
        return Pattern(sources[kept], targets[kept], None)

    @property
    def n_edges(self) -> int:
        """How many edges there are."""
        if self.complete is None:
            return len(self.sources)
        return (self.complete.n_sources - self.complete.is_same) * self.complete.n_targets


def _pattern(sources: Any, targets: Any, weights: Any = None, complete: Complete | None = None) -> Pattern:
    return Pattern(np.asarray(sources, np.int64), np.asarray(targets, np.int64), weights, complete)


def chain(n: int) -> Pattern:
    """Connect each node with the next: 0 -> 1, 1 -> 2, ...

    Parameters
    ----------
    n : int
        Number of nodes.
    """
    return _pattern(np.arange(n - 1), np.arange(1, n))


def ring(n: int) -> Pattern:
    """Connect each node with the next, and the last with the first.

    Parameters
    ----------
    n : int
        Number of nodes.
    """
    return _pattern(np.arange(n), np.roll(np.arange(n), -1))


def pairs(n: int) -> Pattern:
    """Connect the nodes of two populations one by one: 0 -> 0, 1 -> 1, ...

    Parameters
    ----------
    n : int
        Number of nodes of each.
    """
    return _pattern(np.arange(n), np.arange(n))


def all_pairs(n_sources: int, n_targets: int | None = None) -> Pattern:
    """Connect each node with every other one of its population, or with all of another population.

    Parameters
    ----------
    n_sources : int
        Number of nodes.
    n_targets : int, optional
        Number of nodes of the other population.
    """
    is_same = n_targets is None
    return _pattern((), (), None, Complete(n_sources, n_sources if n_targets is None else n_targets, is_same))


def random_pairs(n_sources: int, degree: int, seed: int, n_targets: int | None = None) -> Pattern:
    """Connect each target with so many different sources, drawn at random; none with itself.

    Parameters
    ----------
    n_sources : int
        Number of nodes.
    degree : int
        Edges that end at each node.
    seed : int
        Of numpy's generator PCG64; the same seed gives the same edges.
    n_targets : int, optional
        Number of nodes of another population.
    """
    n, is_same = (n_sources, True) if n_targets is None else (n_targets, False)
    if not 0 <= degree <= n_sources - is_same:
        raise ModelError(f"degree: expected 0 to {n_sources - is_same}, the number of sources, found {degree}")
    random, targets = np.random.default_rng(seed), np.repeat(np.arange(n), degree)
    sources = random.integers(n_sources - is_same, size=n * degree)
    while True:  # draw again what is there twice
        ranked = np.sort(targets * n_sources + sources)
        doubled = np.flatnonzero(ranked[1:] == ranked[:-1])
        if not len(doubled):
            break
        ranked[doubled] += random.integers(n_sources - is_same, size=len(doubled)) - ranked[doubled] % n_sources
        sources = ranked % n_sources
    return _pattern(sources + (sources >= targets if is_same else 0), targets)


def from_matrix(source: str | os.PathLike[str] | Any) -> Pattern:
    """Connect nodes as a matrix says: its entry in row i and column j is the weight of the edge from j to i.

    Parameters
    ----------
    source : path or array
        A square or rectangular matrix; or a file: .npz of a sparse matrix of scipy's or with one array, .npy, .csv; or
        a .csv with three columns, from, to and weight, below a line with these words.
    """
    if isinstance(source, str | os.PathLike):
        return _read(Path(source))
    matrix = np.atleast_2d(np.asarray(source, float))
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise ModelError(f"expected a matrix of finite numbers, found an array {matrix.shape}; give rows and columns")
    targets, sources = np.nonzero(matrix)
    return dataclasses.replace(_pattern(sources, targets, matrix[targets, sources]), shape=matrix.shape)


def _read(file: Path) -> Pattern:
    if not file.is_file():
        raise ModelError(f"{file}: there is no such file; name a matrix as .csv, .npy or .npz")
    try:
        if file.suffix == ".npz":
            return _from_npz(file)
        if file.suffix == ".npy":
            return from_matrix(np.load(file, allow_pickle=False))
        lines = file.read_text(encoding="utf-8").splitlines()
        words = [word.strip() for word in lines[0].split(",")] if lines else []
        if not any(map(str.strip, lines)):
            raise ModelError(f"{file}: the file is empty; give rows of numbers")
        table = np.loadtxt(lines, delimiter=",", ndmin=2, skiprows=int(words == ["from", "to", "weight"]))
    except (OSError, ValueError, KeyError) as problem:
        forms = "rows of as many numbers with commas, or the columns from,to,weight below a line with these words"
        found = f" ({problem.strerror})" if isinstance(problem, OSError) else ""
        raise ModelError(f"{file}: cannot be read as a matrix{found}; in a .csv give {forms}") from None
    if words != ["from", "to", "weight"]:
        return from_matrix(table)
    if not (table[:, :2] == np.rint(table[:, :2])).all():
        raise ModelError(f"{file}: expected whole numbers of nodes in the columns from and to; correct them")
    return _pattern(table[:, 0], table[:, 1], table[:, 2])


def _from_npz(file: Path) -> Pattern:
    with np.load(file, allow_pickle=False) as found:
        if "format" not in found:
            return from_matrix(found[found.files[0]])
    from scipy.sparse import load_npz  # noqa: PLC0415, it takes a while

    sparse = load_npz(file).tocoo()
    found = _pattern(sparse.col, sparse.row, np.asarray(sparse.data, float))
    return dataclasses.replace(found, shape=sparse.shape)


WORDS: Mapping[str, Callable[[int, int], Pattern]] = {
    "chain": lambda n, _: chain(n),
    "ring": lambda n, _: ring(n),
    "pairs": lambda n, _: pairs(n),
}
"""Patterns of which the numbers of nodes say everything, but for `all`."""


def named_pattern(word: str, n_sources: int, n_targets: int, is_same: bool) -> Pattern:
    """Return the pattern with this name between two populations, of which both may be the same.

    Raises
    ------
    ModelError
        If there is no such pattern, or the populations have different numbers of nodes.
    """
    if word == "all":
        return all_pairs(n_sources, None if is_same else n_targets)
    if word not in WORDS:
        expected = f"expected one of all, {', '.join(WORDS)}, pairs of numbers or a matrix"
        raise ModelError(f"pattern: {expected}, found {word!r}{nearest(word, ('all', *WORDS))}")
    if n_sources != n_targets:
        raise ModelError(f"pattern: {word} is for as many sources as targets, found {n_sources} and {n_targets}")
    if word in ("chain", "ring") and not is_same:
        raise ModelError(f"pattern: {word} connects nodes of one population; use pairs, all or a matrix between two")
    return WORDS[word](n_sources, n_targets)

"""Planar linkages as graphs: how many ways they can move, and all of them that fit a limb.

Bodies are numbers, joints are pins between two of them. A *limb* is a chain of bodies 0, 1, 2 ... with a joint between
each and the next; the *links* of a device worn on it have the numbers behind. What such a graph can do does not depend
on lengths, but for special ones: its mobility is that of the linkage with its joints at random places.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.typing import FloatArray, IntArray

Edges = tuple[tuple[int, int], ...]
"""The joints of a linkage, each as the numbers of its two bodies."""

MAX_GRAPHS = 500_000
"""Most graphs that are enumerated."""

SEED, DRAWS, TOLERANCE = 1, 2, 1e-9
"""How random places are drawn and how often; singular values below this share of the largest are zeros."""


def mobility(n_links: int, n_joints: int) -> int:
    """Return the mobility that the numbers of links and joints promise (Gruebler).

    Parameters
    ----------
    n_links : int
        Number of bodies, with the one that is held.
    n_joints : int
        Number of pins, each between two bodies.

    Returns
    -------
    int
        3 (n_links - 1) - 2 n_joints. The linkage may have more, see `generic_mobility`.
    """
    return 3 * (n_links - 1) - 2 * n_joints


def null_space(rows: ArrayLike, tolerance: float = TOLERANCE) -> FloatArray:
    """Return an orthonormal basis of what rows leave free.

    Parameters
    ----------
    rows : (m, n) array
        Rows A of constraints A u = 0.
    tolerance : float, optional
        Singular values below this share of the largest one count as zeros.

    Returns
    -------
    (n, k) array
        The basis N, with A N = 0; N N^T is the projector I - A^+ A.
    """
    matrix = np.asarray(rows, float)
    _, values, right = np.linalg.svd(matrix)
    rank = int(np.sum(values > tolerance * max(values.max(initial=0.0), 1e-300)))
    basis: FloatArray = right[rank:].T
    return basis


def edges_of(edges: str | Iterable[Sequence[int]]) -> Edges:
    """Return joints given as pairs of numbers, or as a text like "03 14 15".

    Raises
    ------
    ConfigError
        If one is no pair of different bodies.
    """
    try:
        given = [[*map(int, word)] for word in edges.split()] if isinstance(edges, str) else edges
        pairs = tuple((int(first), int(second)) for first, second in given)
    except (TypeError, ValueError):
        raise ConfigError(f"edges: expected pairs of bodies, found {edges!r}; give for example '03 14 15'") from None
    for first, second in pairs:
        if first == second or min(first, second) < 0:
            raise ConfigError(
                f"edges: the joint {first}{second} is not between two bodies; give the numbers of two different ones"
            )
    return pairs


def limb_edges(n_joints: int) -> Edges:
    """Return the joints of a limb: body k - 1 to body k."""
    return tuple((k, k + 1) for k in range(n_joints))


def joint_rows(edges: Edges, places: FloatArray, n_bodies: int) -> FloatArray:
    """Return the rows (2 n_joints, 3 n_bodies) of pins at these places (n_joints, 2).

    Speeds of a body are those of its point at the origin, x and z, and its rate of turning from z to x.
    """
    rows = np.zeros((2 * len(edges), 3 * n_bodies))
    for number, ((first, second), (x, z)) in enumerate(zip(edges, places, strict=True)):
        for body, sign in ((first, 1.0), (second, -1.0)):
            rows[2 * number, [3 * body, 3 * body + 2]] = sign, sign * z
            rows[2 * number + 1, [3 * body + 1, 3 * body + 2]] = sign, -sign * x
    return rows


def _relative_rates(edges: Edges) -> FloatArray:
    """Return the relative rates of all joints (n_joints, k) in the k motions that random places leave.

    Two draws, and the one that leaves less: places at which a linkage moves more are special.
    """
    n_bodies = 1 + max(max(edge) for edge in edges)
    numbers = np.random.default_rng(SEED)
    drawn = [joint_rows(edges, numbers.uniform(-1.0, 1.0, (len(edges), 2)), n_bodies) for _ in range(DRAWS)]
    motions = min(map(null_space, drawn), key=lambda basis: basis.shape[1])
    turning = motions[2::3]
    rates: FloatArray = turning[[second for _, second in edges]] - turning[[first for first, _ in edges]]
    return rates


def _rank(rows: FloatArray) -> int:
    return int(np.linalg.matrix_rank(rows, tol=TOLERANCE))


def generic_mobility(edges: str | Iterable[Sequence[int]]) -> int:
    """Return the mobility of a linkage whose joints are at random places.

    Parameters
    ----------
    edges : str or iterable of pairs
        All joints, as pairs of bodies: "01 12 23 03" is a four-bar linkage.

    Returns
    -------
    int
        Ways in which it can move, besides as a whole.
    """
    return _relative_rates(edges_of(edges)).shape[1] - 3


def moves_freely(edges: Edges, n_limb_joints: int) -> bool:
    """Return whether a limb with these links has all its freedom, and the links have no other."""
    rates = _relative_rates((*limb_edges(n_limb_joints), *edges))
    return rates.shape[1] - 3 == n_limb_joints == _rank(rates[:n_limb_joints])


@explains_keywords()
@dataclass(frozen=True, slots=True)
class Enumeration:
    """The linkages that fit a limb.

    Attributes
    ----------
    edges : tuple
        Joints of the links of each, sorted, without those of the limb.
    counts : mapping of str to int
        How many were left after each condition.
    """

    edges: tuple[Edges, ...]
    counts: Mapping[str, int]


def enumerate_linkages(chain: Sequence[str] = ("hip", "knee"), links: int = 4, joints: int = 6) -> Enumeration:
    """Find all linkages that can be worn on a limb and leave it all its freedom.

    Parameters
    ----------
    chain : sequence of str, optional
        The joints of the limb, in a row.
    links : int, optional
        Number of links of the device.
    joints : int, optional
        Number of its joints, between links and the limb or between links.

    Returns
    -------
    Enumeration
        The linkages, none of which is another one with other numbers of links, and the counts on the way.

    Raises
    ------
    ConfigError
        If the numbers do not leave the limb its mobility, or there are too many graphs.
    """
    n_limb = len(chain) + 1
    if not chain or links < 1 or 3 * links != 2 * joints:
        raise ConfigError(
            f"enumerate_linkages: {links} links and {joints} joints on {len(chain)} joints of a limb have the mobility "
            f"{mobility(n_limb + links, len(chain) + joints)}; the limb keeps its own with 3 joints for every 2 links"
        )
    pairs = [pair for pair in itertools.combinations(range(n_limb + links), 2) if pair[1] >= n_limb]
    n_graphs = math.comb(len(pairs), joints)
    if n_graphs > MAX_GRAPHS:
        raise ConfigError(
            f"enumerate_linkages: {n_graphs:,} graphs of {links} links are more than {MAX_GRAPHS:,}; give fewer links"
        )
    found = [tuple(pairs[k] for k in chosen) for chosen in _different_ones(pairs, links, joints)]
    counts = {"graphs": n_graphs, "up to the numbers of links": len(found)}
    limb = limb_edges(len(chain))
    for name, holds in _conditions(limb, links):
        found = [edges for edges in found if holds(edges)]
        counts[name] = len(found)
    return Enumeration(tuple(found), counts)


def _different_ones(pairs: list[tuple[int, int]], links: int, joints: int) -> list[list[int]]:
    """Return the sets of pairs that differ by more than the numbers of links, sorted: of equal ones the first."""
    numbers, n_limb = {pair: k for k, pair in enumerate(pairs)}, pairs[0][1]
    chosen = np.array([*itertools.combinations(range(len(pairs)), joints)])
    weights = 1 << np.arange(len(pairs) - 1, -1, -1)  # the first in the order of words has the largest sum
    keys = np.zeros(len(chosen), np.int64)
    for order in itertools.permutations(range(n_limb, n_limb + links)):
        renamed = [*range(n_limb), *order]
        table = np.array([numbers[min(a, b), max(a, b)] for a, b in ((renamed[i], renamed[j]) for i, j in pairs)])
        keys = np.maximum(keys, weights[table[chosen]].sum(axis=1))
    return [np.flatnonzero(key & weights).tolist() for key in np.unique(keys)[::-1]]


def _conditions(limb: Edges, links: int) -> Iterator[tuple[str, Callable[[Edges], bool]]]:
    """Yield what a linkage must fulfil, each with the function that finds out."""
    n_limb = len(limb) + 1
    n_bodies = n_limb + links

    def degrees(edges: Edges) -> IntArray:
        return np.bincount(np.ravel(edges), minlength=n_bodies)

    def connected(edges: Edges) -> bool:  # a frame of links alone is, and is left out for its mobility
        together = np.eye(n_bodies, dtype=bool)
        for first, second in (*limb, *edges):
            together[first, second] = together[second, first] = True
        return bool(np.linalg.matrix_power(together.astype(int), n_bodies)[n_limb, n_limb:].all())

    def rates(edges: Edges) -> FloatArray:
        return _relative_rates((*limb, *edges))

    yield "every link in two joints or more", lambda edges: bool((degrees(edges)[n_limb:] >= 2).all())
    yield "every link connected with every other one", connected
    yield "with the mobility of the limb", lambda edges: rates(edges).shape[1] - 3 == len(limb)
    yield "the joints of the limb independent", lambda edges: _rank(rates(edges)[: len(limb)]) == len(limb)
    yield "every body of the limb attached", lambda edges: bool((degrees(edges)[:n_limb] >= 1).all())
    yield "every joint moves", lambda edges: bool((np.linalg.norm(rates(edges), axis=1) > TOLERANCE).all())


def actuator_pairs(edges: str | Iterable[Sequence[int]], n_limb_joints: int = 2) -> tuple[tuple[int, ...], ...]:
    """Find the joints whose actuators move and hold all joints of a limb.

    Parameters
    ----------
    edges : str or iterable of pairs
        Joints of the links, without those of the limb.
    n_limb_joints : int, optional
        How many joints the limb has, and so how many actuators are needed.

    Returns
    -------
    tuple
        Each pair (as many as the limb has joints), counted from 1 in the order of `edges`: nothing moves where they are
        locked.
    """
    joints = edges_of(edges)
    rates = _relative_rates((*limb_edges(n_limb_joints), *joints))
    own, free = rates[n_limb_joints:], rates.shape[1] - 3
    return tuple(
        tuple(k + 1 for k in chosen)
        for chosen in itertools.combinations(range(len(joints)), n_limb_joints)
        if _rank(own[[*chosen]]) == free == n_limb_joints
    )

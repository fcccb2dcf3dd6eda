"""The return map of n strides, on the states that matter.

Some states need no equation, and they are found from the derivatives themselves, which are exact zeros and ones there:

* a state that changes nothing, not even itself in the next stride, follows from the others (a foot's place in flight);
* a state whose change changes nothing but itself, by as much, is a translation (the distance walked);
* a state that each stride leaves as it is, is a parameter (an angle that is held).

Of states that are moved together (`groups`), one need not return either, and the others return relative to it.

What remains are the *free* states, in which the map has to return to where it began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from hybridsim.analysis.groups import Groups, Named
from hybridsim.analysis.section import Symmetry
from hybridsim.analysis.stride import Stride, StrideMap
from hybridsim.errors import ConfigError
from hybridsim.results.rows import slopes
from hybridsim.typing import FloatArray, IntArray

SECTION_RANK_TOLERANCE = 1e-11
"""Singular values of a stride's derivative below this fraction of the largest are zero: those of the section."""

SMALLEST_SIZE = 1e-100
"""States that stay below this are 0: their ratios would overflow."""

REST = 1e-9
"""Part of its size by which a state moves that rests."""

EQUILIBRIUM_SIZE = 1e-3
"""How far an orbit goes at least away from where it begins, in the sizes of the states."""


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """n strides from one state, and their derivatives.

    Attributes
    ----------
    x0 : (n_states,) array
        Where they begin.
    chart0 : int
        The chart there.
    x : (n_states,) array
        Where they end, mapped by the symmetry.
    chart : int
        The chart there.
    duration : float
        Time that they take [s].
    by_state : (n_states, n_states) array
        Derivatives of x.
    duration_by_state : (n_states,) array
        Derivatives of the duration; all are exactly 0 where time ends the strides.
    by_parameter : (n_states, n_parameters) array
        Derivatives of x.
    moved : (n_states,) array
        By how much states have been moved back, those that are translated together, or with time.
    strides : tuple of Stride
        The strides one by one; their states are not mapped.
    shifts : mapping of int to (n_states,) array
        By how much states are moved together with a pivot, by the pivot's index.
    """

    x0: FloatArray
    chart0: int
    x: FloatArray
    chart: int
    duration: float
    by_state: FloatArray
    duration_by_state: FloatArray
    by_parameter: FloatArray
    moved: FloatArray
    strides: tuple[Stride, ...]
    shifts: Mapping[int, FloatArray] = field(default_factory=dict)


class ReturnMap:
    """Makes n strides, each followed by the symmetry.

    Parameters
    ----------
    stride_map : StrideMap
        Makes one stride.
    symmetry : Symmetry
        The image in which a stride ends.
    strides : int
        Their number n.

    Attributes
    ----------
    groups : Groups or None
        Moves back what strides move together, as the config of the stride map names it.
    """

    def __init__(self, stride_map: StrideMap, symmetry: Symmetry, strides: int = 1) -> None:
        self.stride_map, self.symmetry, self.strides = stride_map, symmetry, strides
        assert stride_map.config.orbit is not None
        translated, turned = stride_map.config.orbit.translated, stride_map.config.orbit.turned
        if turned is not None and symmetry != Symmetry():
            raise ConfigError("turned: a stride that ends in its image turns to the other side; give whole periods")
        self.groups = Groups(stride_map, translated, turned) if translated or turned else None
        stride_map.end_at(symmetry.end_of(stride_map.section, stride_map.model))
        self._image, self._charts = symmetry.matrix(stride_map.model), symmetry.chart_images(stride_map.model)

    def with_strides(self, strides: int) -> ReturnMap:
        """Return the map of another number of strides."""
        return ReturnMap(self.stride_map, self.symmetry, strides)

    def with_groups(self, groups: Sequence[Named]) -> ReturnMap:
        """Return the map after which these states, too, are moved back."""
        self.stride_map.translate(groups)
        return ReturnMap(self.stride_map, self.symmetry, self.strides)

    @property
    def pivots(self) -> list[int]:
        """Indices of the states that tell by how much others have been moved with them."""
        return [] if self.groups is None else self.groups.pivots

    def __call__(self, x: FloatArray, chart: int) -> Return:
        """Make n strides.

        Parameters
        ----------
        x : (n_states,) array
            The state where the first begins.
        chart : int
            The chart there.

        Returns
        -------
        Return
            The strides together.

        Raises
        ------
        StrideError
            If one of them does not come back to the section.
        """
        n, k = len(x), len(self.stride_map.varied)
        x0, chart0, duration, moved = x, chart, 0.0, np.zeros(n)
        by_state, by_parameter, duration_by_state = np.eye(n), np.zeros((n, k)), np.zeros(n)
        strides = []
        for _ in range(self.strides):
            stride = self.stride_map.stride(x, chart)
            if self.groups is not None:
                end, begin = stride.x, x
                stride, by = self.groups.back(stride, x)
                if self.groups.turning is None:
                    moved = self._image @ (moved + by)
                else:
                    moved = self.groups.carry(end, begin, begin + moved) - stride.x
            x, chart = self._image @ stride.x, int(self._charts[stride.chart])
            by_parameter = self._image @ (stride.by_state @ by_parameter + stride.by_parameter)
            duration_by_state = duration_by_state + stride.duration_by_state @ by_state
            by_state = self._image @ stride.by_state @ by_state
            duration += stride.duration
            strides.append(stride)
        derivatives = by_state, duration_by_state, by_parameter
        shifts = {} if self.groups is None else self.groups.shifts
        return Return(x0, chart0, x, chart, duration, *derivatives, moved, tuple(strides), shifts)

    def plain(self, x: FloatArray, chart: int) -> tuple[FloatArray, list[Stride]]:
        """Return where n strides end, as `Return.x`, and them, without derivatives; for the rest see `__call__`."""
        strides = []
        for _ in range(self.strides):
            stride = self.stride_map.plain(x, chart)
            stride = stride if self.groups is None else self.groups.back(stride, x)[0]
            x, chart = self._image @ stride.x, int(self._charts[stride.chart])
            strides.append(stride)
        return x, strides

    def in_world(self, x: FloatArray, found: Return) -> FloatArray:
        """Return where a state is, (n_states,), that is moved as the end of strides has to be, which was moved back."""
        if self.groups is None or self.groups.turning is None:
            return np.asarray(x + found.moved)
        return self.groups.carry(x, found.x, found.x + found.moved)

    def places(self, x: FloatArray, chart: int) -> Iterator[tuple[FloatArray, int]]:
        """Make strides without derivatives, one from the other, and yield the state and chart at the end of each.

        For the arguments and errors see `__call__`.
        """
        while True:
            rows = self.stride_map.rows(x, chart)
            x, chart = self._image @ rows.x[-1], int(self._charts[rows.chart[-1]])
            yield x, chart


def rank_of(matrix: FloatArray) -> int:
    """Return the rank of a stride's derivative; 0 if it is not finite."""
    if not np.isfinite(matrix).all():
        return 0
    singular_values = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(singular_values > SECTION_RANK_TOLERANCE * singular_values[0]))


@dataclass(frozen=True, slots=True, eq=False)
class FreeStates:
    """The states in which a return map has to return.

    Attributes
    ----------
    free : (n_free,) int array
        Indices of these states.
    translations : (k,) int array
        Indices of states that a stride translates.
    kept : (l,) int array
        Indices of states that a stride leaves as they are.
    followers : (m,) int array
        Indices of states that follow from the others.
    """

    free: IntArray
    translations: IntArray
    kept: IntArray
    followers: IntArray


def free_states(*by_state: FloatArray) -> FreeStates:
    """Find the free states from derivatives of a return map at several points; see the text of this module.

    At one point alone a derivative may be 0 or 1 by accident, as that of x^2 at 0.
    """
    matrices, left = np.array(by_state), np.arange(len(by_state[0]))
    followers: list[int] = []
    translations: list[int] = []
    kept: list[int] = []
    while True:
        parts = matrices[:, left][:, :, left]
        same = parts == np.eye(len(left))
        found = (
            (followers, ~parts.any(axis=(0, 1))),
            (translations, same.all(axis=(0, 1))),
            (kept, same.all(axis=(0, 2))),
        )
        for into, some in found:
            if some.any():
                into.extend(left[some])
                left = left[~some]
                break
        else:
            break
    arrays = (np.array(sorted(some), np.int64) for some in (left, translations, kept, followers))
    return FreeStates(*arrays)


def sizes_of(found: Return) -> FloatArray:
    """Return the largest size of each state along the strides, (n_states,); 1 for states that stay 0, or underflow.

    That of states that are moved together is how far they go, wherever they are.
    """
    largest = reduce(np.maximum, [np.abs(stride.rows.x).max(axis=0) for stride in found.strides])
    sizes = np.where(largest > SMALLEST_SIZE, largest, 1.0)
    together = [shift != 0.0 for shift in found.shifts.values()]
    return np.where(np.any(together, axis=0), _extents(found, sizes), sizes) if together else sizes


def extents_of(found: Return) -> FloatArray:
    """Return how far each state goes in a stride, (n_states,), and its size where that is more, or where it rests."""
    sizes = sizes_of(found)
    return np.minimum(_extents(found, sizes), sizes)


def _extents(found: Return, sizes: FloatArray) -> FloatArray:
    """Return how far each state goes in a stride, those that are moved together from their pivot; or its size."""
    relative = np.eye(len(sizes))
    for pivot, shift in found.shifts.items():
        relative[pivot] -= shift
        relative[pivot, pivot] = 1.0
    extents = reduce(np.maximum, [np.ptp(stride.rows.x @ relative, axis=0) for stride in found.strides])
    return np.where(extents > REST * sizes, extents, sizes)


def shrinks_to_equilibrium(found: Return, sizes: FloatArray | None = None) -> bool:
    """Return whether a motion that returns is none: an equilibrium, or an orbit too small to be told from one.

    Strides that time ends are motions also where nothing moves, and so are those with events that change something.

    Parameters
    ----------
    found : Return
        Strides that return.
    sizes : (n_states,) array, optional
        Sizes of the states in a motion, which is more than they have in an equilibrium at zero; by default those along
        the strides.
    """
    if not found.duration_by_state.any():
        return False
    least = EQUILIBRIUM_SIZE * (sizes_of(found) if sizes is None else sizes)
    for rows in (stride.rows for stride in found.strides):
        if (np.abs(rows.x - found.x0) > least).any() or (rows.chart != rows.chart[0]).any():
            return False
        jumps, in_a_step = np.flatnonzero(np.diff(rows.j)), slopes(rows)[:-1] * np.diff(rows.t)[:, None]
        if (rows.x[jumps + 1] != rows.x[jumps]).any() or (np.abs(in_a_step) > least).any():
            return False
    return True


def least_rate(found: Return) -> float:
    """Return the least rate with which the strides of an orbit pass the section."""
    return min(abs(stride.rate) for stride in found.strides)


def signature(found: Return) -> tuple[tuple[int, ...], ...]:
    """Return how often each boundary crosses in each stride."""
    counts = []
    for stride in found.strides:
        crossed = [] if stride.events is None else stride.events.crossed.sum(axis=0).tolist()
        counts.append(tuple(crossed))
    return tuple(counts)


def named_states(names: Sequence[str], groups: Sequence[Sequence[str]]) -> FreeStates:
    """Return the indices of states, given the names of the free ones, the translations and those that are kept."""
    others = [name for name in names if not any(name in group for group in groups)]
    return FreeStates(*(np.array([names.index(name) for name in group], np.int64) for group in (*groups, others)))


BIFURCATION_DISTANCE = 1e-8
"""Distance from the unit circle below which a multiplier belongs to a bifurcation: the orbit is not stable."""


FAMILY_DISTANCE = 1e-3
"""Distance from 1 of the multipliers of a family, which may be a double eigenvalue, and as inexact as its root."""


def growth_of(multipliers: FloatArray, family: int) -> float:
    """Return the size of the largest multiplier, without those of a family of this dimension; 0 if there is none."""
    return float(np.abs(without_family(multipliers, family)).max(initial=0.0))


def without_family(multipliers: FloatArray, family: int) -> FloatArray:
    """Return the multipliers without those of a family of this dimension, as many of them as are 1 but for errors."""
    order = np.argsort(np.abs(multipliers - 1.0))
    own = int(np.sum(np.abs(multipliers[order[:family]] - 1.0) < FAMILY_DISTANCE))  # a family may dissolve on the way
    return multipliers[order[own:]]


def is_stable(multipliers: FloatArray, family: int) -> bool:
    """Return whether all multipliers, without those of a family of this dimension, are less than 1 in size."""
    return growth_of(multipliers, family) < 1.0 - BIFURCATION_DISTANCE

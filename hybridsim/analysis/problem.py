"""What has to hold for an orbit, as equations for its free states."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hybridsim.analysis.groups import find_clock, find_translations, null_vectors, reads_time
from hybridsim.analysis.newton import Equations, too_far
from hybridsim.analysis.places import Places
from hybridsim.analysis.return_map import (
    FreeStates,
    Return,
    ReturnMap,
    extents_of,
    free_states,
    rank_of,
    sizes_of,
)
from hybridsim.analysis.rounding import resolved_sizes
from hybridsim.analysis.stride import Stride, StrideError
from hybridsim.errors import ConfigError
from hybridsim.model import Model
from hybridsim.simulation.row_arguments import Given
from hybridsim.typing import FloatArray

FAMILY_SHARE = 1e-3
"""Singular values of A - 1 below this fraction of the largest may be those of a family, where a quantity is fixed: the
derivative A of a return map is as exact as the integration."""

LEAST_SIZE = 1e-6
"""Part of its size at which a state is still measured in its own size: on its way through zero it is not."""

NEARBY_DISTANCE = 1e-3
"""Distance between the two places at which the structure of a return map is looked at, in how far the states go."""


RECORDED = ("x", "x_before", "duration", "rows", "events")
"""What a stride without derivatives has of one."""


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """What has to hold for an orbit: it returns in its free states, and quantities keep the values asked for.

    Attributes
    ----------
    return_map : ReturnMap
        The strides.
    fixed : mapping of str to float
        Values of states and outputs on the section.
    free : FreeStates
        The states that have to return.
    x : (n_states,) array
        The state whose entries other than the free ones are used.
    chart : int
        The chart on the section.
    sizes : (n_free,) array
        Units of the free states: how large each becomes along the motion. In these, no equation depends on the units
        of the model.
    turns : mapping of int to float
        Indices of cyclic states, such as a phase, and their full turn: they return to within whole turns.
    """

    return_map: ReturnMap
    fixed: Mapping[str, float]
    free: FreeStates
    x: FloatArray
    chart: int
    sizes: FloatArray
    turns: Mapping[int, float] = field(default_factory=dict)

    def set_value(self, name: str, value: float) -> None:
        """Give a parameter, or a state that is kept, another value for all strides from now on."""
        names = self.return_map.stride_map.model.states.names
        if name in names:
            self.x[names.index(name)] = value
        else:
            self.return_map.stride_map.set_parameter(name, value)

    def make_strides(self, v: FloatArray) -> Return:
        """Make the strides of a period; the free states are v, in their units."""
        return self.return_map(self._state(v), self.chart)

    def plain_residual(self, v: FloatArray) -> FloatArray:
        """Return the residuals of `equations` without derivatives of strides."""
        x = self._state(v)
        end = self.return_map.plain(x, self.chart)[0]
        miss = self.miss(x, end)[self.free.free] / self.sizes
        return np.concatenate([miss, self._fixed_residual(x)[0]]) if self.fixed else miss

    def _state(self, v: FloatArray) -> FloatArray:
        """Return the state whose free ones are v, in their units."""
        x, given = self.x.copy(), self.x[self.free.free]
        x[self.free.free] = np.where(v == given / self.sizes, given, v * self.sizes)  # the guess itself, to the bit
        return np.asarray(x)

    def settle(self, found: Return) -> Return:
        """Return strides that return, with those states that follow from the others where the strides end.

        Cyclic states are where the strides have left them, and so are states that they set, whatever the free ones
        were: Newton's rounding would be all that is left of a zero.
        """
        found = self._settle_followers(found)
        free, miss, by_free = self.free.free, found.x - found.x0, found.by_state[:, self.free.free]
        ends = [i for i in free if abs(miss[i]) > abs(self.miss(found.x0, found.x)[i])]
        ends += [i for i in free if miss[i] and not by_free[i].any()]
        x = found.x0.copy()
        x[ends] = found.x[ends]
        if by_free[ends].any():
            return self.return_map(x, self.chart)
        return self._beside(found, x) if ends else found

    def _settle_followers(self, found: Return) -> Return:
        """Return the strides with followers where they end, moved back with the translations from which they follow.

        Where a stride begins is a follower of a place, and its mean speed one of both.
        """
        followers, by_state = self.free.followers, found.by_state
        alone = [i for i in self.free.translations if i not in self.return_map.pivots]
        among = np.eye(len(followers)) - by_state[followers][:, followers]
        for _ in followers:  # of those that follow from each other, one more is right each time
            moved = np.linalg.solve(among, by_state[followers][:, alone] @ (found.x - found.x0)[alone])
            x = found.x0.copy()
            x[followers] = found.x[followers] - moved
            if np.allclose(x, found.x0, rtol=1e-14, atol=0.0):
                break
            found = self._beside(found, x)
        return found

    def _beside(self, found: Return, x: FloatArray) -> Return:
        """Return the strides from x, with the derivatives of those found: the difference does not matter."""
        end, strides = self.return_map.plain(x, self.chart)
        new = [{name: getattr(each, name) for name in RECORDED} for each in strides]
        both = tuple(dataclasses.replace(old, **values) for old, values in zip(found.strides, new, strict=True))
        return dataclasses.replace(found, x0=x, x=end, duration=sum(each.duration for each in both), strides=both)

    def miss(self, x: FloatArray, end: FloatArray) -> FloatArray:
        """Return by how much strides that end at `end` miss x, (n_states,), cyclic states to within a full turn."""
        miss = end - x
        for i, turn in self.turns.items():
            miss[i] -= turn * np.round(miss[i] / turn)
        return np.asarray(miss)

    def equations(self, found: Return) -> Equations:
        """Return the residuals and their derivatives by the free states, all in their units."""
        free = self.free.free
        miss = self.miss(found.x0, found.x)[free] / self.sizes
        by_state = found.by_state[free[:, None], free] * self.sizes / self.sizes[:, None] - np.eye(len(free))
        if not self.fixed:
            return Equations(miss, by_state)
        values, gradients = self._fixed_residual(found.x0)
        return Equations(np.concatenate([miss, values]), np.vstack([by_state, gradients]))

    def _fixed_residual(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what the fixed quantities lack, (k,), and its derivatives by the free states, in units of these."""
        values, gradients = self.conditions(x)
        scale = np.abs(gradients * self.sizes).max(axis=1, initial=1e-300)
        return values / scale, gradients * self.sizes / scale[:, None]

    def by_parameter(self, found: Return, parameter: str) -> FloatArray:
        """Return the derivatives of the same residuals by a parameter, or by a state that is kept."""
        model, free = self.return_map.stride_map.model, self.free.free
        _, gradients = self.conditions(found.x0)
        scale = np.abs(gradients * self.sizes).max(axis=1, initial=1e-300)
        derivatives = np.zeros(len(self.fixed))
        for row, name in enumerate(self.fixed):
            if name in model.output_records.names:
                derivatives[row] = self._outputs(found.x0, (parameter,))[1][model.output_records.names.index(name), 0]
        varied = self.return_map.stride_map.varied
        names = model.states.names
        of_map = (
            found.by_parameter[:, varied.index(parameter)]
            if parameter in varied
            else found.by_state[:, names.index(parameter)]
        )
        return np.concatenate([of_map[free] / self.sizes, derivatives / scale])

    def conditions(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what the fixed quantities lack, (k,), and their gradients by the free states, (k, n_free)."""
        model, free = self.return_map.stride_map.model, self.free.free
        values, gradients = np.zeros(len(self.fixed)), np.zeros((len(self.fixed), len(free)))
        for row, (name, wanted) in enumerate(self.fixed.items()):
            value, gradient = self._quantity(model, name, x)
            values[row], gradients[row] = value - wanted, gradient[free]
        return values, gradients

    def sizes_along(self, found: Return) -> FloatArray:
        """Return the sizes of the states along strides, (n_states,); one that has decayed to rounding keeps a size."""
        sizes, free = sizes_of(found), self.free.free
        sizes[free] = np.maximum(sizes[free], LEAST_SIZE * self.sizes)
        return sizes

    def multipliers(self, found: Return) -> FloatArray:
        """Return the multipliers of an orbit, largest first.

        They are the eigenvalues of the derivative of the return map: without those of states that are not free, without
        the zeros of directions that leave the section, and without a 1 for each fixed quantity that chooses an orbit of
        a family, (n,) complex. The others do not depend on which quantity is fixed.
        """
        free = self.free.free
        if not len(free):
            return np.zeros(0, complex)
        sizes = self.sizes_along(found)[free]
        block, units = np.ix_(free, free), sizes / sizes[:, None]
        matrix = found.by_state[block] * units
        zeros = len(free) - min(rank_of(stride.by_state[block] * units) for stride in found.strides)
        values = self._eigenvalues(matrix)
        ordered = values[np.lexsort((-values.imag, -np.round(np.abs(values), 12)))].astype(complex)
        return ordered[: max(len(values) - zeros, 0)]

    def _eigenvalues(self, matrix: FloatArray) -> FloatArray:
        """Return the eigenvalues of a return map, less a 1 for each fixed quantity that chooses an orbit of a family.

        The directions of the family return as they are, so that the map of what is left in the quotient, by the
        complement of these directions, has the other eigenvalues.
        """
        if not self.fixed:
            return np.asarray(np.linalg.eigvals(matrix))
        _, values, directions = np.linalg.svd(matrix - np.eye(len(matrix)))
        chosen = min(len(self.fixed), int(np.sum(values <= FAMILY_SHARE * values[0])))
        across = directions[: len(matrix) - chosen]
        return np.asarray(np.linalg.eigvals(across @ matrix @ across.T))

    def _outputs(self, x: FloatArray, wrt: str | tuple[str, ...]) -> tuple[FloatArray, FloatArray]:
        """Return the outputs at a state on the section, and their derivatives."""
        stride_map = self.return_map.stride_map
        given = Given(None, {"t": stride_map.config.initial_time, "x": x, "chart": self.chart})
        return stride_map.functions.derivatives("outputs", given, wrt)

    def _quantity(self, model: Model, name: str, x: FloatArray) -> tuple[float, FloatArray]:
        if name in model.states.names:
            index = model.states.names.index(name)
            return float(x[index]), np.eye(len(x))[index]
        values, matrix = self._outputs(x, "x")
        index = model.output_records.names.index(name)
        return float(values[index]), matrix[index]


def turns_of(found: Return) -> dict[int, float]:
    """Return the cyclic states that strides have set back, with their full turn."""
    return dict(wrap for stride in found.strides for wrap in stride.wraps)


def first_problem(return_map: ReturnMap, fixed: Mapping[str, float]) -> Problem:
    """Make the problem of a guess: a stride from it tells the chart on the section, and which states are free."""
    stride_map = return_map.stride_map
    x, chart = stride_map.first_state, stride_map.first_chart
    declared = bool(stride_map.config.orbit and stride_map.config.orbit.translated)
    try:
        return_map = return_map if declared else _with_clock(return_map, x, chart)
        found = return_map(x, chart)
        if (
            found.chart != chart or stride_map.section.state is not None
        ):  # the guess is not on the section: its image is
            x, chart = found.x, found.chart
            found = return_map(x, chart)
    except StrideError as problem:
        raise too_far(problem) from None
    free, return_map, found = _structure(return_map, found, declared)
    if not len(free.free) and not len(free.followers):  # every state is an orbit, or none is
        raise ConfigError(f"{stride_map.model.name}: a stride leaves no state to be solved for; choose another section")
    fixed, x = _set_kept(stride_map.model.states.names, fixed, free, x)
    sizes = resolved_sizes(sizes_of(found), return_map.places, found.x0, found.chart0)[free.free]
    return Problem(return_map, fixed, free, x, chart, sizes, turns_of(found))


def _structure(return_map: ReturnMap, found: Return, declared: bool) -> tuple[FreeStates, ReturnMap, Return]:
    """Find out which states have to return; where states are moved together, the map moves them back from now on."""
    matrices, units = [found.by_state], (sizes_of(found), extents_of(found))  # of states that rest, and far away
    if _seems_special(found.by_state, units[0]):
        matrices += _derivatives_nearby(return_map, found)
    free = free_states(*matrices)
    if not declared:
        changed = free.kept[found.x[free.kept] != found.x0[free.kept]]
        states = sorted([*free.free, *free.followers, *changed])
        found_in = (find_translations(return_map.stride_map, found.strides, matrices, u, states) for u in units)
        groups = next(filter(None, found_in), None)
        if groups:
            return_map = return_map.with_groups(groups)
            found = return_map(found.x0, found.chart0)
            free = free_states(found.by_state, *_derivatives_nearby(return_map, found))
    pivots = {*return_map.pivots}
    left, kept = (np.array([i for i in some.tolist() if i not in pivots], np.int64) for some in (free.free, free.kept))
    translations = np.array(sorted({*free.translations.tolist(), *pivots}), np.int64)
    return FreeStates(left, translations, kept, free.followers), return_map, found


def _seems_special(matrix: FloatArray, sizes: FloatArray) -> bool:
    """Return whether at one place some states need not return, or move together: it may be so by accident."""
    n = len(matrix)
    return len(free_states(matrix).free) < n or len(null_vectors([matrix, matrix], sizes, range(n))) > 0


def shifted_nearby(problem: Problem) -> list[dict[str, float]]:
    """Return groups of states that strides move together, as far as their derivatives say."""
    found = problem.make_strides(problem.x[problem.free.free] / problem.sizes)
    matrices = [found.by_state, *_derivatives_nearby(problem.return_map, found)]
    names, states = problem.return_map.stride_map.model.states.names, [int(i) for i in problem.free.free]
    vectors = null_vectors(matrices, sizes_of(found), states)
    return [{names[i]: float(v[i]) for i in np.flatnonzero(v)} for v in vectors if np.count_nonzero(v) > 1]


def _with_clock(return_map: ReturnMap, x: FloatArray, chart: int) -> ReturnMap:
    """Return the map that moves counters of a clock back with time: states that strides only change by constants."""
    stride_map, one = return_map.stride_map, return_map if return_map.strides == 1 else return_map.with_strides(1)
    begin, here, strides, ticking = stride_map.config.initial_time, one(x, chart), list[Stride](), set[int]()
    steady = np.flatnonzero((here.by_state == np.eye(len(x))).all(axis=1))
    if not len(steady) or not reads_time(stride_map, here.strides):
        return return_map
    try:  # in a first stride, to the section, there may be no tick
        for number in range(return_map.strides + 1):
            strides += here.strides
            ticking.update(int(i) for i in steady if here.x[i] != here.x0[i])
            if number < return_map.strides:
                begin += here.duration
                stride_map.begin_at(begin)
                here = one(here.x, here.chart)
    except StrideError:
        pass
    finally:
        stride_map.begin_at(stride_map.config.initial_time)
    clock = find_clock(stride_map, Places.of(strides), sorted(ticking), here.duration) if ticking else []
    return return_map.with_groups(clock) if clock else return_map


def _set_kept(
    names: Sequence[str], fixed: Mapping[str, float], free: FreeStates, x: FloatArray
) -> tuple[Mapping[str, float], FloatArray]:
    """Return what is left to be fixed, and the guess, in which states that strides leave as they are have been set."""
    kept, x = {names[i]: i for i in free.kept}, x.copy()
    for name in {*kept} & {*fixed}:
        x[kept[name]] = fixed[name]
    return {name: value for name, value in fixed.items() if name not in kept}, x


def _derivatives_nearby(return_map: ReturnMap, found: Return) -> list[FloatArray]:
    """Return the derivative of the map at a place near the beginning of the strides, none if it makes no stride."""
    n = len(found.x0)
    unlike = 1.0 + np.sqrt(2.0) * np.arange(n) % 1.0  # no two states move alike
    offsets = NEARBY_DISTANCE * extents_of(found) * unlike
    for factor in (1.0, -1.0, 0.1, -0.1):
        try:
            return [return_map(found.x0 + factor * offsets, found.chart0).by_state]
        except StrideError:
            continue
    return []

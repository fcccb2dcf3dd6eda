"""States that are moved together without a change: a body and its feet, or time and a counter of ticks.

If a motion that is moved along a vector n, x + s n, is a motion for every s, then an orbit returns but for a multiple
of n. One state of the group, its pivot, tells this multiple. After each stride all states are moved back along n until
the pivot is where it was; the others have to return then. Time is a pivot like any other: a model that compares t with
a counter of ticks is the same one a period later, with one tick more.

The vectors are found as null vectors of A - 1 at several places, A the derivative of the return map, or declared. They
are confirmed on the model's functions, as in a linear system all solutions have such vectors, and they are families.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from hybridsim.analysis.places import Places
from hybridsim.analysis.rounding import exact_values
from hybridsim.analysis.stride import Stride, StrideMap
from hybridsim.analysis.turning import Turning, turned_back
from hybridsim.config import RunConfig
from hybridsim.config.orbit_settings import TurnedSettings
from hybridsim.errors import ConfigError
from hybridsim.model import nearest
from hybridsim.simulation.row_arguments import Given
from hybridsim.typing import FloatArray, IntArray

TIME = "t"
"""Name of time in a group."""

SAME_FUNCTIONS = 1e-9
"""Singular values below this fraction of the largest are rounding, and so are changes of functions."""

FINITE_SHIFTS = (0.37, -1.61)
"""By how much states are moved to see whether a function changes, in their sizes: no round fraction of anything."""

PARAMETER_STEP = 1e-3
"""Relative change of a parameter over which the shift of a clock is differentiated, by differences of fourth order."""

Named = Mapping[str, float]
"""By how much the states of a group move together; the first one is the pivot."""


def label(group: Named) -> str:
    """Return what a group is called: "x + fx"."""
    return " + ".join(name if value == 1.0 else f"{value:g} {name}" for name, value in group.items())


def translated_in(config: RunConfig) -> dict[str, Named]:
    """Return the groups that a config names, without that of time, by their pivots."""
    assert config.orbit is not None
    return {next(iter(group)): group for group in config.orbit.translated if TIME not in group}


def displacement_of(
    names: Sequence[str], groups: Mapping[str, Named], moved: FloatArray, translations: IntArray
) -> dict[str, float]:
    """Return by how much translated states are moved, those of groups together: "x" or "x + fx"."""
    return {label(groups.get(names[i], {names[i]: 1.0})): float(moved[i]) for i in translations}


def pivots_of(displacement: Mapping[str, float]) -> tuple[str, ...]:
    """Return the states that are translated, of groups the pivot."""
    return tuple(name.partition(" ")[0] for name in displacement)


def of_states(displacement: Mapping[str, float], groups: Mapping[str, Named]) -> dict[str, float]:
    """Return the displacement of each translated state, those of groups, too."""
    return {
        name: share * value
        for pivot, value in zip(pivots_of(displacement), displacement.values(), strict=True)
        for name, share in groups.get(pivot, {pivot: 1.0}).items()
    }


class Groups:
    """Moves states back after each stride.

    Parameters
    ----------
    stride_map : StrideMap
        Makes the strides.
    translated : sequence of mapping
        The groups; in one with `t`, the shifts of the others follow from the model.
    turned : TurnedSettings or None
        States that are turned together.

    Attributes
    ----------
    clock : list of int
        Indices of states that are moved together with time.

    Raises
    ------
    ConfigError
        If the model has no such state.
    """

    def __init__(self, stride_map: StrideMap, translated: Sequence[Named], turned: TurnedSettings | None) -> None:
        self._stride_map, names = stride_map, stride_map.model.states.names
        self.turning = None if turned is None else Turning.of(turned, stride_map.model.name, names)
        for name in (name for group in translated for name in group):
            if name != TIME and name not in names:
                raise ConfigError(f"translated: {stride_map.model.name} has no state {name!r}{nearest(name, names)}")
        self.shifts: dict[int, FloatArray] = {}
        self._translated = [group for group in translated if TIME not in group]
        for group in self._translated:
            pivot = names.index(next(iter(group)))
            self.shifts[pivot] = np.array([group.get(name, 0.0) for name in names]) / group[names[pivot]]
        others = [name for group in self._translated for name in [*group][1:]]
        if len(self.shifts) < len(self._translated) or any(names.index(name) in self.shifts for name in others):
            raise ConfigError("translated: the first state of each group tells its way, and belongs to no other group")
        clocks = {name for group in translated if TIME in group for name in group}
        self.clock = [i for i, name in enumerate(names) if name in clocks]
        self._places: Places | None = None
        self._shift_of: dict[bytes, FloatArray] = {}
        self._shifts_of: tuple[bytes, FloatArray] = b"", np.empty(0)

    def __str__(self) -> str:
        turned = [] if self.turning is None else [f"{self._stride_map.model.states.names[self.turning.heading]} turned"]
        return ", ".join([*map(label, self._translated), *turned])

    @property
    def pivots(self) -> list[int]:
        """Indices of the states that tell by how much their groups have moved."""
        return [*self.shifts] if self.turning is None else [*self.shifts, self.turning.heading]

    def back(self, stride: Stride, x0: FloatArray) -> tuple[Stride, FloatArray]:
        """Move the end of a stride back.

        Parameters
        ----------
        stride : Stride
            The stride.
        x0 : (n_states,) array
            Where it begins.

        Returns
        -------
        Stride
            The stride with its end, and the derivatives of it, moved back.
        (n_states,) array
            By how much the states have been moved.
        """
        end, moved, here = stride.x, np.zeros(len(x0)), np.eye(len(x0))[:, : len(stride.duration_by_state)]
        stride = stride if self.turning is None else turned_back(stride, x0, self.turning)
        by_state, by_parameter = stride.by_state, stride.by_parameter
        if self.clock:
            shift = self.shift_with_time(stride)
            moved += shift * stride.duration
            by_state = by_state - np.outer(shift, stride.duration_by_state)
            by_parameter = by_parameter - np.outer(shift, stride.duration_by_parameter)
            if by_parameter.size:
                by_parameter -= self._shift_by_parameters(shift) * stride.duration
        for pivot, shift in self.shifts.items():
            moved += shift * (stride.x[pivot] - x0[pivot])
            by_state = by_state - np.outer(shift, by_state[pivot] - here[pivot])
            by_parameter = by_parameter - np.outer(shift, by_parameter[pivot])
        x = stride.x - moved
        x[self.pivots] = x0[self.pivots]
        before, moved = stride.x_before - moved, moved if self.turning is None else end - x
        return dataclasses.replace(stride, x=x, x_before=before, by_state=by_state, by_parameter=by_parameter), moved

    def carry(self, x: FloatArray, begin: FloatArray, world: FloatArray) -> FloatArray:
        """Return where the end x of a stride is in the world, if `begin`, where it began, is at `world` there."""
        return np.asarray(x + (world - begin)) if self.turning is None else self.turning.carry(x, begin, world)

    def across(self, deviations: FloatArray) -> FloatArray:
        """Return deviations of states, (n, n_states), less those along groups; counters of a clock do not count."""
        if self.turning is not None:
            raise ConfigError("turned: a basin is not computed of a motion that turns; let states be relative to it")
        for pivot, shift in self.shifts.items():
            deviations = deviations - np.outer(deviations[:, pivot], shift)
        deviations[:, self.clock] = 0.0
        return deviations

    def shift_with_time(self, stride: Stride) -> FloatArray:
        """Return by how much states move with time, (n_states,) [state unit/s]."""
        stride_map, key = self._stride_map, self._stride_map.functions.p.tobytes()
        self._places = self._places or Places.of([stride]).few()
        if key not in self._shift_of:
            shift = shift_with_time(stride_map, self._places, self.clock)
            if shift is None:
                names = [stride_map.model.states.names[i] for i in self.clock]
                raise ConfigError(f"translated: t and {', '.join(names)} moved together change {stride_map.model.name}")
            self._shift_of = {key: shift}
        return self._shift_of[key]

    def _shift_by_parameters(self, shift: FloatArray) -> FloatArray:
        """Return the derivatives of this by the parameters that vary, (n_states, n)."""
        stride_map, places, p = self._stride_map, self._places, self._stride_map.functions.p
        assert places is not None
        if p.tobytes() != self._shifts_of[0]:
            by_p = np.zeros((len(shift), len(stride_map.varied)))
            for column, name in enumerate(stride_map.varied):
                i = stride_map.model.p_indices[name]
                value, step = p[i], PARAMETER_STEP * (abs(p[i]) or 1.0)
                for weight, at in ((8.0, 1.0), (-8.0, -1.0), (-1.0, 2.0), (1.0, -2.0)):
                    p[i] = value + at * step
                    there = shift_with_time(stride_map, places, self.clock)
                    by_p[:, column] += weight * (shift if there is None else there) / (12.0 * step)
                p[i] = value
            self._shifts_of = p.tobytes(), by_p
        return self._shifts_of[1]


def shift_with_time(stride_map: StrideMap, places: Places, states: Sequence[int]) -> FloatArray | None:
    """Return by how much these states move with time, per second, so that nothing changes; None if they cannot."""
    names, x, t = stride_map.model.states.names, places.rows.arrays["x"], places.rows.arrays["t"]
    units, rows = _power_of_two(np.append(np.ptp(t), np.abs(x[:, states]).max(axis=0))), []
    for function, given in places.of_functions(stride_map).items():

        def slopes(places: Given, function: str = function) -> FloatArray:
            _, jacobian = stride_map.functions.derivatives(function, places, (TIME, *(names[i] for i in states)))
            if function == "transition":  # what it writes moves along
                jacobian[:, states, 1 + np.arange(len(states))] -= 1.0
            return jacobian

        jacobian, exact = exact_values(slopes, given)
        jacobian = np.where(exact, jacobian, 0.0) * units
        rows.append((jacobian / _power_of_two(np.abs(jacobian).max(axis=(0, 2)))[:, None]).reshape(-1, len(units)))
    solved, shift, used = np.concatenate(rows), np.zeros(len(names)), list[tuple[FloatArray, int]]()
    for _ in states:  # by elimination: of a single counter the shift is a quotient, whatever the rows
        row, column = divmod(int(np.argmax(np.abs(solved[:, 1:]))), len(states))
        if abs(solved[row, 1 + column]) <= SAME_FUNCTIONS:
            break
        pivot = solved[row] / solved[row, 1 + column]
        solved = solved - np.outer(solved[:, 1 + column], pivot)
        used = [(each - each[1 + column] * pivot, at) for each, at in used] + [(pivot, int(column))]
    for pivot, column in used:
        shift[states[column]] = -pivot[0] * units[1 + column] / units[0]
    return shift if shift.any() and np.abs(solved[:, 0]).max() <= SAME_FUNCTIONS else None


def _power_of_two(sizes: FloatArray) -> FloatArray:
    """Return the powers of two near sizes, by which numbers are divided without rounding; 1 for 0."""
    return np.asarray(np.exp2(np.round(np.log2(np.where(sizes > 0.0, sizes, 1.0)))))


def _values_of(stride_map: StrideMap, function: str, given: Given) -> FloatArray:
    return stride_map.functions.values(function, given)[0]


def changes_nothing(stride_map: StrideMap, places: Places, shift: FloatArray, of_time: float) -> bool:
    """Return whether the model's functions are the same where states, and time, are moved."""
    for function, given in places.of_functions(stride_map).items():
        moved = Given(given.n, {**given.arrays, "x": given.arrays["x"] + shift, "t": given.arrays["t"] + of_time})
        (_, chart), (there, other) = (stride_map.functions.values(function, each) for each in (given, moved))
        here, known = exact_values(partial(_values_of, stride_map, function), given)
        by = shift if function == "transition" else 0.0
        here, there = (np.where(known, values, 0.0) for values in (here, there - by))
        rounding = SAME_FUNCTIONS * (np.abs(here).max(axis=0, initial=0.0) + np.abs(by))
        if (np.abs(there - here) > rounding).any() or not np.array_equal(chart, other):
            return False
    return True


def find_translations(
    stride_map: StrideMap,
    strides: Sequence[Stride],
    matrices: Sequence[FloatArray],
    sizes: FloatArray,
    states: Sequence[int],
) -> list[Named]:
    """Find the groups of states that are moved together without a change.

    Parameters
    ----------
    stride_map : StrideMap
        Makes the strides.
    strides : sequence of Stride
        Where the model's functions are evaluated.
    matrices : sequence of (n_states, n_states) array
        Derivatives of the return map at two places or more.
    sizes : (n_states,) array
        Units of the states.
    states : sequence of int
        Indices of states that may be moved.

    Returns
    -------
    list of dict
        The groups, by names of states.
    """
    names, found = stride_map.model.states.names, list[Named]()
    for vector in null_vectors(matrices, sizes, states):
        moving = np.flatnonzero(vector)
        shift, places = np.max(sizes[moving] / np.abs(vector[moving])) * vector, Places.of(strides)
        if len(moving) > 1 and all(changes_nothing(stride_map, places, by * shift, 0.0) for by in FINITE_SHIFTS):
            found.append({names[i]: float(vector[i]) for i in moving})
    return found


def reads_time(stride_map: StrideMap, strides: Sequence[Stride]) -> bool:
    """Return whether the model's functions depend on time."""
    by, still = FINITE_SHIFTS[0] * strides[0].duration, np.zeros(len(stride_map.model.states))
    return not changes_nothing(stride_map, Places.of(strides), still, by)


def find_clock(stride_map: StrideMap, places: Places, ticking: Sequence[int], duration: float) -> list[Named]:
    """Find the group of time and of counters, which strides change by constants."""
    shift, names = shift_with_time(stride_map, places, ticking), stride_map.model.states.names
    if shift is None or not all(
        changes_nothing(stride_map, places, by * duration * shift, by * duration) for by in FINITE_SHIFTS
    ):
        return []
    return [{TIME: 1.0, **{names[i]: 1.0 for i in np.flatnonzero(shift)}}]


def null_vectors(matrices: Sequence[FloatArray], sizes: FloatArray, states: Sequence[int]) -> FloatArray:
    """Return vectors that all matrices leave as they are, (k, n_states), each with a 1 where the others have a 0."""
    n = len(sizes)
    if len(states) < 2 or len(matrices) < 2 or not all(np.isfinite(matrix).all() for matrix in matrices):
        return np.zeros((0, n))
    stack = np.concatenate([((matrix - np.eye(n)) * sizes / sizes[:, None])[:, states] for matrix in matrices])
    _, values, directions = np.linalg.svd(stack)
    rows = directions[int(np.sum(values > SAME_FUNCTIONS * values[0])) :]
    if not len(rows):
        return np.zeros((0, n))
    done = 0
    for column in range(len(states)):  # the reduced echelon form
        if done == len(rows):
            break
        row = done + int(np.argmax(np.abs(rows[done:, column])))
        if abs(rows[row, column]) < 1e-6:
            continue
        rows[[done, row]] = rows[[row, done]]
        rows[done] /= rows[done, column]
        others = [i for i in range(len(rows)) if i != done]
        rows[others] -= np.outer(rows[others, column], rows[done])
        done += 1
    vectors = np.zeros((len(rows), n))
    vectors[:, states] = np.where(np.abs(rows) > 1e-6, rows, 0.0) * sizes[states]
    vectors /= vectors[np.arange(len(vectors)), np.argmax(vectors != 0.0, axis=1)][:, None]
    round_ones = np.reshape([float(f"{value:.6g}") for value in vectors.flat], vectors.shape)
    return np.where(np.abs(vectors - round_ones) <= SAME_FUNCTIONS * np.abs(vectors), round_ones, vectors)

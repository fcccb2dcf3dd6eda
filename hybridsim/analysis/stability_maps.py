"""Stability maps: the largest multiplier of an orbit over two parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import Equations, NoOrbitError, solve
from hybridsim.analysis.orbit import Orbit, orbit_of
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, ReturnMap, sizes_of
from hybridsim.analysis.stride import StrideMap
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class StabilityMap:
    """The orbits over two parameters.

    Parameters
    ----------
    axes : mapping of str to (n,) array
        The two parameters, with their values.
    largest : (n_first, n_second) array
        Size of the largest multiplier; nan where no orbit was found. The orbit is stable where it is below 1.
    period : (n_first, n_second) array
        Period [s].
    x : (n_first, n_second, n_states) array
        State on the section.
    """

    axes: Mapping[str, FloatArray]
    largest: FloatArray
    period: FloatArray
    x: FloatArray


def stability_map(
    orbit: Orbit,
    axes: Mapping[str, Sequence[float]],
    *,
    tolerance: float = 1e-10,
    progress: Callable[[int, int], None] | None = None,
) -> StabilityMap:
    """Follow an orbit over a grid of two parameters, and tell how stable it is.

    Each orbit is the guess for its neighbours, beginning at the values nearest to those of the orbit.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    axes : mapping of str to sequence of float
        Two real parameters, and their values.
    tolerance : float
        As in `find_orbit`.
    progress : callable, optional
        Called with the number of values done and of all.

    Returns
    -------
    StabilityMap
        The largest multiplier, the period and the state.

    Raises
    ------
    ConfigError
        If there are not two parameters, or one does not exist.
    """
    names, values = tuple(axes), [np.asarray(value, float) for value in axes.values()]
    if len(names) != 2 or not all(name in orbit.model.parameters.names for name in names):
        raise ConfigError(f"stability_map: expected two parameters of {orbit.model.name}, found {', '.join(names)}")
    stride_map = StrideMap(orbit.config, orbit.section, names)
    return_map = ReturnMap(stride_map, orbit.symmetry, orbit.strides)
    shape = tuple(map(len, values))
    result = StabilityMap(
        dict(zip(names, values, strict=True)), np.full(shape, np.nan), np.full(shape, np.nan),
        np.full((*shape, len(orbit.x)), np.nan),
    )  # fmt: skip
    for count, index in enumerate(_outwards(orbit, names, values), 1):
        for name, value, i in zip(names, values, index, strict=True):
            stride_map.set_parameter(name, float(value[i]))
        _fill(result, index, orbit, return_map, tolerance)
        if progress is not None:
            progress(count, result.largest.size)
    return result


def _outwards(orbit: Orbit, names: tuple[str, ...], values: Sequence[FloatArray]) -> list[tuple[int, int]]:
    """Return the indices of the grid in an order in which each has a neighbour before it, nearest first."""
    start = [
        int(np.argmin(np.abs(value - float(orbit.parameters[name])))) for name, value in zip(names, values, strict=True)
    ]
    indices = [(i, j) for i in range(len(values[0])) for j in range(len(values[1]))]
    return sorted(indices, key=lambda index: max(abs(index[0] - start[0]), abs(index[1] - start[1])))


def _fill(result: StabilityMap, index: tuple[int, int], orbit: Orbit, return_map: ReturnMap, tolerance: float) -> None:
    """Find the orbit at one pair of values, from those of its neighbours that are known."""
    for guess in _guesses(result, index, orbit):
        problem = Problem(return_map, orbit.fixed, orbit.free_states, guess, orbit.chart, _sizes(orbit))
        last: list[Return] = []

        def equations(v: FloatArray, problem: Problem = problem, last: list[Return] = last) -> Equations:
            last[:] = [problem.strides(v)]
            return problem.equations(last[0])

        try:
            solution = solve(equations, guess[problem.free.free] / problem.sizes, tolerance)
        except NoOrbitError:
            continue
        found = orbit_of(problem, problem.settled(problem.strides(solution.u)), solution.family)
        result.largest[index] = np.abs(found.multipliers).max(initial=0.0)
        result.period[index], result.x[index] = found.period, found.found.x0
        return


def _sizes(orbit: Orbit) -> FloatArray:
    return sizes_of(orbit.found)[orbit.free_states.free]


def _guesses(result: StabilityMap, index: tuple[int, int], orbit: Orbit) -> list[FloatArray]:
    i, j = index
    near = result.x[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2].reshape(-1, result.x.shape[2])
    known = near[np.isfinite(near[:, 0])]
    return [known.mean(axis=0)] if len(known) else [orbit.found.x0] if not np.isfinite(result.largest).any() else []

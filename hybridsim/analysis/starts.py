"""Where Newton's method can begin: strides from each state of a sample, and where these return, more or less."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.problem import Problem, first_problem
from hybridsim.analysis.return_map import ReturnMap
from hybridsim.analysis.stride import StrideError
from hybridsim.config import RunConfig
from hybridsim.errors import ConfigError
from hybridsim.simulation.packing import find_first_chart, initial_state
from hybridsim.typing import FloatArray

SPREADS = (0.1, 0.2, 0.4)
"""Half the widths of the boxes round a guess from which a sample takes its states in turn, in sizes of the states."""

STRIDES_MADE = 12
"""Strides from each state of a sample; those that approach a stable motion come near enough, as a rule."""
MAX_TRIED, LEAST_DISTANCE = 12, 0.02
"""Most states from which Newton's method begins, and how far they are from each other, in sizes of the states."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A state to which strides return, more or less.

    Attributes
    ----------
    x : (n_states,) array
        The state.
    chart : int
        The chart.
    miss : (n_free,) array
        By how much the strides miss it, in the free states and their units.
    """

    x: FloatArray
    chart: int
    miss: FloatArray

    @property
    def size(self) -> float:
        """The largest miss."""
        return float(np.abs(self.miss).max(initial=0.0))


class Sample:
    """Makes strides from states that a config does not give, with its other values.

    Parameters
    ----------
    return_map : ReturnMap
        Makes the strides of a period.
    config : RunConfig
        The config, whose initial state the others replace.
    """

    def __init__(self, return_map: ReturnMap, config: RunConfig) -> None:
        assert config.orbit is not None
        self.return_map, self._config, self.tolerance = return_map, config, config.orbit.tolerance
        self.x = initial_state(config)

    def problem_at(self, x: FloatArray, chart: int | None = None) -> Problem:
        """Make the problem of another guess than the config's; for the errors see `first_problem`."""
        assert self._config.orbit is not None
        stride_map = self.return_map.stride_map
        stride_map.first_state, stride_map.first_chart = self._begin(x) if chart is None else (x, chart)
        return first_problem(self.return_map, self._config.orbit.fixed)

    def first_problem(self, states: FloatArray) -> tuple[Problem, FloatArray]:
        """Make the problem of the first of the states, (n, n_states), that makes strides, and return this state, too.

        Raises
        ------
        NoOrbitError
            If none does; it is the error of the first one.
        """
        first: NoOrbitError | None = None
        for x in states:
            try:
                return self.problem_at(x), x
            except NoOrbitError as failure:
                first = first or failure
        assert first is not None
        raise first

    def strides(self, x: FloatArray, most: int) -> list[tuple[FloatArray, int]]:
        """Make strides, `most` of them if it can be: the state and the chart where they begin, and where each ends."""
        places: list[tuple[FloatArray, int]] = []
        try:
            places.append(self._begin(x))
            for _, place in zip(range(most), self.return_map.places(*places[0]), strict=False):
                places.append(place)
        except (StrideError, ConfigError):  # the motion ends, or the model has no chart for this state
            pass
        return places

    def _begin(self, x: FloatArray) -> tuple[FloatArray, int]:
        """Return a state and its chart as the model finalises it."""
        x = x.copy()
        return x, find_first_chart(self._config, self.return_map.stride_map.functions, x)


def starts_on(places: Sequence[tuple[FloatArray, int]], strides: int, problem: Problem) -> list[Start]:
    """Return where so many strides begin that return, more or less; the best first, and of those that overlap only it.

    Strides that overlap with others follow the same orbit, as a rule.
    """
    free, starts = problem.free.free, dict[int, Start]()
    for n, ((x, chart), (end, its_chart)) in enumerate(zip(places, places[strides:], strict=False)):
        miss = problem.miss(x, end)[free] / problem.sizes
        if chart == its_chart and np.isfinite(miss).all():
            starts[n] = Start(x, chart, miss)
    chosen: list[int] = []
    for n in sorted(starts, key=lambda n: starts[n].size):
        if all(abs(n - other) >= strides for other in chosen):
            chosen.append(n)
    return [starts[n] for n in chosen]


def states_around(x: FloatArray, varied: Sequence[int], sizes: FloatArray, n: int) -> FloatArray:
    """Return n states round x, (n, n_states), the first of them x itself; `sizes` are those of the varied ones."""
    states = np.tile(x, (n, 1))
    spreads = np.array([SPREADS[i % len(SPREADS)] for i in range(n - 1)])[:, None]
    states[1:, varied] += spreads * sizes * (2.0 * sobol(n - 1, len(varied)) - 1.0)
    return states


def sobol(n: int, dimensions: int) -> FloatArray:
    """Return the first n points of Sobol's sequence in a unit cube, (n, dimensions), scrambled, and always the same."""
    from scipy.stats import qmc  # noqa: PLC0415  (half a second, for this case alone)

    if n == 0 or dimensions == 0:
        return np.zeros((n, dimensions))
    return np.asarray(qmc.Sobol(dimensions, rng=0).random_base2((n - 1).bit_length())[:n])


def spread_out(starts: Sequence[Start], problem: Problem, distance: float) -> Iterator[Start]:
    """Yield those of the starts that are further than a distance, in sizes of the states, from all before them."""
    taken: list[FloatArray] = []
    for start in starts:
        place = start.x[problem.free.free] / problem.sizes
        if all(np.abs(place - other).max(initial=0.0) > distance for other in taken):
            taken.append(place)
            yield start


def search(sample: Sample, n: int, solve: Callable[[Problem], Orbit]) -> Orbit:
    """Solve for an orbit from where strides from n states round the guess return best."""
    x, tried = sample.x.copy(), list[NoOrbitError]()
    runs, starts = list[list[Start]](), list[Start]()
    try:
        problem, nearest = sample.first_problem(states_around(x, range(len(x)), np.where(x == 0.0, 1.0, np.abs(x)), n))
        x[problem.free.free] = nearest[problem.free.free]
        states = states_around(x, problem.free.free.tolist(), problem.sizes, n)
        period = sample.return_map.strides
        runs = [starts_on(sample.strides(each, STRIDES_MADE + period), period, problem) for each in states]
        starts = sorted((start for run in runs for start in run), key=lambda start: start.size)
        for start in itertools.islice(spread_out(starts, problem, LEAST_DISTANCE), MAX_TRIED):
            try:
                return solve(sample.problem_at(start.x, start.chart))
            except NoOrbitError as failure:
                tried.append(failure)
    except NoOrbitError as failure:
        tried.append(failure)
    raise NoOrbitError(
        tried[0].cause if tried else "too far",
        f"of {n:,} states within {100.0 * max(SPREADS):.0f} % round the guess, {sum(map(bool, runs)):,} make strides, "
        + (f"the best of these miss their beginning by {starts[0].size:.2g} of the states' sizes, " if starts else "")
        + f"and Newton's method found no orbit from {len(tried) if starts else 0} of their places"
        + (f" ({str(tried[0]).partition(';')[0]})" if tried else "")
        + "; start from another guess, or with more starts",
    )

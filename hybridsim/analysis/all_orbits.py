"""`find_orbits`: the periodic motions in a box of states."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.finding import given_ones, return_map_of, settings_of
from hybridsim.analysis.newton import NoOrbitError, is_finite, norm, shortest_step
from hybridsim.analysis.orbit import STABILITY, Orbit
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import Return, growth_of
from hybridsim.analysis.section import Section, Symmetry
from hybridsim.analysis.solving import solve_orbit
from hybridsim.analysis.starts import Sample, Start, sobol, starts_on
from hybridsim.analysis.stride import StrideError
from hybridsim.analysis.ties import order_of
from hybridsim.config import RunConfig, config_from_keywords
from hybridsim.engine.methods import Tableau
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Model, nearest
from hybridsim.results.progress import Progress, RowProgress, shown
from hybridsim.typing import FloatArray, Method

RUN_STRIDES = 40
"""Strides from each state of the sample, beyond those of the longest period."""

LARGEST_MISS = 0.2
"""Strides that miss their beginning by more than this, in sizes of the states, do not return."""

STARTS_PER_RUN = 6
"""Most starts of Newton's method on one run, for each number of strides."""

SAME_PLACE = 1e-6
"""Distance, in sizes of the states, below which two states are the same."""

UNEXPLAINED_PART = 0.2
"""Part of the miss of a start that the derivative at a known orbit may leave unexplained, if it leads to this orbit."""

LIMITS = {"max_iterations": 10, "max_halvings": 3}
"""Of Newton's method from each start: from one that is near enough it needs no more."""


@explains_keywords(
    guess="initial", x0="initial", at="initial", n="samples", starts="samples", max_strides="strides", period="strides"
)
def find_orbits(
    model: str | os.PathLike[str] | Model,
    box: Mapping[str, tuple[float, float]],
    *,
    section: str | Section,
    strides: int | Sequence[int] = (1, 2),
    samples: int = 128,
    parameters: Mapping[str, Any] | None = None,
    inputs: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    initial_time: float = 0.0,
    initial_chart: int | str | None = None,
    symmetry: Symmetry | None = None,
    fixed: Mapping[str, float] | None = None,
    method: Method | Tableau = "dop853",
    rtol: float = 1e-12,
    atol: float = 1e-13,
    tolerance: float = 1e-10,
    max_time: float = 100.0,
    progress: Progress = None,
) -> tuple[Orbit, ...]:
    """Find the periodic motions in a box of states, stable or not.

    Strides are made from the states of a sample (Sobol's sequence), and Newton's method begins wherever they come near
    to a state where they have been, except where the derivative at a motion found before says that it leads to this
    one. That all are found is likely if more samples find no others, and not proved.

    Parameters
    ----------
    model : str, path or Model
        Name of an installed model, path of a plug-in file, or a model.
    box : mapping of str to (float, float)
        The lowest and the highest value of states [their units], on the section or not.
    section : str or Section
        Where a stride begins and ends; a name stands for the state after this boundary's transition.
    strides : int or sequence of int
        Strides in a period: one number, or several.
    samples : int
        Number of states from which strides are made.
    parameters, inputs : mapping of str, optional
        Values by name; others have their defaults.
    initial : mapping of str, optional
        Values of states that are not in the box; others have their defaults.
    initial_time : float
        Time at which the guess is a state, of a model that depends on time [s].
    initial_chart : int or str, optional
        The chart of the guess; by default the model decides.
    symmetry : Symmetry, optional
        The image in which a stride ends.
    fixed : mapping of str to float, optional
        Values of states or outputs on the section, to choose one of a family of orbits: {"energy": 1784.8}.
    method : {"dp5", "dop853", "tsit5", "rk4", "rk4_adaptive"}
        Integration method.
    rtol, atol : float
        Error tolerances of a step.
    tolerance : float
        By how much the motion may miss itself, relative to the size of each state along it.
    max_time : float
        Time after which a stride is given up [s].
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the number of states that are done and that of the orbits found, {"orbits": 3}.

    Returns
    -------
    tuple of Orbit
        The motions, those of fewer strides first, and among these the most stable; each once, also if it passes the
        section in several places, and of a family one for each sequence of events. Some may lie beside the box.

    Raises
    ------
    ConfigError
        If a name or a value is wrong.
    ModelError
        If the model cannot be loaded, or has no derivatives.

    Examples
    --------
    >>> box = {"theta": (0.1, 0.3), "thetadot": (-0.35, -0.1)}
    >>> hybridsim.find_orbits("simplest_walker", box, section="heelstrike", parameters={"slope": 0.009})
    """
    config = config_from_keywords(
        model,
        initial_time=initial_time,
        method=method,
        rtol=rtol,
        atol=atol,
        **given_ones(parameters=parameters, inputs=inputs, initial=initial, initial_chart=initial_chart),
    )
    orbit = settings_of(section, symmetry, fixed, max_time, tolerance)
    return find_orbits_of(dataclasses.replace(config, orbit=orbit), box, strides, samples, progress)


def find_orbits_of(
    config: RunConfig,
    box: Mapping[str, tuple[float, float]],
    strides: int | Sequence[int] = (1, 2),
    samples: int = 128,
    progress: Progress = None,
) -> tuple[Orbit, ...]:
    """Find the periodic motions that a config describes in its section `orbit`; see `find_orbits`."""
    names, wanted = config.model.states.names, _checked_strides(strides)
    low, high = _ends_of(config.model, box)
    if isinstance(samples, bool) or not isinstance(samples, int) or samples < 1:
        raise ConfigError(f"samples: expected a positive whole number, found {samples!r}")
    sample = Sample(return_map_of(config), config)
    states = np.tile(sample.x, (samples, 1))
    states[:, [names.index(name) for name in box]] = low + (high - low) * sobol(samples, len(box))
    try:
        collection = Collection(sample, sample.first_problem(states)[0], wanted)
    except NoOrbitError:  # no state makes a stride
        return ()
    with shown(progress, lambda: RowProgress(samples, "states")) as report:
        for done, x in enumerate(states, start=1):
            collection.add_from(x)
            if report is not None:
                report(done, {"orbits": len(collection.orbits)})
    return tuple(sorted(collection.orbits, key=lambda o: (o.strides, growth_of(o.multipliers, o.family))))


def table_of(orbits: Sequence[Orbit]) -> dict[str, NDArray[Any]]:
    """Return what there is to know of orbits of one model as the columns of a table."""
    rows = [
        {"strides": o.strides, "period": o.period, "stable": STABILITY[o.stable], **o.measure("growth"), **o.x}
        for o in orbits
    ]
    return {name: np.array([row[name] for row in rows], object if name == "stable" else None) for name in rows[0]}


def _checked_strides(strides: int | Sequence[int]) -> tuple[int, ...]:
    wanted = (strides,) if isinstance(strides, int) else (*strides,)
    if not wanted or not all(isinstance(n, int) and not isinstance(n, bool) and n >= 1 for n in wanted):
        raise ConfigError(f"strides: expected positive whole numbers, found {strides!r}; write for example (1, 2)")
    return tuple(sorted({*wanted}))


def _ends_of(model: Model, box: Mapping[str, tuple[float, float]]) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest values of the states of a box."""
    for name, ends in box.items():
        if name not in model.states.names:
            raise ConfigError(f"box: {model.name} has no state {name!r}{nearest(name, model.states.names)}")
        if np.shape(ends) != (2,) or not np.isfinite(ends).all() or not ends[0] < ends[1]:
            raise ConfigError(f"box: {name}: expected its lowest and its highest value, found {ends!r}")
    low, high = np.array([*box.values()], float).reshape(-1, 2).T
    return low, high


class Place(NamedTuple):
    """A state of an orbit on the section, and the derivative there, (n_free, n_free), of the map of so many strides."""

    x: FloatArray
    chart: int
    strides: int
    matrix: FloatArray


class Collection:
    """The orbits that have been found, and where they pass the section.

    Parameters
    ----------
    sample : Sample
        Makes strides.
    problem : Problem
        Says which states are free, and their units.
    wanted : tuple of int
        Numbers of strides in a period.
    """

    def __init__(self, sample: Sample, problem: Problem, wanted: tuple[int, ...]) -> None:
        self._sample, self._problem, self._wanted = sample, problem, wanted
        self.orbits: list[Orbit] = []
        self._places: list[Place] = []

    def add_from(self, x: FloatArray) -> None:
        """Make strides from a state, and keep the orbits that they lead to."""
        states = self._sample.strides(x, RUN_STRIDES + self._wanted[-1])
        for strides in self._wanted:
            near = (start for start in starts_on(states, strides, self._problem) if start.size <= LARGEST_MISS)
            candidates = chain(self._unstable(states, strides), near)
            unexplained = (start for start in candidates if not self._explains(start, strides))
            for start in islice(unexplained, STARTS_PER_RUN):
                self._try(start, strides)

    def _unstable(self, states: Sequence[tuple[FloatArray, int]], strides: int) -> Iterator[Start]:
        """Yield the first state if it is near an orbit that is so unstable that strides leave it at once."""
        (x, chart), return_map = states[0], self._sample.return_map.with_strides(strides)
        try:
            found = return_map(x, chart)
        except StrideError:
            return
        here = self._problem.equations(found)
        if found.chart == chart and is_finite(here) and norm(here.residual) > LARGEST_MISS >= norm(shortest_step(here)):
            yield Start(x, chart, here.residual[: len(self._problem.free.free)])

    def _explains(self, start: Start, strides: int) -> bool:
        """Return whether the derivative at an orbit says that a start leads to it."""
        for place in self._places:
            if place.chart == start.chart and strides % place.strides == 0:
                offset = self._between(place.x, start.x)
                left = np.linalg.matrix_power(place.matrix, strides // place.strides) @ offset - offset - start.miss
                if np.abs(left).max(initial=0.0) <= UNEXPLAINED_PART * start.size + SAME_PLACE:
                    return True
        return False

    def _try(self, start: Start, strides: int) -> None:
        """Solve for an orbit from a start, and keep it if it is a new one."""
        sample = self._sample
        sample.return_map = return_map = sample.return_map.with_strides(strides)
        try:
            orbit = solve_orbit(sample.problem_at(start.x, start.chart), sample.tolerance, **LIMITS)
            begins = [(orbit.found.x0, orbit.chart)]
            if any(self._are_same(begins[0], known) for known in self._places):
                return
            begins += (place for _, place in zip(range(strides - 1), return_map.places(*begins[0]), strict=False))
            again = next((n for n in range(1, strides) if self._are_same(begins[0], begins[n])), strides)
            if again < strides and again in self._wanted:
                self._try(start, again)
                return
            sample.return_map = return_map = return_map.with_strides(again)
            self._places += [Place(*begin, again, self._matrix(return_map(*begin))) for begin in begins[:again]]
            known = orbit.family and any(_have_same_events(orbit, other) for other in self.orbits)
            if again == strides and not known:
                self.orbits.append(orbit)
        except (NoOrbitError, StrideError):
            return

    def _matrix(self, found: Return) -> FloatArray:
        free, sizes = self._problem.free.free, self._problem.sizes
        return found.by_state[np.ix_(free, free)] * sizes / sizes[:, None]

    def _between(self, x: FloatArray, other: FloatArray) -> FloatArray:
        """Return the way from one state to another in the free states, in their units."""
        return self._problem.miss(x, other)[self._problem.free.free] / self._problem.sizes

    def _are_same(self, place: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
        distance = np.abs(self._between(place[0], other[0])).max(initial=0.0)
        return bool(place[1] == other[1] and distance < SAME_PLACE)


def _have_same_events(orbit: Orbit, other: Orbit) -> bool:
    return orbit.strides == other.strides and order_of(orbit.found) == order_of(other.found)

"""The rows of a stability map, computed like those of a sweep: orbits along a parameter, each from its neighbour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.finding import return_map_of
from hybridsim.analysis.moving import Follower, Place
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import problem_of
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import FreeStates, growth_of, is_stable
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.sweep.metrics import STATUS_KIND
from hybridsim.model import Model
from hybridsim.sweeps.batch import Cancelled
from hybridsim.typing import FloatArray, IntArray

STABLE_CELL, UNSTABLE_CELL, EMPTY_CELL = "STABLE", "UNSTABLE", "NO_ORBIT"
"""Statuses of the pairs of values."""

STATUS_COLUMN, LARGEST_COLUMN, PERIOD_COLUMN, STATE_COLUMN = "orbit.status", "orbit.largest", "orbit.period", "orbit.x."
"""Columns of the table; that of a state ends with its name."""


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """The orbit at one pair of values.

    Attributes
    ----------
    values : (2,) array
        The values of the parameters.
    x : (n_states,) array
        The state on the section.
    period : float
        Period [s].
    largest : float
        Size of the largest multiplier.
    status : str
        `STABLE_CELL` or `UNSTABLE_CELL`.
    """

    values: FloatArray
    x: FloatArray
    period: float
    largest: float
    status: str


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """What all orbits of a map have in common with the one that is followed; it can be sent to other processes.

    Attributes
    ----------
    names : tuple of str
        The two parameters, or states that are kept.
    free : FreeStates
        The states that have to return.
    x : (n_states,) array
        The state of the first orbit.
    sizes : (n_free,) array
        Units of the free states.
    turns : mapping of int to float
        Cyclic states, with their full turn.
    chart, family : int
        As of the orbit.
    """

    names: tuple[str, ...]
    free: FreeStates
    x: FloatArray
    sizes: FloatArray
    turns: Mapping[int, float]
    chart: int
    family: int

    @classmethod
    def of(cls, orbit: Orbit, names: tuple[str, ...]) -> Followed:
        """Return what there is to know of an orbit."""
        problem = problem_of(orbit, names)
        return cls(names, problem.free, problem.x, problem.sizes, problem.turns, orbit.chart, orbit.family)


class MapRows:
    """Finds the orbits of a map, one from the other.

    Parameters
    ----------
    config : SweepConfig
        Its base run says what the orbit is.
    followed : Followed
        The orbit that is followed.
    starts : mapping of float to (int, Cell), optional
        Where rows begin, by the values of the second parameter; `run` needs them.
    """

    def __init__(
        self, config: SweepConfig, followed: Followed, starts: Mapping[float, tuple[int, Cell]] | None = None
    ) -> None:
        orbit, known = config.run.orbit, followed
        assert orbit is not None
        states = config.run.model.states.names
        return_map = return_map_of(config.run, tuple(name for name in known.names if name not in states))
        problem = Problem(
            return_map, orbit.fixed, known.free, known.x.copy(), known.chart, known.sizes, dict(known.turns)
        )
        self._follower = Follower(problem, known.names, orbit.tolerance, known.family)
        self._followed, self._starts = followed, starts or {}
        self._keys = [axis.key for (axis,) in config.factors[::-1]]
        self._states = states

    def run(self, values: Mapping[str, NDArray[Any]], stop: IntArray) -> dict[str, NDArray[Any]]:
        """Compute one row: all values of the first parameter at one of the second; see `hybridsim.sweeps.batch`."""
        first, second = (values[key] for key in self._keys)
        start = self._starts.get(float(second[0]))
        row = self.row(first, float(second[0]), start, stop) if start else [None] * len(first)
        x = np.array([np.full(len(self._states), np.nan) if cell is None else cell.x for cell in row])
        return {
            STATUS_COLUMN: np.array([EMPTY_CELL if cell is None else cell.status for cell in row], dtype=object),
            LARGEST_COLUMN: np.array([np.nan if cell is None else cell.largest for cell in row]),
            PERIOD_COLUMN: np.array([np.nan if cell is None else cell.period for cell in row]),
            **{STATE_COLUMN + name: x[:, i] for i, name in enumerate(self._states)},
        }

    def begin(self, cell: Cell) -> Place:
        """Return the place of an orbit."""
        return self._follower.begin(cell.values, cell.x)

    def reach(self, place: Place, values: FloatArray) -> Place | None:
        """Follow an orbit to other values; None if it is lost on the way."""
        try:
            return self._follower.reach(place, values)
        except NoOrbitError:
            return None

    def orbit(self, place: Place) -> Orbit:
        """Return the orbit at a place."""
        return self._follower.orbit(place)

    def leads_on(self, place: Place) -> bool:
        """Return whether a row may begin at a place."""
        return self._follower.leads_on(place)

    def cell(self, place: Place) -> Cell:
        """Return what the map says of an orbit."""
        problem, family = self._follower.problem_at(place), self._followed.family
        found = problem.settle(place.found)
        multipliers = problem.multipliers(found)
        status = STABLE_CELL if is_stable(multipliers, family) else UNSTABLE_CELL
        return Cell(place.values, found.x0, found.duration, growth_of(multipliers, family), status)

    def row(self, first: FloatArray, second: float, start: tuple[int, Cell], stop: IntArray) -> list[Cell | None]:
        """Follow an orbit along the first parameter, both ways, until it is lost.

        Parameters
        ----------
        first : (n,) array
            The values of the first parameter.
        second : float
            That of the second one.
        start : (int, Cell)
            The index of the value at which to begin, and the orbit there.
        stop : (1,) array of int64
            A number other than 0 ends the computation.

        Returns
        -------
        list of Cell or None
            The orbits.

        Raises
        ------
        Cancelled
            If `stop` ended the computation.
        """
        index, begin = start
        row: list[Cell | None] = [None] * len(first)
        row[index] = begin
        for indices in (range(index + 1, len(first)), range(index - 1, -1, -1)):
            place = self.begin(begin)
            for i in indices:
                if stop[0]:
                    raise Cancelled
                there = self.reach(place, np.array([first[i], second]))
                if there is None:
                    break
                row[i], place = self.cell(there), there
        return row


def metrics_of(model: Model) -> tuple[Metric, ...]:
    """Return the columns of the table of a map."""
    units = {LARGEST_COLUMN: "", PERIOD_COLUMN: "s"} | {STATE_COLUMN + x.name: x.unit for x in model.states}
    others = (Metric(name, "orbit", "", 0, unit) for name, unit in units.items())
    return (Metric(STATUS_COLUMN, STATUS_KIND, "", 0, ""), *others)


def starts_of(rows: MapRows, orbit: Cell, axes: Sequence[FloatArray]) -> dict[float, tuple[int, Cell]]:
    """Follow an orbit along the second parameter: where each row of a map begins.

    Parameters
    ----------
    rows : MapRows
        Finds the orbits.
    orbit : Cell
        The first orbit.
    axes : sequence of (n,) array
        The values of the two parameters.

    Returns
    -------
    dict of float to (int, Cell)
        For values of the second parameter, the index of a value of the first one, and the orbit there. Where the orbit
        is lost, the others of the row before are tried, nearest first; rows that are not reached are left out.
    """
    first, second = axes
    nearest_first = np.argsort(np.abs(first - orbit.values[0]), kind="stable").tolist()
    middle = int(np.argmin(np.abs(second - orbit.values[1])))
    targets = ((i, orbit) for i in nearest_first)
    begin = _first_reached(rows, targets, first, float(second[middle]))
    if begin is None:
        return {}
    starts = {float(second[middle]): begin}
    for values in (second[middle + 1 :], second[:middle][::-1]):
        before, start = float(second[middle]), begin
        for value in values.tolist():
            there = _first_reached(rows, [start], first, value)
            if there is None:
                row = rows.row(first, before, start, np.zeros(1, np.int64))
                known = [(i, cell) for i in nearest_first if (cell := row[i]) is not None]
                there = _first_reached(rows, known, first, value)
            if there is None:
                break
            starts[value] = start = there
            before = value
    return starts


def _first_reached(
    rows: MapRows, targets: Iterable[tuple[int, Cell]], first: FloatArray, second: float
) -> tuple[int, Cell] | None:
    """Return the first of the orbits that can be followed to a row and on, with its index there."""
    for index, cell in targets:
        there = rows.reach(rows.begin(cell), np.array([first[index], second]))
        if there is not None and rows.leads_on(there):
            return index, rows.cell(there)
    return None

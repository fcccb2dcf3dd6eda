"""The rows of a stability map, computed like those of a sweep: orbits along a parameter, each from its neighbour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.analysis.finding import return_map_of
from hybridsim.analysis.moving import LARGEST_STATE_CHANGE, in_parts
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.problem import Problem
from hybridsim.analysis.return_map import FreeStates, growth_of, is_stable, sizes_of
from hybridsim.analysis.solving import find_return
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.sweep.metrics import STATUS_KIND
from hybridsim.model import Model
from hybridsim.sweeps.batch import Cancelled
from hybridsim.typing import FloatArray, IntArray

STABLE_CELL, UNSTABLE_CELL, EMPTY_CELL = "STABLE", "UNSTABLE", "NO_ORBIT"
"""Statuses of the pairs of values."""

STATUS_COLUMN, LARGEST_COLUMN, PERIOD_COLUMN, STATE_COLUMN = "orbit.status", "orbit.largest", "orbit.period", "orbit.x."
"""Columns of the table; that of a state ends with its name."""

MAX_ROW_HALVINGS = 8
"""How often the rest of the way from one orbit to its neighbour is halved before the row ends."""

MAX_ROW_ITERATIONS = 12
"""Most iterations of Newton's method from a neighbour; where it needs more, the way is halved."""


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
    names : (str, str)
        The two parameters, or states that are kept.
    free : FreeStates
        The states that have to return.
    sizes : (n_free,) array
        Their units.
    chart, family : int
        As of the orbit.
    """

    names: tuple[str, ...]
    free: FreeStates
    sizes: FloatArray
    chart: int
    family: int

    @classmethod
    def of(cls, orbit: Orbit, names: tuple[str, ...]) -> Followed:
        """Return what there is to know of an orbit."""
        free = orbit.free_states
        return cls(names, free, sizes_of(orbit.found)[free.free], orbit.chart, orbit.family)


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
        assert config.run.orbit is not None
        self._return_map, self._orbit = return_map_of(config.run), config.run.orbit
        self._followed, self._starts = followed, starts or {}
        self._keys = [axis.key for (axis,) in config.factors[::-1]]
        self._states = config.run.model.states.names

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

    def next(self, near: Cell, values: FloatArray) -> Cell:
        """Find the orbit at other values from one nearby, by Newton's method.

        Raises
        ------
        NoOrbitError
            If there is none, or it is so far away that it may belong to another family.
        """
        known = self._followed
        problem = Problem(self._return_map, self._orbit.fixed, known.free, near.x.copy(), known.chart, known.sizes)
        for name, value in zip(known.names, values.tolist(), strict=True):
            problem.set_value(name, value)
        found, _ = find_return(problem, self._orbit.tolerance, MAX_ROW_ITERATIONS)
        change = (found.x0 - near.x)[known.free.free] / np.maximum(known.sizes, np.abs(near.x[known.free.free]))
        if np.abs(change).max(initial=0.0) > LARGEST_STATE_CHANGE:
            raise NoOrbitError("too far", "the orbit found may belong to another family")
        found = problem.settle(found)
        multipliers = problem.multipliers(found)
        status = STABLE_CELL if is_stable(multipliers, known.family) else UNSTABLE_CELL
        return Cell(values, found.x0, found.duration, growth_of(multipliers, known.family), status)

    def reach(self, cell: Cell, values: FloatArray) -> Cell | None:
        """Follow an orbit to other values, in parts if need be; None if it is lost on the way."""
        try:
            return in_parts(self.next, cell, cell.values, values, MAX_ROW_HALVINGS)
        except NoOrbitError:
            return None

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
            cell = begin
            for i in indices:
                if stop[0]:
                    raise Cancelled
                there = self.reach(cell, np.array([first[i], second]))
                if there is None:
                    break
                row[i] = cell = there
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
    """Return the first of the orbits that can be followed to a row, with its index there."""
    for index, cell in targets:
        if (there := rows.reach(cell, np.array([first[index], second]))) is not None:
            return index, there
    return None

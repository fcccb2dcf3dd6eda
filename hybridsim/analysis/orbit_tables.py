"""Orbits at rows of values, each followed from the nearest one known, and what is measured of them, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hybridsim.analysis.characteristics import Measure
from hybridsim.analysis.diagram import Points
from hybridsim.analysis.moving import Follower
from hybridsim.analysis.newton import NoOrbitError
from hybridsim.analysis.orbit import Orbit
from hybridsim.analysis.parameters import parameter_values, value_of
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.results.progress import Progress, RowProgress, shown
from hybridsim.typing import FloatArray

ORBIT_COLUMN = "orbit"
"""The column that says what was found."""

STABLE_ROW, UNSTABLE_ROW, EMPTY_ROW = "stable", "unstable", "none"
"""What it says."""

DEFAULT_MEASURES = ("period", "growth")
"""What is measured if nothing is asked for."""


@explains_keywords()
def orbit_table(
    orbit: Orbit,
    values: Mapping[str, Sequence[float]],
    measure: Mapping[str, Measure] | Sequence[str] = DEFAULT_MEASURES,
    *,
    progress: Progress = None,
) -> Points:
    """Follow an orbit to rows of values of parameters, and measure it there.

    Parameters that vary together, as the designs of a machine do. Next comes always the row that is nearest to an
    orbit known, in units of what each parameter spans, and its orbit is followed from there, in parts if need be. So
    the order of the rows does not matter, and unstable orbits are found from stable ones.

    Parameters
    ----------
    orbit : Orbit
        The orbit.
    values : mapping of str to sequence of float
        Parameters, or states that the strides leave as they are (`Orbit.kept`), with their values in all rows [their
        units].
    measure : sequence of str, or mapping of str to (str or callable)
        Characteristics, or columns with characteristics or functions of the orbit; see `Orbit.measure`.
    progress : bool or callable, optional
        Whether progress is shown; by default on a terminal and in a notebook. Or a function
        called with the number of finished rows and how many of them were found stable, unstable, and not at all.

    Returns
    -------
    Points
        A table with the parameters, `orbit` ("stable", "unstable" or "none") and what is measured; where the orbit is
        lost on the way, nan.

    Raises
    ------
    ConfigError
        If a parameter does not exist or cannot have a value, or there is no such characteristic.

    Examples
    --------
    >>> walkers = {"m": [5.0, 4.0], "m_H": [10.0, 12.0]}
    >>> hybridsim.orbit_table(orbit, walkers, {"growth": "growth", "step": "foot_x.before(heelstrike)"})
    """
    rows, here = _read_rows(orbit, values)
    names = tuple(orbit.measure(measure))
    taken = [name for name in names if name in (ORBIT_COLUMN, *values)]
    if taken:
        raise ConfigError(f"measure: two columns would be called {taken[0]!r}; give this one another name")
    found = np.full((len(rows), len(names)), np.nan)
    words = np.full(len(rows), EMPTY_ROW, dtype=object)
    counts = dict.fromkeys((STABLE_ROW, UNSTABLE_ROW, EMPTY_ROW), 0)
    with shown(progress, lambda: RowProgress(len(rows), "orbits")) as report:
        for done, (row, there) in enumerate(_follow_rows(orbit, tuple(values), here, rows), start=1):
            if there is not None:
                words[row] = STABLE_ROW if there.stable else UNSTABLE_ROW
                found[row] = list(there.measure(measure).values())
            counts[words[row]] += 1
            if report is not None:
                report(done, counts)
    return Points(
        {**dict(zip(values, rows.T, strict=True)), ORBIT_COLUMN: words, **dict(zip(names, found.T, strict=True))}
    )


def _read_rows(orbit: Orbit, values: Mapping[str, Sequence[float]]) -> tuple[FloatArray, FloatArray]:
    """Return the values of the rows (n, k), and those of the orbit (k,)."""
    columns = parameter_values(orbit, "orbit_table", values)
    lengths = {name: len(some) for name, some in columns.items()}
    if len(set(lengths.values())) != 1:
        listed = ", ".join(f"{name} with {length:,}" for name, length in lengths.items()) or "none"
        raise ConfigError(f"orbit_table: expected parameters with equally many values, found {listed}")
    return np.column_stack(list(columns.values())), np.array([value_of(orbit, name) for name in columns])


def _follow_rows(
    orbit: Orbit, names: tuple[str, ...], here: FloatArray, rows: FloatArray
) -> Iterator[tuple[int, Orbit | None]]:
    """Yield the rows with their orbits, nearest first."""
    spans = np.ptp(np.vstack([here, rows]), axis=0)
    spans[spans == 0.0] = 1.0
    follower = Follower.of(orbit, names)
    start = [follower.begin(here, orbit.found.x0)] * len(rows)
    far, left = _distances(rows, here, spans), set(range(len(rows)))
    while left:
        row = min(left, key=lambda i: (far[i], i))
        left.remove(row)
        try:
            place = follower.reach(start[row], rows[row])
            found = follower.orbit(place)
        except NoOrbitError:
            yield row, None
            continue
        nearer = _distances(rows, rows[row], spans)
        for i in left:
            if nearer[i] < far[i]:
                far[i], start[i] = nearer[i], place
        yield row, found


def _distances(rows: FloatArray, place: FloatArray, spans: FloatArray) -> FloatArray:
    distances: FloatArray = (np.abs(rows - place) / spans).max(axis=1)
    return distances

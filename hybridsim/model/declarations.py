"""What a boundary declares of itself, tried: its degree, and the bound of its second time derivative.

A polynomial of degree d has no differences of order d + 1 along any line in t and the continuous states. And where the
second difference of a boundary over three instants of a solution, h apart, exceeds M h^2, so does its second derivative
exceed M somewhere between them. A declaration is refuted only by more than rounding and integration explain.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np

from hybridsim.model.records import Boundary
from hybridsim.model.source_location import where
from hybridsim.model.trials import Trials
from hybridsim.typing import FloatArray

ENTRIES_TRIED = 8
"""Entries of a block that are tried."""

N_LINES = 2
"""Lines of each length through each state."""

LINE_LENGTHS = (1.0, 1e2, 1e4, 1e6)
"""Lengths of the lines through a state, as multiples of a tenth of 1 + |state|: functions with any scale show it."""

NEGLIGIBLE_SHARE = 1e-6
"""A difference by less than this share of the variation along a line does not refute a degree."""

ROUNDINGS = 100.0
"""A difference by less than so many times what one rounding of all arguments changes refutes nothing."""

STEP_LENGTHS = tuple(2.0**-k for k in range(0, 20, 3))
"""Distances of the instants along a solution [s]."""

NAMES_SHOWN = 6
"""Most states that a message gives the values of."""


def refuted_declarations(tried: Trials) -> Iterator[str]:
    """Find boundaries that are not what they declare, in each chart: one message for the first place that shows it.

    Parameters
    ----------
    tried : Trials
        The model; its functions are known to fail nowhere.

    Yields
    ------
    str
        The boundary, the chart, the line or the solution, and what to do.
    """
    table = tried.model.boundary_records
    declared = {
        index: table[index]
        for record in table.blocks
        if record.degree is not None or record.second_derivative_bound is not None
        for index in _some_of(table.place(record.name))
    }
    chance = random.Random(0)
    for chart, x in tried.everywhere() if declared else ():
        for index in [index for index in tried.active(x, chart) if index in declared]:
            found = _refute(tried, index, chart, x, chance)
            if found:
                yield f"{where(tried.model.functions['boundaries'])}: {found}"
                del declared[index]


def _some_of(place: int | slice) -> list[int]:
    """Return some entries of a block, the first and the last one among them, or the one entry that there is."""
    if isinstance(place, int):
        return [place]
    return sorted({int(index) for index in np.linspace(place.start, place.stop - 1, ENTRIES_TRIED)})


def _refute(tried: Trials, index: int, chart: int, x: FloatArray, chance: random.Random) -> str:
    """Return what refutes the declaration of a boundary at a state, "" if nothing does."""
    boundary = tried.model.boundary_records[index]
    if boundary.degree is None:
        return next((text for h in STEP_LENGTHS if (text := _beyond_bound(tried, index, chart, x, h))), "")
    for length in LINE_LENGTHS:
        for _ in range(N_LINES):
            ends = _line(tried, x, length, chance)
            difference, variation = _difference(tried, index, chart, ends, boundary.degree, chance)
            if difference:
                line = f"the straight line from {_at(tried, ends[0])} to {_at(tried, ends[1])}"
                return (
                    f"{_name(tried, boundary, chart)} is declared `degree={boundary.degree}`, but along {line} its "
                    f"difference of order {boundary.degree + 1} is {difference:.3g} (it varies by {variation:.3g}); "
                    "expected 0: leave `degree` out, or declare that of the polynomial in t and the continuous states"
                )
    return ""


def _line(tried: Trials, x: FloatArray, length: float, chance: random.Random) -> tuple[FloatArray, FloatArray]:
    """Return both ends of a line (t, x) from a state in a random direction, within the limits of the states."""
    first, states = np.append(0.0, x), tried.model.states
    lower, upper = np.append(-math.inf, states.column("lower")), np.append(math.inf, states.column("upper"))
    directions = [chance.gauss(0.0, 1.0) if free else 0.0 for free in (True, *states.column("continuous"))]
    return first, np.clip(first + 0.1 * length * (1.0 + np.abs(first)) * directions, lower, upper)


def _difference(
    tried: Trials,
    index: int,
    chart: int,
    ends: tuple[FloatArray, FloatArray],
    degree: int,
    chance: random.Random,
) -> tuple[float, float]:
    """Return a difference along a line that refutes the degree, 0 if none does, and the variation along it."""
    first, last = ends
    points = [first + k / (degree + 1) * (last - first) for k in range(degree + 2)]
    values = np.array([_value(tried, index, chart, point) for point in points])
    difference, variation = abs(float(np.diff(values, degree + 1)[0])), float(np.ptp(values))
    if not np.isfinite(values).all() or difference <= NEGLIGIBLE_SHARE * variation:
        return 0.0, variation
    moved = [_value(tried, index, chart, point, rounded=chance) for point in points]
    noise = float(np.abs(moved - values).max() + np.finfo(float).eps * np.abs(values).max())
    return (difference if difference > 2.0**degree * ROUNDINGS * noise else 0.0), variation


def _value(tried: Trials, index: int, chart: int, point: FloatArray, rounded: random.Random | None = None) -> float:
    """Return a boundary's value at (t, x), nan where it has none; with all arguments off by one rounding, if asked."""
    return float(_values(tried, "boundaries", chart, point, rounded)[index])


def _values(
    tried: Trials, name: str, chart: int, point: FloatArray, rounded: random.Random | None = None
) -> FloatArray:
    """Return what a function writes at (t, x), nan where it writes nothing."""
    given = tried.arguments(name, point[1:], chart)
    given["t"] = float(point[0])
    if rounded is not None:
        for array in ("x", "p"):
            signs = np.array([rounded.choice((-1.0, 1.0)) for _ in given[array]])
            given[array] = given[array] * (1.0 + np.finfo(float).eps * signs)
        given["t"] *= 1.0 + np.finfo(float).eps * rounded.choice((-1.0, 1.0))
    written: FloatArray = next(iter(given.values()))
    written[:] = math.nan if name == "boundaries" else 0.0
    try:
        with np.errstate(all="ignore"):
            tried.model.functions[name](*given.values())
    except Exception:  # far from the states that have been tried: the line shows nothing
        written[:] = math.nan
    return written


def _beyond_bound(tried: Trials, index: int, chart: int, x: FloatArray, h: float) -> str:
    """Return what refutes the bound along the solution from a state, over two steps of h [s]."""
    boundary = tried.model.boundary_records[index]
    bound = boundary.second_derivative_bound or 0.0
    start = np.append(0.0, x)
    middle = _step(tried, chart, start, h)
    points = [start, middle, _step(tried, chart, middle, h), _step(tried, chart, start, 2.0 * h)]
    g = np.array([_values(tried, "boundaries", chart, point) for point in points])
    armed = tried.model.boundary_records.column("armed") == "always"
    values = g[:, index]
    if not np.isfinite(values).all() or (g[:, armed] < 0.0).any():  # no solution of this chart
        return ""
    off = abs(values[3] - values[2])  # by integration
    moved = _value(tried, index, chart, middle, rounded=random.Random(0))
    noise = abs(moved - values[1]) + np.finfo(float).eps * np.abs(values).max()
    second = abs(values[0] - 2.0 * values[1] + values[2])
    if second <= bound * h * h * (1.0 + NEGLIGIBLE_SHARE) + 4.0 * off + ROUNDINGS * noise:
        return ""
    return (
        f"{_name(tried, boundary, chart)} is declared `second_derivative_bound={bound:g}`, but along the solution from "
        f"{_at(tried, start)} the second derivative reaches {second / (h * h):.6g} within {2.0 * h:g} s; "
        "declare a larger bound, one that holds wherever a run may begin, or leave it out"
    )


def _step(tried: Trials, chart: int, point: FloatArray, h: float) -> FloatArray:
    """Make a step of the classical Runge-Kutta method in (t, x)."""
    free = tried.model.states.column("continuous")

    def slope(at: FloatArray) -> FloatArray:
        return np.append(1.0, np.where(free, _values(tried, "vector_field", chart, at), 0.0))

    k1 = slope(point)
    k2 = slope(point + 0.5 * h * k1)
    k3 = slope(point + 0.5 * h * k2)
    k4 = slope(point + h * k3)
    return np.asarray(point + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))


def _name(tried: Trials, boundary: Boundary, chart: int) -> str:
    return f"the boundary {boundary.name} in chart {tried.model.chart_name(chart)}"


def _at(tried: Trials, point: FloatArray) -> str:
    """Return the time and the first states of a point in words."""
    names = ["t", *tried.model.states.names][: NAMES_SHOWN + 1]
    more = ", ..." if len(point) > len(names) else ""
    return "(" + ", ".join(f"{name} = {value:.6g}" for name, value in zip(names, point, strict=False)) + more + ")"

"""A run with one of its arrays altered, and ways to alter an array. The arrays are named as in a run's file."""

import copy
import dataclasses

import numpy as np

from hybridsim.results.hdf5 import EVENT_DATASETS, INPUT_COLUMNS
from hybridsim.results.rows import ROW_COLUMNS

SHARE = 1e-5
"""The least alteration, in units of the largest number of the column: well above the deviations allowed here."""

SHARE_OF_EXTENSION = 1e-3
"""A step that an event has cut is checked beyond the event too, but to the tolerance of its end."""

OF_EVENTS = {"events/value": (1e-5, 1e-5), "events/depth": (1e-4, 1e-5), "events/error": (1e-4, 1e-5)}
"""Share and least size: a value or an error may be pure rounding, and depths and errors have five digits."""


def arrays(run):
    """The arrays of a run by name."""
    found = {name: getattr(run, name) for name in ROW_COLUMNS if getattr(run, name) is not None}
    found |= {f"events/{place}": np.array(getattr(run.events, name)) for name, place in EVENT_DATASETS.items()}
    found |= {"charts/number": np.array([*run.charts]), "charts/name": np.array([*run.charts.values()])}
    found |= {f"parameters/{name}": np.array(value) for name, value in run.parameters.items()}
    if run.inputs.records:
        found |= {f"inputs/{place}": getattr(run.inputs, name) for place, name in INPUT_COLUMNS.items()}
        found["inputs/initial"] = run.inputs.initial
    return found


def with_array(run, name, values):
    """The same run with another array in place of one."""
    folder, _, place = name.rpartition("/")
    if not folder:
        return dataclasses.replace(run, **{name: values})
    if folder == "events":
        events = copy.copy(run.events)
        column = {there: here for here, there in EVENT_DATASETS.items()}[place]
        setattr(events, column, tuple(values.tolist()) if values.dtype.kind == "U" else values)
        return dataclasses.replace(run, events=events)
    if folder == "inputs":
        column = INPUT_COLUMNS.get(place, place)
        return dataclasses.replace(run, inputs=dataclasses.replace(run.inputs, **{column: values}))
    if folder == "parameters":
        return dataclasses.replace(run, parameters={**run.parameters, place: values.item()})
    columns = {"number": [*run.charts], "name": [*run.charts.values()], place: values.tolist()}
    return dataclasses.replace(run, charts=dict(zip(columns["number"], columns["name"], strict=True)))


def alterations(name, values):
    """Ways to alter one array: (way, where, the values altered), each one different from the values as they are."""
    if values.dtype.kind == "U":
        ways, least = _of_words(values), 0.0
    else:
        least = _least(name, values)
        ways = _of_numbers(values, least)
    for way, where, altered in ways:
        if name.startswith("charts/") and altered.shape != values.shape:
            continue  # a mapping cannot have more names than numbers
        if altered.shape != values.shape or _differ(values, altered, least):
            yield way, where, altered


def _least(name, values):
    """The least alteration of each column; of an extension, by the largest coefficient of each state."""
    share, floor = OF_EVENTS.get(name, (SHARE_OF_EXTENSION if values.ndim == 3 else SHARE, 0.0))
    size = abs(values.astype(float))
    if values.ndim:
        size = np.fmax.reduce(size, axis=tuple(range(max(values.ndim - 1, 1))), initial=0.0)
    return share * np.fmax(size, floor)


def _differ(values, altered, least):
    """Return whether the alteration is large enough to be seen."""
    if values.dtype.kind != "f":
        return not np.array_equal(values, altered)
    with np.errstate(invalid="ignore"):
        change = abs(altered - values)
    change = np.where(np.isnan(values) & np.isnan(altered), 0.0, change)
    return not (change <= 0.99 * least).all()


def _of_words(values):
    for row in _some_rows(len(values)):
        altered = values.astype(object)
        altered[row] = "nonsense"
        yield "another word", row, altered.astype(str)
    yield from _of_rows(values)


def _of_numbers(values, least):
    if values.ndim == 0:
        yield "the next number", "", values + 1
        if values.dtype.kind == "f":
            yield "a little more", "", values * (1.0 + 1e-3)
            yield "not a number", "", np.full_like(values, np.nan)
        return
    changes = {"f": _float_changes, "b": _flag_changes}.get(values.dtype.kind, _integer_changes)
    for place in _some_places(values):
        for way, changed in changes(values, place, np.broadcast_to(least, values.shape)[place]):
            altered = values.copy()
            altered[place] = changed
            yield way, place, altered
    yield from _of_rows(values)
    yield "one dimension more", "", values[None]
    if values.dtype.kind == "f":
        yield "all turned round", "", -values
        yield "all a little larger", "", values * (1.0 + 1e-5)
        yield "all shifted", "", values + 1e-3
    elif values.dtype.kind != "b":
        yield "all larger by one", "", values + 1


def _float_changes(values, place, least):
    sign = 1.0 if sum(place) % 2 else -1.0
    least = least or SHARE
    yield "a little off", values[place] + sign * least
    yield "off", values[place] - 1e2 * sign * least
    yield "turned round", -values[place]
    yield ("not a number", np.nan) if sum(place) % 2 else ("infinite", np.inf)


def _integer_changes(values, place, _least):
    yield "one more", values[place] + 1
    yield "one less", values[place] - 1


def _flag_changes(values, place, _least):
    yield "the other answer", not values[place]


def _of_rows(values):
    """Rows dropped, doubled, swapped and reversed."""
    n = len(values)
    for row in _some_rows(n):
        yield "without a row", row, np.delete(values, row, axis=0)
        yield "a row twice", row, np.insert(values, row, values[row], axis=0)
    for row in _some_rows(n - 1):
        swapped = values.copy()
        swapped[[row, row + 1]] = values[[row + 1, row]]
        yield "two rows swapped", row, swapped
    yield "backwards", "", values[::-1].copy()
    yield "empty", "", values[:0]


def _some_rows(n):
    return sorted({row for row in (0, 1, n // 2, n - 1) if 0 <= row < n})


def _some_places(values):
    """Every column, in one row after another, and the first column in all of these."""
    rows = _some_rows(len(values))
    columns = list(np.ndindex(values.shape[1:]))
    turns = max(len(rows), len(columns)) if rows and columns else 0
    return [(rows[k % len(rows)], *columns[k % len(columns)]) for k in range(turns)]

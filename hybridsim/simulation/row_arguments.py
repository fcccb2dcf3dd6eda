"""From names and values that a caller gives, for one point or for n rows, to the arrays of the compiled loops."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError
from hybridsim.model import Model, nearest
from hybridsim.simulation.row_loops import PARAMETER, STATE, TIME
from hybridsim.typing import FloatArray, IntArray, VariableGroup

GROUPS: Mapping[VariableGroup, str] = {"x": "states", "p": "parameters", "u": "inputs", "t": "time"}
"""Words for groups of variables."""

ENTRY = re.compile(r"(\w+(?:\.\w+)?)\[(\d+)(?:, ?(\d+))?\]")
"""An entry of an array, `gains[2]`, or of a matrix, `height[0,3]`."""


Variables = tuple[tuple[str, ...], IntArray, IntArray]
"""Names of variables, their kinds, and their indices in x or p."""


def chart_number(model: Model, chart: str | int | np.integer[Any]) -> int:
    """Return the number of a chart, given its name or number.

    Raises
    ------
    ConfigError
        If the model has no such chart.
    """
    if isinstance(chart, str):
        names = model.charts.names
        if chart in names:
            return names.index(chart)
        known = f"it has {', '.join(names)}" if names else f"give its number, 0 to {model.n_charts - 1}"
        raise ConfigError(f"{model.name}: chart: there is no chart {chart!r}{nearest(chart, names)}; {known}")
    if not 0 <= int(chart) < model.n_charts:
        raise ConfigError(f"{model.name}: chart: the charts are numbered 0 to {model.n_charts - 1}, found {chart}")
    return int(chart)


def variables_of(model: Model, p: FloatArray, wrt: str | Sequence[str]) -> Variables:
    """Return the names of variables, their kinds and their indices in x or p.

    Parameters
    ----------
    model : Model
        The model.
    p : (n_p,) array
        Its packed parameters.
    wrt : str or sequence of str
        "x", "p", "u" (the inputs) or "t", the name of one state, parameter or input, or a sequence of names. "p" stands
        for the parameters that are real numbers; an entry of an array is `gains[2]`, of a matrix `height[0,3]`. The
        name of a block of states stands for all of its entries.

    Raises
    ------
    ConfigError
        If there is no such variable, or it is no real number.
    """
    groups = {
        "x": model.states.names,
        "p": tuple(p.name for p in model.parameters if not (p.choices or p.is_array or p.integer)),
        "u": model.inputs.names,
        "t": ("t",),
    }
    given = groups.get(wrt, (wrt,)) if isinstance(wrt, str) else tuple(wrt)
    places = [model.states.found(name) if isinstance(name, str) else None for name in given]
    blocks = [model.states.names[place] if isinstance(place, slice) else () for place in places]
    names = [each for name, block in zip(given, blocks, strict=True) for each in block or (name,)]
    found = [_variable(model, p, name, groups) for name in names]
    kind, index = np.array(found, np.int64).reshape(-1, 2).T.copy()
    return tuple(names), kind, index


def _variable(model: Model, p: FloatArray, name: str, groups: Mapping[str, Sequence[str]]) -> tuple[int, int]:
    if name in groups["x"]:
        return STATE, model.states.index(name)
    if name in groups["p"] or name in groups["u"]:
        return PARAMETER, model.p_indices[name]
    if name == "t":
        return TIME, 0
    if name in model.parameters.names:
        entries = f"; give entries of it, `{name}[0]`" if model.parameters[name].is_array else ""
        raise ConfigError(
            f"{model.name}: wrt: the parameter {name!r} is no real number, so there is no derivative{entries}"
        )
    entry = ENTRY.fullmatch(name)
    if entry and entry[1] in model.parameters.names and model.parameters[entry[1]].is_array:
        return PARAMETER, _index_of_entry(model, p, entry)
    known = (*groups["x"], *groups["p"], *groups["u"])
    raise ConfigError(
        f"{model.name}: wrt: there is no {name!r}{nearest(name, known)}; give a state, a parameter, an input, "
        f"or one of {', '.join(f'{word} ({meaning})' for word, meaning in GROUPS.items())}"
    )


def _index_of_entry(model: Model, p: FloatArray, entry: re.Match[str]) -> int:
    """Return where an entry of an array lies in p."""
    starts = {q.name: int(p[model.p_indices[q.name]]) + model.p_starts[q.name] for q in model.parameters if q.is_array}
    name, first = entry[1], starts[entry[1]]
    size = min((start for start in starts.values() if start > first), default=len(p) - 1) - first
    shape = tuple(p[first : first + 2].astype(int)) if model.parameters[name].is_matrix else (size,)
    place = tuple(int(number) for number in entry.groups()[1:] if number is not None)
    if len(place) != len(shape) or any(i >= n for i, n in zip(place, shape, strict=True)):
        raise ConfigError(
            f"{model.name}: there is no {entry[0]!r}; {name} has {' x '.join(map(str, shape))} numbers, "
            "counted from 0: " + (f"`{name}[0,1]`" if len(shape) > 1 else f"`{name}[0]`")
        )
    return first + (2 if len(shape) > 1 else 0) + int(np.ravel_multi_index(place, shape))


def indices_of(model: Model, p: FloatArray, parameters: Sequence[str], inputs: Sequence[str]) -> IntArray:
    """Return where parameters, and then inputs, lie in p.

    Raises
    ------
    ConfigError
        If there is no such parameter or input, or it is no real number.
    """
    known = model.parameters.names, model.inputs.names
    for word, names, of_model in zip(("parameters", "inputs"), (parameters, inputs), known, strict=True):
        for name in names:
            if name.partition("[")[0] not in of_model:
                raise ConfigError(f"{model.name}: {word}: there is no {name!r}{nearest(name, of_model)}")
    return variables_of(model, p, (*parameters, *inputs))[2]


NONE = np.zeros(0, np.int64)
NO_VALUES: Mapping[str, Any] = {}


def held_values(held: FloatArray, indices: Sequence[int], which: IntArray) -> dict[str, Any]:
    """Return values that vary from row to row as entries of `row_loops.Rows`.

    `held` is (n_held, k), values of k parameters and inputs, `indices` are theirs in p, and `which`, (n,), says which
    row of `held` holds at each of n rows.
    """
    return {"held": held, "input_indices": np.array([len(indices), *indices], np.int64), "which": which}


@dataclass(frozen=True, slots=True)
class Given:
    """n rows, None for one point, and entries of `row_loops.Rows`."""

    n: int | None
    arrays: dict[str, Any]


def given_rows(
    model: Model, given: dict[str, Any], indices: IntArray = NONE, held: Mapping[str, Any] = NO_VALUES
) -> Given:
    """Check shapes, charts and names, and give all arrays the same number of rows.

    Parameters
    ----------
    model : Model
        The model.
    given : dict of str
        Entries of `row_loops.Rows`, each for one point or for n rows; charts and boundaries may be names. None stands
        for what is not given, the only chart among it.
    indices : (k,) array
        Indices in p of parameters and inputs.
    held : mapping of str
        Their values by name, numbers or (n,) arrays.

    Returns
    -------
    Given
        The arrays.

    Raises
    ------
    ConfigError
        If a name or a shape is wrong.
    """
    arrays = {name: _array(model, name, value) for name, value in given.items() if value is not None or name == "chart"}
    widths = {"x": model.states.names, "crossed": model.boundary_records.names}
    lengths = {name: n for name, array in arrays.items() if (n := _rows_in(name, array, widths.get(name))) is not None}
    if len(indices):
        values = {name: _numbers(model, name, value, np.float64) for name, value in held.items()}
        lengths |= {name: n for name, value in values.items() if (n := _rows_in(name, value, None)) is not None}
    if len({*lengths.values()}) > 1:
        found = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise ConfigError(f"{model.name}: expected the same number of rows, or one point for all; {found}")
    n = next(iter(lengths.values()), None)
    if n is not None:
        for name, array in arrays.items():
            if name not in lengths:
                shape = (n, len(widths[name])) if name in widths else (n,)
                arrays[name] = np.full(shape, array)
    if len(indices):
        arrays |= _held(indices.tolist(), [*values.values()], 1 if n is None else n)
    return Given(n, arrays)


def _array(model: Model, name: str, value: Any) -> Any:
    """Return a number as it is, and anything else as an array that is contiguous."""
    if name in ("chart", "adjacent_chart"):
        return _charts(model, name, value)
    if name == "crossed":
        return _numbers(model, name, _flags(model, value), np.int64)
    return _numbers(model, name, value, np.float64)


def _numbers(model: Model, name: str, value: Any, dtype: type) -> Any:
    if isinstance(value, float):
        return value
    try:
        return np.asarray(value, dtype, order="C")
    except (TypeError, ValueError):
        raise ConfigError(f"{model.name}: {name}: expected numbers, found {value!r}") from None


def _rows_in(name: str, array: Any, columns: Sequence[str] | None) -> int | None:
    """Return the number of rows of an array; None if it is for one point."""
    shape: tuple[int, ...] = array.shape if isinstance(array, np.ndarray) else ()
    if columns is None and len(shape) < 2:
        return shape[0] if shape else None
    if columns is not None and len(shape) in (1, 2) and shape[-1] == len(columns):
        return shape[0] if len(shape) == 2 else None
    expected = "a number, or one for each row" if columns is None else f"{len(columns)} numbers, {', '.join(columns)}"
    raise ConfigError(
        f"{name}: expected {expected}{'' if columns is None else ', or rows of them'}; found shape {shape}"
    )


def _held(indices: Sequence[int], values: Sequence[Any], n: int) -> dict[str, Any]:
    varies = any(isinstance(value, np.ndarray) and value.ndim for value in values)
    held = np.empty((n if varies else 1, len(values)))
    for column, value in enumerate(values):
        held[:, column] = value
    return held_values(held, indices, np.arange(n) if varies else np.zeros(n, np.int64))


def _charts(model: Model, word: str, chart: Any) -> Any:
    """Return the number of a chart, or those of n rows."""
    if chart is None:
        if model.n_charts > 1:
            names = model.charts.names
            known = f"one of {', '.join(names)}" if names else f"a number, 0 to {model.n_charts - 1}"
            raise ConfigError(f"{model.name}: {word}: the model has {model.n_charts} charts; give {known}")
        return 0
    if isinstance(chart, str | int | np.integer):
        return chart_number(model, chart)
    numbers = np.asarray(chart)
    if numbers.dtype.kind == "U":
        numbers = np.array([chart_number(model, str(name)) for name in numbers], np.int64)
    if numbers.dtype.kind not in "iu" and numbers.size:
        raise ConfigError(f"{model.name}: {word}: expected names or whole numbers, found {numbers.dtype}")
    if numbers.size:
        for extreme in (numbers.min(), numbers.max()):
            chart_number(model, int(extreme))
    return np.ascontiguousarray(numbers, np.int64)


def _flags(model: Model, crossed: Any) -> Any:
    """Return which boundaries cross, as numbers, if they are given by names."""
    names = model.boundary_records.names
    if isinstance(crossed, np.ndarray) or not all(isinstance(each, str) for each in crossed):
        return crossed
    for name in crossed:
        if name not in names:
            raise ConfigError(f"{model.name}: crossed: there is no boundary {name!r}{nearest(name, names)}")
    return np.array([name in crossed for name in names], np.int64)

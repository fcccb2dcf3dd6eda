"""What a caller gives, for one point or for n rows, as the arrays of the compiled loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError, nearest
from hybridsim.model import Model
from hybridsim.simulation.variables import chart_number
from hybridsim.typing import FloatArray, IntArray

NONE = np.zeros(0, np.int64)
NO_VALUES: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class HeldInputs:
    """Values of k parameters and inputs: (n_held, k), their indices in p, and which row of `held` holds at each row."""

    held: FloatArray
    indices: IntArray
    which: IntArray

    def arrays(self) -> dict[str, Any]:
        """Return them as entries of `row_loops.Rows`."""
        input_indices = np.array([len(self.indices), *self.indices.tolist()], np.int64)
        return {"held": self.held, "input_indices": input_indices, "which": self.which}


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
        arrays |= _held(indices, [*values.values()], 1 if n is None else n).arrays()
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


def _held(indices: IntArray, values: Sequence[Any], n: int) -> HeldInputs:
    varies = any(isinstance(value, np.ndarray) and value.ndim for value in values)
    held = np.empty((n if varies else 1, len(values)))
    for column, value in enumerate(values):
        held[:, column] = value
    return HeldInputs(held, indices, np.arange(n) if varies else np.zeros(n, np.int64))


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

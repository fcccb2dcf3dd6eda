"""Convert values of Python to nodes of a configuration; an array of numbers becomes one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.keywords import printable_name
from hybridsim.config.source import Node, Origin

_NUMBERS = (int, float, np.integer, np.floating)


def node_of(value: Any, origin_of: Callable[[str], Origin], name: str) -> Node:
    """Return Python's values as nodes; an array or a list of numbers becomes one node with an (n,) array.

    Parameters
    ----------
    value : object
        Containers, paths, arrays, tables of pandas or pyarrow, numbers and texts.
    origin_of : callable
        Function from the name of a value to its origin.
    name : str
        Name of the value, `axes.k`.

    Returns
    -------
    Node
        The value.
    """
    if hasattr(value, "to_numpy") and getattr(value, "ndim", 1) == 1:
        value = value.to_numpy()
    names = _names(value)
    if names is not None:
        inside = {printable_name(key): value[key] for key in names}
        return Node({key: node_of(item, origin_of, f"{name}.{key}") for key, item in inside.items()}, origin_of(name))
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if isinstance(value, str | bytes) or not hasattr(value, "__len__"):
        return Node(value.item() if isinstance(value, np.generic) else value, origin_of(name))
    numbers = _numbers(value)
    if numbers is not None:
        return Node(numbers.item() if numbers.ndim == 0 else numbers, origin_of(name))
    items = value.tolist() if hasattr(value, "tolist") else list(value)
    if not isinstance(items, list):
        return Node(items, origin_of(name))
    return Node([node_of(item, origin_of, f"{name}[{index}]") for index, item in enumerate(items)], origin_of(name))


def _names(value: Any) -> list[Any] | None:
    """Return the keys of a mapping, or the names of the columns of a table; None for any other value."""
    if isinstance(value, Mapping):
        return list(value)
    columns = getattr(value, "column_names", None)  # pyarrow's; a pandas table has `columns`
    columns = getattr(value, "columns", None) if columns is None else columns
    return None if columns is None else list(columns)


def _numbers(value: Any) -> NDArray[Any] | None:
    """Return the numbers of a list or an array of at most one dimension; None if it contains anything else."""
    if isinstance(value, list | tuple) and not all(isinstance(item, _NUMBERS) for item in value):
        return None
    if isinstance(value, list | tuple) and any(isinstance(item, bool) for item in value):
        return None
    try:
        array = np.asarray(value)
    except (ValueError, OverflowError):
        return None
    if array.dtype.kind not in "iuf" or array.ndim > 1 or (array.size == 0):
        return None
    return array.astype(np.int64 if array.dtype.kind == "i" else np.float64)

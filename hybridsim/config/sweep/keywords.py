"""`sweep_from_keywords`: the keywords of `hybridsim.sweep` as a SweepConfig, checked like a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.building import fill_slots, load_named_model
from hybridsim.config.keywords import CommonKeywords, keyword_tree, plain_node, printable_name
from hybridsim.config.source import Diagnostics, Node, Origin
from hybridsim.config.sweep.building import build_sweep
from hybridsim.config.sweep.sweep_config import SweepConfig
from hybridsim.config.sweep_settings import SweepSettings
from hybridsim.model import Model

_NUMBERS = (int, float, np.integer, np.floating)


class SweepKeywords(CommonKeywords, total=False):
    """The keywords of `sweep` for its config; see `CommonKeywords`."""

    zip: Mapping[str, Any] | None
    random: Mapping[str, Any] | None
    latin_hypercube: Mapping[str, Any] | None
    rows: Any
    from_: float | str | None
    extra_outputs: str | os.PathLike[str] | None
    results: Sequence[str] | None
    block: int | None
    record: bool | float | Mapping[str, Any]


GROUPS = {
    name: name.rstrip("_") for name in SweepKeywords.__annotations__ if name.rstrip("_") in SweepSettings.model_fields
}
"""Keyword of `sweep` -> the key of the section `sweep` that it stands for."""

EXECUTION_KEYWORDS = ("folder", "resume", "workers", "cluster", "keep_runs", "progress", "events")
"""Keywords of `sweep` without a key of a config: they set where and how the rows are computed."""


def sweep_from_keywords(
    model: str | os.PathLike[str] | Model, axes: Mapping[str, Any] | None = None, metrics: Any = None, **keywords: Any
) -> SweepConfig:
    """Return the sweep that keywords describe.

    Parameters
    ----------
    model : str, path-like or Model
        Name of an installed model, path of a plug-in file, or a Model.
    axes : mapping, optional
        Values by key: a list, a numpy array, or an expression such as `linspace(0, 1, 11)`.
    metrics : list or mapping, optional
        Metrics, or a mapping of columns to metrics.
    **keywords
        The other keys of the section `sweep`, and the keywords of `simulate`.

    Returns
    -------
    SweepConfig
        The checked configuration.

    Raises
    ------
    ModelError
        If there is no such model, or it cannot be loaded.
    ConfigError
        If the keywords are invalid, with all problems, one a line.
    """
    diagnostics = Diagnostics()
    known = ("axes", "metrics", *EXECUTION_KEYWORDS, *SweepKeywords.__annotations__)
    groups = {"axes": axes} | {key: keywords.pop(name, None) for name, key in GROUPS.items()}
    root, loaded = keyword_tree(model, keywords, diagnostics, known)
    given = {name: node_of(value, _origin, name) for name, value in groups.items() if value is not None}
    root = root.with_value(("sweep",), Node(given, _origin("axes")))
    if keywords.get("final_time") is None:
        root = root.with_value(("final_time",), Node(None, _origin("final_time")))
    root = root.with_value(("metrics",), node_of(metrics, _origin, "metrics"))
    return build_sweep(root, loaded, diagnostics)


def _origin(name: str) -> Origin:
    return Origin("keyword", name=name)


def sweep_from_data(data: Mapping[str, Any]) -> SweepConfig:
    """Return the sweep that `sweep_data` has written.

    Parameters
    ----------
    data : mapping
        The plain data.

    Returns
    -------
    SweepConfig
        The checked configuration.

    Raises
    ------
    ConfigError
        If the data are invalid here, with all problems, one a line.
    """
    diagnostics = Diagnostics()
    origin = Origin("sweep data", computed=True)
    root = plain_node({name: value for name, value in data.items() if name != "sweep"}, origin)
    root = root.with_value(("sweep",), node_of(data.get("sweep"), lambda _: origin, "sweep"))
    return build_sweep(*fill_slots(root, load_named_model(root, diagnostics), diagnostics), diagnostics)


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

"""The values of one axis: from a list, an expression, an array or a single value to an array in the model's unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.source import Node, Place, shown
from hybridsim.config.sweep.axes import Axis
from hybridsim.config.sweep.expressions import is_call, sequence
from hybridsim.config.sweep.targets import Target
from hybridsim.config.values import file_numbers
from hybridsim.errors import ConfigError

MOST_PROBLEMS = 5
"""Of one axis that are told; a column of another kind would fill the screen."""

_NUMBERS = (int, float, np.integer, np.floating)
_ENDINGS = (".npy", ".csv")
_HOW_TO_LIST = "expected a list or array of values, one value or an expression such as linspace(0, 1, 11)"


class Complain(Protocol):
    """Where a problem goes: one of the whole axis, or one of its values, counted from 0."""

    def __call__(self, text: str, number: int | None = None) -> None: ...


def axis_of_node(target: Target, node: Node, complain: Complain) -> Axis | None:
    """The axis whose values the node lists; None, and problems, if there is something wrong with them."""
    value = node.value
    if isinstance(value, np.ndarray):
        return axis_of_array(target, value, complain, degrees=False, what="the array")
    if isinstance(value, list):
        return axis_of_values(target, [plain(item) for item in value], complain)
    if _is_short(node, target):
        try:
            values, degrees = _written_out(node, target)
        except ConfigError as failure:
            complain(str(failure))
            return None
        return axis_of_array(target, values, complain, degrees=degrees, what=value)
    if value is None or _is_iterable(value):
        found = f"a {type(value).__name__}" if hasattr(value, "__next__") else shown(value)
        complain(f"{_HOW_TO_LIST}, found {found}")
        return None
    return axis_of_values(target, [value], complain)


def count_of(node: Node, target: Target) -> int | None:
    """How many values a node gives, right or wrong; None where that cannot be told."""
    if isinstance(node.value, list | np.ndarray):
        return len(node.value) or None
    if _is_short(node, target):
        try:
            return len(_written_out(node, target)[0])
        except ConfigError:
            return None
    return None if node.value is None or _is_iterable(node.value) else 1


def _is_iterable(value: Any) -> bool:
    """Whether this is a mapping, or a generator, whose values could be read only once."""
    return hasattr(value, "__iter__") and not isinstance(value, str | bytes)


def _is_short(node: Node, target: Target) -> bool:
    """Whether a text stands for many numbers: an expression, or a file of them."""
    return is_file(node, target) or (isinstance(node.value, str) and is_call(node.value) and not target.words)


def _written_out(node: Node, target: Target) -> tuple[NDArray[np.float64], bool]:
    """The numbers (n,) that a text stands for, and whether they were given in degrees."""
    return (file_values(node), False) if is_file(node, target) else sequence(node.value, target)


def is_file(node: Node, target: Target) -> bool:
    """Whether the values are in a file of numbers, as an array parameter's may be."""
    return isinstance(node.value, str) and not target.words and node.value.lower().endswith(_ENDINGS)


def file_values(node: Node) -> NDArray[np.float64]:
    """The numbers (n,) in the file that a node names; a ConfigError if it cannot be read."""
    return np.array(file_numbers(path_of(node)), np.float64)


def path_of(node: Node) -> Path:
    """The absolute path that a node writes, relative to the file it stands in."""
    return (node.place.folder / Path(node.value).expanduser()).resolve()


def plain(node: Node) -> Any:
    """The value of a node without places, and without arrays."""
    value = node.plain()
    return value.tolist() if isinstance(value, np.ndarray) else value


def resolved_values(node: Node, target: Target) -> Any:
    """The values of an axis as plain data that mean the same anywhere on this machine."""
    return str(path_of(node)) if is_file(node, target) else plain(node)


def axis_of_values(target: Target, values: Sequence[Any], complain: Complain) -> Axis | None:
    """The axis with these values as a config says them: numbers, `22 deg`, words."""
    if not values:
        complain("expected at least one value, found an empty list; give values or remove the axis")
        return None
    read, problems = [], 0
    for number, value in enumerate(values):
        try:
            read.append(target.rule(value))
        except ConfigError as failure:
            problems += 1
            if problems <= MOST_PROBLEMS:
                complain(str(failure), number)
    if problems > MOST_PROBLEMS:
        complain(f"{problems - MOST_PROBLEMS:,} more of its values are not right; correct them too")
    degrees = target.unit == "rad" and all(isinstance(value, str) for value in values)
    return None if problems else Axis(target.key, target.name, target.unit, _typed(target, read), degrees)


def axis_of_array(target: Target, values: NDArray[Any], complain: Complain, *, degrees: bool, what: str) -> Axis | None:
    """The axis with these numbers (n,) in the unit of the model; `what` is what messages call their source.

    `degrees` says that they were given in degrees.
    """
    if target.words:
        complain(f"expected words out of {', '.join(target.words)}, found numbers; list words")
        return None
    if not values.size:
        complain("expected at least one value, found an empty array; give values or remove the axis")
        return None
    number = _first_bad(values, target)
    if number is not None:
        try:
            target.rule(values[number].item())
        except ConfigError as failure:
            complain(f"value [{number}] of {what}: {failure}", number)
            return None
    return Axis(target.key, target.name, target.unit, _typed(target, values), degrees and target.unit == "rad")


def _first_bad(values: NDArray[Any], target: Target) -> int | None:
    """The place of a value that the rule refuses: as it takes an interval, the ends of the values tell."""
    strange = np.isnan(values)
    if target.whole:
        strange |= values != np.floor(values)
    if strange.any():
        return int(np.argmax(strange))
    for number in (int(np.argmin(values)), int(np.argmax(values))):
        try:
            target.rule(values[number].item())
        except ConfigError:
            return number
    return None


def _typed(target: Target, values: Any) -> NDArray[Any]:
    if target.words:
        return np.array(values, dtype=np.str_)
    return np.array(values, dtype=np.int64 if target.whole else np.float64)


def node_of(value: Any, place_of: Callable[[str], Place], name: str) -> Node:
    """Python's values as nodes, with arrays and lists of numbers kept whole, as one (n,) array.

    `name` is what the value is called, `axes.k`; `place_of` makes a place of such a name.
    """
    if hasattr(value, "to_numpy") and getattr(value, "ndim", 1) == 1:
        value = value.to_numpy()
    names = _names(value)
    if names is not None:
        inside = {_printable(key): value[key] for key in names}
        return Node({key: node_of(item, place_of, f"{name}.{key}") for key, item in inside.items()}, place_of(name))
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if isinstance(value, str | bytes) or not hasattr(value, "__len__"):
        return Node(value.item() if isinstance(value, np.generic) else value, place_of(name))
    numbers = _numbers(value)
    if numbers is not None:
        return Node(numbers.item() if numbers.ndim == 0 else numbers, place_of(name))
    items = value.tolist() if hasattr(value, "tolist") else list(value)
    if not isinstance(items, list):
        return Node(items, place_of(name))
    return Node([node_of(item, place_of, f"{name}[{place}]") for place, item in enumerate(items)], place_of(name))


def _names(value: Any) -> list[Any] | None:
    """The names in a mapping, or of the columns of a table; None for what is neither."""
    if isinstance(value, Mapping):
        return list(value)
    columns = getattr(value, "column_names", None)  # pyarrow's; a pandas table has `columns`
    columns = getattr(value, "columns", None) if columns is None else columns
    return None if columns is None else list(columns)


def _numbers(value: Any) -> NDArray[Any] | None:
    """The numbers of a list or an array, of one dimension at most; None if there is anything else among them."""
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


def _printable(key: Any) -> str:
    """The key as text that can be printed: lone surrogates, which no name has, are escaped."""
    return str(key).encode("utf-8", "backslashreplace").decode()

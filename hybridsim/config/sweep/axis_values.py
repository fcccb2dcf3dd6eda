"""An axis of a sweep, one key of a run, and its values: from a list, an expression, an array, a distribution or a
single value to an array in the model's unit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.arrays import file_numbers
from hybridsim.config.source import Node, number_from, show
from hybridsim.config.sweep.expressions import distribution, is_call, sequence
from hybridsim.config.sweep.targets import Target
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A key that varies in a sweep.

    Attributes
    ----------
    key : str
        `parameters.k`, `initial.y`, `engine.rtol`, `initial_time` or `final_time`.
    name : str
        Its column in the results, the last part of the key.
    unit : str
        Unit of the values; "" for words and plain numbers.
    values : (n,) array
        Values in the unit of the model: float64, int64 for a key of whole numbers, or words.
    degrees : bool
        Whether all values were given in degrees although the unit is rad; pictures then show degrees.
    """

    key: str
    name: str
    unit: str
    values: NDArray[Any]
    degrees: bool = False


Factor = tuple[Axis, ...]
"""Axes of one length that vary together; the rows of a sweep are the product of its factors."""


MAX_PROBLEMS_PER_AXIS = 5
"""Most problems reported per axis; a column of the wrong type would fill the screen."""

_FILE_SUFFIXES = (".npy", ".csv")
_RANGE = re.compile(r"\s*(\S+?)\s*\.\.\s*([^\s:]+)(?::([1-9]\d*))?\s*")
"""A range as on the command line."""

_EXPECTED_VALUES = "expected a list or array of values, one value or an expression such as linspace(0, 1, 11)"


class ReportError(Protocol):
    """Function that records an error of a whole axis, or of its value with an index."""

    def __call__(self, text: str, index: int | None = None) -> None: ...


def axis_of_node(target: Target, node: Node, report: ReportError) -> Axis | None:
    """Return the axis whose values a node gives; None, after reporting errors, if they are invalid."""
    value = node.value
    if isinstance(value, np.ndarray):
        return axis_of_array(target, value, report, degrees=False, source="the array")
    if isinstance(value, list):
        return axis_of_values(target, [plain(item) for item in value], report)
    if _is_sequence_text(node, target):
        try:
            values, degrees = _values_of_text(node, target)
        except ConfigError as failure:
            report(str(failure))
            return None
        return axis_of_array(target, values, report, degrees=degrees, source=value)
    if value is None or _is_iterable(value):
        found = f"a {type(value).__name__}" if hasattr(value, "__next__") else show(value)
        report(f"{_EXPECTED_VALUES}, found {found}")
        return None
    return axis_of_values(target, [value], report)


def count_of(node: Node, target: Target) -> int | None:
    """Return how many values a node gives, valid or not; None if their number is unknown."""
    if isinstance(node.value, list | np.ndarray):
        return len(node.value) or None
    if _is_sequence_text(node, target):
        try:
            return len(_values_of_text(node, target)[0])
        except ConfigError:
            return None
    return None if node.value is None or _is_iterable(node.value) else 1


def _is_iterable(value: Any) -> bool:
    """Return whether this is a mapping, or a generator, whose values could be read only once."""
    return hasattr(value, "__iter__") and not isinstance(value, str | bytes)


def _is_sequence_text(node: Node, target: Target) -> bool:
    """Return whether a text stands for several numbers: an expression, or the name of a file."""
    if target.words or not isinstance(node.value, str):
        return False
    return is_file(node, target) or is_call(node.value) or _range(node.value) is not None


def _range(text: str) -> re.Match[str] | None:
    """Return the ends and the count of a range as on the command line; None for any other text."""
    found = _RANGE.fullmatch(text)
    ends = found.groups()[:2] if found else ()
    return found if ends and all(number_from(end) is not None for end in ends) else None


def _values_of_text(node: Node, target: Target) -> tuple[NDArray[np.float64], bool]:
    """Return the numbers (n,) that a text stands for, and whether they are given in degrees."""
    if is_file(node, target):
        return file_values(node), False
    if ends := _range(node.value):
        written = f"linspace({ends[1]}, {ends[2]}, {ends[3] or 11})"
        raise ConfigError(f"{_EXPECTED_VALUES}, found {node.value!r}; write {written}")
    return sequence(node.value, target)


def is_file(node: Node, target: Target) -> bool:
    """Return whether a node names a file of numbers."""
    return isinstance(node.value, str) and not target.words and node.value.lower().endswith(_FILE_SUFFIXES)


def file_values(node: Node) -> NDArray[np.float64]:
    """Return the numbers (n,) in the file that a node names; raise a ConfigError if it cannot be read."""
    return np.array(file_numbers(path_of(node)), np.float64)


def path_of(node: Node) -> Path:
    """Return the path that a node writes, relative to the config file, as an absolute path.

    Raises
    ------
    ConfigError
        If it cannot be one.
    """
    try:
        return (node.origin.folder / Path(node.value).expanduser()).resolve()
    except (OSError, RuntimeError, ValueError) as failure:
        raise ConfigError(f"{node.value!r} cannot be a path: {failure}; name a file") from None


def plain(node: Node) -> Any:
    """Return the value of a node without origins, and arrays as lists."""
    value = node.plain()
    return value.tolist() if isinstance(value, np.ndarray) else value


def resolve_values(node: Node, target: Target) -> Any:
    """Return the values of an axis as plain data, with absolute paths."""
    return str(path_of(node)) if is_file(node, target) else plain(node)


def axis_of_values(target: Target, values: Sequence[Any], report: ReportError) -> Axis | None:
    """Return the axis with values as a config writes them: numbers, `22 deg`, words; None after reporting errors."""
    if not values:
        report("expected at least one value, found an empty list; give values or remove the axis")
        return None
    read, n_problems = [], 0
    for index, value in enumerate(values):
        try:
            read.append(target.rule(value))
        except ConfigError as failure:
            n_problems += 1
            if n_problems <= MAX_PROBLEMS_PER_AXIS:
                report(str(failure), index)
    if n_problems > MAX_PROBLEMS_PER_AXIS:
        report(f"{n_problems - MAX_PROBLEMS_PER_AXIS:,} more of its values are not right; correct them too")
    degrees = target.unit == "rad" and all(isinstance(value, str) for value in values)
    return None if n_problems else Axis(target.key, target.name, target.unit, _array_of_type(target, read), degrees)


def axis_of_array(
    target: Target, values: NDArray[Any], report: ReportError, *, degrees: bool, source: str
) -> Axis | None:
    """Return the axis with an array of numbers.

    Parameters
    ----------
    target : Target
        The key that varies.
    values : (n,) array
        Numbers in the unit of the model.
    report : ReportError
        Gets the errors.
    degrees : bool
        Whether they were given in degrees.
    source : str
        What messages call the source of the numbers.

    Returns
    -------
    Axis or None
        The axis; None if a number is invalid.
    """
    if target.words:
        report(f"expected words out of {', '.join(target.words)}, found numbers; list words")
        return None
    if not values.size:
        report("expected at least one value, found an empty array; give values or remove the axis")
        return None
    index = _index_of_invalid(values, target)
    if index is not None:
        try:
            target.rule(values[index].item())
        except ConfigError as failure:
            report(f"value [{index}] of {source}: {failure}", index)
            return None
    return Axis(target.key, target.name, target.unit, _array_of_type(target, values), degrees and target.unit == "rad")


def _index_of_invalid(values: NDArray[Any], target: Target) -> int | None:
    """Return the index of a value that the rule refuses. Valid numbers form an interval: only two need the rule."""
    never_valid = np.isnan(values)
    if target.whole:
        never_valid |= values != np.floor(values)
    if never_valid.any():
        return int(np.argmax(never_valid))
    for index in (int(np.argmin(values)), int(np.argmax(values))):
        try:
            target.rule(values[index].item())
        except ConfigError:
            return index
    return None


def _array_of_type(target: Target, values: Any) -> NDArray[Any]:
    if target.words:
        return np.array(values, dtype=np.str_)
    return np.array(values, dtype=np.int64 if target.whole else np.float64)


def uniform_numbers(method: str, samples: int, axes: int, seed: int) -> FloatArray:
    """Return numbers in [0, 1), (samples, axes): independent for `random`, stratified for `latin_hypercube`."""
    if method == "random":
        return np.random.default_rng(seed).random((samples, axes))
    from scipy.stats import qmc  # noqa: PLC0415  (half a second, for this case alone)

    numbers: FloatArray = qmc.LatinHypercube(axes, rng=seed).random(samples)
    return numbers


def draw_axis(target: Target, node: Node, u: FloatArray, report: ReportError) -> Axis | None:
    """Return the axis whose values are the quantiles of the node's distribution at u, (n,) in [0, 1).

    Report an error and return None if the distribution is invalid.
    """
    if target.words or target.whole:
        found = "a word" if target.words else "a whole number"
        report(f"{found} cannot be drawn from a distribution; list its values in `axes` or `zip`")
        return None
    if not isinstance(node.value, str):
        report(f"expected a distribution such as uniform(0, 1), found {show(node.value)}; write one")
        return None
    try:
        drawn = distribution(node.value, target)
    except ConfigError as failure:
        report(str(failure))
        return None
    with np.errstate(all="ignore"):
        values = drawn.values(u)

    def report_distribution(text: str, index: int | None = None) -> None:
        """Advise to change the distribution: the user did not write the value that was drawn."""
        found = text.rpartition("; ")[0] if index is not None else text
        report(found + ("" if index is None else "; draw within the bounds with uniform(a, b), or a smaller sigma"))

    source = f"{node.value} as drawn"
    return axis_of_array(target, values, report_distribution, degrees=drawn.degrees, source=source)

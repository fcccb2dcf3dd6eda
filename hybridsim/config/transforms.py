"""Transforms: from numbers in [0, 1], which a search moves, to values of parameters in the model's units, and back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hybridsim.config.source import Node, number_from, show
from hybridsim.config.sweep.axis_values import axis_of_array
from hybridsim.config.sweep.expressions import distribution
from hybridsim.config.sweep.targets import Target
from hybridsim.errors import ConfigError
from hybridsim.model import Model, list_names
from hybridsim.typing import FloatArray


class Transform(Protocol):
    """Gives the values of some keys from as many numbers in [0, 1].

    Attributes
    ----------
    keys : tuple of str
        The keys, `parameters.k`.
    needs : tuple of str
        Keys whose values it needs.
    """

    @property
    def keys(self) -> tuple[str, ...]: ...
    @property
    def needs(self) -> tuple[str, ...]: ...

    def values(self, u: FloatArray, known: Mapping[str, FloatArray]) -> FloatArray:
        """Return the values (n, n_keys) from u (n, n_keys) and from those of other keys, (n,) each."""
        ...

    def inverse(self, values: FloatArray, known: Mapping[str, float]) -> FloatArray:
        """Return the numbers (n_keys,) that give these values; outside [0, 1] for values out of range."""
        ...


@dataclass(frozen=True, slots=True)
class Interval:
    """A value between two bounds, uniformly or in its logarithm; a whole number if the key has these only."""

    keys: tuple[str, ...]
    bounds: tuple[float, float]
    logarithmic: bool = False
    whole: bool = False
    needs: tuple[str, ...] = ()

    def values(self, u: FloatArray, known: Mapping[str, FloatArray]) -> FloatArray:  # noqa: ARG002
        low, high = self.bounds
        found = low + (high - low) * u
        if self.whole:
            found = low + np.floor((high - low + 1.0) * u)
        elif self.logarithmic:  # by math, because the last digits of numpy's exp depend on the processor
            exponents = (math.log(low) + (math.log(high) - math.log(low)) * u).ravel().tolist()
            found = np.reshape([*map(math.exp, exponents)], u.shape)
        return np.clip(found, low, high)

    def inverse(self, values: FloatArray, known: Mapping[str, float]) -> FloatArray:  # noqa: ARG002
        low, high = self.bounds
        if self.whole:
            return (values - low + 0.5) / (high - low + 1.0)
        if self.logarithmic:
            return np.log(values / low) / math.log(high / low)
        return (values - low) / (high - low)


@dataclass(frozen=True, slots=True)
class Fraction:
    """A value between two fractions of another one."""

    keys: tuple[str, ...]
    bounds: tuple[float, float]
    needs: tuple[str, ...]

    def values(self, u: FloatArray, known: Mapping[str, FloatArray]) -> FloatArray:
        low, high = self.bounds
        return known[self.needs[0]][:, None] * (low + (high - low) * u)

    def inverse(self, values: FloatArray, known: Mapping[str, float]) -> FloatArray:
        low, high = self.bounds
        return (values / known[self.needs[0]] - low) / (high - low)


@dataclass(frozen=True, slots=True)
class Simplex:
    """The entries of an array, not negative and with the sum 1."""

    keys: tuple[str, ...]
    needs: tuple[str, ...] = ()

    def values(self, u: FloatArray, known: Mapping[str, FloatArray]) -> FloatArray:  # noqa: ARG002
        total = u.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, u / np.where(total > 0.0, total, 1.0), 1.0 / u.shape[1])

    def inverse(self, values: FloatArray, known: Mapping[str, float]) -> FloatArray:  # noqa: ARG002
        largest: float = values.max()
        return values / largest


FORMS = "uniform(a, b), loguniform(a, b), fraction(OTHER, a, b), simplex(n) or FROM..TO"


def read_transform(node: Node, target: Target, find: Callable[[str], Target]) -> Transform:
    """Return the transform that a config writes for a key that takes numbers.

    Parameters
    ----------
    node : Node
        `uniform(a, b)`, `loguniform(a, b)`, `fraction(OTHER, a, b)`, `FROM..TO`, or a list of two numbers.
    target : Target
        The key.
    find : callable
        Returns the target with a name; raises a ConfigError if there is none.

    Raises
    ------
    ConfigError
        If it is none of these, or a bound is not allowed.
    """
    if target.words:
        raise ConfigError(f"it has the choices {', '.join(target.words)}, not a range; write it under `structure`")
    text = _text(node)
    name, _, inside = text.partition("(")
    if name.strip() == "fraction":
        return _fraction(target, inside, find)
    with np.errstate(all="ignore"):
        drawn = distribution(text, target)
    if name.strip() == "normal":
        raise ConfigError(f"expected bounds, found {show(text)}, which has none; write {FORMS}")
    with np.errstate(all="ignore"):
        ends = drawn.values(np.array([0.0, 1.0]))
    if not np.isfinite(ends).all() or not np.isfinite(np.ptp(ends)):
        raise ConfigError(f"expected bounds whose difference is finite, found {show(text)}; choose nearer ones")
    low, high = float(ends.min()), float(ends.max())
    if not low < high:
        raise ConfigError(f"expected two different bounds, found {show(text)}; leave it out if it is not searched")
    problems: list[str] = []
    axis_of_array(target, np.array([low, high]), lambda text, _=None: problems.append(text), degrees=False, source=text)
    if problems:
        raise ConfigError(problems[0])
    return Interval((target.key,), (low, high), name.strip() == "loguniform", target.whole)


def _text(node: Node) -> str:
    """Return how a range is written as a distribution."""
    value: Any = node.plain()
    if isinstance(value, list | tuple) and len(value) == 2:
        return f"uniform({value[0]}, {value[1]})"
    if isinstance(value, str):
        low, dots, high = value.partition("..")
        return f"uniform({low.strip()}, {high.strip()})" if dots else value
    raise ConfigError(f"expected {FORMS}, found {show(value)}; write one of them")


def _fraction(target: Target, inside: str, find: Callable[[str], Target]) -> Fraction:
    words = [word.strip() for word in inside.rstrip().removesuffix(")").split(",")]
    bounds = [number_from(word) for word in words[1:]]
    if len(words) != 3 or None in bounds or not bounds[0] < bounds[1]:  # type: ignore[operator]
        raise ConfigError(f"expected fraction(OTHER, a, b) with a < b, found fraction({inside}; write it like this")
    if target.whole:
        raise ConfigError("it is a whole number, which a fraction is not; write uniform(a, b)")
    other = find(words[0])
    if other.words or other.key == target.key:
        raise ConfigError(f"expected a fraction of another number, found {words[0]!r}; name a parameter")
    return Fraction((target.key,), (float(bounds[0]), float(bounds[1])), (other.key,))  # type: ignore[arg-type]


def read_simplex(name: str, text: str, model: Model) -> Simplex:
    """Return the transform of an array whose entries are not negative and have the sum 1.

    Raises
    ------
    ConfigError
        If the parameter is no array, or has another length.
    """
    keys = entries_of_array(name, model)
    inside = text.strip().removeprefix("simplex").strip().removeprefix("(").removesuffix(")")
    count, n = number_from(inside.strip()), len(keys)
    if count != n or n < 2:
        raise ConfigError(f"expected simplex({n}), as {name} has {n} entries, found {show(text)}; write simplex({n})")
    return Simplex(keys)


def entries_of_array(name: str, model: Model) -> tuple[str, ...]:
    """Return the keys of the entries of a parameter that is an array.

    Raises
    ------
    ConfigError
        If it is none.
    """
    last = name.removeprefix("parameters.")
    record = model.parameters[last] if last in model.parameters.names else None
    if record is None or not record.is_array or record.is_matrix:
        arrays = [each.name for each in model.parameters if each.is_array and not each.is_matrix]
        raise ConfigError(f"expected a parameter that is an array, found {name!r}; choose from: {list_names(arrays)}")
    return tuple(f"parameters.{last}[{index}]" for index in range(len(record.default)))  # type: ignore[arg-type]


def in_order(transforms: Sequence[Transform]) -> list[Transform]:
    """Return transforms such that each comes after those whose values it needs.

    Raises
    ------
    ConfigError
        If two need each other.
    """
    waiting, ordered = [*transforms], list[Transform]()
    searched = {key for transform in transforms for key in transform.keys}
    while waiting:
        done = {key for transform in ordered for key in transform.keys}
        ready = [each for each in waiting if all(key in done or key not in searched for key in each.needs)]
        if not ready:
            names = ", ".join(key for each in waiting for key in each.keys)
            raise ConfigError(f"optimize.parameters: {names} are fractions of each other; give one of them bounds")
        ordered += ready
        waiting = [each for each in waiting if each not in ready]
    return ordered

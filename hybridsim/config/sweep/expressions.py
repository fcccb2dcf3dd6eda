"""Lists of values and distributions that are written as an expression: `linspace(0, 5, 11)`, `normal(1.0, 0.01)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from hybridsim.config.source import number_from, show
from hybridsim.config.sweep.targets import Target
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray

MAX_VALUES_PER_AXIS = 10**8
"""Most values of one axis; more do not fit into memory."""

RADIANS_PER_DEGREE = math.pi / 180.0
"""The factor of `math.radians`."""

_CALL = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")
_CALL_ARGUMENT = re.compile(r"(\S+?)(\s*deg)?")


@dataclass(frozen=True, slots=True)
class _Call:
    """An expression `name(numbers)`; all its angles are in degrees (`degrees`), or none is."""

    name: str
    numbers: tuple[float, ...]
    degrees: bool


@dataclass(frozen=True, slots=True)
class Distribution:
    """A probability distribution of one axis.

    Attributes
    ----------
    values : callable
        Returns the values (n,) for u (n,) in [0, 1), in the unit of the model.
    degrees : bool
        Whether it was written in degrees.
    """

    values: Callable[[FloatArray], FloatArray]
    degrees: bool


def is_call(text: str) -> bool:
    """Return whether a text has the parentheses of an expression, well-formed or not."""
    return "(" in text or ")" in text


def sequence(text: str, target: Target) -> tuple[FloatArray, bool]:
    """Return the values of `linspace(...)`, `logspace(...)` or `arange(...)`.

    Parameters
    ----------
    text : str
        The expression.
    target : Target
        The key that varies.

    Returns
    -------
    (n,) array
        The values in the unit of the model.
    bool
        Whether they were given in degrees.

    Raises
    ------
    ConfigError
        If the expression is malformed, has no values or too many, or has angles though the unit is not one of angles.
    """
    call = _call(text, SEQUENCES, "a list of values", target)
    values = SEQUENCES[call.name][1](*call.numbers)
    return (values * RADIANS_PER_DEGREE if call.degrees and target.unit == "rad" else values), call.degrees


def distribution(text: str, target: Target) -> Distribution:
    """Return the distribution that `uniform(...)`, `loguniform(...)` or `normal(...)` writes.

    Parameters
    ----------
    text : str
        The expression.
    target : Target
        The key that varies.

    Returns
    -------
    Distribution
        The distribution.

    Raises
    ------
    ConfigError
        If the expression is malformed, its width is not positive, or it has angles though the unit is not one of
        angles.
    """
    call = _call(text, DISTRIBUTIONS, "", target)
    first, second = call.numbers
    if call.name == "normal" and not second > 0:
        raise ConfigError(f"expected a sigma above 0 in {show(text)}; write normal(mean, sigma)")
    if call.name != "normal" and not first < second:
        raise ConfigError(f"expected the first bound to lie below the second in {show(text)}; swap or change them")
    if call.name == "loguniform":
        _refuse_nonpositive(first, second)
    inverse, factor = DISTRIBUTIONS[call.name][1], RADIANS_PER_DEGREE if call.degrees and target.unit == "rad" else 1.0
    return Distribution(lambda u: factor * inverse(first, second, u), call.degrees)


def _call(text: str, known: Mapping[str, tuple[str, object]], otherwise: str, target: Target) -> _Call:
    """Parse an expression of one of the known forms; `otherwise` is the alternative to them in messages."""
    forms = [*([otherwise] if otherwise else []), *(form for form, _ in known.values())]
    malformed = ConfigError(f"expected {', '.join(forms[:-1])} or {forms[-1]}, found {show(text)}; write one of them")
    match = _CALL.fullmatch(text)
    if match is None or match[1] not in known:
        raise malformed
    arguments = [_CALL_ARGUMENT.fullmatch(argument.strip()) for argument in match[2].split(",")]
    numbers = [number_from(argument[1]) if argument else None for argument in arguments]
    in_degrees = [bool(argument and argument[2]) for argument in arguments]
    form = known[match[1]][0]
    n_angles = 2 if form.endswith("n)") else len(numbers)  # n itself is a count
    if len(numbers) != form.count(",") + 1 or None in numbers or any(in_degrees[n_angles:]):
        raise malformed
    if any(in_degrees) and not target.is_angle:
        unit = f" [{target.unit}]" if target.unit else ""
        raise ConfigError(f"expected numbers{unit}, found angles in {show(text)}; write them without `deg`")
    degrees = all(in_degrees[:n_angles])
    factor = RADIANS_PER_DEGREE if target.unit == "rad" and not degrees else 1.0
    values = tuple(
        float(number) * (factor if angle else 1.0)
        for number, angle in zip(numbers, in_degrees, strict=True)
        if number is not None
    )
    if not all(map(math.isfinite, values)):
        raise ConfigError(f"expected finite numbers, found {show(text)}; write smaller ones")
    return _Call(match[1], values, degrees)


def _linspace(first: float, last: float, count: float) -> FloatArray:
    _refuse_count(count)
    with np.errstate(all="ignore"):  # ends too far apart give infinite values, which are refused later
        return np.linspace(first, last, int(count), dtype=np.float64)


def _logspace(first: float, last: float, count: float) -> FloatArray:
    """Return values with equal ratios.

    `math` computes them, because the last digits of numpy's exp and log depend on the processor.
    """
    _refuse_count(count)
    _refuse_nonpositive(first, last)
    u = np.linspace(0.0, 1.0, int(count))
    values = _between_logarithms(first, last, u)
    values[-1:] = last  # in this order: a single value is `first`, as with linspace
    values[:1] = first
    return values


def _arange(first: float, end: float, step: float) -> FloatArray:
    """Return `first`, `first + step`, ... up to the last value before `end`.

    A value that differs from `end` by rounding only counts as `end`.
    """
    if step == 0:
        raise ConfigError("expected a step other than 0; write arange(a, b, step)")
    count = math.ceil((end - first) / step - 1e-9)
    if count < 1:
        raise ConfigError("expected at least one value, found none; let the step lead from the start to the end")
    _refuse_count(count)
    values: FloatArray = first + step * np.arange(count, dtype=np.float64)
    return values


def _refuse_count(count: float) -> None:
    if not (count >= 1 and count == int(count)):
        raise ConfigError(f"expected at least one value, a whole number of them, found {count:g}; write for example 10")
    if count > MAX_VALUES_PER_AXIS:
        raise ConfigError(f"expected at most {MAX_VALUES_PER_AXIS:,} values, found {count:g}; take fewer")


def _refuse_nonpositive(first: float, last: float) -> None:
    if not (first > 0 and last > 0):
        raise ConfigError(
            f"expected two ends above 0, the values themselves, found {first!r} and {last!r}; change them"
        )


def _between_logarithms(first: float, last: float, u: FloatArray) -> FloatArray:
    low, width = math.log(first), math.log(last) - math.log(first)
    exponents = (low + width * u).tolist()
    values = np.fromiter(map(math.exp, exponents), np.float64, len(exponents))
    return np.clip(values, min(first, last), max(first, last))


def _uniform(low: float, high: float, u: FloatArray) -> FloatArray:
    return low + (high - low) * u


def _normal(mean: float, sigma: float, u: FloatArray) -> FloatArray:
    from scipy.special import ndtri  # noqa: PLC0415  (most sweeps draw nothing)

    values: FloatArray = mean + sigma * ndtri(np.maximum(u, 2.0**-54))  # u = 0 may be drawn, and would give -inf
    return values


SEQUENCES: Mapping[str, tuple[str, Callable[[float, float, float], FloatArray]]] = {
    "linspace": ("linspace(a, b, n)", _linspace),
    "logspace": ("logspace(a, b, n)", _logspace),
    "arange": ("arange(a, b, step)", _arange),
}
"""Expression for a list of values -> (how it is written, function that computes the values)."""

DISTRIBUTIONS: Mapping[str, tuple[str, Callable[[float, float, FloatArray], FloatArray]]] = {
    "uniform": ("uniform(a, b)", _uniform),
    "loguniform": ("loguniform(a, b)", _between_logarithms),
    "normal": ("normal(mean, sigma)", _normal),
}
"""Distribution -> (how it is written, inverse of its distribution function)."""

"""Values and distributions written as an expression: `linspace(0, 5, 11)`, `normal(1.0, 0.01)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from hybridsim.config.source import number_from, shown
from hybridsim.config.sweep.targets import Target
from hybridsim.errors import ConfigError
from hybridsim.typing import FloatArray

MOST_VALUES = 10**8
"""Of one axis: more do not fit into memory."""

RADIANS = math.pi / 180.0
"""Of a degree: what `math.radians` multiplies with."""

_CALL = re.compile(r"\s*(\w+)\s*\(([^()]*)\)\s*")
_ARGUMENT = re.compile(r"(\S+?)(\s*deg)?")


@dataclass(frozen=True, slots=True)
class _Call:
    """`name(numbers)`; with `degrees`, all angles among the numbers are in degrees, else none is."""

    name: str
    numbers: tuple[float, ...]
    degrees: bool


@dataclass(frozen=True, slots=True)
class Distribution:
    """What to draw from; `values` maps u in [0, 1) by the inverse of the distribution function."""

    inverse: Callable[[float, float, FloatArray], FloatArray]
    first: float
    second: float
    degrees: bool
    in_radians: bool

    def values(self, u: FloatArray) -> FloatArray:
        """The values for u (n,), in the unit of the model."""
        drawn = self.inverse(self.first, self.second, u)
        return drawn * RADIANS if self.in_radians else drawn


def is_call(text: str) -> bool:
    """Whether the text may be meant as an expression, well-formed or not."""
    return "(" in text or ")" in text


def sequence(text: str, target: Target) -> tuple[FloatArray, bool]:
    """The values of `linspace(...)`, `logspace(...)` or `arange(...)` (n,), and whether they were given in degrees.

    Raises
    ------
    ConfigError : malformed, of no values or of too many, or angles for what is measured in another unit.
    """
    call = _call(text, SEQUENCES, "a list of values", target)
    values = SEQUENCES[call.name][1](*call.numbers)
    return (values * RADIANS if call.degrees and target.unit == "rad" else values), call.degrees


def distribution(text: str, target: Target) -> Distribution:
    """The distribution that `uniform(...)`, `loguniform(...)` or `normal(...)` writes.

    Raises
    ------
    ConfigError : malformed, without width, or angles for what is measured in another unit.
    """
    call = _call(text, DISTRIBUTIONS, "", target)
    first, second = call.numbers
    if call.name == "normal" and not second > 0:
        raise ConfigError(f"expected a sigma above 0 in {shown(text)}; write normal(mean, sigma)")
    if call.name != "normal" and not first < second:
        raise ConfigError(f"expected the first bound to lie below the second in {shown(text)}; swap or change them")
    if call.name == "loguniform":
        _refuse_nonpositive(first, second)
    return Distribution(DISTRIBUTIONS[call.name][1], first, second, call.degrees, call.degrees and target.unit == "rad")


def _call(text: str, known: Mapping[str, tuple[str, object]], otherwise: str, target: Target) -> _Call:
    forms = [*([otherwise] if otherwise else []), *(form for form, _ in known.values())]
    malformed = ConfigError(f"expected {', '.join(forms[:-1])} or {forms[-1]}, found {shown(text)}; write one of them")
    match = _CALL.fullmatch(text)
    if match is None or match[1] not in known:
        raise malformed
    arguments = [_ARGUMENT.fullmatch(argument.strip()) for argument in match[2].split(",")]
    numbers = [number_from(argument[1]) if argument else None for argument in arguments]
    in_degrees = [bool(argument and argument[2]) for argument in arguments]
    form = known[match[1]][0]
    if len(numbers) != form.count(",") + 1 or any(number is None for number in numbers):
        raise malformed
    angular = len(numbers) if not form.endswith("n)") else 2
    if any(in_degrees[angular:]):
        raise malformed
    if any(in_degrees) and not target.is_angle:
        unit = f" [{target.unit}]" if target.unit else ""
        raise ConfigError(f"expected numbers{unit}, found angles in {shown(text)}; write them without `deg`")
    degrees = all(in_degrees[:angular])
    factor = RADIANS if target.unit == "rad" and not degrees else 1.0
    values = tuple(
        float(number) * (factor if angle else 1.0)
        for number, angle in zip(numbers, in_degrees, strict=True)
        if number is not None
    )
    if not all(map(math.isfinite, values)):
        raise ConfigError(f"expected finite numbers, found {shown(text)}; write smaller ones")
    return _Call(match[1], values, degrees)


def _linspace(first: float, last: float, count: float) -> FloatArray:
    _refuse_odd(count)
    with np.errstate(all="ignore"):  # ends too far apart give what is not finite, and that is refused
        return np.linspace(first, last, int(count), dtype=np.float64)


def _logspace(first: float, last: float, count: float) -> FloatArray:
    """Equal ratios; `math` instead of numpy, whose exp and log give other digits on other processors."""
    _refuse_odd(count)
    _refuse_nonpositive(first, last)
    u = np.linspace(0.0, 1.0, int(count))
    values = _between_logarithms(first, last, u)
    values[-1:] = last  # as linspace has it: of one value, the first end
    values[:1] = first
    return values


def _arange(first: float, end: float, step: float) -> FloatArray:
    """The multiples of the step before the end; one that differs from the end by rounding alone is the end."""
    if step == 0:
        raise ConfigError("expected a step other than 0; write arange(a, b, step)")
    count = math.ceil((end - first) / step - 1e-9)
    if count < 1:
        raise ConfigError("expected at least one value, found none; let the step lead from the start to the end")
    _refuse_odd(count)
    values: FloatArray = first + step * np.arange(count, dtype=np.float64)
    return values


def _refuse_odd(count: float) -> None:
    if not (count >= 1 and count == int(count)):
        raise ConfigError(f"expected at least one value, a whole number of them, found {count:g}; write for example 10")
    if count > MOST_VALUES:
        raise ConfigError(f"expected at most {MOST_VALUES:,} values, found {count:g}; take fewer")


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

    values: FloatArray = mean + sigma * ndtri(np.maximum(u, 2.0**-54))  # u = 0 may be drawn, and is no value
    return values


SEQUENCES: Mapping[str, tuple[str, Callable[[float, float, float], FloatArray]]] = {
    "linspace": ("linspace(a, b, n)", _linspace),
    "logspace": ("logspace(a, b, n)", _logspace),
    "arange": ("arange(a, b, step)", _arange),
}
"""What lists values: name -> (how it is written, what it computes)."""

DISTRIBUTIONS: Mapping[str, tuple[str, Callable[[float, float, FloatArray], FloatArray]]] = {
    "uniform": ("uniform(a, b)", _uniform),
    "loguniform": ("loguniform(a, b)", _between_logarithms),
    "normal": ("normal(mean, sigma)", _normal),
}
"""What can be drawn from: name -> (how it is written, the inverse of its distribution function)."""

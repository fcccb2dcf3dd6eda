"""Ranges on the command line: KEY=FROM..TO, and KEY=FROM..TO:N for N values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hybridsim.errors import ConfigError

if TYPE_CHECKING:
    from hybridsim.config import RunConfig

RANGE, COUNT = "..", ":"
PATH_MARKS = "/\\"
"""Signs of a path, `../runs`, which is no range."""


@dataclass(frozen=True, slots=True)
class Range:
    """The values between two ends.

    Attributes
    ----------
    key : str
        The key of the config, `parameters.slope`.
    low, high : str
        The ends as they are written, with units.
    count : int or None
        How many values; None if it is not said.
    """

    key: str
    low: str
    high: str
    count: int | None

    @property
    def section(self) -> str:
        """The section of the key."""
        return self.key.partition(".")[0] if "." in self.key else ""

    @property
    def name(self) -> str:
        """The name in it."""
        return self.key.partition(".")[2] or self.key

    def ends(self, load: Callable[[Sequence[str]], RunConfig]) -> tuple[float, float]:
        """Return both ends in the units of the model; `load` reads the config with further overrides.

        Raises
        ------
        ConfigError
            If one of them is no real number, or they are equal.
        """
        first, last = (self._number(load([f"{self.key}={text}"])) for text in (self.low, self.high))
        if first == last:
            raise ConfigError(
                f"command line: {self.key}: both ends of the range are {first!r}; give another value to go to"
            )
        return first, last

    def _number(self, config: RunConfig) -> float:
        from hybridsim.config.run_config import value_of

        value = value_of(config, self.key)
        if not isinstance(value, float | int):
            raise ConfigError(
                f"{config.model.name}: {self.name} is no real number, so orbits cannot be followed through it"
            )
        return float(value)


def ranges_in(words: Sequence[str], example: str, *, counted: bool = False) -> tuple[list[Range], list[str]]:
    """Take the ranges out of the words of a command line.

    Parameters
    ----------
    words : sequence of str
        The words.
    example : str
        A range, for messages.
    counted : bool
        Whether ranges can say how many values there are.

    Returns
    -------
    ranges : list of Range
        The ranges.
    others : list of str
        The other words.

    Raises
    ------
    ConfigError
        If a range has no ends.
    """
    texts = [word for word in words if RANGE in (value := word.partition("=")[2]) and not set(value) & set(PATH_MARKS)]
    return [_range(text, example, counted) for text in texts], [word for word in words if word not in texts]


def _range(word: str, example: str, counted: bool) -> Range:
    key, _, text = word.partition("=")
    ends, colon, count = text.partition(COUNT)
    low, _, high = ends.partition(RANGE)
    whole = counted and count.strip().isdecimal() and int(count) >= 2
    if not (low.strip() and high.strip()) or RANGE in high or (colon and not whole):
        form = "FROM..TO or FROM..TO:N, with at least two values" if counted else "FROM..TO without a number of values"
        raise ConfigError(f"command line: {key}: expected {form}, found {text!r}; write for example {example}")
    return Range(key.strip(), low.strip(), high.strip(), int(count) if colon else None)


def with_sections(ranges: Sequence[Range], config: RunConfig) -> list[Range]:
    """Return the ranges with the whole keys of parameters and states, `parameters.slope` for `slope`."""
    from hybridsim.config.values import section_names

    keys = {name: f"{section}.{name}" for section, names in section_names(config.model).items() for name in names}
    return [replace(each, key=keys.get(each.key, each.key)) for each in ranges]


def equally_spaced(ends: tuple[float, float], count: int) -> list[float]:
    """Return values from one end to the other."""
    low, high = ends
    return [low + (high - low) * i / (count - 1) for i in range(count)]


def axis_of(each: Range, example: str) -> str:
    """Return the override that makes a range an axis of a sweep.

    Raises
    ------
    ConfigError
        If the range does not say how many values there are.
    """
    if each.count is None:
        raise ConfigError(
            f"command line: {each.key}: expected how many values, FROM..TO:N; write for example {example}"
        )
    return f"sweep.axes.{each.key}=linspace({each.low}, {each.high}, {each.count})"

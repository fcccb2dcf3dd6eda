"""Names in pictures: the labels of axes, and what is said of a name that there is not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hybridsim.errors import ConfigError
from hybridsim.model import list_names, nearest

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def label(name: str, unit: str, gap: str = " ") -> str:
    """Return the label of an axis, `vx [m/s]`, with exponents as one writes them, `m/s²`."""
    return f"{name}{gap}[{pretty(unit)}]" if unit else name


def pretty(unit: str) -> str:
    """Return a unit with raised exponents: `m/s^2` becomes `m/s²`."""
    return re.sub(r"(?:\^|\*\*)(-?\d+)(?!\d|[./]\d)", lambda found: found[1].translate(SUPERSCRIPTS), unit)


def refuse_unknown(problem: str, name: str, known: Sequence[str]) -> None:
    """Raise a ConfigError about a problem if a name is none of these; it has the nearest of them, or lists them."""
    if name not in known:
        raise ConfigError(f"{problem}{nearest(name, known) or f'; it has {list_names(known, name)}'}")

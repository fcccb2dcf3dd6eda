"""Names in pictures: the labels of axes, and what is said of a name that there is not."""

from __future__ import annotations

from collections.abc import Sequence

from hybridsim.errors import ConfigError
from hybridsim.model import list_names, nearest


def label(name: str, unit: str) -> str:
    """Return the label of an axis."""
    return f"{name} [{unit}]" if unit else name


def refuse_unknown(problem: str, name: str, known: Sequence[str]) -> None:
    """Raise a ConfigError about a problem if a name is none of these; it has the nearest of them, or lists them."""
    if name not in known:
        raise ConfigError(f"{problem}{nearest(name, known) or f'; it has {list_names(known, name)}'}")

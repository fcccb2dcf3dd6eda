"""Ordered tables of named records, and what is said of a name that is none of them."""

from __future__ import annotations

import difflib
import keyword
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar, overload

from hybridsim.errors import ModelError

LONG_FAMILY = 4
"""So many names that differ in a number are listed as one."""


def nearest(name: str, known: Iterable[str], called: Mapping[str, str] | None = None) -> str:
    """A half-sentence with the known name that `name` most resembles, or ""; some are `called` something else."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean `{(called or {}).get(close[0], close[0])}`?" if close else ""


def check_identifier(kind: str, name: str) -> None:
    """A ModelError for a name that cannot stand in a config, a column or a plug-in's code."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise ModelError(f"{kind} {name!r}: a name is an identifier: letters, digits and underscores, no leading digit")


class Named(Protocol):
    @property
    def name(self) -> str: ...


R = TypeVar("R", bound=Named)


class Records(Sequence[R], Generic[R]):
    """An ordered table of named records: `STATES["y"].unit`, `STATES.index("y")`, `STATES.names`."""

    __slots__ = ("_places", "_rows")

    def __init__(self, *rows: R) -> None:
        self._rows = rows
        self._places = {row.name: place for place, row in enumerate(rows)}
        if len(self._places) < len(rows):
            twice = next(row.name for place, row in enumerate(rows) if self._places[row.name] != place)
            raise ModelError(f"{twice!r} is declared twice; names must be unique")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._places)

    def index(self, name: Any, *_: Any) -> int:
        """The place of the record called `name`; a ModelError with the nearest name if there is none."""
        try:
            return self._places[name]
        except KeyError:
            raise ModelError(f"there is no {name!r} here{nearest(str(name), self._places)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._places or name in self._rows

    @overload
    def __getitem__(self, key: int | str) -> R: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[R]: ...
    def __getitem__(self, key: int | str | slice) -> R | Sequence[R]:
        return self._rows[self.index(key)] if isinstance(key, str) else self._rows[key]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Records) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)

    def __repr__(self) -> str:
        return f"Records({', '.join(self.names)})"


def families(names: Iterable[str]) -> dict[str, list[str]]:
    """Names that differ in their first number alone, in the order in which they come: `rho{}` -> rho0, rho1, rho2."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(re.sub(r"\d+", "{}", name, count=1), []).append(name)
    return found


def folded(names: Iterable[str]) -> list[str]:
    """The names, with `rho0 ... rho5` for a long family of them."""
    return [
        word
        for family in families(names).values()
        for word in ([f"{family[0]} ... {family[-1]}"] if len(family) >= LONG_FAMILY else family)
    ]

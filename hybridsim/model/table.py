"""Ordered tables of named records, and remedies for unknown names."""

from __future__ import annotations

import difflib
import keyword
import math
import re
from collections import namedtuple
from collections.abc import Iterable, Iterator, Sequence
from numbers import Real
from typing import Any, Generic, Protocol, TypeVar, overload

from hybridsim.errors import ModelError, explains_keywords, nearest

MIN_FOLDED_NAMES = 4
"""Least number of names that differ only in a number of which a list shows the first and the last only."""


def refuse_invalid_identifier(what: str, name: str) -> None:
    """Raise a ModelError for a name that configs, columns and the code of a plug-in cannot use."""
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise ModelError(f"{what} {name!r}: a name is an identifier: letters, digits and underscores, no leading digit")


def refuse_invalid_texts(what: str, record: Any) -> None:
    """Raise a ModelError unless the name of a record is an identifier, and its unit and description are texts."""
    refuse_invalid_identifier(what, record.name)
    for argument in ("unit", "doc"):
        text = getattr(record, argument, "")
        if not isinstance(text, str):
            raise ModelError(f"{what} {record.name!r}: {argument}: expected a text, found {text!r}; write it in quotes")


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str: ...


R = TypeVar("R", bound=Named)


@explains_keywords()
class Records(Sequence[R], Generic[R]):
    """An ordered table of named records.

    `STATES["y"].unit` and `STATES[0].unit` look a record up; `STATES.indices.y` is the index of its entry in an array.
    The sum of two tables has the records of both, one after the other.

    Parameters
    ----------
    *rows : State, Parameter, Input, Chart, Boundary, Output or Body
        The records, in the order of the array entries that they describe.

    Raises
    ------
    ModelError
        If two records have the same name.
    """

    __slots__ = ("_index_of", "_indices", "_rows")

    def __init__(self, *rows: R) -> None:
        self._rows = rows
        self._index_of = {row.name: index for index, row in enumerate(rows)}
        self._indices: Any = None
        if len(self._index_of) < len(rows):
            twice = dict.fromkeys(row.name for index, row in enumerate(rows) if self._index_of[row.name] != index)
            names = list_names(map(repr, twice))
            raise ModelError(f"{names} {'is' if len(twice) == 1 else 'are'} declared twice; names must be unique")

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(self._index_of)

    @property
    def indices(self) -> Any:
        """A named tuple of the records' indices: with `S = STATES.indices`, the entry of the state y is `x[S.y]`.

        In compiled functions, the indices are constants.

        Raises
        ------
        ModelError
            If a name begins with an underscore, which a named tuple does not accept.
        """
        if self._indices is None:
            for name in self.names:
                if name.startswith("_"):
                    raise ModelError(f"{name!r} begins with an underscore and cannot be a named index; rename it")
            self._indices = namedtuple("Indices", self.names)(*range(len(self._rows)))
        return self._indices

    def index(self, name: Any) -> int:  # type: ignore[override]
        """The index of the record with this name.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        int
            Its index, from 0.

        Raises
        ------
        ModelError
            If no record has this name, with the most similar one.
        """
        try:
            return self._index_of[name]
        except KeyError:
            raise ModelError(f"there is no {name!r} here{nearest(str(name), self._index_of)}") from None

    def __add__(self, others: Records[Any]) -> Records[Any]:
        return Records(*self._rows, *others)

    def __contains__(self, name: object) -> bool:
        return name in self._index_of or name in self._rows

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

    def __reduce__(self) -> tuple[Any, ...]:  # the class of the indices cannot be pickled
        return Records, self._rows

    def __repr__(self) -> str:
        return f"Records({', '.join(self.names)})"


def families(names: Iterable[str]) -> dict[str, list[str]]:
    """Group names that differ in their first number only: `rho{}` -> rho0, rho1, rho2."""
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(re.sub(r"\d+", "{}", name, count=1), []).append(name)
    return found


def fold_families(names: Iterable[str]) -> list[str]:
    """Return the names; a family of at least MIN_FOLDED_NAMES numbered names is one entry, `rho0 ... rho5`."""
    return [
        word
        for family in families(names).values()
        for word in ([f"{family[0]} ... {family[-1]}"] if len(family) >= MIN_FOLDED_NAMES else family)
    ]


MAX_LISTED_NAMES = 24
"""Most names in a message; of more, those are listed that are most similar to what was given."""


def list_names(names: Iterable[object], near: object = "") -> str:
    """Return names for a message, `k, y, rho0 ... rho5`; of many names the nearest to one, and the number of others.

    Parameters
    ----------
    names : iterable of str
        The names.
    near : str, optional
        The name that was given.

    Returns
    -------
    str
        The names, or "(none)".
    """
    words = fold_families(dict.fromkeys(map(str, names)))
    if len(words) <= MAX_LISTED_NAMES:
        return ", ".join(words) or "(none)"

    def distance(word: str) -> float:
        return -difflib.SequenceMatcher(None, word.lower(), str(near).lower()).ratio()

    first = sorted(words, key=distance)[:MAX_LISTED_NAMES] if near else words[:MAX_LISTED_NAMES]
    return f"{', '.join(first)} and {len(words) - MAX_LISTED_NAMES:,} others"


def refuse_outside_bounds(what: str, name: str, value: Any, lower: Any, upper: Any) -> None:
    """Raise a ModelError unless these are numbers, the value finite and between its bounds."""
    for argument, number in (("default", value), ("lower", lower), ("upper", upper)):
        if not isinstance(number, Real):
            raise ModelError(
                f"{what} {name!r}: {argument}: expected a number, found {number!r}; give one{_how(number)}"
            )
    value, lower, upper = float(value), float(lower), float(upper)
    if not lower <= upper:
        raise ModelError(f"{what} {name!r}: the lower bound {lower!r} lies above the upper bound {upper!r}")
    if not math.isfinite(value):
        raise ModelError(f"{what} {name!r}: the default must be a finite number, not {value!r}")
    if not lower <= value <= upper:
        raise ModelError(f"{what} {name!r}: the default {value!r} lies outside its bounds [{lower!r}, {upper!r}]")


def _how(given: object) -> str:
    """Return how the number that a text holds is written; for other texts, nothing."""
    try:
        return f", {float(given)!r}, without quotes" if isinstance(given, str) else ""
    except ValueError:
        return ""


def is_matrix(values: Any) -> bool:
    """Return whether values are a matrix as p holds it: rows, columns, and as many numbers."""
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) < 3:
        return False
    rows, columns = values[:2]
    whole = all(isinstance(number, int | float) and number >= 1 and number == int(number) for number in values[:2])
    return whole and rows * columns == len(values) - 2

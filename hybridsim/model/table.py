"""Ordered tables of named records, and remedies for unknown names."""

from __future__ import annotations

import difflib
import keyword
import math
import re
from collections import namedtuple
from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Real
from typing import Any, Generic, Protocol, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ModelError, explains_keywords, nearest

MIN_FOLDED_NAMES = 4
"""Least number of names that differ only in a number of which a list shows the first and the last only."""


def refuse_invalid_identifier(what: str, name: str, dots: int = 0) -> None:
    """Raise a ModelError for a name that configs, columns and the code of a plug-in cannot use.

    A quantity may have a name with one dot, `h.phi`, which says what it belongs to.
    """
    words = name.split(".") if isinstance(name, str) else [""]
    if len(words) - 1 > dots or not all(word.isidentifier() and not keyword.iskeyword(word) for word in words):
        raise ModelError(f"{what} {name!r}: a name is an identifier: letters, digits and underscores, no leading digit")


def refuse_invalid_texts(what: str, record: Any) -> None:
    """Raise a ModelError unless the name of a record is an identifier, and its unit and description are texts."""
    # What a run records may be an entry of a block of the model.
    name = re.sub(r"\[\d+(,\d+)*\]\Z", "", record.name) if what in ("state", "output") and record.name else record.name
    refuse_invalid_identifier(what, name, dots=what != "chart")
    for argument in ("unit", "doc"):
        text = getattr(record, argument, "")
        if not isinstance(text, str):
            raise ModelError(f"{what} {record.name!r}: {argument}: expected a text, found {text!r}; write it in quotes")


MANY_VALUES = 1000
"""Length of an array from which its bounds are checked as a whole."""


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

    __slots__ = ("_index_of", "_indices", "_names", "_rows", "_sizes", "_starts")

    block_table: type[Records[Any]]
    """The class of tables with blocks, which counts their entries."""

    def __init__(self, *rows: R) -> None:
        self._rows = rows
        self._index_of = {row.name: index for index, row in enumerate(rows)}
        self._indices: Any = None
        if len(self._index_of) < len(rows):
            twice = dict.fromkeys(row.name for index, row in enumerate(rows) if self._index_of[row.name] != index)
            names = list_names(map(repr, twice))
            raise ModelError(f"{names} {'is' if len(twice) == 1 else 'are'} declared twice; names must be unique")
        if any(getattr(row, "n_entries", 0) for row in rows):
            self.__class__ = self.block_table
            self._count_entries()

    def _count_entries(self) -> None:
        """Find the places of blocks."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(self._index_of)

    @property
    def indices(self) -> Any:
        """A named tuple of the records' indices: with `S = STATES.indices`, the entry of the state y is `x[S.y]`.

        That of a block is the index of its first entry, `x[S.phi + i]`; a dot in a name is written as an underscore,
        `S.h_phi`. In compiled functions, the indices are constants.

        Raises
        ------
        ModelError
            If a name begins with an underscore, which a named tuple does not accept, or two names become the same.
        """
        if self._indices is None:
            for name in self.names:
                if name.startswith("_"):
                    raise ModelError(f"{name!r} begins with an underscore and cannot be a named index; rename it")
            fields = [name.replace(".", "_") for name in self._index_of]
            try:
                indices: Any = namedtuple("Indices", fields)  # type: ignore[misc]
                self._indices = indices(*map(self.index, self._index_of))
            except ValueError as problem:
                raise ModelError(f"the names {list_names(self._index_of)} cannot be indices: {problem}") from None
        return self._indices

    @property
    def blocks(self) -> tuple[R, ...]:
        """The records as they were given; each with a shape stands for many entries."""
        return self._rows

    def place(self, name: Any) -> int | slice:
        """The index of the entry with this name, or the slice of a block `h.phi` or of a part of it, `h.phi[2:5]`.

        Parameters
        ----------
        name : str
            The name of a record or an entry.

        Returns
        -------
        int or slice
            Its place among the entries.

        Raises
        ------
        ModelError
            If there is no such record or entry.
        """
        return self.index(name)

    def found(self, name: str) -> int | slice | None:
        """As `place`, but None if there is no such record or entry.

        Parameters
        ----------
        name : str
            The name.

        Returns
        -------
        int, slice or None
            Its place among the entries.
        """
        return self._index_of.get(name)

    def column(self, field: str) -> NDArray[Any]:
        """The values of a field of all entries.

        Parameters
        ----------
        field : str
            The field, such as "default".

        Returns
        -------
        (n,) array
            The values.
        """
        return np.array([getattr(row, field) for row in self._rows])

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
        return Records(*self._rows, *(others.blocks if isinstance(others, Records) else others))

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
    """Group names that differ in their first number only: `rho{}` -> rho0, rho1, rho2, and the entries of a block."""
    found: dict[str, list[str]] = {}
    for name in names:
        block, bracket, _ = name.partition("[")
        found.setdefault(f"{block}[{{}}]" if bracket else re.sub(r"\d+", "{}", name, count=1), []).append(name)
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


def extremes(values: Any) -> Sequence[Any]:
    """Return what decides whether numbers lie within bounds: of a long array its ends, of a short one every number."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        return (values,)
    if len(values) < MANY_VALUES or not all(type(value) is float or type(value) is int for value in values):
        return values
    array = np.array(values, float)
    return (float(array.min()), float(array.max()))


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


def records_of(rows: Iterable[Any], record_type: type) -> Records[Any]:
    """Make Records from Records, from a list of records, or from a list of names alone.

    Raises
    ------
    ModelError
        If something else is among them, or a name occurs twice.
    """
    expected = f"expected {record_type.__name__} records, found a {{}}; write Records({record_type.__name__}(...), ...)"
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise ModelError(expected.format(type(rows).__name__))
    given = rows.blocks if isinstance(rows, Records) else rows
    records = [record_type(row) if isinstance(row, str) else row for row in given]
    for record in records:
        if not isinstance(record, record_type):
            raise ModelError(expected.format(f"{type(record).__name__} among them"))
    return Records(*records)

"""Records with a shape, each of which stands for many entries of an array, and tables of them."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ModelError, nearest
from hybridsim.model.table import Named, Records

R = TypeVar("R", bound=Named)

_ENTRIES = re.compile(r"(.+)\[(.*)\]")
"""The name of an entry of a block, `h.phi[3]`, or of several, `h.phi[2:5]`."""


class Shaped:
    """A record that may have a shape."""

    __slots__ = ()

    shape: int | tuple[int, ...]

    @property
    def n_entries(self) -> int:
        """The number of entries of a block; 0 for a record of one quantity."""
        return math.prod(self.shape) if isinstance(self.shape, tuple) and self.shape else 0

    def check_shape(self, what: str, name: str) -> None:
        """Replace the number of entries by a shape; a ModelError for what is neither."""
        shape = (self.shape,) if isinstance(self.shape, int) else tuple(self.shape)
        if not all(type(size) is int and size > 0 for size in shape):
            raise ModelError(f"{what} {name!r}: shape: expected a whole number above 0, or some, found {self.shape!r}")
        object.__setattr__(self, "shape", shape)


def entry_values(what: str, name: str, values: Any, n: int) -> Any:
    """Return the default of a block, a number for all of its n entries or a tuple of one for each."""
    if not n or np.ndim(values) == 0:
        return values
    flat = np.ravel(values).tolist()
    if len(flat) != n:
        raise ModelError(f"{what} {name!r}: default: expected one number, or {n} of them, found {len(flat)}")
    return tuple(flat)


class EntryNames(tuple[str, ...]):
    """The names of all entries of a table, among which one is found at once."""

    table: BlockRecords[Any]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and isinstance(self.table.found(name), int)

    def index(self, name: Any, *_: Any) -> int:
        """The index of a name."""
        if name not in self:
            raise ValueError(f"{name!r} is not among the names")
        return self.table.index(name)


class BlockRecords(Records[R]):
    """A table in which some records have a shape.

    `len(states)`, `names`, iteration and `index` speak of entries, `phi[0]`, `phi[1]`, ..., which are made when they
    are asked for; `states["phi"]` is the record of the block.
    """

    __slots__ = ()

    def _count_entries(self) -> None:
        self._sizes = [getattr(row, "n_entries", 0) for row in self._rows]
        self._starts = [0, *accumulate(max(size, 1) for size in self._sizes)]
        self._names: EntryNames | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the entries in order."""
        if self._names is None:
            self._names = EntryNames(name for row in self._rows for name in _names_of(row))
            self._names.table = self
        return self._names

    def found(self, name: str) -> int | slice | None:
        """The place of a record, of an entry or of several, None if there is none."""
        number, entries = self._index_of.get(name), None
        if number is None and (match := _ENTRIES.fullmatch(name)):
            number, entries = self._index_of.get(match[1]), match[2]
        if number is None:
            return None
        first, size = self._starts[number], self._sizes[number]
        if not size:
            return first if entries is None else None
        within = slice(0, size) if entries is None else _place_within(entries, self._rows[number].shape)  # type: ignore[attr-defined]
        if isinstance(within, slice):
            return slice(first + within.start, first + within.stop)
        return None if within is None else first + within

    def place(self, name: Any) -> int | slice:
        """See `Records.place`."""
        place = self.found(name) if isinstance(name, str) else None
        if place is None:
            raise ModelError(f"there is no {name!r} here{nearest(str(name), self.known_names)}")
        return place

    @property
    def known_names(self) -> list[str]:
        """The names of the records, and of the first and the last entry of each block."""
        return [each for row in self._rows for each in (row.name, *ends_of(row))]

    def entry(self, name: str) -> tuple[str, int] | None:
        """The block of an entry and the index of the entry in it; None if it is none."""
        place = self.found(name)
        if not isinstance(place, int):
            return None
        number = int(np.searchsorted(self._starts, place, side="right")) - 1
        return (self._rows[number].name, place - self._starts[number]) if self._sizes[number] else None

    def index(self, name: Any) -> int:  # type: ignore[override]
        """The index of an entry, or of the first one of a block; see `Records.index`."""
        place = self.place(name)
        return place.start if isinstance(place, slice) else place

    def column(self, field: str) -> NDArray[Any]:
        """The values of a field of all entries, (n,)."""
        parts = [
            np.broadcast_to(getattr(row, field), max(size, 1))
            for row, size in zip(self._rows, self._sizes, strict=True)
        ]
        return np.concatenate(parts)

    def __contains__(self, name: object) -> bool:
        return self.found(name) is not None if isinstance(name, str) else name in self._rows

    @overload
    def __getitem__(self, key: int | str) -> R: ...
    @overload
    def __getitem__(self, key: slice) -> list[R]: ...
    def __getitem__(self, key: int | str | slice) -> R | list[R]:
        if isinstance(key, slice):
            return [self[index] for index in range(*key.indices(len(self)))]
        if isinstance(key, str):
            if key in self._index_of:
                return self._rows[self._index_of[key]]
            key = self.index(key)
        key = range(len(self))[key]
        number = int(np.searchsorted(self._starts, key, side="right")) - 1
        return _entry(self._rows[number], key - self._starts[number]) if self._sizes[number] else self._rows[number]

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[R]:
        for row, size in zip(self._rows, self._sizes, strict=True):
            yield from (_entry(row, index) for index in range(size)) if size else (row,)

    def __repr__(self) -> str:
        words = (f"{row.name}[{n}]" if n else row.name for row, n in zip(self._rows, self._sizes, strict=True))
        return f"Records({', '.join(words)})"


def _names_of(record: Any) -> Iterator[str]:
    n = getattr(record, "n_entries", 0)
    if not n:
        return iter((record.name,))
    if len(record.shape) == 1:
        return (f"{record.name}[{index}]" for index in range(n))
    return (f"{record.name}[{','.join(map(str, index))}]" for index in np.ndindex(record.shape))


def ends_of(record: Any) -> tuple[str, ...]:
    """Return the names of the first and the last entry of a block."""
    last = ",".join(str(size - 1) for size in getattr(record, "shape", ()))
    return (f"{record.name}[{re.sub('[0-9]+', '0', last)}]", f"{record.name}[{last}]") if last else ()


def _place_within(text: str, shape: tuple[int, ...]) -> int | slice | None:
    """Return the place in a block of the entries `3`, `2,1` or `2:5`; None if it has none there."""
    if ":" in text and len(shape) == 1:
        first, _, end = text.partition(":")
        if not all(not part.strip() or part.strip().isdecimal() for part in (first, end)):
            return None
        begin, stop = int(first.strip() or 0), int(end.strip() or shape[0])
        return slice(begin, stop) if begin < stop <= shape[0] else None
    numbers = [int(part) if part.strip().isdecimal() else -1 for part in text.split(",")]
    if len(numbers) != len(shape) or not all(0 <= number < size for number, size in zip(numbers, shape, strict=True)):
        return None
    return int(np.ravel_multi_index(numbers, shape))


def _entry(record: Any, index: int) -> Any:
    """Return the record of one entry of a block."""
    entry = copy.copy(record)
    names = [("shape", ()), ("name", f"{record.name}[{','.join(map(str, np.unravel_index(index, record.shape)))}]")]
    if isinstance(default := getattr(record, "default", None), tuple):
        names.append(("default", default[index]))
    for field, value in names:
        object.__setattr__(entry, field, value)
    return entry


Records.block_table = BlockRecords

"""What was read while a function was hashed: to see that nothing of it has changed takes a fiftieth of the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

MISSING: Any = object()
"""What is read where there is nothing."""


class Observations:
    """The variables, attributes and arrays that a hash was made from.

    Values are compared by their identity, because those that can change are observed themselves: functions and classes
    by their attributes, arrays by their contents. What libraries contain is taken to be constant.
    """

    def __init__(self) -> None:
        self._reads: dict[tuple[int, str], tuple[Callable[[Any, str], Any], Any, str, Any]] = {}
        self._mappings: list[tuple[Mapping[str, Any], dict[str, Any]]] = []
        self._hashes: list[tuple[Callable[[Any], str], Any, str]] = []

    def entry(self, mapping: Mapping[str, Any], name: str) -> Any:
        """Return an entry of a mapping, MISSING if there is none."""
        return self._read(_entry, mapping, name)

    def attribute(self, owner: Any, name: str) -> Any:
        """Return an attribute of an object, MISSING if it has none."""
        return self._read(_attribute, owner, name)

    def cell(self, cell: Any) -> Any:
        """Return a variable of an enclosing function, None if that one has not assigned it."""
        return self._read(_cell_contents, cell, "")

    def entries(self, mapping: Mapping[str, Any]) -> dict[str, Any]:
        """Return all entries of a mapping."""
        self._mappings.append((mapping, dict(mapping)))
        return self._mappings[-1][1]

    def hash_of(self, function: Callable[[Any], str], value: Any) -> str:
        """Return the hash of something whose contents can change, an array, by a function."""
        self._hashes.append((function, value, function(value)))
        return self._hashes[-1][2]

    def hold(self) -> bool:
        """Return whether all of it would be read again."""
        return (
            all(read(owner, name) is value for read, owner, name, value in self._reads.values())
            and all(_are_same(mapping, entries) for mapping, entries in self._mappings)
            and all(function(value) == found for function, value, found in self._hashes)
        )

    def _read(self, read: Callable[[Any, str], Any], owner: Any, name: str) -> Any:
        key = id(owner), name
        if key not in self._reads:
            self._reads[key] = read, owner, name, read(owner, name)
        return self._reads[key][-1]


def _entry(mapping: Mapping[str, Any], name: str) -> Any:
    return mapping.get(name, MISSING)


def _attribute(owner: Any, name: str) -> Any:
    return getattr(owner, name, MISSING)


def _cell_contents(cell: Any, _: str) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the enclosing function has not assigned the variable
        return None


def _are_same(mapping: Mapping[str, Any], entries: dict[str, Any]) -> bool:
    return mapping.keys() == entries.keys() and all(mapping[name] is value for name, value in entries.items())

"""What every source of configuration delivers: values that remember where they were written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hybridsim.errors import ConfigError

Address = tuple[str | int, ...]
"""The way to a value from the top: `("stop", 0, "count")`."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_EXACT_DIGITS = 18
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value was written.

    origin : `configs/slip.yaml:7:3`, `command line`, `keyword`, `default` or `SimSect default`.
    folder : what a relative path in the value starts from.
    name : the name it was written under where that is not its dotted key, as `tolerance` is for `engine.rtol`.
    """

    origin: str
    folder: Path = Path()
    name: str = ""


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place: a scalar, a dict of names to nodes, or a list of nodes. Never changed once built."""

    value: Any
    place: Place

    def plain(self) -> Any:
        """The value without places."""
        if isinstance(self.value, dict):
            return {name: node.plain() for name, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def at(self, address: Address) -> tuple[Node, int]:
        """The node at that address, or the last one on the way to it; and how many steps led there."""
        node = self
        for depth, step in enumerate(address):
            inside = dict(enumerate(node.value)) if isinstance(node.value, list) else node.value
            if not isinstance(inside, dict) or step not in inside:
                return node, depth
            node = inside[step]
        return node, len(address)

    def name_of(self, address: Address) -> str:
        """Where the value at an address was written: `runs.yaml:7:3: sweep.axes.k`, `keyword: axes.k`."""
        node, depth = self.at(address)
        name = node.place.name if node.place.name and depth == len(address) else dotted(address)
        return f"{node.place.origin}: {name}"

    def section(self, name: str) -> dict[str, Node]:
        """The nodes of the mapping called `name`; none where there is no such mapping."""
        node = self.value.get(name)
        return node.value if node is not None and isinstance(node.value, dict) else {}

    def merged(self, later: Node) -> Node:
        """Both together: mappings join key by key, and of everything else the later one stays."""
        if not (isinstance(self.value, dict) and isinstance(later.value, dict)):
            return later
        joined = dict(self.value)
        for name, node in later.value.items():
            joined[name] = joined[name].merged(node) if name in joined else node
        return Node(joined, later.place)

    def with_value(self, address: Address, node: Node) -> Node:
        """The tree with `node` merged in at an address of names."""
        unnamed = Place(node.place.origin, node.place.folder)
        for step in reversed(address):
            node = Node({step: node}, unnamed)
        return Node(self.merged(node).value, self.place)


def dotted(address: Address) -> str:
    """`stop[0].count`; what cannot be printed is shown escaped."""
    text = ""
    for step in address:
        name = f"[{step}]" if isinstance(step, int) else step if step.isprintable() and step else repr(step)
        text += name if isinstance(step, int) or not text else f".{name}"
    return text


def shown(value: Any) -> str:
    """A value as a message quotes it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list | tuple):
        return "a mapping" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "an integer of more than 64 bits"  # Python may refuse to write it out
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


@dataclass
class Diagnostics:
    """What is wrong with a configuration (`problems`, all of them) and what the user should merely know (`notes`)."""

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def error(self, root: Node, address: Address, text: str) -> None:
        """Record a problem as `file:line:column: key: text`, at the place nearest to `address`."""
        self.problems.append(f"{root.name_of(address)}: {text}")

    def raise_if_any(self) -> None:
        """Raise the problems, each one once, if there are any."""
        if self.problems:
            raise ConfigError(dict.fromkeys(self.problems))


def number_from(text: str) -> int | float | None:
    """The number that `text` writes out in full (`7`, `-.5`, `1e-6`), or None if it is not one."""
    if not _NUMBER.fullmatch(text):
        return None
    digits = text.lstrip("+-")
    return int(text) if digits.isdigit() and len(digits) <= _EXACT_DIGITS else float(text)


def read_text(path: Path, empty: str = "write at least which model to run and until when") -> str:
    """The text of a file (UTF-8); `empty` says what to do about one without text.

    Raises
    ------
    ConfigError : no such file, a folder, not readable, binary, or empty.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file; check its name and folder") from None
    except IsADirectoryError:
        raise ConfigError(f"{path}: expected a file, found a folder; name a file in it") from None
    except UnicodeDecodeError as problem:
        raise ConfigError(
            f"{path}: expected text in UTF-8, found the byte {problem.object[problem.start]:#04x} "
            f"at offset {problem.start}; give a text file, or save it as UTF-8"
        ) from None
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise ConfigError(f"{str(path)!r}: the file cannot be read: {reason}; check its name and permissions") from None
    control = _CONTROL.search(text)
    if control:
        raise ConfigError(
            f"{path}: expected text, found the control character {control[0]!r} at offset {control.start()}; "
            "give a text file"
        )
    if not text.strip():
        raise ConfigError(f"{path}: the file is empty; {empty}")
    return text

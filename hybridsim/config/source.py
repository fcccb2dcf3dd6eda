"""Values with the places where they were written: files, overrides and keywords are all read into this form."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hybridsim.errors import ConfigError

Address = tuple[str | int, ...]
"""Path of names and list indices from the top of a configuration to a value: `("stop", 0, "count")`."""

_NUMBER = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MAX_INTEGER_DIGITS = 18  # longer integers become floats, as 64 bits may not hold them
CONFIG_ENDINGS = (".yaml", ".py", ".rc")
"""Endings of the files that a name without one may mean."""

_CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_MAX_QUOTED_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Origin:
    """The place where a value was written.

    Attributes
    ----------
    text : str
        The place as messages show it: `configs/slip.yaml:7:3`, `command line`, `keyword`, `default` or
        `SimSect default`.
    folder : Path
        Folder from which a relative path in the value starts.
    name : str
        Name under which the value was written if that is not its dotted key, as `tolerance` is for `engine.rtol`.
    computed : bool
        Whether it was not typed but recorded: a computed state may lie beyond a bound by rounding.
    """

    text: str
    folder: Path = Path()
    name: str = ""
    computed: bool = False


@dataclass(frozen=True, slots=True)
class Node:
    """An immutable value with its origin.

    Attributes
    ----------
    value : scalar, dict of str to Node, or list of Node
        The value.
    origin : Origin
        Where it was written.
    """

    value: Any
    origin: Origin

    def plain(self) -> Any:
        """Return the value without origins."""
        if isinstance(self.value, dict):
            return {name: node.plain() for name, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def at(self, address: Address) -> tuple[Node, int]:
        """Return the node at an address, or the last node on the path to it, and the number of steps to that node."""
        node = self
        for depth, step in enumerate(address):
            inside = dict(enumerate(node.value)) if isinstance(node.value, list) else node.value
            if not isinstance(inside, dict) or step not in inside:
                return node, depth
            node = inside[step]
        return node, len(address)

    def name_of(self, address: Address) -> str:
        """Return origin and name of the value at an address: `runs.yaml:7:3: sweep.axes.k`, `keyword: axes.k`."""
        node, depth = self.at(address)
        name = node.origin.name if node.origin.name and depth == len(address) else join_address(address)
        return f"{node.origin.text}: {name}"

    def section(self, name: str) -> dict[str, Node]:
        """Return the nodes of the mapping called `name`, {} if there is no such mapping."""
        node = self.value.get(name)
        return node.value if node is not None and isinstance(node.value, dict) else {}

    def merge(self, later: Node) -> Node:
        """Return both together: mappings are joined key by key, any other value is replaced by the later one."""
        if not (isinstance(self.value, dict) and isinstance(later.value, dict)):
            return later
        joined = dict(self.value)
        for name, node in later.value.items():
            joined[name] = joined[name].merge(node) if name in joined else node
        return Node(joined, later.origin)

    def with_value(self, address: Address, node: Node) -> Node:
        """Return the tree with `node` merged in at an address of names."""
        unnamed = Origin(node.origin.text, node.origin.folder)
        for step in reversed(address):
            node = Node({step: node}, unnamed)
        return Node(self.merge(node).value, self.origin)


def join_address(address: Address) -> str:
    """Return an address as text, `stop[0].count`, with unprintable names escaped."""
    text = ""
    for step in address:
        name = f"[{step}]" if isinstance(step, int) else step if step.isprintable() and step else repr(step)
        text += name if isinstance(step, int) or not text else f".{name}"
    return text


def show(value: Any) -> str:
    """Return a value as messages quote it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list | tuple):
        return "a mapping" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and value.bit_length() > 64:
        return "an integer of more than 64 bits"  # Python may refuse to write it out
    text = repr(value)
    return text if len(text) <= _MAX_QUOTED_LENGTH else f"{text[:_MAX_QUOTED_LENGTH]}..."


@dataclass
class Diagnostics:
    """Messages collected while a configuration is read, so that the user sees all of them at once.

    A reader that finds an error records it and continues; when everything has been checked, `raise_if_any` raises
    them.

    Attributes
    ----------
    problems : list of str
        Errors: the configuration cannot be used.
    notes : list of str
        Remarks: nothing is wrong, but the user may have meant something else.
    """

    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def error(self, root: Node, address: Address, text: str) -> None:
        """Record the error `file:line:column: key: text` for a key, which need not exist.

        Parameters
        ----------
        root : Node
            The whole configuration.
        address : Address
            The key; the line and column are those of the last value on the path to it.
        text : str
            What is wrong, and what to do about it.
        """
        self.problems.append(f"{root.name_of(address)}: {text}")

    def raise_if_any(self) -> None:
        """Raise the errors recorded so far, repeated ones once.

        Raises
        ------
        ConfigError
            If there are any.
        """
        if self.problems:
            raise ConfigError(dict.fromkeys(self.problems))


def number_from(text: str) -> int | float | None:
    """Return the number that a text consists of (`7`, `-.5`, `1e-6`), None if the text is not a number."""
    if not _NUMBER.fullmatch(text):
        return None
    digits = text.lstrip("+-")
    return int(text) if digits.isdigit() and len(digits) <= _MAX_INTEGER_DIGITS else float(text)


def read_text(path: Path, empty: str = "write at least which model to run and until when") -> str:
    """Return the text of a file in UTF-8.

    Parameters
    ----------
    path : Path
        The file.
    empty : str
        Advice in the message for an empty file.

    Returns
    -------
    str
        The text.

    Raises
    ------
    ConfigError
        If the file does not exist, is a folder, cannot be read, is binary, or is empty.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        hint = _hint_at_file(path.with_name(f"{path.name}{ending}") for ending in CONFIG_ENDINGS) if path.name else ""
        raise ConfigError(f"{path}: there is no such file{hint or '; check its name and folder'}") from None
    except IsADirectoryError:
        hint = _hint_at_file(path / f"{path.name}{ending}" for ending in CONFIG_ENDINGS)
        raise ConfigError(f"{path}: expected a file, found a folder{hint or '; name a file in it'}") from None
    except UnicodeDecodeError as problem:
        raise ConfigError(
            f"{path}: expected text in UTF-8, found the byte {problem.object[problem.start]:#04x} "
            f"at offset {problem.start}; give a text file, or save it as UTF-8"
        ) from None
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise ConfigError(f"{str(path)!r}: the file cannot be read: {reason}; check its name and permissions") from None
    control = _CONTROL_CHARACTER.search(text)
    if control:
        raise ConfigError(
            f"{path}: expected text, found the control character {control[0]!r} at offset {control.start()}; "
            "give a text file"
        )
    if not text.strip():
        raise ConfigError(f"{path}: the file is empty; {empty}")
    return text


def _hint_at_file(candidates: Iterable[Path]) -> str:
    """Return the end of a message that names the first of these files that there is."""
    found = next((path for path in candidates if path.is_file()), None)
    return f"; did you mean `{found}`?" if found else ""

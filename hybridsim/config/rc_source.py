"""SimSect's init files ("rc"): one flat table of assignments `name = value;`.

# a comment
systemName = "slip";
finalTime = 5            # the semicolon may be missing
heights = { 0.0 0.1
            0.2 };       # lists may span lines
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hybridsim.config.source import Diagnostics, Node, Origin, number_from, read_text
from hybridsim.errors import ConfigError

_TOKEN = re.compile(
    r"(?P<space>[^\S\n]+|\#[^\n]*)|(?P<string>\"[^\"\n]*\")|(?P<mark>[=;{}\n])|(?P<word>[^\s=;{}\#\"]+)|(?P<open>\")"
)
_SYMBOL = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)?(?:\[\d+(?:,\d+)*\])?")
_VALUE = "a number, a string in double quotes or a list `{ ... }` of them"


@dataclass(frozen=True, slots=True)
class Assignment:
    """An assignment `name = value`; the origin of the value is that of the name."""

    name: str
    node: Node


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    origin: Origin

    def __str__(self) -> str:
        return "the end of the line" if self.text == "\n" else f"`{self.text}`"


def read_rc(path: Path, diagnostics: Diagnostics) -> list[Assignment]:
    """Return the assignments of an rc file in their order.

    Parameters
    ----------
    path : Path
        The file.
    diagnostics : Diagnostics
        Gets an error for each malformed assignment; reading continues after it.

    Returns
    -------
    list of Assignment
        The assignments.

    Raises
    ------
    ConfigError
        If the file cannot be read at all.
    """
    assignments = []
    for statement in _statements(_tokens(read_text(path), path)):
        try:
            assignments.append(_assignment(statement))
        except ConfigError as failure:
            diagnostics.problems.extend(failure.problems)
    return assignments


def _tokens(text: str, path: Path) -> Iterator[_Token]:
    line, line_start = 1, 0
    for match in _TOKEN.finditer(text):
        origin = Origin(f"{path}:{line}:{match.start() - line_start + 1}", path.parent)
        if match.lastgroup != "space":
            yield _Token(str(match.lastgroup), match[0], origin)
        if match[0] == "\n":
            line, line_start = line + 1, match.end()


def _statements(tokens: Iterator[_Token]) -> Iterator[list[_Token]]:
    """Split tokens into statements: `;` or the end of the line ends one; within braces only `;` does."""
    statement: list[_Token] = []
    in_braces = False
    for token in tokens:
        if token.text in ("{", "}"):
            in_braces = token.text == "{"
        if token.text == ";" or (token.text == "\n" and not in_braces):
            if statement:
                yield statement
            statement, in_braces = [], False
        elif token.text != "\n":
            statement.append(token)
    if statement:
        yield statement


def _assignment(statement: list[_Token]) -> Assignment:
    first, *rest = statement
    if not _SYMBOL.fullmatch(first.text):
        yaml = "; a YAML file must end in .yaml or .yml" if first.text.endswith(":") else ""
        raise ConfigError(
            f"{first.origin.text}: expected a name (a letter, then letters, digits or underscores), found {first}; "
            f"write `name = value;`{yaml}"
        )
    where = f"{first.origin.text}: {first.text}"
    if not rest or rest[0].text != "=":
        found = rest[0] if rest else "the end of the line"
        raise ConfigError(f"{where}: expected `=` after the name, found {found}; write `{first.text} = value;`")
    values = rest[1:]
    if values and values[0].text == "{":
        return Assignment(first.text, Node(_list(values[1:], where, first.origin), first.origin))
    if not values:
        raise ConfigError(f"{where}: expected {_VALUE}, found the end of the line; add the value")
    value = _value(values[0], where)
    if len(values) > 1:
        raise ConfigError(
            f"{where}: expected the end of the line after the value, found {values[1]}; insert a `;`, or put a value "
            "of several words into double quotes"
        )
    return Assignment(first.text, Node(value, first.origin))


def _list(tokens: list[_Token], where: str, origin: Origin) -> list[Node]:
    if not tokens or tokens[-1].text != "}":
        raise ConfigError(f"{where}: the list is not closed; end it with ` }}`")
    return [Node(_value(token, where), origin) for token in tokens[:-1]]


def _value(token: _Token, where: str) -> str | int | float:
    if token.kind == "string":
        return token.text[1:-1]
    number = number_from(token.text)
    if number is None:
        raise ConfigError(f"{where}: expected {_VALUE}, found {token}; correct the number, or quote the string")
    return number

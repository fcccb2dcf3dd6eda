"""YAML 1.2 (core schema) in and out, with the place of every value, and `include`.

Plain PyYAML speaks YAML 1.1, where `1e-6` is a string, `off` is False and `010` is eight; only its scanner,
parser and composer are used here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from hybridsim.config.source import Address, Diagnostics, Node, Place, dotted, number_from, read_text, shown
from hybridsim.errors import ConfigError

_TAG = "tag:yaml.org,2002:"
_IN_PARENTHESES = re.compile(r"\([^()\n]*\)")
_COMMA = "\ufdd0"
"""Stands for a comma in parentheses while YAML is parsed: `{k: linspace(0, 5, 11)}` has one value, not three.

Unicode reserves this character for such inner purposes."""

_MOST_VALUES = 100_000
"""A limit, because a few nested aliases can stand for more values than there is memory for."""


def _number(text: str) -> int | float:
    if text.startswith(("0o", "0x")):
        return int(text, 0)
    special = text.lower().lstrip("+-")
    if special in (".inf", ".nan"):
        return float(text.replace(".", "", 1))
    number = number_from(text)
    if number is None:
        raise ValueError(f"{text!r} is not a number")
    return number


def _switch(text: str) -> bool:
    return {"true": True, "false": False}[text.lower()]


_CORE_SCHEMA: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "null": (r"~|null|Null|NULL|", lambda _: None),
    "bool": (r"true|True|TRUE|false|False|FALSE", _switch),
    "int": (r"[-+]?[0-9]+|0o[0-7]{1,20}|0x[0-9a-fA-F]{1,15}", _number),
    "float": (
        r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
        _number,
    ),
    "str": (r"(?!)", str),
}
"""YAML 1.2.2, section 10.3.2: tag -> (plain scalars that have it, what they mean)."""


class _Composer(yaml.SafeLoader):
    yaml_implicit_resolvers = {}  # noqa: RUF012  (the base class declares it so)


class _Dumper(yaml.SafeDumper):
    yaml_implicit_resolvers = {}  # noqa: RUF012


for _name, (_pattern, _) in _CORE_SCHEMA.items():
    for _speaker in (_Composer, _Dumper):
        _speaker.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), None)


def write_yaml(data: Any) -> str:
    """Plain data as YAML that `read_yaml` and any YAML 1.2 reader give back unchanged."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def read_yaml(path: Path, diagnostics: Diagnostics, including: tuple[Path, ...] = ()) -> Node:
    """The mapping in a YAML file, merged over what it includes.

    Parameters
    ----------
    path :
        the file; messages show it as it is given here.
    diagnostics :
        gets duplicate keys and failed includes; the reading goes on after these.
    including :
        the files that led here by including each other.

    Raises
    ------
    ConfigError : a file that cannot be read at all, or is not valid YAML, or holds no mapping.
    """
    root = _parse(read_text(path), lambda line, column: Place(f"{path}:{line}:{column}", path.parent), diagnostics)
    if not isinstance(root.value, dict):
        raise ConfigError(
            f"{root.place.origin}: expected `key: value` lines, found {shown(root.plain())}; "
            "write at least `model` and `final_time`"
        )
    own = {name: node for name, node in root.value.items() if name != "include"}
    merged = Node({}, root.place)
    for node in _include_nodes(root, diagnostics):
        merged = merged.merged(_included(node, (*including, path.resolve()), diagnostics))
    return merged.merged(Node(own, root.place))


def parse_value(text: str, place: Place, address: Address, diagnostics: Diagnostics) -> Node:
    """The value that `text` writes in YAML for the key at `address`, with `place` for all of it: an override.

    Raises
    ------
    ConfigError : not valid YAML.
    """
    return _parse(text, lambda _line, _column: place, diagnostics, address)


def _include_nodes(root: Node, diagnostics: Diagnostics) -> list[Node]:
    if "include" not in root.value:
        return []
    node = root.value["include"]
    nodes = node.value if isinstance(node.value, list) else [node]
    if nodes and all(isinstance(each.value, str) for each in nodes):
        return list(nodes)
    diagnostics.error(
        root, ("include",), f"expected a file name or a list of them, found {shown(node.plain())}; name YAML files"
    )
    return []


def _included(node: Node, including: tuple[Path, ...], diagnostics: Diagnostics) -> Node:
    """What one `include` brings in; nothing, and a problem, if that fails."""
    target = node.place.folder / node.value
    try:
        if target.resolve() not in including:
            return read_yaml(target, diagnostics, including)
        problems = [f"{target} includes this file in turn, without end; remove one of the two includes"]
    except ConfigError as failure:
        problems = list(failure.problems)
    except (OSError, ValueError) as failure:
        problems = [f"{node.value!r} cannot be a file name: {failure}; name a YAML file"]
    diagnostics.problems.extend(f"{node.place.origin}: include: {problem}" for problem in problems)
    return Node({}, node.place)


def _parse(text: str, place_at: Callable[[int, int], Place], diagnostics: Diagnostics, address: Address = ()) -> Node:
    if _COMMA not in text:
        text = _IN_PARENTHESES.sub(lambda call: call[0].replace(",", _COMMA), text)
    try:
        tree = yaml.compose(text, Loader=_Composer)
        if tree is None:
            return Node(None, place_at(1, 1))
        return _Conversion(place_at, diagnostics).convert(tree, _place(tree, place_at), address)
    except yaml.MarkedYAMLError as failure:
        mark = failure.problem_mark or failure.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        reason = ", ".join(part for part in (failure.context, failure.problem) if part)
        advice = "correct it here or just before"
    except yaml.reader.ReaderError as failure:
        line = text.count("\n", 0, failure.position) + 1
        column = failure.position - text.rfind("\n", 0, failure.position)
        reason, advice = f"the character {text[failure.position]!r} is not allowed", "remove it"
    except RecursionError:
        line, column, reason, advice = 1, 1, "it is nested too deeply", "write it flatter"
    except (ValueError, OverflowError) as failure:
        line, column, reason, advice = 1, 1, str(failure), "look for a wrong escape (\\U...) in a string"
    raise ConfigError(f"{_where(place_at(line, column), address)}: this is not valid YAML: {reason}; {advice}")


def _where(place: Place, address: Address) -> str:
    return f"{place.origin}: {dotted(address)}" if address else place.origin


def _place(node: yaml.Node, place_at: Callable[[int, int], Place]) -> Place:
    return place_at(node.start_mark.line + 1, node.start_mark.column + 1)


class _Conversion:
    """From PyYAML's nodes to ours, refusing what plain data cannot say."""

    def __init__(self, place_at: Callable[[int, int], Place], diagnostics: Diagnostics) -> None:
        self._place_at = place_at
        self._findings = diagnostics
        self._open: set[int] = set()
        self._values = 0

    def convert(self, node: yaml.Node, place: Place, address: Address) -> Node:
        self._values += 1
        if id(node) in self._open:
            raise ConfigError(f"{_where(place, address)}: this alias stands for what contains it; write the value out")
        if self._values > _MOST_VALUES:
            raise ConfigError(
                f"{_where(place, address)}: there are more than {_MOST_VALUES} values up to here, aliases included; "
                "put long lists into a CSV or NPY file"
            )
        self._open.add(id(node))
        try:
            return Node(self._value(node, place, address), place)
        finally:
            self._open.discard(id(node))

    def _value(self, node: yaml.Node, place: Place, address: Address) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, address)
        if isinstance(node, yaml.SequenceNode):
            return [
                self.convert(item, _place(item, self._place_at), (*address, number))
                for number, item in enumerate(node.value)
            ]
        return self._scalar(node.value.replace(_COMMA, ","), node.tag, place, address)

    def _mapping(self, node: yaml.MappingNode, address: Address) -> dict[str, Node]:
        converted: dict[str, Node] = {}
        lines: dict[str, int] = {}
        for key, value in node.value:
            place, name = _place(key, self._place_at), key.value
            name = name.replace(_COMMA, ",") if isinstance(name, str) else name
            if key.tag != f"{_TAG}str" or not isinstance(name, str) or not name.isprintable():
                found = repr(name) if isinstance(name, str) else "a list or mapping"
                self._report(place, address, f"expected a name as key, found {found}; remove it or put it into quotes")
            elif name in converted:
                self._report(place, (*address, name), f"already given in line {lines[name]}; remove one of the two")
            else:
                converted[name] = self.convert(value, place, (*address, name))
                lines[name] = key.start_mark.line + 1
        return converted

    def _scalar(self, text: str, tag: str, place: Place, address: Address) -> Any:
        _, meaning = _CORE_SCHEMA.get(tag.removeprefix(_TAG), ("", None))
        try:
            if meaning is not None:
                return meaning(text)
        except (ValueError, KeyError):
            pass
        self._report(place, address, f"{text!r} cannot be read with the tag {tag!r}; remove the tag")
        return None

    def _report(self, place: Place, address: Address, text: str) -> None:
        self._findings.problems.append(f"{_where(place, address)}: {text}")

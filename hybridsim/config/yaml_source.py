"""Read and write YAML 1.2 (core schema), with the place of every value and with `include`.

PyYAML itself implements YAML 1.1, where `1e-6` is a string, `off` is False and `010` is eight. Only its scanner, parser
and composer are used here; the table `_CORE_SCHEMA` replaces its rules for plain scalars. `ruamel.yaml` implements YAML
1.2, but could replace nothing except this table, and not without loss: it ends at the first duplicate key, where all
problems are to be reported at once, and it differs from the core schema (`1_000` is a number there, and `2001-01-01` a
date). Positions, the limit on aliases and `include` would still have to be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml
from yaml.composer import Composer

from hybridsim.config.flow_commas import quote, split_value
from hybridsim.config.source import Address, Diagnostics, Node, Origin, join_address, number_from, read_text, show
from hybridsim.errors import ConfigError

_TAG = "tag:yaml.org,2002:"
_MAX_VALUES = 100_000
"""Most values in a file, aliases included: a few nested aliases can stand for more values than memory holds."""


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
"""YAML 1.2.2, section 10.3.2: tag -> (pattern of the plain scalars that have it, function that reads one)."""


class _Composer(yaml.SafeLoader):
    yaml_implicit_resolvers = {}  # noqa: RUF012  (the base class declares it so)


class _Dumper(yaml.SafeDumper):
    yaml_implicit_resolvers = {}  # noqa: RUF012


for _name, (_pattern, _) in _CORE_SCHEMA.items():
    for _class in (_Composer, _Dumper):
        _class.add_implicit_resolver(_TAG + _name, re.compile(rf"(?:{_pattern})\Z"), None)


if yaml.__with_libyaml__:

    class _LibyamlComposer(Composer, yaml.CSafeLoader):
        """Parses with libyaml, and composes in Python: the composer of libyaml overflows the stack in deep nesting."""

        yaml_implicit_resolvers = _Composer.yaml_implicit_resolvers

        def __init__(self, text: str) -> None:
            yaml.CSafeLoader.__init__(self, text)
            Composer.__init__(self)


_FASTEST = _LibyamlComposer if yaml.__with_libyaml__ else _Composer


def write_yaml(data: Any) -> str:
    """Return plain data as YAML text, from which any reader of YAML 1.2 restores the same data."""
    return yaml.dump(data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def read_yaml(path: Path, diagnostics: Diagnostics, including: tuple[Path, ...] = ()) -> Node:
    """Return the mapping in a YAML file, merged over the files that it includes.

    Parameters
    ----------
    path : Path
        The file; messages show it as it is given here.
    diagnostics : Diagnostics
        Gets errors after which reading can continue, such as duplicate keys and failed includes.
    including : tuple of Path
        The files that include this one, directly or through others; including one of them again is an error.

    Returns
    -------
    Node
        The mapping.

    Raises
    ------
    ConfigError
        If the file cannot be read at all, is not valid YAML, or holds no mapping.
    """
    root = _parse(read_text(path), lambda line, column: Origin(f"{path}:{line}:{column}", path.parent), diagnostics)
    if not isinstance(root.value, dict):
        raise ConfigError(
            f"{root.origin.text}: expected `key: value` lines, found {show(root.plain())}; "
            "write at least `model` and `final_time`"
        )
    own = {name: node for name, node in root.value.items() if name != "include"}
    merged = Node({}, root.origin)
    for node in _include_nodes(root, diagnostics):
        merged = merged.merge(_include(node, (*including, path.resolve()), diagnostics))
    return merged.merge(Node(own, root.origin))


def parse_value(text: str, origin: Origin, address: Address, diagnostics: Diagnostics) -> Node:
    """Return the value of a YAML text, such as that of an override.

    Parameters
    ----------
    text : str
        The text.
    origin : Origin
        Origin of the value and of everything in it.
    address : Address
        The key whose value it is, for messages.
    diagnostics : Diagnostics
        Gets errors after which reading can continue.

    Returns
    -------
    Node
        The value.

    Raises
    ------
    ConfigError
        If the text is not valid YAML.
    """
    return _parse(text, lambda _line, _column: origin, diagnostics, address, _compose_fast)


def _include_nodes(root: Node, diagnostics: Diagnostics) -> list[Node]:
    if "include" not in root.value:
        return []
    node = root.value["include"]
    nodes = node.value if isinstance(node.value, list) else [node]
    if nodes and all(isinstance(each.value, str) for each in nodes):
        return list(nodes)
    diagnostics.error(
        root, ("include",), f"expected a file name or a list of them, found {show(node.plain())}; name YAML files"
    )
    return []


def _include(node: Node, including: tuple[Path, ...], diagnostics: Diagnostics) -> Node:
    """Return the values of an included file; an empty mapping, and an error, if it cannot be read."""
    target = node.origin.folder / node.value
    try:
        if target.resolve() not in including:
            return read_yaml(target, diagnostics, including)
        problems = [f"{target} includes this file in turn, without end; remove one of the two includes"]
    except ConfigError as failure:
        problems = list(failure.problems)
    except (OSError, ValueError) as failure:
        problems = [f"{node.value!r} cannot be a file name: {failure}; name a YAML file"]
    diagnostics.problems.extend(f"{node.origin.text}: include: {problem}" for problem in problems)
    return Node({}, node.origin)


OriginAt = Callable[[int, int], Origin]
"""Line and column of a value, both from 1 -> its origin."""


def _compose(text: str) -> yaml.Node | None:
    tree: yaml.Node | None = yaml.compose(text, Loader=_Composer)
    return tree


def _compose_fast(text: str) -> yaml.Node | None:
    """Compose without exact places; what libyaml refuses is left to `_Composer`, whose errors are exact."""
    try:
        tree: yaml.Node | None = yaml.compose(text, Loader=_FASTEST)
    except (yaml.YAMLError, ValueError):
        return _compose(text)
    return tree


def _parse(
    text: str,
    origin_at: OriginAt,
    diagnostics: Diagnostics,
    address: Address = (),
    compose: Callable[[str], yaml.Node | None] = _compose,
) -> Node:
    try:
        tree = compose(text)
        if tree is None:
            return Node(None, origin_at(1, 1))
        return _Conversion(text, origin_at, diagnostics).convert(tree, _origin(tree, origin_at), address)
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
    raise ConfigError(f"{_where(origin_at(line, column), address)}: this is not valid YAML: {reason}; {advice}")


def _where(origin: Origin, address: Address) -> str:
    return f"{origin.text}: {join_address(address)}" if address else origin.text


def _origin(node: yaml.Node, origin_at: OriginAt) -> Origin:
    return origin_at(node.start_mark.line + 1, node.start_mark.column + 1)


class _Conversion:
    """Converts the nodes of PyYAML to `Node`, and refuses those that are not plain data."""

    def __init__(self, text: str, origin_at: OriginAt, diagnostics: Diagnostics) -> None:
        self._text = text
        self._origin_at = origin_at
        self._diagnostics = diagnostics
        self._open: set[int] = set()
        self._n_values = 0

    def convert(self, node: yaml.Node, origin: Origin, address: Address) -> Node:
        self._n_values += 1
        if id(node) in self._open:
            raise ConfigError(
                f"{_where(origin, address)}: this alias refers to a value that contains it; write the value out"
            )
        if self._n_values > _MAX_VALUES:
            raise ConfigError(
                f"{_where(origin, address)}: there are more than {_MAX_VALUES} values up to here, aliases included; "
                "put long lists into a CSV or NPY file"
            )
        self._open.add(id(node))
        try:
            return Node(self._value(node, origin, address), origin)
        finally:
            self._open.discard(id(node))

    def _value(self, node: yaml.Node, origin: Origin, address: Address) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, address)
        if isinstance(node, yaml.SequenceNode):
            return self._sequence(node, address)
        return self._scalar(node.value, node.tag, origin, address)

    def _mapping(self, node: yaml.MappingNode, address: Address) -> dict[str, Node]:
        converted: dict[str, Node] = {}
        lines: dict[str, int] = {}
        children = self._rejoin(node, [child for pair in node.value for child in pair], address)
        for key, value in zip(children[::2], children[1::2], strict=True):
            origin, name = _origin(key, self._origin_at), key.value
            if key.tag != f"{_TAG}str" or not isinstance(name, str) or not name.isprintable():
                found = repr(name) if isinstance(name, str) else "a list or mapping"
                self._report(origin, address, f"expected a name as key, found {found}; remove it or put it into quotes")
            elif name in converted:
                self._report(origin, (*address, name), f"already given in line {lines[name]}; remove one of the two")
            else:
                converted[name] = self.convert(value, origin, (*address, name))
                lines[name] = key.start_mark.line + 1
        return converted

    def _sequence(self, node: yaml.SequenceNode, address: Address) -> list[Node]:
        return [
            self.convert(item, _origin(item, self._origin_at), (*address, index))
            for index, item in enumerate(self._rejoin(node, list(node.value), address))
        ]

    def _rejoin(self, node: yaml.CollectionNode, children: list[yaml.Node], address: Address) -> list[yaml.Node]:
        """Report values in parentheses that `{ }` or `[ ]` has split at their commas; return the children with them.

        `children` : the items of a sequence, or key, value, key, value, ... of a mapping.
        """
        is_mapping = isinstance(node, yaml.MappingNode)
        while node.flow_style and (split := split_value(children, is_mapping=is_mapping)):
            first, last = children[split.first], children[split.last]
            text = " ".join(self._text[first.start_mark.index : last.end_mark.index].split())
            whole = yaml.ScalarNode(f"{_TAG}str", text, first.start_mark, last.end_mark)
            is_value = is_mapping and split.first % 2 == 1
            named = children[split.first - 1] if is_value else first
            name: Address = (str(named.value),) if is_value else () if is_mapping else (split.first,)
            quoted = f"{named.value}: {quote(text)}" if is_value else quote(text)
            advice = f"YAML splits this value at its commas; put it into quotes: {quoted}"
            self._report(_origin(named, self._origin_at), (*address, *name), advice)
            children = [*children[: split.first], whole, *children[split.end :]]
        return children

    def _scalar(self, text: str, tag: str, origin: Origin, address: Address) -> Any:
        _, read = _CORE_SCHEMA.get(tag.removeprefix(_TAG), ("", None))
        try:
            if read is not None:
                return read(text)
        except (ValueError, KeyError):
            pass
        self._report(origin, address, f"{text!r} cannot be read with the tag {tag!r}; remove the tag")
        return None

    def _report(self, origin: Origin, address: Address, text: str) -> None:
        self._diagnostics.problems.append(f"{_where(origin, address)}: {text}")

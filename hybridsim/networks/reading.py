"""A network from plain data, as the key `model` of a config has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.errors import ModelError
from hybridsim.model.plugin_file import execute
from hybridsim.model.plugin_import import include_in_current
from hybridsim.model.records import Input, Parameter
from hybridsim.networks.description import Edge, Edges, Node, Nodes, Problems, hint_at
from hybridsim.networks.edge_shelf import EDGES
from hybridsim.networks.model import NetworkError, NetworkModel, network
from hybridsim.networks.node_shelf import NODES
from hybridsim.networks.patterns import Pattern, from_matrix, named_pattern, random_pairs

MOST_NODES = 10**7
"""Most nodes of a population."""

NODE_KEYS = ("type", "count")
EDGE_KEYS = ("type", "from", "to", "pattern", "reverse", "name", "states", "inflows")
"""What nodes and edges may have besides values."""

RECORDS: Mapping[str, type[Parameter] | type[Input]] = {"parameter": Parameter, "input": Input}
"""What a value may be shared as: `{input: drive, default: 4}`."""


def read_network(description: Mapping[str, Any]) -> NetworkModel:
    """Return the model that a description makes.

    Parameters
    ----------
    description : mapping
        Plain data: `name`, `nodes` and `edges`; paths are absolute.

    Raises
    ------
    NetworkError
        If something is wrong, with every problem.
    """
    problems: Problems = []
    name = str(description.get("name", "network"))
    _refuse_unknown(description, ("name", "nodes", "edges", "each"), (), problems)
    given, rows = description.get("nodes"), description.get("edges", [])
    if not isinstance(given, Mapping) or not given:
        problems.append((("nodes",), "expected populations by name; write for example h: {type: hopf, count: 5}"))
        given = {}
    if not isinstance(rows, list):
        problems.append((("edges",), f"expected a list of groups, found {rows!r}"))
        rows = []
    nodes = {key: _nodes(key, each, problems) for key, each in given.items()}
    known = {key: each for key, each in nodes.items() if each is not None}
    read = {i: _edges(i, given, known, problems) for i, given in enumerate(rows)}
    if not known:
        raise NetworkError(name, problems)
    unread = nodes.keys() - known.keys()
    edges = {i: each for i, each in read.items() if each is not None and unread.isdisjoint((each.source, each.target))}
    try:
        made: NetworkModel = network(name, known, list(edges.values()), each=description.get("each", ()))
    except NetworkError as failure:
        numbers = [*edges]
        for address, text in failure.problems:
            is_of_edges = address[:1] == ("edges",)
            problems.append(((*address[:1], numbers[int(address[1])], *address[2:]) if is_of_edges else address, text))
    if problems:
        raise NetworkError(name, problems)
    return made


def _refuse_unknown(
    given: Mapping[str, Any], keys: Sequence[str], address: tuple[str | int, ...], problems: Problems
) -> None:
    for key in given:
        if key not in keys:
            problems.append(((*address, key), f"there is no such key{hint_at(key, keys)}"))


def _nodes(name: str, given: Any, problems: Problems) -> Nodes | None:
    """Return a population; None if its type is not known."""
    address = ("nodes", name)
    if isinstance(given, str):
        given = {"type": given}
    if not isinstance(given, Mapping):
        problems.append((address, f"expected a type or a mapping with one, found {given!r}"))
        return None
    node = _type(given.get("type"), NODES, Node, (*address, "type"), problems)
    count = given.get("count")
    if count is not None and (not isinstance(count, int) or isinstance(count, bool) or count < 1):
        problems.append(((*address, "count"), f"expected a whole number, 1 at least, found {count!r}"))
        return None
    if count is not None and count > MOST_NODES:
        problems.append(((*address, "count"), f"expected at most {MOST_NODES:,} nodes, found {count:,}; take fewer"))
        return None
    if node is None:
        return None
    values = {key: _value(each, (*address, key), problems) for key, each in given.items() if key not in NODE_KEYS}
    return Nodes(node, count, **{key: each for key, each in values.items() if each is not None})


def _type(word: Any, shelf: Mapping[str, Any], kind: type, address: tuple[str | int, ...], problems: Problems) -> Any:
    """Return the type with this name: of the shelf, or of a Python file, `file.py:NAME`."""
    what = kind.__name__.lower()
    word = str(word)
    if word in shelf:
        return shelf[word]
    file, found, name = word.rpartition(".py:")
    if not found:
        problems.append((address, f"there is no type of {what}s {word!r}{hint_at(word, shelf)}"))
        return None
    try:
        module, hashes = execute(Path(f"{file}.py"))
        include_in_current(hashes)
        made = getattr(module, name, None)
    except (ModelError, OSError) as problem:
        problems.append((address, str(problem)))
        return None
    if not isinstance(made, kind):
        problems.append((address, f"{file}.py has no {kind.__name__} {name!r}"))
        return None
    return made


def _value(given: Any, address: tuple[str | int, ...], problems: Problems) -> Any:
    """Return a number, an array, or the record of a parameter or an input that others may share."""
    if not isinstance(given, Mapping):
        return given
    word = next((word for word in RECORDS if word in given), None)
    if word is None:
        problems.append((address, "expected a number, a list, or a name: {input: drive, default: 4}"))
        return None
    _refuse_unknown(given, (word, "default", "unit", "doc"), address, problems)
    further = {key: given[key] for key in ("default", "unit", "doc") if key in given}
    try:
        return RECORDS[word](given[word], **further)
    except ModelError as problem:
        problems.append((address, str(problem)))
        return None


def _edges(i: int, given: Any, nodes: Mapping[str, Nodes], problems: Problems) -> Edges | None:
    """Return a group; None if it is not clear what it is."""
    address = ("edges", i)
    if not isinstance(given, Mapping):
        problems.append((address, f"expected a mapping with type, from and to, found {given!r}"))
        return None
    missing = [key for key in ("type", "from", "to") if key not in given]
    if missing:
        problems.append((address, f"expected {', '.join(missing)}; write {{type: phase, from: h, to: h}}"))
        return None
    edge = _type(given["type"], EDGES, Edge, (*address, "type"), problems)
    if edge is None:
        return None
    ends = str(given["from"]), str(given["to"])
    for key in ("states", "inflows"):
        named = given.get(key, {})
        if not isinstance(named, Mapping) or not all(isinstance(each, str) for each in named.values()):
            problems.append(((*address, key), f"expected names, {{x: v}}, found {named!r}"))
            return None
    pattern: Any = given.get("pattern", "pairs")
    if all(end in nodes for end in ends):
        try:
            pattern = _pattern(pattern, nodes[ends[0]].n, nodes[ends[1]].n, ends[0] == ends[1])
            pattern = pattern.T if given.get("reverse", False) else pattern
        except (ModelError, OverflowError, TypeError, ValueError) as problem:
            problems.append(((*address, "pattern"), str(problem).removeprefix("pattern: ")))
            return None
    if not isinstance(given.get("reverse", False), bool):
        problems.append(((*address, "reverse"), f"expected true or false, found {given['reverse']!r}; write true"))
    values = {key: _value(each, (*address, key), problems) for key, each in given.items() if key not in EDGE_KEYS}
    further: Any = {key: given[key] for key in ("states", "inflows") if key in given}
    further |= {"name": str(given.get("name", ""))}
    return Edges(edge, *ends, pattern, **further, **{key: each for key, each in values.items() if each is not None})


def _pattern(given: Any, n_sources: int, n_targets: int, is_same: bool) -> Any:
    """Return a pattern: a word, {random: {degree, seed}}, {matrix: FILE}, or a list of pairs [from, to]."""
    if isinstance(given, str):
        return named_pattern(given, n_sources, n_targets, is_same)
    if isinstance(given, list):
        rows = [each for each in given if isinstance(each, list) and len(each) == 2]
        if len(rows) < len(given) or not all(
            isinstance(n, int) and not isinstance(n, bool) for row in rows for n in row
        ):
            raise ModelError("expected a list of pairs of whole numbers, [[0, 1], [4, 2]]")
        numbers = np.array(given, np.int64).reshape(-1, 2)
        return Pattern(numbers[:, 0], numbers[:, 1])
    if isinstance(given, Mapping) and set(given) == {"matrix"}:
        return from_matrix(given["matrix"])
    if isinstance(given, Mapping) and isinstance(given.get("random"), Mapping) and "degree" in given["random"]:
        further = {} if is_same else {"n_targets": n_targets}
        return random_pairs(n_sources, **{"seed": 1, **given["random"], **further})
    raise ModelError(
        "expected chain, ring, pairs, all, {random: {degree: 10, seed: 1}}, {matrix: FILE} or a list of pairs, "
        f"found {given!r}"
    )

"""The key `model` as a mapping, `{network: {nodes: ..., edges: ...}}`, as plain data with absolute paths."""

from __future__ import annotations

import hashlib
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hybridsim.config.source import Diagnostics, Node
from hybridsim.config.values import degrees_of
from hybridsim.errors import ModelError
from hybridsim.model.codegen import write_generated

PLUGIN = '''"""{name}: a network, of the key `model` of a config.

The files that it reads have the SHA-256 {digests}.
"""

from hybridsim.networks.reading import read_network

MODEL = read_network({description})
'''


_ENTRY = re.compile(r"(?:parameters\.)?(\w+\.\w+)\[")
"""An entry of an array of parameters, `h.f[2]`; not of states, `initial.h.phi[2]`."""


def _keys(root: Node) -> Iterator[str]:
    """Yield the names that a config gives parameters of, or varies."""
    for name, node in root.section("parameters").items():
        yield from (f"{name}.{last}" for last in node.value) if isinstance(node.value, dict) else (name,)
    axes, depth = root.at(("sweep", "axes"))
    yield from axes.value if depth and isinstance(axes.value, dict) else ()


def with_network(root: Node, node: Node, diagnostics: Diagnostics) -> Node:
    """Return values in which a network that is described has become the path of a plug-in file.

    Parameters
    ----------
    root : Node
        The values.
    node : Node
        The mapping with the key `network`.
    diagnostics : Diagnostics
        Gets what is wrong with the description, and notes on nodes without edges.
    """
    address = ("model", "network")
    for key in node.value:
        if key != "network":
            diagnostics.error(root, ("model", key), "there is no such key beside `network`; write it inside, or remove")
    given = node.value["network"]
    files: list[Path] = []
    description = _plain(given, files)
    if not isinstance(description, dict):
        diagnostics.error(root, address, "expected a mapping with `nodes` and `edges`")
        diagnostics.raise_if_any()
    stem = Path(given.origin.text.partition(":")[0]).stem
    description.setdefault("name", stem if stem.isidentifier() else "network")
    if each := sorted({match[1] for key in _keys(root) if (match := _ENTRY.match(key))}):
        description["each"] = each
    reading = importlib.import_module("hybridsim.networks.reading")
    try:
        model = reading.read_network(description)
    except ModelError as failure:
        for place, text in getattr(failure, "problems", [((), str(failure))]):
            diagnostics.error(root, (*address, *place), text)
        diagnostics.raise_if_any()
    if model.groups and (lonely := model.isolated()):
        named = ", ".join(lonely[:5]) + (f" and {len(lonely) - 5:,} others" if len(lonely) > 5 else "")
        diagnostics.notes.append(f"{given.origin.text}: model.network: no edge begins or ends at {named}")
    digests = ", ".join(hashlib.sha256(file.read_bytes()).hexdigest() for file in files) or "(none)"
    text = PLUGIN.format(name=model.name, digests=digests, description=repr(description))
    path = write_generated(f"{model.name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}.py", text)
    return root.with_value(("model",), Node(str(path), node.origin))


def _plain(node: Node, files: list[Path]) -> Any:
    """Return plain data: angles as numbers, and files, which are listed, with their folders."""
    if isinstance(node.value, dict):
        return {key: _plain(each, files) for key, each in node.value.items()}
    if isinstance(node.value, list):
        return [_plain(each, files) for each in node.value]
    if not isinstance(node.value, str):
        return node.value
    degrees = degrees_of(node.value)
    if degrees is not None:
        return degrees
    before, found, name = node.value.rpartition(".py:")
    file = (node.origin.folder / (f"{before}.py" if found else node.value)).expanduser()
    if found or file.suffix in (".csv", ".npy", ".npz"):
        files += [file] if file.is_file() else []
        return f"{file.absolute()}:{name}" if found else str(file.absolute())
    return node.value

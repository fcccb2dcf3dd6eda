"""The key `model` as a mapping, {mechanism: ...} or {network: ...}: it becomes a plug-in file in the cache.

Whatever takes the path of a plug-in, takes such a model, too: run files, sweeps in processes, `verify`.
"""

from __future__ import annotations

import hashlib
import importlib
from pathlib import Path
from typing import Any

from hybridsim.config.arrays import is_file_name, matrix_items
from hybridsim.config.described_network import with_network
from hybridsim.config.source import Diagnostics, Node
from hybridsim.config.values import degrees_of
from hybridsim.errors import ModelError
from hybridsim.model.codegen import write_generated

PLUGIN = '''"""{name}: a mechanism with contacts, of the key `model` of a config.

The file that it reads has the SHA-256 {digest}.
"""

from hybridsim.contacts.reading import read_model

MODEL = read_model({description})
'''


def with_described_model(root: Node, diagnostics: Diagnostics) -> Node:
    """Return values in which a model that is described by a mapping has become the path of a plug-in file.

    Parameters
    ----------
    root : Node
        The values.
    diagnostics : Diagnostics
        Gets what is wrong with the description.
    """
    node = root.value.get("model")
    if node is None or not isinstance(node.value, dict):
        return root
    if "network" in node.value:
        return with_network(root, node, diagnostics)
    description, reading = node.plain(), _reading()
    if isinstance(description.get("mechanism"), str):
        folder = node.value["mechanism"].origin.folder
        description["mechanism"] = str((folder or Path.cwd()) / Path(description["mechanism"]).expanduser())
    try:
        _read_maps(node, description)
        notes = reading.read_parts(description).notes
        diagnostics.notes += [f"{node.origin.text}: model.{note}" for note in notes]
        path = _written(reading.name_of(description), description)
        root = _with_heights(root, description)
    except ModelError as problem:
        diagnostics.error(root, ("model", *getattr(problem, "address", ())), str(problem))
        diagnostics.raise_if_any()
    return root.with_value(("model",), Node(path, node.origin))


def _read_maps(node: Node, description: dict[str, Any]) -> None:
    """Replace a terrain that is the name of a file by a map of its heights."""
    planes = node.value.get("planes")
    for name, plane in planes.value.items() if planes is not None and isinstance(planes.value, dict) else ():
        file = plane.value.get("terrain") if isinstance(plane.value, dict) else None
        if file is not None and is_file_name(file.value):
            description["planes"][name] |= {"terrain": "height_map", "heights": matrix_items(file)}


def _reading() -> Any:
    """Return what makes models of descriptions: by name, as configs of other models do without it."""
    return importlib.import_module("hybridsim.contacts.reading")


def _written(name: str, description: dict[str, Any]) -> str:
    """Write the plug-in, whose name follows from all that it says, and return its path."""
    before, found, _ = description["mechanism"].rpartition(".py:")
    file = Path(f"{before}.py" if found else description["mechanism"])
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    text = PLUGIN.format(name=name, digest=digest, description=repr(description))
    return str(write_generated(f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}.py", text))


def _with_heights(root: Node, description: dict[str, Any]) -> Node:
    """Replace the word `touching` of an initial coordinate by the height at which the lowest contact touches."""
    known, parameters = (
        {name: value for name, node in root.section(key).items() if (value := _number(node.value)) is not None}
        for key in ("initial", "parameters")
    )
    for name, node in root.section("initial").items():
        if node.value == "touching":
            contacts = importlib.import_module("hybridsim.contacts.touching_height")
            known[name] = height = contacts.touching_height(description, known, parameters, name)
            root = root.with_value(("initial", name), Node(height, node.origin))
    return root


def _number(value: Any) -> float | None:
    """Return a number, or an angle [rad]; None for anything else."""
    if isinstance(value, int | float):
        return float(value)
    return degrees_of(value) if isinstance(value, str) else None

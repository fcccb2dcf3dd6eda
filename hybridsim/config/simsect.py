"""A config from SimSect's rc file: one flat table of engine settings, parameters and initial state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsim.config.building import fill_slots, load_named_model
from hybridsim.config.key_table import NAMES_WITHOUT_EFFECT, RC_NAMES
from hybridsim.config.rc_source import Assignment, read_rc
from hybridsim.config.rhexlib import read_walking, suggest
from hybridsim.config.source import Address, Diagnostics, Node, Origin
from hybridsim.config.values import part_with, section_names
from hybridsim.model import Model, nearest
from hybridsim.model.registry import available_models
from hybridsim.model.reserved import aliases_in

DEFAULTS: Mapping[str, str | float] = {
    "systemName": "hexapod",
    "dataBaseName": "SimSect",
    "useGeomview": 0,
    "stopPrecision": 1e-10,
    "maxStopIterations": 128,
    "recordPeriod": 0.0,
    "measurePeriod": 0.0,
    "maxChartCount": 128,
    "finalTime": 1.0,
    "tolerance": 1e-4,
    "maxTimeStep": 1e-2,
    "minTimeStep": 1e-15,
    "rkPower": 0.33,
}
"""SimSect's value of a symbol that an rc file does not set (its manual, table of engine symbols)."""

MAX_NOTES = 3
"""Most symbols of which each gets a note that nothing uses it."""

_MODEL_ADDRESSES: tuple[Address, ...] = (("model",),)


def rc_tree(path: Path, overrides: Iterable[Assignment], diagnostics: Diagnostics) -> tuple[Node, Model | None]:
    """Return the configuration in an rc file, and its model.

    Parameters
    ----------
    path : Path
        The rc file.
    overrides : iterable of Assignment
        Assignments from the command line, to symbols or to dotted keys; they replace those of the file.
    diagnostics : Diagnostics
        Gets a note for each unknown symbol in the file, and an error for each unknown one in the overrides.

    Returns
    -------
    Node
        The values, unchecked.
    Model or None
        The model with its parts; None if it could not be loaded.

    Raises
    ------
    ConfigError
        If the file cannot be read at all.
    """
    defaults = [Assignment(symbol, Node(value, Origin("SimSect default"))) for symbol, value in DEFAULTS.items()]
    written = read_rc(path, diagnostics)
    overrides = list(overrides)
    root = Node({}, Origin(str(path), path.parent))
    assignments = [*defaults, *written, *overrides]
    parts, model = _parts(assignments, root, _model(assignments, root, diagnostics), diagnostics)
    walking = read_walking([*written, *overrides], model, diagnostics)
    if walking.rows is not None:
        root = root.with_value(("sweep", "rows"), walking.rows)
    unknown = []
    for assignment in (*defaults, *walking.assignments, *written, *overrides):
        if assignment.name in walking.used:
            continue
        addresses = _addresses(assignment.name, model)
        for address in addresses:
            root = _assign(root, address, assignment)
        if addresses or model is None:
            continue
        if assignment.name in NAMES_WITHOUT_EFFECT:
            diagnostics.notes.append(f"{_place(assignment)}: not used; {NAMES_WITHOUT_EFFECT[assignment.name]}")
        elif assignment in overrides:
            advice = _hint(assignment, model) or "; correct or remove it"
            has = f"neither the engine nor the model {model.name} has it"
            diagnostics.problems.append(f"{_place(assignment)}: {has}{advice}")
        else:
            unknown.append(assignment)
    if model is not None:
        _report_unknown(unknown, model, diagnostics)
    return root.merge(parts), model


def _parts(
    assignments: list[Assignment], root: Node, model: Model | None, diagnostics: Diagnostics
) -> tuple[Node, Model | None]:
    """Return the assignments to slots as a configuration, and the model with these parts, which add names."""
    slots = {("parameters", slot) for slot in model.slot_names} if model is not None else set()
    for assignment in assignments:
        for address in slots.intersection(_addresses(assignment.name, model)):
            root = _assign(root, address, assignment)
    return fill_slots(root, model, diagnostics)


def _model(assignments: list[Assignment], root: Node, diagnostics: Diagnostics) -> Model | None:
    default, *named = [assignment for assignment in assignments if RC_NAMES.get(assignment.name) == _MODEL_ADDRESSES]
    installed = available_models()
    if not named and default.node.value not in installed:
        diagnostics.problems.append(
            f"{root.origin.text}: systemName: the file names no model, and SimSect's default {default.node.value!r} "
            f'is not installed; write `systemName = "...";` with one of {", ".join(installed) or "(none installed)"}'
        )
        return None
    return load_named_model(_assign(root, _MODEL_ADDRESSES[0], named[-1] if named else default), diagnostics)


def _addresses(name: str, model: Model | None) -> tuple[Address, ...]:
    """Return the keys that a symbol or a dotted key sets; () for an unknown symbol."""
    if model is not None:
        name = aliases_in(model.parameters).get(name, name)
        for section, names in section_names(model).items():
            if name.partition("[")[0] in names:
                return ((section, name),)
    if "." in name:
        return (tuple(name.split(".")),)
    return RC_NAMES.get(name, ())


def _assign(root: Node, address: Address, assignment: Assignment) -> Node:
    origin = Origin(assignment.node.origin.text, assignment.node.origin.folder, assignment.name)
    return root.with_value(address, Node(_convert(assignment.name, assignment.node.value), origin))


def _convert(symbol: str, value: Any) -> Any:
    """Convert a value of an rc file to that of a key; rc files cannot express true, false and null.

    A switch is 0 or 1, and a record period of 0 means every step.
    """
    if symbol in ("useGeomview", "view") and value in (0, 1):
        return bool(value)
    return None if symbol == "recordPeriod" and value == 0 else value


def _report_unknown(unknown: Sequence[Assignment], model: Model, diagnostics: Diagnostics) -> None:
    """Note the symbols of a file that nothing uses; those that resemble none of ours share a note if they are many.

    They are then symbols of another program that reads the same file.
    """
    strange = [assignment for assignment in unknown if not _hint(assignment, model)]
    shared = len(strange) > MAX_NOTES
    for assignment in unknown:
        if not (shared and assignment in strange):
            text = f"{_place(assignment)}: neither the engine nor the model {model.name} has it"
            diagnostics.notes.append(f"{text}, so it is not used{_hint(assignment, model)}")
    if shared:
        names = ", ".join(dict.fromkeys(assignment.name for assignment in strange))
        where, has = strange[0].node.origin.text, f"neither the engine nor the model {model.name} has them"
        diagnostics.notes.append(f"{where}: these symbols are not used, because {has}: {names}")


def _place(assignment: Assignment) -> str:
    return f"{assignment.node.origin.text}: {assignment.name}"


def _hint(assignment: Assignment, model: Model) -> str:
    known = [*(name for names in section_names(model).values() for name in names), *RC_NAMES]
    return part_with(assignment.name, model) or nearest(assignment.name, known) or suggest(assignment.name, model)

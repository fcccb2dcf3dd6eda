"""What SimSect's symbols mean here: one flat table of engine symbols, parameters and initial state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hybridsim.config.building import named_model
from hybridsim.config.rc_source import Assignment, read_rc
from hybridsim.config.schema import EngineSettings
from hybridsim.config.slots import fill_slots
from hybridsim.config.source import Address, Diagnostics, Node, Place
from hybridsim.config.values import part_with, section_names
from hybridsim.model import Model, nearest
from hybridsim.model.registry import available_models
from hybridsim.model.reserved import aliases_in

SYMBOLS: Mapping[str, tuple[Address, ...]] = {
    "systemName": (("model",),),
    "dataBaseName": (("output", "base"),),
    "useGeomview": (("view",),),
    "stopPrecision": (("engine", "stop_precision"),),
    "maxStopIter": (("engine", "max_stop_iterations"),),
    "maxStopIterations": (("engine", "max_stop_iterations"),),
    "recordPeriod": (("record", "period"),),
    "measurePeriod": (("progress_period",),),
    "maxChartCount": (("engine", "max_transitions"),),
    "finalTime": (("final_time",),),
    "tolerance": (("engine", "rtol"), ("engine", "atol")),
    "maxTimeStep": (("engine", "max_step"),),
    "minTimeStep": (("engine", "min_step"),),
    "rkPower": (("engine", "power"),),
    **{name: (("engine", name),) for name in EngineSettings.model_fields},
    **{name: ((name,),) for name in ("model", "initial_time", "final_time", "progress_period", "view")},
}
"""Engine symbol -> the keys it sets: SimSect's symbols, and ours under their own names."""

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
"""What SimSect takes where an rc file is silent (its manual, table of engine symbols)."""

_MODEL: tuple[Address, ...] = (("model",),)


def rc_tree(path: Path, overrides: Iterable[Assignment], diagnostics: Diagnostics) -> tuple[Node, Model | None]:
    """The configuration in an rc file, and its model (None if that cannot be loaded).

    Parameters
    ----------
    path :
        the rc file.
    overrides :
        assignments from the command line, to symbols or to dotted keys; they win over the file's.
    diagnostics :
        gets a note for each unknown symbol of the file, and a problem for each unknown one of the overrides.

    Raises
    ------
    ConfigError : a file that cannot be read at all.
    """
    defaults = [Assignment(symbol, Node(value, Place("SimSect default"))) for symbol, value in DEFAULTS.items()]
    written = read_rc(path, diagnostics)
    overrides = list(overrides)
    root = Node({}, Place(str(path), path.parent))
    everything = [*defaults, *written, *overrides]
    parts, model = _parts(everything, root, _model(everything, root, diagnostics), diagnostics)
    for assignment in everything:
        addresses = _addresses(assignment.name, model)
        for address in addresses:
            root = _assigned(root, address, assignment)
        if not addresses and model is not None:
            _report_unknown(assignment, model, diagnostics, optional=assignment not in overrides)
    return root.merged(parts), model


def _parts(
    assignments: list[Assignment], root: Node, model: Model | None, diagnostics: Diagnostics
) -> tuple[Node, Model | None]:
    """What is said of the model's slots, and the model with these parts, which knows more symbols."""
    slots = {("parameters", slot) for slot in model.slot_names} if model is not None else set()
    for assignment in assignments:
        for address in slots.intersection(_addresses(assignment.name, model)):
            root = _assigned(root, address, assignment)
    return fill_slots(root, model, diagnostics)


def _model(assignments: list[Assignment], root: Node, diagnostics: Diagnostics) -> Model | None:
    default, *named = [assignment for assignment in assignments if SYMBOLS.get(assignment.name) == _MODEL]
    installed = available_models()
    if not named and default.node.value not in installed:
        diagnostics.problems.append(
            f"{root.place.origin}: systemName: the file names no model, and SimSect's default {default.node.value!r} "
            f'is not installed; write `systemName = "...";` with one of {", ".join(installed) or "(none installed)"}'
        )
        return None
    return named_model(_assigned(root, _MODEL[0], named[-1] if named else default), diagnostics)


def _addresses(name: str, model: Model | None) -> tuple[Address, ...]:
    """The keys that a symbol or a dotted key sets; none for an unknown symbol."""
    if "." in name:
        return (tuple(name.split(".")),)
    if model is not None:
        name = aliases_in(model.parameters).get(name, name)
        for section, names in section_names(model).items():
            if name in names:
                return ((section, name),)
    return SYMBOLS.get(name, ())


def _assigned(root: Node, address: Address, assignment: Assignment) -> Node:
    place = Place(assignment.node.place.origin, assignment.node.place.folder, assignment.name)
    return root.with_value(address, Node(_meant(assignment.name, assignment.node.value), place))


def _meant(symbol: str, value: Any) -> Any:
    """An rc file knows numbers only: 0 and 1 are a switch, and a record period of 0 means every step."""
    if symbol in ("useGeomview", "view") and value in (0, 1):
        return bool(value)
    return None if symbol == "recordPeriod" and value == 0 else value


def _report_unknown(assignment: Assignment, model: Model, diagnostics: Diagnostics, *, optional: bool) -> None:
    known = [*(name for names in section_names(model).values() for name in names), *SYMBOLS]
    hint = part_with(assignment.name, model) or nearest(assignment.name, known)
    text = f"{assignment.node.place.origin}: {assignment.name}: neither the engine nor the model {model.name} has it"
    if optional:
        diagnostics.notes.append(f"{text}, so it is not used{hint}")
    else:
        diagnostics.problems.append(f"{text}{hint or '; correct or remove it'}")

"""`build`: check values with their origins; return a RunConfig, or raise a ConfigError with every problem.

`load_named_model` and `fill_slots` find the model of a configuration, and the parts in its slots.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hybridsim.config.messages import explain
from hybridsim.config.methods import with_coefficients
from hybridsim.config.run_config import RunConfig, leaves, resolve
from hybridsim.config.schema import Settings
from hybridsim.config.source import Address, Diagnostics, Node, join_address, show
from hybridsim.config.values import NOUN_OF_SECTION, ParameterValue, section_names, values_of_model
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.composition import ComposedModel, compose
from hybridsim.model.parts import Plant
from hybridsim.model.registry import load_model, with_part

_COPIED_KEYS = (
    *("initial_time", "final_time", "initial_chart", "stop", "engine", "record", "progress_period", "view", "orbit"),
)
"""Keys whose values a RunConfig holds as the schema returns them."""


def load_named_model(root: Node, diagnostics: Diagnostics) -> Model | None:
    """Return the model that the key `model` names; a path is relative to the file in which it is written.

    Returns
    -------
    Model or None
        None if the key is missing or wrong. A model that cannot be loaded is recorded as an error; the schema reports
        other errors of the key.
    """
    node = root.value.get("model")
    if node is None or not isinstance(node.value, str) or not node.value:
        return None
    try:
        return load_model(node.value, node.origin.folder)
    except ModelError as failure:
        diagnostics.error(root, ("model",), str(failure))
    except (OSError, RuntimeError, ValueError) as failure:
        diagnostics.error(root, ("model",), f"{node.value!r} cannot be a path: {failure}; name a model or its file")
    return None


def build(
    root: Node, model: Model | None, diagnostics: Diagnostics, *, source: Path | None = None, open_ended: bool = False
) -> RunConfig:
    """Return the checked configuration of a run.

    Parameters
    ----------
    root : Node
        The values of all sources, merged.
    model : Model or None
        The model; None if it could not be loaded, which `diagnostics` then has as an error.
    diagnostics : Diagnostics
        Errors and notes of the sources; those found here are added.
    source : Path, optional
        The config file. Its name is the base name of the files written, unless the configuration gives another.
    open_ended : bool
        Whether final_time may be None, because the caller advances the run.

    Returns
    -------
    RunConfig
        The configuration.

    Raises
    ------
    ConfigError
        If there are errors, with all of them.
    """
    checked = check_run(root, model, diagnostics, open_ended=open_ended)
    diagnostics.raise_if_any()
    _note_sweep(root, diagnostics)
    return assemble_run(root, model, checked, diagnostics, source=source)


@dataclass(frozen=True, slots=True)
class CheckedRun:
    """The values of a run that passed their checks.

    Attributes
    ----------
    settings : Settings or None
        The keys of the schema; None if one of them is wrong.
    parameters, inputs, initial : mapping
        The model's own values by name.
    """

    settings: Settings | None
    parameters: Mapping[str, ParameterValue]
    inputs: Mapping[str, float]
    initial: Mapping[str, float]


def check_run(root: Node, model: Model | None, diagnostics: Diagnostics, *, open_ended: bool = False) -> CheckedRun:
    """Return the valid values of a run, and record errors for the others; for the arguments see `build`."""
    settings = _check_settings(root, {"model": model, "open_ended": open_ended}, diagnostics)
    return CheckedRun(settings, *(values_of_model(model, root, diagnostics) if model else ({}, {}, {})))


def assemble_run(
    root: Node, model: Model | None, checked: CheckedRun, diagnostics: Diagnostics, *, source: Path | None = None
) -> RunConfig:
    """Return the run, after `check_run` has found no error; for the arguments see `build`."""
    settings = checked.settings
    assert settings is not None
    assert model is not None
    base = settings.output.base or (source.stem if source else model.name)
    config = RunConfig(
        model=model,
        # An installed model keeps its name when its file moves.
        model_name=settings.model if settings.model.isidentifier() else model.source or model.name,
        parameters=checked.parameters,
        inputs=checked.inputs,
        initial=checked.initial,
        output=settings.output.model_copy(update={"base": base}),
        source=source,
        origins={},
        notes=tuple(diagnostics.notes),
        **{key: getattr(settings, key) for key in _COPIED_KEYS},
    )
    return dataclasses.replace(config, origins=Origins(config, root))


def _check_settings(root: Node, context: dict[str, Any], diagnostics: Diagnostics) -> Settings | None:
    try:
        return Settings.model_validate(with_coefficients(root, diagnostics).plain(), context=context)
    except ValidationError as failure:
        for error in failure.errors(include_url=False):
            for line in explain(error, context["model"]).splitlines():
                diagnostics.error(root, error["loc"], line)
    return None


def _note_sweep(root: Node, diagnostics: Diagnostics) -> None:
    """Add a note for `hybridsim run`, which does not compute the sweep, or the search, in the file."""
    remedies = {
        "optimize": "the values outside of it; `hybridsim optimize CONFIG` searches",
        **dict.fromkeys(
            ("sweep", "metrics"), "the values outside the sweep; `hybridsim sweep CONFIG` computes all runs"
        ),
    }
    for name, remedy in remedies.items():
        node = root.value.get(name)
        if node is not None and node.value is not None:
            diagnostics.notes.append(f"{node.origin.text}: {name}: this is one run, with {remedy}")
            return


class Origins(Mapping[str, str]):
    """The origin of each value of a run by its dotted key; few runs are asked for it, and it is found for these."""

    def __init__(self, config: RunConfig, root: Node) -> None:
        self._config, self._root = config, root

    @cached_property
    def _found(self) -> dict[str, str]:
        return {join_address(address): _origin(address, self._root) for address, _ in leaves(resolve(self._config))}

    def __getitem__(self, key: str) -> str:
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _origin(address: Address, root: Node) -> str:
    """Return the origin of a value; a short form such as `record: false` gives every value of its section."""
    node, depth = root.at(address)
    given = depth == len(address) or not isinstance(node.value, dict)
    return node.origin.text if given else "default"


def fill_slots(root: Node, model: Model | None, diagnostics: Diagnostics) -> tuple[Node, Model | None]:
    """Fill the slots of a model with the parts that the section `parameters` names; write names with dots in full.

    Parameters
    ----------
    root : Node
        The configuration.
    model : Model or None
        The model; None if it could not be loaded.
    diagnostics : Diagnostics
        Gets errors for slots that are filled wrongly.

    Returns
    -------
    Node
        The configuration, with absolute paths of the parts.
    Model or None
        The model with its parts; None if a slot is filled wrongly.
    """
    if model is None:
        return root, None
    root = _with_whole_names(root, model)
    filled: Model = compose(model) if isinstance(model, Plant) else model
    given = root.section("parameters")
    for slot in [name for name in filled.slot_names if name in given]:
        node, address = given[slot], ("parameters", slot)
        try:
            if not isinstance(node.value, str):
                found = show(node.value)
                raise ModelError(f"expected the name of a part or the path of its file, found {found}; name one")
            filled = with_part(filled, slot, node.value, node.origin.folder)
        except (ModelError, OSError, ValueError) as failure:
            diagnostics.error(root, address, str(failure))
            return root, None
        assert isinstance(filled, ComposedModel)
        root = root.with_value(address, Node(filled.part_words[slot], node.origin))
    return root, filled


def _with_whole_names(root: Node, model: Model) -> Node:
    """Return values in which the names in sections of the model have their dots: {h: {phi: 1}} becomes {h.phi: 1}."""
    names = (name.partition(".") for each in section_names(model).values() for name in each)
    owners = {owner for owner, dot, _ in names if dot}
    for section in NOUN_OF_SECTION if owners else ():
        given = root.section(section)
        if any(isinstance(node.value, dict) for node in given.values()):
            whole: dict[str, Node] = {}
            for name, node in given.items():
                inside = node.value if name in owners and isinstance(node.value, dict) else {"": node}
                for last, each in inside.items():
                    full = f"{name}.{last}" if last else name
                    whole.pop(full, None)  # a later value is behind the earlier ones, as it replaces them
                    whole[full] = each
            root = Node({**root.value, section: Node(whole, root.value[section].origin)}, root.origin)
    return root

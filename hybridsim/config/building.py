"""From positioned values to a RunConfig, or to every problem at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hybridsim.config.messages import explain
from hybridsim.config.run_config import RunConfig, leaves, resolved
from hybridsim.config.schema import Settings
from hybridsim.config.source import Address, Diagnostics, Node, dotted
from hybridsim.config.values import ParameterValue, initial_values, input_values, parameter_values
from hybridsim.errors import ModelError
from hybridsim.model import Model
from hybridsim.model.registry import load_model

_TAKEN_OVER = ("initial_time", "final_time", "stop", "engine", "record", "progress_period", "view")
"""What a RunConfig has as the schema left it."""


def named_model(root: Node, diagnostics: Diagnostics) -> Model | None:
    """The model that the key `model` names, from the folder of the file it stands in; None, and a problem, if none."""
    node = root.value.get("model")
    if node is None or not isinstance(node.value, str) or not node.value:
        return None  # the schema says so
    try:
        return load_model(node.value, node.place.folder)
    except ModelError as failure:
        diagnostics.error(root, ("model",), str(failure))
    except (OSError, RuntimeError, ValueError) as failure:
        diagnostics.error(root, ("model",), f"{node.value!r} cannot be a path: {failure}; name a model or its file")
    return None


def build(
    root: Node, model: Model | None, diagnostics: Diagnostics, *, source: Path | None = None, open_ended: bool = False
) -> RunConfig:
    """The checked configuration.

    Parameters
    ----------
    root :
        what the sources say, merged.
    diagnostics :
        what the sources have found wrong or noteworthy; more is added here.
    model :
        None if it could not be loaded, which is then among the problems.
    source :
        the config file; its name is the files' base name unless the configuration says otherwise.
    open_ended :
        final_time may be None, because the caller advances the run.

    Raises
    ------
    ConfigError : with all the problems in `diagnostics` and those found here.
    """
    checked = check(root, model, diagnostics, open_ended=open_ended)
    diagnostics.raise_if_any()
    _note_sweep(root, diagnostics)
    return assemble(root, model, checked, diagnostics, source=source)


@dataclass(frozen=True, slots=True)
class Checked:
    """What is right about a run: `settings` is None where the schema has refused something."""

    settings: Settings | None
    parameters: Mapping[str, ParameterValue]
    inputs: Mapping[str, float]
    initial: Mapping[str, float]


def check(root: Node, model: Model | None, diagnostics: Diagnostics, *, open_ended: bool = False) -> Checked:
    """The parts of a run, checked; what is wrong with them becomes problems. See `build`."""
    return Checked(
        _checked(root, {"model": model, "open_ended": open_ended}, diagnostics),
        parameter_values(model, root, diagnostics) if model else {},
        input_values(model, root, diagnostics) if model else {},
        initial_values(model, root, diagnostics) if model else {},
    )


def assemble(
    root: Node, model: Model | None, checked: Checked, diagnostics: Diagnostics, *, source: Path | None = None
) -> RunConfig:
    """The run, after `check` without problems; see `build`."""
    settings = checked.settings
    assert settings is not None
    assert model is not None
    base = settings.output.base or (source.stem if source else model.name)
    config = RunConfig(
        model=model,
        # A name is stable where the file of an installed model is not.
        model_name=settings.model if settings.model.isidentifier() else model.source or model.name,
        parameters=checked.parameters,
        inputs=checked.inputs,
        initial=checked.initial,
        output=settings.output.model_copy(update={"base": base}),
        source=source,
        origins={},
        notes=tuple(diagnostics.notes),
        **{key: getattr(settings, key) for key in _TAKEN_OVER},
    )
    return dataclasses.replace(config, origins=_origins(resolved(config), root))


def _checked(root: Node, context: dict[str, Any], diagnostics: Diagnostics) -> Settings | None:
    try:
        return Settings.model_validate(root.plain(), context=context)
    except ValidationError as failure:
        for error in failure.errors(include_url=False):
            diagnostics.error(root, error["loc"], explain(error, context["model"]))
    return None


def _note_sweep(root: Node, diagnostics: Diagnostics) -> None:
    for name in ("sweep", "metrics"):
        node = root.value.get(name)
        if node is not None and node.value is not None:
            diagnostics.notes.append(
                f"{node.place.origin}: {name}: one run, of the values outside the sweep; "
                "`hybridsim sweep CONFIG` runs them all"
            )
            return


def _origins(data: dict[str, Any], root: Node) -> dict[str, str]:
    return {dotted(address): _origin(address, root) for address, _ in leaves(data)}


def _origin(address: Address, root: Node) -> str:
    """Where the value was given; a shorthand such as `record: false` gives everything below it."""
    node, depth = root.at(address)
    given = depth == len(address) or not isinstance(node.value, dict)
    return node.place.origin if given else "default"

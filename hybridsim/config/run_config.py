"""A checked configuration: everything that shapes a run, with the origin of every value."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsim.config.schema import EngineSettings, OutputSettings, RecordSettings, Stop
from hybridsim.config.source import Address, dotted
from hybridsim.config.values import ParameterValue
from hybridsim.config.yaml_source import write_yaml
from hybridsim.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """What `load_config` makes of a config file, and `simulate` of its keywords.

    Attributes
    ----------
    model : the loaded model; model_name : what loads it again, a name or the path of its file.
    initial_time, final_time : [s]; final_time may be None where the caller advances the run.
    parameters : every parameter by name: a number, a choice, or an array as a flat tuple.
    inputs : the initial value of every input by name [its unit].
    initial : every state by name [its unit].
    stop : what ends the run early; the first one reached does.
    progress_period : simulated time between progress messages [s], 0 for none.
    source : the config file, None for keywords.
    origins : dotted key -> `default`, `configs/slip.yaml:7:3`, `command line`, `SimSect default` or `keyword`.
    notes : what the user should know, though nothing is wrong.
    """

    model: Model
    model_name: str
    initial_time: float
    final_time: float | None
    parameters: Mapping[str, ParameterValue]
    inputs: Mapping[str, float]
    initial: Mapping[str, float]
    stop: tuple[Stop, ...]
    engine: EngineSettings
    record: RecordSettings
    output: OutputSettings
    progress_period: float
    view: bool
    source: Path | None
    origins: Mapping[str, str]
    notes: tuple[str, ...]


def with_values(base: RunConfig, values: Mapping[str, Any]) -> RunConfig:
    """The run with other values of some dotted keys, plain numbers and words that are right for them."""
    changed: dict[str, dict[str, Any]] = {"parameters": {}, "inputs": {}, "initial": {}, "engine": {}, "": {}}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        changed[section][name] = value
    return dataclasses.replace(
        base,
        parameters={**base.parameters, **changed["parameters"]},
        inputs={**base.inputs, **changed["inputs"]},
        initial={**base.initial, **changed["initial"]},
        engine=base.engine.model_copy(update=changed["engine"]),
        **changed[""],
    )


def resolved(config: RunConfig) -> dict[str, Any]:
    """The whole configuration as plain data, defaults filled in; `write_yaml` of it is a config of the same run."""
    return {
        "model": config.model_name,
        "initial_time": config.initial_time,
        "final_time": config.final_time,
        "parameters": _plain(config.parameters),
        "inputs": dict(config.inputs),
        "initial": dict(config.initial),
        "stop": [stop.model_dump(include=_stop_keys(stop)) for stop in config.stop],
        "engine": _plain(config.engine.model_dump()),
        "record": _plain(config.record.model_dump()),
        "output": _plain(config.output.model_dump()),
        "progress_period": config.progress_period,
        "view": config.view,
    }


def resolved_yaml(config: RunConfig) -> str:
    """`resolved` as the text of a YAML config."""
    return write_yaml(resolved(config))


def rows(config: RunConfig) -> Iterator[tuple[str, Any, str]]:
    """Every value as (dotted key, value, origin), in the order of `resolved`."""
    for address, value in leaves(resolved(config)):
        key = dotted(address)
        yield key, value, config.origins[key]


def leaves(data: Mapping[str, Any], within: Address = ()) -> Iterator[tuple[Address, Any]]:
    """What stands at the ends of nested mappings; a list is one value."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from leaves(value, (*within, name))
        else:
            yield (*within, name), value


def _plain(section: Mapping[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in section.items()}


def _stop_keys(stop: Stop) -> set[str]:
    return {"boundary", "count"} if stop.boundary is not None else {"state", "value"}

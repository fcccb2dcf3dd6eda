"""RunConfig: the checked configuration of a run, with the origin of every value."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.orbit_settings import OrbitSettings
from hybridsim.config.schema import OutputSettings, RecordSettings, Stop
from hybridsim.config.source import Address, join_address
from hybridsim.config.values import ParameterValue, split_key, value_at, with_entries
from hybridsim.config.yaml_source import write_yaml
from hybridsim.model import Model
from hybridsim.model.table import MANY_VALUES


@dataclass(frozen=True, slots=True, kw_only=True)
class RunConfig:
    """A checked configuration of a run, made by `load_config` from a file or by `simulate` from its keywords.

    Attributes
    ----------
    model : Model
        The loaded model.
    model_name : str
        Name or path that loads the model again.
    initial_time : float
        Time at the start [s].
    final_time : float or None
        Time at the end [s]; None if the caller advances the run.
    parameters : mapping
        Every parameter by name: a number [its unit], a choice, or an array as a flat tuple.
    inputs : mapping
        The initial value of every input by name [its unit].
    initial : mapping
        The initial value of every state by name [its unit]; of a block the values of its entries.
    initial_chart : int or None
        The chart in which the run begins; None if the model's `initial_chart` decides.
    stop : tuple of Stop
        Conditions that end the run early; the first one that is met ends it.
    engine : EngineSettings
        How the equations are solved.
    record : RecordSettings
        Quantities that are recorded, and when.
    output : OutputSettings
        Folder, names and formats of the files written.
    progress_period : float
        Simulated time between progress messages [s], 0 for none.
    view : bool
        Whether to show the run in 3-D.
    orbit : OrbitSettings or None
        The periodic motion to look for; None if the config has no such section.
    source : Path or None
        The config file; None for keywords.
    origins : mapping
        Dotted key -> `default`, `configs/slip.yaml:7:3`, `command line`, `SimSect default` or `keyword`.
    notes : tuple of str
        Remarks for the user, where nothing is wrong.
    """

    model: Model
    model_name: str
    initial_time: float
    final_time: float | None
    parameters: Mapping[str, ParameterValue]
    inputs: Mapping[str, float]
    initial: Mapping[str, Any]
    initial_chart: int | None
    stop: tuple[Stop, ...]
    engine: EngineSettings
    record: RecordSettings
    output: OutputSettings
    progress_period: float
    view: bool
    orbit: OrbitSettings | None
    source: Path | None
    origins: Mapping[str, str]
    notes: tuple[str, ...]


def with_values(base: RunConfig, values: Mapping[str, Any]) -> RunConfig:
    """Return the run with other values of some dotted keys: numbers and words that are known to be valid."""
    if not values:
        return base
    changed: dict[str, dict[str, Any]] = {"parameters": {}, "inputs": {}, "initial": {}, "engine": {}, "": {}}
    for key, value in values.items():
        section, name = split_key(key)
        changed[section][name] = value
    return dataclasses.replace(
        base,
        parameters=with_entries(base.parameters, base.model.parameters, changed["parameters"]),
        inputs={**base.inputs, **changed["inputs"]},
        initial=with_entries(base.initial, base.model.states, changed["initial"]),
        engine=base.engine.model_copy(update=changed["engine"]),
        **changed[""],
    )


def value_of(base: RunConfig, key: str) -> Any:
    """Return the value of a dotted key."""
    section, name = split_key(key)
    holder = getattr(base, section) if section else base
    if not isinstance(holder, Mapping):
        return getattr(holder, name)
    return value_at(holder, base.model.states if section == "initial" else base.model.parameters, name)


def resolve(config: RunConfig) -> dict[str, Any]:
    """Return the whole configuration, with defaults, as plain data; `write_yaml` turns it into the text of a config."""
    data = {
        "model": config.model_name,
        "initial_time": config.initial_time,
        "final_time": config.final_time,
        "parameters": _plain(config.parameters),
        "inputs": dict(config.inputs),
        "initial": _plain(config.initial),
        "initial_chart": config.initial_chart,
        "stop": [stop.model_dump(include=_stop_keys(stop)) for stop in config.stop],
        "engine": _plain(config.engine.model_dump()),
        "record": _plain(config.record.model_dump()),
        "output": _plain(config.output.model_dump()),
        "progress_period": config.progress_period,
        "view": config.view,
    }
    return data if config.orbit is None else data | {"orbit": config.orbit.model_dump(mode="json")}


def resolve_to_yaml(config: RunConfig) -> str:
    """Return the whole configuration as the text of a YAML config."""
    return write_yaml(resolve(config))


def rows(config: RunConfig) -> Iterator[tuple[str, Any, str]]:
    """Yield every value as (dotted key, value, origin), in the order of `resolve`."""
    for address, value in leaves(resolve(config)):
        key = join_address(address)
        yield key, value, config.origins[key]


def leaves(data: Mapping[str, Any], within: Address = ()) -> Iterator[tuple[Address, Any]]:
    """Yield the values in nested mappings with their addresses; a list is one value."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from leaves(value, (*within, name))
        else:
            yield (*within, name), value


def _plain(section: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _list_of(value) if isinstance(value, tuple) else value for name, value in section.items()}


def _list_of(values: tuple[Any, ...]) -> Any:
    """Return values as a list; many equal numbers as one, which is short for them."""
    is_short = len(values) >= MANY_VALUES and isinstance(values[0], float) and values.count(values[0]) == len(values)
    return values[0] if is_short else list(values)


def _stop_keys(stop: Stop) -> set[str]:
    return {"boundary", "count"} if stop.boundary is not None else {"state", "value"}

"""Keys that an axis of a sweep may vary, and the rules for their values: those of the same keys in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ValidationError

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.field_types import ConfigSection
from hybridsim.config.key_table import KEY_USES
from hybridsim.config.messages import explain
from hybridsim.config.schema import Settings
from hybridsim.config.source import Address, Node, Origin, show
from hybridsim.config.values import (
    NOUN_OF_SECTION,
    entries_of,
    entry_of,
    entry_record,
    parameter_value,
    read_number,
    split_key,
)
from hybridsim.errors import ConfigError
from hybridsim.model import Input, Model, Parameter, State, nearest

_ANGLE_UNITS = ("rad", "deg")
_MAX_WHOLE = 2**63 - 1  # columns of whole numbers have 64 bits
_VARIABLE_KEYS = "an axis varies a parameter, an input, an initial value, a key of `engine`, initial_time or final_time"


@dataclass(frozen=True, slots=True)
class Target:
    """A key that an axis may vary.

    Attributes
    ----------
    key : str
        `parameters.k`.
    unit : str
        Unit of its values.
    words : tuple of str
        Words that it accepts; empty for a key of numbers.
    whole : bool
        Whether it accepts whole numbers only.
    rule : callable
        Function from a value as a config writes it to the value in the model's unit; raises a ConfigError for an
        invalid one. The numbers that it accepts are those in an interval, for `whole` the whole ones.
    """

    key: str
    unit: str
    words: tuple[str, ...]
    whole: bool
    rule: Callable[[Any], float | str]

    @property
    def name(self) -> str:
        """The last part of the key; no two keys of a model have the same."""
        return split_key(self.key)[1]

    @property
    def is_angle(self) -> bool:
        return self.unit in _ANGLE_UNITS


def find_target(name: str, model: Model) -> Target:
    """Return the key that the name of an axis stands for, dotted (`engine.rtol`) or bare (`rtol`).

    Parameters
    ----------
    name : str
        The name.
    model : Model
        The model.

    Returns
    -------
    Target
        The key.

    Raises
    ------
    ConfigError
        If there is no such key, or it cannot vary.
    """
    targets = _targets_by_key(model)
    bare = {target.name: target for target in targets.values()}
    found = targets.get(name) or bare.get(name) or _entry_target(name, model)
    if found is None:
        raise ConfigError(_advice(name, model, [*bare, *targets]))
    return found


def _advice(name: str, model: Model, known: list[str]) -> str:
    """Return the message for a name of an axis that stands for no key that may vary."""
    section, last = split_key(name)
    if section not in ("parameters", "initial"):
        section, last = "", name
    if last in model.slot_names and section in ("", "parameters"):
        return "a slot cannot vary in a sweep, because each part has other parameters; make a sweep for each part"
    if last in model.parameters.names and section in ("", "parameters"):
        return "a matrix cannot vary in a sweep; vary numbers, words or initial values"
    if advice := entries_of(section or "initial", last.partition("[")[0], model) if "[" in last else "":
        return f"there is no {name!r} to vary{advice}"
    if name in ("max_wall_time", "engine.max_wall_time"):
        return "results would depend on the machine; vary final_time or engine.max_transitions instead"
    if name.partition(".")[0] in set(Settings.model_fields) - {"parameters", "inputs", "initial", "engine"}:
        return f"this key cannot vary; {_VARIABLE_KEYS}"
    names = [name for name in dict.fromkeys(known) if split_key(name)[0] not in (*NOUN_OF_SECTION, "engine")]
    hint = nearest(name, known) or f"; {_VARIABLE_KEYS}: {', '.join(names)}"
    return f"there is no {name!r} to vary{hint}"


@lru_cache(maxsize=4)  # a search of many choices asks for each of them
def _targets_by_key(model: Model) -> Mapping[str, Target]:
    return {target.key: target for target in _targets(model)}


def _targets(model: Model) -> Iterator[Target]:
    for parameter in model.parameters:
        if not parameter.is_matrix and parameter.name not in model.slot_names:
            rule = _record_rule(parameter_value, _one_number(parameter), whole=parameter.integer)
            yield Target(f"parameters.{parameter.name}", parameter.unit, parameter.choices, parameter.integer, rule)
    for held in model.inputs:
        yield Target(f"inputs.{held.name}", held.unit, (), False, _record_rule(read_number, held))
    for state in model.states.blocks:
        yield Target(f"initial.{state.name}", state.unit, (), False, _record_rule(read_number, state))
    for name in EngineSettings.model_fields:
        if KEY_USES["engine", name].may_vary:
            yield _setting(("engine", name), EngineSettings, {})
    yield _setting(("initial_time",), Settings, {"model": "any"})
    # With an invalid initial_time, the schema checks final_time alone.
    yield _setting(("final_time",), Settings, {"model": "any", "initial_time": None})


def _one_number(parameter: Parameter) -> Parameter:
    """Return the record of a number that all entries of an array have; any other parameter as it is."""
    is_array = parameter.is_array and not parameter.choices
    return replace(parameter, default=parameter.default[0]) if is_array else parameter  # type: ignore[index]


def _entry_target(name: str, model: Model) -> Target | None:
    """Return the target that is an entry of an array or of a block of states, `parameters.h.f[2]` or `h.phi[2]`."""
    tables: dict[str, tuple[Any, Any]] = {
        "parameters": (model.parameters, parameter_value),
        "initial": (model.states, read_number),
    }
    for section, (records, read) in tables.items():
        own = name.removeprefix(f"{section}.")
        if entry_of(records, own) is not None:
            record = entry_record(records, own)
            return Target(f"{section}.{own}", record.unit, (), False, _record_rule(read, record))
    return None


def _record_rule(
    read: Callable[[Any, Node], Any], record: Parameter | State | Input, *, whole: bool = False
) -> Callable[[Any], float | str]:
    def rule(value: Any) -> float | str:
        result: float | str = read(record, Node(value, Origin("")))
        if whole and isinstance(result, int) and not -_MAX_WHOLE <= result <= _MAX_WHOLE:
            raise ConfigError(f"expected a whole number of at most 63 bits, found {show(value)}; choose a smaller one")
        return result

    return rule


def _setting(address: Address, section: type[ConfigSection], others: dict[str, Any]) -> Target:
    key = ".".join(str(step) for step in address)
    annotation = section.model_fields[str(address[-1])].annotation
    words = next((get_args(allowed) for allowed in _types(annotation) if get_origin(allowed) is Literal), ())
    return Target(
        key, KEY_USES[address].unit, words, int in _types(annotation), _setting_rule(address, section, others)
    )


def _types(annotation: Any) -> Iterator[Any]:
    """Yield the types that an annotation allows: int and None for `Annotated[int, ...] | None`."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        for allowed in get_args(annotation):
            yield from _types(allowed)
    else:
        yield annotation


def _setting_rule(
    address: Address, section: type[ConfigSection], others: dict[str, Any]
) -> Callable[[Any], float | str]:
    """Return the schema's rule for one key alone; rules about several keys are checked in `combinations`."""
    name = str(address[-1])

    def rule(value: Any) -> float | str:
        if value is None:
            raise ConfigError(f"expected a value, found {show(value)}; an axis names each of its values")
        try:
            section.model_validate({**others, name: value})
        except ValidationError as failure:
            for error in failure.errors(include_url=False):
                if error["loc"] == (name,):
                    error["loc"] = address
                    raise ConfigError(explain(error, None)) from None
        return value if isinstance(value, str) else float(value)

    return rule

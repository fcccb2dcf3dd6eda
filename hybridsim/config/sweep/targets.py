"""What an axis of a sweep may vary, and the rule that each of its values must obey: that of the same key in a run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import ValidationError

from hybridsim.config.messages import explain
from hybridsim.config.schema import EngineSettings, Section, Settings
from hybridsim.config.source import Address, Node, Place, shown
from hybridsim.config.values import held_value, parameter_value
from hybridsim.errors import ConfigError
from hybridsim.model import Input, Model, Parameter, State, nearest

_TIMES = ("initial_time", "final_time", "engine.first_step", "engine.max_step", "engine.min_step")
_ANGLES = ("rad", "deg")
_WHAT_VARIES = "an axis varies a parameter, an input, an initial value, a key of `engine`, initial_time or final_time"


@dataclass(frozen=True, slots=True)
class Target:
    """One key that may vary.

    Attributes
    ----------
    key : `parameters.k`; unit : of its values.
    words : what it takes, where it takes words; empty for numbers.
    whole : it takes whole numbers only.
    rule : one value as a config says it -> the value in the model's unit; a ConfigError for a bad one. The numbers
        that a rule accepts are an interval (for `whole`, the whole numbers in one).
    """

    key: str
    unit: str
    words: tuple[str, ...]
    whole: bool
    rule: Callable[[Any], float | str]

    @property
    def name(self) -> str:
        """The last part of the key, which is unique in a model."""
        return self.key.rpartition(".")[2]

    @property
    def is_angle(self) -> bool:
        return self.unit in _ANGLES


def find_target(name: str, model: Model) -> Target:
    """What the name of an axis stands for, dotted (`engine.rtol`) or bare (`rtol`).

    Raises
    ------
    ConfigError : it names nothing, or nothing that may vary.
    """
    targets = {target.key: target for target in _targets(model)}
    bare = {target.name: target for target in targets.values()}
    found = targets.get(name) or bare.get(name)
    if found is None:
        raise ConfigError(_refusal(name, model, [*bare, *targets]))
    return found


def _refusal(name: str, model: Model, known: list[str]) -> str:
    section, _, last = name.rpartition(".")
    if last in model.slot_names and section in ("", "parameters"):
        return "a slot cannot vary in a sweep, for its parts have parameters of their own; make a sweep for each part"
    if last in model.parameters.names and section in ("", "parameters"):
        return "an array cannot vary in a sweep; vary numbers, words or initial values"
    if name in ("max_wall_time", "engine.max_wall_time"):
        return "results would depend on the machine; vary final_time or engine.max_transitions instead"
    if name.partition(".")[0] in set(Settings.model_fields) - {"parameters", "inputs", "initial", "engine"}:
        return f"this key cannot vary; {_WHAT_VARIES}"
    names = dict.fromkeys(name for name in known if "." not in name)
    hint = nearest(name, known) or f"; {_WHAT_VARIES}: {', '.join(names)}"
    return f"there is no {name!r} to vary{hint}"


def _targets(model: Model) -> Iterator[Target]:
    for parameter in model.parameters:
        if (not parameter.is_array or parameter.choices) and parameter.name not in model.slot_names:
            rule = _record_rule(parameter_value, parameter)
            yield Target(f"parameters.{parameter.name}", parameter.unit, parameter.choices, parameter.integer, rule)
    for held in model.inputs:
        yield Target(f"inputs.{held.name}", held.unit, (), False, _record_rule(held_value, held))
    for state in model.states:
        yield Target(f"initial.{state.name}", state.unit, (), False, _record_rule(held_value, state))
    for name in EngineSettings.model_fields:
        if name != "max_wall_time":
            yield _setting(("engine", name), EngineSettings, {})
    yield _setting(("initial_time",), Settings, {"model": "any"})
    # A start that is no number leaves the end to be checked on its own.
    yield _setting(("final_time",), Settings, {"model": "any", "initial_time": None})


def _record_rule(read: Callable[[Any, Node], Any], record: Parameter | State | Input) -> Callable[[Any], float | str]:
    def rule(value: Any) -> float | str:
        result: float | str = read(record, Node(value, Place("")))
        return result

    return rule


def _setting(address: Address, section: type[Section], others: dict[str, Any]) -> Target:
    key = ".".join(str(step) for step in address)
    annotation = section.model_fields[str(address[-1])].annotation
    words = get_args(annotation) if get_origin(annotation) is Literal else ()
    return Target(
        key, "s" if key in _TIMES else "", words, int in _kinds(annotation), _setting_rule(address, section, others)
    )


def _kinds(annotation: Any) -> Iterator[Any]:
    """The types that an annotation allows: of `Annotated[int, ...] | None`, int and None."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        for kind in get_args(annotation):
            yield from _kinds(kind)
    else:
        yield annotation


def _setting_rule(address: Address, section: type[Section], others: dict[str, Any]) -> Callable[[Any], float | str]:
    """The schema's rule for one key alone; how keys go together is checked for whole combinations."""
    name = str(address[-1])

    def rule(value: Any) -> float | str:
        if value is None:
            raise ConfigError(f"expected a value, found {shown(value)}; an axis names each of its values")
        try:
            section.model_validate({**others, name: value})
        except ValidationError as failure:
            for error in failure.errors(include_url=False):
                if error["loc"] == (name,):
                    error["loc"] = address
                    raise ConfigError(explain(error, None)) from None
        return value if isinstance(value, str) else float(value)

    return rule

"""Unknowns of an identification as configs write them: a guess, or {guess, lower, upper}."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from hybridsim.config.identification_config import Free
from hybridsim.config.source import Node
from hybridsim.config.values import parameter_value, read_number
from hybridsim.errors import ConfigError, nearest
from hybridsim.model import Model, State, list_names


def free_of(node: Node, record: Any, read: Any) -> Free:
    """Return an unknown from a guess, or from {guess, lower, upper}, with the bounds of its record."""
    unknown = dataclasses.replace(record, default=0.0) if not isinstance(record.default, float | int) else record
    if not isinstance(node.value, dict):
        return Free(float(read(unknown, node)), record.lower, record.upper)
    keys = ("guess", "lower", "upper")
    for key in node.value:
        if key not in keys:
            raise ConfigError(f"there is no key {key!r}{nearest(key, keys)}; write {{guess: 1, lower: 0, upper: 2}}")
    found = {key: float(read(unknown, each)) for key, each in node.value.items()}
    lower, upper = found.get("lower", record.lower), found.get("upper", record.upper)
    if lower > upper:
        raise ConfigError(f"expected lower <= upper, found {lower:g} and {upper:g}; correct one")
    guess = found.get("guess", float(np.clip(record.default, lower, upper)))
    if not lower <= guess <= upper:
        bound = f"of at least {lower:g}" if guess < lower else f"of at most {upper:g}"
        raise ConfigError(f"expected a guess {bound}, found {guess:g}; give another guess, or change the bound")
    return Free(guess, lower, upper)


def free_parameter(name: str, node: Node, model: Model) -> Free:
    """Return the unknown that is a parameter, or an entry of an array, `gains[2]`; raise a ConfigError otherwise."""
    array, bracket, entry = name.partition("[")
    known = model.parameters.names
    if array not in known:
        raise ConfigError(
            f"the model has no such parameter{nearest(array, known) or f'; it has {list_names(known, array)}'}"
        )
    record = model.parameters[array]
    if record.choices or record.integer:
        raise ConfigError("a choice or a whole number cannot be free; give it under `parameters`")
    if record.is_array != bool(bracket):
        example = f"{array}[0]" if record.is_array else array
        raise ConfigError(f"expected {'an entry of the array' if record.is_array else 'a number'}; write {example}")
    if bracket:
        size = len(record.default)  # type: ignore[arg-type]
        if not entry.rstrip("]").isdecimal() or int(entry.rstrip("]")) >= size:
            raise ConfigError(f"the array has entries 0 to {size - 1}; write {array}[{size - 1}]")
        record = dataclasses.replace(record, default=record.default[int(entry.rstrip("]"))])  # type: ignore[index]
    return free_of(node, record, parameter_value)


def limits_of(name: str, node: Node, model: Model) -> Free:
    """Return the limits of a state, an input or an output; raise a ConfigError if they are none."""
    known = [*model.states.names, *model.inputs.names, *model.output_records.names]
    if name not in known:
        raise ConfigError(f"the model has no state, input or output {name!r}{nearest(name, known) or '; name one'}")
    if not isinstance(node.value, dict) or not {*node.value} <= {"lower", "upper"}:
        raise ConfigError("expected a mapping; write {lower: -1, upper: 1}")
    units = {each.name: each.unit for records in (model.states, model.inputs, model.output_records) for each in records}
    record = State(name, 0.0, units[name])
    ends = {"lower": -np.inf, "upper": np.inf}
    lower, upper = (read_number(record, node.value[key]) if key in node.value else end for key, end in ends.items())
    if lower > upper:
        raise ConfigError(f"expected lower <= upper, found {lower:g} and {upper:g}; correct one")
    return Free(min(max(lower, 0.0), upper), lower, upper)


def duration_of(node: Node | None) -> Free | None:
    """Return a duration, None if none is given; raise a ConfigError if it is wrong."""
    if node is None or node.value is None:
        return None
    found = free_of(node, State("duration", 1.0, "s"), read_number)
    if found.guess <= 0.0:
        raise ConfigError(f"expected a duration above 0 s, found {found.guess:g}; write 1.0")
    if not isinstance(node.value, dict):
        return Free(found.guess, found.guess, found.guess)
    return dataclasses.replace(found, lower=max(found.lower, min(1e-6, found.guess)))

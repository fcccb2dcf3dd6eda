"""The model's own values in a configuration: parameters, inputs and initial state, checked by their records."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from hybridsim.config.arrays import array_items, is_file_name
from hybridsim.config.source import Diagnostics, Node, number_from, show
from hybridsim.errors import ConfigError
from hybridsim.model import Input, Model, Parameter, Records, State, list_names, nearest
from hybridsim.model.blocks import BlockRecords, ends_of
from hybridsim.model.composition import ComposedModel

ParameterValue = float | str | tuple[float, ...]
"""A number (an int for an integer parameter), one of the parameter's choices, or an array as a flat tuple."""

_ANGLE = re.compile(r"(\S+?) *(deg|degrees?|°)")

R = TypeVar("R", State, Parameter, Input)
V = TypeVar("V")


NOUN_OF_SECTION: Mapping[str, str] = {"parameters": "parameter", "inputs": "input", "initial": "state"}
"""Section of a config that holds the model's own values -> what one of them is called in messages."""


def section_names(model: Model) -> dict[str, tuple[str, ...]]:
    """Return the names that are valid in each of these sections, without those of the entries of blocks."""
    tables: dict[str, Records[Any]] = {"parameters": model.parameters, "inputs": model.inputs, "initial": model.states}
    return {section: tuple(record.name for record in table.blocks) for section, table in tables.items()}


def values_of_model(
    model: Model, root: Node, diagnostics: Diagnostics
) -> tuple[dict[str, ParameterValue], dict[str, float], dict[str, float]]:
    """Return the values of all parameters, inputs and states [their units]: from their sections, or the defaults."""
    root = _with_files_as_matrices(model, root, diagnostics)
    return (
        _values("parameters", model, model.parameters, parameter_value, root, diagnostics),
        _values("inputs", model, model.inputs, read_number, root, diagnostics),
        _values("initial", model, model.states, state_value, root, diagnostics),
    )


def _with_files_as_matrices(model: Model, root: Node, diagnostics: Diagnostics) -> Node:
    """Return the tree in which a file instead of a word, `terrain: field.png`, is the value of a matrix.

    The word is then the one that is also the name of the matrix, `terrain: height_map` with `height_map: field.png`.
    """
    matrices = {parameter.name for parameter in model.parameters if parameter.is_matrix}
    given = root.section("parameters")
    for parameter in model.parameters:
        node, words = given.get(parameter.name), matrices.intersection(parameter.choices)
        if node is None or len(words) != 1 or not is_file_name(node.value):
            continue
        (word,) = words
        if word in given:
            text = f"the file {show(node.value)} is the value of {word}, which is given, too; remove one of them"
            diagnostics.error(root, ("parameters", parameter.name), text)
        root = root.with_value(("parameters", parameter.name), Node(word, node.origin))
        root = root.with_value(("parameters", word), node)
    return root


def _values(
    section: str, model: Model, records: Records[R], read: Callable[[R, Node], V], root: Node, diagnostics: Diagnostics
) -> dict[str, Any]:
    known = {record.name: record for record in records.blocks}
    given = root.section(section)
    for name in (name for name in given if name not in known and entry_of(records, name) is None):
        text = f"the model has no such {NOUN_OF_SECTION[section]}{_remedy(section, name, model)}"
        diagnostics.error(root, (section, name), text)
    defaults = {name: Node(record.default, root.origin) for name, record in known.items() if name not in given}
    values: dict[str, Any] = dict.fromkeys(known)
    for name, node in (defaults | given).items():
        entry: Any = entry_of(records, name)
        try:
            if name in known:
                values[name] = read(known[name], node)
            elif entry is not None and values[entry[0]] is not None:
                items = values[entry[0]] = [*values[entry[0]]]
                items[entry[1]] = read(entry_record(records, name), node)
        except ConfigError as failure:
            values.pop(name, None)
            for problem in failure.problems:
                diagnostics.error(root, (section, name), problem)
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def entry_of(records: Records[Any], name: str) -> tuple[str, int] | None:
    """Return the block or array of an entry, `h.phi[3]`, and the index of the entry in it; None for other names."""
    if isinstance(records, BlockRecords):
        return records.entry(name)
    array, bracket, index = name.partition("[")
    if not bracket or array not in records or not getattr(records[array], "is_array", False):
        return None
    record, index = records[array], index.removesuffix("]")
    whole = index.isdecimal() and not record.is_matrix and int(index) < len(record.default)
    return (array, int(index)) if whole else None


def entry_record(records: Records[Any], name: str) -> Any:
    """Return the record of an entry of a block or an array, that of a single number."""
    if isinstance(records, BlockRecords):
        return records[name]
    array, index = entry_of(records, name) or (name, 0)
    return dataclasses.replace(records[array], name=array, default=records[array].default[index], aliases=())


def value_at(values: Mapping[str, Any], records: Records[Any], name: str) -> Any:
    """Return the value of a record, or of an entry of a block or an array."""
    entry = None if name in values else entry_of(records, name)
    return values[name] if entry is None else values[entry[0]][entry[1]]


def with_entries(values: Mapping[str, Any], records: Records[Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with other ones for some records, and for entries of blocks and arrays."""
    result = dict(values)
    for name, value in changed.items():
        entry = None if name in values else entry_of(records, name)
        old = result.get(name if entry is None else entry[0])
        if entry is not None:
            result[entry[0]] = (*old[: entry[1]], value, *old[entry[1] + 1 :])  # type: ignore[index]
        else:
            result[name] = (value,) * len(old) if isinstance(old, tuple) and not isinstance(value, tuple) else value
    return result


def split_key(key: str) -> tuple[str, str]:
    """Return the section of a dotted key and the name in it, which may have a dot of its own; "" for no section."""
    section, dot, name = key.partition(".")
    return (section, name) if dot else ("", key)


def _remedy(section: str, name: str, model: Model) -> str:
    """Return advice for an unknown name: the section where it belongs, the nearest name, or all names."""
    names = section_names(model)
    for other, there in names.items():
        if name in there:
            return f"; did you mean `{other}.{name}`?"
    if "[" in name and (advice := entries_of(section, name.partition("[")[0], model)):
        return advice
    known = names[section]
    elsewhere = {there: f"{other}.{there}" for other in names if other != section for there in names[other]}
    all_names = f"; it has {list_names(known, name)}" if known else "; remove it"
    return part_with(name, model) or nearest(name, [*known, *elsewhere], elsewhere) or all_names


def entries_of(section: str, name: str, model: Model) -> str:
    """Return how many entries a block or an array has, "" if there is none with this name."""
    tables: dict[str, Records[Any]] = {"initial": model.states, "parameters": model.parameters}
    record = next((each for each in tables.get(section, model.inputs).blocks if each.name == name), None)
    if record is None:
        return ""
    n = len(record.default) if getattr(record, "is_array", False) else getattr(record, "n_entries", 0)
    names = ends_of(record) or (f"{name}[0]", f"{name}[{n - 1}]")
    return f"; {name} has {n} entries, {' to '.join(names)}" if n else f"; {name} is one number; write {name}"


def part_with(name: str, model: Model) -> str:
    """Return advice if the name belongs to a part that comes with the model but is not in its slot; else ""."""
    for slot in model.plant.slots if isinstance(model, ComposedModel) else ():
        for word, part in slot.choices.items():
            if name in (*part.parameters.names, *part.inputs.names, *part.states.names):
                return f"; the part {word} has it, so set parameters.{slot.name} to {word}, or remove it"
    return ""


def read_number(record: State | Input, node: Node) -> float:
    """Return the number that a node gives for a state or an input [its unit]; raise a ConfigError if it gives none."""
    return _number(node.value, record, bounded=not (node.origin.computed and isinstance(record, State)))


def state_value(state: State, node: Node) -> float | tuple[float, ...]:
    """Return the value that a node gives for a state; of a block one number for all entries, or a list."""
    n = state.n_entries
    is_list = isinstance(node.value, list | tuple) or (n and is_file_name(node.value))
    if not n or not is_list:
        number = read_number(state, node)
        return (number,) * n if n else number
    items = array_items(state, node)
    bounded = not node.origin.computed
    return tuple(_number(item, state, bounded=bounded) for item in items)


def parameter_value(parameter: Parameter, node: Node) -> ParameterValue:
    """Return the value that a node gives for a parameter; raise a ConfigError if the parameter does not accept it."""
    if parameter.choices:
        if node.value not in parameter.choices:
            hint = nearest(str(node.value), parameter.choices) or "; choose one"
            raise ConfigError(f"expected one of {', '.join(parameter.choices)}, found {show(node.value)}{hint}")
        return str(node.value)
    if parameter.is_array:
        if isinstance(node.value, int | float) and not parameter.is_matrix:
            return tuple([_number(node.value, parameter)] * len(parameter.default))  # type: ignore[arg-type]
        items = array_items(parameter, node)
        size = 2 if parameter.is_matrix else 0  # the numbers of rows and columns, which have no bounds
        return (*map(float, items[:size]), *(_number(item, parameter) for item in items[size:]))
    number = _number(node.value, parameter)
    if parameter.integer and not number.is_integer():
        raise ConfigError(f"expected a whole number, found {show(node.value)}; round it")
    return int(number) if parameter.integer else number


def _number(value: object, record: State | Parameter | Input, *, bounded: bool = True) -> float:
    """Return a finite number, within the bounds if so; `22 deg` is accepted if the unit is that of an angle."""
    deg_hint = "" if isinstance(value, str) or record.unit != "rad" else "write `deg` behind degrees, or "
    if isinstance(value, str):
        value = angle(value, record)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"expected a number{_unit(record)}, found {show(value)}; write for example {record.default}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ConfigError(f"expected a finite number{_unit(record)}, found {show(value)}; write a finite one")
    if bounded and not record.lower <= number <= record.upper:
        raise ConfigError(
            f"expected a number from {record.lower:g} to {record.upper:g}{_unit(record)}, found {show(value)}; "
            f"{deg_hint}choose one within these bounds"
        )
    return number


def is_angle(text: str) -> bool:
    """Return whether a text is an angle, `22 deg`."""
    return bool(_ANGLE.fullmatch(text.strip()))


def degrees_of(text: str) -> float | None:
    """Return the angle `22 deg` in radians; None for any other text."""
    match = _ANGLE.fullmatch(text.strip())
    degrees = number_from(match[1]) if match else None
    return None if degrees is None else math.radians(degrees)


def angle(text: str, record: State | Parameter | Input) -> float | str:
    """Convert an angle in degrees, `22 deg`, to the unit of a record.

    Parameters
    ----------
    text : str
        The text.
    record : State, Parameter or Input
        The record.

    Returns
    -------
    float or str
        The angle [unit of the record]; a text that is not an angle is returned unchanged.

    Raises
    ------
    ConfigError
        If the text is an angle and the record has another unit.
    """
    match = _ANGLE.fullmatch(text.strip())
    degrees = number_from(match[1]) if match else None
    if match is None or degrees is None:
        return text
    if match[2] != "deg":
        raise ConfigError(f"expected a number{_unit(record)}, found {text!r}; write `{match[1]} deg`")
    if record.unit not in ("rad", "deg"):
        raise ConfigError(f"expected a number{_unit(record)}, found the angle {text!r}; write it without `deg`")
    return math.radians(degrees) if record.unit == "rad" else float(degrees)


def _unit(record: State | Parameter | Input) -> str:
    return f" [{record.unit}]" if record.unit else ""

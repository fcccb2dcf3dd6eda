"""One model from a plant and the parts in its slots.

`compose` puts the records of all pieces one after the other and writes a small module whose functions call those of
the plant and the parts. To the engine, the result is a model like any other.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hybridsim.engine.compiler.rules import returns_something
from hybridsim.errors import ModelError
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.codegen import SPANS, Share, join
from hybridsim.model.contract import CONTRACT, PLANT_ONLY, Function
from hybridsim.model.model import RECORD_TYPES, Model
from hybridsim.model.parts import Part, Plant, Slot, trailing_arguments
from hybridsim.model.records import Parameter
from hybridsim.model.table import Records, nearest

Piece = Plant | Part


@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class ComposedModel(Model):
    """A model made by `compose`, which knows its pieces.

    Parameters
    ----------
    plant : Plant
        The piece that has the slots.
    parts : mapping of str to Part
        The part in each slot.
    """

    plant: Plant = field(kw_only=True)
    parts: Mapping[str, Part] = field(kw_only=True)

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that define the model: the plant's, and those of parts that do not come with it."""
        included = {id(part) for slot in self.plant.slots for part in slot.choices.values()}
        return (self.source, *(part.source for part in self.parts.values() if part.source and id(part) not in included))

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The parameters that name the part in a slot."""
        return tuple(self.parts)

    @property
    def part_words(self) -> dict[str, str]:
        """By slot, how a config asks for the part in it: the name of a choice, or a path."""
        return {slot.name: _word(slot, self.parts[slot.name]) for slot in self.plant.slots}

    @property
    def parameter_blocks(self) -> tuple[tuple[int, int], ...]:
        """How many parameters, and then inputs, each piece has in p; behind them lie the slots."""
        pieces = (self.plant, *self.parts.values())
        return (*((len(piece.parameters), len(piece.inputs)) for piece in pieces), (len(self.parts), 0))

    def with_parts(self, parts: Mapping[str, Part | str]) -> ComposedModel:
        """The same plant with other parts in some slots."""
        return compose(self.plant, {**self.parts, **parts})


def compose(plant: Plant, parts: Mapping[str, Part | str] | None = None) -> ComposedModel:
    """One model of a plant and parts.

    States, parameters, inputs, boundaries, outputs and chart fields follow each other, the plant's first; behind the
    parameters, each slot is a parameter with a word.

    Parameters
    ----------
    plant :
        what has the slots.
    parts :
        by slot, a part or the name of one of the slot's choices; slots that are left out get their default.

    Raises
    ------
    ModelError : parts that do not fit: no such slot or choice, a coupling function missing, a name that clashes.
    """
    given = dict(parts or {})
    for name in given:
        if name not in {slot.name for slot in plant.slots}:
            names = [slot.name for slot in plant.slots]
            raise ModelError(
                f"plant {plant.name!r}: it has no slot {name!r}{nearest(name, names)}; it has {', '.join(names)}"
            )
    chosen = tuple(_chosen(plant, slot, given.get(slot.name, slot.default)) for slot in plant.slots)
    return _composed(plant, chosen)


def _chosen(plant: Plant, slot: Slot, part: Part | str) -> Part:
    if isinstance(part, Part):
        return part
    if part not in slot.choices:
        raise ModelError(
            f"plant {plant.name!r}: {slot.name}: expected a part or one of {', '.join(slot.choices)}, "
            f"found {part!r}{nearest(str(part), slot.choices)}"
        )
    return slot.choices[part]


@lru_cache(maxsize=64)
def _composed(plant: Plant, chosen: tuple[Part, ...]) -> ComposedModel:
    filled = [*zip(plant.slots, chosen, strict=True)]
    pieces: tuple[Piece, ...] = (plant, *chosen)
    words = {slot.name: _word(slot, part) for slot, part in filled}
    what = f"{plant.name} with {', '.join(f'{name} = {word}' for name, word in words.items())}"
    for slot, part in filled:
        _refuse_misfit(what, slot, part)
    _refuse_clashes(what, plant, filled)
    kept: dict[str, Any] = {f.name: getattr(plant, f.name) for f in dataclasses.fields(Model)}
    for attribute in RECORD_TYPES:
        kept[attribute] = Records(*(record for piece in pieces for record in getattr(piece, attribute)))
    slots = (_slot_parameter(slot, words[slot.name]) for slot in plant.slots)
    kept["parameters"] = Records(*kept["parameters"], *slots)
    kept["messages"] = tuple(message for piece in pieces for message in piece.messages)
    kept |= _charts(what, plant, chosen)
    shares = _shares(plant, filled, whole=bool(kept["charts"]))
    functions = join(what, plant.name, shares, _sensors(filled))
    kept |= {name: functions.get(name) for name in CONTRACT}
    return ComposedModel(**kept, plant=plant, parts={slot.name: part for slot, part in filled})


def _word(slot: Slot, part: Part) -> str:
    """The word by which a config asks for a part: the name of a choice, or a path."""
    return next((word for word, choice in slot.choices.items() if choice is part), part.source or part.name)


def _slot_parameter(slot: Slot, word: str) -> Parameter:
    return Parameter(slot.name, word, "", slot.doc, choices=tuple(dict.fromkeys((*slot.choices, word))))


def _refuse_misfit(what: str, slot: Slot, part: Part) -> None:
    """Are all coupling functions there, and nothing that nobody would call?"""
    where = f"{what}: part {part.name!r}"
    for name in slot.couplings:
        if name not in part.functions:
            raise ModelError(f"{where}: the function `{slot.signature(name)}` is missing; the plant calls it")
        _refuse_arguments(where, slot, name, part.functions[name])
    known = [*(name for name in CONTRACT if name not in PLANT_ONLY), *slot.couplings]
    for name, function in part.functions.items():
        if name not in known:
            raise ModelError(
                f"{where}: nobody calls `{name}`{nearest(name, known)}; the functions of a part are {', '.join(known)}"
            )
        for wanted in trailing_arguments(name, function, slot):
            if wanted not in slot.sensor_functions:
                listed = f"; it has {', '.join(slot.sensor_functions)}" if slot.sensor_functions else "; leave it out"
                raise ModelError(
                    f"{where}: `{name}` takes {wanted!r}, which is no sensor of the slot {slot.name}"
                    f"{nearest(wanted, slot.sensor_functions) or listed}"
                )


def _refuse_arguments(where: str, slot: Slot, name: str, function: Function) -> None:
    """Does a coupling function take what that of the default part takes, and then nothing but sensors?"""
    sensors = trailing_arguments(name, function, slot)
    taken = [*inspect.signature(function).parameters]
    expected = slot.arguments(name)
    own = taken[: len(expected)]
    swapped = own != expected and sorted(own) == sorted(expected)
    if swapped or len(taken) != len(expected) + len(sensors) or taken[len(expected) :] != sensors:
        more = (
            f", and of the sensors {', '.join(slot.sensor_functions)} those it wants" if slot.sensor_functions else ""
        )
        raise ModelError(
            f"{where}: `{name}` takes ({', '.join(taken)}); expected ({', '.join(expected)}){more}; mend its arguments"
        )
    if not returns_something(function):
        raise ModelError(f"{where}: `{name}` returns nothing; end it with `return` and its value")


def _refuse_clashes(what: str, plant: Plant, filled: Iterable[tuple[Slot, Part]]) -> None:
    taken = {(_space(kind), name): f"{_one(kind)} of the plant" for kind, name in _names(plant)}
    taken |= {("symbol", slot.name): "a slot of the plant" for slot in plant.slots}
    for slot, part in filled:
        for kind, name in _names(part):
            space = _space(kind), name
            if space in taken:
                raise ModelError(
                    f"{what}: {name!r}, {_one(kind)} of the part {part.name!r}, is {taken[space]} too; "
                    "rename it in the part"
                )
            taken[space] = f"{_one(kind)} of the part in {slot.name}"


def _one(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"


def _names(piece: Piece) -> Iterator[tuple[str, str]]:
    kinds = {
        "state": piece.states.names,
        "parameter": piece.parameters.names,
        "input": piece.inputs.names,
        "boundary": piece.boundary_records.names,
        "output": piece.output_records.names,
        "chart field": tuple(piece.chart_fields),
    }
    return ((kind, name) for kind, names in kinds.items() for name in names)


def _space(kind: str) -> str:
    """States, parameters and inputs share one name space, as an rc file is one flat table."""
    return "symbol" if kind in ("state", "parameter", "input") else kind


def _charts(what: str, plant: Plant, chosen: tuple[Part, ...]) -> dict[str, Any]:
    """The plant's charts where no part has any; else the fields of all."""
    fields = {name: width for part in chosen for name, width in part.chart_fields.items()}
    if not fields:
        return {"charts": plant.charts, "chart_fields": plant.chart_fields}
    if len(plant.charts) > 1:
        raise ModelError(
            f"{what}: the part has chart fields, and the plant a list of charts; "
            f'give the plant fields too, `chart_fields={{"chart": {(len(plant.charts) - 1).bit_length()}}}`'
        )
    return {"charts": Records(), "chart_fields": {**plant.chart_fields, **fields}}


def _shares(plant: Plant, filled: list[tuple[Slot, Part]], whole: bool) -> list[Share]:
    """What of the arrays and of the chart belongs to whom; `whole`: the plant has all of the chart."""
    pieces: list[tuple[str, Piece, Slot | None]] = [("plant", plant, None)]
    pieces += [(slot.name, part, slot) for slot, part in filled]
    scalars = sum(len(piece.parameters) + len(piece.inputs) for _, piece, _ in pieces) + len(filled)
    numbers = scalars + sum(_array_length(parameter) for _, piece, _ in pieces for parameter in piece.parameters)
    shares: list[Share] = []
    first = dict.fromkeys(SPANS, 0)
    for name, piece, slot in pieces:
        sizes = {key: len(getattr(piece, key)) for key in ("states", "boundary_records", "output_records", "messages")}
        sizes |= {"bits": sum(piece.chart_fields.values()), "p": len(piece.parameters) + len(piece.inputs)}
        spans = {key: (first[key], sizes[key]) for key in SPANS} | {"p": (first["p"], numbers - first["p"])}
        trailing = {key: tuple(trailing_arguments(key, function, slot)) for key, function in piece.functions.items()}
        errors = tuple(int(message.severity == "error") for message in piece.messages)
        shares.append(Share(name, piece.functions, trailing, spans, whole and piece is plant, errors))
        first = {key: first[key] + sizes[key] for key in SPANS}
    return shares


def _array_length(parameter: Parameter) -> int:
    return len(parameter.default) if parameter.is_array else 0  # type: ignore[arg-type]


def _sensors(filled: Iterable[tuple[Slot, Part]]) -> dict[str, Function]:
    return {name: function for slot, _ in filled for name, function in slot.sensor_functions.items()}

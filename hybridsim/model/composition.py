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
from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.codegen import generate_functions
from hybridsim.model.contract import CONTRACT, PLANT_ONLY
from hybridsim.model.model import RECORD_TYPES, Model
from hybridsim.model.parts import Part, Plant, Slot, trailing_arguments
from hybridsim.model.records import Parameter
from hybridsim.model.share import DIVIDED_TABLES, Share
from hybridsim.model.table import Records, list_names
from hybridsim.typing import Function

Piece = Plant | Part


@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class ComposedModel(Model):
    """A model made by `compose`, with its plant and its parts.

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
        """Slot -> how a config names the part in it: the name of a choice, or a path."""
        return {slot.name: _word(slot, self.parts[slot.name]) for slot in self.plant.slots}

    @property
    def parameter_blocks(self) -> tuple[tuple[int, int, int], ...]:
        """The numbers of the plant and each part, as in `Model`; the last ones count the parameters of the slots."""
        pieces: tuple[Piece, ...] = (self.plant, *self.parts.values())
        own = ((len(piece.parameters), len(piece.inputs), len(piece.constants)) for piece in pieces)
        return (*own, (len(self.parts), 0, 0))

    def with_parts(self, parts: Mapping[str, Part | str]) -> ComposedModel:
        """Return the same plant with other parts in some slots.

        Parameters
        ----------
        parts : mapping of str to Part or str
            By slot, a part or the name of one of the slot's choices; the other slots keep their parts.

        Returns
        -------
        ComposedModel
            The new model; this one does not change.

        Raises
        ------
        ModelError
            As `compose` does.
        """
        return compose(self.plant, {**self.parts, **parts})


@explains_keywords()
def compose(plant: Plant, parts: Mapping[str, Part | str] | None = None) -> ComposedModel:
    """Compose a plant and parts into one model.

    The states, parameters, inputs, boundaries, outputs and chart fields of the pieces follow each other, the plant's
    first. Behind the parameters, each slot is a parameter that names the part in it.

    Parameters
    ----------
    plant : Plant
        The piece that has the slots.
    parts : mapping of str to Part or str, optional
        By slot, a part or the name of one of the slot's choices; other slots are filled with their default parts.

    Returns
    -------
    ComposedModel
        The model.

    Raises
    ------
    ModelError
        If there is no such slot or choice, a part lacks a coupling, or two pieces use the same name.
    """
    given = dict(parts or {})
    for name in given:
        if name not in {slot.name for slot in plant.slots}:
            names = [slot.name for slot in plant.slots]
            raise ModelError(
                f"plant {plant.name!r}: it has no slot {name!r}{nearest(name, names)}; it has {list_names(names, name)}"
            )
    chosen = tuple(_choose(plant, slot, given.get(slot.name, slot.default)) for slot in plant.slots)
    return _compose(plant, chosen)


def _choose(plant: Plant, slot: Slot, part: Part | str) -> Part:
    if isinstance(part, Part):
        return part
    if part not in slot.choices:
        raise ModelError(
            f"plant {plant.name!r}: {slot.name}: expected a part or one of {', '.join(slot.choices)}, "
            f"found {part!r}{nearest(str(part), slot.choices)}"
        )
    return slot.choices[part]


@lru_cache(maxsize=64)
def _compose(plant: Plant, chosen: tuple[Part, ...]) -> ComposedModel:
    filled = [*zip(plant.slots, chosen, strict=True)]
    pieces: tuple[Piece, ...] = (plant, *chosen)
    words = {slot.name: _word(slot, part) for slot, part in filled}
    what = f"{plant.name} with {', '.join(f'{name} = {word}' for name, word in words.items())}"
    for slot, part in filled:
        _refuse_misfit(what, slot, part)
    _refuse_clashes(what, plant, filled)
    kept: dict[str, Any] = {f.name: getattr(plant, f.name) for f in dataclasses.fields(Model)}
    for attribute in RECORD_TYPES:
        kept[attribute] = Records(*(record for piece in pieces for record in getattr(piece, attribute).blocks))
    slots = (_slot_parameter(slot, words[slot.name]) for slot in plant.slots)
    kept["parameters"] = Records(*kept["parameters"], *slots)
    kept["messages"] = tuple(message for piece in pieces for message in piece.messages)
    kept |= _charts(what, plant, chosen)
    shares = _shares(plant, filled, has_whole_chart=bool(kept["charts"]))
    sensors = {name: function for slot in plant.slots for name, function in slot.sensor_functions.items()}
    functions = generate_functions(what, plant.name, shares, sensors)
    kept |= {name: functions.get(name) for name in CONTRACT}
    return ComposedModel(**kept, plant=plant, parts={slot.name: part for slot, part in filled})


def _word(slot: Slot, part: Part) -> str:
    """Return how a config names a part: by a choice of the slot, or by a path."""
    return next((word for word, choice in slot.choices.items() if choice is part), part.source or part.name)


def _slot_parameter(slot: Slot, word: str) -> Parameter:
    return Parameter(slot.name, word, "", slot.doc, choices=tuple(dict.fromkeys((*slot.choices, word))))


def _refuse_misfit(what: str, slot: Slot, part: Part) -> None:
    """Raise a ModelError for a part that lacks a coupling, or has a function that is never called."""
    where = f"{what}: part {part.name!r}"
    for name in slot.couplings:
        if name not in part.functions:
            raise ModelError(f"{where}: the function `{slot.signature(name)}` is missing; the plant calls it")
        _refuse_arguments(where, slot, name, part.functions[name])
    known = [*(name for name in CONTRACT if name not in PLANT_ONLY), *slot.couplings]
    for name, function in part.functions.items():
        if name not in known:
            raise ModelError(
                f"{where}: the plant never calls `{name}`{nearest(name, known)}; "
                f"the functions of a part are {', '.join(known)}"
            )
        for asked in trailing_arguments(name, function, slot):
            if asked not in slot.sensor_functions:
                listed = f"; it has {', '.join(slot.sensor_functions)}" if slot.sensor_functions else "; leave it out"
                raise ModelError(
                    f"{where}: `{name}` takes {asked!r}, which is no sensor of the slot {slot.name}"
                    f"{nearest(asked, slot.sensor_functions) or listed}"
                )


def _refuse_arguments(where: str, slot: Slot, name: str, function: Function) -> None:
    """Raise a ModelError for a coupling whose arguments are not those of the default part's, followed by sensors."""
    sensors = trailing_arguments(name, function, slot)
    taken = [*inspect.signature(function).parameters]
    expected = slot.arguments(name)
    own = taken[: len(expected)]
    swapped = own != expected and sorted(own) == sorted(expected)
    if swapped or len(taken) != len(expected) + len(sensors) or taken[len(expected) :] != sensors:
        more = (
            f", and of the sensors {', '.join(slot.sensor_functions)} those that it needs"
            if slot.sensor_functions
            else ""
        )
        raise ModelError(
            f"{where}: `{name}` takes ({', '.join(taken)}); expected ({', '.join(expected)}){more}; mend its arguments"
        )
    if not returns_something(function):
        raise ModelError(f"{where}: `{name}` returns nothing; end it with `return` and its value")


def _refuse_clashes(what: str, plant: Plant, filled: Iterable[tuple[Slot, Part]]) -> None:
    """Raise a ModelError for a name that two pieces use."""
    owners = {
        (_name_space(word), name): f"{_with_article(word)} of the plant" for word, name in _words_and_names(plant)
    }
    owners |= {(_name_space("parameter"), slot.name): "a slot of the plant" for slot in plant.slots}
    for slot, part in filled:
        for word, name in _words_and_names(part):
            key = _name_space(word), name
            if key in owners:
                raise ModelError(
                    f"{what}: {name!r}, {_with_article(word)} of the part {part.name!r}, is {owners[key]} too; "
                    "rename it in the part"
                )
            owners[key] = f"{_with_article(word)} of the part in {slot.name}"


def _with_article(word: str) -> str:
    return f"an {word}" if word[0] in "aeiou" else f"a {word}"


def _words_and_names(piece: Piece) -> Iterator[tuple[str, str]]:
    """Yield each name of a piece as (word for what it names, name)."""
    names_by_word = {
        "state": piece.states.names,
        "parameter": piece.parameters.names,
        "input": piece.inputs.names,
        "constant": piece.constants.names,
        "boundary": piece.boundary_records.names,
        "output": piece.output_records.names,
        "chart field": tuple(piece.chart_fields),
    }
    return ((word, name) for word, names in names_by_word.items() for name in names)


def _name_space(word: str) -> str:
    """Return the name space of a sort of record; an rc file is one flat table of states, parameters and inputs."""
    return "symbol" if word in ("state", "parameter", "input", "constant") else word


def _charts(what: str, plant: Plant, chosen: tuple[Part, ...]) -> dict[str, Any]:
    """Return the charts and fields of the composed model: the plant's charts if no part has fields, else all fields."""
    fields = {name: width for part in chosen for name, width in part.chart_fields.items()}
    if not fields:
        return {"charts": plant.charts, "chart_fields": plant.chart_fields}
    if len(plant.charts) > 1:
        raise ModelError(
            f"{what}: the part has chart fields, and the plant a list of charts; "
            f'give the plant fields too, `chart_fields={{"chart": {(len(plant.charts) - 1).bit_length()}}}`'
        )
    return {"charts": Records(), "chart_fields": {**plant.chart_fields, **fields}}


def _shares(plant: Plant, filled: list[tuple[Slot, Part]], has_whole_chart: bool) -> list[Share]:
    """Return the share of each piece in arrays and chart; the whole chart is the plant's if `has_whole_chart`."""
    pieces: list[tuple[str, Piece, Slot | None]] = [("plant", plant, None)]
    pieces += [(slot.name, part, slot) for slot, part in filled]
    scalars = sum(_n_scalars(piece) for _, piece, _ in pieces) + len(filled)
    numbers = scalars + sum(_array_length(parameter) for _, piece, _ in pieces for parameter in piece.parameters)
    bundled = [slot is None or any(piece is choice for choice in slot.choices.values()) for _, piece, slot in pieces]
    shares: list[Share] = []
    first = dict.fromkeys(DIVIDED_TABLES, 0)
    for (name, piece, slot), comes_with_plant in zip(pieces, [all(bundled), *bundled[1:]], strict=True):
        sizes = {key: len(getattr(piece, key)) for key in ("states", "boundary_records", "output_records", "messages")}
        sizes |= {"bits": sum(piece.chart_fields.values()), "p": _n_scalars(piece)}
        spans = {key: (first[key], sizes[key]) for key in DIVIDED_TABLES} | {"p": (first["p"], numbers - first["p"])}
        trailing = {key: tuple(trailing_arguments(key, function, slot)) for key, function in piece.functions.items()}
        errors = tuple(int(message.severity == "error") for message in piece.messages)
        of_plant = has_whole_chart and piece is plant
        shares.append(Share(name, piece.functions, trailing, spans, of_plant, errors, not comes_with_plant))
        first = {key: first[key] + sizes[key] for key in DIVIDED_TABLES}
    return shares


def _n_scalars(piece: Piece) -> int:
    """Return how many entries of p a piece has, besides the numbers of its arrays."""
    return len(piece.parameters) + len(piece.inputs) + len(piece.constants)


def _array_length(parameter: Parameter) -> int:
    return len(parameter.default) if parameter.is_array else 0  # type: ignore[arg-type]

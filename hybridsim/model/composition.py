"""Models with exchangeable pieces: a plant with slots, and the parts that fill them, become one model.

A part, a controller say, has its own states, parameters, boundaries, outputs, chart fields and functions, which see
their own slices and nothing else. The plant names what it wants of the part, its *coupling* functions, and what it lets
the part know, its *sensors*. `compose` lays everything out side by side and writes a small module whose functions call
the plant's and the parts': to the engine the result is a model like any other, with nothing to look up in the loop.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from hybridsim.engine.compiler.rules import returns_something
from hybridsim.errors import ModelError
from hybridsim.model.codegen import SPANS, Share, join
from hybridsim.model.model import (
    CONTRACT,
    Boundary,
    Input,
    Message,
    Model,
    Output,
    Parameter,
    State,
    nearest,
    records_of,
    refuse_symbols,
    refuse_unpaired,
)
from hybridsim.model.table import Records, check_identifier

PLANTS_ALONE = ("poses", "sliding_field")
"""Functions of the contract that a part cannot have."""

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """What fills a slot of a plant. A plug-in file of a part ends with `PART = Part(...)`.

    Its functions have the arguments of the contract, and see slices: `x, xdot, x_new, p, g, y, crossed` begin at the
    part's own first entry, and `chart` is the value of its own fields. Behind these arguments a function may name
    sensors of the slot, which arrive as functions. The coupling functions that the slot asks for take
    `(t, x, p, chart, ...)`, and return a number.

    Parameters
    ----------
    functions : contract functions and coupling functions, recognised by their names, or a mapping from those names.
    parameters, inputs : in the part's own p, the inputs behind the parameters.
    chart_fields : bit fields of its own charts; none: it has one chart, 0.
    slot : the slot it is made for, `"hexapod.control_type"`, with which `hybridsim check` tries it.
    source : the file it came from, set when it is loaded.
    """

    name: str
    states: Records[State] = field(default_factory=Records)
    functions: Mapping[str, Function] = field(default_factory=dict)
    parameters: Records[Parameter] = field(default_factory=Records)
    boundaries: Records[Boundary] = field(default_factory=Records)
    outputs: Records[Output] = field(default_factory=Records)
    messages: tuple[Message, ...] = ()
    chart_fields: Mapping[str, int] = field(default_factory=dict)
    doc: str = ""
    source: str = ""
    inputs: Records[Input] = field(default_factory=Records)
    slot: str = ""

    def __post_init__(self) -> None:
        where = f"part {self.name!r}"
        check_identifier("part", self.name)
        given = self.functions
        functions = dict(given) if isinstance(given, Mapping) else {f.__name__: f for f in given}
        object.__setattr__(self, "functions", functions)
        for attribute, kind in _TABLES.items():
            try:
                object.__setattr__(self, attribute, records_of(getattr(self, attribute), kind))
            except ModelError as problem:
                raise ModelError(f"{where}: {attribute}: {problem}") from None
        object.__setattr__(self, "messages", tuple(records_of(self.messages, Message)))
        object.__setattr__(self, "chart_fields", dict(self.chart_fields))
        refuse_symbols(where, {"state": self.states, "parameter": self.parameters, "input": self.inputs})
        refuse_unpaired(where, functions, self.boundaries, self.outputs)
        for name in PLANTS_ALONE:
            if name in functions:
                raise ModelError(f"{where}: `{name}` belongs to the plant alone; a part cannot have it, so remove it")
        if self.states and "vector_field" not in functions and any(state.continuous for state in self.states):
            raise ModelError(
                f"{where}: it has states but no function `vector_field`; write it, or declare them continuous=False"
            )


_TABLES: Mapping[str, type] = {
    "states": State,
    "parameters": Parameter,
    "inputs": Input,
    "boundaries": Boundary,
    "outputs": Output,
}


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A place in a plant for a part; configs fill it as they set a parameter of this name.

    Parameters
    ----------
    coupling : names of the functions that a part for this slot must supply. Each is written
        `torque(t, x, p, chart, ...)` in the part; a function of the plant that wants it names it as a last argument,
        `vector_field(xdot, t, x, p, chart, torque)`, and calls `torque(t, ...)`: x, p and chart are the part's.
    choices : the parts that come with the plant, by the names that configs use; `default` is one of them.
    sensors : functions `hip_angle(t, x, p, chart, ...)` of the plant that a part may use in the same way:
        `vector_field(xdot, t, x, p, chart, hip_angle)`, called `hip_angle(t, ...)`; in its coupling functions, too.
    """

    name: str
    coupling: tuple[str, ...]
    choices: Mapping[str, Part]
    default: str
    doc: str = ""
    sensors: Mapping[str, Function] = field(default_factory=dict)

    def __post_init__(self) -> None:
        where = f"slot {self.name!r}"
        check_identifier("slot", self.name)
        given = self.sensors
        sensors = dict(given) if isinstance(given, Mapping) else {f.__name__: f for f in given}
        object.__setattr__(self, "sensors", sensors)
        object.__setattr__(self, "coupling", tuple(self.coupling))
        object.__setattr__(self, "choices", dict(self.choices))
        if self.default not in self.choices:
            raise ModelError(f"{where}: the default {self.default!r} is not one of {', '.join(self.choices)}")
        for name in (*self.coupling, *sensors):
            if name in CONTRACT:
                raise ModelError(f"{where}: `{name}` is a function of the contract; choose another name")
        for name, part in self.choices.items():
            if not isinstance(part, Part):
                raise ModelError(f"{where}: choices: {name!r}: expected a Part, found {part!r}; give its PART")
            for coupling in self.coupling:
                if coupling not in part.functions:
                    raise ModelError(
                        f"{where}: choices: {name!r}: it has no function {coupling!r}, which the slot wants"
                    )

    def arguments(self, coupling: str) -> list[str]:
        """What a coupling function takes, as that of the default part tells; sensors may follow."""
        taken = inspect.signature(self.choices[self.default].functions[coupling]).parameters
        return [argument for argument in taken if argument not in self.sensors]

    def signature(self, coupling: str) -> str:
        """`torque(t, x, p, chart, leg)`."""
        return f"{coupling}({', '.join(self.arguments(coupling))})"


@dataclass(frozen=True, slots=True, eq=False)
class Plant(Model):
    """A model with slots: its functions may take the coupling functions of its slots as last arguments.

    A plug-in file of a plant ends with `MODEL = Plant(...)`; whoever loads it gets it composed with its default parts.
    """

    slots: tuple[Slot, ...] = ()

    def __post_init__(self) -> None:
        Model.__post_init__(self)
        object.__setattr__(self, "slots", tuple(self.slots))
        where = f"plant {self.name!r}"
        for name in (slot.name for slot in self.slots if slot.name == "plant"):
            raise ModelError(f"{where}: a slot cannot be called {name!r}; choose another name")
        if not self.slots:
            raise ModelError(f"{where}: it has no slots; add one, or make it a Model")
        words = Records(*(Parameter(slot.name) for slot in self.slots))
        refuse_symbols(where, {"state": self.states, "parameter": self.parameters, "input": self.inputs, "slot": words})
        couplings = [name for slot in self.slots for name in slot.coupling]
        self._refuse_namesakes(where, couplings)
        for name, function in self.functions.items():
            for wanted in _trailing(name, function):
                if wanted not in couplings:
                    raise ModelError(
                        f"{where}: `{name}` takes {wanted!r}, which is no coupling function of its slots"
                        f"{nearest(wanted, couplings)}; they have {', '.join(couplings)}"
                    )

    def _refuse_namesakes(self, where: str, couplings: Sequence[str]) -> None:
        """Functions are bound by their names: each belongs to one slot, or is one sensor of several."""
        sensors: dict[str, Function] = {}
        for name in couplings:
            if couplings.count(name) > 1:
                raise ModelError(f"{where}: two slots want a coupling function {name!r}; give them different names")
        for slot in self.slots:
            for name, function in slot.sensors.items():
                if sensors.setdefault(name, function) is not function or name in couplings:
                    raise ModelError(
                        f"{where}: the sensor {name!r} of slot {slot.name!r} has the name of another function of its "
                        "slots; give it another name"
                    )

    def slot(self, name: str) -> Slot:
        return next(slot for slot in self.slots if slot.name == name)


@dataclass(frozen=True, slots=True, eq=False)
class Composition:
    """What a composed model is made of: the parts by slot, and the words by which a config asks for them."""

    plant: Plant
    parts: Mapping[str, Part]
    words: Mapping[str, str]

    def refilled(self, parts: Mapping[str, Part | str]) -> Model:
        """The same plant with other parts in some slots."""
        return compose(self.plant, {**self.parts, **parts})

    @property
    def sources(self) -> tuple[str, ...]:
        """The files of parts that do not come with the plant."""
        own = {id(part) for slot in self.plant.slots for part in slot.choices.values()}
        return tuple(part.source for part in self.parts.values() if part.source and id(part) not in own)


def compose(plant: Plant, parts: Mapping[str, Part | str] | None = None) -> Model:
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


Piece = Plant | Part


@lru_cache(maxsize=64)
def _composed(plant: Plant, chosen: tuple[Part, ...]) -> Model:
    filled = [*zip(plant.slots, chosen, strict=True)]
    pieces: tuple[Piece, ...] = (plant, *chosen)
    words = {slot.name: _word(slot, part) for slot, part in filled}
    what = f"{plant.name} with {', '.join(f'{name} = {word}' for name, word in words.items())}"
    for slot, part in filled:
        _refuse_misfit(what, slot, part)
    _refuse_clashes(what, plant, filled)
    tables: dict[str, Any] = {
        attribute: Records(*(record for piece in pieces for record in getattr(piece, attribute)))
        for attribute in _TABLES
    }
    tables["parameters"] = Records(*tables["parameters"], *(_slot_parameter(s, words[s.name]) for s, _ in filled))
    charts = _charts(what, plant, chosen)
    shares = _shares(plant, filled, whole=bool(charts["charts"]))
    kept = {f.name: getattr(plant, f.name) for f in dataclasses.fields(Model)}
    kept |= tables | charts
    kept["messages"] = tuple(message for piece in pieces for message in piece.messages)
    kept["parameter_blocks"] = (*((len(piece.parameters), len(piece.inputs)) for piece in pieces), (len(filled), 0))
    kept["functions"] = join(what, plant.name, shares, _sensors(filled))
    kept["composition"] = Composition(plant, {slot.name: part for slot, part in filled}, words)
    return Model(**kept)


def _word(slot: Slot, part: Part) -> str:
    """What a config says to get this part: the name of a choice, or a path."""
    return next((word for word, choice in slot.choices.items() if choice is part), part.source or part.name)


def _slot_parameter(slot: Slot, word: str) -> Parameter:
    return Parameter(slot.name, word, "", slot.doc, choices=tuple(dict.fromkeys((*slot.choices, word))))


def _refuse_misfit(what: str, slot: Slot, part: Part) -> None:
    """Are all coupling functions there, and nothing that nobody would call?"""
    where = f"{what}: part {part.name!r}"
    for name in slot.coupling:
        if name not in part.functions:
            raise ModelError(f"{where}: the function `{slot.signature(name)}` is missing; the plant calls it")
        _refuse_arguments(where, slot, name, part.functions[name])
    known = [*(name for name in CONTRACT if name not in PLANTS_ALONE), *slot.coupling]
    for name, function in part.functions.items():
        if name not in known:
            raise ModelError(
                f"{where}: nobody calls `{name}`{nearest(name, known)}; the functions of a part are {', '.join(known)}"
            )
        for wanted in _trailing(name, function, slot):
            if wanted not in slot.sensors:
                listed = f"; it has {', '.join(slot.sensors)}" if slot.sensors else "; leave it out"
                raise ModelError(
                    f"{where}: `{name}` takes {wanted!r}, which is no sensor of the slot {slot.name}"
                    f"{nearest(wanted, slot.sensors) or listed}"
                )


def _refuse_arguments(where: str, slot: Slot, name: str, function: Function) -> None:
    """Does a coupling function take what that of the default part takes, and then nothing but sensors?"""
    sensors = _trailing(name, function, slot)
    taken = [*inspect.signature(function).parameters]
    expected = slot.arguments(name)
    own = taken[: len(expected)]
    swapped = own != expected and sorted(own) == sorted(expected)
    if swapped or len(taken) != len(expected) + len(sensors) or taken[len(expected) :] != sensors:
        more = f", and of the sensors {', '.join(slot.sensors)} those it wants" if slot.sensors else ""
        raise ModelError(
            f"{where}: `{name}` takes ({', '.join(taken)}); expected ({', '.join(expected)}){more}; mend its arguments"
        )
    if not returns_something(function):
        raise ModelError(f"{where}: `{name}` returns nothing; end it with `return` and its value")


def _trailing(name: str, function: Function, slot: Slot | None = None) -> list[str]:
    """The functions it asks for: arguments behind those of the contract; of a coupling function, the slot's sensors."""
    taken = [*inspect.signature(function).parameters]
    if name in CONTRACT:
        return taken[len(CONTRACT[name]) :]
    return [] if slot is None else [argument for argument in taken if argument in slot.sensors]


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
        "boundary": piece.boundaries.names,
        "output": piece.outputs.names,
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
        sizes = {key: len(getattr(piece, key)) for key in ("states", "boundaries", "outputs", "messages")}
        sizes |= {"bits": sum(piece.chart_fields.values()), "p": len(piece.parameters) + len(piece.inputs)}
        spans = {key: (first[key], sizes[key]) for key in SPANS} | {"p": (first["p"], numbers - first["p"])}
        trailing = {key: tuple(_trailing(key, function, slot)) for key, function in piece.functions.items()}
        errors = tuple(int(message.severity == "error") for message in piece.messages)
        shares.append(Share(name, piece.functions, trailing, spans, whole and piece is plant, errors))
        first = {key: first[key] + sizes[key] for key in SPANS}
    return shares


def _array_length(parameter: Parameter) -> int:
    return len(parameter.default) if parameter.is_array else 0  # type: ignore[arg-type]


def _sensors(filled: Iterable[tuple[Slot, Part]]) -> dict[str, Function]:
    return {name: function for slot, _ in filled for name, function in slot.sensors.items()}

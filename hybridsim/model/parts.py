"""Plants, their slots, and the parts that fill them: the pieces that `compose` joins into one model.

A part, a controller for instance, has its own states, parameters, boundaries, outputs, chart fields and functions. Its
functions receive slices of the arrays that hold nothing but its own entries. A slot names the functions that the plant
calls, the *couplings*, and the functions of the plant that the part may call, the *sensors*.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field

from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.constants import Constant
from hybridsim.model.contract import (
    CONTRACT,
    PLANT_ONLY,
    arguments_of,
    by_name,
    functions_of,
    refuse_uncallable,
    refuse_unpaired,
)
from hybridsim.model.model import RECORD_TYPES, Model, put_records, symbols_of
from hybridsim.model.records import Boundary, Input, Message, Output, Parameter, State
from hybridsim.model.reserved import refuse_symbols
from hybridsim.model.table import Records, refuse_invalid_identifier
from hybridsim.typing import Function


@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A piece of a model that fills a slot of a plant. A plug-in file of a part ends with `PART = Part(...)`.

    Its functions have the arguments of the contract and receive slices: `x, xdot, x_new, p, g, y, crossed` begin at the
    part's own first entry, and `chart` is the value of its own fields. After these arguments a function may name
    sensors of the slot, which arrive as functions.

    Parameters
    ----------
    name : str
        An identifier.
    states : Records of State
        Its own states, if any.
    couplings : functions, or mapping of str to function
        The functions that the slot requires, `torque(t, x, p, chart, ...)`, recognised by their names. Each takes
        numbers and returns one; sensors may follow its arguments.
    vector_field, boundaries, transition, outputs, initial_chart, validate : callable, optional
        As for `Model`. `vector_field` is required if a state is continuous.
    parameters : Records of Parameter
        The first entries of its slice of p.
    inputs : Records of Input
        The entries behind its parameters.
    constants : Records of Constant and Buffer
        Arrays that never change, and work space; entries of p behind the inputs stand for them.
    chart_fields : mapping of str to int
        Bit fields of its own chart number; without any, it has one chart, 0.
    boundary_records : Records of Boundary
        The entries of its slice of g.
    output_records : Records of Output
        The entries of its slice of y.
    messages : tuple of Message
        What its `validate` may report, 1 for its first.
    slot : str
        The slot for which it is made, `"hexapod.control_type"`; `hybridsim check` tries it there.
    doc : str
        What the part is, in one line.
    source : str
        The file that defines the part, filled in when it is loaded.

    Raises
    ------
    ModelError
        If a function or a record is missing, a name is used twice or reserved, or an argument is not known.
    """

    name: str
    states: Records[State] = field(default_factory=Records)
    _: KW_ONLY
    couplings: Mapping[str, Function] | Iterable[Function] = ()
    vector_field: Function | None = None
    boundaries: Function | None = None
    transition: Function | None = None
    outputs: Function | None = None
    initial_chart: Function | None = None
    validate: Function | None = None
    parameters: Records[Parameter] = field(default_factory=Records)
    inputs: Records[Input] = field(default_factory=Records)
    constants: Records[Constant] = field(default_factory=Records)
    chart_fields: Mapping[str, int] = field(default_factory=dict)
    boundary_records: Records[Boundary] = field(default_factory=Records)
    output_records: Records[Output] = field(default_factory=Records)
    messages: tuple[Message, ...] = ()
    slot: str = ""
    doc: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        where = f"part {self.name!r}"
        refuse_invalid_identifier("part", self.name)
        couplings = by_name(self.couplings)
        object.__setattr__(self, "couplings", couplings)
        refuse_uncallable(where, functions_of(self) | couplings)
        put_records(self, where, RECORD_TYPES)
        object.__setattr__(self, "chart_fields", dict(self.chart_fields))
        refuse_symbols(where, symbols_of(self))
        for name in couplings:
            if name in PLANT_ONLY:
                raise ModelError(f"{where}: `{name}` belongs to the plant alone; a part cannot have it, so remove it")
            if name in CONTRACT:
                raise ModelError(
                    f"{where}: couplings: `{name}` has a keyword of its own, `{name}={name}`; give it there"
                )
        refuse_unpaired(where, self.functions, self.boundary_records, self.output_records)
        if self.vector_field is None and any(state.continuous for state in self.states.blocks):
            raise ModelError(
                f"{where}: it has states but no function `vector_field`; write it, or declare them continuous=False"
            )

    @property
    def functions(self) -> dict[str, Function]:
        """Its contract functions and couplings, by name."""
        return functions_of(self) | by_name(self.couplings)


@explains_keywords()
@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A place in a plant for a part; a config fills it by a parameter of its name.

    Parameters
    ----------
    name : str
        An identifier.
    couplings : tuple of str
        The names of the functions that a part for this slot must supply. The part defines
        `torque(t, x, p, chart, ...)`; a function of the plant that calls it takes it as a last argument,
        `vector_field(xdot, t, x, p, chart, torque)`, and calls `torque(t, ...)`: x, p and chart are the part's.
    choices : mapping of str to Part
        The parts that come with the plant, by the words that configs use. They are compiled into the plant; another
        part is compiled separately, so that after an edit nothing else is compiled.
    default : str
        The word of the part that fills the slot where a config names none.
    sensors : functions, or mapping of str to function
        Functions `hip_angle(t, x, p, chart, ...)` of the plant that a part may use in the same way:
        `vector_field(xdot, t, x, p, chart, hip_angle)` calls `hip_angle(t, ...)`. Couplings may take them, too.
    doc : str
        What the slot is for, in a few words.

    Raises
    ------
    ModelError
        If the default is no choice, a choice lacks a coupling, or a name belongs to the contract.
    """

    name: str
    _: KW_ONLY
    couplings: Sequence[str]
    choices: Mapping[str, Part]
    default: str
    sensors: Mapping[str, Function] | Iterable[Function] = ()
    doc: str = ""

    def __post_init__(self) -> None:
        where = f"slot {self.name!r}"
        refuse_invalid_identifier("slot", self.name)
        object.__setattr__(self, "sensors", by_name(self.sensors))
        object.__setattr__(self, "couplings", tuple(self.couplings))
        object.__setattr__(self, "choices", dict(self.choices))
        if self.default not in self.choices:
            raise ModelError(f"{where}: the default {self.default!r} is not one of {', '.join(self.choices)}")
        for name in (*self.couplings, *self.sensor_functions):
            if name in CONTRACT:
                raise ModelError(f"{where}: `{name}` is a function of the contract; choose another name")
        for name, part in self.choices.items():
            if not isinstance(part, Part):
                raise ModelError(f"{where}: choices: {name!r}: expected a Part, found {part!r}; give its PART")
            for coupling in self.couplings:
                if coupling not in part.functions:
                    raise ModelError(
                        f"{where}: choices: {name!r}: it has no function {coupling!r}, which the slot requires"
                    )

    @property
    def sensor_functions(self) -> dict[str, Function]:
        """The sensors by name."""
        return by_name(self.sensors)

    def arguments(self, coupling: str) -> list[str]:
        """List the arguments of a coupling, as the default part takes them; sensors may follow.

        Parameters
        ----------
        coupling : str
            Its name.

        Returns
        -------
        list of str
            The names of the arguments.
        """
        taken = inspect.signature(self.choices[self.default].functions[coupling]).parameters
        return [argument for argument in taken if argument not in self.sensor_functions]

    def signature(self, coupling: str) -> str:
        """Write a coupling with its arguments.

        Parameters
        ----------
        coupling : str
            Its name.

        Returns
        -------
        str
            The coupling as `torque(t, x, p, chart, leg)`.
        """
        return f"{coupling}({', '.join(self.arguments(coupling))})"


@explains_keywords()
@explain_arguments
@dataclass(frozen=True, slots=True, eq=False)
class Plant(Model):
    """A model with slots: its functions may take the couplings of its slots as last arguments.

    A plug-in file of a plant ends with `MODEL = Plant(...)`; when it is loaded, the default parts fill its slots.

    Parameters
    ----------
    name : str
        An identifier.
    states : Records of State
        The plant's own states, at least one.
    vector_field : callable
        As for `Model`; it may take couplings behind its other arguments, and so may the following functions.
    boundaries, transition, outputs, initial_chart, validate : callable, optional
        As for `Model`.
    sliding_field, slopes_and_boundaries, poses : callable, optional
        As for `Model`.
    parameters, inputs, constants, charts : Records
        The plant's own records, as for `Model`.
    chart_fields, bit_names : mapping
        The plant's own chart fields and the names of bits, as for `Model`.
    boundary_records, output_records : Records
        The plant's own records, as for `Model`.
    messages : tuple of Message
        What its `validate` may report.
    scene : Scene, optional
        What the viewer shows; needs `poses`.
    doc : str
        What the plant is, in one line.
    plots : tuple of str
        What `hybridsim plot` draws where nothing is named; the first outputs if empty.
    source : str
        The file that defines the plant, filled in when it is loaded.
    slots : tuple of Slot
        The places for parts, at least one.

    Raises
    ------
    ModelError
        If there is no slot, two slots share a coupling, or a function has an argument that is no coupling.
    """

    slots: tuple[Slot, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        Model.__post_init__(self)
        object.__setattr__(self, "slots", tuple(self.slots))
        where = f"plant {self.name!r}"
        if any(slot.name == "plant" for slot in self.slots):
            raise ModelError(f"{where}: a slot cannot be called 'plant'; choose another name")
        if not self.slots:
            raise ModelError(f"{where}: it has no slots; add one, or make it a Model")
        slots = Records(*(Parameter(slot.name) for slot in self.slots))
        refuse_symbols(where, symbols_of(self) | {"slot": slots})
        couplings = [name for slot in self.slots for name in slot.couplings]
        _refuse_shared_names(where, self.slots, couplings)
        for name, function in self.functions.items():
            for asked in trailing_arguments(name, function):
                if asked not in couplings:
                    raise ModelError(
                        f"{where}: `{name}` takes {asked!r}, which is no coupling function of its slots"
                        f"{nearest(asked, couplings)}; they have {', '.join(couplings)}"
                    )

    def slot(self, name: str) -> Slot:
        """Look up a slot.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Slot
            The slot.
        """
        return next(slot for slot in self.slots if slot.name == name)


def _refuse_shared_names(where: str, slots: Iterable[Slot], couplings: Sequence[str]) -> None:
    """Raise a ModelError for a name of two couplings or sensors: functions are bound by their names.

    One function may be a sensor of several slots.
    """
    sensors: dict[str, Callable[..., object]] = {}
    for name in couplings:
        if couplings.count(name) > 1:
            raise ModelError(f"{where}: two slots have a coupling function {name!r}; give them different names")
    for slot in slots:
        for name, function in slot.sensor_functions.items():
            if sensors.setdefault(name, function) is not function or name in couplings:
                raise ModelError(
                    f"{where}: the sensor {name!r} of slot {slot.name!r} has the name of another function of its "
                    "slots; give it another name"
                )


def trailing_arguments(name: str, function: Function, slot: Slot | None = None) -> list[str]:
    """Return the functions that a function takes as its last arguments.

    Of a contract function these are all arguments behind those of the contract, of a coupling the slot's sensors.
    """
    taken = [*inspect.signature(function).parameters]
    if name in CONTRACT:
        return taken[len(arguments_of(name, function)) :]
    return [] if slot is None else [argument for argument in taken if argument in slot.sensor_functions]

"""A model: its records, which name and describe its quantities, and its functions, which are the mathematics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import islice
from typing import Any

from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.model.arguments import explain_arguments
from hybridsim.model.constants import Constant
from hybridsim.model.contract import functions_of, refuse_uncallable, refuse_unpaired
from hybridsim.model.records import (
    REST_BY_TRANSITION,
    Boundary,
    Chart,
    Input,
    Message,
    Output,
    Parameter,
    State,
)
from hybridsim.model.reserved import refuse_symbols
from hybridsim.model.scene import Scene
from hybridsim.model.table import Records, list_names, records_of, refuse_invalid_identifier
from hybridsim.typing import Function

RECORD_TYPES: Mapping[str, type] = {
    "states": State,
    "parameters": Parameter,
    "inputs": Input,
    "constants": Constant,
    "boundary_records": Boundary,
    "output_records": Output,
}
"""The tables of records that models and parts have, and what each holds."""

MAX_CHART_BITS = 62
"""Bits of a chart number that is made of fields."""


@explains_keywords()
@explain_arguments
@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Model:
    """A hybrid system: records and functions, immutable and checked when it is made.

    The functions are described in `hybridsim.model.contract.CONTRACT` and in `docs/write-a-model.md`. Tables of records
    may be given as `Records`, as lists of records, or as lists of names. `dataclasses.replace` makes a changed copy.

    Parameters
    ----------
    name : str
        An identifier.
    states : Records of State
        The components of x, at least one.
    vector_field : callable
        `vector_field(xdot, t, x, p, chart)` writes the slopes [state unit/s]. Required.
    boundaries : callable, optional
        `boundaries(g, t, x, p, chart)` writes the values of the boundaries that are active in the chart.
    transition : callable, optional
        `transition(x_new, t, x, p, chart, crossed)` writes the state after an event and returns the next chart.
        Required with boundaries.
    outputs : callable, optional
        `outputs(y, t, x, p, chart)` writes the recorded quantities; without it, the states are recorded.
    initial_chart : callable, optional
        `initial_chart(x_new, t, x, p)` completes the initial state and returns its chart; without it, 0.
    validate : callable, optional
        `validate(t, x, p, chart)` returns 0, or k for the k-th of `messages`.
    sliding_field : callable, optional
        `sliding_field(xdot, t, x, p, chart, adjacent_chart)` replaces Filippov's convex combination.
    slopes_and_boundaries : callable, optional
        `slopes_and_boundaries(xdot, g, t, x, p, chart)` writes what `vector_field` and `boundaries` write, in one go.
    poses : callable, optional
        `poses(T, t, x, p, chart)` writes the poses of the bodies of `scene`, in plain Python.
    parameters : Records of Parameter
        The first entries of p.
    inputs : Records of Input
        The entries of p behind the parameters; they may change while a run is computed.
    constants : Records of Constant and Buffer
        Arrays that never change, and work space; the entries of p behind the inputs stand for them.
    charts : Records of Chart
        The charts in order; one chart `flow` where neither charts nor `chart_fields` are given.
    chart_fields : mapping of str to int
        Instead of `charts`: bit fields and their widths, `{"stance": 6, "phase": 12}`, that make up the number of a
        chart, the first in its lowest bits.
    bit_names : mapping of str to tuple of str
        Names of the bits of a field for plots, lowest first, `{"stance": ("left", "right")}`; numbers where none are
        given.
    boundary_records : Records of Boundary
        The entries of g.
    output_records : Records of Output
        The entries of y.
    messages : tuple of Message
        What `validate` may report, 1 for the first.
    scene : Scene, optional
        What the viewer shows; needs `poses`.
    doc : str
        What the model is, in one line.
    plots : tuple of str
        What `hybridsim plot` draws where nothing is named; the first outputs if empty.
    source : str
        The file that defines the model, filled in when it is loaded; "" for a model made in a session.

    Raises
    ------
    ModelError
        If a function or a record is missing, a name is used twice or reserved, or an argument is not known.
    """

    name: str
    states: Records[State]
    _: KW_ONLY
    vector_field: Function
    boundaries: Function | None = None
    transition: Function | None = None
    outputs: Function | None = None
    initial_chart: Function | None = None
    validate: Function | None = None
    sliding_field: Function | None = None
    slopes_and_boundaries: Function | None = None
    poses: Function | None = None
    parameters: Records[Parameter] = field(default_factory=Records)
    inputs: Records[Input] = field(default_factory=Records)
    constants: Records[Constant] = field(default_factory=Records)
    charts: Records[Chart] = field(default_factory=Records)
    chart_fields: Mapping[str, int] = field(default_factory=dict)
    bit_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    boundary_records: Records[Boundary] = field(default_factory=Records)
    output_records: Records[Output] = field(default_factory=Records)
    messages: tuple[Message, ...] = ()
    scene: Scene | None = None
    doc: str = ""
    plots: tuple[str, ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        put = object.__setattr__
        refuse_invalid_identifier("model", self.name)
        where = f"model {self.name!r}"
        refuse_uncallable(where, self.functions)
        put_records(self, where, {**RECORD_TYPES, "charts": Chart})
        put(self, "chart_fields", dict(self.chart_fields))
        put(self, "bit_names", {name: tuple(names) for name, names in self.bit_names.items()})
        put(self, "plots", tuple(self.plots))
        if not self.charts and not self.chart_fields:
            put(self, "charts", Records(Chart("flow")))
        self._check(where)
        numbered = {name: tuple(map(str, range(width))) for name, width in self.chart_fields.items()}
        put(self, "bit_names", numbered | dict(self.bit_names))

    @property
    def functions(self) -> dict[str, Function]:
        """The contract functions that the model supplies, by name."""
        return functions_of(self)

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that define the model, its own first."""
        return (self.source,)

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The parameters that name the part in a slot; a composed model has some."""
        return ()

    @property
    def parameter_blocks(self) -> tuple[tuple[int, int, int], ...]:
        """The numbers of parameters, inputs and constants of each piece of the model, in the order of p.

        A model that is not composed is one piece.
        """
        return ((len(self.parameters), len(self.inputs), len(self.constants)),)

    @property
    def p_indices(self) -> dict[str, int]:
        """The index in p of each parameter, input and constant; behind these scalars lie the numbers of arrays."""
        return {name: index for index, (name, _) in enumerate(self._names_in_p())}

    @property
    def p_starts(self) -> dict[str, int]:
        """The index at which the slice of p begins that the functions with this parameter or input receive."""
        return dict(self._names_in_p())

    def _names_in_p(self) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        tables = [iter(table.names) for table in (self.parameters, self.inputs, self.constants)]
        for sizes in self.parameter_blocks:
            start = len(found)
            found += [(name, start) for table, n in zip(tables, sizes, strict=True) for name in islice(table, n)]
        return found

    @property
    def columns(self) -> Records[Any]:
        """The recorded quantities: the outputs, or the states of a model without outputs."""
        return self.output_records or self.states

    @property
    def n_charts(self) -> int:
        """The number of charts; with bit fields, of all combinations."""
        return len(self.charts) or 1 << sum(self.chart_fields.values())

    def chart_name(self, chart: int) -> str:
        """Name a chart by its number.

        Parameters
        ----------
        chart : int
            The number of the chart; unknown numbers are accepted.

        Returns
        -------
        str
            Its name, `descent`, or the values of its bit fields, `stance=5 phase=0`.
        """
        if self.charts:
            return self.charts[chart].name if 0 <= chart < len(self.charts) else f"chart {chart}"
        texts, rest = [], chart
        for name, width in self.chart_fields.items():
            texts.append(f"{name}={rest & ((1 << width) - 1)}")
            rest >>= width
        return " ".join(texts)

    def _check(self, where: str) -> None:
        if not self.states:
            raise ModelError(f"{where}: a model needs at least one state")
        _refuse_invalid_charts(where, self)
        refuse_symbols(where, symbols_of(self))
        for name in self.inputs.names:
            if name in self.output_records.names:
                raise ModelError(f"{where}: {name!r} names an input and an output; choose different names")
        refuse_unpaired(where, self.functions, self.boundary_records, self.output_records)
        _refuse_invalid_scene(where, self)
        _refuse_unknown_plots(where, self)


def put_records(owner: Any, where: str, record_types: Mapping[str, type]) -> None:
    """Turn the tables and messages that a model or a part was given into Records.

    Raises
    ------
    ModelError
        If one of them holds something else.
    """
    for attribute, record_type in record_types.items():
        try:
            object.__setattr__(owner, attribute, records_of(getattr(owner, attribute), record_type))
        except ModelError as problem:
            raise ModelError(f"{where}: {attribute}: {problem}") from None
    object.__setattr__(owner, "messages", tuple(records_of(owner.messages, Message)))


def symbols_of(piece: Any) -> dict[str, Records[Any]]:
    """Return the tables of a model or a part whose names must differ, by the word for one of them."""
    tables = {"state": piece.states, "parameter": piece.parameters, "input": piece.inputs}
    return tables | {"constant": piece.constants}


def default_values(model: Model) -> dict[str, Any]:
    """Return the default of every parameter and input, by name."""
    return {p.name: p.default for p in model.parameters} | {i.name: i.default for i in model.inputs}


def _refuse_invalid_charts(where: str, model: Model) -> None:
    if model.charts and model.chart_fields:
        raise ModelError(f"{where}: give either charts or chart_fields, not both")
    widths = model.chart_fields.values()
    if widths and not (all(width > 0 for width in widths) and sum(widths) <= MAX_CHART_BITS):
        raise ModelError(f"{where}: chart_fields: widths must be positive and at most {MAX_CHART_BITS} bits together")
    _refuse_invalid_bit_names(where, model)
    for boundary in model.boundary_records:
        if boundary.rest not in (None, REST_BY_TRANSITION, *model.charts.names):
            raise ModelError(
                f"{where}: boundary {boundary.name!r}: rest: {boundary.rest!r} is not one of the charts"
                f"{nearest(str(boundary.rest), model.charts.names)}; give the name of a chart, or 'transition'"
            )


def _refuse_invalid_bit_names(where: str, model: Model) -> None:
    for name, names in model.bit_names.items():
        if model.chart_fields.get(name) != len(names):
            widths = ", ".join(f"{field}: {width}" for field, width in model.chart_fields.items())
            raise ModelError(
                f"{where}: bit_names: {name!r} has {len(names)} names; expected a field, a name for each bit, "
                f"{widths or 'but there are no chart_fields'}"
            )


def _refuse_invalid_scene(where: str, model: Model) -> None:
    if model.scene is None:
        if model.poses is not None:
            raise ModelError(f"{where}: it has a function `poses` but no scene; say what there is to be posed")
        return
    if not isinstance(model.scene, Scene):
        raise ModelError(f"{where}: scene: expected a hybridsim.scene.Scene, found {model.scene!r}")
    if model.poses is None:
        raise ModelError(f"{where}: it has a scene but no function `poses(T, t, x, p, chart)` to say where it is")
    for name in model.scene.outputs:
        if name not in model.columns:
            names = model.columns.names
            raise ModelError(
                f"{where}: scene: outputs: {name!r} is not recorded{nearest(str(name), names)}; "
                f"give some of {list_names(names)}"
            )
    for push in model.scene.pushes:
        for name in filter(None, push.inputs):
            if name not in model.inputs.names:
                raise ModelError(
                    f"{where}: scene: the push on {push.body!r}: there is no input {name!r}"
                    f"{nearest(name, model.inputs.names)}; give some of {', '.join(model.inputs.names) or 'none'}"
                )


def _refuse_unknown_plots(where: str, model: Model) -> None:
    tables = model.columns, model.states, model.inputs, {"chart", *model.chart_fields}
    for name in model.plots:
        unknown = [part for part in name.split("+") if not any(part in table for table in tables)]
        if unknown:
            columns = dict.fromkeys((*model.columns.names, *model.states.names, *model.inputs.names))
            known: Sequence[str] = [*columns, "chart", *model.chart_fields]
            raise ModelError(
                f"{where}: plots: {name!r}: there is no {unknown[0]!r}{nearest(unknown[0], known)}; "
                f"it has {list_names(known, unknown[0])}"
            )

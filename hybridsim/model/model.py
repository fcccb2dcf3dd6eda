"""A model: an atlas of charts, described by records and a handful of plain functions.

Read this page before writing a plug-in. The records say what things are called, measured in and
worth by default; the functions (`CONTRACT`) are the mathematics. Everything is checked when the
`Model` is built, so that a mistake is reported where it was made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from hybridsim.errors import ModelError
from hybridsim.model.scene import Scene
from hybridsim.model.table import Records, check_identifier, folded, nearest

__all__ = [
    "CONTRACT",
    "DECLINED",
    "ENGINE_SYMBOLS",
    "TOUCH_POLICIES",
    "Boundary",
    "Chart",
    "Message",
    "Model",
    "Output",
    "Parameter",
    "Records",
    "State",
    "nearest",
]

if TYPE_CHECKING:
    from hybridsim.model.composition import Composition

DECLINED = -1
"""What a transition returns to say: this crossing changes nothing."""

CONTRACT: Mapping[str, tuple[str, ...]] = {
    "vector_field": ("xdot", "t", "x", "p", "chart"),
    "boundaries": ("g", "t", "x", "p", "chart"),
    "transition": ("x_new", "t", "x", "p", "chart", "crossed"),
    "outputs": ("y", "t", "x", "p", "chart"),
    "initial_chart": ("x_new", "t", "x", "p"),
    "validate": ("t", "x", "p", "chart"),
    "sliding_field": ("xdot", "t", "x", "p", "chart", "adjacent_chart"),
    "poses": ("T", "t", "x", "p", "chart"),
}
"""The functions a plug-in may supply, with their arguments. Only `vector_field` is required.

`vector_field` writes xdot [state unit/s] of whatever moves in this chart; the rest is 0 and held.
`boundaries` writes every boundary that is active in this chart (the chart alone decides which),
positive inside the patch. `transition` gets a copy of x in x_new, a nonzero `crossed[i]` for each
boundary that crosses now, and returns the next chart or `DECLINED`. `outputs` writes what is
recorded. `initial_chart` finalises the initial state and returns its chart; applied to its own
result it changes nothing. `validate` returns 0, or k for the k-th of the model's `messages`.
`sliding_field` replaces Filippov's convex combination where a solution slides along the common
boundary of two charts: `chart`, the one it came from, and `other`.
`poses` is plain Python for the viewer. All but `poses` are compiled: they write into their first
argument, index with scalars, keep no memory and allocate nothing (work space: `scratch(n)`).
"""

ENGINE_SYMBOLS = frozenset(
    [
        "systemName",
        "dataBaseName",
        "useGeomview",
        "stopPrecision",
        "maxStopIter",
        "maxStopIterations",
        "recordPeriod",
        "measurePeriod",
        "maxChartCount",
        "finalTime",
        "tolerance",
        "maxTimeStep",
        "minTimeStep",
        "power",
        "rkPower",
        "model",
        "initial_time",
        "final_time",
        "parameters",
        "inputs",
        "initial",
        "stop",
        "engine",
        "record",
        "output",
        "progress_period",
        "view",
        "include",
        "method",
        "rtol",
        "atol",
        "first_step",
        "max_step",
        "min_step",
        "stop_precision",
        "touch_precision",
        "zeno_precision",
        "max_stop_iterations",
        "max_transitions",
        "max_steps",
        "max_wall_time",
        "t",
        "j",
        "chart",
        "time",
    ]
)
"""Names that belong to the engine; an rc file is one flat table, so a model may not use them."""


def _check_bounds(kind: str, name: str, value: float, lower: float, upper: float) -> None:
    if not lower <= upper:
        raise ModelError(f"{kind} {name!r}: the lower bound {lower!r} lies above the upper bound {upper!r}")
    if not math.isfinite(value):
        raise ModelError(f"{kind} {name!r}: the default must be a finite number, not {value!r}")
    if not lower <= value <= upper:
        raise ModelError(f"{kind} {name!r}: the default {value!r} lies outside its bounds [{lower!r}, {upper!r}]")


@dataclass(frozen=True, slots=True)
class State:
    """One component of x. A bookkeeping state (`continuous=False`) changes only at transitions."""

    name: str
    default: float = 0.0
    unit: str = ""
    doc: str = ""
    continuous: bool = True
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        check_identifier("state", self.name)
        _check_bounds("state", self.name, float(self.default), self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One entry of p: a number, one of named `choices` (packed as its index), or an array (a sequence as default).

    An array lies behind the scalars of p; its own slot holds the offset of its first entry. Rc files may also use the
    names in `aliases`.
    """

    name: str
    default: float | str | Sequence[float] = 0.0
    unit: str = ""
    doc: str = ""
    lower: float = -math.inf
    upper: float = math.inf
    integer: bool = False
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in (self.name, *self.aliases):
            check_identifier("parameter", name)
        if self.choices:
            if self.default not in self.choices:
                raise ModelError(
                    f"parameter {self.name!r}: the default {self.default!r} is not one of {', '.join(self.choices)}"
                )
        elif self.is_array:
            for value in self.default:  # type: ignore[union-attr]
                _check_bounds("parameter", self.name, float(value), self.lower, self.upper)
        else:
            _check_bounds("parameter", self.name, float(self.default), self.lower, self.upper)  # type: ignore[arg-type]

    @property
    def is_array(self) -> bool:
        return not isinstance(self.default, str | int | float)


@dataclass(frozen=True, slots=True)
class Input:
    """A parameter that may change between calls and is held meanwhile; the default is its initial value.

    Its value lies in p behind the scalars of the parameters: `len(PARAMETERS) + INPUTS.index(name)`.
    """

    name: str
    default: float = 0.0
    unit: str = ""
    doc: str = ""
    lower: float = -math.inf
    upper: float = math.inf

    def __post_init__(self) -> None:
        check_identifier("input", self.name)
        _check_bounds("input", self.name, float(self.default), self.lower, self.upper)


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart of the atlas; its number is its place in the list."""

    name: str
    doc: str = ""

    def __post_init__(self) -> None:
        check_identifier("chart", self.name)


TOUCH_POLICIES = ("ignore", "report", "trigger")


@dataclass(frozen=True, slots=True)
class Boundary:
    """A function whose fall to zero ends a chart.

    Parameters
    ----------
    degree : its polynomial degree in t and the continuous states (1 = affine), where it has one: every root of
        the continuous extension is then isolated (certificate `exact`).
    second_derivative_bound : a number M with |d2g/dt2| <= M along every solution [unit of g / s2]
        (certificate `bounded`). Without either, the extension is searched (certificate `sampled`).
    time : the value is the time left until it fires [s]; the engine lands on it without a search.
    armed : "always", or "when_positive" if the boundary may be negative where a chart begins:
        it then waits until it has been positive.
    touch : what becomes of a minimum just above zero, at most `engine.touch_precision`: "ignore" it, "report" it as
        an event that changes nothing, or "trigger" the transition as if it had been crossed.
    rest : the chart in which a run goes on after infinitely many crossings of this boundary in finite time (Zeno);
        without one the run ends there.
    """

    name: str
    doc: str = ""
    unit: str = ""
    degree: int | None = None
    second_derivative_bound: float | None = None
    time: bool = False
    armed: str = "always"
    touch: str = "report"
    rest: str | None = None

    def __post_init__(self) -> None:
        check_identifier("boundary", self.name)
        if self.degree is not None and not 1 <= self.degree <= 4:
            raise ModelError(f"boundary {self.name!r}: degree must be 1, 2, 3 or 4 (or None), not {self.degree!r}")
        if self.second_derivative_bound is not None and not 0.0 <= self.second_derivative_bound < math.inf:
            raise ModelError(f"boundary {self.name!r}: second_derivative_bound must be a finite number >= 0")
        if self.armed not in ("always", "when_positive"):
            raise ModelError(f"boundary {self.name!r}: armed must be 'always' or 'when_positive', not {self.armed!r}")
        if self.touch not in TOUCH_POLICIES:
            raise ModelError(
                f"boundary {self.name!r}: touch must be 'ignore', 'report' or 'trigger', not {self.touch!r}"
            )
        declared = (self.degree is not None) + (self.second_derivative_bound is not None) + self.time
        if declared > 1:
            raise ModelError(f"boundary {self.name!r}: declare one of degree, second_derivative_bound and time")


@dataclass(frozen=True, slots=True)
class Output:
    """A recorded quantity."""

    name: str
    unit: str = ""
    doc: str = ""

    def __post_init__(self) -> None:
        check_identifier("output", self.name)


@dataclass(frozen=True, slots=True)
class Message:
    """What `validate` may report: an `error` ends the run, a `warning` is counted."""

    text: str
    severity: str = "error"

    @property
    def name(self) -> str:
        return self.text

    def __post_init__(self) -> None:
        if self.severity not in ("error", "warning"):
            raise ModelError(f"message {self.text!r}: severity must be 'error' or 'warning', not {self.severity!r}")


def records_of(rows: Iterable[Any], kind: type) -> Records[Any]:
    """Accept a Records, a list of records, or (for what needs no more) a list of names."""
    built = [kind(row) if isinstance(row, str) else row for row in rows]
    for row in built:
        if not isinstance(row, kind):
            raise ModelError(f"expected {kind.__name__} records, found {row!r}")
    return Records(*built)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """One plug-in: records and functions, immutable and checked.

    Parameters
    ----------
    functions : the plug-in's functions, recognised by their names (see `CONTRACT`), or a mapping from those names.
    charts : the charts in order, as records or names; or leave it out and give
    chart_fields : bit fields, `{"stance": 6, "phase": 12}`: a chart is then an integer, the first field in its lowest
        bits.
    bit_names : what the bits of a field are called in pictures, lowest first, `{"stance": ("left", "right")}`; else
        numbers.
    messages : what `validate` may return, 1 for the first.
    inputs : what may change between calls.
    scene : what the viewer shows, if anything; the function `poses` says where it is.
    plots : what `hybridsim plot` draws where nothing is named, if not the first outputs.
    source : the file the model came from, set by the registry; "" for a model made in a session.
    composition, parameter_blocks : of a composed model, set by `compose`: what it is made of; and how many
        parameters and inputs of each piece follow each other in p.
    """

    name: str
    states: Records[State]
    functions: Mapping[str, Callable[..., Any]]
    parameters: Records[Parameter] = field(default_factory=Records)
    charts: Records[Chart] = field(default_factory=Records)
    boundaries: Records[Boundary] = field(default_factory=Records)
    outputs: Records[Output] = field(default_factory=Records)
    messages: tuple[Message, ...] = ()
    chart_fields: Mapping[str, int] = field(default_factory=dict)
    scene: Scene | None = None
    doc: str = ""
    source: str = ""
    inputs: Records[Input] = field(default_factory=Records)
    composition: Composition | None = None
    parameter_blocks: tuple[tuple[int, int], ...] = ()
    bit_names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    plots: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        put = object.__setattr__
        check_identifier("model", self.name)
        for attribute, kind in (
            ("states", State),
            ("parameters", Parameter),
            ("inputs", Input),
            ("charts", Chart),
            ("boundaries", Boundary),
            ("outputs", Output),
        ):
            try:
                put(self, attribute, records_of(getattr(self, attribute), kind))
            except ModelError as problem:
                raise ModelError(f"model {self.name!r}: {attribute}: {problem}") from None
        put(self, "messages", tuple(records_of(self.messages, Message)))
        put(self, "functions", _functions(self.name, self.functions))
        put(self, "chart_fields", dict(self.chart_fields))
        put(self, "bit_names", {name: tuple(names) for name, names in self.bit_names.items()})
        put(self, "plots", tuple(self.plots))
        put(self, "parameter_blocks", self.parameter_blocks or ((len(self.parameters), len(self.inputs)),))
        if not self.charts and not self.chart_fields:
            put(self, "charts", Records(Chart("flow")))
        self._check()
        numbered = {name: tuple(map(str, range(width))) for name, width in self.chart_fields.items()}
        put(self, "bit_names", numbered | dict(self.bit_names))

    def _check(self) -> None:
        self._check_charts()
        self._check_symbols()
        self._check_functions()
        self._check_scene()
        self._check_plots()

    def _check_charts(self) -> None:
        where = f"model {self.name!r}"
        if self.charts and self.chart_fields:
            raise ModelError(f"{where}: give either charts or fields, not both")
        if self.chart_fields and not (
            all(w > 0 for w in self.chart_fields.values()) and sum(self.chart_fields.values()) <= 62
        ):
            raise ModelError(f"{where}: field widths must be positive and at most 62 bits together")
        for name, names in self.bit_names.items():
            if self.chart_fields.get(name) != len(names):
                widths = ", ".join(f"{field}: {width}" for field, width in self.chart_fields.items())
                raise ModelError(
                    f"{where}: bits: {name!r} has {len(names)} names; expected a field, a name for each bit, "
                    f"{widths or 'but there are no fields'}"
                )
        for boundary in self.boundaries:
            if boundary.rest is not None and boundary.rest not in self.charts.names:
                raise ModelError(
                    f"{where}: boundary {boundary.name!r}: rest: {boundary.rest!r} is not one of the charts"
                    f"{nearest(str(boundary.rest), self.charts.names)}; give the name of a chart"
                )

    def _check_symbols(self) -> None:
        where = f"model {self.name!r}"
        if not self.states:
            raise ModelError(f"{where}: a model needs at least one state")
        refuse_symbols(where, {"state": self.states, "parameter": self.parameters, "input": self.inputs})
        for name in self.inputs.names:
            if name in self.outputs.names:
                raise ModelError(f"{where}: {name!r} names an input and an output; choose different names")

    def _check_functions(self) -> None:
        refuse_unpaired(f"model {self.name!r}", self.functions, self.boundaries, self.outputs)

    @property
    def sources(self) -> tuple[str, ...]:
        """The files that the model came from: its own, and those of parts that did not come with it."""
        return (self.source, *(() if self.composition is None else self.composition.sources))

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The parameters of a composed model that say which part fills a slot."""
        return () if self.composition is None else tuple(self.composition.words)

    @property
    def places(self) -> dict[str, Place]:
        """Where in p each parameter and input lies; behind these scalars lie the numbers of the arrays."""
        places: dict[str, Place] = {}
        parameters, inputs = iter(self.parameters.names), iter(self.inputs.names)
        for n_parameters, n_inputs in self.parameter_blocks:
            first = len(places)
            names = [*islice(parameters, n_parameters), *islice(inputs, n_inputs)]
            places |= {name: Place(first + place, first) for place, name in enumerate(names)}
        return places

    def _check_scene(self) -> None:
        where, poses = f"model {self.name!r}", "poses" in self.functions
        if self.scene is None:
            if poses:
                raise ModelError(f"{where}: it has a function `poses` but no scene; say what there is to be posed")
            return
        if not isinstance(self.scene, Scene):
            raise ModelError(f"{where}: scene: expected a hybridsim.scene.Scene, found {self.scene!r}")
        if not poses:
            raise ModelError(f"{where}: it has a scene but no function `poses(T, t, x, p, chart)` to say where it is")
        for name in self.scene.outputs:
            if name not in self.columns.names:
                raise ModelError(
                    f"{where}: scene: outputs: {name!r} is not recorded{nearest(str(name), self.columns.names)}; "
                    f"give some of {', '.join(self.columns.names)}"
                )

    def _check_plots(self) -> None:
        columns = dict.fromkeys((*self.columns.names, *self.states.names, *self.inputs.names))
        known = [*columns, "chart", *self.chart_fields]
        for name in self.plots:
            unknown = [part for part in name.split("+") if part not in known]
            if unknown:
                raise ModelError(
                    f"model {self.name!r}: plots: {name!r}: there is no {unknown[0]!r}{nearest(unknown[0], known)}; "
                    f"it has {', '.join(folded(known))}"
                )

    @property
    def columns(self) -> Records[Any]:
        """What is recorded: the outputs, or the states of a model without outputs."""
        return self.outputs or self.states

    @property
    def n_charts(self) -> int:
        """How many chart numbers there are; for bit fields every combination counts."""
        return len(self.charts) or 1 << sum(self.chart_fields.values())

    def chart_name(self, chart: int) -> str:
        """`descent`, or `stance=5 phase=0` for bit fields."""
        if self.charts:
            return self.charts[chart].name if 0 <= chart < len(self.charts) else f"chart {chart}"
        parts, rest = [], chart
        for name, width in self.chart_fields.items():
            parts.append(f"{name}={rest & ((1 << width) - 1)}")
            rest >>= width
        return " ".join(parts)


class Place(NamedTuple):
    """Where a scalar lies in p, and where the slice begins that the functions see which use it."""

    at: int
    first: int


def defaults_of(model: Model) -> dict[str, Any]:
    """The default of every parameter and input, by name."""
    return {p.name: p.default for p in model.parameters} | {i.name: i.default for i in model.inputs}


def aliases_in(records: Iterable[Any]) -> dict[str, str]:
    """Other name -> name, of all that have some."""
    return {alias: record.name for record in records for alias in getattr(record, "aliases", ())}


def refuse_symbols(where: str, tables: Mapping[str, Records[Any]]) -> None:
    """A ModelError for a name of the engine, and for one that occurs twice in these tables, by the kind of record."""
    kinds: dict[str, str] = {}
    for kind, table in tables.items():
        for symbol in (*table.names, *aliases_in(table)):
            if symbol in kinds:
                raise ModelError(f"{where}: {symbol!r} names a {kinds[symbol]} and a {kind}; choose different names")
            if symbol in ENGINE_SYMBOLS:
                raise ModelError(f"{where}: {symbol!r} is a name of the engine; choose another")
            kinds[symbol] = kind


def refuse_unpaired(
    where: str, functions: Mapping[str, Any], boundaries: Records[Boundary], outputs: Records[Output]
) -> None:
    """A ModelError for boundaries or outputs without their function, and the other way round."""
    for function, records in (("boundaries", boundaries), ("outputs", outputs)):
        if records and function not in functions:
            raise ModelError(f"{where}: it declares {function} but has no function `{function}`")
        if function in functions and not records:
            raise ModelError(f"{where}: it has a function `{function}` but declares no {function}")
    if boundaries and "transition" not in functions:
        raise ModelError(f"{where}: it has boundaries but no function `transition` to say what happens there")


def _functions(model: str, given: Mapping[str, Callable[..., Any]] | Iterable[Callable[..., Any]]) -> dict[str, Any]:
    """The functions by their contract names; unknown names and a missing vector field are errors."""
    functions = dict(given) if isinstance(given, Mapping) else {f.__name__: f for f in given}
    for name in functions:
        if name not in CONTRACT:
            raise ModelError(
                f"model {model!r}: `{name}` is not a function of a plug-in{nearest(name, CONTRACT)}; "
                f"they are {', '.join(CONTRACT)}"
            )
    if "vector_field" not in functions:
        raise ModelError(
            f"model {model!r}: the function `vector_field(xdot, t, x, p, chart)` is missing; "
            "write it and list it in functions"
        )
    return functions

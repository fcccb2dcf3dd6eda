"""The keys of a configuration: types, limits, defaults and meaning. Files, overrides and keywords are checked by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, get_args

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator, model_validator

from hybridsim.config.engine_settings import EngineSettings
from hybridsim.config.field_types import (
    Boolean,
    ChartEntry,
    ConfigSection,
    EventsEntry,
    FiniteNumber,
    InputEntry,
    Integer,
    KeyUse,
    MetricsEntry,
    ParameterEntry,
    Text,
)
from hybridsim.config.optimization_settings import OptimizationSettings
from hybridsim.config.orbit_settings import OrbitSettings
from hybridsim.config.sweep_settings import SweepSettings
from hybridsim.config.values import angle
from hybridsim.errors import ConfigError
from hybridsim.model import Model, Records, list_names, nearest
from hybridsim.typing import Format, TimeUnit


def _record_section(value: Any) -> Any:
    """`record: true` and `record: false` are short for `record: {steps: ...}`, a number for `record: {period: ...}`."""
    if isinstance(value, bool):
        return {"steps": value}
    return {"period": value} if isinstance(value, int | float) else value


class Stop(ConfigSection):
    """Condition that ends a run early: a boundary's count-th event, or a state that reaches a value."""

    boundary: Text | None = Field(default=None, examples=["touchdown"], description="a boundary of the model")
    count: Integer = Field(
        default=1, ge=1, description="the run ends after the transition at this event of the boundary, counted from 1"
    )
    state: Text | None = Field(default=None, examples=["x"], description="a state of the model")
    value: Annotated[FiniteNumber | None, WithJsonSchema({"type": ["number", "string", "null"]})] = Field(
        default=None,
        examples=[10.0],
        description="the run ends when the state reaches this value, a number or an angle (`22 deg`)",
    )

    @field_validator("boundary", "state")
    @classmethod
    def _exists(cls, name: str | None, info: ValidationInfo) -> str | None:
        model = _model_of(info)
        if model is None or name is None:
            return name
        records: Records[Any] = model.states if info.field_name == "state" else model.boundary_records
        return _find(name, records.names, model, str(info.field_name))

    @field_validator("value", mode="before")
    @classmethod
    def _in_the_unit_of_the_state(cls, value: Any, info: ValidationInfo) -> Any:
        model, state = _model_of(info), info.data.get("state")
        if model is None or state is None or not isinstance(value, str):
            return value
        try:
            return angle(value, model.states[state])
        except ConfigError as failure:
            raise ValueError(str(failure)) from None

    @model_validator(mode="after")
    def _is_one_kind(self) -> Stop:
        given = {key for key in self.model_fields_set if getattr(self, key) is not None}
        if given not in ({"boundary"}, {"boundary", "count"}, {"state", "value"}):
            found = ", ".join(f"`{key}`" for key in type(self).model_fields if key in given) or "nothing"
            raise ValueError(f"expected `boundary` and `count`, or `state` and `value`, found {found}; give one pair")
        return self


class RecordSettings(ConfigSection):
    """Quantities that are recorded, and when. Recording never changes a run."""

    steps: Boolean = Field(default=True, description="every step; false: only the start, the events and the end")
    period: Annotated[FiniteNumber | None, KeyUse(unit="s", own_name_in_rc=False)] = Field(
        default=None,
        gt=0,
        examples=[0.01],
        description="record at the multiples of this time [s] instead of at every step",
    )
    outputs: tuple[Text, ...] | None = Field(
        default=None,
        examples=[["y"]],
        description="outputs of the model to record (states, if it has no outputs); by default all. In a record "
        "without states, also states that are recorded nevertheless",
    )
    states: Boolean | None = Field(
        default=None,
        examples=[True],
        description="the states, and what they are within each step; false: outputs alone, if steps are recorded. By "
        "default true, but false for models with blocks and 1,000 states or more",
    )
    events: EventsEntry = Field(
        default="all", examples=[100], description="events to record: all, none, a list of kinds, or n for every n-th"
    )

    @field_validator("period")
    @classmethod
    def _goes_with_steps(cls, period: float | None, info: ValidationInfo) -> float | None:
        if period is not None and info.data.get("steps") is False:
            raise ValueError("a period contradicts `steps: false`; remove one of them")
        return period

    @field_validator("outputs")
    @classmethod
    def _outputs_exist(cls, names: tuple[str, ...] | None, info: ValidationInfo) -> tuple[str, ...] | None:
        model = _model_of(info)
        if model is not None:
            for name in names or ():
                if model.columns.found(name) is None and model.states.found(name) is None:
                    _find(name, model.columns.names, model, "output")
        twice = [name for number, name in enumerate(names or ()) if name in (names or ())[:number]]
        if twice:
            raise ValueError(f"{twice[0]!r} is there twice; name each output once")
        return names


class OutputSettings(ConfigSection):
    """Folder, names and formats of the files written, and the unit of time in their pictures."""

    folder: Text = Field(
        default=".",
        pattern=r"^[^\x00-\x1f]+$",
        description="folder of the files, from the current folder; created at need",
    )
    base: Annotated[Text | None, KeyUse(own_name_in_rc=False)] = Field(
        default=None,
        pattern=r"^[^/\\\x00-\x1f]+$",
        examples=["run1"],
        description="first part of the files' names; by default that of the config file, else the model's name",
    )
    formats: tuple[Format, ...] = Field(
        default=("simsect", "hdf5"),
        description="simsect: .data, .initial and .param; hdf5: .h5; csv: .csv with all columns and rows",
    )
    time_unit: TimeUnit | None = Field(
        default=None, description="unit of time in pictures; by default one in which their times are easy to read"
    )


class Settings(ConfigSection):
    """A run of hybridsim: a model, its values, and how to solve, record and write it."""

    model: Annotated[
        Text,
        KeyUse(may_vary=False, changes_metrics=False),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "string"},
                    *({"type": "object", "required": keys} for keys in (["mechanism", "contacts"], ["network"])),
                ]
            }
        ),
    ] = Field(
        examples=["slip"],
        description="an installed model, the path of a plug-in file (.py), or a mechanism with contacts: "
        "{mechanism: robot.urdf, base: planar, contacts: ...}, or {network: {nodes: ..., edges: ...}}",
    )
    initial_time: Annotated[FiniteNumber, KeyUse(unit="s")] = Field(
        default=0.0, description="time at which the run begins [s]"
    )
    final_time: Annotated[
        FiniteNumber | None,
        KeyUse(unit="s", per_run=True, in_python="; `run` needs it or a stop, a sweep it or an axis"),
    ] = Field(examples=[10.0], description="time at which the run ends at the latest [s]")
    parameters: dict[str, ParameterEntry] = Field(
        default={},
        examples=[{"g": 9.81}],
        description="the model's parameters by name: numbers, angles (`22 deg`), choices, lists, CSV or NPY files",
    )
    inputs: dict[str, InputEntry] = Field(
        default={},
        examples=[{"push": 0.5}],
        description="the model's inputs by name, which hold these values until they are changed: numbers or angles",
    )
    initial: dict[str, ParameterEntry] = Field(
        default={},
        examples=[{"y": 1.0}],
        description="the initial state by name: numbers or angles (`22 deg`); of a block one for all, or a list",
    )
    initial_chart: Annotated[ChartEntry, KeyUse(own_name_in_rc=False, may_vary=False)] = Field(
        default=None,
        examples=[0],
        description="the chart in which the run begins, a name or a number; by default the model's `initial_chart` "
        "decides, and completes the initial state",
    )
    stop: Annotated[
        tuple[Stop, ...],
        KeyUse(own_name_in_rc=False, in_python=': `("floor", 10)`, `{"state": "x", "value": 1.0}`'),
    ] = Field(
        default=(),
        examples=[[{"boundary": "touchdown", "count": 10}]],
        description="conditions that end the run before final_time; the first one that is met ends it",
    )
    engine: EngineSettings = Field(default_factory=EngineSettings, description="how the equations are solved")
    record: Annotated[
        RecordSettings,
        BeforeValidator(_record_section),
        KeyUse(own_name_in_rc=False, may_vary=False, changes_metrics=False),
    ] = Field(
        default=True,
        validate_default=True,
        description="what is recorded besides the events: every step (true), nothing (false), the multiples of a time "
        "[s], or what the keys `steps`, `period`, `outputs` and `events` say",
    )
    output: Annotated[OutputSettings, KeyUse(own_name_in_rc=False, may_vary=False, changes_metrics=False)] = Field(
        default_factory=OutputSettings, description="folder, names and formats of the files"
    )
    progress_period: Annotated[FiniteNumber, KeyUse(unit="s", may_vary=False, changes_metrics=False)] = Field(
        default=0.0, ge=0, description="simulated time between progress messages [s]; 0: none"
    )
    view: Annotated[Boolean, KeyUse(may_vary=False, changes_metrics=False)] = Field(
        default=False, description="show the run in 3-D"
    )
    orbit: OrbitSettings | None = Field(
        default=None, description="the periodic motion that `hybridsim orbit` looks for, near `initial`"
    )
    sweep: SweepSettings | None = Field(
        default=None, description="keys that `hybridsim sweep` varies, with their values"
    )
    optimize: OptimizationSettings | None = Field(
        default=None, description="what `hybridsim optimize` searches, and by what it judges"
    )
    metrics: MetricsEntry = Field(
        default=None,
        description="results of each run in the table of `hybridsim sweep`, a list or a mapping of columns: status, "
        "count(BOUNDARY), time(BOUNDARY, n), final(QUANTITY), min(..), max(..), mean(..), steps, ...; "
        "by default the status, the final time and all counts",
    )

    @field_validator("metrics")
    @classmethod
    def _are_named(cls, metrics: Any) -> Any:
        if metrics is None or isinstance(metrics, list | dict):
            return metrics
        raise ValueError("expected a list of metrics, or a mapping of columns to metrics; write - count(BOUNDARY)")

    @field_validator("initial_chart")
    @classmethod
    def _chart_exists(cls, chart: int | str | None, info: ValidationInfo) -> int | None:
        model = _model_of(info)
        if model is None or chart is None:
            return None
        if isinstance(chart, str):
            return model.charts.index(_find(chart, model.charts.names, model, "chart"))
        if not 0 <= chart < model.n_charts:
            raise ValueError(f"expected a chart of {model.name}, 0 to {model.n_charts - 1}, found {chart}")
        return chart

    @field_validator("final_time")
    @classmethod
    def _comes_last(cls, final_time: float | None, info: ValidationInfo) -> float | None:
        start = info.data.get("initial_time")
        if final_time is None:
            if not (info.context or {}).get("open_ended"):
                raise ValueError("expected a number, found nothing; give for example 10.0")
        elif start is not None and final_time <= start:
            raise ValueError(f"expected more than initial_time = {start!r}, found {final_time!r}; end after the start")
        return final_time


def _model_of(info: ValidationInfo) -> Model | None:
    return (info.context or {}).get("model")


def _find(name: str, names: tuple[str, ...], model: Model, noun: str) -> str:
    if name not in names:
        hint = nearest(name, names) or f"; choose from: {list_names(names, name)}"
        raise ValueError(f"the model {model.name} has no {noun} {name!r}{hint}")
    return name


def section_at(address: tuple[str | int, ...], root: type[ConfigSection] = Settings) -> type[ConfigSection]:
    """Return the section that the key at `address` belongs to, below the keys of `root`."""
    section = root
    for name in (step for step in address[:-1] if isinstance(step, str)):
        field = section.model_fields.get(name)
        inside = next(_sections_in(field.annotation), None) if field else None
        if inside is None:
            break
        section = inside
    return section


def _sections_in(annotation: Any) -> Iterator[type[ConfigSection]]:
    """Yield the sections in a type: itself, or one of a union or a tuple."""
    if isinstance(annotation, type) and issubclass(annotation, ConfigSection):
        yield annotation
    for each in get_args(annotation):
        yield from _sections_in(each)


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of YAML configs, with which editors complete, describe and check them while typing."""
    schema = Settings.model_json_schema()
    properties = schema["properties"]
    file_name = {"type": "string"}
    properties["include"] = {
        "anyOf": [file_name, {"type": "array", "items": file_name}],
        "description": "YAML files to start from, relative to this one; later ones win, and this file wins over all",
    }
    record = properties["record"]
    short = {"type": ["boolean", "number"]}
    properties["record"] = {"description": record.pop("description"), "anyOf": [short, record]}
    del schema["$defs"]["EngineSettings"]["properties"]["max_step"]["default"]  # JSON has no infinity
    properties["final_time"] = {"type": "number"} | properties["final_time"]
    del properties["final_time"]["anyOf"]  # only Python callers, who advance the run themselves, may leave it out
    required = schema.pop("required")
    schema["anyOf"] = [{"required": required}, {"required": ["include"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "hybridsim configuration"}

"""The keys of a configuration of `hybridsim identify`: what is measured, what is free, and how it is solved."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from hybridsim.config.field_types import Boolean, ConfigSection, FiniteNumber, Integer, Text
from hybridsim.config.schema import json_schema
from hybridsim.typing import Scheme


def _nodes(value: Any) -> Any:
    if value == "data" or (isinstance(value, int) and not isinstance(value, bool) and value >= MIN_NODES):
        return value
    raise ValueError(f"expected a number of nodes, {MIN_NODES} or more, or `data`, found {value!r}; write 1001")


def _list(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def _cyclic(value: Any) -> Any:
    return {name: name for name in value} if isinstance(value, list | tuple) else value


MIN_NODES = 2
"""Fewest nodes of a phase."""

Nodes = Annotated[Any, BeforeValidator(_nodes), WithJsonSchema({"anyOf": [{"type": "integer"}, {"enum": ["data"]}]})]
Entries = dict[str, Annotated[Any, WithJsonSchema({"type": ["number", "string", "object"]})]]


class DataSettings(ConfigSection):
    """A trial: a table of what was measured."""

    file: Text = Field(examples=["trial.csv"], description="a CSV or Parquet file, or that of a run (.h5)")
    time: Text = Field(default="t", description="the column of the times [s]")
    noise: dict[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]] = Field(
        default={},
        examples=[{"q0": 0.0044}],
        description="standard deviations by column; differences are weighted by their squares",
    )
    guard: FiniteNumber = Field(
        default=0.0, ge=0, description="time before and after the end of a phase within which samples do not count [s]"
    )


class CollocationSettings(ConfigSection):
    """How the equations of motion become algebraic ones."""

    scheme: Scheme = Field(default="hermite-simpson", description="the rule that joins nodes")
    nodes: Nodes = Field(default="data", description="nodes of each phase; data: one for each sample")
    inside: Boolean = Field(
        default=False, description="whether no boundary of a phase's chart may be negative at its nodes"
    )


class GuessSettings(ConfigSection):
    """Where the search begins."""

    states: Text = Field(
        default="data",
        description="data: what was measured, smoothed where nothing was; simulate: a run with the guesses; zero; "
        "or the file of a run (.h5)",
    )


class SolverSettings(ConfigSection):
    """How long and how exactly the solver searches."""

    tolerance: FiniteNumber = Field(default=1e-10, gt=0, description="tolerance of the solver")
    max_iterations: Integer = Field(default=300, ge=1, description="most iterations of each start")
    starts: Integer = Field(default=1, ge=1, description="number of guesses, all but the first at random")
    seed: Integer = Field(default=1, ge=0, description="seed of the random guesses")
    homotopy: Integer = Field(default=0, ge=0, description="steps in which the motion is let go from the data; 0: none")


class PhaseSettings(ConfigSection):
    """A phase of a motion: one chart, until a boundary crosses."""

    chart: Annotated[Any, WithJsonSchema({"type": ["integer", "string"]})] = Field(
        examples=["flight"], description="the chart, by name or number"
    )
    until: Text | None = Field(
        default=None, examples=["touchdown"], description="the boundary at its end; none at the end of the motion"
    )
    nodes: Integer | None = Field(default=None, ge=MIN_NODES, description="its nodes")
    duration: Any = Field(
        default=None, examples=[0.4], description="its duration [s], a guess or {guess, lower, upper}"
    )


class MinimizeSettings(ConfigSection):
    """What is to be least: integrals of squares and of quantities, and the time that it takes."""

    squares: dict[str, FiniteNumber] = Field(
        default={}, examples=[{"force": 1.0}], description="weights of integrals of squared inputs, states or outputs"
    )
    integrals: dict[str, FiniteNumber] = Field(
        default={}, examples=[{"power": 1.0}], description="weights of integrals of inputs, states or outputs"
    )
    time: FiniteNumber = Field(default=0.0, description="weight of the final time")


class IdentificationSettings(ConfigSection):
    """What `hybridsim identify` is asked: which unknowns of a model make its motion fit data, or cost least."""

    data: Annotated[tuple[DataSettings, ...], BeforeValidator(_list)] = Field(
        default=(), description="the trials: a table, or several that share the free parameters"
    )
    measured: dict[str, Text] = Field(
        default={}, examples=[{"q0": "q0"}], description="states and outputs that were measured, with their columns"
    )
    free: Entries = Field(
        default={},
        examples=[{"k": 10.0}],
        description="parameters that are unknown, entries of arrays as gains[2]: a guess, or {guess, lower, upper}",
    )
    final: Entries = Field(default={}, description="states at the end: numbers; others are free")
    cyclic: Annotated[dict[str, Text] | None, BeforeValidator(_cyclic)] = Field(
        default=None,
        examples=[["y", "ydot"]],
        description="states that are at the end as at the beginning, of a motion that repeats itself: a list, or a "
        "mapping of a state at the beginning to the one at the end that it is",
    )
    duration: Any = Field(
        default=None,
        examples=[1.0],
        description="duration of the motion [s], where there are no data: a number, or {guess, lower, upper}",
    )
    phases: tuple[PhaseSettings, ...] | Literal["simulate"] = Field(
        default=(), description="charts through which the motion goes; simulate: those of a run with the guesses"
    )
    limits: Entries = Field(default={}, description="{lower, upper} of states, inputs and outputs along the way")
    minimize: MinimizeSettings | None = Field(default=None, description="what is to be least, besides misfits")
    collocation: CollocationSettings = Field(default_factory=CollocationSettings)
    guess: GuessSettings = Field(default_factory=GuessSettings)
    solver: SolverSettings = Field(default_factory=SolverSettings)
    method: Literal["collocation", "shooting"] = Field(
        default="collocation", description="shooting simulates the model instead, and needs no solver"
    )

    @field_validator("phases", mode="before")
    @classmethod
    def _is_list(cls, value: Any) -> Any:
        if value == "simulate" or isinstance(value, list | tuple):
            return value
        raise ValueError(
            f"expected a list of phases, or `simulate`, found {value!r}; write [{{chart: flight, until: ...}}]"
        )


RUN_KEYS = ("model", "initial_time", "parameters", "inputs", "initial", "initial_chart", "engine", "output")
"""Keys of a run that a config of an identification has, too."""


def identification_schema() -> dict[str, Any]:
    """Return the JSON schema of configs of `hybridsim identify`."""
    own, run = IdentificationSettings.model_json_schema(), json_schema()
    data, cyclic = own["properties"]["data"], own["properties"]["cyclic"]  # both have a short form
    own["properties"]["data"] = {"description": data.pop("description"), "anyOf": [data["items"], data]}
    cyclic["anyOf"].append({"type": "array", "items": {"type": "string"}})
    shared = {key: run["properties"][key] for key in RUN_KEYS}
    for key in ("inputs", "initial"):  # numbers, or what is unknown of them
        entry = shared[key]["additionalProperties"]
        shared[key] = {**shared[key], "additionalProperties": {"anyOf": [*entry["anyOf"], {"type": "object"}]}}
    return {
        "$schema": run["$schema"],
        "title": "hybridsim identification",
        "type": "object",
        "properties": {"include": run["properties"]["include"], **shared, **own["properties"]},
        "$defs": run["$defs"] | own["$defs"],
        "additionalProperties": False,
        "required": ["model"],
    }

"""The section `orbit` of a config: which periodic motion `hybridsim orbit` looks for."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from hybridsim.config.field_types import ConfigSection, FiniteNumber, Integer, Text
from hybridsim.typing import Direction, Side


def _boundary_only(value: Any) -> Any:
    """`section: heelstrike` is short for `section: {boundary: heelstrike}`."""
    return {"boundary": value} if isinstance(value, str) else value


def _by_one(value: Any) -> Any:
    """`[x, foot_x]` is short for `{x: 1, foot_x: 1}`."""
    return dict.fromkeys(value, 1.0) if isinstance(value, (list, tuple)) else value


class SectionSettings(ConfigSection):
    """Where a stride begins and ends: at an event of a boundary, at a value of a state, or after a fixed time."""

    boundary: Text | None = Field(default=None, examples=["heelstrike"], description="a boundary of the model")
    chart: Text | None = Field(
        default=None, examples=["flight"], description="count only events that begin in this chart; by default in all"
    )
    when: Side = Field(
        default="after", description="the orbit's state is that after or before the boundary's transition"
    )
    time: FiniteNumber | None = Field(
        default=None, gt=0, examples=[1.5], description="instead of a boundary: the time that a stride takes [s]"
    )

    state: Text | None = Field(
        default=None, examples=["theta"], description="instead of a boundary: a state that passes a value"
    )
    value: FiniteNumber | None = Field(default=None, examples=[0.0], description="the value of that state")
    direction: Direction = Field(default="rising", description="how the state passes the value")

    @model_validator(mode="after")
    def _is_one_kind(self) -> SectionSettings:
        if sum(given is not None for given in (self.boundary, self.time, self.state)) != 1:
            raise ValueError("expected a boundary, a time or a state; give one of them")
        if (self.state is None) != (self.value is None):
            raise ValueError("expected a state with its value; give both")
        return self


class SymmetrySettings(ConfigSection):
    """The image in which a stride ends, such as left and right exchanged."""

    negate: tuple[Text, ...] = Field(default=(), examples=[["roll"]], description="states that change their sign")
    swap: tuple[tuple[Text, ...], ...] = Field(
        default=(), examples=[[["left", "right"]]], description="pairs of states that exchange their values"
    )
    charts: dict[str, Text] = Field(
        default={}, examples=[{"left_stance": "right_stance"}], description="the image of each chart that has another"
    )
    boundaries: dict[str, Text] = Field(
        default={}, examples=[{"hot": "cold"}], description="the image of each boundary that has another"
    )


class TurnedSettings(ConfigSection):
    """States in the plane that may be turned together without a change, as of a robot that walks round a bend."""

    angles: tuple[Text, ...] = Field(
        min_length=1, examples=[["heading"]], description="directions in the plane [rad]; the first tells the turn"
    )
    positions: tuple[tuple[Text, Text], ...] = Field(
        default=(), examples=[[["x", "y"], ["foot_x", "foot_y"]]], description="points, turned round the first of them"
    )
    vectors: tuple[tuple[Text, Text], ...] = Field(
        default=(), examples=[[["vx", "vy"]]], description="velocities and other vectors, by their components"
    )


class OrbitSettings(ConfigSection):
    """The periodic motion that `hybridsim orbit` looks for, near the initial state."""

    section: Annotated[SectionSettings, BeforeValidator(_boundary_only)] = Field(
        examples=["heelstrike"], description="where a stride begins and ends: the name of a boundary, or a mapping"
    )
    strides: Integer = Field(default=1, ge=1, description="strides in a period")
    symmetry: SymmetrySettings = Field(
        default_factory=SymmetrySettings, description="the image in which a stride ends; none by default"
    )
    translated: tuple[Annotated[dict[str, FiniteNumber], BeforeValidator(_by_one), Field(min_length=2)], ...] = Field(
        default=(),
        examples=[[["x", "foot_x"]]],
        description="states that are moved together without a change, as a body and its feet in the world: lists, or "
        "mappings to by how much; `t` with counters of a clock. They are found where none are given",
    )
    turned: TurnedSettings | None = Field(
        default=None, description="states in the plane that are turned together without a change; none by default"
    )
    fixed: dict[str, FiniteNumber] = Field(
        default={},
        examples=[{"energy": 1784.8}],
        description="values of states or outputs on the section, which choose one orbit of a family",
    )
    starts: Integer = Field(
        default=1, ge=1, examples=[32], description="states round the guess that are tried; 1: only the guess"
    )
    max_time: FiniteNumber = Field(default=100.0, gt=0, description="time after which a stride is given up [s]")
    tolerance: FiniteNumber = Field(
        default=1e-10, gt=0, description="by how much the motion may miss itself, in the sizes of its states"
    )
    measure: dict[str, Text] = Field(
        default={},
        examples=[{"lowest": "clearance.min"}],
        description="columns of the table of `hybridsim orbit table`, with the characteristics in them; none: the "
        "period and the growth of deviations",
    )

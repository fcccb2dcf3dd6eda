"""Types of the values in a configuration, and the uses of its keys outside the schema."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic.fields import FieldInfo

from hybridsim.typing import EventKind


class ConfigSection(BaseModel):
    """Base class of all sections: unknown keys are refused, and sections are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyUse:
    """How a key is used outside the schema; annotates the key's type there.

    Attributes
    ----------
    unit : str
        Unit of the values; "" for words and plain numbers.
    own_name_in_rc : bool
        An rc file may also use the key's own name, which no model can then give to a parameter.
    copied : bool
        The engine's record of settings holds the value under the same name; None is stored as "no limit".
    per_run : bool
        A sweep may write the value into the engine's settings before each run. Only possible if the engine derives
        nothing else from it; otherwise every value needs an engine prepared anew.
    may_vary : bool
        An axis of a sweep may vary the key.
    changes_metrics : bool
        The metrics of a sweep depend on the key, so a sweep that is resumed must have the same value.
    in_python : str
        End of the key's description for the keyword of Python functions, which takes more.
    """

    unit: str = ""
    own_name_in_rc: bool = True
    copied: bool = False
    per_run: bool = False
    may_vary: bool = True
    changes_metrics: bool = True
    in_python: str = ""


def use_of(field: FieldInfo) -> KeyUse | None:
    """Return the `KeyUse` in the annotation of a key, None if it has none."""
    return next((each for each in field.metadata if isinstance(each, KeyUse)), None)


class Begin(NamedTuple):
    """When the metrics of a sweep begin to count: at a time, and after a fraction of the time of each run.

    Attributes
    ----------
    time : float
        The time [s].
    fraction : float
        The fraction of the time from the initial to the final time, from 0 to 1.
    """

    time: float = -math.inf
    fraction: float = 0.0


WHOLE_RUN = Begin()
"""Metrics count from the beginning of a run."""


def _begin(value: Any) -> Any:
    """Read a time [s], `half`, or a percentage of the time of a run."""
    if value is None or isinstance(value, Begin):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return Begin(time=float(value))
    percentage = _PERCENTAGE.fullmatch(value) if isinstance(value, str) else None
    if value == "half" or (percentage and float(percentage[1]) < 100.0):
        return Begin(fraction=float(percentage[1]) / 100.0 if percentage else 0.5)
    raise ValueError(f"expected a time [s], `half` or a percentage below 100 %, found {value!r}; write 75 %")


_PERCENTAGE = re.compile(r"\s*(\d+(?:\.\d*)?)\s*%\s*")


def _integer(value: Any) -> Any:
    """Convert a whole number that is written as a float, such as `1e5`, to an integer."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _chart(value: Any) -> Any:
    """Check the name or the number of a chart, or None; a union of types would explain an error once for each type."""
    value = _integer(value)
    is_number = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_INTEGER
    if value is None or is_number or (isinstance(value, str) and value):
        return value
    raise ValueError(f"expected the name or the number of a chart, found {value!r}; give for example 0")


def _events(value: Any) -> Any:
    """Check which events are recorded: `all`, `none`, a list of kinds, or n for every n-th."""
    value, kinds = _integer(value), get_args(EventKind)
    if isinstance(value, list | tuple) and value and all(kind in kinds for kind in value):
        return tuple(dict.fromkeys(value))
    if value in ("all", "none") or (type(value) is int and 1 <= value <= MAX_INTEGER):
        return value
    raise ValueError(
        f"expected `all`, `none`, a list of kinds ({', '.join(kinds)}), or n for every n-th, found {value!r}; "
        "write for example [zeno, input], or 100"
    )


MAX_INTEGER = 10**15
"""The largest whole number: the engine counts in 64 bits."""

PARAMETER_TYPES: list[dict[str, Any]] = [
    {"type": "number"},
    {"type": "string"},
    {"type": "array", "items": {"type": ["number", "string", "array"]}},
]
"""JSON schemas of the values that a parameter may take."""

FiniteNumber = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Integer = Annotated[int, Field(strict=True, le=MAX_INTEGER), BeforeValidator(_integer)]
SampleCount = Annotated[
    int, Field(strict=True), BeforeValidator(_integer)
]  # not an Integer: of two upper limits, pydantic applies the larger one
Boolean = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True, min_length=1)]
ChartEntry = Annotated[
    Any, BeforeValidator(_chart), WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]})
]

EventsEntry = Annotated[
    Any,
    BeforeValidator(_events),
    WithJsonSchema(
        {
            "anyOf": [
                {"enum": ["all", "none"]},
                {"type": "array", "items": {"enum": [*get_args(EventKind)]}, "minItems": 1},
                {"type": "integer", "minimum": 1},
            ]
        }
    ),
]

BeginEntry = Annotated[
    Any, BeforeValidator(_begin), WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}, {"type": "null"}]})
]

# Only the model determines what its parameters accept: `values` checks them.
# A mapping has the names behind the dot: {h: {phi: 1}} is {h.phi: 1}.
ParameterEntry = Annotated[Any, WithJsonSchema({"anyOf": [*PARAMETER_TYPES, {"type": "object"}]})]
InputEntry = Annotated[Any, WithJsonSchema({"anyOf": PARAMETER_TYPES[:2]})]

# Only the model determines which keys may vary, and over which values: `sweep.factors` and `sweep.metrics` check these.
AxisEntry = Annotated[Any, WithJsonSchema({"anyOf": PARAMETER_TYPES})]
AxisEntries = dict[str, AxisEntry]
DistributionEntries = dict[str, Annotated[Any, WithJsonSchema({"type": "string"})]]
RowsEntry = Annotated[
    Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "array"}}]})
]
MetricsEntry = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
                {"type": "object", "additionalProperties": {"type": "string"}, "minProperties": 1},
                {"type": "null"},
            ]
        }
    ),
]

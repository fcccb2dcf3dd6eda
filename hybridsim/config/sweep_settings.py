"""The keys of the section `sweep`: what varies, and what its metrics may name."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, create_model, field_validator

from hybridsim.config.field_types import (
    AxisEntries,
    BeginEntry,
    ConfigSection,
    DistributionEntries,
    Integer,
    KeyUse,
    RowsEntry,
    SampleCount,
    Text,
)
from hybridsim.engine.status import Status

MAX_RANDOM_RUNS = 10**8
"""Most runs in a group of a sweep that is drawn at random; more do not fit into memory."""


STATUSES = tuple(Status.__members__)
"""Names of the ways in which a run can end."""


class SampleSettings(ConfigSection):
    """Values drawn at random: one sample gives each of its keys a value from the key's distribution."""

    samples: SampleCount = Field(ge=1, le=MAX_RANDOM_RUNS, examples=[1000], description="number of runs")
    seed: Integer = Field(
        default=0, ge=0, description="seed of the random numbers; the same seed draws the same values"
    )
    axes: DistributionEntries = Field(
        description="distribution by key: uniform(a, b), loguniform(a, b) or normal(mean, sigma)"
    )


_FROM: Any = Field(
    default=None,
    examples=["half"],
    description="when metrics begin to count: a time [s], `half` or `75 %` of the time of a run; by default its start",
)


_From: Any = create_model("_From", __base__=ConfigSection, **{"from": (BeginEntry, _FROM)})  # type: ignore[call-overload]
# `from` is a keyword of Python


class MetricsSection(_From):  # type: ignore[misc]
    """A section of runs that have metrics: when these begin to count, and what they may name besides."""

    extra_outputs: Text | None = Field(
        default=None,
        examples=["./clearance.py"],
        description="a plug-in file of functions f(t, x, p, chart) that metrics may name like outputs",
    )


class SweepSettings(MetricsSection):
    """Many runs that differ in some values: every combination of these groups, the last one varying fastest."""

    axes: AxisEntries | None = Field(
        default=None,
        examples=[{"k": [1.0, 2.0]}],
        description="values by key (k, engine.rtol), of which every combination is run: a list, linspace(a, b, n), "
        "logspace(a, b, n) from a to b, arange(a, b, step), or an NPY or CSV file of numbers; numbers may be angles, "
        "`linspace(-50 deg, -10 deg, 9)`",
    )
    zip: AxisEntries | None = Field(
        default=None,
        examples=[{"k": [1.0, 2.0], "m": [3.0, 4.0]}],
        description="values by key that vary together, all lists of one length",
    )
    random: Annotated[
        SampleSettings | None,
        KeyUse(in_python=': `{"samples": 100, "seed": 1, "axes": {"k": "uniform(1e4, 2e4)"}}`'),
    ] = Field(default=None, description="values drawn independently")
    latin_hypercube: SampleSettings | None = Field(
        default=None,
        description="values drawn so that each of `samples` equally probable parts of a distribution has one",
    )
    rows: Annotated[RowsEntry | None, KeyUse(in_python=", or a table of pandas or pyarrow")] = Field(
        default=None,
        description="a CSV or Parquet file with one line per run and one column per key, `k` or `angle [deg]`; "
        "or a mapping of columns",
    )
    results: tuple[Literal[*STATUSES], ...] = Field(  # type: ignore[valid-type]  # they are known when it is run
        default=(),
        examples=[["LEFT_CHART"]],
        description="ends of runs, by name, that are results, such as a fall; pictures mark runs that ended otherwise "
        "than at the final time or a stop",
    )
    block: Integer | None = Field(
        default=None, ge=1, examples=[500], description="runs per part file; by default chosen from their number"
    )

    @field_validator("rows")
    @classmethod
    def _is_a_table(cls, rows: Any) -> Any:
        if rows is None or (isinstance(rows, str | dict) and rows):
            return rows
        raise ValueError("expected the path of a CSV or Parquet file, or a mapping of columns; name a file")

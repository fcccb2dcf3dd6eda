"""The table of an optimisation: a row for each run, in the order of generations, searches and settings."""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim import __version__
from hybridsim.config.run_config import resolve
from hybridsim.config.sweep import Metric
from hybridsim.config.sweep.metrics import LAST_KINDS
from hybridsim.config.values import split_key
from hybridsim.optimisation.problem import Columns, Problem
from hybridsim.optimisation.ranks import Ranks
from hybridsim.sweeps.columns import count_statuses, numbers_of
from hybridsim.sweeps.event_table import ROW_COLUMN, axis_type, field_of, make_column
from hybridsim.sweeps.manifest import FORMAT_VERSION, OPTIMIZATION_FORMAT, metric_descriptions, values_that_matter
from hybridsim.sweeps.plan import Block, Rows
from hybridsim.sweeps.provenance import provenance
from hybridsim.sweeps.results import Failures, complete, metric_type, status_column

PLACE_COLUMNS = ("generation", "run", "particle", "repeat")
"""Columns of the place of a row: its generation, the search, the setting among those of a generation, which of its
runs; the searches are numbered from 1, all others from 0."""

STAGE_COLUMN, VALUE_COLUMN = "stage", "value"
"""Columns of the rank of a run: the stage that counts, from 1, and the value of its objective."""

KEYS_THAT_MAY_CHANGE = ("patience", "polish", "agreement")
"""Settings of an optimisation that may be others when it is resumed."""


class _Generations(Rows):
    """Rows whose parts have the same names however many generations there are."""

    digits = 10


class SearchLayout:
    """The columns of the table of an optimisation, and what its folder holds.

    Parameters
    ----------
    problem : Problem
        The optimisation.

    Attributes
    ----------
    sweeps : tuple of SweepConfig
        Those of the subspaces, with a status among their metrics.
    plan : Rows
        The rows; each block is a generation.
    """

    events, what = None, "search"

    def __init__(self, problem: Problem) -> None:
        self.problem, self.config = problem, problem.config
        self.sweeps = tuple(complete(sweep) for sweep in self.config.sweeps)
        n = problem.n_rows
        self.plan = _Generations(n * self.config.settings.method.generations, n)
        self.metrics = _first_by_name([metric for sweep in self.sweeps for metric in sweep.metrics])
        self.status = status_column(self.metrics)

    @cached_property
    def names(self) -> dict[str, str]:
        """The columns of what is set: key -> name, choices first."""
        choices = [key for words in self.config.choices for key in words]
        searched = [key for transform in self.config.transforms for key in transform.keys]
        return {key: split_key(key)[1] for key in (*choices, *searched, *self.config.conditions)}

    @cached_property
    def schema(self) -> pa.Schema:
        axes = {axis.key: axis for sweep in self.sweeps for axis in sweep.axes}
        places = PLACE_COLUMNS if self.problem.repeats > 1 else PLACE_COLUMNS[:-1]
        fields = [field_of(name, pa.int64(), "") for name in (ROW_COLUMN, *places)]
        for key, name in self.names.items():
            kind, unit = (axis_type(axes[key]), axes[key].unit) if key in axes else (pa.string(), "")
            fields.append(field_of(name, kind, unit))
        fields += [field_of(metric.name, metric_type(metric), metric.unit) for metric in self.metrics]
        fields += [field_of(STAGE_COLUMN, pa.int64(), ""), field_of(VALUE_COLUMN, pa.float64(), "")]
        metadata = {"hybridsim": __version__, "model": self.config.run.model.name}
        return pa.schema(fields, metadata=metadata)

    def owns(self, name: str) -> bool:
        """Return whether a file with this name is a config of a best setting."""
        return name.startswith("best") and name.endswith(".yaml")

    def rows(self, block: Block) -> pa.Array:
        """Return the numbers of a block's rows."""
        return make_column(np.arange(block.first, block.end, dtype=np.int64), pa.int64())

    def places(self, block: Block) -> dict[str, NDArray[Any]]:
        """Return the columns of the places of a generation's rows."""
        problem, n = self.problem, len(block)
        run, particle, repeat = np.unravel_index(
            np.arange(n), (problem.n_searches, problem.population, problem.repeats)
        )
        generation = np.full(n, block.first // self.plan.block)
        return dict(zip(PLACE_COLUMNS, (generation, run + 1, particle, repeat), strict=True))

    def settings(self, block: Block, values: Columns) -> pa.Table:
        """Return the columns of a generation that are known before it is evaluated."""
        named = {self.names[key]: column for key, column in values.items()} | self.places(block)
        known = [field for field in self.schema if field.name == ROW_COLUMN or field.name in named]
        columns = [
            self.rows(block) if field.name == ROW_COLUMN else _column(named[field.name], field) for field in known
        ]
        return pa.Table.from_arrays(columns, schema=pa.schema(known, metadata=self.schema.metadata))

    def table(self, settings: pa.Table, metrics: Columns, ranks: Ranks) -> pa.Table:
        """Return the rows of a generation."""
        signs = np.array([stage.sign for stage in self.config.stages])
        found = {**metrics, STAGE_COLUMN: ranks.stages + 1, VALUE_COLUMN: signs[ranks.stages] * ranks.values}
        columns = [
            settings[field.name] if field.name in settings.column_names else _column(found[field.name], field)
            for field in self.schema
        ]
        return pa.table(columns, schema=self.schema)

    def rank(self, values: Columns, metrics: Columns) -> Ranks:
        """Return the rank of each run from what is set, by key, and its metrics."""
        named = {**values, **{self.names[key]: column for key, column in values.items()}, **metrics}
        return self.problem.rank(named, metrics[self.status])

    def ranks(self, table: pa.Table) -> Ranks:
        """Return the ranks that rows of a table have, by their stages and values."""
        signs = np.array([stage.sign for stage in self.config.stages])
        stages = numbers_of(table, STAGE_COLUMN).astype(np.int64) - 1
        values = signs[stages] * numbers_of(table, VALUE_COLUMN)
        return Ranks(stages, np.where(np.isfinite(values), values, np.inf))

    @property
    def needed(self) -> list[str]:
        """The metrics that the stages name."""
        known = {metric.name for metric in self.metrics}
        sides = [side for stage in self.config.stages if stage.until for side in (stage.until.left, stage.until.right)]
        return [
            name
            for name in dict.fromkeys([*(stage.objective for stage in self.config.stages), *sides])
            if name in known
        ]

    def statuses(self, table: pa.Table) -> Counter[str]:
        """Return the number of rows with each status."""
        return count_statuses(table, self.status)

    def failures(self) -> Failures:
        """Return a counter of the rows that fail."""
        return Failures([dataclasses.asdict(metric) for metric in self.metrics], ())

    def config_files(self, folder: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the config as plain data for a folder with this name; no file of its own is needed."""
        run = resolve(self.config.run)
        output = {name: value for name, value in run["output"].items() if name != "folder"}
        return {**run, "output": {**output, "base": folder}, **self.config.data}, {}

    def description(self) -> dict[str, Any]:
        """Return everything in the config on which the results depend, and the meaning of the columns."""
        settings = self.config.settings.model_dump(mode="json", exclude={"start", "extra_outputs"})
        method = self.config.settings.method
        if method.name == "mmpso" and not method.migration.steady:
            settings["generations of mmpso"] = settings["method"][
                "generations"
            ]  # its probabilities depend on how many there are
        settings["method"].pop("generations")
        start = self.config.start
        return {
            "format": OPTIMIZATION_FORMAT,
            "format_version": FORMAT_VERSION,
            "model": self.config.run.model.name,
            "metrics": metric_descriptions(self.metrics),
            "columns": self.schema.names,
            "stages": [str(stage) for stage in self.config.stages],
            "optimize": {name: value for name, value in settings.items() if name not in KEYS_THAT_MAY_CHANGE},
            "start": None if start is None else [start.subspace, *start.variables.tolist()],
            "run": self._run_values(),
            "block": self.plan.block,
        }

    def _run_values(self) -> dict[str, Any]:
        """Return the values of the run of each subspace that are not searched; those of all once."""
        found: dict[str, Any] = {}
        for number, sweep in enumerate(self.sweeps):
            for key, value in values_that_matter(sweep).items():
                if found.setdefault(key, value) != value:
                    found[f"{key} in subspace {number}"] = value
        return found

    def provenance(self) -> dict[str, Any]:
        """Return everything else on which the results depend."""
        each = [provenance(sweep) for sweep in self.sweeps]
        models = "\n".join(made["plugin"] for made in each)
        return {**each[0], "plugin": hashlib.sha256(models.encode()).hexdigest()[:16] if len(each) > 1 else models}


def _first_by_name(metrics: Sequence[Metric]) -> list[Metric]:
    """Return metrics with one value in each run, of those of one name the first."""
    found: dict[str, Metric] = {}
    for metric in metrics:
        if metric.kind not in LAST_KINDS:
            found.setdefault(metric.name, metric)
    return [*found.values()]


def _column(values: NDArray[Any], field: pa.Field) -> pa.Array:
    """Return a column; null where a number is missing, as that of a parameter of another part."""
    if pa.types.is_string(field.type):
        return make_column(values, field.type)
    missing = np.isnan(values.astype(float))
    numbers = np.where(missing, 0, values) if pa.types.is_integer(field.type) else values
    return make_column(numbers, field.type, ~missing)

"""The table of a sweep: its columns, its Parquet parts, and `load_sweep`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim import __version__
from hybridsim.config.source import show
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.sweep.metrics import CAUSE_KIND, COUNT_KINDS, LAST_KINDS, STATUS_KIND, WORD_KINDS
from hybridsim.config.sweep.sweep_config import sweep_files
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.sweeps.columns import count_statuses
from hybridsim.sweeps.event_table import ROW_COLUMN, EventLayout, axis_type, field_of, make_column
from hybridsim.sweeps.manifest import (
    PLAN_FILE,
    RESUME_ADVICE,
    SWEEP_FORMAT,
    description,
    event_parts,
    part_files,
    read_description,
    to_list,
)
from hybridsim.sweeps.part_file import read_parts
from hybridsim.sweeps.plan import Block, Plan
from hybridsim.sweeps.provenance import provenance

Results = Mapping[str, NDArray[Any]]
"""Metric -> its values in the rows of a block, (n,), or (n, k) at the last k events of each, nan where it had fewer."""

_NULLABLE_KINDS = ("time", "at", "after", "formula")


def complete(config: SweepConfig) -> SweepConfig:
    """Return the sweep with what every table needs among its metrics.

    That is the status, added as the first one if it is missing: without it, rows of failed runs could not be
    distinguished from the others. And the count of each boundary whose last events have rows of their own: it numbers
    them.
    """
    metrics = config.metrics
    if not any(metric.kind == STATUS_KIND for metric in metrics):
        metrics = (Metric(_free_name(STATUS_KIND, config, metrics), STATUS_KIND, "", 0, ""), *metrics)
    for boundary in dict.fromkeys(metric.of for metric in metrics if metric.kind in LAST_KINDS):
        if not any((metric.kind, metric.of) == ("count", boundary) for metric in metrics):
            name = _free_name(f"count({boundary})", config, metrics)
            metrics = (*metrics, Metric(name, "count", boundary, 0, ""))
    return config if metrics is config.metrics else replace(config, metrics=metrics)


def _free_name(name: str, config: SweepConfig, metrics: Sequence[Metric]) -> str:
    """Return a name that no column has."""
    taken = {ROW_COLUMN, *(axis.name for axis in config.axes), *(metric.name for metric in metrics)}
    while name in taken:
        name = f"run_{name}"
    return name


def status_column(metrics: Sequence[Metric]) -> str:
    """Return the name of the column with the status."""
    return next(metric.name for metric in metrics if metric.kind == STATUS_KIND)


@dataclass(frozen=True, slots=True)
class TableLayout:
    """The columns of the table of a sweep.

    Attributes
    ----------
    config : SweepConfig
        The sweep, with a status among its metrics.
    plan : Plan
        Its rows.
    schema : pyarrow.Schema
        The columns `row`, the axes and the metrics; units are in the fields' metadata.
    events : EventLayout or None
        The columns of the table of events, if there is one.
    """

    config: SweepConfig
    plan: Plan
    schema: pa.Schema
    events: EventLayout | None
    what = "sweep"

    @classmethod
    def of(cls, config: SweepConfig) -> TableLayout:
        """Return the layout for a sweep, completed."""
        config = complete(config)
        fields = [
            field_of(ROW_COLUMN, pa.int64(), ""),
            *(field_of(axis.name, axis_type(axis), axis.unit) for axis in config.axes),
            *(field_of(metric.name, metric_type(metric), metric.unit) for metric in _metrics_per_run(config.metrics)),
        ]
        metadata = {"hybridsim": __version__, "model": config.run.model.name}
        return cls(config, Plan(config), pa.schema(fields, metadata=metadata), EventLayout.of(config, metadata))

    def owns(self, name: str) -> bool:  # noqa: ARG002
        """Return whether a file with this name belongs to the results; a sweep has parts alone."""
        return False

    def rows(self, block: Block) -> pa.Array:
        """Return the numbers of a block's rows."""
        return make_column(np.arange(block.first, block.end, dtype=np.int64), pa.int64())

    def table(self, block: Block, results: Results) -> pa.Table:
        """Return the rows of a block as a table."""
        values = self.plan.values(block.first, block.end)
        columns = [
            self.rows(block),
            *(make_column(values[axis.key], axis_type(axis)) for axis in self.config.axes),
            *(_metric_array(results[metric.name], metric) for metric in _metrics_per_run(self.config.metrics)),
        ]
        return pa.Table.from_arrays(columns, schema=self.schema)

    def event_table(self, block: Block, results: Results) -> pa.Table | None:
        """Return the events of a block's runs as a table; None if the sweep asks for none."""
        return self.events and self.events.table(block, self.plan.values(block.first, block.end), results)

    def statuses(self, table: pa.Table) -> Counter[str]:
        """Return the number of rows with each status."""
        return count_statuses(table, status_column(self.config.metrics))

    def failures(self) -> Failures:
        """Return a counter of the rows that fail."""
        return Failures([asdict(metric) for metric in self.config.metrics], self.config.results)

    def config_files(self, folder: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the config as plain data for a folder with this name, and lists of numbers in files of their own."""
        config, files = sweep_files(self.config)
        # the default folder of a sweep has the name of the config
        return {**config, "output": {**_without_folder(config["output"]), "base": folder}}, files

    def description(self) -> dict[str, Any]:
        """Return everything in the config on which the results depend, and the meaning of the columns."""
        return description(self.config, self.plan)

    def provenance(self) -> dict[str, Any]:
        """Return everything else on which the results depend."""
        return provenance(self.config)


def _without_folder(output: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in output.items() if name != "folder"}


class Failures:
    """Counts rows that failed by how they did, as they come.

    Parameters
    ----------
    metrics : sequence of dict
        Name and kind of each metric.
    results : sequence of str
        Names of statuses that are no failure.
    """

    def __init__(self, metrics: Sequence[Mapping[str, Any]], results: Sequence[str]) -> None:
        self._status, self._results = _status_name(metrics), results
        self._cause = next((metric["name"] for metric in metrics if metric["kind"] == CAUSE_KIND), None)
        self._found: dict[tuple[str, str], tuple[int, int]] = {}  # status and cause -> number, and first row
        self._lock = Lock()

    def add(self, table: pa.Table) -> None:
        """Count the rows of a table that failed; several threads may do so at once."""
        statuses = table[self._status].to_pylist()
        if all(is_success(status, self._results) for status in {*statuses}):
            return
        causes = [""] * len(statuses) if self._cause is None else table[self._cause].to_pylist()
        with self._lock:
            for row, *ended in zip(table[ROW_COLUMN].to_pylist(), statuses, causes, strict=True):
                if not is_success(ended[0], self._results):
                    count, first = self._found.get((ended[0], ended[1]), (0, row))
                    self._found[ended[0], ended[1]] = count + 1, min(first, row)

    def listed(self) -> list[tuple[str, str, int, int]]:
        """Return status, cause, number and first row of each way to fail, the most frequent first."""
        return sorted(((*ended, *found) for ended, found in self._found.items()), key=lambda item: -item[2])


def _metrics_per_run(metrics: Sequence[Metric]) -> list[Metric]:
    """Return the metrics that have one value in each run."""
    return [metric for metric in metrics if metric.kind not in LAST_KINDS]


def metric_type(metric: Metric) -> pa.DataType:
    """Return the type of the column of a metric."""
    return pa.string() if metric.kind in WORD_KINDS else pa.int64() if metric.kind in COUNT_KINDS else pa.float64()


def _metric_array(values: NDArray[Any], metric: Metric) -> pa.Array:
    """Return the column of a metric; what belongs to an event that did not happen is null, other metrics keep nan."""
    return make_column(values, metric_type(metric), ~np.isnan(values) if metric.kind in _NULLABLE_KINDS else None)


@dataclass(frozen=True, slots=True)
class SweepTable:
    """Results of a sweep, finished or not, as `load_sweep` returns them.

    Parameters
    ----------
    table : pyarrow.Table
        The finished rows in order, with the columns `row`, the axes and the metrics. The metadata of each field has its
        unit under `unit`.
    axes : list of dict
        Description of each axis: name, key, unit, degrees (whether its values were given in degrees), factor (index;
        axes of one factor vary together, the last factor varies fastest), n (number of values), first, last, and values
        (a hash of them).
    metrics : list of dict
        Description of each metric: name, kind, of, number, unit.
    n_rows : int
        Number of rows of the whole sweep.
    model : str
        Name of the model.
    results : tuple of str
        Names of statuses that are results, by the config, besides FINAL_TIME and STOPPED.
    events : pyarrow.Table or None
        The rows of the events that metrics `last(BOUNDARY, k, QUANTITY)` ask for, with the columns `row`, the axes,
        `boundary`, `event` (its number in the run, from 1) and the metrics; None if there are no such metrics.
    """

    table: pa.Table
    axes: list[dict[str, Any]]
    metrics: list[dict[str, Any]]
    n_rows: int
    model: str
    results: tuple[str, ...] = ()
    events: pa.Table | None = None

    def failures(self) -> list[str]:
        """Return how the run of each finished row failed.

        Returns
        -------
        list of str
            Name of its status; "" if it ended at the final time, at a stop, or with one of the `results`.
        """
        statuses: list[str] = self.table[_status_name(self.metrics)].to_pylist()
        return ["" if is_success(name, self.results) else name for name in statuses]

    def statuses(self) -> Counter[str]:
        """Count the finished rows by their status.

        Returns
        -------
        Counter of str
            Name of a status -> number of rows.
        """
        return count_statuses(self.table, _status_name(self.metrics))

    def causes(self) -> list[tuple[str, str, int, int]]:
        """Count the finished rows that failed by how they did.

        Returns
        -------
        list of (str, str, int, int)
            Name of a status, the metric `cause` ("" if the sweep has none), number of rows, and the first of them; the
            most frequent first.
        """
        found = Failures(self.metrics, self.results)
        found.add(self.table)
        return found.listed()


def is_success(status: str, results: Sequence[str] = ()) -> bool:
    """Return whether a run with this status ended where it was meant to, or with one of the results.

    The statuses of orbits, in the table of a map, are none of a run; they are its results.
    """
    return status in results or status not in Status.__members__ or Status[status].ok


def _status_name(metrics: Sequence[Mapping[str, Any]]) -> str:
    name: str = next(metric["name"] for metric in metrics if metric["kind"] == STATUS_KIND)
    return name


def folder_of(given: object) -> Path:
    """Return the path of a folder that the user gives.

    Raises
    ------
    ConfigError
        If it is neither a text nor a path.
    """
    if not isinstance(given, str | os.PathLike):
        raise ConfigError(f"folder: expected a path, found {show(given)}; give one as text, or as a Path")
    return Path(given)


@explains_keywords()
def load_sweep(folder: str | os.PathLike[str]) -> SweepTable:
    """Read the results of a sweep, finished or not, from its folder.

    Parameters
    ----------
    folder : str or path-like
        The folder that the sweep wrote.

    Returns
    -------
    SweepTable
        The finished rows, and descriptions of axes and metrics.

    Raises
    ------
    ConfigError
        If the folder holds no sweep, no block is finished yet, or a part is damaged.
    """
    folder = folder_of(folder)
    parts = dict(part_files(folder))
    described = read_description(folder, SWEEP_FORMAT)
    if described is None and parts:
        raise ConfigError(f"{folder / PLAN_FILE}: there is no such file with the parts; bring it back or compute anew")
    if described is None:
        raise ConfigError(f"{folder}: holds no results of a sweep; give the folder that `hybridsim sweep` wrote")
    if not parts:
        raise ConfigError(f"{folder}: no block of this sweep is finished yet; compute some with {RESUME_ADVICE}")
    return SweepTable(
        table=read_parts(parts, parts.values()),
        axes=to_list(described["axes"]),
        metrics=to_list(described["metrics"]),
        n_rows=described["rows"],
        model=described["model"],
        results=tuple(described.get("results", ())),
        events=read_parts(parts, event_parts(folder, parts.values())),
    )

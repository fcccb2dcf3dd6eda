"""Whole trajectories of chosen rows: run again, to the same bits, and kept beside the parts."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from hybridsim.config.run_config import RunConfig
from hybridsim.config.schema import RecordSettings
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, SimulationError
from hybridsim.model import nearest
from hybridsim.output import prepare_folder
from hybridsim.output.hdf5 import write_run
from hybridsim.simulation import Simulation
from hybridsim.sweeps.description import RUNS, part_files
from hybridsim.sweeps.plan import Plan
from hybridsim.sweeps.results import ROW, Columns, read_part, status_column

ALL, FAILED = "all", "failed"

_RANGE = re.compile(r"(\d+)(?:-(\d+))?")
_STATUSES = {status.name: frozenset({status.name}) for status in Status}
_WORDS = {**_STATUSES, FAILED: frozenset(status.name for status in Status if not status.ok)}


@dataclass(frozen=True, slots=True)
class Choice:
    """Rows by number, and rows by how they ended."""

    rows: tuple[range, ...]
    statuses: frozenset[str]

    def __bool__(self) -> bool:
        return bool(self.rows or self.statuses)

    def __contains__(self, row_and_status: tuple[int, str]) -> bool:
        row, status = row_and_status
        return status in self.statuses or any(row in rows for rows in self.rows)


def chosen(wanted: str | Iterable[Any], n_rows: int) -> Choice:
    """The rows whose runs are to be kept.

    Parameters
    ----------
    wanted :
        a text such as `0,17,100-120`, `all`, `failed` (every run that ended neither at its final time nor at a stop)
        or the name of a status, `LEFT_CHART`; or several of these, row numbers and ranges.
    n_rows :
        of the plan.

    Raises
    ------
    ConfigError : something else, or rows that the plan does not have; every problem at once.
    """
    rows: list[range] = []
    statuses: set[str] = set()
    problems: list[str] = []
    for item in _items(wanted):
        if isinstance(item, str) and item in _WORDS:
            statuses |= _WORDS[item]
            continue
        found = range(n_rows) if item == ALL else _range(item)
        if found is None:
            problems.append(_not_understood(item))
        elif len(found) and (min(found) < 0 or max(found) >= n_rows):
            problems.append(f"keep_runs: {item!r}: the sweep has the rows 0 to {n_rows - 1}; choose among them")
        else:
            rows.append(found)
    if problems:
        raise ConfigError(problems)
    return Choice(tuple(rows), frozenset(statuses))


def _items(wanted: str | Iterable[Any]) -> Iterator[Any]:
    """Texts are split at their commas."""
    whole = [wanted] if isinstance(wanted, str | int | np.integer | range) else wanted
    for item in whole:
        if isinstance(item, str):
            yield from filter(None, (piece.strip() for piece in item.split(",")))
        else:
            yield item


def _range(item: Any) -> range | None:
    if isinstance(item, range):
        return item
    if isinstance(item, int | np.integer) and not isinstance(item, bool):
        return range(int(item), int(item) + 1)
    match = _RANGE.fullmatch(item) if isinstance(item, str) else None
    if match is None or (match[2] and int(match[2]) < int(match[1])):
        return None
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def _not_understood(item: Any) -> str:
    hint = nearest(item, [ALL, *_WORDS]) if isinstance(item, str) else ""
    return (
        f"keep_runs: {item!r}: expected row numbers (0,17,100-120), `{ALL}`, `{FAILED}` or the name of a status"
        f"{hint or '; write for example 0-9,failed'}"
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """Which runs lie in the folder now, what to say of others, and whether Ctrl-C came before the end."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]
    interrupted: bool


def keep_runs(folder: Path, columns: Columns, choice: Choice) -> Kept:
    """Run the chosen rows among the finished ones again, and write those that are not there yet.

    Raises
    ------
    ConfigError : a file cannot be written. SimulationError : a run ended in another way than in the sweep.
    """
    if not choice:
        return Kept((), (), interrupted=False)
    runs = prepare_folder(folder / RUNS, "row", ())
    files: list[Path] = []
    notes: list[str] = []
    try:
        for row, status in _rows(folder, columns, choice):
            path = runs / f"row-{row:0{columns.plan.digits}}.h5"
            try:
                if not path.exists():
                    _keep(path, columns, row, status)
            except _NoRunError as problem:
                notes.append(f"row {row}: no run to keep: {problem}")
            else:
                files.append(path)
    except KeyboardInterrupt:
        return Kept(tuple(files), tuple(notes), interrupted=True)
    return Kept(tuple(files), tuple(notes), interrupted=False)


def _rows(folder: Path, columns: Columns, choice: Choice) -> Iterator[tuple[int, str]]:
    """The numbers and statuses of the chosen rows that are finished, part by part."""
    name = status_column(columns.config.metrics)
    for _, path in part_files(folder):
        table = read_part(path)
        pairs = _pairs(table, name) if table is not None else ()
        yield from (pair for pair in pairs if pair in choice)


def _pairs(table: pa.Table, name: str) -> Collection[tuple[int, str]]:
    return list(zip(table[ROW].to_pylist(), table[name].to_pylist(), strict=True))


class _NoRunError(Exception):
    """A row whose run ends where it was to begin."""


def _keep(path: Path, columns: Columns, row: int, status: str) -> None:
    """Run a row and write it."""
    config = row_config(columns.config.run, columns.plan, row)
    try:
        simulation = Simulation.from_config(config)
    except ConfigError as problem:
        raise _NoRunError(str(problem)) from None
    run = simulation.run()
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    if run.status.name != status:
        raise SimulationError(
            f"row {row}: ended with {status} in the sweep, and with {run.status.name} when it was run again; the two "
            "should be one run to the last bit: please report this"
        )
    write_run(path, run)


def row_config(base: RunConfig, plan: Plan, row: int) -> RunConfig:
    """The run of one row: the base run with the values of its axes, recorded whole where `record` says nothing else."""
    config = with_values(base, plan.row(row))
    return config if config.record.steps else dataclasses.replace(config, record=RecordSettings())


def with_values(base: RunConfig, values: Mapping[str, Any]) -> RunConfig:
    """The run with other values of some dotted keys."""
    changed: dict[str, dict[str, Any]] = {"parameters": {}, "inputs": {}, "initial": {}, "engine": {}, "": {}}
    for key, value in values.items():
        section, _, name = key.rpartition(".")
        changed[section][name] = value
    return dataclasses.replace(
        base,
        parameters={**base.parameters, **changed["parameters"]},
        inputs={**base.inputs, **changed["inputs"]},
        initial={**base.initial, **changed["initial"]},
        engine=base.engine.model_copy(update=changed["engine"]),
        **changed[""],
    )

"""Columns of tables and of runs: the data of trials, with gaps where nothing was measured, and inputs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybridsim.config.row_files import RowTable, read_table
from hybridsim.config.source import show
from hybridsim.errors import ConfigError, nearest
from hybridsim.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns that a trial needs.

    Attributes
    ----------
    path : Path
        The file.
    time : str
        The column of times.
    t : (n,) array
        Times, increasing [s].
    values : (n, n_columns) array
        The columns, not a number where a cell is empty.
    units : mapping of str
        Units of columns that have one in their header.
    """

    path: Path
    time: str
    t: FloatArray
    values: FloatArray
    units: Mapping[str, str]


def read_columns(path: Path, time: str, columns: Sequence[str], *, gaps: bool = True) -> Columns:
    """Read the columns of a trial, or of an input.

    Parameters
    ----------
    path : Path
        A CSV or Parquet file, or that of a run (.h5).
    time : str
        The column of times.
    columns : sequence of str
        The others. A header may have the unit behind its name, `q0 [m]`.
    gaps : bool
        Whether cells of the others may be empty.

    Raises
    ------
    ConfigError
        If one is missing or holds anything but numbers, or the times do not increase.
    """
    table = _table_of_run(path) if path.suffix == ".h5" else read_table(path)
    headers = {header.partition("[")[0].strip(): header for header in table.columns}
    problems = [
        f"{path}: there is no column {name!r}{nearest(name, headers) or '; it has ' + ', '.join(headers)}"
        for name in (time, *columns)
        if name not in headers
    ]
    if problems:
        raise ConfigError(problems)
    t = _numbers(table, headers[time], gaps=False)
    if len(t) < MIN_SAMPLES:
        raise ConfigError(f"{path}: expected {MIN_SAMPLES} samples or more, found {len(t)}; give a longer trial")
    if not (later := np.diff(t) > 0.0).all():
        row = int(np.argmin(later)) + 1
        raise ConfigError(f"{table.where(row)}: the times do not increase here; sort the rows, and give each time once")
    values = [_numbers(table, headers[name], gaps=gaps) for name in columns]
    for name, column in zip(columns, values, strict=True):
        if not np.isfinite(column).any():
            raise ConfigError(f"{path}: the column {name!r} is empty; give numbers, or leave it out of `measured`")
    units = {name: header.partition("[")[2].strip(" ]") for name, header in headers.items() if "[" in header}
    return Columns(path, time, t, np.column_stack(values) if values else np.zeros((len(t), 0)), units)


def _table_of_run(path: Path) -> RowTable:
    """Return states and outputs of a run; at a jump, those after it."""
    run = importlib.import_module("hybridsim.results.reading").load_run(path)  # by name: results know configs
    last = np.append(np.diff(run.t) > 0.0, True)
    columns = {"t": run.t[last]}
    for records, values in ((run.outputs, run.y), (run.states, run.x)):
        for record, column in zip(records, values.T, strict=True):
            columns[f"{record.name} [{record.unit}]" if record.unit else record.name] = column[last]
    return RowTable(path, columns, lambda row: f"{path}: sample {row}")


MIN_SAMPLES = 2
"""Fewest samples of a trial."""


def _numbers(table: RowTable, header: str, *, gaps: bool) -> FloatArray:
    """Return a column as numbers; an empty cell, or nan, is a gap."""
    column = table.columns[header]
    if isinstance(column, np.ndarray):
        found = np.asarray(column, float)
    else:
        found = np.full(len(column), np.nan)
        for row, value in enumerate(column):
            empty = value is None or (isinstance(value, str) and value.lower() in ("", "nan"))
            if isinstance(value, int | float) and not isinstance(value, bool):
                found[row] = value
            elif not (empty and gaps):
                raise ConfigError(f"{table.where(row)}: {header}: expected a number, found {show(value)}; correct it")
    wrong = np.isinf(found) if gaps else ~np.isfinite(found)
    if wrong.any():
        raise ConfigError(f"{table.where(int(np.argmax(wrong)))}: {header}: expected a finite number; correct it")
    return found

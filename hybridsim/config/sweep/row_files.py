"""Tables of a sweep's rows: one line per run, one column per axis, in CSV or Parquet."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.config.source import number_from, read_text
from hybridsim.errors import ConfigError

MOST_PROBLEMS = 5
"""Of one table that are told."""

_SEPARATORS = ",;\t"
_COMMENT = re.compile(r"#[^\n]*")
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")
_HOW_TO_START = "begin it with a line of keys, such as k,y"


@dataclass(frozen=True, slots=True)
class Table:
    """The columns of a table.

    Attributes
    ----------
    path : of its file.
    columns : header -> numbers as an (n,) array, or else every cell as a number or a text.
    where : the number of a row, from 0 -> `runs.csv:17`.
    """

    path: Path
    columns: Mapping[str, NDArray[Any] | list[Any]]
    where: Callable[[int], str]


def read_table(path: Path) -> Table:
    """The table in a file: Parquet if it ends in `.parquet`, else CSV with commas, semicolons or tabs.

    In CSV, what follows a `#` is a comment; in Parquet, an index without a name that pandas has written is passed over.

    Raises
    ------
    ConfigError : a file that cannot be read, without rows, or with rows of unequal length, all of them told.
    """
    return _parquet(path) if path.suffix.lower() == ".parquet" else _csv(path)


def _csv(path: Path) -> Table:
    """A table of numbers and words is read by pyarrow, what it stumbles over line by line, to tell where that is."""
    text = _COMMENT.sub("", read_text(path, empty=_HOW_TO_START))
    if not text.strip():
        raise ConfigError(f"{path}: there are comments only; {_HOW_TO_START}")
    top, first, rest = 0, "", text
    while not first.strip():
        top += 1
        first, _, rest = rest.partition("\n")
    mark = next((mark for mark in _SEPARATORS if mark in first), ",")
    header = [name.strip() for name in next(csv.reader([first], delimiter=mark, skipinitialspace=True), [])]
    _refuse_repeated(header, f"{path}:{top}")
    columns = _quick_columns(rest, header, mark) if '"' not in text else None
    if columns is not None:
        return Table(path, columns, lambda row: f"{path}:{_lines(path, top, rest, header, mark)[row][0]}")
    lines = _lines(path, top, rest, header, mark)
    cells = zip(*(row for _, row in lines), strict=True)
    columns = {name: [_cell(cell.strip()) for cell in column] for name, column in zip(header, cells, strict=True)}
    return Table(path, columns, lambda row: f"{path}:{lines[row][0]}")


def _quick_columns(text: str, header: list[str], mark: str) -> dict[str, NDArray[Any] | list[Any]] | None:
    """The columns of the lines below the header; None if a cell is empty, or anything else is unusual."""
    import pyarrow as pa  # noqa: PLC0415  (only this case needs it)
    from pyarrow import csv as arrow_csv  # noqa: PLC0415

    try:
        table = arrow_csv.read_csv(
            pa.py_buffer(text.encode()),
            arrow_csv.ReadOptions(column_names=header),
            arrow_csv.ParseOptions(delimiter=mark, quote_char=False),
            arrow_csv.ConvertOptions(null_values=[""], strings_can_be_null=True, true_values=[], false_values=[]),
        )
    except pa.ArrowException:
        return None
    columns = {}
    for name in header:
        column = table[name]
        if not table.num_rows or column.null_count:
            return None
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            columns[name] = column.to_numpy()
        elif pa.types.is_string(column.type):
            columns[name] = cells = [_cell(cell.strip()) for cell in column.to_pylist()]
            if None in cells:
                return None
        else:
            return None
    return columns


def _lines(path: Path, top: int, text: str, header: list[str], mark: str) -> list[tuple[int, list[str]]]:
    """The lines below the header that are not blank, as (number, cells); the header is line `top`.

    Raises
    ------
    ConfigError : there are none, or they have another number of cells than the header.
    """
    reader = csv.reader(text.split("\n"), delimiter=mark, skipinitialspace=True)
    try:
        lines = [(top + reader.line_num, row) for row in reader if any(map(str.strip, row))]
    except csv.Error as failure:
        raise ConfigError(f"{path}:{top + reader.line_num}: this is not CSV: {failure}; correct this line") from None
    if not lines:
        raise ConfigError(f"{path}: expected at least one row below the header, found none; add one")
    problems = [
        f"{path}:{line}: expected {len(header)} cells, as in the header, found {len(row)}; give one for each column"
        for line, row in lines
        if len(row) != len(header)
    ]
    if problems:
        raise ConfigError(problems[:MOST_PROBLEMS])
    return lines


def _refuse_repeated(header: list[str], where: str) -> None:
    repeated = [name for place, name in enumerate(header) if name in header[:place]]
    if repeated:
        raise ConfigError(f"{where}: expected every column once, found {repeated[0]!r} twice; remove one of them")


def _cell(text: str) -> Any:
    """A number if the text is one, nothing if it is empty."""
    number = math.inf if text in ("inf", ".inf") else number_from(text)
    return (text or None) if number is None else number


def _parquet(path: Path) -> Table:
    import pyarrow as pa  # noqa: PLC0415  (only this case needs it)
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.read_table(path, partitioning=None)
    except (OSError, pa.ArrowException) as failure:
        reason = str(failure).splitlines()[0]
        raise ConfigError(f"{path}: the Parquet file cannot be read: {reason}; check its name") from None
    _refuse_repeated(table.column_names, str(path))
    if not table.num_rows:
        raise ConfigError(f"{path}: expected at least one row, found none; add one")
    names = [name for name in table.column_names if not _PANDAS_INDEX.fullmatch(name)]
    columns = {name: _arrow_cells(table[name]) for name in names}
    return Table(path, columns, lambda row: f"{path}: row {row}")


def _arrow_cells(column: Any) -> NDArray[Any] | list[Any]:
    """Numbers, if there is one in every row, else Python's values."""
    numbers = column.to_numpy() if not column.null_count else None
    if numbers is not None and numbers.dtype.kind in "iuf":
        return np.asarray(numbers, np.int64 if numbers.dtype.kind == "i" else np.float64)
    return [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in column.to_pylist()]

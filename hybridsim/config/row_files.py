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

MAX_PROBLEMS_PER_TABLE = 5
"""Most problems reported per table."""

_COLUMN_SEPARATORS = ",;\t"
_COMMENT = re.compile(r"#[^\n]*")
_PANDAS_INDEX = re.compile(r"__index_level_\d+__")
_HEADER_ADVICE = "begin it with a line of keys, such as k,y"


@dataclass(frozen=True, slots=True)
class RowTable:
    """The columns of a table of rows.

    Attributes
    ----------
    path : Path
        Its file.
    columns : mapping
        Header -> numbers (n,) as an array, or a list with each cell as a number or a text.
    where : callable
        Function from the index of a row, from 0, to its place: `runs.csv:17`.
    """

    path: Path
    columns: Mapping[str, NDArray[Any] | list[Any]]
    where: Callable[[int], str]


def read_table(path: Path) -> RowTable:
    """Read the table in a file: Parquet if its name ends in `.parquet`, else CSV with commas, semicolons or tabs.

    In CSV, `#` starts a comment. In Parquet, the nameless index that pandas writes is ignored.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    RowTable
        The table.

    Raises
    ------
    ConfigError
        If the file cannot be read, has no rows, or has rows of unequal length.
    """
    return _parquet(path) if path.suffix.lower() == ".parquet" else _csv(path)


def _csv(path: Path) -> RowTable:
    """Read a CSV file: by pyarrow if all cells are simple, else line by line, so that messages can name the line."""
    text = _COMMENT.sub("", read_text(path, empty=_HEADER_ADVICE))
    if not text.strip():
        raise ConfigError(f"{path}: there are comments only; {_HEADER_ADVICE}")
    top, first, rest = 0, "", text
    while not first.strip():
        top += 1
        first, _, rest = rest.partition("\n")
    mark = next((mark for mark in _COLUMN_SEPARATORS if mark in first), ",")
    header = [name.strip() for name in next(csv.reader([first], delimiter=mark, skipinitialspace=True), [])]
    _refuse_repeated(header, f"{path}:{top}")
    columns = _quick_columns(rest, header, mark) if '"' not in text else None
    if columns is not None:
        return RowTable(path, columns, lambda row: f"{path}:{_lines(path, top, rest, header, mark)[row][0]}")
    lines = _lines(path, top, rest, header, mark)
    cells = zip(*(row for _, row in lines), strict=True)
    columns = {name: [_cell(cell.strip()) for cell in column] for name, column in zip(header, cells, strict=True)}
    return RowTable(path, columns, lambda row: f"{path}:{lines[row][0]}")


def _quick_columns(text: str, header: list[str], mark: str) -> dict[str, NDArray[Any] | list[Any]] | None:
    """Return the columns below the header; None if there are empty cells or other things that `_lines` must report."""
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
    """Return the lines below the header that are not blank, as (line number, cells).

    Parameters
    ----------
    path : Path
        The file, for messages.
    top : int
        Line number of the header.
    text : str
        The text below the header.
    header : list of str
        Names of the columns.
    mark : str
        Separator of the cells.

    Returns
    -------
    list of (int, list of str)
        The lines.

    Raises
    ------
    ConfigError
        If there are none, or one has another number of cells than the header.
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
        raise ConfigError(problems[:MAX_PROBLEMS_PER_TABLE])
    return lines


def _refuse_repeated(header: list[str], where: str) -> None:
    repeated = [name for index, name in enumerate(header) if name in header[:index]]
    if repeated:
        raise ConfigError(f"{where}: expected every column once, found {repeated[0]!r} twice; remove one of them")


def _cell(text: str) -> Any:
    """Return a number if the text is one, None if it is empty, else the text."""
    number = math.inf if text in ("inf", ".inf") else number_from(text)
    return (text or None) if number is None else number


def _parquet(path: Path) -> RowTable:
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
    return RowTable(path, columns, lambda row: f"{path}: row {row}")


def _arrow_cells(column: Any) -> NDArray[Any] | list[Any]:
    """Return an array if every row has a number, else a list of Python's values."""
    numbers = column.to_numpy() if not column.null_count else None
    if numbers is not None and numbers.dtype.kind in "iuf":
        return np.asarray(numbers, np.int64 if numbers.dtype.kind == "i" else np.float64)
    return [None if isinstance(cell, float) and math.isnan(cell) else cell for cell in column.to_pylist()]

"""A matrix whose rows and columns have names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hybridsim.errors import ConfigError, explains_keywords, nearest
from hybridsim.model.table import list_names
from hybridsim.results.tables import data_frame
from hybridsim.typing import FloatArray


@explains_keywords()
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LabelledMatrix:
    """A matrix with named rows and columns: `J["ydot", "y"]`, `J["ydot"]`, `J[:, "y"]`; `np.asarray(J)` is the array.

    Parameters
    ----------
    values : (n, m) array
        The numbers.
    rows : tuple of str
        Names of the rows.
    columns : tuple of str
        Names of the columns.
    """

    values: FloatArray
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.rows), len(self.columns)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.values, dtype=dtype) if copy or dtype is not None else self.values

    def __getitem__(self, key: Any) -> Any:
        row, column = key if isinstance(key, tuple) else (key, slice(None))
        return self.values[self.position(row, column)]

    def position(self, row: Any, column: Any) -> tuple[Any, Any]:
        """Return the indices of a row and a column, given by name, index or slice.

        Parameters
        ----------
        row, column : str, int or slice
            The row and the column.

        Returns
        -------
        tuple
            Indices or slices.

        Raises
        ------
        ConfigError
            If there is no such name.
        """
        return _index(row, self.rows, "row"), _index(column, self.columns, "column")

    def to_frame(self) -> Any:
        """Make a pandas DataFrame.

        Returns
        -------
        DataFrame
            The same numbers, rows and columns.

        Raises
        ------
        HybridsimError
            If pandas is not installed.
        """
        return data_frame(dict(zip(self.columns, self.values.T, strict=True))).set_axis(list(self.rows))

    def __repr__(self) -> str:
        rows = ([name, *(f"{v:.6g}" for v in row)] for name, row in zip(self.rows, self.values, strict=True))
        return in_columns([["", *self.columns], *rows])


def in_columns(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of texts, one in each line, with columns that are aligned at the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows)


def _index(key: Any, names: tuple[str, ...], what: str) -> Any:
    if not isinstance(key, str):
        return key
    if key not in names:
        raise ConfigError(f"there is no {what} {key!r}{nearest(key, names)}; it has {list_names(names, key)}")
    return names.index(key)

"""Tables of orbits as files, and tables over two axes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from hybridsim.errors import ConfigError
from hybridsim.results.files import replacing
from hybridsim.typing import FloatArray


def save_table(columns: Mapping[str, NDArray[Any]], path: str | os.PathLike[str]) -> Path:
    """Write columns as comma-separated values if the name ends in .csv, else in Parquet's format; what is nan is empty.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    path = Path(path)
    table = pa.table({name: pa.array(column, from_pandas=True) for name, column in columns.items()})
    write = pc.write_csv if path.suffix == ".csv" else pq.write_table
    with replacing(path, remedy="make room, or choose another file") as temporary:
        write(table, temporary)
    return path


@dataclass(frozen=True, slots=True, eq=False)
class TableOverTwo:
    """A table over two axes: the values of each, by name."""

    axes: Mapping[str, FloatArray]

    def _columns(self) -> Mapping[str, NDArray[Any]]:
        """Return what the table holds, (n_first, n_second) each."""
        raise NotImplementedError

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the table: a row for each pair of values.

        Parameters
        ----------
        path : str or path
            The file, .parquet or .csv.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        ConfigError
            If the file cannot be written.
        """
        grid = dict(zip(self.axes, np.meshgrid(*self.axes.values(), indexing="ij"), strict=True))
        return save_table({name: column.ravel() for name, column in {**grid, **self._columns()}.items()}, path)


def refuse_other_than_two(caller: str, what: str, axes: Mapping[str, Sequence[float]]) -> None:
    """Raise a ConfigError if there are not two axes."""
    if len(axes) != 2:
        raise ConfigError(f"{caller}: expected two {what} with their values, found {len(axes)}")

"""Columns as tables of other packages: pandas, xarray, and CSV files."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from numpy.typing import NDArray

from hybridsim.errors import HybridsimError
from hybridsim.results.files import replacing


def data_frame(columns: Mapping[str, NDArray[Any] | Sequence[Any]], **attributes: Any) -> Any:
    """Make a DataFrame of columns, with these entries in its `attrs`; a HybridsimError says if pandas is missing."""
    frame = _import_package("pandas").DataFrame(columns)
    frame.attrs |= attributes
    return frame


def dataset(
    dimension: str,
    columns: Mapping[str, NDArray[Any]],
    about: Mapping[str, Mapping[str, Any]],
    attributes: Mapping[str, Any],
) -> Any:
    """Make an xarray Dataset of columns along one dimension, with attributes of each and of the whole."""
    xarray = _import_package("xarray")
    variables = {name: xarray.Variable(dimension, values, about[name]) for name, values in columns.items()}
    return xarray.Dataset(variables, {name: variables.pop(name) for name in ("t", "j", "chart")}, attributes)


def write_csv(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write one line of names, then one line per row with every digit.

    Parameters
    ----------
    path : Path
        The file.
    columns : mapping of str to (n,) array
        The columns by name.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))


def _import_package(package: str) -> ModuleType:
    """Import a package that need not be there."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise HybridsimError(f"this table needs {package} ({error}); install it with pip install {package}") from None

"""A run and its events as tables of other packages: pandas, xarray, and CSV files."""

from __future__ import annotations

import csv
import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import HybridsimError, SimulationError, refuse_other_word
from hybridsim.results.files import replacing
from hybridsim.typing import IntArray, Jumps

if TYPE_CHECKING:
    from hybridsim.results.events import Events
    from hybridsim.results.trajectory import Trajectory

EVENT_NUMBERS = ("t", "j", "kind", "chart_before", "chart_after", "value", "depth", "error", "certificate", "declined")
"""Columns of `Events` that a table has as they are."""


def table_of_run(run: Trajectory, jumps: Jumps) -> dict[str, NDArray[Any]]:
    """Return the columns t, j and chart, and all states, outputs and inputs, of the rows that `jumps` asks for."""
    rows = _rows(run, jumps)
    table: dict[str, NDArray[Any]] = {"t": run.t[rows], "j": run.j[rows], "chart": run.chart[rows]}
    for name in (*run.states.names, *run.outputs.names, *run.inputs.records.names):
        table.setdefault(name, run[name][rows])
    return table


def run_to_pandas(run: Trajectory, jumps: Jumps) -> Any:
    """Make the DataFrame of `Trajectory.to_pandas`."""
    frame = _imported("pandas").DataFrame(table_of_run(run, jumps))
    frame.attrs["units"] = units_of(run)
    return frame


def run_to_xarray(run: Trajectory, jumps: Jumps) -> Any:
    """Make the Dataset of `Trajectory.to_xarray`."""
    xarray = _imported("xarray")
    units, docs = units_of(run), {record.name: record.doc for record in _records(run)}
    columns = {
        name: xarray.Variable("row", values, {"units": units.get(name, ""), "long_name": docs.get(name, name)})
        for name, values in table_of_run(run, jumps).items()
    }
    coordinates = {name: columns.pop(name) for name in ("t", "j", "chart")}
    coordinates["chart"].attrs["names"] = [f"{number}: {name}" for number, name in run.charts.items()]
    return xarray.Dataset(columns, coordinates, {"model": run.model_name, "status": run.status.name, **run.parameters})


def events_to_pandas(events: Events) -> Any:
    """Make the DataFrame of `Events.to_pandas`."""
    table = {name: getattr(events, name) for name in EVENT_NUMBERS}
    table["boundaries"] = [", ".join(event.boundaries) for event in events]
    for side in ("before", "after"):
        x = getattr(events, f"x_{side}")
        table |= {f"{name}_{side}": x[:, m] for m, name in enumerate(events.states)}
    return _imported("pandas").DataFrame(table)


def units_of(run: Trajectory) -> Mapping[str, str]:
    """Return the units of the columns of a table, by name."""
    return {"t": "s"} | {record.name: record.unit for record in reversed(_records(run))}


def write_csv(path: Path, run: Trajectory) -> None:
    """Write one line of names, then one line per row with every digit; a jump has two rows at one time.

    Parameters
    ----------
    path : Path
        The file.
    run : Trajectory
        The run.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    table = table_of_run(run, "both")
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*(values.tolist() for values in table.values()), strict=True))


def _records(run: Trajectory) -> list[Any]:
    return [*run.states, *run.outputs, *run.inputs.records]


def _rows(run: Trajectory, jumps: Jumps) -> IntArray:
    """Return the indices of the rows that a table has."""
    refuse_other_word("jumps", jumps, Jumps, SimulationError)
    keep = np.ones(len(run.t), bool)
    same = run.t[1:] == run.t[:-1]
    if jumps == "before":
        keep[1:] = ~same
    elif jumps == "after":
        keep[:-1] = ~same
    return np.flatnonzero(keep)


def _imported(package: str) -> ModuleType:
    """Import a package that need not be there."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise HybridsimError(f"this table needs {package} ({error}); install it with pip install {package}") from None

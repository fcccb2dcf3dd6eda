"""Read a run from its HDF5 file; `hdf5` describes the layout."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import h5py

from hybridsim.config.source import Diagnostics, Origin
from hybridsim.config.yaml_source import parse_value
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError
from hybridsim.model import Input, Output, Records, State
from hybridsim.results import format_2
from hybridsim.results.events import EVENT_COLUMNS, Events
from hybridsim.results.former_names import present_status
from hybridsim.results.hdf5 import EVENT_DATASETS, FORMAT, FORMAT_VERSION, INPUT_COLUMNS, RECORD_ATTRIBUTES
from hybridsim.results.input_history import InputHistory, no_changes
from hybridsim.results.rows import ROW_COLUMNS
from hybridsim.results.trajectory import Trajectory

Row = TypeVar("Row", State, Output, Input)


def load_run(path: str | os.PathLike[str]) -> Trajectory:
    """Read a run from the file that `Trajectory.save` or the command line has written.

    Parameters
    ----------
    path : path
        The .h5 file. Files of format 2 are read, too.

    Returns
    -------
    Trajectory
        The run.

    Raises
    ------
    ConfigError
        If there is no such file, or it is not the file of a run, is damaged, or has a newer or too old a format.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file; give the .h5 file of a run")
    try:
        with h5py.File(path, "r") as file:
            return _read_run(file, _checked_version(path, file.attrs))
    except ConfigError:
        raise
    except Exception as problem:  # a damaged file makes h5py raise anything
        if not h5py.is_hdf5(path):
            raise ConfigError(f"{path}: not an HDF5 file; give the .h5 file of a run") from None
        raise ConfigError(f"{path}: the file is damaged or incomplete ({problem}); run the simulation again") from None


def _checked_version(path: Path, attributes: Mapping[str, Any]) -> int:
    """Return the format of the file; raise a ConfigError if it cannot be read."""
    if attributes.get("format") != FORMAT:
        raise ConfigError(f"{path}: an HDF5 file, but not a run of hybridsim; give the .h5 file of a run")
    version = int(attributes["format_version"])
    if version > FORMAT_VERSION:
        raise ConfigError(
            f"{path}: written in format {version} by a newer hybridsim, and this one reads up to {FORMAT_VERSION}; "
            "update hybridsim"
        )
    if version < format_2.VERSION:
        raise ConfigError(
            f"{path}: written in format {version} by an older hybridsim, and this one reads {format_2.VERSION} to "
            f"{FORMAT_VERSION}; run the simulation again"
        )
    return version


def _read_run(file: Any, version: int) -> Trajectory:
    rows, events = _read_rows(file), _read_events(file["events"])
    status, provenance = file.attrs["status"], _read_provenance(file)
    if version == format_2.VERSION:
        rows, events = format_2.with_new_columns(file, rows, events)
        status, provenance = present_status(status), format_2.with_new_keys(provenance)
    names = file["events/boundaries"].attrs["names"].tolist()
    return Trajectory(
        model_name=file.attrs["model"],
        states=_read_records(State, file["x"].attrs),
        outputs=_read_records(Output, file["y"].attrs),
        boundaries=tuple(names),
        charts=dict(zip(file["charts/number"][()].tolist(), file["charts/name"].asstr()[()].tolist(), strict=True)),
        parameters={name: _read_parameter(data) for name, data in file["parameters"].items()},
        **rows,
        events=Events(names, **events),
        status=Status[status],
        message=file.attrs["message"],
        statistics={name: value.item() for name, value in file["statistics"].attrs.items()},
        provenance=provenance,
        inputs=_read_inputs(file["inputs"]) if "inputs" in file else no_changes(Records(), ()),
        chart_fields=_read_fields(file["charts"]),
        plots=tuple(file.attrs["plots"].tolist()) if "plots" in file.attrs else (),
    )


def _read_rows(file: Any) -> dict[str, Any]:
    """Return the columns of the rows by name, None for missing ones."""
    return {name: file[name][()] if name in file else None for name in ROW_COLUMNS}


def _read_events(group: Any) -> dict[str, Any]:
    """Return the columns of the events by name, without missing ones."""
    columns: dict[str, Any] = {}
    for name, column in EVENT_COLUMNS.items():
        dataset = EVENT_DATASETS[name]
        if dataset not in group:
            continue
        values = group[dataset][()]
        if column.words:
            columns[name] = [word.decode() for word in values.tolist()]
        else:
            columns[name] = values.astype(bool) if column.is_flag else values
    return columns


def _read_fields(charts: Any) -> dict[str, tuple[str, ...]]:
    if "field" not in charts:
        return {}
    fields: dict[str, tuple[str, ...]] = {}
    for name, bit in zip(charts["field"].asstr()[()].tolist(), charts["bit"].asstr()[()].tolist(), strict=True):
        fields[name] = (*fields.get(name, ()), bit)
    return fields


def _read_inputs(group: Any) -> InputHistory:
    columns = {field: group[name][()] for name, field in INPUT_COLUMNS.items()}
    return InputHistory(_read_records(Input, group["initial"].attrs), group["initial"][()], **columns)


def _read_records(kind: type[Row], attributes: Mapping[str, Any]) -> Records[Row]:
    columns: dict[str, list[Any]] = {
        field: attributes[name].tolist() for name, field in RECORD_ATTRIBUTES.items() if name in attributes
    }
    if "continuous" in columns:
        columns["continuous"] = [*map(bool, columns["continuous"])]
    rows = zip(*columns.values(), strict=True)
    return Records(*(kind(**dict(zip(columns, row, strict=True))) for row in rows))


def _read_parameter(data: Any) -> Any:
    if h5py.check_string_dtype(data.dtype):
        return data.asstr()[()]
    return tuple(data[()].tolist()) if data.ndim else data[()].item()


def _read_provenance(file: Any) -> dict[str, Any]:
    provenance: dict[str, Any] = {}
    if "config" in file:
        text = file["config"].asstr()[()]
        provenance["config"] = parse_value(text, Origin("/config"), (), Diagnostics()).plain()
    provenance |= {name: file.attrs[name] for name in ("plugin_hash", "source") if name in file.attrs}
    return provenance | {"versions": dict(file["versions"].attrs)}

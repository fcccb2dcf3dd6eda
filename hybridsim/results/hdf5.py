"""One HDF5 file per run, with a layout that any tool can read: h5py, MATLAB, Octave, Julia.

========================  =====================================================================================
`/t` `/j` `/chart`        (n) record times [s], jump counts, charts; a jump has two rows at one t, before and after
`/x`                      (n, states); attributes `names`, `units`, `docs`, `defaults`, `lower`, `upper`, `continuous`
`/y`                      (n, outputs); attributes `names`, `units`, `docs`
`/other` `/weight`        (n) of a slide: its second chart and the share of the first; -1 and 1 elsewhere
`/certificate`            (n) how the step from row i was decided; attribute `names`: what 0, 1, ... mean, -1 nothing
`/xdot`                   (n, states) slopes at the rows, where no extension was recorded
`/extension` `/step`      (n, degree, states) and (n) [s], where every step was recorded: from row i on,
                          x(t) = x[i] + sum_d extension[i, d] theta^(d+1) with theta = (t - t[i]) / step[i]
`/events/...`             `t`, `j`, `chart_before`, `chart_after`, `other`, `certificate`, `declined`, `kind`, `value`,
                          `depth`, `error` (m); `x_before`, `x_after` (m, states); `boundaries` (m, boundaries), 1
                          where it crossed, attribute `names`
`/charts/...`             `number`, `name`: the charts that occur; of bit fields `field`, `bit`: what each bit
                          of a number is called, lowest first
`/parameters/NAME`        the value used: a number, a word, or an array
`/inputs/...`             of a model with inputs: `initial` (inputs), the values at the start, with attributes `names`,
                          `units`, `docs`, `defaults`, `lower`, `upper`; `t`, `j`, `input`, `value` (c), every change:
                          when, the jump count before it, which input, and what it was set to
`/statistics`             attributes: steps, rejected, vector_field_calls, ...
`/versions`               attributes: the version of every package that took part
`/config`                 the resolved config, as YAML text; present where the run knows it
`/`                       attributes `format`, `format_version`, `model`, `status`, `status_code`, `message`,
                          `plugin_hash`, `source`; `plots`, what is drawn where nothing is named
========================  =====================================================================================

Texts are UTF-8, truth values are 0 and 1. MATLAB lists dimensions in reverse: there `x` is states by n.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import h5py
import numpy as np

from hybridsim.config.source import Diagnostics, Origin
from hybridsim.config.yaml_source import parse_value, write_yaml
from hybridsim.engine.memory import CERTIFICATES
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError
from hybridsim.model import Input, Output, Records, State
from hybridsim.results.files import replacing
from hybridsim.results.input_history import InputHistory, no_changes
from hybridsim.results.trajectory import Events, Trajectory

FORMAT = "hybridsim run"
FORMAT_VERSION = 2

COLUMN_ATTRIBUTES = {
    "names": "name",
    "units": "unit",
    "docs": "doc",
    "defaults": "default",
    "lower": "lower",
    "upper": "upper",
    "continuous": "continuous",
}
"""Attributes of `/x` and `/y` -> the field of the records (State, Output) that each holds for all columns."""

EVENT_COLUMNS = (
    "t",
    "j",
    "chart_before",
    "chart_after",
    "adjacent_chart",
    "x_before",
    "x_after",
    "value",
    "depth",
    "error",
)
EVENT_WORDS = ("certificate", "kind")
INPUT_COLUMNS = {"t": "t", "j": "j", "input": "place", "value": "value"}
"""Columns of `/inputs` -> what they are called in an InputHistory."""

ROW_COLUMNS = (
    "t",
    "j",
    "chart",
    "adjacent_chart",
    "sliding_weight",
    "certificate",
    "x",
    "y",
    "xdot",
    "extension",
    "step",
)

Row = TypeVar("Row", State, Output, Input)


def write_run(path: Path, run: Trajectory) -> None:
    """Write the whole run into one file; what stood there before is replaced at the very end.

    Raises
    ------
    ConfigError : the file cannot be written.
    """
    # Built in memory: HDF5 cannot even close its own file on a full disk, and says so from inside its destructors.
    content = io.BytesIO()
    with h5py.File(content, "w") as file:
        file.attrs["format"], file.attrs["format_version"] = FORMAT, FORMAT_VERSION
        file.attrs["model"] = run.model_name
        file.attrs["status"], file.attrs["status_code"] = run.status.name, run.status.value
        file.attrs["message"] = run.message
        _write_rows(file, run)
        _write_events(file.create_group("events"), run.events)
        charts = file.create_group("charts")
        charts["number"] = np.array([*run.charts], dtype=np.int64)
        charts["name"] = _texts(run.charts.values())
        if run.chart_fields:
            charts["field"] = _texts(name for name, bits in run.chart_fields.items() for _ in bits)
            charts["bit"] = _texts(bit for bits in run.chart_fields.values() for bit in bits)
        if run.plots:
            file.attrs["plots"] = _texts(run.plots)
        parameters = file.create_group("parameters")
        for name, value in run.parameters.items():
            parameters[name] = value
        if run.inputs.records:
            _write_inputs(file.create_group("inputs"), run.inputs)
        file.create_group("statistics").attrs.update(run.statistics)
        _write_provenance(file, run.provenance)
    with replacing(path) as temporary:
        temporary.write_bytes(content.getbuffer())


def _texts(values: Any) -> Any:
    return np.array([*values], dtype=h5py.string_dtype())


def _write_rows(file: Any, run: Trajectory) -> None:
    for name in ROW_COLUMNS:
        values = getattr(run, name)
        if values is not None:
            file[name] = values
    file["t"].attrs["unit"] = "s"
    if run.certificate is not None:
        file["certificate"].attrs["names"] = _texts(CERTIFICATES)
    _write_records(file["x"], run.states, State)
    _write_records(file["y"], run.outputs, Output)


def _write_records(data: Any, records: Iterable[Any], kind: type) -> None:
    """The records of the columns as attributes."""
    known = {field.name for field in fields(kind)}
    for attribute, field in COLUMN_ATTRIBUTES.items():
        if field in known:
            values = [getattr(record, field) for record in records]
            data.attrs[attribute] = _texts(values) if isinstance(values[0], str) else np.array(values, float)


def _write_inputs(group: Any, inputs: InputHistory) -> None:
    group["initial"] = inputs.initial
    _write_records(group["initial"], inputs.records, Input)
    for name, field in INPUT_COLUMNS.items():
        group[name] = getattr(inputs, field)
    group["t"].attrs["unit"] = "s"


def _write_events(group: Any, events: Events) -> None:
    for name in EVENT_COLUMNS:
        group[name] = getattr(events, name)
    group["boundaries"] = events.crossed.astype(np.uint8)
    group["boundaries"].attrs["names"] = _texts(events.names)
    for name in EVENT_WORDS:
        group[name] = np.array(getattr(events, name), dtype="S8")
    group["declined"] = events.declined.astype(np.uint8)
    group["t"].attrs["unit"] = "s"


def _write_provenance(file: Any, provenance: Mapping[str, Any]) -> None:
    if "config" in provenance:
        file["config"] = write_yaml(provenance["config"])
    for name in ("plugin_hash", "source"):
        if name in provenance:
            file.attrs[name] = provenance[name]
    file.create_group("versions").attrs.update(provenance.get("versions", {}))


def load_run(path: str | os.PathLike[str]) -> Trajectory:
    """The run in a file that `save` or the command line wrote.

    Raises
    ------
    ConfigError : there is no such file, or it is none of ours, damaged, or written by a newer hybridsim.
    """
    path = Path(path)
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file; give the .h5 file of a run")
    try:
        with h5py.File(path, "r") as file:
            _check_format(path, file.attrs)
            return _read_run(file)
    except ConfigError:
        raise
    except Exception as problem:  # a damaged file makes h5py raise anything
        if not h5py.is_hdf5(path):
            raise ConfigError(f"{path}: not an HDF5 file; give the .h5 file of a run") from None
        raise ConfigError(f"{path}: the file is damaged or incomplete ({problem}); run the simulation again") from None


def _check_format(path: Path, attributes: Mapping[str, Any]) -> None:
    if attributes.get("format") != FORMAT:
        raise ConfigError(f"{path}: an HDF5 file, but not a run of hybridsim; give the .h5 file of a run")
    version = int(attributes["format_version"])
    if version > FORMAT_VERSION:
        raise ConfigError(
            f"{path}: written in format {version} by a newer hybridsim, and this one reads up to {FORMAT_VERSION}; "
            "update hybridsim"
        )
    if version < FORMAT_VERSION:
        raise ConfigError(
            f"{path}: written in format {version} by an older hybridsim, and this one reads {FORMAT_VERSION}; "
            "run the simulation again"
        )


def _read_run(file: Any) -> Trajectory:
    columns: dict[str, Any] = {name: file[name][()] if name in file else None for name in ROW_COLUMNS}
    return Trajectory(
        model_name=file.attrs["model"],
        states=_read_records(State, file["x"].attrs),
        outputs=_read_records(Output, file["y"].attrs),
        boundaries=tuple(file["events/boundaries"].attrs["names"].tolist()),
        charts=dict(zip(file["charts/number"][()].tolist(), file["charts/name"].asstr()[()].tolist(), strict=True)),
        parameters={name: _read_parameter(data) for name, data in file["parameters"].items()},
        **columns,
        events=_read_events(file["events"]),
        status=Status[file.attrs["status"]],
        message=file.attrs["message"],
        statistics={name: value.item() for name, value in file["statistics"].attrs.items()},
        provenance=_read_provenance(file),
        inputs=_read_inputs(file["inputs"]) if "inputs" in file else no_changes(Records(), ()),
        chart_fields=_read_fields(file["charts"]),
        plots=tuple(file.attrs["plots"].tolist()) if "plots" in file.attrs else (),
    )


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
        field: attributes[name].tolist() for name, field in COLUMN_ATTRIBUTES.items() if name in attributes
    }
    if "continuous" in columns:
        columns["continuous"] = [*map(bool, columns["continuous"])]
    rows = zip(*columns.values(), strict=True)
    return Records(*(kind(**dict(zip(columns, row, strict=True))) for row in rows))


def _read_parameter(data: Any) -> Any:
    if h5py.check_string_dtype(data.dtype):
        return data.asstr()[()]
    return tuple(data[()].tolist()) if data.ndim else data[()].item()


def _read_events(group: Any) -> Events:
    return Events(
        names=group["boundaries"].attrs["names"].tolist(),
        crossed=group["boundaries"][()].astype(bool),
        declined=group["declined"][()].astype(bool),
        **_read_event_columns(group),
    )


def _read_event_columns(group: Any) -> dict[str, Any]:
    words = {name: [word.decode() for word in group[name][()].tolist()] for name in EVENT_WORDS}
    return words | {name: group[name][()] for name in EVENT_COLUMNS}


def _read_provenance(file: Any) -> dict[str, Any]:
    provenance: dict[str, Any] = {}
    if "config" in file:
        text = file["config"].asstr()[()]
        provenance["config"] = parse_value(text, Origin("/config"), (), Diagnostics()).plain()
    provenance |= {name: file.attrs[name] for name in ("plugin_hash", "source") if name in file.attrs}
    return provenance | {"versions": dict(file["versions"].attrs)}

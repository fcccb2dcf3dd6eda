"""Write one HDF5 file per run, with a layout that any tool can read: h5py, MATLAB, Octave, Julia.

========================  =====================================================================================
`/t` `/j` `/chart`        (n) record times [s], jump counts, charts; a jump has two rows at one t, before and after
`/x`                      (n, states); attributes `names`, `units`, `docs`, `defaults`, `lower`, `upper`, `continuous`
`/y`                      (n, outputs); attributes `names`, `units`, `docs`
                          Of a model with blocks, `/x` and `/y` have attributes `shapes`, "100" or "3,4", "" for one
                          column: the attributes are then those of blocks, whose columns follow one another. Where the
                          entries of a block have different defaults, `/x_defaults` (states) has those of all states
`/adjacent_chart`         (n) while the state slides, the number of the second chart; -1 elsewhere
`/surface`                (n) while the state slides, the index of the boundary along which it does; -1 elsewhere
`/sliding_weight`         (n) while the state slides, the share of the first chart's vector field; 1 elsewhere
`/certificate`            (n) how the step from row i was searched for crossings; attribute `names`: the words for
                          0, 1, ...; -1 where there was nothing to search
`/xdot`                   (n, states) slopes at the rows, if no extension was recorded
`/extension` `/step`      (n, degree, states) and (n) [s], if every step was recorded: from row i on,
                          x(t) = x[i] + sum_d extension[i, d] theta^(d+1) with theta = (t - t[i]) / step[i]
`/events/...`             `t`, `j`, `chart_before`, `chart_after`, `adjacent_chart`, `surface`, `certificate`,
                          `declined`, `kind`, `value`, `depth`, `error` (m); `x_before`, `x_after` (m, states);
                          `boundaries` (m, boundaries), 1 where it crossed, attribute `names`
`/charts/...`             `number`, `name`: the charts that occur; of bit fields `field`, `bit`: the name of each
                          bit of a number, lowest first
`/parameters/NAME`        the value used: a number, a word, or an array
`/inputs/...`             of a model with inputs: `initial` (inputs), the values at the start, with attributes `names`,
                          `units`, `docs`, `defaults`, `lower`, `upper`; `t`, `j`, `input`, `value` (c), every change:
                          when, the jump count before it, which input, and what it was set to
`/statistics`             attributes: steps, rejected, vector_field_calls, ...
`/versions`               attributes: the version of every package that took part
`/config`                 the resolved config, as YAML text; present where the run knows it
`/config_arrays/...`      `initial/NAME`, `parameters/NAME`: long lists of the config, which the text has as null
`/model_files/...`        of a model or a part that was loaded by path: `path`, `sha256` (k), the files that were
                          executed, with the files that they imported from their folders; files of installed models
                          lack it
`/orbit`                  of an orbit, of which the run is one period: `multipliers` (k, 2), real and imaginary parts;
                          `free`, `translated`, of states moved together the first, `kept`, names of states;
                          attributes `strides`, `period` [s], `stable`, `family`
`/`                       attributes `format`, `format_version`, `model`, `status`, `status_code`, `message`,
                          `plugin_hash`, `source`; `plots`, what is drawn by default
========================  =====================================================================================

Texts are UTF-8, truth values are 0 and 1. MATLAB lists dimensions in reverse: there `x` is states by n.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from hybridsim.config.yaml_source import write_yaml
from hybridsim.engine.memory import CERTIFICATES
from hybridsim.model import Input, Output, Records, State
from hybridsim.model.table import MANY_VALUES
from hybridsim.results.events import EVENT_COLUMNS, Events
from hybridsim.results.files import replacing
from hybridsim.results.input_history import InputHistory
from hybridsim.results.rows import ROW_COLUMNS
from hybridsim.results.run_data import RunData

RUN_FORMAT, BRANCH_FORMAT = "hybridsim run", "hybridsim branch"
RUN_FORMAT_VERSION = 3

RECORD_ATTRIBUTES = {
    "names": "name",
    "units": "unit",
    "docs": "doc",
    "defaults": "default",
    "lower": "lower",
    "upper": "upper",
    "continuous": "continuous",
}
"""Attributes of `/x`, `/y` and `/inputs/initial` -> the field of the records that each holds for all columns."""

TEXT_FIELDS = ("name", "unit", "doc")
"""Fields of records that are texts; the others are numbers."""

EVENT_DATASETS = {name: "boundaries" if name == "crossed" else name for name in EVENT_COLUMNS}
"""Columns of `Events` -> their datasets in `/events`."""

INPUT_COLUMNS = {"t": "t", "j": "j", "input": "index", "value": "value"}
"""Datasets of `/inputs` -> the attributes of `InputHistory` that they hold."""


NOT_DECIDED = 2
"""Code of an orbit of which it is not decided whether it is stable."""

STATE_GROUPS = ("free", "translated", "kept")
"""Datasets of `/orbit` with names of states."""


def write_run(path: Path, run: RunData) -> None:
    """Write a whole run into one file; an older file at this path is replaced at the very end.

    Parameters
    ----------
    path : Path
        The file.
    run : RunData
        The run.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    with new_file(path, RUN_FORMAT, RUN_FORMAT_VERSION) as file:
        file.attrs["model"] = run.model_name
        file.attrs["status"], file.attrs["status_code"] = run.status.name, run.status.value
        file.attrs["message"] = run.message
        if run.plots:
            file.attrs["plots"] = texts(run.plots)
        _write_rows(file, run)
        _write_events(file.create_group("events"), run.events)
        _write_charts(file.create_group("charts"), run)
        parameters = file.create_group("parameters")
        for name, value in run.parameters.items():
            parameters[name] = value
        if run.inputs.records:
            _write_inputs(file.create_group("inputs"), run.inputs)
        file.create_group("statistics").attrs.update(run.statistics)
        write_provenance(file, run.provenance)


@contextmanager
def new_file(path: Path, kind: str, version: int, remedy: str = "make room or choose another folder") -> Iterator[Any]:
    """Give an HDF5 file in this format to be filled; one at this path is replaced at the very end."""
    # Built in memory: HDF5 cannot even close its own file on a full disk, and fails inside its destructors.
    content = io.BytesIO()
    with h5py.File(content, "w") as file:
        file.attrs["format"], file.attrs["format_version"] = kind, version
        yield file
    with replacing(path, remedy=remedy) as temporary:
        temporary.write_bytes(content.getbuffer())


def texts(values: Iterable[str]) -> Any:
    """Return texts as HDF5 stores them."""
    return np.array([*values], dtype=h5py.string_dtype())


def _write_rows(file: Any, run: RunData) -> None:
    for name in ROW_COLUMNS:
        values = getattr(run, name)
        if values is not None:
            file[name] = values
    file["t"].attrs["unit"] = "s"
    if run.certificate is not None:
        file["certificate"].attrs["names"] = texts(CERTIFICATES)
    _write_records(file["x"], run.states, State)
    _write_records(file["y"], run.outputs, Output)


def _write_records(data: Any, records: Records[Any], kind: type) -> None:
    """Write the records of the columns as attributes."""
    known = {field.name for field in fields(kind)}
    if len(records.blocks) < len(records):
        data.attrs["shapes"] = texts(",".join(map(str, record.shape)) for record in records.blocks)
    for attribute, field in RECORD_ATTRIBUTES.items():
        if field in known:
            values = [getattr(record, field) for record in records.blocks]
            if any(isinstance(value, tuple) for value in values):
                data.parent[f"{data.name}_defaults"] = records.column(field)
                values = [value[0] if isinstance(value, tuple) else value for value in values]
            data.attrs[attribute] = texts(values) if field in TEXT_FIELDS else np.array(values, float)


def _write_events(group: Any, events: Events) -> None:
    for name, column in EVENT_COLUMNS.items():
        dataset, values = EVENT_DATASETS[name], getattr(events, name)
        if column.words:
            group[dataset] = np.array(values, dtype="S8")
        else:
            group[dataset] = values.astype(np.uint8) if column.is_flag else values
    group["boundaries"].attrs["names"] = texts(events.names)
    group["t"].attrs["unit"] = "s"


def _write_charts(group: Any, run: RunData) -> None:
    group["number"] = np.array([*run.charts], dtype=np.int64)
    group["name"] = texts(run.charts.values())
    if run.chart_fields:
        group["field"] = texts(name for name, bits in run.chart_fields.items() for _ in bits)
        group["bit"] = texts(bit for bits in run.chart_fields.values() for bit in bits)


def _write_inputs(group: Any, inputs: InputHistory) -> None:
    group["initial"] = inputs.initial
    _write_records(group["initial"], inputs.records, Input)
    for name, field in INPUT_COLUMNS.items():
        group[name] = getattr(inputs, field)
    group["t"].attrs["unit"] = "s"


def write_provenance(file: Any, provenance: Mapping[str, Any]) -> None:
    """Write what determined a run, or the first orbit of a branch: `/config`, `/versions`, `/model_files`, `/orbit`."""
    if "config" in provenance:
        config, arrays = _without_long_lists(provenance["config"])
        file["config"] = write_yaml(config)
        for place, values in arrays.items():
            file[f"config_arrays/{place}"] = values
    for name in ("plugin_hash", "source"):
        if name in provenance:
            file.attrs[name] = provenance[name]
    if provenance.get("model_files"):
        group = file.create_group("model_files")
        group["path"] = texts(provenance["model_files"])
        group["sha256"] = texts(provenance["model_files"].values())
    if "orbit" in provenance:
        _write_orbit(file.create_group("orbit"), provenance["orbit"])
    if "identification" in provenance:
        _write_identification(file.create_group("identification"), provenance["identification"])
    file.create_group("versions").attrs.update(provenance.get("versions", {}))


def _without_long_lists(config: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, list[float]]]:
    """Return a config with null in place of long lists of numbers, and these by their places."""
    short, arrays = dict(config), dict[str, list[float]]()
    for section in ("initial", "parameters"):
        given = short.get(section)
        for name, value in given.items() if isinstance(given, Mapping) else ():
            if isinstance(value, list) and len(value) >= MANY_VALUES:
                arrays[f"{section}/{name}"] = value
                short[section] = short[section] | {name: None}
    return short, arrays


def _write_identification(group: Any, found: Mapping[str, Any]) -> None:
    """Write what was identified: numbers, tuples of texts and arrays by name, and a group for each trial."""
    for name, value in found.items():
        if isinstance(value, Mapping):
            _write_identification(group.create_group(name), value)
        elif isinstance(value, str | int | float):
            group.attrs[name] = value
        else:
            group[name] = texts(value) if isinstance(value, tuple) else np.asarray(value, float)


def _write_orbit(group: Any, orbit: Mapping[str, Any]) -> None:
    multipliers = np.asarray(orbit["multipliers"], complex)
    group["multipliers"] = np.stack([multipliers.real, multipliers.imag], axis=1)
    for name in STATE_GROUPS:
        group[name] = texts(orbit[name])
    for name in ("strides", "period", "family"):
        group.attrs[name] = orbit[name]
    group["warnings"] = texts(orbit["warnings"])
    group.attrs["stable"] = NOT_DECIDED if orbit["stable"] is None else int(orbit["stable"])

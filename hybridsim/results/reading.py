"""Read a run from its HDF5 file; `hdf5` describes the layout."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from hybridsim.config.source import Diagnostics, Origin
from hybridsim.config.yaml_source import parse_value
from hybridsim.engine.memory import NOWHERE
from hybridsim.engine.status import Status
from hybridsim.errors import ConfigError, explains_keywords
from hybridsim.model import Records
from hybridsim.results import schema
from hybridsim.results.events import EVENT_COLUMNS, Events
from hybridsim.results.guarded_file import GuardedFile, read_guarded
from hybridsim.results.hdf5 import (
    BRANCH_FORMAT,
    INPUT_COLUMNS,
    NOT_DECIDED,
    RECORD_ATTRIBUTES,
    RUN_FORMAT,
    RUN_FORMAT_VERSION,
    STATE_GROUPS,
)
from hybridsim.results.input_history import InputHistory, no_changes
from hybridsim.results.trajectory import Trajectory

REAL_AND_IMAGINARY = 2
"""Parts of a complex number."""


@explains_keywords()
def load_run(path: str | os.PathLike[str]) -> Trajectory:
    """Read a run from the file that `Trajectory.save` or the command line has written.

    Parameters
    ----------
    path : path
        The .h5 file.

    Returns
    -------
    Trajectory
        The run.

    Raises
    ------
    ConfigError
        If there is no such file, or it is not the file of a run, is damaged, or has the format of another version;
        for a damaged file, the message names the place and what was expected there.
    """
    return read_guarded(Path(path), "a run", "run the simulation again", _read_run)


def _refuse_other_files(file: GuardedFile) -> None:
    """Raise a ConfigError unless this is the file of a run in the present format."""
    found = file.attribute("/", "format", schema.FileEntry(schema.TEXTS, required=False))
    if found == BRANCH_FORMAT:
        what, parameter = (file.attribute("/", name, schema.FileEntry(schema.TEXTS)) for name in ("what", "parameter"))
        if what != "orbits":
            raise ConfigError(f"{file.path}: a table of {what}, not a run; draw it with `hybridsim plot {file.path}`")
        states = file.attribute("points/visits", "names", schema.FileEntry(schema.TEXTS, ("n_states",)))
        key = f"{'initial' if parameter in states else 'parameters'}.{parameter}"
        raise ConfigError(
            f"{file.path}: a branch of orbits, not a run; draw it with `hybridsim plot {file.path}`, or take one of "
            f"its orbits: hybridsim orbit find {file.path} {key}=VALUE"
        )
    if found != RUN_FORMAT:
        raise ConfigError(f"{file.path}: an HDF5 file, but not a run of hybridsim; give the .h5 file of a run")
    file.refuse_other_format(RUN_FORMAT_VERSION)


def _read_run(file: GuardedFile) -> Trajectory:
    _refuse_other_files(file)
    file.refuse_missing(*schema.required_places())
    root = {name: file.attribute("/", name, entry) for name, entry in schema.ATTRIBUTES["/"].items()}
    names = schema.ATTRIBUTES["events/boundaries"]["names"]
    boundaries = tuple(file.attribute("events/boundaries", "names", names).tolist())
    states, outputs = _read_records(file, "x"), _read_records(file, "y")
    rows = _read_rows(file)
    return Trajectory(
        model_name=root["model"],
        states=states,
        outputs=outputs,
        boundaries=boundaries,
        charts=_read_charts(file, rows),
        parameters={name: _read_parameter(file, f"parameters/{name}") for name in file.names_in("parameters")},
        **rows,
        events=Events(boundaries, states.names, **_read_events(file)),
        status=Status[root["status"]],
        message=root["message"],
        statistics={name: file.attribute_number("statistics", name) for name in file.attributes_of("statistics")},
        provenance=read_provenance(file, root),
        inputs=_read_inputs(file) if file.has("inputs") else no_changes(Records(), ()),
        chart_fields=_read_fields(file),
        plots=() if root["plots"] is None else tuple(root["plots"].tolist()),
    )


def _read_rows(file: GuardedFile) -> dict[str, Any]:
    """Return the columns of the rows by name, None for missing ones."""
    columns = {name: file.dataset(name, entry) for name, entry in schema.ROW_ENTRIES.items()}
    file.attribute("t", "unit", schema.ATTRIBUTES["t"]["unit"])
    if not file.sizes["rows"]:
        file.refuse("/t", "expected at least one row, found none")
    return columns


def _read_events(file: GuardedFile) -> dict[str, Any]:
    """Return the columns of the events by name."""
    columns: dict[str, Any] = {}
    for name, entry in schema.EVENT_ENTRIES.items():
        values = file.dataset(schema.event_dataset(name), entry)
        columns[name] = values.astype(bool) if EVENT_COLUMNS[name].is_flag else values
        if EVENT_COLUMNS[name].words:
            columns[name] = values.tolist()
    return columns


def _read_charts(file: GuardedFile, rows: Mapping[str, Any]) -> dict[int, str]:
    """Return the names of the charts; each chart in which a row is has one."""
    numbers, names = (
        file.dataset(place, schema.CHART_ENTRIES[place]).tolist() for place in ("charts/number", "charts/name")
    )
    for column, unlisted in (("chart", set()), ("adjacent_chart", {NOWHERE})):
        if unknown := {*np.unique(rows[column]).tolist()} - {*numbers} - unlisted:
            known = ", ".join(map(str, numbers))
            file.refuse(f"/{column}", f"expected the charts of /charts/number ({known}), found {min(unknown)}")
    return dict(zip(numbers, names, strict=True))


def _read_fields(file: GuardedFile) -> dict[str, tuple[str, ...]]:
    names, bits = (file.dataset(place, schema.CHART_ENTRIES[place]) for place in ("charts/field", "charts/bit"))
    if names is None or bits is None:
        return {}
    fields: dict[str, tuple[str, ...]] = {}
    for name, bit in zip(names.tolist(), bits.tolist(), strict=True):
        fields[name] = (*fields.get(name, ()), bit)
    return fields


def _read_inputs(file: GuardedFile) -> InputHistory:
    records = _read_records(file, "inputs/initial")
    initial = file.dataset("inputs/initial", schema.INITIAL_INPUTS_ENTRY)
    places = {field: f"inputs/{name}" for name, field in INPUT_COLUMNS.items()}
    return InputHistory(
        records, initial, **{name: file.dataset(places[name], schema.INPUT_ENTRIES[name]) for name in places}
    )


def _read_records(file: GuardedFile, dataset: str) -> Records[Any]:
    kind, n_columns = schema.RECORDS[dataset]
    columns: dict[str, list[Any]] = {}
    length = (f"blocks of {dataset}",)
    shapes = file.attribute(dataset, "shapes", schema.FileEntry(schema.TEXTS, length, required=False))
    for name, entry in schema.ATTRIBUTES[dataset].items():
        values = file.attribute(dataset, name, entry if shapes is None else dataclasses.replace(entry, shape=length))
        if values is not None:
            columns[RECORD_ATTRIBUTES[name]] = values.tolist()
    if "continuous" in columns:
        columns["continuous"] = [*map(bool, columns["continuous"])]
    if shapes is None:
        rows = zip(*columns.values(), strict=True)
        make = lambda: Records(*(kind(**dict(zip(columns, row, strict=True))) for row in rows))  # noqa: E731
        return file.guard(f"/{dataset}", make)
    defaults = file.dataset(f"{dataset}_defaults", schema.FileEntry(schema.NUMBERS, (n_columns,), required=False))
    records = file.guard(f"/{dataset}", lambda: _blocks(kind, columns, shapes, defaults))
    if len(records) != file.sizes.get(n_columns, len(records)):
        found = file.sizes[n_columns]
        file.refuse(f"/{dataset}", f"expected {len(records)} columns, as its shapes say, found {found}")
    return records


def _blocks(kind: type, columns: dict[str, list[Any]], shapes: Any, defaults: Any) -> Records[Any]:
    """Return records of which some have shapes, and defaults of their own for each entry."""
    columns["shape"] = [tuple(map(int, shape.split(","))) if shape else () for shape in shapes.tolist()]
    records, first = [], 0
    for row in zip(*columns.values(), strict=True):
        given = dict(zip(columns, row, strict=True))
        n = math.prod(given["shape"])
        if defaults is not None and given["shape"] and len(set(own := defaults[first : first + n].tolist())) > 1:
            given["default"] = own
        records.append(kind(**given))
        first += n
    return Records(*records)


def _read_parameter(file: GuardedFile, name: str) -> Any:
    """Return a parameter: a number, a word, or a tuple of numbers."""
    stored = file.guard(f"/{name}", lambda: file.open_dataset(name, "a number, a text or numbers"))
    if stored.kind == schema.TEXTS:
        return file.dataset(name, schema.FileEntry(schema.TEXTS))
    shape = (f"the numbers of {name}",) if stored.shape else ()
    value = file.dataset(name, schema.FileEntry(stored.kind or schema.NUMBERS, shape))
    return tuple(value.tolist()) if shape else value.item()


def read_provenance(file: GuardedFile, root: Mapping[str, Any]) -> dict[str, Any]:
    """Return what determined a run, or the first orbit of a branch; `root` are attributes of the file."""
    provenance: dict[str, Any] = {}
    if file.has("config"):
        text = file.dataset("config", schema.CONFIG_ENTRY)
        provenance["config"] = file.guard(
            "/config", lambda: parse_value(text, Origin("/config"), (), Diagnostics()).plain()
        )
        for section in ("initial", "parameters"):
            place = f"config_arrays/{section}"
            for name in file.names_in(place) if file.has(place) else ():
                entry = schema.FileEntry(schema.NUMBERS, (f"numbers of {section}.{name}",), finite=True)
                provenance["config"].setdefault(section, {})[name] = file.dataset(f"{place}/{name}", entry).tolist()
    provenance |= {name: root[name] for name in ("plugin_hash", "source") if root[name] is not None}
    if file.has("model_files"):
        columns = (file.dataset(name, entry) for name, entry in schema.MODEL_FILES.items())
        provenance["model_files"] = dict(zip(*columns, strict=True))
    if file.has("orbit"):
        provenance["orbit"] = _read_orbit(file)
    if file.has("identification"):
        provenance["identification"] = _read_identification(file)
    entry = schema.FileEntry(schema.TEXTS)
    versions = {name: file.attribute("versions", name, entry) for name in file.attributes_of("versions")}
    return provenance | {"versions": versions}


def _read_orbit(file: GuardedFile) -> dict[str, Any]:
    """Return what the file of an orbit says about it."""
    numbers = {name: file.attribute("orbit", name, entry).item() for name, entry in schema.ORBIT_ATTRIBUTES.items()}
    multipliers = read_complex(file, "orbit/multipliers", schema.MULTIPLIERS_ENTRY)
    names = {
        name: tuple(file.dataset(f"orbit/{name}", schema.FileEntry(schema.TEXTS, (name,)))) for name in STATE_GROUPS
    }
    warnings = tuple(file.dataset("orbit/warnings", schema.FileEntry(schema.TEXTS, ("warnings",))))
    stable = None if numbers["stable"] == NOT_DECIDED else bool(numbers["stable"])
    return numbers | names | {"stable": stable, "multipliers": multipliers, "warnings": warnings}


def _read_identification(file: GuardedFile) -> dict[str, Any]:
    """Return what the file of a run that was identified says about it."""
    top, found = "identification", dict[str, Any]()
    for name, entry in schema.IDENTIFICATION_ATTRIBUTES.items():
        value = file.attribute(top, name, entry)
        found[name] = value if entry.kind == schema.TEXTS else value.item()
    found |= {name: file.dataset(f"{top}/{name}", entry) for name, entry in schema.IDENTIFICATION.items()}
    for number in range(found["trials"]):
        group = f"trial_{number}"
        sizes = {name: f"{name}_{number}" for name in ("nodes", "samples")}  # each trial has its own
        entries = {
            name: dataclasses.replace(entry, shape=tuple(sizes.get(size, size) for size in entry.shape))
            for name, entry in schema.TRIAL.items()
        }
        found[group] = {name: file.dataset(f"{top}/{group}/{name}", entry) for name, entry in entries.items()}
    return found


def read_complex(file: GuardedFile, name: str, entry: schema.FileEntry) -> Any:
    """Return complex numbers, of which a dataset has the real and the imaginary parts along its last dimension."""
    parts = file.dataset(name, entry)
    if parts.shape[-1] != REAL_AND_IMAGINARY:
        file.refuse(f"/{name}", f"expected real and imaginary parts, found shape {parts.shape}")
    return parts[..., 0] + 1j * parts[..., 1]

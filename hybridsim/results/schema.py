"""The datasets and attributes of a run file: their types, shapes and limits. `hdf5` describes what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hybridsim.engine.columns import Column
from hybridsim.engine.memory import NOWHERE, UNDECIDED
from hybridsim.engine.status import Status
from hybridsim.model import Input, Output, State
from hybridsim.results.events import EVENT_COLUMNS
from hybridsim.results.hdf5 import EVENT_DATASETS, RECORD_ATTRIBUTES, TEXT_FIELDS
from hybridsim.results.rows import ROW_COLUMNS, SLOPE_COLUMNS, STEP_COLUMNS

NUMBERS, INTEGERS, TEXTS = "numbers", "integers", "texts"
"""Kinds of entries; truth values are integers in a file."""

FINITE_COLUMNS = ("t", "step", "sliding_weight", "extension")
"""Columns without infinities and nan in every run; how a run ended decides what the others may contain."""


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A dataset or an attribute.

    Attributes
    ----------
    kind : str
        NUMBERS, INTEGERS or TEXTS.
    shape : tuple of str
        Names of the sizes, such as "rows"; the first entry that is read with a name determines this size for all
        others. () for one value.
    required : bool
        Whether a file without it is damaged.
    finite : bool
        Whether infinities and nan are excluded.
    words : tuple of str
        Texts: those allowed; () for any.
    limits : tuple of int and str, optional
        Integers: the least one, and the size (or the number) that all are below.
    """

    kind: str
    shape: tuple[str, ...] = ()
    required: bool = True
    finite: bool = False
    words: tuple[str, ...] = ()
    limits: tuple[int, str | int] | None = None


def _entry_of_column(name: str, column: Column, length: str, coded: bool) -> FileEntry:
    """Return the entry of a column of rows or events; words are codes in the rows, and texts in the events."""
    required = name not in (*STEP_COLUMNS, *SLOPE_COLUMNS)
    shape = (length, *column.shape)
    if column.words and not coded:
        return FileEntry(TEXTS, shape, required, words=column.words)
    if np.dtype(column.dtype).kind == "f":
        return FileEntry(NUMBERS, shape, required, finite=name in FINITE_COLUMNS)
    limits: dict[str, tuple[int, str | int]] = {
        "surface": (NOWHERE, "n_boundaries"),
        "certificate": (UNDECIDED, len(column.words)),
    }
    return FileEntry(INTEGERS, shape, required, limits=limits.get(name))


ROW_ENTRIES: Mapping[str, FileEntry] = {
    name: _entry_of_column(name, column, "rows", coded=True) for name, column in ROW_COLUMNS.items()
}
"""The columns of the rows."""

EVENT_ENTRIES: Mapping[str, FileEntry] = {
    name: _entry_of_column(name, column, "events", coded=False) for name, column in EVENT_COLUMNS.items()
}
"""The columns of the events."""

CHART_ENTRIES: Mapping[str, FileEntry] = {
    "charts/number": FileEntry(INTEGERS, ("charts",)),
    "charts/name": FileEntry(TEXTS, ("charts",)),
    "charts/field": FileEntry(TEXTS, ("bits",), required=False),
    "charts/bit": FileEntry(TEXTS, ("bits",), required=False),
}
"""Datasets of the charts."""

INPUT_ENTRIES: Mapping[str, FileEntry] = {
    "index": FileEntry(INTEGERS, ("changes",), limits=(0, "n_inputs")),
    "j": FileEntry(INTEGERS, ("changes",)),
    **{name: FileEntry(NUMBERS, ("changes",), finite=name == "t") for name in ("t", "value")},
}
"""The columns of the changes of inputs, by the attributes of `InputHistory`."""

INITIAL_INPUTS_ENTRY = FileEntry(NUMBERS, ("n_inputs",))
CONFIG_ENTRY = FileEntry(TEXTS)
MODEL_FILES: Mapping[str, FileEntry] = {
    "model_files/path": FileEntry(TEXTS, ("model_files",)),
    "model_files/sha256": FileEntry(TEXTS, ("model_files",)),
}
"""The files of the model that were executed, with their hashes."""

MULTIPLIERS_ENTRY = FileEntry(NUMBERS, ("multipliers", "parts"))
ORBIT_ATTRIBUTES: Mapping[str, FileEntry] = {
    "strides": FileEntry(INTEGERS),
    "period": FileEntry(NUMBERS, finite=True),
    "stable": FileEntry(INTEGERS, limits=(0, 3)),
    "family": FileEntry(INTEGERS),
}
"""The attributes of the group `/orbit`."""

RECORDS: Mapping[str, tuple[Any, str]] = {
    "x": (State, "n_states"),
    "y": (Output, "n_outputs"),
    "inputs/initial": (Input, "n_inputs"),
}
"""Datasets whose attributes describe their columns: the type of the records, and the name of their number."""

ATTRIBUTES: Mapping[str, Mapping[str, FileEntry]] = {
    "/": {
        **{name: FileEntry(TEXTS) for name in ("model", "message")},
        "status": FileEntry(TEXTS, words=tuple(Status.__members__)),
        "status_code": FileEntry(INTEGERS, required=False),  # the checker reports that it is missing
        "plots": FileEntry(TEXTS, ("plots",), required=False),
        **{name: FileEntry(TEXTS, required=False) for name in ("plugin_hash", "source")},
    },
    "t": {"unit": FileEntry(TEXTS, required=False)},  # the checker judges which unit it is
    "events/boundaries": {"names": FileEntry(TEXTS, ("n_boundaries",))},
    **{
        dataset: {
            attribute: FileEntry(TEXTS if field in TEXT_FIELDS else NUMBERS, (size,), required=field == "name")
            for attribute, field in RECORD_ATTRIBUTES.items()
            if field in {known.name for known in fields(kind)}
        }
        for dataset, (kind, size) in RECORDS.items()
    },
}
"""Attributes of datasets and of the file itself."""

REQUIRED_GROUPS = ("events", "charts", "parameters", "statistics", "versions")
"""Groups of every file. `/inputs` is there if the model has inputs."""


def event_dataset(name: str) -> str:
    """Return the dataset of a column of the events."""
    return f"events/{EVENT_DATASETS[name]}"


def required_places() -> tuple[list[str], list[tuple[str, str]]]:
    """Return the datasets and groups, and the attributes, that each file has."""
    datasets = [name for name, entry in ROW_ENTRIES.items() if entry.required]
    datasets += [event_dataset(name) for name, entry in EVENT_ENTRIES.items() if entry.required]
    datasets += [place for place, entry in CHART_ENTRIES.items() if entry.required]
    attributes = [
        (place, name)
        for place, entries in ATTRIBUTES.items()
        for name, entry in entries.items()
        if entry.required and not place.startswith("inputs/")
    ]
    return [*REQUIRED_GROUPS, *datasets], attributes


IDENTIFICATION: Mapping[str, FileEntry] = {
    "parameters": FileEntry(TEXTS, ("parameters",)),
    **{name: FileEntry(NUMBERS, ("parameters",)) for name in ("values", "guesses", "standard_errors")},
    "correlation": FileEntry(NUMBERS, ("parameters", "parameters")),
    "measured": FileEntry(TEXTS, ("measured",)),
    "inputs": FileEntry(TEXTS, ("inputs",)),
    "notes": FileEntry(TEXTS, ("notes",)),
}
"""Datasets of `/identification` in the file of a run that was identified."""

IDENTIFICATION_ATTRIBUTES: Mapping[str, FileEntry] = {
    "objective": FileEntry(NUMBERS),
    **{name: FileEntry(TEXTS) for name in ("why_not", "scheme", "config")},
    **{name: FileEntry(INTEGERS) for name in ("iterations", "trials", "seed")},
}

TRIAL: Mapping[str, FileEntry] = {
    "t": FileEntry(NUMBERS, ("nodes",), finite=True),
    "x": FileEntry(NUMBERS, ("nodes", "states"), finite=True),
    "inputs": FileEntry(NUMBERS, ("nodes", "inputs"), finite=True),
    "chart": FileEntry(NUMBERS, ("nodes",), finite=True),
    "samples": FileEntry(NUMBERS, ("samples",), finite=True),
    **{name: FileEntry(NUMBERS, ("samples", "measured")) for name in ("data", "misfits")},
}
"""Datasets of `/identification/trial_0` and so on."""

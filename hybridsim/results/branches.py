"""The file of a branch of orbits: its table, its bifurcations, and where its curves go on.

=====================  ========================================================================================
`/points/NAME`         (n) columns of the table, with the attribute `unit`: `curve`, the parameter, `strides`,
                       `period`, `stable`, the states
`/points/multipliers`  (n, k, 2) the multipliers, largest first: real and imaginary parts, nan where there are fewer
`/points/visits`       (n, most strides, states) where the strides of each orbit begin; nan where there are fewer
`/bifurcations/...`    `kind`, `type`, `boundary`, `value`, `curve`, `strides`, `family`, `side` (m); `x` (m, states);
                       `coefficient_parts` (m, 2), of the normal form: real and imaginary parts
`/pending/...`         of an interrupted branch: `curve` (-1: none yet), `strides`, `length` of the next step (l); `z`,
                       `tangent`, `origin` (l, k)
`/orbit/...`           the first orbit, as in the file of an orbit
`/versions` `/config` `/model_files/...`  as in the file of a run, for the first orbit
`/`                    attributes `format`, `format_version`, `model`, `parameter`, `to`, `max_strides`; `back_to` of a
                       branch that goes both ways; `notes`, where and why curves end
=====================  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import h5py
import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ConfigError
from hybridsim.results.files import refuse_unusable
from hybridsim.results.guarded_file import GuardedFile, read_guarded
from hybridsim.results.hdf5 import BRANCH_FORMAT, new_file, texts, write_provenance
from hybridsim.results.reading import read_complex, read_provenance
from hybridsim.results.schema import INTEGERS, NUMBERS, TEXTS, FileEntry
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

BRANCH_FORMAT_VERSION = 1

WHOLE_COLUMNS = ("curve", "strides", "stable")
"""Columns of whole numbers."""

BRANCH_ATTRIBUTES: Mapping[str, FileEntry] = {
    "model": FileEntry(TEXTS),
    "parameter": FileEntry(TEXTS),
    "to": FileEntry(NUMBERS, finite=True),
    "max_strides": FileEntry(INTEGERS),
    "back_to": FileEntry(NUMBERS, finite=True, required=False),
    "notes": FileEntry(TEXTS, ("notes",), required=False),
}
BIFURCATIONS: Mapping[str, FileEntry] = {
    "kind": FileEntry(TEXTS, ("bifurcations",), words=get_args(BifurcationKind)),
    "boundary": FileEntry(TEXTS, ("bifurcations",)),
    "value": FileEntry(NUMBERS, ("bifurcations",), finite=True),
    "type": FileEntry(TEXTS, ("bifurcations",), words=get_args(BifurcationType)),
    **{name: FileEntry(INTEGERS, ("bifurcations",)) for name in ("curve", "strides", "family", "side")},
    "x": FileEntry(NUMBERS, ("bifurcations", "n_states"), finite=True),
    "coefficient_parts": FileEntry(NUMBERS, ("bifurcations", "parts")),
}
PENDING: Mapping[str, FileEntry] = {
    **{name: FileEntry(INTEGERS, ("pending",)) for name in ("curve", "strides")},
    "length": FileEntry(NUMBERS, ("pending",), finite=True),
    **{name: FileEntry(NUMBERS, ("pending", "n_unknowns"), finite=True) for name in ("z", "tangent")},
    "origin": FileEntry(NUMBERS, ("pending", "n_unknowns")),
}
BRANCH_MULTIPLIERS = FileEntry(NUMBERS, ("points", "n_multipliers", "parts"))

VISITS = FileEntry(NUMBERS, ("points", "most_strides", "n_states"))


@dataclass(frozen=True, slots=True, eq=False)
class BranchRecord:
    """What the file of a branch contains; for the entries see the text of this module.

    Attributes
    ----------
    model_name, parameter : str
        Names of the model and of the parameter.
    to : float
        Value of the parameter at which the branch ends.
    max_strides : int
        Most strides of an orbit.
    back_to : float or None
        Value at which it ends on the other side, if it goes both ways.
    notes : tuple of str
        Where and why curves end.
    points : mapping of str to (n,) array
        The columns of the table.
    multipliers : (n, k) complex array
        The multipliers of its rows.
    visits : (n, most_strides, n_states) array
        The states where the strides of each orbit begin.
    states : tuple of str
        Names of the states.
    units : mapping of str to str
        Units of the columns.
    bifurcations, pending : mapping of str to array
        Their columns.
    provenance : mapping of str
        What determined the branch, as of a run.
    what : str
        What is on the branch: the file of a branch is one of orbits.
    """

    model_name: str
    parameter: str
    to: float
    max_strides: int
    back_to: float | None
    notes: tuple[str, ...]
    points: Mapping[str, NDArray[Any]]
    multipliers: FloatArray
    visits: FloatArray
    states: tuple[str, ...]
    units: Mapping[str, str]
    bifurcations: Mapping[str, NDArray[Any]]
    pending: Mapping[str, NDArray[Any]]
    provenance: Mapping[str, Any]
    what: str = "orbits"


def write_branch(path: Path, record: BranchRecord) -> None:
    """Write the file of a branch; an older file at this path is replaced at the very end.

    Parameters
    ----------
    path : Path
        The file.
    record : BranchRecord
        The branch.

    Raises
    ------
    ConfigError
        If the file cannot be written.
    """
    refuse_unusable(path)
    remedy = "make room, or choose another file"
    with new_file(path, BRANCH_FORMAT, BRANCH_FORMAT_VERSION, remedy) as file:
        file.attrs["model"], file.attrs["parameter"] = record.model_name, record.parameter
        file.attrs["to"], file.attrs["max_strides"] = record.to, record.max_strides
        file.attrs["notes"] = texts(record.notes)
        if record.back_to is not None:
            file.attrs["back_to"] = record.back_to
        points = file.create_group("points")
        for name, values in record.points.items():
            points[name] = np.asarray(values, np.int64 if name in WHOLE_COLUMNS else float)
            points[name].attrs["unit"] = record.units.get(name, "")
        points["multipliers"] = np.stack([record.multipliers.real, record.multipliers.imag], axis=-1)
        points["visits"] = record.visits
        points["visits"].attrs["names"] = texts(record.states)
        for place, entries in (("bifurcations", BIFURCATIONS), ("pending", PENDING)):
            group = file.create_group(place)
            for name, entry in entries.items():
                values = getattr(record, place)[name]
                group[name] = texts(values) if entry.kind == TEXTS else values
        write_provenance(file, record.provenance)


def read_branch(path: Path) -> BranchRecord:
    """Read the file of a branch.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    BranchRecord
        Its contents.

    Raises
    ------
    ConfigError
        If there is no such file, or it is not that of a branch, is damaged, or has the format of another version.
    """
    return read_guarded(path, "a branch of orbits", "continue the orbit again", _read)


def is_branch(path: Path) -> bool:
    """Return whether this is the file of a branch."""
    try:
        with h5py.File(path, "r") as file:
            return bool(file.attrs.get("format") == BRANCH_FORMAT)
    except OSError:
        return False


def _read(file: GuardedFile) -> BranchRecord:
    if file.attribute("/", "format", FileEntry(TEXTS, required=False)) != BRANCH_FORMAT:
        raise ConfigError(f"{file.path}: not the file of a branch; give one that `hybridsim orbit continue` wrote")
    file.refuse_other_format(BRANCH_FORMAT_VERSION)
    values = {name: file.attribute("/", name, entry) for name, entry in BRANCH_ATTRIBUTES.items()}
    names = [name for name in file.names_in("points") if name not in ("multipliers", "visits")]
    if missing := {"curve", "strides", "period", "stable", values["parameter"]} - {*names}:
        file.refuse("/points", f"expected a column {min(missing)}, found none")
    points = {
        name: file.dataset(f"points/{name}", FileEntry(INTEGERS if name in WHOLE_COLUMNS else NUMBERS, ("points",)))
        for name in names
    }
    root = {name: file.attribute("/", name, FileEntry(TEXTS, required=False)) for name in ("plugin_hash", "source")}
    return BranchRecord(
        model_name=values["model"],
        parameter=values["parameter"],
        to=values["to"].item(),
        max_strides=values["max_strides"].item(),
        back_to=None if values["back_to"] is None else values["back_to"].item(),
        notes=tuple(values["notes"] if values["notes"] is not None else ()),
        points=points | {"stable": points["stable"].astype(bool)},
        multipliers=read_complex(file, "points/multipliers", BRANCH_MULTIPLIERS),
        visits=file.dataset("points/visits", VISITS),
        states=tuple(file.attribute("points/visits", "names", FileEntry(TEXTS, ("n_states",)))),
        units={
            name: file.attribute(f"points/{name}", "unit", FileEntry(TEXTS, required=False)) or "" for name in names
        },
        bifurcations={name: file.dataset(f"bifurcations/{name}", entry) for name, entry in BIFURCATIONS.items()},
        pending={name: file.dataset(f"pending/{name}", entry) for name, entry in PENDING.items()},
        provenance=read_provenance(file, root),
    )

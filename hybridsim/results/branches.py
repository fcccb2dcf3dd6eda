"""The file of a branch of orbits: its table, its bifurcations, and where its curves go on.

=====================  ========================================================================================
`/points/NAME`         (n) columns of the table, with the attribute `unit`: `curve`, the parameter, `strides`,
                       `period`, `stable` (2: not decided), the states; of equilibria `admissible`, of bifurcations
                       over two parameters `kind`, a text, and both parameters
`/points/multipliers`  (n, k, 2) the multipliers, largest first: real and imaginary parts, nan where there are fewer;
                       of equilibria the eigenvalues
`/points/visits`       (n, most strides, states) where the strides of each orbit begin; nan where there are fewer
`/bifurcations/...`    `kind`, `type`, `boundary`, `value`, `curve`, `strides`, `family`, `side` (m); `x` (m, states);
                       `coefficient_parts` (m, 2), of the normal form: real and imaginary parts; of equilibria
                       `coefficient`, `omega`, `slope` (m), and no `strides`, `family`
`/pending/...`         of an interrupted branch: `curve` (-1: none yet), `strides`, `length` of the next step (l); `z`,
                       `tangent`, `origin` (l, k)
`/orbit/...`           the first orbit, as in the file of an orbit
`/versions` `/config` `/model_files/...`  as in the file of a run, for the first orbit
`/`                    attributes `format`, `format_version`, `model`, `what` (orbits, equilibria, bifurcations),
                       `parameter` ("" of a single equilibrium), `first_parameter`, `to`, `max_strides`; `back_to` of a
                       branch that goes both ways; `notes`, where and why curves end
=====================  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import h5py
import numpy as np
from numpy.typing import NDArray

from hybridsim.errors import ConfigError
from hybridsim.results.files import refuse_unusable
from hybridsim.results.guarded_file import GuardedFile, read_guarded
from hybridsim.results.hdf5 import BRANCH_FORMAT, NOT_DECIDED, new_file, texts, write_provenance
from hybridsim.results.reading import read_complex, read_provenance
from hybridsim.results.schema import INTEGERS, NUMBERS, TEXTS, FileEntry
from hybridsim.typing import BifurcationKind, BifurcationType, FloatArray

BRANCH_FORMAT_VERSION = 2

WHOLE_COLUMNS = ("curve", "strides", "stable", "admissible")
"""Columns of whole numbers."""

KINDS_OF_FILES: Mapping[str, tuple[str, str]] = {
    "orbits": ("a branch of orbits", "load_branch"),
    "equilibria": ("equilibria", "load_equilibrium or load_equilibria"),
    "bifurcations": ("a curve of bifurcations over two parameters", "load_bifurcations"),
}
"""What is in the rows -> what such a file is, and what reads it in Python."""

BRANCH_ATTRIBUTES: Mapping[str, FileEntry] = {
    "model": FileEntry(TEXTS),
    "parameter": FileEntry(TEXTS),
    "what": FileEntry(TEXTS, words=tuple(KINDS_OF_FILES)),
    "first_parameter": FileEntry(TEXTS, required=False),
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
BIFURCATIONS_OF: Mapping[str, Mapping[str, FileEntry]] = {
    "orbits": BIFURCATIONS,
    "equilibria": {
        **{name: BIFURCATIONS[name] for name in ("kind", "boundary", "value", "type", "curve", "side", "x")},
        **{name: FileEntry(NUMBERS, ("bifurcations",)) for name in ("coefficient", "omega", "slope")},
    },
    "bifurcations": {},
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
        What is in the rows: "orbits", "equilibria", or the orbits at "bifurcations" over two parameters.
    first_parameter : str
        The first of two parameters.
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
    first_parameter: str = ""

    def columns(self, *names: str) -> dict[str, NDArray[Any]]:
        """Return columns of the table in this order."""
        if missing := {*names} - {*self.points}:
            raise ConfigError(f"the table of {self.what} has no column {min(missing)}; follow them again")
        return {name: self.points[name] for name in names}


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
        file.attrs["what"], file.attrs["first_parameter"] = record.what, record.first_parameter
        file.attrs["to"], file.attrs["max_strides"] = record.to, record.max_strides
        file.attrs["notes"] = texts(record.notes)
        if record.back_to is not None:
            file.attrs["back_to"] = record.back_to
        points = file.create_group("points")
        for name, values in record.points.items():
            points[name] = _stored(name, values)
            points[name].attrs["unit"] = record.units.get(name, "")
        points["multipliers"] = np.stack([record.multipliers.real, record.multipliers.imag], axis=-1)
        points["visits"] = record.visits
        points["visits"].attrs["names"] = texts(record.states)
        for place, entries in (
            ("bifurcations", BIFURCATIONS_OF[record.what]),
            ("pending", PENDING if record.pending else {}),
        ):
            group = file.create_group(place)
            for name, entry in entries.items():
                values = getattr(record, place)[name]
                group[name] = texts(values) if entry.kind == TEXTS else values
        write_provenance(file, record.provenance)


def _stored(name: str, values: NDArray[Any]) -> Any:
    """Return a column as it is written."""
    if name == "kind":
        return texts(values)
    whole = np.int64 if name in WHOLE_COLUMNS else float
    return np.ma.filled(np.ma.asarray(values).astype(whole), NOT_DECIDED)


def read_branch(path: Path, what: str | None = "orbits") -> BranchRecord:
    """Read the file of a branch.

    Parameters
    ----------
    path : Path
        The file.
    what : str, optional
        What has to be in it; None if anything may be.

    Returns
    -------
    BranchRecord
        Its contents.

    Raises
    ------
    ConfigError
        If there is no such file, or it is not that of a branch, is damaged, or has the format of another version.
    """
    expected = "a branch" if what is None else KINDS_OF_FILES[what][0]
    record = read_guarded(path, expected, "continue the orbit again", _read)
    if what not in (None, record.what):
        found, reader = KINDS_OF_FILES[record.what]
        raise ConfigError(f"{path}: expected {expected}, found {found}; `hybridsim plot` draws it, {reader} reads it")
    return record


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
    what = values["what"]
    required = ("kind", values["first_parameter"]) if what == "bifurcations" else ("curve", "strides", "stable")
    if missing := {*required, values["parameter"]} - {*names, ""}:
        file.refuse("/points", f"expected a column {min(missing)}, found none")
    points = {name: file.dataset(f"points/{name}", _entry(name)) for name in names}
    root = {name: file.attribute("/", name, FileEntry(TEXTS, required=False)) for name in ("plugin_hash", "source")}
    return BranchRecord(
        model_name=values["model"],
        parameter=values["parameter"],
        to=values["to"].item(),
        max_strides=values["max_strides"].item(),
        back_to=None if values["back_to"] is None else values["back_to"].item(),
        notes=tuple(values["notes"] if values["notes"] is not None else ()),
        points=points | {name: _truth(points[name], what) for name in ("stable", "admissible") if name in points},
        multipliers=read_complex(file, "points/multipliers", BRANCH_MULTIPLIERS),
        visits=file.dataset("points/visits", VISITS),
        states=tuple(file.attribute("points/visits", "names", FileEntry(TEXTS, ("n_states",)))),
        units={
            name: file.attribute(f"points/{name}", "unit", FileEntry(TEXTS, required=False)) or "" for name in names
        },
        bifurcations={
            name: file.dataset(f"bifurcations/{name}", entry) for name, entry in BIFURCATIONS_OF[what].items()
        },
        pending={
            name: file.dataset(f"pending/{name}", entry)
            for name, entry in (PENDING if what == "orbits" else {}).items()
        },
        what=what,
        first_parameter=values["first_parameter"] or "",
        provenance=read_provenance(file, root),
    )


def _entry(name: str) -> FileEntry:
    kind = TEXTS if name == "kind" else INTEGERS if name in WHOLE_COLUMNS else NUMBERS
    return FileEntry(kind, ("points",))


def _truth(values: NDArray[Any], what: str) -> Any:
    """Return a column of truth values; of equilibria they are masked where it is not decided."""
    return values == 1 if what == "orbits" else np.ma.array(values == 1, mask=values == NOT_DECIDED)


def columns_of(rows: Sequence[Any], entries: Mapping[str, FileEntry], n: int) -> dict[str, NDArray[Any]]:
    """Return the attributes of objects as columns of a file, (n_rows,) or (n_rows, n)."""
    shapes = {
        name: (len(rows), *(2 if size == "parts" else n for size in entry.shape[1:])) for name, entry in entries.items()
    }
    types = {"texts": object, "numbers": float, "integers": np.int64}
    return {
        name: np.array([getattr(row, name) for row in rows], types[entry.kind]).reshape(shapes[name])
        for name, entry in entries.items()
    }

"""A folder of results: one part for each finished block. One process at a time may write it; a sweep can be resumed."""

from __future__ import annotations

import io
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim.config.yaml_source import write_yaml
from hybridsim.errors import ConfigError
from hybridsim.results.files import prepare_folder, replacing
from hybridsim.sweeps.event_table import ROW_COLUMN, EventLayout
from hybridsim.sweeps.layout import Layout
from hybridsim.sweeps.manifest import (
    CONFIG_FILE,
    EVENT_FOLDER,
    FOLDER_ADVICE,
    LOCK_FILE,
    PLAN_FILE,
    PROVENANCE_FILE,
    RESUME_ADVICE,
    RUN_FOLDER,
    WRITING_PREFIX,
    lock,
    part_files,
    part_name,
    read_description,
    read_plain,
    to_bytes,
)
from hybridsim.sweeps.part_file import is_within, read_part, to_parquet_bytes
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.provenance import TARGET_VARIABLES, first_difference

L = TypeVar("L", bound=Layout)


class ResultFolder(Generic[L]):
    """The parts in a folder of results.

    Parameters
    ----------
    path : Path
        The folder.
    layout : Layout
        The columns of the results.

    Attributes
    ----------
    missing : list of Block
        The blocks that are still to be computed.
    statuses : Counter of str
        Counts of the rows found, by status.
    failures : Failures
        Counts of the rows found that failed, by status and cause.
    notes : list of str
        Remarks about the parts found.
    """

    def __init__(self, path: Path, layout: L) -> None:
        self.path = path
        self.layout = layout
        self.missing: list[Block] = []
        self.statuses: Counter[str] = Counter()
        self.failures = layout.failures()
        self.notes: list[str] = []

    def find_parts(self) -> None:
        """Find the existing parts; a damaged or altered part counts as missing.

        Raises
        ------
        ConfigError
            If a part holds other rows or columns.
        """
        for name, block in self._names().items():
            found = self._statuses_in(self.path / name, block) if (self.path / name).exists() else None
            if found is None:
                self.missing.append(block)
            else:
                self.statuses += found

    def refuse_other_files(self) -> None:
        """Refuse files that readers of the folder would take for parts of this sweep.

        Raises
        ------
        ConfigError
            If there is another file whose name does not begin with `_` or a dot.
        """
        expected = self._names()
        for path in sorted(self.path.iterdir()):
            if not path.name.startswith(("_", ".")) and path.name not in expected and not self.layout.owns(path.name):
                raise ConfigError(
                    f"{path}: not a part of this {self.layout.what}, and would be read as one; move it away, or choose "
                    f"{FOLDER_ADVICE}"
                )

    def _names(self) -> dict[str, Block]:
        plan = self.layout.plan
        return {part_name(block, plan.digits): block for block in plan}

    def _statuses_in(self, path: Path, block: Block) -> Counter[str] | None:
        table = read_part(path)
        if table is None:
            self.notes.append(f"{path}: the part is damaged, or its values were altered; it is computed again")
            return None
        rows = pa.chunked_array([self.layout.rows(block)])
        if not table.schema.equals(self.layout.schema, check_metadata=True) or not table[ROW_COLUMN].equals(rows):
            raise ConfigError(
                f"{path}: holds other rows or columns than {self.layout.what} with these settings; move it away"
            )
        if self.layout.events is not None and not self._has_events(path.name, block, self.layout.events):
            return None
        self.failures.add(table)
        return self.layout.statuses(table)

    def _has_events(self, name: str, block: Block, layout: EventLayout) -> bool:
        path = self.path / EVENT_FOLDER / name
        table = read_part(path) if path.exists() else None
        if table is None or not (table.schema.equals(layout.schema, check_metadata=True) and is_within(table, block)):
            self.notes.append(f"{path}: the part is missing, damaged or altered; it is computed again")
            return False
        return True

    def write(self, block: Block, table: pa.Table, events: pa.Table | None) -> None:
        """Write the rows of a block as a part; several threads may do so at once.

        The part of the table of runs is written last: where it is, that of the events is, too.

        Raises
        ------
        ConfigError
            If the part cannot be written, and no incomplete file is left; or if the folder is no longer this sweep's.
        """
        part, plan = self.path / part_name(block, self.layout.plan.digits), self.path / PLAN_FILE
        try:
            if events is not None:
                write_whole(self.path / EVENT_FOLDER / part.name, to_parquet_bytes(events))
            write_whole(part, to_parquet_bytes(table))
        except ConfigError:
            if plan.exists():
                raise
        if not plan.exists():
            part.unlink(missing_ok=True)
            raise ConfigError(
                f"{self.path}: was removed or moved while it was computed, and the finished parts with it; bring it "
                f"back, and continue with {RESUME_ADVICE}, or begin again"
            )


def write_whole(path: Path, content: Any) -> None:
    """Write a file under a temporary name and rename it, so that a file with the final name is complete.

    Raises
    ------
    ConfigError
        If it cannot be written; no incomplete file is left.
    """
    with replacing(
        path, WRITING_PREFIX, f"finished parts are kept: make room there, and continue with {RESUME_ADVICE}"
    ) as temporary:
        temporary.write_bytes(content)


@contextmanager
def open_results(path: Path, layout: L, resume: bool) -> Iterator[ResultFolder[L]]:
    """Begin or resume a folder of results, and lock it while the context lasts.

    If the context fails before there is a part, the files written here are removed.

    Parameters
    ----------
    path : Path
        The folder.
    layout : Layout
        The columns of the results.
    resume : bool
        Whether results of the same sweep may be there.

    Yields
    ------
    ResultFolder
        The folder, with the parts found.

    Raises
    ------
    ConfigError
        If the folder cannot be written, another process computes into it, or it holds other files, results of another
        sweep, or results that are not to be resumed.
    """
    there = path.is_dir()
    prepare_folder(path, "sweep", ())
    with lock(path), _remove_if_it_fails(path, there=there):
        folder = ResultFolder(path, layout)
        if _has_parts(path):
            _refuse_unless_same(path, layout, resume)
            folder.refuse_other_files()
        else:
            folder.refuse_other_files()
            _remove_earlier(path)
            _describe(path, layout)
        if layout.events is not None:
            prepare_folder(path / EVENT_FOLDER, "events", ())
        for leftover in (*path.glob(f"{WRITING_PREFIX}*"), *(path / EVENT_FOLDER).glob(f"{WRITING_PREFIX}*")):
            leftover.unlink(missing_ok=True)
        folder.find_parts()
        yield folder


def _has_parts(path: Path) -> bool:
    return any(True for _ in part_files(path))


@contextmanager
def _remove_if_it_fails(path: Path, *, there: bool) -> Iterator[None]:
    """Remove the files of a failing context from a folder that was empty, unless there is a part by then.

    `there` : whether the folder existed before; then it is not removed.
    """
    empty = [*path.iterdir()] == [path / LOCK_FILE]
    try:
        yield
    except Exception:
        if empty and (path / LOCK_FILE).exists() and not _has_parts(path):
            with suppress(OSError):  # the error that is being raised matters more
                for left in path.glob("_*"):
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
                if not there:
                    path.rmdir()
        raise


def _remove_earlier(path: Path) -> None:
    """Remove the runs and the events that an earlier sweep has kept here."""
    for run in (path / RUN_FOLDER).glob("row-*"):
        run.unlink()
    if (path / EVENT_FOLDER).is_dir():
        shutil.rmtree(path / EVENT_FOLDER)


def _describe(path: Path, layout: Layout) -> None:
    """Write the files that describe the results; the plan last, because the other files are complete if it exists."""
    config, files = layout.config_files(path.resolve().name)
    text = write_yaml(config)
    for name, values in files.items():
        write_whole(path / name, _npy(values))
    write_whole(path / CONFIG_FILE, text.encode())
    for old in path.glob("_*.npy"):  # an earlier sweep's; this one may read its values from them
        if old.name not in text:
            old.unlink()
    write_whole(path / PROVENANCE_FILE, to_bytes(layout.provenance()))
    write_whole(path / PLAN_FILE, to_bytes(layout.description()))


def _npy(values: NDArray[Any]) -> memoryview:
    content = io.BytesIO()
    np.save(content, values)
    return content.getbuffer()


def _refuse_unless_same(path: Path, layout: Layout, resume: bool) -> None:
    """Refuse results that are not to be resumed, or that belong to another sweep."""
    if not resume:
        raise ConfigError(
            f"{path}: holds results of a {layout.what}; continue it with {RESUME_ADVICE}, or choose {FOLDER_ADVICE}"
        )
    before, made_with = read_description(path), read_plain(path / PROVENANCE_FILE)
    if before is None or made_with is None:
        missing = PLAN_FILE if before is None else PROVENANCE_FILE
        raise ConfigError(f"{path / missing}: there is no such file with the parts; begin in another folder")
    _refuse_difference(path, before, layout.description(), "give what it was")
    _refuse_difference(path, made_with, layout.provenance(), "bring back what it was")


def _refuse_difference(path: Path, before: Mapping[str, Any], now: Mapping[str, Any], remedy: str) -> None:
    difference = first_difference(before, now)
    if difference is None:
        return
    key, old, new = difference
    if key.startswith("target."):
        remedy = f"set {TARGET_VARIABLES} to what they were, or use the same kind of machine"
    raise ConfigError(
        f"{path}: its results were made with another {_name_of_key(key)}: it was {_quote(old)} and is {_quote(new)} "
        f"now; {remedy}, or begin in {FOLDER_ADVICE}"
    )


_KEY_NAMES = {
    "columns": "list of columns",
    "block": "number of rows in a part",
    "rows": "number of rows",
    "plugin": "plug-in (a hash of what it computes)",
    "extra_outputs": "file of extra outputs (a hash of what they compute)",
    "engine": "engine (a hash of it)",
    "target.cpu": "target of the compiler, its CPU",
    "target.features": "target of the compiler, the CPU's features (a hash of them)",
}
_AXIS_KEY_NAMES = {
    "n": "number of values",
    "first": "first value",
    "last": "last value",
    "values": "values (a hash of them)",
}


def _name_of_key(key: str) -> str:
    """Return what messages call a key of `_plan.yaml` or `_provenance.yaml`."""
    section, _, rest = key.partition(".")
    if section == "axes":
        name, _, what = rest.rpartition(".")
        return f"axis {name}: {_AXIS_KEY_NAMES.get(what, what)}"
    return _KEY_NAMES.get(key, rest if section == "run" else key)


def _quote(value: Any) -> str:
    return "missing" if value is None else repr(value)

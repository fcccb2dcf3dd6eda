"""A folder of results: begun or resumed by one process at a time, a part for each finished block."""

from __future__ import annotations

import errno
import importlib
import io
import os
import platform
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from hybridsim.config.sweep.sweeping import sweep_files
from hybridsim.config.yaml_source import write_yaml
from hybridsim.errors import ConfigError
from hybridsim.results.files import prepare_folder, replacing
from hybridsim.sweeps.manifest import (
    ANOTHER_FOLDER,
    CONFIG,
    LOCK,
    PLAN,
    PROVENANCE,
    RESUME,
    RUNS,
    WRITING,
    described,
    part_files,
    part_name,
    read_description,
    read_plain,
)
from hybridsim.sweeps.plan import Block
from hybridsim.sweeps.provenance import TARGET_VARIABLES, first_difference, provenance
from hybridsim.sweeps.results import ROW, Columns, read_part, serialised


class Folder:
    """Where the parts go, and which there are already.

    Attributes
    ----------
    missing : the blocks that are still to be computed.
    statuses : how many rows of the parts found ended in which way.
    notes : what the user should know of the parts found.
    """

    def __init__(self, path: Path, columns: Columns) -> None:
        self.path = path
        self.columns = columns
        self.missing: list[Block] = []
        self.statuses: Counter[str] = Counter()
        self.notes: list[str] = []

    def look(self) -> None:
        """Find out what is there; a damaged part counts as missing.

        Raises
        ------
        ConfigError : a part that holds something else.
        """
        for name, block in self._names().items():
            found = self._statuses_in(self.path / name, block) if (self.path / name).exists() else None
            if found is None:
                self.missing.append(block)
            else:
                self.statuses += found

    def refuse_strangers(self) -> None:
        """Make sure that whoever reads the folder finds parts of this sweep alone.

        Raises
        ------
        ConfigError : there is something else, with a name that does not begin with `_` or a dot.
        """
        expected = self._names()
        for path in sorted(self.path.iterdir()):
            if not path.name.startswith(("_", ".")) and path.name not in expected:
                raise ConfigError(
                    f"{path}: not a part of this sweep, and would be read as one; move it away, or choose "
                    f"{ANOTHER_FOLDER}"
                )

    def _names(self) -> dict[str, Block]:
        plan = self.columns.plan
        return {part_name(block, plan.digits): block for block in plan}

    def _statuses_in(self, path: Path, block: Block) -> Counter[str] | None:
        table = read_part(path)
        if table is None:
            self.notes.append(f"{path}: the part is damaged; it is computed again")
            return None
        rows = pa.chunked_array([self.columns.rows(block)])
        if not table.schema.equals(self.columns.schema, check_metadata=True) or not table[ROW].equals(rows):
            raise ConfigError(f"{path}: holds other rows or columns than this sweep's; move it away")
        return self.columns.statuses(table)

    def write(self, block: Block, table: pa.Table) -> None:
        """Keep the rows of a block; called by whatever thread has computed them.

        Raises
        ------
        ConfigError : the part cannot be written; there is no half of it.
        """
        write_whole(self.path / part_name(block, self.columns.plan.digits), serialised(table))


def write_whole(path: Path, content: Any) -> None:
    """Write a file under a temporary name and rename it: what has the name is whole.

    Raises
    ------
    ConfigError : it cannot be written; nothing of it stays.
    """
    with replacing(path, WRITING, f"finished parts are kept: make room there, and go on with {RESUME}") as temporary:
        temporary.write_bytes(content)


@contextmanager
def opened(path: Path, columns: Columns, resume: bool) -> Iterator[Folder]:
    """The folder, begun or resumed, and locked as long as the block lasts; of one that fails at once, nothing stays.

    Raises
    ------
    ConfigError : it cannot be written, another process writes into it, it holds results and is not to be resumed, or
        those are of another sweep, or it holds something else.
    """
    there = path.is_dir()
    prepare_folder(path, "sweep", ())
    with _locked(path), _removed_if_it_fails(path, there=there):
        folder = Folder(path, columns)
        if _has_parts(path):
            _refuse_unless_same(path, columns, resume)
            folder.refuse_strangers()
        else:
            folder.refuse_strangers()
            _forget_runs(path)
            _describe(path, columns)
        for leftover in path.glob(f"{WRITING}*"):
            leftover.unlink(missing_ok=True)
        folder.look()
        yield folder


def _has_parts(path: Path) -> bool:
    return any(True for _ in part_files(path))


@contextmanager
def _removed_if_it_fails(path: Path, *, there: bool) -> Iterator[None]:
    """Remove what a failing block leaves in a folder that was empty before, if there is no part in it.

    `there` : the folder itself is older, and stays.
    """
    empty = [*path.iterdir()] == [path / LOCK]
    try:
        yield
    except Exception:
        if empty and not _has_parts(path):
            with suppress(OSError):  # what failed is more important
                for left in path.glob("_*"):
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
                if not there:
                    path.rmdir()
        raise


def _forget_runs(path: Path) -> None:
    """Runs that an earlier sweep has kept here are none of the one that begins."""
    for run in (path / RUNS).glob("row-*"):
        run.unlink()


def _describe(path: Path, columns: Columns) -> None:
    """Write down what the sweep is; the plan last, because it says that the others are there."""
    config, files = sweep_files(columns.config)
    config["output"] = {**config["output"], "base": path.resolve().name}  # which names the folder of a sweep
    del config["output"]["folder"]
    text = write_yaml(config)
    for name, values in files.items():
        write_whole(path / name, _npy(values))
    write_whole(path / CONFIG, text.encode())
    for old in path.glob("_*.npy"):  # an earlier sweep's; this one may read its values from them
        if old.name not in text:
            old.unlink()
    write_whole(path / PROVENANCE, write_yaml(provenance(columns.config)).encode())
    write_whole(path / PLAN, write_yaml(described(columns.config, columns.plan)).encode())


def _npy(values: NDArray[Any]) -> memoryview:
    content = io.BytesIO()
    np.save(content, values)
    return content.getbuffer()


def _refuse_unless_same(path: Path, columns: Columns, resume: bool) -> None:
    """Refuse results that are not to be resumed, or are of another sweep."""
    if not resume:
        raise ConfigError(
            f"{path}: holds results of a sweep; go on with them with {RESUME}, or choose {ANOTHER_FOLDER}"
        )
    before, made_with = read_description(path), read_plain(path / PROVENANCE)
    if before is None or made_with is None:
        missing = PLAN if before is None else PROVENANCE
        raise ConfigError(f"{path / missing}: there is no such file beside the parts; begin in another folder")
    _refuse_difference(path, before, described(columns.config, columns.plan), "give what it was")
    _refuse_difference(path, made_with, provenance(columns.config), "bring back what it was")


def _refuse_difference(path: Path, before: Mapping[str, Any], now: Mapping[str, Any], remedy: str) -> None:
    difference = first_difference(before, now)
    if difference is None:
        return
    key, old, new = difference
    if key.startswith("target."):
        remedy = f"set {TARGET_VARIABLES} to what they were, or use the same kind of machine"
    raise ConfigError(
        f"{path}: its results were made with another {_named(key)}: it was {_shown(old)} and is {_shown(new)} now; "
        f"{remedy}, or begin in {ANOTHER_FOLDER}"
    )


_WORDS = {
    "columns": "list of columns",
    "block": "number of rows in a part",
    "rows": "number of rows",
    "plugin": "plug-in (a hash of what it computes)",
    "extra_outputs": "file of extra outputs (a hash of what they compute)",
    "engine": "engine (a hash of it)",
    "target.cpu": "target of the compiler, its CPU",
    "target.features": "target of the compiler, the CPU's features (a hash of them)",
}
_WORDS_OF_AXES = {
    "n": "number of values",
    "first": "first value",
    "last": "last value",
    "values": "values (a hash of them)",
}


def _named(key: str) -> str:
    """What a key of `_plan.yaml` or `_provenance.yaml` is to the user."""
    section, _, rest = key.partition(".")
    if section == "axes":
        name, _, what = rest.rpartition(".")
        return f"axis {name}: {_WORDS_OF_AXES.get(what, what)}"
    return _WORDS.get(key, rest if section == "run" else key)


def _shown(value: Any) -> str:
    return "not there" if value is None else repr(value)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other processes out; the system lets go of the lock when this process ends, however it does.

    Raises
    ------
    ConfigError : another process holds it.
    """
    try:
        file = (path / LOCK).open("a+b", buffering=0)
    except OSError as problem:
        raise ConfigError(f"{path / LOCK}: cannot be written ({problem.strerror}); choose another folder") from None
    with file:
        try:
            _lock(file.fileno())
            if not os.path.samestat(os.fstat(file.fileno()), (path / LOCK).stat()):  # another one has made it anew
                raise BlockingIOError(errno.EAGAIN, "")
        except OSError as problem:
            if problem.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK, errno.ENOENT):
                raise ConfigError(
                    f"{path}: another process ({_owner(file)}) computes this sweep; wait for it, or stop it"
                ) from None
            # A file system without locks: the user has to see to it that only one process writes.
        else:
            with suppress(OSError):  # a full disk is for those to say who have something to lose on it
                file.truncate(0)
                file.write(f"process {os.getpid()} on {platform.node()}".encode())
        yield


def _owner(file: FileIO) -> str:
    file.seek(0)
    return file.read(200).decode(errors="replace").strip() or "unknown"


def _lock(descriptor: int) -> None:
    """Lock an open file, or raise an OSError at once."""
    try:
        fcntl = importlib.import_module("fcntl")
    except ImportError:  # Windows locks bytes, and nobody else can read them: take one far behind the text
        msvcrt = importlib.import_module("msvcrt")
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

"""Files in a folder of results: their names, the description of the sweep in `_plan.yaml`, and the lock."""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from hybridsim.config.key_table import KEYS_WITHOUT_EFFECT_ON_METRICS
from hybridsim.config.run_config import leaves, resolve
from hybridsim.config.source import Diagnostics, Origin, join_address
from hybridsim.config.sweep import Metric, SweepConfig
from hybridsim.config.yaml_source import parse_value, write_yaml
from hybridsim.errors import ConfigError
from hybridsim.results.files import SWEEP_PLAN
from hybridsim.simulation.available_memory import available_memory
from hybridsim.sweeps.plan import Block, Plan

PLAN_FILE, CONFIG_FILE, PROVENANCE_FILE, LOCK_FILE = SWEEP_PLAN, "_config.yaml", "_provenance.yaml", "_lock"
RUN_FOLDER, EVENT_FOLDER, WRITING_PREFIX = "_runs", "_events", "_writing-"
"""Folders of kept runs and of the table of events, and prefix of files being written; readers of Parquet ignore names
with a leading `_`."""

SWEEP_FORMAT, OPTIMIZATION_FORMAT, FORMAT_VERSION = "hybridsim sweep", "hybridsim optimization", 1
FORMATS = (SWEEP_FORMAT, OPTIMIZATION_FORMAT)
"""What a folder of results may hold."""

CHECKSUM_LINE = b"checksum: "
"""Beginning of the last line of a description, which has a hash of the lines before it."""

RESUME_ADVICE = "--resume (in Python: resume=True)"
FOLDER_ADVICE = "another folder (output.folder=FOLDER, in Python: folder=...)"
"""Advice in messages."""

_PART = re.compile(r"part-(\d+)-(\d+)\.parquet")


_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)
"""Errors of file systems that cannot lock files."""


def description(config: SweepConfig, plan: Plan) -> dict[str, Any]:
    """Return the sweep as plain data: everything on which its results depend, and the meaning of its columns."""
    return {
        "format": SWEEP_FORMAT,
        "format_version": FORMAT_VERSION,
        "model": config.run.model.name,
        "columns": [*(axis.name for axis in config.axes), *(metric.name for metric in config.metrics)],
        "metrics": metric_descriptions(config.metrics),
        **({"results": [*config.results]} if config.results else {}),
        **({"from": config.data["sweep"]["from"]} if "from" in config.data["sweep"] else {}),
        **plan.description(),
        "run": values_that_matter(config),
    }


def metric_descriptions(metrics: Iterable[Metric]) -> dict[str, dict[str, Any]]:
    """Return what each metric is, as plain data; its quantity only where `of` does not name it."""
    return {
        metric.name: {
            "kind": metric.kind,
            "of": metric.of,
            "number": metric.number,
            "unit": metric.unit,
            **({"quantity": metric.quantity} if metric.quantity not in ("", metric.of) else {}),
        }
        for metric in metrics
    }


def values_that_matter(config: SweepConfig) -> dict[str, Any]:
    """Return the settings of the base run by dotted key.

    Settings that an axis sets and those that no metric depends on are left out.
    """
    replaced = {axis.key for axis in config.axes}
    run = {name: value for name, value in resolve(config.run).items() if name not in KEYS_WITHOUT_EFFECT_ON_METRICS}
    return {join_address(address): value for address, value in leaves(run) if join_address(address) not in replaced}


def read_whole(path: Path) -> bytes:
    """Return the content of a file in a folder that may be damaged, without waiting and within the memory.

    Raises
    ------
    ConfigError
        If it cannot be read, is a pipe, a device or a folder, or is larger than the memory.
    FileNotFoundError
        If there is no such file.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            problem = "it is a folder, a pipe or a device, where a file is expected"
        elif found.st_size > available_memory():
            problem = f"it has {found.st_size / 1e9:.2g} GB, more than the memory that is left"
        else:
            return path.read_bytes()
    except FileNotFoundError:
        raise
    except OSError as refused:
        problem = str(refused.strerror)
    raise ConfigError(f"{path}: cannot be read ({problem}); check its permissions, or move it away")


def to_bytes(data: Mapping[str, Any]) -> bytes:
    """Return the content of a file that describes a sweep: YAML, and a hash of it in the last line."""
    text = write_yaml(data).encode()
    return text + CHECKSUM_LINE + _hash_of(text) + b"\n"


def _hash_of(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:16].encode()


def read_plain(path: Path) -> dict[str, Any] | None:
    """Return the mapping in a file that describes a sweep, None if there is no such file.

    Raises
    ------
    ConfigError
        If the file cannot be read, or is not as `to_bytes` made it.
    """
    try:
        text, _, checksum = read_whole(path).rpartition(CHECKSUM_LINE)
    except FileNotFoundError:
        return None
    if checksum != _hash_of(text) + b"\n":
        raise ConfigError(
            f"{path}: the file is damaged, or was altered; bring back what it was, or move the folder away and begin "
            "again"
        )
    data: dict[str, Any] = parse_value(text.decode(), Origin(str(path)), (), Diagnostics()).plain()
    return data


def read_description(folder: Path, expected: str | None = None) -> dict[str, Any] | None:
    """Return the description in `_plan.yaml`, None if there is no such file; `expected` is its format, one of FORMATS.

    Raises
    ------
    ConfigError
        If the file is damaged, or of another format.
    """
    data = read_plain(folder / PLAN_FILE)
    if data is None:
        return None
    known = FORMATS if expected is None else (expected,)
    if data.get("format") not in known or data.get("format_version") != FORMAT_VERSION:
        raise ConfigError(
            f"{folder / PLAN_FILE}: expected `{' or '.join(known)}` in format {FORMAT_VERSION}, found "
            f"{data.get('format')!r} in format {data.get('format_version')!r}; use the hybridsim that wrote it, or "
            "begin in another folder"
        )
    return data


def part_name(block: Block, digits: int) -> str:
    """Return the file name of a block, with its first and its last row: `part-0000000-0004095.parquet`."""
    return f"part-{block.first:0{digits}}-{block.end - 1:0{digits}}.parquet"


def part_files(folder: Path) -> Iterator[tuple[Block, Path]]:
    """Yield the parts in a folder with their blocks, in the order of their rows."""
    found = ((_PART.fullmatch(path.name), path) for path in folder.glob("part-*.parquet"))
    blocks = ((Block(int(match[1]), int(match[2]) + 1), path) for match, path in found if match)
    yield from sorted(blocks, key=lambda item: (item[0].first, item[0].end))


def event_parts(folder: Path, parts: Iterable[Path]) -> list[Path]:
    """Return the parts of the table of events beside parts of the table of runs; none if there is no such table."""
    return [folder / EVENT_FOLDER / path.name for path in parts] if (folder / EVENT_FOLDER).is_dir() else []


def to_list(named: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return `{"k": {"unit": ...}}` as `[{"name": "k", "unit": ...}]`."""
    return [{"name": name, **values} for name, values in named.items()]


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Keep other processes out of a folder. The system releases the lock when this process ends, however it ends.

    The lock is on the file `_lock`, not the existence of that file: it may stay, and it may be deleted. Its text names
    the process that holds the lock. On a file system without locks, the user must not start two processes.

    Raises
    ------
    ConfigError
        If another process holds the lock, or the file cannot be written.
    """
    lock = FileLock(path / LOCK_FILE, blocking=False, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        raise ConfigError(
            f"{path}: another process ({_owner(path / LOCK_FILE)}) computes this sweep; wait for it, or stop it"
        ) from None
    except OSError as problem:
        if problem.errno not in _NO_LOCKS:
            raise ConfigError(
                f"{path / LOCK_FILE}: cannot be written ({problem.strerror}); choose another folder"
            ) from None
    try:
        with suppress(OSError):  # if the disk is full, the first file that matters reports it
            (path / LOCK_FILE).write_text(f"process {os.getpid()} on {platform.node()}")
        yield
    finally:
        lock.release()


def _owner(path: Path) -> str:
    """Return the process that holds the lock; Windows lets no other process read the file."""
    with suppress(OSError), path.open("rb") as file:
        return file.read(200).decode(errors="replace").strip() or "unknown"
    return "unknown"

"""The cache folder, in which compiled functions and generated modules are kept between processes.

Whoever can write into the folder decides which machine code a run executes. On systems with POSIX permissions,
therefore, only folders and files are used that belong to the user and that no other user can write.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import stat
import tempfile
import uuid
import warnings
from functools import cache
from pathlib import Path

import platformdirs

from hybridsim.errors import CacheWarning, ConfigError

CACHE_VARIABLE = "HYBRIDSIM_CACHE_DIR"
"""The environment variable that names the cache folder."""

PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
"""Permissions of the folders and files that are made here."""

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@cache
def cache_root() -> Path:
    """Return the cache folder, which exists, can be written, and cannot be written by other users.

    Returns
    -------
    Path
        $HYBRIDSIM_CACHE_DIR; without it the user's cache folder; if that one cannot be written, a temporary folder,
        which this process removes when it ends.

    Raises
    ------
    ConfigError
        If the folder belongs to another user, or other users can write into it.
    """
    root = _choose_root()
    try:
        private_folder(root)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError as problem:
        _warn(root, problem)
        return _temporary_root()


def existing_root() -> Path | None:
    """Return the cache folder if it exists, can be written, and not by others; nothing is made, and nothing said."""
    root = _choose_root()
    try:
        return None if control_of_others(root.stat()) or not os.access(root, os.W_OK) else root
    except OSError:
        return None


def writable_root() -> Path | None:
    """Return the cache folder, which is made, if files can be kept in it; otherwise nothing is said."""
    root = _choose_root()
    try:
        private_folder(root)
    except (ConfigError, OSError):
        return None
    return root if os.access(root, os.W_OK) else None


def _choose_root() -> Path:
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_cache_path("hybridsim", appauthor=False)


def _temporary_root() -> Path:
    """Make a cache folder for this process, which removes it at its end."""
    folder = Path(tempfile.mkdtemp(prefix="hybridsim-cache-"))
    atexit.register(_remove, folder, os.getpid())
    return folder


def _remove(folder: Path, process: int) -> None:
    """Remove a folder at the end of the process that has made it, not of a fork."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _warn(root: Path, problem: OSError) -> None:
    """Say, once in a process, that the next one will have to compile again."""
    warnings.warn(
        f"{root}: this cache folder cannot be written ({problem.strerror or problem}), so that every process compiles "
        f"anew, for a minute or more; make room there, or set {CACHE_VARIABLE} to another folder",
        CacheWarning,
        stacklevel=2,
    )


def private_folder(root: Path, *names: str) -> Path:
    """Return a folder in `root`; the missing ones on the way are made, and belong to the user alone.

    Parameters
    ----------
    root : Path
        The cache folder, which is made, too.
    *names : str
        The names of the folders, from the outside in.

    Raises
    ------
    ConfigError
        If one of the folders belongs to another user, or other users can write into it.
    OSError
        If one of the folders cannot be made.
    """
    folder = root
    _make(folder)
    for name in names:
        folder = folder / name
        _make(folder)
    return folder


def _make(folder: Path) -> None:
    """Make a folder unless it exists, and refuse one that other users control."""
    for missing in reversed([path for path in (folder, *folder.parents) if not path.exists()]):
        missing.mkdir(PRIVATE_FOLDER, exist_ok=True)  # another process may be making it at this moment
    problem = control_of_others(folder.stat())
    if problem:
        raise ConfigError(
            f"{folder}: this cache folder {problem}, and what lies in it would be executed; "
            f"remove it, or set {CACHE_VARIABLE} to a folder that is yours and that only you can write (chmod go-w)"
        )


def control_of_others(status: os.stat_result) -> str:
    """Return how other users control a folder or a file; "" if they do not, or if the system has no such permissions.

    Parameters
    ----------
    status : os.stat_result
        The status of the folder or file.
    """
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid != os.geteuid():
        return f"belongs to another user ({_name_of(status.st_uid)})"
    return "can be written by other users" if status.st_mode & WRITABLE_BY_OTHERS else ""


def _name_of(uid: int) -> str:
    try:
        import pwd  # not on every system

        return pwd.getpwuid(uid).pw_name
    except (ImportError, KeyError):
        return f"number {uid}"


def read_private(path: Path) -> bytes | None:
    """Read a file; None if it is missing, or if other users control it.

    The open file is examined, not its path, so that it cannot be exchanged in between.
    """
    try:
        with path.open("rb") as file:
            return None if control_of_others(os.fstat(file.fileno())) else file.read()
    except OSError:
        return None


def write_private(path: Path, content: bytes) -> None:
    """Write a file that belongs to the user alone; if that fails, warn: its content is made again in each process.

    Several processes may write the same file at the same time: each renames its own.
    """
    temporary = path.with_name(f"{path.stem}.{os.getpid()}-{uuid.uuid4().hex[:8]}")
    try:
        number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE_FILE)
        with os.fdopen(number, "wb") as file:
            file.write(content)
        temporary.replace(path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            temporary.unlink()
        _warn(cache_root(), problem)

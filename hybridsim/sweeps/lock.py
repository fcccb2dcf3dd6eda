"""The lock of a folder of results: one process at a time computes into it."""

from __future__ import annotations

import errno
import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from hybridsim.errors import ConfigError
from hybridsim.sweeps.manifest import LOCK_FILE

_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)
"""Errors of file systems that cannot lock files."""


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
    with suppress(OSError):
        return path.read_bytes()[:200].decode(errors="replace").strip() or "unknown"
    return "unknown"

"""Which plug-in files may be executed: any, or, for the model of a recorded run, those whose contents are recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from hybridsim.errors import ConfigError

FileHashes = Mapping[str, str]
"""Resolved path of a file -> SHA-256 of its contents, in hexadecimal digits."""

_recorded: ContextVar[FileHashes | None] = ContextVar("recorded", default=None)
_confirmed: ContextVar[FileHashes] = ContextVar("confirmed", default={})  # noqa: B039  (never written)


class UnrecordedFileError(ConfigError):
    """A file that would have to be executed is not as the run has recorded it; it has not been executed.

    Parameters
    ----------
    message : str
        The message.
    files : mapping of str to str
        The files, with the hashes of their present contents.
    """

    def __init__(self, message: str, files: FileHashes) -> None:
        super().__init__(message)
        self.files = dict(files)


@contextmanager
def allow_only(files: FileHashes) -> Iterator[None]:
    """In this block only files with these contents are executed, and those that `allow_also` names."""
    token = _recorded.set(files)
    try:
        yield
    finally:
        _recorded.reset(token)


@contextmanager
def allow_also(files: FileHashes) -> Iterator[None]:
    """In this block files with these contents are executed although a run has not recorded them."""
    token = _confirmed.set({**_confirmed.get(), **files})
    try:
        yield
    finally:
        _confirmed.reset(token)


class Permission:
    """The files that may be executed where this object is made."""

    def __init__(self) -> None:
        self._recorded, self._confirmed = _recorded.get(), _confirmed.get()

    def files_to_refuse(self, files: FileHashes) -> dict[str, str]:
        """Return those of the files that must not be executed."""
        if self._recorded is None:
            return {}
        known = self._recorded.items() | self._confirmed.items()
        return {path: digest for path, digest in files.items() if (path, digest) not in known}

    def check(self, files: FileHashes) -> None:
        """Raise an UnrecordedFileError if one of the files must not be executed."""
        refused = self.files_to_refuse(files)
        if refused:
            raise UnrecordedFileError(f"{', '.join(refused)}: not as recorded; expected the recorded contents", refused)


def hash_of(content: bytes) -> str:
    """Return the SHA-256 of a file's contents."""
    return hashlib.sha256(content).hexdigest()


def hashes_of(paths: Iterable[str]) -> dict[str, str]:
    """Return the present hashes of those paths that are files and can be read."""
    hashes = {}
    for path in paths:
        try:
            if Path(path).is_file():  # a device may be endless
                with Path(path).open("rb") as file:
                    hashes[path] = hashlib.file_digest(file, "sha256").hexdigest()
        except (OSError, ValueError):  # ValueError: a null byte in the path
            continue
    return hashes

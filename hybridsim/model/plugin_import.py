"""The imports of a plug-in from its own folder: each file is hashed before it is executed, and refused if need be.

Python's own loaders would execute the bytecode in `__pycache__` in place of the file that was hashed. The loader here
compiles the bytes that were hashed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

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


class PluginLoad:
    """The execution of a plug-in file and of the files that it imports from its own folder.

    Parameters
    ----------
    folder : Path
        The plug-in's folder.
    package : str
        Name of the package that stands for the folder.

    Attributes
    ----------
    files : dict of str to str
        The files that have been executed, with their hashes.
    refused : dict of str to str
        The files that should have been executed and were refused, with their hashes.
    own : set of str
        The top-level modules that were found in the folder.
    """

    def __init__(self, folder: Path, package: str) -> None:
        self.folder, self.package = folder, package
        self.files: dict[str, str] = {}
        self.refused: dict[str, str] = {}
        self.own = {package}
        self._permission = Permission()
        self._installed = {Path(entry).resolve() for entry in sys.path}

    def admit(self, path: str, content: bytes) -> None:
        """Note that a file is about to be executed.

        Raises
        ------
        UnrecordedFileError
            If it must not be.
        """
        self.include({str(Path(path).resolve()): hash_of(content)})

    def include(self, files: Mapping[str, str]) -> None:
        """Note that files are about to be executed, or have been by a plug-in that this one uses; see `admit`."""
        self.refused |= self._permission.files_to_refuse(files)
        self._permission.check(files)
        self.files |= files

    def owns(self, name: str, spec: ModuleSpec) -> bool:
        """Return whether a module is the plug-in's own: not on Python's import path, except through the plug-in."""
        top, *rest = name.split(".")
        if rest or top in self.own:
            return top in self.own
        places = [Path(place) for place in spec.submodule_search_locations or [spec.origin or ""]]
        entries = {place.parent.resolve() for place in places}
        return bool(entries - self._installed) or self.folder in entries


_current: ContextVar[PluginLoad | None] = ContextVar("current", default=None)
_loads: dict[str, PluginLoad] = {}
"""The latest load by package: a plug-in may import a file of its folder only when one of its functions is called."""


@contextmanager
def loading(load: PluginLoad) -> Iterator[None]:
    """In this block, imports from the plug-in's folder belong to this load."""
    install_finder()
    _loads[load.package] = load
    token = _current.set(load)
    try:
        yield
    finally:
        _current.reset(token)


def include_in_current(files: Mapping[str, str]) -> None:
    """Note files of a plug-in that has been loaded, for a plug-in that is just loading it, and for the permission."""
    Permission().check(files)
    load = _current.get()
    if load is not None:
        load.include(files)


class PluginLoader(SourceFileLoader):
    """Compiles the bytes that were hashed; reads no bytecode, and writes none."""

    def __init__(self, name: str, path: str, load: PluginLoad) -> None:
        super().__init__(name, path)
        self._load = load

    def get_code(self, _fullname: str) -> CodeType:
        """Return the code of the file, unless it must not be executed."""
        content = self.get_data(self.path)
        self._load.admit(self.path, content)
        code: CodeType = self.source_to_code(content, self.path)
        return code


class PluginFinder:
    """Finds the modules of the plug-in's folder, and leaves all others to Python."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return where a module of the plug-in is; None for other modules."""
        load = _loads.get(name.partition(".")[0]) or _current.get()
        if load is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or not load.owns(name, spec):
            return None
        load.own.add(name.partition(".")[0])
        if type(spec.loader) is SourceFileLoader:
            spec.loader = PluginLoader(name, spec.loader.path, load)
        elif spec.has_location and spec.origin:  # bytecode without its source, or machine code
            load.admit(spec.origin, Path(spec.origin).read_bytes())
        return spec


def install_finder() -> None:
    """Ask `PluginFinder` before Python searches the import path, and after its built-in modules."""
    if PluginFinder not in sys.meta_path:
        place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
        sys.meta_path.insert(place, PluginFinder)

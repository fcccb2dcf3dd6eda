"""Plug-in files: how they are executed, when they are read again, and how their errors are reported."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.machinery
import importlib.util
import sys
import traceback
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NoReturn

from hybridsim.errors import HybridsimError, ModelError, nearest
from hybridsim.model.plugin_import import PluginLoad, PluginLoader, UnrecordedFileError, include_in_current, loading
from hybridsim.model.source_location import describe

Stamp = tuple[tuple[str, int, int], ...]
"""For each file its path, modification time [ns] and size."""


def load_functions(path: Path) -> dict[str, FunctionType]:
    """Load the public functions that a plug-in file defines, by name; those it imports are not among them.

    Raises
    ------
    ModelError
        If there is no such file, or it cannot be executed.
    """
    refuse_missing(path)
    module, _ = execute(path)
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
    }


def refuse_missing(path: Path, alternative: str = "") -> None:
    """Raise a ModelError if there is no file at `path`; `alternative` ends the remedy, "or ..."."""
    if path.is_file():
        return
    if path.is_dir():
        raise ModelError(f"{path}: this is a folder; give the plug-in file in it, such as {path / 'model.py'}")
    candidates = [file.name for file in path.parent.glob("*.py")] if path.parent.is_dir() else []
    raise ModelError(
        f"{path}: there is no such plug-in file{nearest(path.name, candidates)}; "
        f"check the path (in a config it is relative to the config file){alternative}"
    )


def execute(path: Path) -> tuple[ModuleType, dict[str, str]]:
    """Execute a file as a module of a package that stands for its folder, so that relative imports work.

    Returns
    -------
    module : module
        The module.
    files : dict of str to str
        The file, those that it imports from its own folder, and those of other plug-ins that it loads, each with the
        SHA-256 of the contents that were executed.

    Raises
    ------
    ModelError
        If the file fails, with the line.
    UnrecordedFileError
        If one of the files must not be executed; see `permission`.
    """
    package = _package(path.parent)
    name = f"{package.__name__}.{path.stem}"
    _forget(package.__name__)
    sys.modules[package.__name__] = package
    load = PluginLoad(path.parent, package.__name__)
    loader = PluginLoader(name, str(path), load)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with loading(load), _importable(load):
            loader.exec_module(module)
        _raise_refusal(load)
    except UnrecordedFileError:
        _forget(package.__name__)
        raise
    except (Exception, SystemExit) as problem:
        del sys.modules[name]
        _raise_refusal(load)
        raise_explanation(problem, str(path), path.parent)
    include_in_current(load.files)
    return module, load.files


def _raise_refusal(load: PluginLoad) -> None:
    """Raise an UnrecordedFileError if a file was refused; the plug-in may have caught the first one."""
    if load.refused:
        raise UnrecordedFileError(f"{', '.join(load.refused)}: refused", load.refused)


def raise_explanation(problem: BaseException, what: str, folder: Path | None = None) -> NoReturn:
    """Raise a ModelError for an exception of a plug-in: with its last line in `folder`, or else with `what`."""
    if isinstance(problem, SyntaxError):
        where = ":".join(str(part) for part in (problem.filename or what, problem.lineno, problem.offset) if part)
        raise ModelError(f"{where}: the plug-in is not valid Python: {problem.msg}; correct this line") from problem
    own = [frame for frame in traceback.extract_tb(problem.__traceback__) if Path(frame.filename).parent == folder]
    where = f"{own[-1].filename}:{own[-1].lineno}" if own else what
    text = str(problem) if isinstance(problem, HybridsimError) else describe(problem)
    raise ModelError(f"{where}: the plug-in could not be loaded: {text}") from problem


def _package(folder: Path) -> ModuleType:
    package = ModuleType(f"hybridsim_plugin_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}")
    package.__path__ = [str(folder)]
    return package


def _forget(package: str) -> None:
    """Remove the modules of an earlier load of this folder, so that edited files are read again."""
    for name in _modules_below({package}):
        del sys.modules[name]


@contextlib.contextmanager
def _importable(load: PluginLoad) -> Iterator[None]:
    """Put the plug-in's folder first on the import path for a while, and restore `sys` afterwards.

    Modules from that folder end up in `sys.modules` under its package, so that two folders may each hold a `legs.py`.
    No bytecode is written: Python would use a stale .pyc if a file were edited within one second.
    """
    local = {file.stem for file in load.folder.glob("*.py")} - sys.stdlib_module_names
    set_aside = {name: sys.modules.pop(name) for name in _modules_below(local)}
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(load.folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(load.folder))
        sys.dont_write_bytecode = bytecode
        for name in _modules_below(local | load.own - {load.package}):
            sys.modules[f"{load.package}.{name}"] = sys.modules.pop(name)
        sys.modules.update(set_aside)


def _modules_below(tops: Collection[str]) -> list[str]:
    """Return the names of the imported modules with one of these first names."""
    imported = {top for top in tops if top in sys.modules}  # mostly none, and there may be thousands of modules
    return [name for name in sys.modules if name.partition(".")[0] in imported] if imported else []


def has_changed(stamp: Stamp) -> bool:
    """Return whether one of the files has been changed or removed since it was stamped."""
    try:
        return stamp_of(file for file, _, _ in stamp) != stamp
    except OSError:
        return True


def stamp_of(files: Iterable[str]) -> Stamp:
    """Return the stamp of the files of a plug-in."""
    return tuple((file, status.st_mtime_ns, status.st_size) for file in sorted(files) for status in [Path(file).stat()])


def plugin_hash(sources: Iterable[str]) -> str:
    """Return a hash of those of a plug-in's files that exist; "" if none does."""
    files = [Path(source) for source in sources if source and Path(source).is_file()]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest() if files else ""

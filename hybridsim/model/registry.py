"""From a name or a path to a Model: installed models by entry point, plug-in files from where they lie."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import FunctionType, ModuleType
from typing import NoReturn, TypeVar

from hybridsim.errors import ModelError
from hybridsim.model.composition import ComposedModel, compose
from hybridsim.model.model import Model
from hybridsim.model.parts import Part, Plant
from hybridsim.model.table import nearest

GROUP = "hybridsim.models"
"""The entry-point group in which packages, ours included, register their models: `name = "module:MODEL"`."""

VARIABLE = "MODEL"
"""What a plug-in file calls its model."""

PART_VARIABLE = "PART"
"""What a plug-in file of a part calls it."""

Stamp = tuple[tuple[str, int, int], ...]


def available_models() -> dict[str, EntryPoint]:
    """The installed models by name, in alphabetical order. Reads package metadata only; imports no model."""
    return dict(sorted((entry.name, entry) for entry in entry_points(group=GROUP)))


def load_model(name_or_path: str | os.PathLike[str], folder: Path | None = None) -> Model:
    """The model of that name, or the one in that plug-in file.

    Parameters
    ----------
    name_or_path :
        the name of an installed model (`slip`), or the path of a plug-in (`./walker.py`): what is not a string,
        ends in `.py` or contains a path separator is a path.
    folder :
        what a relative path starts from; the current folder if None.

    A plug-in file is executed when it is first loaded, and again when it or a file it imports from its own folder
    has changed since. Its folder is importable meanwhile: `from .legs import force` and `from legs import force`
    both find `legs.py` beside it, and another plug-in's `legs.py` does not get in the way.

    A plant comes composed with the default parts of its slots.

    Raises
    ------
    ModelError : no such model or file, a file that cannot be executed, or one without a MODEL.
    """
    if is_path(name_or_path):
        return _from_file(((folder or Path.cwd()) / Path(name_or_path).expanduser()).resolve())
    return _from_name(str(name_or_path), folder or Path.cwd())


def load_part(path: str | os.PathLike[str], folder: Path | None = None) -> Part:
    """The part in that plug-in file; files are found and executed as those of models are.

    Raises
    ------
    ModelError : no such file, one that cannot be executed, or one without a PART.
    """
    file = ((folder or Path.cwd()) / Path(path).expanduser()).resolve()
    if not file.is_file():
        _refuse_missing(file, otherwise="")
    known = _loaded_parts.get(file)
    if known is None or _has_changed(known[0]):
        part = _variable_of(_execute(file), PART_VARIABLE, str(file), Part)
        known = _loaded_parts[file] = _stamp(file), dataclasses.replace(part, source=str(file))
    return known[1]


def load_model_or_part(path: str | os.PathLike[str]) -> Model | Part:
    """What a plug-in file holds: its MODEL, or else its PART."""
    if is_path(path) and Path(path).is_file():
        module = _execute(Path(path).resolve())
        if hasattr(module, PART_VARIABLE) and not hasattr(module, VARIABLE):
            return load_part(path)
    return load_model(path)


def with_part(model: Model, slot: str, word: str, folder: Path | None = None) -> Model:
    """The composed model with another part in a slot: one of the slot's choices, or that of a plug-in file.

    Parameters
    ----------
    model :
        a composed model.
    slot :
        one of its slots.
    word :
        the name of a choice, or the path of a part's file.
    folder :
        what a relative path starts from; the current folder if None.

    Raises
    ------
    ModelError : no such choice, a file that does not load, or a part that does not fit.
    """
    if not isinstance(model, ComposedModel) or slot not in model.parts:
        raise ModelError(f"model {model.name!r}: it has no slot {slot!r}; expected a composed model")
    choices = model.plant.slot(slot).choices
    if word == model.part_words[slot]:
        return model
    if word not in choices and not is_path(word):
        raise ModelError(
            f"expected one of {', '.join(choices)}, or the path of a part's file, found {word!r}"
            f"{nearest(word, choices) or '; choose one'}"
        )
    if word in choices:
        return model.with_parts({slot: word})
    part = load_part(word, folder)
    if part.slot and part.slot.rpartition(".")[2] != slot:
        raise ModelError(f"{part.source}: it is for the slot {part.slot!r}, found {slot!r}; mend its `slot`")
    return model.with_parts({slot: part})


def is_path(name_or_path: str | os.PathLike[str]) -> bool:
    """Does this name a file and no installed model?"""
    if not isinstance(name_or_path, str):
        return True
    separators = (os.sep, os.altsep or os.sep)
    return name_or_path.endswith(".py") or any(mark in name_or_path for mark in separators)


def _from_name(name: str, folder: Path) -> Model:
    entries = tuple(entry_points(group=GROUP, name=name))
    if not entries:
        known = available_models()
        beside = f"; for the file beside it write `./{name}.py`" if (folder / f"{name}.py").is_file() else ""
        raise ModelError(
            f"model {name!r}: no such model is installed{nearest(name, known)}{beside}; "
            f"give one of {', '.join(known) or '(none)'}, or the path of a plug-in file, ending in .py"
        )
    rivals = sorted({entry.value for entry in entries})
    if len(rivals) > 1:
        raise ModelError(
            f"model {name!r}: {len(rivals)} installed packages register this name ({', '.join(rivals)}); "
            "uninstall one of them, or give the path of the plug-in file"
        )
    return _from_entry_point(entries[0])


@functools.cache
def _from_entry_point(entry: EntryPoint) -> Model:
    what = f"model {entry.name!r} ({entry.value})"
    try:
        module = importlib.import_module(entry.module)
    except (Exception, SystemExit) as problem:
        _explain(problem, what)
    return _model_of(module, entry.attr or VARIABLE, what)


_loaded: dict[Path, tuple[Stamp, Model]] = {}
_loaded_parts: dict[Path, tuple[Stamp, Part]] = {}


def _from_file(path: Path) -> Model:
    if not path.is_file():
        _refuse_missing(path)
    if path in _loaded and not _has_changed(_loaded[path][0]):
        return _loaded[path][1]
    model = _model_of(_execute(path), VARIABLE, str(path))
    _loaded[path] = (_stamp(path), model)
    return model


def load_functions(path: Path) -> dict[str, FunctionType]:
    """The public functions that a plug-in file defines, by name; those it imports are not among them.

    Raises
    ------
    ModelError : no such file, or one that cannot be executed.
    """
    if not path.is_file():
        _refuse_missing(path, otherwise="")
    module = _execute(path)
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_")
    }


def _refuse_missing(path: Path, otherwise: str = ", or give the name of an installed model") -> NoReturn:
    if path.is_dir():
        raise ModelError(f"{path}: this is a folder; give the plug-in file in it, such as {path / 'model.py'}")
    candidates = [file.name for file in path.parent.glob("*.py")] if path.parent.is_dir() else []
    raise ModelError(
        f"{path}: there is no such plug-in file{nearest(path.name, candidates)}; "
        f"check the path (in a config it is relative to the config file){otherwise}"
    )


def _model_of(module: ModuleType, variable: str, what: str) -> Model:
    model = dataclasses.replace(_variable_of(module, variable, what, Model), source=module.__file__ or "")
    if not isinstance(model, Plant):
        return model
    try:
        return compose(model)
    except ModelError as problem:
        raise ModelError(f"{what}: {problem}") from None


P = TypeVar("P", Model, Part)


def _variable_of(module: ModuleType, variable: str, what: str, kind: type[P]) -> P:
    found = getattr(module, variable, None)
    if found is None:
        raise ModelError(f"{what}: it defines no `{variable}`; a plug-in ends with `{variable} = {kind.__name__}(...)`")
    if not isinstance(found, kind):
        raise ModelError(
            f"{what}: `{variable}` is of type {type(found).__name__}, not a hybridsim.{kind.__name__}; "
            f"write `{variable} = {kind.__name__}(...)`"
        )
    return found


def _execute(path: Path) -> ModuleType:
    """Run the file as a module of a package that stands for its folder, so that relative imports work."""
    package = _package(path.parent)
    name = f"{package.__name__}.{path.stem}"
    _forget(package.__name__)
    sys.modules[package.__name__] = package
    loader = importlib.machinery.SourceFileLoader(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _importable(path.parent, package.__name__):
            loader.exec_module(module)
    except (Exception, SystemExit) as problem:
        del sys.modules[name]
        _explain(problem, str(path), path.parent)
    return module


def _package(folder: Path) -> ModuleType:
    package = ModuleType(f"hybridsim_plugin_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}")
    package.__path__ = [str(folder)]
    return package


def _forget(package: str) -> None:
    """Drop what an earlier load of this folder left, so that edited files are read again."""
    for name in [name for name in sys.modules if name == package or name.startswith(f"{package}.")]:
        del sys.modules[name]


@contextlib.contextmanager
def _importable(folder: Path, package: str) -> Iterator[None]:
    """Within, the plug-in's folder comes first on the import path; afterwards `sys` is as it was.

    Modules found beside the plug-in end up in `sys.modules` under `package`, so that two folders may each hold a
    `legs.py`. No bytecode is written: Python takes a stale .pyc for good when a file is edited within one second.
    """
    beside = {file.stem for file in folder.glob("*.py")} - sys.stdlib_module_names
    set_aside = {name: sys.modules.pop(name) for name in beside if name in sys.modules}
    bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.dont_write_bytecode = bytecode
        for name in beside & sys.modules.keys():
            sys.modules[f"{package}.{name}"] = sys.modules.pop(name)
        sys.modules.update(set_aside)


def _stamp(path: Path) -> Stamp:
    """What tells whether a plug-in has changed: (file, modification time [ns], size) of it and its local imports."""
    package = _package(path.parent).__name__
    local = [module.__file__ for name, module in sys.modules.items() if name.startswith(f"{package}.")]
    return _stamp_of(sorted({str(path), *(file for file in local if file)}))


def _stamp_of(files: Iterable[str]) -> Stamp:
    return tuple((file, status.st_mtime_ns, status.st_size) for file in files for status in [Path(file).stat()])


def _has_changed(stamp: Stamp) -> bool:
    """Has one of these files changed, or gone?"""
    try:
        return _stamp_of(file for file, _, _ in stamp) != stamp
    except OSError:
        return True


def plugin_hash(sources: Iterable[str]) -> str:
    """A hash of the plug-in's files, as far as they are there; "" if none is."""
    files = [Path(source) for source in sources if source and Path(source).is_file()]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest() if files else ""


def _explain(problem: BaseException, what: str, folder: Path | None = None) -> NoReturn:
    """Turn what went wrong while a plug-in was executed into a ModelError that names the line at fault."""
    if isinstance(problem, SyntaxError):
        where = ":".join(str(part) for part in (problem.filename or what, problem.lineno, problem.offset) if part)
        raise ModelError(f"{where}: the plug-in is not valid Python: {problem.msg}; correct this line") from problem
    own = [frame for frame in traceback.extract_tb(problem.__traceback__) if Path(frame.filename).parent == folder]
    where = f"{own[-1].filename}:{own[-1].lineno}" if own else what
    text = str(problem) if isinstance(problem, ModelError) else f"{type(problem).__name__}: {problem}"
    raise ModelError(f"{where}: the plug-in could not be loaded: {text}") from problem

"""From a name or a path to a model: installed models by entry point, plug-in files by their path."""

from __future__ import annotations

import dataclasses
import functools
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from hybridsim.engine.methods import Tableau
from hybridsim.errors import ModelError, explains_keywords, nearest
from hybridsim.model.composition import ComposedModel, compose
from hybridsim.model.model import Model
from hybridsim.model.parts import Part, Plant
from hybridsim.model.plugin_file import Stamp, execute, has_changed, raise_explanation, refuse_missing, stamp_of
from hybridsim.model.plugin_import import hashes_of, include_in_current

ENTRY_POINT_GROUP = "hybridsim.models"
"""The entry-point group in which packages, ours included, register their models: `name = "module:MODEL"`."""

MODEL_VARIABLE = "MODEL"
"""The variable of a plug-in file that holds its model."""

PART_VARIABLE = "PART"
"""The variable of a plug-in file that holds its part."""

METHOD_VARIABLE = "METHOD"
"""The variable of a plug-in file that holds its integration method."""

_loaded: dict[tuple[Path, str], tuple[Stamp, Any]] = {}
"""Path and variable of a plug-in file -> the model or the part in it, and the stamp of the files that were executed."""

_files: dict[Path, dict[str, str]] = {}
"""For each plug-in file that was loaded, the files that were executed, with their hashes."""

P = TypeVar("P", Model, Part, Tableau)
L = TypeVar("L", Model, Part)


def available_models() -> dict[str, EntryPoint]:
    """Return the installed models by name, in alphabetical order; read package metadata only, and import no model."""
    return dict(sorted((entry.name, entry) for entry in find_entry_points()))


def find_entry_points() -> tuple[EntryPoint, ...]:
    """Return what packages register as models; their metadata are read again if a folder of `sys.path` has changed."""
    return _read_entry_points(tuple((folder, _time_of_change(folder)) for folder in sys.path))


@functools.lru_cache(maxsize=1)
def _read_entry_points(_folders: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    """Look through all installed packages, which takes longer than a short run."""
    return tuple(entry_points(group=ENTRY_POINT_GROUP))


def _time_of_change(folder: str) -> int:
    """Return when a package was last put into a folder, or removed from it [ns]; 0 if there is no such folder."""
    try:
        return os.stat(folder or ".").st_mtime_ns  # noqa: PTH116  (a tenth of a millisecond less, a search of an orbit)
    except OSError:
        return 0


@explains_keywords()
def load_model(name_or_path: str | os.PathLike[str], folder: Path | None = None) -> Model:
    """Load an installed model, or the model of a plug-in file.

    A plug-in file is executed when it is first loaded, and again when it or a file that it imports from its own folder
    has changed since. While it is executed, its folder is importable: `from .legs import force` and
    `from legs import force` both find `legs.py` in that folder, whatever other plug-ins have imported.

    Parameters
    ----------
    name_or_path : str or path
        The name of an installed model (`slip`), or the path of a plug-in file (`./walker.py`): whatever is no string,
        ends in `.py` or contains a path separator.
    folder : Path, optional
        Where relative paths begin; by default the current folder.

    Returns
    -------
    Model
        The model; of a plant, the model composed with the default parts of its slots.

    Raises
    ------
    ModelError
        If there is no such model or file, the file cannot be executed, or it defines no `MODEL`.
    """
    if is_path(name_or_path):
        file = _file_at(name_or_path, folder, ", or give the name of an installed model")
        return _load_once(file, MODEL_VARIABLE, _model_of)
    return _model_by_name(str(name_or_path), folder or Path.cwd())


def load_part(path: str | os.PathLike[str], folder: Path | None = None) -> Part:
    """Load the part of a plug-in file; `load_model` describes how files are found and executed.

    Raises
    ------
    ModelError
        If there is no such file, it cannot be executed, or it defines no `PART`.
    """
    return _load_once(_file_at(path, folder), PART_VARIABLE, _part_of)


def _file_at(path: str | os.PathLike[str], folder: Path | None, alternative: str = "") -> Path:
    """Return the absolute path of a plug-in file, which is there; `alternative` ends the remedy if it is not."""
    file = ((folder or Path.cwd()) / Path(path).expanduser()).resolve()
    refuse_missing(file, alternative)
    return file


def _load_once(file: Path, variable: str, read: Callable[[ModuleType, str, str], L]) -> L:
    """Return what `read` makes of a plug-in file, which is executed again if one of its files has changed."""
    known = _loaded.get((file, variable))
    if known is None or has_changed(known[0]):
        module, _files[file] = execute(file)
        known = _loaded[file, variable] = stamp_of(_files[file]), read(module, variable, str(file))
    include_in_current(_files[file])
    found: L = known[1]
    return found


def load_tableau(path: str | os.PathLike[str], folder: Path | None = None) -> Tableau:
    """Load the integration method of a plug-in file; `load_model` describes how files are found and executed.

    Raises
    ------
    ModelError
        If there is no such file, it cannot be executed, or it defines no `METHOD`.
    """
    file = _file_at(path, folder)
    return _value_of(execute(file)[0], METHOD_VARIABLE, str(file), Tableau)


def load_model_or_part(path: str | os.PathLike[str]) -> Model | Part:
    """Load the `MODEL` of a plug-in file, or its `PART` if it has no `MODEL`."""
    if is_path(path) and Path(path).is_file():
        module, _ = execute(Path(path).resolve())
        if hasattr(module, PART_VARIABLE) and not hasattr(module, MODEL_VARIABLE):
            return load_part(path)
    return load_model(path)


def with_part(model: Model, slot: str, word: str, folder: Path | None = None) -> Model:
    """Put another part into a slot of a composed model.

    Parameters
    ----------
    model : Model
        A composed model.
    slot : str
        One of its slots.
    word : str
        The name of one of the slot's choices, or the path of a part's file.
    folder : Path, optional
        Where relative paths begin; by default the current folder.

    Returns
    -------
    Model
        The model with that part; the same model if the part is in the slot already.

    Raises
    ------
    ModelError
        If there is no such choice, the file does not load, or the part does not fit.
    """
    if not isinstance(model, ComposedModel) or slot not in model.parts:
        raise ModelError(f"model {model.name!r}: it has no slot {slot!r}; expected a composed model")
    choices = model.plant.slot(slot).choices
    if word == model.part_words[slot]:
        return model
    if word in choices:
        return model.with_parts({slot: word})
    if not is_path(word):
        raise ModelError(
            f"expected one of {', '.join(choices)}, or the path of a part's file, found {word!r}"
            f"{nearest(word, choices) or '; choose one'}"
        )
    part = load_part(word, folder)
    if part.slot and part.slot.rpartition(".")[2] != slot:
        raise ModelError(f"{part.source}: it is for the slot {part.slot!r}, found {slot!r}; mend its `slot`")
    return model.with_parts({slot: part})


def is_path(name_or_path: str | os.PathLike[str]) -> bool:
    """Return whether this is the path of a file, not the name of an installed model."""
    if not isinstance(name_or_path, str):
        return True
    separators = (os.sep, os.altsep or os.sep)
    return name_or_path.endswith(".py") or any(mark in name_or_path for mark in separators)


def _model_by_name(name: str, folder: Path) -> Model:
    entries = [entry for entry in find_entry_points() if entry.name == name]
    if not entries:
        known = available_models()
        file = f"; for the file in this folder write `./{name}.py`" if (folder / f"{name}.py").is_file() else ""
        raise ModelError(
            f"model {name!r}: no such model is installed{nearest(name, known)}{file}; "
            f"give one of {', '.join(known) or '(none)'}, or the path of a plug-in file, ending in .py"
        )
    rivals = sorted({entry.value for entry in entries})
    if len(rivals) > 1:
        raise ModelError(
            f"model {name!r}: {len(rivals)} installed packages register this name ({', '.join(rivals)}); "
            "uninstall one of them, or give the path of the plug-in file"
        )
    return _model_from_entry_point(entries[0])


@functools.cache
def _model_from_entry_point(entry: EntryPoint) -> Model:
    what = f"model {entry.name!r} ({entry.value})"
    try:
        module = importlib.import_module(entry.module)
    except (Exception, SystemExit) as problem:
        raise_explanation(problem, what)
    return _model_of(module, entry.attr or MODEL_VARIABLE, what)


def files_to_execute(sources: Iterable[str]) -> dict[str, str]:
    """Return the files that have to be executed to load models and parts again by their paths.

    Parameters
    ----------
    sources : iterable of str
        The files of the models and the parts.

    Returns
    -------
    dict of str to str
        Path of each file -> SHA-256 of the contents that were executed, with those of imported files.
    """
    files: dict[str, str] = {}
    for source in filter(None, sources):
        known = _files.get(Path(source))
        files |= hashes_of(_modules_with(source)) if known is None else known
    return files


def _modules_with(source: str) -> Iterator[str]:
    """Yield the file of a module that Python has imported by name, and the files imported from its folder."""
    path = Path(source).resolve()
    yield str(path)
    folder = f"{path.parent}{os.sep}"
    for module in list(sys.modules.values()):  # there may be thousands: no paths are made of their names
        file = getattr(module, "__file__", None)
        if isinstance(file, str) and file.startswith(folder) and os.sep not in file[len(folder) :]:
            yield str(Path(file).resolve())


def _model_of(module: ModuleType, variable: str, what: str) -> Model:
    model = dataclasses.replace(_value_of(module, variable, what, Model), source=module.__file__ or "")
    if not isinstance(model, Plant):
        return model
    try:
        return compose(model)
    except ModelError as problem:
        raise ModelError(f"{what}: {problem}") from None


def _part_of(module: ModuleType, variable: str, what: str) -> Part:
    return dataclasses.replace(_value_of(module, variable, what, Part), source=what)


def _value_of(module: ModuleType, variable: str, what: str, expected: type[P]) -> P:
    """Return the model, part or method that a module defines."""
    found = getattr(module, variable, None)
    name = expected.__name__
    if found is None:
        raise ModelError(f"{what}: it defines no `{variable}`; a plug-in ends with `{variable} = {name}(...)`")
    if not isinstance(found, expected):
        raise ModelError(
            f"{what}: `{variable}` is of type {type(found).__name__}, not a hybridsim.{name}; "
            f"write `{variable} = {name}(...)`"
        )
    return found

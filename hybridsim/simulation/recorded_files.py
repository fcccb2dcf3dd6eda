"""The files of a run's model: are they what the run has recorded? Only then are they executed again unasked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from hybridsim.model.plugin_import import Permission, UnrecordedFileError, allow_only, hashes_of
from hybridsim.model.registry import is_path


class Recorded(Protocol):
    """What a file says of the model that made it: a Trajectory, or the record of a branch."""

    @property
    def model_name(self) -> str:
        """The name of the model."""

    @property
    def provenance(self) -> Mapping[str, Any]:
        """What determined the run."""


def files_of_run(run: Recorded) -> dict[str, str]:
    """Return the files that were executed for a run, with their hashes."""
    recorded = run.provenance.get("model_files", {})
    return {str(path): str(digest) for path, digest in recorded.items()}


def refuse_changed_files(run: Recorded, name: str | os.PathLike[str]) -> None:
    """Refuse to load the model that a run names if any of its files has changed, before one of them is executed.

    Parameters
    ----------
    run : Trajectory or another record
        The run.
    name : str or path
        The model that it names.

    Raises
    ------
    UnrecordedFileError
        If the model's file is not recorded, or a recorded file has changed.
    """
    files = files_of_run(run)
    wanted = [_resolve(name)] if is_path(name) else []
    with allow_only(files):
        Permission().check(hashes_of([*wanted, *(path for path in files if path not in wanted)]))


def refusal_of(run: Recorded, files: Mapping[str, str], file: Path | None) -> UnrecordedFileError:
    """Return the error for files that were not executed, with what to do.

    Parameters
    ----------
    run : Trajectory or another record
        The run.
    files : mapping of str to str
        The files with their present hashes.
    file : Path or None
        The file of the run.
    """
    recorded = files_of_run(run)
    changed = [path for path in files if path in recorded]
    other = [path for path in files if path not in changed]
    found = [f"{text} since the run" for text in _list_files(changed, "has changed", "have changed")]
    found += [f"{text} as the run records" for text in _list_files(other, "is not", "are not")]
    they = "it was" if len(files) == 1 else "they were"
    return UnrecordedFileError(
        f"{file or f'the run of {run.model_name}'}: {', and '.join(found)}, so {they} not executed; "
        f"{_remedy(run, files)}",
        files,
    )


def _list_files(files: Sequence[str], singular: str, plural: str) -> list[str]:
    shown = " and ".join(path if path.isprintable() else repr(path) for path in files)
    return [f"{shown} {singular if len(files) == 1 else plural}"] if files else []


def _remedy(run: Recorded, files: Mapping[str, str]) -> str:
    """Return what to write if the user trusts the files: the run cannot answer for them."""
    config = _config_of(run)
    parameters = config.get("parameters")
    words = parameters.values() if isinstance(parameters, Mapping) else ()
    parts = {_resolve(word) for word in words if isinstance(word, str) and is_path(word)}
    if parts & files.keys() or not is_path(str(config.get("model"))):
        return "if you trust the code, confirm it on a terminal, or run the simulation again"
    return "if you trust the code, name the model yourself with --model PATH_OR_NAME (in Python: model=...)"


def _config_of(run: Recorded) -> Mapping[str, Any]:
    config = run.provenance.get("config")
    return config if isinstance(config, Mapping) else {}


def _resolve(path: str | os.PathLike[str]) -> str:
    """Return the path as `load_model` resolves it; unchanged if it is no path of this system."""
    try:
        return str((Path.cwd() / Path(path).expanduser()).resolve())
    except (OSError, ValueError, RuntimeError):
        return str(path)

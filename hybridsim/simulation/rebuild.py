"""The config and the model of a recorded run, rebuilt from its provenance."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from hybridsim.config import RunConfig
from hybridsim.config.building import build, fill_slots
from hybridsim.config.keywords import plain_node
from hybridsim.config.loading import with_overrides
from hybridsim.config.source import Diagnostics, Node, Origin
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model import Model
from hybridsim.model.plugin_file import plugin_hash
from hybridsim.model.plugin_import import Permission, UnrecordedFileError, allow_only, hashes_of
from hybridsim.model.registry import available_models, is_path, load_model
from hybridsim.simulation.reduction import records_states
from hybridsim.typing import Purpose


class Recorded(Protocol):
    """What a file says of the model that made it: a Trajectory, or the record of a branch."""

    @property
    def model_name(self) -> str:
        """The name of the model."""

    @property
    def provenance(self) -> Mapping[str, Any]:
        """What determined the run."""


def config_of(
    run: Recorded,
    model: Model | str | os.PathLike[str] | None = None,
    file: Path | None = None,
    use: Purpose = "verify",
    overrides: Sequence[str] = (),
) -> RunConfig:
    """Rebuild the config of a run, with its model loaded again.

    Parameters
    ----------
    run : Trajectory or another record
        The run.
    model : Model, str or path, optional
        A model, a name, or the path of a plug-in file; by default the model that the run names.
    file : Path, optional
        The file of the run, for messages.
    use : {"verify", "view", "differentiate", "continue"}
        The purpose, for messages.
    overrides : sequence of str
        Values `key=value` to use instead of the recorded ones.

    Returns
    -------
    RunConfig
        The config.

    Raises
    ------
    ConfigError
        If the run has no config, its model cannot be loaded, or its values do not fit the model.
    UnrecordedFileError
        If a file of the model that the run names, or of a part, is not as the run has recorded it. Nothing of that file
        has been executed.
    """
    data = _config_of(run)
    if "model" not in data:
        raise ConfigError(
            f"{file or f'the run of {run.model_name}'} does not say which config made it; "
            f"expected /config in the file; {use} a run that `hybridsim run` or `simulate` has made"
        )
    origin = Origin(f"{file}: /config" if file else "/config", Path.cwd(), computed=True)
    try:
        loaded = model if isinstance(model, Model) else _load(run, model or str(data["model"]), model is not None, use)
        with allow_only(files_of_run(run)):
            config = _config(run, plain_node(data, origin), loaded, use, overrides)
    except UnrecordedFileError as problem:
        raise refusal_of(run, problem.files, file) from None
    if not records_states(config):
        raise ConfigError(
            f"{file or f'the run of {run.model_name}'} has outputs alone, so it cannot be {PARTICIPLES[use]}; "
            "record its states, record.states: true"
        )
    return config


def _config(run: Recorded, data: Node, model: Model, use: Purpose, overrides: Sequence[str]) -> RunConfig:
    try:
        diagnostics = Diagnostics()
        data = with_overrides(data, overrides, diagnostics)
        return build(*fill_slots(data, model, diagnostics), diagnostics, open_ended=True)
    except UnrecordedFileError:
        raise
    except ConfigError as failure:
        raise ConfigError([*failure.problems, *change_notes(run, model.sources, use)]) from None


def _load(run: Recorded, name: str | os.PathLike[str], given: bool, use: Purpose) -> Model:
    try:
        if given:
            return load_model(name)
        refuse_changed_files(run, name)
        with allow_only(files_of_run(run)):
            return load_model(name)
    except ModelError as failure:
        if given:
            raise
        there = Path(name).is_file() or str(name) in available_models()
        problem = (
            f"the model of this run, {str(name)!r}, is {'broken' if there else 'not here'} ({failure}); "
            f"{'mend it, or ' if there else ''}say where {'another' if there else 'it'} is "
            "with --model PATH_OR_NAME (in Python: model=...)"
        )
        raise ConfigError([problem, *change_notes(run, [str(name)], use)]) from None


PARTICIPLES: Mapping[Purpose, str] = {
    "verify": "verified",
    "view": "shown",
    "differentiate": "differentiated",
    "continue": "continued",
}
"""Purpose -> its participle, for messages."""


def change_notes(run: Recorded, sources: Sequence[str], use: Purpose = "verify") -> list[str]:
    """Compare the plug-in and its parts with those of the run.

    Parameters
    ----------
    run : Trajectory or another record
        The run.
    sources : sequence of str
        Files of the plug-in and its parts, the model's own first.
    use : {"verify", "view", "differentiate", "continue"}
        The purpose, for the warning.

    Returns
    -------
    list of str
        One warning if the files are others, or have changed since the run; else none.
    """
    now, before = plugin_hash(sources), run.provenance.get("plugin_hash")
    if not (before and now and before != now):
        return []
    own, files = run.provenance.get("source"), [source for source in sources if source]
    if sources[0] and own and Path(sources[0]).resolve() != Path(str(own)).resolve():
        return [
            f"the run was made with another model file, {own}; what is {PARTICIPLES[use]} is the model of {sources[0]}"
        ]
    changed = f"the model's file {' or '.join(files)} has changed since the run"
    return [f"{changed}; what is {PARTICIPLES[use]} is the model as it is now"]


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

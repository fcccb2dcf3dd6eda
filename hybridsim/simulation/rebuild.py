"""The config and the model of a recorded run, rebuilt from its provenance."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hybridsim.config import RunConfig
from hybridsim.config.building import build, fill_slots
from hybridsim.config.loading import with_overrides
from hybridsim.config.source import Diagnostics, Node, Origin
from hybridsim.errors import ConfigError, ModelError
from hybridsim.model import Model
from hybridsim.model.plugin_file import plugin_hash
from hybridsim.model.plugin_import import UnrecordedFileError, allow_only
from hybridsim.model.registry import available_models, load_model
from hybridsim.simulation.recorded_files import Recorded, files_of_run, refusal_of, refuse_changed_files
from hybridsim.typing import Purpose


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
    data = run.provenance.get("config")
    if not isinstance(data, Mapping) or "model" not in data:
        raise ConfigError(
            f"{file or f'the run of {run.model_name}'} does not say which config made it; "
            f"expected /config in the file; {use} a run that `hybridsim run` or `simulate` has made"
        )
    origin = Origin(f"{file}: /config" if file else "/config", Path.cwd())
    try:
        loaded = model if isinstance(model, Model) else _load(run, model or str(data["model"]), model is not None, use)
        with allow_only(files_of_run(run)):
            return _config(run, _node(data, origin), loaded, use, overrides)
    except UnrecordedFileError as problem:
        raise refusal_of(run, problem.files, file) from None


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


def _node(value: Any, origin: Origin) -> Node:
    """Return plain data as nodes, the form in which config files are read."""
    if isinstance(value, Mapping):
        return Node({str(name): _node(item, origin) for name, item in value.items()}, origin)
    if isinstance(value, list | tuple):
        return Node([_node(item, origin) for item in value], origin)
    return Node(value, origin)
